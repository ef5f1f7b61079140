/* seed.h - the draw of a secret seed, from which a grading makes its hidden inputs. */
#pragma once

#include "base/diag.h"

/** A number below 2^48, so that every reader of JSON keeps it exactly; false with an error. */
bool seed_draw(long *seed, Diagnostics *diagnostics);
