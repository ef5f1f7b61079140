/* check.h - one submission against one lesson: what the steps from a file to a Result share.
 *
 * check_run.h has the steps. They run in a process of their own (worker.h), which enters the stage for good.
 */
#pragma once

#include "base/picture.h"
#include "autograder/check/cases.h"
#include "autograder/check/result.h"
#include "autograder/check/seeds.h"
#include "autograder/course/lessons.h"
#include "autograder/sandbox/stage.h"

enum {
    CHECK_SCHEDULES = 2,
    CHECK_MOST_RANKS =
        7 /**< of a case: the nine lanes of each stand in one word of 64 bits (evidence_parts.h) */
};

/** The file that is judged. Its bytes are read once, and compiled, searched and quoted from here. */
typedef struct Submission {
    const char *path; /**< as the student gave it: what findings show */
    const char *name; /**< the file's name inside the sandbox */
    Text source;
} Submission;

/** How a case is run (settings.h). */
typedef struct CaseSettings {
    int64_t devices; /**< virtual devices that its program sees */
    int64_t ranks;   /**< of MPI, each with devices of its own; 0: none */
} CaseSettings;

/** A header of CUB or Thrust that the compiler has read (headers.h). */
typedef struct CheckHeader {
    const char *path;
    const struct CheckHeader *next;
} CheckHeader;

/** One check from its order to its result: what it is given, what its steps leave for those after them, and
 * how it is to be done. */
typedef struct Check {
    Arena *arena;
    const Course *course;
    const Lesson *lesson;
    const Judge *judge;
    const struct WrongAnswer *wrong_answers; /**< all that students may be told of (verdict/suspects.h) */
    const char *suspect;               /**< the name of the cause that all wrong answers agree on; NULL */
    const struct Likenesses *likeness; /**< how all wrong answers are like the right ones; NULL */
    Submission *submission;
    Seeds seeds;
    Stage stage;
    Cgroup compiler; /**< the group of the compiler's processes, when the stage has groups */
    JudgeCase *cases[CHECK_SCHEDULES]; /**< judge->case_count each */
    CaseSettings *settings;            /**< one for each case, once its inputs are made */
    uint64_t driver_begin, driver_end; /**< where the lesson's own code lies in the linked program */
    const CheckHeader *headers;        /**< that the compiler has read; NULL until compiled */
    unsigned unlooked;    /**< runtime calls whose status is dropped, as the compiler sees it; and */
    int unlooked_line;    /**< where the first of them is; 0 */
    const char *function; /**< the student's function that the driver calls; NULL until compiled */
    Result *result;
    Diagnostics *diagnostics; /**< faults of the installation or machine: verdict error */
    bool unlocked;            /**< without a sandbox */
    bool bounded;             /**< its processes are limited together (cgroup.h) */
    bool isolated;            /**< a program of its own for each case, which sees that case alone */
    bool revealed;            /**< the result tells hidden cases in full: for teachers */
    const PictureChoice
        *picture; /**< the result gets such a picture: a program for each case here, too; NULL */
    struct CasePicture *pictures;        /**< those of all runs, the last one first (verdict_picture.h) */
    const Finding *wrong;                /**< the wrong answer of the result; NULL */
    unsigned wrong_schedule, wrong_case; /**< where it was met, and */
    JudgeDecision wrong_decision;        /**< what the judge said of it */
    bool show_times;                     /**< the phases' seconds on stderr */
    bool events;                         /**< what happens is told on stdout while it happens (events.h) */
    double told_until;                   /**< when the last case ended that may be told (child_now) */
} Check;

/** The section that holds the lesson's own code, and nothing else: a submission must have none of that name.
 */
#define CHECK_DRIVER_SECTION "warpschool_driver"

/** The result lists every case, line of the budget and objective from the start, so that a check that ends
 * early shows what was not run. False without memory. */
bool check_name_parts(Check *check);
/** Makes the inputs of all cases for all schedules, and writes them to the stage; false with a diagnostic. */
bool check_prepare_cases(Check *check);
/** Enters the stage for good, or an open one where the check is unlocked; false with a diagnostic. */
bool check_enter_stage(Check *check);
/** The last line of the `end` bytes that a program said, shortened and harmless for a terminal; NULL when
 * there is none. */
const char *check_last_line(Arena *arena, const char *said, size_t end);
/** Whether the call that returns to this address of the program was made by the lesson's own code. */
bool check_is_drivers(const Check *check, uint64_t address);
/** Whether a report's file name means the student's file. */
bool check_is_own_file(const Check *check, const char *file);
/** A finding at a line of the student's file (0: of the whole file) with the words of two texts; NULL without
 * memory.
 */
Finding *check_add(Check *check, FindingKind kind, int line, Said said);
