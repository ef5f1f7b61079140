/* lines.h - counts per source line: what `warpgrind --annotate` writes in the margin. */
#pragma once

#include "check/findings/parts.h"

enum { LINES_MAX = 4096 };

typedef struct LineRow {
    const char *file, *function;
    int line;
#define LINE(name, what) uint64_t name;
#include "check/counts/lines.def"
#undef LINE
} LineRow;

bool lines_create(Check *check);
void lines_destroy(Lines *lines);
GpuObserver lines_observer(Check *check);
void lines_on_access(Check *check, const GpuAccess *access);
/** The rows in the order of their first execution; NULL past the last. */
const LineRow *lines_row(const Lines *lines, unsigned index);
