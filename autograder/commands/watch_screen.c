/* watch_screen.c - the screen of watch: how far the course is, the verdict, a pane for hints, a line that
 * says what goes on, the keys.
 *
 * The verdict has the room that the others leave, and is scrolled. Its first screen is what matters: the
 * heading, the cases, the first finding.
 */
#include "autograder/commands/watch_parts.h"
#include "base/minmax.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { HEAD_ROWS = 2, FOOT_ROWS = 2 };

static void add_styled(const Watch *watch, const char *style, const char *text, Text *out) {
    if (watch->terminal.colour) text_add(out, style);
    text_add(out, text);
    if (watch->terminal.colour) text_add(out, "\x1b[0m");
}

/* "[████░░░░] 3 of 14 passed". */
static void add_progress(const Watch *watch, Text *out) {
    enum { BAR = 20 };
    size_t passed = 0, count = watch->course.count;
    for (size_t i = 0; i < count; i++)
        passed += watch->progress.entries[i].passed;
    size_t filled = 0;
    if (count > 0) filled = (passed * BAR + count - 1) / count; /* the first lesson shows, too */
    static const char *const cells[2][2] = {{"-", "#"}, {"░", "█"}};
    text_add(out, "[");
    for (size_t i = 0; i < BAR; i++)
        text_add(out, cells[watch->terminal.unicode][i < filled]);
    text_add(out, "] ");
    say_learner(out, LEARNER_PASSED, &(LearnerFacts){.passed = passed, .count = count});
}

static unsigned lines_of(const Text *text) {
    unsigned lines = 0;
    for (size_t i = 0; i < text->length; i++)
        lines += text->bytes[i] == '\n';
    return lines + (text->length > 0 && text->bytes[text->length - 1] != '\n');
}

static const char *line_at(const char *text, unsigned line) {
    for (; line > 0 && *text != '\0'; line--) {
        text += strcspn(text, "\n");
        if (*text == '\n') text++;
    }
    return text;
}

/* The bytes of a colour, "\x1b[1;31m"; 0 where there is none. */
static size_t colour_length(const char *at, size_t length) {
    if (*at != '\x1b') return 0;
    size_t end = strcspn(at, "m");
    if (end < length) return end + 1;
    return length;
}

/* What a line is wide: tabs go to the next multiple of eight columns. */
static size_t width_of(const char *line, size_t length) {
    size_t column = 0;
    for (size_t i = 0; i < length;) {
        size_t colour = colour_length(line + i, length - i);
        if (colour == 0 && line[i] == '\t')
            column += 8 - column % 8;
        else if (colour == 0)
            column += ((unsigned char)line[i] & 0xC0) != 0x80;
        i += colour > 0 ? colour : 1;
    }
    return column;
}

/* Blanks for tabs, which would leave what stood there before. A line that is too long ends with a mark, so
 * that nobody takes it for a whole one. */
static void add_line(const Watch *watch, const char *line, size_t length, Text *out) {
    size_t column = 0, columns = watch->terminal.columns;
    bool cut = width_of(line, length) > columns;
    for (size_t i = 0; i < length;) {
        size_t colour = colour_length(line + i, length - i), stop = line[i] == '\t' ? 8 - column % 8 : 1;
        bool begins = colour == 0 && ((unsigned char)line[i] & 0xC0) != 0x80;
        if (cut && begins && column + stop >= columns) break;
        if (colour == 0 && line[i] == '\t')
            text_format(out, "%*s", (int)stop, "");
        else
            text_append(out, line + i, colour > 0 ? colour : 1);
        if (begins) column += stop;
        i += colour > 0 ? colour : 1;
    }
    if (!cut) return;
    if (watch->terminal.colour) text_add(out, "\x1b[0m");
    text_add(out, watch->terminal.unicode ? "…" : ">");
}

