/* terminal.h - a terminal for programs that show a screen and take single keys: watch is the one.
 *
 * Between terminal_open and terminal_leave the terminal is in its other screen, lines are not wrapped, and
 * keys come without Enter and without echo. Everything works in 80 x 24, without colours, over ssh: the
 * sequences used are those of the VT100 and of every terminal since.
 */
#pragma once

#include "base/diag.h"

#include <termios.h>

/** A key is its ASCII character, or one of these. */
typedef enum TerminalKey {
    KEY_NONE = 0,
    KEY_INTERRUPT = 3, /**< Ctrl-C */
    KEY_BACKSPACE = 8,
    KEY_ENTER = 13,
    KEY_ESCAPE = 27,
    KEY_UP = 256,
    KEY_DOWN,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_HOME,
    KEY_END,
    KEY_OTHER /**< one that is not known */
} TerminalKey;

/** The terminal while `make watch` draws on it. */
typedef struct Terminal {
    struct termios before; /**< as the shell had it */
    unsigned rows, columns;
    bool colour, unicode;
    unsigned char bytes[256]; /**< typed, and not taken yet */
    size_t count;
} Terminal;

/** False with a diagnostic when stdin and stdout are no terminal that can show a screen. */
bool terminal_open(Terminal *terminal, const char *colour_mode, Diagnostics *diagnostics);
/** The screen and the modes of the shell: for good, or while another program has the terminal. */
void terminal_leave(Terminal *terminal);
void terminal_enter(Terminal *terminal);
/** Reads the size anew. */
void terminal_measure(Terminal *terminal);
/** Takes in what was typed; stdin should be readable. False at its end. */
bool terminal_read(Terminal *terminal);
/** The next key of those read, or KEY_NONE. */
int terminal_key(Terminal *terminal);
/** Shows lines from the first row on, and nothing below them. Lines too long are cut by the terminal. */
void terminal_show(Terminal *terminal, const Text *lines);
