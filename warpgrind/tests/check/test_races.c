/* test_races.c - which accesses race and which do not, on events sent by hand. */
#include "fake_gpu.h"

#include "check/races/races.h"

enum { TEMP = 256 }; /* offset of the first shared array */

static Gpu *with_temp(uint32_t blocks, uint32_t threads) {
    Gpu *gpu = fake_create();
    fake_shared(gpu, "temp", 1024, 9, false);
    fake_launch(gpu, blocks, threads, 30);
    return gpu;
}

static void shared(Gpu *gpu, uint32_t warp, GpuAccessKind kind, uint32_t pc, unsigned element) {
    fake_access(gpu, (FakeAccess){.warp = warp,
                                  .kind = kind,
                                  .pc = pc,
                                  .space = PTX_SPACE_SHARED,
                                  .address = TEMP + 4u * element,
                                  .stride = 4,
                                  .distinct = true});
}

/* temp[tid] = ...; temp[tid] += temp[tid + 32] with no barrier between */
static void missing_barrier_is_a_race(void **state) {
    (void)state;
    Gpu *gpu = with_temp(1, 64);
    shared(gpu, 0, GPU_WRITE, 12, 0);
    shared(gpu, 1, GPU_WRITE, 12, 32);
    shared(gpu, 0, GPU_READ, 14, 32);
    const CheckFinding *found = fake_only_error(gpu);
    assert_int_equal(found->kind, FINDING_SHARED_RACE);
    assert_int_equal(found->party.place.line, 14);
    assert_int_equal(found->other.place.line, 12);
    assert_int_equal(found->party.thread.x, 0);
    assert_int_equal(found->other.thread.x, 32);
    assert_int_equal(found->array.index, 32);
    assert_int_equal(found->array.length, 256);
    assert_int_equal(found->array.declared.line, 9);
    assert_string_equal(found->message,
                        "threads 0 and 32 of block 0 access temp[32] with no barrier between them");
    assert_contains(found->explanation, "__syncthreads()");
    fake_destroy(gpu);
}

/* temp[tid] += temp[tid + 16] without barriers, in a block of several warps: the block should meet, and no
 * atomic is needed */
static void tree_without_barrier_is_told_as_such(void **state) {
    (void)state;
    Gpu *gpu = with_temp(1, 64);
    shared(gpu, 0, GPU_WRITE, 12, 0);
    fake_barrier(gpu, 0);
    for (unsigned d = 16; d > 0; d /= 2) {
        FakeAccess own = {
            .lanes = (1u << d) - 1, .pc = 14, .space = PTX_SPACE_SHARED, .address = TEMP, .stride = 4};
        FakeAccess other = own;
        other.address += 4 * d;
        other.pc = 1014; /* another load on that line */
        fake_access(gpu, own);
        fake_access(gpu, other);
        own.kind = GPU_WRITE;
        fake_access(gpu, own);
    }
    assert_contains(fake_only_error(gpu)->message, "with no barrier between them");
    assert_contains(fake_only_error(gpu)->explanation, "even those of one warp. One reads the element");
    fake_destroy(gpu);
}

/* The same in one warp, each step on a line of its own: one finding, with all of these lines. */
static void an_unrolled_tail_is_told_once(void **state) {
    (void)state;
    static const char *const lines[] = {"", "; the same at line 15", "; the same at lines 15 and 16",
                                        "; the same at lines 15, 16 and 17"};
    for (unsigned steps = 1; steps <= 4; steps++) {
        Gpu *gpu = with_temp(1, 32);
        shared(gpu, 0, GPU_WRITE, 12, 0);
        fake_barrier(gpu, 0);
        for (unsigned step = 0; step < steps; step++) {
            FakeAccess own = {.lanes = UINT32_MAX,
                              .pc = 14 + step,
                              .space = PTX_SPACE_SHARED,
                              .address = TEMP,
                              .stride = 4};
            FakeAccess other = own;
            other.address += 4 * (16u >> step);
            fake_access(gpu, other);
            own.kind = GPU_WRITE;
            fake_access(gpu, own);
        }
        const char *end = strchr(fake_only_error(gpu)->message, ';');
        assert_string_equal(end ? end : "", lines[steps - 1]);
        fake_destroy(gpu);
    }
}

