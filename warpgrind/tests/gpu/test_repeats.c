/* test_repeats.c - which launches go unwatched because an earlier one did the same, and which must not.
 *
 * The kernels are in repeats.ptx; their names say whether what they touch depends on data.
 */
#include "ptx_file.h"

typedef struct Watcher {
    unsigned accesses, begun, ended;
    uint32_t repeats; /**< of the last launch */
    bool stands;      /**< it was not executed */
    uint64_t steps;   /**< of it */
    GpuLocalCounts local;
    bool tells, opposes; /**< it has said something about the launch; it wants to see the next one */
} Watcher;

static Text source;

static void on_access(void *self, const GpuAccess *access) {
    (void)access;
    ((Watcher *)self)->accesses++;
}

static void on_begin(void *self, const GpuLaunch *launch) {
    Watcher *watcher = self;
    watcher->begun++;
    watcher->repeats = launch->repeats;
}

static void on_end(void *self, const GpuLaunch *launch, GpuStatus status) {
    Watcher *watcher = self;
    (void)status;
    watcher->ended++;
    watcher->stands = launch->stands;
    watcher->steps = launch->warp_instructions;
    watcher->local = launch->local;
}

static bool keep(void *self, const GpuLaunch *launch) {
    (void)launch;
    return !((const Watcher *)self)->tells;
}

static bool agree(void *self, const GpuRepeat *earlier) {
    (void)earlier;
    return !((const Watcher *)self)->opposes;
}

static Machine begin(Watcher *watcher, GpuConfig config) {
    *watcher = (Watcher){0};
    GpuObserver observer = {.self = watcher,
                            .launch_begin = on_begin,
                            .launch_end = on_end,
                            .access = on_access,
                            .in_repeats = true,
                            .keep = keep,
                            .repeats = agree};
    config.track_undefined = true;
    Machine machine = machine_begin("repeats.ptx", source.bytes, config, &observer);
    assert_int_equal(gpu_allow_repeats(machine.gpu), config.seed == 0);
    return machine;
}

/** Launches the kernel, and says whether it was watched. */
static bool is_watched(const Machine *machine, Watcher *watcher, const char *kernel, uint32_t n) {
    unsigned before = watcher->accesses, begun = watcher->begun, ended = watcher->ended;
    assert_int_equal(machine_launch(machine, kernel, 2, 64, n), GPU_OK);
    assert_int_equal(watcher->begun, begun + 1);
    assert_int_equal(watcher->ended, ended + 1);
    bool watched = watcher->accesses > before;
    assert_int_equal(watched, watcher->repeats == 0);
    return watched;
}

static void test_kernels(void **state) {
    (void)state;
    static const char *const names[] = {
        "steady_cells",  "steady_loop",    "steady_frame", "steady_choice",  "varies_address", "varies_guard",
        "varies_branch", "varies_shared",  "varies_lane",  "varies_clock",   "varies_ticket",  "varies_frame",
        "varies_call",   "varies_pointer", "varies_grid",  "undefined_store"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Watcher watcher;
        Machine machine = begin(&watcher, (GpuConfig){0});
        assert_true(is_watched(&machine, &watcher, names[i], 1));
        bool again = is_watched(&machine, &watcher, names[i], 1);
        if (again == (strncmp(names[i], "steady_", 7) == 0)) fail_msg("%s", names[i]);
        machine_end(&machine);
    }
}

/** What is unwatched still computes, with the data of today. */
static void test_values(void **state) {
    (void)state;
    Watcher watcher;
    Machine machine = begin(&watcher, (GpuConfig){0});
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(is_watched(&machine, &watcher, "steady_cells", 1), i == 0);
    assert_int_equal(machine_u32(&machine, 63), 63); /* two blocks, three times: x -> 2x + 1 from 0 */
    machine_end(&machine);
}

/** What is counted only while somebody watches is that of the earlier launch. */
static void test_counts(void **state) {
    (void)state;
    Watcher watcher;
    Machine machine = begin(&watcher, (GpuConfig){0});
    assert_true(is_watched(&machine, &watcher, "steady_frame", 1));
    const GpuLocalCounts first = watcher.local;
    assert_true(first.store_requests > 0 && first.load_requests > 0);
    assert_false(is_watched(&machine, &watcher, "steady_frame", 1));
    assert_memory_equal(&watcher.local, &first, sizeof first);
    machine_end(&machine);
}

/** The launch must be watched again once this has happened since. */
typedef void Happens(Machine *machine, Watcher *watcher);

static void host_writes(Machine *machine, Watcher *watcher) {
    (void)watcher;
    gpu_memory_set(machine->gpu, machine->out->address, 0, 4, 0);
}
static void memory_comes(Machine *machine, Watcher *watcher) {
    (void)watcher;
    assert_non_null(gpu_memory_alloc(machine->gpu, 64, 256, GPU_ALLOC_DEVICE, 0));
}
static void constant_changes(Machine *machine, Watcher *watcher) {
    uint32_t four = 4;
    (void)watcher;
    const GpuAllocation *fixed = gpu_variable_find(machine->module, "fixed");
    assert_true(gpu_memory_write(machine->gpu, fixed->address, &four, sizeof four, 0));
}
static void another_kernel_writes(Machine *machine, Watcher *watcher) {
    assert_true(is_watched(machine, watcher, "varies_guard", 1));
}
static void undefined_is_stored(Machine *machine, Watcher *watcher) {
    assert_true(is_watched(machine, watcher, "undefined_store", 1));
}
static void somebody_opposes(Machine *machine, Watcher *watcher) {
    (void)machine;
    watcher->opposes = true;
}
static void forgotten(Machine *machine, Watcher *watcher) {
    (void)watcher;
    gpu_forget_repeats(machine->gpu);
}

