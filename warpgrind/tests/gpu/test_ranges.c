/* test_ranges.c - which launches are divided among processes: what the first blocks show of the memory that a
 * launch changes, and what is decided from it.
 *
 * The kernels are in ranges.ptx. No time is measured: the decision depends on counts alone.
 */
#include "ptx_file.h"

#include "gpu/divide/range.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BYTES = 64 << 20, THREADS = 256 };

static Text source;

static Machine begin(unsigned threads, uint64_t divide_from) {
    GpuConfig config = {.threads = threads, .divide_from = divide_from, .track_undefined = true};
    Machine machine = machine_begin("ranges.ptx", source.bytes, config, NULL);
    machine.out = gpu_memory_alloc(machine.gpu, BYTES, 256, GPU_ALLOC_DEVICE, 0);
    assert_non_null(machine.out);
    assert_true(gpu_memory_set(machine.gpu, machine.out->address, 0, BYTES, 0));
    return machine;
}

static GpuKernel *launch(const Machine *machine, const char *name, uint32_t blocks, uint32_t n) {
    assert_int_equal(machine_launch(machine, name, blocks, THREADS, n), GPU_OK);
    return gpu_kernel_find(machine->module, name);
}

/* ---- the sample ---- */

/** Pages that a launch of so many steps would change, as its sample says. */
static double pages_of(const char *name, uint32_t blocks, uint32_t n) {
    Machine machine = begin(2, 0);
    GpuSampled sampled = launch(&machine, name, blocks, n)->sampled;
    assert_true(sampled.steps > 0);
    double pages = (double)sampled.segments / (double)RANGE_PAGE_SEGMENTS / (double)sampled.steps;
    uint64_t steps = gpu_kernel_find(machine.module, name)->steps_of_block * blocks;
    machine_end(&machine);
    return pages * (double)steps;
}

static void expect_about(double got, double want) {
    if (!(got >= 0.9 * want && got <= 1.25 * want)) fail_msg("%g pages instead of %g", got, want);
}

static void test_samples(void **state) {
    (void)state;
    expect_about(pages_of("adds", 4096, 0), 1024);       /* four blocks a page */
    expect_about(pages_of("scatters", 64, 0), 16384);    /* a page a thread */
    expect_about(pages_of("walks", 256, 1 << 20), 1024); /* 16 steps of the grid, pages shared by blocks */
    assert_true(pages_of("computes", 256, 1000) < 100);
    assert_true(pages_of("counts", 256, 1) == 0); /* one word, again and again */
}

/** The first block alone changes more places than the sample has room for, in its first turn or in many. */
static void test_full_sample(void **state) {
    (void)state;
    expect_about(pages_of("floods", 4, 100), 3200); /* 32 segments a page */
    Machine machine = begin(2, 0);
    assert_int_equal(launch(&machine, "walks", 4, 16 << 20)->sampled.steps, 0); /* its blocks took turns */
    machine_end(&machine);
}

static void test_no_sample(void **state) {
    (void)state;
    Machine machine = begin(1, 0);
    assert_int_equal(launch(&machine, "adds", 64, 0)->sampled.steps, 0); /* nothing is divided */
    machine_end(&machine);
    machine = begin(2, 1);
    assert_int_equal(launch(&machine, "adds", 64, 0)->sampled.steps, 0); /* everything is */
    machine_end(&machine);
}

/* ---- the decision ---- */

static unsigned worth(RangeWork work, unsigned most) {
    return range_worth(&work, most);
}

static void test_worth(void **state) {
    (void)state;
    enum { MANY = 1 << 30, SOME = 1 << 22 };
    assert_int_equal(worth((RangeWork){.blocks = 64, .steps = MANY}, 2), 2);
    assert_int_equal(worth((RangeWork){.blocks = 64, .steps = MANY}, 1), 1); /* no more are allowed */
    assert_int_equal(worth((RangeWork){.blocks = 3, .steps = MANY}, 8), 3);  /* or there */
    assert_int_equal(worth((RangeWork){0}, 8), 1);
    assert_int_equal(worth((RangeWork){.blocks = 64, .steps = 1000}, 2), 1);
    /* Many pages, for their instructions, or few. */
    assert_int_equal(worth((RangeWork){.blocks = 64, .steps = MANY, .pages = MANY / 500}, 2), 1);
    assert_int_equal(worth((RangeWork){.blocks = 64, .steps = MANY, .pages = MANY / 10000}, 2), 2);
    /* Accesses that are watched take long, so that pages weigh less. */
    RangeWork accesses = {
        .blocks = 64, .steps = MANY, .accesses = MANY / 4, .global = MANY / 4, .pages = MANY / 3000};
    assert_int_equal(worth(accesses, 2), 1);
    accesses.watched = true;
    assert_int_equal(worth(accesses, 2), 2);
    /* A little work is worth a few processes, not many; and none when much memory is to be mapped. */
    assert_in_range(worth((RangeWork){.blocks = 64, .steps = SOME}, 64), 2, 32);
    assert_int_equal(worth((RangeWork){.blocks = 64, .steps = SOME, .memory = UINT64_C(1) << 30}, 64), 1);
}

