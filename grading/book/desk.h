/* desk.h - what a command about grades needs before it starts: the course, its rules, the book, the class.
 *
 * Rules come from --course FILE; else from `course.yaml` beside the gradebook; else from what the last
 * grading left in the book. So everything after `grade` can be asked without naming them again.
 */
#pragma once

#include "autograder/commands/commands.h"
#include "grading/book/class.h"

/** What most commands of a teacher start from: gradebook, rules, course. */
typedef struct Desk {
    const char *gradebook; /**< --gradebook; NULL: GRADEBOOK_USUAL */
    const char *rules;     /**< --course; NULL */
    Course course;
    Policy policy;
    Gradebook *book;
    Class class; /**< after desk_read_class */
    bool named;  /**< it was read by names */
} Desk;

/** The two options, for a command's table. */
#define DESK_OPTIONS(desk)                                                                                   \
    {OPTION_STRING, 0, "gradebook", "FILE", "the gradebook (" GRADEBOOK_USUAL ")", &(desk)->gradebook}, {    \
        OPTION_STRING, 0, "course", "FILE", "the course's rules (course.yaml)", &(desk)->rules               \
    }

/** An error of the user's, with what to do; false. */
bool desk_refuse(Session *session, const char *remedy, const char *message);
/** Loads the course and its rules and opens the book; false with diagnostics, whose diag_status is the
 * command's. desk_close afterwards in any
 * case. */
bool desk_open(Desk *desk, Session *session, GradebookUse use);
bool desk_read_class(Desk *desk, Session *session);
/** The same by names, also where grading is anonymous: for what goes out after the release, and for who
 * counts in the class. */
bool desk_read_named(Desk *desk, Session *session);
void desk_close(Desk *desk);
/** The lesson of the class that a person means by "7" or a name; false with a diagnostic. */
bool desk_find_lesson(const Desk *desk, Session *session, const char *query, size_t *lesson);
/** The student with this id, else login or e-mail; in an anonymous class the number alone. False with a
 * diagnostic. */
bool desk_find_student(const Desk *desk, Session *session, const char *query, size_t *student);
/** Reads the class, and finds one grade of it. Of a lesson that is released a student may be named where
 * others still go by numbers: whoever asks about such a grade has read it under a name. False with a
 * diagnostic. */
bool desk_read_grade(Desk *desk, Session *session, const char *student_query, const char *lesson_query,
                     size_t *student, size_t *lesson);
/** Reads the class anew, in the same order. */
bool desk_read_again(Desk *desk, Session *session);
/** Whether a reason was given, and who gives it: `author` NULL becomes whoever is at the keyboard. False with
 * a diagnostic, which begins with `message` when the reason is missing. */
bool desk_check_said(Session *session, const char *reason, const char **author, const char *message);
