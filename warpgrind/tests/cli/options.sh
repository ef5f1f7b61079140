#!/bin/bash
# The words and numbers that warpgrind's options take, and what is told whatever the options say.
# Needs the built tools. Ends with "N passed, N failed".
. "$(dirname "$0")/common.bash"

build_from ends <<'EOF'
#include <cuda_runtime.h>
#include <cstdio>
#include <cassert>
__global__ void far(int *x) { x[1ll << 40] = 1; }
__global__ void odd(int *x) { *(int *)((char *)x + 1) = 1; }
__global__ void spin(volatile int *x) { while (x[0] == 0) {} }
__global__ void barrier(int *x) { __shared__ int s; s = x[0]; if (threadIdx.x > 31) { while (*(volatile int *)&s == 0) __syncwarp(); } __syncthreads(); x[0] = s; }
__global__ void trap() { __trap(); }
__global__ void fails(int *x) { assert(x[0] == 1); }
__global__ void fine(int *x) { x[0] = 1; }
int main(int argc, char **argv) {
    int *d = nullptr;
    const size_t bytes = argc > 1 && argv[1][0] == 'm' ? 4 << 20 : 64;
    if (cudaMalloc(&d, bytes) != cudaSuccess || cudaMemset(d, 0, 64) != cudaSuccess) return 9;
    switch (argc > 1 ? argv[1][0] : 'w') {
    case 'f': far<<<1, 32>>>(d); break;
    case 'o': odd<<<1, 32>>>(d); break;
    case 's': spin<<<1, 32>>>(d); break;
    case 'b': barrier<<<1, 64>>>(d); break;
    case 't': trap<<<1, 32>>>(); break;
    case 'a': fails<<<1, 32>>>(d); break;
    case 'n': *(volatile int *)nullptr = 1;
    default: fine<<<1, 1>>>(d);
    }
    cudaError_t e = cudaDeviceSynchronize();
    printf("%d\n", (int)e);
    return cudaFree(d) != cudaSuccess && e == cudaSuccess;
}
EOF

# --- words and numbers: option and value | what the message must say
while IFS='|' read -r words message; do
    # shellcheck disable=SC2086 # words are words
    run $words "$work/ends"
    check "$words is refused" "[ $status -eq 2 ] && grep -qF -- '$message' $work/log && [ ! -s $work/out ]"
done <<'EOF'
--checks race|Did you mean races?
--checks race|takes all, none, memory, initialisation, races, synchronisation, counters, notes
--checks memory,race|does not know "race"
--checks=memory,|does not know ""
--checks=|does not know ""
--checks RACES|does not know "RACES"
--color alwyas|Did you mean always?
--color=on|takes auto, always, never
--stream-order earyl|Did you mean early?
--withhold sharde|Did you mean shared?
--seed -1|--seed takes a number from 0 on, not -1
--seed one|--seed needs a whole number
--steps 0|--steps takes a number from 1 on, not 0
--steps 99999999999999999999|--steps needs a whole number
--memory 0|--memory takes a number from 1 to 65536, not 0
--memory 65537|--memory takes a number from 1 to 65536
--devices 0|--devices takes a number from 1 to 8, not 0
--explore 0|--explore takes a number from 1 to 10000, not 0
--trace-blocks 65|--trace-blocks takes a number from 0 to 64
--divide-from -1|--divide-from takes a number from 0 on
--threads 0|--threads takes a number from 1 to 64, or auto
--threads some|--threads takes a number from 1 to 64, or auto
--requirekernel|Did you mean --require-kernel?
EOF
for checks in all none memory,races notes; do
    run --checks $checks --color never "$work/ends"
    check "--checks $checks" "[ $status -eq 0 ] && grep -qx 0 $work/out"
done

# --- as many threads as there are cores for this process: a report of one core does not speak of dividing
for cores in 0 0,1; do
    if ! taskset -c $cores true 2>/dev/null; then
        echo "SKIPPED --threads auto on cores $cores: they are not there"
        continue
    fi
    taskset -c $cores "$warpgrind" --quiet --threads auto --report "$work/report.json" "$work/ends" >"$work/out" 2>"$work/log"
    status=$?
    check "--threads auto on cores $cores" "[ $status -eq 0 ] && json_says '(.divided_launches == null) == (\"$cores\" == \"0\")' $work/report.json"
done

