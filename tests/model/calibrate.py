#!/usr/bin/env python3
"""calibrate.py: makes the profile of a simulated device from recorded runs

SPDX-License-Identifier: MIT

    tests/model/calibrate.py MEMLANE-CLI RUN.csv[.gz]... F.device

The profile begins as data/devices/h200.device does if the runs are of that device. Otherwise its data sheet is what the first run's
environment says. Then follows each recorded time with the time that the model alone gives, which a sweep of the profile without a
recording measures. F.rounds gets the recorded rounds. engine/device/simulated/residuals.h explains the format.
"""
import csv
import gzip
import json
import math
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LARGEST_LOG2 = 34
NUMBERS = {
    'memory_bytes': 'device/memory_bytes', 'l2_bytes': 'device/l2_bytes', 'memory_bandwidth': 'device/memory_bandwidth_bytes_per_s',
    'multiprocessors': 'device/multiprocessors', 'link_generation': 'link/generation', 'link_width': 'link/width',
    'link_bandwidth': 'link/bandwidth_bytes_per_s', 'asyncEngineCount': 'device/copy_engines',
}
CAPABILITIES = (
    'canMapHostMemory', 'unifiedAddressing', 'managedMemory', 'concurrentManagedAccess', 'hostRegisterSupported', 'memoryPoolsSupported',
    'pageableMemoryAccess', 'concurrentKernels', 'canUseHostPointerForRegisteredMem', 'peerCopy',
)


NEW_NAMES = {'median_ns': 'estimate_ns', 'ci95_low_ns': 'low_ns', 'ci95_high_ns': 'high_ns'}  # of the columns of Memlane 0.2


def read_rows(file):
    for row in csv.DictReader(file):
        yield {NEW_NAMES.get(name, name): value for name, value in row.items()}


def read(path):
    """Reads @path, or @path.gz."""
    with open(path, newline='') if os.path.exists(path) else gzip.open(path + '.gz', 'rt', newline='') as file:
        return list(read_rows(file))


def get(environment, path):
    for name in path.split('/'):
        environment = environment.get(name) if isinstance(environment, dict) else None
    return environment


def row_name(row):
    schedule = f':{row["streams"] or 0}x{row["chunks"]}' if row['chunks'] else ''
    return f'{row["workload"]} reuse={row["reuse"]}', f'{row["mode"]}{schedule}/{row["phase"]}/{row["clock"]}'


def place(row):
    return (*row_name(row), int(row['log2_elements']))


def counts(row):
    return (row['status'] in ('ok', 'noisy') and row['phase'] != 'first' and row['estimate_ns'] and float(row['estimate_ns']) >= 1
            and row['log2_elements'].isdigit() and int(row['log2_elements']) <= LARGEST_LOG2)


def begin_profile(rows, environment):
    """The profile without a recording: the H200's own text, or the data sheet that the environment gives."""
    with open(os.path.join(ROOT, 'data/devices/h200.device')) as file:
        h200 = file.read()
    name = get(environment, 'device/name') or rows[0]['device']
    if f'\nname={name}' in h200:
        return h200.split('\n[recorded ')[0]
    lines = ["# A device profile of Memlane, made by tests/model/calibrate.py. What it leaves out is h200's.",
             '# SPDX-License-Identifier: MIT', '', '[device]', 'based_on=h200', f'name={name} (simulated)',
             f'calibrated_from={rows[0]["run"]}']
    lines += [f'{key}={get(environment, path):.17g}' for key, path in NUMBERS.items() if get(environment, path)]
    known = get(environment, 'device/capabilities') or []
    lines += [f'{key}={str(key in known).lower()}' for key in CAPABILITIES if known]
    return '\n'.join(lines) + '\n'


