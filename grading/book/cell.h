/* cell.h - text in the columns of a terminal's table: as wide as it is shown, not as long as its bytes. */
#pragma once

#include "base/text.h"

/** The columns that printable UTF-8 takes on a terminal. */
size_t cell_width(const char *text);
/** Adds as much of printable UTF-8 as fits, and blanks up to the width. */
void cell_add(Text *out, const char *text, size_t width);
