/* answers.c - the hostile side of the judge: one file from the program's output folder; see answers.h.
 *
 * openat2 with RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS keeps the lookup inside; it still opens a FIFO, so
 * O_NONBLOCK and fstat come with it.
 */
#include "autograder/check/answers.h"

#include "autograder/texts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_beneath(int folder_fd, const char *path) {
    struct open_how how = {
        .flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    return (int)syscall(SYS_openat2, folder_fd, path, &how, sizeof how);
}

static AnswerStatus status_of_errno(int number) {
    if (number == ENOENT || number == ENOTDIR) return ANSWER_MISSING;
    if (number == ELOOP || number == EXDEV || number == ENXIO) return ANSWER_NOT_A_FILE;
    return ANSWER_UNREADABLE;
}

/* Reads the descriptor to its end, `length` bytes as fstat said; a file that shrank is malformed. */
static AnswerStatus read_whole(int fd, unsigned char *bytes, size_t length) {
    for (size_t done = 0; done < length;) {
        ssize_t got = read(fd, bytes + done, length - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return ANSWER_UNREADABLE;
        if (got == 0) return ANSWER_MALFORMED;
        done += (size_t)got;
    }
    return ANSWER_READ;
}

/* The file is an enemy's: it must be regular, no larger than the array that is expected, and is read whole
 * before a byte of it is believed. What the parser would complain about only students could see, so it is
 * left aside. */
static AnswerStatus read_array(NpyArray *array, Arena *arena, int fd, const char *name, size_t limit) {
    struct stat facts;
    if (fstat(fd, &facts) != 0) return ANSWER_UNREADABLE;
    if (!S_ISREG(facts.st_mode)) return ANSWER_NOT_A_FILE;
    if (facts.st_size < 0 || (size_t)facts.st_size > limit) return ANSWER_TOO_LARGE;
    size_t length = (size_t)facts.st_size;
    unsigned char *bytes = arena_alloc(arena, length + 1);
    if (bytes == NULL) return ANSWER_NO_MEMORY;
    AnswerStatus status = read_whole(fd, bytes, length);
    if (status != ANSWER_READ) return status;
    Diagnostics ignored;
    diag_init(&ignored, arena);
    if (npy_parse(array, arena, bytes, length, name, &ignored)) return ANSWER_READ;
    return ANSWER_MALFORMED;
}

AnswerStatus answers_read(NpyArray *array, Arena *arena, int folder_fd, const char *name, size_t limit) {
    const char *path = arena_format(arena, "%s.npy", name);
    if (path == NULL) return ANSWER_NO_MEMORY;
    if (folder_fd < 0) return ANSWER_MISSING;
    int fd = open_beneath(folder_fd, path);
    if (fd < 0) return status_of_errno(errno);
    AnswerStatus status = read_array(array, arena, fd, name, limit);
    close(fd);
    return status;
}

const char *answers_explain(AnswerStatus status, Arena *arena, const char *name) {
    static const ReadingText texts[] = {
        [ANSWER_MISSING] = READING_MISSING,     [ANSWER_NOT_A_FILE] = READING_NOT_A_FILE,
        [ANSWER_TOO_LARGE] = READING_TOO_LARGE, [ANSWER_MALFORMED] = READING_MALFORMED,
        [ANSWER_NO_MEMORY] = READING_NO_MEMORY, [ANSWER_UNREADABLE] = READING_UNREADABLE};
    if (status == ANSWER_READ) BUG("an answer that was read needs no explanation");
    const char *text = told_reading(arena, texts[status], &(ReadingFacts){.name = name});
    if (text != NULL) return text;
    return "out of memory";
}
