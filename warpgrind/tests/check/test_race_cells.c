/* test_race_cells.c - lanes that lie far apart are looked at together where that can be, and it makes no
 * difference. */
#include "fake_gpu.h"

#include "check/races/races.h"

enum { ARRAY = 32 << 10, STEPS = 400, WARPS = 2, BLOCKS = 2, FIRST_LINE = 12 };

typedef struct Numbers {
    uint64_t state;
} Numbers;

static uint32_t next(Numbers *numbers, uint32_t below) {
    numbers->state = numbers->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(numbers->state >> 33) % below;
}

/* Mostly writes, of few words again and again, so that some race and some are one thread's own; sometimes a
 * read, an atomic, or bytes, which make cells of another kind. */
static FakeAccess any_access(Numbers *numbers, uint64_t array, uint64_t places[32]) {
    FakeAccess a = {
        .kind = GPU_WRITE, .block = next(numbers, BLOCKS), .warp = next(numbers, WARPS), .bytes = 4};
    const uint32_t what = next(numbers, 100), apart = 256 + 4 * next(numbers, 8),
                   start = 4 * next(numbers, 64);
    if (what == 0) a.kind = GPU_READ;
    if (what == 1) a.kind = GPU_ATOMIC;
    if (what == 2) a.bytes = 1;
    if (next(numbers, 3) == 0) a.lanes = next(numbers, UINT32_MAX) | 1;
    a.pc = FIRST_LINE + (uint32_t)a.kind;
    for (unsigned lane = 0; lane < 32; lane++)
        places[lane] = array + start + apart * (next(numbers, 20) == 0 ? next(numbers, 32) : lane);
    a.places = places;
    a.value = next(numbers, 1000);
    a.distinct = true;
    return a;
}

static void take_any_step(Gpu *gpu, Numbers *numbers, uint64_t array, bool one_by_one) {
    uint64_t places[32];
    const uint32_t what = next(numbers, 20);
    if (what < 3) fake_barrier(gpu, what % BLOCKS);
    if (what == 3) fake_launch(gpu, BLOCKS, 32 * WARPS, 30);
    if (what < 4) return;
    FakeAccess access = any_access(numbers, array, places);
    access.rows = one_by_one; /* then they do not count as far apart */
    fake_access(gpu, access);
}

static Gpu *after_any_steps(unsigned seed, unsigned steps, bool one_by_one, uint64_t *array) {
    Gpu *gpu = fake_create();
    Numbers numbers = {seed};
    *array = fake_alloc(gpu, ARRAY, 7);
    fake_parameter(gpu, "x", 8, 4, *array);
    fake_launch(gpu, BLOCKS, 32 * WARPS, 30);
    for (unsigned i = 0; i < steps; i++)
        take_any_step(gpu, &numbers, *array, one_by_one);
    return gpu;
}

static void assert_same_findings(Gpu *a, Gpu *b) {
    assert_int_equal(fake_errors(a), fake_errors(b));
    for (unsigned i = 0; i < fake_errors(a); i++) {
        const CheckFinding *here = check_finding(a->check, i), *there = check_finding(b->check, i);
        assert_string_equal(here->message, there->message);
        assert_int_equal(here->count, there->count);
    }
}

static void far_apart_is_as_one_by_one(void **state) {
    (void)state;
    unsigned findings = 0;
    for (unsigned seed = 1; seed <= 60; seed++) {
        uint64_t array;
        Gpu *together = after_any_steps(seed, STEPS * seed / 60, false, &array);
        Gpu *single = after_any_steps(seed, STEPS * seed / 60, true, &array);
        const Domain *here = &together->check->races->global, *there = &single->check->races->global;
        assert_same_findings(together, single);
        for (uint64_t at = array - GPU_GLOBAL_BASE; at < array - GPU_GLOBAL_BASE + ARRAY; at++)
            assert_int_equal(shadow_record(&here->writes, at), shadow_record(&there->writes, at));
        findings += fake_errors(together);
        fake_destroy(together);
        fake_destroy(single);
    }
    assert_in_range(findings, 10, 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(far_apart_is_as_one_by_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
