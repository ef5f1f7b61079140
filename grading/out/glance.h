/* glance.h - the class at a glance: the first part of the report (report.c), all lessons together. */
#pragma once

#include "grading/out/exports.h"

/** Something that is counted by programs: a kind of finding, or a case of a lesson. */
typedef struct Tally {
    const char *name;
    const char *lesson;          /* NULL: of all of them */
    bool error;                  /* of severity error, somewhere */
    struct json_object *example; /* what was counted first; borrowed from a result */
    size_t programs, passed;
    size_t last; /* the program that was counted last, from 1 */
} Tally;

typedef struct TallyList {
    Arena *arena;
    Tally *items;
    size_t count, room;
    bool failed; /* no memory */
} TallyList;

/** Counts an entry of a program's result, once for each program. */
Tally *tally_add(TallyList *list, struct json_object *entry, const char *name, const char *lesson,
                 size_t program);
/** Errors before notes, then the most common first. */
void tally_sort(TallyList *list);

enum { TENTHS = 11 };
/** Which tenth of the score a judged program has: 0 to 9 %, 10 to 19 %, ..., 100 %. */
size_t glance_tenth(const Grade *grade);

/** Points of each lesson as small bars, how long it took to pass, cases that nobody passes, kinds of findings
 * by count, and who has stopped. False without memory, or when the gradebook fails. */
bool glance_add(Text *out, const ExportJob *job);