/* Lanes race with code that has no lines: what is said at two lines has not one cause. */
static void races_with_code_without_lines_stay_apart(void **state) {
    (void)state;
    enum { NO_LINE = 1000 };
    Gpu *gpu = with_temp(1, 32);
    for (unsigned step = 0; step < 2; step++) {
        fake_barrier(gpu, 0);
        shared(gpu, 0, GPU_WRITE, NO_LINE, 0);
        fake_access(gpu, (FakeAccess){.lanes = UINT32_MAX,
                                      .pc = 14 + step,
                                      .space = PTX_SPACE_SHARED,
                                      .address = TEMP + 4,
                                      .stride = 4});
    }
    assert_int_equal(fake_errors(gpu), 2);
    fake_destroy(gpu);
}

static void barrier_orders(void **state) {
    (void)state;
    Gpu *gpu = with_temp(1, 64);
    shared(gpu, 0, GPU_WRITE, 12, 0);
    shared(gpu, 1, GPU_WRITE, 12, 32);
    fake_barrier(gpu, 0);
    shared(gpu, 0, GPU_READ, 14, 32);
    shared(gpu, 0, GPU_READ, 14, 0);
    shared(gpu, 0, GPU_WRITE, 14, 0);
    fake_barrier(gpu, 0);
    shared(gpu, 1, GPU_WRITE, 15, 0);
    assert_int_equal(fake_errors(gpu), 0);
    fake_destroy(gpu);
}

/* A read by others, then a write: no barrier after the read. */
static void write_after_read_is_a_race(void **state) {
    (void)state;
    Gpu *gpu = with_temp(1, 64);
    shared(gpu, 1, GPU_WRITE, 12, 32);
    fake_barrier(gpu, 0);
    shared(gpu, 0, GPU_READ, 14, 32);
    shared(gpu, 1, GPU_WRITE, 15, 32);
    assert_int_equal(fake_only_error(gpu)->party.place.line, 15);
    assert_string_equal(fake_only_error(gpu)->other.what, "read");
    fake_destroy(gpu);
}

/* The writer itself has read the word first: the other reader must not be forgotten. */
static void second_reader_is_remembered(void **state) {
    (void)state;
    Gpu *gpu = with_temp(1, 64);
    shared(gpu, 1, GPU_READ, 13, 32);
    shared(gpu, 0, GPU_READ, 14, 32);
    shared(gpu, 1, GPU_WRITE, 15, 32);
    assert_int_equal(fake_only_error(gpu)->other.thread.x, 0);
    fake_destroy(gpu);
}

static void lanes_without_syncwarp_race(void **state) {
    (void)state;
    Gpu *gpu = with_temp(1, 32);
    shared(gpu, 0, GPU_WRITE, 12, 0);
    fake_access(gpu, (FakeAccess){.lanes = 0xffff,
                                  .kind = GPU_READ,
                                  .semantics = PTX_SEM_VOLATILE,
                                  .pc = 14,
                                  .space = PTX_SPACE_SHARED,
                                  .address = TEMP + 64,
                                  .stride = 4});
    const CheckFinding *found = fake_only_error(gpu);
    assert_int_equal(found->kind, FINDING_SHARED_RACE);
    assert_contains(found->message, "__syncwarp()");
    fake_destroy(gpu);
}

