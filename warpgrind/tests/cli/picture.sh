#!/bin/bash
# --picture: the record is whole JSON and says what happened, the page holds it harmlessly and within bounds. What the page does with it in a
# browser is tests/browser's. BUILD names the build folder. Ends with "N passed, N failed".
. "$(dirname "$0")/common.bash"

"$warpcc" -o "$work/sum" docs/example/sum.cu
run --seed 1 --picture "$work/page.html" --report "$work/report.json" "$work/sum"
check "a race is in the picture" '[ $status -eq 1 ] && says ".schema == \"warpgrind/picture/v1\" and .kernel == \"sum_kernel\" and .block == [256,1,1]"'
check "with both parties" 'says ".findings[0] | .kind == \"shared-race\" and .party.thread == 96 and .party.line == 9 and .other.thread == 224 and .other.line == 7 and .index == 224"'
check "at the step that it is about" 'says "[.steps[] | select(.[-1] == [0])] | length == 1 and .[0][0] == \"r\" and .[0][2] == 3 and .[0][3] == 9"'
check "each access names its elements" 'says "[.steps[] | select(.[0] == \"w\" and .[3] == 7)] | length == 8 and all(.[7] | length == 33)"'
check "barriers open for all threads" 'says "[.steps[] | select(.[0] == \"b\")] | length == 8 and all(.[5] == 256 and .[6])"'
check "arrays have names" 'says ".arrays | map(.name) | index(\"temp\") != null and index(\"in\") != null"'
check "the source is in the page" 'grep -q "temp\[tid\] += temp\[tid + d\]" "$work/page.html"'
check "nothing is left out of a small launch" 'says ".left_out == {steps: 0, blocks: 0}"'
check "the report is as without it" 'json_says "has(\"picture\") | not" "$work/report.json"'
check "the page asks nobody for anything" '! grep -qE "(src|href)=\"(https?:)?//|url\(|import " "$work/page.html"'

build_from divergence <<'CUDA'
__global__ void right(int *a) { a[threadIdx.x] = 1; }
__global__ void wrong(int *a) { // </script><script>alert("x")</script><!-- "quoted\"
    if (threadIdx.x < 32) __syncthreads();
    a[threadIdx.x + 32] = 2;
}
int main() {
    int *a;
    cudaMalloc(&a, 64 * sizeof(int));
    right<<<1, 64>>>(a);
    wrong<<<1, 64>>>(a);
    cudaDeviceSynchronize();
    cudaFree(a);
}
CUDA
run --picture "$work/page.html" "$work/divergence"
check "the launch with the error is chosen" 'says ".kernel == \"wrong\" and .launch == 2"'
check "a missed barrier is a step" 'says "[.steps[] | select(.[0] == \"m\" and .[6] == 32 and .[7] == 64)] | length == 1"'
check "an access out of bounds, with its elements" 'says "[.steps[] | select(.[0] == \"o\" and .[5] == \"writes\" and .[6][1] == 64)] | length == 1"'
check "a source cannot end the script" '[ "$(grep -c "</script>" "$work/page.html")" -eq 3 ] && ! grep -q "<!--" "$work/page.html"'

build_from misaligned <<'CUDA'
__global__ void set(float4 *a) { a[threadIdx.x] = make_float4(1, 2, 3, 4); }
int main() {
    float *a;
    cudaMalloc(&a, 64 * sizeof(float));
    set<<<1, 4>>>((float4 *)(a + 1));
    cudaDeviceSynchronize();
    cudaFree(a);
}
CUDA
run --picture "$work/page.html" "$work/misaligned"
check "a misaligned access is called one" 'says "[.steps[] | select(.[0] == \"o\" and .[7] == \"at a misaligned address\")] | length == 1"'

build_from elsewhere <<'CUDA'
__global__ void add(int *a) { int x = a[threadIdx.x]; a[threadIdx.x] = x + 1; }
int main() {
    int *a;
    cudaMalloc(&a, 32 * sizeof(int));
    cudaMemset(a, 0, 32 * sizeof(int));
    cudaSetDevice(1);
    add<<<1, 32>>>(a);
    cudaDeviceSynchronize();
}
CUDA
run --devices 2 --picture "$work/page.html" "$work/elsewhere"
check "a finding of the device is at the access that it is about" 'says "[.steps[] | select(.[-1] | length > 0)] | length == 1 and .[0][0] == \"r\""'

build_from large <<'CUDA'
__global__ void fill(float *a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 7) a[i % n] = a[(i * 33) % n] + 1;
}
int main() {
    float *a;
    cudaMalloc(&a, 4096 * sizeof(float));
    cudaMemset(a, 0, 4096 * sizeof(float));
    fill<<<40, 512>>>(a, 4096);
    cudaDeviceSynchronize();
    cudaFree(a);
}
CUDA
run --picture "$work/page.html" "$work/large"
check "a large launch has a page below 2 MB" '[ "$(wc -c <"$work/page.html")" -lt 2000000 ] && says ".steps | length > 500"'
check "which says what it left out" 'says ".left_out.steps > 100 and .left_out.blocks == 34"'
run --explore 3 --picture "$work/page.html" "$work/sum"
check "explored: the first schedule" '[ $status -eq 1 ] && says ".kernel == \"sum_kernel\""'
run --picture "$work/none/page.html" "$work/sum"
check "a page that cannot be written is said" '[ $status -eq 3 ] && grep -q "none/page.html" "$work/log"'
printf 'int main() { return 0; }\n' | build_from empty
run --picture "$work/page.html" "$work/empty"
check "no kernel, no steps" '[ $status -eq 0 ] && says ".steps == []"'

finish
