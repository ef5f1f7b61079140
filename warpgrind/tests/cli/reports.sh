#!/bin/bash
# What warpgrind writes: annotated sources, explored schedules, SARIF, suppression; and that reports and results are as
# docs/*.schema.json say. Needs the built tools and python3-jsonschema. Ends with "N passed, N failed".
. "$(dirname "$0")/common.bash"

# --- a host that was built without -g: its calls have no line, and it is said once how to get them
printf '#include <cuda_runtime_api.h>\nint main(void) {\n    int x;\n    return cudaFree(&x) == cudaSuccess || cudaFree(&x) == cudaSuccess;\n}\n' >"$work/bare.c"
for debug in '' -g; do
    gcc $debug -I"$build/include" -o "$work/bare$debug" "$work/bare.c" -L"$build/lib" -lcudart -Wl,-rpath,"$(cd "$build" && pwd)/lib"
done
run "$work/bare"
check "without -g: how to get lines is said once" "[ \"\$(grep -c 'was built without -g: nvcc -g' $work/log)\" = 1 ]"
run "$work/bare-g"
check "with -g: nothing of the kind" "grep -q 'bare.c:4' $work/log && ! grep -q 'without -g' $work/log"

# --- a program whose result depends on the order of its blocks, without a race
build_from order <<'EOF'
#include <cuda_runtime.h>
#include <cstdio>
__global__ void last(int *out) {
    if (threadIdx.x == 0) atomicExch(out, (int)blockIdx.x);
}
__global__ void spread(float *out) {
    __shared__ float t[32][32];
    t[threadIdx.x][threadIdx.y] = 1;
    __syncthreads();
    out[(threadIdx.y * 32 + threadIdx.x) * 8] = t[threadIdx.x][threadIdx.y];
}
int main() {
    int *d, h;
    float *f;
    cudaMalloc(&d, 4);
    cudaMalloc(&f, 32768);
    cudaMemset(d, 0, 4);
    last<<<16, 32>>>(d);
    spread<<<1, dim3(32, 32)>>>(f);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("block %d\n", h);
    cudaFree(d);
    cudaFree(f);
}
EOF
run --explore 4 --report "$work/explored.json" "$work/order"
check "explore: what differs is an error" "[ $status -eq 1 ]"
check "explore: the copy is named" "grep -q 'the result copied at order.cu:20 differs between schedules 0 and [1-3] ' $work/log"
check "explore: so is the output" "grep -q 'what the program prints differs between schedules 0 and' $work/log"
check "explore: the first schedule's output is passed on" "[ \"\$(cat $work/out)\" = 'block 15' ]"
check "explore: a schedule each" "json_says '[.explored[].seed] == [0,1,2,3]' $work/explored.json"
seed=$(sed -n 's/.*copied at .*(--seed \([0-9]*\) repeats it).*/\1/p' "$work/log")
run --seed "$seed" "$work/order"
first=$(cat "$work/out")
run --seed "$seed" "$work/order"
check "a seed repeats its schedule" "[ \"\$(cat $work/out)\" = '$first' ] && [ '$first' != 'block 15' ]"
# --- counters of local memory, as the layout of 32 lanes side by side makes them
cat >"$work/local.cu" <<'EOF'
#include <cuda_runtime.h>
__global__ void pick(float *out, int n) {
    float a[4];
    for (int i = 0; i < 4; i++) a[(i + n) & 3] = i;
    out[threadIdx.x] = a[threadIdx.x & 3];
}
int main() {
    float *out;
    cudaMalloc(&out, 256);
    pick<<<1, 64>>>(out, 1);
    cudaFree(out);
}
EOF
"$warpcc" -O2 -o "$work/local" "$work/local.cu"
run --report "$work/local.json" "$work/local"
check "local memory: 4 stores of 2 warps, 4 sectors each" \
    "json_says '.launches[0].counters | .local_store_requests == 8 and .local_store_sectors == 32' $work/local.json"
