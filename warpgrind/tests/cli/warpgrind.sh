#!/bin/bash
# The command warpgrind as a user meets it: programs, reports, exit statuses, and what it does when things go wrong.
# Needs the built tools. Ends with "N passed, N failed".
. "$(dirname "$0")/common.bash"

# --- a program that is right
build_from clean <<'EOF'
#include <cuda_runtime.h>
#include <cstdio>
__global__ void twice(float *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }
int main(int argc, char **argv) {
    float h[100], *d = nullptr;
    for (int i = 0; i < 100; i++) h[i] = (float)i;
    if (cudaMalloc(&d, sizeof h) != cudaSuccess) return 9;
    if (cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice) != cudaSuccess) return 9;
    twice<<<4, 32>>>(d, 100);
    if (cudaGetLastError() != cudaSuccess) return 9;
    if (cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess) return 9;
    if (cudaFree(d) != cudaSuccess) return 9;
    printf("%g %s\n", h[99], argc > 1 ? argv[1] : "");
    return argc > 2 ? 5 : 0;
}
EOF
run "$work/clean"
check "clean: summary" "grep -qx 'warpgrind: no findings in 1 launch, 128 threads' $work/log"
check "clean: status 0" "[ $status -eq 0 ] && grep -q '^198' $work/out"
run "$work/clean" --help
check "options behind the program are the program's" "grep -q 'help' $work/out && [ $status -eq 0 ]"
run "$work/clean" a b
check "the program's own status is kept" "[ $status -eq 5 ]"
run --quiet --report "$work/report.json" "$work/clean"
check "--quiet prints nothing" "[ ! -s $work/log ]"
check "report: schema and end" "json_says '.schema == \"warpgrind/report/v1\" and .ended == \"exit\" and .exit_status == 0 and .seed == 0' $work/report.json"
check "report: the launch" "json_says '.launches[0] | .kernel == \"twice\" and .grid == [4,1,1] and .block == [32,1,1] and .status == \"ok\" and .line == 9' $work/report.json"
(cd "$work" && PATH="$work:$PATH" "$warpgrind" clean) >"$work/out" 2>"$work/log"
check "the program is found through PATH" "grep -q '^198' $work/out"

# --- mistakes of the host
build_from faults <<'EOF'
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <csignal>
#include <unistd.h>
__global__ void hello() { printf("hello\n"); }
__global__ void spin(volatile int *x) { while (*x == 0) {} }
extern "C" cudaError_t cudaIpcCloseMemHandle(void *); int main(int argc, char **argv) {
    int *d = nullptr;
    cudaMalloc(&d, 4);
    if (!strcmp(argv[1], "kill")) kill(getpid(), SIGKILL);
    if (!strcmp(argv[1], "abort")) abort();
    if (!strcmp(argv[1], "touch")) *d = 1;
    if (!strcmp(argv[1], "null")) *(volatile int *)nullptr = 1;
    if (!strcmp(argv[1], "printf")) { hello<<<1, 2>>>(); printf("first\n"); cudaDeviceSynchronize(); printf("last\n"); }
    if (!strcmp(argv[1], "_exit")) { hello<<<1, 1>>>(); _exit(0); }
    if (!strcmp(argv[1], "hang")) { cudaMemset(d, 0, 4); spin<<<1, 1>>>(d); cudaDeviceSynchronize(); }
    if (!strcmp(argv[1], "ignored")) cudaMemset(d, 0, 400);
    if (!strcmp(argv[1], "looked")) { cudaMemset(d, 0, 400); printf("%s\n", cudaGetErrorString(cudaGetLastError())); }
    if (!strcmp(argv[1], "refused")) { if (cudaIpcCloseMemHandle(d) == cudaErrorNotSupported) printf("801\n"); }
    if (!strcmp(argv[1], "child")) { if (fork() == 0) { sleep(20); _exit(0); } }
    if (!strcmp(argv[1], "read")) memcpy(argv[1], d, (size_t)argc * 2);
    if (!strcmp(argv[1], "spoilt")) asm volatile("mov $16, %%rbp\n xor %%edi, %%edi\n mov $64, %%esi\n mov $8, %%edx\n call memcpy@PLT" ::: "memory");
    cudaFree(d);
}
EOF
kinds() { jq -r '[.findings[].kind] | unique | join(" ")' "$work/report.json"; }
mistake() { run --report "$work/report.json" "$work/faults" "$1"; }
mistake kill
check "a killed program is reported" "[ $status -eq 137 ] && json_says '.ended == \"signal\" and .signal == 9' $work/report.json"
mistake abort
check "an aborted program is reported" "[ $status -eq 134 ] && json_says '.signal == 6' $work/report.json"
mistake touch
check "a device pointer on the host" "[ \"$(kinds)\" = host-device-pointer ] && [ $status -eq 139 ] && json_says '.findings[0].line == 14' $work/report.json"
mistake read
check "a device pointer given to the C library" "[ \"$(kinds)\" = host-device-pointer ] && [ $status -eq 139 ] && json_says '.findings[0] | .line == 23 and (.message | test(\"an address in device memory of 4 bytes allocated at line 11\"))' $work/report.json"
mistake spoilt
check "a crash above a spoilt frame names its line" "[ $status -eq 139 ] && [ \"$(kinds)\" = crash ] && json_says '.findings[0].line == 24' $work/report.json"
mistake null
check "a crash of the host names its line" "[ \"$(kinds)\" = crash ] && json_says '.findings[0].line == 15' $work/report.json"
mistake printf
check "device output comes at the wait" "[ \"$(printf 'first\nhello\nhello\nlast')\" = \"\$(cat $work/out)\" ]"
mistake _exit
check "_exit leaves a report" "[ $status -eq 0 ] && json_says .schema $work/report.json"
mistake hang
check "an endless kernel ends" "[ $status -ne 124 ] && [[ \"$(kinds)\" == *hang* ]]"
mistake ignored
check "an ignored error is named" "[ \"$(kinds)\" = 'out-of-bounds unchecked-error' ] && [ $status -eq 1 ]"
mistake looked
check "an error that was looked at is not ignored" "[ \"$(kinds)\" = out-of-bounds ]"
mistake refused
check "what is not supported says so" "[ \"$(kinds)\" = limit ] && grep -q 801 $work/out && json_says '.findings[0].message | test(\"cudaIpcCloseMemHandle is not supported by the software GPU yet\")' $work/report.json"
start=$(date +%s)
mistake child
check "a child that lives on does not hold the report up" "[ $(($(date +%s) - start)) -lt 10 ] && json_says .schema $work/report.json"

