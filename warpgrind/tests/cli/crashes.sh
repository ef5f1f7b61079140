#!/bin/bash
# Programs that a signal ends: which signal, on which line of the host, and which copy did the damage.
# Needs the built tools. Ends with "N passed, N failed".
. "$(dirname "$0")/common.bash"

build_from dies <<'EOF'
#include <cuda_runtime.h>
#include <cassert>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <sys/mman.h>
#include <vector>
static int *device;
#define OK(call) do { if ((call) != cudaSuccess) exit(9); } while (0)
static void __attribute__((noinline)) into_stack(int bytes) {
    char small[64];
    OK(cudaMemcpy(small, device, (size_t)bytes, cudaMemcpyDeviceToHost)); // line: stack
    asm volatile("" ::"r"(small) : "memory");
}
static int first; /* words that an earlier copy writes */
static void heap(int words, int copied, bool later) {
    int *before = (int *)malloc(40), *h = (int *)malloc((size_t)words * 4), *after = later ? (int *)malloc(400) : nullptr;
    if (words == 1 << 16) { /* a block with pages of its own, and behind it one that may not be touched */
        char *wall = nullptr;
        for (int i = 0; i < 64 && (!wall || (char *)h + 266240 != wall); i++) wall = (char *)h, h = (int *)malloc(1 << 18);
        if ((char *)h + 266240 != wall || mprotect(wall - 16, 4096, PROT_NONE) != 0) exit(9);
    }
    if (first > 0) OK(cudaMemcpy(h, device, (size_t)first * 4, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(h + first, device, (size_t)copied * 4, cudaMemcpyDeviceToHost)); // line: heap
    OK(cudaMemcpy(before, device, 40, cudaMemcpyDeviceToHost));
    free(after);
    char *more = (char *)malloc(5000); // line: notice
    more[0] = 1;
    printf("%d %d\n", h[0], more[0]);
    free(h), free(before), free(more);
}
int main(int argc, char **argv) {
    setvbuf(stdout, nullptr, _IONBF, 0);
    const char *how = argv[1];
    int zero = argc - 2;
    OK(cudaMalloc(&device, 1 << 21));
    OK(cudaMemset(device, 0x11, 1 << 21));
    if (!strcmp(how, "abort")) abort(); // line: abort
    if (!strcmp(how, "assert")) assert(argc == 7); // line: assert
    if (!strcmp(how, "throw")) throw std::runtime_error("no"); // line: throw
    if (!strcmp(how, "at")) std::vector<int>(3).at((size_t)argc + 7) = 1; // line: at
    if (!strcmp(how, "fpe")) printf("%d\n", argc / zero); // line: fpe
    if (!strcmp(how, "ill")) __builtin_trap(); // line: ill
    if (!strcmp(how, "trap")) asm volatile("int3"); // line: trap
    if (!strcmp(how, "bus")) raise(SIGBUS); // line: bus
    if (!strcmp(how, "segv")) *(volatile int *)16 = 1; // line: segv
    if (!strcmp(how, "term")) raise(SIGTERM);
    if (!strcmp(how, "kill")) raise(SIGKILL);
    if (!strcmp(how, "double")) { char *p = (char *)malloc(40); char *volatile q = p; free(p); free(q); } // line: double
    if (!strcmp(how, "top")) heap(100, 1000, false);
    if (!strcmp(how, "small-top")) { OK(cudaMemset(device, 0, 4000)); heap(100, 1000, false); }
    if (!strcmp(how, "next")) heap(100, 300, true);
    if (!strcmp(how, "fits")) heap(1000, 1000, true);
    if (!strcmp(how, "pages")) heap(1 << 16, 1 << 19, false);
    if (!strcmp(how, "page-after")) heap(1 << 16, 133 * 1024, false);
    if (!strcmp(how, "inner")) first = 1 << 15, heap(1 << 16, 1 << 18, false);
    if (!strcmp(how, "own")) { char *p = (char *)malloc(24); volatile char *q = p; OK(cudaMemcpy(p, device, 24, cudaMemcpyDeviceToHost)); for (int i = 0; i < 64; i++) q[i] = 1; free(malloc(100000)); free(p); } // line: own
    if (!strcmp(how, "stack")) into_stack(200);
    if (!strcmp(how, "stack-top")) into_stack(1 << 20);
    if (!strcmp(how, "stack-fits")) into_stack(64);
    if (!strncmp(how, "unpinned", 8)) {
        float *h = (float *)malloc(1 << 20);
        cudaStream_t stream;
        OK(cudaStreamCreate(&stream));
        if (!strcmp(how, "unpinned")) OK(cudaHostRegister(h, 1 << 20, cudaHostRegisterDefault)); // line: registers
        OK(cudaMemcpyAsync(h, device, 4000, cudaMemcpyDeviceToHost, stream));
        free(h);
        OK(cudaStreamSynchronize(stream)); // line: unpinned
        OK(cudaStreamDestroy(stream));
    }
    return cudaFree(device) != cudaSuccess;
}
EOF
g++ --version >/dev/null 2>&1 && "$warpcc" -fstack-protector-all -o "$work/dies" "$work/dies.cu" >"$work/log" 2>&1
line() { grep -n "// line: $1\$" "$work/dies.cu" | cut -d : -f 1; }

# word | signal | line | what the finding says | line of the second place, or -
while IFS='|' read -r word signal name line says other; do
    run --report "$work/report.json" "$work/dies" "$word"
    check "$word: status" "[ $status -eq $((128 + signal)) ]"
    check "$word: one finding that says so" "json_says '[.findings[] | select(.severity == \"error\")] | length == 1 and .[0].kind == \"crash\" and (.[0].message | test(\"$says\"))' $work/report.json"
    check "$word: on its line" "json_says '.findings[0].line == $(line "$line")' $work/report.json"
    [ "$other" = - ] || check "$word: where it was noticed" "json_says '.findings[0].other.line == $(line "$other")' $work/report.json"
    check "$word: the signal is named" "grep -q 'the program was ended by SIG$name' $work/log"
done <<'EOF'
abort|6|ABRT|abort|called abort|-
unpinned|11|SEGV|unpinned|memory that was registered at line [0-9]+ was freed while it was still registered|-
assert|6|ABRT|assert|assertion on the host failed|-
throw|6|ABRT|throw|an uncaught exception of the type std::runtime_error ended|-
fpe|8|FPE|fpe|arithmetic error|-
ill|4|ILL|ill|illegal instruction|-
trap|5|TRAP|trap|breakpoint instruction|-
bus|7|BUS|bus|bus error|-
segv|11|SEGV|segv|segmentation fault|-
double|6|ABRT|double|heap damaged and ended the program .*double free|-
top|6|ABRT|heap|writes 4,000 bytes to a block of the host.s heap that has room for 408 .*corrupted top size|notice
small-top|6|ABRT|heap|writes 4,000 bytes to a block of the host.s heap that has room for 408 .*malloc|notice
next|11|SEGV|heap|writes 1,200 bytes to a block of the host.s heap that has room for 408|-
pages|11|SEGV|heap|writes 2,097,152 bytes to a block of the host.s heap that has room for 266,224, and the program died|-
inner|11|SEGV|heap|writes 1,048,576 bytes to a block of the host.s heap that has room for 135,152|-
own|6|ABRT|own|heap damaged and ended the program|-
stack|6|ABRT|stack|overwrote its own stack; this copy of 200 bytes|-
stack-top|11|SEGV|stack|overwrote its own stack; this copy of 1,048,576 bytes|stack
EOF
"$warpcc" -fno-stack-protector -o "$work/dies-unprotected" "$work/dies.cu" >"$work/log" 2>&1
run --quiet --report "$work/report.json" "$work/dies" unpinned-not
check "a copy to ordinary memory is done when the call returns: it may be freed" "[ $status -eq 0 ] && json_says '[.findings[] | select(.severity == \"error\")] | length == 0' $work/report.json"
run --report "$work/report.json" "$work/dies-unprotected" stack
check "a return address overwritten" "[ $status -eq 139 ] && json_says '[.findings[] | select(.severity == \"error\")] | length == 1 and .[0].kind == \"crash\" and .[0].line == $(line stack) and (.[0].message | test(\"overwrote its own stack; this copy of 200 bytes\"))' $work/report.json"

# A C library's memcpy may begin at the far end, where the thread's own data lies in some layouts of the process.
cat >"$work/backward.c" <<'EOF'
#include <stddef.h>
void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
    volatile char *t = to;
    for (const char *f = from; bytes > 0; bytes--) t[bytes - 1] = f[bytes - 1];
    return to;
}
EOF
gcc -O1 -fno-builtin -shared -fPIC -o "$work/backward.so" "$work/backward.c"
for turn in 1 2 3 4 5 6; do
    LD_PRELOAD="$work/backward.so" run --report "$work/report.json" "$work/dies" page-after
    check "a copy that ends a few pages after its block is named, in whatever order it is made, $turn" "[ $status -eq 139 ] && json_says '.findings[0].line == $(line heap) and (.findings[0].message | test(\"room for 266,224\"))' $work/report.json"
done
for word in fits stack-fits; do
    run --report "$work/report.json" "$work/dies" $word
    check "$word is no finding" "[ $status -eq 0 ] && json_says '.findings == []' $work/report.json"
done
for word in term:15:TERM kill:9:KILL; do
    IFS=: read -r how number name <<<"$word"
    run --report "$work/report.json" "$work/dies" "$how"
    check "$how: the signal is named" "[ $status -eq $((128 + number)) ] && grep -q 'the program was ended by SIG$name' $work/log && json_says '.signal == $number' $work/report.json"
done

finish
