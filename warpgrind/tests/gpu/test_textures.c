/* test_textures.c - textures and surfaces of the machine, against a plain reference in doubles.
 *
 * The kernels are those of texture.ptx. The weights of linear filtering, what lies outside, and how integers
 * are normalized agree with what a real device gave for the same coordinates.
 */
#include "gpu/texture.h"
#include "ptx_file.h"

#include <math.h>

enum { WIDTH = 5, HEIGHT = 4, DEPTH = 3, THREADS = 32 };

typedef struct Bench {
    Machine machine;
    Text text;
    const GpuAllocation *texels, *coordinates;
    GpuTextureMistake mistake;
    unsigned mistakes;
    bool at_corners; /**< the last filtered access */
} Bench;

static void on_texture_fault(void *self, const GpuTextureFault *fault) {
    Bench *bench = self;
    bench->mistake = fault->mistake;
    bench->mistakes++;
}

static void on_access(void *self, const GpuAccess *access) {
    Bench *bench = self;
    if (access->filtered) bench->at_corners = access->corners;
}

static float texel_of(int x, int y, int z) {
    return (float)(x * x - 3 * y + 7 * z) + 0.25F * (float)(x * y);
}

static void begin(Bench *bench) {
    *bench = (Bench){.mistakes = 0};
    text_init(&bench->text);
    assert_true(text_read_file(&bench->text, "tests/gpu/texture.ptx", 1 << 20));
    GpuObserver observer = {.self = bench, .texture_fault = on_texture_fault, .access = on_access};
    bench->machine = machine_begin_at(0, "texture.ptx", bench->text.bytes, bench->text.length,
                                      (GpuConfig){.track_undefined = true}, &observer);
    Gpu *gpu = bench->machine.gpu;
    bench->texels = gpu_memory_alloc(gpu, WIDTH * HEIGHT * DEPTH * 4, 256, GPU_ALLOC_ARRAY, 0);
    bench->coordinates = gpu_memory_alloc(gpu, THREADS * 16, 256, GPU_ALLOC_DEVICE, 0);
    float *to = gpu_memory_host(gpu, bench->texels->address, bench->texels->bytes);
    for (int i = 0; i < WIDTH * HEIGHT * DEPTH; i++)
        to[i] = texel_of(i % WIDTH, i / WIDTH % HEIGHT, i / WIDTH / HEIGHT);
}

static void end(Bench *bench) {
    machine_end(&bench->machine);
    text_free(&bench->text);
}

static GpuTexture floats(const Bench *bench) {
    return (GpuTexture){.address = bench->texels->address,
                        .pitch = WIDTH * 4,
                        .slice = WIDTH * HEIGHT * 4,
                        .width = WIDTH,
                        .height = HEIGHT,
                        .depth = DEPTH,
                        .components = 1,
                        .bits = 32,
                        .kind = GPU_TEXEL_FLOAT,
                        .mode = {GPU_ADDRESS_CLAMP, GPU_ADDRESS_CLAMP, GPU_ADDRESS_CLAMP}};
}

static const uint32_t *launch_handle(Bench *bench, const char *kernel, uint64_t handle,
                                     const void *coordinates, GpuStatus want) {
    const Machine *machine = &bench->machine;
    assert_true(gpu_memory_write(machine->gpu, bench->coordinates->address, coordinates, THREADS * 16, 0));
    uint64_t parameters[] = {machine->out->address, handle, bench->coordinates->address};
    GpuLaunchSpec spec = {.kernel = gpu_kernel_find(machine->module, kernel),
                          .grid = {1, 1, 1},
                          .block = {THREADS, 1, 1},
                          .parameters = parameters};
    assert_non_null(spec.kernel);
    assert_int_equal(gpu_launch(machine->gpu, &spec), want);
    return gpu_memory_host(machine->gpu, machine->out->address, THREADS * 16);
}

static const uint32_t *launch(Bench *bench, const char *kernel, const GpuTexture *texture,
                              const void *coordinates) {
    uint64_t handle = gpu_texture_create(bench->machine.gpu, texture);
    assert_true(handle != 0);
    return launch_handle(bench, kernel, handle, coordinates, GPU_OK);
}

static float as_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- the reference: one texel, then one axis after the other ---- */

