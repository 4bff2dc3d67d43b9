#!/usr/bin/env bash
# test-poor.sh: a machine that lacks something: a home that cannot be written, a bus, fonts
# SPDX-License-Identifier: MIT
#
# Arguments: memlane-cli, and "figures" if this build draws.
set -euo pipefail
cli=$(realpath "$1")
figures=${2:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0

# expect STATUS TEXT COMMAND...: exits so, and says TEXT
expect() {
  local status=0 wanted=$1 text=$2
  shift 2
  timeout 60 "$@" >said 2>&1 || status=$?
  if [ "$status" -ne "$wanted" ] || ! grep -qF -- "$text" said; then
    echo "$*: status $status, expected $wanted and '$text'; it said:" >&2
    cut -c1-300 said >&2
    failed=1
  fi
}

# /proc takes no folder from anybody, root neither.
poor=(env -u DBUS_SESSION_BUS_ADDRESS -u XDG_RUNTIME_DIR HOME=/proc/none XDG_CONFIG_HOME=/proc/none/config XDG_DATA_HOME=/proc/none/data
      XDG_STATE_HOME=/proc/none/state XDG_CACHE_HOME=/proc/none/cache "$cli")
expect 0 'the journal does not hold this run' "${poor[@]}" sweep --device simulated:h200 -m pinned,mapped -s 10:12 --csv run.csv
expect 0 'use mapped' "${poor[@]}" decide run.csv --size 12
expect 0 'simulated:h200' "${poor[@]}" devices
expect 0 'nothing to recover' "${poor[@]}" recover
expect 0 'events' "${poor[@]}" trace --device simulated:h200 --mode pinned --size 10 --json trace.json
if [ -n "$figures" ]; then
  expect 0 'written: run.svg' "${poor[@]}" plot run.csv -o run.svg
  mkdir fonts
  echo "<fontconfig><dir>$work/fonts</dir><cachedir>$work/cache</cachedir></fontconfig>" >fonts.conf
  export FONTCONFIG_FILE="$work/fonts.conf"
  for ending in png svg pdf; do
    expect 2 'no font is installed' "$cli" plot run.csv -o "boxes.$ending"
    [ ! -e "boxes.$ending" ] || { echo "boxes.$ending was written" >&2; failed=1; }
  done
  expect 2 'no font is installed' "$cli" report run.csv -o boxes.html
fi
exit "$failed"
