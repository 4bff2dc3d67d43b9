#!/usr/bin/env python3
"""judge.py: how well simulated devices predict recordings that they were not made from

SPDX-License-Identifier: MIT

    tests/model/judge.py MEMLANE-CLI [PART...]

PART: each-size halves copies beyond schedules pieces machines shipped; all of them without one.

Parts of the recorded runs are made into devices by calibrate.py, which then predict the other part. An error is the
difference of the simulated median from the recorded one, as a share of the recorded one. Figures below 10 us do not count.
Last come two checks of the shipped H200: no time falls while the size grows, and no bandwidth beats the data sheet.
"""
import csv
import glob
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

from calibrate import read

FLOOR_NS = 10e3
cli = os.path.abspath(sys.argv[1])
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
parts = sys.argv[2:] or ['each-size', 'halves', 'copies', 'beyond', 'schedules', 'pieces', 'machines', 'shipped']
recordings = os.path.join(root, 'data/recordings')
work = tempfile.mkdtemp(prefix='memlane-judge-')
os.environ['MEMLANE_DATA_DIR'] = os.path.join(work, 'data')
shutil.copytree(os.path.join(root, 'data/devices'), os.path.join(work, 'data/devices'))
RESIDENT = 'device-resident'


def key(row):
    return (row['workload'], row['reuse'], row['streams'], row['chunks'], row['mode'], row['log2_elements'], row['phase'], row['clock'])


def schedule(row):
    """Streams and chunks, or pieces."""
    return row['streams'] or '8', row['chunks'] or '8'


def counts(row):
    return row['status'] in ('ok', 'noisy') and row['phase'] != 'first' and row['estimate_ns'] and float(row['estimate_ns']) >= FLOOR_NS