static int outside(GpuAddressMode mode, int i, int n) {
    if (i >= 0 && i < n) return i;
    if (mode == GPU_ADDRESS_WRAP) return ((i % n) + n) % n;
    if (mode == GPU_ADDRESS_BORDER) return -1;
    if (mode == GPU_ADDRESS_CLAMP) return i < 0 ? 0 : n - 1;
    while (i < 0 || i >= n)
        i = i < 0 ? -1 - i : 2 * n - 1 - i;
    return i;
}

static double reference_texel(const GpuTexture *texture, int x, int y, int z) {
    x = outside(texture->mode[0], x, WIDTH);
    y = outside(texture->mode[1], y, HEIGHT);
    z = outside(texture->mode[2], z, DEPTH);
    return x < 0 || y < 0 || z < 0 ? (double)texture->border[0] : (double)texel_of(x, y, z);
}

static double split(const GpuTexture *texture, double at, int n, int *index) {
    if (texture->normalized_coordinates) at *= n;
    if (!texture->filter) {
        *index = (int)floor(at);
        return 0;
    }
    double fixed = floor(at * 256 + 0.5) / 256 - 0.5;
    *index = (int)floor(fixed);
    return fixed - floor(fixed);
}

/** In a plane, the weight of the texel on the other corner is rounded to 1/256, and the others make up for
 * it; between planes the far one's part is rounded, and the near one's makes up for it. */
static double reference_weight(double a, double b, int corner) {
    double both = floor(a * b * 256 + 0.5) / 256;
    const double weights[4] = {1 - a - b + both, a - both, b - both, both};
    return weights[corner & 3];
}

static double reference(const GpuTexture *texture, const float at[3], unsigned dimensions) {
    int i[3] = {0, 0, 0};
    double part[3] = {0, 0, 0}, sum = 0;
    const int extents[3] = {WIDTH, HEIGHT, DEPTH};
    for (unsigned axis = 0; axis < dimensions; axis++)
        part[axis] = split(texture, (double)at[axis], extents[axis], &i[axis]);
    for (int corner = 0; corner < 8; corner++) {
        double plane = reference_weight(part[0], part[1], corner),
               far = floor(plane * part[2] * 256 + 0.5) / 256;
        double weight = corner >> 2 ? far : plane - far;
        if (weight == 0) continue;
        sum += weight *
               reference_texel(texture, i[0] + (corner & 1), i[1] + (corner >> 1 & 1), i[2] + (corner >> 2));
    }
    return sum;
}

static void compare(Bench *bench, const char *kernel, unsigned dimensions, const GpuTexture *texture) {
    float at[THREADS][4];
    for (int i = 0; i < THREADS; i++)
        for (int axis = 0; axis < 4; axis++) {
            float x = (float)(i * (7 + 3 * axis) % 61) / 5.0F - 3.1F;
            at[i][axis] = texture->normalized_coordinates ? x / 4 : x;
        }
    const uint32_t *got = launch(bench, kernel, texture, at);
    for (int i = 0; i < THREADS; i++) {
        double want = reference(texture, at[i], dimensions), have = (double)as_float(got[4 * i]);
        if (!(fabs(have - want) <= 1e-5 * (1 + fabs(want))))
            fail_msg("%s at (%g, %g, %g): %g, expected %g", kernel, (double)at[i][0], (double)at[i][1],
                     (double)at[i][2], have, want);
        assert_int_equal(got[4 * i + 1] | got[4 * i + 2] | got[4 * i + 3],
                         0); /* components that are not there */
    }
}

static void test_filters_and_modes(void **state) {
    (void)state;
    static const char *const kernels[] = {"fetch1d", "fetch2d", "fetch3d"};
    Bench bench;
    begin(&bench);
    for (unsigned variant = 0; variant < 3 * 4 * 2 * 2; variant++) {
        GpuTexture texture = floats(&bench);
        GpuAddressMode mode = (GpuAddressMode)(variant / 4 % 4);
        texture.filter = variant & 1;
        texture.normalized_coordinates = variant & 2;
        bool needs = mode == GPU_ADDRESS_WRAP || mode == GPU_ADDRESS_MIRROR;
        if (needs && !texture.normalized_coordinates) continue;
        texture.mode[0] = texture.mode[1] = texture.mode[2] = mode;
        texture.border[0] = 2.5F;
        unsigned dimensions = variant / 16 + 1;
        compare(&bench, kernels[dimensions - 1], dimensions, &texture);
    }
    GpuTexture flat = floats(&bench);
    flat.filter = true;
    compare(&bench, "level", 2, &flat);
    compare(&bench, "grad", 2, &flat);
    assert_int_equal(bench.mistakes, 0);
    end(&bench);
}

