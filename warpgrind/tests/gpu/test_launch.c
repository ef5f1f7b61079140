/* test_launch.c - what depends on how a kernel is launched and how its threads end: sizes of shared memory,
 * and copies under way. */
#include "ptx_file.h"

enum { STATIC = 40, DYNAMIC = 24 };

static const char ptx[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry sizes(.param .u64 out, .param .u32 n)\n{\n"
    ".reg .b64 %out;\n.reg .b32 %r;\n.shared .align 4 .b8 own[40];\n"
    "ld.param.u64 %out, [out];\nst.shared.u32 [own], 1;\n"
    "mov.u32 %r, %dynamic_smem_size;\nst.global.u32 [%out], %r;\n"
    "mov.u32 %r, %total_smem_size;\nst.global.u32 [%out+4], %r;\nret;\n}\n"
    /* The first warp starts a copy into shared memory and ends; the second looks until it is there, or for
       long enough. */
    ".visible .entry leaves_a_copy(.param .u64 out, .param .u32 n)\n{\n"
    ".reg .b64 %out;\n.reg .b32 %r, %me, %turns;\n.reg .pred %first, %zero;\n.shared .align 4 .b32 own;\n"
    "ld.param.u64 %out, [out];\nmov.u32 %me, %tid.x;\nsetp.lt.u32 %first, %me, 32;\n"
    "@!%first bra SECOND;\nsetp.eq.u32 %zero, %me, 0;\n@!%zero bra END;\n"
    "st.global.u32 [%out+64], 77;\nst.shared.u32 [own], 5;\n"
    "mov.u32 %r, own;\ncp.async.ca.shared.global [%r], [%out+64], 4;\nbra END;\n"
    "SECOND:\nmov.u32 %turns, 0;\n"
    "AGAIN:\nadd.u32 %turns, %turns, 1;\nsetp.gt.u32 %zero, %turns, 10000;\n@%zero bra SEEN;\n"
    "ld.volatile.shared.u32 %r, [own];\nsetp.ne.u32 %zero, %r, 77;\n@%zero bra AGAIN;\n"
    "SEEN:\nst.global.u32 [%out], %r;\nEND:\nret;\n}\n";

static void test_sizes_of_shared_memory(void **state) {
    (void)state;
    Machine machine = machine_begin("sizes", ptx, (GpuConfig){0}, NULL);
    struct {
        uint64_t out;
        uint32_t n;
    } parameters = {machine.out->address, 0};
    const GpuLaunchSpec spec = {.kernel = gpu_kernel_find(machine.module, "sizes"),
                                .grid = {1, 1, 1},
                                .block = {1, 1, 1},
                                .dynamic_shared = DYNAMIC,
                                .parameters = &parameters};
    assert_int_equal(gpu_launch(machine.gpu, &spec), GPU_OK);
    assert_int_equal(machine_u32(&machine, 0), DYNAMIC);
    assert_int_equal(machine_u32(&machine, 1), STATIC + DYNAMIC);
    machine_end(&machine);
}

static void test_a_copy_under_way_is_done_when_its_thread_ends(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++) {
        Machine machine = machine_begin("copy", ptx, (GpuConfig){.seed = seed}, NULL);
        assert_int_equal(machine_launch(&machine, "leaves_a_copy", 1, 64, 0), GPU_OK);
        assert_int_equal(machine_u32(&machine, 0), 77);
        machine_end(&machine);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_of_shared_memory),
        cmocka_unit_test(test_a_copy_under_way_is_done_when_its_thread_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