build_from quarter <<'EOF'
#include <cuda_runtime.h>
int main(int argc, char **) {
    float h[64] = {}, *d = nullptr;
    if (cudaMalloc(&d, sizeof h) != cudaSuccess || cudaMemset(d, 0, sizeof h) != cudaSuccess) return 9;
    if (cudaMemcpy(h, d, 64, cudaMemcpyDeviceToHost) != cudaSuccess) return 9;
    if (argc > 1 && cudaMemcpy(h + 16, d + 16, 192, cudaMemcpyDeviceToHost) != cudaSuccess) return 9;
    return cudaFree(d) != cudaSuccess;
}
EOF
run --report "$work/report.json" "$work/quarter"
check "a quarter of an array copied is noted" "[ $status -eq 0 ] && json_says '.findings | length == 1 and .[0].severity == \"note\" and .[0].line == 5' $work/report.json"
run --report "$work/report.json" "$work/quarter" rest
check "a quarter and then the rest is not" "json_says '.findings == []' $work/report.json"

# --- several devices, and graphs
build_from devices <<'EOF'
#include <cuda_runtime.h>
#include <cstdio>
__global__ void twice(int *x) { x[threadIdx.x] *= 2; }
int main(int argc, char **argv) {
    int *d;
    cudaStream_t s;
    if (cudaSetDevice(1) != cudaSuccess || cudaMalloc(&d, 128) != cudaSuccess || cudaMemset(d, 0, 128) != cudaSuccess) return 9;
    if (cudaStreamCreate(&s) != cudaSuccess || cudaSetDevice(0) != cudaSuccess) return 9;
    if (argc > 1) twice<<<1, 32, 0, s>>>(d);
    else twice<<<1, 32>>>(d);
    int launch = cudaGetLastError();
    printf("%d %d\n", launch, (int)cudaDeviceSynchronize());
}
EOF
run --devices 2 --report "$work/report.json" "$work/devices"
check "memory of a device that is no peer" "[[ \"$(kinds)\" == api-misuse* ]] && grep -qx '0 700' $work/out && json_says '.findings[0].line == 3' $work/report.json"
run --devices 2 --report "$work/report.json" "$work/devices" stream
check "a stream of another device" "grep -qx '400 0' $work/out && json_says '.findings[0].kind == \"api-misuse\" and .findings[0].line == 9' $work/report.json"
run --devices 9 "$work/devices"
check "too many devices" "[ $status -eq 2 ]"

