#!/bin/bash
# What a report says of its own fidelity: which values a card may have otherwise, and what they may decide.
# Needs the built tools. Ends with "N passed, N failed".
. "$(dirname "$0")/common.bash"

cat >"$work/statement.cu" <<'END'
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
enum { N = 64 };
__device__ float more(float v) { return v + 1; }
__global__ void exact(float *out, const float *in, const int *at) {
    const int i = threadIdx.x;
    if (at[i] > 3) out[at[i]] = in[i] * 2 + sqrtf(in[i]) / 3;
}
__global__ void answers(float *out, const float *in) { out[threadIdx.x] = sinf(in[threadIdx.x]); }
__global__ void branches(float *out, const float *in) {
    if (expf(in[threadIdx.x]) > 1) out[threadIdx.x] = 1;
}
__global__ void points(float *out, const float *in) { out[(int)(8 * fabsf(tanhf(in[threadIdx.x])))] = 1; }
__global__ void picks(float *out, const float *in) { /* through a function and an array of its own */
    float both[2];
    both[0] = in[threadIdx.x];
    both[1] = more(logf(in[threadIdx.x]));
    out[threadIdx.x] = both[threadIdx.x & 1];
}
__global__ void shares(float *out, const float *in) {
    __shared__ float tile[N];
    tile[threadIdx.x] = cosf(in[threadIdx.x]);
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x ^ 1];
}
__global__ void meets(float *out, const float *found) { /* what the launch before has left in memory */
    if (found[threadIdx.x] > 0.5f) out[threadIdx.x] = 1;
}
__global__ void adds(float *sum, const float *in) { atomicAdd(sum, in[threadIdx.x]); }
__global__ void counts(int *sum) { atomicAdd(sum, 1); }
__global__ void waits(float *out) {
    const long long start = clock64();
    out[threadIdx.x] = 0;
    if (clock64() - start > 1000) out[0] = 5;
}
__global__ void where(unsigned *out) {
    unsigned place;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(place));
    out[threadIdx.x] = place;
}
__global__ void prints(const float *in) { printf("%f\n", powf(in[0], 0.3f)); }
__global__ void fast(float *out, const float *in) {
    out[threadIdx.x] = __expf(in[threadIdx.x]) + __fdividef(1.0f, in[threadIdx.x]);
}
__global__ void many(float *out, const float *in) { /* enough to be divided among processes */
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 32; k++) sum += in[(i + k) % N];
    if (blockIdx.x == 1000) out[i] = cosf(sum); /* of which the first process sees none */
}
int main(int argc, char **argv) {
    float host[N], *in, *out, *other;
    int places[N], *at;
    for (int i = 0; i < N; i++) host[i] = i / 64.0f + 0.1f, places[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&other, sizeof host);
    cudaMalloc(&at, sizeof places);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(at, places, sizeof places, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof host);
    cudaMemset(other, 0, sizeof host);
    const float *result = out;
    auto is = [&](const char *word) { return !strcmp(argv[1], word); };
    if (is("exact")) exact<<<1, N>>>(out, in, at);
    if (is("answers") || is("meets") || is("copied") || is("unread") || is("overwritten")) answers<<<1, N>>>(out, in);
    if (is("managed")) {
        cudaMallocManaged(&other, sizeof host);
        answers<<<1, N>>>(other, in);
    }
    if (is("many")) {
        cudaMalloc(&other, 4 * 256 * 1024);
        cudaMemset(other, 0, 4 * 256 * 1024);
        many<<<1024, 256>>>(other, in);
        result = other;
    }
    if (is("branches")) branches<<<1, N>>>(out, in);
    if (is("points")) points<<<1, 1>>>(out, in);
    if (is("picks")) picks<<<1, N>>>(out, in);
    if (is("shares")) shares<<<1, N>>>(out, in);
    if (is("meets")) meets<<<1, N>>>(other, out), result = other;
    if (is("adds")) adds<<<1, N>>>(out, in);
    if (is("counts")) counts<<<1, N>>>((int *)out);
    if (is("waits")) waits<<<1, N>>>(out);
    if (is("where")) where<<<1, N>>>((unsigned *)out);
    if (is("prints")) prints<<<1, 1>>>(in);
    if (is("fast")) fast<<<1, N>>>(out, in);
    if (is("copied")) cudaMemcpy(other, out, sizeof host, cudaMemcpyDeviceToDevice), result = other;
    if (is("overwritten")) cudaMemset(out, 0, sizeof host);
    if (is("unread") || is("managed")) result = in;
    cudaMemcpy(host, result, sizeof host, cudaMemcpyDeviceToHost);
    return cudaDeviceSynchronize() != cudaSuccess;
}
END
# Of the last report, in one line: exact or not, the functions with their units, and for each origin what it may decide.
told() {
    jq -r '.fidelity | [if .exact then "exact" else "not" end] + (.functions | map("\(.name):\(.ulp)") | sort) +
        (.depends | to_entries | map(select(.value | any) | "\(.key)=\(.value | to_entries | map(select(.value).key) | join("+"))"))
        | join(" ")' "$work/report.json"
}
compiled=
says() { # word of the program, more options, what the report says
    local options=${3:-} wanted=$2
    selected "$compiled $1 ${options}" || return 0
    # shellcheck disable=SC2086 # options are words
    "$warpgrind" $options --report "$work/report.json" "$work/statement" "$1" >"$work/out" 2>"$work/log"
    check "$compiled $1 ${options}" "[ \"\$(told)\" = \"$wanted\" ] || { told; false; }"
}

