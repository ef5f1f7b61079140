/* test_observers.c - what observers are told: accesses, faults, undefined values, in the same order in every
 * run of a seed.
 *
 * The kernels are in observers.ptx.
 */
#include "base/poison.h"
#include "ptx_file.h"

enum { MAX_EVENTS = 64 };

typedef struct Recorder {
    GpuAccess accesses[MAX_EVENTS];
    uint64_t first_address[MAX_EVENTS];
    uint8_t values[MAX_EVENTS][8];
    unsigned access_count;
    GpuFault faults[MAX_EVENTS];
    uint64_t fault_address[MAX_EVENTS];
    unsigned fault_count;
    struct {
        GpuUndefinedUse use;
        uint32_t lanes, pc, origin;
    } uses[MAX_EVENTS];
    unsigned use_count;
    uint64_t undefined_address; /**< reads from here give undefined values */
    uint64_t hash;
    char assertion[256];
    uint32_t assert_lane;
} Recorder;

static Text source;

static void recorder_hash(Recorder *recorder, uint64_t value) {
    recorder->hash = (recorder->hash ^ value) * UINT64_C(0x100000001b3);
}

static void on_definedness(void *self, GpuAccess *access) {
    const Recorder *recorder = self;
    unsigned first = (unsigned)__builtin_ctz(access->lanes);
    if (access->kind != GPU_READ || !recorder->undefined_address ||
        access->address[first] != recorder->undefined_address)
        return;
    access->undefined_lanes = access->lanes;
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        access->undefined_bytes[lane] = (uint16_t)((1u << access->bytes) - 1);
    access->origin = 4711;
}

static void on_access(void *self, const GpuAccess *access) {
    Recorder *recorder = self;
    unsigned first = (unsigned)__builtin_ctz(access->lanes);
    recorder_hash(recorder,
                  gpu_block_linear(gpu_warp_block(access->warp)) << 32 | gpu_warp_index(access->warp));
    recorder_hash(recorder, access->address[first] ^ access->lanes);
    if (recorder->access_count == MAX_EVENTS) return;
    recorder->accesses[recorder->access_count] = *access;
    recorder->first_address[recorder->access_count] = access->address[first];
    if (access->values)
        memcpy(recorder->values[recorder->access_count], access->values + first * access->bytes,
               access->bytes < 8 ? access->bytes : 8);
    recorder->access_count++;
}

static void on_fault(void *self, const GpuFault *fault) {
    Recorder *recorder = self;
    if (recorder->fault_count == MAX_EVENTS) return;
    recorder->fault_address[recorder->fault_count] = fault->address[__builtin_ctz(fault->lanes)];
    recorder->faults[recorder->fault_count++] = *fault;
}

static void on_use(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc, GpuUndefinedUse use,
                   uint32_t origin) {
    Recorder *recorder = self;
    (void)warp;
    assert_true(recorder->use_count < MAX_EVENTS);
    recorder->uses[recorder->use_count].use = use;
    recorder->uses[recorder->use_count].lanes = lanes;
    recorder->uses[recorder->use_count].pc = pc;
    recorder->uses[recorder->use_count++].origin = origin;
}

static void on_assert(void *self, const GpuWarp *warp, uint32_t lane, uint32_t pc, const char *condition,
                      const char *file, unsigned line) {
    Recorder *recorder = self;
    (void)warp, (void)pc;
    recorder->assert_lane = lane;
    snprintf(recorder->assertion, sizeof recorder->assertion, "%s:%u: %s", file, line, condition);
}

static Machine begin(Recorder *recorder, GpuConfig config) {
    *recorder = (Recorder){.hash = UINT64_C(0xcbf29ce484222325)};
    GpuObserver observer = {.self = recorder,
                            .access = on_access,
                            .fault = on_fault,
                            .undefined_use = on_use,
                            .asserted = on_assert};
    Machine machine = machine_begin("observers.ptx", source.bytes, config, &observer);
    gpu_set_keeper(machine.gpu, &(GpuKeeper){.self = recorder, .access = on_definedness});
    return machine;
}

