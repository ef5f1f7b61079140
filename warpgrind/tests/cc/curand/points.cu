/* points.cu - Sobol's points as kernels draw them are those of a host generator, whose numbers numbers.out
 * has from NVIDIA's library: with both lengths of words, from any offset, and by skipping. */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <curand.h>
#include <curand_kernel.h>

enum { COUNT = 512, DIMENSIONS = 3, SKIPPED = 5 };

template <typename State, typename Vectors, typename Word>
__global__ void draw(Vectors *directions, unsigned offset, Word *words, float *uniform,
                     double *uniform_double, float *normal, double *normal_double) {
    State state;
    int dimension = threadIdx.x;
    curand_init(directions[dimension], offset, &state);
    State again = state, skipped = state;
    skipahead(SKIPPED, &skipped);
    for (int i = 0; i < COUNT; i++) {
        State one = again, two = again, three = again, four = again;
        int at = dimension * COUNT + i;
        uniform[at] = curand_uniform(&one);
        uniform_double[at] = curand_uniform_double(&two);
        normal[at] = curand_normal(&three);
        normal_double[at] = curand_normal_double(&four);
        words[at] = curand(&again);
        if (i >= SKIPPED && curand(&skipped) != words[at]) words[at] = 1;
    }
}

static int wrong;
template <typename T> static void compare(const char *what, const T *a, const T *b, double tolerance) {
    for (int i = 0; i < COUNT * DIMENSIONS; i++)
        if (!(std::fabs((double)a[i] - (double)b[i]) <= tolerance * (1 + std::fabs((double)b[i]))) &&
            wrong++ < 5)
            printf("%s %d: %.17g, not %.17g\n", what, i, (double)a[i], (double)b[i]);
}

static curandGenerator_t make(curandRngType_t type, unsigned offset) {
    curandGenerator_t generator;
    if (curandCreateGeneratorHost(&generator, type)) std::exit(1);
    curandSetQuasiRandomGeneratorDimensions(generator, DIMENSIONS);
    curandSetGeneratorOffset(generator, offset);
    return generator;
}

template <typename T> static T *managed() {
    T *made = nullptr;
    cudaMallocManaged(&made, COUNT * DIMENSIONS * sizeof(T));
    return made;
}

static curandStatus_t words_of(curandGenerator_t g, unsigned *to) {
    return curandGenerate(g, to, COUNT * DIMENSIONS);
}
static curandStatus_t words_of(curandGenerator_t g, unsigned long long *to) {
    return curandGenerateLongLong(g, to, COUNT * DIMENSIONS);
}

template <typename State, typename Vectors, typename Word>
static void check(curandRngType_t type, Vectors *table, unsigned offset) {
    Vectors *directions;
    cudaMallocManaged(&directions, DIMENSIONS * sizeof(Vectors));
    std::memcpy(directions, table, DIMENSIONS * sizeof(Vectors));
    Word *words = managed<Word>(), w[COUNT * DIMENSIONS];
    float *uniform = managed<float>(), *normal = managed<float>(), f[COUNT * DIMENSIONS];
    double *uniform_double = managed<double>(), *normal_double = managed<double>(), d[COUNT * DIMENSIONS];
    draw<State><<<1, DIMENSIONS>>>(directions, offset, words, uniform, uniform_double, normal, normal_double);
    cudaDeviceSynchronize();
    curandGenerator_t g = make(type, offset);
    words_of(g, w);
    for (int i = 0; i < COUNT * DIMENSIONS; i++)
        if (words[i] != w[i] && wrong++ < 5) printf("word %d: %llx\n", i, (unsigned long long)words[i]);
    curandSetGeneratorOffset(g, offset);
    curandGenerateUniform(g, f, COUNT * DIMENSIONS);
    compare("uniform", uniform, f, 0);
    curandSetGeneratorOffset(g, offset);
    curandGenerateUniformDouble(g, d, COUNT * DIMENSIONS);
    compare("uniform double", uniform_double, d, 0);
    curandSetGeneratorOffset(g, offset);
    curandGenerateNormal(g, f, COUNT * DIMENSIONS, 0, 1);
    compare("normal", normal, f, 1e-6);
    curandSetGeneratorOffset(g, offset);
    curandGenerateNormalDouble(g, d, COUNT * DIMENSIONS, 0, 1);
    compare("normal double", normal_double, d, 1e-14);
    curandDestroyGenerator(g);
    cudaFree(directions), cudaFree(words), cudaFree(uniform), cudaFree(normal);
    cudaFree(uniform_double), cudaFree(normal_double);
}

/* A device generator fills memory in its stream's order. */
__global__ void twice(float *x) {
    x[threadIdx.x] *= 2;
}

static void check_device() {
    float *x, from_device[64], expected[64];
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&x, sizeof from_device);
    curandGenerator_t g;
    curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
    curandSetPseudoRandomGeneratorSeed(g, 7);
    curandSetStream(g, stream);
    curandGenerateUniform(g, x, 64);
    twice<<<1, 64, 0, stream>>>(x);
    cudaMemcpyAsync(from_device, x, sizeof from_device, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    curandDestroyGenerator(g);
    curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_DEFAULT);
    curandSetPseudoRandomGeneratorSeed(g, 7);
    curandGenerateUniform(g, expected, 64);
    curandDestroyGenerator(g);
    for (int i = 0; i < 64; i++)
        if (!(std::fabs(from_device[i] - 2 * expected[i]) <= 0)) wrong++;
    cudaFree(x);
    cudaStreamDestroy(stream);
}

int main() {
    curandDirectionVectors32_t *narrow;
    curandDirectionVectors64_t *wide;
    curandGetDirectionVectors32(&narrow, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
    curandGetDirectionVectors64(&wide, CURAND_DIRECTION_VECTORS_64_JOEKUO6);
    check<curandStateSobol32_t, curandDirectionVectors32_t, unsigned>(CURAND_RNG_QUASI_SOBOL32, narrow, 0);
    check<curandStateSobol32_t, curandDirectionVectors32_t, unsigned>(CURAND_RNG_QUASI_SOBOL32, narrow, 1000);
    check<curandStateSobol64_t, curandDirectionVectors64_t, unsigned long long>(CURAND_RNG_QUASI_SOBOL64,
                                                                                wide, 77);
    check_device();
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
