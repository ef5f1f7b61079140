/* test_defined.c - which results are undefined when a source is: statements that look at undefined values,
 * and whether a branch on what they give is a use of one; and which code may read registers without a value.
 *
 * %u is undefined, %q is an undefined predicate, %half has two undefined bytes; %zero, %one, %yes and %no say
 * what they are. A statement leaves %r or %p.
 */
#include "ptx_file.h"

typedef struct Case {
    const char *statement;
    bool undefined;
} Case;

static const Case cases[] = {
    {"or.pred %p, %q, %yes;", false},
    {"or.pred %p, %yes, %q;", false},
    {"or.pred %p, %q, %no;", true},
    {"and.pred %p, %q, %no;", false},
    {"and.pred %p, %no, %q;", false},
    {"and.pred %p, %q, %yes;", true},
    {"xor.pred %p, %q, %no;", true},
    {"xor.pred %p, %q, %q;", false},
    {"not.pred %p, %q;", true},
    {"setp.eq.and.u32 %p, %u, 1, %no;", false},
    {"setp.eq.and.u32 %p, %u, 1, !%yes;", false},
    {"setp.eq.and.u32 %p, %u, 1, %yes;", true},
    {"setp.eq.or.u32 %p, %u, 1, %yes;", false},
    {"setp.eq.or.u32 %p, %u, 1, !%yes;", true},
    {"setp.eq.or.u32 %p, %u, 1, %q;", true},
    {"setp.eq.xor.u32 %p, %u, 1, %yes;", true},
    {"and.b32 %r, %u, %zero;", false},
    {"and.b32 %r, %u, %one;", true},
    {"or.b32 %r, %u, 0xffffffff;", false},
    {"or.b32 %r, %u, %one;", true},
    {"mul.lo.u32 %r, %u, %zero;", false},
    {"mul.lo.u32 %r, %u, %one;", true},
    {"mad.lo.u32 %r, %u, %zero, %one;", false},
    {"mad.lo.u32 %r, %zero, %one, %u;", true},
    {"mad.lo.u32 %r, %one, %u, %one;", true},
    {"sub.u32 %r, %u, %u;", false},
    {"sub.u32 %r, %u, %one;", true},
    {"xor.b32 %r, %u, %u;", false},
    {"xor.b32 %r, %u, %one;", true},
    {"selp.b32 %r, %one, 1, %q;", false},
    {"selp.b32 %r, %one, %zero, %q;", true},
    {"selp.b32 %r, %u, %one, %no;", false},
    {"selp.b32 %r, %u, %one, %yes;", true},
    {"lop3.b32 %r, %u, %zero, %one, 0xc0;", false}, /* a & b */
    {"lop3.b32 %r, %u, %one, %one, 0xc0;", true},
    {"lop3.b32 %r, %one, %zero, %u, 0xca;", true}, /* a ? b : c, where a is 0 */
    {"lop3.b32 %r, %ones, %zero, %u, 0xca;", false},
    {"lop3.b32 %r, %u, %one, %one, 0xca;", false},
    {"lop3.b32 %r, %u, %u, %zero, 0xf0;", true},    /* a */
    {"lop3.b32 %r, %u, %one, %zero, 0xcc;", false}, /* b */
    {"shl.b32 %r, %u, 32;", false},
    {"shl.b32 %r, %u, 31;", true},
    {"shr.u32 %r, %half, 4; and.b32 %r, %r, 0xff00;", true}, /* a bit shift takes bits from the next byte */
    {"shr.u32 %r, %half, 4; and.b32 %r, %r, 0xff;", false},
    {"shr.u32 %r, %half, 8; and.b32 %r, %r, 0xff;", false},
    {"shr.u32 %r, %half, 24; shl.b32 %r, %r, 4; and.b32 %r, %r, 0xff00;", true},
    {"shr.u32 %r, %half, 24; shl.b32 %r, %r, 8; and.b32 %r, %r, 0xff;", false},
    {"shr.s32 %r, %half, 12; and.b32 %r, %r, 0xff000000;", true}, /* an undefined sign */
    {"shr.u32 %r, %half, 16; and.b32 %r, %r, 0xff000000;", false},
    {"and.b32 %r, %half, 0xffff;", false},
    {"and.b32 %r, %half, 0x30000;", true},
    {"bfe.u32 %r, %half, 0, 16;", false},
    {"bfe.u32 %r, %half, 4, 12;", false},
    {"bfe.u32 %r, %half, 4, 13;", true},
    {"bfe.u32 %r, %half, 24, 8;", true},
    {"bfe.s32 %r, %u, 8, 0;", false},
    {"bfe.u32 %r, %ones, %u, 8;", true},
    {"and.b32 %r, %u, 252;", true},
    {"and.b32 %r, %u, 0xf0;", true},
    {"and.b32 %r, %u, 0xf000;", true},
    /* Two numbers of a byte without a value are enough. */
    {"mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32 {%r, %s}, {%one}, {%one}, {%zero, %zero};", false},
    {"and.b32 %s, %u, 0xff; "
     "mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32 {%r, %s}, {%s}, {%one}, {%zero, %zero};",
     true},
    {"and.b32 %s, %u, 0xff00; "
     "mma.sync.aligned.m8n8k32.row.col.s32.s4.s4.s32 {%r, %s}, {%one}, {%s}, {%zero, %zero};",
     true},
};