/* `rows` lines of the text from line `from` on; empty ones where it has no more. */
static void add_rows(const Watch *watch, const Text *text, unsigned from, unsigned rows, Text *out) {
    const char *line = line_at(text->length > 0 ? text->bytes : "", from);
    for (unsigned i = 0; i < rows; i++) {
        size_t length = strcspn(line, "\n");
        add_line(watch, line, length, out);
        text_add(out, "\n");
        line += length + (line[length] == '\n');
    }
}

static void add_pane(const Watch *watch, unsigned rows, Text *out) {
    if (rows == 0) return;
    for (unsigned i = 0; i < watch->terminal.columns; i++)
        text_add(out, watch->terminal.unicode ? "─" : "-");
    text_add(out, "\n");
    add_rows(watch, &watch->pane, 0, rows - 1, out);
}

/* What goes on: a question, else the check, else what a key did, else how the last check went. */
static void add_status(const Watch *watch, unsigned shown, unsigned lines, Text *out) {
    char seconds[32];
    Text status = text_new();
    snprintf(seconds, sizeof seconds, "%" PRId64 ".%02" PRId64, watch->took / 1000, watch->took % 1000 / 10);
    const WatchFacts facts = {.unicode = watch->terminal.unicode,
                              .passed = watch->passed,
                              .seconds = seconds,
                              .first = watch->scroll + 1,
                              .last = watch->scroll + shown,
                              .lines = lines};
    if (watch->check != 0)
        say_watch(&status, WATCH_CHECKING, &facts);
    else if (watch->said.length > 0)
        text_append(&status, watch->said.bytes, watch->said.length);
    else
        say_watch(&status, watch->seen.there ? WATCH_CHECKED : WATCH_GONE, &facts);
    if (shown < lines && !watch->list.shown && watch->said.length == 0)
        say_watch(&status, WATCH_LINES, &facts);
    else if (watch->check == 0 && watch->said.length == 0 && watch->seen.there && !watch->passed)
        say_watch(&status, WATCH_SAVE, &facts);
    Text line = text_new();
    add_line(watch, status.bytes, status.length, &line);
    add_styled(watch, watch->check != 0 || watch->asking ? "\x1b[1;36m" : "\x1b[2m", line.bytes, out);
    text_add(out, "\n");
    text_free(&line);
    text_free(&status);
}

static void add_head(const Watch *watch, Text *out) {
    add_progress(watch, out);
    text_add(out, "   ");
    add_styled(watch, "\x1b[1m", watch->lesson->name, out);
    text_add(out, "\n\n");
}

/* Head, verdict or list, a pane for hints, a line of state, and the keys. The pane takes two thirds of the
 * middle at most. */
void watch_draw(Watch *watch) {
    unsigned rows = watch->terminal.rows, around = HEAD_ROWS + FOOT_ROWS;
    unsigned body = rows > around ? rows - around : 1, pane = 0, lines = lines_of(&watch->verdict);
    if (watch->pane.length > 0 && !watch->list.shown) {
        pane = lines_of(&watch->pane) + 1;
        if (pane > body * 2 / 3) pane = body * 2 / 3;
    }
    unsigned shown = MIN(body - pane, lines);
    watch->scrollable = lines - shown;
    if (watch->scroll > watch->scrollable) watch->scroll = watch->scrollable;
    Text out = text_new();
    add_head(watch, &out);
    if (watch->list.shown) {
        watch_list_draw(watch, body, &out);
    } else {
        add_rows(watch, &watch->verdict, watch->scroll, body - pane, &out);
        add_pane(watch, pane, &out);
    }
    add_status(watch, shown, lines, &out);
    const char *keys = "n next  h hint  l list  r run  x reset  t picture  e edit  q quit";
    if (watch->list.shown) keys = watch_list_keys(watch);
    add_line(watch, keys, strlen(keys), &out);
    terminal_show(&watch->terminal, &out);
    text_free(&out);
    watch->dirty = false;
}
