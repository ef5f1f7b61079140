#!/bin/bash
# The cards that the software GPU can be like: properties, attributes, limits, occupancy and targets agree, and are what
# NVIDIA's documents say. Needs the built tools. Ends with "N passed, N failed".
. "$(dirname "$0")/common.bash"
list=$("$warpgrind" table cards | sed -nE 's/^\| `([a-z0-9]+)`.*/\1/p')
check "there are cards of several generations" "[ \$(wc -w <<<'$list') -ge 8 ]"

# --- members and attributes, in the layouts of three toolkits
link() { # name, object or source, library
    ${CC:-gcc} -g -I. "${@:4}" -o "$work/$1" "$2" -L"$build/lib" -Wl,-rpath,"$build/lib" -l:"$3" -lstdc++ -lm 2>"$work/log" ||
        { echo "FAILED to link $1" && cat "$work/log" && failed=$((failed + 1)); }
}
link properties-11 tests/cli/cards/properties.c libcudart.so.11.0 -DLAYOUT=11
link properties-12 tests/cli/cards/properties.c libcudart.so.12 -DLAYOUT=12
link properties-13 tests/cli/cards/properties.c libcudart.so.13 -DLAYOUT=13
while read -r layout version members; do
    run --devices 2 "$work/properties-$layout"
    check "layout of CUDA $layout" "[ $status -eq 0 ] && grep -qx 'wrong 0' $work/out && grep -qx 'version $version' $work/out && grep -qx 'looked at $members' $work/out"
done <<'END'
11 11080 202
12 12090 242
13 13000 226
END
attribute() { sed -nE "s/^$1 //p" "$work/out"; }
limits() { for name in ComputeCapabilityMajor ComputeCapabilityMinor MultiProcessorCount MaxThreadsPerMultiProcessor MaxBlocksPerMultiprocessor \
    MaxSharedMemoryPerMultiprocessor MaxSharedMemoryPerBlockOptin ReservedSharedMemoryPerBlock L2CacheSize SingleToDoublePrecisionPerfRatio; do attribute $name; done | tr '\n' ' '; }
# What NVIDIA says of them, written down a second time.
while read -r card expected; do
    run --card "$card" --devices 2 "$work/properties-13"
    check "$card" "[ $status -eq 0 ] && [ '$(limits)' = '$expected ' ]"
    seen+=" $card"
done <<'END'
h100 9 0 132 2048 32 233472 232448 1024 52428800 2
h200 9 0 132 2048 32 233472 232448 1024 62914560 2
rtx5090 12 0 170 1536 24 102400 101376 1024 100663296 64
rtx4090 8 9 128 1536 24 102400 101376 1024 75497472 64
rtx3090 8 6 82 1536 16 102400 101376 1024 6291456 64
rtx3060 8 6 28 1536 16 102400 101376 1024 2359296 64
a100 8 0 108 2048 32 167936 166912 1024 41943040 2
t4 7 5 40 1024 16 65536 65536 0 4194304 32
v100 7 0 80 2048 32 98304 98304 0 6291456 2
END
check "each card was looked at" "[ '$seen' = ' $(tr '\n' ' ' <<<"$list" | sed 's/ $//')' ]"
run --devices 2 "$work/properties-13"
cp "$work/out" "$work/usual"
run --card h100 --devices 2 "$work/properties-13"
check "the usual card is the first" "cmp -s $work/out $work/usual && grep -qx 'name Warpgrind software GPU (H100)' $work/out"
zero=$(awk '$2 == 0 && $1 !~ /^(wrong|ComputeCapabilityMinor)$/ { print $1 }' "$work/usual" | sort | tr "\n" " ")
documented=$(sed -nE 's/^\| `([A-Za-z0-9]+)` \| 0 \|.*/\1/p' docs/cards.md | sort | tr '\n' ' ')
check "what the software GPU does not have is documented" "[ '$zero' = '$documented' ]"
check "the documented cards are the table" "diff <($warpgrind table cards) <(grep -A 100 -F -x -- \"\$($warpgrind table cards | head -n 1)\" docs/cards.md | sed '/^$/,\$d') >$work/log"
run --card h10 "$work/properties-13"
check "a card that there is not" "[ $status -eq 2 ] && grep -q 'Did you mean h100?' $work/log && grep -q 'rtx3060' $work/log"

# --- occupancy and launches; PTX that is text in the program can be given an older target of the same length
"$warpcc" -o "$work/occupancy" tests/cli/cards/occupancy.cu >"$work/log" 2>&1
sed 's/\.target sm_80/.target sm_70/g' "$work/occupancy" >"$work/occupancy-old" && chmod +x "$work/occupancy-old"
while read -r card binary usual opted; do
    run --quiet --card "$card" --report "$work/report.json" "$work/occupancy-old"
    check "$card: occupancy and launches agree" "grep -q '^asked .* wrong 0$' $work/out && [ \$(sed -nE 's/^asked ([0-9]+) .*/\1/p' $work/out) -gt 1500 ]"
    check "$card: blocks" "grep -qx 'usual ${usual//,/ }' $work/out && grep -qx 'opted in $opted' $work/out && grep -qx 'binary $binary' $work/out"
