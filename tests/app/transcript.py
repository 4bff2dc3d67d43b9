#!/usr/bin/env python3
"""transcript.py: commands and what they print, against a transcript

SPDX-License-Identifier: MIT

    tests/app/transcript.py MEMLANE-CLI DATA TRANSCRIPT [--write | --most MIB]

In a transcript "# TITLE" begins a folder of its own, with state and settings of its own, and
"$ LINE" is for bash, which finds memlane-cli, and the recordings in $R. Behind a line comes what it
writes: indented to standard output, behind "! " to standard error, and [STATUS] where it is not 0.
What differs from run to run stands there as a word in capitals: the ids of runs, dates, folders,
pointers, and how long something took.
Exits with 1 where something else is written, or a command takes more than --most of memory;
--write writes the transcript anew.
"""
import difflib
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

HOMES = ('XDG_STATE_HOME', 'XDG_DATA_HOME', 'XDG_CONFIG_HOME')
CHANGING = [
    (r'\d{8}T\d{6}(\.\d{3})?Z', 'RUN'),
    (r'\b\d{4}-\d\d-\d\d \d\d:\d\d\b', 'WHEN'),
    (r'(?<=Date: )\d{4}-.*', 'DATE'),
    (r'\b\d+\.\d s(?=; |$)', 'TIME'),
    (r'\b0x[0-9a-f]{7,}', 'POINTER'),
]


def run(line, folder, environment):
    """Returns the lines of a transcript for what the line writes."""
    done = subprocess.run(['bash', '-c', line], cwd=folder, env=environment, check=False, timeout=120,
                          stdin=subprocess.DEVNULL, capture_output=True)
    lines = [f'$ {line}']
    for start, text in (('  ', done.stdout), ('! ', done.stderr)):
        text = text.decode('utf-8', 'replace').replace(folder, 'FOLDER')
        text = text.replace(environment['R'], '$R')
        for name in HOMES:
            text = text.replace(environment[name], f'${name}')
        for pattern, word in CHANGING:
            text = re.sub(pattern, word, text, flags=re.MULTILINE)
        # Where coverage is measured and files are limited, it complains.
        lines += [(start + part).rstrip() for part in text.splitlines()
                  if not re.match('(libgcov )?profiling', part)]
    return lines + ([f'[{done.returncode}]'] if done.returncode != 0 else [])


def play(text, cli, data):
    """Returns the transcript as it is now."""
    lines = []
    folder = None
    for line in text.splitlines():
        if line.startswith('# '):
            # Both last until the next title.
            folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
            home = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
            environment = {**os.environ, 'R': f'{data}/recordings', 'LC_ALL': 'C.UTF-8',
                           'G_DEBUG': 'fatal-warnings', 'MEMLANE_DATA_DIR': data,
                           'PATH': f'{pathlib.Path(cli).parent}:{os.environ["PATH"]}',
                           **{name: f'{home.name}/{name.lower()}' for name in HOMES}}
            lines += ['', line] if lines else [line]
        elif line.startswith('$ '):
            lines += run(line[2:], folder.name, environment)
    return '\n'.join(lines) + '\n'


def main():
    """Compares, or writes."""
    cli, data = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    path = pathlib.Path(sys.argv[3])
    wanted = path.read_text(encoding='utf-8')
    found = play(wanted, cli, data)
    if '--write' in sys.argv:
        path.write_text(found, encoding='utf-8')
        return 0
    difference = list(difflib.unified_diff(wanted.splitlines(), found.splitlines(), path.name, 'now',
                                           lineterm=''))
    print(*difference, sep='\n')
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
    if '--most' in sys.argv and most > int(sys.argv[-1]):
        print(f'a command took {most} MiB')
        return 1
    return 1 if difference else 0


if __name__ == '__main__':
    sys.exit(main())
