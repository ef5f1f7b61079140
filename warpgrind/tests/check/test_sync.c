/* test_sync.c - what is said about barriers, masks and waiting for ever. */
#include "check/findings/parts.h"
#include "fake_gpu.h"

static Gpu *with_block(uint32_t threads) {
    Gpu *gpu = fake_create();
    fake_launch(gpu, 1, threads, 30);
    return gpu;
}

static GpuSyncEvent event_of(Gpu *gpu, GpuSyncMistake mistake) {
    return (GpuSyncEvent){.mistake = mistake,
                          .launch = &gpu->launch,
                          .block = &gpu->blocks[0],
                          .warp = &gpu->warps[0][0],
                          .pc = 12};
}

static void send(Gpu *gpu, GpuSyncEvent event) {
    FAKE_SEND(gpu, sync_mistake, &event);
}

static void bypassed_barrier(void **state) {
    (void)state;
    Gpu *gpu = with_block(64);
    GpuSyncEvent event = event_of(gpu, GPU_SYNC_BYPASSED);
    event.other_pc = 10;
    event.lanes = 0xffff;
    event.arrived = 16;
    event.expected = 64;
    send(gpu, event);
    const CheckFinding *found = fake_only_error(gpu);
    assert_int_equal(found->kind, FINDING_BARRIER_DIVERGENCE);
    assert_int_equal(found->party.place.line, 12);
    assert_int_equal(found->other.place.line, 10);
    assert_string_equal(found->message, "not all threads of block 0 reach the __syncthreads() at line 12 (16 "
                                        "of 64 threads reach it): some "
                                        "skip it at line 10");
    fake_destroy(gpu);
}

static void different_barriers(void **state) {
    (void)state;
    Gpu *gpu = with_block(64);
    GpuSyncEvent event = event_of(gpu, GPU_SYNC_DIFFERENT_BARRIERS);
    event.other_pc = 15;
    event.other_thread = 32;
    send(gpu, event);
    assert_string_equal(
        fake_only_error(gpu)->message,
        "the threads of block 0 wait at different __syncthreads(): some at line 12, others at line 15");
    fake_destroy(gpu);
}

/* Two barriers on one line, and two on lines that nobody knows. */
static void barriers_on_one_line(void **state) {
    (void)state;
    static const uint32_t pcs[][2] = {{12, 1012}, {1000, 2000}};
    for (unsigned i = 0; i < 2; i++) {
        Gpu *gpu = with_block(64);
        GpuSyncEvent event = event_of(gpu, GPU_SYNC_DIFFERENT_BARRIERS);
        event.pc = pcs[i][0];
        event.other_pc = pcs[i][1];
        event.other_thread = 32;
        send(gpu, event);
        if (i == 0)
            assert_contains(fake_only_error(gpu)->message, "others at a copy of it");
        else
            assert_contains(fake_only_error(gpu)->message, "others at an unknown line");
        fake_destroy(gpu);
    }
}

static void exited_threads_are_a_note(void **state) {
    (void)state;
    Gpu *gpu = with_block(64);
    send(gpu, event_of(gpu, GPU_SYNC_EXITED));
    assert_int_equal(fake_errors(gpu), 0);
    assert_int_equal(check_finding_count(gpu->check, FINDING_NOTE), 1);
    assert_int_equal(check_finding(gpu->check, 0)->kind, FINDING_BARRIER_DIVERGENCE);
    fake_destroy(gpu);
}

static void deadlock_says_who_waits_where(void **state) {
    (void)state;
    Gpu *gpu = with_block(64);
    const GpuWaiter waiters[] = {{.warp = 0, .lanes = 0xffff, .pc = 12, .state = GPU_WAITS_BARRIER},
                                 {.warp = 1, .lanes = 0xffff, .pc = 12, .state = GPU_WAITS_BARRIER},
                                 {.warp = 0, .lanes = 0x10000, .pc = 20, .state = GPU_EXITED}};
    GpuSyncEvent event = {
        .mistake = GPU_SYNC_DEADLOCK, .launch = &gpu->launch, .waiters = waiters, .waiter_count = 3};
    send(gpu, event);
    const CheckFinding *found = fake_only_error(gpu);
    assert_int_equal(found->kind, FINDING_HANG);
    assert_int_equal(found->party.place.line, 12);
    assert_string_equal(found->message, "no thread can go on: threads 0-15, 32-47 of block 0 wait at the "
                                        "__syncthreads() in line 12; thread 16 "
                                        "of block 0 has ended at line 20");
    fake_destroy(gpu);
}

