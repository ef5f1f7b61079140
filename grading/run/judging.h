/* judging.h - one file judged at once, as a grading judges it, beside any grading. */
#pragma once

#include "grading/book/desk.h"

/** A file to be judged. */
typedef struct Judging {
    const Lesson *lesson;
    const char *shown; /**< the file's name as people know it */
    const char *bytes;
    size_t length;
    long seed;
} Judging;

/** The result, which the caller puts; NULL with a diagnostic when the judge could not decide, or the sandbox
 * is less than a grading wants. */
struct json_object *judging_run(const Judging *judging, Session *session, const Course *course);
