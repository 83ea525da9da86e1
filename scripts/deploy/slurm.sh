#!/bin/bash
# Runs deploy/coterie-array.sbatch under a real Slurm on this machine: munge, a controller and one node on loopback, all in a
# folder of their own that is removed at the end. Needs root and Debian's slurmctld, slurmd, slurm-client and munge:
#   apt-get install -y --no-install-recommends slurmctld slurmd slurm-client munge && scripts/deploy/slurm.sh
# The array must leave no cell out, and a task that is killed and requeued must go on where it stopped.
set -euo pipefail
cd "$(dirname "$0")/../.."
PATH=$PATH:/usr/sbin
for program in munged slurmctld slurmd sbatch; do
  command -v "$program" >/dev/null || { echo "$program is missing: see the head of $0" >&2; exit 2; }
done
[ "$(id -u)" = 0 ] || { echo "run $0 as root: slurmd starts jobs for other users" >&2; exit 2; }

home=$(mktemp -d /run/coterie-slurm.XXXXXX)
chmod 755 "$home"
mkdir -m 755 "$home/munge" "$home/state" "$home/spool"
pids=()
cleanup() {
  scancel --quiet --state=PENDING --state=RUNNING --user=root 2>/dev/null || true
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  [ "${KEEP:-}" = yes ] || rm -rf "$home"
}
trap cleanup EXIT

(umask 077; head -c 1024 /dev/urandom > "$home/munge/key")
munged --foreground --key-file="$home/munge/key" --socket="$home/munge/socket" --pid-file="$home/munge/pid" \
  --log-file="$home/munge/log" --seed-file="$home/munge/seed" &
pids+=($!)

node=$(hostname -s)
read -r cpus memory < <(slurmd -C | awk '/^NodeName/ { for (i = 1; i <= NF; i++) { split($i, f, "="); v[f[1]] = f[2] } print v["CPUs"], v["RealMemory"] }')
cat > "$home/slurm.conf" <<CONF
ClusterName=coterie
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$home/munge/socket
StateSaveLocation=$home/state
SlurmdSpoolDir=$home/spool
SlurmctldPidFile=$home/slurmctld.pid
SlurmdPidFile=$home/slurmd.pid
SlurmctldLogFile=$home/slurmctld.log
SlurmdLogFile=$home/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SchedulerType=sched/backfill
MpiDefault=none
ReturnToService=2
# A requeued task may start at once.
SchedulerParameters=requeue_delay=0
NodeName=$node NodeAddr=127.0.0.1 CPUs=$cpus RealMemory=$memory State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=30 State=UP
CONF
export SLURM_CONF=$home/slurm.conf

until_true() { # SECONDS COMMAND...
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || { echo "not within its time: $*" >&2; tail -n 20 "$home"/*.log >&2; exit 1; }
    sleep 0.5
  done
}
until_true 60 test -S "$home/munge/socket"
slurmctld -D -f "$home/slurm.conf" & pids+=($!)
slurmd -D -f "$home/slurm.conf" & pids+=($!)
idle() { [ "$(sinfo -h -o %T)" = idle ]; }
until_true 120 idle
sinfo

cat > "$home/experiment.json" <<'JSON'
{ "name": "slurm",
  "worlds": [{ "kind": "clusters", "name": "two", "peers": 4, "clusters": 2, "dimension": 3, "arms": 3, "noise": 0.5 }],
  "policies": [{ "kind": "random" }, { "kind": "solo" }, { "kind": "dcb", "delay": { "rounds": 2 } }],
  "rounds": 200, "seeds": [1, 2, 3, 4] }
JSON

gone() { [ -z "$(squeue -h -j "$1" 2>/dev/null)" ]; }
job=$(sbatch --parsable --mem=1G --array=1-3 --output="$home/task-%a.out" deploy/coterie-array.sbatch "$home/experiment.json" "$home/runs")
echo "array $job of three tasks"
# One of them is put back while it waits or runs; which of the two does not matter to what must come of it.
running() { [ -n "$(squeue -h -j "$1" -t RUNNING)" ]; }
until_true 120 running "$job"
scontrol requeue "${job}_1"
until_true 600 gone "$job"
cat "$home"/task-*.out
npx coterie report "$home/runs" | tee "$home/report"
grep -q "12 of 12 runs finished" "$home/report"
# Once more over the same folder: everything is there, nothing is played again.
before=$(find "$home/runs" -type f | sort | xargs sha256sum | sha256sum)
job=$(sbatch --parsable --mem=1G --array=1-3 --output="$home/again-%a.out" deploy/coterie-array.sbatch "$home/experiment.json" "$home/runs")
until_true 600 gone "$job"
after=$(find "$home/runs" -type f | sort | xargs sha256sum | sha256sum)
[ "$before" = "$after" ] || { echo "a second run changed what the first had written" >&2; exit 1; }
echo "the array ran under $(sinfo --version), whole and once"
