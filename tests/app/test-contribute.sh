#!/usr/bin/env bash
# test-contribute.sh: a recorded run packed without names, a device made of it; runs that are no use to others, files that were changed
# SPDX-License-Identifier: MIT
#
# Arguments: memlane-cli, the source's root.
set -euo pipefail
cli=$(realpath "$1")
source=$(realpath "$2")
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
export MEMLANE_DATA_DIR="$source/data" XDG_STATE_HOME="$tree/state" LC_ALL=C.UTF-8
cd "$tree"
fail() {
  cat err >&2
  echo "$1" >&2
  exit 1
}
# refused WORDS COMMAND...
refused() {
  local words=$1
  shift
  ! "$@" >out 2>err || fail "$*: is not refused"
  grep -qF -- "$words" err || fail "$*: does not say \"$words\""
}

for ending in csv environment.json rounds.csv; do
  cp "$source/data/recordings/h200-copy-to-device.$ending" "run.$ending"
done
"$cli" contribute run.csv 2>err || fail 'a recorded run is refused'
for member in uuid boot_id pci_bus_id; do
  name=$(sed -n "s/.*\"$member\" : \"\(.*\)\".*/\1/p" run.environment.json)
  [ -n "$name" ] || fail 'the recording tells no name'
  ! grep -qF -- "$name" run.contribution || fail "$name is in it"
done
grep -q '"NVIDIA H200"' run.contribution || fail 'the device is not in it'
"$cli" calibrate run.csv -o a.device 2>err && "$cli" calibrate run.contribution -o b.device 2>err || fail 'no device is made of it'
diff a.device b.device && diff a.rounds b.rounds || fail 'the devices differ'

head -c 9000 run.contribution >cut.contribution
refused 'cut off' "$cli" calibrate cut.contribution -o c.device
(cat run.contribution; echo more) >long.contribution
refused 'its end after the third part' "$cli" calibrate long.contribution -o c.device
[ ! -e c.device ] || fail 'a device was made of a broken file'

mv run.environment.json beside
refused 'no environment' "$cli" contribute run.csv
sed 's/"throttle" : "none"/"throttle" : "power cap"/' beside >run.environment.json
refused 'throttled: power cap' "$cli" contribute run.csv
cp beside run.environment.json
sed -i '20,$s/,ok,/,error,/' run.csv
refused 'failed' "$cli" contribute run.csv
"$cli" sweep -q -d simulated:h200 -m pinned -s 10 -c simulated.csv
refused 'simulated' "$cli" contribute simulated.csv
echo 'all as it should be'
