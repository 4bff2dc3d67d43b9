#!/usr/bin/env bash
# alone.sh: runs a program on a virtual display and a session bus of its own: tests side by side share neither focus nor clipboard
# SPDX-License-Identifier: MIT
#
# Without Xvfb or dbus-run-session it runs the program as it is, which then skips where there is no display.
set -euo pipefail
if ! command -v Xvfb >/dev/null || ! command -v dbus-run-session >/dev/null; then
  exec "$@"
fi

folder=$(mktemp -d)
server=
leave() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  rm -rf "$folder"
}
trap leave EXIT

# Room for a wall of 1920x1080. The server takes the first number that is free and says which, when it is ready.
mkfifo "$folder/number"
env -u MALLOC_PERTURB_ Xvfb -displayfd 3 -screen 0 2048x1200x24 -noreset -nolisten tcp 3>"$folder/number" >"$folder/log" 2>&1 &
server=$!
read -r number <"$folder/number" || {
  cat "$folder/log" >&2
  exit 1
}
export DISPLAY=":$number"
unset WAYLAND_DISPLAY
status=0
dbus-run-session -- "$@" || status=$?
exit $status
