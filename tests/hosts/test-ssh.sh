#!/usr/bin/env bash
# test-ssh.sh: a real sshd on the loopback: what is measured over it is what is measured here; refused, dropped, slow, unlike, dead hosts
# SPDX-License-Identifier: MIT
#
# Arguments: memlane-cli, the source's root. 77: skipped, with the reason.
set -euo pipefail
cli=$1
source=$2
command -v ssh >/dev/null && [ -x /usr/sbin/sshd ] || { echo 'skipped: no openssh-server here'; exit 77; }
[ "$(id -u)" -eq 0 ] || { echo 'skipped: sshd is started by root alone'; exit 77; }

tree=$(mktemp -d /tmp/memlane-ssh-XXXXXX)
sshd=
finish() {
  if [ -n "$sshd" ]; then
    end_link
    wait "$sshd" 2>/dev/null || true
  fi
  rm -rf "$tree"
}
trap finish EXIT

# end_link: the listening sshd, and those that serve somebody
end_link() {
  local child
  for child in "$sshd" $(pgrep -P "$sshd" || true); do
    kill "$child" 2>/dev/null || true
  done
}

mkdir -p /run/sshd "$tree/bin" "$tree/memlane" "$tree/far"
ln -s "$cli" "$tree/far/memlane-cli"
ssh-keygen -q -t ed25519 -N '' -f "$tree/host"
ssh-keygen -q -t ed25519 -N '' -f "$tree/user"
cp "$tree/user.pub" "$tree/authorized"
port=$((20000 + $$ % 20000))
cat >"$tree/sshd.conf" <<END
Port $port
ListenAddress 127.0.0.1
HostKey $tree/host
AuthorizedKeysFile $tree/authorized
PidFile $tree/sshd.pid
StrictModes no
UsePAM no
SetEnv PATH=$tree/far:/usr/bin:/bin MEMLANE_DATA_DIR=$MEMLANE_DATA_DIR XDG_STATE_HOME=$tree/far-state
END
cat >"$tree/ssh.conf" <<END
Host gpu1 gpu2 stranger moved
  HostName 127.0.0.1
  Port $port
  User root
  IdentitiesOnly yes
  StrictHostKeyChecking accept-new
Host moved
  UserKnownHostsFile $tree/known-before
Host *
  UserKnownHostsFile $tree/known
Host gpu1 gpu2 moved
  IdentityFile $tree/user
Host stranger
  IdentityFile $tree/none
END
printf '[127.0.0.1]:%s %s\n' "$port" "$(cut -d' ' -f1,2 "$tree/user.pub")" >"$tree/known-before" # the host has another key since
# The commands of the hosts' file are those of README.md; only the client's configuration is the test's.
printf '#!/bin/sh\nexec /usr/bin/ssh -F %s/ssh.conf "$@"\n' "$tree" >"$tree/bin/ssh"
ln -s "$cli" "$tree/bin/memlane-cli"
chmod +x "$tree/bin/ssh"
export PATH="$tree/bin:$PATH" XDG_CONFIG_HOME="$tree" XDG_STATE_HOME="$tree/state" LC_ALL=C.UTF-8
cd "$tree"

# section TITLE: the text under that title of README.md
section() {
  sed -n "/^## $1\$/,/^## /p" "$source/README.md"
}
section 'On another machine, or a cluster' | sed -n '/^\[gpu1\]$/,/^command=/p' >"$tree/memlane/hosts"
grep -q '^command=ssh ' "$tree/memlane/hosts" || { echo 'README.md names no command with ssh' >&2; exit 1; }
cat >>"$tree/memlane/hosts" <<'END'
[stranger]
command=ssh stranger memlane-cli worker
[lacking]
command=ssh gpu1 no-such-program worker
[tomorrow]
command=sh -c 'echo "{\\"type\\":\\"hello\\",\\"protocol\\":99,\\"version\\":\\"9.9\\"}"; sleep 60'
[slow]
command=bash -c 'ssh gpu1 memlane-cli worker | while IFS= read -r line; do sleep 0.05; printf "%s\\n" "$line"; done'
[mute]
command=sleep 600
[missing]
command=/no/such/program
END
for n in $(seq 9); do
  printf '[n%s]\ncommand=memlane-cli worker\n' "$n" >>"$tree/memlane/hosts"
