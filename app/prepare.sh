# prepare.sh: sourced by app/run and tests/run; what a fresh Debian or Ubuntu lacks is installed, nothing else is touched
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

# What building takes; a package that is there already is left as it is.
memlane_build_packages=(gcc libc6-dev meson ninja-build pkg-config libglib2.0-dev libjson-glib-dev libhwloc-dev libcsv-dev
  libsqlite3-dev libxxhash-dev)
# nvcc compiles with the C++ compiler of the system. Debian's nvcc brings its own.
[ ! -x /usr/local/cuda/bin/nvcc ] || memlane_build_packages+=(g++)
# What figures take besides, and the window: without them meson builds a smaller program. A font and the SVG loader are needed to run it.
memlane_chart_packages=(libcairo2-dev libpango1.0-dev fonts-dejavu-core)
memlane_window_packages=(libgtk-4-dev libadwaita-1-dev libglib2.0-bin gettext adwaita-icon-theme librsvg2-common)

memlane_as_root=()
memlane_has_updated=
memlane_has_installed=

# missing PACKAGE...: those that are not installed
missing() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)" = installed ] || echo "$package"
  done
}

have_apt() {
  command -v apt-get >/dev/null && command -v dpkg-query >/dev/null
}

# install_packages PACKAGE...: as root or by sudo
install_packages() {
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "missing packages: $*; install them as root: apt-get install $*" >&2
      return 1
    fi
    memlane_as_root=(sudo)
  fi
  echo "installing $*" >&2
  update_packages
  "${memlane_as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" >&2 || return 1
  memlane_has_installed=yes
}

update_packages() {
  [ -z "$memlane_has_updated" ] || return 0
  "${memlane_as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq update >&2 || return 1
  memlane_has_updated=yes
}

# prepare PACKAGE...: what there is no way without
prepare() {
  local packages

  if ! have_apt; then
    echo "no apt-get here; meson says what is missing, by Debian's names it is: $*" >&2
    return 0
  fi
  mapfile -t packages < <(missing "$@")
  [ ${#packages[@]} -eq 0 ] || install_packages "${packages[@]}"
}

# is_offered PACKAGE VERSION: this system has it, or could install it, in that version or a newer one
is_offered() {
  local candidate
  candidate=$(apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: //p')
  [ -n "$candidate" ] && [ "$candidate" != '(none)' ] && dpkg --compare-versions "$candidate" ge "$2"
}

# prepare_window PACKAGE...: figures and the window with the packages, as far as this system offers them. Never fails: an older system, a
# machine without a network or a person without rights gets the smaller program, and is told so.
prepare_window() {
  local packages wanted=("${memlane_chart_packages[@]}" "${memlane_window_packages[@]}" "$@")

  have_apt || return 0
  mapfile -t packages < <(missing "${wanted[@]}")
  [ ${#packages[@]} -gt 0 ] || return 0
  # A fresh image knows no package at all before the first update.
  apt-cache show libgtk-4-dev >/dev/null 2>&1 || { [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; } || update_packages || true
  if ! is_offered libgtk-4-dev 4.8 || ! is_offered libadwaita-1-dev 1.2; then
    echo "this system has no GTK 4.8 and libadwaita 1.2: Memlane is built without its window" >&2
    mapfile -t packages < <(missing "${memlane_chart_packages[@]}")
    [ ${#packages[@]} -gt 0 ] || return 0
  fi
  install_packages "${packages[@]}" || echo "going on without ${packages[*]}: meson's summary says what is built" >&2
}

# not_found FOLDER: the libraries that its meson did not find, or not new enough, in meson's own words
not_found() {
  sed -n -E "s/^(Run-time d|D)ependency ([^ ]+) found: NO[ .]*(.*)/\2 \3/p" "$1/meson-logs/meson-log.txt" 2>/dev/null \
    | awk '!($1 in said) { said[$1]; printf "%s%s", sep, $0; sep = "; " }'
}

# configure FOLDER OPTION...: as asked, also where an earlier attempt was cut short, or where more is installed than there was then
configure() {
  local folder=$1
  shift
  if [ -f "$folder/build.ninja" ] && [ -z "$memlane_has_installed" ]; then
    meson configure "$folder" "$@" >&2
  else
    rm -rf "$folder"
    meson setup "$folder" "$memlane_source" "$@" >&2
  fi
}
