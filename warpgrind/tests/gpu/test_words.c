/* test_words.c - the words of a local frame: which functions are known to write each before they read it, and
 * that definedness is as right in those as in others, whatever comes into them and wherever it goes.
 */
#include "ptx_file.h"

#include "gpu/inspect.h"

/* ---- which functions ---- */

typedef struct Frame {
    const char *statement;
    bool sure;
} Frame;

/** Of a function with two words `own` and `own + 4`, their address in %sp; %p is set, %at has no value. */
static const Frame frames[] = {
    {"", true},
    {"st.local.u32 [%sp], 1; ld.local.u32 %r, [%sp];", true},
    {"st.local.u32 [own], 1; ld.local.u32 %r, [own];", true},
    {"st.local.u32 [%sp], 1; ld.local.u32 %r, [%sp+4];", false},
    {"st.local.u16 [%sp], 1; ld.local.u32 %r, [%sp];", false},
    {"st.local.u16 [%sp], 1; ld.local.u16 %r, [%sp];", true},
    {"st.local.u32 [%sp], 1; st.local.u32 [%sp+4], 2; ld.local.u64 %at, [%sp];", true},
    {"st.local.v2.u32 [%sp], {1, 2}; ld.local.u64 %at, [%sp];", true},
    {"@%p st.local.u32 [%sp], 1; ld.local.u32 %r, [%sp];", false},
    {"st.local.u32 [%sp], 1; @%p ld.local.u32 %r, [%sp];", false},
    {"@%p bra A; st.local.u32 [%sp], 1; A: ld.local.u32 %r, [%sp];", false},
    {"@%p bra A; st.local.u32 [%sp], 1; bra B; A: st.local.u32 [%sp], 2; B: ld.local.u32 %r, [%sp];", true},
    {"bra B; A: ld.local.u32 %r, [%sp]; ret; B: st.local.u32 [%sp], 1; bra A;", true},
    {"st.local.u32 [%sp], 1; A: ld.local.u32 %r, [%sp]; st.local.u32 [%sp], %r; @%p bra A;", true},
    {"add.u64 %at, %sp, 4; st.local.u32 [%at], 1; ld.local.u32 %r, [own+4];", true},
    {"cvta.local.u64 %at, %sp; st.u32 [%at], 1; ld.u32 %r, [%at];", true},
    /* addresses that leave */
    {"st.local.u64 [%sp], %sp;", false},
    {"st.local.u64 [%sp], own;", false},
    {"mov.u64 %at, 8; add.u64 %at, %sp, %at;", false},
    {"mov.u64 %at, 0; mov.u64 %at, %sp;", false},
    {"mov.u64 %at, 0; ld.local.u32 %r, [%at];", true}, /* it cannot be the address of anything here */
    {"st.shared.u64 [box], %sp;", false},
    {"mov.b64 {%r, %s}, %sp;", false},
    /* calls */
    {"st.param.b32 [in], 1; call (back), same, (in); ld.param.b32 %r, [back];", true},
    {"call (back), same, (in); ld.param.b32 %r, [back];", false},
    {"st.param.b32 [in], 1; call (back), same, (in); ld.param.b32 %r, [in];", true},
    {"ld.param.b32 %r, [back];", false},
    {"st.param.b32 [in], 1; @%p call (back), same, (in); ld.param.b32 %r, [back];", false},
};

