#!/usr/bin/env bash
# test-module.sh: a module of the CUDA device that is damaged, foreign or of another version is refused in a sentence, and the rest works
# SPDX-License-Identifier: MIT
#
# Arguments: memlane-cli, the library, the compiler. The module is played by small libraries, so no toolkit is needed.
set -euo pipefail
cli=$(realpath "$1")
library=$(realpath "$2")
compiler=("${@:3}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/memlane"
ln -s "$library" "$work/libmemlane.so.1"
ln -s "$(dirname "$library")/memlane-worker" "$work/memlane/"
export LD_LIBRARY_PATH="$work"
module=$work/memlane/memlane-cuda.so
version=$("$cli" --version | sed -n '1s/.* //p')
failed=0

# expect TEXT CASE: the module that lies there is refused with TEXT, and the simulated devices are there
expect() {
  local status=0
  timeout 60 "$cli" devices >"$work/said" 2>&1 || status=$?
  if [ "$status" -ne 0 ] || ! grep -qF -- "$1" "$work/said" || ! grep -q '^simulated:h200 ' "$work/said"; then
    echo "$2: status $status, expected 0 and '$1'; it said:" >&2
    cut -c1-300 "$work/said" >&2
    failed=1
  fi
}

expect 'memlane-cuda.so; install the package memlane-cuda, or build Memlane with nvcc' 'no module'
# said TEXT: what --version says of the device
said() {
  "$cli" --version | grep -qF -- "CUDA device: $1" || { "$cli" --version >&2; echo "expected $1" >&2; failed=1; }
}
said "no (no CUDA support is installed: there is no $module; install the package memlane-cuda"
# With a megabyte in it, so that there is something to cut.
printf 'const char *const memlane_module_version = "9.9.9";\nchar memlane_module_driver[1 << 20] = { 1 };\n' \
  | "${compiler[@]}" -shared -fPIC -x c - -o "$work/other"
cp "$work/other" "$module"
expect "is of version 9.9.9, and Memlane is of version $version; install both of one version" 'another version'
said "no ($module is of version 9.9.9"
# lld puts a segment without bytes behind the others, and strip leaves it behind the end of the file: GNU_STACK plays it here.
python3 - "$module" <<'PYTHON'
import struct, sys
data = bytearray(open(sys.argv[1], 'rb').read())
start, size, count = struct.unpack_from('<Q', data, 32)[0], *struct.unpack_from('<HH', data, 54)
stack, = [at for at in range(start, start + size * count, size) if struct.unpack_from('<I', data, at)[0] == 0x6474e551]
assert struct.unpack_from('<Q', data, stack + 32)[0] == 0, 'a segment with bytes'
struct.pack_into('<Q', data, stack + 8, len(data) + 4096)
open(sys.argv[1], 'wb').write(data)
PYTHON
expect 'is of version 9.9.9' 'a segment without bytes behind the end'
echo 'int none (void) { return 0; }' | "${compiler[@]}" -shared -fPIC -x c - -o "$module"
expect 'is of version unknown, and Memlane is of version' 'a library of another kind'
cat >"$work/tomorrow.c" <<C
extern int memlane_of_tomorrow (void);
const char *const memlane_module_version = "$version";
int memlane_module_driver (void) { return memlane_of_tomorrow (); }
C
"${compiler[@]}" -shared -fPIC "$work/tomorrow.c" -o "$module" -Wl,--unresolved-symbols=ignore-all
expect 'memlane_of_tomorrow' 'a call that the library lacks'
echo none >"$module"
expect 'it is no library of this machine' 'a text'
: >"$module"
expect 'it is no library of this machine' 'an empty file'
cp "$work/other" "$module"
printf '\267\0' | dd of="$module" bs=1 seek=18 conv=notrunc status=none # e_machine of aarch64
[ "$(uname -m)" != aarch64 ] || printf '\076\0' | dd of="$module" bs=1 seek=18 conv=notrunc status=none
expect 'it is for another processor' 'another architecture'
# The loader maps what is not there, and the first access kills: at each length from the header to the last page.
size=$(stat -c %s "$work/other")
for bytes in 20 64 100 1000 4096 8192 16384 65536 $((size / 2)) 1050000; do
  [ "$bytes" -lt "$size" ] || continue
  head -c "$bytes" "$work/other" >"$module"
  expect 'install the package again' "$bytes of $size bytes"
done
rm "$module"
mkdir "$module"
expect 'it is no file' 'a folder'
rmdir "$module"
mkfifo "$module"
expect 'it is no file' 'a pipe'
rm "$module"
cp "$work/other" "$module"
chmod 000 "$module"
if [ "$(id -u)" -ne 0 ]; then
  expect 'Permission denied' 'a module that may not be read'
fi
exit "$failed"