static void syncwarp_orders_its_lanes(void **state) {
    (void)state;
    Gpu *gpu = with_temp(1, 32);
    shared(gpu, 0, GPU_WRITE, 12, 0);
    fake_syncwarp(gpu, 0, 0, UINT32_MAX);
    shared(gpu, 0, GPU_READ, 14, 1);
    fake_syncwarp(gpu, 0, 0, 0x3); /* lanes 0 and 1 */
    fake_access(
        gpu,
        (FakeAccess){.lanes = 1, .kind = GPU_WRITE, .pc = 15, .space = PTX_SPACE_SHARED, .address = TEMP});
    fake_access(
        gpu, (FakeAccess){
                 .lanes = 2, .kind = GPU_READ, .pc = 16, .space = PTX_SPACE_SHARED, .address = TEMP + 8 - 4});
    assert_int_equal(fake_errors(gpu), 0);
    fake_destroy(gpu);
}

static void syncwarp_of_others_does_not_order(void **state) {
    (void)state;
    Gpu *gpu = with_temp(1, 32);
    fake_access(
        gpu,
        (FakeAccess){.lanes = 1, .kind = GPU_WRITE, .pc = 12, .space = PTX_SPACE_SHARED, .address = TEMP});
    fake_syncwarp(gpu, 0, 0, 0xf0);
    fake_access(
        gpu,
        (FakeAccess){.lanes = 0x10, .kind = GPU_READ, .pc = 14, .space = PTX_SPACE_SHARED, .address = TEMP});
    assert_int_equal(fake_errors(gpu), 1);
    fake_destroy(gpu);
}

/* lanes 0-3 meet, then lanes 3-7: lane 7 knows lane 0 through lane 3 */
static void syncwarp_is_transitive(void **state) {
    (void)state;
    Gpu *gpu = with_temp(1, 32);
    fake_access(
        gpu,
        (FakeAccess){.lanes = 1, .kind = GPU_WRITE, .pc = 12, .space = PTX_SPACE_SHARED, .address = TEMP});
    fake_syncwarp(gpu, 0, 0, 0x0f);
    fake_syncwarp(gpu, 0, 0, 0xf8);
    fake_access(
        gpu,
        (FakeAccess){.lanes = 0x80, .kind = GPU_READ, .pc = 14, .space = PTX_SPACE_SHARED, .address = TEMP});
    assert_int_equal(fake_errors(gpu), 0);
    fake_destroy(gpu);
}

static void barrier_of_some_warps_orders_them_only(void **state) {
    (void)state;
    Gpu *gpu = with_temp(1, 96);
    shared(gpu, 0, GPU_WRITE, 12, 0);
    fake_part_barrier(gpu, 0, 0x3);
    shared(gpu, 1, GPU_READ, 14, 0);
    assert_int_equal(fake_errors(gpu), 0);
    shared(gpu, 2, GPU_READ, 15, 0);
    assert_int_equal(fake_only_error(gpu)->party.place.line, 15);
    fake_destroy(gpu);
}

/* Who comes to the second barrier brings along what the first has told. */
static void barriers_of_some_warps_hand_on(void **state) {
    (void)state;
    Gpu *gpu = with_temp(1, 128);
    shared(gpu, 1, GPU_WRITE, 12, 0);
    fake_part_barrier(gpu, 0, 0x3);
    fake_part_barrier(gpu, 0, 0x5);
    shared(gpu, 2, GPU_READ, 14, 0);
    assert_int_equal(fake_errors(gpu), 0);
    fake_part_barrier(gpu, 0, 0xc);
    shared(gpu, 3, GPU_READ, 15, 0);
    assert_int_equal(fake_errors(gpu), 0);
    fake_destroy(gpu);
}

/* Bytes of one word by different threads. */
static void neighbouring_bytes_do_not_race(void **state) {
    (void)state;
    Gpu *gpu = with_temp(1, 32);
    fake_access(gpu, (FakeAccess){.kind = GPU_WRITE,
                                  .pc = 12,
                                  .space = PTX_SPACE_SHARED,
                                  .address = TEMP,
                                  .stride = 1,
                                  .bytes = 1});
    assert_int_equal(fake_errors(gpu), 0);
    fake_access(gpu, (FakeAccess){
                         .lanes = 1, .kind = GPU_READ, .pc = 14, .space = PTX_SPACE_SHARED, .address = TEMP});
    assert_int_equal(fake_errors(gpu), 1); /* a word is four bytes, three by others */
    fake_destroy(gpu);
}

