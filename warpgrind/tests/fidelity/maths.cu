// maths.cu - the mathematical functions of device code: the rows of maths.def, each on 40 arguments, special values first. Results
// are printed as bits; compare.py turns their differences into units in the last place.
#include "fidelity.h"

#include <cmath>

static const int POINTS = 40;

// Made on the host, so that both devices are asked the same questions: ten special values, then magnitudes from 2^-12 to 2^12 with
// both signs.
static __constant__ double points[POINTS];
static void make_points()
{
    double table[POINTS] = {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, NAN, 0.5, 2.0, 1e-40};
    for (int i = 10; i < POINTS; i++) {
        double size = ldexp(1.0 + (i * 29 % 64) / 64.0, i * 37 % 24 - 12);
        table[i] = i % 2 ? -size : size;
    }
    NEED(cudaMemcpyToSymbol(points, table, sizeof table));
}
// Argument k of case i: the second one walks through the points in another order.
static __device__ double argument(int i, int k) { return points[(i * (k ? 11 : 1) + k * 7) % POINTS]; }
static __device__ unsigned long long bits_of(double x) { return (unsigned long long)__double_as_longlong(x); }
static __device__ unsigned long long bits_of(float x) { return __float_as_uint(x); }
static __device__ unsigned long long bits_of(int x) { return (unsigned)x; }
static __device__ unsigned long long bits_of(long long x) { return (unsigned long long)x; }

#define PASTE(a, b) a##b
#define JOIN(a, b) PASTE(a, b)
#define KERNEL(call)                                                                                                          \
    __global__ void JOIN(kernel_, __LINE__)(unsigned long long *out)                                                          \
    {                                                                                                                         \
        int i = threadIdx.x;                                                                                                  \
        out[i] = bits_of(call);                                                                                               \
    }
#define F1(name) KERNEL(name((float)argument(i, 0)))
#define F2(name) KERNEL(name((float)argument(i, 0), (float)argument(i, 1)))
#define FI(name) KERNEL(name((float)argument(i, 0), i - 20))
#define IF(name) KERNEL(name(i % 5, (float)argument(i, 0)))
#define D1(name) KERNEL(name(argument(i, 0)))
#define D2(name) KERNEL(name(argument(i, 0), argument(i, 1)))
#define DI(name) KERNEL(name(argument(i, 0), i - 20))
#define ID(name) KERNEL(name(i % 5, argument(i, 0)))
#include "maths.def"
#undef F1
#undef F2
#undef FI
#undef IF
#undef D1
#undef D2
#undef DI
#undef ID

typedef struct Row {
    const char *name;
    char type; // f or d: what the bits mean
    void (*kernel)(unsigned long long *);
} Row;
#define ROW(name, type) {#name, type, JOIN(kernel_, __LINE__)},
#define F1(name) ROW(name, 'f')
#define F2(name) ROW(name, 'f')
#define FI(name) ROW(name, 'f')
#define IF(name) ROW(name, 'f')
#define D1(name) ROW(name, 'd')
#define D2(name) ROW(name, 'd')
#define DI(name) ROW(name, 'd')
#define ID(name) ROW(name, 'd')
static const Row rows[] = {
#include "maths.def"
};

int main()
{
    unsigned long long *d_out, out[POINTS];
    make_points();
    NEED(cudaMalloc(&d_out, sizeof out));
    for (const Row &row : rows) {
        row.kernel<<<1, POINTS>>>(d_out);
        NEED(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
        printf("maths\t%s\t%c", row.name, row.type);
        for (int i = 0; i < POINTS; i++) printf(" %llx", out[i]);
        printf("\n");
    }
    NEED(cudaFree(d_out));
}
