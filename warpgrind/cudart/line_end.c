/* line_end.c - a program whose last line has no newline: the line is ended, so that the report begins on its
 * own.
 *
 * Only where warpgrind prints a report after the program, to the same terminal, file or pipe; the launcher
 * says so (WIRE_LINE_VARIABLE). glibc counts the column of a stream for whoever has set it once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cudart/protocol.h"

/** The column plus one, as glibc keeps it; its 0 stands for "not counted". */
enum { FIRST_COLUMN = 1 };

__attribute__((constructor)) static void count_columns(void) {
    if (getenv(WIRE_LINE_VARIABLE) == NULL) return;
    stdout->_cur_column = FIRST_COLUMN;
    stderr->_cur_column = FIRST_COLUMN;
}

/** What is still in the buffer comes after what was counted. */
static int is_amid_line(const FILE *stream) {
    if (stream->_IO_write_ptr > stream->_IO_write_base) return stream->_IO_write_ptr[-1] != '\n';
    return stream->_cur_column > FIRST_COLUMN;
}

static int is_same_file(int one, int other) {
    struct stat a, b;
    return fstat(one, &a) == 0 && fstat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/** Runs after the program's own destructors, and before its streams are flushed. */
__attribute__((destructor)) static void end_line(void) {
    if (getenv(WIRE_LINE_VARIABLE) == NULL) return;
    if (is_amid_line(stdout) && is_same_file(STDOUT_FILENO, STDERR_FILENO))
        putchar('\n');
    else if (is_amid_line(stderr))
        putc('\n', stderr);
}
