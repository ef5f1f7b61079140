/* test_memory.c - what is said about accesses that may not happen. */
#include "check/findings/parts.h"
#include "fake_gpu.h"

#include "gpu/texture.h"

typedef struct Fault {
    GpuFaultKind kind;
    PtxSpace space;
    GpuAccessKind access;
    uint32_t block, warp, lanes;
    uint64_t address;
    int64_t stride;
    uint8_t bytes;
} Fault;

static void send(Gpu *gpu, Fault f) {
    uint64_t address[32];
    for (unsigned l = 0; l < 32; l++)
        address[l] = f.address + (uint64_t)((int64_t)l * f.stride);
    GpuFault fault = {.warp = &gpu->warps[f.block][f.warp],
                      .pc = 8,
                      .kind = f.kind,
                      .space = f.space ? f.space : PTX_SPACE_GLOBAL};
    fault.access = f.access;
    fault.bytes = f.bytes ? f.bytes : 4;
    fault.lanes = f.lanes ? f.lanes : 1;
    fault.address = address;
    if (fault.space == PTX_SPACE_GLOBAL && f.kind != GPU_FAULT_WILD) fault.nearest = &gpu->allocations[0];
    FAKE_SEND(gpu, fault, &fault);
}

/* x of 1000 floats, allocated at line 12, and n */
static Gpu *with_x(uint64_t *x, uint64_t bytes, uint32_t blocks, uint32_t threads) {
    Gpu *gpu = fake_create();
    *x = fake_alloc(gpu, bytes, 12);
    fake_parameter(gpu, "x", 8, 4, *x);
    fake_parameter(gpu, "n", 4, 0, 1000);
    fake_launch(gpu, blocks, threads, 30);
    return gpu;
}

static void missing_guard(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 4000, 4, 256);
    send(gpu, (Fault){.kind = GPU_FAULT_OUT_OF_BOUNDS,
                      .block = 3,
                      .warp = 7,
                      .lanes = 0xffffff00,
                      .address = x + 4 * 992,
                      .stride = 4});
    const CheckFinding *found = fake_only_error(gpu);
    assert_int_equal(found->kind, FINDING_OUT_OF_BOUNDS);
    assert_string_equal(
        found->message,
        "x[1000] of 1,000: block 3, thread 232 reads one element past the end of x (4,000 bytes "
        "allocated at line 12); 4 blocks x 256 threads = 1,024 threads run");
    assert_contains(found->explanation, "if (i < n)");
    assert_int_equal(found->count, 24);
    assert_int_equal(found->party.thread.x, 232);
    assert_int_equal(found->array.index, 1000);
    assert_string_equal(found->kernel, "k");
    fake_destroy(gpu);
}

static void left_neighbour(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 4000, 4, 256);
    send(gpu, (Fault){.kind = GPU_FAULT_OUT_OF_BOUNDS, .address = x - 4});
    assert_string_equal(fake_only_error(gpu)->message,
                        "x[-1] of 1,000: block 0, thread 0 reads one element before the start of x (4,000 "
                        "bytes allocated at line 12)");
    assert_contains(fake_only_error(gpu)->explanation, "no left neighbour");
    fake_destroy(gpu);
}

static void right_neighbour(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 4000, 4, 256);
    send(gpu, (Fault){.kind = GPU_FAULT_OUT_OF_BOUNDS,
                      .block = 3,
                      .warp = 7,
                      .lanes = 1 << 7,
                      .address = x + 4000 - 28,
                      .stride = 4});
    assert_contains(fake_only_error(gpu)->explanation, "no right neighbour");
    fake_destroy(gpu);
}

/* A field of 3 rows of 5 in one block of 8 x 4: threads (0, 3) and (3, 3) are below the last row, and so is
 * (5, 2) beside it; (7, 3) computes 22. */
