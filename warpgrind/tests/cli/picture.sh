#!/bin/bash
# --picture: the record is whole JSON and says what happened, the page holds it harmlessly and within bounds. What the page does with it in a
# browser is tests/browser's. BUILD names the build folder. Ends with "N passed, N failed".
. "$(dirname "$0")/common.bash"

"$warpcc" -o "$work/sum" docs/example/sum.cu
run --seed 1 --picture "$work/page.html" --report "$work/report.json" "$work/sum"
check "a race is in the picture" '[ $status -eq 1 ] && says ".schema == \"warpgrind/picture/v3\" and .kernel == \"sum_kernel\" and .block == [256,1,1]"'
check "with both parties" 'says ".findings[0] | .kind == \"shared-race\" and .party.thread == 96 and .party.line == 9 and .other.thread == 224 and .other.line == 7 and .index == 224"'
check "at the step that it is about" 'says "[.steps[] | select(.[-1] == [0])] | length == 1 and .[0][0] == \"r\" and .[0][2] == 3 and .[0][3] == 9"'
check "each access names its elements, as briefly as it can" 'says "[.steps[] | select(.[0] == \"w\" and .[3] == 7)] | length == 8 and all(.[7][0] >= 0 and .[7][2] == 1 and (.[7] | length == 3)) and (map(.[7][1]) | sort == [range(0; 256; 32)])"'
check "and its values" 'says "[.steps[] | select(.[0] == \"w\" and .[3] == 7)] | all(.[9] == [.[7][1] + 1, 1])"'
check "the variables of its threads, where they have changed" 'says ".variables as \$names | [.steps[] | select(.[0] == \"r\" and .[3] == 9 and .[2] == 0)][0] | [.[8][] | {(\$names[.[0]]): .[1:]}] | add == {d: [128]}"'
check "each access says where its bytes are" 'says "[.steps[] | select(.[0] == \"w\" and .[3] == 7)] | all(.[10] == [4, 0, 4])"'
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

# Lanes read each other's values: whose, and what they are, also where debug information and optimiser leave little else.
build_from shuffles <<'CUDA'
__global__ void sum(float *out, int *pairs, double *wide) {
    float value = threadIdx.x * 0.5f;
    value += __shfl_down_sync(~0u, value, 16);                    // line 3: the upper half gets its own
    pairs[threadIdx.x] = __shfl_xor_sync(~0u, 5 - (int)threadIdx.x, 1); // line 4
    wide[threadIdx.x] = __shfl_sync(~0u, wide[threadIdx.x], 7);   // line 5: halves, of what nobody wrote
    if (threadIdx.x < 3) out[threadIdx.x] = __shfl_up_sync(7u, value, 1); // line 6
}
int main() {
    float *out; int *pairs; double *wide;
    cudaMalloc(&out, 12); cudaMalloc(&pairs, 128); cudaMalloc(&wide, 256);
    sum<<<1, 32>>>(out, pairs, wide);
    cudaDeviceSynchronize();
    cudaFree(out); cudaFree(pairs); cudaFree(wide);
}
CUDA
shuffled() { says "[.steps[] | select(.[0] == \"h\" and .[3] == $1)] | $2"; }
for level in -O0 -O2; do
    "$warpcc" $level -o "$work/shuffles" "$work/shuffles.cu"
    run --picture "$work/page.html" "$work/shuffles"
    check "$level: a shuffle has the lanes whose values come" 'shuffled 3 "length == 1 and .[0][4] == \"ffffffff\" and .[0][5] == [range(16; 32), range(16; 32)]"'
    check "$level: and what they are" 'shuffled 3 ".[0][6] == ([range(16; 32), range(16; 32)] | map(. / 2))"'
    check "$level: integers have a sign" 'shuffled 4 ".[0][5][:4] == [1, 0, 3, 2] and .[0][6][4:8] == [0, 1, -2, -1]"'
    check "$level: half of a double is no number" 'shuffled 5 "length == 2 and all(.[5] == [7] and .[6] == [])"'
    check "$level: lanes that do not take part have none" 'shuffled 6 ".[0][4] == \"7\" and .[0][5] == [0, 0, 1] and .[0][6] == [8, 8, 9]"'
done

