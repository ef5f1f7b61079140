/* curand.c - the functions of <curand.h>.
 *
 * The numbers are made here, on the host, and a generator of the device copies them to where they are wanted,
 * in its stream: the order of things is that of a kernel which makes them. They are NVIDIA's, in NVIDIA's
 * order: whole and uniform numbers bit by bit, normal ones but for their last bits. LIMIT: no MTGP32,
 * MT19937, scrambled points, seeded order and Poisson numbers. Whoever asks for them is told so on stderr,
 * and gets an error.
 */
#include "curand/sobol.h"
#include "curand/streams.h"

#include <cuda_runtime_api.h>
#include <curand.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/** Our runtime's way for it, which blames the program's line; a copy where another runtime is linked. */
extern cudaError_t warpgrindCurand(void *to, const void *from, size_t bytes, cudaStream_t stream)
    __attribute__((weak));

#define EXPORT __attribute__((visibility("default")))

enum { XORWOW_STREAMS = 4096, MRG_STREAMS = 81920, PHILOX_STREAMS = 65536, PHILOX_WORDS = 4 };

typedef enum Family { FAMILY_STREAMS, FAMILY_PHILOX, FAMILY_SOBOL } Family;

struct curandGenerator_st {
    Family family;
    StreamKind kind; /**< of streams */
    bool host, wide; /**< wide: Sobol's points have 64 bits */
    bool started;    /**< the streams stand where seed and offset say */
    uint64_t seed;
    uint64_t offset; /**< of the next number, in every dimension of quasirandom points */
    unsigned dimensions;
    Stream *streams;
    uint64_t *blocks;     /**< Philox: how many blocks of words each stream has used up */
    unsigned count, next; /**< how many streams, and whose turn it is */
    cudaStream_t stream;
};

/** What is drawn: words, or what is made of them. Pairs of normal numbers come from one stream. */
typedef enum Draw { DRAW_WORD, DRAW_LONG, DRAW_FLOAT, DRAW_DOUBLE, DRAW_NORMAL, DRAW_NORMAL_DOUBLE } Draw;

static const size_t draw_bytes[] = {
    [DRAW_WORD] = sizeof(uint32_t), [DRAW_LONG] = sizeof(uint64_t), [DRAW_FLOAT] = sizeof(float),
    [DRAW_DOUBLE] = sizeof(double), [DRAW_NORMAL] = sizeof(float),  [DRAW_NORMAL_DOUBLE] = sizeof(double)};

/** One number of any kind. */
typedef union Number {
    uint32_t word;
    uint64_t wide;
    float single;
    double twice;
} Number;

static curandStatus_t refuse(const char *what, const char *instead) {
    fprintf(stderr, "curand: the software GPU's library has no %s: %s\n", what, instead);
    return CURAND_STATUS_TYPE_ERROR;
}

/* ---- normal numbers ---- */

static void pair_single(uint32_t radius, uint32_t angle, Number pair[2]) {
    const float turn = 0x1p-32f * 6.2831855f;
    float length = sqrtf(-2.0f * logf(fmaf((float)radius, 0x1p-32f, 0x1p-33f)));
    float at = fmaf((float)angle, turn, turn / 2);
    pair[0].single = sinf(at) * length;
    pair[1].single = cosf(at) * length;
}

static void pair_uniform(float radius, float angle, Number pair[2]) {
    float length = sqrtf(-2.0f * logf(radius));
    pair[0].single = sinf(angle * 6.2831855f) * length;
    pair[1].single = cosf(angle * 6.2831855f) * length;
}

/** The angle in turns. */
static void pair_double(double radius, double angle, Number pair[2]) {
    double length = sqrt(-2.0 * log(radius)), at = angle * 2 * M_PI;
    pair[0].twice = sin(at) * length;
    pair[1].twice = cos(at) * length;
}

/** The number that the share p, at most 1/2, of all normal ones is below: Newton's method from a rough start.
 */
