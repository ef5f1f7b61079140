#!/bin/bash
# warpgrind debug: breakpoints, steps forwards and backwards, values, what ends badly, and that no process stays. BUILD names the build
# folder. Ends with "N passed, N failed".
. "$(dirname "$0")/common.bash"
export WARPGRIND=$warpgrind

# debug PROGRAM [OPTIONS...]: a session with the commands on stdin; leaves out, log and $status.
debug() {
    timeout 120 "$warpgrind" debug "${@:2}" "$1" >"$work/out" 2>"$work/log"
    status=$?
}
prints() { grep -qF -- "$1" "$work/out"; }
# answers COMMAND LINE: the command's own answer, what stands until the next prompt, has that line.
answers() { awk -v command="(warpgrind) $1" -v line="$2" '$0 == command { on = 1; next } /^\(warpgrind\)/ { on = 0 } on && $0 == line { found = 1 } END { exit !found }' "$work/out"; }
# gone PATTERN: waits until no process has it in its command line.
gone() {
    local i
    for i in $(seq 100); do
        pgrep -f -- "$1" >/dev/null || return 0
        sleep 0.1
    done
    return 1
}

"$warpcc" -o "$work/sum" docs/example/sum.cu
"$warpcc" -I tests/samples -o "$work/recursive" tests/samples/quicksort-recursive.cu
for way in "sum 40 0,0" "sum 40 0,200" "recursive 20 0,0"; do
    problem=$(timeout 120 python3 tests/cli/debug.py "$work/"$way 2>&1) && [[ $problem == *"the same forwards and back" ]] && problem=
    verdict "the same forwards and back: $way" "$problem"
done

debug "$work/sum" --seed 1 <<'COMMANDS'
r
p temp[tid]
p tid
other
p tid
p in[tid]
rc
q
COMMANDS
check "a run stops at the first finding, at the access" '[ $status -eq 0 ] && prints "shared-race: threads 96 and 224" && prints "thread (96,0,0) of block (0,0,0) in sum_kernel at sum.cu:9"'
check "with the values of that moment" 'answers "p temp[tid]" 97 && answers "p tid" 96'
check "and goes to where the other party was" 'prints "thread (224,0,0) of block (0,0,0) in sum_kernel at sum.cu:7" && answers "p tid" 224 && answers "p in[tid]" 225'
check "before the first stop is the beginning" 'prints "this is the beginning of the run"'

