#!/usr/bin/env bash
# test-systems.sh: what tests/systems/run says where it cannot work: one message, status 2 or 1, nothing mounted and nothing left behind
# SPDX-License-Identifier: MIT
set -euo pipefail
run=$1
work=$(mktemp -d)
server=
leave() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  rm -rf "$work"
}
trap leave EXIT
failed=0

# expect STATUS TEXT COMMAND...: exits so, and one line of what it says has the text
expect() {
  local status=0 wanted=$1 text=$2
  shift 2
  "$@" >"$work/said" 2>&1 || status=$?
  if [ "$status" -ne "$wanted" ] || [ "$(grep -cF -- "$text" "$work/said")" -ne 1 ]; then
    echo "$*: status $status, expected $wanted and one line with '$text'; it said:" >&2
    cat "$work/said" >&2
    failed=1
  fi
  if grep -q " $work" /proc/self/mountinfo; then
    echo "$*: left mounted:" >&2
    grep " $work" /proc/self/mountinfo >&2
    failed=1
  fi
  if compgen -G "$work/*/*.part" || compgen -G "$work/*/*.run"; then
    echo "$*: left behind" >&2
    failed=1
  fi
}

expect 2 "'--frobnicate' is no suite" "$run" --frobnicate
expect 2 "'Trixie' is no suite" "$run" Trixie
expect 2 '--cache takes a value' "$run" --cache
expect 0 'both commands of README.md' "$run" --help
if [ "$(id -u)" -ne 0 ]; then
  expect 2 'takes root' "$run" --cache "$work/cache"
  exit $failed
fi
chmod 755 "$work"
expect 2 'takes root' setpriv --reuid=65534 --clear-groups "$run" --cache "$work/cache"

# A mirror of nothing, for a suite that there is not; and a port where nobody listens.
mkdir "$work/empty"
python3 -u -c '
import functools, http.server, sys
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
    print(server.server_port)
    server.serve_forever()
' "$work/empty" >"$work/port" 2>/dev/null &
server=$!
for ((i = 0; i < 300; i++)); do
  [ ! -s "$work/port" ] || break
  sleep 0.1
done
expect 1 '404' "$run" --cache "$work/cache" --mirror "http://127.0.0.1:$(cat "$work/port")/debian" nosuch
kill "$server"
wait "$server" || true
expect 1 'Could not connect' "$run" --cache "$work/cache" --mirror "http://127.0.0.1:$(cat "$work/port")/debian" nosuch
server=

# What debootstrap leaves when it is cut short has a folder of its own in it.
mkdir -p "$work/cache/trixie/debootstrap"
expect 1 'holds no system that was bootstrapped to its end' "$run" --cache "$work/cache" trixie

expect 2 'GiB are free' unshare --mount --propagation private bash -c \
  'mkdir "$2" && mount -t tmpfs -o size=1m tmpfs "$2" && exec "$1" --cache "$2" trixie' bash "$run" "$work/small"

# Two at once in one folder.
exec 8>"$work/cache/lock"
flock 8
expect 2 'another run is at work' "$run" --cache "$work/cache" trixie
exit $failed