check "local memory: a load of 4 words by each 8 lanes" \
    "json_says '.launches[0].counters | .local_load_requests == 2 and .local_load_sectors == 32' $work/local.json"
"$warpcc" -o "$work/local" "$work/local.cu"
run --report "$work/local.json" "$work/local"
check "local memory: unoptimised code keeps its variables there" \
    "json_says '.launches[0].counters | .local_load_requests > 20 and .local_load_sectors % 4 == 0' $work/local.json"

# --- waiting is no work: a block that waits through turns of many thousand steps is no longer than the one that it waits for
for level in 0 2; do
    "$warpcc" -O$level -o "$work/waits" tests/cli/waits.cu
    run --report "$work/waits.json" "$work/waits" alone
    alone=$(jq '.launches[0].counters.longest_warp' "$work/waits.json")
    for kernel in load add swap either both window; do
        run --report "$work/waits.json" "$work/waits" by_$kernel
        check "waiting is no work: $kernel at -O$level" \
            "json_says '.launches[0].counters | .longest_warp < $alone + 500 and .warp_instructions < $alone + 1000' $work/waits.json"
    done
    run --report "$work/waits.json" "$work/waits" by_load
    check "waiting is no work: nor are its reads at -O$level" "json_says '.launches[0].counters.global_reads < 10' $work/waits.json"
    for kernel in reading writing adding short; do
        run --report "$work/waits.json" "$work/waits" not_$kernel
        check "a loop that works is work: $kernel at -O$level" "json_says '.launches[0].counters.longest_warp > 1400' $work/waits.json"
    done
    run --report "$work/waits.json" "$work/waits" not_reading
    check "a loop that works is work: its reads at -O$level" "json_says '.launches[0].counters.global_reads == 2000' $work/waits.json"
done

# --- each result that people can see, by itself
build_from orders <<'EOF'
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
__global__ void prints() { printf("block %d\n", blockIdx.x); }
__global__ void add(int *x) { atomicAdd(x, blockIdx.x); }
__global__ void add_float(float *x) { atomicAdd(x, 1.0f / (1 + blockIdx.x)); }
__global__ void ticket(int *x, int *n) { x[atomicAdd(n, 1)] = blockIdx.x; }
int main(int argc, char **argv) {
    int which = atoi(argv[argc - 1]), *x, *y, *n, *m, h[64];
    cudaMalloc(&x, 256);
    cudaMalloc(&y, 256);
    cudaMalloc(&n, 4);
    cudaMallocManaged(&m, 256);
    cudaMemset(x, 0, 256);
    cudaMemset(n, 0, 4);
    if (which == 1) prints<<<8, 1>>>();
    if (which == 2) add<<<64, 1>>>(x);
    if (which == 3) add_float<<<64, 1>>>((float *)x);
    if (which == 4 || which == 5) ticket<<<64, 1>>>(x, n);
    if (which == 6) ticket<<<64, 1>>>(m, n);
    if (which <= 4) cudaMemcpy(h, x, which == 4 ? 255 : 4, cudaMemcpyDeviceToHost);
    if (which == 5) cudaMemcpy(y, x, 256, cudaMemcpyDeviceToDevice);
    cudaDeviceSynchronize();
    cudaFree(x), cudaFree(y), cudaFree(n), cudaFree(m);
}
EOF
differs() { # which, what must be said
    run --explore 4 "$work/orders" "$1"
    check "explore: $2" "[ \$(grep -c ' differs between ' $work/log) -eq 1 ] && grep -q '$2 differs between' $work/log"
}
differs 1 "what the program prints"
run --explore 4 "$work/orders" 2
check "explore: a sum of integers is always the same" "grep -q '4 schedules, all with the same results' $work/log"
differs 3 "the result copied at orders.cu:21"
differs 4 "the result copied at orders.cu:21"
differs 5 "what is copied within device memory at orders.cu:22"
differs 6 "managed or mapped memory after the launch at orders.cu:20"