static uint64_t reference_address(const Bench *bench) {
    const GpuAllocation *any = gpu_memory_next(bench->machine.gpu, NULL);
    while (any && !(any->variable && any->variable->reference))
        any = gpu_memory_next(bench->machine.gpu, any);
    assert_non_null(any);
    assert_string_equal(any->variable->plain_name, "named");
    assert_int_equal(any->bytes, 8);
    return any->address;
}

/** Coordinates of texels that are off by half of one, in one direction or more, lie right between all that
 * are read. */
static void test_places_between_texels(void **state) {
    (void)state;
    Bench bench;
    begin(&bench);
    GpuTexture texture = floats(&bench);
    texture.filter = true;
    static const struct {
        const char *kernel;
        float x, y, z;
        bool corner;
    } cases[] = {{"fetch2d", 2, 1, 0, true},        {"fetch2d", 2.5F, 1, 0, true},
                 {"fetch2d", 2.5F, 1.5F, 0, false}, {"fetch2d", 2.25F, 1, 0, false},
                 {"fetch3d", 2, 1, 1, true},        {"fetch3d", 2, 1, 1.25F, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float at[THREADS][4];
        for (unsigned lane = 0; lane < THREADS; lane++)
            memcpy(at[lane], (const float[]){cases[i].x, cases[i].y, cases[i].z, 0}, sizeof at[lane]);
        launch(&bench, cases[i].kernel, &texture, at);
        assert_int_equal(bench.at_corners, cases[i].corner);
    }
    end(&bench);
}

static void test_references_stand_for_what_is_bound(void **state) {
    (void)state;
    Bench bench;
    begin(&bench);
    GpuTexture texture = floats(&bench);
    texture.height = texture.depth = 1;
    uint64_t handle = gpu_texture_create(bench.machine.gpu, &texture);
    assert_true(gpu_memory_write(bench.machine.gpu, reference_address(&bench), &handle, sizeof handle, 0));
    const uint32_t *got = launch_handle(&bench, "fetch_named", 0, (float[THREADS * 4]){0}, GPU_OK);
    float want = texel_of(3, 0, 0), by_name, by_address;
    memcpy(&by_name, got + 12, sizeof by_name);
    memcpy(&by_address, got + 13, sizeof by_address);
    assert_true(by_name == want && by_address == want);
    assert_int_equal(bench.mistakes, 0);
    handle = 0;
    assert_true(gpu_memory_write(bench.machine.gpu, reference_address(&bench), &handle, sizeof handle, 0));
    launch_handle(&bench, "fetch_named", 0, (float[THREADS * 4]){0}, GPU_ILLEGAL_ADDRESS);
    assert_int_equal(bench.mistake, GPU_TEXTURE_NO_HANDLE);
    end(&bench);
}

static void test_wrapping_needs_normalized_coordinates(void **state) {
    (void)state;
    Bench bench;
    begin(&bench);
    GpuTexture texture = floats(&bench);
    texture.mode[0] = GPU_ADDRESS_WRAP;
    const float at[THREADS][4] = {{-3.5F}, {6.5F}};
    const uint32_t *got = launch(&bench, "fetch1d", &texture, at);
    assert_true(as_float(got[0]) == texel_of(0, 0, 0) && as_float(got[4]) == texel_of(WIDTH - 1, 0, 0));
    end(&bench);
}

static void test_layers_are_clamped_and_not_mixed(void **state) {
    (void)state;
    Bench bench;
    begin(&bench);
    GpuTexture texture = floats(&bench);
    texture.layered = texture.filter = true;
    struct {
        float x, y;
        int32_t layer, unused;
    } at[THREADS] = {{1.5F, 2.5F, 0, 0}, {1.5F, 2.5F, 2, 0}, {1.5F, 2.5F, 9, 0}, {1.5F, 2.5F, -4, 0}};
    const uint32_t *got = launch(&bench, "layer2d", &texture, at);
    const int layers[] = {0, 2, 2, 0};
    for (int i = 0; i < 4; i++)
        assert_true(as_float(got[4 * i]) == texel_of(1, 2, layers[i]));
    assert_true(bench.mistakes == 1 && bench.mistake == GPU_TEXTURE_LAYER);
    got = launch(&bench, "layer1d", &texture, at);
    assert_true(as_float(got[4]) == texel_of(1, 0, 2));
    end(&bench);
}

static void test_gather_goes_round_from_the_lower_left(void **state) {
    (void)state;
    Bench bench;
    begin(&bench);
    GpuTexture texture = floats(&bench);
    const float at[THREADS][4] = {{1.7F, 2.6F}};
    const uint32_t *got = launch(&bench, "gather", &texture, at);
    const float want[] = {texel_of(1, 3, 0), texel_of(2, 3, 0), texel_of(2, 2, 0), texel_of(1, 2, 0)};
    for (int i = 0; i < 4; i++)
        assert_true(as_float(got[i]) == want[i]);
    end(&bench);
}

static void test_gather_from_a_layer(void **state) {
    (void)state;
    Bench bench;
    begin(&bench);
    GpuTexture texture = floats(&bench);
    texture.layered = true;
    const struct {
        float x, y;
        int32_t layer, unused;
    } at[THREADS] = {{1.7F, 2.6F, 1, 0}, {1.7F, 2.6F, 2, 0}};
    const uint32_t *got = launch(&bench, "gather_layer", &texture, at);
    assert_true(as_float(got[0]) == texel_of(1, 3, 1) && as_float(got[3]) == texel_of(1, 2, 1));
    assert_true(as_float(got[4]) == texel_of(1, 3, 2) && as_float(got[6]) == texel_of(2, 2, 2));
    texture.stored_slices = texture.depth; /* a view of the last two layers */
    texture.first_slice = 1;
    texture.depth--;
    got = launch(&bench, "gather_layer", &texture, at);
    assert_true(as_float(got[0]) == texel_of(1, 3, 2));
    end(&bench);
}

static void test_other_shapes_give_zeros(void **state) {
    (void)state;
    static const char *const kernels[] = {"layer2d", "cube", "cubes"};
    Bench bench;
    begin(&bench);
    GpuTexture texture = floats(&bench);
    const float at[THREADS][4] = {{0.5F, 0.5F}};
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t *got = launch(&bench, kernels[i], &texture, at);
        assert_true(got[0] == 0 && bench.mistakes == i + 1 && bench.mistake == GPU_TEXTURE_WRONG_SHAPE);
    }
    texture.layered = true;
    launch(&bench, "fetch2d", &texture, at);
    assert_int_equal(bench.mistakes, 4);
    end(&bench);
}

