/* test_threads.c - lanes, warps and blocks together: parting and meeting, locks, barriers, and what is said
 * when they are used wrongly.
 *
 * The kernels are in threads.ptx. Each test runs with several seeds, because order must not matter.
 */
#include "ptx_file.h"

enum { MAX_MISTAKES = 32 };

typedef struct Recorder {
    GpuSyncMistake mistakes[MAX_MISTAKES];
    uint32_t other_thread[MAX_MISTAKES], lanes[MAX_MISTAKES], waiters[MAX_MISTAKES];
    unsigned count;
    unsigned barriers;
} Recorder;

static const uint64_t seeds[] = {0, 1, 2, 3, 12345};
enum { SEEDS = sizeof seeds / sizeof *seeds };

static Text source;

static void on_mistake(void *self, const GpuSyncEvent *event) {
    Recorder *recorder = self;
    if (recorder->count == MAX_MISTAKES) return;
    recorder->mistakes[recorder->count] = event->mistake;
    recorder->other_thread[recorder->count] = event->other_thread;
    recorder->lanes[recorder->count] = event->lanes;
    recorder->waiters[recorder->count] = event->waiter_count;
    recorder->count++;
}

static void on_barrier(void *self, const GpuBarrier *barrier) {
    (void)barrier;
    ((Recorder *)self)->barriers++;
}

static Machine begin(Recorder *recorder, uint64_t seed) {
    *recorder = (Recorder){0};
    GpuObserver observer = {.self = recorder, .sync_mistake = on_mistake, .barrier = on_barrier};
    return machine_begin("threads.ptx", source.bytes, (GpuConfig){.seed = seed, .step_budget = 2000000},
                         &observer);
}

static unsigned recorded(const Recorder *recorder, GpuSyncMistake mistake) {
    unsigned count = 0;
    for (unsigned i = 0; i < recorder->count; i++)
        count += recorder->mistakes[i] == mistake;
    return count;
}

/** Runs the kernel with every seed; the launch must be fine and send exactly `expected` mistakes of that
 * kind, no others. */
static void expect_mistakes(const char *kernel, uint32_t threads, uint32_t n, GpuSyncMistake mistake,
                            unsigned expected) {
    for (unsigned i = 0; i < SEEDS; i++) {
        Recorder recorder;
        Machine machine = begin(&recorder, seeds[i]);
        assert_int_equal(machine_launch(&machine, kernel, 2, threads, n), GPU_OK);
        assert_int_equal(recorded(&recorder, mistake), expected);
        assert_int_equal(recorder.count, expected);
        machine_end(&machine);
    }
}

static void test_lanes_meet_behind_a_loop(void **state) {
    (void)state;
    for (unsigned i = 0; i < SEEDS; i++) {
        Recorder recorder;
        Machine machine = begin(&recorder, seeds[i]);
        assert_int_equal(machine_launch(&machine, "meet", 1, 40, 0), GPU_OK);
        for (uint32_t t = 0; t < 40; t++)
            assert_int_equal(machine_u32(&machine, t), t < 32 ? UINT32_MAX : 0xff);
        machine_end(&machine);
    }
}

/** Lanes that wait are let go when the others take very long: steps that all took together do not count. */
static void test_lanes_meet_however_long_they_were_together(void **state) {
    (void)state;
    for (unsigned i = 0; i < SEEDS; i++) {
        Recorder recorder;
        Machine machine = begin(&recorder, seeds[i]);
        for (uint32_t rounds = 1; rounds <= 400; rounds += 57) {
            assert_int_equal(machine_launch(&machine, "meet_late", 1, 32, rounds), GPU_OK);
            for (uint32_t t = 0; t < 32; t++)
                assert_int_equal(machine_u32(&machine, t), UINT32_MAX);
        }
        machine_end(&machine);
    }
}

static void test_lanes_of_a_warp_take_turns_at_a_lock(void **state) {
    (void)state;
    for (unsigned i = 0; i < SEEDS; i++) {
        Recorder recorder;
        Machine machine = begin(&recorder, seeds[i]);
        assert_int_equal(machine_launch(&machine, "lock", 3, 64, 0), GPU_OK);
        assert_int_equal(machine_u32(&machine, 1), 3 * 64);
        machine_end(&machine);
    }
}

