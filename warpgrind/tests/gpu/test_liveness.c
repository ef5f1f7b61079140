/* test_liveness.c - whether anything looks at what an atomic found: registers, and places on the stack, where
 * code that was not optimised puts it.
 *
 * %frame is the address of the function's variables, at its first byte.
 */
#include "ptx_file.h"

static const struct {
    const char *statement; /**< after `atom ... %old` */
    bool read;
} cases[] = {
    {"", false},
    {"st.global.u32 [%out], %old;", true},
    {"st.global.v2.u32 [%out], {%v, %old};", true},
    {"add.u32 %v, %old, 1;", true},
    {"mov.u32 %old, 5;", false},
    /* a place on the stack that nobody loads, or somebody does */
    {"st.u32 [%frame+4], %old;", false},
    {"st.u32 [%frame+4], %old; ld.u32 %v, [%frame+8];", false},
    {"st.u32 [%frame+4], %old; ld.u32 %v, [%frame];", false},
    {"st.u32 [%frame+4], %old; ld.u32 %v, [%frame+4];", true},
    {"st.u32 [%frame+4], %old; ld.u8 %v, [%frame+7];", true},
    {"st.u32 [%frame+4], %old; ld.u64 %d, [%frame];", true},
    {"st.u32 [%frame+4], %old; ld.v2.u32 {%v, %w}, [%frame];", true},
    {"st.u32 [%frame+4], %old; ld.v2.u32 {%v, %w}, [%frame+8];", false},
    {"st.u32 [%frame+4], %old; ld.local.u32 %v, [own+4];", true},
    /* a pointer into it is copied, or gets to where it cannot be followed */
    {"st.u32 [%frame+4], %old; add.u64 %d, %frame, 8;", false},
    {"st.u32 [%frame+4], %old; st.global.u64 [%out], %frame;", true},
    {"st.u32 [%frame+4], %old; add.u64 %d, %frame, 8; st.global.u64 [%out], %d;", true},
    {"st.u32 [%frame+4], %old; st.global.v2.u64 [%out], {%frame, %out};", true},
    {"st.u32 [%frame+4], %old; st.global.v2.u64 [%out], {%out, %frame};", true},
    {"st.u32 [%frame+4], %old; st.global.v2.u64 [%out], {%out, %out};", false},
    {"st.u32 [%frame+4], %old; sub.u64 %d, %frame, %out;", true},
};

/** A warp gives way to others after an atomic whose old value somebody looks at. */
static void on_access(void *self, const GpuAccess *access) {
    const GpuFunction *function = access->warp->frame->function;
    if (access->kind == GPU_ATOMIC)
        *(bool *)self = function->code[access->pc - function->first_pc].memory.gives_way;
}

static bool old_value_is_read(const char *statement) {
    char text[2048];
    int length = snprintf(text, sizeof text,
                          ".version 8.0\n.target sm_90\n.address_size 64\n"
                          ".visible .entry test(.param .u64 out, .param .u32 n)\n{\n"
                          ".local .align 16 .b8 own[16];\n"
                          ".reg .b32 %%old, %%v, %%w;\n.reg .b64 %%out, %%own, %%frame, %%d;\n"
                          "ld.param.u64 %%out, [out];\nmov.u32 %%v, 3;\n"
                          "mov.u64 %%own, own;\ncvta.local.u64 %%frame, %%own;\n"
                          "atom.global.add.u32 %%old, [%%out+16], 1;\n%s\nret;\n}\n",
                          statement);
    bool read = false;
    GpuObserver observer = {.self = &read, .access = on_access};
    Machine machine = machine_begin_at(0, "liveness", text, (size_t)length, (GpuConfig){0}, &observer);
    assert_int_equal(machine_launch(&machine, "test", 1, 1, 0), GPU_OK);
    machine_end(&machine);
    return read;
}

static void test_who_looks_at_what_an_atomic_found(void **state) {
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (old_value_is_read(cases[i].statement) == cases[i].read) continue;
        fprintf(stderr, "%s: %s\n", cases[i].statement, cases[i].read ? "not read" : "read");
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_who_looks_at_what_an_atomic_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
