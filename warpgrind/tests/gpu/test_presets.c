/* test_presets.c - what a launch executes once for each warp: which instructions, that registers and words
 * hold what this launch makes of them, and that everything is counted as if it had been executed where it
 * stands.
 */
#include "ptx_file.h"

#include "gpu/inspect.h"

static const char head[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                           ".visible .entry test(.param .u64 out, .param .u32 n)\n{\n"
                           ".reg .b32 %r, %s, %t, %v;\n.reg .pred %p, %q;\n.reg .b64 %at, %a, %sp;\n"
                           ".local .align 8 .b8 own[16];\n";

static Machine begin(const char *body, const GpuObserver *observer) {
    char text[4096];
    int length = snprintf(text, sizeof text, "%s%s\nret;\n}\n", head, body);
    return machine_begin_at(0, "presets", text, (size_t)length, (GpuConfig){.track_undefined = true},
                            observer);
}

/* ---- which instructions ---- */

typedef struct Row {
    const char *body;
    unsigned presets;
} Row;

static const Row rows[] = {
    {"", 0},
    {"ld.param.u32 %r, [n];", 1},
    {"ld.param.u64 %at, [out]; cvta.to.global.u64 %a, %at;", 2},
    {"mov.u32 %r, %tid.x; shl.b32 %s, %r, 2;", 2},
    {"mov.u32 %r, %ntid.x; mov.u32 %s, %nctaid.y;", 2},
    {"mov.u32 %r, %ctaid.x; add.u32 %s, %r, 1;", 0},
    {"mov.u32 %r, %ctaid.y; mov.u32 %s, %ctaid.z;", 0},
    {"mov.u32 %r, %clock;", 0},
    {"mov.u32 %r, 1; mov.u32 %r, 2;", 0},
    {"mov.u32 %r, 1; add.u32 %r, %r, 1;", 0},
    {"setp.eq.u32 %p, 0, 0; @%p mov.u32 %r, 1;", 0},
    {"mov.u32 %r, 7; setp.eq.u32 %p, %r, 7;", 1},
    {"ld.param.u64 %at, [out]; ld.global.u32 %r, [%at]; add.u32 %s, %r, 1;", 1},
    {"mov.u32 %r, 1; shfl.sync.bfly.b32 %s, %r, 1, 31, -1;", 1},
    {"mov.u32 %r, 3; A: mov.u32 %s, %tid.x; setp.eq.u32 %p, %s, 99; @%p bra A;", 2},
    /* words of the frame */
    {"mov.u64 %sp, own;", 1},
    {"ld.param.u32 %r, [n]; st.local.u32 [own], %r; ld.local.u32 %s, [own];", 3},
    {"st.local.u32 [own], 5; ld.local.u32 %s, [own];", 2},
    {"st.local.u32 [own], 5; ld.local.u32 %s, [own]; st.local.u32 [own], 6;", 0},
    {"st.local.u32 [own], 5; st.local.u32 [own+4], 6; ld.local.u64 %at, [own];", 2},
    {"st.local.u32 [own], 5; ld.local.s32 %at, [own];", 2},
    {"mov.u32 %r, %ctaid.x; st.local.u32 [own], %r; ld.local.u32 %s, [own];", 0},
    {"st.local.u64 [own+8], own; st.local.u32 [own], 5; ld.local.u32 %s, [own];", 0}, /* its address leaves */
    {"ld.local.u32 %s, [own]; st.local.u32 [own], 5;", 0},                            /* no value yet */
    {"add.u32 %s, %r, 1; mov.u32 %t, 1;", 0}, /* of a function that reads what it has not written */
};

static void test_which_instructions(void **state) {
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Machine machine = begin(rows[i].body, NULL);
        GpuKernel *kernel = gpu_kernel_find(machine.module, "test");
        assert_true(gpu_kernel_prepare(kernel, NULL));
        const bool words =
            strstr(rows[i].body, "local") != NULL; /* with CHECK_BOTH none is known to be sure */
        const unsigned presets = kernel->entry->preset_count;
        if (CHECK_BOTH && words ? presets > rows[i].presets : presets != rows[i].presets) {
            fprintf(stderr, "%s has %u presets, not %u\n", rows[i].body, presets, rows[i].presets);
            wrong++;
        }
        machine_end(&machine);
    }
    assert_int_equal(wrong, 0);
}

