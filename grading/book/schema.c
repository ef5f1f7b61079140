/* schema.c - making a gradebook, and bringing an older one up to date, by the steps of schema.def. */
#include "grading/book/store.h"

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

static const char *const steps[] = {
#define MIGRATION(what, sql) sql,
#include "grading/book/schema.def"
#undef MIGRATION
};

int schema_version(void) {
    return (int)(sizeof steps / sizeof *steps);
}

/* Each step and its number are one transaction: a crash leaves a gradebook of one version or the next. */
bool schema_migrate(Gradebook *book, int from, int to, Diagnostics *diagnostics) {
    bool fine = true;
    for (int version = from; fine && version < to; version++) {
        char number[64];
        sqlite3_snprintf(sizeof number, number, "PRAGMA user_version = %d", version + 1);
        fine = store_begin(book, diagnostics);
        if (!fine) break;
        fine = store_execute(book, steps[version], diagnostics) && store_execute(book, number, diagnostics);
        fine = store_end(book, fine, diagnostics);
    }
    return fine;
}

/* The file's first bytes say that it is a gradebook: sqlite.org/fileformat2.html, 1.3.17. */
static bool fill(Gradebook *book, const char *course, int version, Diagnostics *diagnostics) {
    char number[64];
    sqlite3_snprintf(sizeof number, number, "PRAGMA application_id = %d", STORE_APPLICATION);
    if (!store_execute(book, number, diagnostics) || !schema_migrate(book, 0, version, diagnostics))
        return false;
    return store_change(book, diagnostics, "INSERT INTO book (number, course, created) VALUES (1, %s, %ld)",
                        course, time(NULL)) &&
           store_execute(book, "PRAGMA journal_mode = WAL", diagnostics);
}

/* Seeds are secrets, so the file is its owner's alone; SQLite gives its log the same rights. */
bool schema_create(const char *path, const char *shown, const char *course, int version,
                   Diagnostics *diagnostics) {
    int fd = open(path, O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        return advise(diag_add_errno(diagnostics, shown, "cannot make the gradebook"),
                      "its folder must exist, and you must be able to write to it: name another place with "
                      "--gradebook");
    }
    close(fd);
    Gradebook book = {.path = path};
    bool fine = store_connect(&book, path, diagnostics) && fill(&book, course, version, diagnostics);
    store_disconnect(&book);
    if (!fine) unlink(path);
    return fine;
}
