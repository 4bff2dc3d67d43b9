#!/usr/bin/env python3
"""decide.py: how well the answers of single sweeps agree, and how good the others' figures find them

SPDX-License-Identifier: MIT

    tests/model/decide.py MEMLANE-CLI RUN.csv...
    tests/model/decide.py MEMLANE-CLI --figures | --check | --write     of data/recordings/replicates, in data/doc/figures.md
    tests/model/decide.py MEMLANE-CLI --check DIRECTION [COUNT]         the rows of one direction, or one row

The runs are two or more default sweeps of one kind of GPU. Each answers alone, by every direction and count, for all sizes and reuses.
For each direction and count:
  open     the largest share of the map that one sweep leaves open
  certain  certain answers that take at most 3 % longer than the best mode, both by the medians of the other sweeps. Places that all of
           them measured count; of the mode's twins only the one that takes part is compared
  alike    answers that it makes no difference: those that take at most 5 % longer than the best, likewise
  measured places that were measured at which two sweeps name the same mode, over all pairs of sweeps
  map      the same at all places
  answer   at all places; a mode that the other sweep finds tied counts as well
The goals: open at most 15 %, certain 100 %, measured at least 95 %. Exit status 1: one is missed.

The figures are of the replicates: the sweeps of one machine answer, and the medians of the other machines of its kind judge them.
"""
import concurrent.futures
import csv
import glob
import importlib.machinery
import importlib.util
import io
import itertools
import os
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
GOAL_OPEN, GOAL_AGREE = 0.15, 0.95
GOAL_COST = {'certain': 0.03, 'alike': 0.05}
loader = importlib.machinery.SourceFileLoader('judge', os.path.join(os.path.dirname(os.path.abspath(__file__)), '../gpu/judge'))
judge_file = importlib.util.module_from_spec(importlib.util.spec_from_loader('judge', loader))
loader.exec_module(judge_file)
DIRECTIONS, COUNTS = ('both', 'to-device', 'to-host'), ('transfer', 'host', 'allocation')
BEGIN = '<!-- answers: printed by tests/model/decide.py MEMLANE-CLI --figures -->\n'


def ask(cli, run, direction, count):
    """One sweep's map: {(log2, reuse): {mode: row}}, modes that take part alone."""
    done = subprocess.run([cli, 'decide', run, '--direction', direction, '--count', count, '--csv', '-'], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f'{run}: {done.stderr}')
    places = {}
    for row in csv.DictReader(io.StringIO(done.stdout)):
        if row['contest'] == '1':
            places.setdefault((int(row['log2_elements']), int(row['reuse'])), {})[row['mode']] = row
    return places


def ask_all(cli, runs, direction, count):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda run: ask(cli, run, direction, count), runs))


def get_choice(modes):
    return next(mode for mode, row in modes.items() if row['choice'] == '1')


def get_answer(modes):
    return next(iter(modes.values()))['answer']


def get_open(places):
    return sum(get_answer(modes) == 'open' for modes in places.values()) / len(places)


def find_cost(place, chosen, others):
    """What `chosen` costs beyond the best by the medians of `others`; None: not all of them measured it."""
    times = {}
    for other in others:
        for mode, row in other.get(place, {}).items():
            if row['basis'] == 'measured':
                times.setdefault(mode, []).append(float(row['predicted_ns']))
    medians = {mode: statistics.median(values) for mode, values in times.items() if len(values) == len(others)}
    return medians[chosen] / min(medians.values()) - 1 if chosen in medians else None


def agree(maps):
    """(places that two sweeps measured, those at which they name the same mode)."""
    known, seen = 0, 0
    for one, other in itertools.combinations(maps, 2):
        for place in one.keys() & other.keys():
            a, b = get_choice(one[place]), get_choice(other[place])
            measured = one[place][a]['basis'] == other[place][b]['basis'] == 'measured'
            known += measured
            seen += measured and a == b
    return known, seen


def share(part, whole):
    return f'{part / whole:7.1%}' if whole else '      -'


