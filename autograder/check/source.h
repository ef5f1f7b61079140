/* source.h - looking into the student's source text: single lines, and where a function is defined.
 *
 * This is a reading for the sake of messages, never for a verdict: it skips comments and strings but knows no
 * macros. Only what tells whether lines can be believed decides something, and that skips nothing.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/** Line `line` (from 1) without its end; its length in *length; NULL when there is none. */
const char *source_line(const char *text, int line, size_t *length);
/** The line of `name(...) {`, 0 when there is none. */
int source_find_definition(const char *text, const char *name);
/** The first line that assigns to a __constant__ variable of this text by its name; 0 when none does. The
 * name is put into `name` (`room` bytes). */
int source_find_constant_assignment(const char *text, char *name, size_t room);
/** The line that declares the first __constant__ variable of this text that gets no value there and is used
 * further on; 0 when there is none. The name is put into `name` (`room` bytes). */
int source_find_unset_constant(const char *text, char *name, size_t room);
/** The first line that uses the word, outside comments and strings; 0 when none does. */
int source_find_word(const char *text, const char *name);
/** Whether the text may give code another file or line than it has: it has a #line directive, inline assembly
 * (.loc), or what could make either (##). Also where that stands in a string or comment, which can be told
 * apart by a compiler only. */
bool source_forges_lines(const char *text);
