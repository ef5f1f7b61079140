/* memory_use.c - how much memory the machine needs with every observer on, for each pattern of patterns.cu.
 *
 * memory_use PTX-FILE: a line "memory <tab> pattern <tab> device MiB <tab> peak MiB" for each. A pattern runs
 * in a process of its own, because a peak never goes down again.
 */
#include "bench/work.h"
#include "check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)
enum { BUFFER_MIB = 16, BLOCKS = 256 };

static const char *const patterns[] = {"floats",           "doubles",         "bytes",
                                       "scattered_floats", "scattered_bytes", "histogram"};

static _Noreturn void give_up(const char *what) {
    fprintf(stderr, "memory_use: %s\n", what);
    exit(EXIT_INTERNAL);
}

static double peak_mib(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024.0;
}

/** Device memory whose bytes all have a value; filled in small pieces, so that the host's copy costs nothing.
 */
static uint64_t filled(Gpu *gpu) {
    static uint8_t piece[MIB];
    const GpuAllocation *made = gpu_memory_alloc(gpu, BUFFER_MIB * MIB, 256, GPU_ALLOC_DEVICE, 0);
    if (!made) give_up("no device memory");
    for (size_t i = 0; i < sizeof piece; i++)
        piece[i] = (uint8_t)(i * 7);
    for (size_t at = 0; at < BUFFER_MIB * MIB; at += sizeof piece)
        if (!gpu_memory_write(gpu, made->address + at, piece, sizeof piece, 0)) give_up("no copy");
    return made->address;
}

static void run_pattern(const char *path, const Text *text, const char *pattern) {
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    GpuConfig config = {.track_undefined = true, .step_budget = UINT64_MAX / 2};
    Gpu *gpu = gpu_create(&config);
    CheckOptions options = check_default_options();
    Check *check = check_create(gpu, &options);
    const PtxModule *ptx = ptx_load(arena, path, text->bytes, text->length, &diagnostics);
    GpuModule *module = ptx ? gpu_module_load(gpu, ptx, &diagnostics) : NULL;
    if (!module) give_up(diagnostics.first ? diagnostics.first->message : "the module does not load");
    uint64_t parameters[3] = {filled(gpu), filled(gpu), BUFFER_MIB * MIB};
    GpuLaunchSpec spec = {.kernel = gpu_kernel_find(module, pattern),
                          .grid = {BLOCKS, 1, 1},
                          .block = {WORK_BLOCK, 1, 1},
                          .parameters = (uint8_t *)parameters};
    if (!spec.kernel || gpu_launch(gpu, &spec) != GPU_OK) give_up("the launch failed");
    if (check_finding_count(check, FINDING_ERROR) > 0) give_up("the patterns have findings");
    printf("memory\t%s\t%d\t%.1f\n", pattern, 2 * BUFFER_MIB, peak_mib());
}

int main(int argc, char **argv) {
    Text text;
    text_init(&text);
    if (argc != 2 || !text_read_file(&text, argv[1], 1 << 20)) give_up("usage: memory_use PTX-FILE");
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            run_pattern(argv[1], &text, patterns[i]);
            exit(EXIT_FINE);
        }
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) give_up(patterns[i]);
    }
    text_free(&text);
    return EXIT_FINE;
}
