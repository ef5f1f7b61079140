#!/bin/bash
# Programs of several ranks: what warpcc makes of <mpi.h>, and what warpgrind says when mpirun starts it, or it starts mpirun. Each case is
# run with every MPI that is installed. Needs the built tools. Ends with "N passed, N failed".
. "$(dirname "$0")/../cli/common.bash"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # in a container there may be nobody else

kinds=
for kind in mpich openmpi; do
    if ls /usr/include/*/$kind/mpi.h /usr/lib/*/$kind/include/mpi.h 2>/dev/null | grep -q . && command -v mpirun.$kind >/dev/null; then
        kinds+=" $kind"
    else
        echo "SKIPPED the cases of $kind: it is not installed"
    fi
done
if [ -z "$kinds" ]; then
    echo "SKIPPED programs of several ranks: no MPI is installed (make setup installs one)"
    echo "0 passed, 0 failed"
    exit 77
fi

# ---- warpcc ----
for kind in $kinds; do
    "$warpcc" --mpi=$kind -o "$work/decay-$kind" tests/ranks/decay.cu >"$work/log" 2>&1
    check "compiles for $kind" "[ $? -eq 0 ] && [ ! -s $work/log ] && ldd $work/decay-$kind | grep -q 'libmpi'"
done
# The one that mpirun belongs to: in a folder of our own, mpirun is one or the other.
for kind in $kinds; do
    mkdir -p "$work/$kind" && ln -sf "$(command -v mpirun.$kind)" "$work/$kind/mpirun"
    PATH=$work/$kind:$PATH "$warpcc" -o "$work/own" tests/ranks/decay.cu >"$work/log" 2>&1
    check "takes the MPI of mpirun, $kind" "[ $(ldd "$work/own" | grep -o -m1 "libmpi[a-z]*" | head -n 1) = $(ldd "$work/decay-$kind" | grep -o -m1 "libmpi[a-z]*" | head -n 1) ]"
done
cat >"$work/host.cpp" <<'END'
#include <mpi.h>
int ranks() { int size = 0; MPI_Comm_size(MPI_COMM_WORLD, &size); return size; }
END
printf '#include <mpi.h>\nint ranks();\nint main(int argc, char **argv) { MPI_Init(&argc, &argv); int n = ranks(); MPI_Finalize(); return n; }\n' >"$work/two.cu"
"$warpcc" -o "$work/two" "$work/two.cu" "$work/host.cpp" >"$work/log" 2>&1
check "a host file includes it, too" '[ -x $work/two ] && [ ! -s $work/log ]'
"$warpcc" -c -o "$work/host.o" "$work/host.cpp" && "$warpcc" -o "$work/objects" "$work/two.cu" "$work/host.o" >"$work/log" 2>&1
check "an object's functions of MPI are found" '[ -x $work/objects ] && [ ! -s $work/log ]'
mkdir -p "$work/mine" && printf '#define MINE 1\n' >"$work/mine/mpi.h"
printf '#include <mpi.h>\n#ifndef MINE\n#error not mine\n#endif\nint main() {}\n' >"$work/own.cu"
"$warpcc" -I"$work/mine" -o "$work/own" "$work/own.cu" >"$work/log" 2>&1
check "a named folder comes first" '[ -x $work/own ] && [ ! -s $work/log ]'
printf 'int main() {}\n' >"$work/plain.cu"
"$warpcc" -o "$work/plain" "$work/plain.cu" && check "other programs have nothing of it" '! ldd $work/plain | grep -q libmpi'
"$warpcc" --mpi=lam -o "$work/x" "$work/plain.cu" >"$work/log" 2>&1
check "a name that there is not" "[ $? -eq 2 ] && grep -q 'there is no MPI named lam' $work/log && grep -q -- '--mpi=mpich or --mpi=openmpi' $work/log"

[ -z "${FILTER:-}" ] || [ $((passed + failed)) -eq 0 ] || finish # the FILTER has found its case, and the rest takes longer

