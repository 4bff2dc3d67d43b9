#!/usr/bin/env bash
# test-run.sh: what app/run says and does on a system that lacks something; meson, ninja and dpkg are played here
# SPDX-License-Identifier: MIT
set -euo pipefail
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
chmod 755 "$work"
mkdir -p "$work/tree/app" "$work/bin" "$work/here"
chmod 777 "$work/tree" "$work/here"
cp "$source/app/run" "$source/app/prepare.sh" "$work/tree/app/"

# The build: a log with what was not found, and a program that says how it was called.
cat >"$work/bin/meson" <<'FAKE'
#!/usr/bin/env bash
mkdir -p "$2/meson-logs" "$2/app"
touch "$2/build.ninja"
printf '%s\n' "$LOG" >"$2/meson-logs/meson-log.txt"
FAKE
cat >"$work/bin/ninja" <<'FAKE'
#!/usr/bin/env bash
[ -z "$COMPILER_FAILS" ] || { echo 'gcc: command not found' && exit 1; }
cat >"$2/app/memlane-cli" <<'CLI'
#!/usr/bin/env bash
case "$1 $2" in
  'plot --help') [ -n "$FIGURES" ] ;;
  sweep*) echo cells >memlane.csv ;;
  plot*) echo svg >memlane.svg ;;
esac
CLI
chmod +x "$2/app/memlane-cli"
FAKE
cat >"$work/bin/dpkg-query" <<'FAKE'
#!/usr/bin/env bash
[ -z "$ABSENT" ] || case " $ABSENT " in *" ${*: -1} "*) exit 1 ;; esac
printf installed
FAKE
printf '#!/usr/bin/env bash\nexit 1\n' | tee "$work/bin/sudo" >"$work/bin/apt-get"
chmod +x "$work/bin"/*
export PATH="$work/bin:$PATH" LOG='' COMPILER_FAILS='' FIGURES='yes' ABSENT=''
unset DISPLAY WAYLAND_DISPLAY

# expect STATUS FILES TEXT...: app/run without a display ends so, leaves these files and says each text
expect() {
  local status=0 wanted=$1 files=$2
  shift 2
  rm -rf "$work/tree/build" "$work/here"/*
  (cd "$work/here" && "${as[@]}" "$work/tree/app/run") >"$work/said" 2>&1 || status=$?
  if [ "$status" -ne "$wanted" ] || [ "$(cd "$work/here" && echo *)" != "$files" ]; then
    echo "status $status and $(cd "$work/here" && echo *), expected $wanted and $files; it said:" >&2
    cat "$work/said" >&2
    failed=1
  fi
  for text in "$@"; do
    grep -qF -- "$text" "$work/said" && continue
    echo "it did not say '$text', but:" >&2
    cat "$work/said" >&2
    failed=1
  done
}

as=()
LOG="Run-time dependency glib-2.0 found: YES 2.74.6
Dependency gtk4 found: NO found 4.6.9 but need: '>= 4.8'
Run-time dependency gtk4 found: NO (tried pkgconfig and cmake)
Dependency libadwaita-1 found: NO. Found 1.1.7 but need: '>= 1.2'."
expect 0 'memlane.csv memlane.svg' "no window in this build, for meson did not find: gtk4 found 4.6.9 but need: '>= 4.8'; libadwaita-1"
LOG='Run-time dependency cairo found: NO (tried pkgconfig)
Run-time dependency gtk4 found: NO (tried pkgconfig)'
FIGURES='' expect 0 memlane.csv 'meson did not find: cairo (tried pkgconfig); gtk4 (tried pkgconfig)' \
  'no figure: this build has no Cairo and Pango'
COMPILER_FAILS=yes expect 1 '*' 'gcc: command not found'

# What has not changed is not asked for again: the program starts at once. A source that changes is built.
expect 0 'memlane.csv memlane.svg' 'building; this takes about two minutes'
asked() {
  : >"$work/asked"
  (cd "$work/here" && "${as[@]}" "$work/tree/app/run" devices) >/dev/null 2>&1 || failed=1
  [ "$(sort -u "$work/asked" | paste -sd ' ')" = "$1" ] || { echo "asked $(cat "$work/asked"), expected $1" >&2; failed=1; }
}
for program in meson ninja dpkg-query; do
  sed -i "2i echo $program >>$work/asked" "$work/bin/$program"
done
asked ''
sleep 0.01
touch "$work/tree/app/run"
asked 'dpkg-query meson ninja'
asked ''

# Packages that are missing, and nobody who may install them: by name, before anything is built.
if [ "$(id -u)" -eq 0 ]; then
  as=(setpriv --reuid=65534 --clear-groups)
fi
ABSENT='gcc meson' expect 1 '*' 'installing gcc meson'
rm "$work/bin/sudo"
if ! command -v sudo >/dev/null; then # in a bare system, as in CI
  ABSENT='gcc meson' expect 1 '*' 'missing packages: gcc meson; install them as root: apt-get install gcc meson'
fi
exit "$failed"
