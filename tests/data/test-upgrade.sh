#!/usr/bin/env bash
# test-upgrade.sh: the settings and the run that f8229eb, of version 0.1.0, has left are those that this version finds
# SPDX-License-Identifier: MIT
#
# Arguments: memlane-cli, the folder with the compiled settings, the folder of what was left. tests/ui/model reads the folder of runs.
set -euo pipefail
cli=$(realpath "$1")
schemas=$(realpath "$2")
left=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/config/glib-2.0/settings"
cp "$left/settings.ini" "$work/config/glib-2.0/settings/keyfile"
export XDG_CONFIG_HOME="$work/config" XDG_CACHE_HOME="$work/cache" GSETTINGS_BACKEND=keyfile GSETTINGS_SCHEMA_DIR="$schemas" LC_ALL=C.UTF-8
unset DBUS_SESSION_BUS_ADDRESS
status=0
settings=0
while IFS='=' read -r key value; do
  found=$(gsettings get io.github.memlane.Memlane "$key" 2>&1 || true)
  settings=$((settings + 1))
  [ "${found#uint32 }" = "$value" ] && continue
  echo "the setting $key was $value, and is '$found'" >&2
  status=1
done < <(sed 1d "$left/settings.ini")
[ "$settings" -ge 8 ] || { echo "hardly any settings were found" >&2; status=1; }
for run in "$left"/runs/*-vector-add.csv; do
  "$cli" decide "$run" --size 11 >"$work/said" 2>&1 && grep -q 'use mapped' "$work/said" && continue
  echo "$run: was not read:" >&2
  cat "$work/said" >&2
  status=1
done
exit $status
