#!/usr/bin/env bash
# test-install.sh: what `ninja install` puts down is complete: the manual's example compiles, links and runs against it
# SPDX-License-Identifier: MIT
#
# Arguments: build folder, compiler command. MEMLANE_DATA_DIR is left unset: the installed profiles must be found.
set -euo pipefail
build=$1
shift

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
unset MEMLANE_DATA_DIR LD_LIBRARY_PATH # meson names the build tree there
DESTDIR=$tree meson install -C "$build" --no-rebuild --quiet

config=$(find "$tree" -name memlane.pc)
[ -n "$config" ] || { echo "memlane.pc is not installed" >&2; exit 1; }
library=$(dirname "$(dirname "$config")")
prefix=$(sed -n 's/^prefix=//p' "$config")
files=(bin/memlane-cli include/memlane/memlane.h include/memlane/result/phase.h share/man/man1/memlane-cli.1 share/man/man3/memlane.3
       share/memlane/devices/h200.device share/memlane/recordings/h200-vector-add.csv
       share/memlane/recordings/h200-vector-add.environment.json share/memlane/published.csv)
id=io.github.memlane.Memlane
if [ -x "$build/app/memlane" ]; then
  files+=(bin/memlane share/man/man1/memlane.1 "share/applications/$id.desktop" "share/metainfo/$id.metainfo.xml"
          "share/glib-2.0/schemas/$id.gschema.xml" "share/icons/hicolor/scalable/apps/$id.svg"
          "share/icons/hicolor/symbolic/apps/$id-symbolic.svg" share/locale/zh_CN/LC_MESSAGES/memlane.mo)
fi
for file in "${files[@]}"; do
  [ -s "$tree$prefix/$file" ] || { echo "$prefix/$file is not installed" >&2; exit 1; }
done
# What only judges read stays in the tree.
for left in recordings/replicates recordings/tries.txt recordings/README.md devices/README.md; do
  [ ! -e "$tree$prefix/share/memlane/$left" ] || { echo "$left is installed, but is for the tree alone" >&2; exit 1; }
done
for private in device/device.h mode/mode.h device/device-calls.h device/device-driver.h mode/buffers.h base/i18n.h; do
  [ ! -e "$tree$prefix/include/memlane/$private" ] || { echo "$private is installed, but is not public" >&2; exit 1; }
done

lists=$(dirname "${BASH_SOURCE[0]}")/../../data/packaging/debian
without=()
[ -e "$library/memlane/memlane-cuda.so" ] || without+=(cuda)
[ -x "$build/app/memlane" ] || without+=(gui)
"$(dirname "${BASH_SOURCE[0]}")/installed-packages.py" "$lists" "$tree$prefix" "${without[@]}"

# The prefix that the .pc file names does not exist yet, it lies below DESTDIR; and no other package is to be moved with it.
mkdir "$tree/pkgconfig"
sed "s|^prefix=.*|prefix=$tree$prefix|" "$config" >"$tree/pkgconfig/memlane.pc"
flags=$(PKG_CONFIG_PATH=$tree/pkgconfig pkg-config --cflags --libs memlane)
sanitize=
if readelf -d "$library/libmemlane.so" | grep -q libasan; then
  sanitize=-fsanitize=address,undefined
elif readelf -d "$library/libmemlane.so" | grep -q libtsan; then
  sanitize=-fsanitize=thread
fi
# The program between .EX and .EE, as a reader would copy it from the page.
sed -n '/^\.EX$/,/^\.EE$/{/^\./d;s/\\e/\\/g;p}' "$tree$prefix/share/man/man3/memlane.3" >"$tree/three-modes.c"
# shellcheck disable=SC2086 # flags are words
"$@" -Wall -Wextra -Werror $sanitize "$tree/three-modes.c" -o "$tree/three-modes" $flags

