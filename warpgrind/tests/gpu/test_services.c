/* test_services.c - what the device's library does for kernels within limits: printf's formats and its ring
 * of output, the heap of malloc, and the stack of functions that call themselves. */
#include "ptx_file.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"
#define KERNEL(name)                                                                                         \
    ".visible .entry " name "(.param .u64 out, .param .u32 n) {\n"                                           \
    ".reg .b64 %out, %at, %size;\n.reg .b32 %n, %i, %r;\n.reg .pred %p;\n"                                   \
    "ld.param.u64 %out, [out];\nld.param.u32 %n, [n];\n"

static const char services_ptx[] =
    HEAD ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
         ".extern .func (.param .b64 r) malloc(.param .b64 bytes);\n"
         ".extern .func free(.param .b64 at);\n"
         ".extern .func (.param .b32 r) cudaMalloc(.param .b64 to, .param .b64 bytes);\n"
         ".global .align 1 .b8 line[10] = {60, 37, 48, 52, 100, 62, 10, 0};\n" /* "<%04d>\n" */
         /* calls itself n times, with 40 bytes of array in each frame */
         ".func (.param .b32 r) down(.param .b32 n) {\n.local .align 8 .b8 own[40];\n.reg .b32 %n, %r;\n"
         ".reg .pred %p;\nld.param.u32 %n, [n];\nmov.u32 %r, 0;\nsetp.eq.u32 %p, %n, 0;\n@%p bra END;\n"
         "st.local.u32 [own], %n;\nsub.u32 %n, %n, 1;\n"
         "{\n.param .b32 a;\n.param .b32 b;\nst.param.b32 [a], %n;\ncall (b), down, (a);\nld.param.b32 %r, "
         "[b];\n}\n"
         "ld.local.u32 %n, [own];\nadd.u32 %r, %r, %n;\nEND:\nst.param.b32 [r], %r;\nret;\n}\n"
    /* cudaMalloc of 64 bytes, with its pointer in global memory */
    KERNEL(
        "allocates") "mov.u64 %size, 64;\n{\n.param .b64 a;\n.param .b64 b;\n.param .b32 c;\n"
                     "st.param.b64 [a], %out;\nst.param.b64 [b], %size;\ncall (c), cudaMalloc, (a, b);\n}\n"
                     "ret;\n}\n"
    /* prints the numbers below n */
    KERNEL("lines") ".local .align 8 .b8 own[8];\n.reg .b64 %f;\nmov.u32 %i, 0;\nAGAIN:\n"
                    "st.local.u32 [own], %i;\ncvta.local.u64 %at, own;\nmov.u64 %f, line;\n"
                    "cvta.global.u64 %f, %f;\n{\n.param .b64 a;\n.param .b64 b;\n.param .b32 c;\n"
                    "st.param.b64 [a], %f;\nst.param.b64 [b], %at;\ncall (c), vprintf, (a, b);\n}\n"
                    "add.u32 %i, %i, 1;\nsetp.lt.u32 %p, %i, %n;\n@%p bra AGAIN;\nret;\n}\n"
    /* how often n bytes can be had; gives the last ones back, and takes them again */
    KERNEL(
        "heap") "cvt.u64.u32 %size, %n;\n.reg .b64 %last;\nmov.u64 %last, 0;\nmov.u32 %i, 0;\nAGAIN:\n"
                "{\n.param .b64 a;\n.param .b64 b;\nst.param.b64 [a], %size;\ncall (b), malloc, (a);\n"
                "ld.param.b64 %at, [b];\n}\nsetp.eq.u64 %p, %at, 0;\n@%p bra FULL;\nmov.u64 %last, %at;\n"
                "add.u32 %i, %i, 1;\nsetp.lt.u32 %p, %i, 1000;\n@%p bra AGAIN;\nFULL:\n"
                "st.global.u32 [%out], %i;\n{\n.param .b64 a;\nst.param.b64 [a], %last;\ncall free, (a);\n}\n"
                "{\n.param .b64 a;\n.param .b64 b;\nst.param.b64 [a], %size;\ncall (b), malloc, (a);\n"
                "ld.param.b64 %at, [b];\n}\nsetp.ne.u64 %p, %at, 0;\nselp.u32 %r, 1, 0, %p;\n"
                "st.global.u32 [%out+4], %r;\nret;\n}\n" KERNEL(
                    "recursion") "{\n.param .b32 a;\n.param .b32 b;\nst.param.b32 [a], %n;\ncall (b), down, "
                                 "(a);\n"
                                 "ld.param.b32 %r, [b];\n}\nst.global.u32 [%out], %r;\nret;\n}\n";

