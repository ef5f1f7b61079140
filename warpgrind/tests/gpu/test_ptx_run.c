/* test_ptx_run.c - runs tests/gpu/NAME.ptx and compares what they store with what stands in their margins.
 *
 * `// expect: u32[3] = 7` means: slot 3 (of 8 bytes) of the output buffer holds the 32-bit value 7
 * afterwards. Every file runs with one thread, a whole warp, and with half of a warp's lanes in a branch of
 * their own; with and without definedness; by the handlers for every processor level that this processor has;
 * and in two orders. A file whose head says "Threads: 1 only" or "Threads: 32 only" runs with so many.
 */
#include "ptx_file.h"

typedef struct Variant {
    uint32_t threads, lanes;
    bool track;
    uint64_t seed;
    unsigned level; /**< how much less than the best */
} Variant;

static const Variant variants[] = {
    {1, UINT32_MAX, false, 0, 0},  {32, UINT32_MAX, false, 0, 0}, {32, 0x5aa5c33c, false, 0, 0},
    {45, UINT32_MAX, true, 1, 0},  {32, 0x5aa5c33c, true, 2, 0},  {32, UINT32_MAX, false, 0, 1},
    {32, 0x80000001, false, 0, 1}, {32, UINT32_MAX, false, 0, 2}, {32, 0x0000fff0, true, 0, 2},
};

/** One margin: false when the slot holds something else. */
static bool check_margin(const char *file, int line, const char *margin, const uint8_t *out) {
    char type[8];
    unsigned index;
    char text[64];
    assert_int_equal(sscanf(margin, "// expect: %7[a-z0-9][%u] = %63s", type, &index, text), 3);
    assert_true(index < MACHINE_OUT / 8);
    unsigned bytes = (unsigned)atoi(type + 1) / 8;
    uint64_t want = text[0] == '-' ? (uint64_t)strtoll(text, NULL, 0) : strtoull(text, NULL, 0), got = 0;
    memcpy(&got, out + 8 * index, bytes);
    if (bytes < 8) want &= (UINT64_C(1) << 8 * bytes) - 1;
    if (got == want) return true;
    fprintf(stderr, "%s:%d: %s[%u] is %#llx, expected %#llx\n", file, line, type, index,
            (unsigned long long)got, (unsigned long long)want);
    return false;
}

static unsigned check_margins(const char *file, const char *text, const uint8_t *out, unsigned *count) {
    unsigned wrong = 0;
    int line = 1;
    for (const char *at = text; *at; line++) {
        const char *end = strchrnul(at, '\n'), *margin = strstr(at, "// expect:");
        if (margin && margin < end) {
            (*count)++;
            wrong += !check_margin(file, line, margin, out);
        }
        at = *end ? end + 1 : end;
    }
    return wrong;
}

static void on_fault(void *self, const GpuFault *fault) {
    (void)self;
    fail_msg("fault of kind %d at pc %u", (int)fault->kind, fault->pc);
}

static void on_undefined(void *self, const GpuWarp *warp, uint32_t lanes, uint32_t pc, GpuUndefinedUse use,
                         uint32_t origin) {
    (void)self, (void)warp, (void)origin;
    fail_msg("undefined value used (%d) by lanes %x at pc %u", (int)use, lanes, pc);
}

static void run_variant(const char *path, const Text *text, const Variant *variant) {
    GpuObserver observer = {.fault = on_fault, .undefined_use = on_undefined};
    GpuConfig config = {.track_undefined = variant->track, .seed = variant->seed};
    Machine machine = machine_begin_at(variant->level, path, text->bytes, text->length, config, &observer);
    GpuKernel *kernel = gpu_kernel_find(machine.module, "test");
    assert_non_null(kernel);
    assert_int_equal(machine_launch(&machine, "test", 1, variant->threads, variant->lanes), GPU_OK);
    unsigned count = 0;
    const uint8_t *out = gpu_memory_host(machine.gpu, machine.out->address, MACHINE_OUT);
    if (check_margins(path, text->bytes, out, &count))
        fail_msg("%s with %u threads, lanes %x, level -%u, track %d", path, variant->threads, variant->lanes,
                 variant->level, variant->track);
    assert_true(count > 0);
    machine_end(&machine);
}

static void run_file(void **state) {
    const char *name = *state;
    char path[256];
    Text text;
    snprintf(path, sizeof path, "tests/gpu/%s.ptx", name);
    text_init(&text);
    if (!text_read_file(&text, path, 1 << 20)) fail_msg("cannot read %s", path);
    bool warp = strstr(text.bytes, "Threads: 32 only"), one = strstr(text.bytes, "Threads: 1 only");
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        Variant variant = variants[i];
        if (warp || one) variant.lanes = UINT32_MAX, variant.threads = one ? 1 : GPU_WARP_LANES;
        run_variant(path, &text, &variant);
    }
    text_free(&text);
}

#define FILE_TEST(name)                                                                                      \
    { name, run_file, NULL, NULL, (void *)(uintptr_t)name }

int main(void) {
    const struct CMUnitTest tests[] = {
        FILE_TEST("integer"), FILE_TEST("quotients"), FILE_TEST("video"),     FILE_TEST("wide"),
        FILE_TEST("logic"),   FILE_TEST("compare"),   FILE_TEST("float"),     FILE_TEST("convert"),
        FILE_TEST("memory"),  FILE_TEST("flow"),      FILE_TEST("call"),      FILE_TEST("stack"),
        FILE_TEST("cluster"), FILE_TEST("children"),  FILE_TEST("matrix"),    FILE_TEST("wmma"),
        FILE_TEST("parts"),   FILE_TEST("mbarrier"),  FILE_TEST("formats"),   FILE_TEST("pairs"),
        FILE_TEST("warp"),    FILE_TEST("atomic"),    FILE_TEST("addresses"), FILE_TEST("contract"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