run --explore 3 --quiet "$work/order"
check "explore: quiet" "[ ! -s $work/log ]"

run --annotate --report "$work/annotated.json" "$work/order"
line() { jq -c "[.lines[] | select(.line == $1)] | map($2) | add" "$work/annotated.json"; }
check "annotate: the whole source" "grep -q ' 24 | }' $work/log"
check "annotate: warps and lanes" "[ $(line 4 .warps) -eq 16 ] && [ $(line 4 .lanes) -eq 512 ]"
check "annotate: atomics" "[ $(line 4 .atomics) -eq 16 ]"
check "annotate: divergence" "[ $(line 4 .divergent_branches) -eq 16 ] && [ $(line 4 .branches) -eq 16 ]"
check "annotate: bank conflicts" "[ $(line 8 .shared_wavefronts) -eq 1024 ] && [ $(line 8 .shared_wavefronts_ideal) -eq 32 ]"
check "annotate: sectors" "[ $(line 10 .global_sectors) -eq 1024 ] && [ $(line 10 .global_sectors_ideal) -eq 128 ]"
check "annotate: the margin shows them" "grep -qE '^ +32 +1024 +1024/128 +1024/32 .* 10 \|' $work/log"

# --- a program with a race and a note
build_from race <<'EOF'
#include <cuda_runtime.h>
__global__ void left(float *x) {
    __shared__ float t[64];
    t[threadIdx.x] = x[threadIdx.x];
    x[threadIdx.x] = t[63 - threadIdx.x];
}
__global__ void ignored(float *x) {
    __shared__ float t[64];
    t[threadIdx.x] = x[threadIdx.x];
    // warpgrind: ignore shared-race
    x[threadIdx.x] = t[63 - threadIdx.x];
}
int main() {
    float *x;
    cudaMalloc(&x, 256);
    cudaMemset(x, 0, 256);
    left<<<1, 64>>>(x);
    ignored<<<1, 64>>>(x);
    cudaFree(x);
}
EOF
run --smallest --sarif "$work/race.sarif" --report "$work/race.json" "$work/race"
check "a comment in the source suppresses" "[ $status -eq 1 ] && json_says '(.findings | length) == 1 and .suppressed == 1 and .findings[0].line == 5 and (.findings[0].smallest.command | length) > 1' $work/race.json"
check "sarif: version" "json_says '.version == \"2.1.0\" and (.runs | length) == 1' $work/race.sarif"
check "sarif: every kind is a rule" "[ \$(jq '.runs[0].tool.driver.rules | length' $work/race.sarif) -eq \$(grep -c '^FINDING(' base/findings.def) ]"
check "sarif: rules have their explanations" "json_says 'all(.runs[0].tool.driver.rules[]; (.fullDescription.text | length) > 50)' $work/race.sarif"
check "sarif: the index is that of the rule" "json_says '.runs[0] as \$r | all(\$r.results[]; \$r.tool.driver.rules[.ruleIndex].id == .ruleId)' $work/race.sarif"
check "sarif: the place" "json_says '.runs[0].results[0].locations[0].physicalLocation | .region.startLine == 5 and (.artifactLocation.uri | endswith(\"race.cu\"))' $work/race.sarif"
check "sarif: the other place" "json_says '.runs[0].results[0].relatedLocations[0].physicalLocation.region.startLine == 4' $work/race.sarif"
for rule in 'shared-race race.cu:5' '* race.cu:4' 'shared-race left' '* *'; do
    printf '# known\n\n%s\n' "$rule" >"$work/rules"
    run --suppress "$work/rules" "$work/race"
    check "suppressed by: $rule" "[ $status -eq 0 ] && grep -q '(2 suppressed)' $work/log"
done
for rule in 'global-race race.cu:5' 'shared-race race.cu:6' 'shared-race ace.cu:5' 'shared-race right'; do
    echo "$rule" >"$work/rules"
    run --suppress "$work/rules" "$work/race"
    check "not suppressed by: $rule" "[ $status -eq 1 ] && grep -q '(1 suppressed)' $work/log"