static Machine begin(void) {
    return machine_begin("services", services_ptx, (GpuConfig){.track_undefined = true}, NULL);
}

/* ---- printf ---- */

static void expect_output(const Machine *machine, const char *want, uint64_t want_dropped) {
    Text output;
    uint64_t dropped;
    text_init(&output);
    gpu_take_output(machine->gpu, &output, &dropped);
    assert_string_equal(output.bytes, want);
    assert_int_equal(dropped, want_dropped);
    text_free(&output);
}

static void test_oldest_lines_make_room(void **state) {
    (void)state;
    Machine machine = begin();
    assert_true(gpu_set_limit(machine.gpu, GPU_LIMIT_PRINTF, 21)); /* three lines of seven */
    assert_int_equal(machine_launch(&machine, "lines", 1, 1, 3), GPU_OK);
    expect_output(&machine, "<0000>\n<0001>\n<0002>\n", 0);
    assert_int_equal(machine_launch(&machine, "lines", 1, 1, 1000), GPU_OK);
    expect_output(&machine, "<0997>\n<0998>\n<0999>\n", 997 * 7);
    assert_false(gpu_set_limit(machine.gpu, GPU_LIMIT_PRINTF, 1000)); /* too late */
    assert_int_equal(gpu_limit(machine.gpu, GPU_LIMIT_PRINTF), 21);
    machine_end(&machine);
}

/** One line printed by a kernel with this format; the arguments are 1, 2, 3, ... in words of 32 bits. */
static void expect_format(const char *format, const char *want) {
    Text text;
    text_init(&text);
    text_add(&text, HEAD ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
                         ".global .align 4 .u32 numbers[40] = {");
    for (unsigned i = 1; i <= 40; i++)
        text_format(&text, "%s%u", i > 1 ? ", " : "", i);
    text_add(&text, "};\n.global .align 1 .b8 format[] = {");
    for (const char *at = format; *at; at++)
        text_format(&text, "%d, ", *at);
    text_add(&text, "0};\n.visible .entry test(.param .u64 out, .param .u32 n) {\n.reg .b64 %f, %a;\n"
                    "mov.u64 %f, format;\ncvta.global.u64 %f, %f;\nmov.u64 %a, numbers;\n"
                    "cvta.global.u64 %a, %a;\n{\n.param .b64 p;\n.param .b64 q;\n.param .b32 r;\n"
                    "st.param.b64 [p], %f;\nst.param.b64 [q], %a;\ncall (r), vprintf, (p, q);\n}\nret;\n}\n");
    Machine machine = machine_begin("format", text.bytes, (GpuConfig){0}, NULL);
    assert_int_equal(machine_launch(&machine, "test", 1, 1, 0), GPU_OK);
    expect_output(&machine, want, 0);
    machine_end(&machine);
    text_free(&text);
}

/** The numbers take 160 bytes: of what comes after them nothing is printed. */
static void test_no_more_arguments(void **state) {
    (void)state;
    expect_format("%.0f%.0f%.0f%.0f%.0f%.0f%.0f%.0f%.0f%.0f%.0f%.0f%.0f%.0f%.0f%.0f%.0f%.0f%.0f%.0f<%s>",
                  "00000000000000000000<");
}

