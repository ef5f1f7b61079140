/* test_lent.c - pointers to a thread's own variable that other threads follow: who is at fault, and whose the
 * variable was.
 *
 * Each thread leaves the address of its own variable, by itself and as the second of two values, and follows
 * the one that the thread n further on has left.
 */
#include "ptx_file.h"

static const char lent_ptx[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n.shared .align 8 .b64 left[64];\n"
    ".visible .entry lend(.param .u64 out, .param .u32 n) {\n.local .align 8 .b32 own[2];\n"
    ".reg .b64 %out, %at, %from, %d, %own, %other, %two, %zero;\n.reg .b32 %t, %n, %u, %v;\n"
    "ld.param.u64 %out, [out];\nld.param.u32 %n, [n];\nmov.u32 %t, %tid.x;\nst.local.u32 [own], %t;\n"
    "mov.u64 %own, own;\ncvta.local.u64 %own, %own;\nmov.u64 %zero, 0;\n"
    "mul.wide.u32 %d, %t, 16;\nadd.u64 %at, %out, %d;\n"
    "add.u32 %u, %t, %n;\nand.b32 %u, %u, 31;\nmul.wide.u32 %d, %u, 16;\nadd.u64 %from, %out, %d;\n"
    "st.global.u64 [%at], %own;\nbar.sync 0;\nld.global.u64 %other, [%from];\nld.u32 %v, [%other];\n"
    "bar.sync 0;\n"
    "st.global.v2.u64 [%at], {%zero, %own};\nbar.sync 0;\nld.global.u64 %two, [%from+8];\nld.u32 %v, "
    "[%two];\n"
    "ret;\n}\n"
    /* the odd ones first, then the even ones; each follows what it has left itself */
    ".visible .entry in_turn(.param .u64 out, .param .u32 n) {\n.local .align 8 .b32 own[2];\n"
    ".reg .b64 %out, %at, %from, %d, %own, %other;\n.reg .b32 %t, %u, %v;\n.reg .pred %odd;\n"
    "ld.param.u64 %out, [out];\nmov.u32 %t, %tid.x;\nst.local.u32 [own], %t;\n"
    "mov.u64 %own, own;\ncvta.local.u64 %own, %own;\nmul.wide.u32 %d, %t, 8;\nadd.u64 %at, %out, "
    "%d;\nadd.u64 %from, %out, %d;\n"
    "and.b32 %u, %t, 1;\nsetp.eq.u32 %odd, %u, 1;\n@%odd st.global.u64 [%at], %own;\n"
    "@!%odd st.global.u64 [%at], %own;\nld.global.u64 %other, [%from];\nld.u32 %v, [%other];\nret;\n}\n";

enum { LOADS = 2 };

typedef struct Seen {
    unsigned count;
    GpuFault faults[LOADS];
} Seen;

static void on_fault(void *self, const GpuFault *fault) {
    Seen *seen = self;
    assert_true(seen->count < LOADS);
    seen->faults[seen->count++] = *fault;
}

static Seen follow(const char *kernel, uint32_t n) {
    Seen seen = {0};
    GpuObserver observer = {.self = &seen, .fault = on_fault};
    Machine machine = machine_begin("lent", lent_ptx, (GpuConfig){0}, &observer);
    assert_int_equal(machine_launch(&machine, kernel, 1, GPU_WARP_LANES, n), GPU_OK);
    machine_end(&machine);
    return seen;
}

static void test_ones_own_variable(void **state) {
    (void)state;
    assert_int_equal(follow("lend", 0).count, 0);
    assert_int_equal(follow("in_turn", 0).count, 0);
}

static void test_every_lane_follows_another_ones(void **state) {
    (void)state;
    const Seen seen = follow("lend", 5);
    assert_int_equal(seen.count, LOADS);
    for (unsigned i = 0; i < LOADS; i++) {
        assert_int_equal(seen.faults[i].kind, GPU_FAULT_LENT);
        assert_int_equal(seen.faults[i].lanes, UINT32_MAX);
        assert_int_equal(seen.faults[i].lender.thread, 5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ones_own_variable),
                                       cmocka_unit_test(test_every_lane_follows_another_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
