#!/usr/bin/env python3
# test-json.py: what each command prints as JSON is as the installed schema says, and json.md lists every key
# SPDX-License-Identifier: MIT
#
#   tests/app/test-json.py MEMLANE-CLI ROOT [FAKE-PROGRAM]
#
# FAKE-PROGRAM, of tests/engine/advise, is tried: its output and status are its own, and the advice has a trial.
import json
import os
import subprocess
import sys
import tempfile

cli, root, *programs = map(os.path.realpath, sys.argv[1:])
schema = json.load(open(os.path.join(root, 'data/schemas/memlane.schema.json')))
page = open(os.path.join(root, 'data/doc/json.md')).read()
TYPES = {'object': dict, 'array': list, 'string': str, 'boolean': bool, 'null': type(None)}
seen = set()


def is_type(value, name):
    if name in ('number', 'integer'):
        return isinstance(value, (int, float)) and not isinstance(value, bool) and (name == 'number' or value == int(value))
    return isinstance(value, TYPES[name])


def find_problem(value, rule, place):
    """The first difference of @value from @rule, in the part of JSON Schema that memlane.schema.json uses; None: there is none."""
    unknown = set(rule) - {'type', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'items'}
    assert not unknown, unknown
    types = rule.get('type', [])
    types = [types] if isinstance(types, str) else types
    if types and not any(is_type(value, name) for name in types):
        return f'{place}: found {value!r}, expected {types}'
    if value not in rule.get('enum', [value]) or value != rule.get('const', value):
        return f'{place}: found {value!r}, expected {rule}'
    if isinstance(value, dict):
        for key in rule.get('required', []):
            if key not in value:
                return f'{place}: {key} is missing'
        for key, inner in value.items():
            if key not in rule['properties']:
                return f'{place}: {key} is no key of the schema'
            seen.add((place.split('.')[0], key))
            problem = find_problem(inner, rule['properties'][key], f'{place}.{key}')
            if problem:
                return problem
    if isinstance(value, list):
        for inner in value:
            problem = find_problem(inner, rule['items'], place + '[]')
            if problem:
                return problem
    return None


def validate(document):
    name = document['document']
    return find_problem(document, schema['definitions'][name], name)


def print_json(*arguments, folder):
    environment = dict(os.environ, MEMLANE_DATA_DIR=os.path.join(root, 'data'), XDG_STATE_HOME=folder, ASAN_OPTIONS='detect_leaks=0')
    done = subprocess.run([cli, *arguments], env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode in (0, 4), (arguments, done)
    return json.loads(done.stdout)


H200 = ('--device', 'simulated:h200')
with tempfile.TemporaryDirectory() as folder:
    os.mkdir(os.path.join(folder, 'nodes'))
    os.mkdir(os.path.join(folder, 'fleet'))
    sweep = ('sweep', *H200, '--quiet', '--noise', 'recorded', '--modes', 'pageable,pinned,portable,mapped', '--sizes', '12,20')
    for place, seed in ('a', 1), ('b', 2), *((f'fleet/{i}', 3 + i) for i in range(5)):
        subprocess.run([cli, *sweep, '--seed', str(seed), '--csv', f'{folder}/{place}.csv'], check=True, stdout=subprocess.DEVNULL,
                       env=dict(os.environ, MEMLANE_DATA_DIR=os.path.join(root, 'data'), XDG_STATE_HOME=folder))
    for node in 0, 1:
        for end in '.csv', '.environment.json', '.rounds.csv':
            text = open(f'{folder}/a{end}').read()
            open(f'{folder}/nodes/cuda-0-node-{node}{end}', 'w').write(text)
    calls = {
        'devices': ('devices', '--json'),
        'modes': ('modes', *H200, '--json'),
        'workloads': ('workloads', '--json'),
        'experiments': ('experiment', 'list', '--json'),
        'run': ('sweep', *H200, '--quiet', '--sizes', '10', '--json'),
        'comparison': ('compare', 'a.csv', 'b.csv', '--json'),
        'machines': ('compare', 'fleet', '--json'),
        'nodes': ('compare', 'nodes', '--json'),
        'check': ('check', *H200, '--json'),
        'links': ('check', '--device', 'simulated:h200,simulated:h200', '--json'),
        'decision': ('decide', 'a.csv', '--json'),
        'advice': ('advise', '--input', os.path.join(root, 'data/recordings/traces/h200-pinned-2p20.json'), '--json', '-'),
        'experiment': ('experiment', 'run', 'zero-copy', *H200, '--quiet', '--json'),
    }
    assert set(calls) == set(schema['definitions']), set(calls) ^ set(schema['definitions'])
    for name, arguments in calls.items():
        document = print_json(*arguments, folder=folder)
        assert document['document'] == name and document['format'] == 3, document
        problem = validate(document)
        assert problem is None, problem
        # A check that cannot fail proves nothing.
        for key in list(document):
            broken = dict(document, **{key: object()})
            assert validate(dict(broken, document=name) if key != 'document' else dict(document, extra=1)) is not None, (name, key)
            assert validate({k: v for k, v in document.items() if k != key or k == 'document'}) is not None or key == 'document' \
                or key not in schema['definitions'][name]['required'], (name, key)
    undecided = print_json('decide', 'a.csv', '--size', '20', '--json', folder=folder)
    assert undecided['mode'] in undecided['tied'] and undecided['slowest_ratio'] >= 1, undecided


def try_program(program, folder):
    def advise(*options, stdin=subprocess.DEVNULL):
        return subprocess.run([cli, 'advise', '--try', '--repeat', '3', *options, '--', program, '50', 'freed'], stdin=stdin,
                              cwd=folder, capture_output=True, text=True,
                              env=dict(os.environ, MEMLANE_DATA_DIR=os.path.join(root, 'data'), ASAN_OPTIONS='detect_leaks=0'))

    with open(os.path.join(folder, 'input'), 'w') as file:
        file.write('what it reads\n')
    with open(os.path.join(folder, 'input')) as file:
        done = advise('--json', 'try.json', stdin=file)
    assert done.returncode == 0 and done.stdout == 'what it reads\n', done
    assert 'the program runs 6 times more, in turn as it is and changed' in done.stderr, done.stderr
    assert 'Output and exit status stayed the same in 6 runs (lines compared: 1).' in done.stderr, done.stderr
    with open(os.path.join(folder, 'try.json')) as file:
        document = json.load(file)
    problem = validate(document)
    assert problem is None, problem
    trial, = document['trials']
    assert trial['kind'] == 'pin' and trial['buffers'] == 1 and trial['same_status'] and trial['lines_differing'] == 0, trial
    assert 'expected a file' in advise('--json', '-').stderr
    refused = advise(stdin=subprocess.PIPE)
    assert refused.returncode == 1 and 'standard input has to be a file, not a pipe' in refused.stderr, refused


for program in programs:
    with tempfile.TemporaryDirectory() as folder:
        try_program(program, folder)

for name, document in schema['definitions'].items():
    section = page[page.index(f'\n## {name}\n'):].split('\n## ')[1]
    stack = [document]
    while stack:
        rule = stack.pop()
        stack += rule.get('properties', {}).values()
        stack += [rule['items']] if 'items' in rule else []
        for key in rule.get('properties', {}):
            assert f'`{key}`' in section or f'`{key}`' in page.split('\n## ')[0], f'json.md, {name}: {key} is not listed'
try:
    import jsonschema
    jsonschema.Draft7Validator.check_schema(schema)
except ImportError:
    pass
print(f'{len(calls)} documents, {len(seen)} keys')
