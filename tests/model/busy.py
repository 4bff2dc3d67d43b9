#!/usr/bin/env python3
"""busy.py: what an H100 measured while its multiprocessors computed, and what decide says of it

SPDX-License-Identifier: MIT

    tests/model/busy.py MEMLANE-CLI            prints the tables, of data/recordings/busy
    tests/model/busy.py MEMLANE-CLI --write    into data/doc/figures.md
    tests/model/busy.py MEMLANE-CLI --check    whether they stand there, and in README
"""
import csv
import gzip
import os
import subprocess
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..'))
PAGE = os.path.join(ROOT, 'data/doc/figures.md')
MARKS = '<!-- made by tests/model/busy.py -->\n', '<!-- its end -->\n'
SHARES = 0, 50, 100
PIECES = {'mapped': 'kernel', 'pinned-batch': 'batch', 'pinned-async': 'loop of copies'}
PIECE_SIZES = {12: '256 bytes', 14: '1 KiB', 16: '4 KiB', 18: '16 KiB', 20: '64 KiB'}


def rows(name):
    with gzip.open(os.path.join(ROOT, f'data/recordings/{name}.csv.gz'), 'rt', newline='') as file:
        return list(csv.DictReader(file))


def read(kind):
    """{(mode, log2, share, phase): ns}: elapsed by the host, a unit of the background."""
    figures = {}
    for share in SHARES:
        for row in rows(f'busy/h100-busy-{kind}{share}'):
            is_background = row['phase'].startswith('background')
            if row['estimate_ns'] and (is_background or row['clock'] == 'host'):
                cell = row['mode'], int(row['log2_elements']), share, row['phase']
                figures[cell] = float(row['estimate_ns'])
    return figures


def table(head, rows):
    return [f'| {" | ".join(row)} |' for row in [head, ['---'] * len(head)] + rows]


def times(figures, mode, log2):
    us = (figures[mode, log2, share, 'elapsed'] / 1e3 for share in SHARES)
    return ' / '.join(f'{time:.0f}' if time >= 100 else f'{time:.3g}' for time in us)


def slowdown(figures, mode):
    """How much longer a unit of the background takes than alone: the least and the most."""
    ratios = [figures[mode, log2, share, phase] / figures[mode, log2, share, 'background_alone']
              for name, log2, share, phase in figures if name == mode and phase == 'background']
    return f'{min(ratios):.2f} to {max(ratios):.2f}'


def decide(cli, kind, *options):
    files = [os.path.join(ROOT, f'data/recordings/busy/h100-busy-{kind}{share}.csv.gz')
             for share in SHARES]
    done = subprocess.run([cli, 'decide', '--count', 'transfer', *options, *files], check=True,
                          capture_output=True, text=True)
    return [line for line in done.stdout.splitlines() if ': use ' in line or 'compute' in line]


def check_readme():
    figures = read('pieces-')
    expected = [f'{figures[mode, 12, share, "elapsed"] / 1e3:.3g} µs'
                for share in (0, 100) for mode in ('mapped', 'pinned-batch')]
    for name in ('README.md', 'data/doc/README.zh_CN.md'):
        with open(os.path.join(ROOT, name), encoding='utf-8') as file:
            text = file.read()
        at = [text.find(figure) for figure in expected]
        assert -1 not in at and at == sorted(at), f'{name}: expected {expected}'


def check_peers(page):
    """Each rate of the recorded copies to a peer stands in its column."""
    rates = [[f'{float(row["bandwidth_bytes_per_s"]) / 1e9:.1f}'
              for row in rows(f'h100-copy-to-peer{kind}')
              if row['phase'] == 'elapsed' and row['clock'] == 'device']
             for kind in ('-in-a-row', '')]
    line = ' | '.join('; '.join(pair) for pair in zip(*rates))
    assert len(rates[0]) == 5 and f'one by one | {line} |' in page, f'figures.md: expected {line}'


def make(cli):
    pieces, families = read('pieces-'), read('')
    modes = dict.fromkeys(key[0] for key in families)
    lines = ['64 pieces to the device, us, while 0 / 50 / 100 % of the multiprocessors compute:',
             '']
    lines += table(['a piece', *PIECES.values()],
                   [[name, *(times(pieces, mode, log2) for mode in PIECES)]
                    for log2, name in PIECE_SIZES.items()])
    lines += ['', 'Vector addition, us, likewise; and how many times as long the background takes '
              'then:', '']
    lines += table(['mode', '2^10 floats', '2^14', '2^20', 'background'],
                   [[mode, *(times(families, mode, log2) for log2 in (10, 14, 20)),
                     slowdown(families, mode)] for mode in modes])
    lines += ['', '`memlane-cli decide --count transfer` says of them:', '', '```']
    lines += decide(cli, 'pieces-', '--workload', 'pieces-to-device', '--size', '12')
    lines += decide(cli, '', '--size', '20')
    return '\n'.join([*lines, '```', ''])


def main():
    made = make(sys.argv[1])
    with open(PAGE, encoding='utf-8') as file:
        page = file.read()
    begin, end = page.find(MARKS[0]) + len(MARKS[0]), page.find(MARKS[1])
    if sys.argv[2:] == ['--write']:
        with open(PAGE, 'w', encoding='utf-8') as file:
            file.write(page[:begin] + made + page[end:])
    elif sys.argv[2:] == ['--check']:
        check_readme()
        check_peers(page)
        if page[begin:end] != made:
            sys.exit(f'data/doc/figures.md has not what {sys.argv[0]} --write makes:\n{made}')
    else:
        print(made, end='')


main()
