/* manifest.h - lesson.yaml: what a lesson says about itself.
 *
 * `manifest_read` checks every key: an unknown, missing or ill-typed one is an error with file, line and
 * remedy. All memory is in the arena. The format is in docs/manifest.md.
 */
#pragma once

#include "autograder/course/fields.h"

/** What a learner can do after the lesson, and what proves it. */
typedef struct Objective {
    const char *text;
    const char *check; /**< a finding kind, "case: NAME", or "budget: NAME" of a line of the budget */
    int line, column;
} Objective;

#define OBJECTIVE_BUDGET "budget: "

/** The objectives of a lesson, in its own order. */
typedef struct ObjectiveList {
    Objective *items;
    size_t count;
} ObjectiveList;

/** Worked out for each case (settings.h). */
typedef struct Expression {
    const char *text; /**< NULL: not given */
    int line, column;
} Expression;

/** A hint for those whose last check found a mistake of this kind, in the lesson's terms. */
typedef struct HintAbout {
    const char *kind; /**< a finding kind */
    const char *text;
} HintAbout;

/** The lesson's own first hints, by kind of finding. */
typedef struct HintAboutList {
    HintAbout *items;
    size_t count;
} HintAboutList;

/** A line of the budget. */
typedef struct BudgetLine {
    const struct BudgetKind *kind;
    Expression at_most;
    const char *why;  /**< what to say when it is not kept */
    Expression where; /**< the case that is measured; the largest one when not given */
    long points;
    long reference; /**< what the solution needs with seed 0; -1 when the manifest does not say */
    bool required;
} BudgetLine;

/** The lines of a lesson's budget. */
typedef struct BudgetList {
    BudgetLine *items;
    size_t count;
} BudgetList;

/** lesson.yaml as it was read; docs/manifest.md explains each key. */
typedef struct Manifest {
    const char *title, *summary, *starter_fails;
    const char *author; /**< of a lesson that is not the course's own; NULL */
    bool core, must_launch;
    bool clean_cases;   /**< a case with an error in it counts for nothing */
    bool host_finishes; /**< the answer itself is made on the host, from what kernels left */
    bool reads_nothing; /**< kernels make the answer from their parameters alone */
    TextList needs, reserved, hints;
    TextList must_use;       /**< rows of uses.def: what kernels of a right answer have used */
    TextList same_templates; /**< two cases whose kernels must be instances of the same templates; or none */
    ObjectiveList objectives;
    HintAboutList hints_about;
    BudgetList budget; /**< what the largest case may cost */
    const char *card;  /**< what the devices are like, of warpgrind/docs/cards.md; NULL: the usual card */
    long cuda; /**< the toolkit whose names alone the file may use; 0: the old ones too, with a warning */
    Expression devices; /**< that a case's program sees; one when not given */
    Expression ranks;   /**< of MPI that run a case; 0, and when not given: an ordinary program */
    long minutes_read, minutes_do;
    long points_clean;
    long limit_seconds, limit_memory_mib, limit_output_kib;
    long limit_million_steps; /**< warp instructions of one launch, before it counts as a hang */
} Manifest;

bool manifest_read(Manifest *manifest, Arena *arena, const char *path, Diagnostics *diagnostics);
