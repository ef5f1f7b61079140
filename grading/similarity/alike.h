/* alike.h - which programs of a lesson are alike, without what everybody was given and what many have.
 *
 * Two measures, both a share of the smaller program, in percent, in which each fragment counts the more the
 * fewer programs have it (fragments.h): `structure` does not see names, numbers, comments and layout;
 * `wording` compares just those. Pairs are ranked by how well one explains the other (explain.h); wording
 * only settles what is equal, since it is the first thing that a copy changes. It is a reason to read both,
 * and no more.
 */
#pragma once

#include "grading/intake/intake.h"

/** A program, and everybody who handed in just this one. */
typedef struct Program {
    const char *const *people; /**< printable ids */
    size_t people_count;
    const char *path;  /**< of the first of them, printable */
    const char *bytes; /**< as handed in, any bytes */
    size_t length;
    char *own;         /**< the same with the starter's lines emptied */
    size_t own_length; /**< without white space */
    bool earlier;      /**< of an earlier year, and of nobody in this class */
} Program;

/** Lines that two programs share, from 1, both ends included. */
typedef struct SharedRun {
    int lines[2][2]; /**< [program][first, last] */
    int tokens;
} SharedRun;

/** Two programs and what they share. */
typedef struct Pair {
    size_t programs[2]; /**< the shorter one first */
    double strength;    /**< 0 to 1: the rank */
    int structure, wording;
    unsigned rare;   /**< fragments that hardly anybody else has */
    SharedRun *runs; /**< the longest first */
    size_t run_count;
} Pair;

/** Programs each of which stands out with another one of them: who may have worked together. */
typedef struct Group {
    const size_t *programs; /**< one alone when several handed in the same text */
    size_t count;
    double strength; /**< of its closest pair */
} Group;

/** What a lesson's page shows. */
typedef struct Alike {
    const char *lesson;
    Program *programs;
    size_t count, handed_in;
    size_t unchanged; /**< handed in the starter itself */
    Pair *pairs;      /**< the closest first */
    size_t pair_count;
    size_t alike_pairs; /**< of how many those are the closest */
    double threshold;   /**< from this strength on, a pair stands out in this class */
    size_t standing_out;
    Group *groups; /**< the closest first */
    size_t group_count;
} Alike;

/** Whose programs are compared. */
typedef struct AlikeSources {
    const Intake *class;
    const Intake *earlier; /**< of earlier years: with those of the class, and not with each other; NULL */
} AlikeSources;

/** Compares all programs of a lesson, and shows at most so many pairs. False with an error. */
bool alike_find(Alike *alike, Arena *arena, const Course *course, const AlikeSources *sources,
                const char *lesson, size_t most_pairs, Diagnostics *diagnostics);
/** Everybody who handed in a program of the group: "ann, ben, fay". */
const char *alike_group_people(Arena *arena, const Alike *alike, const Group *group);
/** A page of its own, with everything in it: groups, and pairs side by side, what they share marked. */
void alike_page(const Alike *alike, Arena *arena, Text *out);

/** The groups as a picture of the page's. False without memory. */
bool alike_graph(const Alike *alike, Arena *arena, Text *out);

/* ---- the parts, for tests ---- */

/** The text with each line emptied that is a line of the starter, white space aside; the lines keep their
 * numbers. */
char *alike_discount(Arena *arena, const char *text, size_t length, const char *starter,
                     size_t starter_length);
/** What stands between the code fences of a Markdown text, the rest emptied. */
char *alike_fenced(Arena *arena, const char *markdown);
