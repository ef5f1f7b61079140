/* test_local.c - memory of one thread: what alloca gives and takes back, parameters at generic addresses; and
 * modules with functions that cannot be executed. */
#include "ptx_file.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
#define KERNEL(name)                                                                                         \
    ".visible .entry " name "(.param .u64 out, .param .u32 n) {\n"                                           \
    ".reg .b64 %out, %at, %top, %d;\n.reg .b32 %n, %r;\n.reg .pred %p;\n"                                    \
    "ld.param.u64 %out, [out];\nld.param.u32 %n, [n];\n"

static const char local_ptx[] = HEAD
    /* four words, of which the n-th is stored to and read */
    KERNEL("four") "alloca.u64 %at, 16;\nmul.wide.u32 %d, %n, 4;\nadd.u64 %at, %at, %d;\n"
                   "st.local.u32 [%at], 9;\nld.local.u32 %r, [%at];\nst.global.u32 [%out], %r;\nret;\n}\n"
    /* all of an array of 256 words, which is the whole frame; how many are not as they were stored */
    KERNEL(
        "fills") ".local .align 8 .b8 own[1024];\n.reg .b64 %own;\n.reg .b32 %i, %wrong, %v;\n"
                 "mov.u64 %own, own;\nmov.u32 %i, 0;\nSTORE:\nmul.wide.u32 %d, %i, 4;\nadd.u64 %at, %own, "
                 "%d;\n"
                 "add.u32 %v, %i, 7;\nst.local.u32 [%at], %v;\nadd.u32 %i, %i, 1;\nsetp.lt.u32 %p, %i, 256;\n"
                 "@%p bra STORE;\nmov.u32 %i, 0;\nmov.u32 %wrong, 0;\nLOAD:\nmul.wide.u32 %d, %i, 4;\n"
                 "add.u64 %at, %own, %d;\nld.local.u32 %v, [%at];\nsub.u32 %v, %v, %i;\nsetp.ne.u32 %p, %v, "
                 "7;\n"
                 "@%p add.u32 %wrong, %wrong, 1;\nadd.u32 %i, %i, 1;\nsetp.lt.u32 %p, %i, 256;\n@%p bra "
                 "LOAD;\n"
                 "atom.global.add.u32 %v, [%out], %wrong;\nret;\n}\n"
                 /* one word stored and loaded; what a call is given is no access */
                 ".func (.param .b32 r) next(.param .b32 v) {\n.reg .b32 %v;\nld.param.u32 %v, [v];\nadd.u32 "
                 "%v, %v, 1;\n"
                 "st.param.b32 [r], %v;\nret;\n}\n" KERNEL(
                     "counted") ".local .align 8 .b8 own[8];\nst.local.u32 [own+4], %n;\nld.local.u32 %r, "
                                "[own+4];\n"
                                "{\n.param .b32 a;\n.param .b32 b;\nst.param.b32 [a], %r;\ncall (b), next, "
                                "(a);\nld.param.b32 %r, [b];\n}\n"
                                "st.global.u32 [%out], %r;\nret;\n}\n"
    /* n bytes, read after they have been given back */
    KERNEL("given_back") "cvt.u64.u32 %d, %n;\nstacksave.u64 %top;\nalloca.u64 %at, %d;\n"
                         "st.local.u32 [%at], 9;\nstackrestore.u64 %top;\nld.local.u32 %r, [%at];\nret;\n}\n"
    /* n bytes again and again */
    KERNEL("endless") "cvt.u64.u32 %d, %n;\nAGAIN:\nalloca.u64 %at, %d;\nbra AGAIN;\n}\n"
    /* what nobody has set decides */
    KERNEL("unset") "alloca.u64 %at, 16;\nld.local.u32 %r, [%at];\nsetp.eq.u32 %p, %r, 0;\n@%p bra END;\n"
                    "st.global.u32 [%out], 1;\nEND:\nret;\n}\n"
    /* the word at byte n of the parameters */
    KERNEL("parameter") "mov.b64 %at, out;\ncvta.param.u64 %at, %at;\ncvt.u64.u32 %d, %n;\n"
                        "add.u64 %at, %at, %d;\nld.u32 %r, [%at];\nst.global.u32 [%out], %r;\n"
                        "isspacep.param %p, %at;\nselp.u32 %r, 1, 0, %p;\nst.global.u32 [%out+4], "
                        "%r;\nret;\n}\n" KERNEL("set_parameter") "mov.b64 %at, n;\ncvta.param.u64 %at, "
                                                                 "%at;\nst.u32 [%at], 1;\nret;\n}\n";

