/* test_initialisation.c - which bytes hold a value, and what is said when one that does not is used. */
#include "check/findings/parts.h"
#include "fake_gpu.h"

static Gpu *with_x(uint64_t *x, uint64_t bytes, uint32_t blocks, uint32_t threads) {
    Gpu *gpu = fake_create();
    *x = fake_alloc(gpu, bytes, 12);
    fake_parameter(gpu, "x", 8, 4, *x);
    fake_shared(gpu, "temp", 1024, 9, false);
    fake_launch(gpu, blocks, threads, 30);
    return gpu;
}

static uint32_t read_x(Gpu *gpu, uint64_t address, int64_t stride, uint32_t pc) {
    return fake_access(gpu, (FakeAccess){.kind = GPU_READ, .pc = pc, .address = address, .stride = stride});
}

static void host_write(Gpu *gpu, uint64_t address, uint64_t bytes) {
    FAKE_SEND(gpu, host_write, &gpu->allocations[0], address, bytes, (uint64_t)20);
}

static void host_read(Gpu *gpu, uint64_t address, uint64_t bytes) {
    FAKE_SEND(gpu, host_read, &gpu->allocations[0], address, bytes, (uint64_t)50);
}

static void use(Gpu *gpu, uint32_t lanes, uint32_t pc, GpuUndefinedUse what, uint32_t origin) {
    FAKE_SEND(gpu, undefined_use, &gpu->warps[0][0], lanes, pc, what, origin);
}

static void fresh_memory_is_undefined(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 4000, 1, 32);
    assert_int_equal(read_x(gpu, x, 4, 8), UINT32_MAX);
    host_write(gpu, x, 64); /* 16 floats */
    assert_int_equal(read_x(gpu, x, 4, 8), 0xffff0000);
    assert_int_equal(read_x(gpu, x + 4, 4, 8), 0xffff8000);
    assert_int_equal(read_x(gpu, x, 0, 8), 0);
    assert_int_equal(read_x(gpu, x + 64, 0, 8), UINT32_MAX);
    assert_int_equal(read_x(gpu, x, 128, 8), 0xfffffffe); /* scattered */
    assert_int_equal(fake_errors(gpu), 0);                /* reading is no use yet */
    fake_destroy(gpu);
}

static void stores_define(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 4000, 1, 32);
    fake_access(gpu, (FakeAccess){.kind = GPU_WRITE, .pc = 7, .address = x + 4, .stride = 4});
    assert_int_equal(read_x(gpu, x, 4, 8), 1);
    fake_access(gpu, (FakeAccess){
                         .kind = GPU_WRITE, .pc = 7, .address = x, .stride = 4, .undefined = 2, .origin = 6});
    assert_int_equal(read_x(gpu, x, 4, 8), 2);
    fake_destroy(gpu);
}

/* Accesses that lie as another one did are looked at by words of bits: every other word, here, at whatever
 * place of a word of bits it begins. */
static void patterns_are_exact(void **state) {
    (void)state;
    static const uint64_t starts[] = {0, 4, 60, 64, 124};
    for (unsigned space = 0; space < 2; space++)
        for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
            uint64_t x;
            Gpu *gpu = with_x(&x, 4000, 1, 32);
            FakeAccess odd = {.kind = GPU_WRITE, .pc = 7, .address = x, .stride = 8, .pattern = 1};
            if (space) odd.space = PTX_SPACE_SHARED;
            if (space) odd.address = 256;
            odd.address += starts[i];
            FakeAccess all = odd, half = odd;
            all.kind = half.kind = GPU_READ;
            all.stride = 4;
            all.pattern = 2;
            half.address += 8;
            fake_access(gpu, odd);
            assert_int_equal(fake_access(gpu, all), 0xaaaaaaaa);
            assert_int_equal(fake_access(gpu, half), 0x80000000);
            odd.undefined = 4;
            odd.origin = 6;
            fake_access(gpu, odd);
            assert_int_equal(fake_access(gpu, all), 0xaaaaaaba);
            odd.undefined = 0;
            fake_access(gpu, odd);
            odd.kind = GPU_READ;
            assert_int_equal(fake_access(gpu, odd), 0);
            fake_destroy(gpu);
        }
}

static void copies_carry_definedness(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 4000, 1, 32);
    uint64_t y = fake_alloc(gpu, 4000, 13);
    host_write(gpu, x, 2000);
    FAKE_SEND(gpu, device_copy, y, x, (uint64_t)4000, (uint64_t)21);
    assert_int_equal(read_x(gpu, y + 2000 - 64, 4, 8), 0xffff0000);
    fake_destroy(gpu);
}

