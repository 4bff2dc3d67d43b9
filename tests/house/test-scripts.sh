#!/usr/bin/env bash
# test-scripts.sh: every script parses, and can be run as it stands
# SPDX-License-Identifier: MIT
set -euo pipefail
cd "$1"
status=0
while IFS= read -r -d '' file; do
  if ! head -n 1 "$file" | grep -q '^#!.*bash'; then
    [ "${file##*.}" = sh ] || continue
  elif [ ! -x "$file" ]; then
    echo "$file: is not executable" >&2
    status=1
  fi
  bash -n "$file" || status=1
done < <(find app data/packaging tests .ci -type f \( -name '*.sh' -o -name run -o -name bundle -o -name build-deb \) -print0)
exit $status
