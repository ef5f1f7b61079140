/* special.c - functions of CUDA's maths library that libm lacks; see special.h. */
#include "gpu/alu/special.h"

#include <float.h>
#include <limits.h>
#include <math.h>

/* x - 2 round(x/2) is exact, so that the argument of sin is small and nothing is lost for large x. */
static double reduced_to_one(double x) {
    return remainder(x, 2.0);
}

double special_sinpi(double x) {
    double r = reduced_to_one(x);
    if (r == 0.0 || fabs(r) == 1.0) return copysign(0.0, x);
    if (fabs(r) > 0.5) r = copysign(1.0, r) - r; /* sin(pi - t) = sin t, and small arguments are exact */
    return sin(M_PI * r);
}

double special_cospi(double x) {
    double r = fabs(reduced_to_one(x));
    if (r == 0.5) return 0.0;
    if (r < 0.25) return cos(M_PI * r);
    return sin(M_PI * (0.5 - r));
}

/* Newton's second order neighbour (Halley) from a start good to a few digits (Winitzki); three steps reach a
 * double. Solves erfc(y) = p for 0 < p <= 1, where erfc keeps its relative accuracy. */
static double erfc_solve(double p) {
    double logarithm = log(p * (2.0 - p)); /* 1 - (1-p)^2 */
    double half = 2.0 / (M_PI * 0.147) + 0.5 * logarithm;
    double y = sqrt(fmax(sqrt(half * half - logarithm / 0.147) - half, 0.0));
    for (int step = 0; step < 4; step++) {
        double slope = -M_2_SQRTPI * exp(-y * y);
        if (slope == 0.0) break;
        double newton = (erfc(y) - p) / slope;
        y -= newton / (1.0 + y * newton);
    }
    return y;
}

double special_erfcinv(double x) {
    if (isnan(x) || x < 0.0 || x > 2.0) return NAN;
    if (x == 0.0) return INFINITY;
    if (x == 2.0) return -INFINITY;
    if (x <= 1.0) return erfc_solve(x);
    return -erfc_solve(2.0 - x);
}

double special_erfinv(double x) {
    if (isnan(x) || fabs(x) > 1.0) return NAN;
    if (fabs(x) == 1.0) return copysign(INFINITY, x);
    if (fabs(x) > 0.5) return copysign(erfc_solve(1.0 - fabs(x)), x);
    double y = x * (sqrt(M_PI) / 2.0);
    for (int step = 0; step < 5; step++) {
        double newton = (erf(y) - x) / (M_2_SQRTPI * exp(-y * y));
        y -= newton / (1.0 + y * newton);
    }
    return y;
}

double special_erfcx(double x) {
    if (x < 5.0) return exp(x * x) * erfc(x);
    /* Continued fraction, A&S 7.1.14, from its tail: converges quickly for x >= 5. */
    double tail = 0.0;
    for (int k = 60; k > 0; k--)
        tail = 0.5 * k / (x + tail);
    return M_2_SQRTPI / 2.0 / (x + tail);
}

/* A&S 9.6.10: the terms are positive, so nothing cancels. */
static double bessel_series(double x, int order) {
    double quarter = 0.25 * x * x, term = order ? 0.5 * x : 1.0, sum = term;
    for (int k = 1; k < 500 && term > sum * (DBL_EPSILON / 4); k++) {
        term *= quarter / ((double)k * (k + order));
        sum += term;
    }
    return sum;
}

/* A&S 9.7.1, up to its smallest term. */
static double bessel_asymptotic(double x, int order) {
    double mu = 4.0 * order * order, term = 1.0, sum = 1.0;
    for (int k = 1; k < 60; k++) {
        double odd = 2.0 * k - 1.0;
        double next = -term * (mu - odd * odd) / (k * 8.0 * x);
        if (fabs(next) > fabs(term) || fabs(next) < DBL_EPSILON / 4) break;
        term = next;
        sum += term;
    }
    /* In two factors: exp(x) alone overflows before the quotient does. */
    double half = exp(0.5 * x);
    return half / sqrt(2.0 * M_PI * x) * half * sum;
}

static double bessel_positive(double x, int order) {
    if (isinf(x)) return INFINITY;
    if (x < 50.0) return bessel_series(x, order);
    return bessel_asymptotic(x, order);
}

double special_i0(double x) {
    if (isnan(x)) return x;
    return bessel_positive(fabs(x), 0);
}

double special_i1(double x) {
    if (isnan(x) || x == 0.0) return x;
    return copysign(bessel_positive(fabs(x), 1), x);
}

double special_lgamma(double x) {
    int sign;
    return lgamma_r(x, &sign);
}

double special_norm(double x, double y, double z, double w) {
    return hypot(hypot(x, y), hypot(z, w));
}

int special_quotient(double x, double y) {
    int quotient = 0;
    (void)remquo(x, y, &quotient);
    return quotient;
}

/* In the tail, 0.5 erfc(-x / sqrt 2) turns half a unit of its argument into hundreds: the argument needs more
 * digits. */
double special_normcdf(double x) {
    const long double root_half = 0.707106781186547524400844362104849039L;
    return (double)(0.5L * erfcl(-(long double)x * root_half));
}

long long special_to_long(double x) {
    if (x != x) return LLONG_MIN;
    if (x >= 0x1p63) return LLONG_MAX;
    if (x < -0x1p63) return LLONG_MIN;
    return (long long)x;
}
