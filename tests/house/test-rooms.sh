#!/usr/bin/env bash
# test-rooms.sh: the engine includes neither GTK nor Cairo, figures and models no GTK; headers of CUDA stay at home; JSON is checked
# SPDX-License-Identifier: MIT
set -euo pipefail
cd "$1"
status=0

# check MESSAGE PATTERN FOLDER...: no C source in the folders includes what matches
check() {
  local message=$1 pattern=$2 found
  shift 2
  found=$(find "$@" -name '*.[ch]' -exec grep -nE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($pattern)" {} + || true)
  if [ -n "$found" ]; then
    printf '%s:\n%s\n' "$message" "$found" >&2
    status=1
  fi
}

check 'the engine must not know what is drawn' 'gtk|gdk|cairo|pango|adwaita|ui/' engine
check 'memlane-cli must build without GTK' 'gtk|gdk|gsk|adwaita' app/cli*
check 'figures are drawn without GTK' 'gtk|gdk|gsk|adwaita' ui/chart
check 'models know no widget' 'gtk|gdk|gsk|adwaita' ui/model
check 'figures know no model' '([.][.]/)*model/' ui/chart
# shellcheck disable=SC2046
check "pages, models and programs use what a figure's header says of it, not what it keeps" \
  '(.*/)?(plot-layout|timeline-layout|decide-map-layout|pivot-private)' \
  app $(find ui -mindepth 1 -maxdepth 1 -type d ! -name chart)
# shellcheck disable=SC2046
check 'only kernels/ and engine/device/cuda/ may include CUDA' 'device/cuda/|cuda|cupti|nvml|nvtx' \
  $(find app ui engine -name '*.[ch]' ! -path 'engine/device/cuda/*')

# These getters return NULL, or print a warning, where the member has another type.
found=$(grep -rnE --include='*.[ch]' 'json_object_get_[a-z]+_member_with_default' app engine ui || true)
if [ -n "$found" ]; then
  printf 'a JSON member is checked before it is read:\n%s\n' "$found" >&2
  status=1
fi

# Whoever writes a file chooses its words: a hash without a seed lets them collide. A dash of an unknown mode is drawn the same each time.
found=$(grep -rn --include='*.[ch]' 'g_str_hash *[,)]' app engine ui || true)
if [ -n "$found" ]; then
  printf 'a table of words needs memlane_hash_text, which has a seed:\n%s\n' "$found" >&2
  status=1
fi

# What is built on the engine makes do with what is installed, by its one header, and with base/, which knows nothing of devices.
while IFS=: read -r file header; do
  [ -e "engine/$header" ] || continue
  [ "${header%/*}" = base ] || { echo "$file includes engine/$header; the engine's public header is memlane.h" >&2; status=1; }
done < <(grep -rHoP --include='*.[ch]' '^#include "\K[a-z-]+/[^"]+' app ui)
exit $status
