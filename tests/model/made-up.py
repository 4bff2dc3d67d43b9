#!/usr/bin/env python3
"""made-up.py: what a simulated device of made-up costs measures, against made-up.txt

SPDX-License-Identifier: MIT

    tests/model/made-up.py MEMLANE-CLI [--write]

Each workload is measured in all modes at two sizes, and a few experiments run that pay what no mode
pays. A line of the table is a measurement: what, and ns. So every row of the price list is in some
number. Exits with 1 where a number differs; --write writes the table anew.
"""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
TABLE = HERE / 'made-up.txt'
WORKLOADS = ['vector-add', 'copy-to-device', 'copy-to-host', 'copy-round-trip', 'copy-bidirectional',
             'copy-on-device', 'copy-on-host', 'copy-to-peer', 'fill', 'copy-kernel', 'pieces-to-device',
             'pieces-to-host', 'pieces-round-trip']
SWEEPS = [(workload, 'all', size) for workload in WORKLOADS for size in (12, 17)]
SWEEPS += [('vector-add', 'device-resident', 24)]
EXPERIMENTS = ['kernels-beside-kernels', 'pageable-copy', 'page-locking', 'zero-copy-steps']


def run(cli, *arguments):
    """Returns the rows of the CSV that the command writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'out.csv'
        subprocess.run([cli, *arguments, path.as_posix(), '-q', '-d', f'simulated:{HERE / "made-up.device"}'],
                       stdout=subprocess.DEVNULL, check=False,
                       env={**os.environ, 'XDG_STATE_HOME': folder})
        with open(path, encoding='utf-8', newline='') as file:
            return list(csv.DictReader(file))


def measure(cli):
    """Returns what each line says -> its numbers by name."""
    lines = {}
    for workload, modes, size in SWEEPS:
        for row in run(cli, 'sweep', '--workload', workload, '-m', modes, '--sizes', f'{size}:{size}', '--csv'):
            if row['estimate_ns']:
                numbers = lines.setdefault(f'{workload} {row["mode"]} 2^{size}', {})
                numbers[f'{row["phase"]}/{row["clock"]}'] = float(row['estimate_ns'])
    for experiment in EXPERIMENTS:
        for row in run(cli, 'experiment', 'run', experiment, '--findings'):
            if row['kind'] == 'ns' and row['estimate']:
                numbers = lines.setdefault(f'{experiment} {row["step"]}', {})
                numbers[row['name']] = float(row['estimate'])
    return lines


def read():
    lines = {}
    for line in TABLE.read_text(encoding='utf-8').splitlines():
        what, numbers = line.split(': ', 1)
        lines[what] = {name: float(ns) for name, ns in (part.rsplit(' ', 1) for part in numbers.split(', '))}
    return lines


def main():
    found = measure(sys.argv[1])
    if '--write' in sys.argv:
        TABLE.write_text(''.join(f'{what}: {", ".join(f"{name} {ns:.10g}" for name, ns in numbers.items())}\n'
                                 for what, numbers in found.items()), encoding='utf-8')
        return
    known = read()
    wrong = [f'{what}: {name}: {known.get(what, {}).get(name)} expected, {found.get(what, {}).get(name)} found'
             for what in {**known, **found} for name in {**known.get(what, {}), **found.get(what, {})}
             if abs(known.get(what, {}).get(name, -1) - found.get(what, {}).get(name, -2)) > 0.2]
    for line in wrong[:20]:
        print(line, file=sys.stderr)
    print(f'{sum(map(len, found.values()))} numbers, {len(wrong)} of them wrong')
    sys.exit(1 if wrong or not known else 0)


main()
