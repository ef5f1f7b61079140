/* messages.h - what the compiler says, as findings at the student's own lines. */
#pragma once

#include "autograder/check/check.h"

/** The errors in the compiler's output; at least one finding is added. */
void messages_add_errors(Check *check, const char *output);
/** The warnings, as notes. */
void messages_add_warnings(Check *check, const char *output);