static void one_place_in_one_instruction(void **state) {
    (void)state;
    Gpu *gpu = with_temp(1, 32);
    fake_access(
        gpu,
        (FakeAccess){.kind = GPU_WRITE, .pc = 12, .space = PTX_SPACE_SHARED, .address = TEMP, .value = 7});
    assert_int_equal(fake_errors(gpu), 0);
    const CheckFinding *note = check_finding(gpu->check, 0);
    assert_int_equal(note->severity, FINDING_NOTE);
    assert_contains(note->message, "write the same value to temp[0]");
    fake_barrier(gpu, 0);
    fake_access(
        gpu, (FakeAccess){
                 .kind = GPU_WRITE, .pc = 13, .space = PTX_SPACE_SHARED, .address = TEMP, .distinct = true});
    assert_contains(fake_only_error(gpu)->message, "write different values to temp[0]");
    fake_destroy(gpu);
}

static void a_new_block_starts_afresh(void **state) {
    (void)state;
    Gpu *gpu = with_temp(1, 64);
    shared(gpu, 0, GPU_WRITE, 12, 0);
    fake_launch_end(gpu);
    fake_launch(gpu, 1, 64, 31);
    shared(gpu, 1, GPU_READ, 14, 0);
    assert_int_equal(fake_errors(gpu), 0);
    fake_destroy(gpu);
}

/* ---- global memory ---- */

static Gpu *with_result(uint64_t *result, uint32_t blocks, uint32_t threads) {
    Gpu *gpu = fake_create();
    *result = fake_alloc(gpu, 4096, 20);
    fake_parameter(gpu, "result", 8, 4, *result);
    FAKE_SEND(gpu, host_write, &gpu->allocations[0], *result, (uint64_t)4096, (uint64_t)21);
    fake_launch(gpu, blocks, threads, 30);
    return gpu;
}

static void lost_updates(void **state) {
    (void)state;
    uint64_t result;
    Gpu *gpu = with_result(&result, 2, 32);
    for (uint32_t b = 0; b < 2; b++) {
        fake_access(gpu, (FakeAccess){.block = b, .kind = GPU_READ, .pc = 8, .address = result});
        fake_access(gpu, (FakeAccess){.block = b, .kind = GPU_WRITE, .pc = 8, .address = result, .value = 1});
    }
    const CheckFinding *found = check_finding(gpu->check, 0);
    assert_int_equal(found->kind, FINDING_GLOBAL_RACE);
    assert_int_equal(found->party.place.line, 8);
    assert_contains(found->message, "both read and write result[0] without an atomic");
    assert_contains(found->explanation, "atomicAdd(&");
    assert_contains(found->explanation, "atomicAdd");
    fake_destroy(gpu);
}

/* An array is what the kernel's pointer points to, wherever in the memory that is. */
static void pointer_into_memory(void **state) {
    (void)state;
    Gpu *gpu = fake_create();
    const uint64_t memory = fake_alloc(gpu, 4096, 12), next = memory + 512;
    fake_parameter(gpu, "next", 8, 4, next);
    fake_launch(gpu, 2, 32, 30);
    for (uint32_t b = 0; b < 2; b++)
        fake_access(
            gpu,
            (FakeAccess){
                .block = b, .lanes = 1, .kind = GPU_WRITE, .pc = 8, .address = next + 40, .value = b + 1});
    const CheckFinding *found = fake_only_error(gpu);
    assert_contains(found->message, "next[10]");
    assert_int_equal(found->array.length, (4096 - 512) / 4);
    fake_destroy(gpu);
}