static const char functions[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n.shared .align 8 .b8 box[8];\n"
    ".func (.param .b32 out) same(.param .b32 in)\n{\n.reg .b32 %r;\n.local .align 4 .b8 mine[4];\n"
    "ld.param.b32 %r, [in];\nst.local.u32 [mine], %r;\nld.local.u32 %r, [mine];\nst.param.b32 [out], "
    "%r;\nret;\n}\n"
    ".func (.param .b32 out) one(.param .b32 in)\n{\nst.param.b32 [out], 1;\nret;\n}\n"
    ".func (.param .b32 out) none(.param .b32 in)\n{\nret;\n}\n"
    ".func (.param .b32 out) boxed(.param .b32 in)\n{\n.reg .b32 %r;\nld.shared.u32 %r, [box];\n"
    "st.param.b32 [out], %r;\nret;\n}\n"
    ".func (.param .b32 out) keeps(.param .b32 in)\n{\n.reg .b32 %r;\n.local .align 4 .b8 mine[4];\n"
    "ld.shared.u32 %r, [box];\nst.local.u32 [mine], %r;\nbar.warp.sync 0xffffffff;\nbar.warp.sync "
    "0xffffffff;\n"
    "ld.local.u32 %r, [mine];\nst.param.b32 [out], %r;\nret;\n}\n"
    ".func (.param .b32 out) wakes(.param .b32 in)\n{\n.reg .b32 %r;\n.local .align 4 .b8 mine[4];\n"
    "bar.warp.sync 0xffffffff;\nld.shared.u32 %r, [box];\nst.local.u32 [mine], 1;\nbar.warp.sync "
    "0xffffffff;\n"
    "ld.local.u32 %r, [mine];\nst.param.b32 [out], %r;\nret;\n}\n";
static const char locals[] = ".reg .b32 %r, %s, %u;\n.reg .pred %p;\n.reg .b64 %sp, %at, %f;\n"
                             ".local .align 8 .b8 own[16];\n.param .b32 in, back, more;\nmov.u64 %sp, own;\n";

static Machine begin(const char *body, GpuConfig config, const GpuObserver *observer) {
    char text[4096];
    int length = snprintf(text, sizeof text,
                          "%s.visible .entry test(.param .u64 out, .param .u32 n)\n{\n%s%s\nret;\n}\n",
                          functions, locals, body);
    return machine_begin_at(0, "words", text, (size_t)length, config, observer);
}

static void test_which_functions(void **state) {
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        char body[1024];
        snprintf(body, sizeof body, "setp.eq.u32 %%p, 0, 0;\n%s", frames[i].statement);
        Machine machine = begin(body, (GpuConfig){0}, NULL);
        GpuKernel *kernel = gpu_kernel_find(machine.module, "test");
        assert_true(gpu_kernel_prepare(kernel, NULL));
        const bool sure = frames[i].sure && !CHECK_BOTH;
        if (kernel->entry->words_sure != sure) {
            fprintf(stderr, "%s should %sbe sure\n", frames[i].statement, frames[i].sure ? "" : "not ");
            wrong++;
        }
        machine_end(&machine);
    }
    assert_int_equal(wrong, 0);
}

/* ---- what is undefined in them ---- */

typedef struct Way {
    const char *statement; /**< leaves %r */
    bool undefined;
} Way;

/** %u is undefined, as is `box`; own has 5, and own + 4 what %u has. */
static const Way ways[] = {
    {"ld.local.u32 %r, [own];", false},
    {"ld.local.u32 %r, [own+4];", true},
    {"st.local.u32 [own+4], 1; ld.local.u32 %r, [own+4];", false},
    {"st.local.u32 [own], %u; ld.local.u32 %r, [own];", true},
    {"ld.local.u32 %r, [own]; st.param.b32 [in], %r; call (back), same, (in); ld.param.b32 %r, [back];",
     false},
    {"st.param.b32 [in], %u; call (back), same, (in); ld.param.b32 %r, [back];", true},
    {"st.param.b32 [in], %u; call (back), one, (in); ld.param.b32 %r, [back];", false},
    {"st.param.b32 [in], %u; call (back), one, (in); ld.local.u32 %r, [own+4];", true},
    {"st.param.b32 [in], 3; call (back), boxed, (in); ld.param.b32 %r, [back];", true},
    {"st.param.b32 [in], 3; call (back), boxed, (in); ld.local.u32 %r, [own];", false},
    {"st.param.b32 [in], 3; call (back), none, (in); ld.param.b32 %r, [back];", true},
};

static void on_use(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc, GpuUndefinedUse use,
                   uint32_t origin) {
    unsigned *uses = self;
    (void)warp, (void)lanes, (void)pc, (void)use, (void)origin;
    (*uses)++;
}

/** Nothing in shared memory has a value. */
static void on_definedness(void *self, GpuAccess *access) {
    (void)self;
    if (access->kind != GPU_READ) return;
    access->undefined_lanes = access->lanes;
    for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
        access->undefined_bytes[lane] = 0xf;
}

static void on_access(void *self, const GpuAccess *access) {
    (void)self, (void)access;
}

/** The block before leaves nothing but undefined values in the words. */
static const char leaves[] =
    "mov.u32 %s, %ctaid.x;\nsetp.ne.u32 %p, %s, 0;\n@%p bra BEGIN;\nld.shared.u32 %u, [box];\n"
    "st.local.u32 [own], %u;\nst.local.u32 [own+4], %u;\nst.param.b32 [in], %u;\n"
    "call (back), same, (in);\nret;\nBEGIN:\n";

