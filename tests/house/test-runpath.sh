#!/usr/bin/env bash
# test-runpath.sh: no program of the build tree loads libraries from a folder that depends on where it is called
# SPDX-License-Identifier: MIT
#
# Argument: the build folder. Meson pads a RUNPATH with X for the one of the installed file: a relative path, in which
# anybody's library would be loaded.
set -euo pipefail
build=$1
status=0
n=0
while read -r file; do
  entries=$(readelf -d "$file" 2>/dev/null | sed -n 's/.*\(RUNPATH\|RPATH\).*\[\(.*\)\]/\2/p') || true
  [ -n "$entries" ] || continue
  n=$((n + 1))
  while read -r entry; do
    case $entry in
      "\$ORIGIN" | "\$ORIGIN"/* | /*) ;;
      *)
        echo "$file: its RUNPATH has \"$entry\", expected a path that begins with \$ORIGIN or /" >&2
        status=1
        ;;
    esac
  done < <(tr : '\n' <<<"$entries")
done < <(find "$build" -type f \( -perm -u+x -o -name '*.so*' \) ! -name '*.sh' ! -name '*.py' ! -name '*.o')
[ "$n" -gt 0 ] || { echo "$build: expected programs with a RUNPATH, and found none" >&2; exit 1; }
exit $status
