/* recovery.c - lines about rows of a gradebook, and rows from lines; see recovery.h. SQLite makes the JSON
 * and takes it apart, so that a line and its row cannot disagree about a type. */
#include "grading/book/recovery.h"

#include "base/hash.h"
#include "base/json.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SUM = HASH_HEX - 1, LARGEST_FILE = 1 << 28 };

/* What is kept of a table: its rows from a number on as lines, and the row of a line. */
static const struct {
    const char *lines, *restore;
} kinds[] = {
    [RECOVERY_GRADING] =
        {"SELECT json_object('grading', number, 'seed', seed, 'versions', versions,"
         " 'sandbox', sandbox, 'policy', policy, 'started', started,"
         " 'course', (SELECT course FROM book), 'book', (SELECT identity FROM book)) FROM grading WHERE "
         "number >= ?",
         "INSERT OR IGNORE INTO grading (number, seed, versions, sandbox, policy, started)"
         " SELECT json_extract(line, '$.grading'), json_extract(line, '$.seed'), json_extract(line, "
         "'$.versions'),"
         " json_extract(line, '$.sandbox'), json_extract(line, '$.policy'), json_extract(line, '$.started')"
         " FROM (SELECT ? AS line) WHERE json_extract(line, '$.grading') IS NOT NULL"},
    [RECOVERY_OVERRIDE] = {"SELECT json_object('override', number, 'student', student, 'lesson', lesson,"
                           " 'points', points, 'reason', reason, 'author', author, 'at', at,"
                           " 'course', (SELECT course FROM book), 'book', (SELECT identity FROM book)) FROM "
                           "override WHERE number >= ?",
                           "INSERT OR IGNORE INTO override (number, student, lesson, points, reason, author,"
                           " at) SELECT json_extract(line, '$.override'), json_extract(line, '$.student'), "
                           "json_extract(line, '$.lesson'),"
                           " json_extract(line, '$.points'), json_extract(line, '$.reason'), "
                           "json_extract(line, '$.author'), json_extract(line, '$.at')"
                           " FROM (SELECT ? AS line) WHERE json_extract(line, '$.override') IS NOT NULL"},
    [RECOVERY_WORD] =
        {"SELECT json_object('word', number, 'kind', kind, 'student', student, 'lesson', lesson,"
         " 'item', item, 'points', points, 'text', text, 'author', author, 'at', at,"
         " 'course', (SELECT course FROM book), 'book', (SELECT identity FROM book)) FROM word "
         "WHERE number >= ?",
         "INSERT OR IGNORE INTO word (number, kind, student, lesson, item, points, text, "
         "author, at) SELECT json_extract(line, '$.word'), json_extract(line, '$.kind'), "
         "json_extract(line, '$.student'), json_extract(line, '$.lesson'), "
         "json_extract(line, '$.item'), json_extract(line, '$.points'), "
         "json_extract(line, '$.text'), json_extract(line, '$.author'), "
         "json_extract(line, '$.at')"
         " FROM (SELECT ? AS line) WHERE json_extract(line, '$.word') IS NOT NULL"},
};
/* A word about a student needs that student's row; the other facts come with the next roster. */
static const char restore_student[] =
    "INSERT OR IGNORE INTO student (id) SELECT json_extract(line, '$.student') FROM (SELECT ? AS line)"
    " WHERE json_extract(line, '$.student') IS NOT NULL";

const char *recovery_path(const char *path, Arena *arena) {
    return arena_format(arena, "%s.recovery", path);
}

/* The same words as store_fail has for the database, since the file is part of the book to people. */
static bool fail_at(const char *path, Diagnostics *diagnostics) {
    bool full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
    diagnostics->internal = true;
    Diagnostic *added =
        diag_add(diagnostics, DIAG_ERROR, path, 0, 0, "cannot use this part of the gradebook: %s",
                 full ? "the disk is full, or a quota" : strerror(errno));
    if (added == NULL) return false;
    added->remedy = "make the file readable and writable for you, then give the same command again";
    if (full) added->remedy = "make room, then give the same command again";
    return false;
}

/* ---- the lines that are there ---- */

static bool read_lines(const char *path, Text *lines, Diagnostics *diagnostics) {
    const char *file = recovery_path(path, diagnostics->arena);
    if (file == NULL) return store_no_memory(diagnostics);
    return text_read_named_file(lines, file, LARGEST_FILE) || errno == ENOENT || fail_at(file, diagnostics);
}

