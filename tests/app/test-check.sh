#!/usr/bin/env bash
# test-check.sh: memlane-cli check without a GPU, on simulated ones, on recorded ones, and on a driver that lies
# SPDX-License-Identifier: MIT
#
# Arguments: memlane-cli, the repository's root. The lies are written into the environment of a recorded run.
set -euo pipefail
cli=$(realpath "$1")
data=$2/data/recordings
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export XDG_STATE_HOME="$work/state" LC_ALL=C.UTF-8
failed=0

# expect STATUS PATTERN ARGUMENT...
expect() {
  local status=0 wanted=$1 pattern=$2
  shift 2
  timeout 60 "$cli" check "$@" >out 2>err </dev/null || status=$?
  if [ "$status" -ne "$wanted" ] || ! grep -qE -- "$pattern" out err; then
    echo "check $*: status $status, expected $wanted and '$pattern'; it said:" >&2
    cat out err >&2
    failed=1
  fi
}

# A GPU in this machine is judged as it is: only what is always so is asked of it.
if "$cli" devices 2>/dev/null | grep -E '^cuda:' | grep -qvE 'no |cannot|does not|compute'; then
  status=0
  "$cli" check >out || status=$?
  [ "$status" -eq 0 ] || [ "$status" -eq 4 ] || failed=1
  [ "$(grep -cE '^(good|slow|unknown) ' out)" -eq 12 ] || { cat out >&2 && failed=1; }
else
  expect 2 'no GPU here: '
fi
expect 0 'SIMULATED' --device simulated:h200
[ "$(grep -cE '^(good|slow|unknown) ' out)" -eq 12 ] || { cat out >&2 && failed=1; }
grep -qE '^good +copies to GPU +5[0-9]\.[0-9] GB/s; such a link gives at least 48\.0$' out || { cat out >&2 && failed=1; }
grep -qE '^good +copies both ways +49\.[0-9] GB/s to the GPU while 49\.[0-9] come from it$' out || { cat out >&2 && failed=1; }
expect 0 '"check" : "link"' -d simulated:h200 --json
python3 -c 'import json; said = json.load(open("out")); assert len(said["checks"]) == 12 and said["simulated"]' || failed=1
printf '[device]\nname=Integrated (simulated)\nlink_generation=0\nlink_width=0\nlink_bandwidth=1e11\nintegrated=true\n' >integrated.device
expect 0 'good +link +there is none' -d simulated:./integrated.device
expect 1 'unknown device' -d simulated:nowhere
expect 1 'not both' -d simulated:h200 "$data/h200-copy-to-host-large.csv"
expect 1 'expected runs of one machine' "$data/h200-copy-to-host-large.csv" "$data/h100-copy-to-peer.csv"
expect 1 'nowhere.csv' nowhere.csv

# What may be page-locked: a driver that counts by a limit, a control group of 2 GiB whose half may be tried, a bare device.
mkdir group && echo 2147483648 >group/memory.max && echo 104857600 >group/memory.current
printf '[device]\nbased_on=h200\nlockable_bytes=104857600\nhost_memory_bytes=1073741824\n' >locked.device
printf '[device]\nbased_on=h200\nhostRegisterSupported=false\nhost_memory_bytes=1073741824\n' >plain.device
printf '[device]\nbased_on=h200\nhost_memory_bytes=1099511627776\n' >long.device # half a TiB is locked in four minutes
for given in locked group plain long; do
  device=simulated:./$given.device
  [ "$given" != group ] || device=simulated:h200
  MEMLANE_CGROUP=$work/$given expect 0 '"document" : "experiment"' --pin-limit --json -d "$device"
  python3 - "$given" <<'PYTHON' || failed=1
import json, sys
given = sys.argv[1]
found = {row['name']: row for row in json.load(open('out'))['findings']}
expected = {'locked': 'RLIMIT_MEMLOCK', 'group': 'control-group', 'plain': 'nothing', 'long': 'time'}[given]
assert found['malloc-host/limit']['word'] == expected, found
gib = found['malloc-host/alone']['estimate']
if given == 'locked':
    assert 0.08 < gib < 100 / 1024 and found['register/limit']['word'] == expected, found
