/* judged.h - what a result was made from, and how two results differ: for regrade requests and explanations.
 */
#pragma once

#include "grading/book/gradebook.h"

/** A result of the book with all that made it. */
typedef struct BookRun {
    BookKey key; /**< in the arena */
    int64_t decided;
    struct json_object *result; /**< the caller puts it; NULL: the row is damaged */
} BookRun;

/** Reads the attempt with this number; false with a diagnostic when it is not there. */
bool judged_read(Gradebook *book, Arena *arena, int64_t attempt, BookRun *run, Diagnostics *diagnostics);
/** The newest attempt of a student's file, whether it was handed in or came with a request; 0: none. */
bool judged_find(Gradebook *book, const char *student, const char *lesson, const char *hash, int64_t *attempt,
                 Diagnostics *diagnostics);

/** Which cases came to another verdict or other points, and of which kinds of findings there are more or
 * fewer, a line each; "both runs came to the same" where none did. */
void judged_compare(struct json_object *before, struct json_object *after, const char *indent, Text *out);

/** The entries of a list of a result; a list that is not there has none. */
size_t judged_length(struct json_object *list);