static void missing_guard_of_rows(void **state) {
    (void)state;
    static const struct {
        uint64_t thread, index;
        const char *message;
    } rows[] = {
        {24, 15, "; along y it is thread 3, and rows is 3"},
        {27, 18, "; along y it is thread 3, and rows is 3"},
        {21, 15, "; along x it is thread 5, and cols is 5"},
        {31, 22, "; along x it is thread 7, and cols is 5"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Gpu *gpu = fake_create();
        uint64_t x = fake_alloc(gpu, 60, 12);
        fake_parameter(gpu, "x", 8, 4, x);
        fake_parameter(gpu, "rows", 4, 0, 3);
        fake_parameter(gpu, "cols", 4, 0, 5);
        fake_launch(gpu, 1, 32, 30);
        gpu->launch.spec.block = (GpuDim){8, 4, 1};
        send(gpu, (Fault){.kind = GPU_FAULT_OUT_OF_BOUNDS,
                          .lanes = 1u << rows[i].thread,
                          .address = x + 4 * (rows[i].index - rows[i].thread),
                          .stride = 4});
        assert_contains(fake_only_error(gpu)->message, rows[i].message);
        assert_contains(fake_only_error(gpu)->explanation, "if (x < cols && y < rows)");
        fake_destroy(gpu);
    }
}

/* A square of 3 x 3: the names say which parameter belongs to x, and without them nobody knows. */
static void missing_guard_of_a_square(void **state) {
    (void)state;
    static const struct {
        const char *first, *second, *explanation;
    } rows[] = {
        {"rows", "cols", "if (x < cols && y < rows)"},
        {"width", "height", "if (x < width && y < height)"},
        {"h", "w", "if (x < w && y < h)"},
        {"m", "n", "Work out by hand"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Gpu *gpu = fake_create();
        uint64_t x = fake_alloc(gpu, 36, 12);
        fake_parameter(gpu, "in", 8, 4, x);
        fake_parameter(gpu, rows[i].first, 4, 0, 3);
        fake_parameter(gpu, rows[i].second, 4, 0, 3);
        fake_launch(gpu, 1, 16, 30);
        gpu->launch.spec.block = (GpuDim){4, 4, 1};
        send(gpu,
             (Fault){.kind = GPU_FAULT_OUT_OF_BOUNDS, .lanes = 1u << 12, .address = x - 12, .stride = 4});
        assert_contains(fake_only_error(gpu)->explanation, rows[i].explanation);
        fake_destroy(gpu);
    }
}

/* Thread (0, 1) of two rows takes the second element of a column: with y along the row nothing fits. */
static void index_of_no_row(void **state) {
    (void)state;
    Gpu *gpu = fake_create();
    uint64_t x = fake_alloc(gpu, 60, 12);
    fake_parameter(gpu, "x", 8, 4, x);
    fake_parameter(gpu, "rows", 4, 0, 3);
    fake_parameter(gpu, "cols", 4, 0, 5);
    fake_launch(gpu, 1, 32, 30);
    gpu->launch.spec.block = (GpuDim){8, 4, 1};
    send(gpu, (Fault){.kind = GPU_FAULT_OUT_OF_BOUNDS, .lanes = 1, .address = x + 60});
    assert_contains(fake_only_error(gpu)->explanation, "Work out by hand");
    fake_destroy(gpu);
}

static void elements_where_bytes_are_meant(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 1000, 4, 256);
    send(gpu, (Fault){.kind = GPU_FAULT_OUT_OF_BOUNDS,
                      .access = GPU_WRITE,
                      .warp = 7,
                      .lanes = 1 << 26,
                      .address = x + 1000 - 104,
                      .stride = 4});
    assert_contains(fake_only_error(gpu)->message, "x[250] of 250: block 0, thread 250 writes");
    assert_contains(fake_only_error(gpu)->message, "n is 1,000, and so is the number of bytes");
    assert_contains(fake_only_error(gpu)->explanation, "sizeof(float)");
    fake_destroy(gpu);
}

static void no_dynamic_shared_memory(void **state) {
    (void)state;
    Gpu *gpu = fake_create();
    fake_shared(gpu, "temp", 0, 9, true);
    fake_launch(gpu, 1, 64, 30);
    send(gpu, (Fault){.kind = GPU_FAULT_OUT_OF_BOUNDS,
                      .space = PTX_SPACE_SHARED,
                      .access = GPU_WRITE,
                      .address = 256});
    assert_contains(fake_only_error(gpu)->message, "temp, which has no elements");
    assert_contains(fake_only_error(gpu)->message, "its third argument is 0 or missing");
    fake_destroy(gpu);
}

static void static_shared_too_small(void **state) {
    (void)state;
    Gpu *gpu = fake_create();
    fake_shared(gpu, "temp", 512, 9, false);
    fake_shared(gpu, "other", 512, 10, false);
    fake_launch(gpu, 1, 256, 30);
    send(gpu, (Fault){.kind = GPU_FAULT_OUT_OF_BOUNDS,
                      .space = PTX_SPACE_SHARED,
                      .access = GPU_WRITE,
                      .warp = 4,
                      .address = 256 + 512});
    assert_string_equal(fake_only_error(gpu)->message,
                        "temp[128] of 128: block 0, thread 128 writes one element past the end of temp "
                        "(shared array of 128 elements, "
                        "declared at line 9); the block has 256 threads");
    fake_destroy(gpu);
}

static void shared_before_the_start(void **state) {
    (void)state;
    Gpu *gpu = fake_create();
    fake_shared(gpu, "temp", 512, 9, false);
    fake_shared(gpu, "other", 512, 10, false);
    fake_launch(gpu, 1, 128, 30);
    send(gpu,
         (Fault){.kind = GPU_FAULT_OUT_OF_BOUNDS, .space = PTX_SPACE_SHARED, .address = 256 + 512 + 256 - 4});
    assert_contains(fake_only_error(gpu)->message, "other[-1]");
    fake_destroy(gpu);
}

static void use_after_free(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 4000, 4, 256);
    gpu->allocations[0].freed = true;
    gpu->allocations[0].free_site = 40;
    send(gpu, (Fault){.kind = GPU_FAULT_FREED, .address = x + 20});
    const CheckFinding *found = fake_only_error(gpu);
    assert_int_equal(found->kind, FINDING_USE_AFTER_FREE);
    assert_string_equal(found->message,
                        "x[5]: block 0, thread 0 reads memory that was freed before, at line 40");
    assert_int_equal(found->other.place.line, 40);
    fake_destroy(gpu);
}

