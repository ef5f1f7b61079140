/* compare.c - see compare.h. */
#include "grading/similarity/compare.h"
#include "base/minmax.h"

#include "grading/similarity/explain.h"
#include "grading/similarity/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A pair is listed from this share on. It stands out when it is so many times as far from the middle of the
 * class as the class is wide (the median, and the median distance from it), and never below the least
 * strength. So many fragments that only two have are believed by half. */
enum { LEAST_STRUCTURE = 15, TIMES_AS_FAR = 6, A_CLASS = 8, HALF_BELIEVED = 20, FINE_STEPS = 1000 };
static const double least_strength = 0.5;

/* The comparison of one lesson. */
typedef struct Comparison {
    Alike *alike;
    Arena *arena;
    Tokens *structures, *wordings;
    Shares structure, wording;
    Pair *all; /* each two programs */
    size_t count;
} Comparison;

/* Each program twice: its structure, without names, and its wording. */
static bool read_programs(Comparison *comparison) {
    const Alike *alike = comparison->alike;
    comparison->structures = ARENA_ARRAY(comparison->arena, alike->count + 1, Tokens);
    comparison->wordings = ARENA_ARRAY(comparison->arena, alike->count + 1, Tokens);
    if (comparison->structures == NULL || comparison->wordings == NULL) return false;
    for (size_t i = 0; i < alike->count; i++) {
        const Program *program = &alike->programs[i];
        comparison->structures[i] = tokens_of_structure(comparison->arena, program->bytes, program->length);
        comparison->wordings[i] = tokens_of_wording(comparison->arena, program->bytes, program->length);
        if (comparison->structures[i].tokens == NULL || comparison->wordings[i].tokens == NULL) return false;
    }
    return true;
}

static int compare_pairs(const void *left, const void *right) {
    const Pair *a = left, *b = right;
    long own = lround(a->strength * (double)FINE_STEPS), other = lround(b->strength * (double)FINE_STEPS);
    if (own != other) return own < other ? 1 : -1;
    if (a->wording != b->wording) return a->wording < b->wording ? 1 : -1;
    for (size_t i = 0; i < 2; i++)
        if (a->programs[i] != b->programs[i]) return a->programs[i] < b->programs[i] ? -1 : 1;
    return 0;
}

/* The rank as a number from 0 to 1. */
static double strength_of(double evidence) {
    return evidence / (evidence + (double)HALF_BELIEVED);
}

static void add_pair(Comparison *comparison, size_t i, size_t j, double evidence) {
    const size_t programs = comparison->alike->count;
    comparison->all[comparison->count++] =
        (Pair){.programs = {i, j},
               .strength = strength_of(evidence),
               .structure = fragments_percent(&comparison->structure, i, j),
               .wording = fragments_percent(&comparison->wording, i, j),
               .rare = comparison->structure.rare[i * programs + j]};
}

/* Each two programs, the closest first; but for two of earlier years, which are nobody's business here. */
static bool rank(Comparison *comparison) {
    const Program *both = comparison->alike->programs;
    const size_t programs = comparison->alike->count;
    double *evidence = explain_pairs(&comparison->structure);
    comparison->all = calloc(programs * (programs - 1) / 2 + 1, sizeof(Pair));
    const bool fine = evidence != NULL && comparison->all != NULL;
    for (size_t i = 0; fine && i < programs; i++)
        for (size_t j = i + 1; j < programs; j++)
            if (!both[i].earlier || !both[j].earlier) add_pair(comparison, i, j, evidence[i * programs + j]);
    if (fine) qsort(comparison->all, comparison->count, sizeof(Pair), compare_pairs);
    free(evidence);
    return fine;
}