/* ---- faults ---- */

/** Launches the kernel with one warp: one fault of that kind, and that status. */
static void expect_fault(const char *kernel, uint32_t n, GpuFaultKind kind, uint32_t lanes,
                         GpuStatus status) {
    for (int track = 0; track < 2; track++) {
        Recorder recorder;
        Machine machine = begin(&recorder, (GpuConfig){.track_undefined = track});
        assert_int_equal(machine_launch(&machine, kernel, 1, 32, n), status);
        if (!recorder.fault_count) fail_msg("%s with %u sends no fault", kernel, n);
        assert_int_equal(recorder.faults[0].kind, kind);
        assert_int_equal(recorder.faults[0].lanes, lanes);
        machine_end(&machine);
    }
}

static void test_faults(void **state) {
    (void)state;
    expect_fault("poke", MACHINE_OUT / 4 - 16, GPU_FAULT_OUT_OF_BOUNDS, 0xffff0000, GPU_OK);
    expect_fault("poke", MACHINE_OUT / 4 + 1000, GPU_FAULT_OUT_OF_BOUNDS, UINT32_MAX, GPU_OK);
    expect_fault("null", 0, GPU_FAULT_WILD, UINT32_MAX, GPU_ILLEGAL_ADDRESS);
    expect_fault("peek", 2, GPU_FAULT_MISALIGNED, UINT32_MAX, GPU_MISALIGNED);
    expect_fault("peek", MACHINE_OUT, GPU_FAULT_OUT_OF_BOUNDS, UINT32_MAX, GPU_OK);
    expect_fault("copy", MACHINE_OUT, GPU_FAULT_OUT_OF_BOUNDS, 1, GPU_OK);
    expect_fault("copy", MACHINE_OUT + 2, GPU_FAULT_MISALIGNED, 1, GPU_MISALIGNED);
    expect_fault("copy", 1, GPU_FAULT_WILD, 1, GPU_ILLEGAL_ADDRESS);
    expect_fault("write_constant", 0, GPU_FAULT_READ_ONLY, UINT32_MAX, GPU_ILLEGAL_ADDRESS);
    expect_fault("shared_poke", 16, GPU_FAULT_OUT_OF_BOUNDS, 0xffff0000, GPU_OK);
    expect_fault("local_poke", 16, GPU_FAULT_OUT_OF_BOUNDS, UINT32_MAX, GPU_OK);
    expect_fault("heap", 8, GPU_FAULT_FREED, 1, GPU_ILLEGAL_ADDRESS);
}

static void test_lanes_in_bounds_still_store(void **state) {
    (void)state;
    Recorder recorder;
    Machine machine = begin(&recorder, (GpuConfig){0});
    machine_launch(&machine, "poke", 1, 32, MACHINE_OUT / 4 - 16);
    assert_int_equal(machine_u32(&machine, MACHINE_OUT / 4 - 1), 15);
    assert_int_equal(recorder.access_count, 1);
    assert_int_equal(recorder.accesses[0].lanes, 0xffff);
    assert_ptr_equal(recorder.faults[0].nearest, machine.out);
    machine_end(&machine);
}

static void test_freed_memory(void **state) {
    (void)state;
    Recorder recorder;
    Machine machine = begin(&recorder, (GpuConfig){0});
    assert_true(gpu_memory_free(machine.gpu, machine.out->address, 99));
    assert_false(gpu_memory_free(machine.gpu, machine.out->address, 99));
    assert_int_equal(machine_launch(&machine, "poke", 1, 32, 0), GPU_OK);
    assert_int_equal(recorder.fault_count, 1);
    assert_int_equal(recorder.faults[0].kind, GPU_FAULT_FREED);
    assert_int_equal(recorder.faults[0].nearest->free_site, 99);
    machine_end(&machine);
}

/* ---- accesses ---- */

