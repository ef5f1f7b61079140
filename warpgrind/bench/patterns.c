/* patterns.c - speed and memory of the machine for each pattern of patterns.cu, with every observer on and
 * with none.
 *
 * patterns PTX-FILE [NAME]: a line "pattern <tab> name <tab> checks <tab> device MiB <tab> peak MiB <tab>
 * seconds <tab> thread instructions" for each. A pattern runs in a process of its own, because a peak never
 * goes down again.
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
enum { BUFFER_MIB = 16, BLOCKS = 256, RUNS = 3 };

static const char *const names[] = {
    "floats",          "vectors",   "doubles",          "bytes",     "strided", "scattered_floats",
    "scattered_bytes", "histogram", "shared_histogram", "transpose", "sort",    "local_array",
    "divergent",       "calls"};

static _Noreturn void give_up(const char *what) {
    fprintf(stderr, "patterns: %s\n", what);
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

static void count_instructions(void *self, const GpuLaunch *launch, GpuStatus status) {
    (void)status;
    *(uint64_t *)self = launch->thread_instructions;
}

/** The peak is that of the process, so each pattern has one of its own. */
static void run_launch(Gpu *gpu, GpuModule *module, const char *name, bool checks) {
    uint64_t parameters[3] = {filled(gpu), filled(gpu), BUFFER_MIB * MIB}, instructions = 0;
    GpuLaunchSpec spec = {.kernel = gpu_kernel_find(module, name),
                          .grid = {BLOCKS, 1, 1},
                          .block = {WORK_BLOCK, 1, 1},
                          .parameters = (uint8_t *)parameters};
    GpuObserver counter = {.self = &instructions, .launch_end = count_instructions};
    gpu_attach(gpu, &counter);
    double best = 1e9;
    for (int run = 0; run < RUNS; run++) {
        double start = work_clock();
        if (!spec.kernel || gpu_launch(gpu, &spec) != GPU_OK) give_up("the launch failed");
        double seconds = work_clock() - start;
        if (seconds < best) best = seconds;
    }
    printf("pattern\t%s\t%s\t%d\t%.1f\t%.9f\t%llu\n", name, checks ? "all" : "none", 2 * BUFFER_MIB,
           peak_mib(), best, (unsigned long long)instructions);
}

/** Nothing is taken down again: the process ends. */
static void run_pattern(const char *path, const Text *text, const char *name, bool checks) {
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    GpuConfig config = {.track_undefined = checks, .step_budget = UINT64_MAX / 2};
    Gpu *gpu = gpu_create(&config);
    CheckOptions options = check_default_options();
    Check *check = NULL;
    if (checks) check = check_create(gpu, &options);
    const PtxModule *ptx = ptx_load(arena, path, text->bytes, text->length, &diagnostics);
    GpuModule *module = NULL;
    if (ptx) module = gpu_module_load(gpu, ptx, &diagnostics);
    if (!module) give_up(diagnostics.first ? diagnostics.first->message : "the module does not load");
    run_launch(gpu, module, name, checks);
    if (check && check_finding_count(check, FINDING_ERROR) > 0) give_up("the patterns have findings");
}

static void run_alone(const char *path, const Text *text, const char *name, bool checks) {
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        run_pattern(path, text, name, checks);
        exit(EXIT_FINE);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) give_up(name);
}

/** Each pattern with all checks and with none; NAME leaves one. */
int main(int argc, char **argv) {
    Text text;
    text_init(&text);
    if (argc < 2 || argc > 3 || !text_read_file(&text, argv[1], 1 << 20))
        give_up("usage: patterns PTX-FILE [NAME]");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (argc == 3 && strcmp(argv[2], names[i]) != 0) continue;
        run_alone(argv[1], &text, names[i], true);
        run_alone(argv[1], &text, names[i], false);
    }
    text_free(&text);
    return EXIT_FINE;
}
