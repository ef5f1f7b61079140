/* against.c - processor time of one shape of shapes.def, on the machine that this program was linked with.
 *
 * against FOLDER NAME all|none RUNS: loads FOLDER/FILE-O2.ptx, launches the kernel so often, and prints the
 * least seconds of the processor of one launch, a tab, and its thread instructions. `against` alone prints
 * the table of shapes. bench/against.sh links it with the libraries of two commits and alternates.
 */
#include "check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BUFFER_BYTES = 16 << 20, MOST_PARAMETERS = 64 };

typedef struct Shape {
    const char *name, *file, *group;
    GpuDim grid, block;
    const char *parameters;
} Shape;

static const Shape shapes[] = {
#define SHAPE(name, file, group, grid_x, grid_y, block_x, block_y, parameters)                               \
    {#name, #file, #group, {grid_x, grid_y, 1}, {block_x, block_y, 1}, parameters},
#include "bench/shapes.def"
#undef SHAPE
};

/** Ints that parameters name by their digit: threads of vector_add, steps of arithmetic, side of product. */
static const int32_t numbers[] = {1 << 20, 256, 512};

static _Noreturn void give_up(const char *what) {
    fprintf(stderr, "against: %s\n", what);
    exit(EXIT_INTERNAL);
}

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/** Device memory whose bytes all have a value; as floats they are small numbers. */
static uint64_t filled(Gpu *gpu) {
    static uint32_t words[BUFFER_BYTES / 4];
    const GpuAllocation *made = gpu_memory_alloc(gpu, BUFFER_BYTES, 256, GPU_ALLOC_DEVICE, 0);
    for (uint32_t i = 0; i < BUFFER_BYTES / 4; i++)
        words[i] = 0x3f800000 + (i * 2654435761u >> 9);
    if (!made || !gpu_memory_write(gpu, made->address, words, BUFFER_BYTES, 0)) give_up("no device memory");
    return made->address;
}

/** Lays the parameters out as the kernel expects them, each at a multiple of its size. */
static void pack_parameters(const Shape *shape, uint64_t out, uint64_t in, uint8_t *block) {
    size_t at = 0;
    for (const char *letter = shape->parameters; *letter; letter++) {
        uint64_t wide = BUFFER_BYTES;
        if (*letter == 'o') wide = out;
        if (*letter == 'i') wide = in;
        if (*letter == 'j') wide = in + BUFFER_BYTES / 2;
        bool is_number = *letter >= '0' && *letter <= '9';
        if (is_number)
            memcpy(block + at, &numbers[*letter - '0'], 4);
        else
            memcpy(block + at, &wide, 8);
        at += is_number ? 4 : 8;
    }
}

static void count_instructions(void *self, const GpuLaunch *launch, GpuStatus status) {
    (void)status;
    *(uint64_t *)self = launch->thread_instructions;
}

static void run_launches(Gpu *gpu, GpuModule *module, const Shape *shape, int runs) {
    uint8_t parameters[MOST_PARAMETERS] = {0};
    uint64_t instructions = 0, out = filled(gpu), in = filled(gpu);
    pack_parameters(shape, out, in, parameters);
    GpuLaunchSpec spec = {.kernel = gpu_kernel_find(module, shape->name),
                          .grid = shape->grid,
                          .block = shape->block,
                          .parameters = parameters};
    GpuObserver counter = {.self = &instructions, .launch_end = count_instructions};
    gpu_attach(gpu, &counter);
    double best = 1e9;
    for (int run = 0; run < runs; run++) {
        double start = processor_seconds();
        if (!spec.kernel || gpu_launch(gpu, &spec) != GPU_OK) give_up("the launch failed");
        double seconds = processor_seconds() - start;
        best = seconds < best ? seconds : best;
    }
    printf("%.9f\t%llu\n", best, (unsigned long long)instructions);
}

/** Nothing is taken down again: the process ends. */
static void run_shape(const char *folder, const Shape *shape, bool checks, int runs) {
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    Text path, text;
    diag_init(&diagnostics, arena);
    text_init(&path);
    text_init(&text);
    text_format(&path, "%s/%s-O2.ptx", folder, shape->file);
    if (!text_read_file(&text, path.bytes, 1 << 20)) give_up("cannot read the PTX file");
    GpuConfig config = {.track_undefined = checks, .step_budget = UINT64_MAX / 2};
    Gpu *gpu = gpu_create(&config);
    CheckOptions options = check_default_options();
    Check *check = checks ? check_create(gpu, &options) : NULL;
    const PtxModule *ptx = ptx_load(arena, path.bytes, text.bytes, text.length, &diagnostics);
    GpuModule *module = ptx ? gpu_module_load(gpu, ptx, &diagnostics) : NULL;
    if (!module) give_up(diagnostics.first ? diagnostics.first->message : "the module does not load");
    run_launches(gpu, module, shape, runs);
    if (check && check_finding_count(check, FINDING_ERROR) > 0) give_up("the shape has findings");
}

int main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        if (argc < 5)
            printf("%s\t%s\n", shapes[i].name, shapes[i].group);
        else if (strcmp(argv[2], shapes[i].name) == 0)
            run_shape(argv[1], &shapes[i], strcmp(argv[3], "all") == 0, atoi(argv[4]));
    }
    return EXIT_FINE;
}
