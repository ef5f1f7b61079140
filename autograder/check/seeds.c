/* seeds.c - one number becomes many; see seeds.h. */
#include "autograder/check/seeds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Seeds seeds_plain(long given) {
    return (Seeds){.given = given};
}

/* A hash of a hash: the number alone is so short that all could be tried. */
Seeds seeds_secret(long given) {
    enum { ROUNDS = 2048 };
    Seeds seeds = {.given = given};
    char number[32];
    snprintf(number, sizeof number, "warpschool %ld", given);
    hash_bytes(number, strlen(number), seeds.secret);
    for (int round = 1; round < ROUNDS; round++)
        hash_bytes(seeds.secret, strlen(seeds.secret), seeds.secret);
    return seeds;
}

/* The first `digits` hexadecimal digits of what the secret gives for these words. */
static uint64_t draw(const Seeds *seeds, const char *what, unsigned index, unsigned schedule, int digits) {
    char words[HASH_HEX + 64], hex[HASH_HEX];
    snprintf(words, sizeof words, "%s %s %u %u", seeds->secret, what, index, schedule);
    hash_bytes(words, strlen(words), hex);
    hex[digits] = '\0';
    return strtoull(hex, NULL, 16);
}

/* The two steps are coprime and far larger than any number of cases, so that no two pairs of case and
 * schedule share a seed. */
uint64_t seeds_of_case(const Seeds *seeds, unsigned index, unsigned schedule) {
    enum { APART_BY_CASE = 1000003, APART_BY_SCHEDULE = 77777777, DIGITS = 16 };
    if (seeds->secret[0] != '\0') return draw(seeds, "case", index, schedule, DIGITS);
    return (uint64_t)seeds->given + (uint64_t)index * APART_BY_CASE + (uint64_t)schedule * APART_BY_SCHEDULE;
}

long seeds_of_order(const Seeds *seeds, unsigned schedule) {
    enum { DIGITS = 12 };
    if (seeds->secret[0] != '\0') return (long)draw(seeds, "order", 0, schedule, DIGITS);
    return seeds->given + (long)schedule;
}
