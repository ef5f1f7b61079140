/* test_notes.c - what is counted, and when a slow line is worth a note. */
#include "fake_gpu.h"

static Gpu *with_x(uint64_t *x) {
    Gpu *gpu = fake_create();
    *x = fake_alloc(gpu, 65536, 12);
    fake_parameter(gpu, "x", 8, 4, *x);
    FAKE_SEND(gpu, host_write, &gpu->allocations[0], *x, (uint64_t)65536, (uint64_t)20);
    fake_shared(gpu, "tile", 3072, 9, false);
    fake_launch(gpu, 1, 32, 30);
    return gpu;
}

static long counter(Gpu *gpu, const char *name) {
    struct json_object *report = check_report_json(gpu->check, NULL);
    long value = json_number(
        json_member(json_object_array_get_idx(json_array(report, "launches"), 0), "counters"), name, -1);
    json_object_put(report);
    return value;
}

static void sectors(void **state) {
    (void)state;
    static const struct {
        int64_t stride;
        unsigned shift, bytes;
        long sectors, ideal;
    } rows[] = {
        {4, 0, 4, 4, 4}, {4, 4, 4, 5, 4}, {0, 0, 4, 1, 1},     {128, 0, 4, 32, 4},
        {8, 0, 4, 8, 4}, {8, 0, 8, 8, 8}, {16, 0, 16, 16, 16}, {1, 0, 1, 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t x;
        Gpu *gpu = with_x(&x);
        fake_access(gpu, (FakeAccess){.pc = 7,
                                      .address = x + rows[i].shift,
                                      .stride = rows[i].stride,
                                      .bytes = (uint8_t)rows[i].bytes});
        fake_launch_end(gpu);
        assert_int_equal(counter(gpu, "global_load_sectors"), rows[i].sectors);
        assert_int_equal(counter(gpu, "global_load_sectors_ideal"), rows[i].ideal);
        assert_int_equal(counter(gpu, "global_reads"), 32);
        fake_destroy(gpu);
    }
}

static void wavefronts(void **state) {
    (void)state;
    static const struct {
        int64_t stride;
        unsigned bytes;
        long turns, ideal;
    } rows[] = {{4, 4, 1, 1}, {8, 4, 2, 1},  {12, 4, 1, 1},  {64, 4, 16, 1}, {0, 4, 1, 1},
                {8, 8, 2, 2}, {16, 8, 4, 2}, {16, 16, 4, 4}, {1, 1, 1, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t x;
        Gpu *gpu = with_x(&x);
        fake_access(gpu, (FakeAccess){.kind = GPU_WRITE,
                                      .pc = 7,
                                      .space = PTX_SPACE_SHARED,
                                      .address = 256,
                                      .stride = rows[i].stride,
                                      .bytes = (uint8_t)rows[i].bytes});
        fake_launch_end(gpu);
        assert_int_equal(counter(gpu, "shared_store_wavefronts"), rows[i].turns);
        assert_int_equal(counter(gpu, "shared_store_wavefronts_ideal"), rows[i].ideal);
        fake_destroy(gpu);
    }
}

/* What a pattern cost once is taken for what it costs, but only where it begins as far into a sector. */
static void patterns_cost_the_same(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x);
    const FakeAccess once = {.pc = 7, .address = x, .stride = 8, .pattern = 5};
    FakeAccess further = once, shared = once;
    further.address += 28; /* nine sectors: the last lane is in one more */
    shared.space = PTX_SPACE_SHARED;
    shared.address = 256;
    for (unsigned i = 0; i < 3; i++) {
        fake_access(gpu, once);
        fake_access(gpu, further);
        fake_access(gpu, shared);
    }
    fake_launch_end(gpu);
    assert_int_equal(counter(gpu, "global_load_sectors"), 3 * (8 + 9));
    assert_int_equal(counter(gpu, "global_load_sectors_ideal"), 3 * (4 + 4));
    assert_int_equal(counter(gpu, "shared_load_wavefronts"), 3 * 2);
    fake_destroy(gpu);
}

static unsigned notes_after(FakeAccess access, unsigned times, FindingKind *kind) {
    uint64_t x;
    Gpu *gpu = with_x(&x);
    if (access.space != PTX_SPACE_SHARED) access.address += x;
    for (unsigned i = 0; i < times; i++)
        fake_access(gpu, access);
    fake_launch_end(gpu);
    unsigned count = check_finding_count(gpu->check, FINDING_NOTE);
    if (count) *kind = check_finding(gpu->check, fake_errors(gpu))->kind;
    fake_destroy(gpu);
    return count;
}

static void uncoalesced_only_when_it_matters(void **state) {
    (void)state;
    FindingKind kind = FINDING_KIND_COUNT;
    assert_int_equal(notes_after((FakeAccess){.pc = 7, .stride = 128}, 200, &kind), 1);
    assert_int_equal(kind, FINDING_UNCOALESCED);
    assert_int_equal(notes_after((FakeAccess){.pc = 7, .stride = 128}, 20, &kind), 0);
    assert_int_equal(notes_after((FakeAccess){.pc = 7, .stride = 4, .address = 4}, 2000, &kind), 0);
    assert_int_equal(notes_after((FakeAccess){.pc = 7, .stride = 8}, 2000, &kind), 0);
}

static void bank_conflict_only_when_it_matters(void **state) {
    (void)state;
    FindingKind kind = FINDING_KIND_COUNT;
    FakeAccess column = {.kind = GPU_READ, .pc = 7, .space = PTX_SPACE_SHARED, .address = 256, .stride = 64};
    assert_int_equal(notes_after(column, 200, &kind), 1);
    assert_int_equal(kind, FINDING_BANK_CONFLICT);
    assert_int_equal(notes_after(column, 20, &kind), 0);
    column.stride = 68; /* one column of padding */
    assert_int_equal(notes_after(column, 2000, &kind), 0);
}

static void contention_only_when_it_matters(void **state) {
    (void)state;
    FindingKind kind = FINDING_KIND_COUNT;
    assert_int_equal(notes_after((FakeAccess){.kind = GPU_ATOMIC, .pc = 7}, 200, &kind), 1);
    assert_int_equal(kind, FINDING_ATOMIC_CONTENTION);
    assert_int_equal(notes_after((FakeAccess){.kind = GPU_ATOMIC, .pc = 7, .lanes = 1}, 8000, &kind),
                     0); /* one a block */
    assert_int_equal(notes_after((FakeAccess){.kind = GPU_ATOMIC, .pc = 7, .stride = 4}, 200, &kind),
                     0); /* a histogram */
}

static unsigned notes_of_branches(uint32_t threads, uint32_t taken, unsigned times) {
    Gpu *gpu = fake_create();
    fake_launch(gpu, 1, threads, 30);
    for (unsigned i = 0; i < times; i++)
        FAKE_SEND(gpu, branch, &gpu->warps[0][0], 8, taken, ~taken);
    fake_launch_end(gpu);
    unsigned notes = check_finding_count(gpu->check, FINDING_NOTE);
    fake_destroy(gpu);
    return notes;
}

static void branches_that_part(void **state) {
    (void)state;
    assert_int_equal(notes_of_branches(64, 0x55555555, 600), 1);
    assert_int_equal(notes_of_branches(64, UINT32_MAX, 600), 0);
    assert_int_equal(notes_of_branches(64, 0x55555555, 60), 0);
    assert_int_equal(notes_of_branches(32, 0x55555555, 600), 0);
}

/* The first instruction is the branch. */
static unsigned notes_of_code(PtxInstruction *code, uint32_t count, uint32_t taken, uint32_t not_taken) {
    Gpu *gpu = fake_create();
    code[0].opcode = PTX_OP_bra;
    gpu->placed = gpu->kernel.function.instructions = code;
    gpu->kernel.function.instruction_count = count;
    fake_launch(gpu, 1, 64, 30);
    for (unsigned i = 0; i < 600; i++)
        FAKE_SEND(gpu, branch, &gpu->warps[0][0], 8, taken, not_taken);
    fake_launch_end(gpu);
    unsigned notes = check_finding_count(gpu->check, FINDING_NOTE);
    fake_destroy(gpu);
    return notes;
}

/* The kernel ends behind it. */
static unsigned notes_of_edges(uint32_t taken, uint32_t not_taken) {
    PtxInstruction code[1] = {{.guard = 0}};
    code[0].operands[0].index = 1;
    return notes_of_code(code, 1, taken, not_taken);
}

/* It leads past one instruction. */
static unsigned notes_of_skips(uint32_t taken, uint32_t not_taken) {
    const PtxInstruction sum = {.opcode = PTX_OP_add, .guard = -1};
    PtxInstruction code[3] = {{.guard = 0}, sum, sum};
    code[0].operands[0].index = 2;
    return notes_of_code(code, 3, taken, not_taken);
}

/* Where the work ends the warp parts but once: its lanes are all there, and neighbours stay together. */
static void edges_are_no_partings(void **state) {
    (void)state;
    assert_int_equal(notes_of_edges(0xffff, 0xffff0000), 0);
    assert_int_equal(notes_of_edges(0xff, 0xff00), 1); /* half the warp has gone before */
    assert_int_equal(notes_of_edges(0x55555555, 0xaaaaaaaa), 1);
}

/* Neighbours that do a little more are as close together as they can be. */
static void what_neighbours_do_more_is_no_parting(void **state) {
    (void)state;
    assert_int_equal(notes_of_skips(0xffff, 0xffff0000), 0);
    assert_int_equal(notes_of_skips(0xff, 0xff00), 0);
    assert_int_equal(notes_of_skips(0x55555555, 0xaaaaaaaa), 1);
}

/* Loads of one line, as of a loop that is unrolled, count together; a store counts by itself, and so does
 * what is no load. */
static unsigned notes_of_a_line(PtxOpcode opcode, GpuAccessKind second, PtxSpace space) {
    uint64_t x;
    Gpu *gpu = with_x(&x);
    gpu->instruction.opcode = opcode;
    for (unsigned i = 0; i < 70; i++) {
        fake_access(gpu, (FakeAccess){.pc = 7, .address = x, .stride = 128});
        fake_access(gpu, (FakeAccess){.pc = 1007,
                                      .kind = second,
                                      .space = space,
                                      .address = space == PTX_SPACE_SHARED ? 256 : x + 4096,
                                      .stride = space == PTX_SPACE_SHARED ? 64 : 128});
        fake_barrier(gpu, 0);
    }
    fake_launch_end(gpu);
    unsigned notes = check_finding_count(gpu->check, FINDING_NOTE);
    fake_destroy(gpu);
    return notes;
}

static void loads_of_one_line_count_together(void **state) {
    (void)state;
    assert_int_equal(notes_of_a_line(PTX_OP_ld, GPU_READ, PTX_SPACE_GLOBAL), 1);
    assert_int_equal(notes_of_a_line(PTX_OP_mov, GPU_READ, PTX_SPACE_GLOBAL), 0);
    assert_int_equal(notes_of_a_line(PTX_OP_ld, GPU_WRITE, PTX_SPACE_GLOBAL), 0);
    assert_int_equal(notes_of_a_line(PTX_OP_ld, GPU_READ, PTX_SPACE_SHARED), 0);
}

/* A launch may be repeated while its counts are kept. */
static void kept_counts_may_be_repeated(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x);
    GpuRepeat first = {.launch = gpu->launch.id}, other = {.launch = gpu->launch.id + 1};
    fake_launch_end(gpu);
    unsigned asked = 0;
    for (unsigned o = 0; o < gpu->observer_count; o++) {
        const GpuObserver *observer = &gpu->observers[o];
        if (!observer->keep || !observer->repeats) continue;
        assert_false(observer->repeats(observer->self, &first));
        assert_true(observer->keep(observer->self, &gpu->launch));
        assert_true(observer->repeats(observer->self, &first));
        assert_false(observer->repeats(observer->self, &other));
        asked++;
    }
    assert_int_equal(asked, 1);
    fake_destroy(gpu);
}

