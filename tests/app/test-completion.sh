#!/usr/bin/env bash
# test-completion.sh: bash completes commands, options and their values by memlane-cli completion bash; zsh and fish read theirs
# SPDX-License-Identifier: MIT
set -euo pipefail
cli=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH="${cli%/*}:$PATH" XDG_STATE_HOME="$work"
failed=0
"$cli" completion bash >"$work/bash"
# shellcheck disable=SC1091
source "$work/bash"
touch "$work/memlane.csv"
cd "$work"

# expect LINE WORDS: what is offered behind LINE
expect() {
  COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
  _memlane_cli || true # without a terminal compopt fails
  [ "${COMPREPLY[*]}" = "$2" ] && return
  echo "'$1': expected '$2', found '${COMPREPLY[*]}'" >&2
  failed=1
}

expect 'memlane-cli sw' sweep
expect 'memlane-cli sweep --mo' --modes
expect 'memlane-cli sweep --modes streams-d' streams-depth-first
expect 'memlane-cli sweep --modes pinned,regi' 'pinned,registered pinned,registered-mapped pinned,registered-read-only'
expect 'memlane-cli sweep -d simulated:h' 'h200 h200+noise' # bash cuts words at colons
expect 'memlane-cli plot mem' memlane.csv
expect 'memlane-cli code device-' device-resident
expect 'memlane-cli experiment r' run
expect 'memlane-cli sweep --rounds ' ''
for shell in zsh fish; do
  "$cli" completion "$shell" >"$work/$shell"
  ! command -v "$shell" >/dev/null || "$shell" -n "$work/$shell" || failed=1
  # Every option of each command is there.
  while read -r option; do
    grep -qE -- "(--| -l )$option\\b" "$work/$shell" || { echo "$shell: no --$option" >&2; failed=1; }
  done < <("$cli" sweep --help | grep -oE -- '--[a-z-]+' | cut -c3- | sort -u)
done
exit "$failed"
