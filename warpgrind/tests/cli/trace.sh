#!/bin/bash
# warpgrind --trace: what it shows of streams, blocks, warps and findings, its bounds, and that every trace is what
# docs/trace.md and its schema say. Needs the built tools and python3-jsonschema. Ends with "N passed, N failed".
. "$(dirname "$0")/common.bash"

traced() { # arguments of warpgrind; a trace that is not as it should be is a failure
    rm -f "$work/trace"
    run --trace "$work/trace" "$@"
    well_formed "$*"
}
well_formed() {
    selected "the trace of ${1//$work\//} is well formed" || return 0
    python3 tests/cli/trace_check.py docs/trace.schema.json "$work/trace" >"$work/problems" 2>&1
    check "the trace of ${1//$work\//} is well formed" "[ -s $work/trace ] && [ ! -s $work/problems ] || { cat $work/problems; false; }"
}
events() { jq -c ".traceEvents[] | select($1)" "$work/trace"; }
count() { events "$1" | wc -l; }

# --- streams, events, divergence, barriers, and a race
build_from story <<'CODE'
#include <cuda_runtime.h>
extern "C" __attribute__((weak)) void warpgrindMark(const char *);
__global__ void sum(float *out, const float *in) {
    __shared__ float t[64];
    unsigned i = threadIdx.x;
    t[i] = in[blockIdx.x * 64 + i];
    __syncthreads();
    if (i < 8) t[i] += t[i + 8];
    if (i == 0) atomicAdd(out, t[0]);
}
__global__ void racy(float *x) {
    __shared__ float t[64];
    t[threadIdx.x] = 1;
    x[threadIdx.x] = t[63 - threadIdx.x];
}
int main() {
    float *out, *in;
    cudaStream_t a, b;
    cudaEvent_t e;
    cudaMalloc(&out, 4);
    cudaMalloc(&in, 2048);
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaEventCreate(&e);
    if (warpgrindMark) warpgrindMark("case \"1\"");
    cudaMemsetAsync(in, 0, 2048, a);
    cudaEventRecord(e, a);
    cudaMemsetAsync(out, 0, 4, b);
    cudaStreamWaitEvent(b, e, 0);
    sum<<<8, 64, 0, b>>>(out, in);
    cudaStreamSynchronize(b);
    racy<<<dim3(1, 1), dim3(64, 1)>>>(in);
    cudaMemcpy(in, out, 4096, cudaMemcpyDeviceToDevice);
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(in);
}
CODE
traced --report "$work/report.json" "$work/story"
cp "$work/trace" "$work/first"
check "the file is its owner's alone" "[ \$(stat -c %a $work/trace) = 600 ]"
check "the end says that it is complete" "json_says '.otherData | .complete and .seed == 0 and .events_left_out == 0' $work/trace"
check "the program and its thread are named" "[ \$(count '.pid == 1 and .name == \"process_name\" and .args.name == \"story\"') -eq 1 ]"
check "the launch is called what the source calls it, with its line" \
    "[ \$(count '.ph == \"B\" and .cat == \"call\" and .name == \"sum<<<8, 64>>>\" and .args.line == 30 and .args.stream == \"stream 2\"') -eq 1 ]"
check "a call's arguments are words" \
    "[ \$(count '.name == \"cudaMemsetAsync\" and .args.address == \"device memory of 2,048 bytes allocated at line 21\" and .args.bytes == 2048') -eq 1 ]"
check "a call that fails says so" \
    "[ \$(count '.ph == \"E\" and .args.result == \"cudaErrorInvalidValue\" and .args.meaning == \"invalid argument\"') -eq 1 ]"
check "two streams have tracks of their own" \
    "[ \"\$(events '.pid == 10 and .name == \"thread_name\"' | jq -r .args.name | sort | paste -sd,)\" = 'stream 1,stream 2,the default stream' ]"
check "an arrow leads from the event to the stream that waits" \
    "[ \$(count '.name == \"waits for\"') -eq 2 ] && [ \$(events '.name == \"waits for\"' | jq .tid | sort -u | wc -l) -eq 2 ]"