/* for (i = ...; i < n; i += blockDim.x) z[i] *= 2: every block does all */
static void wrong_stride(void **state) {
    (void)state;
    uint64_t result;
    Gpu *gpu = with_result(&result, 2, 32);
    for (uint32_t b = 0; b < 2; b++)
        for (unsigned i = b; i < 3; i++) {
            fake_access(gpu, (FakeAccess){.block = b, .pc = 8, .address = result + 128 * i, .stride = 4});
            fake_access(gpu, (FakeAccess){.block = b,
                                          .kind = GPU_WRITE,
                                          .pc = 8,
                                          .address = result + 128 * i,
                                          .stride = 4,
                                          .distinct = true});
        }
    assert_contains(check_finding(gpu->check, 0)->message,
                    "both read and write result[32], and nothing orders blocks");
    assert_contains(check_finding(gpu->check, 0)->explanation, "gridDim.x * blockDim.x");
    fake_destroy(gpu);
}

static void blocks_are_not_ordered_by_barriers(void **state) {
    (void)state;
    uint64_t result;
    Gpu *gpu = with_result(&result, 2, 32);
    fake_access(gpu, (FakeAccess){.block = 0, .lanes = 1, .kind = GPU_WRITE, .pc = 5, .address = result});
    fake_barrier(gpu, 0);
    fake_barrier(gpu, 1);
    fake_access(gpu, (FakeAccess){.block = 1, .lanes = 1, .kind = GPU_READ, .pc = 9, .address = result});
    assert_string_equal(
        fake_only_error(gpu)->message,
        "thread 0 of block 0 and thread 0 of block 1 access result[0], and nothing orders blocks");
    fake_destroy(gpu);
}

static void launches_are_ordered(void **state) {
    (void)state;
    uint64_t result;
    Gpu *gpu = with_result(&result, 2, 32);
    fake_access(gpu, (FakeAccess){.block = 0, .kind = GPU_WRITE, .pc = 5, .address = result, .stride = 4});
    fake_launch_end(gpu);
    fake_launch(gpu, 2, 32, 31);
    fake_access(gpu, (FakeAccess){.block = 1, .kind = GPU_READ, .pc = 9, .address = result + 4, .stride = 4});
    fake_access(gpu,
                (FakeAccess){.block = 1, .kind = GPU_WRITE, .pc = 10, .address = result + 4, .stride = 4});
    assert_int_equal(fake_errors(gpu), 0);
    fake_destroy(gpu);
}

/* ---- whole sectors: bytes side by side ---- */

static void bytes_of(Gpu *gpu, uint32_t block, GpuAccessKind kind, uint32_t pc, uint64_t address,
                     uint8_t bytes) {
    fake_access(gpu, (FakeAccess){.block = block,
                                  .kind = kind,
                                  .pc = pc,
                                  .address = address,
                                  .stride = bytes,
                                  .bytes = bytes,
                                  .value = 40 * pc,
                                  .distinct = true});
}

/* The first access of an instruction always goes the full way, which leaves cells: here in memory that nobody
 * asks about. */
static Gpu *with_known_bytes(uint64_t *result, uint32_t blocks) {
    Gpu *gpu = with_result(result, blocks, 32);
    const uint64_t other = fake_alloc(gpu, 4096, 22);
    for (uint32_t pc = 5; pc < 8; pc++)
        bytes_of(gpu, 0, GPU_WRITE, pc, other, 1);
    return gpu;
}

/* Byte 1 was lane 0's, and is lane 1's now. */
static void bytes_of_other_lanes_race(void **state) {
    (void)state;
    uint64_t result;
    Gpu *gpu = with_known_bytes(&result, 1);
    const unsigned before = fake_errors(gpu);
    bytes_of(gpu, 0, GPU_WRITE, 5, result, 2);
    bytes_of(gpu, 0, GPU_WRITE, 5, result, 2);
    assert_int_equal(fake_errors(gpu), before);
    bytes_of(gpu, 0, GPU_WRITE, 6, result, 1);
    assert_int_equal(fake_errors(gpu), before + 1);
    fake_destroy(gpu);
}

