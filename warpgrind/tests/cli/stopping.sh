#!/bin/bash
# warpgrind that is told to stop, or dies: the findings so far are reported, and nothing runs on.
# Needs the built tools. Ends with "N passed, N failed".
. "$(dirname "$0")/common.bash"

build_from endless <<'END'
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <csignal>
#include <unistd.h>
__global__ void writes(int *x) { x[threadIdx.x] = 1; }
__global__ void spin(volatile int *x) { for (long long i = 0; x[0] + i < 1ll << 60; i++) {} } /* gets on, and so is no hang */
__global__ void many(int *x) { int s = 0; for (int i = 0; i < 1 << 28; i++) s += i ^ (int)blockIdx.x; x[blockIdx.x] = s; }
int main(int argc, char **argv) {
    int *d = nullptr;
    if (argc > 2 && !strcmp(argv[2], "stubborn"))
        for (int number : {SIGTERM, SIGINT, SIGHUP}) signal(number, SIG_IGN);
    if (cudaMalloc(&d, 64 * 4) != cudaSuccess || cudaMemset(d, 0, 64 * 4) != cudaSuccess) return 9;
    writes<<<1, 65>>>(d); /* one thread too many */
    if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 9;
    printf("started\n");
    fflush(stdout);
    if (!strcmp(argv[1], "host")) for (;;) pause();
    if (!strcmp(argv[1], "kernel")) spin<<<1, 32>>>(d);
    if (!strcmp(argv[1], "many")) many<<<64, 32>>>(d);
    return cudaDeviceSynchronize() != cudaSuccess;
}
END

# Starts warpgrind in the background and waits until the program has started; leaves $main. A job of a script ignores
# SIGINT, which warpgrind would respect: perl gives it back.
begin() { # options and words for the program
    : >"$work/out"
    perl -e '$SIG{INT} = $SIG{QUIT} = "DEFAULT"; $SIG{HUP} = "IGNORE" if $ENV{IGNORE}; exec @ARGV' "$warpgrind" --steps 1000000000000 --report "$work/report.json" --sarif "$work/report.sarif" \
        --trace "$work/trace.json" "${options[@]}" "$work/endless" "$@" >"$work/out" 2>"$work/log" &
    main=$!
    # --explore shows the output at the end of the run: then the trace tells.
    for _ in $(seq 100); do
        grep -q started "$work/out" && break
        pgrep -P "$main" -f endless >/dev/null && [ "${options[*]}" != "${options[*]#*explore}" ] && sleep 1 && break
        sleep 0.1
    done
    sleep 0.3 # into the kernel
    children=$(pgrep -P "$main" | tr '\n' ' ')
}
alive() { # of the processes that warpgrind started, and theirs: those that are there still
    local left='' pid
    for pid in $children; do
        [ -e "/proc/$pid" ] && ! grep -q '^State:.Z' "/proc/$pid/status" 2>/dev/null && left+="$pid "
    done
    echo "$left"
}
gone() { # within three seconds
    for _ in $(seq 30); do
        [ -z "$(alive)" ] && return 0
        sleep 0.1
    done
    return 1
}
whole() { json_says . "$1"; }

