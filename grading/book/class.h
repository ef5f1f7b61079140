/* class.h - the class as a view of the gradebook: everything that is printed or exported is made from it.
 *
 * The policy has been applied: of several attempts the one that counts, late penalties, weights, overrides.
 * Where `state` is neither DECIDED nor REFUSED and nothing was overridden, there is no number to show:
 * `points` is 0 and means nothing unless the lesson was due.
 */
#pragma once

#include "grading/book/gradebook.h"
#include "grading/book/policy.h"

/** What there is to say of a student and a lesson, before any points. */
typedef enum GradeState {
    GRADE_NOTHING, /**< nothing was handed in */
    GRADE_DECIDED,
    GRADE_REFUSED, /**< handed in, and not gradable: Grade.refused says why */
    GRADE_FAULT,   /**< the grader's own: a person must look */
    GRADE_WAITING, /**< a grading was begun and has not come to it */
    GRADE_EXCUSED, /**< by a teacher: it does not count for this student */
    GRADE_HELD     /**< in what students get: not released yet (exports.c) */
} GradeState;
enum { GRADE_STATES = GRADE_HELD + 1 };

/** What a teacher has said about a grade: a comment, or points for an item of a rubric. */
typedef struct GradeRemark {
    const char *item; /**< NULL: a comment */
    double points;    /**< the item's, also below 0 */
    const char *text, *author;
    const char *question; /**< a student's request, to which `text` is the answer; NULL */
    const char *file;     /**< the hash of the file that came with it; NULL */
    int64_t at;
} GradeRemark;

/** A file that was refused and belongs to no lesson. */
typedef struct ClassUnplaced {
    const char *path, *refused, *remedy; /**< `remedy` may be NULL */
} ClassUnplaced;

/** What a student has for a lesson, with everything that had a part in it. */
typedef struct Grade {
    GradeState state;
    int score, max_score;      /**< as judged */
    double points, max_points; /**< after the policy: late, attempts, weight, override */
    int64_t handed_in, late_seconds;
    const char *time_from;
    double late_penalty;          /**< 0..1 taken off */
    long late_tokens;             /**< late days that the student spends on it */
    int64_t due;                  /**< for this student, in Unix seconds; 0: never late */
    const char *extension_reason; /**< why that is not the lesson's own date; NULL: it is */
    bool overridden;
    double override_points; /**< `points` are these when it is */
    const char *override_reason, *override_author;
    const char *excuse_reason, *excuse_author; /**< GRADE_EXCUSED */
    const GradeRemark *remarks;                /**< the oldest first */
    size_t remark_count;
    double item_points; /**< of the remarks; they are in `points`, unless it was overridden */
    const char *refused, *remedy, *note, *fault;
    const char *path;
    const char *hash;              /**< of the file's bytes, for gradebook_read_source; NULL: refused */
    int attempts;                  /**< different files handed in for this lesson, refused ones not counted */
    const char *dropped_from;      /**< the group in which it is among the lowest, and does not count; NULL */
    const char *parts;             /**< remarks of the lessons that it stands for (assignments.h); NULL */
    int64_t attempt;               /**< the attempt's number in the book; 0: none */
    struct json_object *result;    /**< warpschool/result/v1, borrowed from the Class; NULL */
    const ClassUnplaced *unplaced; /**< GRADE_NOTHING: the student's, one of which may be this lesson's */
    size_t unplaced_count;
} Grade;

/** A lesson as the class's rules have it. */
typedef struct ClassLesson {
    const char *name, *title;
    const PolicyColumns *column; /**< what other systems call it; NULL: its name */
    const PolicyGroup *group;    /**< with which it counts (lesson_groups.h); NULL */
    double weight;               /**< points that it is worth; 0 as well when nobody knows yet */
    int64_t due;                 /**< Unix seconds; 0: never late */
    bool held; /**< its grades are not released yet: no student, and no other system, gets them */
    const char *released_by; /**< NULL: nobody has released them, or need not */
    int64_t released_at;
} ClassLesson;

/** A student as the roster, or else the submission, has it. */
typedef struct ClassStudent {
    const char *id, *name, *email, *login, *section;
    const char *line;              /**< the roster's, as JSON (gradebook.h); NULL */
    const ClassUnplaced *unplaced; /**< what was refused and belongs to no lesson (unplaced.h) */
    size_t unplaced_count;
    const struct ClassStudent
        *named; /**< who goes by a number here, which is `id`; NULL: `id` is the book's */
} ClassStudent;

/** A view of the gradebook by the course's rules: every student and lesson has a grade. */
typedef struct Class {
    const char *course, *title;
    int64_t graded_at;
    long seed;
    const char *sandbox;
    ClassLesson *lessons;
    size_t lesson_count;
    ClassStudent *students;
    size_t student_count;
    const PolicyVolunteer *volunteers; /**< of the leaderboard */
    size_t volunteer_count;
    const char *rules; /**< what messages call the rules; NULL */
    const PolicyGroup *groups;
    size_t group_count;
    long late_tokens;     /**< that each student may spend */
    long secret;          /**< the seed of the book's first grading, for anonymous.h */
    bool anonymous;       /**< students go by numbers, and have no name, address, login or section */
    size_t removed_count; /**< students whom a teacher has removed: they are in no list */
    bool hidden_feedback; /**< Policy.hidden_feedback */
    Grade *grades;        /**< [student * lesson_count + lesson] */
} Class;

/** Reads the whole book, students by id; class_free puts the results, also after a failure. Files for lessons
 * that the policy does not list are not in the view: a warning says so. */
bool class_read(Class *class, Arena *arena, Gradebook *book, const Policy *policy, Diagnostics *diagnostics);
/** The same as it stood at the end of a grading, before any override; without the results themselves. */
bool class_read_after(Class *class, Arena *arena, Gradebook *book, const Policy *policy, int64_t grading,
                      Diagnostics *diagnostics);
/** The student's id in the book, which is not what is shown when the class is anonymous. */
const char *class_key(const ClassStudent *student);
/** What a student of the book is called in this class: the number, when it is anonymous. */
const char *class_shown(const Class *class, const char *key);
/** The request that waits for an answer; NULL. */
const GradeRemark *class_request(const Grade *grade);
/** Whether there is a number that counts: decided, refused (0) or overridden. */
bool class_is_decided(const Grade *grade);
/** Whether it was handed in and has no number yet. */
bool class_is_open(const Grade *grade);
/** How many grades have no number yet: a person must look at them, or they wait for a grading. */
size_t class_count_open(const Class *class);
const Grade *class_grade(const Class *class, size_t student, size_t lesson);
void class_free(Class *class);
