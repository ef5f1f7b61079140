/* test_backlog.c - reads that wait: what they leave when they are recorded, against a detector that records
 * each at once. */
#include "fake_gpu.h"

#include "check/races/races.h"

enum { ARRAY = 16 << 10, READS = 3000, WARPS = 4, BLOCKS = 3, LINE = 12, OTHER_LINE = 13 };

typedef struct Numbers {
    uint64_t state;
} Numbers;

static uint32_t next(Numbers *numbers, uint32_t below) {
    numbers->state = numbers->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(numbers->state >> 33) % below;
}

static const Backlog *backlog_of(const Gpu *gpu) {
    return &gpu->check->races->backlog;
}

static Gpu *with_array(uint64_t *array) {
    Gpu *gpu = fake_create();
    *array = fake_alloc(gpu, ARRAY, 7);
    fake_parameter(gpu, "x", 8, 4, *array);
    fake_launch(gpu, BLOCKS, 32 * WARPS, 30);
    return gpu;
}

static void read_one(Gpu *gpu, uint64_t address, uint32_t block) {
    fake_access(gpu,
                (FakeAccess){.kind = GPU_READ, .pc = LINE, .block = block, .address = address, .stride = 4});
}

static void reads_wait(void **state) {
    (void)state;
    uint64_t array;
    Gpu *gpu = with_array(&array);
    read_one(gpu, array, 0);
    assert_non_null(backlog_of(gpu)->oldest);
    uint64_t readers[SHADOW_MAX_WAYS];
    domain_readers(&gpu->check->races->global, array - GPU_GLOBAL_BASE, readers);
    assert_int_equal(CHECK_BOTH ? 0 : readers[0], 0);
    fake_launch(gpu, BLOCKS, 32 * WARPS, 30);
    assert_null(backlog_of(gpu)->oldest);
    fake_destroy(gpu);
}

static void a_write_meets_reads_that_waited(void **state) {
    (void)state;
    uint64_t array;
    Gpu *gpu = with_array(&array);
    read_one(gpu, array, 0);
    read_one(gpu, array + 128, 1);
    fake_access(
        gpu,
        (FakeAccess){.kind = GPU_WRITE, .pc = OTHER_LINE, .block = 2, .address = array + 140, .lanes = 1});
    const CheckFinding *found = fake_only_error(gpu);
    assert_int_equal(found->kind, FINDING_GLOBAL_RACE);
    assert_int_equal(found->party.place.line, OTHER_LINE);
    assert_int_equal(found->other.place.line, LINE);
    assert_int_equal(found->other.block.x, 1);
    assert_int_equal(found->other.thread.x, 3);
    assert_null(backlog_of(gpu)->oldest);
    read_one(gpu, array + 1024, 0);
    assert_null(backlog_of(gpu)->oldest); /* it does not wait again in this launch */
    fake_destroy(gpu);
}

/* Nobody is compared with the reads of a launch that has ended: they are not recorded, whatever comes. */
static void the_end_of_a_launch_forgets(void **state) {
    (void)state;
    uint64_t array;
    Gpu *gpu = with_array(&array);
    read_one(gpu, array, 0);
    fake_launch_end(gpu);
    assert_null(backlog_of(gpu)->oldest);
    fake_alloc(gpu, 256, 8);
    uint64_t readers[SHADOW_MAX_WAYS];
    domain_readers(&gpu->check->races->global, array - GPU_GLOBAL_BASE, readers);
    assert_int_equal(readers[0], 0);
    fake_destroy(gpu);
}

/* Memory that is given out again has no past, whoever waits. */
static void an_allocation_ends_the_waiting(void **state) {
    (void)state;
    uint64_t array;
    Gpu *gpu = with_array(&array);
    read_one(gpu, array, 0);
    fake_alloc(gpu, 256, 8);
    assert_null(backlog_of(gpu)->oldest);
    assert_int_equal(fake_errors(gpu), 0);
    fake_destroy(gpu);
}

static void a_fence_ends_the_waiting(void **state) {
    (void)state;
    uint64_t array;
    Gpu *gpu = with_array(&array);
    read_one(gpu, array, 0);
    fake_fence(gpu, 0, 0, UINT32_MAX, PTX_SCOPE_GPU);
    assert_null(backlog_of(gpu)->oldest);
    read_one(gpu, array, 0);
    assert_null(backlog_of(gpu)->oldest);
    fake_destroy(gpu);
}

