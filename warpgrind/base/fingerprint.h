/* fingerprint.h - a number that stands for a run of 32-bit words, wherever it lies.
 *
 * The device gives one for each copy to the host, and the judge looks for it in the answer: so it knows which
 * part of an answer came from which kernel. A polynomial modulo the prime 2^61 - 1: the fingerprint of any
 * stretch follows from those of two prefixes. It tells accidents apart; it is no signature.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define FINGERPRINT_PRIME ((UINT64_C(1) << 61) - 1)
#define FINGERPRINT_BASE UINT64_C(0x1b873593cc9e2d51)

__extension__ typedef unsigned __int128 FingerprintProduct;

/** A number below 2^125 modulo the prime: 2^61 is 1. */
static inline uint64_t fingerprint_reduce(FingerprintProduct product) {
    uint64_t sum = (uint64_t)(product & FINGERPRINT_PRIME) + (uint64_t)(product >> 61);
    sum = (sum & FINGERPRINT_PRIME) + (sum >> 61);
    if (sum >= FINGERPRINT_PRIME) return sum - FINGERPRINT_PRIME;
    return sum;
}

/** a * b modulo the prime; both below it. */
static inline uint64_t fingerprint_multiply(uint64_t a, uint64_t b) {
    return fingerprint_reduce((FingerprintProduct)a * b);
}

/** The fingerprint of a run and one more word; that of the empty run is 0. */
static inline uint64_t fingerprint_add(uint64_t print, uint32_t word) {
    return fingerprint_reduce((FingerprintProduct)print * FINGERPRINT_BASE + word + 1);
}

/** The same with four more words at once: no product waits for another, and their sum is reduced once. */
static inline uint64_t fingerprint_add_four(uint64_t print, const uint32_t words[4]) {
    static const uint64_t powers[] = {UINT64_C(0x1a97e213ce893671), UINT64_C(0x15a60d572b629318),
                                      UINT64_C(0x191474b0e20f3729), FINGERPRINT_BASE, 1};
    FingerprintProduct sum = (FingerprintProduct)print * powers[0];
    for (int i = 0; i < 4; i++)
        sum += (FingerprintProduct)powers[i + 1] * (words[i] + UINT64_C(1));
    return fingerprint_reduce(sum);
}

/** That of the last words of a run, from the whole run's, from the one before them, and from the base's power
 * of their number. */
static inline uint64_t fingerprint_rest(uint64_t whole, uint64_t before, uint64_t power) {
    uint64_t shifted = fingerprint_multiply(before, power);
    if (whole >= shifted) return whole - shifted;
    return whole + FINGERPRINT_PRIME - shifted;
}
