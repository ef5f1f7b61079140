/* cells.h - what the tables for other gradebooks share: cells of a CSV file, and what a roster's line says.
 *
 * A cell begins with the comma that parts it from the one before, and what people wrote is harmless in it
 * (escape.h). A student's line of the roster is kept as JSON, a pair of header and text for each column.
 */
#pragma once

#include "grading/out/named.h"
#include "grading/out/out.h"

void cells_text(Text *out, const char *text);
void cells_number(Text *out, double number);
/** The remarks on a grade, which are one line here. */
void cells_remarks(Text *out, const Grade *grade);
/** The same without a cell around it. */
void cells_add_remarks(Text *out, const Grade *grade);
/** The parts of "Last, First" or "First Last"; NULL is nobody's name. */
void cells_split_name(const char *name, Arena *arena, const char **first, const char **last);
bool cells_has(const char *text);

/** A student's line of the roster; NULL: none. The caller puts it. */
struct json_object *cells_line_of(const ExportJob *job, const ClassStudent *student);
/** A cell of a line: its header (part 0) or its text (1). */
const char *cells_line_text(struct json_object *line, size_t column, size_t part);
/** The place of a column; -1: none. */
long cells_find_column(struct json_object *line, const char *name);

/** Warns of students without a line, where the roster is the system's own download: it has nobody by what a
 * folder is called, or somebody else. */
void cells_warn_of_strangers(const ExportJob *job, const char *system, const Named *named);

/** Warns of students who have files of no lesson, for a system that has no room for remarks. */
void cells_warn_of_unplaced(const ExportJob *job, const char *system);
