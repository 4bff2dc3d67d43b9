#!/usr/bin/env bash
# test-systems.sh: what tests/systems/run says where it cannot work: one message, status 2 or 1, nothing mounted and nothing left behind;
# and how .ci/run adds up
# SPDX-License-Identifier: MIT
set -euo pipefail
run=$1
work=$(mktemp -d)
server=
leave() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  rm -rf "$work"
}
trap leave EXIT
failed=0

# expect STATUS TEXT COMMAND...: exits so, and one line of what it says has the text
expect() {
  local status=0 wanted=$1 text=$2
  shift 2
  "$@" >"$work/said" 2>&1 || status=$?
  if [ "$status" -ne "$wanted" ] || [ "$(grep -cF -- "$text" "$work/said")" -ne 1 ]; then
    echo "$*: status $status, expected $wanted and one line with '$text'; it said:" >&2
    cat "$work/said" >&2
    failed=1
  fi
  if grep -q " $work" /proc/self/mountinfo; then
    echo "$*: left mounted:" >&2
    grep " $work" /proc/self/mountinfo >&2
    failed=1
  fi
  if compgen -G "$work/*/*.part" || compgen -G "$work/*/*.run"; then
    echo "$*: left behind" >&2
    failed=1
  fi
}

# add_up TESTS SYSTEMS PACKAGES: .ci/run with programs of these bodies in the places of its own
mkdir -p "$work/ci/.ci" "$work/ci/tests/systems"
cp "$(dirname "$run")/../../.ci/run" "$work/ci/.ci/"
add_up() {
  local place
  for place in tests/run tests/systems/run tests/systems/packages; do
    printf '#!/usr/bin/env bash\n%s\n' "$1" >"$work/ci/$place"
    chmod +x "$work/ci/$place"
    shift
  done
}
all='echo 9 passed, 0 failed, 1 skipped'
add_up "$all" 'echo no root here >&2; exit 2' "$all"
expect 0 '18 passed, 0 failed, 3 skipped' "$work/ci/.ci/run"
add_up "$all; exit 1" "$all" "$all" # tests that must run were skipped
expect 1 '27 passed, 1 failed, 3 skipped' "$work/ci/.ci/run"
add_up 'echo 3 passed, 2 failed, 0 skipped; exit 1' "$all" 'exit 1'
expect 1 '12 passed, 3 failed, 1 skipped' "$work/ci/.ci/run"
[ "$(tail -n 1 "$work/said")" = '12 passed, 3 failed, 1 skipped' ] || { echo '.ci/run ends in another line' >&2; failed=1; }
add_up "$all" "$all" 'exit 1' # the other release counts
expect 1 '18 passed, 1 failed, 2 skipped' "$work/ci/.ci/run"
add_up "$all" 'exit 124' "$all" # its time was over
expect 0 '18 passed, 0 failed, 3 skipped' "$work/ci/.ci/run"

expect 2 "'--frobnicate' is no suite" "$run" --frobnicate
expect 2 "'Trixie' is no suite" "$run" Trixie
expect 2 '--cache takes a value' "$run" --cache
expect 0 'all commands of README.md' "$run" --help
if [ "$(id -u)" -ne 0 ]; then
  expect 2 'takes root' "$run" --cache "$work/cache"
  exit $failed
fi
# Out of root's home, which others may not enter.
mkdir -p "$work/tree/tests/systems" "$work/tree/app"
cp "$run" "$(dirname "$run")/bare.sh" "$work/tree/tests/systems/"
cp "$(dirname "$run")/../../app/prepare.sh" "$work/tree/app/"
chmod 755 "$work"
expect 2 'takes root' setpriv --reuid=65534 --clear-groups "$work/tree/tests/systems/run" --cache "$work/cache"

# A mirror that has one suite in it and no packages.
mkdir -p "$work/mirror/debian/dists/trixie"
echo 'Suite: trixie' >"$work/mirror/debian/dists/trixie/Release"
python3 -u -c '
import functools, http.server, sys
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=sys.argv[1])
with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
    print(server.server_port)
    server.serve_forever()
' "$work/mirror" >"$work/port" 2>/dev/null &
server=$!
for ((i = 0; i < 3000; i++)); do
  [ ! -s "$work/port" ] || break
  sleep 0.1
