/* store.h - the gradebook's database underneath gradebook.h: one connection, statements, transactions,
 * failures.
 *
 * The files of this folder and of serve/class include it. A Query is a statement on its way: its parameters
 * are bound one after the other, its rows are read, and `query_close` says whether all of that went well. The
 * first failure is reported in one line, with the file and what to do; after it a Query does nothing more, so
 * that callers look once, at the end.
 */
#pragma once

#include "grading/book/gradebook.h"

#include <sqlite3.h>

/** "Warp": what the header of a database says that is a gradebook. */
enum { STORE_APPLICATION = 0x57617270 };
/** The course of a book that was made without rules. */
#define STORE_USUAL_COURSE "warpschool"

/** A condition on `student`: a teacher has removed them, and not restored them since (words.h). */
#define STORE_IS_REMOVED                                                                                     \
    "EXISTS (SELECT 1 FROM word gone WHERE gone.student = student.id AND gone.kind = 'remove'"               \
    " AND NOT EXISTS (SELECT 1 FROM word back WHERE back.student = gone.student AND back.kind = 'restore'"   \
    " AND back.lesson IS NULL AND back.number > gone.number))"

/** A condition on `student`: not removed, and not a folder that was graded under its own name, and that a
 * roster has given to somebody since. Then each of its files is, in a later grading, a listed student's, who
 * did not have it before; an override keeps the name, so that no word of a person is lost. */
#define STORE_IN_CLASS                                                                                       \
    "(NOT " STORE_IS_REMOVED                                                                                 \
    " AND (student.listed OR EXISTS (SELECT 1 FROM override WHERE override.student = student.id)"            \
    " OR NOT EXISTS (SELECT 1 FROM handed WHERE handed.student = student.id)"                                \
    " OR EXISTS (SELECT 1 FROM handed own WHERE own.student = student.id AND NOT EXISTS"                     \
    " (SELECT 1 FROM handed now JOIN student owner ON owner.id = now.student AND owner.listed"               \
    " WHERE now.path = own.path AND now.source IS own.source AND now.grading > own.grading"                  \
    " AND NOT EXISTS (SELECT 1 FROM handed before WHERE before.grading = own.grading"                        \
    " AND before.student = now.student AND before.path = own.path)))))"

/* Of the gradebook, and of a class in a browser (serve/class), which has a database of its own. */
struct Gradebook {
    sqlite3 *database;
    Arena *arena; /* for the path */
    const char *path;
    int lock; /* a descriptor of the file that holds flock's lock of a writer; -1 */
    GradebookUse use;
};

/** A statement with its parameters; after a failure everything on it does nothing, and closing it tells. */
typedef struct Query {
    Gradebook *book;
    sqlite3_stmt *statement; /* NULL after a failure */
    Diagnostics *diagnostics;
    int bound;   /* parameters so far */
    bool failed; /* and reported */
} Query;

Query query_open(Gradebook *book, const char *sql, Diagnostics *diagnostics);
/** The same with values: each %s, %d and %ld is a parameter of the statement, and never a part of its text.
 */
Query query_ask(Gradebook *book, Diagnostics *diagnostics, const char *sql, ...)
    __attribute__((format(printf, 3, 4)));
/** Binds the next parameter. A text is made valid UTF-8, NULL is SQL's NULL; it must live until query_close.
 */
void query_text(Query *query, const char *text);
void query_number(Query *query, int64_t number);
void query_blob(Query *query, const char *bytes, size_t length);
/** The next row; false after the last one, and after a failure. */
bool query_row(Query *query);
int64_t query_get_number(const Query *query, int column);
/** A copy in the arena; NULL for SQL's NULL. A failure when there is no memory. */
const char *query_get_text(Query *query, int column, Arena *arena);
/** Whether all went well. */
bool query_close(Query *query);
/** Runs a statement that has no rows to read, and closes it. */
bool query_run(Query *query);
/** A statement as for query_ask that has no rows to read. */
bool store_change(Gradebook *book, Diagnostics *diagnostics, const char *sql, ...)
    __attribute__((format(printf, 3, 4)));
/** A question as for query_ask: the first column of its first row; 0 or NULL where there is none. */
int64_t store_number(Gradebook *book, Diagnostics *diagnostics, const char *sql, ...)
    __attribute__((format(printf, 3, 4)));
const char *store_text(Gradebook *book, Arena *arena, Diagnostics *diagnostics, const char *sql, ...)
    __attribute__((format(printf, 4, 5)));

/** The number that a query gives. Another process may write meanwhile,
 * so what is read afterwards into room for so many has that LIMIT. */
bool store_count(Gradebook *book, const char *sql, size_t *count, Diagnostics *diagnostics);
/** Whether there is a student with this id, removed or not; false with a diagnostic. */
bool store_has_student(Gradebook *book, const char *id, Diagnostics *diagnostics);
/** Adds the row of an override inside a transaction; its number. */
bool store_insert_override(Gradebook *book, const BookOverride *override, int64_t *number,
                           Diagnostics *diagnostics);
/** Runs statements without parameters. */
bool store_execute(Gradebook *book, const char *sql, Diagnostics *diagnostics);
/** A transaction that writes. `store_end` commits when all went well, else takes everything back; whether it
 * is committed. */
bool store_begin(Gradebook *book, Diagnostics *diagnostics);
bool store_end(Gradebook *book, bool fine, Diagnostics *diagnostics);
/** Reports the connection's last failure; always false. */
bool store_fail(const Gradebook *book, Diagnostics *diagnostics);
bool store_is_damage(int code);
/** No memory outside SQLite; always false. */
bool store_no_memory(Diagnostics *diagnostics);

/** The version that the steps of schema.def come to. */
int schema_version(void);
/** Takes the steps after version `from`, up to `to`, each in a transaction. */
bool schema_migrate(Gradebook *book, int from, int to, Diagnostics *diagnostics);
/** Makes an empty book of that version at `path`, where nothing may be. */
bool schema_create(const char *path, const char *shown, const char *course, int version,
                   Diagnostics *diagnostics);
/** Opens a connection to an existing file, and nothing more; false with the failure reported. */
bool store_connect(Gradebook *book, const char *path, Diagnostics *diagnostics);
void store_disconnect(Gradebook *book);

/** Sets the damaged book at `path` aside and puts a new one in its place with all that is whole; says so as a
 * warning. `course` is taken when its own course is among what is lost; NULL: the usual one. */
bool salvage_book(const char *path, const char *course, Diagnostics *diagnostics);
/** Ends a salvage that was interrupted in its last step, if there is one. */
bool salvage_finish(const char *path, Diagnostics *diagnostics);

/** The columns that attempt_is_whole looks at, in its order. */
#define ATTEMPT_COLUMNS                                                                                      \
    "number, student, lesson, source, revision, versions, seed, result, sum, score, max_score"
/** Whether the row of a query for ATTEMPT_COLUMNS is what was written. */
bool attempt_is_whole(const Query *query);
/** The column `sum` of an attempt: a hash of its key, its points and its result. Empty without memory. */
void attempt_sum(const BookKey *key, int64_t score, int64_t max_score, const char *result, char *sum);