static void test_accesses(void **state) {
    (void)state;
    Recorder recorder;
    Machine machine = begin(&recorder, (GpuConfig){0});
    machine_launch(&machine, "poke", 1, 32, 3);
    const GpuAccess *store = &recorder.accesses[0];
    assert_int_equal(recorder.access_count, 1);
    assert_int_equal(store->kind, GPU_WRITE);
    assert_int_equal(store->space, PTX_SPACE_GLOBAL);
    assert_true(store->contiguous);
    assert_false(store->uniform);
    assert_int_equal(store->bytes, 4);
    assert_ptr_equal(store->allocation, machine.out);
    assert_int_equal(recorder.first_address[0], machine.out->address + 12);
    assert_int_equal(gpu_place(machine.gpu, store->pc).instruction->opcode, PTX_OP_st);
    machine_launch(&machine, "shared_poke", 1, 32, 0);
    const GpuAccess *shared = &recorder.accesses[1];
    GpuSharedRegion region;
    assert_int_equal(gpu_kernel_shared_regions(gpu_kernel_find(machine.module, "shared_poke"), 0, &region, 1),
                     1);
    assert_int_equal(shared->space, PTX_SPACE_SHARED);
    assert_int_equal(recorder.first_address[1], region.offset);
    assert_int_equal(region.bytes, 128);
    assert_string_equal(region.variable->name, "cells");
    machine_launch(&machine, "peek", 1, 32, 8);
    assert_true(recorder.accesses[3].uniform);
    assert_int_equal(recorder.accesses[3].kind, GPU_READ);
    machine_launch(&machine, "count", 1, 32, 0);
    assert_int_equal(recorder.accesses[4].kind, GPU_ATOMIC);
    assert_int_equal(recorder.accesses[4].lanes, 0xfffffff0);
    assert_int_equal(machine_u32(&machine, 2), 2);
    machine_end(&machine);
}

static uint64_t run_hash(uint64_t seed) {
    Recorder recorder;
    Machine machine = begin(&recorder, (GpuConfig){.seed = seed});
    assert_int_equal(machine_launch(&machine, "count", 40, 96, 0), GPU_OK);
    uint64_t hash = recorder.hash;
    machine_end(&machine);
    return hash;
}

static void test_a_seed_gives_one_order(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++)
        assert_true(run_hash(seed) == run_hash(seed));
    assert_true(run_hash(0) != run_hash(1));
    assert_true(run_hash(1) != run_hash(2));
    assert_true(run_hash(2) != run_hash(3));
}

/* ---- definedness ---- */

static void test_undefined_local_variable_decides(void **state) {
    (void)state;
    Recorder recorder;
    Machine machine = begin(&recorder, (GpuConfig){.track_undefined = true});
    assert_int_equal(machine_launch(&machine, "undefined_branch", 1, 32, 32), GPU_OK);
    assert_int_equal(recorder.use_count, 0);
    assert_int_equal(machine_launch(&machine, "undefined_branch", 1, 32, 5), GPU_OK);
    assert_int_equal(recorder.use_count, 1);
    assert_int_equal(recorder.uses[0].use, GPU_UNDEFINED_BRANCH);
    assert_int_equal(recorder.uses[0].lanes, 0xffffffe0);
    assert_int_equal(gpu_place(machine.gpu, recorder.uses[0].origin).instruction->opcode, PTX_OP_ld);
    machine_end(&machine);
}

static void test_padding_may_be_copied(void **state) {
    (void)state;
    Recorder recorder;
    Machine machine = begin(&recorder, (GpuConfig){.track_undefined = true});
    assert_int_equal(machine_launch(&machine, "padding", 1, 1, 0), GPU_OK);
    assert_int_equal(machine_u32(&machine, 0), 7);
    assert_int_equal(machine_u32(&machine, 1), 1);
    assert_int_equal(machine_u32(&machine, 2), 1);
    assert_int_equal(recorder.use_count, 1); /* the comparison of the whole word, at the end */
    machine_end(&machine);
}

