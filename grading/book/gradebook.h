/* gradebook.h - the gradebook: an SQLite database that alone is enough to grade everything again.
 *
 * What people handed in and what came of it are two things. A row of `handed` says that a grading found a
 * file; a row of `attempt` is the result of judging that file under one key, and is there once however often
 * it is delivered. A grading is: `gradebook_begin_grading` (the seed is on disk before any job starts),
 * `gradebook_hand_in` with all that the intake found, then for each file `gradebook_reuse`, or a job and
 * `gradebook_add_attempt` or `gradebook_add_fault`, and `gradebook_end_grading`. Killed anywhere and begun
 * again, it comes to the same end.
 *
 * One process writes. The log is written ahead (WAL) and each commit waits for the disk (synchronous FULL):
 * what a function has acknowledged survives a power cut. A book that is damaged all the same is set aside,
 * and what is whole in it goes on in a new one. docs/gradebook.md has the tables.
 */
#pragma once

#include "base/diag.h"

#include <json-c/json.h>

typedef struct Gradebook Gradebook;

/** Where commands look for it when --gradebook does not say. */
#define GRADEBOOK_USUAL "gradebook.db"

/** What a command means to do with the gradebook. */
typedef enum GradebookUse {
    GRADEBOOK_READ,   /**< must be there; others may write meanwhile */
    GRADEBOOK_CHANGE, /**< must be there; refused while another process writes */
    GRADEBOOK_WRITE   /**< the same, and it is made when it is not there */
} GradebookUse;

/** Who is in the class. The strings are the caller's; all but id may be NULL. */
typedef struct BookStudent {
    const char *id, *name, *email, *login, *section;
    const char *line; /**< the roster's line as JSON, [["ID", "4711"], ...]; NULL */
    bool listed;      /**< in a roster; else the id is the name of a folder */
} BookStudent;

/** A file that somebody handed in. The strings are the caller's; those that need not be there may be NULL. */
typedef struct BookHanded {
    const char *student;
    const char *lesson; /**< NULL: the name means no lesson; `refused` says so */
    const char *hash;   /**< SHA-256 of the bytes in hexadecimal; NULL when refused */
    const char *bytes;  /**< NULL: the book has the source already */
    size_t length;
    const char *path;      /**< as people know it */
    int64_t time;          /**< Unix seconds; 0 unknown */
    const char *time_from; /**< what the time is taken from; NULL when it is 0 */
    const char *refused, *remedy;
    const char *note;
} BookHanded;

/** Files that were handed in. */
typedef struct BookHandedList {
    BookHanded *items;
    size_t count;
} BookHandedList;

/** What is to be graded, and how. */
typedef struct BookOrder {
    const long *seed;     /**< NULL: the seed of the book's last grading, drawn when there is none */
    bool new_seed;        /**< draw one all the same */
    const char *versions; /**< toolkit and compiler */
    const char *sandbox;  /**< the level reached */
    const char *policy;   /**< the text of course.yaml, for commands that are not told where it is; NULL */
} BookOrder;

/** A grading: what is the same for all that it judges. */
typedef struct BookGrading {
    int64_t id;
    long seed;    /**< secret */
    bool resumed; /**< it was begun before, and not ended */
    const char *versions, *sandbox;
    int64_t started, ended; /**< Unix seconds; ended is 0 while it is not */
} BookGrading;

/** The gradings of a class. */
typedef struct BookGradingList {
    BookGrading *items; /**< the oldest first */
    size_t count;
} BookGradingList;

/** What decides a result: where all of it is the same, so is the result. */
typedef struct BookKey {
    const char *student, *lesson;
    const char *hash; /**< of the source */
    const char
        *revision; /**< of the lesson: hash of its manifest, driver, judge and what all lessons share */
    const char *versions;
    long seed;
} BookKey;

/** An instructor's word; it counts until a later one about the same student and lesson. */
typedef struct BookOverride {
    const char *student, *lesson;
    int64_t points; /**< thousandths of a point of the course; -1 takes an earlier override back */
    const char *reason, *author;
    int64_t at; /**< Unix seconds; set by the book */
} BookOverride;