# What memlane.h declares is the public face, and nothing else is. The programs' own calls have another version.
# shellcheck disable=SC2086
echo '#include <memlane.h>' | "$@" -E -P -x c - $flags | grep -oE '\<memlane_[a-z0-9_]+ \(' | tr -d ' (' | sort -u >"$tree/declared"
nm -D --defined-only "$library/libmemlane.so" | sed -n 's/^.* T \(memlane[^@]*\)@@MEMLANE_1$/\1/p' | sort >"$tree/exported"
diff "$tree/declared" "$tree/exported" || { echo "declared (<) and exported (>) are not the same" >&2; exit 1; }
functions=$(wc -l <"$tree/exported")
headers=$(find "$tree$prefix/include" -name '*.h' | wc -l)
[ "$functions" -ge 40 ] || { echo "expected the functions of memlane.h, and found $functions" >&2; exit 1; }
if [ "$functions" -gt 60 ] || [ "$headers" -gt 2 ]; then
  echo "expected at most 60 public functions in 2 headers, and found $functions in $headers" >&2
  exit 1
fi
unversioned=$(nm -D --defined-only "$library/libmemlane.so" | grep ' T ' | grep -v '@@MEMLANE_\(1\|PRIVATE\)$' || true)
if [ -n "$unversioned" ]; then
  echo "symbols without a version are exported: $unversioned" >&2
  exit 1
fi

# Both programs are linked with the library, and find it below any prefix.
for program in "$tree$prefix"/bin/*; do
  libraries=$(ldd "$program")
  grep -qF "libmemlane.so.1 => $tree$prefix/" <<<"$libraries" || {
    echo "$program does not use the installed libmemlane.so.1: $(grep memlane <<<"$libraries")" >&2
    exit 1
  }
done

export PATH="$tree$prefix/bin:$PATH" LD_LIBRARY_PATH="$library"
export XDG_STATE_HOME="$tree/state" XDG_DATA_HOME="$tree/data" XDG_DATA_DIRS="$tree$prefix/share"
"$tree/three-modes" simulated:h200 >"$tree/table"
cat "$tree/table"
[ "$(grep -cE '^(pageable|pinned|mapped) +(4096|8192|16384|32768|65536) +[0-9]+\.[0-9]{2} +[0-9]+\.[0-9]{2}$' "$tree/table")" -eq 15 ] || {
  echo "the example did not print three modes at five sizes" >&2
  exit 1
}
"$tree$prefix/bin/memlane-cli" devices
# Without the module of the CUDA device, and with one that is broken or of another version, everything else works.
module=$library/memlane/memlane-cuda.so
if [ -e "$module" ]; then
  version=$("$tree$prefix/bin/memlane-cli" --version | sed -n '1s/.* //p')
  sed "s/${version//./\\.}/9.9.9/g" "$module" >"$tree/other"
  mv "$module" "$tree/module"
  devices=$("$tree$prefix/bin/memlane-cli" devices)
  grep -q 'no CUDA support is installed: there is no .*/memlane-cuda.so' <<<"$devices" || { echo "no module: $devices" >&2; exit 1; }
  echo none >"$module"
  devices=$("$tree$prefix/bin/memlane-cli" devices)
  grep -q 'memlane-cuda.so cannot be loaded: it is no library' <<<"$devices" || { echo "no module at all: $devices" >&2; exit 1; }
  cp "$tree/other" "$module"
  devices=$("$tree$prefix/bin/memlane-cli" devices)
  grep -q 'is of version 9.9.9, and Memlane is of version' <<<"$devices" || { echo "another version: $devices" >&2; exit 1; }
  mv "$tree/module" "$module"
fi
"$tree$prefix/bin/memlane-cli" sweep --device simulated:h200 --modes pinned --sizes 10 --csv "$tree/out.csv" --quiet
[ -s "$tree/out.csv" ]

# The window's program finds its libraries and says its version; that it opens is for tests/ui to see.
if [ -x "$build/app/memlane" ]; then
  "$tree$prefix/bin/memlane" --version
fi
