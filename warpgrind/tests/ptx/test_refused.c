/* test_refused.c - what is wrong in a module is said at its line and column, in words that name it. */
#include "support.h"

/* Statements in a kernel; the error is expected on the line of the statement. */
static const struct {
    const char *statement, *words;
    int column;
} bodies[] = {
    /* mnemonics and modifiers */
    {"frob.u32 %r1, %r2;", "frob is no PTX instruction", 1},
    {"add.sat.e2m1 %f1, %f2, %f3;", ".e2m1 is no modifier or type", 8},
    {"add.rn.tf32 %f1, %f2, %f3;", "add cannot have the type .tf32", 7},
    {"min.relu.u32 %r1, %r2, %r3;", "can be .relu for .s32 and .s16x2 only", 1},
    {"max.s32 %r1, %r2, %r3, %r4;", "takes three values of type .f32 only", 1},
    {"fma.rn.relu.f32 %f1, %f2, %f3, %f4;", "can be .relu for halves only", 1},
    {"lop3.b32 %r1|%p1, %r2, %r3, %r4, 5, %p2;", "has .and or .or where it has two predicates", 1},
    {"redux.sync.add.f32 %f1, %f2, -1;", "redux of .f32 can be .min and .max only", 1},
    {"cvt.rn.e4m3x2.f32 %h1, %f1, %f2;", "to this type needs .satfinite", 1},
    {"cvt.rn.satfinite.e4m3x2.f32 %h1, %f1;", "makes this type from two .f32", 1},
    {"cvt.rna.tf32.f64 %r1, %fd1;", "makes .tf32 from .f32 only", 1},
    {"and.sat.b32 %r1, %r2, %r3;", "and cannot have .sat", 4},
    {"add.rn.rz.f32 %f1, %f2, %f3;", ".rz contradicts an earlier modifier", 7},
    {"and.f32 %f1, %f2, %f3;", "and cannot have the type .f32", 4},
    {"add.u32.u32 %r1, %r2, %r3;", "add cannot have the type .u32 here", 8},
    {"add %r1, %r2, %r3;", "add needs a type", 1},
    {"setp.u32 %p1, %r1, %r2;", "setp needs a comparison", 1},
    {"mul.u32 %r1, %r2, %r3;", "mul needs .lo, .hi or .wide", 1},
    {"mul.lo.f32 %f1, %f2, %f3;", "mul of floats has neither .lo", 1},
    {"mul.wide.u64 %rd1, %rd2, %rd3;", "can be .wide for 16 and 32 bits only", 1},
    {"cvt.u32 %r1, %r2;", "cvt needs a second type", 1},
    {"cvt.u32.b32 %r1, %r2;", "cvt cannot convert from this type", 1},
    {"shfl.sync.b32 %r1, %r2, 1, 31, -1;", "shfl needs .up, .down, .bfly or .idx", 1},
    {"atom.global.u32 %r1, [%rd1], 1;", "atom needs an operation", 1},
    {"bar 0;", "bar needs .sync, .arrive or .red", 1},
    {"cvta.u64 %rd1, %rd2;", "cvta needs a state space", 1},
    {"ld.shared.nc.u32 %r1, [%r2];", "can be .nc for .global only", 1},
    {"shf.l.b32 %r1, %r2, %r3, 4;", "shf needs .l or .r, and .wrap or .clamp", 1},
    {"vote.sync.pred %p1, %p2, -1;", "vote needs .all, .any, .uni or .ballot", 1},
    {"testp.f32 %p1, %f1;", "testp needs a property", 1},
    {"setp.gtu.s32 %p1, %r1, %r2;", "setp can compare so floats only", 1},
    {"setp.num.u64 %p1, %rd1, %rd2;", "setp can compare so floats only", 1},
    {"setp.lt.b32 %p1, %r1, %r2;", "setp compares bits by .eq and .ne only", 1},
    {"setp.lo.s32 %p1, %r1, %r2;", "setp can compare so types without a sign only", 1},
    {"setp.hi.f32 %p1, %f1, %f2;", "setp can compare so types without a sign only", 1},
    {"setp.hs.f16x2 %p1|%p2, %r1, %r2;", "setp can compare so types without a sign only", 1},
    {"set.equ.f32.s32 %f1, %r1, %r2;", "set can compare so floats only", 1},
    {"set.ls.u32.f32 %r1, %f1, %f2;", "set can compare so types without a sign only", 1},
    {"vset.u32.u32.hi %r1, %r2, %r3;", "vset compares by .eq, .ne, .lt, .le, .gt and .ge only", 1},
    {"vset2.s32.s32.gtu %r1, %r2, %r3, %r4;", "vset2 compares by .eq, .ne, .lt, .le, .gt and .ge only", 1},
    {"vset4.u32.u32 %r1, %r2, %r3, %r4;", "vset4 needs a comparison", 1},
    {"vset2.u32.u32.lt.min %r1, %r2, %r3, %r4;", "vset2 cannot have .min", 17},
    /* operands */
    {"add.u32 %r1, %r2;", "these are not the operands that add takes", 1},
    {"add.u32 %r1, %r2, %r3, %r4;", "these are not the operands that add takes", 1},
    {"add.u32 %r1, %r2, %rd3;", "operand 3 of add must be a value of type .u32", 19},
    {"add.u32 %f1, %r2, %r3;", "operand 1 of add must be a register of type .u32", 9},
    {"add.u32 %r1, %r2, 0f3F800000;", "operand 3 of add must be a value of type .u32", 19},
    {"add.f32 %f1, %f2, 1;", "operand 3 of add must be a value of type .f32", 19},
    {"add.u32 7, %r2, %r3;", "operand 1 of add must be a register", 9},
    {"add.u32 %r1, !%r2, %r3;", "operand 2 of add must be without '!'", 14},
    {"add.u32 _, %r2, %r3;", "operand 1 of add must be a register", 9},
    {"setp.eq.u32 %r1, %r2, %r3;", "operand 1 of setp must be a predicate register", 13},
    {"selp.b32 %r1, %r2, %r3, %r4;", "operand 4 of selp must be a predicate register", 25},
    {"shfl.sync.up.b32 %r1|%r2, %r3, 1, 0, -1;", "operand 2 of shfl must be a predicate", 22},
    {"ld.global.v2.f32 %f1, [%rd1];", "operand 1 of ld must be 2 in {}, each a register of type .f32", 18},
    {"ld.global.v2.f32 {%f1, %f2, %f3}, [%rd1];",
     "operand 1 of ld must be 2 in {}, each a register of type .f32", 18},
    {"ld.global.v8.f64 {%fd1, %fd1, %fd1, %fd1, %fd1, %fd1, %fd1, %fd1}, [%rd1];", "moves more than 32 bytes",
     1},
    {"ld.global.u64 %r1, [%rd1];", "operand 1 of ld must be a register of type .u64", 15},
    {"ld.global.u32 %r1, %rd1;", "operand 2 of ld must be an address in []", 20},
    {"ld.global.u32 %r1, [%h1];", "operand 2 of ld must be an address in []", 20},
    {"ld.global.u32 %r1, [s];", "must be in the instruction's state space", 20},
    {"st.const.f32 [table], %f1;", "in memory that can be written", 14},
    {"ld.global.u32 %r1, [callee];", "this is no address", 21},
    {"ld.global.u32 %r1, [%rd1+%rd2];", "only a constant can stand here, and %rd2 is a register", 26},
    {"atom.global.cas.b32 %r1, [%rd1], %r2;", "these are not the operands that atom takes", 1},
    {"atom.global.add.u32 %r1, [%rd1], %r2, %r3;", "operand 4 of atom must be a value of type .b64", 39},
    {"cp.async.ca.shared.global [%r1], [%rd1], 5;", "copies 4, 8 or 16 bytes", 1},
    {"cp.async.wait_group;", "takes other operands", 1},
    {"atom.global.and.b128 %q1, [%rd1], %q2;", "atom of .b128 can be .exch and .cas only", 1},
    {"st.global.b128 [%rd1], 5;", "operand 2 of st must be a value of type .b128", 24},
    {"ld.global.u8 %q1, [%rd1];", "operand 1 of ld must be a register of type .u8", 14},
    {"vadd.u32.u32.u32 %r1.h0, %r2, %r3;", "puts a part into a third source", 1},
    {"vset.u32.u32.lt %r1.h0, %r2, %r3;", "puts a part into a third source", 1},
    {"vadd.u32.u32.u32.add %r1.h0, %r2, %r3, %r4;", "cannot put the result of .add", 1},
    {"vadd.u32.u32.u32 %r1, %r2.h2, %r3;", "this is no part of a register", 26},
    {"vshl.u32.u32.u32 %r1, %r2, %r3;", "vshl needs .wrap or .clamp", 1},
    {"alloca.u64 %rd1, %rd2, 24;", "alloca aligns to a power of two", 1},
    {"mov.b64 %rd1, {%r1, %r2, %r3};", "operand 2 of mov must be a value of type .b64", 15},
    {"mov.u32 %r1, %clock64;", "operand 2 of mov must be a value of type .u32", 14},
    {"mov.u32 %r1, %tid.w;", "%tid.w is neither declared nor a special register", 14},
    {"mov.u32 %r1, %nobody;", "%nobody is neither declared nor a special register", 14},
    {"mov.u32 %r1, nobody;", "nobody is not declared as a variable or function", 14},
    {"mov.u32 %r1, %r9;", "%r9 is neither declared", 14},
    {"mov.u32 %r1, %r01;", "%r01 is neither declared", 14},
    {"mov.u32 %r1, 1/0;", "'/' cannot be done with these", 15},
    {"mov.u64 %rd1, generic(array);", "this can only stand in an initial value", 15},
    {"add.u32 %r1, %r2, {%r3};", "operand 3 of add", 19},
    /* textures */
    {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, %f5];", "operand 3 of tex", 48},
    {"tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, %rd5];", "operand 3 of tex", 48},
    /* matrices */
    {"mma.sync.aligned.m16n8k16.row.col.f32.s8.s8.f32 {%f1}, {%r1}, {%r2}, {%f1};",
     "mma has no matrices of this shape and these types", 1},
    {"mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1};",
     "mma has no matrices of this shape and these types", 1},
    {"mma.sync.aligned.m16n8k16.row.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1};", "mma needs two layouts", 1},
    {"mma.sync.aligned.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1};", "mma needs a shape", 1},
    {"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32 {%r1, %r2}, {%r3}, {%r4}, {%r5, %r6};",
     "mma of .b1 needs .and or .xor", 1},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1}, {%r2}, {%f1, %f2, %f3, "
     "%f4};",
     "operand 2 of mma must be as many registers in {} as a lane has", 72},
    {"wmma.load.a.sync.aligned.row.m16n16k16.const.f16 {%r1}, [table];", "can have .global and .shared only",
     1},
    {"wmma.load.a.sync.aligned.col.m8n8k32.shared.s4 {%r1}, [s];", "has no matrices of this shape", 1},
    {"ldmatrix.sync.aligned.m8n8.shared.b16 {%r1}, [%r2];", "ldmatrix needs .x1, .x2 or .x4", 1},
    {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [%r2];", "operand 1 of ldmatrix must be as many", 42},
    {"ldmatrix.sync.aligned.m8n8.x1.global.b16 {%r1}, [%rd2];", "from and to shared memory only", 1},
    {"movmatrix.sync.aligned.m8n8.b16 %r1, %r2;", "movmatrix has the form .m8n8.trans", 1},
    {".reg .u4 %x;", "registers of this type are not supported", 6},
    /* guards, labels, scopes */
    {"@%r1 ret;", "a guard must be a register of type .pred", 2},
    {"bra nowhere;", "there is no label nowhere", 5},
    {"{ in: ret; }\nbra in;", "there is no label in", 5},
    {"x: x: ret;", "x is declared twice", 4},
    {"brx.idx %r1, nolist;", "nolist is no list of .branchtargets", 14},
    {".reg .b32 %x<99999999>;", "too many registers", 11},
    {".reg .f128 %x;", "registers of this type are not supported", 6},
    {".surprise 3;", "the directive .surprise is not supported here", 1},
    {"add.u32 %r1, %r2, %r3", "expected ';' here", 1},
    /* calls */
    {"call callee;", "the arguments of this call are not those that callee takes", 1},
    {"{ .param .b32 p; call (p), callee, (p, p); }", "the arguments of this call are not those", 1},
    {"call (%r1), callee, (%r2, %rd1);", "calls hand over .param variables only", 7},
    {"call kernel, ();", "a kernel cannot be called", 6},
    {"call array, ();", "this is no function", 6},
};

