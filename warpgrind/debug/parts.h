/* parts.h - what the terminal's files share: its state, and how a stop, a list of lines and a table look. */
#pragma once

#include "base/arena.h"
#include "debug/place.h"
#include "debug/terminal.h"

enum { TERMINAL_POINTS = 65 };

/** A breakpoint or watchpoint that nothing has come to yet, or one that has stopped a run. */
typedef enum TerminalPoint { POINT_NEW = '!', POINT_UNCHANGED = '?', POINT_HIT = ' ' } TerminalPoint;

struct Terminal {
    Session *session;
    json_object *stop;             /**< the last one */
    long listed;                   /**< the last line that was listed; 0: none */
    long frame;                    /**< that names are looked up in */
    char *points[TERMINAL_POINTS]; /**< by number, as they were asked for, behind a TerminalPoint */
    char *changed;                 /**< the source that was said to have been changed last; NULL: none */
    char *screen; /**< what lanes show of themselves on it, "": their lines; NULL: there is none */
    int head;     /**< lines above the screen, which say why the run has stopped */
    bool quits;
};

/** The answer, or NULL after saying why there is none. Takes over the question; the caller puts the answer.
 */
json_object *terminal_ask(Terminal *terminal, json_object *question);

/* show.c */
/** "thread (3,0,0) of block (0,0,0) in k at t.cu:22", and the line where nothing else shows it. */
void show_place(json_object *place, bool line);
void show_stop(Terminal *terminal, json_object *stop);
/** Words that end before the terminal's last column, further lines indented; where nobody sees it, one line.
 * How many lines there are. */
int show_wrapped(const char *words, int indentation);
/** What somebody else says without a capital letter and full stop. */
void show_sentence(const char *words);
/** Source, locals and lanes around where the thread is, in 22 lines of 80 columns with those above. */
void show_screen(Terminal *terminal);
void show_lines(const char *file, long first, long last, long current);
void show_locals(json_object *answer);
void show_lanes(json_object *answer);
void show_blocks(json_object *answer);
void show_frames(json_object *answer);
/** One of them, by its number. */
void show_frame(json_object *frames, size_t number);
