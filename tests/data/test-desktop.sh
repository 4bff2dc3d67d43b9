#!/usr/bin/env bash
# test-desktop.sh: runs a desktop tool that judges a file; what it says, a warning too, is a failure
# SPDX-License-Identifier: MIT
set -euo pipefail
command -v "$1" >/dev/null || { echo "$1 is missing; tests/run installs it" >&2; exit 1; }
status=0
said=$("$@" 2>&1) || status=$?
printf '%s\n' "$said"
case $said in
  *[Ww]arning* | *[Ee]rror* | *hint:*) status=1 ;;
esac
exit $status