static double normal_below(double p) {
    long double t = sqrtl(-2 * logl((long double)p)),
                x = t - (2.30753L + 0.27061L * t) / (1 + (0.99229L + 0.04481L * t) * t);
    for (int i = 0; i < 6; i++) {
        long double error = erfcl(x / sqrtl(2)) / 2 - (long double)p;
        x += error * sqrtl(2 * (long double)M_PI) * expl(x * x / 2);
    }
    return (double)-x;
}

/* A normal number from a quasi-random one by the inverse of the distribution's function, to keep the
 * points' order. It is computed for the lower half, and the upper one mirrored, since small numbers have
 * more bits. */
static double normal_of(uint64_t number, bool wide, bool twice) {
    uint64_t half = UINT64_C(0x80000000), all = UINT32_MAX;
    double unit = 0x1p-32;
    if (wide && !twice) number >>= 32;
    if (wide && twice) {
        number >>= 11;
        half = UINT64_C(1) << 52;
        all = (UINT64_C(1) << 53) - 1;
        unit = 0x1p-53;
    }
    double sign = number > half ? -1 : 1;
    if (number > half) number = all - number;
    if (twice) return sign * normal_below(fma((double)number, unit, unit / 2));
    return sign * normal_below((double)fmaf((float)number, (float)unit, (float)unit / 2));
}

/* ---- generators ---- */

static void start_philox(curandGenerator_t g) {
    uint64_t group = g->offset / PHILOX_WORDS, row = group / g->count;
    for (unsigned i = 0; i < g->count; i++)
        g->blocks[i] = row + (i < group % g->count);
}

static void start_streams(curandGenerator_t g) {
    streams_start(g->kind, g->seed, g->offset / g->count, g->streams, g->count);
    g->next = (unsigned)(g->offset % g->count);
    for (unsigned i = 0; i < g->next; i++)
        (void)streams_word(g->kind, &g->streams[i]);
}

/* The states are made at the first use, as cuRAND does: seed and offset may be set until then. */
static curandStatus_t start(curandGenerator_t g) {
    if (g->started || g->family == FAMILY_SOBOL) return CURAND_STATUS_SUCCESS;
    bool philox = g->family == FAMILY_PHILOX;
    if (philox && g->blocks == NULL) g->blocks = malloc(g->count * sizeof *g->blocks);
    if (!philox && g->streams == NULL) g->streams = malloc(g->count * sizeof *g->streams);
    if (philox ? g->blocks == NULL : g->streams == NULL) return CURAND_STATUS_ALLOCATION_FAILED;
    if (philox)
        start_philox(g);
    else
        start_streams(g);
    g->started = true;
    return CURAND_STATUS_SUCCESS;
}

/* The streams take turns, which is the order in which the threads of cuRAND's own kernel write. Normal
 * numbers come in pairs (Box and Muller). */
static void draw_streams(curandGenerator_t g, Draw draw, Number numbers[2]) {
    Stream *stream = &g->streams[g->next];
    g->next = (g->next + 1) % g->count;
    bool mrg = g->kind == STREAM_MRG32K3A;
    switch (draw) {
    case DRAW_WORD:
        numbers->word = streams_word(g->kind, stream);
        return;
    case DRAW_FLOAT:
        numbers->single = streams_uniform(g->kind, stream);
        return;
    case DRAW_DOUBLE:
        numbers->twice = streams_uniform_double(g->kind, stream);
        return;
    case DRAW_NORMAL_DOUBLE: {
        double radius = streams_uniform_double(g->kind, stream);
        pair_double(radius, streams_uniform_double(g->kind, stream), numbers);
        return;
    }
    case DRAW_NORMAL:
        if (mrg) {
            float radius = streams_uniform(g->kind, stream);
            pair_uniform(radius, streams_uniform(g->kind, stream), numbers);
        } else {
            uint32_t radius = streams_word(g->kind, stream);
            pair_single(radius, streams_word(g->kind, stream), numbers);
        }
        return;
    case DRAW_LONG:
        return;
    }
}

/** Each stream hands out four numbers at a time: of one block of words, or of two where a number takes two.
 */
