/* test_race_cells.c - what makes no difference: lanes that lie far apart are looked at together where that
 * can be, bytes side by side and rows of tiles by whole sectors, and records that are not in use are packed.
 */
#include "fake_gpu.h"

#include "check/races/races.h"

enum { ARRAY = 32 << 10, STEPS = 400, WARPS = 2, BLOCKS = 2, FIRST_LINE = 12 };

/* How the same accesses are looked at. */
typedef enum Way { TOGETHER, ONE_BY_ONE, PACKED } Way;
/* Which ones they are. */
typedef enum What { FAR_APART, SECTORS } What;

typedef struct Numbers {
    uint64_t state;
    unsigned mostly; /**< 1: atomics, 2: bytes */
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
                   start = 4 * next(numbers, 64) | 4; /* no row's beginning */
    if (what == 0) a.kind = GPU_READ;
    if (what == 1) a.kind = GPU_ATOMIC;
    if (what == 2) a.bytes = 1;
    if (numbers->mostly == 1 && what > 3) a.kind = GPU_ATOMIC;
    if (numbers->mostly == 2 && what > 3) a.bytes = 1;
    if (next(numbers, 3) == 0) a.lanes = next(numbers, UINT32_MAX) | 1;
    a.pc = FIRST_LINE + (uint32_t)a.kind;
    for (unsigned lane = 0; lane < 32; lane++)
        places[lane] = array + start + apart * (next(numbers, 20) == 0 ? next(numbers, 32) : lane);
    for (unsigned lane = 8; lane < 12 && next(numbers, 4) == 0; lane++)
        places[lane] = places[lane - 1];
    a.places = places;
    a.value = next(numbers, 1000);
    a.distinct = true;
    return a;
}

/* Bytes, pairs of bytes and words side by side, and rows of eight elements, in a small area. What is not by
 * sectors ends that for its page, so there is little of it, and few steps. */
