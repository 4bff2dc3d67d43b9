#!/usr/bin/env bash
# test-readme.sh: every command that README.md prints, run as it is printed, from the repository's root
# SPDX-License-Identifier: MIT
#
#   test-readme.sh SOURCE            in SOURCE itself, which app/run builds
#   test-readme.sh SOURCE installed  those of the command line, with the installed memlane-cli in the place of app/run
#   test-readme.sh SOURCE BUILD      in a copy whose build consists of BUILD's programs; nothing is compiled
#
# Hosts are those of README's configuration. Their commands run here, and a simulated device stands for their cuda:0.
set -euo pipefail
source=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/config" "$work/config/memlane"
unset DISPLAY WAYLAND_DISPLAY
export XDG_CONFIG_HOME="$work/config" XDG_STATE_HOME="$work/state" DESTDIR="$work/installed" PATH="$work/bin:$PATH"
printf '#!/bin/sh\nexec "$@"\n' >"$work/bin/sudo"
printf '#!/bin/sh\nshift\nexec "$@"\n' | tee "$work/bin/ssh" >"$work/bin/srun" # the host, the resources

tree=$source
installed=
if [ "${2:-}" = installed ]; then
  installed=yes
  tree=$work/here
  mkdir "$tree"
  ln -s "$source/data" "$tree/data"
elif [ $# -gt 1 ]; then
  build=$(cd "$2" && pwd)
  tree=$work/tree
  mkdir -p "$tree/app" "$tree/tests"
  cp "$source/app/run" "$source/app/prepare.sh" "$tree/app/"
  cp "$source/tests/run" "$tree/tests/"
  ln -s "$source/data" "$tree/data"
  printf '#!/bin/sh\nmkdir -p "$2/app" && touch "$2/build.ninja"\n' >"$work/bin/meson"
  printf '#!/bin/sh\ntest -f "$2/build.ninja" && ln -sf "%s"/app/memlane-cli "$2/app/"\n' "$build" >"$work/bin/ninja"
  printf '#!/bin/sh\nprintf installed\n' >"$work/bin/dpkg-query"
fi
chmod +x "$work/bin"/*
[ -n "$installed" ] || ln -s "$tree/build/run/app/memlane-cli" "$work/bin/memlane-cli" # on the hosts it is installed
cd "$tree"

# block LANGUAGE FILE: the lines of its fenced blocks
block() {
  awk -v language="$1" '/^```/ { inside = !inside; wanted = inside && substr ($0, 4) == language; next } wanted' "$2"
}

failed=0
for readme in README.md data/doc/README.zh_CN.md; do
  block ini "$source/$readme" >"$XDG_CONFIG_HOME/memlane/hosts"
  block sh "$source/$readme" >"$work/commands"
  [ "$(grep -c '^\./app/run ' "$work/commands")" -ge 9 ] || { echo "$readme: hardly any commands were found" >&2; failed=1; }
  if block '' "$source/$readme" | grep -q memlane; then
    echo "$readme: commands stand in a block without a language, so they are not tested" >&2
    failed=1
  fi
  # The same commands stand in both: one run of each is enough.
  sed 's/ *#.*//' "$work/commands" >"$work/bare"
  if [ "$readme" != README.md ]; then
    diff "$work/first" "$work/bare" >&2 || { echo "$readme: its commands differ from README.md's" >&2; failed=1; }
    continue
  fi
  cp "$work/bare" "$work/first"
  while read -r command; do
    # The tests and the packages take their time: tests/systems runs these as they are printed.
    program=${command#sudo }
    case $program in
      ./tests/run | data/packaging/build-deb*)
        [ -x "$source/${program%% *}" ] || { echo "$command: cannot be executed" >&2; failed=1; }
        continue
        ;;
      apt\ *) continue ;;
      *) ;;
    esac
    if [ -n "$installed" ]; then
      case $command in
        './app/run '*) command="memlane-cli ${command#./app/run }" ;;
        *) continue ;;
      esac
    fi
    status=0
    bash -c "${command/cuda:0/simulated:h200}" >"$work/said" 2>&1 </dev/null || status=$?
    [ "$status" -eq 0 ] && continue
    { echo "$readme: '$command' ended with $status and said:" && cat "$work/said"; } >&2
    failed=1
  done <"$work/bare"
done
for file in memlane.csv memlane.environment.json memlane.svg report.html gpu1.csv cluster.csv; do
  [ -s "$file" ] || { echo "$file: was not written by the commands of README.md" >&2; failed=1; }
done
exit "$failed"
