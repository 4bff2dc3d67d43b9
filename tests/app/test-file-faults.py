#!/usr/bin/env python3
"""test-file-faults.py: a full disk, a broken one, an interruption, a short write, a kill, at the n-th file call of every command

SPDX-License-Identifier: MIT

    test-file-faults.py MEMLANE-CLI LIBFILE-FAULTS.SO DATA [--all]

Whatever fails: each output is as it was or whole, a command that says 0 has written, nothing ends by a signal, nothing hangs, and what
kills leave is gone after the next run. Every sixth call; with --all every one, which takes minutes.
"""
import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

CLI, SHIM, DATA = map(os.path.abspath, sys.argv[1:4])
STEP = 1 if '--all' in sys.argv else 6
OLD = b'what was here before\n'
DEVICE = ['-d', 'simulated:h200']
COMMANDS = {
    'sweep': (['sweep', '-q', *DEVICE, '-m', 'pinned,mapped', '-s', '10', '--cell-seconds', '0.001', '-c', 'out.csv', '--samples-csv',
               'samples.csv'], ['out.csv', 'out.environment.json', 'out.rounds.csv', 'samples.csv']),
    'plot svg': (['plot', 'run.csv', '-o', 'o.svg'], ['o.svg']),
    'plot png': (['plot', 'run.csv', '-o', 'o.png', '--size', '480x320'], ['o.png']),
    'plot pdf': (['plot', 'run.csv', '-o', 'o.pdf'], ['o.pdf']),
    'report': (['report', 'run.csv', '-o', 'o.html'], ['o.html']),
    'decide': (['decide', 'run.csv', '-c', 'map.csv', '--plot', 'map.svg'], ['map.csv', 'map.svg']),
    'trace': (['trace', '-q', *DEVICE, '-m', 'pinned', '-s', '10', '-j', 't.json', '--plot', 't.svg'], ['t.json', 't.svg']),
    'lab': (['lab', '-q', *DEVICE, '-s', '12', '-j', 'l.json'], ['l.json']),
    'experiment': (['experiment', 'run', 'device-query', '-q', *DEVICE, '--findings', 'f.csv'], ['f.csv']),
    'code': (['code', 'pinned', '-o', 'c.cu'], ['c.cu']),
    'recover': (['recover', 'left', '-c', 'back.csv'], ['back.csv']),
}
FIGURE = {'phase': 'elapsed', 'clock': 'host', 'count': 1, 'estimate_ns': 9, 'low_ns': 9, 'high_ns': 9, 'min_ns': 9, 'q1_ns': 9, 'q3_ns': 9,
          'max_ns': 9, 'bytes_moved': 0, 'status': 'ok'}
RUN = {'id': 'left', 'device': 'simulated:h200', 'device_kind': 'simulated', 'environment': {}}
CELL = {'workload': 'vector-add', 'log2_elements': 10, 'reuse': 1, 'streams': 0, 'chunks': 0, 'status': 'ok',
        'host': {'pair': 0, 'launch': 0, 'copy': 0}, 'figures': [FIGURE]}
ENDS = {'.svg': b'</svg>', '.html': b'</html>', '.png': b'IEND\xaeB`\x82', '.pdf': b'%%EOF', '.json': b'}'}
KINDS = [str(errno.ENOSPC), str(errno.EIO), str(errno.EINTR), 'full', 'short', 'kill']
failures = []


def run(folder, arguments, **faults):
    environment = {**os.environ, 'MEMLANE_DATA_DIR': DATA, 'XDG_STATE_HOME': folder + '/state', 'HOME': folder,
                   'G_DEBUG': 'fatal-criticals', 'XDG_CACHE_HOME': '/tmp', **faults}
    if faults:
        environment['LD_PRELOAD'] = ':'.join(filter(None, [os.environ.get('LD_PRELOAD'), SHIM]))
    return subprocess.run([CLI, *arguments], cwd=folder, env=environment, capture_output=True, timeout=60, check=False)


def is_whole(name, data):
    return data == OLD or data.rstrip().endswith(ENDS.get(os.path.splitext(name)[1], b'')) and len(data) > 0 and (
        os.path.splitext(name)[1] in ('.png', '.pdf') or data.endswith((b'\n', b'>', b'}')))


