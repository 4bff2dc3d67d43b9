#!/usr/bin/env bash
# test-interrupt.sh: commands that are interrupted, killed, or watched on a terminal
# SPDX-License-Identifier: MIT
#
# Argument: memlane-cli. Each part begins in a folder of its own, with a state of its own.
set -euo pipefail
set -m # what runs in the background hears SIGINT
cli=$(realpath "$1")
work=$(mktemp -d)
trap 'kill -9 $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
export XDG_STATE_HOME XDG_DATA_HOME=$work/share XDG_CONFIG_HOME=$work/config G_DEBUG=fatal-warnings
device=(-d simulated:h200)
failed=0

# part WORDS: what follows is of WORDS
part() {
  part=$1
  mkdir "$work/$part"
  cd "$work/$part"
  XDG_STATE_HOME=$work/$part/state
}

# expect WHAT FOUND TEST...: complains unless the test holds
expect() {
  local what=$1 found=$2
  shift 2
  if ! "$@"; then
    echo "$part: expected $what, found: $found" >&2
    failed=1
  fi
}

# says WORDS FILE
says() {
  expect "\"$1\"" "$(cat "$2")" grep -qF -- "$1" "$2"
}

# ends STATUS COMMAND...: what it writes is in out and err
ends() {
  local wanted=$1 status=0
  shift
  "$@" >out 2>err || status=$?
  expect "$* to end with $wanted" "$status: $(cat err)" [ "$status" = "$wanted" ]
}

