#!/usr/bin/env bash
# test-libraries.sh: the engine links neither GTK nor Cairo, and memlane-cli no GTK
# SPDX-License-Identifier: MIT
#
# Arguments: a pattern of library names that must not be there, then programs and libraries. What they need themselves, and what that
# needs in turn.
set -euo pipefail
unwanted=$1
shift
status=0
for file in "$@"; do
  # A library that is linked in by way of another one counts too: on a server without GTK the program would not start.
  found=$( (readelf -d "$file" | grep NEEDED; ldd "$file") | grep -E "lib($unwanted)[-.]" || true)
  if [ -n "$found" ]; then
    printf '%s links what it must not:\n%s\n' "$file" "$found" >&2
    status=1
  fi
done
exit $status
