/* test_race_cells.c - what makes no difference: lanes that lie far apart are looked at together where that
 * can be, and records that are not in use are packed. */
#include "fake_gpu.h"

#include "check/races/races.h"

enum { ARRAY = 32 << 10, STEPS = 400, WARPS = 2, BLOCKS = 2, FIRST_LINE = 12 };

/* How the same accesses are looked at. */
typedef enum Way { TOGETHER, ONE_BY_ONE, PACKED } Way;

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

static void pack_all(Gpu *gpu) {
    Races *races = gpu->check->races;
    shadow_pack(&races->global.reads, races->global.generation, UINT64_MAX);
    shadow_pack(&races->global.writes, races->global.generation, UINT64_MAX);
    shadow_pack(&races->global.atomics, races->global.generation, UINT64_MAX);
}

static void take_any_step(Gpu *gpu, Numbers *numbers, uint64_t array, Way way) {
    uint64_t places[32];
    const uint32_t what = next(numbers, 20);
    if (what < 3) fake_barrier(gpu, what % BLOCKS);
    if (what == 3) fake_launch(gpu, BLOCKS, 32 * WARPS, 30);
    if (what < 4) return;
    FakeAccess access = any_access(numbers, array, places);
    access.rows = way == ONE_BY_ONE; /* then they do not count as far apart */
    fake_access(gpu, access);
    if (way == PACKED && access.value % 5 == 0) pack_all(gpu);
}

static Gpu *after_any_steps(unsigned seed, unsigned steps, Way way, uint64_t *array) {
    Gpu *gpu = fake_create();
    Numbers numbers = {seed};
    *array = fake_alloc(gpu, ARRAY, 7);
    fake_parameter(gpu, "x", 8, 4, *array);
    fake_launch(gpu, BLOCKS, 32 * WARPS, 30);
    for (unsigned i = 0; i < steps; i++)
        take_any_step(gpu, &numbers, *array, way);
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

/* The findings of some seeds, which must be the same both ways, as the records of writers are. */
static unsigned findings_of(Way one, Way other) {
    unsigned findings = 0;
    for (unsigned seed = 1; seed <= 60; seed++) {
        uint64_t array;
        Gpu *a = after_any_steps(seed, STEPS * seed / 60, one, &array);
        Gpu *b = after_any_steps(seed, STEPS * seed / 60, other, &array);
        const Domain *here = &a->check->races->global, *there = &b->check->races->global;
        assert_same_findings(a, b);
        for (uint64_t at = array - GPU_GLOBAL_BASE; at < array - GPU_GLOBAL_BASE + ARRAY; at++)
            assert_int_equal(shadow_record(&here->writes, at), shadow_record(&there->writes, at));
        findings += fake_errors(a);
        fake_destroy(a);
        fake_destroy(b);
    }
    return findings;
}

static void far_apart_is_as_one_by_one(void **state) {
    (void)state;
    assert_in_range(findings_of(TOGETHER, ONE_BY_ONE), 10, 10000);
}

static void packed_is_as_it_was(void **state) {
    (void)state;
    assert_in_range(findings_of(TOGETHER, PACKED), 10, 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(far_apart_is_as_one_by_one),
                                       cmocka_unit_test(packed_is_as_it_was)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
