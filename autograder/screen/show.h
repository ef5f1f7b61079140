/* show.h - a result as people read it, in a terminal or a page. */
#pragma once

#include "base/arena.h"
#include "base/text.h"

#include <json-c/json.h>

/** What the terminal can show. */
typedef struct ShowStyle {
    bool colour;
    bool unicode;   /**< the terminal shows UTF-8 */
    unsigned width; /**< columns to wrap at */
    unsigned rows;  /**< of the terminal; 0: there is none, and everything is shown */
} ShowStyle;

/** The style for the terminal at `fd`: colours as NO_COLOR and its relatives say, width and rows from COLUMNS
 * and LINES or the terminal. */
ShowStyle show_style(int fd, const char *colour_mode);
/** The last step of all that goes to a screen: the colours of these functions stay, and whatever else a
 * terminal would obey is made visible. Texts of others have been made so where they were put in; this holds
 * for one that was forgotten, too. */
void show_guarded(const Text *text, Text *out);
/** The whole result; `source` is the student's file, for the lines that findings name. */
void show_result(struct json_object *result, const char *source, const ShowStyle *style, Text *out);
/** What a card says beside the software GPU's result: its member `card`, where it was asked. Nothing where it
 * was not. */
void show_card(struct json_object *result, const ShowStyle *style, Text *out);
/** Of a card's result: the case in which the course's solution takes longest; NULL: it has no time. */
struct json_object *show_timed_case(struct json_object *card);
/** Whether a case that the solution has a time of has one of its own, and a right answer. */
bool show_has_time(struct json_object *timed);
/** Why no time of a card's result may count by the rules of a course; NULL when one may. `card` NULL: no card
 * was asked. */
const char *show_untimed(struct json_object *card, Arena *arena);
/** How the time of such a case compares with the solution's, and for how many percent of the points it
 * counts.
 */
const char *show_timed(struct json_object *timed, double percent, Arena *arena);
/** What an item of a grade is called whose points go by the time, and who gives them. */
const char *show_time_item(void);
const char *show_time_author(void);
/** The line of the source that a finding names, with a caret under its column, then the other party's. */
void show_finding_lines(struct json_object *finding, const char *source, const ShowStyle *style, Text *out);
/** A paragraph wrapped to the width; lines that begin with four spaces (code) stay as they are. */
void show_paragraph(const char *text, const char *indentation, const ShowStyle *style, Text *out);
