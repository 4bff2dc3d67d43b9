#!/usr/bin/env bash
# test-slurm.sh: a real Slurm of one node: a sweep through srun, a node that is busy, a job that is ended
# SPDX-License-Identifier: MIT
#
# Arguments: memlane-cli, the source's root. 77: skipped, with the reason.
set -euo pipefail
cli=$1
source=$2
for program in slurmctld slurmd munged srun; do
  command -v $program >/dev/null || { echo "skipped: no $program here"; exit 77; }
done
[ "$(id -u)" -eq 0 ] || { echo 'skipped: a cluster is started by root alone'; exit 77; }

tree=$(mktemp -d /tmp/memlane-slurm-XXXXXX)
started=()
finish() {
  local at
  for ((at = ${#started[@]} - 1; at >= 0; at--)); do
    kill "${started[at]}" 2>/dev/null || true
    wait "${started[at]}" 2>/dev/null || true
  done
  rm -rf "$tree"
}
trap finish EXIT
fail() {
  echo "$1" >&2
  tail -n 20 "$tree"/*.log >&2 || true
  exit 1
}

chmod 755 "$tree"
mkdir "$tree/bin" "$tree/state" "$tree/spool" "$tree/memlane"
dd if=/dev/urandom of="$tree/key" bs=1024 count=1 status=none
chmod 400 "$tree/key"
munged --force --foreground --key-file="$tree/key" --socket="$tree/munge" --pid-file="$tree/munged.pid" --log-file="$tree/munged.log" \
  --seed-file="$tree/seed" 2>/dev/null &
started+=($!)
port=$((21000 + $$ % 20000))
host=$(hostname -s)
cat >"$tree/slurm.conf" <<END
ClusterName=memlane
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$tree/munge
CryptoType=crypto/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
StateSaveLocation=$tree/state
SlurmctldPidFile=$tree/slurmctld.pid
SlurmdPidFile=$tree/slurmd.pid
SlurmdSpoolDir=$tree/spool
SlurmctldLogFile=$tree/slurmctld.log
SlurmdLogFile=$tree/slurmd.log
MpiDefault=none
GresTypes=gpu
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1 Gres=gpu:1
PartitionName=all Nodes=n1 Default=YES State=UP
END
echo 'CgroupPlugin=cgroup/v1' >"$tree/cgroup.conf" # the other kind wants a mounted one, which a bare system lacks
echo 'NodeName=n1 Name=gpu File=/dev/zero' >"$tree/gres.conf"
export SLURM_CONF="$tree/slurm.conf"
slurmctld -D >/dev/null 2>&1 &
started+=($!)
slurmd -D -N n1 >/dev/null 2>&1 &
started+=($!)
for _ in $(seq 2000); do
  timeout 10 sinfo -h -o %T 2>/dev/null | grep -q '^idle' && break
  sleep 0.1
done
timeout 10 sinfo -h -o %T | grep -q '^idle' || fail 'the node does not become idle'

ln -s "$cli" "$tree/bin/memlane-cli"
export PATH="$tree/bin:$PATH" XDG_CONFIG_HOME="$tree" XDG_STATE_HOME="$tree/cells" LC_ALL=C.UTF-8
cd "$tree"
section() {
  sed -n "/^## $1\$/,/^## /p" "$source/README.md"
}
section 'On another machine, or a cluster' | sed -n '/^\[cluster\]$/,/^command=/p' >"$tree/memlane/hosts"
grep -q '^command=srun ' "$tree/memlane/hosts" || fail 'README.md names no command with srun'

echo '# README.md'
section 'On another machine, or a cluster' | sed -n '/cluster/s|^./app/run |memlane-cli |p' | sed 's/cuda:0/simulated:h200/' >commands
[ -s commands ] || fail 'README.md has no command for a cluster'
while IFS= read -r line; do
  # shellcheck disable=SC2086 # words
  timeout 120 $line </dev/null || fail "$line"
done <commands

echo '# the same figures'
what=(--modes pinned,mapped --sizes 10:12 --csv)
memlane-cli sweep -q -d simulated:h200 "${what[@]}" here.csv
timeout 120 memlane-cli sweep -q -d cluster/simulated:h200 "${what[@]}" there.csv </dev/null || fail 'the sweep through srun failed'
diff <(cut -d, -f3- here.csv) <(cut -d, -f3- there.csv) || fail 'there.csv differs'

echo '# a busy node: it waits, that is shown, and an interrupt ends it'
srun --gres=gpu:1 -J occupies sleep 600 </dev/null >/dev/null 2>&1 &
occupies=$!
started+=("$occupies")
for _ in $(seq 1000); do squeue -h -t R -n occupies | grep -q . && break; sleep 0.1; done
timeout 120 memlane-cli sweep -d cluster/simulated:h200 "${what[@]}" waits.csv </dev/null >out 2>err &
waits=$!
for _ in $(seq 3000); do grep -q 'waiting: ' err && break; sleep 0.1; done
grep -q 'waiting: .*queued' err || { cat err >&2; fail 'that it waits is not shown'; }
kill -INT "$(pgrep -P $waits)"
code=0
wait $waits || code=$?
[ $code -eq 130 ] || { cat err >&2; fail "status $code, expected 130"; }
for _ in $(seq 1000); do squeue -h -n memlane-cli | grep -q . || break; sleep 0.1; done
! squeue -h -n memlane-cli | grep . || fail 'a job stayed in the queue'
scancel -n occupies
wait $occupies 2>/dev/null || true

echo '# a job that is ended: what was measured is kept'
for _ in $(seq 3000); do timeout 10 sinfo -h -o %T | grep -q '^idle' && break; sleep 0.1; done
rm -rf "$tree/cells"
timeout 120 memlane-cli sweep -q -d cluster/simulated:h200 --sizes 10:20 --csv ended.csv </dev/null >out 2>err &
sweep=$!
for _ in $(seq 6000); do
  [ "$(cat "$tree"/cells/memlane/journals/*.journal 2>/dev/null | wc -l)" -gt 4 ] && break
  sleep 0.05
done
scancel -n memlane-cli
code=0
wait $sweep || code=$?
[ $code -eq 0 ] || [ $code -eq 3 ] || { cat err >&2; fail "status $code"; }
[ "$(grep -c ',ok,' ended.csv)" -gt 15 ] || fail 'what was measured is not kept'
[ "$(grep -c ',error,' ended.csv || true)" -le 1 ] || fail 'more than the cell in work failed'
echo '# nothing stays behind'
for _ in $(seq 1500); do
  left=$(env -i grep -lsF "$tree/cells" /proc/[0-9]*/environ || true)
  [ -z "$left" ] && break
  sleep 0.1
done
for file in $left; do
  fail "${file%/environ} stayed: $(tr '\0' ' ' <"${file%environ}cmdline")"
done
echo 'all as here'