static void test_definedness_goes_through_memory(void **state) {
    (void)state;
    Recorder recorder;
    Machine machine = begin(&recorder, (GpuConfig){.track_undefined = true});
    recorder.undefined_address = machine.out->address + 8;
    assert_int_equal(machine_launch(&machine, "undefined_memory", 1, 32, 0), GPU_OK);
    assert_int_equal(recorder.accesses[0].undefined_lanes, UINT32_MAX);
    assert_int_equal(recorder.accesses[0].undefined_bytes[7], 0xff);
    assert_int_equal(recorder.use_count,
                     1); /* and-ing with 0 defines; of the other address both uses are one report */
    assert_int_equal(recorder.uses[0].use, GPU_UNDEFINED_ADDRESS);
    assert_int_equal(recorder.uses[0].origin, 4711);
    machine_end(&machine);
}

/* A structure is copied by wide words, and its members are used one by one. */
static void test_origin_of_the_upper_half(void **state) {
    (void)state;
    Recorder recorder;
    Machine machine = begin(&recorder, (GpuConfig){.track_undefined = true});
    recorder.undefined_address = machine.out->address + 8;
    assert_int_equal(machine_launch(&machine, "undefined_halves", 1, 32, 0), GPU_OK);
    assert_int_equal(recorder.use_count, 2);
    assert_int_equal(recorder.uses[0].origin, 4711);
    assert_int_equal(recorder.uses[1].origin, 4711);
    machine_end(&machine);
}

/* ---- the device's services ---- */

static void test_printf(void **state) {
    (void)state;
    Recorder recorder;
    Machine machine = begin(&recorder, (GpuConfig){.track_undefined = true});
    assert_int_equal(machine_launch(&machine, "print", 1, 2, 0), GPU_OK);
    Text output;
    uint64_t dropped;
    text_init(&output);
    gpu_take_output(machine.gpu, &output, &dropped);
    assert_string_equal(output.bytes, "[-1| 2.50|warp|1234567890|x%]\n[0| 2.50|warp|1234567890|x%]\n");
    assert_int_equal(dropped, 0);
    assert_int_equal(recorder.use_count, 0);
    text_free(&output);
    machine_end(&machine);
}

static void test_heap(void **state) {
    (void)state;
    Recorder recorder;
    Machine machine = begin(&recorder, (GpuConfig){0});
    uint64_t before = gpu_memory_used(machine.gpu);
    assert_int_equal(machine_launch(&machine, "heap", 2, 40, 100), GPU_OK);
    assert_int_equal(recorder.fault_count, 0);
    assert_int_equal(gpu_memory_used(machine.gpu), before);
    machine_end(&machine);
}

static void test_assert(void **state) {
    (void)state;
    Recorder recorder;
    Machine machine = begin(&recorder, (GpuConfig){0});
    assert_int_equal(machine_launch(&machine, "claim", 1, 32, 0), GPU_ASSERT);
    assert_string_equal(recorder.assertion, "warp:42: warp");
    assert_int_equal(recorder.assert_lane, 5);
    machine_end(&machine);
}

/* ---- memory from the host ---- */