static int compare_numbers(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* The class's own distribution: most pairs are of people who did not work together, and few of the others do
 * not move a median. */
static bool find_threshold(Comparison *comparison) {
    Alike *alike = comparison->alike;
    size_t count = comparison->count;
    double *far = calloc(count, sizeof *far), middle = comparison->all[count / 2].strength;
    if (far == NULL) return false;
    for (size_t i = 0; i < count; i++) {
        far[i] = comparison->all[i].strength - middle;
        if (far[i] < 0) far[i] = -far[i];
    }
    qsort(far, count, sizeof *far, compare_numbers);
    alike->threshold = middle + (double)TIMES_AS_FAR * far[count / 2];
    if (alike->count < A_CLASS || alike->threshold < least_strength) alike->threshold = least_strength;
    free(far);
    while (alike->standing_out < count && comparison->all[alike->standing_out].strength >= alike->threshold)
        alike->standing_out++;
    return true;
}

/* ---- groups ---- */

static size_t find_root(size_t *roots, size_t program) {
    while (roots[program] != program)
        program = roots[program] = roots[roots[program]];
    return program;
}

/* The programs with this root; NULL when there is nobody to name with another. */
static bool add_group(Comparison *comparison, size_t *roots, size_t root) {
    Alike *alike = comparison->alike;
    size_t *members = ARENA_ARRAY(comparison->arena, alike->count, size_t), count = 0, people = 0, own = 0;
    if (members == NULL) return false;
    for (size_t i = 0; i < alike->count; i++) {
        if (find_root(roots, i) != root) continue;
        members[count++] = i;
        people += alike->programs[i].people_count;
        own += !alike->programs[i].earlier;
    }
    if (people < 2 || own == 0) return true;
    Group group = {.programs = members, .count = count, .strength = 1};
    for (size_t i = 0; count > 1 && i < alike->standing_out; i++) {
        group.strength = comparison->all[i].strength;
        if (find_root(roots, comparison->all[i].programs[0]) == root) break;
    }
    alike->groups[alike->group_count++] = group;
    return true;
}

static int compare_groups(const void *left, const void *right) {
    const Group *a = left, *b = right;
    if (a->strength != b->strength) return a->strength < b->strength ? 1 : -1;
    return (a->programs[0] > b->programs[0]) - (a->programs[0] < b->programs[0]);
}

/* Pairs that stand out and have a program in common are one group. */
static bool find_groups(Comparison *comparison) {
    Alike *alike = comparison->alike;
    size_t *roots = ARENA_ARRAY(comparison->arena, alike->count + 1, size_t);
    alike->groups = ARENA_ARRAY(comparison->arena, alike->count + 1, Group);
    if (roots == NULL || alike->groups == NULL) return false;
    for (size_t i = 0; i < alike->count; i++)
        roots[i] = i;
    for (size_t i = 0; i < alike->standing_out; i++) {
        const Pair *pair = &comparison->all[i];
        roots[find_root(roots, pair->programs[1])] = find_root(roots, pair->programs[0]);
    }
    for (size_t i = 0; i < alike->count; i++)
        if (find_root(roots, i) == i && !add_group(comparison, roots, i)) return false;
    if (alike->group_count > 1) qsort(alike->groups, alike->group_count, sizeof(Group), compare_groups);
    return true;
}

/* Only the pairs that are shown are looked at run by run; what stands out is shown whatever its share. */
static bool keep_closest(Comparison *comparison, size_t most) {
    Alike *alike = comparison->alike;
    while (alike->alike_pairs < comparison->count &&
           comparison->all[alike->alike_pairs].structure >= LEAST_STRUCTURE)
        alike->alike_pairs++;
    alike->pair_count = MIN(alike->alike_pairs, most);
    alike->pairs = ARENA_ARRAY(comparison->arena, alike->pair_count + 1, Pair);
    if (alike->pairs == NULL) return false;
    for (size_t i = 0; i < alike->pair_count; i++) {
        Pair *pair = &alike->pairs[i];
        *pair = comparison->all[i];
        pair->runs = runs_find(comparison->arena, &comparison->structures[pair->programs[0]],
                               &comparison->structures[pair->programs[1]], SHORTEST_RUN, &pair->run_count);
        if (pair->runs == NULL) return false;
    }
    return true;
}

/* The column of calls: shares of both kinds, then the ranking, the threshold and the groups. */
bool compare_programs(Alike *alike, Arena *arena, const GivenTexts *given, size_t most_pairs) {
    Comparison comparison = {.alike = alike, .arena = arena};
    bool fine = read_programs(&comparison) &&
                fragments_compare(&comparison.structure, comparison.structures, alike->count,
                                  &given->structure, STRUCTURE_FRAGMENT) &&
                fragments_compare(&comparison.wording, comparison.wordings, alike->count, &given->wording,
                                  WORDING_FRAGMENT) &&
                rank(&comparison);
    if (fine && comparison.count > 0) fine = find_threshold(&comparison);
    fine = fine && find_groups(&comparison) && keep_closest(&comparison, most_pairs);
    fragments_free(&comparison.structure);
    fragments_free(&comparison.wording);
    free(comparison.all);
    return fine;
}
