/* test_fences.c - what orders blocks: fences and atomics, locks, and flags that are waited for. */
#include "fake_gpu.h"

static Gpu *with_result(uint64_t *result, uint32_t blocks, uint32_t threads) {
    Gpu *gpu = fake_create();
    *result = fake_alloc(gpu, 4096, 20);
    fake_parameter(gpu, "result", 8, 4, *result);
    FAKE_SEND(gpu, host_write, &gpu->allocations[0], *result, (uint64_t)4096, (uint64_t)21);
    fake_launch(gpu, blocks, threads, 30);
    return gpu;
}

/* Each block writes its part, [fences,] counts; the last one reads all parts. */
static void last_block(Gpu *gpu, uint64_t result, bool fence) {
    uint64_t count = result + 2048;
    for (uint32_t b = 0; b < 3; b++) {
        fake_access(
            gpu, (FakeAccess){.block = b, .lanes = 1, .kind = GPU_WRITE, .pc = 5, .address = result + 4 * b});
        if (fence) fake_fence(gpu, b, 0, 1, PTX_SCOPE_GPU);
        fake_access(gpu, (FakeAccess){.block = b, .lanes = 1, .kind = GPU_ATOMIC, .pc = 7, .address = count});
        fake_barrier(gpu, b);
    }
    fake_access(
        gpu,
        (FakeAccess){
            .block = 2, .warp = 1, .lanes = 7, .kind = GPU_READ, .pc = 9, .address = result, .stride = 4});
}

static void fence_and_atomic_order(void **state) {
    (void)state;
    uint64_t result;
    Gpu *gpu = with_result(&result, 3, 64);
    last_block(gpu, result, true);
    assert_int_equal(fake_errors(gpu), 0);
    fake_destroy(gpu);
}

/* What one warp has learnt by an atomic, a barrier of two warps hands to the other, and to no third. */
static void atomic_and_barrier_of_some_warps(void **state) {
    (void)state;
    uint64_t result;
    Gpu *gpu = with_result(&result, 2, 96);
    const uint64_t count = result + 2048;
    fake_access(gpu, (FakeAccess){.block = 0, .lanes = 1, .kind = GPU_WRITE, .pc = 5, .address = result});
    for (uint32_t b = 0; b < 2; b++) {
        fake_fence(gpu, b, 0, 1, PTX_SCOPE_GPU);
        fake_access(gpu, (FakeAccess){.block = b, .lanes = 1, .kind = GPU_ATOMIC, .pc = 7, .address = count});
    }
    fake_part_barrier(gpu, 1, 0x3);
    fake_access(
        gpu, (FakeAccess){.block = 1, .warp = 1, .lanes = 1, .kind = GPU_READ, .pc = 9, .address = result});
    assert_int_equal(fake_errors(gpu), 0);
    fake_access(
        gpu, (FakeAccess){.block = 1, .warp = 2, .lanes = 1, .kind = GPU_READ, .pc = 11, .address = result});
    assert_int_equal(fake_errors(gpu), 1);
    fake_destroy(gpu);
}

/* ... and sets the counter back with a plain write, after all others have counted. */
static void last_block_resets_the_counter(void **state) {
    (void)state;
    for (unsigned too_early = 0; too_early < 2; too_early++) {
        uint64_t result;
        Gpu *gpu = with_result(&result, 3, 64);
        last_block(gpu, result, true);
        FakeAccess reset = {
            .block = too_early ? 1 : 2, .lanes = 1, .kind = GPU_WRITE, .pc = 10, .address = result + 2048};
        fake_access(gpu, reset);
        assert_int_equal(fake_errors(gpu), too_early);
        fake_destroy(gpu);
    }
}

static void without_the_fence_it_is_a_race(void **state) {
    (void)state;
    uint64_t result;
    Gpu *gpu = with_result(&result, 3, 64);
    last_block(gpu, result, false);
    assert_int_equal(fake_only_error(gpu)->kind, FINDING_GLOBAL_RACE);
    assert_contains(fake_only_error(gpu)->explanation, "__threadfence()");
    fake_destroy(gpu);
}