static void small_blocks(void **state) {
    (void)state;
    Gpu *gpu = fake_create();
    fake_launch(gpu, 1000, 8, 30);
    fake_launch_end(gpu);
    assert_int_equal(check_finding_count(gpu->check, FINDING_NOTE), 1);
    assert_string_equal(check_finding(gpu->check, 0)->message, "1,000 blocks of only 8 threads are launched");
    fake_launch(gpu, 10, 8, 31);
    fake_launch_end(gpu);
    assert_int_equal(check_finding_count(gpu->check, FINDING_NOTE), 1);
    fake_destroy(gpu);
}

static unsigned doubles(PtxInstruction *code, uint32_t count) {
    Gpu *gpu = fake_create();
    gpu->kernel.function.instructions = code;
    gpu->kernel.function.instruction_count = count;
    fake_launch(gpu, 1, 32, 30);
    fake_launch_end(gpu);
    unsigned notes = check_finding_count(gpu->check, FINDING_NOTE);
    fake_destroy(gpu);
    return notes;
}

static void stray_doubles(void **state) {
    (void)state;
    PtxInstruction code[] = {{.opcode = PTX_OP_ld, .type = PTX_F32, .line = 5},
                             {.opcode = PTX_OP_mul, .type = PTX_F64, .line = 6}};
    assert_int_equal(doubles(code, 2), 1);
    code[1].opcode = PTX_OP_cvt; /* widened for printf */
    assert_int_equal(doubles(code, 2), 0);
    code[1].opcode = PTX_OP_mul;
    code[0].type = PTX_F64; /* a kernel for doubles */
    assert_int_equal(doubles(code, 2), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sectors),
        cmocka_unit_test(wavefronts),
        cmocka_unit_test(patterns_cost_the_same),
        cmocka_unit_test(uncoalesced_only_when_it_matters),
        cmocka_unit_test(bank_conflict_only_when_it_matters),
        cmocka_unit_test(contention_only_when_it_matters),
        cmocka_unit_test(branches_that_part),
        cmocka_unit_test(edges_are_no_partings),
        cmocka_unit_test(what_neighbours_do_more_is_no_parting),
        cmocka_unit_test(loads_of_one_line_count_together),
        cmocka_unit_test(kept_counts_may_be_repeated),
        cmocka_unit_test(small_blocks),
        cmocka_unit_test(stray_doubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