static void host_pointer(void **state) {
    (void)state;
    Gpu *gpu = fake_create();
    fake_parameter(gpu, "h_x", 8, 4, UINT64_C(0x555555559000));
    fake_launch(gpu, 1, 32, 30);
    send(gpu, (Fault){.kind = GPU_FAULT_WILD, .address = UINT64_C(0x555555559010)});
    assert_int_equal(fake_only_error(gpu)->kind, FINDING_HOST_DEVICE_POINTER);
    assert_string_equal(fake_only_error(gpu)->message,
                        "block 0, thread 0 reads through h_x, which points to memory of the CPU");
    assert_contains(fake_only_error(gpu)->explanation,
                    "Copy the data to memory from cudaMalloc and pass that pointer (the d_ one) as h_x.");
    fake_destroy(gpu);
}

static void null_pointer(void **state) {
    (void)state;
    Gpu *gpu = fake_create();
    fake_parameter(gpu, "n", 8, 0, 3); /* a size_t, no pointer */
    fake_parameter(gpu, "x", 8, 4, 0);
    fake_launch(gpu, 1, 32, 30);
    send(gpu, (Fault){.kind = GPU_FAULT_WILD, .lanes = 4, .stride = 4});
    assert_string_equal(fake_only_error(gpu)->message,
                        "block 0, thread 2 reads through a null pointer; of the kernel's arguments, x is 0");
    fake_destroy(gpu);
}

static void garbage_pointer(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 4000, 1, 32);
    send(gpu, (Fault){.kind = GPU_FAULT_WILD, .address = UINT64_C(0xdead00000000)});
    assert_contains(fake_only_error(gpu)->message, "belongs to no array");
    fake_destroy(gpu);
}

static void index_far_too_large(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 4000, 1, 32);
    send(gpu, (Fault){.kind = GPU_FAULT_WILD, .address = x + UINT64_C(4000000000)});
    assert_contains(fake_only_error(gpu)->message,
                    "x[1000000000] of 1,000: block 0, thread 0 reads 999,999,001 elements past the end of x");
    fake_destroy(gpu);
}

