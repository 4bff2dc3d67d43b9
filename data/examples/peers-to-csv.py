# SPDX-License-Identifier: MIT
# nvbandwidth's and nvbench's results as a table of Memlane, which plot, decide and the window open.
# Usage: python3 peers-to-csv.py nvbandwidth-64MiB.json >nvbandwidth.csv    (nvbandwidth -j -b 64: the name says the size)
#        python3 peers-to-csv.py nvbench.json >nvbench.csv                  (nvbench --json, or --csv)
# Of nvbench those benchmarks are taken that are called WORKLOAD:MODE:PHASE and have an axis Elements.
import csv
import json
import math
import os
import re
import sys

COLUMNS = ('run,device,device_kind,workload,mode,log2_elements,elements,bytes,reuse,streams,chunks,phase,clock,samples,estimate_ns,'
           'low_ns,high_ns,min_ns,q1_ns,q3_ns,max_ns,bytes_moved,bandwidth_bytes_per_s,status,detail,rounds,interval').split(',')
TESTS = {
    'host_to_device_memcpy_ce': ('copy-to-device', 'pinned-async', 'upload'),
    'device_to_host_memcpy_ce': ('copy-to-host', 'pinned-async', 'download'),
    'host_to_device_memcpy_sm': ('copy-to-device', 'mapped', 'kernel'),
    'device_to_host_memcpy_sm': ('copy-to-host', 'mapped', 'kernel'),
}


def row(program, base, device, workload, mode, phase, elements, samples, ns, half, detail):
    low, high, size = ns - half, ns + half, 4 * int(elements)
    return dict(run=f'{program}-{base}-{device}', device=f'cuda:{device}', device_kind='cuda', workload=workload, mode=mode,
                log2_elements=int(math.log2(elements)), elements=int(elements), bytes=size, reuse=1, phase=phase, clock='device',
                samples=int(samples), estimate_ns=ns, low_ns=low, high_ns=high, min_ns=low, q1_ns=low, q3_ns=high, max_ns=high,
                bytes_moved=size, bandwidth_bytes_per_s=size / ns * 1e9, status='ok', detail=detail, interval='sampling')


def read_nvbandwidth(found, base):
    size = re.search(r'(\d+)MiB', base)
    if not size:
        sys.exit(f'{base}: nvbandwidth writes no size; expected a name such as nvbandwidth-64MiB.json')
    elements = int(size[1]) << 18
    for case in found['testcases']:
        if case['name'] in TESTS and case['status'] == 'Passed':
            for device, text in enumerate(case['bandwidth_matrix'][0]):
                if text != 'N/A':
                    yield row('nvbandwidth', base, device, *TESTS[case['name']], elements, 1, 4 * elements / float(text), 0,
                              'nvbandwidth: one value, no interval')


def nvbench_row(base, name, device, elements, samples, seconds, noise):
    half = 0 if samples < 2 else min(1.96 * noise / math.sqrt(samples), 1) * seconds * 1e9
    return row('nvbench', base, device, *name.split(':'), elements, samples, seconds * 1e9, half,
               'nvbench: mean GPU time and its interval; it gives no quartiles')


def read_nvbench(found, base):
    for benchmark in found['benchmarks']:
        for state in benchmark['states']:
            values = {each['tag']: float(each['data'][0]['value']) for each in state['summaries'] or ()}
            axes = {axis['name']: axis['value'] for axis in state['axis_values'] or ()}
            if benchmark['name'].count(':') == 2 and 'Elements' in axes and 'nv/cold/time/gpu/mean' in values:
                yield nvbench_row(base, benchmark['name'], state['device'], int(axes['Elements']), values['nv/cold/sample_size'],
                                  values['nv/cold/time/gpu/mean'], values.get('nv/cold/time/gpu/stdev/relative', 0))


def read_nvbench_table(file, base):
    header = next(reader := csv.reader(file))
    at = {name: header.index(name) for name in ('Benchmark', 'Device', 'Elements', 'Skipped', 'Samples', 'GPU Time (sec)')}
    for line in reader:
        if line[at['Skipped']] == 'No' and line[0].count(':') == 2:
            yield nvbench_row(base, line[0], *(float(line[at[name]]) if name != 'Device' else int(line[at[name]])
                                               for name in ('Device', 'Elements', 'Samples', 'GPU Time (sec)')),
                              float(line[at['GPU Time (sec)'] + 1]))


base, ending = os.path.splitext(os.path.basename(sys.argv[1]))
with open(sys.argv[1], newline='') as opened:
    content = json.load(opened) if ending == '.json' else None
    rows = (read_nvbench_table(opened, base) if content is None else read_nvbandwidth(content['nvbandwidth'], base)
            if 'nvbandwidth' in content else read_nvbench(content, base))
    table = csv.DictWriter(sys.stdout, COLUMNS, lineterminator='\n')
    table.writeheader()
    table.writerows(rows)