/* ---- what they hold ---- */

/** out[ctaid * 64 + tid] = 2n + tid * 4, by words of the frame, round by round; half of the lanes enter the
 * loop at the preset in its middle. */
static const char sums[] =
    "ld.param.u64 %at, [out];\nld.param.u32 %r, [n];\nst.local.u32 [own], %r;\nmov.u32 %t, %tid.x;\n"
    "mov.u32 %v, 0;\nsetp.lt.u32 %p, %t, 16;\n@%p bra MIDDLE;\n"
    "AGAIN:\nadd.u32 %v, %v, 1;\n"
    "MIDDLE:\nld.local.u32 %s, [own];\nadd.u32 %v, %v, %s;\nsetp.lt.u32 %q, %v, %s;\n@%q bra AGAIN;\n"
    "@%p bra PUT;\nPUT:\nld.local.u32 %s2, [own];\nadd.u32 %v, %v, %s2;\nshl.b32 %u, %t, 2;\nadd.u32 %v, %v, "
    "%u;\n"
    "mov.u32 %b, %ctaid.x;\nmad.lo.u32 %b, %b, 64, %t;\nmul.wide.u32 %a, %b, 4;\nadd.u64 %a, %at, %a;\n"
    "st.global.u32 [%a], %v;\n";
static const char more_registers[] = ".reg .b32 %s2, %u, %b;\n";

static uint32_t expected(uint32_t t, uint32_t n) {
    uint32_t v = n; /* one round is enough to leave */
    return v + n + 4 * t;
}

static void test_what_they_hold(void **state) {
    (void)state;
    char body[2048];
    snprintf(body, sizeof body, "%s%s", more_registers, sums);
    Machine machine = begin(body, NULL);
    for (uint32_t n = 5; n < 8; n++) {
        assert_int_equal(machine_launch(&machine, "test", 40, 50, n), GPU_OK);
        for (uint32_t i = 0; i < 40 * 64; i++)
            if (i % 64 < 50)
                assert_int_equal(machine_u32(&machine, i), expected(i % 64, n) + (i % 64 < 16 ? 0 : 1));
    }
    machine_end(&machine);
}

/* ---- what is counted ---- */

typedef struct Counts {
    GpuLaunch launch;
    uint64_t ranges, pcs;
} Counts;

static void on_end(void *self, const GpuLaunch *launch, GpuStatus status) {
    (void)status;
    ((Counts *)self)->launch = *launch;
}

static void on_executed(void *self, const GpuWarp *warp, uint32_t first, uint32_t last, uint32_t lanes) {
    Counts *counts = self;
    (void)warp;
    counts->pcs += (last - first + 1) * (uint64_t)__builtin_popcount(lanes);
}

static void on_access(void *self, const GpuAccess *access) {
    (void)self, (void)access;
}

static void on_step(void *self, const GpuStepping *step) {
    (void)step;
    (*(uint64_t *)self)++;
}

/** With somebody who looks at each instruction all of them are executed where they stand. */
static Counts counts_of(bool stepped) {
    Counts counts = {0};
    uint64_t steps = 0;
    char body[2048];
    snprintf(body, sizeof body, "%s%s", more_registers, sums);
    GpuObserver observer = {
        .self = &counts, .launch_end = on_end, .executed = on_executed, .access = on_access};
    Machine machine = begin(body, &observer);
    if (stepped) gpu_set_stepper(machine.gpu, on_step, &steps);
    assert_int_equal(machine_launch(&machine, "test", 3, 50, 5), GPU_OK);
    machine_end(&machine);
    if (stepped) assert_true(steps >= counts.launch.warp_instructions);
    return counts;
}

static void test_what_is_counted(void **state) {
    (void)state;
    const Counts all = counts_of(true), left_out = counts_of(false);
    assert_int_equal(left_out.launch.warp_instructions, all.launch.warp_instructions);
    assert_int_equal(left_out.launch.thread_instructions, all.launch.thread_instructions);
    assert_int_equal(left_out.pcs, all.pcs);
    assert_memory_equal(&left_out.launch.local, &all.launch.local, sizeof all.launch.local);
    assert_int_equal(all.launch.local.store_requests, 3 * 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_which_instructions),
                                       cmocka_unit_test(test_what_they_hold),
                                       cmocka_unit_test(test_what_is_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