done <<'END'
h100 90 32,4,0 1
rtx4090 89 20,2,0 1
a100 80 32,3,0 1
t4 75 16,1,0 1
v100 70 24,2,0 1
END
# Of each shape the report says how much of the last card it fills; grids that fill it whole are among them.
check "a full grid is what the device holds at once" "json_says '[.launches[] | select(.grid[0] > 1)] | length > 3 and all(.[]; .resident == .grid[0])' $work/report.json"
check "occupancy in percent" "json_says '[.launches[] | select(.dynamic_shared == 0) | {(.block[0] | tostring): .occupancy}] | add | .[\"1024\"] == 100 and .[\"1\"] == 1 and .[\"768\"] == 75' $work/report.json"

# --- device code for a newer card
build_from one <<'END'
#include <cuda_runtime.h>
#include <cstdio>
__global__ void one(int *x) { *x = 1; }
int main() {
    int *d = nullptr;
    if (cudaMalloc(&d, 4) != cudaSuccess) return 9;
    one<<<1, 1>>>(d);
    printf("%d\n", (int)cudaGetLastError());
    return cudaDeviceSynchronize() != cudaSuccess || cudaFree(d) != cudaSuccess;
}
END
for card in $list; do
    expected=0
    case $card in t4 | v100) expected=209 ;; esac
    run --report "$work/report.json" --card "$card" "$work/one"
    check "$card and code for 8.0" "grep -qx $expected $work/out && json_says '.card == \"$card\"' $work/report.json"
    [ $expected -eq 0 ] || check "$card says what to do" "json_says '.findings[0] | .kind == \"limit\" and .line == 7 and (.message | test(\"built for compute capability 8.0, this card \\\\($card\\\\) has 7\")) and (.explanation | test(\"arch=compute_7[05]\"))' $work/report.json"
done
sed 's/\.target sm_80/.target sm_90/g' "$work/one" >"$work/newer" && chmod +x "$work/newer"
run "$work/newer"
check "code for 9.0 runs on the usual card" "[ $status -eq 0 ] && grep -qx 0 $work/out"
run --card a100 "$work/newer"
check "and not on an older one" "grep -qx 209 $work/out"
if command -v nvcc >/dev/null; then
    nvcc -cudart shared -gencode arch=compute_75,code=compute_75 -gencode arch=compute_100,code=compute_100 -o "$work/several" "$work/one.cu" >"$work/log" 2>&1
    run "$work/several"
    check "of several targets the newest that fits" "[ $status -eq 0 ] && grep -qx 0 $work/out"
    nvcc -cudart shared -gencode arch=compute_100,code=compute_100 -o "$work/newest" "$work/one.cu" >"$work/log" 2>&1
    run "$work/newest"
    check "only a newer target in a fat binary" "grep -qx 209 $work/out && grep -q 'built for compute capability 10.0' $work/log"
    run --card rtx5090 "$work/newest"
    check "a card that is new enough" "[ $status -eq 0 ] && grep -qx 0 $work/out"
    nvcc -cudart shared -o "$work/plain" "$work/one.cu" >"$work/log" 2>&1
    run "$work/plain"
    check "what nvcc makes by itself" "[ $status -eq 0 ] && grep -qx 0 $work/out"
fi

# --- a block or grid that cannot be, in programs of three toolkits
cat >"$work/shapes.cu" <<'END'
#include <cuda_runtime.h>
#include <cstdio>
__global__ void nothing() {}
int main() {
    const dim3 grids[] = {dim3(0), dim3(1, 0), dim3(1, 1, 0), dim3(1, 65536), dim3(1, 1, 65536), dim3(0x80000000u)};
    const dim3 blocks[] = {dim3(0), dim3(1, 0), dim3(1025), dim3(1, 1025), dim3(1, 1, 65), dim3(64, 64)};
    for (dim3 grid : grids) nothing<<<grid, 1>>>(), printf("%d ", (int)cudaGetLastError());
    for (dim3 block : blocks) nothing<<<1, block>>>(), printf("%d ", (int)cudaGetLastError());
    nothing<<<1, 1>>>(), printf("%d\n", (int)cudaGetLastError());
    return cudaDeviceSynchronize() != cudaSuccess;
}
END
"$warpcc" -c -o "$work/shapes.o" "$work/shapes.cu" >"$work/log" 2>&1
while read -r library code; do
    link shapes "$work/shapes.o" "$library"
    run --quiet "$work/shapes"
    expected=$(printf "$code %.0s" {1..12})0
    check "shapes with $library" "[ \"\$(cat $work/out)\" = '$expected' ]"
done <<'END'
libcudart.so.11.0 9
libcudart.so.12 9
libcudart.so.13 1
END

finish
