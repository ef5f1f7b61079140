/* curand.c - the functions of <curand.h>.
 *
 * The numbers are made here, on the host, and a generator of the device copies them to where they are wanted,
 * in its stream: the order of things is that of a kernel which makes them. They are NVIDIA's, in NVIDIA's
 * order: whole and uniform numbers bit by bit, normal ones but for their last bits. LIMIT: no MTGP32,
 * MT19937, scrambled points, seeded order and Poisson numbers. Whoever asks for them is told so on stderr,
 * and gets an error.
 */
#include "cudart/refusal.h"
#include "curand/draw.h"
#include "curand/sobol.h"

#include <cuda_runtime_api.h>
#include <curand.h>
#include <math.h>
#include <stdarg.h>
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

static curandStatus_t refuse(const char *what, const char *instead) {
    fprintf(stderr, "curand: the software GPU's library has no %s: %s\n", what, instead);
    return CURAND_STATUS_TYPE_ERROR;
}

/** Our runtime's way to make a finding of it. */
extern void warpgrindRefused(int why, const char *text) __attribute__((weak));

__attribute__((format(printf, 3, 4))) static curandStatus_t tell(LibraryRefusal why, curandStatus_t status,
                                                                 const char *format, ...) {
    char text[200];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (warpgrindRefused != NULL) warpgrindRefused((int)why, text);
    return status;
}

/* ---- where the numbers go ---- */

static curandStatus_t check_count(const char *function, const curandGenerator_t g, Draw draw, size_t count) {
    const bool pairs = draw == DRAW_NORMAL || draw == DRAW_NORMAL_DOUBLE;
    const curandStatus_t wrong = CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    if (g->family == FAMILY_STREAMS && pairs && count % 2 != 0)
        return tell(LIBRARY_REFUSES_PAIRS, wrong, "%s was asked for %zu numbers, which is odd", function,
                    count);
    if (g->family == FAMILY_SOBOL && count % g->dimensions != 0)
        return tell(LIBRARY_REFUSES_PAIRS, wrong,
                    "%s was asked for %zu numbers, which is no multiple of the %u dimensions", function,
                    count, g->dimensions);
    return CURAND_STATUS_SUCCESS;
}

static curandStatus_t check(const char *function, const curandGenerator_t g, Draw draw, size_t count) {
    if (g == NULL)
        return tell(LIBRARY_REFUSES_MAKER, CURAND_STATUS_NOT_INITIALIZED, "%s got no generator", function);
    const bool wide = g->family == FAMILY_SOBOL && g->wide;
    if ((draw == DRAW_LONG && !wide) || (draw == DRAW_WORD && wide))
        return tell(LIBRARY_REFUSES_DRAW, CURAND_STATUS_TYPE_ERROR, "%s got a generator of other numbers",
                    function);
    return check_count(function, g, draw, count);
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
static curandStatus_t generate(const char *function, curandGenerator_t g, Draw draw, void *to, size_t count,
                               Scale scale) {
    curandStatus_t status = check(function, g, draw, count);
    if (status == CURAND_STATUS_SUCCESS) status = draw_start(g);
    if (status != CURAND_STATUS_SUCCESS || count == 0) return status;
    void *numbers = to;
    if (!g->host) numbers = malloc(count * draw_bytes[draw]);
    if (numbers == NULL) return CURAND_STATUS_ALLOCATION_FAILED;
    draw_fill(g, draw, numbers, count);
    scale_numbers(&scale, draw, numbers, count);
    if (g->host) return CURAND_STATUS_SUCCESS;
    size_t bytes = count * draw_bytes[draw];
    cudaError_t error;
    if (warpgrindCurand != NULL)
        error = warpgrindCurand(to, numbers, bytes, g->stream);
    else
        error = cudaMemcpyAsync(to, numbers, bytes, cudaMemcpyHostToDevice, g->stream);
    free(numbers);
    if (error == cudaSuccess) return CURAND_STATUS_SUCCESS;
    return CURAND_STATUS_LAUNCH_FAILURE;
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
    unsigned count = MRG_STREAMS;
    if (order == CURAND_ORDERING_PSEUDO_LEGACY) count = XORWOW_STREAMS;
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
    if (g == NULL) return CURAND_STATUS_NOT_INITIALIZED;
    return draw_start(g);
}

EXPORT curandStatus_t curandGenerate(curandGenerator_t g, unsigned *to, size_t count) {
    return generate(__func__, g, DRAW_WORD, to, count, (Scale){0});
}

EXPORT curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long *to, size_t count) {
    return generate(__func__, g, DRAW_LONG, to, count, (Scale){0});
}

EXPORT curandStatus_t curandGenerateUniform(curandGenerator_t g, float *to, size_t count) {
    return generate(__func__, g, DRAW_FLOAT, to, count, (Scale){0});
}

EXPORT curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *to, size_t count) {
    return generate(__func__, g, DRAW_DOUBLE, to, count, (Scale){0});
}

EXPORT curandStatus_t curandGenerateNormal(curandGenerator_t g, float *to, size_t count, float mean,
                                           float deviation) {
    return generate(__func__, g, DRAW_NORMAL, to, count,
                    (Scale){true, false, (double)mean, (double)deviation});
}

EXPORT curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *to, size_t count, double mean,
                                                 double deviation) {
    return generate(__func__, g, DRAW_NORMAL_DOUBLE, to, count, (Scale){true, false, mean, deviation});
}

EXPORT curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *to, size_t count, float mean,
                                              float deviation) {
    return generate(__func__, g, DRAW_NORMAL, to, count,
                    (Scale){true, true, (double)mean, (double)deviation});
}

EXPORT curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double *to, size_t count,
                                                    double mean, double deviation) {
    return generate(__func__, g, DRAW_NORMAL_DOUBLE, to, count, (Scale){true, true, mean, deviation});
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
