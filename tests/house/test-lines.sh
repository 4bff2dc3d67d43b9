#!/usr/bin/env bash
# test-lines.sh: no line of the product's C is longer than 100 characters, none of others than 140; none ends in
# blanks, none is indented by a tab
# SPDX-License-Identifier: MIT
set -euo pipefail
cd "$1"
# "file:line: what" for everything that is wrong; a character is one, however many bytes it takes.
export LC_ALL=C.UTF-8
find . \( -path ./build -o -path './build-*' -o -name '.?*' ! -name .ci \) -prune -o -type f \
     \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name 'meson.build' -o -name '*.sh' -o -name '*.py' -o -name run \) -print0 |
  sort -z |
  xargs -0 awk '
    length($0) > 140 { printf "%s:%d: %d characters, at most 140\n", FILENAME, FNR, length($0); wrong = 1 }
    /[ \t\r]$/ { printf "%s:%d: ends in a blank\n", FILENAME, FNR; wrong = 1 }
    /^ *\t/ { printf "%s:%d: a tab\n", FILENAME, FNR; wrong = 1 }
    END { exit wrong }' >&2
if grep -rnE --include='*.[ch]' --include='*.cu' --include='*.cuh' '.{101}' app engine ui kernels >&2; then
  echo 'of more than 100 characters' >&2
  exit 1
fi
