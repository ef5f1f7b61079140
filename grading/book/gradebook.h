/* gradebook.h - the gradebook: an SQLite database with a row for each attempt, which alone is enough to grade
 * everything again.
 *
 * One process writes (the collector); the log is written ahead and each commit reaches the disk, so what a
 * function has acknowledged survives a power cut. All additions are idempotent by key: delivery may happen
 * more than once.
 */
#ifndef GRADING_GRADEBOOK_H
#define GRADING_GRADEBOOK_H

#include "base/diag.h"

#include <json-c/json.h>

typedef struct Gradebook Gradebook;

/** Who has handed in; see intake.h. The strings are the caller's. */
typedef struct BookStudent {
    const char *id, *name, *email, *login, *section; /**< all but id may be NULL */
} BookStudent;

/** A grading: what is the same for all of its attempts. */
typedef struct BookGrading {
    int64_t id;
    long seed;            /**< secret */
    const char *versions; /**< toolkit and compiler */
    const char *sandbox;  /**< the level reached */
    int64_t started;      /**< Unix seconds */
} BookGrading;

/** What decides a result: where all of it is the same, the result is. */
typedef struct BookKey {
    const char *student, *lesson;
    const char *hash; /**< of the source, SHA-256 in hexadecimal */
    const char
        *revision; /**< of the lesson: hash of its manifest, driver, judge and what all lessons share */
    const char *versions;
    long seed;
} BookKey;

/** How a file came to be handed in. */
typedef struct BookHanded {
    const char *path;
    int64_t time;
    const char *time_from; /**< NULL when time is 0 */
    const char *refused;   /**< NULL: was graded */
    const char *note;      /**< NULL */
} BookHanded;

/** Opens, creates or migrates; NULL with one clear line for a newer schema, another course's book, a file
 * that is no gradebook. */
Gradebook *gradebook_open(const char *path, const char *course_id, Diagnostics *diagnostics);
void gradebook_close(Gradebook *book);

/** Writes the grading's row, seed included, before any job starts. `seed` NULL: that of the book's latest
 * grading, so that unchanged work keeps its results, or a drawn one when this is the first. An unfinished
 * grading of the same seed, versions and sandbox is continued. */
bool gradebook_begin_grading(Gradebook *book, const long *seed, const char *versions, const char *sandbox,
                             BookGrading *grading, Arena *arena, Diagnostics *diagnostics);
/** Nothing is left to do: the next grading has a row of its own. */
bool gradebook_end_grading(Gradebook *book, const BookGrading *grading, Diagnostics *diagnostics);

bool gradebook_add_student(Gradebook *book, const BookStudent *student, Diagnostics *diagnostics);
/** Keeps a source; nothing happens when it is there. */
bool gradebook_add_source(Gradebook *book, const char *hash, const char *bytes, size_t length,
                          Diagnostics *diagnostics);
/** A file that was handed in and is to be graded; its source is kept already. Nothing happens when it is
 * there. Until an attempt with its hash is added, its grade is waiting. */
bool gradebook_add_handed(Gradebook *book, const char *student, const char *lesson, const char *hash,
                          const BookHanded *handed, Diagnostics *diagnostics);
/** Reads a source that was kept; false with an error when there is none. */
bool gradebook_read_source(Gradebook *book, const char *hash, Text *out, Diagnostics *diagnostics);
/** The strings are valid during the call; false ends the visits. */
typedef bool BookVisit(void *context, const char *student, const char *lesson, const char *hash,
                       const BookHanded *handed);
/** All that was handed in, by student and lesson, of one lesson or one student where these are not NULL: what
 * regrading works from. */
bool gradebook_each_handed(Gradebook *book, const char *student, const char *lesson, BookVisit *visit,
                           void *context, Diagnostics *diagnostics);
/** The result with this key, for the caller to put; NULL when there is none. Decided results only. */
struct json_object *gradebook_find_result(Gradebook *book, const BookKey *key, Diagnostics *diagnostics);
bool gradebook_add_attempt(Gradebook *book, const BookGrading *grading, const BookKey *key,
                           const BookHanded *handed, struct json_object *result, Diagnostics *diagnostics);
/** A file that was not graded, and why (handed->refused). */
bool gradebook_add_refused(Gradebook *book, const BookGrading *grading, const char *student,
                           const char *lesson, const BookHanded *handed, Diagnostics *diagnostics);
/** The grader's own fault: a person must look. A later attempt with the key replaces it. */
bool gradebook_add_fault(Gradebook *book, const BookGrading *grading, const BookKey *key,
                         const BookHanded *handed, const char *what, Diagnostics *diagnostics);
bool gradebook_override(Gradebook *book, const char *student, const char *lesson, double points,
                        const char *reason, const char *author, Diagnostics *diagnostics);

#endif
