/* diag.h - what went wrong, said to the user who can mend it.
 *
 * Levels, after git: BUG() is our own mistake and aborts; everything the user can cause is a Diagnostic in a
 * Diagnostics list and comes back to the caller as a status. Library code never prints and never exits.
 */
#pragma once

#include "base/arena.h"
#include "base/text.h"

typedef enum DiagLevel { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR } DiagLevel;

typedef struct Diagnostic {
    DiagLevel level;
    const char *file; /**< NULL when it is about no file */
    int line;         /**< from 1; 0 unknown */
    int column;       /**< from 1; 0 unknown */
    const char *message;
    const char *source_line; /**< the offending line for the caret, NULL when not at hand */
    const char *remedy;      /**< what to do about it, NULL when the message says it */
    struct Diagnostic *next;
} Diagnostic;

/** A list of diagnostics in order; all its memory is in `arena`, which the caller owns. */
typedef struct Diagnostics {
    Arena *arena;
    Diagnostic *first, *last;
    int errors, warnings;
    bool internal; /**< an error came from the system or from us, not from what the user asked for */
} Diagnostics;

void diag_init(Diagnostics *list, Arena *arena);
/** Adds one; returns it so that source_line and remedy can be filled in, or NULL without memory (still
 * counted). */
Diagnostic *diag_add(Diagnostics *list, DiagLevel level, const char *file, int line, int column,
                     const char *format, ...) __attribute__((format(printf, 6, 7)));
/** Gives the diagnostic a remedy, unless there was no memory for it; always false, so that what refuses can
 * end with it. */
static inline bool advise(Diagnostic *added, const char *remedy) {
    if (added) added->remedy = remedy;
    return false;
}
/** Adds "what: " and the words of errno, about a file. Internal unless it is the name's fault or that of its
 * rights: a full disk is, a folder that is not there is not. */
Diagnostic *diag_add_errno(Diagnostics *list, const char *file, const char *what);
/** "file:line:column: error: message", the source line, a caret under the column, the remedy. */
void diag_render(const Diagnostics *list, Text *out, bool colour);

/** Our own mistake: prints file and line and aborts. */
_Noreturn void diag_bug(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define BUG(...) diag_bug(__FILE__, __LINE__, __VA_ARGS__)

/** Exit statuses of all our commands. */
enum { EXIT_FINE = 0, EXIT_FOUND = 1, EXIT_USAGE = 2, EXIT_INTERNAL = 3 };
/** The status of a command that its errors have ended: usage, unless one of them is internal; internal as
 * well when nothing was said, as without memory. */
int diag_status(const Diagnostics *list);
