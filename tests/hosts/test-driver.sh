#!/usr/bin/env bash
# test-driver.sh: a driver that hangs, crashes or talks nonsense harms nothing that is simulated; trouble in a sweep costs one cell
# SPDX-License-Identifier: MIT
#
# Arguments: memlane-cli, the folder of a libcuda.so.1 that misbehaves (tests/hosts/driver).
set -euo pipefail
cli=$1
stub=$2
tree=$(mktemp -d /tmp/memlane-driver-XXXXXX)
sweep=
finish() {
  [ -z "$sweep" ] || kill -KILL "$sweep" 2>/dev/null || true
  rm -rf "$tree"
}
trap finish EXIT
export XDG_STATE_HOME="$tree/state" XDG_CONFIG_HOME="$tree" LC_ALL=C.UTF-8
cd "$tree"
fail() {
  echo "$1" >&2
  exit 1
}
says() {
  grep -qE -- "$2" "$1" || { cat "$1" >&2; fail "expected \"$2\" in $1"; }
}
status() {
  local expected=$1 code=0
  shift
  timeout -k 5 120 "$@" >out 2>err </dev/null || code=$?
  [ "$code" -eq "$expected" ] || { cat out err >&2; fail "$*: status $code, expected $expected"; }
}
small=(-m pinned,mapped,managed -s 10:12 --force)

for kind in hang crash refuse nonsense; do
  echo "# $kind"
  export LD_LIBRARY_PATH="$stub" MEMLANE_STUB=$kind
  status 0 "$cli" devices
  says out '^simulated:h200 +simulated '
  says out '^cuda[:0-9]* +cuda '
  case $kind in
  hang) says out 'the CUDA driver does not answer within 3 s' ;;
  crash) says out 'was ended by signal 6 .Aborted.' ;;
  esac
  status 0 "$cli" sweep -q -d simulated:h200 "${small[@]}" -c a.csv
  status 0 "$cli" trace -q -d simulated:h200 -m pinned -s 10
  status 0 "$cli" experiment run zero-copy -q -d simulated:h200
  status 0 "$cli" modes -d simulated:h200
  status 2 "$cli" check
  says err 'no GPU here: '
  MEMLANE_DEADLINE=3 status 2 "$cli" check -d cuda:0,cuda:1
  says err 'memlane-cli: check: (opening the device did not return within 3 s|.*cuda|.*signal 6)'
  status 2 "$cli" sweep -q -d cuda:0 "${small[@]}" -c b.csv
  says err 'cuda:0 cannot be used: '
  [ ! -e b.csv ] || fail 'b.csv was written'
done
echo '# a node that hangs in cuInit: the others are measured'
mkdir memlane
printf '[%s]\ncommand=env LD_LIBRARY_PATH=%s MEMLANE_STUB=%s "%s" worker\n' \
  stuck "$stub" hang "$cli" sound "$stub" refuse "$cli" >memlane/hosts
LD_LIBRARY_PATH='' status 3 "$cli" sweep --hosts stuck,sound -d simulated:h200 "${small[@]}" --csv fleet
says fleet/fleet.csv '^stuck,failed,"stuck does not answer within 10 s'
says fleet/fleet.csv '^sound-simulated-h200,measured,'
echo '# an interrupt while the driver hangs'
MEMLANE_STUB=hang env --default-signal=INT "$cli" sweep -q -d cuda:0 "${small[@]}" -c b.csv >out 2>err </dev/null &
sweep=$!
sleep 0.5
kill -INT $sweep
code=0
wait $sweep || code=$?
sweep=
[ $code -eq 130 ] || fail "status $code, expected 130"
unset LD_LIBRARY_PATH MEMLANE_STUB

for kind in failure lost crash hang; do
  echo "# $kind in one cell"
  MEMLANE_FAULT=$kind@mapped:11 MEMLANE_DEADLINE=3 status 3 "$cli" sweep -d simulated:h200 "${small[@]}" -c a.csv
  says err '9 cells: 8 measured.*, 1 failed'
  says a.csv ',mapped,11,.*,(error|timeout),.*cuda'
done
MEMLANE_FAULT=crash@pinned:10 status 2 "$cli" trace -q -d simulated:h200 -m pinned -s 10
says err 'was ended by signal 6'
MEMLANE_FAULT=hang@pinned:10 MEMLANE_DEADLINE=3 status 2 "$cli" trace -q -d simulated:h200 -m pinned -s 10
says err 'did not return within 3 s'

echo '# an interrupt while a call hangs: what was measured is written'
rm -rf "$XDG_STATE_HOME"
MEMLANE_FAULT=hang@mapped:11 "$cli" sweep -q -d simulated:h200 "${small[@]}" -c a.csv >out 2>err </dev/null &
sweep=$!
for _ in $(seq 6000); do
  [ "$(cat "$tree"/state/memlane/journals/*.journal 2>/dev/null | wc -l)" -ge 5 ] && break
  sleep 0.05
done
kill -INT $sweep
code=0
wait $sweep || code=$?
sweep=
[ $code -eq 130 ] || { cat err >&2; fail "status $code, expected 130"; }
says a.csv ',managed,10,'

if command -v prlimit >/dev/null; then
  echo '# a full disk: said once, and healed when there is room'
  rm -rf "$XDG_STATE_HOME"
  (trap '' XFSZ; ulimit -S -f 12; exec "$cli" sweep -q -d simulated:h200 -s 10:20 -c full.csv >out 2>err </dev/null) &
  sweep=$!
  for _ in $(seq 6000); do grep -q 'warning: the journal' err && break; sleep 0.05; done
  prlimit --pid $sweep --fsize=unlimited
  for _ in $(seq 6000); do
    [ "$(cat "$tree"/state/memlane/journals/*.journal 2>/dev/null | wc -l)" -ge 60 ] && break
    kill -0 $sweep 2>/dev/null || fail 'the journal did not heal'
    sleep 0.05
  done
  code=0
  wait $sweep || code=$?
  sweep=
  [ $code -eq 0 ] || { cat err >&2; fail "status $code, expected 0"; }
  [ "$(grep -c 'warning: the journal' err)" -eq 1 ] || { cat err >&2; fail 'it is not said once'; }
fi

echo '# nothing stays behind'
for _ in $(seq 1500); do
  left=$(env -i grep -lsF "$tree/state" /proc/[0-9]*/environ || true)
  [ -z "$left" ] && break
  sleep 0.1
done
for file in $left; do
  fail "${file%/environ} stayed: $(tr '\0' ' ' <"${file%environ}cmdline")"
done
