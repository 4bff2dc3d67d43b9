#!/usr/bin/env bash
# test-peers.sh: peers-to-csv.py turns nvbandwidth's and nvbench's results into tables that memlane-cli reads
# SPDX-License-Identifier: MIT
#
# Arguments: memlane-cli, the repository's root.
set -euo pipefail
cli=$(realpath "$1")
root=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0

# expect FILE WORKLOAD MODE LOG2 PHASE MEDIAN_NS LOW_NS HIGH_NS
expect() {
  local file=$1
  shift
  python3 "$root/data/examples/peers-to-csv.py" "$root/tests/data/peers/$file" >table.csv
  [ "$(wc -l <table.csv)" -eq 2 ] || { echo "$file: expected one row" >&2 && failed=1; }
  awk -F, -v wanted="$*" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
    NR == 2 { found = $at["workload"] " " $at["mode"] " " $at["log2_elements"] " " $at["phase"] " " $at["estimate_ns"] " " \
                      $at["low_ns"] " " $at["high_ns"]
              if (found != wanted) { print FILENAME ": found " found ", expected " wanted; exit 1 } }' table.csv >&2 || failed=1
  "$cli" report table.csv -o page.html --force 2>err || { cat err >&2 && failed=1; }
  cp table.csv "${file//./-}.csv"
}

expect nvbandwidth-64MiB.json copy-to-device pinned-async 24 upload 1342177.28 1342177.28 1342177.28
expect nvbench.json copy-kernel device-resident 20 kernel 10000.0 9804.0 10196.0
expect nvbench.csv copy-kernel device-resident 20 kernel 10000.0 9804.0 10196.0
diff nvbench-json.csv nvbench-csv.csv || failed=1
cp "$root/tests/data/peers/nvbandwidth-64MiB.json" unnamed.json
! python3 "$root/data/examples/peers-to-csv.py" unnamed.json >out 2>err && grep -q 'nvbandwidth writes no size' err || failed=1
! "$cli" report unnamed.json -o page.html --force 2>err || failed=1
exit "$failed"
