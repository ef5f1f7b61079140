/* salvage.c - what to do with a damaged gradebook: set it aside, and go on with what is whole in it.
 *
 * A copy of the damaged file, filled up with zeros to the size that its header tells, is attached to a new
 * book, and each row of each table is asked for by its number: a row that SQLite cannot reach fails by
 * itself, the others are copied. Then what was copied proves itself: a source by its hash, an attempt by its
 * sum. The seeds and overrides that are missing come from the file beside the book (recovery.h), and the rest
 * is simply graded again.
 */
#include "base/hash.h"

#include "grading/book/recovery.h"
#include "grading/book/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A gradebook while what is whole of it moves to a new one. */
typedef struct Salvage {
    const char *path;
    const char *course;          /* whose book it is when its own row is lost */
    const char *copy, *copy_log; /* what the damaged rows are read from */
    const char *fresh, *ready;   /* the new book while it is filled, and when it is whole */
    Arena *arena;
    Diagnostics *diagnostics;
    Gradebook book;         /* the new one */
    Gradebook damaged;      /* the copy */
    size_t attempts, words; /* results and overrides that were kept */
} Salvage;

static bool fail_at(Salvage *salvage, const char *path) {
    salvage->diagnostics->internal = true;
    return advise(diag_add(salvage->diagnostics, DIAG_ERROR, path, 0, 0,
                           "cannot set the damaged gradebook aside: %s", strerror(errno)),
                  "there must be room for two copies of it beside it; then try again");
}

/* ---- the copy ---- */

static bool copy_bytes(int from, int to) {
    char buffer[1 << 16];
    ssize_t got;
    while ((got = read(from, buffer, sizeof buffer)) > 0)
        if (!text_write(to, buffer, (size_t)got)) return false;
    return got == 0;
}

static bool copy_file(const char *from, const char *to) {
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = -1;
    if (in >= 0) out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool fine = out >= 0 && copy_bytes(in, out);
    int error = errno;
    if (out >= 0) close(out);
    if (in >= 0) close(in);
    errno = error;
    return fine;
}

/* The size that the header tells: bytes 16 and 17 are the size of a page, 28 to 31 the number of pages
 * (sqlite.org/fileformat2.html, 1.3). SQLite reads nothing from a file that is shorter. */
static off_t told_size(int fd) {
    enum { LEAST = 4096, HEAD = 32 };
    static const off_t most = (off_t)1 << 40;
    unsigned char head[HEAD] = {0};
    if (pread(fd, head, sizeof head, 0) < 0) return LEAST;
    off_t page = (off_t)head[16] << 8 | head[17];
    if (page == 1) page = 1 << 16;
    off_t size = page * ((off_t)head[28] << 24 | (off_t)head[29] << 16 | (off_t)head[30] << 8 | head[31]);
    if (size < LEAST || size > most) return LEAST;
    return size;
}

static bool fill_up(const char *path) {
    struct stat facts;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    bool fine = fstat(fd, &facts) == 0; /* not of -1 */
    off_t size = 0;
    if (fine) size = told_size(fd);
    if (fine && facts.st_size < size) fine = ftruncate(fd, size) == 0;
    if (fd >= 0) close(fd);
    return fine;
}

static bool copy_damaged(Salvage *salvage) {
    const char *log = arena_format(salvage->arena, "%s-wal", salvage->path);
    if (log == NULL) return store_no_memory(salvage->diagnostics);
    if (!copy_file(salvage->path, salvage->copy) || !fill_up(salvage->copy))
        return fail_at(salvage, salvage->copy);
    if (!copy_file(log, salvage->copy_log) && errno != ENOENT) return fail_at(salvage, salvage->copy_log);
    return true;
}

/* ---- rows ---- */

/* The number that a query of the damaged book gives; false, without a word, when the damage does not let it.
 */
static bool ask_damaged(Salvage *salvage, const char *sql, int64_t *number) {
    sqlite3_stmt *statement = NULL;
    bool told = sqlite3_prepare_v2(salvage->damaged.database, sql, -1, &statement, NULL) == SQLITE_OK &&
                sqlite3_step(statement) == SQLITE_ROW;
    if (told) *number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return told;
}

