/* show.c - stops, lines of the source and tables, for a terminal of 80 columns. */
#include "debug/parts.h"

#include "base/minmax.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_SOURCE = 4 << 20, COLUMNS = 80, SCREEN_COLUMNS = 4, BESIDE_CELL = 4 };

/* ---- words ---- */

static void print(Text *text) {
    fwrite(text->bytes, 1, text->length, stdout);
    text_free(text);
}

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash != NULL) return slash + 1;
    return path;
}

int show_wrapped(const char *words, int indentation) {
    int lines = 1;
    const size_t room = COLUMNS - 1;
    size_t used = 0;
    bool wraps = isatty(STDOUT_FILENO) != 0;
    while (wraps && strlen(words) + used > room) {
        size_t cut = room - used;
        while (cut > 0 && words[cut] != ' ')
            cut--;
        if (cut == 0 || strspn(words, " ") >= cut) break;
        printf("%.*s\n%*s", (int)cut, words, indentation, "");
        words += cut + 1;
        used = (size_t)indentation;
        lines++;
    }
    puts(words);
    return lines;
}

void show_sentence(const char *words) {
    const size_t length = strlen(words);
    if (length == 0) return;
    printf("%c%s%s\n", toupper((unsigned char)words[0]), words + 1, words[length - 1] == '?' ? "" : ".");
}

/* ---- the source ---- */

/** Why there are no lines. */
static void add_no_lines(Text *out, const char *file, long number, int error) {
    const char *name = file_name(file);
    text_format(out, "%ld\t", number);
    if (error != 0)
        text_format(out, "%s cannot be read: %s\n", name, strerror(error));
    else
        text_format(out, "%s has no such line\n", name);
}

/** The lines with numbers; where there are none, why. */
void show_lines(const char *file, long first, long last, long current) {
    Text source = text_new(), out = text_new();
    errno = 0;
    bool fine = text_read_file(&source, file, LONGEST_SOURCE);
    int error = errno;
    if (fine) error = 0;
    if (!fine) text_clear(&source);
    const char *line = source.bytes;
    for (long number = 1; number <= last && *line != '\0'; number++) {
        const char *end = strchr(line, '\n');
        size_t length;
        if (end != NULL)
            length = (size_t)(end - line);
        else
            length = strlen(line);
        if (number >= first) {
            text_format(&out, "%ld%s\t", number, number == current && first != last ? " =>" : "");
            text_add_visible(&out, line, length);
            text_add(&out, "\n");
        }
        line += length + (end != NULL);
    }
    if (out.length == 0) add_no_lines(&out, file, first, error);
    print(&out);
    text_free(&source);
}

/* ---- places and stops ---- */

/** Once for each source that one comes to. How many lines that are. */
static int show_changed(Terminal *terminal, json_object *place) {
    const char *file = json_text(place, "file", "");
    int lines = 0;
    Text words = text_new();
    session_say_changed(place, &words);
    if (words.length > 0 && !text_same(terminal->changed, file)) {
        lines = show_wrapped(words.bytes, 2);
        free(terminal->changed);
        terminal->changed = strdup(file);
    }
    text_free(&words);
    return lines;
}

void show_place(json_object *place, bool line_too) {
    Text out = text_new();
    const char *file = json_text(place, "file", ""), *function = json_text(place, "function", NULL);
    const long line = json_number(place, "line", 0);
    if (json_array(place, "thread") != NULL) {
        text_add(&out, "thread ");
        place_add_dim(&out, json_array(place, "thread"));
        text_add(&out, " of block ");
        place_add_dim(&out, json_array(place, "block"));
        if (function == NULL)
            text_format(&out, " of %s: %s", json_text(place, "kernel", ""), json_text(place, "state", ""));
    }
    if (function != NULL && json_array(place, "thread") != NULL) text_add(&out, " in ");
    if (function != NULL) text_format(&out, "%s at %s:%ld", function, file_name(file), line);
    if (out.length > 0) text_add(&out, ", ");
    text_format(&out, "step %ld\n", json_number(place, "step", 0));
    print(&out);
    if (line > 0 && line_too) show_lines(file, line, line, line);
}