static void bytes_race_between_blocks(void **state) {
    (void)state;
    static const GpuAccessKind first[] = {GPU_WRITE, GPU_READ, GPU_WRITE, GPU_ATOMIC, GPU_ATOMIC},
                               second[] = {GPU_WRITE, GPU_WRITE, GPU_READ, GPU_WRITE, GPU_READ};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        uint64_t result;
        Gpu *gpu = with_known_bytes(&result, 2);
        bytes_of(gpu, 0, first[i], 5, result, first[i] == GPU_ATOMIC ? 4 : 1);
        bytes_of(gpu, 1, second[i], 6, result + 128, 1);
        if (fake_errors(gpu) != 0) fail_msg("row %zu, other bytes", i);
        bytes_of(gpu, 1, second[i], 7, result, 1);
        if (fake_errors(gpu) != 1) fail_msg("row %zu, the same bytes", i);
        fake_destroy(gpu);
    }
}

/* An atomic of an earlier launch is not the last writer any more. */
static void bytes_outdate_atomics(void **state) {
    (void)state;
    uint64_t result;
    Gpu *gpu = with_known_bytes(&result, 1);
    const Races *races = gpu->check->races;
    bytes_of(gpu, 0, GPU_ATOMIC, 5, result, 4);
    fake_launch_end(gpu);
    fake_launch(gpu, 1, 32, 31);
    assert_true(shadow_record(&races->global.atomics, result - GPU_GLOBAL_BASE));
    bytes_of(gpu, 0, GPU_WRITE, 6, result, 1);
    assert_false(shadow_record(&races->global.atomics, result - GPU_GLOBAL_BASE));
    assert_true(shadow_record(&races->global.atomics, result + 32 - GPU_GLOBAL_BASE));
    fake_destroy(gpu);
}

/* Two of the four rows are one: lanes of one instruction write there. */
static void rows_in_one_place(void **state) {
    (void)state;
    for (uint64_t apart = 0; apart < 64; apart += 32) {
        uint64_t result, places[32];
        Gpu *gpu = with_result(&result, 1, 32);
        for (unsigned lane = 0; lane < 32; lane++)
            places[lane] = result + lane / 8 * 256 + lane % 8 * 4;
        for (unsigned lane = 24; lane < 32; lane++)
            places[lane] = places[lane - 16] + apart;
        fake_access(
            gpu, (FakeAccess){.kind = GPU_WRITE, .pc = 5, .places = places, .rows = true, .distinct = true});
        assert_int_equal(fake_errors(gpu), apart == 0);
        fake_destroy(gpu);
    }
}

static void atomics_do_not_race_with_each_other(void **state) {
    (void)state;
    uint64_t result;
    Gpu *gpu = with_result(&result, 2, 32);
    for (uint32_t b = 0; b < 2; b++)
        fake_access(gpu, (FakeAccess){.block = b, .kind = GPU_ATOMIC, .pc = 8, .address = result});
    assert_int_equal(fake_errors(gpu), 0);
    fake_access(gpu, (FakeAccess){.block = 1, .lanes = 1, .kind = GPU_READ, .pc = 9, .address = result});
    assert_contains(fake_only_error(gpu)->explanation, "after the kernel has ended");
    fake_destroy(gpu);
}

/* Block 0 sets the result to zero, everybody adds: its own atomics must not hide the write. */
static void zeroing_in_the_kernel(void **state) {
    (void)state;
    uint64_t result;
    Gpu *gpu = with_result(&result, 2, 32);
    fake_access(gpu, (FakeAccess){.lanes = 1, .kind = GPU_WRITE, .pc = 5, .address = result});
    fake_barrier(gpu, 0);
    fake_access(gpu, (FakeAccess){.lanes = 1, .kind = GPU_ATOMIC, .pc = 8, .address = result});
    fake_access(gpu, (FakeAccess){.block = 1, .lanes = 1, .kind = GPU_ATOMIC, .pc = 8, .address = result});
    assert_contains(fake_only_error(gpu)->explanation, "cudaMemset");
    fake_destroy(gpu);
}

