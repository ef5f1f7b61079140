/* runs.c - see runs.h. Greedy: all runs that cannot be longer are gathered, and taken from the longest down;
 * what is then still free is looked at again. */
#include "grading/similarity/runs.h"

#include "base/growable.h"

#include <stdlib.h>
#include <string.h>

/* A pass looks at all pairs of tokens, so what lies further down in a long file is not marked. */
enum { TOKENS_LOOKED_AT = 3000, PASSES = 6, CANDIDATES = 1 << 16 };

typedef struct Candidate {
    size_t at[2], length; /* in tokens */
} Candidate;

/* The search in two programs. */
typedef struct Search {
    const Tokens *programs[2];
    size_t count[2], shortest;
    unsigned char *taken[2]; /* tokens that are in a run already */
    unsigned *lengths;       /* of the runs that end here and in the row above */
    Candidate *candidates;
    size_t found, room;
    SharedRun *runs;
    size_t run_count;
} Search;

static void add_candidate(Search *search, size_t end, size_t other_end, size_t length) {
    Candidate *candidates =
        growable_grow(search->candidates, &search->room, search->found + 1, sizeof *candidates);
    if (candidates == NULL) return;
    search->candidates = candidates;
    candidates[search->found++] = (Candidate){{end + 1 - length, other_end + 1 - length}, length};
}

static bool is_same(const Search *search, size_t i, size_t j) {
    if (i >= search->count[0] || j >= search->count[1] || search->taken[0][i] || search->taken[1][j])
        return false;
    return search->programs[0]->tokens[i].word == search->programs[1]->tokens[j].word;
}

/* All runs that end where the next two tokens differ. A row is done backwards, so that it can take the place
 * of the row above. */
static void gather(Search *search) {
    search->found = 0;
    memset(search->lengths, 0, (search->count[1] + 1) * sizeof *search->lengths);
    for (size_t i = 0; i < search->count[0]; i++) {
        for (size_t j = search->count[1]; j-- > 0;) {
            unsigned length = 0;
            if (is_same(search, i, j)) length = search->lengths[j] + 1;
            search->lengths[j + 1] = length;
            if (length >= search->shortest && search->found < CANDIDATES && !is_same(search, i + 1, j + 1))
                add_candidate(search, i, j, length);
        }
    }
}

static int compare_candidates(const void *left, const void *right) {
    const Candidate *a = left, *b = right;
    if (a->length != b->length) return a->length < b->length ? 1 : -1;
    if (a->at[0] != b->at[0]) return a->at[0] < b->at[0] ? -1 : 1;
    return (a->at[1] > b->at[1]) - (a->at[1] < b->at[1]);
}

static bool is_free(const Search *search, const Candidate *candidate) {
    for (int side = 0; side < 2; side++)
        if (memchr(search->taken[side] + candidate->at[side], 1, candidate->length) != NULL) return false;
    return true;
}

static void take(Search *search, const Candidate *candidate) {
    SharedRun *run = &search->runs[search->run_count++];
    run->tokens = (int)candidate->length;
    for (int side = 0; side < 2; side++) {
        const Token *tokens = search->programs[side]->tokens + candidate->at[side];
        memset(search->taken[side] + candidate->at[side], 1, candidate->length);
        run->lines[side][0] = tokens[0].line;
        run->lines[side][1] = tokens[candidate->length - 1].line;
    }
}

/* Whether this pass has found anything. */
static bool pass(Search *search) {
    size_t before = search->run_count;
    gather(search);
    if (search->found > 1)
        qsort(search->candidates, search->found, sizeof *search->candidates, compare_candidates);
    for (size_t i = 0; i < search->found && search->run_count < RUNS_MOST; i++)
        if (is_free(search, &search->candidates[i])) take(search, &search->candidates[i]);
    return search->run_count > before;
}

/* The longest runs are taken first, in a few passes, so that a token belongs to one run alone. */
SharedRun *runs_find(Arena *arena, const Tokens *first, const Tokens *second, size_t shortest,
                     size_t *count) {
    Search search = {.programs = {first, second}, .shortest = shortest};
    for (int side = 0; side < 2; side++) {
        search.count[side] = search.programs[side]->count;
        if (search.count[side] > TOKENS_LOOKED_AT) search.count[side] = TOKENS_LOOKED_AT;
        search.taken[side] = calloc(search.count[side] + 1, 1);
    }
    search.lengths = calloc(search.count[1] + 1, sizeof *search.lengths);
    search.runs = ARENA_ARRAY(arena, RUNS_MOST, SharedRun);
    if (search.taken[0] != NULL && search.taken[1] != NULL && search.lengths != NULL && search.runs != NULL)
        for (int passes = 0; passes < PASSES && pass(&search); passes++)
            ;
    free(search.taken[0]);
    free(search.taken[1]);
    free(search.lengths);
    free(search.candidates);
    *count = search.run_count;
    return search.runs;
}