/** How many lines that are. */
static int show_finding(json_object *finding) {
    int lines = 0;
    static const char *const parties[] = {"party", "other"};
    for (size_t i = 0; i < 2; i++) {
        json_object *party = json_member(finding, parties[i]);
        if (party == NULL || json_array(party, "thread") == NULL) continue; /* the place says it */
        Text out = text_new();
        text_add(&out, i == 0 ? "  this thread" : "  the other is thread ");
        if (i == 1) {
            place_add_dim(&out, json_array(party, "thread"));
            text_add(&out, " of block ");
            place_add_dim(&out, json_array(party, "block"));
        }
        text_format(&out, ": a %s at line %ld%s", json_text(party, "what", ""), json_number(party, "line", 0),
                    i == 1 ? " (other goes there)" : "");
        lines += show_wrapped(out.bytes, 4);
        text_free(&out);
    }
    return lines;
}

static void show_end(json_object *stop) {
    Text words = text_new();
    session_say_end(stop, &words);
    printf("%s rc goes back.\n", words.bytes);
    text_free(&words);
}

static void say_unreached(const Terminal *terminal) {
    for (int i = 1; i < TERMINAL_POINTS; i++) {
        const char *point = terminal->points[i];
        if (point != NULL && point[0] == POINT_NEW)
            printf("Breakpoint %d at %s was not reached.\n", i, point + 1);
        if (point != NULL && point[0] == POINT_UNCHANGED)
            printf("Watchpoint %d: %s has not changed.\n", i, point + 1);
    }
}

/** No thread runs yet: what is launched is all there is to see. */
static void show_launch(json_object *stop) {
    Text out = text_new();
    text_format(&out, "Launch %ld: %s<<<", json_number(stop, "launch", 0), json_text(stop, "kernel", ""));
    place_add_dim(&out, json_array(stop, "grid"));
    text_add(&out, ", ");
    place_add_dim(&out, json_array(stop, "extent"));
    text_format(&out, ">>>, step %ld\n", json_number(stop, "step", 0));
    print(&out);
}

static int show_message(json_object *stop, const char *message) {
    Text words = text_new();
    if (strcmp(json_text(stop, "reason", ""), "changed") == 0)
        text_format(&words, "Watchpoint %ld: ", json_number(stop, "number", 0));
    text_add(&words, message);
    const int lines = show_wrapped(words.bytes, 2);
    text_free(&words);
    return lines;
}

void show_stop(Terminal *terminal, json_object *stop) {
    const char *reason = json_text(stop, "reason", ""), *message = json_text(stop, "message", NULL);
    if (strcmp(reason, "ended") == 0) {
        show_end(stop);
        say_unreached(terminal);
        return;
    }
    if (strcmp(reason, "launch") == 0) {
        show_launch(stop);
        return;
    }
    if (strcmp(reason, "beginning") == 0) puts("No earlier stop: this is the beginning of the run.");
    if (strcmp(reason, "interrupted") == 0) puts("Interrupted.");
    if (strcmp(reason, "thread-ended") == 0) puts("The thread's block has ended.");
    terminal->head = 0;
    if (message != NULL) terminal->head += show_message(stop, message);
    if (json_member(stop, "finding") != NULL) terminal->head += show_finding(json_member(stop, "finding"));
    terminal->head += show_changed(terminal, stop);
    const long point = json_number(stop, "breakpoint", 0);
    if (point > 0) printf("Breakpoint %ld, ", point);
    show_place(stop, terminal->screen == NULL);
}

/* ---- tables ---- */

static const char *value_of(json_object *row) {
    return json_text(row, "value", json_text(row, "error", ""));
}

/** Among others a long value is cut: whoever wants the rest asks for it alone. */
static void show_local(const char *name, const char *value) {
    enum { MOST = 3 * COLUMNS };
    const size_t length = strlen(value);
    if (length <= MOST)
        printf("%s = %s\n", name, value);
    else
        printf("%s = %.*s... (p %s shows more)\n", name, (int)text_whole_characters(value, MOST), value,
               name);
}