/* The JSON of the last line that proves itself among the first *length bytes, which become those before it;
 * NULL when there is none. */
static const char *take_last(Text *lines) {
    while (lines->length > 0) {
        char *end = &lines->bytes[lines->length - 1];
        if (*end != '\n') end++; /* torn, or cut */
        *end = '\0';
        char *newline = memrchr(lines->bytes, '\n', (size_t)(end - lines->bytes));
        char *line = newline != NULL ? newline + 1 : lines->bytes, sum[HASH_HEX];
        lines->length = (size_t)(line - lines->bytes);
        if (end - line <= SUM + 1 || line[SUM] != ' ') continue;
        hash_bytes(line + SUM + 1, (size_t)(end - line) - SUM - 1, sum);
        if (memcmp(line, sum, SUM) == 0) return line + SUM + 1;
    }
    return NULL;
}

/* What a line says of the book that it was written for. */
static LastLine facts_of(const char *json, Arena *arena) {
    LastLine facts = {.course = NULL};
    struct json_object *line = json_tokener_parse(json);
    const char *course = json_text(line, "course", NULL);
    if (course != NULL) facts.course = arena_string(arena, course);
    facts.book = json_number(line, "book", 0);
    json_object_put(line);
    return facts;
}

bool recovery_last(LastLine *last, const char *path, Diagnostics *diagnostics) {
    Text lines = text_new();
    *last = (LastLine){.course = NULL};
    bool fine = read_lines(path, &lines, diagnostics);
    const char *json = NULL;
    if (fine) json = take_last(&lines);
    if (json != NULL) *last = facts_of(json, diagnostics->arena);
    text_free(&lines);
    return fine;
}

/* The book's; one that has none yet gets `wanted`, or when that is 0 a drawn one. */
static int64_t identity_of(Gradebook *book, int64_t wanted, Diagnostics *diagnostics) {
    if (!store_change(book, diagnostics,
                      "UPDATE book SET identity = coalesce(nullif(%ld, 0), random() & 0x7fffffffffff | 1)"
                      " WHERE identity = 0",
                      wanted))
        return 0;
    return store_number(book, diagnostics, "SELECT identity FROM book");
}

/* ---- rows to lines ---- */

/* A line is a sum and a JSON object, so that a line that was cut or changed is known when it is read. */
static bool add_lines(Gradebook *book, RecoveryKind kind, int64_t from, Text *out, Diagnostics *diagnostics) {
    Query query = query_open(book, kinds[kind].lines, diagnostics);
    query_number(&query, from);
    while (query_row(&query)) {
        char sum[HASH_HEX];
        const char *json = (const char *)sqlite3_column_text(query.statement, 0);
        if (json == NULL) out->failed = true;
        if (json == NULL) break;
        hash_bytes(json, strlen(json), sum);
        text_format(out, "%s %s\n", sum, json);
    }
    return query_close(&query) && (!out->failed || store_no_memory(diagnostics));
}

/* A line that a power cut left half is ended, so that the next one stands for itself. */
static bool end_torn_line(int fd, off_t length) {
    char last = '\n';
    if (length > 0 && pread(fd, &last, 1, length - 1) != 1) return false;
    return last == '\n' || text_write(fd, "\n", 1);
}

/* A new name is on the disk when its folder is. */
static bool sync_folder(const char *path, Arena *arena) {
    const char *slash = strrchr(path, '/');
    const char *folder = ".";
    if (slash != NULL) folder = arena_copy(arena, path, (size_t)(slash - path) + 1);
    int fd = -1;
    if (folder != NULL) fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool fine = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0) close(fd);
    return fine;
}

/* Whether the file is another book's that came to lie here: this book's rows are not in it then. */
static bool is_of_another(const Gradebook *book, int64_t own, Diagnostics *diagnostics) {
    LastLine last;
    return recovery_last(&last, book->path, diagnostics) && last.book != 0 && last.book != own;
}

/* A fresh file has all rows of the book, these among them. */
static bool add_lines_of(Gradebook *book, const RecoveryRow *rows, size_t count, bool fresh, Text *lines,
                         Diagnostics *diagnostics) {
    bool fine = true;
    for (RecoveryKind kind = 0; fresh && fine && kind < RECOVERY_KINDS; kind++)
        fine = add_lines(book, kind, 0, lines, diagnostics);
    for (size_t i = 0; !fresh && fine && i < count; i++)
        fine = add_lines(book, rows[i].kind, rows[i].number, lines, diagnostics);
    return fine;
}

