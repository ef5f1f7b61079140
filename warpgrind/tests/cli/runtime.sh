#!/bin/bash
# The runtime API: every row of api.def has its test, and every function of NVIDIA's library has its row.
# Needs the built tools. Ends with "N passed, N failed".
. "$(dirname "$0")/common.bash"
table=cudart/api.def
rows() { sed -nE "s/^API_($1)\((\w+).*/\2/p" $table; }
rows "FUNCTION|LIKE" | sort >"$work/works"
rows REFUSED | sort >"$work/refused"
sed -nE 's/^API_OWN_STREAM\((\w+), (\w+)\)/\1 \1\2/p' $table >"$work/own"

# --- each row that works names the program that calls it, and the program is content under two seeds
fine() { # name, program
    local options
    options=$(sed -n 's|^/\* warpgrind: \([-a-z0-9 ]*[a-z0-9]\).*|\1|p' "tests/cli/api/$1.cu")
    for seed in 0 1; do
        # shellcheck disable=SC2086 # options are words
        run $options --seed "$seed" --report "$work/report.json" "$2"
        check "api $(basename "$2") seed $seed" "[ \"\$(tail -n 1 $work/out)\" = fine ]"
        [ "$1" = errors ] || check "api $(basename "$2") seed $seed has no error" "[ $status -eq 0 ] && json_says 'all(.findings[]; .severity == \"note\")' $work/report.json"
    done
}
# The same programs as if compiled for per-thread default streams: what they call gets the suffix. One that says
# "default stream: legacy" counts on the other kind.
for source in tests/cli/api/*.cu; do
    name=$(basename "$source" .cu)
    "$warpcc" -c -o "$work/$name.o" "$source" >"$work/log" 2>&1 && "$warpcc" -o "$work/$name" "$work/$name.o" >>"$work/log" 2>&1
    check "api $name compiles" "[ -x $work/$name ]"
    fine "$name" "$work/$name"
    grep -q 'default stream: legacy' "$source" && continue
    objcopy --redefine-syms="$work/own" "$work/$name.o" "$work/$name-own.o" && "$warpcc" -o "$work/$name-own" "$work/$name-own.o" >"$work/log" 2>&1
    nm -u "$work/$name-own.o" | sed 's/.* //' >>"$work/called"
    fine "$name" "$work/$name-own"
done
tested=0
while IFS='|' read -r function test; do
    grep -q "\b${function%_v2}\b" "tests/cli/api/$test.cu" || { echo "$function is not called by $test.cu" && continue; }
    tested=$((tested + 1))
done < <(sed -nE 's/^API_(FUNCTION|LIKE)\((\w+),.*"(\w+)"\)$/\2|\3/p' $table)
check "each of the rows that work has its test ($tested of $(wc -l <"$work/works"))" "[ $tested -gt 150 ] && [ $tested -eq $(wc -l <"$work/works") ]"

# --- each row that is refused says so, with its name and its line
sort -u "$work/called" >"$work/called.sorted"
while read -r plain own; do # the form of a function that is refused is refused
    if grep -qx "$plain" "$work/refused"; then echo "$plain $own"; else echo "$plain $plain"; fi
done <"$work/own" | awk '$1 != $2 { print $2 " " $1 }' >"$work/refused-own"
{ sed 's/.*/& &/' "$work/refused"; cat "$work/refused-own"; } | split -l 90 - "$work/part-"
refused=0
for part in "$work"/part-*; do
    {
        echo 'static int wrong;'
        sed 's/\(\w*\) .*/int \1(void);/' "$part"
        echo '#include <stdio.h>'
        echo 'int main(void) {'
        sed 's/\(\w*\) .*/    if (\1() != 801) { puts("\1"); wrong = 1; }/' "$part"
        echo '    puts("end"); return wrong; }'
    } >"$part.c"
    ${CC:-gcc} -g -fno-builtin -o "$part.exe" "$part.c" -L"$build/lib" -Wl,-rpath,"$build/lib" -lcudart 2>"$work/log"
    run --report "$work/report.json" "$part.exe"
    check "refused functions return cudaErrorNotSupported" "[ \"\$(cat $work/out)\" = end ]"
    jq -r '.findings[] | select(.kind == "limit" and .line > 0) | "\(.line) \(.message)"' "$work/report.json" >"$work/told"
    line=$(($(wc -l <"$part") + 3))
    while read -r name plain; do
        line=$((line + 1))
        if grep -q "^$line .*\b$plain\b" "$work/told"; then refused=$((refused + 1)); else echo "$name: not told"; fi
    done <"$part"
done
all=$(cat "$work"/part-?? | wc -l)
check "each refused row says so with its line ($refused of $all)" "[ $refused -gt 100 ] && [ $refused -eq $all ]"