/* The row goes over as it is; one that breaks a rule of the table was damaged, and is left. */
static bool copy_row(Salvage *salvage, sqlite3_stmt *from, sqlite3_stmt *to, int64_t number, bool *copied) {
    sqlite3_bind_int64(from, 1, number);
    int code = sqlite3_step(from);
    if (code == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(from); i++)
            sqlite3_bind_value(to, i + 1, sqlite3_column_value(from, i));
        code = sqlite3_step(to);
        sqlite3_reset(to);
        *copied = code == SQLITE_DONE;
    }
    sqlite3_reset(from);
    bool fine = code == SQLITE_DONE || store_is_damage(code) || (code & 0xff) == SQLITE_CONSTRAINT ||
                (code & 0xff) == SQLITE_MISMATCH;
    return fine || store_fail(&salvage->book, salvage->diagnostics);
}

/* "INSERT OR IGNORE INTO table VALUES (?, ?)", with a mark for each column. */
static sqlite3_stmt *prepare_insert(Salvage *salvage, const char *table, int columns) {
    sqlite3_stmt *statement = NULL;
    Text sql = text_new();
    text_format(&sql, "INSERT OR IGNORE INTO %s VALUES (", table);
    for (int i = 0; i < columns; i++)
        text_add(&sql, i == 0 ? "?" : ", ?");
    text_add(&sql, ")");
    if (sql.failed ||
        sqlite3_prepare_v2(salvage->book.database, sql.bytes, -1, &statement, NULL) != SQLITE_OK)
        store_fail(&salvage->book, salvage->diagnostics);
    text_free(&sql);
    return statement;
}

/* Rows are numbered from 1 on without many gaps. LIMIT: when the damage hides a table's end, the table is
 * given up after 1,000 numbers in a row that gave nothing: as many rows as some 25 pages hold. */
static bool copy_rows(Salvage *salvage, sqlite3_stmt *from, sqlite3_stmt *to, int64_t last) {
    enum { PATIENCE = 1000 };
    int64_t nothing = 0;
    for (int64_t number = 1; last >= 0 ? number <= last : nothing < PATIENCE; number++) {
        bool copied = false;
        if (!copy_row(salvage, from, to, number, &copied)) return false;
        if (copied)
            nothing = 0;
        else
            nothing = nothing + 1;
    }
    return true;
}

/* Row by row by number, since a damaged table can often be asked for one row when it cannot be walked
 * through. MOST_ROWS bounds the questions where the largest number is nonsense. */
static bool copy_table(Salvage *salvage, const char *table) {
    enum { MOST_ROWS = 2000000 };
    int64_t last = 0;
    const char *count = arena_format(salvage->arena, "SELECT max(number) FROM %s", table);
    const char *sql = arena_format(salvage->arena, "SELECT * FROM %s WHERE number = ?", table);
    if (count == NULL || sql == NULL) return store_no_memory(salvage->diagnostics);
    if (!ask_damaged(salvage, count, &last) || last > MOST_ROWS) last = -1;
    sqlite3_stmt *from = NULL;
    if (sqlite3_prepare_v2(salvage->damaged.database, sql, -1, &from, NULL) != SQLITE_OK) return true;
    sqlite3_stmt *to = prepare_insert(salvage, table, sqlite3_column_count(from));
    bool fine = to != NULL && copy_rows(salvage, from, to, last);
    sqlite3_finalize(to);
    sqlite3_finalize(from);
    return fine;
}

static bool copy_tables(Salvage *salvage) {
    Query query = query_open(
        &salvage->book, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
        salvage->diagnostics);
    bool fine = true;
    while (fine && query_row(&query)) {
        const char *table = query_get_text(&query, 0, salvage->arena);
        fine = table != NULL && copy_table(salvage, table);
    }
    return query_close(&query) && fine;
}

/* ---- proofs ---- */