/* `before`: how long the file was, to take the lines back. */
static bool note(Gradebook *book, const RecoveryRow *rows, size_t count, const char *path, off_t *before,
                 Diagnostics *diagnostics) {
    struct stat facts;
    Text lines = text_new();
    int fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0 || fstat(fd, &facts) != 0) {
        fail_at(path, diagnostics);
        if (fd >= 0) close(fd);
        return false;
    }
    *before = facts.st_size;
    const int64_t own = identity_of(book, 0, diagnostics);
    const bool fresh = facts.st_size == 0 || is_of_another(book, own, diagnostics);
    const bool fine = own != 0 && add_lines_of(book, rows, count, fresh, &lines, diagnostics);
    bool written = fine && end_torn_line(fd, facts.st_size) && text_write(fd, lines.bytes, lines.length) &&
                   fsync(fd) == 0 && (!fresh || sync_folder(path, book->arena));
    if (fine && !written) fail_at(path, diagnostics);
    text_free(&lines);
    close(fd);
    return written;
}

bool recovery_end_rows(Gradebook *book, const RecoveryRow *rows, size_t count, bool fine,
                       Diagnostics *diagnostics) {
    off_t before = -1;
    const char *path = recovery_path(book->path, book->arena);
    if (fine && path == NULL) fine = store_no_memory(diagnostics);
    fine = fine && note(book, rows, count, path, &before, diagnostics);
    if (store_end(book, fine, diagnostics)) return true;
    /* A line that stays after all says what somebody asked for. */
    if (before >= 0 && truncate(path, before) != 0) return false;
    return false;
}

bool recovery_end(Gradebook *book, RecoveryKind kind, int64_t number, bool fine, Diagnostics *diagnostics) {
    return recovery_end_rows(book, &(RecoveryRow){kind, number}, 1, fine, diagnostics);
}

/* ---- lines to rows ---- */

static bool run_with(Gradebook *book, const char *sql, const char *line, Diagnostics *diagnostics) {
    Query query = query_open(book, sql, diagnostics);
    query_text(&query, line);
    return query_run(&query);
}

/* From the last line to the first: a row that is there, from the damaged book or from a later line, stays.
 * Lines of another book are counted and passed over; older ones do not say whose they are. */
static bool add_rows(Gradebook *book, Text *lines, size_t count[RECOVERY_KINDS], size_t *foreign,
                     Diagnostics *diagnostics) {
    bool fine = true;
    int64_t own = -1;
    for (const char *line; fine && (line = take_last(lines)) != NULL;) {
        int64_t whose = facts_of(line, diagnostics->arena).book;
        if (own < 0) own = identity_of(book, whose, diagnostics);
        if (own == 0) return false;
        *foreign += whose != 0 && whose != own;
        if (whose != 0 && whose != own) continue;
        fine = run_with(book, restore_student, line, diagnostics);
        for (RecoveryKind kind = 0; fine && kind < RECOVERY_KINDS; kind++) {
            int before = sqlite3_total_changes(book->database);
            fine = run_with(book, kinds[kind].restore, line, diagnostics);
            count[kind] += (size_t)(sqlite3_total_changes(book->database) - before);
        }
    }
    return fine;
}

static void tell_of_foreign(const char *path, size_t foreign, Diagnostics *diagnostics) {
    if (foreign == 0) return;
    advise(diag_add(diagnostics, DIAG_WARNING, recovery_path(path, diagnostics->arena), 0, 0,
                    "lines that another gradebook wrote were left out: %s",
                    arena_number(diagnostics->arena, foreign)),
           "this file belongs to the gradebook beside it: copy, move and remove the two together");
}

/* All lines in one transaction; lines of another gradebook are counted and left out. */
bool recovery_restore(Gradebook *book, const char *path, size_t count[RECOVERY_KINDS],
                      Diagnostics *diagnostics) {
    Text lines = text_new();
    size_t foreign = 0;
    memset(count, 0, RECOVERY_KINDS * sizeof *count);
    bool fine = read_lines(path, &lines, diagnostics) && store_begin(book, diagnostics);
    if (fine) fine = store_end(book, add_rows(book, &lines, count, &foreign, diagnostics), diagnostics);
    if (fine) tell_of_foreign(path, foreign, diagnostics);
    text_free(&lines);
    return fine;
}
