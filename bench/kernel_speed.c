/* kernel_speed.c - thread instructions per second of the machine, with every observer on and with none.
 *
 * kernel_speed PTX-FILE...: for each file and each piece of work one line "machine <tab> file <tab> work
 * <tab> checks <tab> seconds <tab> thread instructions", and "plain" lines for the same work in C.
 * bench/run.sh makes the table.
 */
#include "bench/work.h"
#include "check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 7 };

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

static size_t pack_parameters(int work, const Buffers *buffers, uint8_t *block) {
    int32_t last = work == WORK_ARITHMETIC ? WORK_STEPS : (int32_t)work_table[work].threads;
    size_t at = 0;
    memcpy(block + at, &buffers->d_z, 8), at += 8;
    memcpy(block + at, &buffers->d_x, 8), at += 8;
    if (work == WORK_VECTOR_ADD) {
        memcpy(block + at, &buffers->d_y, 8), at += 8;
    }
    memcpy(block + at, &last, 4), at += 4;
    return at;
}

static void time_work(Gpu *gpu, GpuModule *module, int work, Buffers *buffers, Totals *totals) {
    uint8_t block[32] = {0};
    pack_parameters(work, buffers, block);
    GpuLaunchSpec spec = {.kernel = gpu_kernel_find(module, work_table[work].kernel),
                          .grid = {(uint32_t)(work_table[work].threads / WORK_BLOCK), 1, 1},
                          .block = {WORK_BLOCK, 1, 1},
                          .parameters = block};
    totals->seconds = 1e9;
    for (int run = 0; run < RUNS; run++) {
        double start = work_clock();
        if (gpu_launch(gpu, &spec) != GPU_OK) {
            give_up("the launch failed");
        }
        double seconds = work_clock() - start;
        totals->seconds = seconds < totals->seconds ? seconds : totals->seconds;
    }
    if (!gpu_memory_read(gpu, buffers->d_z, buffers->z, buffers->bytes, 0) ||
        !work_verify(work, buffers->z, buffers->x, buffers->y)) {
        give_up("wrong answer");
    }
}

static void run_file(const char *path, const Text *ptx_text, int work, bool checks, Buffers *buffers) {
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    GpuConfig config = {.track_undefined = checks};
    Gpu *gpu = gpu_create(&config);
    CheckOptions options = check_default_options();
    Check *check = checks ? check_create(gpu, &options) : NULL;
    Totals totals = {0};
    GpuObserver counter = {.self = &totals, .launch_end = count_instructions};
    gpu_attach(gpu, &counter);
    const PtxModule *ptx = ptx_load(arena, path, ptx_text->bytes, ptx_text->length, &diagnostics);
    GpuModule *module = ptx ? gpu_module_load(gpu, ptx, &diagnostics) : NULL;
    if (!module) {
        give_up(diagnostics.first ? diagnostics.first->message : "the module does not load");
    }
    buffers->d_x = upload(gpu, buffers->x, buffers->bytes);
    buffers->d_y = upload(gpu, buffers->y, buffers->bytes);
    buffers->d_z = upload(gpu, buffers->z, buffers->bytes);
    time_work(gpu, module, work, buffers, &totals);
    if (check && check_finding_count(check, FINDING_ERROR) > 0) {
        give_up("the benchmark kernels have findings");
    }
    printf("machine\t%s\t%s\t%s\t%.9f\t%llu\n", path, work_table[work].name, checks ? "all" : "none",
           totals.seconds, (unsigned long long)totals.thread_instructions);
    check_destroy(check);
    gpu_module_unload(module);
    gpu_destroy(gpu);
    arena_destroy(arena);
}

static void run_plain(int work, Buffers *buffers) {
    double best = 1e9;
    for (int run = 0; run < RUNS; run++) {
        double start = work_clock();
        work_plain(work, buffers->z, buffers->x, buffers->y);
        double seconds = work_clock() - start;
        best = seconds < best ? seconds : best;
    }
    printf("plain\t-\t%s\t-\t%.9f\t0\n", work_table[work].name, best);
}

int main(int argc, char **argv) {
    size_t count = work_table[WORK_VECTOR_ADD].threads;
    Buffers buffers = {.bytes = count * sizeof(float)};
    buffers.x = malloc(buffers.bytes);
    buffers.y = malloc(buffers.bytes);
    buffers.z = calloc(1, buffers.bytes);
    if (!buffers.x || !buffers.y || !buffers.z) {
        give_up("no memory");
    }
    work_fill(buffers.x, count);
    work_fill(buffers.y, count);
    for (int work = 0; work < WORK_COUNT; work++) {
        for (int file = 1; file < argc; file++) {
            Text text;
            text_init(&text);
            if (!text_read_file(&text, argv[file], 1 << 20)) {
                give_up("cannot read the PTX file");
            }
            run_file(argv[file], &text, work, true, &buffers);
            run_file(argv[file], &text, work, false, &buffers);
            text_free(&text);
        }
        run_plain(work, &buffers);
    }
    free(buffers.x);
    free(buffers.y);
    free(buffers.z);
    return EXIT_FINE;
}