# ---- mpirun round warpgrind, and warpgrind round mpirun ----
declare -A start=([mpich]="mpirun.mpich -n" [openmpi]="mpirun.openmpi --oversubscribe -n")
declare -a words
# Neither mpirun nor a rank may wait without end. An mpirun that was cut short returns before the report is printed.
launch() { # words; leaves $status, out, log
    timeout -k 1 20 "$@" >"$work/out" 2>"$work/log"
    status=$?
    for _ in $(seq 40); do
        grep -q '^warpgrind: .*rank' "$work/log" && break
        sleep 0.05
    done
}
nobody() { # of ours is left
    for _ in $(seq 40); do
        pgrep -f "$work/decay-" >/dev/null || return 0
        sleep 0.05
    done
    return 1
}
said() { grep -qF -- "$1" "$work/log"; }
findings() { grep -c '^error: ' "$work/log"; }

on() { # ranks, warpgrind's options --, the program's words
    local ranks=$1 options=()
    shift
    while [ "$1" != -- ]; do options+=("$1") && shift; done
    shift
    if [ $how = inside ]; then
        launch ${start[$kind]} "$ranks" "$warpgrind" "${options[@]}" "$program" "$@"
    else
        launch "$warpgrind" "${options[@]}" ${start[$kind]} "$ranks" "$program" "$@"
    fi
}

for kind in $kinds; do
    program=$work/decay-$kind
    for how in inside outside; do
        name="$kind, warpgrind $how of mpirun"
        on 4 -- past=9
        check "$name: right ranks" '[ $status -eq 0 ] && grep -qx "4 ranks, 1 devices, the last is 360" $work/out && said "no findings in 4 launches, 512 threads, 4 ranks"'
        on 4 --devices 4 -- say=0123
        check "$name: a device for each rank" '[ $(grep -cE "^rank ([0-3]) has device \1$" $work/out) -eq 4 ] && grep -q "4 ranks, 4 devices" $work/out'
        on 4 --report "$work/report.json" --sarif "$work/report.sarif" --trace "$work/trace.json" -- past=02
        check "$name: equal findings are one" '[ $status -ne 0 ] && [ $(findings) -eq 1 ] && said "in kernel decay_kernel, launch 1, on ranks 0 and 2" && said "1 error in 4 launches, 512 threads, 4 ranks"'
        check "$name: the report is of all" 'json_says "(.processes | map(.rank)) == [0, 1, 2, 3] and (.launches | map(.process)) == [0, 1, 2, 3] and .launches_total == 4 and .copies_total == 4 and (.findings | length) == 1 and .findings[0].processes == [0, 2] and .findings[0].count == 4" $work/report.json'
        check "$name: the report is as its schema says" 'valid docs/report.schema.json $work/report.json'
        check "$name: so is SARIF" 'json_says ".runs[0].results | length == 1 and (.[0].message.text | contains(\"(on ranks 0 and 2)\"))" $work/report.sarif'
        check "$name: a trace for each rank" 'for r in 0 1 2 3; do json_says . $work/trace.rank$r.json || return 1; done'
        [ $kind = mpich ] || continue # what differs between the two is how mpirun ends
        on 3 -- past=012
        check "$name: all ranks are not listed" 'said "launch 1, on all 3 ranks"'
        on 3 -- past=1
        check "$name: one rank" 'said "launch 1, on rank 1" && nobody'
        on 2 -- fail=1
        check "$name: the program fails by itself" '[ $status -eq 4 ] && said "no findings in 2 launches"'
    done
    for how in inside outside; do
        name="$kind, warpgrind $how of mpirun"
        for end in kill abort leave quit; do
            # OpenMPI 4.1.4 may crash or stand in PMIx_server_finalize after MPI_Abort, when all its processes are gone.
            [ $kind-$how-$end != openmpi-inside-abort ] || continue
            [ $kind-$end != openmpi-leave ] || continue
            on 4 -- past=0 $end=2
            check "$name: a rank ends by $end" '[ $status -ne 124 ] && { [ $status -ne 0 ] || [ $end = quit ]; } && [ $(findings) -eq 1 ] && said "on rank 0" && grep -q "^warpgrind: 1 error in 4 launches, .* 4 ranks" $work/log && nobody'
            [ $how = outside ] || [ $end != kill ] || check "$name: and which it was" 'said "rank 2: ended by SIGKILL (Killed)" && grep -q "^warpgrind: rank.* [013].*: stopped by" $work/log'
            [ $how = outside ] || [ $end != leave ] || check "$name: with which status" 'said "rank 2: exit status 5"'
        done
    done
    [ $kind = mpich ] || continue
    launch timeout 3 ${start[$kind]} 2 "$warpgrind" --steps 1000000000000 "$program" past=0 spin=1
    check "$kind, stopped in a kernel" '[ $status -eq 124 ] && said "stopped by SIG" && [ $(findings) -eq 1 ] && nobody'
    launch ${start[$kind]} 2 sh -c "'$warpgrind' '$program' past=1; exit \$?"
    check "$kind, in a script of each rank" '[ $(findings) -eq 1 ] && said "1 error in 2 launches, 256 threads, 2 ranks"'
    launch ${start[$kind]} 1 "$warpgrind" "$program" past=0
    check "$kind, one rank is a program as any" '[ $status -eq 1 ] && [ $(findings) -eq 1 ] && ! grep -q "on rank\|[0-9] ranks" $work/log'
    launch ${start[$kind]} 2 "$warpgrind" --explore 2 "$program"
    check "$kind, exploring inside is refused" '[ $status -eq 2 ] && said "write warpgrind --explore N mpirun"'
    launch ${start[$kind]} 2 "$warpgrind" --smallest "$program"
    check "$kind, and so is looking for the smallest run" '[ $status -eq 2 ] && said "run it without mpirun"'
    launch "$warpgrind" --explore 2 ${start[$kind]} 2 "$program"
    check "$kind, exploring outside" '[ $status -eq 0 ] && said "2 schedules, all with the same results" && said "2 ranks"'
