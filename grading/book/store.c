/* store.c - statements, transactions and failures of the gradebook's database; see store.h. */
#include "grading/book/store.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

/* ---- failures ---- */

/* What a failure of SQLite means to the person at the terminal. */
typedef struct Failure {
    int code; /* an extended result code, or a primary one for all of its kind */
    const char *message, *remedy;
    bool external; /* mended by whoever gave the command: another name, other rights, a little patience */
} Failure;

#define NO_ROOM "make room, then give the same command again: what was graded is kept, and the rest is done"
/* A quota and a limit on a file's size are no full disk to SQLite, but look the same to people. */
#define CANNOT_WRITE "cannot write the gradebook: the disk is full, or a quota, or it fails"
#define SALVAGE                                                                                              \
    "run `warpschool grade` again: it sets the damaged file aside, keeps what is whole and grades the rest"

static const Failure failures[] = {
    {SQLITE_FULL, "cannot write the gradebook: the disk is full", NO_ROOM, false},
    {SQLITE_IOERR_WRITE, CANNOT_WRITE, NO_ROOM, false},
    {SQLITE_IOERR_FSYNC, CANNOT_WRITE, NO_ROOM, false},
    {SQLITE_IOERR_TRUNCATE, CANNOT_WRITE, NO_ROOM, false},
    {SQLITE_IOERR_SHMSIZE, CANNOT_WRITE, NO_ROOM, false},
    {SQLITE_BUSY, "another program uses the gradebook",
     "wait until it has ended, then give the same command again", true},
    {SQLITE_CORRUPT, "the gradebook is damaged", SALVAGE, false},
    {SQLITE_NOTADB, "the gradebook is damaged", SALVAGE, false},
    {SQLITE_READONLY, "cannot write the gradebook: the file or its folder is read-only",
     "make both writable for you, or name another file with --gradebook", true},
    {SQLITE_PERM, "the file system does not allow access to the gradebook",
     "make the file and its folder readable and writable for you", true},
    {SQLITE_CANTOPEN, "cannot open the gradebook",
     "its folder must exist, and you must be able to write to it: SQLite keeps its log beside the file",
     true},
    {SQLITE_NOMEM, "out of memory", "end other programs, then give the same command again", false},
    {SQLITE_IOERR_NOMEM, "out of memory", "end other programs, then give the same command again", false},
    {SQLITE_TOOBIG, "a text is too large for the gradebook", "the result of one check must stay below 1 GB",
     false},
};

static const Failure *failure_of(int code) {
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++)
        if (failures[i].code == code || failures[i].code == (code & 0xff)) return &failures[i];
    return NULL;
}

/* SQLite's errors in words, with what to do, for those that users can do something about (a full disk, a file
 * without rights); any other is the grader's own fault. */
bool store_fail(const Gradebook *book, Diagnostics *diagnostics) {
    int code = SQLITE_NOMEM;
    if (book->database != NULL) code = sqlite3_extended_errcode(book->database);
    const Failure *failure = failure_of(code);
    diagnostics->internal |= failure == NULL || !failure->external;
    Diagnostic *added;
    if (failure != NULL)
        added = diag_add(diagnostics, DIAG_ERROR, book->path, 0, 0, "%s", failure->message);
    else
        added = diag_add(diagnostics, DIAG_ERROR, book->path, 0, 0, "the gradebook failed: %s",
                         sqlite3_errmsg(book->database));
    if (added == NULL) return false;
    if (failure != NULL)
        added->remedy = failure->remedy;
    else
        added->remedy = "nothing that was graded is lost; give the same command again";
    return false;
}

bool store_is_damage(int code) {
    return (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB;
}

bool store_no_memory(Diagnostics *diagnostics) {
    diagnostics->internal = true;
    diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "out of memory");
    return false;
}

/* ---- the connection ---- */