typedef struct Seen {
    unsigned faults, uses;
    GpuFault fault;
} Seen;

static void on_fault(void *self, const GpuFault *fault) {
    Seen *seen = self;
    seen->faults++;
    seen->fault = *fault;
}

static void on_use(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc, GpuUndefinedUse use,
                   uint32_t origin) {
    Seen *seen = self;
    (void)warp, (void)lanes, (void)pc, (void)origin;
    assert_int_equal(use, GPU_UNDEFINED_BRANCH);
    seen->uses++;
}

/** Launches one warp of `kernel` with n; the first word of the output in *word. */
static GpuStatus run(const char *kernel, uint32_t n, Seen *seen, uint32_t *word) {
    *seen = (Seen){0};
    GpuObserver observer = {.self = seen, .fault = on_fault, .undefined_use = on_use};
    Machine machine = machine_begin("local", local_ptx, (GpuConfig){.track_undefined = true}, &observer);
    GpuStatus status = machine_launch(&machine, kernel, 1, 32, n);
    *word = machine_u32(&machine, 0);
    machine_end(&machine);
    return status;
}

static void test_alloca_has_bounds(void **state) {
    (void)state;
    Seen seen;
    uint32_t word;
    assert_int_equal(run("four", 3, &seen, &word), GPU_OK);
    assert_int_equal(seen.faults, 0);
    assert_int_equal(word, 9);
    assert_int_equal(run("four", 4, &seen, &word), GPU_OK);
    assert_int_equal(seen.faults, 2); /* the store and the load */
    assert_int_equal(seen.fault.kind, GPU_FAULT_OUT_OF_BOUNDS);
    assert_int_equal(seen.fault.space, PTX_SPACE_LOCAL);
    assert_int_equal(run("given_back", 64, &seen, &word), GPU_OK);
    assert_int_equal(seen.faults, 1);
    assert_int_equal(seen.fault.access, GPU_READ);
}

/** What is known of each warp's words lies behind the words of all. */
static void test_every_warp_has_its_frame(void **state) {
    (void)state;
    Seen seen = {0};
    GpuObserver observer = {.self = &seen, .fault = on_fault, .undefined_use = on_use};
    Machine machine = machine_begin("local", local_ptx, (GpuConfig){.track_undefined = true}, &observer);
    assert_int_equal(machine_launch(&machine, "fills", 1, 96, 0), GPU_OK);
    assert_int_equal(machine_u32(&machine, 0), 0);
    assert_int_equal(seen.faults + seen.uses, 0);
    machine_end(&machine);
}

static void keep_counts(void *self, const GpuLaunch *launch, GpuStatus status) {
    (void)status;
    *(GpuLocalCounts *)self = launch->local;
}

static void look_away(void *self, const GpuAccess *access) {
    (void)self, (void)access;
}

static void test_parameters_are_no_local_accesses(void **state) {
    (void)state;
    GpuLocalCounts counts = {0};
    GpuObserver observer = {.self = &counts, .launch_end = keep_counts, .access = look_away};
    Machine machine = machine_begin("local", local_ptx, (GpuConfig){0}, &observer);
    assert_int_equal(machine_launch(&machine, "counted", 1, 32, 5), GPU_OK);
    assert_int_equal(machine_u32(&machine, 0), 6);
    assert_int_equal(counts.load_requests, 1);
    assert_int_equal(counts.store_requests, 1);
    assert_int_equal(counts.load_sectors, 4);
    assert_int_equal(counts.store_sectors, 4);
    machine_end(&machine);
}

static void test_stack_is_finite(void **state) {
    (void)state;
    Seen seen;
    uint32_t word;
    assert_int_equal(run("endless", 64, &seen, &word), GPU_STACK_OVERFLOW);
    assert_int_equal(run("endless", UINT32_MAX, &seen, &word), GPU_STACK_OVERFLOW);
}