build_from graphs <<'EOF'
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
__global__ void fill(int *x, int value) { x[threadIdx.x] = value; }
int main(int argc, char **argv) {
    int *d, *e, error = 0;
    cudaStream_t s, t;
    cudaEvent_t fork;
    cudaGraph_t graph;
    cudaGraphExec_t run;
    if (cudaMalloc(&d, 128) != cudaSuccess || cudaStreamCreate(&s) != cudaSuccess || cudaStreamCreate(&t) != cudaSuccess) return 9;
    if (cudaEventCreate(&fork) != cudaSuccess || cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal) != cudaSuccess) return 9;
    fill<<<1, 32, 0, s>>>(d, 1);
    if (!strcmp(argv[1], "malloc")) error = cudaMalloc(&e, 4);
    if (!strcmp(argv[1], "wait")) error = cudaStreamSynchronize(s);
    if (!strcmp(argv[1], "legacy")) fill<<<1, 32>>>(d, 1), error = cudaGetLastError();
    if (!strcmp(argv[1], "fork") || !strcmp(argv[1], "race")) {
        if (cudaEventRecord(fork, s) != cudaSuccess || cudaStreamWaitEvent(t, fork, 0) != cudaSuccess) return 9;
        fill<<<1, 32, 0, t>>>(d, 2);
        fill<<<1, 32, 0, s>>>(d, 3);
        if (!strcmp(argv[1], "race") && (cudaEventRecord(fork, t) != cudaSuccess || cudaStreamWaitEvent(s, fork, 0) != cudaSuccess)) return 9;
    }
    if (!strcmp(argv[1], "set") && cudaMemsetAsync(d, 0, 128, s) != cudaSuccess) return 9;
    printf("%d ", error);
    printf("%d\n", error = cudaStreamEndCapture(s, &graph));
    if (error != 0 || cudaGraphInstantiate(&run, graph, 0) != cudaSuccess) return 0;
    if (!strcmp(argv[1], "set") && cudaFree(d) != cudaSuccess) return 9;
    printf("%d\n", (int)cudaGraphLaunch(run, s));
    printf("%d\n", (int)cudaDeviceSynchronize());
}
EOF
graph() { run --report "$work/report.json" "$work/graphs" "$1"; }
graph malloc
check "cudaMalloc ends a capture" "grep -qx '900 901' $work/out && [[ \"$(kinds)\" == *api-misuse* ]]"
graph wait
check "a wait ends a capture" "grep -qx '900 901' $work/out && [[ \"$(kinds)\" == *api-misuse* ]]"
graph legacy
check "the default stream ends a capture" "grep -qx '906 901' $work/out && [[ \"$(kinds)\" == *api-misuse* ]]"
graph fork
check "a stream that was not joined" "grep -qx '0 904' $work/out && [[ \"$(kinds)\" == *api-misuse* ]]"
graph race
check "branches of a graph that write the same memory" "json_says '.findings[] | select(.kind == \"missing-sync\") | .message | test(\"a node from line (18|19|20), .* no edge of the graph\")' $work/report.json"
graph set
check "a graph that uses freed memory" "json_says '.findings[] | select(.kind == \"use-after-free\")' $work/report.json && [ \"\$(sed -n 2p $work/out)\" = 1 ]"

build_from again <<'EOF'
#include <cuda_runtime.h>
#include <cstdio>
__global__ void add(int *x) { x[threadIdx.x]++; }
int main() {
    int *d, h[32];
    cudaStream_t s, t;
    cudaGraph_t graph;
    cudaGraphExec_t run;
    if (cudaMalloc(&d, 128) != cudaSuccess || cudaMemset(d, 0, 128) != cudaSuccess) return 9;
    if (cudaStreamCreate(&s) != cudaSuccess || cudaStreamCreate(&t) != cudaSuccess) return 9;
    if (cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal) != cudaSuccess) return 9;
    add<<<1, 32, 0, s>>>(d);
    if (cudaStreamEndCapture(s, &graph) != cudaSuccess || cudaGraphInstantiate(&run, graph, 0) != cudaSuccess) return 9;
    if (cudaGraphLaunch(run, s) != cudaSuccess || cudaGraphLaunch(run, t) != cudaSuccess) return 9;
    if (cudaStreamSynchronize(t) != cudaSuccess) return 9; /* waits for both launches */
    if (cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost) != cudaSuccess) return 9;
    printf("%d\n", h[31]);
    if (cudaGraphExecDestroy(run) != cudaSuccess || cudaGraphDestroy(graph) != cudaSuccess) return 9;
    if (cudaStreamDestroy(s) != cudaSuccess || cudaStreamDestroy(t) != cudaSuccess) return 9;
    return cudaFree(d) != cudaSuccess;
}
EOF
for seed in 0 1; do
    run --seed $seed "$work/again"
    check "launches of one graph come one after the other, seed $seed" "[ $status -eq 0 ] && grep -qx 2 $work/out && grep -q 'no findings' $work/log"
