/* policy.h - a course's rules: course.yaml, what a lesson weighs, when it is due, what lateness costs. */
#ifndef GRADING_POLICY_H
#define GRADING_POLICY_H

#include "autograder/lessons.h"

typedef struct PolicyLesson {
    const char *name, *title;
    double weight;
    int64_t due; /**< Unix seconds; 0: none */
} PolicyLesson;

typedef enum PolicyAttempts { POLICY_BEST, POLICY_LAST } PolicyAttempts;

typedef struct Policy {
    const char *id, *title;
    PolicyLesson *lessons;
    size_t lesson_count;
    int64_t grace_seconds;
    double penalty_per_day; /**< 0..1 of the points */
    int64_t days_at_most;   /**< later than that, nothing counts; 0: no such day */
    PolicyAttempts attempts;
    bool hidden_feedback;
} Policy;

/** Reads course.yaml; `path` NULL: the rules of a course that has none (every lesson weighs 1, nothing is
 * due). Each mistake gets file, line and remedy. */
bool policy_read(Policy *policy, Arena *arena, const Course *course, const char *path,
                 Diagnostics *diagnostics);

#endif