static void test_alloca_is_undefined(void **state) {
    (void)state;
    Seen seen;
    uint32_t word;
    assert_int_equal(run("unset", 0, &seen, &word), GPU_OK);
    assert_int_equal(seen.uses, 1);
}

static void test_generic_parameters(void **state) {
    (void)state;
    Seen seen;
    uint32_t word;
    assert_int_equal(run("parameter", 8, &seen, &word), GPU_OK);
    assert_int_equal(word, 8);
    assert_int_equal(seen.faults, 0);
    assert_int_equal(run("parameter", 12, &seen, &word), GPU_OK);
    assert_int_equal(seen.faults, 1);
    assert_int_equal(seen.fault.kind, GPU_FAULT_OUT_OF_BOUNDS);
    assert_int_equal(run("set_parameter", 0, &seen, &word), GPU_ILLEGAL_ADDRESS);
    assert_int_equal(seen.fault.kind, GPU_FAULT_READ_ONLY);
}

/* ---- functions that cannot be executed ---- */

/* clang-format off */
static const char exotic_ptx[] = HEAD
    ".extern .func nobody();\n"
    ".func exotic() { wgmma.fence.sync.aligned; ret; }\n"
    ".func plain() { ret; }\n"
    ".func indirect() { call exotic; ret; }\n"
    ".visible .global .u64 functions[3] = {exotic, plain, indirect};\n"
    KERNEL("fine") "st.global.u32 [%out], 5;\ncall plain;\nret;\n}\n"
    KERNEL("direct") "call exotic;\nret;\n}\n"
    KERNEL("through_another") "call indirect;\nret;\n}\n"
    KERNEL("named") "mov.u64 %d, exotic;\nret;\n}\n"
    KERNEL("undefined") "call nobody;\nret;\n}\n"
    KERNEL("through_table")
    "mov.u64 %at, functions;\nmul.wide.u32 %d, %n, 8;\nadd.u64 %at, %at, %d;\nld.global.u64 %d, [%at];\n"
    "P: .callprototype _ ();\ncall %d, P;\nst.global.u32 [%out], 6;\nret;\n}\n";
/* clang-format on */

static void assert_prepared(const Machine *machine, const char *kernel, const char *words) {
    Diagnostics diagnostics;
    diag_init(&diagnostics, machine->arena);
    bool fine = gpu_kernel_prepare(gpu_kernel_find(machine->module, kernel), &diagnostics);
    assert_int_equal(fine, words == NULL);
    assert_int_equal(diagnostics.errors, words != NULL);
    if (words && !strstr(diagnostics.first->message, words))
        fail_msg("\"%s\" does not say \"%s\"", diagnostics.first->message, words);
}

static void test_only_who_needs_it_is_refused(void **state) {
    (void)state;
    Machine machine = machine_begin("exotic", exotic_ptx, (GpuConfig){0}, NULL);
    for (int again = 0; again < 2; again++) {
        assert_prepared(&machine, "direct", "cannot execute wgmma");
        assert_prepared(&machine, "through_another", "cannot execute wgmma");
        assert_prepared(&machine, "named", "cannot execute wgmma");
        assert_prepared(&machine, "undefined", "'nobody' is defined neither in this module");
        assert_prepared(&machine, "fine", NULL);
        assert_prepared(&machine, "through_table", NULL);
    }
    assert_int_equal(machine_launch(&machine, "fine", 1, 32, 0), GPU_OK);
    assert_int_equal(machine_u32(&machine, 0), 5);
    assert_int_equal(machine_launch(&machine, "through_table", 1, 32, 1), GPU_OK);
    assert_int_equal(machine_u32(&machine, 0), 6);
    assert_int_equal(machine_launch(&machine, "through_table", 1, 32, 0), GPU_ILLEGAL_INSTRUCTION);
    assert_int_equal(machine_launch(&machine, "through_table", 1, 32, 2), GPU_ILLEGAL_INSTRUCTION);
    machine_end(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alloca_has_bounds),
        cmocka_unit_test(test_every_warp_has_its_frame),
        cmocka_unit_test(test_parameters_are_no_local_accesses),
        cmocka_unit_test(test_stack_is_finite),
        cmocka_unit_test(test_alloca_is_undefined),
        cmocka_unit_test(test_generic_parameters),
        cmocka_unit_test(test_only_who_needs_it_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