/* ---- mipmaps: every texel of level k has the value 10 k ---- */

static GpuTexture pyramid(const Bench *bench) {
    enum { SIZE = 8, LEVELS = 4 };
    GpuTexture texture = {.width = SIZE,
                          .height = SIZE,
                          .depth = 1,
                          .pitch = SIZE * 4,
                          .slice = SIZE * SIZE * 4,
                          .components = 1,
                          .bits = 32,
                          .kind = GPU_TEXEL_FLOAT,
                          .mode = {GPU_ADDRESS_CLAMP, GPU_ADDRESS_CLAMP, GPU_ADDRESS_CLAMP},
                          .normalized_coordinates = true,
                          .levels = LEVELS,
                          .level_most = 99};
    Gpu *gpu = bench->machine.gpu;
    texture.address = gpu_memory_alloc(gpu, 4096, 512, GPU_ALLOC_ARRAY, 0)->address;
    for (unsigned k = 0; k < LEVELS; k++) {
        GpuTexture level = texture_level(&texture, k);
        assert_int_equal(level.width, SIZE >> k);
        float *to = gpu_memory_host(gpu, level.address, level.slice);
        for (unsigned i = 0; i < level.width * level.height; i++)
            to[i] = 10.0F * (float)k;
    }
    return texture;
}

static void check_levels(Bench *bench, const char *kernel, const GpuTexture *texture, const void *at,
                         const float *want, int count) {
    const uint32_t *got = launch(bench, kernel, texture, at);
    for (int i = 0; i < count; i++)
        if (!(fabsf(as_float(got[4 * i]) - want[i]) <= 1e-5F))
            fail_msg("%s %d: %g, expected %g", kernel, i, (double)as_float(got[4 * i]), (double)want[i]);
}