everything() { # what both compilers' programs, optimised or not, have in common
    says exact "exact"
    says adds "not order=present+answer"
    says counts "exact"
    says waits "not clock=present+branch"
    check "$compiled: a clock that decides is said on the screen" "grep -q '^warpgrind: a clock may decide a branch, and a card takes other times' $work/log"
    says where "not place=present+answer"
}
clang_only() {
    everything
    says answers "not sinf:2 functions=present+answer"
    check "$compiled: an answer's last bits are no word on the screen" "! grep -q 'last bits' $work/log"
    says branches "not expf:2 functions=present+branch"
    check "$compiled: a function that decides is said on the screen" "grep -q '^warpgrind: the last bits of expf may decide a branch, and a card' $work/log"
    says points "not tanhf:2 functions=present+address"
    says picks "not logf:1 functions=present+answer"
    says shares "not cosf:2 functions=present+answer"
    says meets "not sinf:2 functions=present+branch"
    says prints "not powf:4 functions=present+answer"
    says fast "not __expf:null __fdividef:2 functions=present+answer"
    says copied "not sinf:2 functions=present+answer"
    says managed "not sinf:2 functions=present+answer"
    says unread "not sinf:2 functions=present"
    says overwritten "not sinf:2 functions=present"
}
for level in -O0 -O2; do
    compiled="clang $level"
    "$warpcc" -w $level -o "$work/statement" "$work/statement.cu" 2>"$work/log"
    check "$compiled: compiles" "[ -x $work/statement ]"
    clang_only
done
says many "not cosf:2 functions=present+answer" "--threads 2"
check "$compiled: many blocks were divided" "json_says '.divided_launches == 1' $work/report.json"
says meets "not sinf:2 functions=present+branch" "--checks none"

# --- several processes: what holds of one of them holds of all
compiled="two processes"
printf '#!/bin/sh\n"$1" exact && "$1" answers && "$1" waits\n' >"$work/both.sh"
chmod +x "$work/both.sh"
if selected "$compiled"; then
    "$warpgrind" ci --report "$work/report.json" -- "$work/both.sh" "$work/statement" >"$work/out" 2>"$work/log"
    check "$compiled" "[ \"\$(told)\" = 'not sinf:2 functions=present+answer clock=present+branch' ] || { told; cat $work/log; false; }"
fi
if command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ]; then
    compiled=nvcc
    if selected nvcc; then
        rm -f "$work/statement"
        "$warpcc" --nvcc -w -o "$work/statement" "$work/statement.cu" >"$work/log" 2>&1
        check "nvcc: compiles" "[ -x $work/statement ]"
        everything
        says answers "exact" # CUDA's own code for sinf is executed as it stands
    fi
else
    echo "SKIPPED the program of nvcc: nvcc is not installed"
fi
finish
