# bare.sh: sourced by run and packages; bare Debian systems, and commands in them
# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# The script that sources it has set memlane_source and needed_gib. It gets suites and cache from the arguments, and the functions below.
# What a mirror that does not answer leaves undone is skipped, and not failed.
# All is done in namespaces: mounts and processes end with the script, however it ends.
# shellcheck source=app/prepare.sh
. "$memlane_source/app/prepare.sh"
cache="${XDG_CACHE_HOME:-/var/cache}/memlane-systems"
mirror=
suites=()
script="tests/systems/$(basename "$0")"

give_up() {
  echo "$script: $*" >&2
  exit 2
}

while [ $# -gt 0 ]; do
  case $1 in
    --mirror | --cache) [ $# -gt 1 ] || give_up "$1 takes a value" ;;&
    --mirror) mirror=${2%/} && shift ;;
    --cache) cache=$2 && shift ;;
    -h | --help) sed -n '2,/^set/{s/^# \{0,1\}//p}' "$0" && exit ;;
    *[!a-z]* | '') give_up "'$1' is no suite; a suite is one lower-case word, as trixie" ;;
    *) suites+=("$1") ;;
  esac
  shift
done
[ ${#suites[@]} -gt 0 ] || suites=(bookworm trixie)


[ "$(id -u)" -eq 0 ] || give_up "takes root, to bootstrap a system and to enter it: sudo $script"
command -v apt-get >/dev/null || give_up 'takes a Debian or one made from it: there is no apt-get here'
unshare --mount --propagation private --pid --fork true 2>/dev/null \
  || give_up 'takes namespaces of mounts and processes, which this machine does not give: a container needs --privileged'
mkdir -p "$cache" || give_up "$cache: cannot be made; name another folder with --cache"
cache=$(cd "$cache" && pwd)
exec 9>"$cache/lock"
flock -n 9 || give_up "$cache: another run is at work there; wait for it, or name another folder with --cache"
rm -rf --one-file-system "$cache"/*.part "$cache"/*.run # of a run that was killed: nothing is mounted there once it is gone
free_gib=$(($(df --output=avail -k "$cache" | tail -n 1) / 1048576))
[ "$free_gib" -ge "$needed_gib" ] \
  || give_up "$cache: $free_gib GiB are free there and $needed_gib are needed; name another folder with --cache"

child=
leave() {
  trap - EXIT
  # The first process of the namespace dies with unshare, and all others and the mounts with it.
  [ -z "$child" ] || { kill -KILL "$child" && wait "$child"; } 2>/dev/null || true
  rm -rf --one-file-system "$cache"/*.part "$cache"/*.run
}
trap leave EXIT
trap 'exit 130' INT TERM HUP

# alone SCRIPT ARGUMENT...: bash's SCRIPT in namespaces of its own
alone() {
  local status=0
  # --pdeathsig: also when this script is killed in a way that it cannot see.
  setpriv --pdeathsig KILL unshare --mount --propagation private --pid --fork --kill-child -- bash -ec "$@" 9>&- </dev/null &
  child=$!
  wait "$child" || status=$?
  child=
  return "$status"
}

# within ROOT COMMAND [FOLDER PLACE]...: as root's login would find it, without a display; each FOLDER of this machine is seen at its PLACE
within() {
  alone '
    mount --rbind "$1" "$1" # so that the root is a mount there, too, and can be made private once more
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev" # with pts and shm
    mount -t sysfs sysfs "$1/sys"
    root=$1 command=$2
    shift 2
    while [ $# -gt 0 ]; do
      mkdir -p "$root$2"
      mount --bind "$1" "$root$2"
      shift 2
    done
    exec chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} bash -c "cd /root/memlane && $command"
  ' bash "$@" "$archives" /var/cache/apt/archives
}

if [ -z "$mirror" ]; then
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Component: main' 2>/dev/null \
    | grep -v -- '-security/*$' | head -n 1 || true)
  [ -n "$mirror" ] || give_up "this machine's apt names no mirror of Debian: name one with --mirror"
  mirror=${mirror%/}
fi

# What apt says of a mirror that cannot be reached; it is no word of a test.
unreachable='Temporary failure|Could not (resolve|connect)|[Cc]onnection (failed|timed out|refused)'
unreachable="^[EW]: Failed to fetch .*($unreachable)|^E: (Couldn.t download|Failed getting release file)"

# conclude VERDICT LOG: counts it, and a failure for want of the mirror as skipped; $verdict becomes the word for it
conclude() {
  verdict=$1
  [ "$verdict" = passed ] || ! grep -qE "$unreachable" "$2" 2>/dev/null || verdict='skipped: the mirror cannot be reached'
  case $verdict in
    passed) passed=$((passed + 1)) ;;
    skipped*) skipped=$((skipped + 1)) ;;
    *) failed=$((failed + 1)) ;;
  esac
}

# is_fresh FOLDER: it holds a system that was bootstrapped to its end, not long ago
is_fresh() {
  [ ! -d "$1/debootstrap" ] && [ -x "$1/usr/bin/apt-get" ] && [ -s "$1/etc/apt/sources.list" ] \
    && [ -z "$(find "$1/etc/apt/sources.list" -mtime +30)" ]
}

# bootstrap SUITE: into the cache, unless it is there and fresh; counts, and 1 and one message, when that fails
bootstrap() {
  local suite=$1 bare="$cache/$1" part="$cache/$1.part" log="$cache/$1-bootstrap.log" answer script=() verdict

  # debootstrap would wait long for a mirror that is not there, and not say which of the two is wrong.
  mkdir "$part"
  if ! answer=$(/usr/lib/apt/apt-helper -o Acquire::Retries=0 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 \
    -o APT::Sandbox::User=root download-file "$mirror/dists/$suite/Release" "$part/Release" 2>&1); then
    echo "$answer" >"$log"
    answer=$(sed -n 's/^E: Failed to fetch //p' <<<"$answer" | tr -s ' ' | head -n 1)
    conclude FAILED "$log"
    echo "$suite: ${answer:-$mirror does not answer}; name another mirror with --mirror, or another suite ($verdict)"
    return 1
  fi
  if is_fresh "$bare"; then
    rm -rf "$part"
    return 0
  fi
  command -v debootstrap >/dev/null || prepare debootstrap >&2 || return 1
  rm -rf "$part"
  [ -e "/usr/share/debootstrap/scripts/$suite" ] || script=(/usr/share/debootstrap/scripts/sid)
  rm -rf --one-file-system "$bare"
  if ! alone 'exec debootstrap "$@"' bash --variant=minbase "$suite" "$part" "$mirror" "${script[@]}" >"$log" 2>&1; then
    answer=$(grep -m 1 'No space left on device' "$log" || grep '^E:' "$log" | tail -n 1 || tail -n 1 "$log")
    conclude FAILED "$log"
    echo "$suite: debootstrap failed: $answer; all of it: $log ($verdict)"
    return 1
  fi
  echo 'Acquire::Retries "5";' >"$part/etc/apt/apt.conf.d/retries"
  mv "$part" "$bare"
}

# copy_bare SUITE: $root becomes a fresh copy of it with a clone of what is committed; counts, and 1 and one message, when that fails
copy_bare() {
  local complaint
  root="$cache/$1.run"
  archives="$cache/$1-packages"
  mkdir -p "$archives/partial"
  # Where the disk is full each file would say so: the last complaint is enough.
  if ! complaint=$({ rm -rf --one-file-system "$root" && cp -a --reflink=auto "$cache/$1" "$root" \
    && cp -L /etc/resolv.conf /etc/hosts "$root/etc/" \
    && git clone -q --depth 1 "file://$memlane_source" "$root/root/memlane"; } 2>&1); then
    echo "$1: no working copy: $(tail -n 1 <<<"$complaint"); name another folder with --cache"
    rm -rf --one-file-system "$root"
    failed=$((failed + 1))
    return 1
  fi
}

passed=0
failed=0
skipped=0
prepare git >&2
[ -z "$(git -C "$memlane_source" status --porcelain 2>/dev/null)" ] || echo 'what is not committed is not tested' >&2
