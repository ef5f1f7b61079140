/* special.h - functions of CUDA's maths library that libm lacks, in double precision.
 *
 * Accurate to a few units in the last place of a double (sinpi, cospi, norm) or about 1e-13 relative (the
 * others). All are pure and total: NaN gives NaN, the domain's ends give the limits that CUDA documents.
 * Source: CUDA Math API, Double Precision Mathematical Functions; Abramowitz and Stegun 7.1, 9.6, 9.7.
 */
#pragma once

double special_sinpi(double x);   /**< sin(pi x) */
double special_cospi(double x);   /**< cos(pi x) */
double special_erfinv(double x);  /**< y with erf(y) = x, -1 <= x <= 1 */
double special_erfcinv(double x); /**< y with erfc(y) = x, 0 <= x <= 2 */
double special_normcdf(double x); /**< the normal distribution's probability of a value below x */
double special_erfcx(double x);   /**< exp(x*x) erfc(x) */
double special_i0(double x);      /**< regular modified cylindrical Bessel function of order 0 */
double special_i1(double x);      /**< of order 1 */
double special_lgamma(double x);  /**< lgamma without its global sign */
double special_norm(double x, double y, double z, double w); /**< Euclidean length, without overflow */
int special_quotient(double x,
                     double y); /**< what remquo stores: low three bits and sign of the rounded x/y */
/** A whole number as long long: too large ones and infinities become the nearest, NaN the least. */
long long special_to_long(double x);
