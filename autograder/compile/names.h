/* names.h - the names in the student's object: reserved ones, the lesson's function, and what the linker
 * missed. */
#pragma once

#include "autograder/check/check.h"

/** Looks at the object; a reserved name becomes a finding and makes the result false. Sets check->function.
 * An object that is not there has nothing wrong. */
bool names_check(Check *check, const char *object_path);
/** Explains why the linker failed. */
void names_explain_link(Check *check, const char *output);