done

# Each process that a program starts has a device of its own; srun tells ranks by other names.
cat >"$work/plain.cu" <<'END'
#include <cstdlib>
__global__ void k(int *x) { x[threadIdx.x] = 1; }
int main(int argc, char **argv) {
    int *d = nullptr;
    if (cudaMalloc(&d, 32 * 4) != cudaSuccess) return 9;
    k<<<1, argc > 1 && getenv("SLURM_PROCID") && *argv[1] == *getenv("SLURM_PROCID") ? 33 : 32>>>(d);
    int x[32];
    if (cudaGetLastError() != cudaSuccess || cudaMemcpy(x, d, sizeof x, cudaMemcpyDeviceToHost) != cudaSuccess || x[31] != 1) return 8;
    return cudaFree(d) != cudaSuccess;
}
END
"$warpcc" -o "$work/plain" "$work/plain.cu"
run sh -c "'$work/plain' && '$work/plain'"
check "two processes of a script" '[ $status -eq 0 ] && said "no findings in 2 launches, 64 threads, 2 processes"'
run sh -c "exec '$work/plain'"
check "a script that becomes the program" '[ $status -eq 0 ] && said "no findings in 1 launch, 32 threads" && ! said process'
srun() { # the shape of what srun does
    local rank pids=()
    for rank in 0 1 2; do
        SLURM_PROCID=$rank SLURM_STEP_NUM_TASKS=3 SLURM_STEP_TASKS_PER_NODE=3 timeout 30 "$warpgrind" "$work/plain" 1 2>>"$work/log" &
        pids+=($!)
    done
    status=0
    for pid in "${pids[@]}"; do wait "$pid" || status=$?; done
}
: >"$work/log"
srun
check "ranks of srun" '[ $status -eq 1 ] && [ $(findings) -eq 1 ] && said "launch 1, on rank 1" && said "1 error in 3 launches, 97 threads, 3 ranks"'

finish
