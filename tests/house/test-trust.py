#!/usr/bin/env python3
"""test-trust.py: each row of CONTRIBUTING's table of trust names files that are there and tests that are run

SPDX-License-Identifier: MIT

Arguments: the repository's root, the build folder. Tests that a build lacks (no SQLite, no figures) are named in OPTIONAL.
"""
import json
import os
import re
import sys

OPTIONAL = {'nsys', 'fuzz-nsys', 'page', 'recorder', 'fuzz-environment'}


def main(root, build):
    with open(os.path.join(root, 'CONTRIBUTING.md'), encoding='utf-8') as file:
        page = file.read()
    with open(os.path.join(build, 'meson-info', 'intro-tests.json'), encoding='utf-8') as file:
        known = {test['name'] for test in json.load(file)}
    section = page.split('## Whom Memlane trusts\n', 1)[1].split('\n## ', 1)[0]
    rows = [line.split('|')[1:-1] for line in section.splitlines() if line.startswith('|')][2:]
    wrong = []
    for row in rows:
        files, tests = (re.findall(r'`([^`]+)`', cell) for cell in row[3:5])
        if len(row) != 5 or not files or not tests:
            wrong.append(f'{row[0].strip()}: expected files and tests')
        wrong += [f'{row[0].strip()}: there is no {name}' for name in files if not os.path.exists(os.path.join(root, name))]
        wrong += [f'{row[0].strip()}: no test {name} is run' for name in tests if name not in known | OPTIONAL]
    if len(rows) < 10:
        wrong.append(f'found {len(rows)} rows, expected at least 10')
    print('\n'.join(wrong) or f'{len(rows)} rows')
    return 1 if wrong else 0


sys.exit(main(*sys.argv[1:3]))
