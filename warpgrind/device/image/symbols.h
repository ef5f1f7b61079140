/* symbols.h - from a host call site to a line of the user's source.
 *
 * A site is a number the device gives to the return addresses of a call and of the functions around it. Which
 * of them names the user's line is found out only when somebody asks: a call that a header's wrapper made is
 * the wrapper's caller's, and one that Thrust or CUB made is that of whoever uses them. Addresses come from
 * the program; lines come from its file, mapped before lock-down and read by a process of its own, since
 * debug information can be written to harm.
 */
#pragma once

#include "check/check.h"

typedef struct Symbols Symbols;

/** Maps the program's file. NULL `program`, or a file without debug lines: a Symbols that knows nothing. NULL
 * without memory. */
Symbols *symbols_open(const char *program);
void symbols_close(Symbols *symbols);
/** Return addresses, relative to the load base: of the call, and from the function around it upwards; 0: not
 * known. */
enum { SYMBOLS_CALLERS = 24 };
typedef struct SymbolsCall {
    uint64_t address, callers[SYMBOLS_CALLERS];
} SymbolsCall;

/** The site for these addresses; 0 for none, or when there are too many. */
uint64_t symbols_site(Symbols *symbols, const SymbolsCall *call);
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