count_journal_lines() {
  cat state/memlane/journals/*.journal 2>/dev/null | wc -l
}

# wait_for_visits N: until the journal holds more than N lines; how often progress is told depends on
# how fast the machine is
wait_for_visits() {
  until [ "$(count_journal_lines)" -gt "$1" ]; do
    kill -0 $! # it lives
    sleep 0.01
  done
}

# start_long: a sweep of 18 cells that takes a while, once its first cell is done
start_long() {
  "$cli" sweep "${device[@]}" -m pageable,managed -s 16:24 -c out.csv 2>/dev/null &
  wait_for_visits 1
}

# in_csv FILE: how many cells have an elapsed time
in_csv() {
  grep -c ',elapsed,host,[1-9]' "$1"
}

# By a second signal of an impatient person as by the first: the cells so far are in the table, and
# nothing is left to recover.
for signal in INT TERM; do
  part "interrupt $signal"
  start_long
  kill "-$signal" $!
  kill "-$signal" $! 2>/dev/null || true
  ends 130 wait $!
  n=$(in_csv out.csv)
  expect "1 to 17 cells" "$n" [ "$n" -gt 0 ] && expect "1 to 17 cells" "$n" [ "$n" -lt 18 ]
  ends 0 "$cli" recover
  says 'nothing to recover' err
done

# In a repetition: the whole result stays, what was measured waits in the journal.
part 'interrupted again'
"$cli" sweep -q "${device[@]}" -m pageable,pinned -s 4:12 --cell-seconds 0.001 -c out.csv
cp out.csv before.csv
start_long
kill -INT $!
ends 130 wait $!
expect 'the first result' another cmp out.csv before.csv
ends 0 "$cli" recover
says vector-add out

# A journal of a killed command is named by all others, and can be written, or dropped.
for end in csv discard; do
  part "kill, $end"
  start_long
  ends 0 "$cli" recover # it lives: there is nothing to recover yet
  says 'nothing to recover' err
  kill -9 $!
  wait $! || true
  expect 'no table' "$(ls)" [ ! -e out.csv ]
  ends 0 "$cli" devices
  says 'an interrupted run of 2' err
  says 'memlane-cli recover' err
  ends 0 "$cli" recover
  expect 'one run' "$(cat out)" [ "$(wc -l <out)" = 2 ]
  name=$(sed -n 2p out | cut -d' ' -f1)
  if [ "$end" = csv ]; then
    ends 0 "$cli" recover "$name" --csv saved.csv
    expect 'its cells' "$(cat saved.csv)" [ "$(grep -c "^$name,simulated:h200,.*,elapsed,host,[1-9]" saved.csv)" -ge 1 ]
  else
    ends 0 "$cli" recover "$name" --discard
  fi
  ends 0 "$cli" devices
  expect 'no word of it' "$(cat err)" [ "$(grep -c interrupted err)" = 0 ]
done

# In its third round: each cell that is whole in any round is saved. There are 18 cells of three visits.
part 'kill in a round'
"$cli" sweep "${device[@]}" --noise recorded -m pinned,mapped -s 8:16 --rounds 12 -c out.csv 2>/dev/null &
wait_for_visits 109
kill -9 $!
wait $! || true
whole=$(($(count_journal_lines) - 1))
ends 0 "$cli" recover
ends 0 "$cli" recover "$(sed -n 2p out | cut -d' ' -f1)" --csv saved.csv
# The status is the 26th field, and the rounds are the last but one.
read -r cells noisy few rounds < <(grep ',elapsed,host,' saved.csv | awk -F, '
  { cells++; noisy += $26 == "noisy"; few += $(NF - 1) < 2; rounds += $(NF - 1) }
  END { print cells, noisy, few, rounds }')
expect '18 noisy cells of two rounds or more' "$cells, $noisy, $few" [ "$cells $noisy $few" = '18 18 0' ]
expect "rounds of a third of the $whole visits or more, but not of all" "$rounds" \
  [ "$whole" -gt 108 -a "$rounds" -lt "$whole" -a $((3 * rounds)) -ge "$whole" ]

# At moments that are spread over its life and a little longer: files are the old ones or the new ones,
# and whole.
part kills
sweep=("$cli" sweep -q "${device[@]}" -m "pageable,pinned,mapped" -s 10:14 --cell-seconds 0.001 -c out.csv
       --samples-csv samples.csv)
begun=${EPOCHREALTIME/./}
"${sweep[@]}"
life=$((${EPOCHREALTIME/./} - begun))
lines=$(wc -l out.csv samples.csv)
for i in {0..24}; do
  "${sweep[@]}" 2>/dev/null &
  sleep "$(awk "BEGIN { print $life * $i * 1.1 / 25 / 1e6 }")"
  kill -9 $! 2>/dev/null || true
  wait $! 2>/dev/null || true
  expect 'whole files' "$(wc -l out.csv samples.csv)" [ "$(wc -l out.csv samples.csv)" = "$lines" ]
done

# On a terminal: one line that is redrawn, with a bar, which goes before the summary comes.
part bar
TERM=xterm python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' \
  "$cli" sweep "${device[@]}" -m pageable,pinned,mapped,managed -s 19:22 -c out.csv >said
says $'\rmeasurement ' said
says ' of 16 ' said
says '-]' said
says $'\r\e[K16 cells: 16 measured' said
expect 'no line for each cell' "$(cat said)" [ "$(grep -c ': done' said)" = 0 ]

# Two sizes are too large for this device: what the others cost is known all the same.
part advise
printf '[device]\nbased_on=h200\nname=Small (simulated)\nmemory_bytes=100000000\n' >small.device
"$cli" advise --measure -d "simulated:$PWD/small.device" -- true >out 2>err || true
says out-of-memory err
says 'advise: ' err
expect 'no complaint' "$(cat err)" [ "$(grep -c 'advise: --measure: ' err)" = 0 ]

# In the middle of a long sweep: what was found is written, and said to be cut short.
part experiment
cat >long.experiment <<'END'
[Experiment]
title=Long
question=Q
claim=C
explanation=E
[Sweep s]
modes=pageable
sizes=4:26
cell-seconds=60
[Check c]
claim=X
test=pageable/elapsed@26 < 1s
END
"$cli" experiment run long.experiment "${device[@]}" --findings f.csv >said 2>progress &
until grep -qs "^1 of 1: " progress; do
  kill -0 $! # it lives
  sleep 0.01
done
kill -INT $!
ends 130 wait $!
says 'inconclusive (the experiment was cut short): ' said
expect findings "$(ls)" [ -e f.csv ]

part trace
"$cli" trace "${device[@]}" --mode pageable --size 26 --json t.json 2>progress &
until [ -s progress ]; do
  kill -0 $! # it lives
  sleep 0.01
done
kill -INT $!
kill -INT $! 2>/dev/null || true
ends 130 wait $!
says interrupted progress
expect 'no trace' "$(ls)" [ ! -e t.json ]
exit "$failed"
