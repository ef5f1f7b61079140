/* xorwow_jumps.c - prints curand_xorwow_jumps.h: how curand_kernel.h jumps along a sequence of XORWOW. `make`
 * runs it.
 *
 * One step of the generator is a linear map A of its 160 bits. With p the characteristic polynomial of A, the
 * map A^n is (x^n mod p)(A): the sum of those A^i whose bit i is set in the polynomial, which takes 160
 * ordinary steps to apply. p comes from 320 bits of output (Berlekamp and Massey), the powers of x from
 * squaring. A jump is made by digits of four bits: the table has x^(digit 16^k) for skipahead, and the same
 * times 2^67, which is how far subsequences are apart.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BITS = 160, WORDS = BITS / 32, SAMPLES = 2 * BITS, DIGITS = 16, VALUES = 15, APART = 67 };

typedef struct Polynomial {
    uint32_t word[WORDS + 1]; /* coefficient of x^i is bit i; degree below 192 */
} Polynomial;

static unsigned bit_of(const Polynomial *p, unsigned i) {
    return p->word[i / 32] >> (i % 32) & 1;
}

/* The xorshift of Marsaglia's xorwow, without its counter. */
static void step(uint32_t v[WORDS]) {
    uint32_t t = v[0] ^ v[0] >> 2;
    memmove(v, v + 1, (WORDS - 1) * sizeof *v);
    v[WORDS - 1] ^= v[WORDS - 1] << 4 ^ t ^ t << 1;
}

/* The shortest recurrence of the samples: connection[j] says whether sample i depends on sample i - j. */
static unsigned recurrence_find(const unsigned char *samples, unsigned char *connection) {
    unsigned char before[SAMPLES + 1] = {1}, saved[SAMPLES + 1];
    unsigned length = 0, since = 1;
    memset(connection, 0, SAMPLES + 1);
    connection[0] = 1;
    for (unsigned i = 0; i < SAMPLES; i++, since++) {
        unsigned difference = samples[i];
        for (unsigned j = 1; j <= length; j++)
            difference ^= connection[j] & samples[i - j];
        if (!difference) continue;
        memcpy(saved, connection, sizeof saved);
        for (unsigned j = 0; j + since <= SAMPLES; j++)
            connection[j + since] ^= before[j];
        if (2 * length > i) continue;
        length = i + 1 - length;
        memcpy(before, saved, sizeof before);
        since = 0;
    }
    return length;
}

/* x^160 = the polynomial that is returned; false when the output has another recurrence. */
static int characteristic_find(Polynomial *p) {
    uint32_t v[WORDS] = {1, 2, 3, 4, 5};
    unsigned char samples[SAMPLES], connection[SAMPLES + 1];
    for (unsigned i = 0; i < SAMPLES; i++, step(v))
        samples[i] = v[0] & 1;
    if (recurrence_find(samples, connection) != BITS) return 0;
    *p = (Polynomial){{0}};
    for (unsigned i = 0; i < BITS; i++)
        p->word[i / 32] |= (uint32_t)connection[BITS - i] << (i % 32);
    return 1;
}

static Polynomial times_x(Polynomial a, const Polynomial *p) {
    for (unsigned i = WORDS; i > 0; i--)
        a.word[i] = a.word[i] << 1 | a.word[i - 1] >> 31;
    a.word[0] <<= 1;
    if (bit_of(&a, BITS))
        for (unsigned i = 0; i < WORDS; i++)
            a.word[i] ^= p->word[i];
    a.word[WORDS] = 0;
    return a;
}

static Polynomial product(const Polynomial *a, const Polynomial *b, const Polynomial *p) {
    Polynomial sum = {{0}};
    for (unsigned i = BITS; i-- > 0;) {
        sum = times_x(sum, p);
        for (unsigned k = 0; bit_of(a, i) && k < WORDS; k++)
            sum.word[k] ^= b->word[k];
    }
    return sum;
}

/* The jumps of one digit after the other, beginning with the jump `one`. */
static void table_print(Polynomial one, const Polynomial *p) {
    printf("    {\n");
    for (unsigned digit = 0; digit < DIGITS; digit++) {
        Polynomial jump = one;
        printf("        {");
        for (unsigned value = 0; value < VALUES; value++, jump = product(&jump, &one, p)) {
            printf("%s{", value ? "\n         " : "");
            for (unsigned i = 0; i < WORDS; i++)
                printf("0x%08xu%s", (unsigned)jump.word[i], i + 1 < WORDS ? ", " : "}");
            printf("%s", value + 1 < VALUES ? "," : "},\n");
        }
        one = jump;
    }
    printf("    },\n");
}

/* Run when the tree is built: prints the header. */
int main(void) {
    Polynomial p, one = {{2}}, apart = {{2}};
    if (!characteristic_find(&p)) return 1;
    for (unsigned i = 0; i < APART; i++)
        apart = product(&apart, &apart, &p);
    printf("/* curand_xorwow_jumps.h - made by xorwow_jumps.c: for skipahead and for skipahead_sequence, for "
           "each digit of four\n"
           " * bits and each of its values but 0, the polynomial of the jump. */\n"
           "static __device__ const unsigned int __warpgrind_xorwow_jumps[2][%d][%d][%d] = {\n",
           DIGITS, VALUES, WORDS);
    table_print(one, &p);
    table_print(apart, &p);
    printf("};\n");
    return fflush(stdout) != 0;
}