/* A source whose bytes no longer have their hash is damage that SQLite does not notice. */
static bool prove_sources(Salvage *salvage) {
    bool fine = true;
    Query query = query_open(&salvage->book, "SELECT number, hash, bytes FROM source", salvage->diagnostics);
    while (fine && query_row(&query)) {
        char hash[HASH_HEX];
        const char *told = (const char *)sqlite3_column_text(query.statement, 1);
        const char *bytes = sqlite3_column_blob(query.statement, 2);
        hash_bytes(text_or(bytes, ""), (size_t)sqlite3_column_bytes(query.statement, 2), hash);
        if (told == NULL || strcmp(told, hash) != 0)
            fine = store_change(&salvage->book, salvage->diagnostics, "DELETE FROM source WHERE number = %ld",
                                query_get_number(&query, 0));
    }
    return query_close(&query) && fine;
}

static bool prove_attempts(Salvage *salvage) {
    bool fine = true;
    Query query = query_open(&salvage->book, "SELECT " ATTEMPT_COLUMNS " FROM attempt", salvage->diagnostics);
    while (fine && query_row(&query)) {
        if (attempt_is_whole(&query)) continue;
        fine = !query.failed &&
               store_change(&salvage->book, salvage->diagnostics, "DELETE FROM attempt WHERE number = %ld",
                            query_get_number(&query, 0));
    }
    return query_close(&query) && fine;
}

/* What refers to a row that did not survive: a file without its source or its grading was not handed in yet;
 * one without its attempt waits; a student's other facts come with the next roster. */
static const char mending[] =
    "INSERT OR IGNORE INTO student (id) SELECT student FROM handed UNION SELECT student FROM "
    "attempt"
    " UNION SELECT student FROM override;"
    "DELETE FROM attempt WHERE source NOT IN (SELECT hash FROM source);"
    "DELETE FROM handed WHERE source NOT IN (SELECT hash FROM source)"
    " OR grading NOT IN (SELECT number FROM grading);"
    "UPDATE handed SET attempt = NULL WHERE attempt NOT IN (SELECT number FROM attempt);";

static bool name_course(Salvage *salvage) {
    return store_change(&salvage->book, salvage->diagnostics,
                        "INSERT OR IGNORE INTO book (number, course, created) VALUES (1, %s, %ld)",
                        salvage->course, time(NULL));
}

static bool fill_new(Salvage *salvage) {
    Gradebook *book = &salvage->book;
    bool fine = store_begin(book, salvage->diagnostics);
    if (!fine) return false;
    fine = store_execute(book, "DELETE FROM book", salvage->diagnostics) && copy_tables(salvage) &&
           name_course(salvage) && prove_sources(salvage) && prove_attempts(salvage) &&
           store_execute(book, mending, salvage->diagnostics);
    return store_end(book, fine, salvage->diagnostics);
}

/* Once the new book has the newest schema, since that is what the file beside it was written for. */
static bool add_recovered(Salvage *salvage, int version) {
    size_t count[RECOVERY_KINDS];
    Gradebook *book = &salvage->book;
    static const char spoken_of[] =
        "INSERT OR IGNORE INTO student (id) SELECT student FROM word WHERE student IS NOT NULL";
    return schema_migrate(book, version, schema_version(), salvage->diagnostics) &&
           store_execute(book, spoken_of, salvage->diagnostics) &&
           recovery_restore(book, salvage->path, count, salvage->diagnostics) &&
           store_count(book, "SELECT count(*) FROM attempt", &salvage->attempts, salvage->diagnostics) &&
           store_count(book, "SELECT count(*) FROM override", &salvage->words, salvage->diagnostics);
}

/* ---- the new book ---- */

/* The damaged book's, so that its rows fit; 0 when not even the list of its tables can be read. */
static int version_of_damaged(Salvage *salvage) {
    int64_t version = 0, tables = 0;
    bool told = ask_damaged(salvage, "PRAGMA user_version", &version) &&
                ask_damaged(salvage, "SELECT count(*) FROM sqlite_schema", &tables);
    if (told && version <= schema_version()) return (int)version;
    return 0;
}

static bool make_new(Salvage *salvage) {
    Diagnostics *diagnostics = salvage->diagnostics;
    salvage->damaged.path = salvage->copy;
    salvage->book.path = salvage->fresh;
    if (!store_connect(&salvage->damaged, salvage->copy, diagnostics)) return false;
    int version = version_of_damaged(salvage);
    int made = version > 0 ? version : schema_version();
    return schema_create(salvage->fresh, salvage->fresh, salvage->course, made, diagnostics) &&
           store_connect(&salvage->book, salvage->fresh, diagnostics) &&
           (version == 0 || fill_new(salvage)) && add_recovered(salvage, made);
}