/* A block's fence is too narrow for other blocks. */
static void block_fence_is_too_narrow(void **state) {
    (void)state;
    uint64_t result;
    Gpu *gpu = with_result(&result, 2, 32);
    fake_access(gpu, (FakeAccess){.lanes = 1, .kind = GPU_WRITE, .pc = 5, .address = result});
    fake_fence(gpu, 0, 0, 1, PTX_SCOPE_CTA);
    fake_access(gpu, (FakeAccess){.lanes = 1, .kind = GPU_ATOMIC, .pc = 7, .address = result + 64});
    fake_access(gpu,
                (FakeAccess){.block = 1, .lanes = 1, .kind = GPU_ATOMIC, .pc = 7, .address = result + 64});
    fake_access(gpu, (FakeAccess){.block = 1, .lanes = 1, .kind = GPU_READ, .pc = 9, .address = result});
    assert_int_equal(fake_errors(gpu), 1);
    fake_destroy(gpu);
}

/* lock: atomicCAS, fence; read, write; fence, atomicExch */
static void critical_section(Gpu *gpu, uint64_t result, uint32_t block, uint32_t lanes, bool fences) {
    fake_access(
        gpu,
        (FakeAccess){.block = block, .lanes = lanes, .kind = GPU_ATOMIC, .pc = 4, .address = result + 64});
    if (fences) fake_fence(gpu, block, 0, lanes, PTX_SCOPE_GPU);
    fake_access(gpu,
                (FakeAccess){.block = block, .lanes = lanes, .kind = GPU_READ, .pc = 6, .address = result});
    fake_access(
        gpu,
        (FakeAccess){
            .block = block, .lanes = lanes, .kind = GPU_WRITE, .pc = 6, .address = result, .value = block});
    if (fences) fake_fence(gpu, block, 0, lanes, PTX_SCOPE_GPU);
    fake_access(
        gpu,
        (FakeAccess){.block = block, .lanes = lanes, .kind = GPU_ATOMIC, .pc = 8, .address = result + 64});
}

static void locks_with_fences_order(void **state) {
    (void)state;
    uint64_t result;
    Gpu *gpu = with_result(&result, 3, 32);
    for (uint32_t round = 0; round < 6; round++)
        critical_section(gpu, result, round % 3, 1u << round, true);
    assert_int_equal(fake_errors(gpu), 0);
    fake_destroy(gpu);
}

static void locks_without_fences_do_not(void **state) {
    (void)state;
    uint64_t result;
    Gpu *gpu = with_result(&result, 3, 32);
    for (uint32_t round = 0; round < 3; round++)
        critical_section(gpu, result, round, 1, false);
    assert_true(fake_errors(gpu) >= 1);
    fake_destroy(gpu);
}

/* while (*(volatile int *)flag == 0); where the flag is set by atomics */
static void wait_for_an_atomic_flag(bool fence) {
    uint64_t result;
    Gpu *gpu = with_result(&result, 2, 32);
    fake_access(gpu, (FakeAccess){.lanes = 1, .kind = GPU_WRITE, .pc = 5, .address = result});
    fake_fence(gpu, 0, 0, 1, PTX_SCOPE_GPU);
    fake_access(gpu, (FakeAccess){.lanes = 1, .kind = GPU_ATOMIC, .pc = 6, .address = result + 64});
    fake_access(
        gpu,
        (FakeAccess){.block = 1, .lanes = 1, .semantics = PTX_SEM_VOLATILE, .pc = 7, .address = result + 64});
    if (fence) fake_fence(gpu, 1, 0, 1, PTX_SCOPE_GPU);
    fake_access(gpu, (FakeAccess){.block = 1, .lanes = 1, .pc = 8, .address = result});
    assert_int_equal(fake_errors(gpu), !fence);
    fake_destroy(gpu);
}