check "an arrow leads from each call to its work" "[ \$(count '.name == \"asked for\" and .ph == \"s\"') -eq 6 ]"
check "the mark is an instant" "[ \$(count '.cat == \"mark\" and .args.text == \"case \\\"1\\\"\"') -eq 1 ]"
check "four of eight blocks, and their warps, are shown" \
    "[ \$(count '.pid == 1001 and .cat == \"block\"') -eq 4 ] && [ \$(count '.pid == 1001 and .name == \"thread_name\"') -eq 12 ]"
check "the kernel's end says how many there were" "[ \$(count '.ph == \"E\" and .args.blocks == 8 and .args.blocks_shown == 4') -eq 1 ]"
check "slices between barriers" \
    "[ \$(count '.pid == 1001 and .name == \"to the barrier at line 7\"') -eq 8 ] && [ \$(count '.pid == 1001 and .name == \"to the end\"') -eq 8 ]"
check "barriers are instants of the block" "[ \$(count '.cat == \"barrier\" and .args.line == 7 and .args.threads == 64') -eq 4 ]"
check "divergence: where lanes part" "[ \$(count '.name == \"diverge\" and .args.line == 8 and .args.taken + .args.not_taken == 32') -eq 4 ]"
check "divergence: who runs then" "[ \$(count '.name == \"line 8, 8 of 32 lanes\" and .args.mask == \"0x000000ff\" and .args.writes == 1') -eq 4 ]"
check "divergence: where they meet again" "[ \$(count '.name == \"reconverge\" and .args.lanes == 32') -eq 8 ]"
check "atomics are counted where they run" "[ \$(count '.cat == \"run\" and .args.atomics == 1 and .args.lanes == 1') -eq 4 ]"
check "the race stands on the track of its warp" \
    "[ \$(count '.cat == \"finding\" and .name == \"shared-race\" and .pid == 1002 and .tid >= 1 and .args.line == 14 and .args.other_line == 13 and .args.kernel == \"racy\"') -eq 1 ]"
check "the host's mistake stands on the host's track" "[ \$(count '.cat == \"finding\" and .name == \"out-of-bounds\" and .pid == 1 and .args.line == 33') -eq 1 ]"
check "every finding of the report is there" "[ \$(count '.cat == \"finding\"') -eq \$(jq '.findings | length' $work/report.json) ]"
check "the report knows of it" "json_says '.trace | .written and .events > 100 and .events_left_out == 0' $work/report.json"
python3 -c '
import json, sys
import jsonschema
jsonschema.validate(json.load(open(sys.argv[2])), json.load(open(sys.argv[1])))' docs/report.schema.json "$work/report.json" >"$work/problems" 2>&1
check "and is as its schema says" "[ ! -s $work/problems ]"
run --report "$work/plain.json" "$work/story"
check "without --trace the report has no word of it" "json_says 'has(\"trace\") | not' $work/plain.json"

traced "$work/story"
check "the same seed, the same bytes" "cmp -s $work/trace $work/first"
traced --seed 5 "$work/story"
check "another seed, another trace" "! cmp -s $work/trace $work/first && json_says '.otherData.seed == 5' $work/trace"
traced --explore 3 "$work/story"
check "with --explore: that of the first schedule" "cmp -s $work/trace $work/first"
traced --threads 4 --divide-from 1 "$work/story"
check "with --threads: launches are not divided" "cmp -s $work/trace $work/first"
traced --stream-order early "$work/story"
check "early: the memset is over before its call is" \
    "json_says '.otherData.stream_order == \"early\" and ([.traceEvents[] | select(.ph == \"B\" and .name == \"set bytes\")][0].ts < [.traceEvents[] | select(.name == \"cudaEventRecord\")][0].ts)' $work/trace"
traced --trace-blocks 0 "$work/story"
check "no blocks when none are asked for" "[ \$(count '.pid > 1000') -eq 0 ] && [ \$(count '.cat == \"work\" and .name == \"sum\"') -eq 1 ]"
traced --trace-blocks 64 "$work/story"
check "all blocks when there is room" "[ \$(count '.pid == 1001 and .cat == \"block\"') -eq 8 ]"
traced --checks none "$work/story"
check "without checks: no findings of kernels, all else" "[ \$(count '.name == \"shared-race\"') -eq 0 ] && [ \$(count '.cat == \"block\"') -eq 5 ]"

