/* show_parts.h - what the files of show share: words in colours, wrapped to the terminal, and the cases. */
#pragma once

#include "autograder/check/result.h"
#include "autograder/screen/show.h"

/** What a colour means; the colours themselves are show_words.c's. */
typedef enum ShowTone { TONE_GOOD, TONE_BAD, TONE_NOTE, TONE_STRONG, TONE_FAINT } ShowTone;

/** Text in a colour, where the style has colours; control characters are made visible. */
void show_toned(const ShowStyle *style, ShowTone tone, const char *text, Text *out);
/** Words from column `used` on, wrapped to the width; further lines begin with the indentation. */
void show_words(const char *line, size_t length, size_t used, const char *indentation, const ShowStyle *style,
                Text *out);
/** One line from column `used` on; what does not fit is cut off at a blank, and "..." says so. */
void show_cut(const Text *line, size_t used, const ShowStyle *style, Text *out);
/** Lines of text that ends with a newline. */
unsigned show_lines(const Text *text);
/** The mark of a case that passed, failed or was not run; the column after it. */
unsigned show_mark(struct json_object *entry, const ShowStyle *style, Text *out);
/** Of a case, or of what a card made of it. */
bool show_has_verdict(struct json_object *object, const char *verdict);
/** Whether none of the cases was run. */
bool show_nothing_ran(struct json_object *cases);
/** What a card made of the cases, of a result that is the card's own: times in place of points. */
void show_card_alone(struct json_object *card, const ShowStyle *style, Text *out);
/** The cases of a result, each one on a line if the screen has room for that; see show_cases.c. */
void show_cases(struct json_object *result, const ShowStyle *style, Text *out);
