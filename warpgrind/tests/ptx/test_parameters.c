/* test_parameters.c - which bytes of its parameters a kernel's code reads. The kernel's parameters are an
 * address of 8 bytes and a structure of 24; of each body the table has what it reads of these 32, in quarters
 * of 8.
 */
#include "support.h"

typedef struct Row {
    const char *body, *read; /**< '1': of these eight bytes some are read, and the rest of 32 is not */
} Row;

#define HALF "half" /* the first four bytes of the structure's second quarter alone */
#define ALL "1111"

static const Row rows[] = {
    {"ret;", "0000"},
    {"ld.param.u64 %rd1, [kernel_param_0]; ret;", "1000"},
    {"ld.param.u64 %rd1, [kernel_param_1+8]; ret;", "0010"},
    {"ld.param.u32 %r1, [kernel_param_1+8]; ret;", HALF},
    {"ld.param.v2.u64 {%rd1, %rd2}, [kernel_param_1+8]; ret;", "0011"},
    /* as unoptimised code does */
    {"mov.b64 %rd1, kernel_param_1; mov.u64 %rd2, %rd1; ld.param.u64 %rd3, [%rd2+16]; ret;", "0001"},
    {"mov.b64 %rd1, kernel_param_1; ret;", "0000"},
    /* an address that may lead anywhere */
    {"mov.b64 %rd1, kernel_param_1; add.s64 %rd2, %rd1, 8; ld.param.u64 %rd3, [%rd2]; ret;", ALL},
    {"mov.b64 %rd1, kernel_param_1; cvta.param.u64 %rd2, %rd1; ld.u64 %rd3, [%rd2]; ret;", ALL},
    {"mov.b64 %rd1, kernel_param_1; mov.b64 {%r1, %r2}, %rd1; ret;", ALL},
    {"mov.b64 %rd1, kernel_param_0; mov.b64 %rd1, kernel_param_1; ld.param.u64 %rd3, [%rd1]; ret;", ALL},
    {"mov.b64 %rd1, kernel_param_1; st.u64 [%rd2], %rd1; ret;", ALL},
    {"mov.b64 %rd1, 16; ld.param.u64 %rd2, [%rd1]; ret;", ALL},
    {"ld.param.u64 %rd2, [16]; ret;", ALL},
};

static bool is_expected(const char *expected, const uint8_t *read) {
    for (unsigned i = 0; i < 32; i++) {
        bool wanted;
        if (strcmp(expected, HALF) == 0)
            wanted = i / 4 == 4;
        else
            wanted = expected[i / 8] == '1';
        if ((read[i] != 0) != wanted) return false;
    }
    return true;
}

static void test_bytes_that_are_read(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Loaded loaded = load_body(rows[i].body);
        assert_loads(&loaded);
        const PtxFunction *kernel = kernel_of(&loaded);
        uint8_t read[32];
        assert_int_equal(kernel->parameter_bytes, sizeof read);
        memset(read, 7, sizeof read);
        ptx_mark_parameters(kernel, read);
        if (!is_expected(rows[i].read, read)) fail_msg("not %s: %s", rows[i].read, rows[i].body);
        unload(&loaded);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes_that_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