static void disconnect(Salvage *salvage) {
    store_disconnect(&salvage->book);
    store_disconnect(&salvage->damaged);
}

/* ---- changing places ---- */

static const char *free_name(Salvage *salvage) {
    for (int number = 1;; number++) {
        const char *name = arena_format(salvage->arena, "%s.damaged-%d", salvage->path, number);
        if (name == NULL || access(name, F_OK) != 0) return name;
    }
}

/* The damaged book and its log leave, and the new one comes. */
static bool swap(Salvage *salvage, const char **aside) {
    *aside = free_name(salvage);
    const char *log = arena_format(salvage->arena, "%s-wal", salvage->path);
    const char *memory = arena_format(salvage->arena, "%s-shm", salvage->path);
    const char *log_aside = arena_format(salvage->arena, "%s-wal", *aside != NULL ? *aside : "");
    if (*aside == NULL || log == NULL || memory == NULL || log_aside == NULL)
        return store_no_memory(salvage->diagnostics);
    if (rename(log, log_aside) != 0 && errno != ENOENT) return fail_at(salvage, log_aside);
    unlink(memory);
    if (rename(salvage->path, *aside) != 0 && errno != ENOENT) return fail_at(salvage, *aside);
    return rename(salvage->ready, salvage->path) == 0 || fail_at(salvage, salvage->path);
}

/* The new book has the name `ready` from the moment when it is whole: killed after that, the next start swaps
 * the two (salvage_finish). */
static bool change_places(Salvage *salvage) {
    const char *aside;
    if (rename(salvage->fresh, salvage->ready) != 0) return fail_at(salvage, salvage->ready);
    if (!swap(salvage, &aside)) return false;
    advise(diag_add(salvage->diagnostics, DIAG_WARNING, salvage->path, 0, 0,
                    "the gradebook was damaged; a new one has what was whole (results: %s, overrides: %s)",
                    arena_number(salvage->arena, salvage->attempts),
                    arena_number(salvage->arena, salvage->words)),
           arena_format(salvage->diagnostics->arena,
                        "grade again: only what is missing is done; look through `warpschool gradebook "
                        "--overrides`; the damaged file is now %s",
                        aside));
    return true;
}

bool salvage_finish(const char *path, Diagnostics *diagnostics) {
    struct stat facts;
    const char *aside;
    Salvage salvage = {.path = path,
                       .ready = arena_format(diagnostics->arena, "%s.salvaged", path),
                       .arena = diagnostics->arena,
                       .diagnostics = diagnostics};
    if (salvage.ready == NULL) return store_no_memory(diagnostics);
    return stat(salvage.ready, &facts) != 0 || swap(&salvage, &aside);
}

/* What is whole goes from a copy of the damaged file to a new one, which then takes its place; the damaged
 * one is kept. Up to change_places nothing of the old gradebook is touched. */
bool salvage_book(const char *path, const char *course, Diagnostics *diagnostics) {
    Arena *arena = diagnostics->arena;
    Salvage salvage = {.path = path,
                       .copy = arena_format(arena, "%s.copy", path),
                       .copy_log = arena_format(arena, "%s.copy-wal", path),
                       .fresh = arena_format(arena, "%s.new", path),
                       .ready = arena_format(arena, "%s.salvaged", path),
                       .arena = arena,
                       .diagnostics = diagnostics};
    const char *memory = arena_format(arena, "%s.copy-shm", path);
    LastLine last;
    if (!recovery_last(&last, path, diagnostics)) return false;
    salvage.course = last.course;
    if (salvage.course == NULL) salvage.course = course != NULL ? course : STORE_USUAL_COURSE;
    if (salvage.copy == NULL || salvage.copy_log == NULL || salvage.fresh == NULL || salvage.ready == NULL ||
        memory == NULL)
        return store_no_memory(diagnostics);
    bool fine = copy_damaged(&salvage) && make_new(&salvage);
    disconnect(&salvage);
    fine = fine && change_places(&salvage);
    unlink(salvage.copy);
    unlink(salvage.copy_log);
    unlink(memory);
    if (!fine) unlink(salvage.fresh);
    return fine;
}