/* Whole segments, then shifted by one element: every combination of folded and exploded. */
static void segments_and_cells_agree(void **state) {
    (void)state;
    for (unsigned shift = 0; shift < 3; shift++) {
        uint64_t result;
        Gpu *gpu = with_result(&result, 2, 64);
        fake_access(
            gpu,
            (FakeAccess){.kind = GPU_WRITE, .pc = 5, .address = result + 128, .stride = 4, .distinct = true});
        fake_access(gpu, (FakeAccess){.kind = GPU_READ, .pc = 6, .address = result + 128, .stride = 4});
        assert_int_equal(fake_errors(gpu), 0); /* own elements */
        fake_access(
            gpu,
            (FakeAccess){
                .block = 1, .kind = GPU_READ, .pc = 7, .address = result + 128 + 4 * shift, .stride = 4});
        assert_int_equal(fake_only_error(gpu)->other.thread.x, shift);
        fake_destroy(gpu);
    }
}

static void same_mistake_is_told_once(void **state) {
    (void)state;
    uint64_t result;
    Gpu *gpu = with_result(&result, 2, 32);
    for (unsigned i = 0; i < 8; i++) {
        fake_access(
            gpu, (FakeAccess){
                     .kind = GPU_WRITE, .pc = 5, .address = result + 128 * i, .stride = 4, .distinct = true});
        fake_access(
            gpu,
            (FakeAccess){.block = 1, .kind = GPU_READ, .pc = 7, .address = result + 128 * i, .stride = 4});
    }
    assert_int_equal(fake_only_error(gpu)->count, 8 * 32);
    fake_destroy(gpu);
}

static void doubles_and_vectors(void **state) {
    (void)state;
    uint64_t result;
    Gpu *gpu = with_result(&result, 2, 64);
    fake_access(
        gpu, (FakeAccess){
                 .kind = GPU_WRITE, .pc = 5, .address = result, .stride = 16, .bytes = 16, .distinct = true});
    fake_access(gpu, (FakeAccess){.warp = 1,
                                  .kind = GPU_WRITE,
                                  .pc = 5,
                                  .address = result + 512,
                                  .stride = 16,
                                  .bytes = 16,
                                  .distinct = true});
    assert_int_equal(fake_errors(gpu), 0);
    fake_access(
        gpu,
        (FakeAccess){.warp = 1, .lanes = 1, .kind = GPU_READ, .pc = 6, .address = result + 24, .bytes = 8});
    assert_int_equal(fake_only_error(gpu)->other.thread.x, 1);
    fake_destroy(gpu);
}

/* ---- whole segments, recognised or not ---- */

static uint32_t drawn(uint64_t *seed, uint32_t below) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % below;
}

/* One of a few warps does something, mostly to whole segments of its own, with the trial's width. */
static FakeAccess drawn_access(uint64_t *seed, unsigned trial, uint64_t array) {
    static const uint8_t widths[] = {4, 8, 16, 1, 2};
    const uint8_t bytes = widths[drawn(seed, 12) ? trial % 5 : drawn(seed, 5)];
    FakeAccess access = {.block = drawn(seed, 2), .warp = drawn(seed, 2), .bytes = bytes};
    const uint32_t own = access.block * 2 + access.warp, place = drawn(seed, 8) ? own : drawn(seed, 4);
    access.kind = drawn(seed, 3) ? GPU_READ : GPU_WRITE;
    if (bytes == 4 && !drawn(seed, 10)) access.kind = GPU_ATOMIC;
    access.address = array + 512 * place + (drawn(seed, 12) ? 0 : bytes * drawn(seed, 3));
    access.pc = 5 + access.kind;
    access.stride = bytes;
    access.distinct = true;
    if (!drawn(seed, 8)) access.lanes = UINT32_MAX >> drawn(seed, 31);
    return access;
}