# --- a device that is served has the usual memory of one, where nobody says how much
serve() { # program and arguments; leaves $status, out, log
    python3 -c '
import os, socket, subprocess, sys
device, program = socket.socketpair()
served = subprocess.Popen([sys.argv[1], f"--serve={device.fileno()}", f"--report={sys.argv[2]}"], pass_fds=[device.fileno()])
device.close()
status = subprocess.run(sys.argv[3:], pass_fds=[program.fileno()], env={**os.environ, "WARPGRIND_SOCKET": str(program.fileno())}).returncode
program.close()
sys.exit(status or served.wait())' "$warpgrind" "$work/served.json" "$@" >"$work/out" 2>"$work/log"
    status=$?
}
serve "$work/ends" memory
check "a served device has room for 4 MiB" "[ $status -eq 0 ] && grep -qx 0 $work/out"

# --- where the addresses of a process are limited, as on some clusters (ulimit -v): a smaller device, or the reason why there is none
for kib in 8000000 1000000; do
    (ulimit -v $kib && run --color never "$work/ends"; exit $status)
    status=$?
    check "with $kib KiB of addresses" "[ $status -eq 0 ] && grep -qx 0 $work/out"
done
(ulimit -v 1000000 && run --color never "$work/ends" memory; exit $status)
check "with 1000000 KiB of addresses there is room for 4 MiB" "[ $? -eq 0 ] && grep -qx 0 $work/out"
(ulimit -v 100000 && run --color never "$work/ends")
check "with 100000 KiB of addresses no device is made, and why" "grep -qx 'warpgrind: the device cannot be made: Cannot allocate memory' $work/log && ! grep -q 'a bug' $work/log"

# --- what is withheld reaches nobody, and nothing else changes: of six ways one is another number each time
build_from ways <<'CUDA'
#include <cstdio>
#include <cuda_runtime.h>
__constant__ int c_one = 1;
__global__ void use(int *out, cudaTextureObject_t texture) {
    __shared__ int handed[64], own[64];
    const int tid = threadIdx.x;
    handed[tid] = own[tid] = tid;
    __syncthreads();
    if (own[tid] != tid) out[5] = 1;
    const int up = __shfl_xor_sync(0xffffffffU, tid, 1), self = __shfl_sync(0xffffffffU, tid, tid & 31);
    if (self != tid) out[5] = 1;
    if (tid == 0) {
        out[0] = handed[63];
        out[1] = c_one;
        out[2] = (int)tex2D<float>(texture, 0.5F, 0.5F);
        out[4] = up;
    }
    atomicAdd(&out[3], 1);
}
__global__ void seven(int *out) { out[6] = 7; }
int main() {
    int *d_out, out[7];
    float two = 2.0F;
    cudaArray_t array;
    cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &channel, 1, 1);
    cudaMemcpy2DToArray(array, 0, 0, &two, 4, 4, 1, cudaMemcpyHostToDevice);
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = array;
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &what, &how, nullptr);
    cudaMalloc(&d_out, sizeof out);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    seven<<<1, 1, 0, stream>>>(d_out);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&executable, graph, 0);
    for (int i = 0; i < 2; i++) { // what is set anew is right at first
        cudaMemset(d_out, 0, sizeof out);
        use<<<1, 64>>>(d_out, texture);
        cudaGraphLaunch(executable, stream);
        cudaStreamSynchronize(stream);
        cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    }
    const bool same[] = {out[0] == 63, out[1] == 1, out[2] == 2, out[3] == 64, out[4] == 1, out[5] == 0, out[6] == 7};
    for (bool one : same) printf("%d", one);
    puts("");
    cudaFree(d_out);
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
}
CUDA
while read -r what same; do
    run --checks none ${what/none/} "$work/ways"
    check "$what: $same" "[ $status -eq 0 ] && grep -qx $same $work/out"
done <<'EOF'
none 1111111
--withhold=shared 0111111
--withhold=constant 1011111
--withhold=texture 1101111
--withhold=atomic 1110111
--withhold=exchange 1111011
--withhold=results 0000010
--withhold=graph 1111110
EOF

