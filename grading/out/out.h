/* out.h - what the formats share: a result as a list of tests, words for grades, and clean values for JSON.
 *
 * Most systems know tests with a name, points and a message. Here the tests of a lesson are its cases, the
 * lines of its budget that give points, and one for having no mistakes, so that their points add up to the
 * score as judged. Texts made here are harmless on a terminal (text_add_visible) and end at their NUL.
 */
#pragma once

#include "grading/out/exports.h"

#include <json-c/json.h>

/** What became of a test. */
typedef enum TestState { TEST_PASSED, TEST_FAILED, TEST_NOT_RUN } TestState;

/** A part of a grade, as other systems want it: something with a name, a state and points. */
typedef struct Test {
    const char *name; /**< unique in its list */
    TestState state;
    int points, max_points;
    const char *message; /**< empty when passed */
    bool hidden;
} Test;

/** The parts of one grade. */
typedef struct TestList {
    Test *items;
    size_t count;
} TestList;

/** The tests of a grade, at least one, also where nothing was judged: then the only one fails and says why.
 * False without memory. */
bool out_tests(TestList *list, Arena *arena, const Grade *grade);

/** Whether every grade of a class is decided (class_is_decided) or nothing was handed in; otherwise adds an
 * error that says which grade is open. */
bool out_all_decided(const ExportJob *job);
/** Points of all lessons of the only student; undecided ones count nothing. */
double out_points(const Class *class);
double out_max_points(const Class *class);
/** "nothing", "pass", "fail", "refused", "fault" or "waiting". */
const char *out_verdict(const Grade *grade);
/** Whether a program was judged, and the compiler had taken it. */
bool out_compiles(const Grade *grade);
/** What became of the points, and why something was not judged, in words for the student; empty when there is
 * nothing to say. */
void out_add_remarks(Text *out, const Grade *grade);
/** Lines about refused files that belong to no lesson: which, why, and what to do; of many only the first
 * few. */
void out_add_unplaced(Text *out, const ClassUnplaced *files, size_t count);
/** The file that was judged, for findings to quote; empty when there is no gradebook that has it. False after
 * adding a diagnostic. */
bool out_read_source(const ExportJob *job, const Grade *grade, Text *source);
/** Feedback on one lesson of the job's only student, as `check` words it. */
void out_add_feedback(Text *out, const ExportJob *job, size_t lesson);

/** "7", "7.5", at most four decimals; never an exponent, a comma or nan. */
void out_number(Text *out, double number);
/** "2026-03-01T12:00:00Z"; nothing for 0. */
void out_time(Text *out, int64_t time);
/** The member as harmless text; "" when absent. */
const char *out_member(Arena *arena, struct json_object *object, const char *key);

/** As out_number writes it. */
void out_put_number(struct json_object *object, const char *key, double number);
/** The document with a newline, and puts it. */
void out_document(Text *out, struct json_object *object);
