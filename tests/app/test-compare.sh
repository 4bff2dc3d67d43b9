#!/usr/bin/env bash
# test-compare.sh: memlane-cli compare calls slower what was made slower, and nothing of sweeps of one and the same GPU
# SPDX-License-Identifier: MIT
#
# Arguments: memlane-cli, the repository's root.
set -euo pipefail
cli=$(realpath "$1")
root=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export XDG_STATE_HOME="$work/state" LC_ALL=C.UTF-8
failed=0

# expect STATUS TEXT ARGUMENT...: exits so, and says TEXT on standard error or output
expect() {
  local status=0 wanted=$1 text=$2
  shift 2
  timeout 120 "$cli" compare "$@" >out 2>err </dev/null || status=$?
  if [ "$status" -ne "$wanted" ] || ! grep -qF -- "$text" out err; then
    echo "compare $*: status $status, expected $wanted and '$text'; it said:" >&2
    cat out err | cut -c1-300 >&2
    failed=1
  fi
}

# Sweeps of one GPU within minutes: each compared with the next one raises no alarm.
"$root/tests/gpu/judge" --unpack "$root/data/recordings/replicates/h200-139725b2.tar.xz" .
run=run
for ((i = 1; i <= 5; i++)); do
  expect 0 ' 0 slower by more than 5 %' "$run-$i.csv" "$run-$((i % 5 + 1)).csv" --fail-above 5%
done

# The same run, with one mode slower by 30 %, another one by 3 %, and a third one faster.
python3 - "$run-1" <<'PYTHON'
import csv, sys
for ending in ('.csv', '.rounds.csv'):
    rows = list(csv.reader(open(sys.argv[1] + ending)))
    for row in rows[1:]:
        factor = {'mapped': 1.3, 'pinned': 1.03, 'pageable': 0.7}.get(row[4], 1)
        for i, name in enumerate(rows[0]):
            if factor != 1 and row[i] and ((name.endswith('_ns') and 'host' not in name) or name.startswith('bandwidth')):
                row[i] = repr(float(row[i]) * (factor if name.endswith('_ns') else 1 / factor))
    csv.writer(open('slow' + ending, 'w'), lineterminator='\n').writerows(rows)
PYTHON
cp "$run-1.environment.json" slow.environment.json
expect 4 '231 cells: 11 slower by more than 10 %, 11 faster, 209 the same, 0 unclear' "$run-1.csv" slow.csv --fail-above 10% \
  --junit gate.xml
[ "$(grep -c ' mapped  *2^.* +30.0 %  .*slower$' out)" -eq 11 ] || { cat out >&2 && failed=1; }
expect 0 '11 slower by more than 5 %' "$run-1.csv" slow.csv
# A GPU that encrypts copies is compared with its like alone; what an older run does not tell is no difference.
cp slow.csv locked.csv && cp slow.csv open.csv
for name in locked open; do
  python3 - "$name" "$([ $name = locked ] && echo on || echo off)" <<'PYTHON'