static void test_memory(void **state) {
    (void)state;
    Recorder recorder;
    Machine machine = begin(&recorder, (GpuConfig){.memory_bytes = 1 << 20});
    Gpu *gpu = machine.gpu;
    assert_null(gpu_memory_alloc(gpu, 1 << 20, 256, GPU_ALLOC_DEVICE, 1)); /* out takes a part of the quota */
    const GpuAllocation *a = gpu_memory_alloc(gpu, 1000, 256, GPU_ALLOC_DEVICE, 1);
    const GpuAllocation *b = gpu_memory_alloc(gpu, 1000, 256, GPU_ALLOC_DEVICE, 2);
    assert_true(a->address % 256 == 0 && b->address % 256 == 0);
    assert_true(b->address >= a->address + a->bytes + GPU_GUARD_BYTES);
    assert_ptr_equal(gpu_memory_find(gpu, a->address + 999), a);
    assert_null(gpu_memory_find(gpu, a->address + 1000));
    assert_ptr_equal(gpu_memory_nearest(gpu, a->address + 1001), a);
    assert_ptr_equal(gpu_memory_nearest(gpu, b->address - 1), b);
    assert_int_equal(gpu_memory_room(gpu, a->address + 990), 10);
    assert_int_equal(*(uint8_t *)gpu_memory_host(gpu, a->address, 1000), POISON_DEVICE_BYTE);
    assert_null(gpu_memory_host(gpu, a->address + 1, 1000));
    uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {0};
    assert_true(gpu_memory_write(gpu, a->address + 992, bytes, 8, 0));
    assert_false(gpu_memory_write(gpu, a->address + 993, bytes, 8, 0));
    assert_true(gpu_memory_copy(gpu, b->address, a->address + 992, 8, 0));
    assert_true(gpu_memory_read(gpu, b->address, back, 8, 0));
    assert_memory_equal(bytes, back, 8);
    assert_true(gpu_memory_free(gpu, a->address, 7));
    assert_false(gpu_memory_read(gpu, a->address, back, 8, 0));
    assert_true(gpu_memory_nearest(gpu, a->address)->freed);
    const GpuAllocation *c = gpu_memory_alloc(gpu, 1000, 256, GPU_ALLOC_DEVICE, 3);
    assert_true(c->address != a->address);
    machine_end(&machine);
}

/** Addresses come again only when all have been given out: then the holes of freed allocations are found. */
static void test_addresses_come_again(void **state) {
    (void)state;
    Recorder recorder;
    Machine machine = begin(&recorder, (GpuConfig){0});
    uint64_t kept = gpu_memory_alloc(machine.gpu, 64, 256, GPU_ALLOC_DEVICE, 0)->address;
    for (int i = 0; i < 3000; i++) {
        const GpuAllocation *a = gpu_memory_alloc(machine.gpu, 1 << 14, 1 << 25, GPU_ALLOC_DEVICE, 0);
        assert_non_null(a);
        assert_true(gpu_memory_free(machine.gpu, a->address, 0));
    }
    assert_non_null(gpu_memory_find(machine.gpu, kept));
    /* A hole is large enough where guard bytes are left behind the allocation as well. */
    enum { STEP = 1 << 25 };
    uint64_t three[3];
    for (int i = 0; i < 3; i++)
        three[i] = gpu_memory_alloc(machine.gpu, 1 << 14, STEP, GPU_ALLOC_DEVICE, 0)->address;
    assert_int_equal(three[1], three[0] + STEP);
    assert_int_equal(three[2], three[1] + STEP);
    assert_true(gpu_memory_free(machine.gpu, three[1], 0));
    uint64_t wide = gpu_memory_alloc(machine.gpu, STEP, STEP, GPU_ALLOC_DEVICE, 0)->address;
    assert_int_not_equal(wide, three[1]);
    uint64_t fits = gpu_memory_alloc(machine.gpu, STEP - GPU_GUARD_BYTES, STEP, GPU_ALLOC_DEVICE, 0)->address;
    assert_int_equal(fits, three[1]);
    machine_end(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_lanes_in_bounds_still_store),
        cmocka_unit_test(test_freed_memory),
        cmocka_unit_test(test_accesses),
        cmocka_unit_test(test_a_seed_gives_one_order),
        cmocka_unit_test(test_undefined_local_variable_decides),
        cmocka_unit_test(test_padding_may_be_copied),
        cmocka_unit_test(test_definedness_goes_through_memory),
        cmocka_unit_test(test_origin_of_the_upper_half),
        cmocka_unit_test(test_printf),
        cmocka_unit_test(test_heap),
        cmocka_unit_test(test_assert),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_addresses_come_again),
    };
    text_init(&source);
    if (!text_read_file(&source, "tests/gpu/observers.ptx", 1 << 20)) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    text_free(&source);
    return failed;
}