static void test_unknown_formats_are_printed(void **state) {
    (void)state;
    expect_format("[%d %5d %-3d]", "[1     2 3  ]");
    expect_format("[%zu %d]", "[%zu 1]"); /* no argument is taken */
    expect_format("[%jd %td %d]", "[%jd %td 1]");
    expect_format("[%.*f %d]", "[%.*f 1]");
    expect_format("[%*.*f %d]", "[%*.*f 1]");
    expect_format("[%*d %d]", "[2 3]");
    expect_format("[%Lf %y %d]", "[%Lf %y 1]");
    expect_format("[%hd %.2d 100%%]", "[1 02 100%]");
    expect_format("100%", "100%");
    expect_format("%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d|%d%5d%%",
                  "1234567891011121314151617181920212223242526272829303132|%d%5d%");
}

/* ---- the heap ---- */

static void on_host_write(void *self, const GpuAllocation *allocation, uint64_t address, uint64_t bytes,
                          uint64_t site) {
    unsigned *written = self;
    (void)allocation, (void)address, (void)bytes;
    assert_int_equal(site, 0); /* no line of the host's */
    ++*written;
}

static void test_a_pointer_is_put_into_memory(void **state) {
    (void)state;
    unsigned written = 0;
    GpuObserver observer = {.self = &written, .host_write = on_host_write};
    Machine machine = machine_begin("services", services_ptx, (GpuConfig){0}, &observer);
    written = 0;
    assert_int_equal(machine_launch(&machine, "allocates", 1, 1, 0), GPU_OK);
    assert_int_equal(written, 1);
    assert_int_not_equal(machine_u32(&machine, 0), 0);
    machine_end(&machine);
}

static void test_heap_is_finite(void **state) {
    (void)state;
    enum { PIECE = 1 << 20 };
    Machine machine = begin();
    assert_int_equal(machine_launch(&machine, "heap", 1, 1, PIECE), GPU_OK);
    assert_int_equal(machine_u32(&machine, 0), 6); /* of 8 MiB, as a card gives */
    assert_int_equal(machine_u32(&machine, 1), 1); /* what was given back can be had again */
    assert_false(gpu_set_limit(machine.gpu, GPU_LIMIT_HEAP, 16 * PIECE));
    machine_end(&machine);
    machine = begin();
    assert_true(gpu_set_limit(machine.gpu, GPU_LIMIT_HEAP, 4 * PIECE - 4));
    assert_int_equal(machine_launch(&machine, "heap", 1, 1, PIECE), GPU_OK);
    assert_int_equal(machine_u32(&machine, 0), 2);
    machine_end(&machine);
}

/* ---- the stack ---- */

static GpuStatus recur(uint32_t depth, uint64_t stack) {
    Machine machine = begin();
    if (stack) assert_true(gpu_set_limit(machine.gpu, GPU_LIMIT_STACK, stack));
    GpuStatus status = machine_launch(&machine, "recursion", 1, 32, depth);
    if (status == GPU_OK) assert_int_equal(machine_u32(&machine, 0), depth * (depth + 1) / 2);
    machine_end(&machine);
    return status;
}

/** A frame has 64 bytes: the array and the registers that a card saves at least. */
static void test_recursion_has_a_limit(void **state) {
    (void)state;
    assert_int_equal(recur(16, 0), GPU_OK); /* of 1024 bytes */
    assert_int_equal(recur(17, 0), GPU_STACK_OVERFLOW);
    assert_int_equal(recur(17, 2048), GPU_OK);
    assert_int_equal(recur(33, 2048), GPU_STACK_OVERFLOW);
    assert_int_equal(recur(1000, 65536), GPU_OK);
    assert_int_equal(recur(1025, 65536), GPU_STACK_OVERFLOW);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oldest_lines_make_room),
        cmocka_unit_test(test_no_more_arguments),
        cmocka_unit_test(test_unknown_formats_are_printed),
        cmocka_unit_test(test_a_pointer_is_put_into_memory),
        cmocka_unit_test(test_heap_is_finite),
        cmocka_unit_test(test_recursion_has_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
