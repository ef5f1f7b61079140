/* lockdown.h - what the process that speaks HTTP gives up before the first request. */
#ifndef SERVE_WEB_LOCKDOWN_H
#define SERVE_WEB_LOCKDOWN_H

#include <stdbool.h>

/** From root it becomes nobody; files cannot grow, nothing is dumped, and only the calls of calls.def are
 * left. False with errno set. */
bool lockdown_enter(void);

#endif
