/* csv.h - a table as spreadsheets and learning systems write it: RFC 4180, and what they make of it.
 *
 * A byte order mark is skipped, and with UTF-16's the file is read as such; lines end in LF, CRLF or CR; the
 * separator is what a first line "sep=;" says, else the one of comma, semicolon and tab that the first line
 * has most of. Empty lines are left out.
 */
#pragma once

#include "base/diag.h"

/** A row that is not empty. */
typedef struct CsvRow {
    int line; /**< at which it begins, from 1 */
    const char **cells;
    size_t count;
} CsvRow;

/** A CSV file; rows may have different numbers of cells. */
typedef struct Csv {
    CsvRow *rows;
    size_t count;
} Csv;

enum { CSV_BYTES = 16 << 20, CSV_COLUMNS = 512 };

/** `shown` is what the file is called in errors. */
bool csv_read(Csv *csv, Arena *arena, const char *bytes, size_t length, const char *shown,
              Diagnostics *diagnostics);