typedef enum Fate { ALONE, DIVIDED, GUESSED_WRONG } Fate;

static void expect_fate(const char *name, uint32_t blocks, uint32_t n, unsigned threads, Fate want) {
    Machine machine = begin(threads, 0);
    const GpuKernel *kernel = launch(&machine, name, blocks, n);
    Fate fate = gpu_divided(machine.gpu) ? DIVIDED : ALONE;
    if (kernel->undividable) fate = GUESSED_WRONG;
    if (fate != want) fail_msg("%s: %d instead of %d", name, (int)fate, (int)want);
    machine_end(&machine);
}

static void test_launches(void **state) {
    (void)state;
    expect_fate("computes", 256, 2000, 2, DIVIDED);
    expect_fate("computes", 256, 2000, 1, ALONE);
    expect_fate("computes", 256, 1, 2, ALONE);
    expect_fate("adds", 16384, 0, 2, ALONE);
    expect_fate("scatters", 64, 0, 2, ALONE);
    expect_fate("walks", 256, 16 << 20, 2, ALONE);
    expect_fate("meets", 1024, 2000, 2, GUESSED_WRONG);
}

/** What the first launch has shown is known at the start of the second. */
static void test_later_launches(void **state) {
    (void)state;
    Machine machine = begin(2, 0);
    GpuKernel *kernel = launch(&machine, "computes", 256, 2000);
    GpuSampled first = kernel->sampled;
    launch(&machine, "computes", 256, 2000);
    assert_int_equal(gpu_divided(machine.gpu), 2);
    assert_memory_equal(&kernel->sampled, &first, sizeof first);
    machine_end(&machine);
}

/* ---- what is divided and repeated ---- */

static void note_begin(void *self, const GpuLaunch *launch) {
    *(uint32_t *)self = launch->repeats;
}

/** Launches among two processes: the first block stores to one array, the others to another, n bytes on.
 * Returns whether the launch was watched. */
static bool is_watched(const Machine *machine, const uint32_t *repeats, uint32_t n) {
    uint64_t divided = gpu_divided(machine->gpu);
    launch(machine, "parts", 64, n);
    assert_int_equal(gpu_divided(machine->gpu), divided + (*repeats == 0)); /* a repeat stands, undivided */
    return *repeats == 0;
}

/** A divided launch is known well enough to be repeated unwatched, what the workers did included. */
static void test_repeats(void **state) {
    (void)state;
    uint32_t repeats = 0;
    GpuObserver observer = {
        .self = &repeats, .launch_begin = note_begin, .in_repeats = true, .in_ranges = true};
    Machine machine = begin(2, 1);
    const GpuAllocation *second = gpu_memory_alloc(machine.gpu, BYTES, 256, GPU_ALLOC_DEVICE, 0);
    uint32_t distance = (uint32_t)(second->address - machine.out->address);
    gpu_memory_set(machine.gpu, second->address, 0, BYTES, 0);
    assert_true(gpu_allow_repeats(machine.gpu));
    gpu_attach(machine.gpu, &observer);
    assert_true(is_watched(&machine, &repeats, distance));
    assert_false(is_watched(&machine, &repeats, distance));
    gpu_memory_set(machine.gpu, second->address, 0, 4, 0); /* the host writes where only workers did */
    assert_true(is_watched(&machine, &repeats, distance));
    machine_end(&machine);
}

/** What several processes have added to one word is put together. */
static void test_sums(void **state) {
    (void)state;
    Machine machine = begin(2, 1);
    launch(&machine, "counts", 16, 3);
    launch(&machine, "counts", 16, 3);
    assert_int_equal(machine_u32(&machine, 0), 2 * 16 * THREADS * 3);
    assert_int_equal(gpu_divided(machine.gpu), 2);
    machine_end(&machine);
}

