#!/usr/bin/env python3
# test-judge.py: judge computes what the engine does, finds runs that do not contain each other, and data/doc/figures.md has its table
# SPDX-License-Identifier: MIT
#
#   tests/gpu/test-judge.py MEMLANE-CLI ROOT TEST-HISTORY
import contextlib
import importlib.machinery
import importlib.util
import io
import math
import os
import re
import subprocess
import sys
import tempfile

cli, root, test_history = sys.argv[1:]
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader('judge', os.path.join(root, 'tests/gpu/judge'))
judge = importlib.util.module_from_spec(importlib.util.spec_from_loader('judge', loader))
loader.exec_module(judge)
environment = dict(os.environ, MEMLANE_DATA_DIR=os.path.join(root, 'data'), XDG_STATE_HOME=tempfile.mkdtemp())


def sweep(folder, number):
    path = os.path.join(folder, 'run-%d.csv' % number)
    subprocess.run([cli, 'sweep', '--quiet', '--device', 'simulated:h200', '--noise', 'recorded', '--seed', str(number), '--rounds', '8',
                    '--modes', 'pinned,portable', '--sizes', '10:11', '--csv', path], check=True, env=environment)
    return path


# Recordings are for everybody who clones this: rounds are packed.
folders = list(os.walk(os.path.join(root, 'data/recordings')))
size = sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in folders for name in names)
assert size < 12e6, 'data/recordings has %.1f MB; pack it as its README says' % (size / 1e6)

with tempfile.TemporaryDirectory() as folder:
    paths = [sweep(folder, number) for number in (1, 2, 3)]
    written, = judge.open_machines(paths, False)
    again, = judge.open_machines(paths, True)
    compared = 0
    for run, same in zip(written.runs, again.runs):
        for key, figures in run.items():
            ruled = judge.widen(key, same[key], judge.SLOPES)
            assert all(abs(a - b) <= 0.1 for a, b in zip(figures, ruled)), (key, figures, ruled)
            compared += 1
    assert compared > 60, compared
    print('%d medians and intervals are the engine\'s' % compared)
    packed = os.path.join(folder, 'one.tar.gz')
    subprocess.run(['tar', '-C', folder, '-czf', packed] + [n for n in os.listdir(folder) if n != 'one.tar.gz'], check=True)
    machine, = judge.open_machines([packed], False)
    assert machine.runs == written.runs and machine.rounds == written.rounds and machine.name == 'one'
    judge.pack(packed, os.path.join(folder, 'two.tar.xz'))
    machine, = judge.open_machines([os.path.join(folder, 'two.tar.xz')], False)
    assert machine.runs == written.runs and machine.rounds == written.rounds and machine.name == 'two'
    assert judge.read_archive(packed) == judge.read_archive(os.path.join(folder, 'two.tar.xz'))

    # Each of the calls below reads the same recordings, which takes a second: they are read once.
    opened, read = {}, judge.open_machines

    def open_once(paths, again):
        if (tuple(paths), again) not in opened:
            opened[tuple(paths), again] = read(paths, again)
        return opened[tuple(paths), again]

    judge.open_machines = open_once

    with contextlib.redirect_stdout(io.StringIO()) as printed:
        judge.main(['--history'])
    page = open(os.path.join(root, 'data/doc/figures.md')).read()
    assert printed.getvalue().count('\n') == 10 and printed.getvalue() in page, printed.getvalue()
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        judge.main(['--first'])
    assert printed.getvalue().count('\n') == 12 and printed.getvalue() in page, printed.getvalue()

    # What the engine learns of a recorded machine is what the page judges, but for the clocks' ticks.
    judge.unpack(os.path.join(root, 'data/recordings/replicates/h200-cc40ff78.tar.xz'), folder)
    names = 'run-2.csv', 'run-1.csv', 'run-3.csv', 'run-4.csv', 'learned.csv'
    subprocess.run([test_history] + [os.path.join(folder, name) for name in names], check=True, env=environment)
    recorded = next(m for m in judge.judge_replicates()[0] if m.name == 'h200-cc40ff78')
    with open(os.path.join(folder, 'learned.csv'), newline='') as file:
        learned, _ = judge.read_run(file.read())
    known = [recorded.runs[i] for i in (1, 0, 2, 3)]
    compared = 0
    for place in {key[2:] for key in learned}:
        keys = [key for key in set.intersection(*(set(run) for run in known)) if key[2:] == place]
        expected = judge.learn_machine(recorded, (1, 0, 2, 3), keys, judge.REACH_OF_STATES)
        for key in keys:
            value, low, high = learned[key]
            middle, half = expected[key]
            slack = 16.1 if place[1] == 'device' else 1 + 1e-4 * value
            assert abs(low - min(math.exp(middle - half), value)) <= slack, (key, learned[key], middle, half)
            assert abs(high - max(math.exp(middle + half), value)) <= slack, (key, learned[key], middle, half)
            compared += 1
    assert compared > 2000, compared
    print('%d learned intervals are the engine\'s' % compared)

    # A run that is a third slower than the others is contained nowhere, and contains nobody.
    good = machine.judge(lambda k: True)
    machine.runs[0] = {k: tuple(1.4 * v for v in f) for k, f in machine.runs[0].items() if f[2] < 1.1 * f[1]}
    bad = machine.judge(lambda k: True)
    assert bad['widths'] and sum(bad['contains']) / len(bad['contains']) < sum(good['contains']) / len(good['contains'])

    # The table of figures.md is what the recordings give, and a digit that is not theirs is found.
    judge.main(['--check'])
    with open(judge.FIGURES, encoding='utf-8') as file:
        text = file.read()
    with open(os.path.join(root, 'README.md'), encoding='utf-8') as file:
        readme = file.read()
    for mode in judge.FOUND:
        figure = re.findall(r'%s \| (\d+ to \d+ µs) ' % mode, text)[0]
        assert mode == 'mapped-shaped' or figure in readme, (mode, figure)
    judge.FIGURES = os.path.join(folder, 'figures.md')
    with open(judge.FIGURES, 'w', encoding='utf-8') as file:
        file.write(text.replace(judge.END, 'Noisy total times of a sweep: 0.\n' + judge.END))
    try:
        judge.main(['--check'])
        raise AssertionError('a line that no recording gives was not found')
    except SystemExit as end:
        assert 'Noisy total times of a sweep: 0.' in str(end), end
    judge.main(['--write'])
    judge.main(['--check'])
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        judge.main(['--figures'])
    assert out.getvalue() in open(judge.FIGURES, encoding='utf-8').read()
print('ok')
