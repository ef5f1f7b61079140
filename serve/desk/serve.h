/* serve.h - the command `serve`, whose row is in serve/commands.def. */
#ifndef SERVE_DESK_SERVE_H
#define SERVE_DESK_SERVE_H

#include "autograder/commands/commands.h"

#define COMMAND(name, function, operands, help) CommandRun function;
#include "serve/commands.def"
#undef COMMAND

#endif