/* Without room reads are forgotten, and told when one may race: with the line of the first. */
static void forgotten_reads_have_a_line(void **state) {
    (void)state;
    uint64_t array;
    Gpu *gpu = with_array(&array);
    Races *races = gpu->check->races;
    read_one(gpu, array, 0);
    races->room.left = 0;
    races->room_is_tight = true;
    fake_access(gpu,
                (FakeAccess){.kind = GPU_WRITE, .pc = OTHER_LINE, .block = 2, .address = array, .lanes = 1});
    assert_int_equal(races->unwatched_at[UNWATCHED_ROOM], LINE);
    fake_destroy(gpu);
}

/* ---- any reads: the same records ---- */

static FakeAccess any_read(Numbers *numbers, uint64_t array, uint64_t places[32]) {
    static const uint8_t widths[] = {4, 4, 4, 1, 2, 8, 16};
    FakeAccess a = {.kind = GPU_READ, .pc = LINE + next(numbers, 2), .block = next(numbers, BLOCKS)};
    a.warp = next(numbers, WARPS);
    a.bytes = widths[next(numbers, sizeof widths)];
    if (next(numbers, 3) == 0) a.lanes = next(numbers, UINT32_MAX) | 1u << next(numbers, 32);
    if (next(numbers, 6) == 0) a.lanes = UINT32_MAX << next(numbers, 32);
    const uint32_t width = a.bytes, run = 4u << next(numbers, 3), far = width * next(numbers, 40);
    a.address = array + width * next(numbers, ARRAY / width / 4);
    a.stride = (int64_t)width * next(numbers, 6);
    for (unsigned lane = 0; lane < 32; lane++)
        places[lane] = next(numbers, 2) ? array + width * next(numbers, ARRAY / width)
                                        : a.address + lane % run * width + lane / run * far;
    const uint32_t kind = next(numbers, 3); /* even, rows, anywhere */
    for (unsigned lane = 0; lane < 32 && kind == 1; lane++)
        places[lane] = a.address + lane % run * width + lane / run * far;
    if (kind) a.places = places;
    return a;
}

static void take_any_step(Gpu *gpu, Numbers *numbers, uint64_t array) {
    uint64_t places[32];
    uint32_t block = next(numbers, BLOCKS), what = next(numbers, 30);
    if (what == 0) fake_barrier(gpu, block);
    if (what == 1) fake_syncwarp(gpu, block, next(numbers, WARPS), UINT32_MAX);
    if (what > 1) fake_access(gpu, any_read(numbers, array, places));
}

/* The records of one launch. */
static void same_records(Gpu *waits, Gpu *exact, uint64_t array, unsigned seed, unsigned reads) {
    exact->check->races->backlog.ended = true;
    Numbers numbers = {seed}, same = {seed};
    for (unsigned i = 0; i < reads; i++) {
        take_any_step(waits, &numbers, array);
        take_any_step(exact, &same, array);
    }
    assert_null(backlog_of(exact)->oldest);
    assert_non_null(backlog_of(waits)->oldest);
    backlog_flush(waits->check);
    for (uint64_t at = array - GPU_GLOBAL_BASE; at < array - GPU_GLOBAL_BASE + ARRAY; at++) {
        uint64_t late[SHADOW_MAX_WAYS], early[SHADOW_MAX_WAYS];
        domain_readers(&waits->check->races->global, at, late);
        domain_readers(&exact->check->races->global, at, early);
        assert_memory_equal(late, early, sizeof late);
    }
}

static void leave_same_records(unsigned seed, unsigned reads) {
    uint64_t array;
    Gpu *waits = with_array(&array), *exact = with_array(&array);
    same_records(waits, exact, array, seed, reads);
    fake_launch(waits, BLOCKS, 32 * WARPS, 31);
    fake_launch(exact, BLOCKS, 32 * WARPS, 31);
    same_records(waits, exact, array, seed + 1, reads / 3); /* in what the first launch has left of the log */
    fake_destroy(waits);
    fake_destroy(exact);
}

static void records_are_those_of_the_exact_detector(void **state) {
    (void)state;
    for (unsigned seed = 1; seed <= 8; seed++)
        leave_same_records(seed, READS);
}

/* More than the log has room for: its oldest part is recorded while reads go on. */
static void a_full_log_is_recorded_in_order(void **state) {
    (void)state;
    leave_same_records(9, 150000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_wait),
                                       cmocka_unit_test(a_write_meets_reads_that_waited),
                                       cmocka_unit_test(the_end_of_a_launch_forgets),
                                       cmocka_unit_test(an_allocation_ends_the_waiting),
                                       cmocka_unit_test(a_fence_ends_the_waiting),
                                       cmocka_unit_test(forgotten_reads_have_a_line),
                                       cmocka_unit_test(records_are_those_of_the_exact_detector),
                                       cmocka_unit_test(a_full_log_is_recorded_in_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
