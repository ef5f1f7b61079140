/* against.c - processor time of one shape of shapes.def, on the machine that this program was linked with.
 *
 * against FOLDER NAME all|none RUNS: loads FOLDER/FILE-O2.ptx, launches the kernel so often, and prints the
 * least seconds of the processor of one launch, a tab, and its thread instructions. `against` alone prints
 * the table of shapes: name, group, title. bench/against.sh links it with the libraries of two commits and
 * alternates; bench/beside.sh does so with plain C and OpenCL.
 */
#include "bench/plain.h"
#include "check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARAMETERS = 64 };

static _Noreturn void give_up(const char *what) {
    fprintf(stderr, "against: %s\n", what);
    exit(EXIT_INTERNAL);
}

static uint64_t upload(Gpu *gpu, const void *words) {
    const GpuAllocation *made = gpu_memory_alloc(gpu, SHAPE_BYTES, 256, GPU_ALLOC_DEVICE, 0);
    if (!made || !gpu_memory_write(gpu, made->address, words, SHAPE_BYTES, 0)) give_up("no device memory");
    return made->address;
}

/** Lays the parameters out as the kernel expects them, each at a multiple of its size. */
static void pack_parameters(const Shape *shape, uint64_t out, uint64_t in, uint8_t *block) {
    size_t at = 0;
    for (const char *letter = shape->parameters; *letter; letter++) {
        uint64_t wide = SHAPE_BYTES;
        if (*letter == 'o') wide = out;
        if (*letter == 'i') wide = in;
        if (*letter == 'j') wide = in + SHAPE_BYTES / 2;
        bool is_number = *letter >= '0' && *letter <= '9';
        if (is_number)
            memcpy(block + at, &shape_numbers[*letter - '0'], 4);
        else
            memcpy(block + at, &wide, 8);
        at += is_number ? 4 : 8;
    }
}

static void count_instructions(void *self, const GpuLaunch *launch, GpuStatus status) {
    (void)status;
    *(uint64_t *)self = launch->thread_instructions;
}

/** After the first launch out holds what plain C makes of the same words; later ones may add to it. */
static void verify(Gpu *gpu, const Shape *shape, uint64_t out, const void *words) {
    void *got = malloc(SHAPE_BYTES);
    if (!got || !gpu_memory_read(gpu, out, got, SHAPE_BYTES, 0)) give_up("cannot read the answer");
    if (!plain_verify(shape, got, words)) give_up("wrong answer");
    free(got);
}

/** The least of so many launches counts: whatever else the machine does only adds to a time. */
static void run_launches(Gpu *gpu, GpuModule *module, const Shape *shape, int runs) {
    static uint32_t words[SHAPE_BYTES / 4];
    uint8_t parameters[MOST_PARAMETERS] = {0};
    shape_fill(words);
    uint64_t instructions = 0, out = upload(gpu, words), in = upload(gpu, words);
    pack_parameters(shape, out, in, parameters);
    GpuLaunchSpec spec = {.kernel = gpu_kernel_find(module, shape->name),
                          .grid = {shape->grid[0], shape->grid[1], 1},
                          .block = {shape->block[0], shape->block[1], 1},
                          .parameters = parameters};
    GpuObserver counter = {.self = &instructions, .launch_end = count_instructions};
    gpu_attach(gpu, &counter);
    double best = 1e9;
    for (int run = 0; run < runs; run++) {
        double start = shape_clock();
        if (!spec.kernel || gpu_launch(gpu, &spec) != GPU_OK) give_up("the launch failed");
        double seconds = shape_clock() - start;
        if (seconds < best) best = seconds;
        if (run == 0) verify(gpu, shape, out, words);
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
    Check *check = NULL;
    if (checks) check = check_create(gpu, &options);
    const PtxModule *ptx = ptx_load(arena, path.bytes, text.bytes, text.length, &diagnostics);
    GpuModule *module = NULL;
    if (ptx) module = gpu_module_load(gpu, ptx, &diagnostics);
    if (!module) give_up(diagnostics.first ? diagnostics.first->message : "the module does not load");
    run_launches(gpu, module, shape, runs);
    if (check && check_finding_count(check, FINDING_ERROR) > 0) give_up("the shape has findings");
}

/** Without all four arguments it prints the table, from which the scripts take the names. */
int main(int argc, char **argv) {
    for (const Shape *shape = shape_table; argc < 5 && shape->name; shape++)
        printf("%s\t%s\t%s\n", shape->name, shape->group, shape->title);
    if (argc < 5) return EXIT_FINE;
    const Shape *shape = shape_find(argv[2]);
    if (!shape) give_up("no such shape");
    run_shape(argv[1], shape, strcmp(argv[3], "all") == 0, atoi(argv[4]));
    return EXIT_FINE;
}
