/* advise.h - what to do about a fault that is reported, beside the fault itself. */
#pragma once

#include "base/diag.h"

/** Gives the diagnostic a remedy, unless there was no memory for it; always false, so that what refuses can
 * end with it. */
static inline bool advise(Diagnostic *added, const char *remedy) {
    if (added != NULL) added->remedy = remedy;
    return false;
}
