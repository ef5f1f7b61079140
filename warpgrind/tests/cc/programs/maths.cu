// Mathematical functions under all their names, on both sides: C names, float names, std, overloads, integers.
#include <cassert>
#include <cmath>
#include <cstdio>

template <typename T> __host__ __device__ T both(T x) {
    T sum = sqrt(x) + std::sqrt(x) + sin(x) + std::cos(x) + fabs(-x) + std::abs(-x) + exp(x) + log(x) + pow(x, T(2));
    return sum + fmax(x, T(0.5)) + floor(x) + std::ceil(x) + fma(x, x, x) + hypot(x, x);
}

__host__ __device__ float named(float x) {
    return sqrtf(x) + sinf(x) + cosf(x) + tanf(x) + asinf(x) + acosf(x) + atanf(x) + atan2f(x, 2.0f) + sinhf(x) +
           coshf(x) + tanhf(x) + asinhf(x) + acoshf(x + 1) + atanhf(x) + expf(x) + exp2f(x) + expm1f(x) + logf(x) +
           log2f(x) + log10f(x) + log1pf(x) + powf(x, 3.0f) + cbrtf(x) + fmodf(x, 0.3f) + fminf(x, 0.1f) + fmaxf(x, 0.1f) +
           fdimf(x, 0.1f) + erff(x) + erfcf(x) + lgammaf(x) + tgammaf(x) + roundf(x) + rintf(x) + nearbyintf(x) + truncf(x) +
           ceilf(x) + floorf(x) + copysignf(x, -1.0f) + ldexpf(x, 2) + scalbnf(x, 1) + remainderf(x, 0.3f) + hypotf(x, x) +
           (float)ilogbf(x) + logbf(x) + (float)lrintf(x) + (float)lroundf(x) + nextafterf(x, 1.0f);
}

__host__ __device__ double mixed(float x, double y, int i) {
    double sum = pow(x, 2) + pow(y, i) + std::pow(x, 2) + sqrt(i) + max(i, 3) + min(x, 1.0f) + max(y, 2.0) + abs(-i) + abs(y);
    if (isnan(x) || std::isinf(y) || !isfinite(sum) || signbit(x)) sum = NAN;
    return sum + M_PI + INFINITY * 0;
}

__device__ float only_device(float x) {
    float s, c, whole;
    int exponent, quotient;
    sincosf(x, &s, &c);
    float f = frexpf(x, &exponent) + modff(x, &whole) + remquof(x, 0.3f, &quotient);
    return s + c + f + whole + exponent + quotient + rsqrtf(x) + exp10f(x) + sinpif(x) + cospif(x) + erfinvf(x) + normcdff(x) +
           rcbrtf(x) + norm3df(x, x, x) + __sinf(x) + __cosf(x) + __expf(x) + __logf(x) + __powf(x, x) + __fdividef(x, 3) +
           __fsqrt_rn(x) + __frcp_rn(x) + __fadd_rz(x, x) + __fmul_ru(x, x) + __saturatef(x) + j0f(x) + __int2float_rn(3) +
           (float)__float2int_rd(x) + rsqrt(x);
}

__global__ void compute(float *f, double *d, float x, double y, int i) {
    assert(x > 0);
    f[0] = both(x);
    f[1] = named(x);
    f[2] = only_device(x);
    d[0] = both(y);
    d[1] = mixed(x, y, i);
}

static int near(double got, double want, double tolerance) {
    if (fabs(got - want) <= tolerance * fabs(want)) return 1;
    printf("%.9g instead of %.9g\n", got, want);
    return 0;
}

int main() {
    float *d_f, f[3];
    double *d_d, d[2];
    cudaMalloc(&d_f, sizeof f);
    cudaMalloc(&d_d, sizeof d);
    float x = 0.75f;
    double y = 1.25;
    int i = 3;
    compute<<<1, 1>>>(d_f, d_d, x, y, i);
    cudaMemcpy(f, d_f, sizeof f, cudaMemcpyDeviceToHost);
    cudaMemcpy(d, d_d, sizeof d, cudaMemcpyDeviceToHost);
    int fine = near(f[0], both(x), 1e-5) && near(f[1], named(x), 1e-5) && near(d[0], both(y), 1e-12) &&
               isnan(d[1]) == isnan(mixed(x, y, i));
    cudaFree(d_f);
    cudaFree(d_d);
    return !fine;
}