done

# --- when streams work
build_from early <<'EOF'
#include <cuda_runtime.h>
#include <cstdio>
__global__ void fill(int *x, int value) { x[threadIdx.x] = value; }
int main() {
    int *d, *h;
    cudaStream_t s;
    if (cudaMalloc(&d, 128) != cudaSuccess || cudaMallocHost(&h, 128) != cudaSuccess || cudaStreamCreate(&s) != cudaSuccess) return 9;
    h[31] = 1;
    fill<<<1, 32, 0, s>>>(d, 2);
    if (cudaMemcpyAsync(h, d, 128, cudaMemcpyDeviceToHost, s) != cudaSuccess) return 9;
    printf("%d\n", h[31]); /* nobody waited */
    if (cudaStreamQuery(s) == cudaSuccess) printf("ready\n");
    if (cudaStreamSynchronize(s) != cudaSuccess) return 9;
    printf("%d\n", h[31]);
    return cudaFree(d) != cudaSuccess || cudaFreeHost(h) != cudaSuccess;
}
EOF
run "$work/early"
check "streams work late when not told" "[ \"\$(tr '\n' ' ' <$work/out)\" = '1 2 ' ]"
run --stream-order late "$work/early"
check "--stream-order late" "[ \"\$(tr '\n' ' ' <$work/out)\" = '1 2 ' ]"
run --stream-order early "$work/early"
check "--stream-order early" "[ \"\$(tr '\n' ' ' <$work/out)\" = '2 ready 2 ' ]"
run --stream-order early "$work/again"
check "--stream-order early keeps the order there is" "[ $status -eq 0 ] && grep -qx 2 $work/out"
run --stream-order soon "$work/early"
check "--stream-order of no kind" "[ $status -eq 2 ] && grep -q 'takes late, early' $work/log"

# --- the command line
run
check "no program" "[ $status -eq 2 ] && grep -q 'which program' $work/log"
run --sed 1 "$work/clean"
check "an unknown option with the nearest one" "[ $status -eq 2 ] && grep -q -- --seed $work/log"
run "$work/nothing-here"
check "a program that is not there" "[ $status -eq 2 ] && grep -q 'nothing-here' $work/log"
run --help
check "--help" "[ $status -eq 0 ] && grep -q 'Usage: warpgrind' $work/out && grep -q -- '--seed' $work/out"
run --version
check "--version" "[ $status -eq 0 ] && [ \"\$(cat $work/out)\" = \"warpgrind \$(sed -n 's/^#define WARPGRIND_VERSION \"\(.*\)\"$/\1/p' base/version.h)\" ]"
for table in api ptx; do
    run table $table
    check "table $table" "[ $status -eq 0 ] && [ \$(grep -c '^|' $work/out) -gt 80 ]"
    check "table $table quotes no empty cell" "! grep -q '\`\`' $work/out"
done
run table ptx
instructions=0
while IFS='|' read -r instruction test; do
    instructions=$((instructions + 1))
    check "$instruction is run by $test" "grep -q '\b$instruction' $test"
done < <(sed -nE 's/^. `([a-z0-9_]+).*\| works \| `([^`]*)` \|$/\1|\2/p' "$work/out")
check "the table of instructions was read" "[ $instructions -gt 80 ]"
run table nonsense
check "table of nothing" "[ $status -eq 2 ]"
run explain
check "explain lists every kind" "[ \$(grep -c . $work/out) -eq \$(grep -c '^FINDING(' base/findings.def) ]"
run explain shared-race
check "explain KIND" "[ $status -eq 0 ] && grep -q 'shared-race' $work/out"
run explain nonsense
check "explain of no kind" "[ $status -eq 2 ]"
run --color=always "$work/faults" ignored
check "colour when asked for" "grep -q $'\033' $work/log"
NO_COLOR=1 run "$work/faults" ignored
check "no colour with NO_COLOR" "! grep -q $'\033' $work/log"
"$work/clean" >"$work/out" 2>"$work/log"
check "without warpgrind the program says what to do" "grep -q 'run it as .warpgrind PROGRAM' $work/log"
run --serve=77 --report="$work/report.json"
check "--serve without a socket ends" "[ $status -ne 124 ]"

finish