static FakeAccess any_sectors(Numbers *numbers, uint64_t array, uint64_t places[32]) {
    enum { PART = 1024, MOST_ROW = 8 * 16 };
    FakeAccess a = {.block = next(numbers, BLOCKS), .warp = next(numbers, WARPS)};
    const bool rows = next(numbers, 2);
    if (next(numbers, 3)) a.kind = GPU_WRITE;
    a.bytes = (uint8_t)(1u << next(numbers, rows ? 3 : 4));
    if (rows) a.bytes = (uint8_t)(4 * a.bytes);
    if (next(numbers, 10) == 0) a.kind = GPU_ATOMIC;
    const uint64_t part = array + PART * (next(numbers, 2) ? a.block * WARPS + a.warp : 0);
    const uint64_t beside = next(numbers, 9) ? 0 : a.bytes;
    for (unsigned lane = 0; lane < 32; lane++) {
        if (lane % 8 == 0) places[lane] = part + MOST_ROW * (uint64_t)next(numbers, PART / MOST_ROW) + beside;
        if (lane % 8) places[lane] = places[lane - 1] + a.bytes;
    }
    a.address = part + 32 * (uint64_t)next(numbers, PART / 32) + beside;
    a.stride = a.bytes;
    if (rows) a.places = places;
    a.rows = rows;
    if (next(numbers, 20) == 0) a.lanes = 1;
    a.rows &= !a.lanes;
    a.pc = FIRST_LINE + (uint32_t)a.kind;
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

static void take_any_step(Gpu *gpu, Numbers *numbers, uint64_t array, What accesses, Way way) {
    uint64_t places[32];
    const uint32_t what = next(numbers, 20);
    if (what < 3) fake_barrier(gpu, what % BLOCKS);
    if (what == 3) fake_launch(gpu, BLOCKS, 32 * WARPS, 30);
    if (what < 4) return;
    FakeAccess access;
    if (accesses == SECTORS) {
        access = any_sectors(numbers, array, places);
        access.unshaped = way == ONE_BY_ONE;
        access.rows &= way != ONE_BY_ONE;
    } else {
        access = any_access(numbers, array, places);
        access.rows = way == ONE_BY_ONE; /* then they do not count as far apart */
    }
    fake_access(gpu, access);
    if (way == PACKED && access.value % 5 == 0) pack_all(gpu);
}

static Gpu *after_any_steps(unsigned seed, unsigned steps, What accesses, Way way, uint64_t *array) {
    Gpu *gpu = fake_create();
    Numbers numbers = {seed, seed % 3};
    *array = fake_alloc(gpu, ARRAY, 7);
    fake_parameter(gpu, "x", 8, 4, *array);
    fake_launch(gpu, BLOCKS, 32 * WARPS, 30);
    for (unsigned kind = 0; kind < 3; kind++) /* the first access of an instruction goes the full way */
        fake_access(gpu, (FakeAccess){.kind = (GpuAccessKind)kind,
                                      .pc = FIRST_LINE + kind,
                                      .lanes = 1,
                                      .address = *array + ARRAY - 4});
    for (unsigned i = 0; i < steps; i++)
        take_any_step(gpu, &numbers, *array, accesses, way);
    return gpu;
}

/* How often: an element that lanes of whole segments share counts once for each, or once. */
static void assert_same_findings(Gpu *a, Gpu *b, bool counts) {
    assert_int_equal(fake_errors(a), fake_errors(b));
    for (unsigned i = 0; i < fake_errors(a); i++) {
        const CheckFinding *here = check_finding(a->check, i), *there = check_finding(b->check, i);
        assert_string_equal(here->message, there->message);
        if (counts) assert_int_equal(here->count, there->count);
    }
}

/* What the last change of one byte is recorded as, whatever form the page has. */
static uint64_t record_at(const Shadow *table, uint64_t at) {
    const ShadowPage *page = shadow_any(table, at);
    const unsigned in_page = at % SHADOW_PAGE_BYTES, segment = in_page / SHADOW_SEGMENT_BYTES;
    if (!page || page->exploded >> segment & 1) return shadow_record(table, at);
    return shadow_word(page, segment, 0, in_page % SHADOW_SEGMENT_BYTES / 4);
}

/* The findings of some seeds, which must be the same both ways, as the records of writers are. */
static unsigned findings_of(What accesses, Way one, Way other) {
    unsigned findings = 0;
    const unsigned seeds = accesses == SECTORS ? 600 : 60;
    for (unsigned seed = 1; seed <= seeds; seed++) {
        const unsigned steps = accesses == SECTORS ? 2 + seed % 10 : STEPS * seed / seeds;
        uint64_t array;
        Gpu *a = after_any_steps(seed, steps, accesses, one, &array);
        Gpu *b = after_any_steps(seed, steps, accesses, other, &array);
        const Domain *here = &a->check->races->global, *there = &b->check->races->global;
        assert_same_findings(a, b, accesses == FAR_APART);
        for (uint64_t at = array - GPU_GLOBAL_BASE; at < array - GPU_GLOBAL_BASE + ARRAY; at++) {
            assert_int_equal(record_at(&here->writes, at), record_at(&there->writes, at));
            assert_int_equal(record_at(&here->atomics, at), record_at(&there->atomics, at));
        }
        findings += fake_errors(a);
        fake_destroy(a);
        fake_destroy(b);
    }
    return findings;
}

static void far_apart_is_as_one_by_one(void **state) {
    (void)state;
    assert_in_range(findings_of(FAR_APART, TOGETHER, ONE_BY_ONE), 10, 10000);
}

static void sectors_are_as_one_by_one(void **state) {
    (void)state;
    assert_in_range(findings_of(SECTORS, TOGETHER, ONE_BY_ONE), 10, 10000);
    assert_in_range(findings_of(SECTORS, TOGETHER, PACKED), 10, 10000);
}

static void packed_is_as_it_was(void **state) {
    (void)state;
    assert_in_range(findings_of(FAR_APART, TOGETHER, PACKED), 10, 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(far_apart_is_as_one_by_one),
                                       cmocka_unit_test(sectors_are_as_one_by_one),
                                       cmocka_unit_test(packed_is_as_it_was)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
