/* commands.h - the instructor's commands: one row of commands.def each. */
#ifndef GRADING_COMMANDS_H
#define GRADING_COMMANDS_H

#include "autograder/commands/commands.h"

#define COMMAND(name, function, operands, help) CommandRun function;
#include "grading/commands.def"
#undef COMMAND

/** One result in a format of exports.def: what `check --format` prints. */
ResultFormatter export_result;

#endif