/** Of the second block. */
static unsigned uses_in(const char *statements) {
    unsigned uses = 0;
    char body[2048];
    snprintf(body, sizeof body, "%s%s", leaves, statements);
    GpuObserver observer = {.self = &uses, .undefined_use = on_use, .access = on_access};
    Machine machine = begin(body, (GpuConfig){.track_undefined = true}, &observer);
    gpu_set_keeper(machine.gpu, &(GpuKeeper){.access = on_definedness});
    assert_int_equal(machine_launch(&machine, "test", 2, 32, 0), GPU_OK);
    assert_true(CHECK_BOTH || gpu_kernel_find(machine.module, "test")->entry->words_sure);
    machine_end(&machine);
    return uses;
}

static const char arrives[] = "st.local.u32 [own], 5;\nld.shared.u32 %u, [box];\nst.local.u32 [own+4], %u;\n";
static const char branches[] = "setp.eq.u32 %p, %r, 0;\n@%p bra END;\nEND:\n";

static void test_what_is_undefined(void **state) {
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char body[1024];
        snprintf(body, sizeof body, "%s%s\n%s", arrives, ways[i].statement, branches);
        if ((uses_in(body) != 0) == ways[i].undefined) continue;
        fprintf(stderr, "%s should be %s\n", ways[i].statement, ways[i].undefined ? "undefined" : "defined");
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/** The caller's frame is at rest when the undefined value comes back to it. */
static void test_wakes_the_caller(void **state) {
    (void)state;
    static const char call[] = "st.local.u32 [own], 5;\nst.param.b32 [in], 3;\ncall (back), boxed, (in);\n";
    char body[1024];
    snprintf(body, sizeof body, "%sld.param.b32 %%r, [back];\n%s", call, branches);
    assert_int_equal(uses_in(body), 1);
    snprintf(body, sizeof body, "%sld.local.u32 %%r, [own];\n%s", call, branches);
    assert_int_equal(uses_in(body), 0);
}

/** Lanes that are in another frame, at the same place of their own stacks, keep what is undefined there. */
static void test_wakes_its_own_lanes(void **state) {
    (void)state;
    static const char body[] =
        "mov.u32 %s, %tid.x;\nsetp.lt.u32 %p, %s, 16;\nst.param.b32 [in], 3;\n@%p bra FIRST;\n"
        "call (back), wakes, (in);\nbra.uni BOTH;\n"
        "FIRST:\ncall (back), keeps, (in);\nBOTH:\nld.param.b32 %r, [back];\n"
        "setp.eq.u32 %p, %r, 0;\n@%p bra END;\nEND:\n";
    assert_int_equal(uses_in(body), 1);
}

/** A pointer to a function that is declared with less than it has: what was not given has no value. */
static void test_argument_that_is_missing(void **state) {
    (void)state;
    static const char body[] = "mov.u64 %f, same;\nP: .callprototype (.param .b32 _) _ ();\n"
                               "call (back), %f, (), P;\nld.param.b32 %r, [back];\n"
                               "setp.eq.u32 %p, %r, 0;\n@%p bra END;\nEND:\n";
    assert_int_equal(uses_in(body), 1);
}

/* ---- somebody looks at them ---- */

static void on_step(void *self, const GpuStepping *step) {
    unsigned *seen = self;
    if (gpu_lane_has_value(step->warp, 3, GPU_LOCAL_WINDOW, 4))
        seen[1]++;
    else
        seen[0]++;
}

static void test_is_looked_at(void **state) {
    (void)state;
    unsigned seen[2] = {0};
    Machine machine = begin("mov.u32 %r, 1;\nst.local.u32 [own], %r;\nmov.u32 %s, 2;\n",
                            (GpuConfig){.track_undefined = true}, NULL);
    gpu_set_stepper(machine.gpu, on_step, seen);
    assert_int_equal(machine_launch(&machine, "test", 1, 32, 0), GPU_OK);
    machine_end(&machine);
    assert_int_equal(seen[0], 3);
    assert_int_equal(seen[1], 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_functions),          cmocka_unit_test(test_what_is_undefined),
        cmocka_unit_test(test_wakes_the_caller),         cmocka_unit_test(test_wakes_its_own_lanes),
        cmocka_unit_test(test_argument_that_is_missing), cmocka_unit_test(test_is_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
