/* symbols.h - from a host call site to a line of the user's source.
 *
 * A site is a number the device gives to a pair of return addresses (the call's, and that of the function
 * around it). Which of the two names the user's line is found out only when somebody asks: a call that a
 * header's wrapper made is the wrapper's caller's. Addresses come from the program; lines come from its file,
 * mapped before lock-down and read by a process of its own, since debug information can be written to harm.
 */
#pragma once

#include "check/check.h"

typedef struct Symbols Symbols;

/** Maps the program's file. NULL `program`, or a file without debug lines: a Symbols that knows nothing. NULL
 * without memory. */
Symbols *symbols_open(const char *program);
void symbols_close(Symbols *symbols);
/** The site for these addresses (relative to the load base); 0 for none, or when there are too many. */
uint64_t symbols_site(Symbols *symbols, uint64_t address, uint64_t outer);
/** As CheckHostPlace: the user's line of a site. */
bool symbols_place(void *symbols, uint64_t site, CheckPlace *place);
/** As CheckHostElement: what a kernel's parameter points to. */
bool symbols_element(void *symbols, const char *kernel, unsigned parameter, CheckElement *element);
/** Whether the code at the site takes the call's result: false when it is thrown away. True when that cannot
 * be told. */
bool symbols_result_is_used(Symbols *symbols, uint64_t site);
/** The same, but where the function round the call hands the result up, what that function's caller does
 * counts: true when anybody takes it. */
bool symbols_result_is_seen(Symbols *symbols, uint64_t site);