static void test_resident_blocks_all_get_turns(void **state) {
    (void)state;
    for (unsigned i = 0; i < SEEDS; i++) {
        Recorder recorder;
        Machine machine = begin(&recorder, seeds[i]);
        assert_int_equal(machine_launch(&machine, "wait_for_last_block", 20, 32, 0), GPU_OK);
        assert_int_equal(machine_u32(&machine, 1), 5);
        machine_end(&machine);
    }
}

static void test_endless_kernel_uses_up_its_budget(void **state) {
    (void)state;
    for (unsigned i = 0; i < SEEDS; i++) {
        Recorder recorder;
        Machine machine = begin(&recorder, seeds[i]);
        assert_int_equal(machine_launch(&machine, "endless", 2, 32, 0), GPU_HANG);
        assert_int_equal(recorder.count, 1);
        assert_int_equal(recorder.mistakes[0], GPU_SYNC_BUDGET);
        assert_true(recorder.waiters[0] > 0);
        machine_end(&machine);
    }
}

static void keep_steps(void *self, const GpuLaunch *launch, GpuStatus status) {
    (void)status;
    *(uint64_t *)self = launch->warp_instructions;
}

static void look_away(void *self, const GpuAccess *access) {
    (void)self, (void)access;
}

/** A launch is not watched while its blocks end one after the other, and yet long before its budget is used
 * up. */
static void test_last_of_many_blocks_hangs(void **state) {
    (void)state;
    uint64_t steps = 0;
    GpuObserver observer = {.self = &steps, .launch_end = keep_steps, .access = look_away};
    Machine machine =
        machine_begin("threads.ptx", source.bytes, (GpuConfig){.step_budget = 1 << 28}, &observer);
    assert_int_equal(machine_launch(&machine, "last_hangs", 4096, 32, 2048), GPU_HANG);
    machine_end(&machine);
    assert_in_range(steps, 4095 * 3 * 2048, 1 << 26);
}

/** What a loop waits for may stay the same for as long as the launch is watched, while it is made of what
 * changes: no hang. What only counts the rounds decides nothing, also where it lies in the frame: a hang. */
static void test_what_decides_about_loops(void **state) {
    (void)state;
    uint64_t steps = 0;
    GpuObserver observer = {.self = &steps, .launch_end = keep_steps, .access = look_away};
    Machine machine =
        machine_begin("threads.ptx", source.bytes, (GpuConfig){.step_budget = 1 << 26}, &observer);
    assert_int_equal(machine_launch(&machine, "waits_for_count", 1, 64, 2), GPU_OK);
    assert_true(steps > 1 << 24);
    assert_int_equal(machine_launch(&machine, "compares_in_frame", 1, 32, 4), GPU_OK);
    assert_true(steps > 1 << 24);
    gpu_memory_set(machine.gpu, machine.out->address, 0, 16, 0);
    assert_int_equal(machine_launch(&machine, "counts_in_frame", 1, 32, 0), GPU_HANG);
    assert_in_range(steps, 1 << 18, 1 << 25);
    machine_end(&machine);
}

static void test_barriers_order_a_block(void **state) {
    (void)state;
    for (unsigned i = 0; i < SEEDS; i++) {
        Recorder recorder;
        Machine machine = begin(&recorder, seeds[i]);
        assert_int_equal(machine_launch(&machine, "exchange", 1, 1000, 5), GPU_OK);
        for (uint32_t t = 0; t < 1000; t++)
            assert_int_equal(machine_u32(&machine, t), (t + 5) % 1000);
        assert_int_equal(recorder.barriers, 10);
        assert_int_equal(recorder.count, 0);
        machine_end(&machine);
    }
}

static void test_going_around_a_barrier(void **state) {
    (void)state;
    expect_mistakes("go_around", 64, 32, GPU_SYNC_BYPASSED, 1); /* another warp goes around */
    expect_mistakes("go_around", 64, 40, GPU_SYNC_BYPASSED, 1); /* lanes of the same warp do */
    expect_mistakes("go_around", 64, 64, GPU_SYNC_BYPASSED, 0); /* nobody does */
    expect_mistakes("go_around", 64, 0, GPU_SYNC_BYPASSED, 0);  /* everybody does */
}

static void test_leaving_before_a_barrier_is_told_as_such(void **state) {
    (void)state;
    expect_mistakes("leave_early", 64, 50, GPU_SYNC_EXITED, 1);
    expect_mistakes("leave_early", 64, 32, GPU_SYNC_EXITED, 1);
    expect_mistakes("leave_early", 64, 64, GPU_SYNC_EXITED, 0);
    expect_mistakes("end_around", 64, 50, GPU_SYNC_EXITED, 1);
    expect_mistakes("end_around", 64, 32, GPU_SYNC_EXITED, 1);
}