/* The copy from the host is missing. */
static void missing_copy(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 4000, 1, 32);
    read_x(gpu, x, 4, 8);
    use(gpu, UINT32_MAX, 9, GPU_UNDEFINED_BRANCH, 8);
    const CheckFinding *found = fake_only_error(gpu);
    assert_int_equal(found->kind, FINDING_UNINITIALIZED_READ);
    assert_int_equal(found->party.place.line, 8);
    assert_int_equal(found->other.place.line, 9);
    assert_string_equal(found->message,
                        "block 0, thread 0 reads x[0], which was never written (nothing was ever written to "
                        "it); the value decides which branch the thread takes at line 9");
    assert_contains(found->explanation, "cudaMemcpyHostToDevice");
    fake_destroy(gpu);
}

static void copy_counted_in_elements(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 4000, 1, 32);
    host_write(gpu, x, 1000);
    read_x(gpu, x + 1000, 4, 8);
    use(gpu, UINT32_MAX, 8, GPU_UNDEFINED_ADDRESS, 8);
    assert_contains(fake_only_error(gpu)->message, "elements 250..999 of 1,000 were never written");
    assert_contains(fake_only_error(gpu)->explanation, "count bytes");
    fake_destroy(gpu);
}

/* The last block's tail threads skip the store into temp. */
static void shared_tail_is_undefined(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 4000, 1, 64);
    fake_access(gpu, (FakeAccess){.kind = GPU_WRITE,
                                  .lanes = 0xff,
                                  .pc = 10,
                                  .space = PTX_SPACE_SHARED,
                                  .address = 256,
                                  .stride = 4});
    fake_barrier(gpu, 0);
    uint32_t lanes =
        fake_access(gpu, (FakeAccess){.pc = 12, .space = PTX_SPACE_SHARED, .address = 256, .stride = 4});
    assert_int_equal(lanes, 0xffffff00);
    use(gpu, lanes, 14, GPU_UNDEFINED_PRINTF, 12);
    assert_contains(fake_only_error(gpu)->message,
                    "block 0, thread 8 reads temp[8], which was never written");
    assert_contains(fake_only_error(gpu)->explanation, "Shared memory has no value when a block starts");
    fake_destroy(gpu);
}

static void shared_memory_of_the_next_block_is_undefined(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 4000, 1, 32);
    fake_access(
        gpu,
        (FakeAccess){.kind = GPU_WRITE, .pc = 10, .space = PTX_SPACE_SHARED, .address = 256, .stride = 4});
    assert_int_equal(
        fake_access(gpu, (FakeAccess){.pc = 11, .space = PTX_SPACE_SHARED, .address = 256, .stride = 4}), 0);
    fake_launch_end(gpu);
    fake_launch(gpu, 1, 32, 31);
    assert_int_equal(
        fake_access(gpu, (FakeAccess){.pc = 11, .space = PTX_SPACE_SHARED, .address = 256, .stride = 4}),
        UINT32_MAX);
    fake_destroy(gpu);
}

static void local_variable(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 4000, 1, 32);
    use(gpu, 1, 9, GPU_UNDEFINED_BRANCH, 7);
    assert_string_equal(fake_only_error(gpu)->message,
                        "block 0, thread 0 uses a variable that was never given a value; the "
                        "value decides which branch the thread takes at line 9");
    use(gpu, 1, 11, GPU_UNDEFINED_BRANCH, 7); /* the same origin: counted */
    assert_int_equal(fake_only_error(gpu)->count, 2);
    fake_destroy(gpu);
}

static void atomic_on_fresh_memory(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 4, 1, 32);
    gpu->instruction.modifiers.atomic = PTX_ATOM_ADD;
    fake_access(gpu, (FakeAccess){.kind = GPU_ATOMIC, .pc = 8, .address = x});
    assert_contains(fake_only_error(gpu)->message,
                    "x[0] is updated by an atomic, but was never given an initial value");
    assert_contains(fake_only_error(gpu)->explanation, "cudaMemset");
    host_read(gpu, x, 4); /* told already */
    assert_int_equal(fake_errors(gpu), 1);
    fake_destroy(gpu);
}

static void exchange_needs_no_first_value(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 4, 1, 32);
    gpu->instruction.modifiers.atomic = PTX_ATOM_EXCH;
    fake_access(gpu, (FakeAccess){.kind = GPU_ATOMIC, .lanes = 1, .pc = 8, .address = x});
    host_read(gpu, x, 4);
    assert_int_equal(fake_errors(gpu), 0);
    fake_destroy(gpu);
}