elif given == 'long':
    assert 8 < gib < 64 and found['register/alone']['estimate'] == gib, found
elif given == 'group':
    assert 0.9 < gib <= (2048 - 100) / 2 / 1024 and found['register/alone']['estimate'] == gib, found
else:
    assert 0.49 < gib <= 0.5 and 'hostRegisterSupported' in found['register/limit']['why'], found
PYTHON
done
expect 0 'What limits it: RLIMIT_MEMLOCK' --pin-limit -d simulated:./locked.device
MEMLANE_DXG=$work/locked.device expect 0 'What limits it: WSL' --pin-limit -d simulated:./locked.device
expect 0 'so much may not be page-locked' --pin-limit -d simulated:./locked.device
expect 1 'expected one device' --pin-limit -d simulated:h200,simulated:h200
expect 1 'not both' --pin-limit "$data/h200-copy-to-host-large.csv"

# Several at once: a device is slow when another of them copies faster. Simulated ones share nothing, so no ceiling is named.
printf '[device]\nbased_on=h200\npeerCopy=true\n' >peer.device
# A copy to a peer is on a stream of its own: on the default one (7) it took longer.
"$cli" trace -q -d simulated:./peer.device --workload copy-to-peer --mode device-resident --size 10 \
  --json peer.json && python3 -c 'import json
streams = [e["args"]["stream"] for e in json.load(open("peer.json"))["traceEvents"] if "PtoP" in e["name"]]
assert len(streams) == 1 and streams[0] != 7, streams' || failed=1
expect 0 '^simulated:\./peer.device +5[0-9]\.. *$' -d 'simulated:h200,simulated:./peer.device'
grep -qE '^simulated:h200 *$' out || { cat out >&2 && failed=1; } # it cannot copy to another one
grep -qE '^all +both ways +19[0-9]\.. GB/s$' out || { cat out >&2 && failed=1; }
[ ! -s err ] || { cat err >&2 && failed=1; }
expect 4 '^simulated:one-copy-engine +both ways .* slow$' -d simulated:h200,simulated:one-copy-engine
[ "$(grep -c slow out)" -eq 3 ] || { cat out >&2 && failed=1; } # the sum and each of its directions
grep -qE '^simulated:one-copy-engine +from GPU, of both +27\.. GB/s .* slow$' out || { cat out >&2 && failed=1; }
grep -q '^SIMULATED' out || failed=1
expect 0 '"all_at_once" : \[' -d simulated:h200,simulated:h200 --json
python3 - <<'PYTHON' || failed=1
import json
said = json.load(open('out'))
links, sums = said['links'], said['all_at_once']
assert len(links) == 12 and links[0]['alone_bytes_per_s'] == links[0]['at_once_bytes_per_s'] > 5e10 and said['simulated'], links
assert len(sums) == 6 and sums[5]['bytes_per_s'] is None, sums
PYTHON
# Each to each other: 8 devices are 56 pairs.
for n in 1 2 3 4 5 6 7 8; do cp peer.device peer$n.device; done
peers=$(printf ',simulated:./peer%d.device' 1 2 3 4 5 6 7 8)
expect 0 '"peer" : "simulated:./peer' --json -d "${peers#,}"
python3 - <<'PYTHON' || failed=1
import json
rows = [row for row in json.load(open('out'))['links'] if row['peer'] is not None]
assert len({(row['device'], row['peer']) for row in rows}) == len(rows) == 56, rows
assert all(row['device'] != row['peer'] and row['verdict'] == 'good' for row in rows), rows
assert all(row['alone_bytes_per_s'] == row['at_once_bytes_per_s'] for row in rows), rows
PYTHON
expect 2 'check: simulated:nowhere: there is no such device profile' -d simulated:h200,simulated:nowhere
printf '[device]\nbased_on=h200\n[trouble]\nlose_device_after_calls=40\n' >lost.device
expect 2 'check: simulated:.*lost.device: .*the device was lost' -d 'simulated:h200,simulated:./lost.device'
expect 1 'at most 64' -d "$(printf 'simulated:h200,%.0s' {1..64})simulated:h200"

