/* compile.h - from the student's copy to /tmp/object/program, inside a sandbox; problems become findings. */
#pragma once

#include "autograder/check/check.h"
#include "autograder/sandbox/child.h"

/** Whether a compiler failed because the sandbox itself does not work, which a trial shows; then that is the
 * diagnostic. What the compiler said may be the file's doing, and decides nothing. */
bool compile_report_sandbox(Check *check);
/** Copies the submission to where a compiler finds it in the stage, and makes the folders that it may write
 * to, of so many mebibytes; false with a diagnostic. */
bool compile_copy_source(Check *check, long object_mib, long scratch_mib);
/** Where a compiler finds the file of the lesson's driver, driver.o or driver.cu; NULL without memory. */
const char *compile_driver(const Check *check, const char *file);
/** Starts compiler and linker; false with a diagnostic. */
bool compile_start(Check *check, Child *child);
/** Waits for the end; true when there is a program. Otherwise there are findings, or a diagnostic when it is
 * our fault. */
bool compile_finish(Check *check, Child *child);
