/* test_no_memory.c - each allocation fails in turn while programs are watched and the report is written.
 *
 * The linker sends the allocations of check/ and base/ through the functions below (tests/rules.mk). Whatever
 * fails, nothing may crash or leak (the sanitizers see that), no finding may come up that full memory does
 * not make, and where one is missing the report says that it is incomplete.
 */
#include "fake_gpu.h"

static long countdown; /* 0: nothing fails; 1: the next one does */
static bool failed;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);

/* From the one asked for on, all fail: memory that is gone stays gone. */
static bool all_later;

static bool fails(void) {
    if (!countdown) return false;
    if (countdown > 1) {
        countdown--;
        return false;
    }
    if (!all_later) countdown = 0;
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

/* ---- programs, as their events ---- */

enum { TEMP = 256 };

static void shared(Gpu *gpu, uint32_t warp, GpuAccessKind kind, uint32_t pc, unsigned element) {
    fake_access(gpu, (FakeAccess){.warp = warp,
                                  .kind = kind,
                                  .pc = pc,
                                  .space = PTX_SPACE_SHARED,
                                  .address = TEMP + 4u * element,
                                  .stride = 4,
                                  .distinct = true});
}

static void copy_in(Gpu *gpu, uint64_t address, uint64_t bytes) {
    FAKE_SEND(gpu, host_write, gpu_memory_find(gpu, address), address, bytes, 20);
}

/* Right: named barriers, part of a warp, a fence with an atomic, locks, bytes; nothing may be found. */
static void right_program(Gpu *gpu) {
    uint64_t x = fake_alloc(gpu, 4096, 10), y = fake_alloc(gpu, 4096, 11), z = fake_alloc(gpu, 8 << 20, 12);
    copy_in(gpu, x, 4096);
    copy_in(gpu, z, 4096);
    fake_parameter(gpu, "x", 8, 4, x);
    fake_parameter(gpu, "y", 8, 4, y);
    fake_shared(gpu, "temp", 1024, 9, false);
    for (unsigned launch = 0; launch < 2; launch++) {
        fake_launch(gpu, 2, 96, 30);
        shared(gpu, 0, GPU_WRITE, 41, 0);
        fake_part_barrier(gpu, 0, 3);
        shared(gpu, 1, GPU_READ, 42, 0);
        fake_barrier(gpu, 0);
        FakeAccess half = {.lanes = 0xffff, .pc = 43, .address = x + 256, .stride = 4, .kind = GPU_WRITE};
        fake_access(gpu, half);
        fake_syncwarp(gpu, 0, 0, 0x1ffff);
        fake_access(gpu, (FakeAccess){.lanes = 1u << 16, .pc = 44, .address = x + 256, .stride = 0});
        fake_access(gpu, (FakeAccess){.lanes = 1, .pc = 45, .address = y, .kind = GPU_WRITE, .value = 1});
        fake_fence(gpu, 0, 0, 1, PTX_SCOPE_GPU);
        FakeAccess flag = {.lanes = 1, .pc = 46, .address = x + 512, .kind = GPU_ATOMIC};
        fake_access(gpu, flag);
        flag.block = 1;
        fake_access(gpu, flag);
        fake_access(gpu, (FakeAccess){.block = 1, .lanes = 1, .pc = 47, .address = y});
        FakeAccess byte = {.pc = 48, .address = x + 1024, .stride = 1, .bytes = 1, .kind = GPU_WRITE};
        fake_access(gpu, byte);
        fake_launch_end(gpu);
    }
    FAKE_SEND(gpu, host_read, gpu_memory_find(gpu, x), x, 2048, 60);
    FAKE_SEND(gpu, device_copy, z, x, 512, 61);
}

/* Wrong in three ways. */
static void wrong_program(Gpu *gpu) {
    uint64_t x = fake_alloc(gpu, 4096, 10);
    fake_parameter(gpu, "x", 8, 4, x);
    fake_shared(gpu, "temp", 1024, 9, false);
    fake_launch(gpu, 1, 64, 30);
    shared(gpu, 0, GPU_WRITE, 12, 0);
    shared(gpu, 1, GPU_WRITE, 12, 32);
    shared(gpu, 0, GPU_READ, 14, 32);
    for (uint32_t block = 0; block < 2; block++)
        fake_access(gpu,
                    (FakeAccess){.warp = block, .pc = 16, .address = x, .kind = GPU_WRITE, .distinct = true});
    fake_launch_end(gpu);
    FAKE_SEND(gpu, host_read, gpu_memory_find(gpu, x), x, 4096, 60);
}

typedef void Program(Gpu *gpu);

/* ---- failing ---- */

static void write_reports(const Check *check) {
    Text text;
    text_init(&text);
    check_report_text(check, &text, false, true);
    text_free(&text);
    struct json_object *report = check_report_json(check, NULL);
    if (report) json_object_put(report);
}

static bool says_incomplete(const Check *check) {
    const CheckFinding *finding;
    for (unsigned i = 0; (finding = check_finding(check, i)); i++)
        if (finding->kind == FINDING_LIMIT) return true;
    return false;
}

/* False when the Check could not be made. */
static bool watch(Program *program, unsigned *errors, bool *incomplete) {
    Gpu *gpu = __real_calloc(1, sizeof *gpu);
    gpu->kernel.function = (PtxFunction){.name = "k", .plain_name = "k", .entry = true, .defined = true};
    gpu->kernel.function.parameters = gpu->kernel.parameters;
    CheckOptions options = check_default_options();
    options.host_place = fake_host_place;
    options.lines = true;
    gpu->check = check_create(gpu, &options);
    bool made = gpu->check != NULL;
    if (made) {
        program(gpu);
        *errors = fake_errors(gpu);
        *incomplete = says_incomplete(gpu->check);
        write_reports(gpu->check);
        check_destroy(gpu->check);
    }
    countdown = 0;
    free(gpu);
    return made;
}

static void fail_each(Program *program, unsigned expected, bool later) {
    unsigned wanted = 0, watched = 0;
    bool incomplete = false;
    countdown = 0;
    all_later = later;
    assert_true(watch(program, &wanted, &incomplete));
    assert_int_equal(wanted, expected);
    assert_false(incomplete);
    long tried = 0;
    do {
        unsigned errors = 0;
        failed = false;
        countdown = ++tried;
        if (!watch(program, &errors, &incomplete)) continue;
        watched++;
        if (errors > wanted) fail_msg("allocation %ld: %u errors, not %u", tried, errors, wanted);
        if (errors < wanted && !incomplete)
            fail_msg("allocation %ld: an error is missing, and nothing says so", tried);
    } while (failed);
    assert_true(watched > 8);
}

static void right_program_stays_right(void **state) {
    (void)state;
    fail_each(right_program, 0, false);
    fail_each(right_program, 0, true);
}

static void missing_findings_are_admitted(void **state) {
    (void)state;
    fail_each(wrong_program, 3, false);
    fail_each(wrong_program, 3, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_program_stays_right),
        cmocka_unit_test(missing_findings_are_admitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
