/* policy.h - a course's rules: course.yaml says what a lesson is worth, when it is due, what lateness costs.
 *
 * Points are whole thousandths everywhere here, so that sums are exact and the same on every machine; only
 * the view (class.h) has them as doubles. docs/gradebook.md has the format and the arithmetic.
 */
#pragma once

#include "autograder/course/fields.h"
#include "autograder/course/lessons.h"

/** A point in the unit that points are counted in. */
enum { POLICY_POINT = 1000 };

/** A late policy. A lateness of up to the grace costs nothing; a longer one costs for each day begun since
 * the file was due. */
typedef struct PolicyLate {
    long grace_minutes;
    long percent_per_day; /**< thousandths of a percent of the points */
    long none_after_days; /**< later than so many days, nothing is left; -1: no such day */
    long tokens;          /**< late days that each student may spend (extensions.h) */
} PolicyLate;

/** What a time on a card is worth (timing.h). */
typedef struct PolicyCard {
    long percent; /**< thousandths of a percent of the points that go by it; 0: there is no such rule */
    long full_at, none_at; /**< thousandths of the solution's time */
} PolicyCard;

/** Systems that have names of their own for assignments. */
typedef enum ColumnSystem {
#define SYSTEM(id, name) COLUMN_##id,
#include "grading/book/systems.def"
#undef SYSTEM
    COLUMN_SYSTEMS
} ColumnSystem;

/** What each system calls an assignment; NULL: nothing of its own. */
typedef struct PolicyColumns {
    const char *of[COLUMN_SYSTEMS];
} PolicyColumns;

/** Lessons that count together (lesson_groups.h). */
typedef struct PolicyGroup {
    const char *name;
    long weight;          /**< thousandths of a point that all of it is worth; -1: the sum of its lessons */
    long drop_lowest;     /**< so many of a student's lessons do not count */
    PolicyColumns column; /**< one assignment for all of it */
    int line;             /**< of the rules */
} PolicyGroup;

/** A lesson's rules. */
typedef struct PolicyLesson {
    const char *name, *title;
    PolicyColumns column;     /**< what other systems call it */
    const char *group_name;   /**< as the rules spell it; NULL */
    const PolicyGroup *group; /**< NULL: it counts by itself */
    int line;                 /**< of the rules */
    long weight; /**< thousandths of a point that the lesson is worth; -1: as many points as its own score has
                  */
    int64_t due; /**< Unix seconds; 0: never late */
    bool timed;  /**< Policy.card is about it */
} PolicyLesson;

/** Another date for somebody. */
typedef struct PolicyExtension {
    const char *student; /**< an id, login or e-mail; NULL */
    const char *section; /**< NULL; both NULL: everybody */
    const char *lesson, *reason;
    int64_t due;
    int line; /**< of the rules */
} PolicyExtension;

/** Somebody who wants to stand in the leaderboard, and under which name. */
typedef struct PolicyVolunteer {
    const char *student; /**< an id, login or e-mail */
    const char *name;
    int line; /**< of the rules */
} PolicyVolunteer;

/** Which of several files counts. */
typedef enum PolicyAttempts { POLICY_LAST, POLICY_BEST } PolicyAttempts;

/** course.yaml as it was read. */
typedef struct Policy {
    const char *id, *title;
    const char *path;      /**< what messages call the rules; NULL when there are none */
    const char *text;      /**< of the file, for BookOrder.policy; NULL when there is none */
    bool listed;           /**< the file lists the lessons: others do not count */
    PolicyLesson *lessons; /**< in the file's order; all of the course when it lists none */
    size_t lesson_count;
    PolicyGroup *groups;
    size_t group_count;
    PolicyLate late;
    PolicyCard card;
    PolicyAttempts attempts;
    PolicyExtension *extensions; /**< in the file's order */
    size_t extension_count;
    PolicyVolunteer *volunteers; /**< of the leaderboard (leaderboard.h) */
    size_t volunteer_count;
    const char **rubric; /**< names of items; NULL: any */
    size_t rubric_count;
    bool released_by_hand; /**< grades go out when a teacher says so, lesson by lesson */
    bool anonymous;        /**< students go by numbers until their grades are released (anonymous.h) */
    bool hidden_feedback;  /**< feedback tells the concept of a hidden case that failed */
} Policy;

/** Reads course.yaml; `path` NULL: the rules of a course that has none (nothing is late, the last attempt
 * counts). Each mistake gets file, line and remedy. */
bool policy_read(Policy *policy, Arena *arena, const Course *course, const char *path,
                 Diagnostics *diagnostics);
/** The same from the text that a gradebook kept (gradebook_policy); `name` is what messages say. `text`
 * NULL: no file. */
bool policy_read_text(Policy *policy, Arena *arena, const Course *course, const char *text, const char *name,
                      Diagnostics *diagnostics);
/** The rules of a lesson; NULL: it does not count. */
const PolicyLesson *policy_lesson(const Policy *policy, const char *name);
/** The lesson that a node names; NULL with a complaint. */
const Lesson *policy_find_lesson(FieldReader *reader, const Course *course, const yaml_node_t *key);
/** A decimal number of the field's range, which is in thousandths as well, to a `long`. */
FieldRead policy_read_decimal;
/** A date, a time and its zone, to an `int64_t`. */
FieldRead policy_read_moment;
/** How many seconds past due, the grace not taken off; 0 when in time, or when either time is unknown. */
int64_t policy_late_seconds(int64_t due, int64_t handed_in);
/** The part that lateness takes off, from 0 to 100,000 thousandths of a percent. */
long policy_penalty(const PolicyLate *late, int64_t late_seconds);
/** score / max_score of the weight, less the penalty, in thousandths of a point, halves rounded up. */
int64_t policy_points(int score, int max_score, int64_t weight, long penalty);
/** "2026-11-20 23:59 +01:00": a date, a time and how far its clock is ahead of UTC; false when it is none. */
bool policy_moment(const char *text, int64_t *moment);
/** A decimal number such as "7.25", exactly, in thousandths; false when it is not one, is negative, or has
 * more than three decimals. */
bool policy_decimal(const char *text, long *thousandths);