static void test_levels_of_detail(void **state) {
    (void)state;
    Bench bench;
    begin(&bench);
    GpuTexture texture = pyramid(&bench);
    const float at[THREADS][4] = {{0.3F, 0.6F, 0},  {0.3F, 0.6F, 1.25F}, {0.9F, 0.1F, 1.75F},
                                  {0.5F, 0.5F, -3}, {0.5F, 0.5F, 77},    {0.5F, 0.5F, NAN}};
    check_levels(&bench, "level", &texture, at, (const float[]){0, 10, 20, 0, 30, 0}, 6);
    texture.filter = texture.level_filter = true;
    check_levels(&bench, "level", &texture, at, (const float[]){0, 12.5F, 17.5F, 0, 30, 0}, 6);
    texture.level_bias = 0.5F;
    check_levels(&bench, "level", &texture, at, (const float[]){5, 17.5F, 22.5F, 0, 30}, 5);
    texture.level_bias = 0;
    texture.level_least = 0.5F;
    texture.level_most = 1.5F;
    check_levels(&bench, "level", &texture, at, (const float[]){5, 12.5F, 15, 5, 15}, 5);
    check_levels(&bench, "fetch2d", &texture, at, (const float[]){5, 5}, 2);
    end(&bench);
}

static void test_derivatives_choose_the_level(void **state) {
    (void)state;
    Bench bench;
    begin(&bench);
    GpuTexture texture = pyramid(&bench);
    texture.level_filter = true;
    /* both derivatives along a diagonal of the given steps: the longer one counts */
    const float one = sqrtf(0.5F) / 8;
    const float at[THREADS][4] = {{0.5F, 0.5F, one, 0},
                                  {0.5F, 0.5F, one, 2 * one},
                                  {0.5F, 0.5F, 4 * one, one},
                                  {0.5F, 0.5F, 0, 0},
                                  {0.5F, 0.5F, 50, 0}};
    check_levels(&bench, "grad", &texture, at, (const float[]){0, 10, 20, 0, 30}, 5);
    end(&bench);
}

/* ---- cubes: texel (x, y) of face f has the value 100 f + 10 y + x ---- */

static GpuTexture cubes(const Bench *bench, unsigned layers) {
    enum { SIZE = 4 };
    GpuTexture texture = floats(bench);
    texture.width = texture.height = SIZE;
    texture.pitch = SIZE * 4;
    texture.slice = SIZE * SIZE * 4;
    texture.depth = 6 * layers;
    texture.cube = texture.normalized_coordinates = true;
    texture.layered = layers > 1;
    uint64_t bytes = texture.slice * texture.depth;
    texture.address = gpu_memory_alloc(bench->machine.gpu, bytes, 512, GPU_ALLOC_ARRAY, 0)->address;
    float *to = gpu_memory_host(bench->machine.gpu, texture.address, bytes);
    for (unsigned i = 0; i < SIZE * SIZE * texture.depth; i++)
        to[i] = (float)(100 * (i / SIZE / SIZE) + 10 * (i / SIZE % SIZE) + i % SIZE);
    return texture;
}

static void test_directions_meet_faces(void **state) {
    (void)state;
    Bench bench;
    begin(&bench);
    GpuTexture texture = cubes(&bench, 1);
    /* s = 0.75, t = 0.25 of the way over a face is the third column, second row */
    const float at[THREADS][4] = {{2, 0.5F, -0.5F}, {-2, 0.5F, 0.5F},  {0.5F, 2, -0.5F}, {0.5F, -2, 0.5F},
                                  {0.5F, 0.5F, 2},  {-0.5F, 0.5F, -2}, {0, 0, 0},        {1, NAN, INFINITY}};
    const float want[] = {12, 112, 212, 312, 412, 512};
    check_levels(&bench, "cube", &texture, at, want, 6);
    assert_int_equal(bench.mistakes, 0);
    texture = cubes(&bench, 2);
    float layered[THREADS][4] = {{2, 0.5F, -0.5F}, {-0.5F, 0.5F, -2}};
    const uint32_t layer = 1;
    memcpy(&layered[0][3], &layer, sizeof layer);
    check_levels(&bench, "cubes", &texture, layered, (const float[]){612, 512}, 2);
    assert_int_equal(bench.mistakes, 0);
    const uint32_t outside = 2;
    memcpy(&layered[0][3], &outside, sizeof outside);
    check_levels(&bench, "cubes", &texture, layered, (const float[]){612, 512}, 2);
    assert_true(bench.mistakes == 1 && bench.mistake == GPU_TEXTURE_LAYER);
    texture.depth = 11;
    assert_true(gpu_texture_create(bench.machine.gpu, &texture) == 0);
    end(&bench);
}