static Number draw_philox(curandGenerator_t g, Draw draw) {
    unsigned place = (unsigned)(g->offset % PHILOX_WORDS);
    uint64_t stream = g->offset++ / PHILOX_WORDS % g->count, block = g->blocks[stream];
    bool twice = draw == DRAW_DOUBLE || draw == DRAW_NORMAL_DOUBLE;
    if (place == PHILOX_WORDS - 1) g->blocks[stream] += twice ? 2 : 1;
    uint32_t w[PHILOX_WORDS];
    streams_philox(g->seed, twice ? block + place / 2 : block, stream, w);
    Number pair[2] = {{.word = w[place]}};
    double a = fma((double)(w[0] ^ (uint64_t)w[1] << 21), 0x1p-53, 0x1p-54);
    double b = fma((double)(w[2] ^ (uint64_t)w[3] << 21), 0x1p-53, 0x1p-54);
    if (draw == DRAW_FLOAT) pair[0].single = fmaf((float)w[place], 0x1p-32f, 0x1p-33f);
    if (draw == DRAW_DOUBLE) pair[0].twice = place % 2 == 0 ? a : b;
    if (draw == DRAW_NORMAL) pair_single(w[place / 2 * 2], w[place / 2 * 2 + 1], pair);
    if (draw == DRAW_NORMAL_DOUBLE) pair_double(a, b, pair);
    return draw == DRAW_NORMAL || draw == DRAW_NORMAL_DOUBLE ? pair[place % 2] : pair[0];
}

/* Numbers between 0 and 1, never 0: half a step is added to each. */
static Number draw_sobol(const curandGenerator_t g, Draw draw, uint64_t number) {
    Number made = {.wide = number};
    if (draw == DRAW_WORD) made.word = (uint32_t)number;
    if (draw == DRAW_FLOAT)
        made.single = fmaf((float)(uint32_t)(g->wide ? number >> 32 : number), 0x1p-32f, 0x1p-33f);
    if (draw == DRAW_DOUBLE)
        made.twice =
            g->wide ? fma((double)(number >> 11), 0x1p-53, 0x1p-54) : fma((double)number, 0x1p-32, 0x1p-32);
    if (draw == DRAW_NORMAL) made.single = (float)normal_of(number, g->wide, false);
    if (draw == DRAW_NORMAL_DOUBLE) made.twice = normal_of(number, g->wide, true);
    return made;
}

/** Dimension by dimension, each as long as the others. */
static void fill_sobol(curandGenerator_t g, Draw draw, uint8_t *to, size_t count) {
    size_t each = count / g->dimensions, bytes = draw_bytes[draw];
    for (unsigned dimension = 0; dimension < g->dimensions; dimension++) {
        uint64_t directions[64];
        sobol_directions64(dimension, directions);
        for (size_t i = 0; i < each; i++, to += bytes) {
            uint64_t number = sobol_number(directions, g->offset + i);
            Number made = draw_sobol(g, draw, g->wide ? number : number >> 32);
            memcpy(to, &made, bytes);
        }
    }
    g->offset += each;
}

/* Streams give pairs of normal numbers; the other generators one number at a time. An odd count never comes
 * here for normal numbers of streams. */
static void fill(curandGenerator_t g, Draw draw, uint8_t *to, size_t count) {
    size_t bytes = draw_bytes[draw], pairs = draw == DRAW_NORMAL || draw == DRAW_NORMAL_DOUBLE ? 2 : 1;
    if (g->family == FAMILY_SOBOL) {
        fill_sobol(g, draw, to, count);
        return;
    }
    for (size_t i = 0; i < count; i += g->family == FAMILY_STREAMS ? pairs : 1) {
        Number made[2];
        if (g->family == FAMILY_STREAMS)
            draw_streams(g, draw, made);
        else
            made[0] = draw_philox(g, draw);
        for (size_t k = 0; k < (g->family == FAMILY_STREAMS ? pairs : 1); k++)
            memcpy(to + (i + k) * bytes, &made[k], bytes);
    }
}

/* ---- where the numbers go ---- */