def judge(cli, runs, direction, count):
    maps = ask_all(cli, runs, direction, count)
    left = max(map(get_open, maps))
    costs = {'certain': [], 'alike': []}
    for i, places in enumerate(maps):
        for place, modes in places.items():
            cost = find_cost(place, get_choice(modes), maps[:i] + maps[i + 1:])
            if cost is not None and get_answer(modes) != 'open':
                costs[get_answer(modes)].append((cost, runs[i], place, get_choice(modes)))
    (known, seen), pairs, named, tied = agree(maps), 0, 0, 0
    for one, other in itertools.combinations(maps, 2):
        for place in one.keys() & other.keys():
            a, b = get_choice(one[place]), get_choice(other[place])
            pairs += 1
            named += a == b
            tied += a == b or other[place].get(a, {}).get('tied') == '1' or one[place].get(b, {}).get('tied') == '1'
    good = {kind: sum(cost <= GOAL_COST[kind] for cost, *_ in each) for kind, each in costs.items()}
    print(f'{direction:10} {count:11} {left:6.1%}  ',
          '  '.join(f'{share(good[kind], len(costs[kind]))} of {len(costs[kind]):4}' for kind in costs)
          + f'  {share(seen, known)} {share(named, pairs)} {share(tied, pairs)}')
    for kind in costs:
        for cost, run, (log2, reuse), mode in sorted(costs[kind], reverse=True):
            if cost > GOAL_COST[kind]:
                print(f'    {run}: 2^{log2}, reuse {reuse}, {kind}: {mode} costs {cost:.1%}')
    return left <= GOAL_OPEN and good['certain'] == len(costs['certain']) and seen >= GOAL_AGREE * known


def make_table(cli, kinds, directions, counts):
    """kinds: {kind: [[run, ...], ...]}, machine by machine. One row a direction, count and kind; from the least to
    the most of the sweeps, or of the machines."""
    lines = ['| direction, count | open | the same mode in two sweeps | certain answers within 3 % | the worst of them |\n',
             '|---|---|---|---|---|\n']
    for direction, count, (kind, machines) in itertools.product(directions, counts, kinds.items()):
        maps = [ask_all(cli, runs, direction, count) for runs in machines]
        pairs = [agree(each) for each in maps]
        costs = [find_cost(place, get_choice(modes), [m for other in maps if other is not own for m in other])
                 for own in maps for places in own for place, modes in places.items() if get_answer(modes) == 'certain']
        costs = [cost for cost in costs if cost is not None]
        good = sum(cost <= GOAL_COST['certain'] for cost in costs)
        lines.append('| %s, %s; %s | %s | %s | %s | %s |\n'
                     % (direction, count, kind, judge_file.span([100 * get_open(m) for each in maps for m in each], ' %'),
                        judge_file.span([100 * seen / known for known, seen in pairs if known], ' %') if any(k for k, _ in pairs) else '',
                        '%d of %d' % (good, len(costs)) if costs else 'none measured', '%.1f %%' % (100 * max(costs)) if costs else ''))
    return ''.join(lines)


def main():
    if sys.argv[2:3] == ['--check'] or (len(sys.argv) == 3 and sys.argv[2] in ('--figures', '--write')):
        with tempfile.TemporaryDirectory() as folder:
            for path in sorted(glob.glob(judge_file.REPLICATES)):
                judge_file.unpack(path, os.path.join(folder, os.path.basename(path)))
            kinds = {kind: [sorted(glob.glob(os.path.join(machine, 'run-?.csv')))
                            for machine in sorted(glob.glob(os.path.join(folder, kind.lower() + '-*')))] for kind in ('H200', 'H100')}
            table = make_table(sys.argv[1], kinds, sys.argv[3:4] or DIRECTIONS, sys.argv[4:5] or COUNTS)
        if sys.argv[2] == '--figures':
            print(table, end='')
        elif sys.argv[3:]:
            with open(judge_file.FIGURES, encoding='utf-8') as file:
                text = file.read()
            if missing := [line for line in table.splitlines() if line not in text]:
                sys.exit('%s: expected\n%s' % (judge_file.FIGURES, '\n'.join(missing)))
        else:
            judge_file.compare(table, sys.argv[2] == '--write', BEGIN)
        return
    if len(sys.argv) < 4 or sys.argv[2].startswith('-'):
        sys.exit(__doc__)
    print(f'{len(sys.argv) - 2} sweeps\n{"direction":10} {"count":11} {"open":>6}  {"certain":>15}  {"alike":>15}  '
          f'{"measured":>8} {"map":>6} {"answer":>7}')
    reached = [judge(sys.argv[1], sys.argv[2:], direction, count) for direction, count in itertools.product(DIRECTIONS, COUNTS)]
    sys.exit(0 if all(reached) else 1)


main()
