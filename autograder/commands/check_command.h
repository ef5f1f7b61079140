/* check_command.h - a check from a command's order to what is printed: the submission is read, a worker
 * checks it, and its result becomes a report, a picture, and an exit status.
 */
#pragma once

#include "autograder/commands/commands.h"
#include "autograder/course/lessons.h"
#include "base/picture.h"

/** What a check is asked for, by options or by the command that runs it. */
typedef struct CheckOrder {
    const Lesson *lesson;
    const char *path;
    long seed;
    bool json, times;
    bool events; /**< JSON on stdout while it goes on (events.h), the result last; nothing else is printed */
    const char *picture;  /**< the file for it; NULL: none is wanted */
    PictureChoice choice; /**< of what it is to be */
    bool bounded;         /**< with the limits of grading on all its processes together */
    bool own;             /**< the learner's: where the system allows no sandbox, it is checked without one */
    bool only_picture;
    const char **kind;  /**< set to what a hint would be about (coach.h); or NULL */
    bool *drawable;     /**< set when a picture would show what is wrong; or NULL */
    bool grade;         /**< a seed that nobody knows before, and the hidden cases */
    bool reveal;        /**< hidden cases are told in full */
    const char *device; /**< "soft", "cuda" or "both"; NULL: soft */
    const char *format; /**< of grading/out/exports.def; NULL */
} CheckOrder;

/** Checks the file that the order names; the verdict is printed. Exit status. */
int check_command_file(Session *session, const Course *course, const CheckOrder *order);
/** Whether the session's --sandbox is one that there is; false with a diagnostic. */
bool check_command_knows_sandbox(Session *session);
/** The same of a --device; NULL is known. */
bool check_command_knows_device(Session *session, const char *device);
