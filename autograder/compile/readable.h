/* readable.h - whether a file is text that a compiler reads at all. */
#pragma once

#include "autograder/check/check.h"

/** False with a finding: the submission is empty, or its characters are not one byte and more each. */
bool readable_check(Check *check);