static void test_srgb_is_decoded(void **state) {
    (void)state;
    Bench bench;
    begin(&bench);
    const uint8_t bytes[] = {0, 10, 188, 128};
    gpu_memory_write(bench.machine.gpu, bench.texels->address, bytes, sizeof bytes, 0);
    GpuTexture texture = floats(&bench);
    texture.width = texture.height = texture.depth = 1;
    texture.components = 4;
    texture.bits = 8;
    texture.kind = GPU_TEXEL_UNSIGNED;
    texture.normalized_values = texture.srgb = true;
    const float at[THREADS][4] = {{0}}, want[] = {0, 10 / 255.0F / 12.92F, 0.5028865F, 128 / 255.0F};
    const uint32_t *got = launch(&bench, "fetch1d", &texture, at);
    for (int i = 0; i < 4; i++)
        assert_true(fabsf(as_float(got[i]) - want[i]) < 1e-5F);
    end(&bench);
}

static void test_integers(void **state) {
    (void)state;
    Bench bench;
    begin(&bench);
    int8_t bytes[] = {-128, -127, 127, 5};
    gpu_memory_write(bench.machine.gpu, bench.texels->address, bytes, sizeof bytes, 0);
    GpuTexture texture = floats(&bench);
    texture.width = 4;
    texture.height = texture.depth = 1;
    texture.pitch = 4;
    texture.bits = 8;
    texture.kind = GPU_TEXEL_SIGNED;
    const float at[THREADS][4] = {{0.5F}, {1.5F}, {2.5F}, {3.5F}, {-1}, {9}};
    const int32_t want[] = {-128, -127, 127, 5, -128, 5};
    const uint32_t *got = launch(&bench, "integers", &texture, at);
    for (int i = 0; i < 6; i++)
        assert_int_equal((int32_t)got[4 * i], want[i]);
    texture.normalized_values = true;
    const float parts[] = {-1, -1, 1, 5.0F / 127, -1, 5.0F / 127};
    got = launch(&bench, "fetch1d", &texture, at);
    for (int i = 0; i < 6; i++)
        assert_true(fabsf(as_float(got[4 * i]) - parts[i]) < 1e-6F);
    texture.mode[0] = GPU_ADDRESS_BORDER;
    texture.kind = GPU_TEXEL_UNSIGNED;
    texture.border[0] = 0.25F; /* kept in 8 bits, as a real device does */
    got = launch(&bench, "fetch1d", &texture, at);
    assert_true(as_float(got[4 * 5]) == 64.0F / 255);
    end(&bench);
}

static void test_linear_memory_reads_zero_outside(void **state) {
    (void)state;
    Bench bench;
    begin(&bench);
    GpuTexture texture = floats(&bench);
    texture.height = texture.depth = 1;
    texture.linear_memory = true;
    const int32_t at[THREADS][4] = {{-1}, {0}, {3}, {WIDTH}};
    const uint32_t *got = launch(&bench, "numbers", &texture, at);
    assert_true(got[0] == 0 && got[12] == 0);
    assert_true(as_float(got[4]) == texel_of(0, 0, 0) && as_float(got[8]) == texel_of(3, 0, 0));
    assert_int_equal(bench.mistakes, 0);
    texture.linear_memory = false;
    got = launch(&bench, "numbers", &texture, at);
    assert_true(got[4] == 0 && bench.mistakes == 1 && bench.mistake == GPU_TEXTURE_NOT_LINEAR);
    end(&bench);
}

static void test_sizes(void **state) {
    (void)state;
    Bench bench;
    begin(&bench);
    const int32_t at[THREADS][4] = {{0}};
    GpuTexture texture = floats(&bench);
    const uint32_t *got = launch(&bench, "texture_size", &texture, at);
    assert_true(got[0] == WIDTH && got[1] == HEIGHT && got[2] == DEPTH && got[3] == 0);
    texture.surface = texture.layered = true;
    got = launch(&bench, "surface_size", &texture, at);
    assert_true(got[0] == WIDTH && got[1] == HEIGHT && got[2] == DEPTH && got[3] == 0x10B0);
    end(&bench);
}