def find_litter(folder):
    return [name for name in os.listdir(folder) if name.startswith('.memlane-')]


def prepare(folder, name, outputs):
    for output in outputs:
        with open(f'{folder}/{output}', 'wb') as file:
            file.write(OLD)
    if name == 'recover':
        journals = folder + '/state/memlane/journals'
        os.makedirs(journals, exist_ok=True)
        with open(journals + '/left.journal', 'w', encoding='utf-8') as file:
            file.write(json.dumps({'type': 'run', 'run': RUN}) + '\n')
            for mode in ('pinned', 'mapped'):
                file.write('1 1 ' + json.dumps({'type': 'cell', 'cell': {**CELL, 'mode': mode}}) + '\n')


def attack(folder, name, arguments, outputs, kind, at):
    prepare(folder, name, outputs)
    result = run(folder, [*arguments, '--force'], FAULT_AT=str(at), FAULT_KIND=kind)
    where = f'{name}, call {at}, {kind}: status {result.returncode}: {result.stderr[-300:].decode(errors="replace")}'
    if result.returncode < 0 and not (kind == 'kill' and result.returncode == -signal.SIGKILL):
        failures.append('ended by a signal: ' + where)
    for output in outputs:
        try:
            with open(f'{folder}/{output}', 'rb') as file:
                data = file.read()
        except FileNotFoundError:
            failures.append(f'{output} is gone: {where}')
            continue
        if not is_whole(output, data):
            failures.append(f'{output} is torn ({len(data)} bytes): {where}')
        if result.returncode == 0 and data == OLD:
            failures.append(f'{output} is said to be written: {where}')
    if kind != 'kill' and find_litter(folder) and kind != 'full':
        # unlink itself may be what failed: the next run cleans up, as after a kill
        run(folder, [*arguments, '--force'])
        if find_litter(folder):
            failures.append(f'left {find_litter(folder)}: {where}')


def check_second_signal(folder, name, arguments, outputs):
    """A call that never returns: the first signal asks, the second ends."""
    prepare(folder, name, outputs)
    environment = {**os.environ, 'MEMLANE_DATA_DIR': DATA, 'XDG_STATE_HOME': folder + '/state', 'LD_PRELOAD': SHIM, 'FAULT_AT': '1',
                   'FAULT_KIND': 'hang'}
    with subprocess.Popen([CLI, *arguments, '--force'], cwd=folder, env=environment, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        for _ in range(100):
            if process.poll() is not None:
                break
            process.send_signal(signal.SIGTERM)
            time.sleep(0.4)
        else:
            process.kill()
            failures.append(f'{name}: hangs, whatever signals come')
    if process.returncode not in (130, -signal.SIGTERM):
        failures.append(f'{name}: ended by status {process.returncode} of a second signal, expected 130, or SIGTERM itself')


def main():
    tried = 0
    folder = tempfile.mkdtemp(prefix='memlane-faults-')
    try:
        run(folder, ['sweep', '-q', *DEVICE, '-m', 'pinned,mapped', '-s', '10:11', '--cell-seconds', '0.001', '-c', 'run.csv'])
        for number, (name, (arguments, outputs)) in enumerate(COMMANDS.items()):
            prepare(folder, name, outputs)
            result = run(folder, [*arguments, '--force'], FAULT_LOG=folder + '/count')
            if result.returncode != 0:
                if b'draws no figures' in result.stderr:
                    continue
                failures.append(f'{name} fails without any fault: {result.stderr.decode(errors="replace")}')
                continue
            with open(folder + '/count', encoding='ascii') as file:
                calls = int(file.read())
            here = 0
            for place, kind in enumerate(KINDS):
                for at in range(1 + (number + place) % STEP, calls + 1, STEP):
                    attack(folder, name, arguments, outputs, kind, at)
                    here += 1
            prepare(folder, name, outputs)
            run(folder, [*arguments, '--force'])
            if find_litter(folder):
                failures.append(f'{name}: {find_litter(folder)} are left after the next run')
            check_second_signal(folder, name, arguments, outputs)
            print(f'{name}: {calls} calls, {here} faults')
            tried += here
        print(f'{tried} faults, {len(failures)} failures')
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
