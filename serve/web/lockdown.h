/* lockdown.h - what the process that speaks HTTP gives up before the first request. */
#pragma once

#include <stdbool.h>

/** From root it becomes nobody; files cannot grow, nothing is dumped, and only the calls of calls.def are
 * left. False with errno set. */
bool lockdown_enter(void);