run --seed 1 --report "$work/report.json" "$work/sum"
command=$(sed -n 's/ steps through this run, forwards and back$//p' "$work/log")
check "a report ends with the command that steps through its run" '[ "$command" = "warpgrind debug --seed=1 $work/sum" ] && json_says ".replay == [\"warpgrind\", \"debug\", \"--seed=1\", \"$work/sum\"]" "$work/report.json"'
printf 'r\nq\n' | PATH=$(dirname "$warpgrind"):$PATH timeout 300 sh -c "$command" >"$work/out" 2>"$work/log"
check "which does so" 'prints "shared-race: threads 96 and 224"'
build_from many <<'CUDA'
#include <cstdio>
#include <cstdlib>
__global__ void warm(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = i; }
__global__ void sum(float *out, const float *in, int n) {
    __shared__ float t[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    t[threadIdx.x] = i < n ? in[i] : 0;
    for (int d = blockDim.x / 2; d > 0; d /= 2)
        if (threadIdx.x < d) t[threadIdx.x] += t[threadIdx.x + d];
    if (threadIdx.x == 0) out[blockIdx.x] = t[0];
}
__global__ void past(float *a, int n) {
    int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
    if (i <= n) a[i] = 1;
}
__global__ void half(float *a) {
    __shared__ float t[64];
    if (threadIdx.x < 32) t[threadIdx.x] = 1;
    __syncthreads();
    if (t[63 - threadIdx.x] != 0) a[threadIdx.x] = 1;
}
__global__ void both(float *a) {
    __shared__ float t[64], c;
    t[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0) c = 1;
    a[threadIdx.x] = c;
    __syncthreads();
    if (t[63 - threadIdx.x] != 0) a[threadIdx.x] = 1;
}
__global__ void first(float *a, int *turn) {
    if (threadIdx.x == 0 && atomicAdd(turn, 1) == 0 && blockIdx.x > 0) a[64] = 1;
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    char what = argc > 2 ? argv[2][0] : 's';
    if (what == 'i' && getchar() != 'x') what = 0;
    float *a, *b;
    cudaMalloc(&a, n * 4);
    cudaMalloc(&b, 256);
    warm<<<(n + 255) / 256, 256>>>(a, n);
    if (what == 's') sum<<<(n + 255) / 256, 256>>>(b, a, n);
    if (what == 'p' || what == 'i') past<<<dim3(2, (n + 511) / 512), 256>>>(a, n);
    if (what == 'h') half<<<1, 64>>>(b);
    if (what == 'b') both<<<1, 64>>>(b);
    if (what == 'e') cudaMemset(a, 0, 4), first<<<8, 32>>>(b, (int *)a);
    cudaMemcpy(b, a, 4, cudaMemcpyDeviceToDevice);
    printf("done\n");
    cudaFree(a);
    cudaFree(b);
}
CUDA
# smallest ARGUMENTS...: the smallest run of the first error, as the screen and the report say; debugged, it stops at the finding.
smallest() {
    run --smallest --report "$work/report.json" "$work/many" "$@"
    command=$(sed -n "s/ shows the .*, the fewest found$//p" "$work/log" | head -n 1)
    jq -c '[.findings[] | select(.smallest)][0].smallest | del(.runs)' "$work/report.json" >"$work/smallest"
    printf 'r\nq\n' | PATH=$(dirname "$warpgrind"):$PATH timeout 300 sh -c "$command" >"$work/stops" 2>&1
}
smallest 1000 s
check "the smallest run of a race: arguments, grid and block" '[ "$command" = "warpgrind debug --reshape=2:1:64 $work/many 1 s" ] && grep -q "shows the shared-race at many.cu:9 with 1 block of 64 threads, the fewest found" "$work/log" && [ "$(cat "$work/smallest")" = "{\"command\":[\"warpgrind\",\"debug\",\"--reshape=2:1:64\",\"$work/many\",\"1\",\"s\"],\"seed\":0,\"launch\":2,\"grid\":[1,1,1],\"block\":[64,1,1]}" ]'
check "shows it" 'grep -q "^shared-race: " "$work/stops" && grep -q "in sum at many.cu:9" "$work/stops" && [ "$(grep -c "^done" "$work/out")" -eq 1 ]'
smallest 1000 p
check "of an access past the end: it stays as large as the last thread needs" '[ "$command" = "warpgrind debug --reshape=2:1:2 $work/many 1 p" ] && grep -q "in past at many.cu:14" "$work/stops"'
run --smallest --report "$work/report.json" "$work/many"
check "without arguments: the launch alone" 'grep -q "^warpgrind debug --reshape=2:1:64 $work/many shows the shared-race" "$work/log"'
run --smallest "$work/many" 1 h
check "what threads that are missing would bring about is looked for in the whole launch" 'grep -q "^warpgrind debug $work/many 1 h shows the uninitialized-read at many.cu:20 with 1 block of 64 threads, the fewest found" "$work/log"'
run --smallest "$work/many" 1 b
check "and a launch with an error of its own does not count" 'grep -q "^warpgrind debug $work/many 1 b shows the shared-race at many.cu:26 with 1 block of 64 threads, the fewest found" "$work/log"'
run --explore 4 --smallest "$work/many" 1 e
command=$(sed -n "s/ shows the out-of-bounds .*, the fewest found$//p" "$work/log" | head -n 1)
printf 'r\nq\n' | PATH=$(dirname "$warpgrind"):$PATH timeout 300 sh -c "$command" >"$work/stops" 2>&1
check "of several schedules the first that shows it" '[[ $command =~ ^warpgrind\ debug\ --seed=[1-3]\ --reshape=2:[2-8]:1\  ]] && grep -q "^out-of-bounds: " "$work/stops"'
echo x | run --smallest "$work/many" 700 i
check "what needs input does not come again, and that is said" 'grep -q "^warpgrind: the out-of-bounds at many.cu:14 did not come again when the program was run once more" "$work/log" && ! grep -q "fewest found" "$work/log"'
run --reshape 2:9,9:1024 --report "$work/report.json" "$work/many"
check "a launch is made no larger" 'json_says ".launches[1].grid == [4,1,1] and .launches[1].block == [256,1,1] and .replay[2] == \"--reshape=2:9,9:1024\"" "$work/report.json"'
for words in 2 2:1 0:1:1 2:0:1 2:1:1,1,1,1 2:1:64x x:1:1 2::1 2:1:-1 2:1:4294967296; do
    run --reshape "$words" "$work/many"
    first=$status
    "$warpgrind" debug --reshape "$words" "$work/many" </dev/null >"$work/out" 2>>"$work/log"
    second=$?
    check "--reshape $words is refused" '[ $first$second -eq 22 ] && [ "$(grep -c "takes LAUNCH:GRID:BLOCK" "$work/log")" -eq 2 ]'
done
run --seed 1 --checks none "$work/sum"
check "without an error there is none" '! grep -q "steps through" "$work/log"'

"$warpcc" -o "$work/stale" docs/example/stale.cu
timeout 300 "$warpgrind" debug -x docs/example/stale.debug --batch "$work/stale" >"$work/out" 2>"$work/log"
awk '/^```console/ { on = 1; next } /^```/ { on = 0 } on' docs/debug.md >"$work/page"
# How many steps lead there, each clang has its own mind.
check "the page shows what is printed" 'diff <(sed "s/step [0-9]*/step N/" "$work/page") <(sed "s/step [0-9]*/step N/" "$work/out")'

build_from values <<'CUDA'
#include <cstdio>
struct Pair { int a; float b[3]; struct { short s; } in; unsigned low : 3, high : 5; };
__constant__ float scale[4] = {1, 2, 4, 8};
__device__ int counter = 7, cube[256][256][256]; namespace deep { __device__ int counter = 9, only = 3; }
template <typename T> __device__ T twice(T x) { T y = x + x; return y; }
__global__ void k(float *out, const int *in, int n, Pair pair) {
    extern __shared__ float dynamic[];
    __shared__ int tile[2][16];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char letter = 'a' + i;
    double wide = 1.5 * i;
    bool odd = i & 1;
    float own[4];
    for (int j = 0; j < 4; j++) {
        int q = j * i;
        own[j] = q;
    }
    {
        long q = 7 + n;
        dynamic[threadIdx.x] = q + own[1];
    }
    tile[threadIdx.x / 16][threadIdx.x % 16] = in[i];
    __syncthreads();
    out[i] = twice(dynamic[threadIdx.x]) + wide + letter + odd;
    counter = n, deep::counter = 6 + deep::only + cube[0][0][i];
}
int main() {
    float *out, r[64];
    int *in, h[64];
    for (int i = 0; i < 64; i++) h[i] = 100 + i;
    cudaMalloc(&out, sizeof r);
    cudaMalloc(&in, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    Pair pair{1, {1, 2, 3}, {-4}, 5, 17};
    k<<<2, 32, 32 * sizeof(float)>>>(out, in, 64, pair);
    cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
    printf("%g %g\n", r[0], r[5]);
    cudaFree(out);
    cudaFree(in);
    return 3;
}
CUDA
# Expressions and what they are in thread 5 of block 1 before the barrier, a line each.
cat >"$work/expressions" <<'LINES'
i = 37
threadIdx.x + 10 * blockIdx.x = 15
blockDim.x * gridDim.x = 64
letter = 134
letter - 'a' = What?
wide / 2 = 27.75
odd = true
!odd || i == 37 && n > 63 = true
own = {0, 37, 74, 111}
own[2] * 2.0f = 148
*(own + 3) = 111
dynamic[5] = 108
dynamic[4]@3 = {107, 108, 109}
tile[0][5] = 137
tile[1] = {148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163}
in[i] - in[0] = 37
pair = {a = 1, b = {1, 2, 3}, in = {s = -4}, low = 5, high = 17}
pair.b[2] + pair.in.s = -1
pair.high << 2 = 68
scale[3] = 8
counter = 64
&in[1] - 0 = (int *) 0x
(int)7.9 + 7 / 2 % 2 = 8
-1 < 0u = false
(unsigned char)300 = 44
i > 30 ? own[1] : own[2] = 37
~0 ^ 5 = -6
deep::counter + ::counter = 73
deep::only - only = 0
cube = {{{0 <repeats 256 times>} <repeats 256 times>}, ...}
threadIdx = {x = 5, y = 0, z = 0}
&in[5] - &in[2] = 3
0x1e + 0X1F = 61
in + 2 - in = 2
sizeof(int) + sizeof pair.b + sizeof *in = 20
in != nullptr && (int *)0 == NULL = true
n == 0 && *(int *)0 > 3 = false
n == 64 || 1 / 0 = true
n == 64 ? i : 1 / 0 = 37
0 ? ((int *)0)[3] : 2 = 2
LINES
sed '/What?/d; s/ = [^=]*$//; s/ = {.*//' "$work/expressions" | sed 's/^/p /' >"$work/commands"
{ echo "b 22 thread (5,0,0) block (1,0,0)"; echo r; echo n; cat "$work/commands"; } | debug "$work/values"
while IFS= read -r line; do
    expression=$(sed 's/ = [^=]*$//; s/ = {.*//' <<<"$line") value=${line#"$expression = "}
    case $value in
    What\?) continue ;;
    *0x) prints "$value" ;;
    *) answers "p $expression" "$value" ;;
    esac
    holds "value of $expression" $?
