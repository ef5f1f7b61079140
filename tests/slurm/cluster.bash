# cluster.bash - a Slurm cluster of one node in a folder of its own: sourced by run.sh. Everything is this machine's and this user's (root):
# munged, slurmctld, slurmd, with ports that nobody else uses. cluster_start FOLDER, cluster_stop; SLURM_CONF is exported.

free_ports() { # count
    python3 -c '
import socket, sys
sockets = [socket.socket() for _ in range(int(sys.argv[1]))]
for one in sockets: one.bind(("127.0.0.1", 0))
print(*[one.getsockname()[1] for one in sockets])' "$1"
}

write_conf() { # folder
    local controller node
    read -r controller node < <(free_ports 2)
    cat >"$1/slurm.conf" <<CONF
ClusterName=warpschool
SlurmctldHost=localhost
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$1/munge.socket
SlurmctldPort=$controller
SlurmdPort=$node
StateSaveLocation=$1/state
SlurmdSpoolDir=$1/spool
SlurmctldPidFile=$1/slurmctld.pid
SlurmdPidFile=$1/slurmd.pid
SlurmctldLogFile=$1/slurmctld.log
SlurmdLogFile=$1/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
SlurmctldTimeout=10
SlurmdTimeout=15
MessageTimeout=10
MinJobAge=5
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SlurmdParameters=config_overrides
GresTypes=gpu
NodeName=localhost CPUs=$(($(nproc) > 4 ? $(nproc) : 4)) Gres=gpu:2 State=UNKNOWN
PartitionName=class Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
    # More processors than cards, also where the machine has fewer. Two cards, as far as Slurm can tell: they are nodes of the null device.
    mknod "$1/nvidia0" c 1 3 && mknod "$1/nvidia1" c 1 3
    echo "NodeName=localhost Name=gpu File=$1/nvidia[0-1]" >"$1/gres.conf"
}

controller_start() {
    slurmctld -D -i >>"$cluster/slurmctld.out" 2>&1 &
    controller=$!
}

cluster_start() { # folder
    cluster=$1
    export SLURM_CONF=$cluster/slurm.conf
    mkdir -p "$cluster/state" "$cluster/spool" && chmod 755 "$cluster"
    write_conf "$cluster"
    dd if=/dev/urandom bs=128 count=1 of="$cluster/munge.key" 2>/dev/null && chmod 600 "$cluster/munge.key"
    munged -F --force --socket="$cluster/munge.socket" --key-file="$cluster/munge.key" --pid-file="$cluster/munged.pid" \
        --log-file="$cluster/munged.log" --seed-file="$cluster/munged.seed" >"$cluster/munged.out" 2>&1 &
    munge=$!
    local tries
    for ((tries = 0; tries < 100; tries++)); do [ -S "$cluster/munge.socket" ] && break || sleep 0.1; done
    controller_start
    slurmd -D -N localhost >"$cluster/slurmd.out" 2>&1 &
    node=$!
    for ((tries = 0; tries < 100; tries++)); do
        [ "$(sinfo -h -o %t 2>/dev/null)" = idle ] && return 0
        sleep 0.2
    done
    tail -n 5 "$cluster"/*.out "$cluster"/*.log
    return 1
}

# What an administrator does after a crash: a node that ran jobs which the controller has forgotten is set aside (drained, draining, down).
node_resume() {
    case $(sinfo -h -o %t 2>/dev/null) in
        *dr* | *down*) scontrol update nodename=localhost state=resume 2>/dev/null ;;
    esac
}

# Until no job is left, of whomever: at most two minutes, or as long as the controller needs to see that a job is not on its node.
cluster_clear() {
    local tries
    for ((tries = 0; tries < 120; tries++)); do
        node_resume
        scancel --user=root >/dev/null 2>&1
        [ -n "$(squeue -h 2>&1)" ] || return
        sleep 1
    done
    squeue
}

# Until the controller has written down that no job runs: one that it brings back from the dead holds a processor for minutes.
cluster_settle() {
    local tries
    cluster_clear
    touch "$cluster/settled"
    for ((tries = 0; tries < 30; tries++)); do
        [ "$cluster/state/job_state" -nt "$cluster/settled" ] && return || sleep 1
    done
}

cluster_stop() {
    scancel --user=root >/dev/null 2>&1
    # The others end well only while they can still prove to each other who they are.
    kill $node $controller 2>/dev/null
    wait $node $controller 2>/dev/null
    kill $munge 2>/dev/null
    wait $munge 2>/dev/null
}