/* ---- surfaces ---- */

static GpuTexture surface(const Bench *bench) {
    GpuTexture made = floats(bench);
    made.surface = true;
    made.width = 4;
    made.pitch = 16;
    made.depth = 1;
    return made;
}

static void test_surface_loads_and_stores(void **state) {
    (void)state;
    Bench bench;
    begin(&bench);
    GpuTexture made = surface(&bench);
    int32_t at[THREADS][4];
    for (int i = 0; i < THREADS; i++) {
        at[i][0] = i % 2 * 8;
        at[i][1] = i / 2 % HEIGHT;
    }
    uint32_t before[4 * HEIGHT];
    assert_true(gpu_memory_read(bench.machine.gpu, bench.texels->address, before, sizeof before, 0));
    const uint32_t *got = launch(&bench, "invert", &made, at);
    assert_int_equal(bench.mistakes, 0);
    for (int i = 0; i < 8; i++)
        assert_int_equal(got[4 * i], ~before[2 * i]);
    const uint32_t *now = gpu_memory_host(bench.machine.gpu, bench.texels->address, sizeof before);
    assert_true(now[0] == ~before[0] && now[1] == before[1] && now[2] == ~before[2]);
    end(&bench);
}

static void test_outside_a_surface(void **state) {
    (void)state;
    Bench bench;
    begin(&bench);
    GpuTexture made = surface(&bench);
    const uint32_t *texels = gpu_memory_host(bench.machine.gpu, bench.texels->address, 64);
    uint32_t corner = texels[15];
    const int32_t at[THREADS][4] = {{400, 77, 0, 5}};
    const uint32_t *got = launch(&bench, "clamped", &made, at);
    assert_true(got[0] == corner && got[1] == 0 && texels[15] == corner);
    assert_int_equal(bench.mistakes, 0);
    launch(&bench, "invert", &made, at);
    assert_int_equal(bench.mistake, GPU_TEXTURE_OUT_OF_BOUNDS);
    end(&bench);
}

static void test_stores_by_element_are_converted(void **state) {
    (void)state;
    Bench bench;
    begin(&bench);
    GpuTexture made = surface(&bench);
    made.bits = 16;
    made.components = 2;
    uint16_t *halves = gpu_memory_host(bench.machine.gpu, bench.texels->address, 64);
    memset(halves, 0, 64);
    const struct {
        int32_t x, y;
        float red, green;
    } at[THREADS] = {{1, 2, 1.5F, -2}, {-1, 0, 9, 9}, {INT32_MAX, 0, 9, 9}, {3, 0, 0.5F, 1}};
    launch(&bench, "convert", &made, at);
    assert_true(halves[16 + 2] == 0x3E00 && halves[16 + 3] == 0xC000);
    assert_true(halves[6] == 0x3800 && halves[7] == 0x3C00 && halves[1] == 0 && halves[4] == 0);
    assert_int_equal(bench.mistakes, 0);
    made.bits = 8;
    made.components = 1;
    made.kind = GPU_TEXEL_UNSIGNED;
    const uint32_t bytes[THREADS][4] = {{2, 1, 77, 5}, {3, 1, 99, 5}};
    launch(&bench, "convert", &made, bytes);
    assert_true(halves[8 + 1] == (99 << 8 | 77));
    end(&bench);
}

static void test_surface_reductions(void **state) {
    (void)state;
    Bench bench;
    begin(&bench);
    GpuTexture made = surface(&bench);
    uint32_t *texels = gpu_memory_host(bench.machine.gpu, bench.texels->address, 64);
    memset(texels, 0, 64);
    texels[1] = (uint32_t)-7;
    int32_t at[THREADS][4];
    for (int i = 0; i < THREADS; i++)
        memcpy(at[i], (int32_t[4]){0, 0, 0, i - 1}, sizeof at[i]);
    launch(&bench, "reduce", &made, at);
    assert_true(texels[0] == THREADS * (THREADS - 3) / 2 && texels[1] == THREADS - 2 && texels[3] == 64);
    assert_int_equal(bench.mistakes, 0);
    at[5][0] = 16;
    launch(&bench, "reduce", &made, at);
    assert_int_equal(bench.mistake, GPU_TEXTURE_OUT_OF_BOUNDS);
    end(&bench);
}

/* ---- mistakes ---- */