static void on_use(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc, GpuUndefinedUse use,
                   uint32_t origin) {
    unsigned *uses = self;
    (void)warp, (void)lanes, (void)pc, (void)use, (void)origin;
    (*uses)++;
}

static bool is_undefined(const char *statement) {
    char text[2048];
    int length =
        snprintf(text, sizeof text,
                 ".version 8.0\n.target sm_90\n.address_size 64\n"
                 ".visible .entry test(.param .u64 out, .param .u32 n)\n{\n"
                 ".reg .b32 %%u, %%half, %%zero, %%one, %%ones, %%r, %%s;\n.reg .b16 %%h;\n"
                 ".reg .pred %%p, %%q, %%yes, %%no;\n.reg .b64 %%at;\n.local .align 8 .b8 own[8];\n"
                 "mov.u64 %%at, own;\nld.local.u32 %%u, [%%at];\nmov.u32 %%zero, 0;\nmov.u32 %%one, 1;\n"
                 "mov.u32 %%ones, 0xffffffff;\nmov.b32 {_, %%h}, %%u;\nmov.b32 %%half, {1, %%h};\n"
                 "setp.eq.u32 %%q, %%u, 7;\nsetp.eq.u32 %%yes, %%one, 1;\nsetp.eq.u32 %%no, %%one, 0;\n"
                 "%s\n%s@%%p bra END;\nEND:\nret;\n}\n",
                 statement, strstr(statement, "%r,") ? "setp.eq.u32 %p, %r, 0;\n" : "");
    unsigned uses = 0;
    GpuObserver observer = {.self = &uses, .undefined_use = on_use};
    Machine machine =
        machine_begin_at(0, "defined", text, (size_t)length, (GpuConfig){.track_undefined = true}, &observer);
    assert_int_equal(machine_launch(&machine, "test", 1, 32, 0), GPU_OK);
    machine_end(&machine);
    return uses != 0;
}

static void test_what_is_undefined(void **state) {
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (is_undefined(cases[i].statement) == cases[i].undefined) continue;
        fprintf(stderr, "%s should be %s\n", cases[i].statement,
                cases[i].undefined ? "undefined" : "defined");
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* ---- registers that may be read before they have a value ---- */

/** %p is set, and nothing else; a statement that reads %r before it is written on some way. */
static const Case bodies[] = {
    {"mov.u32 %r, 1; add.u32 %s, %r, 1;", false},
    {"add.u32 %s, %r, 1; mov.u32 %r, 1;", true},
    {"@%p mov.u32 %r, 1; add.u32 %s, %r, 1;", true},
    {"@%q mov.u32 %r, 1;", true},
    {"@%p bra A; mov.u32 %r, 1; A: add.u32 %s, %r, 1;", true},
    {"@%p bra A; mov.u32 %r, 1; bra B; A: mov.u32 %r, 2; B: add.u32 %s, %r, 1;", false},
    {"@%p bra A; mov.u32 %r, 1; bra B; A: ret; B: add.u32 %s, %r, 1;", false},
    {"@%p bra A; trap; A: mov.u32 %r, 1; bra C; B: add.u32 %s, %r, 1; bra D; C: bra B; D:", false},
    {"@%p bra A; mov.u32 %r, 1; bra B; A: trap; B: add.u32 %s, %r, 1;", false},
    {"@%p bra A; mov.u32 %r, 1; bra B; A: @!%p trap; B: add.u32 %s, %r, 1;", true},
    {"A: @!%p bra B; mov.u32 %r, 1; bra A; B: add.u32 %s, %r, 1;", true},
    {"mov.u32 %r, 1; A: add.u32 %r, %r, 1; @%p bra A;", false},
    {"bra B; A: add.u32 %s, %r, 1; ret; B: mov.u32 %r, 1; C: @%p bra C; bra A;", false},
    {"bra B; A: add.u32 %s, %r, 1; ret; B: @%p bra A; mov.u32 %r, 1; bra A;", true},
    {"add.u32 %r, %s, 1; bra B; A: mov.u32 %s, 1; B:", true},
    {"bra B; A: add.u32 %r, %s, 1; B:", false}, /* nobody comes there */
    {"mov.b32 {%h, %k}, 5; mov.b32 %r, {%h, %k};", false},
    {"mov.b32 {%h, _}, 5; mov.b32 %r, {%h, %k};", true},
    {"st.global.u32 [%at], 1;", true},
    {"mov.u64 %at, 0; @%p ld.global.u32 %r, [%at];", false},
    {"movmatrix.sync.aligned.m8n8.trans.b16 %r, 1;", true}, /* of whichever lane */
};

static void test_registers_without_a_value(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        char text[2048];
        int length = snprintf(text, sizeof text,
                              ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry test()\n{\n"
                              ".reg .b32 %%r, %%s;\n.reg .b16 %%h, %%k;\n.reg .pred %%p, %%q;\n"
                              ".reg .b64 %%at;\nsetp.eq.u32 %%p, 0, 0;\n%s\nret;\n}\n",
                              bodies[i].statement);
        Machine machine = machine_begin_at(0, "unset", text, (size_t)length, (GpuConfig){0}, NULL);
        GpuKernel *kernel = gpu_kernel_find(machine.module, "test");
        assert_true(gpu_kernel_prepare(kernel, NULL));
        if (kernel->entry->reads_unset != bodies[i].undefined) fail_msg("%s", bodies[i].statement);
        machine_end(&machine);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_what_is_undefined),
                                       cmocka_unit_test(test_registers_without_a_value)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