# The same on a host; and a host has no others' devices.
mkdir -p "$work/config/memlane"
export XDG_CONFIG_HOME="$work/config"
printf '[box]\ncommand=%s worker\n' "$cli" >"$work/config/memlane/hosts"
expect 0 '^box/simulated:h200 +both ways ' -d box/simulated:h200,box/simulated:h200
grep -q '^SIMULATED' out || failed=1
expect 1 'expected devices of one machine' -d box/simulated:h200,simulated:h200
expect 1 'unknown host "nowhere"' -d nowhere/cuda:all
if ! "$cli" devices --host box 2>/dev/null | grep -E '^box/cuda:' | grep -qvE 'no |cannot|does not|compute'; then
  expect 2 'box has no GPU that can be used' -d box/cuda:all
fi

# A worker is ended when it hangs, and the program is not; it may die midway, or lie. Eight links of 55 GB/s over memory of 390 GB/s.
# say WORDS: what the worker does after its greeting
say() {
  { printf "#!/bin/sh\nread -r request\necho '%s'\n" "$hello" && cat; } >worker && chmod +x worker
}
hello=$(sleep 1 | "$cli" worker 2>/dev/null | head -n 1)
export MEMLANE_CLI=$work/worker
say <<<'echo "it is lost" >&2; kill -SEGV $$'
expect 2 'check: the measuring process was ended by signal 11 .*it is lost' -d simulated:h200,simulated:h200
say <<<'echo "{\"type\":\"alive\",\"call\":\"cudaMemcpyAsync\",\"count\":7}"; exec sleep 100'
MEMLANE_DEADLINE=1 expect 2 'check: cudaMemcpyAsync did not return within 1 s, so its process was ended' -d simulated:h200,simulated:h200
say <<<'echo "{\"type\":\"done\"}"'
expect 2 'check: the worker did not say what it was asked for' -d simulated:h200,simulated:h200
say <<<'echo "{\"type\":\"links\",\"links\":[[2,2,0,55e9,55e9]]}"; exec sleep 100'
expect 2 'check: .*links: expected places of devices, 0 to 1' -d simulated:h200,simulated:h200
{
  printf 'echo "{\\"type\\":\\"links\\",\\"links\\":['
  for device in 0 1 2 3 4 5 6 7; do printf '[%d,%d,0,55e9,48.75e9],[%d,%d,1,55e9,53.9e9],' $device $device $device $device; done
  printf '[0,1,5,110e9,50e9]]}"; echo "{\\"type\\":\\"done\\"}"\n'
} | say
expect 0 '^all +to GPU +390\.0 GB/s' -d "$(printf 'simulated:h200,%.0s' {1..7})simulated:h200"
printf '%s at the same time, where the links alone could copy %s: %s\n' \
  'to GPU: 390.0 GB/s' 440.0 "that is the ceiling of the host's memory, or of a switch that they share" \
  'GPU to GPU: 50.0 GB/s' 110.0 'they share a switch or a link' | diff - err >&2 || failed=1 # from GPU: 2 % less is none
unset MEMLANE_CLI

# A driver that hangs in a call: the worker is ended.
MEMLANE_FAULT=hang@pinned-async:24 MEMLANE_DEADLINE=2 expect 2 'cannot be used: ' -d simulated:h200

# lie MEMBERS [halved]: a run of copies both ways, at full or half speed, whose environment says that
python3 - "$data" <<'PYTHON'
import csv, gzip, sys
rows = [list(csv.reader(gzip.open(f'{sys.argv[1]}/h200-copy-to-{way}-large.csv.gz', 'rt'))) for way in ('device', 'host')]
for row in rows[1]:
    row[0] = rows[0][1][0]  # one run
csv.writer(open('run.csv', 'w'), lineterminator='\n').writerows(rows[0] + rows[1][1:])
for row in rows[0][1:] + rows[1][1:]:
    for i, name in enumerate(rows[0][0]):
        if row[i] and (name.endswith('_ns') or name.startswith('bandwidth')):
            row[i] = repr(float(row[i]) * (2 if name.endswith('_ns') else 0.5))