# --- a product of matrices that is withheld adds nothing to the sums that it is given, and such a copy brings nothing
build_from product <<'CUDA'
#include <cstdio>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>
using namespace nvcuda;
__global__ void multiply(float *out) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
    wmma::fill_fragment(a, __float2half(2.0F));
    wmma::fill_fragment(b, __float2half(3.0F));
    wmma::fill_fragment(sums, 5.0F);
    for (int i = 0; i < 2; i++) wmma::mma_sync(sums, a, b, sums);
    wmma::store_matrix_sync(out, sums, 16, wmma::mem_row_major);
    __shared__ float last;
    last = 0.0F;
    __syncwarp();
    if (threadIdx.x > 0) return;
    __pipeline_memcpy_async(&last, &out[255], sizeof last);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[0] = last;
}
int main() {
    float *d_out, out[256];
    cudaMalloc(&d_out, sizeof out);
    multiply<<<1, 32>>>(d_out);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    printf("%g,%g\n", out[255], out[0]);
    cudaFree(d_out);
}
CUDA
while read -r what sum; do
    run --report "$work/report.json" ${what/none/} "$work/product"
    check "product, $what: $sum" "[ $status -eq 0 ] && grep -qx $sum $work/out"
done <<'EOF'
none 197,197
--withhold=matrix 5,5
--withhold=exchange 197,197
--withhold=copies 197,0
EOF
check "two products of a warp are counted" "grep -q '\"matrix_products\": *2' $work/report.json"
check "and its copy, which it waits for at once" "json_says '.launches[0].counters | .async_copies == 1 and .idle_copies == 1' $work/report.json"

# --- launches that repeat a clean one: the report is that of --recheck, counters and notes included
build_from again <<'CUDA'
#include <cuda_runtime.h>
__global__ void columns(float *to, const float *from) { to[threadIdx.x * 64 + blockIdx.x] = from[blockIdx.x * 64 + threadIdx.x]; }
__global__ void back(float *to, const float *from) { to[blockIdx.x * 64 + threadIdx.x] += from[blockIdx.x * 64 + threadIdx.x]; }
int main() {
    float *a = nullptr, *b = nullptr, host[4096];
    if (cudaMalloc(&a, sizeof host) || cudaMalloc(&b, sizeof host) || cudaMemset(a, 0, sizeof host)) return 9;
    for (int i = 0; i < 20; i++) columns<<<64, 64>>>(b, a), back<<<64, 64>>>(a, b);
    return cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost) || cudaFree(a) || cudaFree(b);
}
CUDA
for words in "" "--recheck" "--recheck --checks none"; do
    # shellcheck disable=SC2086 # words are words
    run $words --report "$work/report${words// /}.json" "$work/again"
done
check "--recheck gives the same report" "cmp $work/report.json $work/report--recheck.json &&
    json_says '(.launches | length) == 40 and .launches[39].counters.global_store_sectors > 0 and ([.findings[] | select(.kind == \"uncoalesced\")] | .[0].count) == 20' $work/report.json"

# --- without checks, what ended a launch or the program is still told
while read -r word kind error; do
    run --checks none --steps 100000 --report "$work/report.json" "$work/ends" "$word"
    check "--checks none: $word" "[ $status -ne 0 ] && json_says '[.findings[] | select(.severity == \"error\" and .kind == \"$kind\" and .line > 0)] | length == 1' $work/report.json"
    [ "$error" = - ] || check "--checks none: $word stops the launch" "grep -qx $error $work/out"
done <<'EOF'
far out-of-bounds 700
odd misaligned 716
spin hang 702
barrier hang 702
trap crash 719
assert crash 710
null crash -
EOF
run --checks none "$work/ends"
check "--checks none has nothing to say of a launch that ends well" "[ $status -eq 0 ] && grep -q 'no findings' $work/log"

# --- programs in which no kernel runs
run /bin/true
check "a program without CUDA" "[ $status -eq 0 ] && grep -qx 'warpgrind: no kernel ran' $work/log && ! grep -q 'no findings' $work/log"
check "a program without CUDA is told what nvcc needs" "grep -q -e '-cudart shared' $work/log"
run --require-kernel /bin/true
check "--require-kernel without one" "[ $status -eq 1 ]"
run --require-kernel --quiet --explore 2 /bin/true
check "--require-kernel without one, explored" "[ $status -eq 1 ]"
run --require-kernel "$work/ends"
check "--require-kernel with one" "[ $status -eq 0 ]"
run "$work/ends" null
check "no kernel ran, and an error" "grep -qx 'warpgrind: 1 error; no kernel ran' $work/log && grep -q 'was ended by SIGSEGV (Segmentation fault)' $work/log"

finish
