// Mathematical functions of integers and of mixed arguments: as in <cmath>, an integer counts as a double.
// The integer is 1, where every one of them has a value.
#include <cmath>
#include <cstdio>

template <typename T, typename U> struct Same {
    static constexpr bool value = false;
};
template <typename T> struct Same<T, T> {
    static constexpr bool value = true;
};

#define HOLDS(got, want)                                                                                     \
    {                                                                                                        \
        static_assert(Same<decltype(got), decltype(want)>::value, #got " has another type than " #want);      \
        auto a = (got);                                                                                      \
        auto b = (want);                                                                                     \
        if (!(a == b) && !(a != a && b != b)) wrong |= printf("%s is not %s\n", #got, #want);                \
    }

template <typename T> __host__ __device__ int wrong_answers(T i) {
    int wrong = 0, e = 0;
    HOLDS(acos(i), acos((double)i))
    HOLDS(acosh(i), acosh((double)i))
    HOLDS(asin(i), asin((double)i))
    HOLDS(asinh(i), asinh((double)i))
    HOLDS(atan(i), atan((double)i))
    HOLDS(atanh(i), atanh((double)i))
    HOLDS(cbrt(i), cbrt((double)i))
    HOLDS(cos(i), cos((double)i))
    HOLDS(cosh(i), cosh((double)i))
    HOLDS(erf(i), erf((double)i))
    HOLDS(erfc(i), erfc((double)i))
    HOLDS(exp(i), exp((double)i))
    HOLDS(exp2(i), exp2((double)i))
    HOLDS(expm1(i), expm1((double)i))
    HOLDS(lgamma(i), lgamma((double)i))
    HOLDS(log(i), log((double)i))
    HOLDS(log10(i), log10((double)i))
    HOLDS(log1p(i), log1p((double)i))
    HOLDS(log2(i), log2((double)i))
    HOLDS(logb(i), logb((double)i))
    HOLDS(nearbyint(i), nearbyint((double)i))
    HOLDS(round(i), round((double)i))
    HOLDS(sin(i), sin((double)i))
    HOLDS(sinh(i), sinh((double)i))
    HOLDS(tan(i), tan((double)i))
    HOLDS(tanh(i), tanh((double)i))
    HOLDS(tgamma(i), tgamma((double)i))
    HOLDS(ceil(i), ceil((double)i))
    HOLDS(fabs(i), fabs((double)i))
    HOLDS(floor(i), floor((double)i))
    HOLDS(rint(i), rint((double)i))
    HOLDS(sqrt(i), sqrt((double)i))
    HOLDS(trunc(i), trunc((double)i))
    HOLDS(ilogb(i), ilogb((double)i))
    HOLDS(lrint(i), lrint((double)i))
    HOLDS(lround(i), lround((double)i))
    HOLDS(llrint(i), llrint((double)i))
    HOLDS(llround(i), llround((double)i))
    HOLDS(atan2(i, 2), atan2((double)i, 2.0))
    HOLDS(atan2(i, 0.75f), atan2((double)i, 0.75))
    HOLDS(atan2(0.75f, i), atan2(0.75, (double)i))
    HOLDS(atan2(0.75f, 2.0), atan2(0.75, 2.0))
    HOLDS(fdim(i, 2), fdim((double)i, 2.0))
    HOLDS(fdim(i, 0.75f), fdim((double)i, 0.75))
    HOLDS(fdim(0.75f, i), fdim(0.75, (double)i))
    HOLDS(fdim(0.75f, 2.0), fdim(0.75, 2.0))
    HOLDS(fmod(i, 2), fmod((double)i, 2.0))
    HOLDS(fmod(i, 0.75f), fmod((double)i, 0.75))
    HOLDS(fmod(0.75f, i), fmod(0.75, (double)i))
    HOLDS(fmod(0.75f, 2.0), fmod(0.75, 2.0))
    HOLDS(hypot(i, 2), hypot((double)i, 2.0))
    HOLDS(hypot(i, 0.75f), hypot((double)i, 0.75))
    HOLDS(hypot(0.75f, i), hypot(0.75, (double)i))
    HOLDS(hypot(0.75f, 2.0), hypot(0.75, 2.0))
    HOLDS(nextafter(i, 2), nextafter((double)i, 2.0))
    HOLDS(nextafter(i, 0.75f), nextafter((double)i, 0.75))
    HOLDS(nextafter(0.75f, i), nextafter(0.75, (double)i))
    HOLDS(nextafter(0.75f, 2.0), nextafter(0.75, 2.0))
    HOLDS(pow(i, 2), pow((double)i, 2.0))
    HOLDS(pow(i, 0.75f), pow((double)i, 0.75))
    HOLDS(pow(0.75f, i), pow(0.75, (double)i))
    HOLDS(pow(0.75f, 2.0), pow(0.75, 2.0))
    HOLDS(remainder(i, 2), remainder((double)i, 2.0))
    HOLDS(remainder(i, 0.75f), remainder((double)i, 0.75))
    HOLDS(remainder(0.75f, i), remainder(0.75, (double)i))
    HOLDS(remainder(0.75f, 2.0), remainder(0.75, 2.0))
    HOLDS(copysign(i, 2), copysign((double)i, 2.0))
    HOLDS(copysign(i, 0.75f), copysign((double)i, 0.75))
    HOLDS(copysign(0.75f, i), copysign(0.75, (double)i))
    HOLDS(copysign(0.75f, 2.0), copysign(0.75, 2.0))
    HOLDS(fmax(i, 2), fmax((double)i, 2.0))
    HOLDS(fmax(i, 0.75f), fmax((double)i, 0.75))
    HOLDS(fmax(0.75f, i), fmax(0.75, (double)i))
    HOLDS(fmax(0.75f, 2.0), fmax(0.75, 2.0))
    HOLDS(fmin(i, 2), fmin((double)i, 2.0))
    HOLDS(fmin(i, 0.75f), fmin((double)i, 0.75))
    HOLDS(fmin(0.75f, i), fmin(0.75, (double)i))
    HOLDS(fmin(0.75f, 2.0), fmin(0.75, 2.0))
    HOLDS(fma(i, 2, 0.5f), fma((double)i, 2.0, 0.5))
    HOLDS(ldexp(i, 3), ldexp((double)i, 3))
    HOLDS(scalbn(i, 3), scalbn((double)i, 3))
    HOLDS(scalbln(i, 3), scalbln((double)i, 3))
    HOLDS(frexp(i, &e), frexp((double)i, &e))
    HOLDS(isnan(i), isnan((double)i))
    HOLDS(isinf(i), isinf((double)i))
    HOLDS(isfinite(i), isfinite((double)i))
    HOLDS(signbit(i), signbit((double)i))
    HOLDS(isnormal(i), isnormal((double)i))
    HOLDS(std::acos(i), std::acos((double)i))
    HOLDS(std::acosh(i), std::acosh((double)i))
    HOLDS(std::asin(i), std::asin((double)i))
    HOLDS(std::asinh(i), std::asinh((double)i))
    HOLDS(std::atan(i), std::atan((double)i))
    HOLDS(std::atanh(i), std::atanh((double)i))
    HOLDS(std::cbrt(i), std::cbrt((double)i))
    HOLDS(std::cos(i), std::cos((double)i))
    HOLDS(std::cosh(i), std::cosh((double)i))
    HOLDS(std::erf(i), std::erf((double)i))
    HOLDS(std::erfc(i), std::erfc((double)i))
    HOLDS(std::exp(i), std::exp((double)i))
    HOLDS(std::exp2(i), std::exp2((double)i))
    HOLDS(std::expm1(i), std::expm1((double)i))
    HOLDS(std::lgamma(i), std::lgamma((double)i))
    HOLDS(std::log(i), std::log((double)i))
    HOLDS(std::log10(i), std::log10((double)i))
    HOLDS(std::log1p(i), std::log1p((double)i))
    HOLDS(std::log2(i), std::log2((double)i))
    HOLDS(std::logb(i), std::logb((double)i))
    HOLDS(std::nearbyint(i), std::nearbyint((double)i))
    HOLDS(std::round(i), std::round((double)i))
    HOLDS(std::sin(i), std::sin((double)i))
    HOLDS(std::sinh(i), std::sinh((double)i))
    HOLDS(std::tan(i), std::tan((double)i))
    HOLDS(std::tanh(i), std::tanh((double)i))
    HOLDS(std::tgamma(i), std::tgamma((double)i))
    HOLDS(std::ceil(i), std::ceil((double)i))
    HOLDS(std::fabs(i), std::fabs((double)i))
    HOLDS(std::floor(i), std::floor((double)i))
    HOLDS(std::rint(i), std::rint((double)i))
    HOLDS(std::sqrt(i), std::sqrt((double)i))
    HOLDS(std::trunc(i), std::trunc((double)i))
    HOLDS(std::ilogb(i), std::ilogb((double)i))
    HOLDS(std::lrint(i), std::lrint((double)i))
    HOLDS(std::lround(i), std::lround((double)i))
    HOLDS(std::llrint(i), std::llrint((double)i))
    HOLDS(std::llround(i), std::llround((double)i))
    HOLDS(std::atan2(i, 2), std::atan2((double)i, 2.0))
    HOLDS(std::atan2(i, 0.75f), std::atan2((double)i, 0.75))
    HOLDS(std::atan2(0.75f, i), std::atan2(0.75, (double)i))
    HOLDS(std::atan2(0.75f, 2.0), std::atan2(0.75, 2.0))
    HOLDS(std::fdim(i, 2), std::fdim((double)i, 2.0))
    HOLDS(std::fdim(i, 0.75f), std::fdim((double)i, 0.75))
    HOLDS(std::fdim(0.75f, i), std::fdim(0.75, (double)i))
    HOLDS(std::fdim(0.75f, 2.0), std::fdim(0.75, 2.0))
    HOLDS(std::fmod(i, 2), std::fmod((double)i, 2.0))
    HOLDS(std::fmod(i, 0.75f), std::fmod((double)i, 0.75))
    HOLDS(std::fmod(0.75f, i), std::fmod(0.75, (double)i))
    HOLDS(std::fmod(0.75f, 2.0), std::fmod(0.75, 2.0))
    HOLDS(std::hypot(i, 2), std::hypot((double)i, 2.0))
    HOLDS(std::hypot(i, 0.75f), std::hypot((double)i, 0.75))
    HOLDS(std::hypot(0.75f, i), std::hypot(0.75, (double)i))
    HOLDS(std::hypot(0.75f, 2.0), std::hypot(0.75, 2.0))
    HOLDS(std::nextafter(i, 2), std::nextafter((double)i, 2.0))
    HOLDS(std::nextafter(i, 0.75f), std::nextafter((double)i, 0.75))
    HOLDS(std::nextafter(0.75f, i), std::nextafter(0.75, (double)i))
    HOLDS(std::nextafter(0.75f, 2.0), std::nextafter(0.75, 2.0))
    HOLDS(std::pow(i, 2), std::pow((double)i, 2.0))
    HOLDS(std::pow(i, 0.75f), std::pow((double)i, 0.75))
    HOLDS(std::pow(0.75f, i), std::pow(0.75, (double)i))
    HOLDS(std::pow(0.75f, 2.0), std::pow(0.75, 2.0))
    HOLDS(std::remainder(i, 2), std::remainder((double)i, 2.0))
    HOLDS(std::remainder(i, 0.75f), std::remainder((double)i, 0.75))
    HOLDS(std::remainder(0.75f, i), std::remainder(0.75, (double)i))
    HOLDS(std::remainder(0.75f, 2.0), std::remainder(0.75, 2.0))
    HOLDS(std::copysign(i, 2), std::copysign((double)i, 2.0))
    HOLDS(std::copysign(i, 0.75f), std::copysign((double)i, 0.75))
    HOLDS(std::copysign(0.75f, i), std::copysign(0.75, (double)i))
    HOLDS(std::copysign(0.75f, 2.0), std::copysign(0.75, 2.0))
    HOLDS(std::fmax(i, 2), std::fmax((double)i, 2.0))
    HOLDS(std::fmax(i, 0.75f), std::fmax((double)i, 0.75))
    HOLDS(std::fmax(0.75f, i), std::fmax(0.75, (double)i))
    HOLDS(std::fmax(0.75f, 2.0), std::fmax(0.75, 2.0))
    HOLDS(std::fmin(i, 2), std::fmin((double)i, 2.0))
    HOLDS(std::fmin(i, 0.75f), std::fmin((double)i, 0.75))
    HOLDS(std::fmin(0.75f, i), std::fmin(0.75, (double)i))
    HOLDS(std::fmin(0.75f, 2.0), std::fmin(0.75, 2.0))
    HOLDS(std::fma(i, 2, 0.5f), std::fma((double)i, 2.0, 0.5))
    HOLDS(std::ldexp(i, 3), std::ldexp((double)i, 3))
    HOLDS(std::scalbn(i, 3), std::scalbn((double)i, 3))
    HOLDS(std::scalbln(i, 3), std::scalbln((double)i, 3))
    HOLDS(std::frexp(i, &e), std::frexp((double)i, &e))
    HOLDS(std::isnan(i), std::isnan((double)i))
    HOLDS(std::isinf(i), std::isinf((double)i))
    HOLDS(std::isfinite(i), std::isfinite((double)i))
    HOLDS(std::signbit(i), std::signbit((double)i))
    HOLDS(std::isnormal(i), std::isnormal((double)i))
    return wrong + (e == 12345);
}

__global__ void compute(int *wrong) {
    *wrong = wrong_answers<int>(1) | wrong_answers<unsigned>(1) | wrong_answers<long long>(1) | wrong_answers<char>(1) |
             wrong_answers<unsigned short>(1) | wrong_answers<size_t>(1) | wrong_answers<bool>(true);
}

/* What people write: the rounds of a tree, an angle, a power of two. */
__global__ void typical(double *results, int threads) {
    results[0] = log2(threads);
    results[1] = sin(threadIdx.x);
    results[2] = pow(2, threads);
    results[3] = sqrt(blockDim.x);
    results[4] = exp(-(int)threadIdx.x);
    results[5] = fmax(threads, 1.5f);
    results[6] = ceil(threads / 3);
}

int main() {
    int *d_wrong, wrong = 1;
    double *d_results, results[7];
    cudaMalloc(&d_wrong, sizeof wrong);
    cudaMalloc(&d_results, sizeof results);
    compute<<<1, 1>>>(d_wrong);
    typical<<<1, 1>>>(d_results, 8);
    cudaMemcpy(&wrong, d_wrong, sizeof wrong, cudaMemcpyDeviceToHost);
    cudaMemcpy(results, d_results, sizeof results, cudaMemcpyDeviceToHost);
    cudaFree(d_wrong);
    cudaFree(d_results);
    const double want[7] = {3, 0, 256, 1, 1, 8, 2};
    for (int i = 0; i < 7; i++)
        if (results[i] != want[i]) wrong |= printf("results[%d] is %g and not %g\n", i, results[i], want[i]);
    return wrong != 0;
}