static int lines_in(const char *text) {
    int lines = 1;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void test_bodies(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        Loaded loaded = load_body(bodies[i].statement);
        const Diagnostic *error = loaded.diagnostics.first;
        if (loaded.module) fail_msg("%s loads", bodies[i].statement);
        assert_refused(&loaded, bodies[i].words);
        int last = lines_in(KERNEL) + lines_in(bodies[i].statement) - 1;
        bool missing_sign = strstr(bodies[i].words, "';'") != NULL; /* noticed on the line behind */
        if (error->line != last + missing_sign) fail_msg("%s: line %d", bodies[i].statement, error->line);
        if (error->column != bodies[i].column) fail_msg("%s: column %d", bodies[i].statement, error->column);
        assert_non_null(error->source_line);
        unload(&loaded);
    }
}

static const struct {
    const char *text, *words;
} modules[] = {
    {"", "it does not begin with .version"},
    {"int main() {}", "it does not begin with .version"},
    {"\x7f\x45LF", "this is no PTX"},
    {".version x", "expected a version"},
    {".version 7.0\n.address_size 64", "expected .target"},
    {".version 7.0\n.target compute", "the target is to be sm_20 or newer"},
    {".version 7.0\n.target sm_70\n.address_size 32", "only 64-bit addresses"},
    {HEADER ".global .u32 x;\n.global .u32 x;", "x is declared twice"},
    {HEADER ".global .u32 x;\n.func x();", "x is declared as something else"},
    {HEADER ".global .u32 x = {1, 2};", "more values here than fit"},
    {HEADER ".global .u32 x = 0f3F800000, y = 1.5;", "this is no value of type .u32"},
    {HEADER ".shared .u32 x = 1;", "only .global and .const variables"},
    {HEADER ".global .u32 x[];", "the size of this array is missing"},
    {HEADER ".global .u32 x[-1];", "this is no size of an array"},
    {HEADER ".global .u32 x[1000000][1000000][1000000];", "too large"},
    {HEADER ".global .u32 x[2][] = {1};", "only the first dimension may be open"},
    {HEADER ".global .align 3 .u32 x;", "alignment must be a power of two"},
    {HEADER ".global x;", "a variable needs a type"},
    {HEADER ".global .samplerref x;", "variables of type .samplerref are not supported"},
    {HEADER ".global .b8 x[8] = {0xFF00(x)};", "the bytes of an address must stand in order"},
    {HEADER ".global .u16 x = x;", "an address does not fit"},
    {HEADER ".func f() { ret; }\n.func f() { ret; }", "defined twice"},
    {HEADER ".func f();\n.entry f() { ret; }", "declared as something else"},
    {HEADER ".entry k() .dance { ret; }", "the directive .dance is not supported"},
    {HEADER ".entry k() { ret;", "expected an instruction"},
    {HEADER ".func f(.param .b32 a);\n.entry k() { { .param .b32 p; call f, (p); } }\n.func f(.param .b64 a) "
            "{ ret; }",
     "the arguments of this call"}, /* the definition counts, though it comes later */
    {HEADER ".alias a, b;", "a is no function"},
    {HEADER ".entry k() { .local .b8 big[99999999]; }", "the function needs more than"},
    {HEADER ".section .debug_info { .b8 1", "the text ends inside a .section"},
    {HEADER "/* no end", "this is no PTX"},
};

