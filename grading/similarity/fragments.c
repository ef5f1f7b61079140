/* fragments.c - see fragments.h. All fragments of a class are sorted, so that those who have one stand
 * together; a class of 300 has some 100,000. */
#include "grading/similarity/fragments.h"
#include "base/minmax.h"

#include "base/growable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A class so small that two are half of it says little of what is rare: as if there were so many more
 * programs, which have nothing in common. */
enum { UNSEEN_PROGRAMS = 6, RARE_ONE_IN = 12 };
static const double least_weight = 0.02;

typedef struct Fragment {
    uint64_t hash;
    unsigned owner, piece;
    bool shown; /* at least half of it is on the lesson's page */
} Fragment;

typedef struct Fragments {
    Fragment *items;
    size_t count, room;
    bool failed;
} Fragments;

static int compare_fragments(const void *left, const void *right) {
    const Fragment *a = left, *b = right;
    if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
    if (a->owner != b->owner) return a->owner < b->owner ? -1 : 1;
    return (a->piece > b->piece) - (a->piece < b->piece);
}

static bool is_same(const Fragment *left, const Fragment *right) {
    return left->hash == right->hash && left->owner == right->owner;
}

static uint64_t hash_fragment(const Token *tokens, size_t length) {
    uint64_t hash = 0;
    for (size_t j = 0; j < length; j++)
        hash = (hash ^ tokens[j].word) * 1099511628211u;
    return hash;
}

static void add_fragment(Fragments *fragments, Fragment fragment) {
    Fragment *items = growable_grow(fragments->items, &fragments->room, fragments->count + 1, sizeof *items);
    fragments->failed = fragments->failed || items == NULL;
    if (items == NULL) return;
    fragments->items = items;
    items[fragments->count++] = fragment;
}

/* Each owner once for each fragment, in the first piece that has it. */
static void sort_fragments(Fragments *fragments) {
    size_t kept = 0;
    if (fragments->count == 0) return;
    qsort(fragments->items, fragments->count, sizeof *fragments->items, compare_fragments);
    for (size_t i = 1; i < fragments->count; i++)
        if (!is_same(&fragments->items[kept], &fragments->items[i]))
            fragments->items[++kept] = fragments->items[i];
    fragments->count = kept + 1;
}

/* All fragments of what everybody was given, sorted. */
static void read_given(Fragments *given, const Tokens *tokens, size_t length) {
    for (size_t i = 0; i + length <= tokens->count; i++)
        add_fragment(given, (Fragment){hash_fragment(tokens->tokens + i, length), 0, 0, false});
    sort_fragments(given);
}

/* For each fragment of a program, how many of its tokens are in fragments that were given. */
static void count_given(unsigned char *counts, const Fragments *given, const Tokens *tokens, size_t length) {
    size_t until = 0; /* tokens before this one are given */
    memset(counts, 0, tokens->count);
    for (size_t i = 0; given->count > 0 && i + length <= tokens->count; i++) {
        const Fragment own = {hash_fragment(tokens->tokens + i, length), 0, 0, false};
        if (bsearch(&own, given->items, given->count, sizeof own, compare_fragments) == NULL) continue;
        for (size_t token = MAX(i, until); token < i + length; token++)
            for (size_t start = token + 1 > length ? token + 1 - length : 0; start <= token; start++)
                counts[start]++;
        until = i + length;
    }
}

/* A program's fragments. Where the starter ends and the answer begins, all answers that begin alike share
 * what is between, so half is enough to be the starter's or the page's. */
static void add_program(Fragments *fragments, const Fragments given[2], const Tokens *tokens, size_t length,
                        size_t owner) {
    unsigned char *counts[2] = {calloc(tokens->count + 1, 1), calloc(tokens->count + 1, 1)};
    bool fine = counts[0] != NULL && counts[1] != NULL;
    fragments->failed = fragments->failed || !fine;
    for (int which = 0; fine && which < 2; which++)
        count_given(counts[which], &given[which], tokens, length);
    for (size_t i = 0; fine && i + length <= tokens->count; i++) {
        const int piece = tokens->tokens[i].piece;
        if (2 * counts[0][i] >= length || piece != tokens->tokens[i + length - 1].piece) continue;
        add_fragment(fragments, (Fragment){hash_fragment(tokens->tokens + i, length), (unsigned)owner,
                                           piece < PIECES_MOST ? (unsigned)piece : PIECES_MOST - 1,
                                           2 * counts[1][i] >= length});
    }
    free(counts[0]);
    free(counts[1]);
}

