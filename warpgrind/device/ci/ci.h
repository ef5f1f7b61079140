/* ci.h - `warpgrind ci -- COMMAND`: the checks of one program or of a whole test run, for a machine that
 * tests each commit and has no GPU.
 *
 * The command runs under warpgrind, which gives a device to every process that loads the shared CUDA runtime,
 * and merges their reports. What only such a machine needs is here: which findings are new against a
 * baseline, which processes looked for a real GPU and so were not checked, files for the services that show
 * results, and one exit status for all of it.
 */
#pragma once

#include "base/json.h"
#include "base/text.h"

/** A process that was not checked. */
typedef struct Unchecked {
    const char *program;
    bool driver; /**< it is linked with the driver's library; otherwise something in it opened that */
} Unchecked;

/** What a run has come to. */
typedef struct CiRun {
    struct json_object *report; /**< merged; a finding that the baseline has gets "known": true */
    int status;                 /**< the command's own way to end: an exit status, or 128 and a signal */
    int findings_status;        /**< what warpgrind made of it */
    Unchecked *unchecked;
    size_t unchecked_count;
    bool kernel_ran;
    unsigned new_errors, new_notes, known;
    const char *command; /**< as it was typed */
} CiRun;

/** What is asked for. */
typedef struct CiOptions {
    const char *baseline, *write_baseline, *report, *sarif, *junit, *markdown, *fail_on, *suppress, *checks,
        *threads, *card, *root;
    long devices, memory_mib, steps, seed;
    bool annotations, full, quiet, help;
} CiOptions;

/* ---- run.c ---- */

/** Runs the command under warpgrind and reads what came of it. False with an error. */
bool ci_run_command(CiRun *run, Arena *arena, const CiOptions *options, char **argv,
                    Diagnostics *diagnostics);

/* ---- baseline.c ---- */

/** Marks the findings that the file has as known. NULL: all are new. */
bool ci_read_baseline(CiRun *run, Arena *arena, const char *path, Diagnostics *diagnostics);
/** Writes all findings of the run, one a line. */
bool ci_write_baseline(const CiRun *run, const char *path);

/* ---- judge.c ---- */

/** Fills in the counts, and gives the exit status of all; `why` gets a sentence for each reason to fail. */
int ci_judge(CiRun *run, const char *fail_on, Text *why);

/* ---- write.c ---- */

void ci_add_junit(const CiRun *run, Text *out);
void ci_add_markdown(const CiRun *run, const char *why, Text *out);
void ci_add_annotations(const CiRun *run, Text *out);
/** The findings as SARIF, with which of them are new; the caller puts it. */
struct json_object *ci_sarif(const CiRun *run);
/** What is to be done about a process that was not checked. */
const char *ci_remedy(const Unchecked *unchecked);