/* What one block has written and fenced, another one knows of by an atomic that finds what was told: with a
 * fence of its own, where it takes a lock or only looks, as an addition of 0 does. */
static void who_looks_by_an_atomic_needs_a_fence(void **state) {
    (void)state;
    static const struct {
        PtxAtomic operation;
        uint32_t value;
        bool looks;
    } rows[] = {{PTX_ATOM_CAS, 1, true}, {PTX_ATOM_EXCH, 1, true}, {PTX_ATOM_OR, 0, true},
                {PTX_ATOM_XOR, 0, true}, {PTX_ATOM_ADD, 0, true},  {PTX_ATOM_ADD, 1, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned fence = 0; fence < 2; fence++) {
            uint64_t result;
            Gpu *gpu = with_result(&result, 2, 32);
            gpu->instruction.modifiers.atomic = rows[i].operation;
            FakeAccess lock = {.lanes = 1, .kind = GPU_ATOMIC, .pc = 6, .address = result + 64, .value = 2};
            fake_access(gpu, (FakeAccess){.lanes = 1, .kind = GPU_WRITE, .pc = 5, .address = result});
            fake_fence(gpu, 0, 0, 1, PTX_SCOPE_GPU);
            fake_access(gpu, lock);
            lock.block = 1;
            lock.value = rows[i].value;
            fake_access(gpu, lock);
            if (fence) fake_fence(gpu, 1, 0, 1, PTX_SCOPE_GPU);
            fake_access(gpu, (FakeAccess){.block = 1, .lanes = 1, .pc = 8, .address = result});
            assert_int_equal(fake_errors(gpu), rows[i].looks && !fence);
            fake_destroy(gpu);
        }
}

static void waiting_for_an_atomic_flag(void **state) {
    (void)state;
    wait_for_an_atomic_flag(true);
}

static void waiting_without_a_fence_is_a_race(void **state) {
    (void)state;
    wait_for_an_atomic_flag(false);
}

/* The flag is stored once more, by a block that has no fence: who looks then has heard of nothing. An atomic
 * in its place only adds to what was told. */
static void a_store_takes_the_place_of_what_was_told(void **state) {
    (void)state;
    for (unsigned atomic = 0; atomic < 2; atomic++) {
        uint64_t result;
        Gpu *gpu = with_result(&result, 3, 32);
        FakeAccess flag = {
            .lanes = 1, .kind = GPU_WRITE, .semantics = PTX_SEM_RELAXED, .pc = 6, .address = result + 64};
        fake_access(gpu, (FakeAccess){.lanes = 1, .kind = GPU_WRITE, .pc = 5, .address = result});
        fake_fence(gpu, 0, 0, 1, PTX_SCOPE_GPU);
        fake_access(gpu, flag);
        flag.block = 1;
        flag.kind = atomic ? GPU_ATOMIC : GPU_WRITE;
        fake_access(gpu, flag);
        flag.block = 2;
        flag.kind = GPU_READ;
        fake_access(gpu, flag);
        fake_fence(gpu, 2, 0, 1, PTX_SCOPE_GPU);
        fake_access(gpu, (FakeAccess){.block = 2, .lanes = 1, .pc = 8, .address = result});
        assert_int_equal(fake_errors(gpu), !atomic);
        fake_destroy(gpu);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fence_and_atomic_order),
        cmocka_unit_test(atomic_and_barrier_of_some_warps),
        cmocka_unit_test(last_block_resets_the_counter),
        cmocka_unit_test(without_the_fence_it_is_a_race),
        cmocka_unit_test(block_fence_is_too_narrow),
        cmocka_unit_test(locks_with_fences_order),
        cmocka_unit_test(locks_without_fences_do_not),
        cmocka_unit_test(who_looks_by_an_atomic_needs_a_fence),
        cmocka_unit_test(waiting_for_an_atomic_flag),
        cmocka_unit_test(waiting_without_a_fence_is_a_race),
        cmocka_unit_test(a_store_takes_the_place_of_what_was_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
