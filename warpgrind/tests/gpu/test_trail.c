/* test_trail.c - what the values are made of that decide where threads go: functions whose last bits are a
 * card's own, clocks, places, memory, or nothing of the kind.
 */
#include "ptx_file.h"

static const struct {
    const char *statement; /**< makes %f */
    unsigned origins;
} cases[] = {
    {"add.f32 %f, %x, %x;", 0},
    {"sqrt.rn.f32 %f, %x;", 0},
    {"sin.approx.f32 %f, %x;", GPU_ORIGIN_FUNCTION},
    {"CALL sinf, (a);", GPU_ORIGIN_FUNCTION},
    {"CALL fabsf, (a);", 0},
    {"ld.global.f32 %f, [%out];", GPU_ORIGIN_DATA},
    {"mov.u32 %r, %clock; cvt.rn.f32.u32 %f, %r;", GPU_ORIGIN_CLOCK},
    {"mov.u32 %r, %smid; cvt.rn.f32.u32 %f, %r;", GPU_ORIGIN_PLACE},
    {"mov.u32 %r, %tid.x; cvt.rn.f32.u32 %f, %r;", 0},
    /* what lies on the stack, at a place that is known or, once a pointer is not followed, at any */
    {"mov.u32 %r, %clock; st.local.u32 [one], %r; ld.local.f32 %f, [one];", GPU_ORIGIN_CLOCK},
    {"mov.u32 %r, %clock; st.local.u32 [one], %r; ld.local.f32 %f, [two];", 0},
    {"mov.u32 %r, %clock; st.local.u32 [one], %r; ld.f32 %f, [%out];", GPU_ORIGIN_DATA},
    {"mov.u32 %r, %clock; st.local.u32 [one], %r; mov.u64 %q, one; @%p mov.u64 %q, two; cvta.local.u64 %q, "
     "%q; ld.f32 %f, [%q];",
     GPU_ORIGIN_DATA | GPU_ORIGIN_CLOCK},
    {"mov.u32 %r, %clock; st.local.u32 [one], %r; mov.u64 %q, one; mov.u64 %s, two; selp.b64 %q, %q, %s, %p; "
     "cvta.local.u64 %q, %q; ld.f32 %f, [%q];",
     GPU_ORIGIN_DATA | GPU_ORIGIN_CLOCK},
    {"mov.u32 %r, %clock; st.local.u32 [one], %r; mov.u64 %q, tile; @%p mov.u64 %q, 0; cvta.shared.u64 %q, "
     "%q; ld.f32 %f, [%q];",
     GPU_ORIGIN_DATA},
    /* and in shared memory, which is not told apart */
    {"mov.u32 %r, %clock; st.shared.u32 [tile], %r; ld.shared.f32 %f, [tile+4];",
     GPU_ORIGIN_DATA | GPU_ORIGIN_CLOCK},
};

static unsigned origins_of(const char *statement) {
    static const char call[] = "CALL ";
    const bool calls = strncmp(statement, call, strlen(call)) == 0;
    const char *before = "", *after = "";
    if (calls) {
        statement += strlen(call);
        before = "call (b), ";
        after = "ld.param.f32 %f, [b];\n";
    }
    char text[2048];
    int length = snprintf(text, sizeof text,
                          ".version 8.0\n.target sm_90\n.address_size 64\n"
                          ".extern .func (.param .b32 r) sinf(.param .b32 x);\n"
                          ".extern .func (.param .b32 r) fabsf(.param .b32 x);\n"
                          ".visible .entry test(.param .u64 out, .param .u32 n)\n{\n"
                          ".reg .f32 %%f, %%x;\n.reg .b32 %%r;\n.reg .b64 %%out, %%q, %%s;\n.reg .pred %%p;\n"
                          ".local .align 4 .b8 one[16];\n.local .align 4 .b8 two[16];\n"
                          ".shared .align 4 .b8 tile[16];\nsetp.eq.u32 %%p, 1, 2;\n"
                          "ld.param.u64 %%out, [out];\nmov.f32 %%x, 0f40000000;\n"
                          "{\n.param .b32 a;\n.param .b32 b;\nst.param.f32 [a], %%x;\n%s%s\n%s}\n"
                          "setp.gt.f32 %%p, %%f, 0f00000000;\n@%%p bra END;\nst.global.u32 [%%out], 1;\n"
                          "END:\nret;\n}\n",
                          before, statement, after);
    Machine machine = machine_begin_at(0, "trail", text, (size_t)length, (GpuConfig){0}, NULL);
    GpuKernel *kernel = gpu_kernel_find(machine.module, "test");
    Diagnostics diagnostics;
    diag_init(&diagnostics, machine.arena);
    assert_true(gpu_kernel_prepare(kernel, &diagnostics));
    const GpuTrailEnds ends = gpu_trail_ends(gpu_kernel_trail(kernel));
    machine_end(&machine);
    return ends.branches;
}

static void test_what_decides_a_branch(void **state) {
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const unsigned origins = origins_of(cases[i].statement);
        if (origins == cases[i].origins) continue;
        fprintf(stderr, "%s: %x, not %x\n", cases[i].statement, origins, cases[i].origins);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_what_decides_a_branch)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