static curandStatus_t check(const curandGenerator_t g, Draw draw, size_t count) {
    if (g == NULL) return CURAND_STATUS_NOT_INITIALIZED;
    bool pairs = draw == DRAW_NORMAL || draw == DRAW_NORMAL_DOUBLE;
    if (draw == DRAW_LONG && !(g->family == FAMILY_SOBOL && g->wide)) return CURAND_STATUS_TYPE_ERROR;
    if (draw == DRAW_WORD && g->family == FAMILY_SOBOL && g->wide) return CURAND_STATUS_TYPE_ERROR;
    if (g->family == FAMILY_STREAMS && pairs && count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    if (g->family == FAMILY_SOBOL && count % g->dimensions != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    return CURAND_STATUS_SUCCESS;
}

/** What becomes of normal numbers. */
typedef struct Scale {
    bool used, logarithm;
    double mean, deviation;
} Scale;

/* cuRAND makes standard normal numbers and scales them by one fused multiplication, so the same rounding is
 * done here. */
static void scale_numbers(const Scale *scale, Draw draw, void *numbers, size_t count) {
    float *singles = numbers;
    double *doubles = numbers;
    for (size_t i = 0; i < count && scale->used && draw == DRAW_NORMAL; i++) {
        singles[i] = fmaf((float)scale->deviation, singles[i], (float)scale->mean);
        if (scale->logarithm) singles[i] = expf(singles[i]);
    }
    for (size_t i = 0; i < count && scale->used && draw == DRAW_NORMAL_DOUBLE; i++) {
        doubles[i] = fma(scale->deviation, doubles[i], scale->mean);
        if (scale->logarithm) doubles[i] = exp(doubles[i]);
    }
}

/* Made on the host, and copied in the stream's order: the program sees the numbers at the moment at which a
 * card would have written them. */
static curandStatus_t generate(curandGenerator_t g, Draw draw, void *to, size_t count, Scale scale) {
    curandStatus_t status = check(g, draw, count);
    if (status == CURAND_STATUS_SUCCESS) status = start(g);
    if (status != CURAND_STATUS_SUCCESS || count == 0) return status;
    void *numbers = g->host ? to : malloc(count * draw_bytes[draw]);
    if (numbers == NULL) return CURAND_STATUS_ALLOCATION_FAILED;
    fill(g, draw, numbers, count);
    scale_numbers(&scale, draw, numbers, count);
    if (g->host) return CURAND_STATUS_SUCCESS;
    size_t bytes = count * draw_bytes[draw];
    cudaError_t error = warpgrindCurand != NULL
                            ? warpgrindCurand(to, numbers, bytes, g->stream)
                            : cudaMemcpyAsync(to, numbers, bytes, cudaMemcpyHostToDevice, g->stream);
    free(numbers);
    return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

/* ---- the interface ---- */

/* What each kind is made of; kinds that are not supported say what to take instead. */
static curandStatus_t generator_init(curandGenerator_t g, curandRngType_t type) {
    static const char kernel[] = "take CURAND_RNG_PSEUDO_XORWOW, _MRG32K3A or _PHILOX4_32_10";
    static const char plain[] = "take CURAND_RNG_QUASI_SOBOL32 or _SOBOL64";
    switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
    case CURAND_RNG_PSEUDO_XORWOW:
        g->count = XORWOW_STREAMS;
        return CURAND_STATUS_SUCCESS;
    case CURAND_RNG_PSEUDO_MRG32K3A:
        g->kind = STREAM_MRG32K3A;
        g->count = MRG_STREAMS;
        return CURAND_STATUS_SUCCESS;
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
        g->family = FAMILY_PHILOX;
        g->count = PHILOX_STREAMS;
        return CURAND_STATUS_SUCCESS;
    case CURAND_RNG_QUASI_DEFAULT:
    case CURAND_RNG_QUASI_SOBOL32:
    case CURAND_RNG_QUASI_SOBOL64:
        g->family = FAMILY_SOBOL;
        g->wide = type == CURAND_RNG_QUASI_SOBOL64;
        return CURAND_STATUS_SUCCESS;
    case CURAND_RNG_PSEUDO_MTGP32:
    case CURAND_RNG_PSEUDO_MT19937:
        return refuse("MTGP32 and MT19937 generators", kernel);
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
        return refuse("scrambled points", plain);
    case CURAND_RNG_TEST:
        break;
    }
    return CURAND_STATUS_TYPE_ERROR;
}

/* The caller's variable is only set when there is a generator. */
static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool host) {
    if (generator == NULL) return CURAND_STATUS_NOT_INITIALIZED;
    curandGenerator_t made = calloc(1, sizeof *made);
    if (made == NULL) return CURAND_STATUS_ALLOCATION_FAILED;
    made->dimensions = 1;
    made->host = host;
    curandStatus_t status = generator_init(made, type);
    if (status == CURAND_STATUS_SUCCESS)
        *generator = made;
    else
        free(made);
    return status;
}

EXPORT curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
    return create(generator, type, false);
}

