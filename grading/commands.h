/* commands.h - the instructor's commands: one row of commands.def each. */
#pragma once

#include "autograder/commands/commands.h"

#define COMMAND(name, function, operands, help) CommandRun function;
#include "grading/commands.def"
#undef COMMAND

/** One result in a format of exports.def: what `check --format` prints. */
ResultFormatter export_result;