void show_locals(json_object *answer) {
    json_object *list = json_array(answer, "variables");
    size_t count = json_length(list);
    if (count == 0) puts("No locals.");
    for (size_t i = 0; i < count; i++) {
        json_object *row = json_object_array_get_idx(list, i);
        const char *error = json_text(row, "error", NULL);
        if (error != NULL)
            printf("%s = <%s>\n", json_text(row, "name", ""), error);
        else
            show_local(json_text(row, "name", ""), json_text(row, "value", ""));
    }
}

/** What a lane shows: its value, or where it is. */
static void lane_text(json_object *row, Text *cell) {
    const long line = json_number(row, "line", 0);
    const char *value = value_of(row);
    text_clear(cell);
    if (*value != '\0')
        text_add(cell, value);
    else if (line > 0)
        text_format(cell, "line %ld", line);
    else
        text_add(cell, json_text(row, "state", ""));
}

/** An asterisk stands at a lane that takes part in the instruction. */
static void add_lane(Text *out, json_object *row, unsigned long active, int width) {
    const long lane = json_number(row, "lane", 0);
    Text cell = text_new();
    lane_text(row, &cell);
    text_format(out, "%2ld%c%-*.*s ", lane, (active >> lane & 1) != 0 ? '*' : ' ', width, width, cell.bytes);
    text_free(&cell);
}

/** So many lanes in each row of the screen. */
static void lane_rows(json_object *answer, size_t columns) {
    json_object *list = json_array(answer, "lanes");
    size_t count = json_length(list);
    const unsigned long active = strtoul(json_text(answer, "active", "0"), NULL, 16);
    const int width = COLUMNS / (int)columns - BESIDE_CELL;
    if (count == 0) puts("The thread's block is not running now.");
    for (size_t i = 0; i < count; i += columns) {
        Text out = text_new();
        for (size_t k = i; k < i + columns && k < count; k++)
            add_lane(&out, json_object_array_get_idx(list, k), active, width);
        while (out.length > 0 && out.bytes[out.length - 1] == ' ')
            out.bytes[--out.length] = '\0';
        text_add(&out, "\n");
        print(&out);
    }
    if (count > 0) printf("* takes part in the instruction: mask 0x%08lx\n", active);
}

/** What no lane has a value for, all for one reason; NULL: some have one. */
static const char *common_error(json_object *list) {
    size_t count = json_length(list);
    const char *first = NULL;
    if (count > 0) first = json_text(json_object_array_get_idx(list, 0), "error", NULL);
    for (size_t i = 1; first != NULL && i < count; i++)
        if (strcmp(json_text(json_object_array_get_idx(list, i), "error", ""), first) != 0) return NULL;
    return first;
}

/** Four lanes in a row, or as few as their values leave room for. */
void show_lanes(json_object *answer) {
    json_object *list = json_array(answer, "lanes");
    const char *error = common_error(list);
    size_t longest = 0, columns = SCREEN_COLUMNS;
    Text cell = text_new();
    if (error != NULL) {
        show_sentence(error);
        return;
    }
    JSON_EACH(entry, list) {
        lane_text(entry, &cell);
        longest = MAX(longest, cell.length);
    }
    text_free(&cell);
    while (columns > 1 && longest > COLUMNS / columns - BESIDE_CELL)
        columns /= 2;
    lane_rows(answer, columns);
}

static void show_warp(json_object *block, json_object *warp) {
    Text out = text_new();
    const char *file = json_text(warp, "file", "");
    text_add(&out, "block ");
    place_add_dim(&out, block);
    text_format(&out, " warp %-2ld %2ld threads, %s", json_number(warp, "warp", 0),
                json_number(warp, "alive", 0), json_text(warp, "state", ""));
    if (*file != '\0') text_format(&out, ", %s:%ld", file_name(file), json_number(warp, "line", 0));
    text_add(&out, "\n");
    print(&out);
}

void show_blocks(json_object *answer) {
    json_object *blocks = json_array(answer, "blocks");
    size_t count = json_length(blocks);
    if (count == 0) puts("No kernel is running now.");
    for (size_t i = 0; i < count; i++) {
        json_object *row = json_object_array_get_idx(blocks, i), *warps = json_array(row, "warps");
        for (size_t w = 0; w < json_object_array_length(warps); w++)
            show_warp(json_array(row, "block"), json_object_array_get_idx(warps, w));
    }
    const long total = json_number(answer, "total", 0);
    if (total > (long)count) printf("%ld more blocks\n", total - (long)count);
}

