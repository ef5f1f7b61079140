/* test_progress.c - launches that get nowhere: when it is sure that a wait never ends, and when not; and
 * which steps count as waiting.
 */
#include "ptx_file.h"

#define HEAD                                                                                                 \
    ".version 8.0\n.target sm_90\n.address_size 64\n.shared .align 8 .b64 phase;\n.shared .align 8 .b32 "    \
    "pair[2];\n"
#define KERNEL(name)                                                                                         \
    ".visible .entry " name "(.param .u64 out, .param .u32 n) {\n"                                           \
    ".reg .b64 %out, %state;\n.reg .b32 %n, %t, %i, %v, %old;\n.reg .pred %p;\n"                             \
    "ld.param.u64 %out, [out];\nld.param.u32 %n, [n];\nmov.u32 %t, %tid.x;\n"
#define ROUNDS(body)                                                                                         \
    "mov.u32 %i, 0;\nAGAIN:\n" body "add.u32 %i, %i, 1;\nsetp.lt.u32 %p, %i, %n;\n@%p bra AGAIN;\nret;\n}\n"
/* Counts to n in each of very many rounds. */
#define IN_ROUNDS(time)                                                                                      \
    "mov.u32 %v, 0;\nOUTER:\nmov.u32 %i, 0;\nAGAIN:\nadd.u32 %i, %i, 1;\nsetp.lt.u32 %p, %i, %n;\n"          \
    "@%p bra AGAIN;\n" time "add.u32 %v, %v, 1;\nsetp.lt.u32 %p, %v, 4000000000;\n@%p bra OUTER;\nret;\n}\n"

static const char progress_ptx[] = HEAD
    /* thread n waits for one that does not come */
    KERNEL(
        "waits") "setp.ne.u32 %p, %t, %n;\n@%p bra END;\nmbarrier.init.shared.b64 [phase], 2;\n"
                 "mbarrier.arrive.shared.b64 %state, [phase];\n"
                 "WAIT:\nmbarrier.test_wait.shared.b64 %p, [phase], %state;\n@!%p bra WAIT;\nEND:\nret;\n}\n"
    /* looks at a phase once, and counts n rounds up to 0 */
    KERNEL("counts") "mbarrier.init.shared.b64 [phase], 2;\nmbarrier.arrive.shared.b64 %state, [phase];\n"
                     "mbarrier.test_wait.shared.b64 %p, [phase], %state;\nsub.u32 %i, 0, %n;\n"
                     "AGAIN:\nadd.u32 %i, %i, 1;\nsetp.ne.u32 %p, %i, 0;\n@%p bra AGAIN;\nret;\n}\n"
    /* stores what is there; and loads two values beside each other, which do not decide whether it ends */
    KERNEL(
        "stores") "AGAIN:\nld.volatile.global.u32 %i, [%out];\nst.volatile.global.u32 [%out], %i;\n"
                  "setp.eq.u32 %p, %i, 0;\n@%p bra AGAIN;\nret;\n}\n" KERNEL(
                      "pairs") "AGAIN:\nld.volatile.shared.v2.u32 {%v, %old}, [pair];\nadd.u32 %v, %v, 1;\n"
                               "st.volatile.shared.u32 [pair], %v;\nld.volatile.global.v2.u32 {%old, %i}, "
                               "[%out];\n"
                               "setp.eq.u32 %p, %i, 0;\n@%p bra AGAIN;\nret;\n}\n"
    /* atomics that leave what is there, and others that come back to it */
    KERNEL("keeps") ROUNDS("atom.global.or.b32 %old, [%out], 0;\n") KERNEL("takes")
        ROUNDS("atom.global.exch.b32 %old, [%out], 0;\n") KERNEL("swaps")
            ROUNDS("atom.global.exch.b32 %old, [%out], 1;\natom.global.exch.b32 %old, [%out], 0;\n")
                KERNEL("flips")
                    ROUNDS("atom.global.xor.b32 %old, [%out], 1;\natom.global.xor.b32 %old, [%out], 1;\n")
                        KERNEL("long_rounds") IN_ROUNDS("") KERNEL("timed_rounds")
                            IN_ROUNDS("mov.u32 %old, %clock;\n");

