# prepare.sh: sourced by app/run and tests/run; what a fresh Debian or Ubuntu lacks is installed, nothing else is touched
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

# What building takes; a package that is there already is left as it is.
memlane_build_packages=(gcc libc6-dev meson ninja-build pkg-config libglib2.0-dev libjson-glib-dev libhwloc-dev libcsv-dev)

# prepare PACKAGE...
prepare() {
  local package missing=() as_root=()

  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "no apt-get here; meson says what is missing, by Debian's names it is: $*" >&2
    return 0
  fi
  for package in "$@"; do
    if [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)" != installed ]; then
      missing+=("$package")
    fi
  done
  [ ${#missing[@]} -gt 0 ] || return 0

  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "missing packages: ${missing[*]}; install them as root: apt-get install ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "installing ${missing[*]}" >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq update >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${missing[@]}" >&2
}

# configure FOLDER OPTION...: as asked, also where an earlier attempt was cut short
configure() {
  local folder=$1
  shift
  if [ -f "$folder/build.ninja" ]; then
    meson configure "$folder" "$@" >&2
  else
    rm -rf "$folder"
    meson setup "$folder" "$memlane_source" "$@" >&2
  fi
}
