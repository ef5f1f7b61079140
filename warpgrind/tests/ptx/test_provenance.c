/* test_provenance.c - which parameter an address was computed from, of the last access of each body. */
#include "support.h"

#include "ptx/provenance.h"

typedef struct Row {
    const char *body;
    int parameter; /**< its number; NONE: of none that is known */
    int at;        /**< bytes from the parameter's start */
} Row;

enum { NONE = -1 };

static const Row rows[] = {
    {"ld.param.u64 %rd1, [kernel_param_0]; ld.global.u32 %r1, [%rd1];", 0, 0},
    {"ld.param.u64 %rd1, [kernel_param_1+8]; add.s64 %rd2, %rd1, 4; ld.global.u32 %r1, [%rd2];", 1, 8},
    {"ld.param.v2.u64 {%rd1, %rd2}, [kernel_param_1+8]; ld.global.u32 %r1, [%rd1];", 1, 8},
    {"ld.param.v2.u64 {%rd1, %rd2}, [kernel_param_1+8]; ld.global.u32 %r1, [%rd2];", 1, 16},
    /* what mov takes apart are no elements, so which half comes from where is not known */
    {"ld.param.b128 %q1, [kernel_param_1]; mov.b128 {%rd1, %rd2}, %q1; ld.global.u32 %r1, [%rd2];", NONE, 0},
};

static void test_parameters_of_an_address(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Loaded loaded = load_body(rows[i].body);
        assert_loads(&loaded);
        const PtxFunction *kernel = kernel_of(&loaded);
        const PtxInstruction *access = &kernel->instructions[kernel->instruction_count - 1];
        while (access->opcode != PTX_OP_ld)
            access--;
        Provenance found = ptx_provenance(kernel, access);
        bool known = rows[i].parameter != NONE;
        if (found.count != known || found.open == known) fail_msg("%s", rows[i].body);
        if (known && (found.from[0] != &kernel->parameters[rows[i].parameter] || found.at[0] != rows[i].at))
            fail_msg("another place: %s", rows[i].body);
        unload(&loaded);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parameters_of_an_address)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