done

/usr/sbin/sshd -f "$tree/sshd.conf" -D -E "$tree/sshd.log" &
sshd=$!
for _ in $(seq 1000); do [ -s "$tree/sshd.pid" ] && break; sleep 0.1; done

fail() {
  echo "$1" >&2
  exit 1
}
# says FILE WORDS
says() {
  grep -qF -- "$2" "$1" || { cat "$1" >&2; fail "expected \"$2\" in $1"; }
}
# status EXPECTED COMMAND...: its standard error is in ./err, its output in ./out; nothing is asked on a terminal
status() {
  local expected=$1 code=0
  shift
  timeout 120 "$@" >out 2>err </dev/null || code=$?; [ "$code" -lt 128 ] || head -40 err >&2
  [ "$code" -eq "$expected" ] || { cat out err >&2; fail "$*: status $code, expected $expected"; }
}

echo '# README.md'
section 'On another machine, or a cluster' | sed -n '/cluster/d; s|^./app/run |memlane-cli |p' | sed 's|cuda:0|simulated:h200|' >commands
[ "$(wc -l <commands)" -ge 2 ] || fail 'README.md has no commands for another machine'
while IFS= read -r line; do
  # shellcheck disable=SC2086 # words
  status 0 $line
  echo "$line"
done <commands
status 0 memlane-cli devices --host gpu1
says out 'gpu1/simulated:h200'

echo '# the same figures'
what=(--modes pinned,mapped,managed --sizes 10:12 --csv)
status 0 memlane-cli sweep -q -d simulated:h200 "${what[@]}" here.csv
status 0 memlane-cli sweep -q -d gpu1/simulated:h200 "${what[@]}" there.csv
status 0 memlane-cli sweep -q -d slow/simulated:h200 "${what[@]}" slow.csv
for file in there slow; do
  diff <(cut -d, -f3- here.csv) <(cut -d, -f3- $file.csv) || fail "$file.csv differs"
done
grep -q '^[^,]*,gpu1/simulated:h200,' there.csv || fail 'the device lacks its host'
for place in simulated:h200 gpu1/simulated:h200; do
  status 0 memlane-cli trace -q -d $place -m pinned -s 12
  sed 's|gpu1/||g' out >"trace-${place%%/*}"
  status 0 memlane-cli experiment run zero-copy -q -d $place
  sed 's|gpu1/||g' out >"experiment-${place%%/*}"
done
diff trace-simulated:h200 trace-gpu1 || fail 'the traces differ'
diff experiment-simulated:h200 experiment-gpu1 || fail 'the experiments differ'

echo '# refused'
status 0 memlane-cli devices --host stranger
says out 'Permission denied'
status 2 memlane-cli sweep -q -d stranger/simulated:h200 -m pinned -s 10 -c no.csv
says err 'Permission denied'
status 0 memlane-cli devices --host lacking
says out 'no-such-program'
status 2 memlane-cli sweep -q -d tomorrow/simulated:h200 -m pinned -s 10 -c no.csv
says err 'Memlane 9.9 with protocol 99'
status 1 memlane-cli devices --host nobody
says err 'unknown host "nobody"'

echo '# fourteen hosts at once, five of them dead'
printf '%s\n' mute missing stranger lacking tomorrow $(seq -f n%g 9) \
  | xargs -P 6 -I % sh -c 'timeout 120 memlane-cli devices --host % >list-% 2>&1 || echo "status $?" >>list-%'
for n in $(seq 9); do says "list-n$n" "n$n/simulated:h200"; done
says list-mute 'mute does not answer within 10 s'
says list-missing 'missing cannot be started'
says list-tomorrow 'protocol 99'
! grep -l '^status' list-* || fail 'a list failed'