# --- each form for per-thread default streams is called by a program above, or refused
called=$(awk '{ print $2 }' "$work/own" | sort | comm -12 - "$work/called.sorted" | wc -l)
check "each own-stream form is called ($called, and $(wc -l <"$work/refused-own") refused, of $(wc -l <"$work/own"))" \
    "[ $((called + $(wc -l <"$work/refused-own"))) -eq $(wc -l <"$work/own") ]"
awk '{ print $2 }' "$work/own" | sort | comm -23 - "$work/called.sorted" | grep -vxFf <(cut -d' ' -f1 "$work/refused-own")

# --- what is exported is what the table has, and all that NVIDIA's library exports
nm -D --defined-only "$build/lib/libcudart.so" | sed 's/.* //;s/@.*//' | sort >"$work/symbols"
check "every row is exported" "[ -z \"\$(cat $work/works $work/refused <(awk '{ print \$2 }' $work/own) | sort | comm -23 - $work/symbols)\" ]"
theirs=$(ls /usr/local/cuda/lib64/libcudart.so.13 2>/dev/null)
if [ -n "$theirs" ]; then
    nm -D --defined-only "$theirs" | awk '{ print $3 }' | sed 's/@.*//' | grep -E '^(__)?cuda' | sort -u >"$work/theirs"
    check "all that $theirs exports is here" "[ \$(wc -l <$work/theirs) -gt 300 ] && [ -z \"\$(comm -23 $work/theirs $work/symbols)\" ]"
fi
run table api
check "the page has every row" "[ \$(grep -c '^| .cuda\|^| .__cuda' $work/out) -eq \$(cat $work/works $work/refused | wc -l) ]"
for name in libcudart.so.13 libcudart.so.12 libcudart.so.11.0; do
    check "$name has its version" "objdump -T $build/lib/$name | grep -q ' $name *cudaMalloc'"
done

# --- managed variables
cat >"$work/managed.cu" <<'EOF'
#include <cstdio>
__managed__ int total;
__global__ void count() {
    atomicAdd(&total, 1);
}
int main(int argc, char **) {
    total = 0;
    count<<<1, 32>>>();
    if (cudaGetLastError() != cudaSuccess) return 1;
    if (argc > 1) total = 5; // too early
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    printf("%d\n", total);
}
EOF
managed_variables() { # options of warpcc
    "$warpcc" "$@" -o "$work/managed" "$work/managed.cu" >"$work/log" 2>&1
    run --report "$work/report.json" "$work/managed"
    check "managed variable $*: both sides see it, and no more is said" "[ $status -eq 0 ] && [ \"\$(cat $work/out)\" = 32 ] && json_says '.findings == []' $work/report.json"
    run --report "$work/report.json" "$work/managed" early
    check "managed variable $*: written before the wait" "json_says '.findings | length == 1 and (.[0] | .kind == \"missing-sync\" and .line == 10 and .other.line == 4)' $work/report.json"
}
managed_variables -O0
managed_variables -O2
! command -v nvcc >/dev/null || managed_variables --nvcc

# --- what an asynchronous copy has read or written is the host's again when nothing is pending, whichever order streams work in
build_from chunks <<'EOF'
#include <cstdio>
#include <cstring>
enum { BYTES = 3072, CHUNKS = 8 }; // neighbours share a page
static int locked(const char *p) { // pages of p's mapping that the host may not write
    char line[512], may[8];
    unsigned long from, to;
    int count = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s", &from, &to, may) == 3 && from < (unsigned long)p + BYTES * CHUNKS && (unsigned long)p < to && strncmp(may, "rw", 2) != 0) count++;
    return maps ? fclose(maps), count : -1;
}
int main() {
    char *h, *d;
    cudaStream_t streams[2];
    if (cudaMallocHost(&h, BYTES * CHUNKS) || cudaMalloc(&d, BYTES * CHUNKS) || cudaStreamCreate(&streams[0]) || cudaStreamCreate(&streams[1])) return 1;
    memset(h, 1, BYTES * CHUNKS);
    for (int i = 0; i < CHUNKS; i++) {
        if (cudaMemcpyAsync(d + i * BYTES, h + i * BYTES, BYTES, cudaMemcpyHostToDevice, streams[i % 2])) return 1;
        if (cudaMemcpyAsync(h + i * BYTES, d + i * BYTES, BYTES, cudaMemcpyDeviceToHost, streams[i % 2])) return 1;
    }
    printf("%d ", locked(h) > 0);
    if (cudaStreamSynchronize(streams[0]) || cudaStreamSynchronize(streams[1])) return 1;
    printf("%d\n", locked(h));
    return cudaFreeHost(h) || cudaFree(d) || cudaStreamDestroy(streams[0]) || cudaStreamDestroy(streams[1]);
}
EOF
for order in late early; do
    run --stream-order $order "$work/chunks"
    check "copies in chunks, streams $order: off limits meanwhile, and free after the wait" "[ $status -eq 0 ] && [ \"\$(cat $work/out)\" = '1 0' ]"
done

finish
