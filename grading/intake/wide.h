/* wide.h - UTF-16 as UTF-8: some systems give tables in it, Blackboard among them, and spreadsheets save it
 * as "Unicode text". */
#pragma once

#include "base/text.h"

/** Whether the bytes begin with UTF-16's mark. */
bool wide_is(const char *bytes, size_t length);
/** Adds what follows the mark as UTF-8; half a character becomes U+FFFD. */
void wide_add(Text *text, const char *bytes, size_t length);