echo '# a fleet: a run or a reason for each GPU; files are written here, for no folder is shared'
fleet=(memlane-cli sweep -d simulated:h200 -m pinned,mapped -s 10:11 --csv fleet)
status 3 "${fleet[@]}" --hosts gpu1,gpu2,stranger,lacking,tomorrow,mute,moved,gpu9
for row in 'gpu1-simulated-h200,measured,' 'gpu2-simulated-h200,measured,' 'mute,failed,"mute does not answer within 10 s' \
  'tomorrow,failed,".*Memlane 9.9 with protocol 99' 'stranger,failed,".*Permission denied' 'moved,failed,".*Host key verification failed' \
  'lacking,failed,".*no-such-program' 'gpu9,failed,".*[Cc]ould not resolve hostname gpu9'; do
  grep -qE "^$row" fleet/fleet.csv || { cat fleet/fleet.csv >&2; fail "no row $row"; }
done
[ "$(wc -l <fleet/fleet.csv)" -eq 9 ] || fail 'not a row for each host'
says err '2 runs are there, 6 are not'
[ -s fleet/gpu1-simulated-h200.rounds.csv ] && [ ! -e "$tree/far-state/fleet" ] || fail 'the files are not here'
diff <(cut -d, -f3- fleet/gpu1-simulated-h200.csv) <(cut -d, -f3- fleet/gpu2-simulated-h200.csv) || fail 'two runs differ'
before=$(stat -c %Y fleet/gpu1-simulated-h200.csv)
status 0 "${fleet[@]}" --hosts gpu1,gpu2
[ "$before" = "$(stat -c %Y fleet/gpu1-simulated-h200.csv)" ] || fail 'what was measured was measured again'
echo '# a quota: the run is not written, and its row says why'
(trap '' XFSZ; ulimit -S -f 1; timeout 120 "${fleet[@]}" --hosts gpu1 --csv full >out 2>err </dev/null) || code=$?
[ "$code" -eq 2 ] || { cat err >&2; fail "status $code, expected 2"; }
grep -qE '^gpu1-simulated-h200,failed,".*File too large' full/fleet.csv || { cat full/fleet.csv >&2; fail 'the quota is not named'; }
[ -z "$(find full -name '*.csv' ! -name fleet.csv)" ] || fail 'half a run was left'

# drop: a sweep that has begun; once its journal holds cells the link is cut as $1 says
drop() {
  rm -rf "$tree/state"
  timeout 120 memlane-cli sweep -q -d gpu1/simulated:h200 --sizes 10:20 --csv "$2" >out 2>err </dev/null &
  sweep=$!
  for _ in $(seq 6000); do
    [ "$(cat "$tree"/state/memlane/journals/*.journal 2>/dev/null | wc -l)" -gt 4 ] && break
    sleep 0.05
  done
  $1
  code=0
  wait "$sweep" || code=$?
}
end_session() {
  local child
  for child in $(pgrep -P "$sshd"); do kill "$child"; done
}
echo '# the session is cut: another one goes on'
drop end_session cut.csv
[ "$code" -eq 0 ] || [ "$code" -eq 3 ] || { cat err >&2; fail "status $code"; }
cells=$(cut -d, -f5,6 cut.csv | tail -n +2 | sort -u | wc -l)
[ "$cells" -eq 264 ] || fail "$cells of 264 cells"
failed=$(grep -c ',error,' cut.csv || true)
[ "$failed" -le 1 ] || fail "$failed cells failed"
echo '# the link is down: what was measured is kept, and that is said'
drop end_link down.csv
[ "$code" -eq 3 ] || { cat err >&2; fail "status $code, expected 3"; }
says err 'the sweep ended early'
[ "$(grep -c ',ok,' down.csv)" -gt 15 ] || fail 'what was measured is not kept'
wait "$sshd" 2>/dev/null || true
sshd=
echo '# nothing stays behind'
for _ in $(seq 1500); do
  left=$(env -i grep -lsF "$tree/" /proc/[0-9]*/environ || true)
  [ -z "$left" ] && break
  sleep 0.1
done
for file in $left; do
  fail "${file%/environ} stayed: $(tr '\0' ' ' <"${file%environ}cmdline")"
done
echo 'all as here'