static void test_what_ends_it(void **state) {
    (void)state;
    static Happens *const happens[] = {
        host_writes,         memory_comes,     constant_changes, another_kernel_writes,
        undefined_is_stored, somebody_opposes, forgotten};
    for (size_t i = 0; i < sizeof happens / sizeof *happens; i++) {
        Watcher watcher;
        Machine machine = begin(&watcher, (GpuConfig){0});
        assert_true(is_watched(&machine, &watcher, "steady_loop", 1));
        assert_false(is_watched(&machine, &watcher, "steady_loop", 1));
        happens[i](&machine, &watcher);
        if (!is_watched(&machine, &watcher, "steady_loop", 1)) fail_msg("happening %zu", i);
        machine_end(&machine);
    }
}

static void test_other_launches(void **state) {
    (void)state;
    Watcher watcher;
    Machine machine = begin(&watcher, (GpuConfig){0});
    watcher.tells = true;
    assert_true(is_watched(&machine, &watcher, "steady_cells", 1));
    watcher.tells = false;
    assert_true(is_watched(&machine, &watcher, "steady_cells", 1)); /* the first was not clean */
    assert_true(is_watched(&machine, &watcher, "steady_cells", 2)); /* another parameter */
    machine_end(&machine);
}

static void test_who_must_see_all(void **state) {
    (void)state;
    Watcher watcher;
    Machine machine = begin(&watcher, (GpuConfig){.seed = 1});
    assert_true(is_watched(&machine, &watcher, "steady_cells", 1));
    assert_true(is_watched(&machine, &watcher, "steady_cells", 1)); /* the order changes */
    machine_end(&machine);
    machine = begin(&watcher, (GpuConfig){0});
    GpuObserver plain = {.self = &watcher, .access = on_access};
    gpu_attach(machine.gpu, &plain);
    assert_true(is_watched(&machine, &watcher, "steady_cells", 1));
    assert_true(is_watched(&machine, &watcher, "steady_cells", 1)); /* it was not asked */
    machine_end(&machine);
}

/** Launches out[t] = from[t] + 1, where `from` lies n bytes behind out; whether it was executed, and that its
 * counts are those of the first launch. */
static bool is_executed(const Machine *machine, Watcher *watcher, const GpuAllocation *from) {
    uint64_t steps = watcher->steps;
    is_watched(machine, watcher, "steady_copy", (uint32_t)(from->address - machine->out->address));
    if (watcher->repeats) assert_int_equal(watcher->steps, steps);
    return !watcher->stands;
}

static void test_what_stands(void **state) {
    (void)state;
    Watcher watcher;
    uint32_t seven = 7;
    Machine machine = begin(&watcher, (GpuConfig){0});
    const GpuAllocation *from = gpu_memory_alloc(machine.gpu, 4096, 256, GPU_ALLOC_DEVICE, 0);
    gpu_memory_set(machine.gpu, from->address, 0, 4096, 0);
    assert_true(is_executed(&machine, &watcher, from));
    assert_false(is_executed(&machine, &watcher, from));
    assert_int_equal(machine_u32(&machine, 5), 1);
    gpu_memory_write(machine.gpu, from->address + 20, &seven, sizeof seven, 0); /* what it reads */
    assert_true(is_executed(&machine, &watcher, from));
    assert_int_equal(machine_u32(&machine, 5), 8);
    assert_false(is_executed(&machine, &watcher, from));
    gpu_memory_set(machine.gpu, machine.out->address, 0, 64, 0); /* what it has written */
    assert_true(is_executed(&machine, &watcher, from));
    assert_int_equal(machine_u32(&machine, 5), 8);
    machine_end(&machine);
}

/** What prints, reads what it writes, or what the host can write without a call, is executed each time. */
static void test_what_never_stands(void **state) {
    (void)state;
    Watcher watcher;
    Machine machine = begin(&watcher, (GpuConfig){0});
    for (int i = 0; i < 3; i++)
        is_watched(&machine, &watcher, "steady_cells", 1);
    assert_true(watcher.repeats && !watcher.stands);
    for (int i = 0; i < 3; i++)
        is_watched(&machine, &watcher, "steady_print", 1);
    assert_true(watcher.repeats && !watcher.stands);
    const GpuAllocation *from = gpu_memory_alloc(machine.gpu, 4096, 256, GPU_ALLOC_MANAGED, 0);
    gpu_memory_set(machine.gpu, from->address, 0, 4096, 0);
    for (int i = 0; i < 3; i++)
        assert_true(is_executed(&machine, &watcher, from));
    assert_true(watcher.repeats != 0);
    machine_end(&machine);
}

/** Where nobody watches, a repeat saves nothing, and noting what launches touch would cost. */
static void test_nobody_watches(void **state) {
    (void)state;
    Machine machine = machine_begin("repeats.ptx", source.bytes, (GpuConfig){0}, NULL);
    assert_false(gpu_allow_repeats(machine.gpu));
    assert_int_equal(machine.gpu->access_count, 0);
    machine_end(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_what_ends_it),
        cmocka_unit_test(test_other_launches),
        cmocka_unit_test(test_who_must_see_all),
        cmocka_unit_test(test_nobody_watches),
        cmocka_unit_test(test_what_stands),
        cmocka_unit_test(test_what_never_stands),
    };
    text_init(&source);
    if (!text_read_file(&source, "tests/gpu/repeats.ptx", 1 << 20)) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    text_free(&source);
    return failed;
}
