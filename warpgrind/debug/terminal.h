/* terminal.h - the debugger as people type to it: gdb's commands, from a terminal, a pipe or a file. */
#pragma once

#include "debug/session.h"
#include <stdio.h>

/** What is known from one command to the next, wherever they come from. */
typedef struct Terminal Terminal;

/** NULL: there is no memory. It does not own the session. */
Terminal *terminal_open(Session *session);
/** Reads commands to their end or to `quit`: then it is false. Where nobody types, each is printed behind the
 * prompt, so that what comes out reads like a session. `typed`: a person sits there. */
bool terminal_run(Terminal *terminal, FILE *commands, bool typed);
void terminal_close(Terminal *terminal);
/** As SessionOutput. */
void terminal_output(void *self, int stream, const char *bytes, size_t count);
/** Whether a reading ended by Ctrl-C, where nothing runs: what has been typed is forgotten, as in a shell,
 * and more can be read. */
bool terminal_was_interrupted(FILE *commands);
void terminal_help(void);