# Each line below is a step of one warp; what its values are is beside it.
build_from values <<'CUDA'
#include <cuda_fp16.h>
struct Pair { float x, y; };
__global__ void set(int *sums, unsigned *large, double *wide, float *row, float4 *four, Pair *pairs, __half *half, long long *far) {
    extern __shared__ float tile[];
    int i = threadIdx.x;
    float late;
    tile[i] = i - 2;                        // line 7: -2, -1, ...
    tile[i] = tile[i] / (i - 2);            // line 8: 0 / 0 is nan in lane 2
    atomicAdd(&sums[i / 16], 2);            // line 9: leaves 32 in each
    late = 0.1f * i;
    large[i] = 4000000000u + i;             // line 11
    wide[i] = late;                         // line 12
    row[i] = tile[32 + i];                  // line 13: nobody has written what it reads
    asm volatile("st.global.v4.f32 [%0], {%1, %1, %2, %1};" ::"l"(row + 32 + 4 * i), "f"(0.5f), "f"(2.0f)); // line 14
    four[i].x = 3;
    pairs[i].y = i;                         // line 16
    half[i] = __float2half(0.5f);           // line 17
    far[i] = (1LL << 60) + 1;               // line 18: more than a double holds
}
int main() {
    int *sums;
    void *memory;
    cudaMalloc(&sums, 2 * sizeof(int));
    cudaMemset(sums, 0, 2 * sizeof(int));
    cudaMalloc(&memory, 1 << 16);
    char *m = (char *)memory;
    set<<<1, 32, 256>>>(sums, (unsigned *)m, (double *)(m + 1024), (float *)(m + 2048), (float4 *)(m + 4096), (Pair *)(m + 8192), (__half *)(m + 16384), (long long *)(m + 32768));
    cudaDeviceSynchronize();
    cudaFree(memory);
    cudaFree(sums);
}
CUDA
run --picture "$work/page.html" "$work/values"
at() { # line, kind, condition on the values of its first step of the kind
    says "[.steps[] | select(.[0] == \"$2\" and .[3] == $1)][0][9] | $3"
}
check "values of floats, with a nan" 'at 7 w ". == [range(-2; 30)]" && at 8 w ".[:4] == [1, 1, \"nan\", 1]"'
check "what atomic operations leave" 'at 9 a ". == [32]"'
check "unsigned, wide and half numbers, and those that no double holds" 'at 11 w ". == [4000000000, 1]" && at 12 w ".[1] == 0.10000000149011612" && at 17 w ". == [0.5]" && at 18 w ". == [\"1152921504606846977\"]"'
check "what nobody has written has no value" 'at 13 r ". == [\"?\"]"'
check "four elements at once, and members of structures" 'at 14 w ". == [\"0.5 0.5 2 0.5\"]" && at 16 w ". == [range(32)]" && says "[.arrays[] | select(.structures).name] == [\"four\", \"pairs\"]"'
check "bytes of a structure's member, and of four elements at once" 'at_place() { says "[.steps[] | select(.[0] == \"w\" and .[3] == $1)][0][10] == $2"; }; at_place 16 "[4, 4, 8]" && at_place 14 "[16, 0, 16]" && at_place 17 "[2, 0, 2]"'
check "a variable has no value before its first" 'says ".variables as \$names | [.steps[] | select(.[0] == \"w\" and .[3] == 7)][0][8] | map(select(\$names[.[0]] == \"late\")) == [[(\$names | index(\"late\")), \"?\"]]"'

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
check "and where" 'says "(.left_out.steps) as \$all | [.steps[] | select(.[0] == \"g\")] | length > 0 and (map(.[5]) | add) == \$all"'
check "all its blocks are in the grid" 'says ".all_blocks | .each == 1 and (.instructions | length == 40 and all(. > 100))"'
check "and the page can name the command for the rest" 'grep -qF "\"again\":{\"words\":\"warpgrind --picture $work/page.html\",\"rest\":\"$work/large\",\"variables\":false}" "$work/page.html"'
run --picture "$work/page.html" --picture-block 0+12 --picture-warp 0 --picture-from 301 "$work/large"
check "blocks, warp and step can be chosen" 'says "(.blocks | map(.index[0]) == [0, 12]) and .chosen == {launch: 0, blocks: \"0+12\", warp: 0, from: 301} and ([.steps[] | select(.[0] != \"g\") | .[2]] | unique == [0]) and ([.steps[] | select(.[1] == 0)][0] | .[5:7] == [3, false]) and ([.steps[] | select(.[1] == 0)][2] | .[5:7] == [296, false])"'
check "of what is left out it is known whether it is only other warps" 'says "[.steps[] | select(.[0] == \"g\")] | any(.[6]) and (.[0][6] | not)"'
run --picture "$work/page.html" --picture-block 40 "$work/large"
check "a block that is not there" 'says ".blocks == [] and .steps == [] and .left_out.blocks == 40"'
run --picture "$work/page.html" --picture-block 1, --picture-warp 32 "$work/large"
check "choices that make no sense" '[ $status -eq 2 ] && grep -q "picture-block takes a block.s index" "$work/log" && grep -q "picture-warp takes a number from 0 to 31, not 32" "$work/log"'