/** Words beside each other that one process has updated, or several, or that one only stores to. */
static void test_sums_beside_each_other(void **state) {
    (void)state;
    enum { BLOCKS = 16, APART = 16, SOME = 12, HALF = 8 };
    Machine machine = begin(2, 1);
    launch(&machine, "counts_apart", BLOCKS, APART);
    launch(&machine, "counts_apart", BLOCKS, SOME);
    assert_int_equal(gpu_divided(machine.gpu), 2);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        uint32_t times = 1;
        if (i < SOME) times = i + SOME < BLOCKS ? 3 : 2;
        assert_int_equal(machine_u32(&machine, i), times * THREADS);
    }
    assert_true(gpu_memory_set(machine.gpu, machine.out->address, 0, BYTES, 0));
    launch(&machine, "counts_beside", BLOCKS, HALF);
    assert_int_equal(gpu_divided(machine.gpu), 3);
    assert_int_equal(machine_u32(&machine, 0), HALF * THREADS);
    for (uint32_t i = 1; i < BLOCKS; i++)
        assert_int_equal(machine_u32(&machine, i), i < HALF ? 0 : i);
    machine_end(&machine);
}

/** What an atomic operation on a pair finds there is the same as in one process: nothing twice. */
static void test_pairs(void **state) {
    (void)state;
    enum { BLOCKS = 16 };
    bool seen[BLOCKS * THREADS] = {false};
    Machine machine = begin(2, 1);
    launch(&machine, "pairs", BLOCKS, 0);
    for (uint32_t i = 0; i < BLOCKS * THREADS; i++) {
        const uint32_t old = machine_u32(&machine, 2 + i);
        assert_true(old < BLOCKS * THREADS && !seen[old]);
        seen[old] = true;
    }
    machine_end(&machine);
}

/** The kernel's output lies in pages that another process sees at once, as managed memory's are. */
static uint32_t *share_out(Machine *machine) {
    machine->out = gpu_memory_alloc(machine->gpu, BYTES, 4096, GPU_ALLOC_MANAGED, 0);
    assert_non_null(machine->out);
    void *bytes = gpu_memory_host(machine->gpu, machine->out->address, BYTES);
    void *shared = mmap(bytes, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    assert_ptr_equal(shared, bytes);
    assert_true(gpu_memory_set(machine->gpu, machine->out->address, 0, BYTES, 0));
    return shared;
}

/** What workers write there must not stay when they give up, nor be counted twice when they do not. */
static uint32_t sum_in_shared(const char *name, unsigned threads, unsigned *divided) {
    Machine machine = begin(threads, 1);
    const uint32_t *words = share_out(&machine);
    launch(&machine, name, 256, 3);
    *divided = (unsigned)gpu_divided(machine.gpu);
    uint32_t sum = words[0];
    machine_end(&machine);
    return sum;
}

static void test_shared(void **state) {
    (void)state;
    unsigned divided;
    assert_int_equal(sum_in_shared("counts", 2, &divided), 256 * THREADS * 3);
    assert_int_equal(divided, 1);
    uint32_t alone = sum_in_shared("meets", 1, &divided);
    assert_true(alone != 0);
    assert_int_equal(sum_in_shared("meets", 2, &divided), alone);
    assert_int_equal(divided, 0);
    assert_int_equal(sum_in_shared("counts_for_all", 2, &divided), 256 * THREADS * 3);
    assert_int_equal(divided, 0); /* the host may count, too */
}

/** Another process counts in the same word all the while, and says how often it did. */
static void test_host_takes_part(void **state) {
    (void)state;
    Machine machine = begin(1, 0);
    uint32_t *words = share_out(&machine);
    volatile uint32_t *stop = words + 1024, *mine = words + 2048;
    pid_t other = fork();
    assert_true(other >= 0);
    while (other == 0) {
        __atomic_fetch_add(words, 1, __ATOMIC_SEQ_CST);
        *mine += 1;
        if (*stop) _exit(0);
    }
    while (*mine == 0) {
    }
    for (unsigned i = 0; i < 4; i++)
        launch(&machine, "counts_for_all", 256, 1);
    *stop = 1;
    assert_int_equal(waitpid(other, NULL, 0), other);
    assert_int_equal(words[0] - *mine, 4 * 256 * THREADS);
    machine_end(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_full_sample),
        cmocka_unit_test(test_no_sample),
        cmocka_unit_test(test_worth),
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_later_launches),
        cmocka_unit_test(test_repeats),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_sums_beside_each_other),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_host_takes_part),
    };
    text_init(&source);
    if (!text_read_file(&source, "tests/gpu/ranges.ptx", 1 << 20)) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    text_free(&source);
    return failed;
}
