/* test_no_memory.c - each allocation fails in turn while a machine is made, a module loaded and kernels
 * launched.
 *
 * The linker sends the allocations through the functions below (tests/rules.mk). Whatever fails, nothing may
 * crash or leak (the sanitizers see that), a launch says GPU_OUT_OF_MEMORY or is fine, and the machine can be
 * taken down.
 */
#include "ptx_file.h"

static long countdown; /* 0: nothing fails; 1: the next one does */
static bool failed;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);

static bool fails(void) {
    if (!countdown || --countdown) return false;
    return failed = true;
}

void *__wrap_malloc(size_t bytes) {
    return fails() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes) {
    return fails() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *old, size_t bytes) {
    return fails() ? NULL : __real_realloc(old, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
    return fails() ? NULL : __real_aligned_alloc(alignment, bytes);
}

static bool launch_all(const Machine *machine, const char *kernels) {
    char name[32];
    for (int used; sscanf(kernels, "%31s%n", name, &used) == 1; kernels += used) {
        GpuKernel *kernel = gpu_kernel_find(machine->module, name);
        if (!kernel || !gpu_kernel_prepare(kernel, NULL)) return false;
        struct {
            uint64_t out;
            uint32_t second;
        } parameters = {machine->out->address, UINT32_MAX};
        GpuLaunchSpec spec = {
            .kernel = kernel, .grid = {3, 1, 1}, .block = {45, 1, 1}, .parameters = &parameters};
        GpuStatus status = gpu_launch(machine->gpu, &spec);
        if (status == GPU_OUT_OF_MEMORY) return false;
        assert_int_equal(status, GPU_OK);
    }
    return true;
}

/** Whether everything went well although the allocation that was to fail was made. */
static bool run(const PtxModule *ptx, Arena *arena, const char *kernels, bool track) {
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    Machine machine = {.gpu = gpu_create(&(GpuConfig){.track_undefined = track, .seed = 1})};
    if (!machine.gpu) return false;
    bool fine = false;
    machine.module = gpu_module_load(machine.gpu, ptx, &diagnostics);
    if (machine.module) machine.out = gpu_memory_alloc(machine.gpu, MACHINE_OUT, 256, GPU_ALLOC_DEVICE, 0);
    if (machine.out && gpu_memory_set(machine.gpu, machine.out->address, 0, MACHINE_OUT, 0))
        fine = launch_all(&machine, kernels);
    gpu_destroy(machine.gpu);
    return fine;
}

static void fail_each(const char *path, const char *kernels, bool track) {
    Text text;
    text_init(&text);
    if (!text_read_file(&text, path, 1 << 20)) fail_msg("cannot read %s", path);
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    const PtxModule *ptx = ptx_load(arena, path, text.bytes, text.length, &diagnostics);
    assert_non_null(ptx);
    long tried = 0;
    do {
        failed = false;
        countdown = ++tried;
        bool fine = run(ptx, arena, kernels, track);
        countdown = 0;
        if (!failed) assert_true(fine);
    } while (failed);
    assert_true(tried > 20);
    arena_destroy(arena);
    text_free(&text);
}

static void test_flow(void **state) {
    (void)state;
    fail_each("tests/gpu/flow.ptx", "test", false);
    fail_each("tests/gpu/flow.ptx", "test", true);
}

static void test_calls(void **state) {
    (void)state;
    fail_each("tests/gpu/call.ptx", "test", false);
    fail_each("tests/gpu/call.ptx", "test", true);
}

static void test_threads(void **state) {
    (void)state;
    fail_each("tests/gpu/threads.ptx", "meet go_around leave_early", false);
    fail_each("tests/gpu/threads.ptx", "meet go_around leave_early", true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flow),
        cmocka_unit_test(test_calls),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
