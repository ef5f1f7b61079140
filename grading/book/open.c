/* open.c - from a path to an open gradebook: what lies there is looked at before SQLite gets it, so that each
 * thing that is no book of this course has its own line.
 *
 * A new book is made under another name and renamed, so a book is whole from its first moment; where one was
 * before, that includes what recovery.h has kept of it.
 */
#include "base/minmax.h"
#include "grading/book/recovery.h"

#include "grading/book/store.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* What lies at the gradebook's path, as its first bytes tell. */
typedef enum Sight {
    SIGHT_NOTHING, /* no file, or an empty one */
    SIGHT_BOOK,
    SIGHT_STUMP,    /* the beginning of a database, cut short */
    SIGHT_DATABASE, /* of another program */
    SIGHT_OTHER,
    SIGHT_UNREADABLE /* errno */
} Sight;

static bool refuse(Diagnostics *diagnostics, const char *path, const char *remedy, const char *message) {
    return advise(diag_add(diagnostics, DIAG_ERROR, path, 0, 0, "%s", message), remedy);
}

static bool has_log(const char *path, Arena *arena) {
    struct stat facts;
    const char *log = arena_format(arena, "%s-wal", path);
    return log != NULL && stat(log, &facts) == 0 && facts.st_size > 0;
}

/* Where the header has the application's number (sqlite.org/fileformat2.html, 1.3). */
enum { HEADER_APPLICATION = 68, HEADER_LOOKED_AT = 72 };

static uint32_t big_endian(const unsigned char *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static Sight sight_of(const unsigned char *head, size_t length, bool log) {
    static const char magic[16] = "SQLite format 3";
    size_t same = MIN(length, sizeof magic);
    if (length == 0) return log ? SIGHT_STUMP : SIGHT_NOTHING;
    if (memcmp(head, magic, same) != 0) return SIGHT_OTHER;
    if (length < HEADER_LOOKED_AT) return SIGHT_STUMP;
    if (big_endian(head + HEADER_APPLICATION) == STORE_APPLICATION) return SIGHT_BOOK;
    return SIGHT_DATABASE;
}

static Sight look(const char *path, Arena *arena) {
    unsigned char head[HEADER_LOOKED_AT];
    struct stat facts;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return errno == ENOENT ? SIGHT_NOTHING : SIGHT_UNREADABLE;
    bool regular = fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode);
    ssize_t length = 0;
    if (regular) length = pread(fd, head, sizeof head, 0);
    close(fd);
    if (length < 0) return SIGHT_UNREADABLE;
    if (regular) return sight_of(head, (size_t)length, has_log(path, arena));
    return SIGHT_OTHER;
}

bool gradebook_is_one(const char *path) {
    Arena *arena = arena_create();
    const bool is_one = arena != NULL && look(path, arena) == SIGHT_BOOK;
    arena_destroy(arena);
    return is_one;
}

/* ---- where it lies ---- */

static const char *folder_of(const char *path, Arena *arena) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL) return ".";
    if (slash == path) return "/";
    return arena_copy(arena, path, (size_t)(slash - path));
}

/* The log ahead needs memory that its readers and its writer share, which no file system of a network has
 * (sqlite.org/wal.html, "Overview"). */
static bool is_local(const char *path, Arena *arena, Diagnostics *diagnostics) {
    static const unsigned long of_networks[] = {NFS_SUPER_MAGIC,  SMB_SUPER_MAGIC,  CIFS_SUPER_MAGIC,
                                                SMB2_SUPER_MAGIC, CODA_SUPER_MAGIC, AFS_SUPER_MAGIC,
                                                CEPH_SUPER_MAGIC};
    struct statfs facts;
    const char *folder = folder_of(path, arena);
    if (folder == NULL || statfs(folder, &facts) != 0) return true; /* opening it will say what is wrong */
    for (size_t i = 0; i < sizeof of_networks / sizeof *of_networks; i++)
        if (((unsigned long)facts.f_type & 0xffffffffUL) == of_networks[i])
            return refuse(
                diagnostics, path,
                "name a file on a disk of this machine with --gradebook; copy it when grading has ended",
                "a gradebook cannot lie on a network's file system");
    return true;
}

/* ---- making, locking ---- */

/* What came back from the recovery file, and how to be rid of it, for those who meant to begin anew. */
static bool tell_of_restored(const char *path, const size_t count[RECOVERY_KINDS], Diagnostics *diagnostics) {
    Arena *arena = diagnostics->arena;
    if (count[RECOVERY_GRADING] + count[RECOVERY_OVERRIDE] + count[RECOVERY_WORD] == 0) return true;
    const char *gradings = arena_number(arena, count[RECOVERY_GRADING]),
               *words = arena_number(arena, count[RECOVERY_OVERRIDE]),
               *others = arena_number(arena, count[RECOVERY_WORD]), *file = recovery_path(path, arena);
    if (gradings == NULL || words == NULL || others == NULL || file == NULL)
        return store_no_memory(diagnostics);
    advise(
        diag_add(
            diagnostics, DIAG_WARNING, path, 0, 0,
            "the gradebook was missing; a new one has the seeds and the overrides of the old one (gradings: "
            "%s, overrides: %s, other words: %s)",
            gradings, words, others),
        arena_format(arena,
                     "grade again, with the same seed; to begin a gradebook anew, remove this one "
                     "and %s",
                     file));
    return true;
}

