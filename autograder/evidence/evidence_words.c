/* evidence_words.c - the words that the two runs may send differently: inputs, and what came back; see
 * evidence_parts.h.
 *
 * Nearly all words that differ are inputs in their own order, so the next pair of words is looked for behind
 * the last one first; only what is not there is looked up among all pairs.
 */
#include "autograder/evidence/evidence_parts.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = sizeof(uint32_t) };

/* Words that may be sent from some point on, as the two programs have them: an input, or what came back. */
struct Run {
    const unsigned char *a, *b;
    size_t bytes, words; /* the last word may be a part of one, as where bytes are sent */
    Run *next;
};

/* Past the end there are zeros. */
static uint32_t word_at(const unsigned char *bytes, size_t length, size_t at) {
    uint32_t value = 0;
    memcpy(&value, bytes + at, length - at < WORD ? length - at : WORD);
    return value;
}

static bool run_has(const Run *run, size_t word, uint32_t a, uint32_t b) {
    return word < run->words && word_at(run->a, run->bytes, word * WORD) == a &&
           word_at(run->b, run->bytes, word * WORD) == b;
}

static size_t slot_of(const Known *known, uint64_t key) {
    uint64_t mixed = key * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(mixed >> 20) & (known->capacity - 1);
}

static void put_pair(Known *known, uint32_t a, uint32_t b) {
    uint64_t key = (uint64_t)a << 32 | b;
    size_t slot = slot_of(known, key);
    while (known->table[slot] != 0 && known->table[slot] != key)
        slot = (slot + 1) & (known->capacity - 1);
    known->table[slot] = key;
}

/* All pairs of words in which the two runs' inputs differ, as an open hash twice as large as there are words.
 * It is made when a pair is first not found at its own place, which for most lessons never happens. */
static void make_table(Known *known) {
    size_t words = 1;
    for (const Run *run = known->runs; run != NULL; run = run->next)
        words += run->words;
    free(known->table);
    for (known->capacity = 64; known->capacity < 2 * words;)
        known->capacity *= 2;
    known->table = calloc(known->capacity, sizeof *known->table);
    known->failed = known->table == NULL;
    for (const Run *run = known->runs; !known->failed && run != NULL; run = run->next)
        for (size_t at = 0; at < run->bytes; at += WORD) {
            const uint32_t a = word_at(run->a, run->bytes, at), b = word_at(run->b, run->bytes, at);
            if (a != b) put_pair(known, a, b);
        }
}

void evidence_add_run(Known *known, Arena *arena, const void *a, const void *b, size_t bytes) {
    Run *run = ARENA_NEW(arena, Run);
    if (run == NULL) {
        known->failed = true;
        return;
    }
    *run = (Run){.a = a, .b = b, .bytes = bytes, .words = (bytes + WORD - 1) / WORD, .next = known->runs};
    known->runs = run;
    free(known->table);
    known->table = NULL;
}

/* Whether a word of the first run may be another one in the second: where an input, or what came back, has
 * that same pair. Data mostly follow each other, so the place behind the last find is looked at first, then
 * the same place of each run, then the table. */
static bool is_known(Known *known, size_t place, uint32_t a, uint32_t b) {
    if (known->at != NULL && run_has(known->at, known->behind, a, b)) {
        known->behind++;
        return true;
    }
    for (const Run *run = known->runs; run != NULL; run = run->next)
        if (run_has(run, place, a, b)) {
            known->at = run;
            known->behind = place + 1;
            return true;
        }
    if (known->table == NULL) make_table(known);
    if (known->failed) return false;
    uint64_t key = (uint64_t)a << 32 | b;
    size_t slot = slot_of(known, key);
    while (known->table[slot] != 0 && known->table[slot] != key)
        slot = (slot + 1) & (known->capacity - 1);
    return known->table[slot] == key;
}

/* A float of the signature that was passed on as a double. */
static bool is_known_double(Known *known, size_t place, const unsigned char *a, const unsigned char *b) {
    double first, second;
    memcpy(&first, a, sizeof first);
    memcpy(&second, b, sizeof second);
    float narrow[2] = {(float)first, (float)second};
    if (!((double)narrow[0] == first && (double)narrow[1] == second)) return false;
    uint32_t words[2];
    memcpy(words, narrow, sizeof words);
    return is_known(known, place, words[0], words[1]);
}

/* A whole input, or all that came back once: what most copies send. */
static bool is_whole_run(const Known *known, const unsigned char *a, const unsigned char *b, uint64_t bytes) {
    for (const Run *run = known->runs; run != NULL; run = run->next)
        if (run->bytes == bytes && memcmp(run->a, a, run->bytes) == 0 && memcmp(run->b, b, run->bytes) == 0)
            return true;
    return false;
}

/* The words of two records of one length. */
bool evidence_may_differ_so(Known *known, const unsigned char *a, const unsigned char *b, uint64_t bytes) {
    if (is_whole_run(known, a, b, bytes)) return true;
    for (uint64_t at = 0; at < bytes; at += WORD) {
        const uint32_t x = word_at(a, (size_t)bytes, (size_t)at), y = word_at(b, (size_t)bytes, (size_t)at);
        if (x == y || is_known(known, (size_t)at / WORD, x, y)) continue;
        size_t pair = (size_t)at & ~(size_t)7;
        if (pair + 8 > bytes || !is_known_double(known, pair / 8, a + pair, b + pair)) return false;
        at = pair + WORD;
    }
    return true;
}

void evidence_add_inputs(Known *known, const Check *check, unsigned case_index) {
    const CaseInput *b = check->cases[1][case_index].files->first;
    for (const CaseInput *a = check->cases[0][case_index].files->first; a != NULL && b != NULL;
         a = a->next, b = b->next)
        if (a->array.count == b->array.count)
            evidence_add_run(known, check->arena, a->array.data, b->array.data,
                             a->array.count * npy_type_bytes(a->array.type));
}