bool store_connect(Gradebook *book, const char *path, Diagnostics *diagnostics) {
    enum { PATIENCE_MS = 10000 };
    if (sqlite3_open_v2(path, &book->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
        SQLITE_OK)
        return store_fail(book, diagnostics);
    sqlite3_extended_result_codes(book->database, 1);
    sqlite3_busy_timeout(book->database, PATIENCE_MS);
    return true;
}

void store_disconnect(Gradebook *book) {
    sqlite3_close(book->database);
    book->database = NULL;
}

bool store_execute(Gradebook *book, const char *sql, Diagnostics *diagnostics) {
    return sqlite3_exec(book->database, sql, NULL, NULL, NULL) == SQLITE_OK || store_fail(book, diagnostics);
}

bool store_begin(Gradebook *book, Diagnostics *diagnostics) {
    return store_execute(book, "BEGIN IMMEDIATE", diagnostics);
}

bool store_end(Gradebook *book, bool fine, Diagnostics *diagnostics) {
    fine = fine && store_execute(book, "COMMIT", diagnostics);
    /* After some failures SQLite has taken the transaction back by itself. */
    if (!fine && !sqlite3_get_autocommit(book->database))
        sqlite3_exec(book->database, "ROLLBACK", NULL, NULL, NULL);
    return fine;
}

/* ---- statements ---- */

static void fail(Query *query) {
    if (!query->failed) store_fail(query->book, query->diagnostics);
    query->failed = true;
}

/* A text or blob could not be copied: SQLite knows nothing of that. */
static void fail_without_memory(Query *query) {
    if (!query->failed) store_no_memory(query->diagnostics);
    query->failed = true;
}

Query query_open(Gradebook *book, const char *sql, Diagnostics *diagnostics) {
    Query query = {.book = book, .diagnostics = diagnostics};
    if (sqlite3_prepare_v2(book->database, sql, -1, &query.statement, NULL) != SQLITE_OK) fail(&query);
    return query;
}

static void bound(Query *query, int code) {
    if (code != SQLITE_OK) fail(query);
}

/* Texts are made valid UTF-8 on their way in, since JSON and CSV are made of them on their way out. */
void query_text(Query *query, const char *text) {
    query->bound++;
    if (query->failed) return;
    if (text == NULL) {
        bound(query, sqlite3_bind_null(query->statement, query->bound));
        return;
    }
    Text clean = text_new();
    text_add_utf8(&clean, text, strlen(text));
    if (clean.failed)
        fail_without_memory(query);
    else
        bound(query, sqlite3_bind_text64(query->statement, query->bound, clean.bytes, clean.length,
                                         SQLITE_TRANSIENT, SQLITE_UTF8));
    text_free(&clean);
}

void query_number(Query *query, int64_t number) {
    query->bound++;
    if (!query->failed) bound(query, sqlite3_bind_int64(query->statement, query->bound, number));
}

void query_blob(Query *query, const char *bytes, size_t length) {
    query->bound++;
    if (!query->failed)
        bound(query, sqlite3_bind_blob64(query->statement, query->bound, length > 0 ? bytes : "", length,
                                         SQLITE_STATIC));
}

bool query_row(Query *query) {
    if (query->failed) return false;
    int code = sqlite3_step(query->statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE) fail(query);
    return code == SQLITE_ROW;
}

int64_t query_get_number(const Query *query, int column) {
    if (query->failed) return 0;
    return sqlite3_column_int64(query->statement, column);
}

const char *query_get_text(Query *query, int column, Arena *arena) {
    if (query->failed || sqlite3_column_type(query->statement, column) == SQLITE_NULL) return NULL;
    const unsigned char *text = sqlite3_column_text(query->statement, column);
    size_t length = (size_t)sqlite3_column_bytes(query->statement, column);
    const char *copy = NULL;
    if (text != NULL) copy = arena_copy(arena, (const char *)text, length);
    if (copy == NULL) fail_without_memory(query);
    return copy;
}

bool query_close(Query *query) {
    sqlite3_finalize(query->statement);
    query->statement = NULL;
    return !query->failed;
}

bool query_run(Query *query) {
    query_row(query);
    return query_close(query);
}

static Query ask(Gradebook *book, Diagnostics *diagnostics, const char *sql, va_list values) {
    Text marked = text_new();
    for (const char *at = sql; *at != '\0'; at++) {
        text_append(&marked, *at == '%' ? "?" : at, 1);
        if (*at == '%') at += at[1] == 'l' ? strlen("ld") : strlen("d");
    }
    Query query = query_open(book, marked.bytes, diagnostics);
    if (marked.failed) fail_without_memory(&query);
    text_free(&marked);
    for (const char *at = strchr(sql, '%'); at != NULL; at = strchr(at + 1, '%')) {
        if (at[1] == 's')
            query_text(&query, va_arg(values, const char *));
        else if (at[1] == 'd')
            query_number(&query, va_arg(values, int));
        else
            query_number(&query, va_arg(values, long));
    }
    return query;
}

Query query_ask(Gradebook *book, Diagnostics *diagnostics, const char *sql, ...) {
    va_list values;
    va_start(values, sql);
    Query query = ask(book, diagnostics, sql, values);
    va_end(values);
    return query;
}

bool store_change(Gradebook *book, Diagnostics *diagnostics, const char *sql, ...) {
    va_list values;
    va_start(values, sql);
    Query query = ask(book, diagnostics, sql, values);
    va_end(values);
    return query_run(&query);
}

int64_t store_number(Gradebook *book, Diagnostics *diagnostics, const char *sql, ...) {
    va_list values;
    va_start(values, sql);
    Query query = ask(book, diagnostics, sql, values);
    va_end(values);
    int64_t number = 0;
    if (query_row(&query)) number = query_get_number(&query, 0);
    query_close(&query);
    return number;
}

const char *store_text(Gradebook *book, Arena *arena, Diagnostics *diagnostics, const char *sql, ...) {
    va_list values;
    va_start(values, sql);
    Query query = ask(book, diagnostics, sql, values);
    va_end(values);
    const char *text = NULL;
    if (query_row(&query)) text = query_get_text(&query, 0, arena);
    query_close(&query);
    return text;
}

bool store_count(Gradebook *book, const char *sql, size_t *count, Diagnostics *diagnostics) {
    Query query = query_open(book, sql, diagnostics);
    if (query_row(&query))
        *count = (size_t)query_get_number(&query, 0);
    else
        *count = 0;
    return query_close(&query);
}

/* ---- sums ---- */

/* The stored texts are valid UTF-8, so the sum is made from what they are stored as. */
void attempt_sum(const BookKey *key, int64_t score, int64_t max_score, const char *result, char *sum) {
    const char *parts[] = {key->student, key->lesson, key->hash, key->revision, key->versions, result};
    Text all = text_new();
    text_format(&all, "%ld %lld %lld\n", key->seed, (long long)score, (long long)max_score);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        text_add_utf8(&all, parts[i], strlen(parts[i]));
        text_append(&all, "\n", 1);
    }
    *sum = '\0';
    if (!all.failed) hash_bytes(all.bytes, all.length, sum);
    text_free(&all);
}

static const char *column(const Query *query, int number) {
    const char *text = (const char *)sqlite3_column_text(query->statement, number);
    if (text != NULL) return text;
    return "";
}

/* The columns are those of ATTEMPT_COLUMNS, in its order. */
bool attempt_is_whole(const Query *query) {
    char sum[HASH_HEX];
    if (query->failed) return false;
    BookKey key = {.student = column(query, 1),
                   .lesson = column(query, 2),
                   .hash = column(query, 3),
                   .revision = column(query, 4),
                   .versions = column(query, 5),
                   .seed = query_get_number(query, 6)};
    attempt_sum(&key, query_get_number(query, 9), query_get_number(query, 10), column(query, 7), sum);
    return strcmp(sum, column(query, 8)) == 0;
}
