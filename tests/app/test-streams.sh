#!/usr/bin/env bash
# test-streams.sh: "-" is standard input or output of every command that reads or writes a file
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
device=(--device simulated:h200)

# same FILE COMMAND...: what it writes to standard output begins like FILE, 40 bytes long, and no file called - is made
same() {
  local file=$1
  shift
  if ! "$@" >out 2>said </dev/null || [ "$(head -c 40 out | tr -d '\0')" != "$(head -c 40 "$file" | tr -d '\0')" ] || [ -e - ]; then
    echo "$*: expected on standard output what is in $file; it wrote $(wc -c <out) bytes and said:" >&2
    cat said >&2
    failed=1
  fi
}

# reads FILE COMMAND...: the command ends well with FILE on standard input, from a file and from a pipe, and says the same
reads() {
  local file=$1
  shift
  # shellcheck disable=SC2002 # a pipe is meant
  if ! "$@" <"$file" >one 2>said || ! cat "$file" | "$@" >two 2>>said || ! diff one two >>said || [ ! -s one ]; then
    echo "$* with $file on standard input: failed, or said nothing, and said:" >&2
    cat said >&2
    failed=1
  fi
}

"$cli" sweep "${device[@]}" -m pinned,mapped,pageable -s 10:14 -c run.csv --samples-csv samples.csv -q
"$cli" trace "${device[@]}" --mode pinned --size 10 --json trace.json 2>/dev/null
"$cli" decide run.csv --csv map.csv >/dev/null
"$cli" report run.csv -o page.html 2>/dev/null
"$cli" code mapped -o mapped.cu

same run.csv "$cli" sweep "${device[@]}" -m pinned,mapped,pageable -s 10:14 -c - -q
same samples.csv "$cli" sweep "${device[@]}" -m pinned -s 10 -q --samples-csv -
same trace.json "$cli" trace "${device[@]}" --mode pinned --size 10 --json -
same map.csv "$cli" decide run.csv --csv -
same page.html "$cli" report run.csv -o -
same mapped.cu "$cli" code mapped -o -
reads run.csv "$cli" decide -
reads run.csv "$cli" decide - --csv -
reads run.csv "$cli" report - -o -
reads trace.json "$cli" trace --input -
if [ -n "$figures" ]; then
  "$cli" plot run.csv -o plot.svg 2>/dev/null
  same plot.svg "$cli" plot run.csv -o -
  same plot.svg "$cli" trace "${device[@]}" --mode pinned --size 10 --plot -
  reads run.csv "$cli" plot - -o -
fi
exit "$failed"