done <"$work/expressions"

deep=$(printf '(%.0s' $(seq 100)) long=$(printf 'x%.0s' $(seq 70000))
debug "$work/values" <<COMMANDS
b 22 thread (5,0,0)
r
info lanes nothing
info lanes in
info lanes *(int *)0
p ${deep}1
p 1?1?${deep//(/1?}1
p $long
p 2 + 3
p
p/t i
p 5.v
p &in[1] - &out[1]
p deeper::only
watch own
b -5
b 24 hit 0
b 24 if \$
d
COMMANDS
check "what no lane has is said once" 'answers "info lanes nothing" "There is no nothing here." && answers "info lanes *(int *)0" "Cannot access memory at address 0x0." && [ "$(grep -c "^There is no nothing" "$work/out")" -eq 1 ]'
check "long values have two lanes in a row" 'grep -qE "^ 0\*\(int \*\) 0x[0-9a-f]+ +1\*\(int \*\) 0x[0-9a-f]+$" "$work/out"'
check "deep and long expressions are refused, and the run goes on" '[ "$(grep -c "^The expression is too deep" "$work/out")" -eq 2 ] && prints "That is too long." && answers "p 2 + 3" 5'
check "questions end as such, and names keep their letters" 'answers p "Which expression?" && answers "p/t i" "The formats are /x, hexadecimal, and /d, the usual." && answers "p 5.v" "What is v?" && answers "p &in[1] - &out[1]" "The two point to different types." && answers "p deeper::only" "There is no deeper::only here."'
check "breakpoints that cannot be meant" '[ "$(grep -c "^Where? As in" "$work/out")" -eq 2 ] && answers d "Which breakpoint? As in: delete 1. info breakpoints lists them."'

debug "$work/values" <<'COMMANDS'
b 15 if i == 3 && j == 2
r
info locals
info lanes q
delete 1
b twice thread (9,0,0) block (0,0,0)
c
bt
p x
finish
rn
watch counter
c
c
rc
finish
watch own
p q
p 1 +
p nothing
p wild
p i = 3
p 1/0
p *out@9999999999
cuda thread (40,0,0)
delete 1
delete 2
goto 5
b 24 hit 2
c
info threads
c
rc
c
COMMANDS
check "a condition is of the lane that it holds for" 'prints "Breakpoint 1, thread (3,0,0) of block (0,0,0) in k at values.cu:15"'
check "of two blocks' variables the inner one is listed" 'answers "info locals" "j = 2" && ! answers "info locals" "q = 71"'
check "lanes stand in a table" 'answers "info lanes q" " 0*0                 1*1                 2*2                 3*3" && prints "mask 0xffffffff"'
check "a function that a template made is found" 'answers "bt" "#0  twice<float> at values.cu:5" && answers "bt" "#1  k at values.cu:24" || answers "bt" "#0  twice at values.cu:5"'
check "its caller comes after it" 'awk "/finish/,/rn/" "$work/out" | grep -q "in k at values.cu:24"'
check "a change says who made it" 'grep -qE "counter has changed from [0-9]+ to [0-9]+: [0-9]+ threads of warp 0 of block .0,0,0. wrote at" "$work/out" && grep -q "wrote at .*values.cu:25" "$work/out"'
check "what is too large to be watched is told" 'answers "watch own" "Only what is in memory and has at most 8 bytes can be watched."'
check "mistakes in expressions are told" 'answers "p 1 +" "The expression ends too early." && answers "p nothing" "There is no nothing here." && answers "p wild" "There is no wild here, but there is wide." && answers "p 1/0" "A division by zero."'
check "values are not changed" 'prints "Values cannot be changed here"'
check "a thread that is not there" 'answers "cuda thread (40,0,0)" "The launch has no such thread."'
check "the second hit" 'prints "Breakpoint" && answers "info threads" "block (1,0,0) warp 0  32 threads, ready, values.cu:24"'
check "the program prints once, and its status is told" '[ "$(grep -c "^239 " "$work/out")" -eq 1 ] && [ "$(grep -c "exit status 3" "$work/out")" -eq 2 ]'

debug "$work/values" <<'COMMANDS'
catch launch
r
catch none
b twice thread (9,0,0)
c
frame 1
p i
frame
f 0
frame 7
frame one
x/2 dynamic
stepi
si 2
reverse-finish
x/3 in
x/2xw in
x
x/0 in
d 1
c
rc
b 22 thread (3,0,0)
r
barrier
barrier
r
warp
warp 2
cuda block (1,0,0)
COMMANDS
check "catch launch: before its first instruction, with its shape" 'answers r "Launch 1: k<<<(2,1,1), (32,1,1)>>>, step 0"'
check "frame: names of the caller, and back" 'answers "frame 1" "#1  k at values.cu:24" && answers "p i" 9 && answers frame "#1  k at values.cu:24" && grep -q "^#0  twice.* at values.cu:5" "$work/out" && answers "frame 7" "There is no frame 7." && answers "frame one" "There is no frame one."'
check "an array without a type, where another function uses it" 'answers "x/2 dynamic" "{71, 72}"'
first=$(sed -n 's/^Breakpoint 1, .* in twice.*, step \([0-9]*\)$/\1/p' "$work/out" | head -n 1)
check "stepi: instructions one by one" 'grep -q "in twice.* step $((first + 1))\$" "$work/out" && grep -q "in twice.* step $((first + 3))\$" "$work/out"'
check "reverse-finish: to the call" '[ "$(awk "/reverse-finish/ { getline; print; exit }" "$work/out" | sed "s/, step .*//")" = "thread (9,0,0) of block (0,0,0) in k at values.cu:24" ]'
check "x: so many elements, in hexadecimal too" 'answers "x/3 in" "{100, 101, 102}" && answers "x/2xw in" "{0x64, 0x65}" && answers x "Which address, and how many? As in: x/8 out." && answers "x/0 in" "Which address, and how many? As in: x/8 out."'
check "barrier: to where the block has met, and then to its end" '[ "$(grep -A 1 "^(warpgrind) barrier" "$work/out" | sed -n 2p | sed "s/, step .*//")" = "thread (3,0,0) of block (0,0,0) in k at values.cu:24" ] && prints "The thread'"'"'s block has ended."'
check "warp: the next line of any thread of it" '[ "$(grep -A 1 "^(warpgrind) warp$" "$work/out" | sed -n 2p | grep -c "in k at values.cu:23")" -eq 1 ] && grep -A 1 "^(warpgrind) warp 2" "$work/out" | grep -q "in k at values.cu:\(24\|5\)\|in twice"'

build_from devices <<'CUDA'
#include <cstdio>
#include <unistd.h>
static ssize_t write_slowly(void *, const char *bytes, size_t count) { return usleep(300000), write(1, bytes, count); }
__global__ void add(float *out) { out[threadIdx.x + 1] = 1; }
int main() {
    int count;
    cudaDeviceProp properties;
    cudaGetDeviceCount(&count);
    cudaGetDeviceProperties(&properties, 0);
    cookie_io_functions_t slow = {nullptr, write_slowly, nullptr, nullptr};
    stdout = fopencookie(nullptr, "w", slow);
    printf("%d of %s\n", count, properties.name);
    float *out;
    cudaMalloc(&out, 128);
    add<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(&out);
    cudaFree(out);
}
CUDA
printf 'catch none\ncatch error\nr\n' | debug "$work/devices" --card t4
check "catch error: a launch that fails is called one" 'prints "the launch returns cudaErrorNoKernelImageForDevice" && prints "the program at devices.cu:15, step 0"'
debug "$work/devices" --devices 2 --card a100 <<'COMMANDS'
catch none
catch error
r
catch none
catch finding host-device-pointer,api-misuse
r
catch finding
r
c
c
c
COMMANDS
check "--devices and --card, in what is printed when the device has gone" 'grep -q "^2 of .*A100" "$work/out"'
check "catch error: at the call that fails, with its line" 'grep -q "^[a-zA-Z]* returns cudaError" "$work/out" && grep -q "^the program at devices.cu:1[5-7], step" "$work/out"'
check "catch finding: of those kinds alone, and then of any" '[ "$(grep -o "^[a-z-]*: " "$work/out" | uniq | head -n 2 | tr -d "\n" | sed "s/host-device-pointer\|api-misuse/misuse/")" = "misuse: out-of-bounds: " ]'
check "a call has one party, which its place names" '! grep -q "this thread: a  at" "$work/out"'
debug "$work/sum" --seed 1 <<'COMMANDS'
catch none
catch finding local-shared-race,shared-race-in,shared-racer
r
catch finding local-shared-race,shared-race,shared-race-in
r
catch finding shared-race,out-of-bounds
r
catch finding out-of-bounds,shared-race
r
q
COMMANDS
check "a kind is wanted by its whole name, wherever that stands" '[ "$(grep -c "^The program has ended" "$work/out")" -eq 1 ] && [ "$(grep -c "^shared-race: " "$work/out")" -eq 3 ] && ! awk "/catch finding local-shared-race,shared-race,/ { exit } /^shared-race: / { found = 1 } END { exit !found }" "$work/out"'
"$warpcc" -o "$work/divided" tests/mistakes/X192-divided-by-zero.cu
debug "$work/divided" <<'COMMANDS'
r
p groups
si
q
COMMANDS
check "a division by zero is one, before it is done" 'prints "  this thread: a division at line 6" && answers "p groups" 0 && prints ":6, step"'

build_from leaves <<'CUDA'
__global__ void leave(int *a, void *any, int n) {
    if (threadIdx.x >= n) asm("exit;");
    a[threadIdx.x] = 1;
}
int main() {
    int *a;
    cudaStream_t stream;
    cudaMalloc(&a, 128);
    cudaStreamCreate(&stream);
    leave<<<1, 8>>>(a, a, 4);
    cudaDeviceSynchronize();
    leave<<<1, 2048>>>(a, a, 4);
}
CUDA
for question in '"start"' '"break","file":"leaves.cu","line":3' '"go","for":"stop"' '"lanes"' '"print","expression":"any - a"' '"print","expression":"a - any"' '"print","expression":"&a[3] - a"'; do
    printf '{"command":%s}\n' "$question"
done | timeout 120 "$warpgrind" debug --json "$work/leaves" >"$work/out"
check "a thread that has left is at no line" 'json_says -s ".[3].lanes | length == 8 and all(.[]; if .lane < 4 then .line == 3 else .state == \"ended\" and (has(\"line\") | not) end)" "$work/out"'
check "from a pointer to nobody knows what there is no distance" 'json_says -s "(.[4:6] | all(.[]; .error == \"it is not known what this points to\")) and .[6].value == \"3\"" "$work/out"'
printf 'catch none\ncatch error\nr\n' | debug "$work/leaves"
check "catch error: one that is past a limit is called a launch, too" 'prints "the launch returns cudaErrorInvalidValue"'
run --smallest --report "$work/report.json" "$work/leaves"
check "the smallest run is that of errors" 'json_says "(.findings | map(select(.smallest).severity) | unique == [\"error\"]) and any(.findings[]; .severity == \"note\")" "$work/report.json"'

"$warpcc" -O2 -o "$work/fast" "$work/values.cu"
debug "$work/fast" <<'COMMANDS'
b 24
r
p wide
p n
COMMANDS
check "what is optimised away is said" 'answers "p wide" "The value of wide is optimised away here; warpcc without -O keeps it." && answers "p n" 64'

debug "$work/values" <<'COMMANDS'
catch none
b 21 thread (5,0,0)
r
c
c
c
b 22 thread (5,0,0) block (1,0,0)
delete 1
delete 9
rc
p i
COMMANDS
check "a line behind a loop is met once by each block's thread" '[ "$(grep -c "^Breakpoint 1, thread (5,0,0) .* at values.cu:" "$work/out")" -eq 2 ]'
check "a breakpoint at the end is for the way back" 'prints "The program has ended" && prints "There is no such breakpoint." && answers "p i" 37 && prints "of block (1,0,0) in k at values.cu:22"'

debug "$work/values" <<'COMMANDS'
c
p i
rs
b 999
b nowhere
b
b 3 sideways
nonsense
x
info
delete 7
catch what
r
rn
rn 0
COMMANDS
check "before it runs nothing can be asked" 'answers "p i" "The program is not being run."'
check "commands that are none, and others that lack a word" 'answers nonsense "There is no command nonsense. help lists them." && prints "Where? As in" && prints "Info on what?" && prints "There is no breakpoint 7." && prints "Catch what?"'
check "breakpoints that are never reached are named" 'prints "Breakpoint 1 at 999 was not reached." && prints "Breakpoint 2 at nowhere was not reached."'
check "from the end backwards" 'awk "/^\(warpgrind\) rn\$/" "$work/out" | grep -q . && prints "From 1 to"'
echo r | debug "$work/missing"
check "a program that is not there" '[ $status -eq 0 ] && prints "no such file"'

build_from badly <<'CUDA'
#include <cstdlib>
__global__ void spin(volatile int *a) { while (*a == 0) { } }
__global__ void many(int *a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i;
}
#include <cstdio>
#include <unistd.h>
int main(int argc, char **argv) {
    int *a;
    cudaMalloc(&a, 65536 * sizeof(int));
    cudaMemset(a, 0, 65536 * sizeof(int));
    many<<<64, 1024>>>(a);
    cudaDeviceSynchronize();
    if (argc > 1 && argv[1][0] == 'a') abort();
    if (argc > 1 && argv[1][0] == 'f' && fork() == 0) sleep(1000);
    if (argc > 1 && argv[1][0] == 'f') fclose(stdout), close(1), close(2), _exit(7);
    if (argc > 1 && argv[1][0] == 'l') for (;;) { }
    cudaMemset(a, 0, 4);
    spin<<<1, 32>>>(a);
    cudaDeviceSynchronize();
}
CUDA
printf 'b 5 thread (1023,0,0) block (63,0,0)\nr\np i\nrs\nc\nc\ninfo lanes\nc\nc\nc\n' | debug "$work/badly"
check "the last of 65,536 threads" 'answers "p i" 65535 && answers rs "thread (1023,0,0) of block (63,0,0) in many at badly.cu:4, step $(sed -n "s/.*badly.cu:4, step //p" "$work/out" | head -1)"'
check "a kernel that hangs stops as a finding" 'grep -q "spin at badly.cu:2" "$work/out" && prints "The program has ended"'
printf 'r\nc\n' >"$work/file"
timeout 300 "$warpgrind" debug -x "$work/file" --batch "$work/badly" abort >"$work/out" 2>"$work/log"
check "a program that aborts" 'prints "The program was ended by SIGABRT; "'

timeout 300 "$warpgrind" debug -x "$work/file" --batch "$work/badly" forks >"$work/out" 2>"$work/log"
check "one that closes its output, leaves by itself, and leaves a child, which ends with it" 'prints "The program has left without a word to the runtime, exit status 7; " && gone "$work/badly forks"'

mkfifo "$work/in"
# until TEXT: waits until it stands in out.
until_out() { local i; for i in $(seq 600); do grep -qF -- "$1" "$work/out" && return; sleep 0.1; done; return 1; }
# ---- the host side by gdb, with the page's own command ----
# host: what gdb shows of the program that waits now, whose name is its own: that of another suite may wait too. Leaves gdb and $host.
host_command=$(sed -n "s|^    gdb -q |gdb -q --batch |p" docs/debug.md | sed "s|\./stale|./stale-$$|")
host() {
    host=$(pgrep -nfx "./stale-$$")
    (cd "$work" && DEBUGINFOD_URLS='' timeout 100 sh -c "$host_command" >"$work/gdb" 2>&1 </dev/null)
}
if ! command -v gdb >/dev/null; then
    echo "SKIPPED the host side by gdb: gdb is not installed"
elif [ -n "$(sleep 60 & (gdb -q --batch -p $! 2>&1 | grep -i 'ptrace\|not permitted'); kill $!)" ]; then
    echo "SKIPPED the host side by gdb: this system lets nobody attach to a process"
else
    ln "$work/stale" "$work/stale-$$"
    (cd "$work" && exec "$warpgrind" debug "./stale-$$" <"$work/in" >"$work/out" 2>"$work/log") &
    debugger=$!
    exec 5>"$work/in"
    printf 'catch none\nb 9 thread (31,0,0)\nr\np in\n' >&5 && until_out "(int *) 0x"
    host && first=$host
    address=$(sed -n 's/^(int \*) //p' "$work/out")
    check "the host side by gdb: main at the call that waits, and its variables" 'grep -q "main () at .*stale.cu:19$" "$work/gdb" && grep -q "cudaMemcpy(values, d_out" "$work/gdb" && [ -n "$address" ] && grep -qx "d_in = $address" "$work/gdb"'
    printf 'rs\np right + 40\n' >&5 && until_out "p right + 40" && host
    check "going back is a new process, which it shows as well" '[ -n "$first" ] && [ "$host" != "$first" ] && grep -qx "d_in = $address" "$work/gdb"'
    printf 'd 1\nc\nq\n' >&5 && exec 5>&-
    wait $debugger
    check "detached, the program goes on to its end" 'prints "The program has ended, exit status 0"'
fi

# ---- back to a stop is to its reason ----
build_from back <<'CUDA'
__global__ void first(int *x) {
    int i = threadIdx.x;
    if (i <= 64) x[i] = i;
}
__global__ void second(int *x) {
    __shared__ int t[64];
    int i = threadIdx.x;
    t[i] = x[i];
    x[i] = t[63 - i];
}
int main() {
    int *x, one = 1;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemcpy(x, &one, 4, (cudaMemcpyKind)9);
    first<<<1, 96>>>(x);
    second<<<2, 64>>>(x);
    cudaMemcpy(x + 3, &one, 4, cudaMemcpyHostToDevice);
    first<<<1, 64>>>(x);
    cudaFree(x);
}
CUDA
debug "$work/back" <<'COMMANDS'
r
c
c
rc
c
p i
other
rc
rc
rc
COMMANDS
check "a finding stops at the party that executes, and leads to the other" '[ "$(grep -c "^shared-race: threads 31 and 32 " "$work/out")" -eq 2 ] && prints "  this thread: a write at line 8" && prints "a read at line 9 (other goes there)" &&
    answers "p i" 32 && prints "thread (31,0,0) of block (0,0,0) in second at back.cu:9"'
check "and going back repeats what was found, also in the program" '[ "$(grep -c "^out-of-bounds: x\[64\]" "$work/out")" -eq 3 ] && [ "$(grep -c "^api-misuse: " "$work/out")" -eq 2 ] && [ "$(grep -c "this is the beginning" "$work/out")" -eq 1 ]'
debug "$work/back" <<'COMMANDS'
catch none
catch launch
catch error
r
c
catch none
b first thread (3,0,0)
c
watch x[3]
watch x[4]
c
c
c
c
rc
rc
rc
rc
rc
rs
catch launch
catch error
rc
rc
rc
COMMANDS
check "a change says from what to what, and who it was" '[ "$(grep -c "^Watchpoint 2: x.3. has changed from -1 to 3; x.4. has changed from -1 to 4: 2 threads of warp 0 of block .0,0,0. wrote at back.cu:3$" "$work/out")" -eq 2 ]'
check "an element is watched in all launches, also between them" 'grep -q "^Watchpoint 2: x.3. has changed from -1 to 1 between two kernels, as by a copy$" "$work/out" && [ "$(grep -c "wrote at back.cu:9$" "$work/out")" -ge 2 ]'
check "going back stops at launches and failed calls, too" '[ "$(grep -c "^Launch 1: first" "$work/out")" -eq 2 ] && [ "$(grep -c "^cudaMemcpy returns cudaErrorInvalidMemcpyDirection" "$work/out")" -eq 2 ]'
debug "$work/back" <<'COMMANDS'
catch none
b 8 block (1,0,0) thread (5,0,0)
r
watch t[i + 40]
rs
c
c
p i
c
rc
COMMANDS
check "what is in shared memory is that of the thread which named it, whatever i is there; who wrote is looked at" '[ "$(grep -c "^Watchpoint 2: t.i + 40. has changed from -1 to 18: thread .45,0,0. of block .1,0,0. wrote at back.cu:8$" "$work/out")" -eq 2 ] && answers "p i" 45'

build_from locals <<'CUDA'
#include <cuda_runtime.h>
__global__ void own(int *out, int n) {
    int t[4] = {0, 0, 0, 0};
    for (int i = 0; i < n; i++)
        t[(i + threadIdx.x) % 4] += threadIdx.x + 1;
    out[threadIdx.x] = t[0] + t[1] + t[2] + t[3];
}
int main() {
    int *d;
    cudaMalloc(&d, 256);
    own<<<1, 64>>>(d, 8);
    cudaDeviceSynchronize();
    cudaFree(d);
}
CUDA
debug "$work/locals" <<'COMMANDS'
b 5 thread (37,0,0)
r
watch t[1]
d 1
c
c
rc
c
COMMANDS
check "a local variable is that of the thread which named it, also in the runs that going back takes" '[ "$(grep "^Watchpoint 2: t.1. has changed from" "$work/out" | sed "s/.* from //" | tr "\n" ";")" = "0 to 38: thread (37,0,0) of block (0,0,0) wrote at locals.cu:5;38 to 76: thread (37,0,0) of block (0,0,0) wrote at locals.cu:5;0 to 38: thread (37,0,0) of block (0,0,0) wrote at locals.cu:5;38 to 76: thread (37,0,0) of block (0,0,0) wrote at locals.cu:5;" ]'

"$warpgrind" debug --json "$work/badly" loop <"$work/in" >"$work/out" &
debugger=$!
exec 5>"$work/in"
printf '{"id":1,"command":"start"}\n{"id":2,"command":"go","for":"line"}\nnonsense\n{"id":3,"command":"fly"}\n{"command":"interrupt"}\n' >&5
for i in $(seq 200); do [ "$(wc -l <"$work/out")" -ge 5 ] && break; sleep 0.1; done
check "lines of JSON are answered with their numbers" 'json_says -s "(.[0].id == 1 and .[0].ok) and (.[1].id == 2 and .[1].reason == \"step\" and .[1].line == 4) and (.[2].ok | not) and (.[3].error | test(\"no command fly\")) and (.[4].error | test(\"SIGINT\"))" "$work/out"'
exec 5>&-
wait $debugger
check "an editor that goes leaves no process" 'gone "$work/badly"'
"$warpcc" -o "$work/steps" tests/dap/steps.cu
"$warpgrind" debug "$work/steps" long <"$work/in" >"$work/out" 2>"$work/log" &
debugger=$!
exec 5>"$work/in"
printf 'start\n' >&5 && until_out "steps.cu:13, step" && kill -INT $debugger && printf 'p threadIdx.x + 41\np blockDim.x\n' >&5 && until_out "blockDim.x"
printf 'c\n' >&5 && until_out "11 605" && kill -INT $debugger && until_out Interrupted.
printf 'p i >= 0\nrs\np i >= 1\nc\n' >&5 && until_out "(warpgrind) p i >= 1"
for i in $(seq 300); do [ "$(grep -c "^Interrupted" "$work/out")" -lt 2 ] || break; kill -INT $debugger; sleep 0.2; done # the run may not have begun yet
printf 'p x == x\nq\n' >&5 && exec 5>&-
[ "$(grep -c "^Interrupted" "$work/out")" -ge 2 ] || kill $debugger
wait $debugger
check "Ctrl-C at the prompt is no answer to what is asked next" 'answers "p threadIdx.x + 41" 41 && answers "p blockDim.x" 50'
check "Ctrl-C stops a kernel that runs, which can be looked at and goes back" 'prints "Interrupted." && answers "p i >= 0" true && grep -A 1 "^(warpgrind) rs" "$work/out" | grep -q "in run_long at steps.cu:2[0-4]"'
check "and again" '[ "$(grep -c "^Interrupted" "$work/out")" -eq 2 ] && answers "p x == x" true'
"$warpgrind" debug --json "$work/badly" loop < <(printf '{"command":"start"}\n{"command":"go"}\n'; sleep 30) >"$work/out" &
debugger=$!
for i in $(seq 200); do [ -s "$work/out" ] && break; sleep 0.1; done
kill -9 $debugger
wait $debugger 2>/dev/null
check "nor does a debugger that is killed" 'gone "$work/badly"'

cat >"$work/part.cuh" <<'CUDA'
struct Point { float x, y; int tag[2]; };
__device__ inline float squared(Point p) {
    float a = p.x * p.x;
    return a + p.y * p.y;
}
CUDA
build_from shapes <<'CUDA'
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "part.cuh"
__device__ int factorial(int n) {
    int below = n > 1 ? factorial(n - 1) : 1;
    return n > 1 ? n * below : 1;
}
template <typename T> __global__ void scale(T *a, Point p) {
    __shared__ int early[2], field[20][20];
    if (threadIdx.x < 2) early[threadIdx.x] = 9;
    for (int i = threadIdx.x; i < 400; i += 32) field[i / 20][i % 20] = i;
    __syncthreads();
    __half half = 1.5f;
    __nv_bfloat16 brain = -0.75f;
    p.x += threadIdx.x;
    a[threadIdx.x] = squared(p) + factorial(3) + field[1][1] + early[0] + (float)half + (float)brain;
}
int main() {
    float *a;
    double *b;
    cudaMalloc(&a, 32 * sizeof *a), cudaMalloc(&b, 32 * sizeof *b);
    scale<<<1, 32>>>(a, Point{3, 4, {5, 6}}), scale<<<1, 32>>>(b, Point{1, 2, {3, 4}});
    cudaDeviceSynchronize();
    cudaFree(a), cudaFree(b);
}
CUDA
debug "$work/shapes" <<'COMMANDS'
b art.cuh:4 thread (2,0,0)
b part.cuh:4 thread (2,0,0)
r
p p
info locals
frame 1
p p.tag[1] + half + brain
p field
info locals
b 6 if n == 2
c
bt
c
bt
frame 1
p early
p field[0]
info locals
COMMANDS
check "a structure that a function gets by value, in a header" 'prints "thread (2,0,0) of block (0,0,0) in squared at part.cuh:4" && answers "p p" "{x = 5, y = 4, tag = {5, 6}}" && answers "info locals" "p = {x = 5, y = 4, tag = {5, 6}}"'
check "a file is named from the beginning of its name on" 'prints "Breakpoint 2, thread (2,0,0) of block (0,0,0) in squared at part.cuh:4"'
check "halves are numbers" 'answers "p p.tag[1] + half + brain" 6.75 && answers "info locals" "brain = -0.75"'
check "of many elements no more are shown than anybody reads" 'awk "/^.warpgrind. p field/ { getline; print }" "$work/out" | grep -qE "^[{].*[{]240, .* 254, 255, [.]{3}[}], [.]{3}[}]$" && grep -q "^field = .*[.][.][.] (p field shows more)$" "$work/out"'
check "a function in itself, and kernels of one template" 'answers bt "#1  factorial at shapes.cu:5" && answers bt "#1  scale<double> at shapes.cu:16"'
check "a shared array is that of the kernel which runs" 'answers "p early" "{9, 9}" && answers "p field[0]" "{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}" && [ "$(grep -c "^early = " "$work/out")" -eq 3 ]'

odd="$work/Ü \"b\" \\c" && mkdir "$odd" && cp docs/example/sum.cu "$odd/große \"summe\".cu" && "$warpcc" -o "$odd/p r\"" "$odd/große \"summe\".cu"
debug "$odd/p r\"" <<<$'b große "summe".cu:9 if tid == 3 ? 1 : 0\nr\nc\nq'
check "names of programs and sources with anything in them" 'prints "thread (3,0,0) of block (0,0,0) in sum_kernel at große \"summe\".cu:9" && grep -q "^9	        if (tid < d) temp" "$work/out" && ! prints "more recent"'
touch -d '1 hour' "$odd/große \"summe\".cu"
debug "$odd/p r\"" --seed 1 <<<$'r\nrs\nrs\nq'
check "a source that was changed since the program was built is named, once" '[ "$(grep -c "^große \"summe\".cu is more recent than the program: the lines shown may not be those that run" "$work/out")" -eq 1 ]'
printf '{"command":"start"}\n{"command":"go","for":"line"}\n' | "$warpgrind" debug --json "$odd/p r\"" >"$work/out"
check "also in the protocol" 'json_says -s ".[1].source_changed and .[1].line == 6" "$work/out"'
rm "$odd/große \"summe\".cu"
debug "$odd/p r\"" <<<$'start\nq'
check "where there is no source, it is said" 'prints "große \"summe\".cu cannot be read: No such file or directory"'

printf 'r\nscreen temp[tid]\nb 8\n' >"$work/file"
printf 'list\nrs\nscreen off\ninfo locals\ninfo b\nq\n' | timeout 300 "$warpgrind" debug --seed 1 -x "$work/file" "$work/sum" >"$work/out"
check "a screen: source, values and lanes in 22 lines, at each stop" '[ "$(grep -c "^    9 => " "$work/out")" -eq 2 ] && answers "screen temp[tid]" "  d = 128" && answers "screen temp[tid]" " 0*97                 1*98                 2*99                 3*100" || answers "screen temp[tid]" " 0*97                1*98                2*99                3*100" &&
    [ "$(awk "/^.warpgrind. screen temp/ { on = 1; next } /^.warpgrind/ { on = 0 } on" "$work/out" | wc -l)" -le 22 ]'
check "what commands of a file have led to is known to those after them" 'grep -q "^9 =>" "$work/out" && answers "info b" "1  8"'
printf 'q\n' >"$work/file"
check "quit in a file ends it all" '[ "$(printf "help\n" | timeout 300 "$warpgrind" debug -x "$work/file" "$work/sum" | wc -l)" -eq 1 ]'
python3 -c '
import os, pty, sys
process, terminal = pty.fork()
if process == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
os.write(terminal, b"r\nscreen temp[tid]\nhelp\nq\n")
said = b""
try:
    while part := os.read(terminal, 4096):
        said += part
except OSError:
    pass
os.waitpid(process, 0)
sys.stdout.buffer.write(said.replace(b"\r", b"").replace(b"(warpgrind) ", b""))' "$warpgrind" debug --seed 1 "$work/sum" >"$work/out"
check "words end before the 80th column of a terminal" '[ -z "$(expand "$work/out" | awk "length > 80")" ] && prints "  between them" && [ "$(wc -l <"$work/out")" -gt 60 ]'

"$warpgrind" debug --help >"$work/help"
sed -n 's/^TERMINAL([a-z_]*, "\([a-z-]*\).*/\1/p' debug/terminal.def >"$work/names"
missing=$(while read -r name; do grep -q "^$name" "$work/help" && grep -qF "| \`$name" docs/debug.md || echo "$name"; done <"$work/names")
check "each command is in the help and in the page" '[ -z "$missing" ] && [ "$(wc -l <"$work/names")" -gt 20 ]'
sed -n 's/^DEBUG_[A-Z]*(\([a-z]*\),.*/\1/p' device/debug/commands.def >"$work/names"
missing=$(while read -r name; do grep -qF "| \`$name\` |" docs/debug-protocol.md || echo "$name"; done <"$work/names")
check "and each question in the protocol" '[ -z "$missing" ] && [ "$(wc -l <"$work/names")" -eq 23 ]'
check "a judged device has no such port" '! "$warpgrind" --help | grep -q -- --debug && ! "$warpgrind" --debug 3 "$work/sum" >/dev/null 2>&1'

finish
