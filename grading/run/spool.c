/* spool.c - the folder of jobs and results; see spool.h. */
#include "grading/run/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char lock_name[] = "/lock";
static const char *const suffixes[] = {".job", ".cu", ".result", ".log"};
enum { SUFFIXES = sizeof suffixes / sizeof *suffixes };

static bool refuse(const char *folder, const char *what, Diagnostics *diagnostics) {
    diag_add_errno(diagnostics, folder, what);
    return false;
}

/* Somebody else's folder of this name, or a link, would show the seed. */
static bool is_private(const char *folder) {
    struct stat status;
    return lstat(folder, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
           (status.st_mode & 077) == 0;
}

static bool lock_folder(Spool *spool, const char *book, Arena *arena, Diagnostics *diagnostics) {
    const char *path = arena_format(arena, "%s%s", spool->folder, lock_name);
    if (path != NULL)
        spool->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    else
        spool->lock = -1;
    if (spool->lock < 0) return refuse(spool->folder, "cannot lock the folder of jobs", diagnostics);
    if (flock(spool->lock, LOCK_EX | LOCK_NB) == 0) return true;
    close(spool->lock);
    return advise(diag_add(diagnostics, DIAG_ERROR, book, 0, 0, "another grading uses this gradebook"),
                  "wait until it has ended, or name another gradebook with --gradebook");
}

/* Workers have a working folder of their own. */
static const char *make_absolute(const char *path, const char *suffix, Arena *arena) {
    char here[PATH_MAX];
    if (*path == '/') return arena_format(arena, "%s%s", path, suffix);
    if (getcwd(here, sizeof here) != NULL) return arena_format(arena, "%s/%s%s", here, path, suffix);
    return NULL;
}

/* The folder holds students' programs and the way to run more of them, so nobody else may write there; and
 * one grading at a time uses it. */
bool spool_open(Spool *spool, Arena *arena, const char *folder, const char *book, Diagnostics *diagnostics) {
    if (folder != NULL)
        spool->folder = make_absolute(folder, "", arena);
    else
        spool->folder = make_absolute(book, ".jobs", arena);
    if (spool->folder == NULL) return refuse(book, "cannot name the folder of jobs", diagnostics);
    if (mkdir(spool->folder, 0700) != 0 && errno != EEXIST)
        return refuse(spool->folder, "cannot make the folder of jobs", diagnostics);
    if (!is_private(spool->folder)) {
        diag_add(diagnostics, DIAG_ERROR, spool->folder, 0, 0,
                 "the folder of jobs must be yours alone (mode 700)");
        return false;
    }
    return lock_folder(spool, book, arena, diagnostics);
}

void spool_close(Spool *spool) {
    unlink(spool_path(spool, lock_name + 1, "").bytes);
    rmdir(spool->folder);
    close(spool->lock);
}

SpoolPath spool_path(const Spool *spool, const char *name, const char *suffix) {
    SpoolPath path;
    int length = snprintf(path.bytes, sizeof path.bytes, "%s/%s%s", spool->folder, name, suffix);
    if (length < 0 || (size_t)length >= sizeof path.bytes) path.bytes[0] = '\0';
    return path;
}

void spool_empty(const Spool *spool) {
    DIR *folder = opendir(spool->folder);
    struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL)
        if (strcmp(entry->d_name, lock_name + 1) != 0) unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder != NULL) closedir(folder);
}

void spool_clear(const Spool *spool, const char *name) {
    for (size_t i = 0; i < SUFFIXES; i++)
        unlink(spool_path(spool, name, suffixes[i]).bytes);
}

/* The room that a result may need is really written, since file systems know best. */
bool spool_has_room(const Spool *spool, Diagnostics *diagnostics) {
    enum { ROOM = 256 << 10 };
    SpoolPath path = spool_path(spool, "room", "");
    char *zeros = calloc(1, ROOM);
    int fd = open(path.bytes, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool room = zeros != NULL && fd >= 0 && text_write(fd, zeros, ROOM) && fsync(fd) == 0;
    int problem = errno;
    if (fd >= 0) close(fd);
    unlink(path.bytes);
    free(zeros);
    if (room) return true;
    errno = problem;
    return advise(diag_add_errno(diagnostics, spool->folder, "cannot write there"),
                  "what was graded is in the gradebook; make room, and the same command goes on from there");
}
