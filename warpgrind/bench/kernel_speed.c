/* kernel_speed.c - thread instructions per second of the machine, with every observer on and with none.
 *
 * kernel_speed PTX-FILE...: for each file and each piece of work one line "machine <tab> file <tab> work
 * <tab> checks <tab> seconds <tab> thread instructions", and "plain" lines for the same work in C. Then, for
 * the first file and with all checks, lines "scaling <tab> threads <tab> work <tab> - <tab> seconds <tab>
 * thread instructions". bench/run.sh makes the tables.
 */
#include "bench/work.h"
#include "check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 7, SCALING_FEWEST = 1 << 12, SCALING_MOST = 1 << 22 };

/** One row: what is run, how, and for how many threads. */
typedef struct Run {
    const char *path;
    const Text *text;
    int work;
    bool checks;
    size_t threads;
} Run;

typedef struct Buffers {
    float *x, *y, *z;
    uint64_t d_x, d_y, d_z;
    size_t bytes;
} Buffers;

typedef struct Totals {
    uint64_t thread_instructions;
    double seconds;
} Totals;

static void count_instructions(void *self, const GpuLaunch *launch, GpuStatus status) {
    (void)status;
    ((Totals *)self)->thread_instructions = launch->thread_instructions;
}

static _Noreturn void give_up(const char *what) {
    fprintf(stderr, "kernel_speed: %s\n", what);
    exit(EXIT_INTERNAL);
}

static uint64_t upload(Gpu *gpu, const float *values, size_t bytes) {
    const GpuAllocation *made = gpu_memory_alloc(gpu, bytes, 256, GPU_ALLOC_DEVICE, 0);
    if (!made || !gpu_memory_write(gpu, made->address, values, bytes, 0)) {
        give_up("no device memory");
    }
    return made->address;
}

/** The three kernels differ in their parameters only by the second input and by what the last number says. */
static size_t pack_parameters(const Run *run, const Buffers *buffers, uint8_t *block) {
    int32_t last = WORK_STEPS;
    if (run->work != WORK_ARITHMETIC) last = (int32_t)run->threads;
    size_t at = 0;
    memcpy(block + at, &buffers->d_z, 8), at += 8;
    memcpy(block + at, &buffers->d_x, 8), at += 8;
    if (run->work == WORK_VECTOR_ADD) {
        memcpy(block + at, &buffers->d_y, 8), at += 8;
    }
    memcpy(block + at, &last, 4), at += 4;
    return at;
}

/** The least of RUNS launches, whose answer then has to be that of plain C: a fast wrong machine has no
 * speed. */
static void time_work(Gpu *gpu, GpuModule *module, const Run *timed, Buffers *buffers, Totals *totals) {
    uint8_t block[32] = {0};
    pack_parameters(timed, buffers, block);
    GpuLaunchSpec spec = {.kernel = gpu_kernel_find(module, work_table[timed->work].kernel),
                          .grid = {(uint32_t)(timed->threads / WORK_BLOCK), 1, 1},
                          .block = {WORK_BLOCK, 1, 1},
                          .parameters = block};
    totals->seconds = 1e9;
    for (int run = 0; run < RUNS; run++) {
        double start = work_clock();
        if (gpu_launch(gpu, &spec) != GPU_OK) {
            give_up("the launch failed");
        }
        double seconds = work_clock() - start;
        if (seconds < totals->seconds) totals->seconds = seconds;
    }
    if (!gpu_memory_read(gpu, buffers->d_z, buffers->z, buffers->bytes, 0) ||
        !work_verify(timed->work, timed->threads, buffers->z, buffers->x, buffers->y)) {
        give_up("wrong answer");
    }
}

/** A machine of its own for each row, so that no row finds the records or the pages of another. */
static Totals run_machine(const Run *run, Buffers *buffers) {
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    GpuConfig config = {.track_undefined = run->checks};
    Gpu *gpu = gpu_create(&config);
    CheckOptions options = check_default_options();
    Check *check = NULL;
    if (run->checks) check = check_create(gpu, &options);
    Totals totals = {0};
    GpuObserver counter = {.self = &totals, .launch_end = count_instructions};
    gpu_attach(gpu, &counter);
    const PtxModule *ptx = ptx_load(arena, run->path, run->text->bytes, run->text->length, &diagnostics);
    GpuModule *module = NULL;
    if (ptx) module = gpu_module_load(gpu, ptx, &diagnostics);
    if (!module) {
        give_up(diagnostics.first ? diagnostics.first->message : "the module does not load");
    }
    buffers->d_x = upload(gpu, buffers->x, buffers->bytes);
    buffers->d_y = upload(gpu, buffers->y, buffers->bytes);
    buffers->d_z = upload(gpu, buffers->z, buffers->bytes);
    time_work(gpu, module, run, buffers, &totals);
    if (check && check_finding_count(check, FINDING_ERROR) > 0) {
        give_up("the benchmark kernels have findings");
    }
    check_destroy(check);
    gpu_module_unload(module);
    gpu_destroy(gpu);
    arena_destroy(arena);
    return totals;
}

static void run_file(const char *path, const Text *text, int work, bool checks, Buffers *buffers) {
    Totals totals = run_machine(&(Run){path, text, work, checks, work_table[work].threads}, buffers);
    printf("machine\t%s\t%s\t%s\t%.9f\t%llu\n", path, work_table[work].kernel, checks ? "all" : "none",
           totals.seconds, (unsigned long long)totals.thread_instructions);
}

/** Does the cost grow with the threads and nothing else? */
static void run_scaling(const char *path, const Text *text, int work, Buffers *buffers) {
    for (size_t threads = SCALING_FEWEST; threads <= SCALING_MOST; threads *= 4) {
        Totals totals = run_machine(&(Run){path, text, work, true, threads}, buffers);
        printf("scaling\t%zu\t%s\t-\t%.9f\t%llu\n", threads, work_table[work].kernel, totals.seconds,
               (unsigned long long)totals.thread_instructions);
    }
}

static void run_plain(int work, Buffers *buffers) {
    double best = 1e9;
    for (int run = 0; run < RUNS; run++) {
        double start = work_clock();
        work_plain(work, work_table[work].threads, buffers->z, buffers->x, buffers->y);
        double seconds = work_clock() - start;
        if (seconds < best) best = seconds;
    }
    printf("plain\t-\t%s\t-\t%.9f\t0\n", work_table[work].kernel, best);
}

static void read_file(Text *text, const char *path) {
    text_init(text);
    if (!text_read_file(text, path, 1 << 20)) give_up("cannot read the PTX file");
}

/** The buffers have the size of the largest scaling run; each piece of work uses their beginning. */
int main(int argc, char **argv) {
    Buffers buffers = {.bytes = SCALING_MOST * sizeof(float)};
    buffers.x = malloc(buffers.bytes);
    buffers.y = malloc(buffers.bytes);
    buffers.z = calloc(1, buffers.bytes);
    if (!buffers.x || !buffers.y || !buffers.z) give_up("no memory");
    work_fill(buffers.x, SCALING_MOST);
    work_fill(buffers.y, SCALING_MOST);
    for (int work = 0; work < WORK_COUNT; work++) {
        for (int file = 1; file < argc; file++) {
            Text text;
            read_file(&text, argv[file]);
            run_file(argv[file], &text, work, true, &buffers);
            run_file(argv[file], &text, work, false, &buffers);
            if (file == 1) run_scaling(argv[file], &text, work, &buffers);
            text_free(&text);
        }
        run_plain(work, &buffers);
    }
    free(buffers.x);
    free(buffers.y);
    free(buffers.z);
    return EXIT_FINE;
}
