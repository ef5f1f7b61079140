/* session.h - a program that is being debugged: its two processes, and going back by running them again.
 *
 * The device answers questions and runs forwards (device/debug/). What leads backwards is done here: the run
 * is repeated from its beginning, which with the same seed is the same run, once to look for the step to go
 * to and once to go there. Breakpoints, what is watched and what is caught are told to each run anew. What
 * the program has printed once is not shown again.
 */
#pragma once

#include "base/json.h"
#include "base/text.h"
#include "device/options.h"

typedef struct Session Session;

/** Gets what the program prints, as it comes. `stream` is 1 or 2. */
typedef void SessionOutput(void *self, int stream, const char *bytes, size_t count);

/** `argv` is the program and its arguments. NULL without memory. */
Session *session_open(const DeviceOptions *device, char **argv, SessionOutput *output, void *self);
/** Ends both processes. */
void session_close(Session *session);

/** The question of that name, without members; with `aim` (or NULL) how far it runs (docs/debug-protocol.md).
 */
json_object *session_question(const char *name, const char *aim);
/** Asks the device, and waits for the answer, which the caller puts. Takes over the question. Besides the
 * rows of device/debug/commands.def it knows `start` (or start again), `back` (with `for`, as `go`), `goto`
 * (with `step`) and `other` (to where the other party of the last finding was). */
json_object *session_ask(Session *session, json_object *question);
/** The same, or NULL where it is refused: `error`, when it is empty, gets the reason. */
json_object *session_get(Session *session, json_object *question, Text *error);
/** From a signal's handler: what runs shall stop. A program that is in its own code, where no kernel runs, is
 * ended after a while. */
void session_interrupt(void);
/** An interrupt that came while nothing ran is none of what runs next. */
void session_rest(void);
/** As session_interrupt, for a run that is to go on afterwards: it stops when a kernel runs, and nothing is
 * ended. */
void session_nudge(Session *session);
/** While a run goes, `heed` is called whenever there is something to read from the descriptor. */
typedef void SessionHeed(void *self);
void session_listen(Session *session, int descriptor, SessionHeed *heed);
/** From there: the run is over, and there will be no other. */
void session_abandon(Session *session);
bool session_runs(const Session *session);
/** "The program has ended, exit status 3; 0 errors found." */
void session_say_end(json_object *stop, Text *out);
/** That the source at the place was changed since the program was built, if it was. */
void session_say_changed(json_object *place, Text *out);
/** It has run to its end; from there it can still go back. */
bool session_has_ended(const Session *session);