/* A barrier that counts threads is none for all of the block. */
static void deadlock_at_a_barrier_that_counts(void **state) {
    (void)state;
    const GpuWaiter waiter = {.warp = 0, .lanes = UINT32_MAX, .pc = 12, .state = GPU_WAITS_BARRIER};
    for (uint8_t operands = 1; operands <= 2; operands++) {
        Gpu *gpu = with_block(64);
        gpu->instruction.opcode = PTX_OP_bar;
        gpu->instruction.operand_count = operands;
        send(gpu, (GpuSyncEvent){.mistake = GPU_SYNC_DEADLOCK,
                                 .launch = &gpu->launch,
                                 .waiters = &waiter,
                                 .waiter_count = 1});
        if (operands == 1)
            assert_contains(fake_only_error(gpu)->explanation, "reaches the same __syncthreads()");
        else
            assert_contains(fake_only_error(gpu)->explanation, "opens when so many have come");
        fake_destroy(gpu);
    }
}

/* Six groups are told, and of a seventh on only how many. */
static void many_groups_are_cut(void **state) {
    (void)state;
    GpuWaiter waiters[8];
    for (unsigned i = 0; i < 8; i++)
        waiters[i] = (GpuWaiter){.lanes = 1u << (2 * i), .pc = 10 + i, .state = GPU_WAITS_BARRIER};
    for (unsigned count = 6; count <= 8; count++) {
        Gpu *gpu = with_block(32);
        send(gpu, (GpuSyncEvent){.mistake = GPU_SYNC_DEADLOCK,
                                 .launch = &gpu->launch,
                                 .waiters = waiters,
                                 .waiter_count = count});
        const char *message = fake_only_error(gpu)->message;
        assert_contains(message, "thread 10 of block 0 waits at the __syncthreads() in line 15");
        assert_null(strstr(message, "in line 16"));
        const char *rest = strstr(message, "; and ");
        if (count == 6) assert_null(rest);
        if (count == 7) assert_string_equal(rest, "; and 1 more group");
        if (count == 8) assert_string_equal(rest, "; and 2 more groups");
        fake_destroy(gpu);
    }
}

static void endless_loop(void **state) {
    (void)state;
    Gpu *gpu = with_block(32);
    const GpuWaiter waiters[] = {{.lanes = UINT32_MAX, .pc = 9, .state = GPU_SPINS}};
    GpuSyncEvent event = {.mistake = GPU_SYNC_BUDGET,
                          .stuck = true,
                          .launch = &gpu->launch,
                          .waiters = waiters,
                          .waiter_count = 1};
    send(gpu, event);
    assert_int_equal(fake_only_error(gpu)->kind, FINDING_HANG);
    assert_contains(fake_only_error(gpu)->message, "threads 0-31 of block 0 run in a loop in line 9");
    fake_destroy(gpu);
}

/* Blocks are counted where there are several, and a loop is told where its counter is on the way. */
static void progress_is_told(void **state) {
    (void)state;
    for (uint32_t blocks = 1; blocks <= 2; blocks++) {
        Gpu *gpu = fake_create();
        fake_launch(gpu, blocks, 32, 30);
        const GpuWaiter waiter = {.lanes = UINT32_MAX, .pc = 9, .state = GPU_SPINS};
        send(gpu, (GpuSyncEvent){.mistake = GPU_SYNC_BUDGET,
                                 .launch = &gpu->launch,
                                 .waiters = &waiter,
                                 .waiter_count = 1,
                                 .blocks_done = 1,
                                 .at = blocks - 1,
                                 .goal = 1,
                                 .loop_pc = 8});
        const char *message = fake_only_error(gpu)->message;
        if (blocks == 1) assert_contains(message, "the loop at line 8 is at 0 on the way to 1");
        if (blocks == 1) assert_null(strstr(message, "1 block"));
        if (blocks == 2) assert_contains(message, "1 of 2 blocks has ended");
        if (blocks == 2) assert_null(strstr(message, "on the way"));
        fake_destroy(gpu);
    }
}

/* A launch that was stopped from outside may have been fine; in a run that is judged it is not spoken of. */
static void who_was_stopped_is_a_note(void **state) {
    (void)state;
    for (int judged = 0; judged < 2; judged++) {
        Gpu *gpu = fake_create();
        fake_launch(gpu, 4, 32, 30);
        gpu->launch.warp_instructions = 1234;
        gpu->check->options.stops = !judged;
        const GpuWaiter waiters[] = {{.lanes = 1, .pc = 7, .state = GPU_WAITS_BARRIER},
                                     {.lanes = 2, .pc = 9, .state = GPU_SPINS}};
        send(gpu, (GpuSyncEvent){.mistake = GPU_SYNC_HALTED,
                                 .launch = &gpu->launch,
                                 .waiters = waiters,
                                 .waiter_count = 2,
                                 .blocks_done = 3});
        const CheckFinding *finding = check_finding(gpu->check, 0);
        assert_int_equal(finding == NULL, judged);
        if (!judged) {
            assert_int_equal(finding->kind, FINDING_LIMIT);
            assert_int_equal(finding->severity, FINDING_NOTE);
            assert_int_equal(finding->party.place.line, 9);
            assert_int_equal(finding->party.thread.x, 1);
            assert_contains(finding->message, "stopped here, after 1,234 instructions of its warps; 3 of 4 "
                                              "blocks have ended");
        }
        fake_destroy(gpu);
    }
}

