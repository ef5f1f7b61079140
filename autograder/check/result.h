/* result.h - one check's outcome, and its form as JSON (docs/result-schema.md).
 *
 * A Result is filled by the check in a process of its own, travels as JSON to the process that shows it, and
 * is what other tools read. All memory is in the check's arena.
 */
#pragma once

#include "base/arena.h"
#include "base/finding.h"
#include "base/say.h"

#include <json-c/json.h>
#include <stdbool.h>

#define RESULT_SCHEMA "warpschool/result/v1"

/** Bytes of JSON that readers take; result_bound keeps a result far below. */
enum { RESULT_LARGEST = 16 << 20 };

/** Something that was found, by the device or by the judge, as students read it. */
typedef struct Finding {
    FindingKind kind;
    FindingSeverity severity;
    const char *file;   /**< the student's own path, or NULL where no line of it is to blame */
    int line, column;   /**< from 1; 0 unknown */
    const char *kernel; /**< NULL when none */
    const char *message, *explanation;
    const char *advice; /**< the name of the text that the explanation is, where the judge said it; NULL */
    int other_line, other_column; /**< the other party; 0 none */
    const char *other_what;       /**< "writes", "waits here"; NULL */
    const char *case_name;        /**< the first case in which it was found; NULL */
    long count;                   /**< how often the device saw it */
    struct Finding *cause;        /**< the finding that this one probably follows from; NULL */
    bool leads;                   /**< a note that is likely to be what an error comes from */
    bool first;                   /**< such a note, in a result with errors: it stands before them */
    bool by_itself;               /**< a wrong answer whose own cause is known */
    bool blind;                   /**< the software GPU could not watch everything: no mistake was seen */
    const char *told_cause;       /**< of a wrong answer: the name of the cause in its message; NULL */
    bool names_mistake;           /**< a wrong answer whose cause is what is written wrongly */
    bool of_each_thread;          /**< a wrong answer, as each thread of a block did what one should do */
    bool only_placed;             /**< a wrong answer of which no more is known than where it was written */
    const char *sort;             /**< of the device's finding: a name for what may be asked of it; NULL */
    bool in_driver;               /**< seen in the lesson's own code, and placed where it came from */
    struct Finding *next;
} Finding;

/** What became of a case; docs/result-schema.md has the words for it. */
typedef enum CaseVerdict {
    CASE_PASS,
    CASE_WRONG,   /**< an answer is there, or should be, and is not right */
    CASE_REFUSED, /**< right, and not made as the lesson asks */
    CASE_CRASH,   /**< the program died by a signal */
    CASE_EXIT,    /**< the program ended itself */
    CASE_TIMEOUT, /**< it was stopped */
    CASE_NOT_RUN
} CaseVerdict;

/** How long the student's function took on a card: host time from its last input to its first answer, of
 * several calls. */
typedef struct CaseTimes {
    double median, least, most; /**< microseconds */
    double bytes;               /**< of the inputs and answers of one call */
} CaseTimes;

/** A case of a result, with its points. */
typedef struct CaseResult {
    const char *name;
    const char *concept; /**< of a hidden case: what it is about; NULL */
    CaseVerdict verdict;
    int points, max_points;
    const char *message;    /**< empty when passed */
    const char *cause;      /**< the name of the mistake that is told of it (judge.h); NULL */
    const CaseTimes *times; /**< on a card; NULL */
    const char *fact; /**< the message without the cause, which another line of the result tells; NULL */
} CaseResult;

/** The card on which the cases ran, and what makes their times longer than they need be. */
typedef struct CardSeen {
    const char *driver; /**< its version; NULL: no card */
    bool busy, shared, throttled;
} CardSeen;

/** A line of the lesson's budget. */
typedef struct BudgetResult {
    const char *what, *title; /**< "barriers"; as learners read it */
    const char *at_most, *why;
    const char *case_name; /**< empty: there is no such case */
    unsigned case_index;
    bool required;
    bool is_measured; /**< the case was right, so it could be */
    int64_t expected, measured;
    int points, max_points;
} BudgetResult;

/** An objective of the lesson. */
typedef struct ObjectiveResult {
    const char *text, *check;
    bool shown; /**< by this run: only of a file that passes */
} ObjectiveResult;

/** Of the whole check. An error says nothing of the submission. */
typedef enum Verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_ERROR } Verdict;

/** The outcome of a check; see above for its way. */
typedef struct Result {
    const char *lesson;
    Verdict verdict;
    int score, max_score;
    const char *device, *sandbox;
    CardSeen card; /**< where `device` is one */
    double seconds;
    long seed; /**< inputs and orders of threads: the same seed repeats the check */
    CaseResult *cases;
    unsigned case_count;
    BudgetResult *budget;
    unsigned budget_count;
    ObjectiveResult *objectives;
    unsigned objective_count;
    Finding *first, *last;
    size_t left_out;     /**< findings that there was no room for */
    const char *problem; /**< verdict error: what is wrong with the installation or the machine; NULL */
    const char *remedy;
    const char
        *picture;       /**< what the threads of a launch did (base/picture.h), when it was asked for; NULL */
    const char *output; /**< what the program printed, shortened; NULL */
} Result;

/** Adds a finding at the end, of the kind's usual severity; NULL without memory. */
Finding *result_add(Result *result, Arena *arena, FindingKind kind);
/** Whether there was a program to run, as far as a result's object tells. */
bool result_has_program(struct json_object *result);
/** The words of two texts become the finding's message and explanation. */
void finding_say(Finding *finding, Arena *arena, Said said);
/** The same of the explanation alone: what there is to do about a finding whose message is known. */
void finding_advise(Finding *finding, Arena *arena, Said said);
/** Whether the device gave the finding this name. */
bool finding_is_sort(const Finding *finding, const char *sort);
/** Keeps the result within a size that every reader takes: the first findings, which are the most important
 * once verdict_conclude has ordered them, each with texts of bounded length. Counts what it leaves out. */
void result_bound(Result *result, Arena *arena);
bool result_has_errors(const Result *result);
/** The word that results have for it: "wrong-answer". */
const char *result_case_verdict(CaseVerdict verdict);
/** The documented object; the caller puts it. NULL without memory. */
struct json_object *result_to_json(const Result *result);
