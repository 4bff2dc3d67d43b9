#!/usr/bin/env bash
# test-licences.sh: every source says under which licence it stands
# SPDX-License-Identifier: MIT
set -euo pipefail
cd "$1"
missing=$(find . \( -path ./build -o -path './build-*' -o -name '.?*' ! -name .ci \) -prune -o -type f \
               \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.sh' -o -name '*.py' -o -name run \) -print0 |
            xargs -0 grep -L 'SPDX-License-Identifier: MIT' || true)
if [ -n "$missing" ]; then
  printf 'no SPDX line in:\n%s\n' "$missing" >&2
  exit 1
fi
