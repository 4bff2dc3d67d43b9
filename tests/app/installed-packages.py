#!/usr/bin/env python3
# installed-packages.py: each installed file is in exactly one Debian package, and each line of the packages' lists finds a file
# SPDX-License-Identifier: MIT
#
# Arguments: the folder of the lists (data/packaging/debian), the folder that stands for /usr, the parts that were not built (cuda, gui).
import fnmatch
import pathlib
import re
import sys

# Lines that find nothing without this part.
PARTS = {
    'cuda': r'memlane-cuda\.',
    'gui': r'memlane\.|.*/locale$',
}


def read_lists(folder):
    """Returns (list's name, pattern below /usr) of each line."""
    lines = []
    for path in sorted(folder.iterdir()):
        if path.suffix not in ('.install', '.manpages') and path.name != 'not-installed':
            continue
        for line in path.read_text().splitlines():
            if line and not line.startswith('#'):
                lines.append((path.name, line.removeprefix('debian/tmp/').removeprefix('usr/')))
    return lines


def find(pattern, files):
    """Returns those of the files that dh_install takes for the pattern: a folder means everything below it."""
    depth = pattern.count('/') + 1
    return {file for file in files
            if file.count('/') + 1 >= depth
            and all(fnmatch.fnmatchcase(part, wanted) for part, wanted in zip(file.split('/'), pattern.split('/')))}


def main():
    folder, usr, missing = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    # Without dpkg's tools meson installs libraries into lib64, which the packages never do.
    files = {re.sub('^lib64/', 'lib/here/', str(path.relative_to(usr))) for path in usr.rglob('*')
             if not path.is_dir() or path.is_symlink()}
    owners = {file: [] for file in files}
    complaints = []
    for name, pattern in read_lists(folder):
        found = find(pattern, files)
        for file in found:
            owners[file].append(name)
        if not found and not any(re.match(PARTS[part], f'{name}:{pattern}') for part in missing):
            complaints.append(f'{name}: no installed file is usr/{pattern}')
    for file, names in sorted(owners.items()):
        if len(names) != 1:
            complaints.append(f'usr/{file} is in {" and ".join(names) or "no package"}')
    for complaint in complaints:
        print(f'{folder.name}: {complaint}', file=sys.stderr)
    sys.exit(bool(complaints))


main()
