/* counters.h - what is counted of a launch (counters.def), and the observer that counts. */
#pragma once

#include "check/findings/parts.h"

typedef struct Counters {
#define COUNTER(name, what) uint64_t name;
#include "check/counts/counters.def"
#undef COUNTER
} Counters;

bool counters_create(Check *check);
void counters_destroy(Notes *notes);
GpuObserver counters_observer(Check *check);
/** The program has ended: tells what can only be told then. */
void counters_end(Check *check);
void counters_on_access(Check *check, const GpuAccess *access);
/** The short way, for an access whose shape is not ACCESS_ANY: counts it; false when that is not possible. */
bool counters_count_plain(Check *check, const GpuAccess *access);
