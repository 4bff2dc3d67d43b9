#!/usr/bin/env bash
# test-completion.sh: bash, zsh and fish complete commands, options and their values, and run no name that they find
# SPDX-License-Identifier: MIT
#
# Arguments: memlane-cli, the folder of the three files.
set -euo pipefail
cli=$(realpath "$1")
files=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH="${cli%/*}:$PATH" XDG_STATE_HOME="$work" XDG_DATA_HOME="$work/share"
cd "$work"
touch memlane.csv
# Whoever puts a file into a folder of profiles or experiments chooses its name.
# shellcheck disable=SC2016 # no shell is to expand it
evil='$(touch${IFS}RUN)'
mkdir -p share/memlane/devices share/memlane/experiments
cp "$MEMLANE_DATA_DIR/devices/h200.device" "share/memlane/devices/$evil.device"
cp "$MEMLANE_DATA_DIR/experiments/pinned-copy.experiment" "share/memlane/experiments/$evil.experiment"
failed=0

# shellcheck disable=SC2317 # called by name
complete_bash() {
  # shellcheck disable=SC1091,SC2016 # another bash expands it
  bash -c 'source "$0"
    COMP_LINE=$1 COMP_POINT=${#1}
    _memlane_cli
    printf "%s\n" "${COMPREPLY[@]}"' "$files/memlane-cli.bash" "$1" 2>/dev/null # without a terminal compopt fails
}

# The calls that add words are played. How zsh parses the line is zsh's.
# shellcheck disable=SC2317 # called by name
complete_zsh() {
  # shellcheck disable=SC2016 # zsh expands it
  zsh -f -c 'compset() { words[CURRENT]=${words[CURRENT]##*,} }
    _files() { print -rl -- *(N) | add }
    add() { local w; while read -r w; do [[ $w != "$words[CURRENT]"* ]] || print -r -- "$w"; done }
    compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -rl -- "$@" | add }
    words=("${(@s: :)1}") CURRENT=$#words
    source "$0"' "$files/_memlane-cli" "$1"
}

# shellcheck disable=SC2317 # called by name
complete_fish() {
  # shellcheck disable=SC2016 # fish expands it
  HOME=$work fish -N -c 'source $argv[1]; complete -C $argv[2]' "$files/memlane-cli.fish" "$1" | cut -f1
}

# expect LINE WORDS: what SHELL offers behind LINE
expect() {
  local found
  found=$("complete_$shell" "$1" | sed '/^$/d' | LC_ALL=C sort | tr '\n' ' ')
  [ "$found" = "${2:+$2 }" ] && return
  echo "$shell: '$1': expected '$2', found '$found'" >&2
  failed=1
}

for shell in bash zsh fish; do
  command -v "$shell" >/dev/null || continue
  before='' list=''
  # bash cuts words at colons. fish shows the whole list.
  [ "$shell" = bash ] || before=simulated:
  [ "$shell" = zsh ] || list=pinned,
  expect 'memlane-cli sw' sweep
  expect 'memlane-cli sweep --mo' --modes
  expect 'memlane-cli sweep --modes streams-d' streams-depth-first
  expect 'memlane-cli sweep --modes pinned,regi' "${list}registered ${list}registered-mapped ${list}registered-read-only"
  expect 'memlane-cli trace -m registered-m' registered-mapped
  expect 'memlane-cli sweep -d simulated:one' "${before}one-copy-engine"
  expect 'memlane-cli plot mem' memlane.csv
  expect 'memlane-cli sweep --csv mem' memlane.csv
  expect 'memlane-cli code device-' device-resident
  expect 'memlane-cli experiment r' run
  expect 'memlane-cli experiment run pinned-c' pinned-copy
  expect 'memlane-cli sweep --workload copy-on-d' copy-on-device
  expect 'memlane-cli sweep --rounds ' ''
  expect 'memlane-cli nonsense ' ''
  "complete_$shell" 'memlane-cli sweep --device ' >devices
  grep -q 'simulated:h200$' devices || { echo "$shell: expected simulated:h200 among the devices" >&2; failed=1; }
  "complete_$shell" 'memlane-cli experiment run ' >/dev/null
  [ ! -e RUN ] || { echo "$shell: the name of a file was run" >&2; exit 1; }
  # Every option is offered.
  for command in sweep code; do
    diff <("complete_$shell" "memlane-cli $command --" | sort) <("$cli" "$command" --help |
      sed -nE 's/^  (-., )?(--[a-z0-9-]+).*/\2/p' | sort) || { echo "$shell: options of $command differ" >&2; failed=1; }
  done
done
! grep -qF "$evil" <(complete_bash 'memlane-cli sweep --device ') || { echo "bash: a name that is shell code is offered" >&2; failed=1; }
exit "$failed"
