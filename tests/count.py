#!/usr/bin/env python3
"""count.py: adds up meson's test logs, each check of a TAP test by itself, and judges what was skipped

SPDX-License-Identifier: MIT

Arguments: testlog.json of each build. Prints the skipped tests with their reasons, the failed checks with the end of what each test
wrote, and, last, "N passed, N failed, N skipped". Exits with 1 when anything failed or when a test was skipped that should have run.
Python is here because meson needs it anyway.
"""
import glob
import json
import re
import sys

RESULT = re.compile(r'^(not )?ok\s+\d+\s*-?\s*(.*)$')
SKIP = re.compile(r'#\s*skip\s*(.*)$', re.IGNORECASE)
GPU_THERE = bool(glob.glob('/dev/nvidia[0-9]*'))
# One GPU cannot stand in for two; some abilities are missing on some GPUs.
ALLOWED_WITH_GPU = re.compile(r'second|two (GPUs|devices)|is 0 on this device', re.IGNORECASE)

passed = failed = 0
skipped = []
failures = []


def count(test):
    global passed, failed
    name, result = test['name'], test['result']
    ok = bad = 0
    for line in (test.get('stdout') or '').splitlines():
        match = RESULT.match(line.strip())
        if not match:
            continue
        skip = SKIP.search(match.group(2))
        if match.group(1):
            bad += 1
            failures.append(f'{name}: {match.group(2)}')
        elif skip:
            check = SKIP.sub('', match.group(2)).strip()
            skipped.append((name, f'{name}: {check}', skip.group(1).strip()))
        else:
            ok += 1
    if ok + bad == 0 and result == 'SKIP' and not any(entry[0] == name for entry in skipped):
        lines = (test.get('stdout') or test.get('stderr') or '').strip().splitlines()
        skipped.append((name, name, lines[-1] if lines else ''))
    elif ok + bad == 0 and result in ('OK', 'EXPECTEDFAIL'):
        ok = 1
    if result not in ('OK', 'SKIP', 'EXPECTEDFAIL') and bad == 0:
        bad = 1  # it ended before it could say so: a crash, a sanitizer's report, a time-out
        failures.append(f'{name}: {result.lower()}')
    if bad:
        failures.extend(((test.get('stderr') or '') + '\n' + (test.get('stdout') or '')[-1000:]).strip().splitlines()[-30:])
    passed += ok
    failed += bad


for path in sys.argv[1:]:
    with open(path, encoding='utf-8') as log:
        for line in log:
            count(json.loads(line))

wrong = 0
for name, check, reason in skipped:
    is_gpu = ':gpu / ' in name or name.startswith('gpu') or ' gpu' in name
    is_browser = name.endswith('/ page') and ' not installed: ' in reason
    fine = is_browser or bool(reason) and is_gpu and (not GPU_THERE or ALLOWED_WITH_GPU.search(reason))
    wrong += not fine
    print(f'skipped: {check}: {reason or "no reason given"}' + ('' if fine else '  <- this one must run here'))
if wrong:
    print(f'{wrong} tests were skipped that must run here')
for line in failures:
    print(f'failed: {line}')
print(f'{passed} passed, {failed} failed, {len(skipped)} skipped')
sys.exit(1 if failed or wrong else 0)
