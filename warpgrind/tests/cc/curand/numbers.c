/* numbers.c - what host generators give. numbers.out is what NVIDIA's library prints: whole and uniform
 * numbers by a checksum of all their bits, normal ones as eight of a few thousand, with as many digits as the
 * logarithm of another library leaves. */
#include <curand.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 400000, NORMALS = COUNT / 4, SHOWN = 8 };

static unsigned long long sum_of(const void *data, size_t bytes) {
    unsigned long long sum = 1469598103934665603ull;
    for (size_t i = 0; i < bytes; i++)
        sum = (sum ^ ((const unsigned char *)data)[i]) * 1099511628211ull;
    return sum;
}

static curandGenerator_t make(curandRngType_t type, unsigned long long seed, unsigned long long offset) {
    curandGenerator_t generator;
    if (curandCreateGeneratorHost(&generator, type)) exit(1);
    if (type < CURAND_RNG_QUASI_DEFAULT && seed) curandSetPseudoRandomGeneratorSeed(generator, seed);
    if (type >= CURAND_RNG_QUASI_DEFAULT) curandSetQuasiRandomGeneratorDimensions(generator, 500);
    curandSetGeneratorOffset(generator, offset);
    return generator;
}

static void show_singles(const char *name, const float *x) {
    printf("  %s", name);
    for (int i = 0; i < SHOWN; i++)
        printf(" %.5g", x[i * 12499]);
    printf("\n");
}

static void show_doubles(const char *name, const double *x) {
    printf("  %s", name);
    for (int i = 0; i < SHOWN; i++)
        printf(" %.12g", x[i * 12499]);
    printf("\n");
}

static void show(const char *name, curandRngType_t type, unsigned long long seed, unsigned long long offset) {
    unsigned *words = calloc(COUNT, 8);
    float *singles = (float *)words;
    double *doubles = (double *)words;
    curandGenerator_t g = make(type, seed, offset);
    printf("%s, seed %llu, offset %llu\n", name, seed, offset);
    if (type == CURAND_RNG_QUASI_SOBOL64)
        printf("  %d %d\n", curandGenerate(g, words, COUNT),
               curandGenerateLongLong(g, (unsigned long long *)words, COUNT));
    else
        printf("  %d %d\n", curandGenerateLongLong(g, (unsigned long long *)words, COUNT),
               curandGenerate(g, words, COUNT));
    printf("  words %016llx\n", sum_of(words, COUNT * 4));
    printf("  and on %d", curandGenerateUniform(g, singles, COUNT));
    printf(" %016llx\n", sum_of(singles, COUNT * 4));
    curandDestroyGenerator(g);
    g = make(type, seed, offset);
    printf("  odd %d\n", curandGenerateNormal(g, singles, 1001, 0, 1));
    curandDestroyGenerator(g);
    g = make(type, seed, offset);
    curandGenerateUniformDouble(g, doubles, COUNT);
    printf("  doubles %016llx\n", sum_of(doubles, COUNT * 8));
    curandDestroyGenerator(g);
    g = make(type, seed, offset);
    curandGenerateNormal(g, singles, NORMALS, 0, 1);
    show_singles("normal", singles);
    curandDestroyGenerator(g);
    g = make(type, seed, offset);
    curandGenerateNormalDouble(g, doubles, NORMALS, 3, 2);
    show_doubles("normal doubles", doubles);
    curandDestroyGenerator(g);
    g = make(type, seed, offset);
    curandGenerateLogNormal(g, singles, NORMALS, 0.5f, 0.25f);
    show_singles("log-normal", singles);
    curandDestroyGenerator(g);
    g = make(type, seed, offset);
    curandGenerateLogNormalDouble(g, doubles, NORMALS, 0.5, 0.25);
    show_doubles("log-normal doubles", doubles);
    curandDestroyGenerator(g);
    free(words);
}

int main(void) {
    show("XORWOW", CURAND_RNG_PSEUDO_XORWOW, 1234, 0);
    show("XORWOW", CURAND_RNG_PSEUDO_DEFAULT, 0, 0);
    show("XORWOW", CURAND_RNG_PSEUDO_XORWOW, 0x123456789abcdefull, 9000);
    show("MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A, 1234, 0);
    show("MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A, 0, 0);
    show("MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A, 0x123456789abcdefull, 90000);
    show("Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10, 1234, 0);
    show("Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10, 0, 0);
    show("Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10, 0x123456789abcdefull, 9000);
    show("Sobol, 32 bits", CURAND_RNG_QUASI_SOBOL32, 0, 0);
    show("Sobol, 32 bits", CURAND_RNG_QUASI_SOBOL32, 0, 77);
    show("Sobol, 64 bits", CURAND_RNG_QUASI_SOBOL64, 0, 77);
    curandDirectionVectors32_t *narrow;
    curandDirectionVectors64_t *wide;
    printf("%d ", curandGetDirectionVectors32(&narrow, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
    printf("%016llx\n", sum_of(narrow, 512 * sizeof *narrow));
    printf("%d ", curandGetDirectionVectors64(&wide, CURAND_DIRECTION_VECTORS_64_JOEKUO6));
    printf("%016llx\n", sum_of(wide, 512 * sizeof *wide));
    return 0;
}