static void test_barriers_in_both_sides(void **state) {
    (void)state;
    expect_mistakes("two_barriers", 64, 0, GPU_SYNC_DIFFERENT_BARRIERS, 0);
    for (unsigned i = 0; i < SEEDS; i++) {
        Recorder recorder;
        Machine machine = begin(&recorder, seeds[i]);
        assert_int_equal(machine_launch(&machine, "two_barriers", 1, 64, 40), GPU_OK);
        assert_int_equal(recorder.count, 1);
        assert_true(recorder.mistakes[0] == GPU_SYNC_DIFFERENT_BARRIERS ||
                    recorder.mistakes[0] == GPU_SYNC_BYPASSED);
        machine_end(&machine);
    }
}

static void test_waiting_for_nobody_is_a_deadlock(void **state) {
    (void)state;
    for (unsigned i = 0; i < SEEDS; i++) {
        Recorder recorder;
        Machine machine = begin(&recorder, seeds[i]);
        assert_int_equal(machine_launch(&machine, "stuck", 1, 64, 40), GPU_HANG);
        assert_int_equal(recorded(&recorder, GPU_SYNC_DEADLOCK), 1);
        assert_true(recorder.waiters[0] >= 2);
        machine_end(&machine);
    }
}

static void test_named_barriers_with_counts(void **state) {
    (void)state;
    for (unsigned i = 0; i < SEEDS; i++) {
        Recorder recorder;
        Machine machine = begin(&recorder, seeds[i]);
        assert_int_equal(machine_launch(&machine, "named", 1, 128, 0), GPU_OK);
        for (uint32_t t = 0; t < 32; t++)
            assert_int_equal(machine_u32(&machine, t), 77);
        assert_int_equal(recorder.count, 0);
        machine_end(&machine);
    }
}

static void test_barrier_reductions(void **state) {
    (void)state;
    for (unsigned i = 0; i < SEEDS; i++) {
        Recorder recorder;
        Machine machine = begin(&recorder, seeds[i]);
        assert_int_equal(machine_launch(&machine, "reduce_barrier", 1, 100, 37), GPU_OK);
        assert_int_equal(machine_u32(&machine, 0), 37);
        assert_int_equal(machine_u32(&machine, 1), 0);
        assert_int_equal(machine_u32(&machine, 2), 1);
        assert_int_equal(machine_launch(&machine, "reduce_barrier", 1, 100, 100), GPU_OK);
        assert_int_equal(machine_u32(&machine, 0), 100);
        assert_int_equal(machine_u32(&machine, 1), 1);
        assert_int_equal(machine_u32(&machine, 2), 0);
        machine_end(&machine);
    }
}

static void test_syncwarp_in_different_branches(void **state) {
    (void)state;
    for (unsigned i = 0; i < SEEDS; i++) {
        Recorder recorder;
        Machine machine = begin(&recorder, seeds[i]);
        assert_int_equal(machine_launch(&machine, "sync_in_branches", 1, 32, 0), GPU_OK);
        assert_int_equal(machine_u32(&machine, 1), 3);
        assert_int_equal(recorder.count, 0);
        machine_end(&machine);
    }
}

static void test_lanes_with_other_masks_come_back(void **state) {
    (void)state;
    for (unsigned i = 0; i < SEEDS; i++) {
        Recorder recorder;
        Machine machine = begin(&recorder, seeds[i]);
        assert_int_equal(machine_launch(&machine, "parts_in_branch", 1, 32, 0), GPU_OK);
        for (uint32_t t = 0; t < 32; t++)
            assert_int_equal(machine_u32(&machine, t), UINT32_MAX);
        assert_int_equal(recorder.count, 0);
        machine_end(&machine);
    }
}

static void test_shuffle_waits_for_late_lanes(void **state) {
    (void)state;
    for (unsigned i = 0; i < SEEDS; i++) {
        Recorder recorder;
        Machine machine = begin(&recorder, seeds[i]);
        assert_int_equal(machine_launch(&machine, "late_shuffle", 1, 32, 7), GPU_OK);
        for (uint32_t t = 0; t < 32; t++)
            assert_int_equal(machine_u32(&machine, t), 31 - t);
        assert_int_equal(recorder.count, 0);
        machine_end(&machine);
    }
}

