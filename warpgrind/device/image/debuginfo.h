/* debuginfo.h - reading a program's file: lines of addresses, code bytes, types.
 *
 * The file's debug sections may be written by hand to harm whoever reads them, and libdw follows them without
 * bounds of its own. So this is used in a process that does nothing else and may die (symbols.c).
 */
#pragma once

#include "check/check.h"

typedef struct DebugInfo DebugInfo;

/** The image stays the caller's, writable and mapped for as long as this is used. NULL without memory. */
DebugInfo *debuginfo_open(void *image, size_t bytes);
/** The user's line of the call that returns to this address (relative to the load base); false when unknown.
 */
bool debuginfo_place(DebugInfo *info, uint64_t address, CheckPlace *place);
/** Whether that call stands in a destructor. */
bool debuginfo_in_destructor(DebugInfo *info, uint64_t address);
/** As CheckHostElement; the layout lives as long as `info`. */
bool debuginfo_element(DebugInfo *info, const char *kernel, unsigned parameter, CheckElement *element);
/** As symbols_result_is_used. */
bool debuginfo_result_is_used(DebugInfo *info, uint64_t address, uint64_t outer);
/** As symbols_result_is_seen. */
bool debuginfo_result_is_seen(DebugInfo *info, uint64_t address, uint64_t outer);