# --- graphs, several devices, callbacks
build_from graph <<'CODE'
#include <cuda_runtime.h>
#include <cstdio>
__global__ void one(int *x) { atomicAdd(x, 1); }
static void told(void *) { puts("told"); }
int main() {
    int *d, *far;
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaMalloc(&d, 8);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaMemsetAsync(d, 0, 8, s);
    cudaEventRecord(fork, s);
    cudaStreamWaitEvent(t, fork, 0);
    one<<<1, 32, 0, s>>>(d);
    one<<<1, 32, 0, t>>>(d + 1);
    cudaEventRecord(join, t);
    cudaStreamWaitEvent(s, join, 0);
    cudaLaunchHostFunc(s, told, nullptr);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&ready, graph, 0);
    for (int i = 0; i < 3; i++) cudaGraphLaunch(ready, s);
    cudaStreamSynchronize(s);
    cudaSetDevice(1);
    cudaMalloc(&far, 4);
    cudaMemset(far, 0, 4);
    one<<<1, 1>>>(far);
    cudaDeviceSynchronize();
    cudaFree(far);
    cudaSetDevice(0);
    cudaFree(d);
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
}
CODE
traced --devices 2 "$work/graph"
check "graphs: each launch is shown, and its branches wait for each other" \
    "[ \$(count '.name == \"cudaGraphLaunch\"') -eq 3 ] && [ \$(count '.cat == \"work\" and .name == \"one\"') -eq 7 ] && [ \$(count '.name == \"waits for\" and .ph == \"f\"') -ge 8 ]"
check "host functions are shown" "[ \$(count '.name == \"host function\"') -eq 3 ] && [ \$(grep -c told $work/out) -eq 3 ]"
check "the second device has its tracks" "[ \$(count '.pid == 11 and .name == \"process_name\"') -eq 1 ]"

# --- more than fits
build_from many <<'CODE'
#include <cuda_runtime.h>
__global__ void busy(int *x, int n) {
    for (int i = 0; i < n; i++) {
        if ((threadIdx.x + i) % 3 == 0) x[blockIdx.x * blockDim.x + threadIdx.x] += i;
        __syncthreads();
    }
}
int main(int argc, char **argv) {
    int *d;
    cudaMalloc(&d, 65536);
    cudaMemset(d, 0, 65536);
    for (int i = 0; i < 20; i++) busy<<<16, 1024>>>(d, argc > 1 ? 2 : 60);
    for (int i = 0; argc > 1 && i < 20000; i++) cudaGetLastError();
    cudaDeviceSynchronize();
    cudaFree(d);
}
CODE
traced --checks none "$work/many"
check "a launch is cut at its limit" "[ \$(stat -c %s $work/trace) -lt 22000000 ] && [ \$(count '.args.events_left_out > 0') -gt 10 ]"
check "its blocks are all closed nevertheless" "[ \$(count '.pid == 1001 and .cat == \"block\"') -eq \$(events '.args.blocks == 16' | head -1 | jq .args.blocks_shown) ]"
check "each kernel is there" "[ \$(count '.ph == \"B\" and .cat == \"work\" and .name == \"busy\"') -eq 20 ]"
check "what was cut is said" "grep -Eq 'warpgrind: .*trace leaves out [0-9,]+ events' $work/log && json_says '.otherData.events_left_out > 1000' $work/trace"
traced --checks none --quiet "$work/many" calls
check "many calls fit" "[ \$(count '.name == \"cudaGetLastError\"') -eq 20000 ]"