def model_times(cli, profile, rows, folder):
    """The model's time of each place in @rows: one sweep for each workload, reuse and schedule."""
    device = os.path.join(folder, 'model.device')
    with open(device, 'w') as file:
        file.write(profile)
    plans = {}
    for row in rows:
        plan = plans.setdefault((row['workload'], row['reuse'], row['streams'], row['chunks']), (set(), set()))
        plan[0].add(row['mode'])
        plan[1].add(int(row['log2_elements']))
    times = {}
    for (workload, reuse, streams, chunks), (modes, sizes) in plans.items():
        out = os.path.join(folder, 'model.csv')
        schedule = (['--streams', streams] if streams else []) + (['--chunks', chunks] if chunks else [])
        subprocess.run([cli, 'sweep', '-q', '--force', '-d', 'simulated:' + device, '--workload', workload, '--reuse', reuse, '-m',
                        ','.join(sorted(modes)), '-s', f'{min(sizes)}:{max(sizes)}', '-c', out, *schedule], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.update({place(row): float(row['estimate_ns']) for row in read(out) if counts(row)})
    return times


def make_ascend(points):
    """Makes the times of @points ascend with the size: neighbours that descend share their geometric mean."""
    pools = []
    for size in sorted(points):
        pools.append([math.log(points[size]), 1])
        while len(pools) > 1 and pools[-2][0] / pools[-2][1] > pools[-1][0] / pools[-1][1]:
            total, n = pools.pop()
            pools[-1] = [pools[-1][0] + total, pools[-1][1] + n]
    means = [math.exp(total / n) for total, n in pools for _ in range(n)]
    return dict(zip(sorted(points), means))


def write(kind, table, text_of):
    """The groups of @table; @text_of (group, name, size) is "" where nothing is known."""
    text = ''
    for group in sorted({group for group, _ in table}):
        names = sorted(name for each, name in table if each == group)
        sizes = sorted({size for name in names for size in table[group, name]})
        text += f'\n[{kind} {group}]\nlog2={";".join(map(str, sizes))}\n'
        for name in names:
            values = [text_of(group, name, size) if size in table[group, name] else '' for size in sizes]
            text += f'{name}={";".join(values)}\n' if any(values) else ''
    return text


def main():
    cli, *paths, output = [os.path.abspath(path).removesuffix('.gz') for path in sys.argv[1:]]
    rows, rounds = [], {}
    for path in paths:
        rows += [row for row in read(path) if counts(row)]
        beside = path.replace('.csv', '.rounds.csv')
        for row in read(beside) if os.path.exists(beside) or os.path.exists(beside + '.gz') else []:
            rounds.setdefault((row['run'], *place(row)), []).append(float(row['estimate_ns']))
    environment = paths[0].replace('.csv', '.environment.json')
    profile = begin_profile(rows, json.load(open(environment)) if os.path.exists(environment) else {})
    with tempfile.TemporaryDirectory() as folder:
        model = model_times(cli, profile, rows, folder)
    first = {}
    for row in rows:
        if place(row) in model:
            first.setdefault(place(row), row)  # the first recording of a time counts
    table = {}
    for (group, name, size), row in first.items():
        table.setdefault((group, name), {})[size] = float(row['estimate_ns'])
    table = {key: make_ascend(points) for key, points in table.items()}

    def text_of_time(group, name, size):
        return f'{table[group, name][size]:.6g}/{model[group, name, size]:.6g}'

    def text_of_rounds(group, name, size):
        row = first[group, name, size]
        medians = rounds.get((row['run'], group, name, size), [])
        return ' '.join(f'{max(1000 * ns / float(row["estimate_ns"]), 1):.0f}' for ns in medians) if len(medians) > 1 else ''

    with open(output, 'w') as file:
        file.write(profile + write('recorded', table, text_of_time))
    with open(output.replace('.device', '.rounds'), 'w') as file:
        file.write('# The recorded rounds of the device profile beside this file (tests/model/calibrate.py).\n'
                   '# SPDX-License-Identifier: MIT\n' + write('rounds', table, text_of_rounds))
    errors = sorted(abs(model[key] / float(row['estimate_ns']) - 1) for key, row in first.items())
    print(f'{len(errors)} times; the model alone differs from them by {100 * errors[len(errors) // 2]:.0f} % in the median, '
          f'by less than {100 * errors[len(errors) * 9 // 10]:.0f} % in nine of ten')


if __name__ == '__main__':
    main()