void show_frame(json_object *frames, size_t number) {
    json_object *row = json_object_array_get_idx(frames, number);
    printf("#%zu  %s at %s:%ld\n", number, json_text(row, "function", ""),
           file_name(json_text(row, "file", "")), json_number(row, "line", 0));
}

void show_frames(json_object *answer) {
    json_object *list = json_array(answer, "frames");
    size_t count = json_length(list);
    if (count == 0) puts("The thread is in no function now.");
    for (size_t i = 0; i < count; i++)
        show_frame(list, i);
}

/* ---- all at once ---- */

enum { SCREEN_SOURCE = 7, SCREEN_LEAST = 3, SCREEN_LOCALS = 4 };

/** A line of the terminal's width: what is behind that is left out. */
static void print_cut(const char *bytes, size_t length) {
    const size_t room = COLUMNS - 1;
    Text out = text_new();
    if (length > room) length = text_whole_characters(bytes, room);
    text_add_visible(&out, bytes, length);
    text_add(&out, "\n");
    print(&out);
}

static void screen_source(const char *file, long current, int lines) {
    Text source = text_new(), line = text_new();
    if (!text_read_file(&source, file, LONGEST_SOURCE)) text_clear(&source);
    const char *at = source.bytes;
    const long first = MAX(current - lines / 2, 1);
    for (long number = 1; number < first + lines && *at != '\0'; number++) {
        const size_t length = strcspn(at, "\n");
        text_clear(&line);
        text_format(&line, "%5ld %s ", number, number == current ? "=>" : "  ");
        for (size_t i = 0; i < length; i++)
            text_append(&line, at[i] == '\t' ? "    " : at + i, at[i] == '\t' ? 4 : 1);
        if (number >= first) print_cut(line.bytes, line.length);
        at += length + (at[length] != '\0');
    }
    text_free(&source);
    text_free(&line);
}

/** What does not fit beside those before it begins a line. False: there is no line left. */
static bool add_beside(Text *line, int *lines, const Text *words) {
    bool fits = line->length == 0 || line->length + 2 + words->length < COLUMNS;
    if (!fits) {
        print_cut(line->bytes, line->length);
        text_clear(line);
        if (++*lines == SCREEN_LOCALS) return false;
    }
    if (line->length > 0) text_add(line, "  ");
    text_append(line, words->bytes, words->length);
    return true;
}

/** As many as there is room for, side by side; the last line says how many more there are. */
static void screen_locals(json_object *answer) {
    json_object *list = NULL;
    if (answer != NULL) list = json_array(answer, "variables");
    size_t count = json_length(list);
    Text line = text_new(), words = text_new();
    int lines = 0;
    size_t i = 0;
    for (; i < count; i++) {
        json_object *row = json_object_array_get_idx(list, i);
        text_clear(&words);
        text_format(&words, "%s = %s", json_text(row, "name", ""), value_of(row));
        if (!add_beside(&line, &lines, &words)) break;
    }
    if (line.length > 0) print_cut(line.bytes, line.length);
    if (i < count) printf("%zu more: info locals\n", count - i);
    text_free(&line);
    text_free(&words);
}

void show_screen(Terminal *terminal) {
    const char *file = json_text(terminal->stop, "file", "");
    const long line = json_number(terminal->stop, "line", 0);
    if (line <= 0) {
        puts("The thread is at no line now.");
        return;
    }
    screen_source(file, line, MAX(SCREEN_SOURCE - terminal->head, SCREEN_LEAST));
    terminal->head = 0;
    json_object *locals = session_question("locals", NULL), *lanes = session_question("lanes", NULL);
    json_put_number(locals, "frame", terminal->frame);
    if (*terminal->screen != '\0') json_put_text(lanes, "expression", terminal->screen);
    json_object *answer = terminal_ask(terminal, locals);
    screen_locals(answer);
    json_object_put(answer);
    answer = terminal_ask(terminal, lanes);
    if (answer != NULL) lane_rows(answer, SCREEN_COLUMNS);
    json_object_put(answer);
}