typedef struct Seen {
    uint64_t steps, waited;
    unsigned count;
    GpuSyncEvent event;
} Seen;

static void on_end(void *self, const GpuLaunch *launch, GpuStatus status) {
    Seen *seen = self;
    (void)status;
    seen->steps = launch->warp_instructions;
    seen->waited = launch->waited_warps;
}

static void on_mistake(void *self, const GpuSyncEvent *event) {
    Seen *seen = self;
    seen->event = *event;
    seen->count++;
}

static void on_access(void *self, const GpuAccess *access) {
    (void)self, (void)access;
}

static Seen run_for(uint64_t steps, const char *kernel, uint32_t threads, uint32_t n, GpuStatus expected) {
    Seen seen = {0};
    GpuObserver observer = {
        .self = &seen, .launch_end = on_end, .sync_mistake = on_mistake, .access = on_access};
    Machine machine = machine_begin("progress", progress_ptx, (GpuConfig){.step_budget = steps}, &observer);
    assert_int_equal(machine_launch(&machine, kernel, 1, threads, n), expected);
    machine_end(&machine);
    return seen;
}

static Seen run(const char *kernel, uint32_t threads, uint32_t n, GpuStatus expected) {
    return run_for(1 << 26, kernel, threads, n, expected);
}

/* Whichever lane it is, and of whichever warp. */
static void test_a_phase_that_does_not_end(void **state) {
    (void)state;
    static const uint32_t waits[] = {0, 5, 31, 37};
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
        const Seen seen = run("waits", 64, waits[i], GPU_HANG);
        assert_true(seen.steps < 1 << 24);
        assert_int_equal(seen.count, 1);
        assert_int_equal(seen.event.mistake, GPU_SYNC_BUDGET);
        assert_true(seen.event.stuck);
        assert_true(seen.event.asks);
        assert_int_equal(seen.event.lanes, 1U << waits[i] % 32);
        assert_int_equal(seen.event.arrived, 1);
        assert_int_equal(seen.event.expected, 2);
    }
}

static void test_what_stays_the_same_never_ends(void **state) {
    (void)state;
    static const char *const kernels[] = {"stores", "pairs"};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        const Seen seen = run(kernels[i], 32, 0, GPU_HANG);
        assert_true(seen.steps < 1 << 25);
        assert_true(seen.event.stuck);
    }
}

/* What it counts goes away from where it ends, until it is there. */
static void test_who_asked_once_does_not_wait(void **state) {
    (void)state;
    const Seen seen = run("counts", 1, 6 << 20, GPU_OK);
    assert_int_equal(seen.count, 0);
}

static void test_atomics_that_change_something_do_not_wait(void **state) {
    (void)state;
    assert_true(run("keeps", 1, 100, GPU_OK).waited > 100);
    assert_true(run("takes", 1, 100, GPU_OK).waited > 100);
    assert_int_equal(run("flips", 1, 100, GPU_OK).waited, 0);
    assert_int_equal(run("swaps", 1, 100, GPU_OK).waited, 0);
}

/* Two of the long rounds fit into the first look: a launch that counts has used up its steps, and one that
 * looks at the time is seen for thrice as long, before much of it passes at once and again behind that. */
static void test_who_looks_at_the_time_is_watched_longer(void **state) {
    (void)state;
    enum { BUDGET = 1 << 20, FIRST_LOOK = 1 << 18 };
    const Seen counts = run_for(BUDGET, "long_rounds", 1, 40000, GPU_HANG);
    assert_in_range(counts.steps, BUDGET + FIRST_LOOK, BUDGET + 2 * FIRST_LOOK);
    const Seen looks = run_for(BUDGET, "timed_rounds", 1, 40000, GPU_HANG);
    assert_in_range(looks.steps, BUDGET + 5 * FIRST_LOOK, BUDGET + 7 * FIRST_LOOK);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_phase_that_does_not_end),
                                       cmocka_unit_test(test_what_stays_the_same_never_ends),
                                       cmocka_unit_test(test_who_asked_once_does_not_wait),
                                       cmocka_unit_test(test_atomics_that_change_something_do_not_wait),
                                       cmocka_unit_test(test_who_looks_at_the_time_is_watched_longer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