done
mirror="http://127.0.0.1:$(cat "$work/port")/debian"
expect 1 '404' "$run" --cache "$work/cache" --mirror "$mirror" nosuch

# In debootstrap's place what goes wrong in it: a package that is not there, a full disk, an end that comes early.
mkdir "$work/bin"
cat >"$work/bin/debootstrap" <<'FAKE'
#!/usr/bin/env bash
folder=$3
mkdir "$folder"
mount -t tmpfs -o size=64k tmpfs "$folder"
case $FAKE in
  fails) echo 'E: Could not find these debs: bash' && exit 1 ;;
  fills) dd if=/dev/zero of="$folder/archive" bs=1M && exit 1 ;;
  waits) exec flock "$folder/../held" bash -c 'touch "$1/../began" && sleep 600' bash "$folder" ;;
esac
FAKE
chmod +x "$work/bin/debootstrap"
export PATH="$work/bin:$PATH"
FAKE=fails expect 1 'debootstrap failed: E: Could not find these debs: bash' "$run" --cache "$work/cache" --mirror "$mirror" trixie
FAKE=fills expect 1 'No space left on device' "$run" --cache "$work/cache" --mirror "$mirror" trixie

# stop SIGNAL: the script in the middle of debootstrap; what it started ends with it
stop() {
  local script
  rm -f "$work/cache/began"
  FAKE=waits "$run" --cache "$work/cache" --mirror "$mirror" trixie >/dev/null 2>&1 &
  script=$!
  for ((i = 0; i < 3000; i++)); do
    [ ! -e "$work/cache/began" ] || break
    sleep 0.1
  done
  kill "-$1" "$script"
  wait "$script" 2>/dev/null || true
  if ! flock -w 60 "$work/cache/held" true; then
    echo "SIG$1: debootstrap is still at work" >&2
    failed=1
  fi
}
stop TERM
expect 1 '404' "$run" --cache "$work/cache" --mirror "$mirror" nosuch
stop KILL
# What the killed one could not remove, the next does.
expect 1 '404' "$run" --cache "$work/cache" --mirror "$mirror" nosuch
expect 0 'Could not connect' "$run" --cache "$work/cache" --mirror http://127.0.0.1:1/debian nosuch
grep -qx '0 passed, 0 failed, 1 skipped' "$work/said" || { echo 'no mirror is not skipped' >&2; failed=1; }

# What debootstrap leaves when it is cut short has a folder of its own in it: it is made anew. So is what is old.
mkdir -p "$work/cache/trixie/debootstrap"
FAKE=fails expect 1 'debootstrap failed' "$run" --cache "$work/cache" --mirror "$mirror" trixie
[ ! -e "$work/cache/trixie" ] || { echo 'what was cut short is kept' >&2; failed=1; }
mkdir -p "$work/cache/trixie"/{usr/bin,etc/apt}
ln -s /bin/true "$work/cache/trixie/usr/bin/apt-get"
echo deb >"$work/cache/trixie/etc/apt/sources.list"
touch -d '40 days ago' "$work/cache/trixie/etc/apt/sources.list"
FAKE=fails expect 1 'debootstrap failed' "$run" --cache "$work/cache" --mirror "$mirror" trixie

expect 2 'GiB are free' unshare --mount --propagation private bash -c \
  'mkdir "$2" && mount -t tmpfs -o size=1m tmpfs "$2" && exec "$1" --cache "$2" trixie' bash "$run" "$work/small"

# Space for the start, and none for the working copy: here for want of inodes.
expect 1 'no working copy: ' unshare --mount --propagation private bash -c '
  mkdir "$2" && mount -t tmpfs -o size=8g,nr_inodes=60 tmpfs "$2" && mkdir -p "$2/trixie"/{usr/bin,etc/apt,var}
  echo deb >"$2/trixie/etc/apt/sources.list" && touch "$2/trixie/var/"{1..40} && ln -s /bin/true "$2/trixie/usr/bin/apt-get"
  exec "$1" --cache "$2" --mirror "$3" trixie' bash "$run" "$work/full" "$mirror"
expect 2 'takes namespaces' setpriv --bounding-set -sys_admin --inh-caps -sys_admin "$run" --cache "$work/cache" trixie

# Two at once in one folder.
exec 8>"$work/cache/lock"
flock 8
expect 2 'another run is at work' "$run" --cache "$work/cache" trixie
exit $failed
