/* recovery.h - a small file beside a gradebook, with what no machine can make again when the whole database
 * is lost: the seed and the rules of each grading, each override, and each other word of a teacher's.
 *
 * `gradebook.db.recovery` gets a line for each such row, and the line is on the disk before the row is
 * committed. A line is the SHA-256 of its JSON, a blank, the JSON; one that does not prove itself is passed
 * over, and so is one of another book; of several about the same row the last one counts. The file is read
 * only where a book is made because the old one is damaged or missing. docs/gradebook.md tells people about
 * it.
 */
#pragma once

#include "grading/book/store.h"

/** What cannot be worked out again from the students' files, and is therefore written twice. */
typedef enum RecoveryKind { RECOVERY_GRADING, RECOVERY_OVERRIDE, RECOVERY_WORD, RECOVERY_KINDS } RecoveryKind;

/** Where the file of the book at `path` is; NULL without memory. */
const char *recovery_path(const char *path, Arena *arena);
/** A row that a transaction has written. */
typedef struct RecoveryRow {
    RecoveryKind kind;
    int64_t number;
} RecoveryRow;

/** Ends the transaction that wrote these rows, as store_end does; their lines are on the disk before, and
 * come there in one write. A file that is not there yet gets a line for each row of the book. */
bool recovery_end_rows(Gradebook *book, const RecoveryRow *rows, size_t count, bool fine,
                       Diagnostics *diagnostics);
/** The same for one row. */
bool recovery_end(Gradebook *book, RecoveryKind kind, int64_t number, bool fine, Diagnostics *diagnostics);
/** What the last line of the file says of its book. */
typedef struct LastLine {
    const char *course; /**< in the diagnostics' arena; NULL: no line, or no file */
    int64_t book;       /**< the book's identity; 0: an older line, which does not say */
} LastLine;

/** False when a file that is there cannot be read. */
bool recovery_last(LastLine *last, const char *path, Diagnostics *diagnostics);
/** Adds the rows that `book`, which is to become the book at `path`, does not have. `count`: how many rows it
 * has been given, of each kind. */
bool recovery_restore(Gradebook *book, const char *path, size_t count[RECOVERY_KINDS],
                      Diagnostics *diagnostics);