/* blocks = n / threads leaves the tail out */
static void copy_to_host_of_unwritten_tail(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 160, 1, 32);
    fake_access(gpu, (FakeAccess){.kind = GPU_WRITE, .pc = 7, .address = x, .stride = 4});
    fake_launch_end(gpu);
    host_read(gpu, x, 160);
    const CheckFinding *found = fake_only_error(gpu);
    assert_int_equal(found->party.place.line, 50);
    assert_string_equal(found->message, "copies x to the host, but elements 32..39 of 40 were never written");
    assert_contains(found->explanation, "(n + threads - 1) / threads");
    fake_destroy(gpu);
}

/* Between launches an array is known by the name that the kernel has for it, where only one is. */
static void copy_to_host_of_one_of_two(void **state) {
    (void)state;
    for (unsigned freed = 0; freed < 2; freed++) {
        uint64_t x;
        Gpu *gpu = with_x(&x, 160, 1, 32);
        const uint64_t y = fake_alloc(gpu, 160, 13);
        fake_access(gpu, (FakeAccess){.kind = GPU_WRITE, .pc = 7, .address = x, .stride = 4});
        fake_launch_end(gpu);
        gpu->parameters[0] = y;
        fake_launch(gpu, 1, 32, 31);
        fake_launch_end(gpu);
        gpu->allocations[1].freed = freed;
        host_read(gpu, x, 160);
        const char *message = fake_only_error(gpu)->message;
        assert_int_equal(strstr(message, "copies x to the host") != NULL, freed);
        assert_int_equal(strstr(message, " x ") != NULL, freed);
        fake_destroy(gpu);
    }
}

static void copy_to_host_of_undefined_result(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 128, 1, 32);
    fake_access(
        gpu,
        (FakeAccess){.kind = GPU_WRITE, .pc = 7, .address = x, .stride = 4, .undefined = 0x20, .origin = 6});
    fake_launch_end(gpu);
    host_read(gpu, x, 128);
    const CheckFinding *found = fake_only_error(gpu);
    assert_int_equal(found->party.place.line, 6);
    assert_int_equal(found->other.place.line, 50);
    assert_contains(found->message, "x[5] is copied to the host");
    fake_destroy(gpu);
}

/* Of a value of several words, each byte that lacks a value is told with the line that it came from. */
static void each_byte_has_its_origin(void **state) {
    (void)state;
    for (unsigned byte = 0; byte < 16; byte++) {
        uint64_t x;
        Gpu *gpu = with_x(&x, 16, 1, 32);
        fake_access(gpu, (FakeAccess){.kind = GPU_WRITE,
                                      .pc = 7,
                                      .lanes = 1,
                                      .address = x,
                                      .bytes = 16,
                                      .undefined = 1,
                                      .lacking = (uint16_t)(1u << byte),
                                      .origin = 6});
        fake_launch_end(gpu);
        host_read(gpu, x, 16);
        assert_int_equal(fake_only_error(gpu)->party.place.line, 6);
        fake_destroy(gpu);
    }
}