done
for rule in 'no-such-kind *' 'shared-race' 'shared-race a b'; do
    echo "$rule" >"$work/rules"
    run --suppress "$work/rules" "$work/race"
    check "refused: $rule" "[ $status -eq 2 ] && grep -q 'rules:1' $work/log"
done

# --- what follows from another finding is known by its number, which changes when others are left out
build_from follow <<'EOF'
#include <cuda_runtime.h>
__global__ void same(float *x) { x[threadIdx.x] = blockIdx.x; }
__global__ void fill(float *y) { y[threadIdx.x] = 1; }
int main() {
    float *x, *y, h[32];
    cudaMalloc(&x, sizeof h);
    cudaMalloc(&y, sizeof h);
    same<<<2, 32>>>(x);
    cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
    fill<<<1, 2048>>>(y);
    cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(x);
    cudaFree(y);
}
EOF
follows() { # rule, the findings left, each with the kind of what it follows from
    echo "$1" >"$work/rules"
    run --suppress "$work/rules" --report "$work/follow.json" "$work/follow"
    jq -r '.findings as $all | [.findings[] | select(.severity == "error") | "\(.kind)<\($all[.follows // 999].kind)"] | join(" ")' "$work/follow.json" >"$work/chain"
    check "follows, without $1" "[ \"\$(cat $work/chain)\" = '$2' ]"
}
follows 'leak *' 'global-race<null invalid-launch<null uninitialized-read<invalid-launch unchecked-error<invalid-launch'
follows 'global-race *' 'invalid-launch<null uninitialized-read<invalid-launch unchecked-error<invalid-launch'
follows 'uninitialized-read *' 'global-race<null invalid-launch<null unchecked-error<invalid-launch'
follows 'invalid-launch *' 'global-race<null uninitialized-read<null unchecked-error<null'
run "$work/follow"
check "what follows is told in a line" "! grep -q '^error: unchecked-error' $work/log && grep -q '^  error: unchecked-error, line 10:' $work/log"