import json, sys
environment = json.load(open('slow.environment.json'))
environment.setdefault('setup', {})['confidential'] = sys.argv[2]
json.dump(environment, open(sys.argv[1] + '.environment.json', 'w'))
PYTHON
done
expect 1 'It was on in locked.csv and off in open.csv' locked.csv open.csv
expect 0 ' 0 slower by more than 5 %' locked.csv slow.csv
expect 0 ' 0 slower by more than 5 %' locked.csv locked.csv
expect 0 '0 slower by more than 40 %' "$run-1.csv" slow.csv --fail-above 40
grep -q '<testsuite name="memlane compare" tests="231" failures="11" errors="0" skipped="0">' gate.xml || { cat gate.xml >&2 && failed=1; }
grep -q '<testcase classname="vector-add" name="mapped 2^10 reuse 1">' gate.xml || { echo 'no case of mapped' >&2 && failed=1; }
[ "$(grep -c '<failure message="slower: .*: +30.0 % (' gate.xml)" -eq 11 ] || { echo 'not 11 failures' >&2 && failed=1; }
! command -v xmllint >/dev/null || xmllint --noout gate.xml || failed=1
expect 4 '"verdict" : "slower"' "$run-1.csv" slow.csv --fail-above 10 --json
python3 - <<'PYTHON' || failed=1
import json
cells = json.load(open("out"))["cells"]
assert len(cells) == 231 and max(cell["ratio_low"] for cell in cells) > 1.1
PYTHON

# A simulated device without noise is exact; few rounds with noise bound nothing; a cell that fails now has failed.
sweep() { "$cli" sweep -q -d simulated:h200 -m pinned,mapped -s 10:11 --force "$@" 2>/dev/null || true; }
sweep -c exact.csv
sweep -c again.csv
expect 0 '4 cells: 0 slower by more than 5 %, 0 faster, 4 the same, 0 unclear, 0 failed' exact.csv again.csv --fail-above 5
sweep --noise recorded --rounds 5 -c noisy.csv
expect 0 '4 unclear' exact.csv noisy.csv --fail-above 5
grep -qx 'of 4 cells a run has fewer than 6 rounds, so they are unclear' err || { cat err >&2 && failed=1; }
MEMLANE_FAULT=failure@mapped:11 sweep -c broken.csv
expect 4 '1 failed' exact.csv broken.csv --fail-above 5 --junit broken.xml
grep -q '<failure message="failed: cuda' broken.xml || { cat broken.xml >&2 && failed=1; }
expect 0 'mapped' exact.csv broken.csv

sweep --reuse 4 -c reused.csv
expect 2 'no cell in common' exact.csv reused.csv
expect 1 'expected two runs' exact.csv
expect 1 '--fail-above' exact.csv again.csv --fail-above much
expect 1 'nowhere.csv' exact.csv nowhere.csv
expect 1 'is a run' exact.csv again.csv --junit again.csv
echo mine >mine.xml
expect 2 'not a report for JUnit' exact.csv again.csv --junit mine.xml
expect 4 '<?xml' exact.csv broken.csv --fail-above 5 --junit -
# Machines whose clocks are years apart are compared by what they measured; and two files of one GPU are named.
mkdir fleet
for n in 1 2 3 4 5; do
  printf '[device]\nbased_on=h200\nlink_bandwidth=%d000000000\n' $((n == 3 ? 40 : 63)) >machine.device
  device=simulated:./machine.device
  "$cli" sweep -q -d "$device" --workload copy-to-device -s 20 -m pinned -c fleet/n$n.csv
done
python3 - <<'PYTHON'
import json, re
for name, year, uuid in (('n2', '1970', 'GPU-7'), ('n4', '2107', 'GPU-7')):
    for ending in ('csv', 'rounds.csv', 'environment.json'):
        path = f'fleet/{name}.{ending}'
        text = re.sub(r'\b20[0-9]{2}(-?[0-9]{2}-?[0-9]{2}T)', year + r'\1', open(path).read())
        if ending == 'environment.json':
            root = json.loads(text)
            root['device']['uuid'] = uuid
            text = json.dumps(root)
        assert year in text, (path, text[:300])
        open(path, 'w').write(text)
PYTHON
expect 0 'n3       copy-to-device  pinned  2^20' fleet
[ "$(wc -l <out)" -eq 2 ] || { cat out >&2 && failed=1; }
grep -q '^n2 and n4 are one GPU, GPU-7$' err || { cat err >&2 && failed=1; }
# Runs of sweep --numa, stood in for by two devices: a column for each node, the fastest with its time. Their size is the largest.
mkdir nodes
"$cli" sweep -q -d simulated:h200 -s 10,16 -m pinned,managed -c nodes/cuda-0-node-0.csv
"$cli" sweep -q -d simulated:one-copy-engine -s 10,16 -m pinned -c nodes/cuda-0-node-1.csv
expect 0 'WORKLOAD    MODE     SIZE  cuda-0-node-0  cuda-0-node-1' nodes
grep -qE '^vector-add +pinned +2\^16 +[0-9.]+us +\+[0-9.]+ %$' out && grep -qE '^vector-add +managed +2\^16 +[0-9.]+us$' out \
  || { cat out >&2 && failed=1; }
expect 0 '"node" : "cuda-0-node-1"' nodes --json
rm -r nodes/cuda-0-node-1*
expect 0 'one NUMA node: no processor is nearer to a GPU than another' nodes
exit "$failed"
