#!/usr/bin/env bash
# test-calibrate.sh: calibrate.py writes the parts of h200.device and h200.rounds that two recordings give, byte for byte
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
for file in h200.device h200.rounds; do
  [ "$(part "$work/$file" | wc -l)" -gt 20 ]
  diff <(part "$work/$file") <(part "$root/data/devices/$file")
done
diff <(sed '/^\[recorded/,$d' "$work/h200.device") <(sed '/^\[recorded/,$d' "$root/data/devices/h200.device")