/* 0u - 3 is no index that overflowed. */
static void assert_far(int64_t index, const char *advice) {
    uint64_t x;
    Gpu *gpu = with_x(&x, 4000, 1, 32);
    send(gpu, (Fault){.kind = GPU_FAULT_WILD, .address = x + 4 * (uint64_t)index});
    assert_contains(fake_only_error(gpu)->explanation, advice);
    fake_destroy(gpu);
}

static void a_small_negative_number_without_sign(void **state) {
    (void)state;
    assert_far((INT64_C(1) << 32) - 3, "As an unsigned int, -3 is 4294967293");
    assert_far((INT64_C(1) << 32) - (1 << 16), "As an unsigned int, -65536 is ");
    assert_far((INT64_C(1) << 32) - (1 << 16) - 1, "The index is far too large");
    assert_far(INT64_C(1) << 32, "The index is far too large");
}

static int64_t index_of_local(int64_t bytes) {
    const PtxLocal local = {.name = "mine", .bytes = 64, .element_bytes = 4};
    uint64_t x;
    Gpu *gpu = with_x(&x, 4000, 1, 32);
    const uint64_t start = 4096, address[32] = {start + (uint64_t)bytes};
    const GpuFault fault = {.warp = &gpu->warps[0][0],
                            .pc = 8,
                            .kind = GPU_FAULT_OUT_OF_BOUNDS,
                            .space = PTX_SPACE_LOCAL,
                            .bytes = 4,
                            .lanes = 1,
                            .address = address,
                            .local = &local,
                            .local_address = start};
    FAKE_SEND(gpu, fault, &fault);
    const int64_t index = fake_only_error(gpu)->array.index;
    assert_int_equal(fake_only_error(gpu)->array.length, 16);
    fake_destroy(gpu);
    return index;
}

static void elements_of_a_local_array(void **state) {
    (void)state;
    assert_int_equal(index_of_local(64), 16);
    assert_int_equal(index_of_local(71), 17);
    assert_int_equal(index_of_local(-1), -1);
    assert_int_equal(index_of_local(-4), -1);
    assert_int_equal(index_of_local(-5), -2);
}

/* What a parameter holds is a number where it has the size of one. */
static void numbers_among_the_parameters(void **state) {
    (void)state;
    static const unsigned sizes[] = {0, 1, 4, 8, 9, 16};
    Gpu *gpu = fake_create();
    fake_parameter(gpu, "n", 4, 0, UINT64_MAX);
    fake_launch(gpu, 1, 32, 30);
    PtxVariable *parameter = &gpu->kernel.parameters[0];
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint64_t values[2] = {7, 7};
        parameter->bytes = sizes[i];
        const bool number = check_parameter_value(&gpu->launch, parameter, values);
        assert_int_equal(number, sizes[i] > 0 && sizes[i] <= 8);
        assert_int_equal(values[1], 7);
        if (number) assert_int_equal(values[0], UINT64_MAX >> (64 - 8 * sizes[i]));
    }
    fake_destroy(gpu);
}

/* x of 4,002 bytes: no whole number of the kernel's elements of 4. Of a void * only the access is known to
 * have 4, and nothing is said of elements. */
static void bytes_for_another_layout(void **state) {
    (void)state;
    for (unsigned element = 0; element <= 4; element += 4) {
        Gpu *gpu = fake_create();
        uint64_t x = fake_alloc(gpu, 4002, 12);
        fake_parameter(gpu, "x", 8, element, x);
        fake_launch(gpu, 1, 32, 30);
        send(gpu, (Fault){.kind = GPU_FAULT_OUT_OF_BOUNDS, .address = x + 4004});
        const CheckFinding *found = fake_only_error(gpu);
        bool told = strstr(found->message, "4,002 bytes are no multiple of 4") != NULL;
        assert_int_equal(told, element != 0);
        assert_int_equal(found->array.guessed, element == 0);
        fake_destroy(gpu);
    }
}

static void misaligned(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 4000, 1, 32);
    send(gpu, (Fault){.kind = GPU_FAULT_MISALIGNED, .address = x + 4, .bytes = 16});
    assert_int_equal(fake_only_error(gpu)->kind, FINDING_MISALIGNED);
    assert_contains(fake_only_error(gpu)->message,
                    "reads 16 bytes at an address that is not a multiple of 16, in x");
    assert_contains(fake_only_error(gpu)->explanation, "4 past");
    fake_destroy(gpu);
}