# Two streams and what is missing between them; a kernel of 40 blocks, of which the later ones race; a graph; a name that a page must not take for
# its own.
build_from '<b>&"x' <<'CUDA'
__global__ void fill(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = i;
}
__global__ void apart(float *out, const float *a, int n) {
    __shared__ float tile[32 * 32];
    int i = threadIdx.x;
    tile[i * 32] = a[(blockIdx.x * 32 + i) * 8 % n]; // line 8
    __syncthreads();
    if (blockIdx.x >= 20 && i < 31) tile[0] = i; // line 10
    out[blockIdx.x * 32 + i] = tile[i * 32];
}
int main() {
    enum { N = 2048 };
    float *a, *out;
    cudaStream_t first, second;
    cudaEvent_t copied;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreate(&copied);
    cudaMalloc(&a, N * sizeof(float));
    cudaMalloc(&out, 40 * 32 * sizeof(float));
    fill<<<8, 256, 0, first>>>(a, N);        // line 23
    apart<<<40, 32, 0, second>>>(out, a, N); // line 24
    cudaMemsetAsync(a, 0, N, first);
    cudaEventRecord(copied, first);
    cudaStreamWaitEvent(second, copied, 0);
    while (cudaStreamQuery(second) == cudaErrorNotReady) ;
    cudaDeviceSynchronize();
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
    fill<<<8, 256, 0, first>>>(a, N);
    cudaStreamEndCapture(first, &graph);
    cudaGraphInstantiate(&ready, graph, NULL, NULL, 0);
    cudaGraphLaunch(ready, first);
    cudaStreamSynchronize(first);
}
CUDA
run --picture "$work/page.html" "$work/<b>&\"x"
work_of() { says ".streams as {\$tracks, \$work, \$calls} | \$work | map({kind: .[0], track: \$tracks[.[1]][1], from: .[2], to: .[3], name: .[4], line: .[5], sequence: .[7], launch: .[8], bytes: .[9], awaited: .[10], graph: .[11]}) | $1"; }
check "work has its stream and its time" 'work_of "map(select(.kind == \"k\" and .graph == 0)) | map([.track, .name, .line]) | sort == [[\"stream 1\", \"fill\", 23], [\"stream 2\", \"apart\", 24]]" && work_of "map(select(.kind == \"k\")) | sort_by(.from) | all(.[]; .to > .from) and .[0].to <= .[1].from"'
check "a wait names what it waits for" 'work_of "(map(select(.kind == \"e\"))[0].sequence) as \$event | map(select(.kind == \"w\"))[0] | .awaited == \$event and .track == \"stream 2\""'
check "a node of a graph is one" 'work_of "map(select(.graph > 0)) | map(.name) == [\"fill\"]"'
check "the missing wait names both pieces of work" 'says ".streams | (.work | map({(.[7] | tostring): .[4]}) | add) as \$name | .findings[] | select(.kind == \"missing-sync\" and (.message | contains(\"line 23\") and contains(\"line 24\"))) | [.work[] | \$name[tostring]] == [\"apart\", \"fill\"]"'
check "the host waits in its calls, and asks for work in them" 'says ".streams.calls | map({name: .[3], line: .[4], waits: (.[2] > .[1]), asked: (.[7] >= .[6]), times: .[8]}) | any(.[]; .line == 24 and .asked and (.waits | not)) and any(.[]; (.name == \"cudaDeviceSynchronize\" or .name == \"cudaStreamQuery\") and .waits)"'
check "a block is marked each time that a finding is made in it" 'says ".all_blocks.errors | length == 40 and all(.[:20][]; . == 0) and all(.[20:][]; . > 0)"'
check "excess and divergence of blocks" 'says ".all_blocks | (.excess | length >= 1 and all(. > 80)) and (.divergent[:20] | all(. == 0)) and (.divergent[20:] | all(. == 1))"'
check "who wrote what" 'says "(.arrays | map(.name) | index(\"out\")) as \$out | [.writers[] | select(.array == \$out)][0].runs == [range(40) | (. * 32, 32, .)]"'
check "a name with markup in it stays a name" '[ "$(grep -c "</script>" "$work/page.html")" -eq 3 ] && ! grep -q "<b>&" "$work/page.html"'
run --picture "$work/page.html" --picture-launch 9 "$work/<b>&\"x"
check "a launch that is not there" 'says ".steps == [] and .launches == 3 and .kernel == null and (.streams.work | length > 3)"'

