#!/usr/bin/env bash
# test-calibrate.sh: calibrate.py writes the parts of h200.device and h200.rounds that two recordings give, to a tenth of a nanosecond
# SPDX-License-Identifier: MIT
#
# Arguments: memlane-cli, the repository's root.
set -euo pipefail
cli=$(realpath "$1")
root=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export MEMLANE_DATA_DIR="$root/data" XDG_STATE_HOME="$work/state"
recordings=$root/data/recordings

"$root/tests/model/calibrate.py" "$cli" "$recordings/h200-fill.csv" "$recordings/h200-fill-large.csv" "$work/h200.device"
# part FILE: the group of the workload "fill"
part() {
  awk '/^\[/ { wanted = /^\[(recorded|rounds) fill / } wanted && NF' "$1"
}
# same FILE FILE: the same words, and numbers that differ by what a CSV's tenth of a nanosecond may
same() {
  python3 - "$1" "$2" <<'END'
import re, sys

def differ(a, b):
    try:
        return abs(float(a) - float(b)) > 0.1 + 1e-5 * float(b)
    except ValueError:
        return True

one, other = (re.split(r'([0-9.]+(?:e[+-]?[0-9]+)?)', open(path).read()) for path in sys.argv[1:])
different = [(a, b) for a, b in zip(one, other) if a != b and differ(a, b)]
if different or len(one) != len(other):
    sys.exit(f'{len(different)} differ, as {different[:5]}')
END
}
for file in h200.device h200.rounds; do
  part "$work/$file" >"$work/made"
  part "$root/data/devices/$file" >"$work/kept"
  [ "$(wc -l <"$work/made")" -gt 20 ]
  same "$work/made" "$work/kept"
done
diff <(sed '/^\[recorded/,$d' "$work/h200.device") <(sed '/^\[recorded/,$d' "$root/data/devices/h200.device")