# --- a capture that came to nothing explains the graph that is not there, until another one gives a graph
build_from captured <<'EOF'
#include <cuda_runtime.h>
int main() {
    cudaStream_t s;
    cudaGraph_t graph = 0;
    cudaGraphExec_t made = 0;
    cudaStreamCreate(&s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaStreamSynchronize(s);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&made, graph, 0);
    cudaGraphLaunch(made, s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaStreamEndCapture(s, &graph);
    cudaGraphDestroy(graph);
    cudaGraphInstantiate(&made, 0, 0);
    cudaGraphLaunch(made, s);
    cudaStreamDestroy(s);
}
EOF
run --report "$work/captured.json" "$work/captured"
jq -r '.findings as $all | [.findings[] | select(.kind == "api-misuse") | "\(.line)<\($all[.follows // 999].line)"] | join(" ")' "$work/captured.json" >"$work/chain"
check "what follows from a lost capture" "[ \"\$(cat $work/chain)\" = '8<null 15<null 16<null 10<8 11<8' ]"

# --- a report fits on a screen, whatever it holds
build_from many < <(
    echo '#include <cuda_runtime.h>'
    for i in {1..20}; do echo "__global__ void past$i(float *x) { x[threadIdx.x] = $i; }"; done
    echo 'int main() { float *x; cudaMalloc(&x, 100);'
    for i in {1..20}; do echo "past$i<<<1, 32>>>(x); cudaGetLastError();"; done
    echo 'cudaFree(x); }'
)
run "$work/many"
check "20 mistakes fit on 30 lines" "[ \$(wc -l <$work/log) -le 30 ] && grep -q '^ *and [0-9]* more: --full' $work/log"
check "the others follow in a line each, in their order" "[ \"\$(sed -n 's/^  error: out-of-bounds, line \([0-9]*\):.*/\1/p' $work/log | paste -sd' ')\" = '4 5 6 7 8 9' ]"
run --full "$work/many"
check "in full they do not" "[ \$(wc -l <$work/log) -gt 60 ] && ! grep -q ' more: --full' $work/log"

# --- whether races were watched in all of a launch
build_from unwatched < <(sed "s,../../mistakes,$PWD/tests/mistakes," tests/check/words/unwatched-after-many-barriers.cu)
for case in 'unwatched false' 'race true'; do
    run --report "$work/watched.json" "$work/${case% *}"
    check "races watched in ${case% *}: ${case#* }" "json_says '[.launches[].races_watched] | unique == [${case#* }]' $work/watched.json"
done
run --checks memory --report "$work/watched.json" "$work/race"
check "races that nobody asked for are not watched" "json_says 'all(.launches[]; .races_watched | not)' $work/watched.json"

# --- who wrote each piece of what came back, also of a large copy, in whole segments of the records and in single words
build_from traced <<'EOF'
#include <cuda_runtime.h>
__global__ void fill(int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i != 7) out[i] = i;
}
int main() {
    const int n = 5 << 18;
    int *d, *h = new int[n];
    cudaMalloc(&d, n * sizeof *d);
    fill<<<n / 256, 256>>>(d, n);
    cudaMemcpy(h, d, n * sizeof *d, cudaMemcpyDeviceToHost);
    cudaFree(d);
}
EOF
run --report "$work/traced.json" "$work/traced"
check "writers of a copy of 5 MiB" "json_says '[.copies[0].writers[] | [.offset, .bytes, .kernel // .what]] == [[0, 28, \"fill\"], [28, 4, \"unwritten\"], [32, 5242848, \"fill\"]]' $work/traced.json"

# --- what a program chose, a library's words, those of an assertion or the name of a file, is one line of a finding: more could look like findings
build_from forger <<'EOF'
#include <cuda_runtime.h>
extern "C" void warpgrindRefused(int why, const char *text);
extern "C" __device__ void __assertfail(const char *message, const char *file, unsigned line, const char *function, size_t size);
__global__ void fails() { __assertfail("x\nerror: race: forged", "f", 1, "g", 1); }
#line 7 "a\nerror: race: forged.cu"
__global__ void past(int *p) { p[100] = 1; }
int main() {
    int *d;
    cudaMalloc(&d, 4);
    warpgrindRefused(0, "a call\nerror: race: forged\033[2J");
    past<<<1, 1>>>(d);
    fails<<<1, 1>>>();
    cudaDeviceSynchronize();
}
EOF
run --full --color never --report "$work/forger.json" "$work/forger"
check "what a program chose cannot look like findings" "[ $status -eq 1 ] && ! grep -q '^error: race' $work/log && [ \$(grep -c 'error: race: forged' $work/log) -ge 3 ] && json_says '[.findings[].kind] | index(\"race\") == null and length >= 3' $work/forger.json"

# --- reports and results are as their schemas say
check "the schema refuses what is none" "! echo '{\"schema\": \"warpgrind/report/v1\"}' >$work/none.json || ! valid docs/report.schema.json $work/none.json >/dev/null"
check "nor a member that the schema does not know" "jq '.findings[0].whatever = 1' $work/race.json >$work/none.json && ! valid docs/report.schema.json $work/none.json >/dev/null"
for report in explored annotated race; do
    check "schema: $report" "valid docs/report.schema.json $work/$report.json"
done
for source in tests/mistakes/M{13,45,47,67}*.cu tests/mistakes/X0{1,2,3,6,7}*.cu; do
    name=$(basename "$source" .cu)
    "$warpcc" -o "$work/$name" "$source" >"$work/log" 2>&1
    run --report "$work/$name.json" "$work/$name"
    check "schema: report of $name" "valid docs/report.schema.json $work/$name.json"
done
finish