/* What a fragment weighs that `owners` of `count` programs have: how surprising it is that one more has it,
 * so that weights may be added; 1 when two have it. */
static double weigh(size_t owners, size_t count) {
    double all = (double)(count + UNSEEN_PROGRAMS), own = owners > 2 ? (double)owners : 2;
    return log(all / own) / log(all / 2);
}

/* The owners of one fragment; each two of them share it. */
static void take_group(Shares *shares, const Fragment *group, size_t size) {
    bool shown = false;
    for (size_t i = 0; i < size; i++)
        shown = shown || group[i].shown;
    double weight = least_weight;
    if (!shown) weight = weigh(size, shares->count);
    bool rare = !shown && (size <= 2 || size * RARE_ONE_IN <= shares->count);
    for (size_t i = 0; i < size; i++) {
        const size_t place = group[i].owner * PIECES_MOST + group[i].piece;
        shares->all[place] += (float)weight;
        for (size_t j = 0; j < size; j++)
            if (j != i) shares->weight[place * shares->count + group[j].owner] += (float)weight;
        for (size_t j = i + 1; j < size; j++)
            shares->rare[group[i].owner * shares->count + group[j].owner] += rare;
    }
}

static void take_groups(Shares *shares, const Fragments *fragments) {
    for (size_t i = 0, next; i < fragments->count; i = next) {
        for (next = i + 1; next < fragments->count; next++)
            if (fragments->items[next].hash != fragments->items[i].hash) break;
        take_group(shares, &fragments->items[i], next - i);
    }
}

/* The matrix of all pairs. */
bool fragments_compare(Shares *shares, const Tokens *programs, size_t count, const Given *given,
                       size_t length) {
    Fragments fragments = {.failed = false}, shown[2] = {{.failed = false}, {.failed = false}};
    *shares = (Shares){.count = count,
                       .weight = calloc(count * count * PIECES_MOST + 1, sizeof(float)),
                       .all = calloc(count * PIECES_MOST + 1, sizeof(float)),
                       .rare = calloc(count * count + 1, sizeof(unsigned))};
    read_given(&shown[0], &given->starter, length);
    read_given(&shown[1], &given->page, length);
    for (size_t i = 0; i < count; i++)
        add_program(&fragments, shown, &programs[i], length, i);
    bool fine = !fragments.failed && !shown[0].failed && !shown[1].failed && shares->weight != NULL &&
                shares->all != NULL && shares->rare != NULL;
    if (fine) {
        sort_fragments(&fragments);
        take_groups(shares, &fragments);
    }
    free(fragments.items);
    free(shown[0].items);
    free(shown[1].items);
    return fine;
}

void fragments_free(Shares *shares) {
    free(shares->weight);
    free(shares->all);
    free(shares->rare);
    *shares = (Shares){.count = 0};
}

double fragments_of_piece(const Shares *shares, size_t program, size_t piece) {
    return (double)shares->all[program * PIECES_MOST + piece];
}

double fragments_of_piece_in(const Shares *shares, size_t program, size_t piece, size_t other) {
    return (double)shares->weight[(program * PIECES_MOST + piece) * shares->count + other];
}

double fragments_of(const Shares *shares, size_t program) {
    double sum = 0;
    for (size_t piece = 0; piece < PIECES_MOST; piece++)
        sum += fragments_of_piece(shares, program, piece);
    return sum;
}

double fragments_in(const Shares *shares, size_t program, size_t other) {
    double sum = 0;
    for (size_t piece = 0; piece < PIECES_MOST; piece++)
        sum += fragments_of_piece_in(shares, program, piece, other);
    return sum;
}

int fragments_percent(const Shares *shares, size_t first, size_t second) {
    double one = fragments_of(shares, first), other = fragments_of(shares, second);
    double smaller = MIN(one, other);
    if (!(smaller > 0)) return 0;
    return (int)lround(100 * fragments_in(shares, first, second) / smaller);
}