static void test_wrong_masks(void **state) {
    (void)state;
    expect_mistakes("mask", 32, UINT32_MAX, GPU_SYNC_MASK_OMITS_CALLER, 0);
    expect_mistakes("mask", 32, 0xfffeffff, GPU_SYNC_MASK_OMITS_CALLER, 1);
    expect_mistakes("outside", 32, UINT32_MAX, GPU_SYNC_SHUFFLE_SOURCE, 0);
    expect_mistakes("outside", 32, 0x0000ffff, GPU_SYNC_SHUFFLE_SOURCE, 1);
}

static void test_mask_of_absent_lanes(void **state) {
    (void)state;
    Recorder recorder;
    Machine machine = begin(&recorder, 0);
    assert_int_equal(machine_launch(&machine, "mask", 1, 20, UINT32_MAX), GPU_OK);
    assert_int_equal(recorded(&recorder, GPU_SYNC_MASK_NAMES_ABSENT), 0);
    assert_int_equal(recorded(&recorder, GPU_SYNC_SHUFFLE_SOURCE), 1);
    machine_end(&machine);
}

/* Unrolled loops have an operation several times: lanes that are in different copies have left none out. */
static void test_copies_of_one_operation_meet(void **state) {
    (void)state;
    expect_mistakes("copies", 32, 0, GPU_SYNC_MASK_NAMES_ABSENT, 0);
    expect_mistakes("left_out", 32, 0, GPU_SYNC_MASK_NAMES_ABSENT, 1);
    expect_mistakes("left_out_inlined", 32, 0, GPU_SYNC_MASK_NAMES_ABSENT, 1);
}

static void test_recursion_to_different_depths(void **state) {
    (void)state;
    for (unsigned i = 0; i < SEEDS; i++) {
        Recorder recorder;
        Machine machine = begin(&recorder, seeds[i]);
        assert_true(gpu_set_limit(machine.gpu, GPU_LIMIT_STACK, 4096));
        assert_int_equal(machine_launch(&machine, "recurse", 1, 32, 5), GPU_OK);
        for (uint32_t t = 0; t < 32; t++)
            assert_int_equal(machine_u32(&machine, t), UINT32_MAX);
        assert_int_equal(machine_launch(&machine, "recurse", 1, 32, 1000000), GPU_STACK_OVERFLOW);
        assert_int_equal(machine_launch(&machine, "recurse", 1, 32, 5), GPU_OK);
        machine_end(&machine);
    }
}

static void test_trap(void **state) {
    (void)state;
    Recorder recorder;
    Machine machine = begin(&recorder, 0);
    assert_int_equal(machine_launch(&machine, "stop", 1, 32, 0), GPU_TRAP);
    assert_int_equal(machine_launch(&machine, "break_here", 1, 32, 0), GPU_TRAP);
    machine_end(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lanes_meet_behind_a_loop),
        cmocka_unit_test(test_lanes_meet_however_long_they_were_together),
        cmocka_unit_test(test_lanes_of_a_warp_take_turns_at_a_lock),
        cmocka_unit_test(test_resident_blocks_all_get_turns),
        cmocka_unit_test(test_endless_kernel_uses_up_its_budget),
        cmocka_unit_test(test_last_of_many_blocks_hangs),
        cmocka_unit_test(test_what_decides_about_loops),
        cmocka_unit_test(test_barriers_order_a_block),
        cmocka_unit_test(test_going_around_a_barrier),
        cmocka_unit_test(test_leaving_before_a_barrier_is_told_as_such),
        cmocka_unit_test(test_barriers_in_both_sides),
        cmocka_unit_test(test_waiting_for_nobody_is_a_deadlock),
        cmocka_unit_test(test_named_barriers_with_counts),
        cmocka_unit_test(test_barrier_reductions),
        cmocka_unit_test(test_syncwarp_in_different_branches),
        cmocka_unit_test(test_lanes_with_other_masks_come_back),
        cmocka_unit_test(test_shuffle_waits_for_late_lanes),
        cmocka_unit_test(test_wrong_masks),
        cmocka_unit_test(test_mask_of_absent_lanes),
        cmocka_unit_test(test_copies_of_one_operation_meet),
        cmocka_unit_test(test_recursion_to_different_depths),
        cmocka_unit_test(test_trap),
    };
    text_init(&source);
    if (!text_read_file(&source, "tests/gpu/threads.ptx", 1 << 20)) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    text_free(&source);
    return failed;
}