# --- deaths
build_from deaths <<'CODE'
#include <cuda_runtime.h>
#include <csignal>
#include <cstring>
#include <unistd.h>
__global__ void spin(volatile int *x) { while (*x == 0) {} }
__global__ void counts(volatile int *x) { for (long i = 0; i < 1L << 50; i++) *x = i; } // long, and no hang
__global__ void stuck(int *x) {
    if (threadIdx.x < 32) __syncthreads();
    else while (atomicAdd(x, 0) == 0) {}
}
__global__ void wild() { *(volatile int *)16 = 1; }
int main(int argc, char **argv) {
    int *d;
    cudaMalloc(&d, 4);
    cudaMemset(d, 0, 4);
    if (!strcmp(argv[1], "wild")) wild<<<2, 64>>>();
    else if (!strcmp(argv[1], "stuck")) stuck<<<1, 64>>>(d);
    else if (!strcmp(argv[1], "counts")) counts<<<1, 1>>>(d);
    else spin<<<1, 1>>>(d);
    if (!strcmp(argv[1], "kill")) kill(getpid(), SIGKILL);
    if (!strcmp(argv[1], "null")) *(volatile int *)nullptr = 1;
    if (!strcmp(argv[1], "_exit")) _exit(0);
    cudaDeviceSynchronize();
}
CODE
for how in kill null _exit; do
    traced "$work/deaths" $how
    check "the program dies ($how): the trace is complete" "json_says '.otherData.complete' $work/trace && [ \$(count '.name == \"spin<<<1, 1>>>\"') -eq 1 ]"
done
traced --steps 100000 "$work/deaths" stuck
check "a hang: who waits where" "[ \$(count '.cat == \"finding\"') -ge 1 ] && [ \$(count '.name == \"until the launch was stopped\"') -eq 2 ]"
traced "$work/deaths" wild
check "a fault ends the launch, and its slices" "[ \$(count '.args.result == \"cudaErrorIllegalAddress\" and .pid == 10') -eq 1 ]"
rm -f "$work/trace"
"$warpgrind" --steps 1000000000000 --trace "$work/trace" "$work/deaths" counts >"$work/out" 2>"$work/log" &
running=$!
for _ in $(seq 300); do
    grep -qs '"cat":"work","name":"counts"' "$work/trace" && break
    kill -0 $running 2>/dev/null || break
    sleep 0.1
done
for child in $(ps -o pid= --ppid $running); do
    [ "$(cat /proc/"$child"/comm)" = warpgrind ] && kill -KILL "$child"
done
wait $running
status=$?
well_formed "a device that was killed"
check "the device is killed: the file is whole and says that it is not complete" \
    "json_says '.otherData.complete | not' $work/trace && [ \$(count '.ph == \"B\" and .cat == \"work\" and .name == \"counts\"') -eq 1 ]"

# --- a loop, whose last line comes before others of it
build_from back <<'CODE'
#include <cuda_runtime.h>
__global__ void back(int *x, int n) {
    for (int i = 0; i < n; i++) {
        __syncthreads();
        x[threadIdx.x] += i;
        x[threadIdx.x] ^= n;
    }
}
int main() {
    int *x;
    cudaMalloc(&x, 128);
    cudaMemset(x, 0, 128);
    back<<<1, 32>>>(x, 3);
    cudaDeviceSynchronize();
    cudaFree(x);
}
CODE
traced "$work/back"
check "a run has the least and the greatest of its lines" "[ \$(count '.cat == \"run\" and .name == \"lines 3-6\"') -eq 2 ]"

# --- files
ln -s "$work/elsewhere" "$work/link"
run --trace "$work/link" "$work/story"
check "a symbolic link is not followed" "[ $status -eq 3 ] && [ ! -e $work/elsewhere ]"
run --trace "$work/no/such/folder" "$work/story"
check "a file that cannot be made is said" "[ $status -eq 3 ] && grep -q 'no/such/folder: No such file' $work/log"
run --trace /dev/full "$work/story"
check "a full disk is said" "grep -q 'the trace could not be written in full' $work/log"
run --trace-blocks 65 "$work/story"
check "--trace-blocks has its bounds" "[ $status -eq 2 ]"
run --serve=0 --trace "$work/trace" --report "$work/no/such/report"
check "--serve takes it too" "[ $status -eq 3 ]"

finish
