/* locked.h - running one of the system's own tools on files that nobody trusts: git on a student's clone.
 *
 * The tool runs in a sandbox: it sees /usr and the one folder it works on, both read-only, has no network, no
 * other process, no environment, and limits on time, memory and output. What the files make it do, it does to
 * nobody.
 */
#pragma once

#include "base/diag.h"

/** Where the folder is inside. */
#define LOCKED_FOLDER "/in"

/** A tool that reads what students have written. */
typedef struct LockedTool {
    const char *const *argv;        /**< argv[0] is an absolute path; ends with NULL */
    const char *folder;             /**< on the disk */
    const char *const *environment; /**< NAME, VALUE, ..., NULL; NULL: none */
    int seconds;
    long memory_mib;
    size_t most_output;
    bool open; /**< without a sandbox, its limits alone: for text of which the user has asked so by name */
} LockedTool;

/** How such a tool ended. */
typedef enum LockedEnd {
    LOCKED_FINE,      /**< exit status 0 */
    LOCKED_FAILED,    /**< the tool found fault with the files, or broke */
    LOCKED_OVER,      /**< over a limit: time or output */
    LOCKED_FORBIDDEN, /**< there is no sandbox here */
} LockedEnd;

/** Runs the tool to its end; its output is appended to `out`, and what it or the sandbox complained of to
 * `why`. */
LockedEnd locked_run(const LockedTool *tool, Text *out, Text *why);
