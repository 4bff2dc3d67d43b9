#!/usr/bin/env bash
# test-compare.sh: figures out of a log that was made up, and what compare says of two such files
# SPDX-License-Identifier: MIT
set -euo pipefail
here=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$*" >&2
  exit 1
}

# log FOLDER MILLISECONDS...: a benchmark that ran as often, and another that always says the same
log() {
  local folder=$1 value
  shift
  mkdir -p "$folder/meson-logs"
  for value in "$@"; do
    printf '{"name": "memlane:draw", "result": "OK", "stdout": "%s"}\n' \
      "screen, 4 curves:\\nthe figure (run $value)   median $value ms  worst 9.50 ms\\n"
  done >"$folder/meson-logs/benchmarklog.json"
}

log "$work/old" 10.0 10.2 9.8 10.1 9.9
log "$work/new" 12.0 12.2 11.8 12.1 11.9
log "$work/same" 10.1 9.7 10.3 9.9 10.1
log "$work/once" 8.0
for build in old new same once; do
  "$here/figures" "$work/$build" >"$work/$build.csv"
done
[ "$(grep -c '^draw,the figure median,ms,' "$work/old.csv")" -eq 5 ] || fail "$(cat "$work/old.csv")"

# Welch by hand: means 10 and 12, variances 0.025 both, 8 degrees of freedom: 2.306 * 0.1 = 0.2306, which is 2.3 % of 10.
"$here/compare" "$work/old.csv" "$work/new.csv" >"$work/said"
grep -qF '+20.0 % [+17.7, +22.3] changed' "$work/said" || fail "$(cat "$work/said")"
grep -F 'worst' "$work/said" | grep -qF '+0.0 % [+0.0, +0.0]' || fail "$(cat "$work/said")"
"$here/compare" "$work/old.csv" "$work/same.csv" >"$work/said"
! grep -q changed "$work/said" || fail "$(cat "$work/said")"
"$here/compare" "$work/old.csv" "$work/once.csv" | grep -F 'median' | grep -qF -- '-20.0 %, one sample: no interval' || fail 'one sample'

# refuse TEXT OLD NEW: says so in one line, with status 2
refuse() {
  local status=0
  "$here/compare" "$2" "$3" >"$work/said" 2>&1 || status=$?
  [ "$status" -eq 2 ] && [ "$(wc -l <"$work/said")" -eq 1 ] && grep -qF -- "$1" "$work/said" || fail "expected '$1': $(cat "$work/said")"
}
head -n 1 "$work/old.csv" >"$work/empty.csv"
echo 'mode,value' >"$work/other.csv"
{ cat "$work/empty.csv"; echo 'draw,x,ms,many'; } >"$work/words.csv"
refuse 'No such file' "$work/none.csv" "$work/new.csv"
refuse 'share no figure' "$work/old.csv" "$work/empty.csv"
refuse 'expected benchmark, figure, unit, value' "$work/old.csv" "$work/other.csv"
refuse "'many'; expected a number" "$work/old.csv" "$work/words.csv"

# A benchmark that failed is named, and the status says so.
sed -i 's/"OK"/"FAIL"/' "$work/once/meson-logs/benchmarklog.json"
! "$here/figures" "$work/once" >/dev/null 2>"$work/said" || fail 'a failure passed'
grep -qF 'draw failed' "$work/said" || fail "$(cat "$work/said")"