/* A book that is not there yet gets what is left of one that was. */
static bool restore(const char *fresh, const char *path, Diagnostics *diagnostics) {
    size_t count[RECOVERY_KINDS];
    Gradebook book = {.path = fresh, .arena = diagnostics->arena};
    bool fine = store_connect(&book, fresh, diagnostics) &&
                store_execute(&book, "PRAGMA synchronous = FULL", diagnostics) &&
                recovery_restore(&book, path, count, diagnostics);
    store_disconnect(&book);
    return fine && tell_of_restored(path, count, diagnostics);
}

/* A new gradebook is made beside its place and renamed, so that nobody sees half of one. A recovery file next
 * to it means that the old one was lost: its seeds and overrides come along. */
static bool make(const char *path, const char *course, Arena *arena, Diagnostics *diagnostics) {
    const char *fresh = arena_format(arena, "%s.new", path);
    if (fresh == NULL) return store_no_memory(diagnostics);
    LastLine last;
    if (!recovery_last(&last, path, diagnostics)) return false;
    if (last.course != NULL) course = last.course;
    if (course == NULL) course = STORE_USUAL_COURSE;
    if (!schema_create(fresh, path, course, schema_version(), diagnostics)) return false;
    if (!restore(fresh, path, diagnostics)) return false;
    if (rename(fresh, path) == 0) return true;
    return refuse(diagnostics, path, "name another file with --gradebook", strerror(errno));
}

/* The lock of one writer. It is kept on a descriptor of its own, closed after SQLite's: closing any
 * descriptor of a file gives up the locks that SQLite holds on it (sqlite.org/howtocorrupt.html, 2.2). */