/** The changes that were made by hand. */
typedef struct BookOverrideList {
    BookOverride *items; /**< the oldest first */
    size_t count;
} BookOverrideList;

/** Whether the file begins as a gradebook does; nothing is opened for long, and nothing said. */
bool gradebook_is_one(const char *path);

/** Opens, and creates or migrates; NULL with one clear line for a newer schema, another course's book, a file
 * that is no gradebook, a network's file system. `course` NULL: whichever it is; a new book is then the
 * course "warpschool". */
Gradebook *gradebook_open(const char *path, const char *course, GradebookUse use, Diagnostics *diagnostics);
/** NULL is fine. */
void gradebook_close(Gradebook *book);
const char *gradebook_path(const Gradebook *book);
/** The course that the book belongs to; in the arena. */
const char *gradebook_course(Gradebook *book, Arena *arena, Diagnostics *diagnostics);
/** The text of the course.yaml that the last grading had; NULL when it had none. */
const char *gradebook_policy(Gradebook *book, Arena *arena, Diagnostics *diagnostics);

/** Writes the grading's row, its seed included. An unfinished grading of the same versions, sandbox and seed
 * is continued. */
bool gradebook_begin_grading(Gradebook *book, const BookOrder *order, BookGrading *grading, Arena *arena,
                             Diagnostics *diagnostics);
/** All is decided, or a person must look: the next `gradebook_begin_grading` begins another. */
bool gradebook_end_grading(Gradebook *book, const BookGrading *grading, Diagnostics *diagnostics);
bool gradebook_read_gradings(Gradebook *book, Arena *arena, BookGradingList *list, Diagnostics *diagnostics);

/** All or nothing: who is in the class, and every file that this grading is about, sources included. Takes
 * the place of what the same grading was told before. */
bool gradebook_hand_in(Gradebook *book, const BookGrading *grading, const BookStudent *students,
                       size_t student_count, const BookHanded *handed, size_t handed_count,
                       Diagnostics *diagnostics);
/** The files whose results count now, without their bytes, for grading them again: the last one of each
 * student and lesson, or with `all` each that was ever handed in. `student` and `lesson` NULL: all of them.
 */
bool gradebook_read_handed(Gradebook *book, Arena *arena, const char *student, const char *lesson, bool all,
                           BookHandedList *list, Diagnostics *diagnostics);
/** Keeps a file's bytes under their hash, once. */
bool gradebook_keep_source(Gradebook *book, const char *hash, const char *bytes, size_t length,
                           Diagnostics *diagnostics);
/** A source by its hash, checked against it. */
bool gradebook_read_source(Gradebook *book, const char *hash, Text *source, Diagnostics *diagnostics);

/** Whether there is a result with this key; the grading's file then has it. False without a diagnostic: there
 * is none. */
bool gradebook_reuse(Gradebook *book, const BookGrading *grading, const BookKey *key,
                     Diagnostics *diagnostics);
/** Whether this source was ever judged by this revision of the lesson, with whatever seed and versions. */
bool gradebook_knows_revision(Gradebook *book, const BookHanded *handed, const char *revision,
                              Diagnostics *diagnostics);
/** The result of a job, warpschool/result/v1 with verdict pass or fail: "error" is no result but a fault. */
bool gradebook_add_attempt(Gradebook *book, const BookGrading *grading, const BookKey *key,
                           struct json_object *result, Diagnostics *diagnostics);
/** The grader's own fault: counts how often, until a result takes its place. */
bool gradebook_add_fault(Gradebook *book, const BookGrading *grading, const BookKey *key, const char *what,
                         const char *remedy, Diagnostics *diagnostics);

/** Adds an instructor's word; the student must be in the book. */
bool gradebook_override(Gradebook *book, const BookOverride *override, Diagnostics *diagnostics);
bool gradebook_read_overrides(Gradebook *book, Arena *arena, BookOverrideList *list,
                              Diagnostics *diagnostics);