EXPORT curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type) {
    return create(generator, type, true);
}

EXPORT curandStatus_t curandDestroyGenerator(curandGenerator_t g) {
    if (g == NULL) return CURAND_STATUS_NOT_INITIALIZED;
    free(g->streams);
    free(g->blocks);
    free(g);
    return CURAND_STATUS_SUCCESS;
}

EXPORT curandStatus_t curandGetVersion(int *version) {
    if (version == NULL) return CURAND_STATUS_OUT_OF_RANGE;
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

EXPORT curandStatus_t curandGetProperty(libraryPropertyType type, int *value) {
    static const int parts[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
    if (value == NULL || (unsigned)type >= sizeof parts / sizeof *parts) return CURAND_STATUS_OUT_OF_RANGE;
    *value = parts[type];
    return CURAND_STATUS_SUCCESS;
}

EXPORT curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream) {
    if (g == NULL) return CURAND_STATUS_NOT_INITIALIZED;
    g->stream = stream;
    return CURAND_STATUS_SUCCESS;
}

EXPORT curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed) {
    if (g == NULL) return CURAND_STATUS_NOT_INITIALIZED;
    if (g->family == FAMILY_SOBOL) return CURAND_STATUS_TYPE_ERROR;
    g->seed = seed;
    g->offset = 0;
    g->started = false;
    return CURAND_STATUS_SUCCESS;
}

EXPORT curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset) {
    if (g == NULL) return CURAND_STATUS_NOT_INITIALIZED;
    g->offset = offset;
    g->started = false;
    return CURAND_STATUS_SUCCESS;
}

/* Only MRG32k3a has another number of streams in its legacy order; for the rest the orders are the same. */
EXPORT curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t order) {
    if (g == NULL) return CURAND_STATUS_NOT_INITIALIZED;
    bool quasi = order == CURAND_ORDERING_QUASI_DEFAULT;
    if (quasi != (g->family == FAMILY_SOBOL)) return CURAND_STATUS_OUT_OF_RANGE;
    if (order == CURAND_ORDERING_PSEUDO_SEEDED && g->family == FAMILY_STREAMS) {
        refuse("seeded order", "take CURAND_ORDERING_PSEUDO_DEFAULT");
        return CURAND_STATUS_OUT_OF_RANGE;
    }
    unsigned count = order == CURAND_ORDERING_PSEUDO_LEGACY ? XORWOW_STREAMS : MRG_STREAMS;
    if (g->family != FAMILY_STREAMS || g->kind != STREAM_MRG32K3A || g->count == count)
        return CURAND_STATUS_SUCCESS;
    free(g->streams);
    g->streams = NULL;
    g->count = count;
    g->started = false;
    return CURAND_STATUS_SUCCESS;
}

/* Another number of dimensions starts the sequence again. */
EXPORT curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned dimensions) {
    if (g == NULL) return CURAND_STATUS_NOT_INITIALIZED;
    if (g->family != FAMILY_SOBOL) return CURAND_STATUS_TYPE_ERROR;
    if (dimensions < 1) return CURAND_STATUS_OUT_OF_RANGE;
    if (dimensions > SOBOL_DIMENSIONS) {
        refuse("more than 512 dimensions", "cuRAND itself has 20,000");
        return CURAND_STATUS_OUT_OF_RANGE;
    }
    g->dimensions = dimensions;
    g->offset = 0;
    return CURAND_STATUS_SUCCESS;
}

EXPORT curandStatus_t curandGenerateSeeds(curandGenerator_t g) {
    return g == NULL ? CURAND_STATUS_NOT_INITIALIZED : start(g);
}