static void test_bad_handles(void **state) {
    (void)state;
    const float at[THREADS][4] = {{0}};
    const uint64_t garbage[] = {0, 1, UINT64_C(0x340000000001), UINT64_C(0x340000001000), UINT64_MAX};
    for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++) {
        Bench bench;
        begin(&bench);
        launch_handle(&bench, "fetch1d", garbage[i], at, GPU_ILLEGAL_ADDRESS);
        assert_int_equal(bench.mistake, GPU_TEXTURE_NO_HANDLE);
        end(&bench);
    }
    Bench bench;
    begin(&bench);
    GpuTexture texture = floats(&bench);
    uint64_t handle = gpu_texture_create(bench.machine.gpu, &texture);
    launch_handle(&bench, "invert", handle, at, GPU_ILLEGAL_ADDRESS);
    assert_int_equal(bench.mistake, GPU_TEXTURE_WRONG_KIND);
    assert_true(gpu_texture_destroy(bench.machine.gpu, handle, 0));
    assert_false(gpu_texture_destroy(bench.machine.gpu, handle, 0));
    launch_handle(&bench, "fetch1d", handle, at, GPU_ILLEGAL_ADDRESS);
    assert_int_equal(bench.mistake, GPU_TEXTURE_DESTROYED);
    end(&bench);
}

static void test_freed_and_misaligned(void **state) {
    (void)state;
    Bench bench;
    begin(&bench);
    GpuTexture made = surface(&bench);
    const int32_t odd[THREADS][4] = {{4, 0}};
    uint64_t handle = gpu_texture_create(bench.machine.gpu, &made);
    launch_handle(&bench, "invert", handle, odd, GPU_MISALIGNED);
    assert_int_equal(bench.mistake, GPU_TEXTURE_MISALIGNED);
    gpu_memory_free(bench.machine.gpu, bench.texels->address, 0);
    launch_handle(&bench, "clamped", handle, odd, GPU_OK);
    assert_int_equal(bench.mistake, GPU_TEXTURE_FREED);
    assert_true(gpu_texture_create(bench.machine.gpu, &made) == 0); /* texels in no live allocation */
    end(&bench);
}

static void test_a_description_must_fit_its_memory(void **state) {
    (void)state;
    Bench bench;
    begin(&bench);
    GpuTexture texture = floats(&bench);
    texture.depth++;
    assert_true(gpu_texture_create(bench.machine.gpu, &texture) == 0);
    texture = floats(&bench);
    texture.slice = UINT64_MAX / 2;
    assert_true(gpu_texture_create(bench.machine.gpu, &texture) == 0);
    for (unsigned i = 0; i < 4; i++) { /* what has no texels */
        texture = floats(&bench);
        assert_true(gpu_texture_create(bench.machine.gpu, &texture) != 0);
        if (i == 0) texture.width = 0;
        if (i == 1) texture.height = 0;
        if (i == 2) texture.depth = 0;
        if (i == 3) texture.components = 0;
        if (gpu_texture_create(bench.machine.gpu, &texture) != 0) fail_msg("%u", i);
    }
    end(&bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_filters_and_modes),
        cmocka_unit_test(test_places_between_texels),
        cmocka_unit_test(test_references_stand_for_what_is_bound),
        cmocka_unit_test(test_wrapping_needs_normalized_coordinates),
        cmocka_unit_test(test_layers_are_clamped_and_not_mixed),
        cmocka_unit_test(test_gather_goes_round_from_the_lower_left),
        cmocka_unit_test(test_gather_from_a_layer),
        cmocka_unit_test(test_other_shapes_give_zeros),
        cmocka_unit_test(test_levels_of_detail),
        cmocka_unit_test(test_derivatives_choose_the_level),
        cmocka_unit_test(test_directions_meet_faces),
        cmocka_unit_test(test_srgb_is_decoded),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_linear_memory_reads_zero_outside),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_surface_loads_and_stores),
        cmocka_unit_test(test_outside_a_surface),
        cmocka_unit_test(test_stores_by_element_are_converted),
        cmocka_unit_test(test_surface_reductions),
        cmocka_unit_test(test_bad_handles),
        cmocka_unit_test(test_freed_and_misaligned),
        cmocka_unit_test(test_a_description_must_fit_its_memory),
    };
    return cmocka_run_group_tests_name("textures", tests, NULL, NULL);
}
