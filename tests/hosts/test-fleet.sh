#!/usr/bin/env bash
# test-fleet.sh: a real Slurm of four nodes with GPUs: a run for each, two nodes die midway, and each GPU has a run or a reason
# SPDX-License-Identifier: MIT
#
# Arguments: memlane-cli, the source's root, the GPUs of each node (4; by hand 16, for 64 runs). 77: skipped, with the reason.
set -euo pipefail
cli=$1
source=$2
gpus=${3:-4}
all=$((4 * gpus))
for program in slurmctld slurmd munged sbatch unshare; do
  command -v $program >/dev/null || { echo "skipped: no $program here"; exit 77; }
done
[ "$(id -u)" -eq 0 ] || { echo 'skipped: a cluster is started by root alone'; exit 77; }
unshare --pid --fork --kill-child --mount-proc true 2>/dev/null || { echo 'skipped: no namespaces for nodes here'; exit 77; }

tree=$(mktemp -d /tmp/memlane-fleet-XXXXXX)
started=()
declare -A node
finish() {
  local at
  for ((at = ${#started[@]} - 1; at >= 0; at--)); do
    kill -KILL "${started[at]}" 2>/dev/null || true # unshare does not hear the other signals
    wait "${started[at]}" 2>/dev/null || true
  done
  rm -rf "$tree"
}
trap finish EXIT
fail() {
  echo "$1" >&2
  tail -n 20 "$tree"/*.log "$tree/err" >&2 || true
  timeout 20 squeue -r -o '%n|%K|%T|%A|%r' >&2 || true
  timeout 20 sinfo -N -o 'node %N is %T: %E' >&2 || true
  exit 1
}

chmod 755 "$tree"
mkdir "$tree/state" "$tree/fleet"
dd if=/dev/urandom of="$tree/key" bs=1024 count=1 status=none
chmod 400 "$tree/key"
munged --force --foreground --key-file="$tree/key" --socket="$tree/munge" --pid-file="$tree/munged.pid" --log-file="$tree/munged.log" \
  --seed-file="$tree/seed" 2>/dev/null &
started+=($!)
port=$((23000 + $$ % 20000))
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
SchedulerParameters=sched_interval=2,batch_sched_delay=0
ReturnToService=2
SlurmdTimeout=300
StateSaveLocation=$tree/state
SlurmctldPidFile=$tree/slurmctld.pid
SlurmdPidFile=$tree/slurmd-%n.pid
SlurmdSpoolDir=$tree/spool-%n
SlurmctldLogFile=$tree/slurmctld.log
SlurmdLogFile=$tree/slurmd-%n.log
MpiDefault=none
GresTypes=gpu
$(for n in 1 2 3 4; do echo "NodeName=n$n NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + n)) CPUs=1 Gres=gpu:$gpus"; done)
PartitionName=all Nodes=n[1-4] Default=YES State=UP
END
echo 'CgroupPlugin=cgroup/v1' >"$tree/cgroup.conf" # the other kind wants a mounted one, which a bare system lacks
echo "NodeName=n[1-4] Name=gpu File=$tree/gpu[0-$((gpus - 1))]" >"$tree/gres.conf"
for ((gpu = 0; gpu < gpus; gpu++)); do mknod "$tree/gpu$gpu" c 1 5; done
export SLURM_CONF="$tree/slurm.conf"
slurmctld -D >/dev/null 2>&1 &
started+=($!)
for n in n1 n2 n3 n4; do
  mkdir "$tree/spool-$n"
  unshare --pid --fork --kill-child --mount-proc slurmd -D -N $n >/dev/null 2>&1 & # all of a node dies with the first of its processes
  node[$n]=$!
  started+=($!)
done
for _ in $(seq 1000); do
  [ "$(timeout 10 sinfo -h -N -o %T 2>/dev/null | grep -c '^idle')" -eq 4 ] && break
  sleep 0.3
done
[ "$(timeout 10 sinfo -h -N -o %T | grep -c '^idle')" -eq 4 ] || fail 'four nodes do not become idle'
export XDG_CONFIG_HOME="$tree" XDG_STATE_HOME="$tree/cells" LC_ALL=C.UTF-8
cd "$tree"
runs() {
  find fleet -name '*.csv' ! -name '*.rounds.csv' ! -name fleet.csv | wc -l
}

# The daemon of n4 stands still, so its jobs wait however slow this machine is.
kill -STOP "$(pgrep -P "${node[n4]}" -x slurmd)"
echo '# interrupted: what is in the queue stays there, and the same command finds it'
sweep=("$cli" sweep --slurm '--time=10' -d simulated:h200 -m pinned -s 10:11 --csv fleet)
env --default-signal=INT "${sweep[@]}" </dev/null >out 2>err &
first=$!
for _ in $(seq 6000); do [ "$(runs)" -ge 2 ] && break; sleep 0.1; done
kill -INT $first
code=0
wait $first || code=$?
[ $code -eq 130 ] || fail "status $code, expected 130"
grep -q 'the same command goes on' err || fail 'that they stay is not said'

echo '# two nodes die midway'
timeout 400 "${sweep[@]}" </dev/null >out 2>err &
second=$!
for _ in $(seq 3000); do [ "$(runs)" -ge 1 ] && break; sleep 0.02; done
kill -KILL "${node[n3]}" "${node[n4]}"
at_death=$(runs)
# As Slurm finds by itself, after a time. It forgets what it is told while it gives a node a job, and a late answer of a dead node brings
# it back: so it is told again for as long as the sweep lasts.
while kill -0 $second 2>/dev/null; do
  [ "$(timeout 10 sinfo -h -N -n n3,n4 -t down -o %N | sort -u | wc -l)" -eq 2 ] \
    || scontrol update NodeName=n3,n4 State=DOWN Reason='no answer' || true
  sleep 1
done
code=0
wait $second || code=$?
[ $code -eq 3 ] || fail "status $code, expected 3"
cat fleet/fleet.csv
[ "$(grep -c -E '^n[1-4]-cuda-[0-9]+,(measured|failed),' fleet/fleet.csv)" -eq "$all" ] || fail 'not each GPU has a row'
[ "$(cut -d, -f1 fleet/fleet.csv | sort | uniq -d | wc -l)" -eq 0 ] || fail 'a GPU has two rows'
[ "$(grep -c ',measured,' fleet/fleet.csv)" -eq "$(runs)" ] || fail 'rows and files differ'
[ "$(grep -c -E '^n[12]-cuda-[0-9]+,measured' fleet/fleet.csv)" -eq $((all / 2)) ] || fail 'the nodes that live did not measure all'
! grep -E ',failed,""' fleet/fleet.csv || fail 'a GPU has neither a run nor a reason'
[ "$(grep -c -E '^n[34]-cuda-[0-9]+,failed,"node n[34] is' fleet/fleet.csv)" -ge 1 ] || fail 'the dead nodes are not named'
[ "$at_death" -lt "$all" ] || fail 'the nodes died too late'
for file in fleet/*-*.csv; do
  [ "$(grep -c '^run,' "$file")" -eq 1 ] || fail "$file does not hold one run"
done
for file in fleet/*.rounds.csv fleet/*.environment.json; do
  [ -e "${file%%.*}.csv" ] || fail "$file is there without its run"
done
[ -z "$(squeue -h)" ] || fail 'jobs stayed in the queue'

echo '# the nodes come back: the same command measures the rest'
for n in n3 n4; do
  unshare --pid --fork --kill-child --mount-proc slurmd -D -N $n >/dev/null 2>&1 &
  started+=($!)
done
for _ in $(seq 1000); do
  [ "$(timeout 10 sinfo -h -N -o %T 2>/dev/null | grep -c '^idle')" -eq 4 ] && break
  sleep 0.3
done
before=$(stat -c '%Y %n' fleet/n1-cuda-*.environment.json)
timeout 400 "${sweep[@]}" </dev/null >out 2>err || fail "status $?, expected 0"
[ "$(runs)" -eq "$all" ] || fail "$(runs) runs, expected $all"
[ "$before" = "$(stat -c '%Y %n' fleet/n1-cuda-*.environment.json)" ] || fail 'what was measured was measured again'
echo '# the batch script of data/examples'
mkdir by-hand bin
ln -s "$cli" bin/memlane-cli
PATH="$tree/bin:$PATH" MEMLANE_DEVICE='simulated:h200' timeout 100 sbatch --wait --nodelist=n2 --array=0-1 --output=/dev/null \
  "$source/data/examples/fleet.sbatch" "$tree/by-hand" >/dev/null || fail 'fleet.sbatch failed'
[ -s by-hand/n2-cuda-0.csv ] && [ -s by-hand/n2-cuda-1.csv ] || fail 'fleet.sbatch left no runs'

timeout 60 "$cli" compare fleet >out 2>err || fail 'compare refuses the folder'
grep -q "^$all machines, 2 cells each at most: 0 differ" err || fail "compare does not see $all machines alike"
echo 'all as it should be'