EXPORT curandStatus_t curandGenerate(curandGenerator_t g, unsigned *to, size_t count) {
    return generate(g, DRAW_WORD, to, count, (Scale){0});
}

EXPORT curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long *to, size_t count) {
    return generate(g, DRAW_LONG, to, count, (Scale){0});
}

EXPORT curandStatus_t curandGenerateUniform(curandGenerator_t g, float *to, size_t count) {
    return generate(g, DRAW_FLOAT, to, count, (Scale){0});
}

EXPORT curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *to, size_t count) {
    return generate(g, DRAW_DOUBLE, to, count, (Scale){0});
}

EXPORT curandStatus_t curandGenerateNormal(curandGenerator_t g, float *to, size_t count, float mean,
                                           float deviation) {
    return generate(g, DRAW_NORMAL, to, count, (Scale){true, false, (double)mean, (double)deviation});
}

EXPORT curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *to, size_t count, double mean,
                                                 double deviation) {
    return generate(g, DRAW_NORMAL_DOUBLE, to, count, (Scale){true, false, mean, deviation});
}

EXPORT curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *to, size_t count, float mean,
                                              float deviation) {
    return generate(g, DRAW_NORMAL, to, count, (Scale){true, true, (double)mean, (double)deviation});
}

EXPORT curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double *to, size_t count,
                                                    double mean, double deviation) {
    return generate(g, DRAW_NORMAL_DOUBLE, to, count, (Scale){true, true, mean, deviation});
}

EXPORT curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned *to, size_t count, double mean) {
    (void)g, (void)to, (void)count, (void)mean;
    return refuse("Poisson numbers", "draw them in a kernel, with curand_poisson of curand_kernel.h");
}

/* ---- Sobol's directions ---- */

/** A table that ends where a page ends, and the next page cannot be read: who asks for one dimension more
 * than there are shall hear of it. */
static void *table_new(size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (bytes + page - 1) / page * page;
    uint8_t *made = mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED) return NULL;
    mprotect(made + room, page, PROT_NONE);
    return made + room - bytes;
}

static void table_protect(void *table, size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *first = (uint8_t *)table - (uintptr_t)table % page;
    mprotect(first, (size_t)((uint8_t *)table + bytes - first), PROT_READ);
}

/* The program may keep the table, so it is not freed, and cannot be written. */
EXPORT curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                                  curandDirectionVectorSet_t set) {
    if (set == CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6)
        return refuse("scrambled directions", "take CURAND_DIRECTION_VECTORS_32_JOEKUO6");
    if (vectors == NULL || set != CURAND_DIRECTION_VECTORS_32_JOEKUO6) return CURAND_STATUS_OUT_OF_RANGE;
    size_t bytes = SOBOL_DIMENSIONS * sizeof **vectors;
    *vectors = table_new(bytes);
    if (*vectors == NULL) return CURAND_STATUS_ALLOCATION_FAILED;
    for (unsigned i = 0; i < SOBOL_DIMENSIONS; i++)
        sobol_directions32(i, (*vectors)[i]);
    table_protect(*vectors, bytes);
    return CURAND_STATUS_SUCCESS;
}

/* As the 32-bit one; directions are made of the same table. */
EXPORT curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                                  curandDirectionVectorSet_t set) {
    if (set == CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6)
        return refuse("scrambled directions", "take CURAND_DIRECTION_VECTORS_64_JOEKUO6");
    if (vectors == NULL || set != CURAND_DIRECTION_VECTORS_64_JOEKUO6) return CURAND_STATUS_OUT_OF_RANGE;
    size_t bytes = SOBOL_DIMENSIONS * sizeof **vectors;
    *vectors = table_new(bytes);
    if (*vectors == NULL) return CURAND_STATUS_ALLOCATION_FAILED;
    for (unsigned i = 0; i < SOBOL_DIMENSIONS; i++) {
        uint64_t directions[64];
        sobol_directions64(i, directions);
        memcpy((*vectors)[i], directions, sizeof directions);
    }
    table_protect(*vectors, bytes);
    return CURAND_STATUS_SUCCESS;
}