stop() { # signal, its number, where the program is, more words
    local signal=$1 number=$2
    begin "${@:3}"
    kill -"$signal" "$main"
    wait "$main"
    status=$?
    local name="${*:3} ${options[*]} stopped by $signal"
    check "$name: status" "[ $status -eq $((128 + number)) ]"
    check "$name: two processes there were" "[ \$(wc -w <<<'$children') -eq 2 ]"
    check "$name: nobody is left" "gone"
    check "$name: printed" "grep -q '^error: out-of-bounds' $work/log && grep -q 'warpgrind: stopped by SIG$signal' $work/log && grep -q 'warpgrind: 1 error' $work/log"
    check "$name: not taken for a bug in warpgrind" "! grep -q 'bug in warpgrind' $work/log"
    local kinds='["out-of-bounds"]'
    [ "$3" = host ] || kinds='["out-of-bounds","limit"]' # the kernel that was stopped
    check "$name: report" "json_says '.ended == \"stopped\" and .signal == $number and (.findings | map(.kind)) == $kinds' $work/report.json"
    check "$name: SARIF" "json_says '.runs[0].results | length == ($kinds | length)' $work/report.sarif"
    check "$name: trace" "whole $work/trace.json"
}
options=()
stop TERM 15 kernel
check "the launch that was stopped" "grep -q 'stopped by SIGTERM (Terminated) in kernel spin, launch 2' $work/log && json_says '.launches[1].status == \"stopped\"' $work/report.json"
check "where it was stopped" "grep -q '^note: limit: the kernel was stopped here, after [0-9,]* instructions of its warps$' $work/log && json_says '.findings[1] | .line == $(grep -n 'void spin' "$work/endless.cu" | cut -d: -f1) and .what == \"run\"' $work/report.json"
stop INT 2 kernel
stop HUP 1 host
stop TERM 15 host stubborn
stop TERM 15 many stubborn
options=(--threads 3)
stop TERM 15 many
options=(--explore 3)
stop TERM 15 kernel
check "--explore prints what the program printed until then" "grep -qx started $work/out"

# --- a time limit round warpgrind, which sends its signal to the whole group
timeout 2 "$warpgrind" --steps 1000000000000 --report "$work/report.json" "$work/endless" kernel >"$work/out" 2>"$work/log"
status=$?
check "a time limit: timeout says so, and the report is there" "[ $status -eq 124 ] && grep -q '^error: out-of-bounds' $work/log && json_says '.ended == \"stopped\" and .signal == 15' $work/report.json"

# --- what was ignored from the start (nohup) stays ignored
options=()
IGNORE=1 begin host
kill -HUP "$main"
sleep 0.5
check "nohup" "[ \$(wc -w <<<\"\$(alive)\") -eq 2 ]"
kill -TERM "$main"
wait "$main"

# --- warpgrind itself is killed
killed() { # words for the program
    begin "$@"
    children+=" $(for child in $children; do pgrep -P "$child"; done | tr '\n' ' ')"
    kill -KILL "$main"
    wait "$main" 2>/dev/null
    check "$* ${options[*]}: SIGKILL leaves nobody behind" "[ \$(wc -w <<<'$children') -ge 2 ] && gone"
}
killed kernel
killed host stubborn
options=(--threads 3)
killed many stubborn
options=(--explore 2)
killed kernel

# --- a last line without a newline: the report begins on its own, and nothing is added to output that goes elsewhere
build_from unfinished <<'END'
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <unistd.h>
__global__ void writes(int *x) { x[threadIdx.x] = 1; }
int main(int, char **argv) {
    int *d = nullptr;
    if (cudaMalloc(&d, 64 * 4) != cudaSuccess) return 9;
    writes<<<1, 65>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    switch (atoi(argv[1])) {
    case 0: printf("last words"); break;
    case 1: printf("last "), fflush(stdout), printf("words"), fflush(stdout); break;
    case 2: std::cout << "last words" << std::flush; break;
    case 3: fprintf(stderr, "last words"); break;
    case 4: setvbuf(stdout, nullptr, _IONBF, 0), printf("last words"); break;
    case 5: printf("last words"), fflush(stdout), abort();
    case 6: printf("last "), fflush(stdout), printf("words\n"); break;
    case 7: printf("last words"), fflush(stdout), _exit(0);
    }
}
END
for way in 0 1 2 3 4 5 6; do
    "$warpgrind" "$work/unfinished" $way 2>&1 | head -n 2 >"$work/lines"
    check "own line, way $way" "[ \"\$(head -n 1 $work/lines)\" = 'last words' ] && sed -n 2p $work/lines | grep -q '^error: '"
done
"$warpgrind" "$work/unfinished" 7 >"$work/lines" 2>&1
check "own line in a file" "[ \"\$(head -n 1 $work/lines)\" = 'last words' ]"
check "no newline in the program's own file" "[ \"\$('$warpgrind' $work/unfinished 0 2>/dev/null | wc -c)\" -eq 10 ]"
check "no newline without a report" "[ \"\$('$warpgrind' --quiet $work/unfinished 0 2>&1 | wc -c)\" -eq 10 ]"

finish