/* Sets of threads are told as what they are, one by one where nothing shorter is true. */
static void lanes_are_told_as_a_set(void **state) {
    (void)state;
    static const struct {
        uint32_t lanes[2];
        const char *says;
    } rows[] = {
        {{0x55555555, 0}, "even lanes (threads 0-30) of block 0 run"},
        {{0xaaaaaaaa, 0xaaaaaaaa}, "odd lanes (threads 1-63) of block 0 run"},
        {{0x55555555, 0xaaaaaaaa},
         "threads 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22 and 20 more of block 0"},
        {{0x000000e9, 0}, "threads 0, 3, 5-7 of block 0 run"},
        {{0x00000015, 0}, "threads 0, 2, 4 of block 0 run"},
        {{0x80000000, 1}, "threads 31-32 of block 0 run"},
        {{0, 0x00000008}, "thread 35 of block 0 runs"},
        {{0x55555555, 1}, "even lanes (threads 0-32) of block 0 run"},
        {{0x55555554, 0x15}, "even lanes (threads 2-36) of block 0 run"},
        {{0x00ff00ff, 0}, "threads 0-7, 16-23 of block 0 run"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Gpu *gpu = with_block(64);
        const GpuWaiter waiters[] = {{.warp = 0, .lanes = rows[i].lanes[0], .pc = 9, .state = GPU_SPINS},
                                     {.warp = 1, .lanes = rows[i].lanes[1], .pc = 9, .state = GPU_SPINS}};
        send(gpu, (GpuSyncEvent){.mistake = GPU_SYNC_BUDGET,
                                 .stuck = true,
                                 .launch = &gpu->launch,
                                 .waiters = waiters,
                                 .waiter_count = 2});
        assert_contains(fake_only_error(gpu)->message, rows[i].says);
        fake_destroy(gpu);
    }
}

static void masks(void **state) {
    (void)state;
    static const struct {
        GpuSyncMistake mistake;
        const char *says;
    } rows[] = {
        {GPU_SYNC_MASK_OMITS_CALLER,
         "thread 16 of block 0 executes the warp operation but is not in its mask (mask 0x0000ffff)"},
        {GPU_SYNC_MASK_NAMES_ABSENT, "the mask of the warp operation names thread 16 of block 0, which took "
                                     "another branch and never reaches it (mask 0x0000ffff)"},
        {GPU_SYNC_MASKS_DIFFER, "different masks"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Gpu *gpu = with_block(32);
        GpuSyncEvent event = event_of(gpu, rows[i].mistake);
        event.lanes = 1 << 16;
        event.mask = 0xffff;
        event.other_thread = 3;
        send(gpu, event);
        assert_int_equal(fake_only_error(gpu)->kind, FINDING_INVALID_MASK);
        assert_contains(fake_only_error(gpu)->message, rows[i].says);
        fake_destroy(gpu);
    }
}

static void barrier_count(void **state) {
    (void)state;
    Gpu *gpu = with_block(32);
    send(gpu, event_of(gpu, GPU_SYNC_BARRIER_COUNT));
    assert_int_equal(fake_only_error(gpu)->kind, FINDING_BARRIER_DIVERGENCE);
    fake_destroy(gpu);
}

/* The first of the lanes stands for all of them. */
static void division_by_zero(void **state) {
    (void)state;
    Gpu *gpu = fake_create();
    fake_launch(gpu, 2, 128, 30);
    FAKE_SEND(gpu, divided_by_zero, &gpu->warps[1][2], 0x18U, 7U);
    const CheckFinding *error = fake_only_error(gpu);
    assert_int_equal(error->kind, FINDING_DIVISION_BY_ZERO);
    assert_int_equal(error->count, 2);
    assert_int_equal(error->party.place.line, 7);
    assert_contains(error->message, "block 1, thread 67 divides");
    fake_destroy(gpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bypassed_barrier),
        cmocka_unit_test(different_barriers),
        cmocka_unit_test(barriers_on_one_line),
        cmocka_unit_test(exited_threads_are_a_note),
        cmocka_unit_test(deadlock_says_who_waits_where),
        cmocka_unit_test(deadlock_at_a_barrier_that_counts),
        cmocka_unit_test(many_groups_are_cut),
        cmocka_unit_test(endless_loop),
        cmocka_unit_test(progress_is_told),
        cmocka_unit_test(who_was_stopped_is_a_note),
        cmocka_unit_test(lanes_are_told_as_a_set),
        cmocka_unit_test(masks),
        cmocka_unit_test(barrier_count),
        cmocka_unit_test(division_by_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
