#!/bin/bash
# A class graded by a real Slurm of one node, which this script starts in a folder of its own: undisturbed, with workers killed, with
# the controller killed, with the grader itself killed, and stopped. The grades are always those of a grading without Slurm.
# Needs slurmctld, slurmd and munged, and root. STUDENTS and LESSONS say how large the class is. Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
. tests/slurm/cluster.bash
export LC_ALL=C.UTF-8
tree=$PWD warpschool=$build/bin/warpschool
for program in slurmctld slurmd munged sbatch; do
    command -v $program >/dev/null || { echo "SKIPPED: there is no $program; Debian's packages: slurm-wlm munge" && exit 77; }
done
[ "$(id -u)" -eq 0 ] || { echo "SKIPPED: only root can start this cluster" && exit 77; }

grade() { # name, options...
    "$warpschool" --root "$tree" grade "$work/submissions" --gradebook "$work/$1.db" --csv "$work/$1.csv" --seed 5 "${@:2}" >"$work/$1.log" 2>&1 </dev/null
    status=$?
}
ends_well() { # name: what is wrong with a grading's end
    [ $status -eq 0 ] || { echo "status $status"; tail -n 5 "$work/$1.log"; }
    python3 tests/class/compare.py "$work/$1.csv" "$work/whole.csv" 2>&1 | head -n 10
    [ ! -e "$work/$1.db.jobs" ] || ls "$work/$1.db.jobs" | head -n 5
}
results() { find "$work/$1.db.jobs" -name '*.result' 2>/dev/null | wc -l; }
recorded() { grep -c . "$work/$1.log"; }
workers() { pgrep -f "grade-one --list $work/$1.db.jobs"; }
# until_true PIDS COMMAND...: waits for it, as long as the process is there.
until_true() {
    local grader=$1
    while kill -0 "$grader" 2>/dev/null && ! "${@:2}"; do sleep 0.1; done
}
has_worker() { [ -n "$(workers "$1")" ]; }

python3 tests/class/make.py 2 "${STUDENTS:-12}" "${LESSONS:-2}" "$work" || exit 3
grade whole
verdict "without Slurm: each grade is as expected" "$(python3 tests/class/compare.py "$work/whole.csv" "$work/expected.tsv" 2>&1 | head -n 10)"
mkdir "$work/cluster"
cluster_start "$work/cluster" || { verdict "the cluster starts" "no"; finish; }
trap 'cluster_stop; rm -rf "$work"' EXIT

if selected "undisturbed"; then
    grade quiet --slurm
    verdict "undisturbed" "$(ends_well quiet)"
    echo "$(grep judged "$work/quiet.log")"
fi

if selected "cards"; then
    . tests/card/toolkit.bash
    trap 'cluster_stop; rm -rf "$work" "$toolkit"' EXIT
    smi "First card, 580.1, 9.0, 0, $idle, Disabled
Second card, 580.1, 9.0, 0, $idle, Disabled"
    for ((i = 0; i < 6; i++)); do
        mkdir -p "$work/cards/s$i"
        { cat "$toolkit/both.cu" && echo "// $i"; } >"$work/cards/s$i/01-vector-add.cu"
    done
    (PATH=$toolkit/card/bin:$PATH CUDA_HOME=$toolkit "$warpschool" --root "$tree" grade "$work/cards" --gradebook "$work/cards.db" --slurm --device cuda >"$work/cards.log" 2>&1) &
    grader=$! most=0
    while kill -0 $grader 2>/dev/null; do
        running=$(squeue -h -t R 2>/dev/null | wc -l)
        [ "$running" -le "$most" ] || most=$running
        sleep 0.1
    done
    wait $grader
    status=$?
    "$warpschool" export times --gradebook "$work/cards.db" -o "$work/times.csv"
    verdict "cards: all are graded, each with its times" "$([ $status = 0 ] && [ "$(grep -c 'large array","pass",[0-9]' "$work/times.csv")" = 6 ] || { echo "status $status"; cat "$work/cards.log" "$work/times.csv"; })"
    verdict "cards: Slurm names a job its own" "$(sbatch --wait --gres=gpu:1 --output="$work/named" --wrap 'printenv CUDA_VISIBLE_DEVICES' >/dev/null 2>&1; grep -qx '[01]' "$work/named" || cat "$work/named")"
    verdict "cards: both are used" "$(grep -q 'First card' "$work/times.csv" && grep -q 'Second card' "$work/times.csv" || cut -d, -f1,3,10 "$work/times.csv")"
    verdict "cards: as many jobs at a time as there are cards, though there are more processors" "$([ "$most" -ge 1 ] && [ "$most" -le 2 ] || echo "$most")"
fi

if selected "workers killed"; then
    (grade killed --slurm; exit $status) &
    grader=$! deaths=0
    for ((i = 0; i < 2; i++)); do # a task has three tries
        until_true $grader has_worker killed
        for worker in $(workers killed); do kill -9 "$worker" 2>/dev/null && deaths=$((deaths + 1)); done
        sleep 1
    done
    wait $grader
    status=$?
    verdict "workers killed: some were" "$([ $deaths -gt 0 ] || echo "$deaths")"
    verdict "workers killed: the same grades" "$(ends_well killed)"
fi

if selected "controller killed"; then
    cluster_settle
    (grade crashed --slurm; exit $status) &
    grader=$!
    until_true $grader has_worker crashed
    kill -9 $controller
    wait $controller 2>/dev/null
    sleep 3
    controller_start
    for ((waited = 0; waited < 300; waited++)); do
        kill -0 $grader 2>/dev/null || break
        node_resume
        sleep 1
    done
    verdict "controller killed: the grading comes to its end" "$(kill $grader 2>/dev/null && { sinfo; squeue; tail -n 5 "$work/crashed.log" "$work/cluster/slurmctld.log"; })"
    wait $grader
    status=$?
    verdict "controller killed: the same grades" "$(ends_well crashed)"
    cluster_clear
fi

if selected "grader killed"; then
    "$warpschool" --root "$tree" grade "$work/submissions" --gradebook "$work/again.db" --seed 5 --slurm >"$work/again.log" 2>&1 </dev/null &
    grader=$!
    until_true $grader has_worker again
    kill -9 $grader
    wait $grader 2>/dev/null
    verdict "grader killed: its jobs are still there" "$(has_worker again || [ "$(results again)" -gt 0 ] || squeue -h | grep -q . || echo no)"
    grade again --slurm
    verdict "grader killed: the next run has the same grades" "$(ends_well again)"
    verdict "grader killed: no job or worker survives" "$(workers again; squeue -h)"
fi

if selected "stopped"; then
    "$warpschool" --root "$tree" grade "$work/submissions" --gradebook "$work/stopped.db" --seed 5 --slurm >"$work/stopped.log" 2>&1 </dev/null &
    grader=$!
    until_true $grader has_worker stopped
    kill -TERM $grader
    wait $grader
    status=$?
    verdict "stopped: says how to go on" "$([ $status -eq 1 ] && grep -q Stopped "$work/stopped.log" || { echo "status $status"; cat "$work/stopped.log"; })"
    for ((i = 0; i < 100; i++)); do [ -z "$(workers stopped; squeue -h)" ] && break || sleep 0.2; done
    verdict "stopped: no job or worker survives" "$(workers stopped; squeue -h)"
    grade stopped
    verdict "stopped: goes on without Slurm" "$(ends_well stopped)"
fi
finish