static bool lock(Gradebook *book, Diagnostics *diagnostics) {
    book->lock = open(book->path, O_RDONLY | O_CLOEXEC);
    if (book->lock >= 0 && flock(book->lock, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno == EWOULDBLOCK)
        return refuse(diagnostics, book->path,
                      "wait until it has ended, or name another file with --gradebook",
                      "another warpschool writes in this gradebook");
    return refuse(diagnostics, book->path, "make the file readable and writable for you", strerror(errno));
}

static void unlock(Gradebook *book) {
    if (book->lock >= 0) close(book->lock);
    book->lock = -1;
}

/* ---- opening ---- */

/* Whether the database is whole, as far as SQLite can tell by walking its trees; a few hundred MB a second.
 */
static bool is_whole(Gradebook *book) {
    sqlite3_stmt *statement = NULL;
    bool whole = false;
    if (sqlite3_prepare_v2(book->database, "PRAGMA integrity_check(1)", -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
        const char *said = (const char *)sqlite3_column_text(statement, 0);
        whole = said != NULL && strcmp(said, "ok") == 0;
    }
    sqlite3_finalize(statement);
    return whole;
}

static bool read_version(Gradebook *book, int *version, Diagnostics *diagnostics) {
    Query query = query_open(book, "PRAGMA user_version", diagnostics);
    if (query_row(&query)) *version = (int)query_get_number(&query, 0);
    return query_close(&query);
}

/* A gradebook of an older schema is brought up to date; one of a newer schema cannot be understood. */
static bool update(Gradebook *book, Diagnostics *diagnostics) {
    int version = 0;
    if (!read_version(book, &version, diagnostics)) return false;
    if (version > schema_version()) {
        return advise(
            diag_add(
                diagnostics, DIAG_ERROR, book->path, 0, 0,
                "this gradebook was written by a newer warpschool: its schema is %d, and this one knows %d",
                version, schema_version()),
            "use the newer warpschool, or another file with --gradebook");
    }
    return schema_migrate(book, version, schema_version(), diagnostics);
}

static bool name_course(Gradebook *book, const char *course, Diagnostics *diagnostics) {
    return store_change(book, diagnostics, "UPDATE book SET course = %s", course);
}

/* A book that was begun without rules becomes that of the first rules it meets. */
static bool check_course(Gradebook *book, const char *course, Diagnostics *diagnostics) {
    const char *own = gradebook_course(book, diagnostics->arena, diagnostics);
    if (own == NULL || course == NULL || strcmp(own, course) == 0) return own != NULL;
    if (strcmp(own, STORE_USUAL_COURSE) == 0)
        return book->use == GRADEBOOK_READ || name_course(book, course, diagnostics);
    return advise(diag_add(diagnostics, DIAG_ERROR, book->path, 0, 0,
                           "this is the gradebook of the course `%s`, not of `%s`", own, course),
                  "name that course's rules with --course, or another file with --gradebook");
}

/* A connection with the settings that its life begins with; SQLITE_OK or what it failed with. They read the
 * file's first page, so they are the first to meet damage. */
static int connect(Gradebook *book, Diagnostics *diagnostics) {
    static const char settings[] =
        "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF";
    if (!store_connect(book, book->path, diagnostics)) return SQLITE_CANTOPEN;
    int code = sqlite3_exec(book->database, settings, NULL, NULL, NULL);
    if (code != SQLITE_OK && !store_is_damage(code)) store_fail(book, diagnostics);
    return code;
}

/* True with `damaged` set when only a salvage helps. */
static bool try_connect(Gradebook *book, bool *damaged, Diagnostics *diagnostics) {
    int code = connect(book, diagnostics);
    *damaged = store_is_damage(code);
    if (code != SQLITE_OK) return *damaged;
    if (is_whole(book)) return true;
    code = sqlite3_errcode(book->database);
    *damaged = code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE || store_is_damage(code);
    return *damaged || store_fail(book, diagnostics);
}

static bool salvage(Gradebook *book, const char *course, Diagnostics *diagnostics) {
    store_disconnect(book);
    diagnostics->internal |= book->use == GRADEBOOK_READ;
    if (book->use == GRADEBOOK_READ)
        return refuse(diagnostics, book->path,
                      "run `warpschool grade` again: it sets the damaged file aside, keeps what is whole and "
                      "grades the rest",
                      "the gradebook is damaged");
    bool fine = salvage_book(book->path, course, diagnostics);
    unlock(book); /* the lock is on the file that was set aside */
    return fine && lock(book, diagnostics) && connect(book, diagnostics) == SQLITE_OK;
}

/* The file beside it tells whether a gradebook was here. */
static bool refuse_other(const Gradebook *book, Diagnostics *diagnostics) {
    LastLine last;
    if (!recovery_last(&last, book->path, diagnostics)) return false;
    if (last.course == NULL)
        return refuse(
            diagnostics, book->path,
            "name another file with --gradebook; if this one was a gradebook, move it away and grade "
            "again: docs/gradebook.md says what comes back",
            "this is not a gradebook");
    return refuse(
        diagnostics, book->path,
        "move it away and run `warpschool grade` again: seeds and overrides come back, and the rest is "
        "graded anew",
        "this was a gradebook, and something else has been written over its beginning");
}

/* What is no book and cannot become one is refused; what is nothing yet is made. */
static bool prepare(Gradebook *book, Sight sight, const char *course, Diagnostics *diagnostics) {
    switch (sight) {
    case SIGHT_BOOK:
    case SIGHT_STUMP:
        return true;
    case SIGHT_NOTHING:
        if (book->use == GRADEBOOK_WRITE) return make(book->path, course, book->arena, diagnostics);
        return refuse(diagnostics, book->path,
                      "`warpschool grade DIR` makes one; --gradebook FILE says where it is",
                      "there is no gradebook here");
    case SIGHT_DATABASE:
        return refuse(diagnostics, book->path, "name another file with --gradebook",
                      "this is a database of another program, not a gradebook");
    case SIGHT_OTHER:
        return refuse_other(book, diagnostics);
    case SIGHT_UNREADABLE:
        return refuse(diagnostics, book->path, "make the file readable and writable for you",
                      strerror(errno));
    }
    BUG("sight %d", (int)sight);
}

/* From a path to a gradebook that can be trusted: on a local disk, an interrupted salvage finished, there,
 * locked for this writer, whole, of this schema, and of this course. */
static bool open_book(Gradebook *book, const char *course, Diagnostics *diagnostics) {
    bool damaged;
    if (!is_local(book->path, book->arena, diagnostics)) return false;
    if (book->use != GRADEBOOK_READ && !salvage_finish(book->path, diagnostics)) return false;
    Sight sight = look(book->path, book->arena);
    if (!prepare(book, sight, course, diagnostics)) return false;
    if (book->use != GRADEBOOK_READ && !lock(book, diagnostics)) return false;
    damaged = sight == SIGHT_STUMP;
    if (!damaged && !try_connect(book, &damaged, diagnostics)) return false;
    if (damaged && !salvage(book, course, diagnostics)) return false;
    return update(book, diagnostics) && check_course(book, course, diagnostics);
}

/* The handle owns its arena and path; gradebook_close gives all of it back. */
Gradebook *gradebook_open(const char *path, const char *course, GradebookUse use, Diagnostics *diagnostics) {
    Gradebook *book = calloc(1, sizeof *book);
    Arena *arena = arena_create();
    const char *own_path = NULL;
    if (arena != NULL) own_path = arena_string(arena, path);
    if (book == NULL || own_path == NULL) {
        store_no_memory(diagnostics);
        arena_destroy(arena);
        free(book);
        return NULL;
    }
    *book = (Gradebook){.arena = arena, .path = own_path, .lock = -1, .use = use};
    if (open_book(book, course, diagnostics)) return book;
    gradebook_close(book);
    return NULL;
}

void gradebook_close(Gradebook *book) {
    if (book == NULL) return;
    store_disconnect(book);
    unlock(book);
    arena_destroy(book->arena);
    free(book);
}

const char *gradebook_path(const Gradebook *book) {
    return book->path;
}