def call(*arguments):
    done = subprocess.run([cli, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f'memlane-cli {" ".join(arguments)}: {done.stderr}')
    return done.stdout


def runs(names):
    return [path.removesuffix('.gz') for name in names for path in sorted(glob.glob(os.path.join(recordings, name + '*')))
            if 'rounds' not in path and 'cold' not in path and 'peer' not in path]


def make(paths, keep, name):
    """The device that the rows which `keep` wants make."""
    folder = os.path.join(work, name)
    os.mkdir(folder)
    files = []
    for path in paths:
        rows = [row for row in read(path) if keep(row)]
        if not any(row['estimate_ns'] for row in rows):
            continue
        out = os.path.join(folder, os.path.basename(path))
        with open(out, 'w', newline='') as file:
            writer = csv.DictWriter(file, rows[0].keys(), lineterminator='\n')
            writer.writeheader()
            writer.writerows(rows)
        shutil.copy(path.replace('.csv', '.environment.json'), out.replace('.csv', '.environment.json'))
        files.append(out)
    device = os.path.join(folder, 'judged.device')
    subprocess.run([os.path.join(root, 'tests/model/calibrate.py'), cli, *files, device], check=True, stdout=subprocess.DEVNULL)
    return 'simulated:' + device


def predict(device, paths, judge):
    """Both medians of each judged figure: [(row, simulated row)]."""
    pairs = []
    for path in paths:
        rows = [row for row in read(path) if judge(row) and counts(row)]
        if not rows:
            continue
        sizes = sorted({int(row['log2_elements']) for row in rows})
        streams = sorted({schedule(row) for row in rows})
        for each in streams:
            out = os.path.join(work, 'predicted.csv')
            call('sweep', '-d', device, '--workload', rows[0]['workload'], '--modes', ','.join(sorted({row['mode'] for row in rows})),
                 '--sizes', f'{sizes[0]}:{sizes[-1]}', '--reuse', rows[0]['reuse'], '--streams', each[0], '--chunks', each[1],
                 '-c', out, '--force', '-q')
            predicted = {key(row): row for row in read(out) if row['estimate_ns']}
            pairs += [(row, predicted[key(row)]) for row in rows if key(row) in predicted and schedule(row) == each]
    return pairs


def report(title, pairs, today, goal):
    errors = sorted(abs(float(twin['estimate_ns']) / float(row['estimate_ns']) - 1) for row, twin in pairs)
    print(f'{title:52} {100 * statistics.median(errors):5.1f} {100 * errors[int(0.9 * len(errors))]:6.1f} {100 * errors[-1]:6.0f}'
          f' {len(errors):6}   {today:>12} {goal:>10}', flush=True)
    return pairs


def tell_each(pairs):
    """By phase and by mode: the median error, its median size, and how many figures."""
    by = {}
    for row, twin in pairs:
        for name in ((row['phase'], row['clock']), row['mode']):
            by.setdefault(name, []).append(float(twin['estimate_ns']) / float(row['estimate_ns']) - 1)
    for name, errors in by.items():
        print('   ', name, f'{100 * statistics.median(errors):.1f} {100 * statistics.median(map(abs, errors)):.1f} {len(errors)}')


def size(row):
    return int(row['log2_elements'])


def elapsed(pairs):
    return [(row, twin) for row, twin in pairs if row['phase'] == 'elapsed' and row['clock'] == 'host']


def named_right(pairs):
    """Plans for which the fastest mode is named, or one that the recording does not tell from it."""
    plans = {}
    for row, twin in elapsed(pairs):
        if row['mode'] != RESIDENT:
            plans.setdefault((row['workload'], row['reuse'], size(row)), []).append((row, twin))
    right = 0
    for modes in plans.values():
        best = min((row for row, _ in modes), key=lambda row: float(row['estimate_ns']))
        named = min(modes, key=lambda pair: float(pair[1]['estimate_ns']))[0]
        right += (float(named['estimate_ns']) <= 1.05 * float(best['estimate_ns'])
                  or float(named['low_ns']) <= float(best['high_ns']))
    return right, len(plans)


def judge_all():
    add = runs(['h200-vector-add.csv', 'h200-vector-add-large.csv', 'h200-vector-add-largest.csv'])
    reused = runs(['h200-vector-add-reuse*.csv'])
    copies = runs(['h200-copy-*.csv', 'h200-fill*.csv'])
    streams = runs(['streams/h200-*.csv'])
    print(f'{"figures of 10 us and more, in %":52} {"median":>5} {"p90":>6} {"worst":>6} {"n":>6}   {"today":>12} {"goal":>10}')

    if 'each-size' in parts:
        pairs = []
        for left in sorted({size(row) for path in add for row in read(path)}):
            device = make(add, lambda row: size(row) != left, f'without-{left}')
            pairs += predict(device, add, lambda row: size(row) == left)
        report('each size from all others', pairs, '8.9/29.2', '5.2/21')
    if 'halves' in parts:
        named = []
        for half, title, today, goal in ((0, 'even sizes to odd sizes', '8.7/29.7', '5.6/19'), (1, 'odd sizes to even', '8.5/26.9', '')):
            device = make(add + reused, lambda row: size(row) % 2 == half, f'half-{half}')
            pairs = predict(device, add, lambda row: size(row) % 2 != half)
            report(title + ', to 2^20', [pair for pair in pairs if size(pair[0]) <= 20], today, goal)
            report(title + ', from 2^21', [pair for pair in pairs if size(pair[0]) > 20], '', '')
            named += pairs + predict(device, reused, lambda row: size(row) % 2 != half)
        right, plans = named_right(named)
        print(f'fastest mode named, from the other half of the sizes: {right} of {plans}   today 31 of 39, goal 37 of 39, or a tie')
    if 'copies' in parts:
        device = make(copies, lambda row: size(row) % 2 == 0, 'copies')
        report('copies and fill, even to odd', predict(device, copies, lambda row: size(row) % 2 == 1), '12.8/39.9', '6/23')
    if 'beyond' in parts:
        device = make(add, lambda row: size(row) <= 20, 'to-20')
        pairs = predict(device, add, lambda row: size(row) > 20)
        report('up to 2^20, judged beyond: elapsed', elapsed(pairs), '2.5/28.5', '2.5')
        report('up to 2^20, judged beyond: all', pairs, '12.8/52.7', '10')
        if '-v' in os.environ.get('JUDGE', ''):
            tell_each(pairs)
        device = make(add, lambda row: size(row) <= 18, 'to-18')
        report('up to 2^18, judged at 19 and 20', predict(device, add, lambda row: size(row) in (19, 20)), '9.7/41.5', '')
    if 'schedules' in parts:
        schedules = elapsed(predict('simulated:h200', streams, lambda row: True))
        for n in range(18, 23):
            report(f'schedules at 2^{n}: elapsed', [pair for pair in schedules if size(pair[0]) == n], '7.4/15' if n == 20 else '',
                   '2.5/12' if n == 20 else '')
    if 'pieces' in parts:
        judge_pieces()
    if 'machines' in parts:
        judge_machines()


def judge_pieces():
    """The price list is fitted to even sizes of 16 and of 4096 pieces, and of virtual memory; it answers for odd sizes and 256 pieces."""
    fitted = predict('simulated:h200', runs(['pieces/h200-pieces-16.csv', 'pieces/h200-pieces-4096.csv']), lambda row: True)
    between = predict('simulated:h200', runs(['pieces/h200-pieces-256.csv']), lambda row: True)
    virtual = predict('simulated:h200', runs(['virtual-memory/h200-virtual-memory.csv']), lambda row: row['mode'] == 'virtual-memory')
    for title, pairs in ((', 16 and 4096 of them', fitted), (', 256 of them', between)):
        for part, name in ((lambda pairs: pairs, ': all'), (elapsed, ': elapsed')):
            report(f'pieces{title}, even sizes{name}', part([pair for pair in pairs if size(pair[0]) % 2 == 0]), '', '')
            report(f'pieces{title}, odd sizes{name}', part([pair for pair in pairs if size(pair[0]) % 2 == 1]), '', '15')
    for half, name in ((0, 'even'), (1, 'odd')):
        report(f'virtual memory, {name} sizes', [pair for pair in virtual if size(pair[0]) % 2 == half], '', '')
    if '-v' in os.environ.get('JUDGE', ''):
        tell_each(fitted + between)
        tell_each(virtual)


def judge_machines():
    """The shipped H200 is made from one machine's sweep: it answers for the other sweeps of that machine, and for two other machines."""
    named = []
    for path in sorted(glob.glob(os.path.join(recordings, 'replicates/h200-*[0-9a-f].tar.xz'))):
        folder = os.path.join(work, os.path.basename(path))
        subprocess.run([os.path.join(root, 'tests/gpu/judge'), '--unpack', path, folder], check=True)
        own = '139725b2' in path
        sweeps = [os.path.join(folder, f'run-{n}.csv') for n in range(2 if own else 1, 6)]
        pairs = predict('simulated:h200', sweeps, lambda row: True)
        name = os.path.basename(path)[:-len('.tar.xz')] + (', the same machine' if own else '')
        report(name + ': elapsed', elapsed(pairs), '', '')
        report(name + ': all', pairs, '', '')
        named += [] if own else [named_right([(row, twin) for row, twin in predict('simulated:h200', [sweep], lambda row: True)])
                                 for sweep in sweeps]
    print(f'fastest mode named, for the other two machines: {sum(right for right, _ in named)} of {sum(plans for _, plans in named)}')


def check_shipped():
    falls = steps = above = figures = 0
    memory, link = 4814304000000.0, 63015384615.4
    for workload in ('vector-add', 'copy-to-device', 'copy-to-host', 'copy-on-device', 'copy-kernel', 'fill', 'copy-on-host'):
        out = os.path.join(work, 'shipped.csv')
        call('sweep', '-d', 'simulated:h200', '--workload', workload, '--sizes', '8:28', '-c', out, '--force', '-q')
        last = {}
        for row in read(out):
            if not row['estimate_ns'] or row['phase'] == 'first':
                continue
            series, ns = (row['mode'], row['phase'], row['clock']), float(row['estimate_ns'])
            if series in last:
                steps += 1
                if ns < last[series] * 0.9995:
                    falls += 1
                    print(f'  falls: {workload} {series} 2^{row["log2_elements"]}: {last[series]:.0f} to {ns:.0f} ns')
            last[series] = ns
            bandwidth = float(row['bandwidth_bytes_per_s'] or 0)
            # A link carries both directions at once; what fits half of the second-level cache is no matter of the memory.
            limit = link * (1 if row['phase'] in ('upload', 'download') else 2) if row['mode'] != RESIDENT else memory
            if row['clock'] == 'device' and row['phase'] in ('upload', 'download', 'elapsed') and int(row['bytes']) > 1 << 24:
                figures += 1
                if bandwidth > limit:
                    above += 1
                    print(f'  above: {workload} {series} 2^{row["log2_elements"]}: {bandwidth:.3g} bytes/s')
    print(f'simulated:h200: {falls} of {steps} steps fall with the size; {above} of {figures} bandwidths are above the data sheet')


judge_all()
if 'shipped' in parts:
    check_shipped()
shutil.rmtree(work)