csv.writer(open('halved.csv', 'w'), lineterminator='\n').writerows(rows[0] + rows[1][1:])
PYTHON
lie() {
  cp "${2:-run}.csv" lie.csv
  python3 - "$data/h200-copy-to-device-large.environment.json" "$1" <<'PYTHON'
import json, sys
root = json.load(open(sys.argv[1]))
for path, value in json.loads(sys.argv[2]).items():
    at = root
    *folders, name = path.split('/')
    for folder in folders:
        at = at.setdefault(folder, {})
    if value is None:
        at.pop(name, None)
    else:
        at[name] = value
json.dump(root, open('lie.environment.json', 'w'))
PYTHON
}
most='"link/most_generation": 5, "link/most_width": 16'
lie "{$most}"
expect 0 'good +link +PCIe 5\.0 x16 under load, the most that GPU and slot can do' lie.csv
grep -qE '^good +copies from GPU +5[0-9]\.' out || { cat out >&2 && failed=1; }
lie "{$most, \"link/width\": 8}"
expect 0 'good +link +PCIe 5\.0 x16; it slept at 5\.0 x8' lie.csv # faster than 8 lanes can be
lie "{$most, \"link/width\": 8}" halved
expect 4 'slow +link +PCIe 5\.0 x8 under load; GPU and slot can do 5\.0 x16' lie.csv
grep -q 'to do: put the card in again' out || failed=1
lie "{$most}" halved
expect 4 'slow +copies to GPU +2[0-9]\.[0-9] GB/s; such a link gives at least 48\.0\. One of half the lanes would do that' lie.csv
grep -qE '^good +link ' out || failed=1
lie "{$most, \"link/gpu_generation\": 6}"
expect 0 'all that the slot can do; the GPU can do 6\.0' lie.csv
lie '{"link/generation": null}'
expect 0 'unknown +link +neither the system nor the driver' lie.csv
lie '{"link/most_generation": "five", "link/most_width": -3}'
expect 0 'unknown +link +PCIe 5\.0 x16; the driver does not tell' lie.csv
lie "{$most, \"host/numa_nodes\": 2, \"device/numa_node\": 1, \"affinity\": \"not bound: the process may not run beside 0000:1b:00.0\"}"
expect 4 'slow +socket +this process may not run on node 1' lie.csv
grep -q 'numactl --cpunodebind=1 --membind=1' out || failed=1
lie '{"setup/persistence": "off", "setup/mig": "on", "setup/mps": "on", "setup/ecc": "off", "setup/power_limit_w": 350,
      "setup/usual_power_limit_w": 700}'
expect 4 '^5 good, 3 slow, 3 unknown$' lie.csv
for pattern in 'slow +persistence +off' 'slow +MIG +on' 'unknown +MPS +on' 'good +ECC +off' \
  'slow +power limit +350 W; as shipped it is 700 W'; do
  grep -qE "^$pattern" out || { echo "no '$pattern':" >&2 && cat out >&2 && failed=1; }
done
lie '{"setup/confidential": "on"}'
expect 4 'slow +confidential +on: copies are encrypted' lie.csv
lie '{"setup/confidential": "off"}'
expect 0 'good +confidential +off' lie.csv
lie '{"setup/payload_bytes": 128, "setup/relaxed_ordering": "off", "setup/acs": "on"}'
expect 4 'slow +payload +128 bytes: headers leave 84 % of the link to data' lie.csv
grep -qE '^unknown +relaxed ordering +off: ' out && grep -qE '^unknown +ACS +on: ' out || failed=1
lie '{"setup/payload_bytes": 256, "setup/relaxed_ordering": "on", "setup/acs": "off"}'
expect 0 'good +payload +256 bytes: headers leave 91 % of the link to data' lie.csv
grep -qE '^good +relaxed ordering +on: ' out && grep -qE '^good +ACS +off: ' out || failed=1
lie '{"setup/iommu": "DMA-FQ"}'
expect 0 'good +IOMMU +DMA-FQ: addresses are translated, and copies are as fast' lie.csv
lie '{"setup/iommu": "DMA-FQ"}' halved
expect 4 'unknown +IOMMU +DMA-FQ' lie.csv
lie '{"rounds": [{"round": 1, "begun": "2026-11-22T10:00:00Z", "took_ms": 900, "cells": 1, "void_tries": 1, "throttled": "power cap"}]}'
expect 4 'slow +throttling +the GPU was slowed down: power cap' lie.csv
exit "$failed"