static void test_modules(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        Loaded loaded = load_text(modules[i].text);
        refuse_functions(&loaded);
        if (loaded.module) fail_msg("%s loads", modules[i].text);
        assert_refused(&loaded, modules[i].words);
        assert_true(loaded.diagnostics.first->line >= 1);
        unload(&loaded);
    }
}

/* What is wrong in one function leaves the others as they are, whatever stands in it. */
static void test_only_the_function_is_refused(void **state) {
    (void)state;
    static const char *const bodies_of_others[] = {
        "wgmma.fence.sync.aligned; { ret; }",
        "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r1, %r2}, {%r3}, {%r4}, {%r5};",
        "{ frob; { bra nowhere; } }",
        ".local .b8 big[99999999];",
        ".surprise 3;",
        "call after, (after);",
    };
    for (size_t i = 0; i < sizeof bodies_of_others / sizeof *bodies_of_others; i++) {
        Text text;
        text_init(&text);
        text_format(&text, HEADER ".entry before() { ret; }\n.entry exotic() { %s }\n", bodies_of_others[i]);
        text_add(&text, ".func after() { exit; }\n.entry user() { call exotic_too; ret; }\n");
        Loaded loaded = load_text(text.bytes);
        text_free(&text);
        assert_loads(&loaded);
        assert_int_equal(loaded.diagnostics.errors, 0);
        assert_null(ptx_find_function(loaded.module, "before")->refusal);
        assert_null(ptx_find_function(loaded.module, "after")->refusal);
        assert_int_equal(ptx_find_function(loaded.module, "after")->instruction_count, 1);
        const PtxFunction *exotic = ptx_find_function(loaded.module, "exotic");
        assert_non_null(exotic->refusal);
        assert_int_equal(exotic->refusal->line, 5);
        assert_int_equal(exotic->instruction_count, 0);
        assert_non_null(ptx_find_function(loaded.module, "user")->refusal);
        unload(&loaded);
    }
}

static void test_deep_nesting_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *before, *again, *words;
    } cases[] = {{KERNEL, "{", "nested too deeply"},
                 {HEADER ".global .u32 x = ", "(", "nested too deeply"},
                 {HEADER ".global .u32 x = ", "-", "nested too deeply"},
                 {HEADER ".global .u32 x[2] = ", "{", "nested too deeply"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Text text;
        text_init(&text);
        text_add(&text, cases[i].before);
        for (int j = 0; j < 100000; j++)
            text_add(&text, cases[i].again);
        Loaded loaded = load_text(text.bytes);
        assert_refused(&loaded, cases[i].words);
        unload(&loaded);
        text_free(&text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_modules),
        cmocka_unit_test(test_only_the_function_is_refused),
        cmocka_unit_test(test_deep_nesting_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