build_from unordered <<'CUDA'
__global__ void set(int *a, int value) { a[threadIdx.x] = value; }
int main() {
    int *a, back[32];
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaMalloc(&a, sizeof back);
    for (int round = 0; round < 2; round++) {
        set<<<1, 32, 0, first>>>(a, 1);
        if (round == 0) set<<<1, 32, 0, second>>>(a, 2);
        cudaDeviceSynchronize();
    }
    return cudaMemcpy(back, a, sizeof back, cudaMemcpyDeviceToHost);
}
CUDA
run --picture "$work/page.html" "$work/unordered"
check "the launch that another stream is in the way of is drawn, not the last one" 'says ".launch == 2 and .launches == 3 and .streams.findings[0].kind == \"missing-sync\""'

build_from many <<'CUDA'
__global__ void add(int *a) { if (threadIdx.x == 0) a[blockIdx.x] += 1; }
__global__ void never(volatile int *a) { while (a[threadIdx.x] == 0) ; }
int main(int argc, char **argv) {
    int *a;
    cudaMalloc(&a, 5000 * sizeof(int));
    cudaMemset(a, 0, 5000 * sizeof(int));
    if (argc == 1) add<<<5000, 32>>>(a); else never<<<3, 32>>>(a);
    cudaDeviceSynchronize();
    for (int i = 0; i < 1500; i++) cudaMemset(a, i, 4 * (i + 1));
    cudaFree(a);
}
CUDA
run --picture "$work/page.html" "$work/many"
check "blocks in groups, where they are many" 'says ".all_blocks | .each == 3 and (.divergent | length == 1667 and .[0] == 3 and last == 2)"'
check "work and calls that are too many are counted" 'says ".streams.left_out | .work == 502 and .calls > 500" && [ "$(wc -c <"$work/page.html")" -lt 2000000 ]'
run --steps 20000 --picture "$work/page.html" "$work/many" never
check "a kernel that does not end has a picture, which says what is left out" '[ $status -eq 1 ] && says ".findings[0].kind == \"hang\" and .left_out.steps > 1000 and ([.steps[] | select(.[0] == \"g\") | .[5]] | add) == .left_out.steps" && [ "$(wc -c <"$work/page.html")" -lt 2000000 ]'

build_from later <<'CUDA'
__global__ void work(int *a, const int *b, int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) sum += b[threadIdx.x];
    a[threadIdx.x] = sum; // line 4
}
int main() {
    int *a;
    cudaMalloc(&a, 64 * sizeof(int));
    work<<<1, 32>>>(a, a + 32, 1); // reads what nobody wrote, and nobody looks at it
    cudaMemset(a, 0, 64 * sizeof(int));
    work<<<1, 32>>>(a, a + 32, 2000);
    cudaDeviceSynchronize();
    cudaFree(a);
}
CUDA
run --picture "$work/page.html" "$work/later"
check "of launches without an error, one that reads what nobody wrote" 'says ".launch == 1 and .findings == [] and ([.steps[] | select(.[0] == \"r\")][0][9] == [\"?\"])"'
sed -i 's/2000);/2000), work<<<1, 32>>>(a, a + 32, 2000);/; /a + 32, 1)/d' "$work/later.cu"
"$warpcc" -o "$work/later" "$work/later.cu"
run --picture "$work/page.html" "$work/later"
check "else the last, with what it leaves, however long it runs" 'says ".launch == 2 and .left_out.steps > 0 and (.steps | last(.[] | select(.[0] == \"w\")) | .[3] == 4 and .[9] == [0])"'
run --explore 3 --picture "$work/page.html" "$work/sum"
check "explored: the first schedule" '[ $status -eq 1 ] && says ".kernel == \"sum_kernel\""'
run --picture "$work/none/page.html" "$work/sum"
check "a page that cannot be written is said" '[ $status -eq 3 ] && grep -q "none/page.html" "$work/log"'
printf 'int main() { return 0; }\n' | build_from empty
run --picture "$work/page.html" "$work/empty"
check "no kernel, no steps" '[ $status -eq 0 ] && says ".steps == [] and .launches == 0 and .streams.work == []"'

finish