static void unused_component_is_a_note(void **state) {
    (void)state;
    static const uint8_t member[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const PtxLayout layout = {.bytes = 16, .member = member};
    uint64_t x;
    Gpu *gpu = with_x(&x, 512, 1, 32);
    gpu->kernel.parameters[0].element_bytes = 16; /* float4, of which three are written */
    gpu->kernel.parameters[0].layout = &layout;
    fake_launch_end(gpu);
    fake_launch(gpu, 1, 32, 30);
    for (unsigned i = 0; i < 3; i++)
        fake_access(gpu, (FakeAccess){.kind = GPU_WRITE, .pc = 7, .address = x + 4 * i, .stride = 16});
    fake_launch_end(gpu);
    host_read(gpu, x, 512);
    assert_int_equal(fake_errors(gpu), 0);
    assert_int_equal(check_finding_count(gpu->check, FINDING_NOTE), 1);
    assert_contains(check_finding(gpu->check, 0)->message, "bytes 12 to 15 of every 16 never got a value");
    fake_destroy(gpu);
}

/* struct { char letter; int number; double value; char last; }: two holes in each */
static void padding_is_no_mistake(void **state) {
    (void)state;
    static const uint8_t member[24] = {1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const PtxLayout layout = {.bytes = 24, .member = member};
    for (unsigned known = 0; known < 2; known++) {
        uint64_t x;
        Gpu *gpu = with_x(&x, 768, 1, 32);
        if (!known) gpu->kernel.function.parameter_count = 0, gpu->allocations[0].id = 5;
        gpu->kernel.parameters[0].element_bytes = 24;
        gpu->kernel.parameters[0].layout = &layout;
        fake_launch_end(gpu);
        fake_launch(gpu, 1, 32, 30);
        static const struct { unsigned offset, bytes; } members[] = {{0, 1}, {4, 4}, {8, 8}, {16, 1}};
        for (unsigned i = 0; i < 4; i++)
            fake_access(gpu, (FakeAccess){.kind = GPU_WRITE,
                                          .pc = 7,
                                          .address = x + members[i].offset,
                                          .stride = 24,
                                          .bytes = (uint8_t)members[i].bytes});
        fake_launch_end(gpu);
        host_read(gpu, x, 768);
        assert_int_equal(fake_errors(gpu), 0);
        assert_int_equal(check_finding_count(gpu->check, FINDING_NOTE), known ? 0 : 1);
        gpu->allocations[0].id = 7; /* one element differs */
        FAKE_SEND(gpu, allocated, &gpu->allocations[0]);
        for (unsigned i = 0; i < 4; i++)
            fake_access(gpu, (FakeAccess){.kind = GPU_WRITE,
                                          .lanes = i == 1 ? 0xffffffef : UINT32_MAX,
                                          .pc = 7,
                                          .address = x + members[i].offset,
                                          .stride = 24,
                                          .bytes = (uint8_t)members[i].bytes});
        host_read(gpu, x, 768);
        assert_int_equal(fake_errors(gpu), 1);
        fake_destroy(gpu);
    }
}

/* every second float: no padding, because a float is an element of its own */
static void skipped_elements_are_a_mistake(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 256, 1, 32);
    fake_access(gpu, (FakeAccess){.kind = GPU_WRITE, .pc = 7, .address = x, .stride = 8});
    fake_launch_end(gpu);
    host_read(gpu, x, 256);
    assert_contains(fake_only_error(gpu)->message, "element 1 of 64 was never written, nor were 31 others");
    fake_destroy(gpu);
}

static void far_addresses_and_chunk_borders(void **state) {
    (void)state;
    Gpu *gpu = fake_create();
    uint64_t border = GPU_GLOBAL_BASE + (UINT64_C(1) << 22);
    gpu->allocations[gpu->allocation_count++] =
        (GpuAllocation){.address = border - 4096, .bytes = 8192, .id = 1};
    FAKE_SEND(gpu, allocated, &gpu->allocations[0]);
    host_write(gpu, border - 10, 20);
    host_read(gpu, border - 10, 20);
    assert_int_equal(fake_errors(gpu), 0);
    host_read(gpu, border - 11, 21);
    assert_int_equal(fake_errors(gpu), 1);
    fake_destroy(gpu);
}

/* What a kernel's parameter has said of the source of a copy holds for memory that none has had. */
static void a_copy_has_the_elements_of_its_source(void **state) {
    (void)state;
    uint64_t x, start;
    Gpu *gpu = with_x(&x, 4000, 1, 32);
    fake_parameter(gpu, "bytes", 8, 1, fake_alloc(gpu, 4000, 13));
    const uint64_t bytes = gpu->allocations[1].address, to = fake_alloc(gpu, 4000, 14);
    const uint64_t nameless = fake_alloc(gpu, 4000, 15);
    fake_launch(gpu, 1, 32, 31);
    FAKE_SEND(gpu, device_copy, to, nameless, 400, 40);
    assert_int_equal(check_element(gpu->check, &gpu->allocations[2], &start).bytes, 0);
    FAKE_SEND(gpu, device_copy, to, x + 2, 400, 41);
    assert_int_equal(check_element(gpu->check, &gpu->allocations[2], &start).bytes, 4);
    assert_int_equal(start, to + 2);
    FAKE_SEND(gpu, device_copy, bytes, x, 400, 42);
    assert_int_equal(check_element(gpu->check, &gpu->allocations[1], &start).bytes, 1);
    fake_destroy(gpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fresh_memory_is_undefined),
        cmocka_unit_test(stores_define),
        cmocka_unit_test(patterns_are_exact),
        cmocka_unit_test(copies_carry_definedness),
        cmocka_unit_test(missing_copy),
        cmocka_unit_test(copy_counted_in_elements),
        cmocka_unit_test(shared_tail_is_undefined),
        cmocka_unit_test(shared_memory_of_the_next_block_is_undefined),
        cmocka_unit_test(local_variable),
        cmocka_unit_test(atomic_on_fresh_memory),
        cmocka_unit_test(exchange_needs_no_first_value),
        cmocka_unit_test(copy_to_host_of_unwritten_tail),
        cmocka_unit_test(copy_to_host_of_one_of_two),
        cmocka_unit_test(copy_to_host_of_undefined_result),
        cmocka_unit_test(padding_is_no_mistake),
        cmocka_unit_test(each_byte_has_its_origin),
        cmocka_unit_test(unused_component_is_a_note),
        cmocka_unit_test(skipped_elements_are_a_mistake),
        cmocka_unit_test(far_addresses_and_chunk_borders),
        cmocka_unit_test(a_copy_has_the_elements_of_its_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
