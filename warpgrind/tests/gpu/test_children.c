/* test_children.c - launches from device code that are refused, and those that just are not: how deep they
 * lie, how many wait, and how large grid and block are. What children do is in children.ptx.
 */
#include "ptx_file.h"

#define LAUNCH                                                                                               \
    ".param .b64 f;\n.param .align 4 .b8 grid[12];\n.param .align 4 .b8 block[12];\n.param .b32 shared;\n"   \
    ".param .b64 buffer;\n.param .b64 to;\n.param .b32 error;\n"
#define BUFFER                                                                                               \
    "call (buffer), __cudaCDP2GetParameterBufferV2, (f, grid, block, shared);\nld.param.b64 %b, [buffer];\n"

/* In out[0] is how many kernels have run, or whether the launch was allowed; in out[1] the last error. */
static const char children_ptx[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".extern .func (.param .b64 result) __cudaCDP2GetParameterBufferV2(.param .b64 f, .param .align 4 .b8 "
    "grid[12], .param .align 4 .b8 block[12], .param .b32 shared);\n"
    ".extern .func (.param .b32 result) __cudaCDP2LaunchDeviceV2(.param .b64 buffer, .param .b64 stream);\n"
    ".extern .func (.param .b32 result) __cudaCDP2GetLastError();\n"
    /* launches itself as often as n says, each in the one before */
    ".visible .entry nests(.param .u64 out, .param .u32 n)\n{\n"
    ".reg .b64 %out, %b, %f;\n.reg .b32 %n, %e;\n.reg .pred %p;\n" LAUNCH
    "ld.param.u64 %out, [out];\nld.param.u32 %n, [n];\nred.global.add.u32 [%out], 1;\n"
    "setp.eq.u32 %p, %n, 0;\n@%p ret;\nmov.u64 %f, nests;\nst.param.b64 [f], %f;\n"
    "st.param.b32 [grid], 1;\nst.param.b32 [grid+4], 1;\nst.param.b32 [grid+8], 1;\n"
    "st.param.b32 [block], 1;\nst.param.b32 [block+4], 1;\nst.param.b32 [block+8], 1;\n"
    "st.param.b32 [shared], 0;\n" BUFFER "setp.eq.u64 %p, %b, 0;\n@%p bra REFUSED;\n"
    "sub.u32 %n, %n, 1;\nst.b64 [%b], %out;\nst.b32 [%b+8], %n;\n"
    "st.param.b64 [buffer], %b;\nst.param.b64 [to], 0;\n"
    "call (error), __cudaCDP2LaunchDeviceV2, (buffer, to);\nret;\n"
    "REFUSED:\ncall (error), __cudaCDP2GetLastError, ();\nld.param.b32 %e, [error];\n"
    "st.global.u32 [%out+4], %e;\nret;\n}\n"
    /* asks for a launch of the extents that lie in out[2] and so on, then bytes of shared memory, n times */
    ".visible .entry asks(.param .u64 out, .param .u32 n)\n{\n"
    ".reg .b64 %out, %b, %f;\n.reg .b32 %n, %e, %x;\n.reg .pred %p;\n" LAUNCH
    "ld.param.u64 %out, [out];\nld.param.u32 %n, [n];\nmov.u64 %f, asks;\n"
    "AGAIN:\nst.param.b64 [f], %f;\n"
    "ld.global.u32 %x, [%out+8];\nst.param.b32 [grid], %x;\n"
    "ld.global.u32 %x, [%out+12];\nst.param.b32 [grid+4], %x;\n"
    "ld.global.u32 %x, [%out+16];\nst.param.b32 [grid+8], %x;\n"
    "ld.global.u32 %x, [%out+20];\nst.param.b32 [block], %x;\n"
    "ld.global.u32 %x, [%out+24];\nst.param.b32 [block+4], %x;\n"
    "ld.global.u32 %x, [%out+28];\nst.param.b32 [block+8], %x;\n"
    "ld.global.u32 %x, [%out+32];\nst.param.b32 [shared], %x;\n" BUFFER
    "setp.ne.u64 %p, %b, 0;\nselp.u32 %x, 1, 0, %p;\nst.global.u32 [%out], %x;\n"
    "call (error), __cudaCDP2GetLastError, ();\nld.param.b32 %e, [error];\n"
    "st.global.u32 [%out+4], %e;\nsub.u32 %n, %n, 1;\nsetp.ne.u32 %p, %n, 0;\n@%p bra AGAIN;\nret;\n}\n";

enum { INVALID_CONFIGURATION = 9, TOO_DEEP = 65, TOO_MANY = 69 };

typedef struct Refused {
    unsigned count;
    const char *mistake;
} Refused;

static void on_refused(void *self, const GpuWarp *warp, unsigned lane, uint32_t pc, const char *kernel,
                       const char *mistake) {
    Refused *refused = self;
    (void)warp, (void)lane, (void)pc, (void)kernel;
    refused->count++;
    refused->mistake = mistake;
}

static Machine begin(Refused *refused) {
    *refused = (Refused){0};
    GpuObserver observer = {.self = refused, .child_refused = on_refused};
    return machine_begin("children", children_ptx, (GpuConfig){0}, &observer);
}

static void test_how_deep(void **state) {
    (void)state;
    enum { DEEPEST = 24 };
    for (uint32_t more = 0; more < 2; more++) {
        Refused refused;
        Machine machine = begin(&refused);
        assert_int_equal(machine_launch(&machine, "nests", 1, 1, DEEPEST + more), GPU_OK);
        assert_int_equal(machine_u32(&machine, 0), 1 + DEEPEST);
        assert_int_equal(refused.count, more);
        assert_int_equal(machine_u32(&machine, 1), more ? TOO_DEEP : 0);
        machine_end(&machine);
    }
}

static void test_how_large(void **state) {
    (void)state;
    static const struct {
        uint32_t extents[7];
        bool fine;
    } rows[] = {
        {{1, 1, 1, 1, 1, 1, 0}, true},         {{INT32_MAX, 65535, 65535, 1, 1, 1, 0}, true},
        {{1u << 31, 1, 1, 1, 1, 1, 0}, false}, {{1, 65536, 1, 1, 1, 1, 0}, false},
        {{1, 1, 65536, 1, 1, 1, 0}, false},    {{0, 1, 1, 1, 1, 1, 0}, false},
        {{1, 0, 1, 1, 1, 1, 0}, false},        {{1, 1, 0, 1, 1, 1, 0}, false},
        {{1, 1, 1, 0, 1, 1, 0}, false},        {{1, 1, 1, 1, 0, 1, 0}, false},
        {{1, 1, 1, 1, 1, 0, 0}, false},        {{1, 1, 1, 1024, 1, 1, 0}, true},
        {{1, 1, 1, 1, 1024, 1, 0}, true},      {{1, 1, 1, 4, 4, 64, 0}, true},
        {{1, 1, 1, 1025, 1, 1, 0}, false},     {{1, 1, 1, 1, 1025, 1, 0}, false},
        {{1, 1, 1, 1, 1, 65, 0}, false},       {{1, 1, 1, 41, 25, 1, 0}, false},
        {{1, 1, 1, 1, 1, 1, 232448}, true},    {{1, 1, 1, 1, 1, 1, 232449}, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Refused refused;
        Machine machine = begin(&refused);
        memcpy(gpu_memory_host(machine.gpu, machine.out->address + 8, sizeof rows[i].extents),
               rows[i].extents, sizeof rows[i].extents);
        assert_int_equal(machine_launch(&machine, "asks", 1, 1, 1), GPU_OK);
        if (machine_u32(&machine, 0) != rows[i].fine) fail_msg("row %zu: %d", i, !rows[i].fine);
        assert_int_equal(machine_u32(&machine, 1), rows[i].fine ? 0 : INVALID_CONFIGURATION);
        assert_int_equal(refused.count, !rows[i].fine);
        machine_end(&machine);
    }
}

static void test_how_many(void **state) {
    (void)state;
    enum { MOST = 65536 };
    static const uint32_t one[] = {1, 1, 1, 1, 1, 1, 0};
    for (uint32_t more = 0; more < 2; more++) {
        Refused refused;
        Machine machine = begin(&refused);
        memcpy(gpu_memory_host(machine.gpu, machine.out->address + 8, sizeof one), one, sizeof one);
        assert_int_equal(machine_launch(&machine, "asks", 1, 1, MOST + more), GPU_OK);
        assert_int_equal(refused.count, more);
        assert_int_equal(machine_u32(&machine, 1), more ? TOO_MANY : 0);
        machine_end(&machine);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_how_deep), cmocka_unit_test(test_how_large),
                                       cmocka_unit_test(test_how_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
