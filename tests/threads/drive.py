#!/usr/bin/env python3
"""drive.py WORKER: asks a worker for all that it can do, and stops it in the middle; its exit status is the sanitizer's

SPDX-License-Identifier: MIT
"""
import json
import os
import pathlib
import random
import subprocess
import sys

METHOD = {'workload': 'vector-add', 'seed': 1, 'reuse': 1, 'rounds': 1, 'cold_cache': False, 'streams': 8,
          'chunks': 8, 'beside': 'none', 'busy': 0, 'precision': 0.02, 'cell_seconds': 0.25}
PLAN = {'modes': ['pinned', 'mapped', 'managed'], 'first_log2': 10, 'last_log2': 12, 'sizes': [], 'method': METHOD}
SAMPLE = {**PLAN, 'modes': ['pinned'], 'last_log2': 10}
LAB = dict.fromkeys(('order', 'between', 'log2_elements', 'streams', 'chunks', 'reuse'), 0)
DEVICE = 'simulated:h200'


def main():
    worker = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(request, stop_at=None):
        """How many answers came, and the last one."""
        worker.stdin.write(json.dumps(request) + '\n')
        worker.stdin.flush()
        types = []
        for line in worker.stdout:
            types.append(json.loads(line)['type'])
            if types[-1] == stop_at:
                worker.stdin.write('{"type":"cancel"}\n')
                worker.stdin.flush()
                stop_at = None
            if types[-1] in ('done', 'error'):
                return types
        sys.exit(f'the worker ended in the middle of {request["type"]}: status {worker.wait()}')

    def check(request, answer, count, end='done'):
        types = ask(request)
        if types.count(answer) != count or types[-1] != end:
            sys.exit(f'{request["type"]}: {types}')

    profiles = pathlib.Path(os.environ['MEMLANE_DATA_DIR'], 'devices').glob('*.device')
    check({'type': 'devices'}, 'device', 1 + len(list(profiles)))  # and the CUDA device, which this build lacks
    check({'type': 'describe', 'device': DEVICE}, 'capabilities', 1)
    check({'type': 'measure', 'device': DEVICE, 'plan': PLAN, 'round': 1, 'order': list(range(9))}, 'cell', 9)
    check({'type': 'measure', 'device': DEVICE, 'plan': PLAN, 'round': 2, 'order': [8, 4, 6, 5, 7]}, 'cell', 5)
    check({'type': 'sample', 'device': DEVICE, 'plan': SAMPLE}, 'trace', 1)
    check({'type': 'laboratory', 'device': DEVICE, 'lab': LAB}, 'trace', 1)
    check({'type': 'describe', 'device': 'simulated:abacus'}, 'capabilities', 0, 'error')
    random.seed(1)
    for _ in range(8):
        ask({'type': 'measure', 'device': DEVICE, 'plan': PLAN, 'round': 1, 'order': list(range(9))},
            random.choice(('run', 'progress', 'cell', 'alive')))
    worker.stdin.close()
    status = worker.wait()
    sys.exit(status)


main()