static void write_to_constant(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 4000, 1, 32);
    PtxVariable variable = {.name = "factor", .plain_name = "factor", .type = PTX_F32};
    gpu->allocations[0].variable = &variable;
    gpu->allocations[0].kind = GPU_ALLOC_CONST_VARIABLE;
    send(gpu, (Fault){.kind = GPU_FAULT_READ_ONLY, .access = GPU_WRITE, .address = x});
    assert_contains(fake_only_error(gpu)->message, "writes to factor, which is __constant__");
    fake_destroy(gpu);
}

/* Coordinates as far as the surface has them, and by the names that they have there. */
static void outside_a_surface(void **state) {
    (void)state;
    static const struct {
        GpuTexture texture;
        const char *message;
    } rows[] = {
        {{.width = 16, .height = 1, .depth = 1}, "x = 64 bytes, but it has 16 x 4 bytes"},
        {{.width = 16, .height = 8, .depth = 1},
         "x = 64 bytes, y = 5, but it has 16 x 4 bytes in each of 8 rows"},
        {{.width = 16, .height = 8, .depth = 6},
         "x = 64 bytes, y = 5, z = 7, but it has 16 x 4 bytes in each of 8 rows and 6 slices"},
        {{.width = 16, .height = 8, .depth = 6, .layered = true},
         "x = 64 bytes, y = 5, layer = 7, but it has 16 x 4 bytes in each of 8 rows and 6 layers"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t x;
        Gpu *gpu = with_x(&x, 4000, 1, 32);
        GpuTexture texture = rows[i].texture;
        texture.surface = true;
        texture.address = x;
        texture.components = 1;
        texture.bits = 32;
        const GpuTextureFault fault = {.warp = &gpu->warps[0][0],
                                       .pc = 8,
                                       .mistake = GPU_TEXTURE_OUT_OF_BOUNDS,
                                       .lanes = 1,
                                       .texture = &texture,
                                       .at = {64, 5, 7},
                                       .bytes = 4};
        FAKE_SEND(gpu, texture_fault, &fault);
        assert_int_equal(fake_only_error(gpu)->kind, FINDING_OUT_OF_BOUNDS);
        assert_contains(fake_only_error(gpu)->message, rows[i].message);
        fake_destroy(gpu);
    }
}

static void told_once_per_line_and_array(void **state) {
    (void)state;
    uint64_t x;
    Gpu *gpu = with_x(&x, 4000, 4, 256);
    for (unsigned i = 0; i < 5; i++)
        send(gpu, (Fault){.kind = GPU_FAULT_OUT_OF_BOUNDS, .lanes = 3, .address = x + 4000, .stride = 4});
    assert_int_equal(fake_only_error(gpu)->count, 10);
    fake_destroy(gpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_guard),
        cmocka_unit_test(left_neighbour),
        cmocka_unit_test(right_neighbour),
        cmocka_unit_test(missing_guard_of_rows),
        cmocka_unit_test(missing_guard_of_a_square),
        cmocka_unit_test(index_of_no_row),
        cmocka_unit_test(elements_where_bytes_are_meant),
        cmocka_unit_test(no_dynamic_shared_memory),
        cmocka_unit_test(static_shared_too_small),
        cmocka_unit_test(shared_before_the_start),
        cmocka_unit_test(use_after_free),
        cmocka_unit_test(host_pointer),
        cmocka_unit_test(null_pointer),
        cmocka_unit_test(garbage_pointer),
        cmocka_unit_test(index_far_too_large),
        cmocka_unit_test(a_small_negative_number_without_sign),
        cmocka_unit_test(elements_of_a_local_array),
        cmocka_unit_test(numbers_among_the_parameters),
        cmocka_unit_test(bytes_for_another_layout),
        cmocka_unit_test(misaligned),
        cmocka_unit_test(write_to_constant),
        cmocka_unit_test(outside_a_surface),
        cmocka_unit_test(told_once_per_line_and_array),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