/* Whether a race is found does not depend on how an access comes to the detector, whatever went before. */
static void ways_of_whole_segments_agree(void **state) {
    enum { TRIALS = 400, EVENTS = 24 };
    (void)state;
    uint64_t seed = 1;
    unsigned races = 0;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        uint64_t array, same;
        Gpu *gpu = with_result(&array, 2, 64), *other = with_result(&same, 2, 64);
        for (unsigned event = 0; event < EVENTS && fake_errors(gpu) == 0; event++) {
            FakeAccess access = drawn_access(&seed, trial, array);
            if (drawn(&seed, 4) == 0) {
                uint32_t block = drawn(&seed, 2);
                fake_barrier(gpu, block);
                fake_barrier(other, block);
            }
            fake_access(gpu, access);
            access.unshaped = true;
            fake_access(other, access);
            if ((fake_errors(gpu) > 0) != (fake_errors(other) > 0))
                fail_msg("trial %u, event %u: %u instead of %u", trial, event, fake_errors(gpu),
                         fake_errors(other));
        }
        races += fake_errors(gpu) > 0;
        fake_destroy(gpu);
        fake_destroy(other);
    }
    assert_in_range(races, TRIALS / 4, TRIALS - 1); /* some trials have races, some have none */
}

/* A read in order with others has no record, and misses none. */
static void strong_reads_are_watched(void **state) {
    (void)state;
    Gpu *gpu = fake_create();
    uint64_t x = fake_alloc(gpu, 4096, 7);
    fake_launch(gpu, 2, 32, 30);
    fake_access(gpu, (FakeAccess){.pc = 12, .address = x, .lanes = 7, .semantics = PTX_SEM_ACQUIRE});
    assert_int_equal(gpu->check->races->unwatched_at[UNWATCHED_ROOM], 0);
    fake_destroy(gpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_barrier_is_a_race),
        cmocka_unit_test(tree_without_barrier_is_told_as_such),
        cmocka_unit_test(an_unrolled_tail_is_told_once),
        cmocka_unit_test(races_with_code_without_lines_stay_apart),
        cmocka_unit_test(barrier_orders),
        cmocka_unit_test(write_after_read_is_a_race),
        cmocka_unit_test(second_reader_is_remembered),
        cmocka_unit_test(lanes_without_syncwarp_race),
        cmocka_unit_test(syncwarp_orders_its_lanes),
        cmocka_unit_test(syncwarp_of_others_does_not_order),
        cmocka_unit_test(syncwarp_is_transitive),
        cmocka_unit_test(barrier_of_some_warps_orders_them_only),
        cmocka_unit_test(barriers_of_some_warps_hand_on),
        cmocka_unit_test(neighbouring_bytes_do_not_race),
        cmocka_unit_test(one_place_in_one_instruction),
        cmocka_unit_test(bytes_of_other_lanes_race),
        cmocka_unit_test(bytes_race_between_blocks),
        cmocka_unit_test(bytes_outdate_atomics),
        cmocka_unit_test(rows_in_one_place),
        cmocka_unit_test(a_new_block_starts_afresh),
        cmocka_unit_test(lost_updates),
        cmocka_unit_test(pointer_into_memory),
        cmocka_unit_test(wrong_stride),
        cmocka_unit_test(blocks_are_not_ordered_by_barriers),
        cmocka_unit_test(launches_are_ordered),
        cmocka_unit_test(atomics_do_not_race_with_each_other),
        cmocka_unit_test(zeroing_in_the_kernel),
        cmocka_unit_test(segments_and_cells_agree),
        cmocka_unit_test(same_mistake_is_told_once),
        cmocka_unit_test(doubles_and_vectors),
        cmocka_unit_test(ways_of_whole_segments_agree),
        cmocka_unit_test(strong_reads_are_watched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
