/* terminal.c - a line of a terminal to a question of the session, and its answer to lines.
 *
 * Each row of terminal.def has a function do_NAME here. An empty line repeats a command that steps.
 */
#include "base/minmax.h"
#include "debug/parts.h"

#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 100000, LIST_LINES = 10 };

typedef void DoFunction(Terminal *terminal, char *arguments);

#define TERMINAL(function, names, arguments, summary) static DoFunction do_##function;
#include "debug/terminal.def"
#undef TERMINAL

static const struct {
    DoFunction *function;
    const char *names, *arguments, *summary;
} rows[] = {
#define TERMINAL(function, names, arguments, summary) {do_##function, names, arguments, summary},
#include "debug/terminal.def"
#undef TERMINAL
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

/* ---- asking ---- */

json_object *terminal_ask(Terminal *terminal, json_object *question) {
    Text error = text_new(), words = text_new();
    json_object *answer = session_get(terminal->session, question, &error);
    text_add_visible(&words, error.bytes, error.length);
    if (answer == NULL) show_sentence(words.bytes);
    text_free(&error);
    text_free(&words);
    return answer;
}

static void note_reached(Terminal *terminal, json_object *stop) {
    json_object *numbers = json_array(stop, "numbers");
    JSON_EACH(entry, numbers) {
        const int64_t number = json_object_get_int64(entry);
        if (number > 0 && number < TERMINAL_POINTS && terminal->points[number] != NULL)
            terminal->points[number][0] = POINT_HIT;
    }
}

/** Runs, and shows where that has led to. False: it did not run, or the program has ended. */
static bool run_question(Terminal *terminal, json_object *question, bool show) {
    json_object *stop = terminal_ask(terminal, question);
    if (stop == NULL) return false;
    json_object_put(terminal->stop);
    terminal->stop = stop;
    terminal->listed = terminal->frame = 0;
    note_reached(terminal, stop);
    const char *reason = json_text(stop, "reason", "");
    bool over = strcmp(reason, "ended") == 0;
    const bool shown = show || over || strcmp(reason, "step") != 0;
    if (shown) show_stop(terminal, stop);
    if (shown && !over && terminal->screen != NULL) show_screen(terminal);
    return strcmp(reason, "step") == 0 || strcmp(reason, "arrived") == 0;
}

/** So many times, as long as nothing else stops it; the last stop is shown. */
static void repeat(Terminal *terminal, const char *command, const char *aim, const char *arguments) {
    long count = 1;
    if (*arguments != '\0') count = strtol(arguments, NULL, 0);
    if (count < 1 || count > MOST_STEPS) {
        printf("From 1 to %d steps can be taken at once.\n", MOST_STEPS);
        return;
    }
    while (count-- > 0)
        if (!run_question(terminal, session_question(command, aim), count == 0)) return;
}

/* ---- running ---- */

static bool start(Terminal *terminal) {
    json_object *answer = terminal_ask(terminal, session_question("start", NULL));
    bool started = answer != NULL;
    json_object_put(answer);
    return started;
}

static void do_run(Terminal *terminal, char *arguments) {
    (void)arguments;
    if (start(terminal)) run_question(terminal, session_question("go", "stop"), true);
}

static void do_start(Terminal *terminal, char *arguments) {
    (void)arguments;
    if (!start(terminal)) return;
    json_object *question = session_question("focus", NULL);
    json_put_number(question, "block_number", 0);
    json_put_number(question, "thread_number", 0);
    json_object_put(terminal_ask(terminal, question));
    run_question(terminal, session_question("go", "line"), true);
}

/** Before it has been started the program's beginning is where to go on. */
static void do_go_on(Terminal *terminal, char *arguments) {
    (void)arguments;
    run_question(terminal, session_question("go", "stop"), true);
}

static void do_next(Terminal *terminal, char *arguments) {
    repeat(terminal, "go", "next", arguments);
}

static void do_step(Terminal *terminal, char *arguments) {
    repeat(terminal, "go", "line", arguments);
}

static void do_instruction(Terminal *terminal, char *arguments) {
    repeat(terminal, "go", "instruction", arguments);
}

static void do_finish(Terminal *terminal, char *arguments) {
    (void)arguments;
    run_question(terminal, session_question("go", "finish"), true);
}

static void do_warp(Terminal *terminal, char *arguments) {
    repeat(terminal, "go", "warp", arguments);
}

static void do_barrier(Terminal *terminal, char *arguments) {
    (void)arguments;
    run_question(terminal, session_question("go", "barrier"), true);
}

static void do_back_on(Terminal *terminal, char *arguments) {
    (void)arguments;
    run_question(terminal, session_question("back", "stop"), true);
}

static void do_back_next(Terminal *terminal, char *arguments) {
    repeat(terminal, "back", "next", arguments);
}

static void do_back_step(Terminal *terminal, char *arguments) {
    repeat(terminal, "back", "line", arguments);
}

static void do_back_finish(Terminal *terminal, char *arguments) {
    (void)arguments;
    run_question(terminal, session_question("back", "finish"), true);
}

static void do_other(Terminal *terminal, char *arguments) {
    (void)arguments;
    run_question(terminal, session_question("other", NULL), true);
}

static void do_go_to(Terminal *terminal, char *arguments) {
    json_object *question = session_question("goto", NULL);
    json_put_number(question, "step", strtol(arguments, NULL, 0));
    run_question(terminal, question, true);
}

/* ---- breakpoints ---- */

/** The program is started for a breakpoint that comes before `run`: it waits before its first word. One that
 * has ended stays there: the breakpoint is for the way back. */
static bool is_ready(Terminal *terminal) {
    return session_runs(terminal->session) || session_has_ended(terminal->session) || start(terminal);
}

static void keep_point(Terminal *terminal, json_object *answer, TerminalPoint kind, const char *text) {
    const long number = json_number(answer, "number", 0);
    if (number < 1 || number >= TERMINAL_POINTS) return;
    free(terminal->points[number]);
    terminal->points[number] = NULL;
    if (asprintf(&terminal->points[number], "%c%s", kind, text) < 0) terminal->points[number] = NULL;
}

/** place = [FILE:]LINE | NAME; cut off from what stands behind it. */
static void put_place(char *place, json_object *question) {
    char *colon = strrchr(place, ':');
    if (colon != NULL) *colon = '\0';
    const char *line = place;
    if (colon != NULL) line = colon + 1;
    if (isdigit((unsigned char)*line)) json_put_number(question, "line", strtol(line, NULL, 10));
    if (isdigit((unsigned char)*line) && colon != NULL) json_put_text(question, "file", place);
    if (!isdigit((unsigned char)*line)) json_put_text(question, "kernel", line);
}

/** Where FILE:LINE ends, or else the only word of the place; a file's name may have spaces. NULL: it is all.
 */
static char *place_end(char *arguments) {
    const char *condition = strstr(arguments, " if ");
    char *end = NULL;
    for (char *colon = strchr(arguments, ':'); end == NULL && colon != NULL; colon = strchr(colon + 1, ':')) {
        const size_t digits = strspn(colon + 1, "0123456789");
        char *behind = colon + 1 + digits;
        if (condition != NULL && colon > condition) break;
        if (digits > 0 && (*behind == ' ' || *behind == '\0')) end = behind;
    }
    if (end == NULL) return strchr(arguments, ' ');
    if (*end != '\0') return end;
    return NULL;
}

static void do_break_at(Terminal *terminal, char *arguments) {
    json_object *question = session_question("break", NULL);
    char *whole = strdup(arguments);
    char *rest = place_end(arguments);
    if (rest != NULL) *rest++ = '\0';
    put_place(arguments, question);
    bool named = isalpha((unsigned char)*arguments) || *arguments == '_';
    bool fine = whole != NULL && (named || json_number(question, "line", 0) > 0) &&
                (rest == NULL || place_read_limits(rest, question));
    if (!fine) {
        puts("Where? As in: break 22, break sum.cu:22 if i == 3, break kernel thread (3,0,0).");
        json_object_put(question);
    } else if (!is_ready(terminal)) {
        json_object_put(question);
    } else {
        json_object *answer = terminal_ask(terminal, question);
        const long line = json_number(answer, "line", 0), number = json_number(answer, "number", 0);
        if (answer != NULL) keep_point(terminal, answer, POINT_NEW, whole);
        if (answer != NULL && line > 0) printf("Breakpoint %ld at line %ld.\n", number, line);
        if (answer != NULL && line <= 0)
            printf("Breakpoint %ld at %s, looked for when a kernel is launched.\n", number, whole);
        json_object_put(answer);
    }
    free(whole);
}

static void do_watch(Terminal *terminal, char *arguments) {
    json_object *question = session_question("watch", NULL);
    json_put_text(question, "expression", arguments);
    if (!is_ready(terminal)) {
        json_object_put(question);
        return;
    }
    json_object *answer = terminal_ask(terminal, question);
    if (answer == NULL) return;
    keep_point(terminal, answer, POINT_UNCHANGED, arguments);
    printf("Watchpoint %ld: %s", json_number(answer, "number", 0), arguments);
    const char *value = json_text(answer, "value", NULL);
    if (value != NULL) printf(" = %s", value);
    puts("");
    json_object_put(answer);
}

static void do_delete(Terminal *terminal, char *arguments) {
    const long number = strtol(arguments, NULL, 10);
    if (!isdigit((unsigned char)*arguments)) {
        puts("Which breakpoint? As in: delete 1. info breakpoints lists them.");
        return;
    }
    json_object *question = session_question("delete", NULL);
    json_put_number(question, "number", number);
    json_object *answer = terminal_ask(terminal, question);
    if (answer != NULL && number < TERMINAL_POINTS) {
        free(terminal->points[number]);
        terminal->points[number] = NULL;
    }
    json_object_put(answer);
}

static void do_catch(Terminal *terminal, char *arguments) {
    json_object *question = session_question("catch", NULL);
    char *kind = strchr(arguments, ' ');
    if (kind != NULL) *kind++ = '\0';
    bool none = strcmp(arguments, "none") == 0, known = none;
    const struct {
        const char *word, *member;
    } words[] = {{"launch", "launches"}, {"error", "errors"}, {"finding", "findings"}};
    for (size_t i = 0; i < 3; i++) {
        bool meant = strcmp(arguments, words[i].word) == 0;
        if (meant || none) json_put_flag(question, words[i].member, meant);
        known |= meant;
    }
    if (kind != NULL) json_put_text(question, "kinds", kind);
    if (!known || !is_ready(terminal)) {
        if (!known) puts("Catch what? launch, error, finding or none.");
        json_object_put(question);
        return;
    }
    json_object_put(terminal_ask(terminal, question));
}

/* ---- looking ---- */

static void print_expression(Terminal *terminal, const char *expression, const char *format) {
    json_object *question = session_question("print", NULL);
    json_put_text(question, "expression", expression);
    json_put_text(question, "format", format);
    json_put_number(question, "frame", terminal->frame);
    json_object *answer = terminal_ask(terminal, question);
    if (answer != NULL) printf("%s\n", json_text(answer, "value", ""));
    json_object_put(answer);
}

static void do_print(Terminal *terminal, char *arguments) {
    const char *format = "";
    if (*arguments == '/') {
        format = "";
        if (arguments[1] == 'x') format = "x";
        if ((arguments[1] != 'x' && arguments[1] != 'd') || isalnum((unsigned char)arguments[2])) {
            puts("The formats are /x, hexadecimal, and /d, the usual.");
            return;
        }
        arguments += 2;
    }
    print_expression(terminal, arguments, format);
}

/** x/8xw out: of gdb's letters x is a format, and the others are sizes, which the type says here. */
static void do_examine(Terminal *terminal, char *arguments) {
    long count = 1;
    const char *format = "";
    Text expression = text_new();
    if (*arguments == '/') {
        if (isdigit((unsigned char)*++arguments)) count = strtol(arguments, &arguments, 10);
        for (; isalpha((unsigned char)*arguments); arguments++)
            if (*arguments == 'x') format = "x";
    }
    while (*arguments == ' ')
        arguments++;
    if (*arguments == '\0' || count < 1) {
        puts("Which address, and how many? As in: x/8 out.");
        return;
    }
    text_format(&expression, "*(%s)@%ld", arguments, count);
    print_expression(terminal, expression.bytes, format);
    text_free(&expression);
}

static void info_points(const Terminal *terminal) {
    bool any = false;
    for (int i = 1; i < TERMINAL_POINTS; i++) {
        if (terminal->points[i] == NULL) continue;
        printf("%d  %s%s\n", i, terminal->points[i] + 1,
               terminal->points[i][0] == POINT_HIT ? ", reached already" : "");
        any = true;
    }
    if (!any) puts("No breakpoints or watchpoints.");
}

static void do_info(Terminal *terminal, char *arguments) {
    static const struct {
        const char *word, *command;
        void (*show)(json_object *answer);
    } words[] = {{"locals", "locals", show_locals},
                 {"lanes", "lanes", show_lanes},
                 {"threads", "blocks", show_blocks},
                 {"blocks", "blocks", show_blocks},
                 {"frame", "frames", show_frames}};
    char *rest = strchr(arguments, ' ');
    if (rest != NULL) *rest++ = '\0';
    if (*arguments != '\0' && text_starts_with("breakpoints", arguments)) {
        info_points(terminal);
        return;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (*arguments == '\0' || !text_starts_with(words[i].word, arguments)) continue;
        json_object *question = session_question(words[i].command, NULL);
        json_put_text(question, "expression", rest);
        json_put_number(question, "frame", terminal->frame);
        json_object *answer = terminal_ask(terminal, question);
        if (answer != NULL) words[i].show(answer);
        json_object_put(answer);
        return;
    }
    puts("Info on what? locals, lanes, threads or breakpoints.");
}

static void do_cuda(Terminal *terminal, char *arguments) {
    json_object *question = session_question(*arguments != '\0' ? "focus" : "where", NULL);
    if (!place_read_limits(arguments, question)) {
        puts("Which one? As in: cuda block (1,0,0) thread (3,0,0).");
        json_object_put(question);
        return;
    }
    json_object *answer = terminal_ask(terminal, question);
    if (answer == NULL) return;
    terminal->frame = terminal->listed = 0;
    show_place(answer, true);
    json_object_put(terminal->stop);
    terminal->stop = answer;
}

static void do_frames(Terminal *terminal, char *arguments) {
    (void)arguments;
    json_object *answer = terminal_ask(terminal, session_question("frames", NULL));
    if (answer != NULL) show_frames(answer);
    json_object_put(answer);
}

/** Without a number: which one it is. */
static void do_frame(Terminal *terminal, char *arguments) {
    char *end;
    long number;
    if (*arguments != '\0')
        number = strtol(arguments, &end, 10);
    else
        number = terminal->frame;
    json_object *answer = terminal_ask(terminal, session_question("frames", NULL));
    json_object *list = NULL;
    if (answer != NULL) list = json_array(answer, "frames");
    long count = 0;
    if (list != NULL) count = (long)json_object_array_length(list);
    if (answer != NULL && (number < 0 || number >= count || (*arguments != '\0' && *end != '\0')))
        printf("There is no frame %s.\n", *arguments != '\0' ? arguments : "now");
    else if (answer != NULL)
        show_frame(list, (size_t)(terminal->frame = number));
    json_object_put(answer);
}

/** Around where the thread is, and at the next time what comes behind that. */
static void do_list(Terminal *terminal, char *arguments) {
    const char *file = json_text(terminal->stop, "file", "");
    const long current = json_number(terminal->stop, "line", 0);
    long first;
    if (terminal->listed > 0)
        first = terminal->listed + 1;
    else
        first = current - LIST_LINES / 2;
    if (isdigit((unsigned char)*arguments)) first = strtol(arguments, NULL, 10) - LIST_LINES / 2;
    if (first < 1) first = 1;
    if (*file == '\0') {
        puts("The thread is at no line now.");
        return;
    }
    terminal->listed = first + LIST_LINES - 1;
    show_lines(file, first, terminal->listed, current);
}

/** What a command does stands beside its names, or below them where they are long. */
static void help_row(size_t row) {
    enum { BESIDE = 32 };
    Text line = text_new();
    text_format(&line, "%s %s", rows[row].names, rows[row].arguments);
    const bool below = line.length > BESIDE - 2;
    if (below) show_wrapped(line.bytes, 4);
    if (below) text_clear(&line);
    while (line.length < BESIDE)
        text_add(&line, " ");
    text_add(&line, rows[row].summary);
    show_wrapped(line.bytes, BESIDE);
    text_free(&line);
}

void terminal_help(void) {
    for (size_t i = 0; i < ROW_COUNT; i++)
        help_row(i);
}

/** Shown now, and at each stop until `screen off`. */
static void do_screen(Terminal *terminal, char *arguments) {
    free(terminal->screen);
    terminal->screen = NULL;
    if (strcmp(arguments, "off") == 0) return;
    terminal->screen = strdup(arguments);
    show_screen(terminal);
}

static void do_help(Terminal *terminal, char *arguments) {
    (void)terminal;
    (void)arguments;
    terminal_help();
}

static void do_quit(Terminal *terminal, char *arguments) {
    (void)arguments;
    terminal->quits = true;
}

/* ---- a line ---- */

/** Whether the word is one of the names, or with `part` the beginning of one. */
static bool is_named(const char *names, const char *word, size_t length, bool part) {
    for (const char *name = names; *name != '\0';) {
        const size_t long_name = strcspn(name, " ");
        bool same = length <= long_name && strncmp(name, word, length) == 0;
        if (same && (part || length == long_name)) return true;
        name += long_name;
        while (*name == ' ')
            name++;
    }
    return false;
}

/** A whole name, or else the beginning of names of one row. ROW_COUNT: none, or several. */
static size_t find_row(const char *word, size_t length) {
    size_t found = ROW_COUNT, count = 0;
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (is_named(rows[i].names, word, length, false)) return i;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (!is_named(rows[i].names, word, length, true)) continue;
        found = i;
        count++;
    }
    if (count == 1) return found;
    return ROW_COUNT;
}

static void do_line(Terminal *terminal, char *line) {
    const size_t length = strcspn(line, " /\t");
    const size_t row = find_row(line, length);
    char *arguments = line + length;
    while (isspace((unsigned char)*arguments))
        arguments++;
    if (row == ROW_COUNT)
        printf("There is no command %.*s. help lists them.\n", (int)MIN(length, 40), line);
    else
        rows[row].function(terminal, arguments);
}

void terminal_output(void *self, int stream, const char *bytes, size_t count) {
    (void)self;
    fflush(stdout);
    fwrite(bytes, 1, count, stream == 1 ? stdout : stderr);
    fflush(stream == 1 ? stdout : stderr);
}

static void trim(char *line) {
    size_t length = strlen(line), start = strspn(line, " \t");
    while (length > start && isspace((unsigned char)line[length - 1]))
        line[--length] = '\0';
    memmove(line, line + start, length - start + 1);
}

bool terminal_was_interrupted(FILE *commands) {
    if (errno != EINTR || feof(commands)) return false;
    clearerr(commands);
    return true;
}

Terminal *terminal_open(Session *session) {
    Terminal *terminal = calloc(1, sizeof *terminal);
    if (terminal != NULL) terminal->session = session;
    return terminal;
}

void terminal_close(Terminal *terminal) {
    if (terminal == NULL) return;
    for (int i = 0; i < TERMINAL_POINTS; i++)
        free(terminal->points[i]);
    free(terminal->screen);
    free(terminal->changed);
    json_object_put(terminal->stop);
    free(terminal);
}

bool terminal_run(Terminal *terminal, FILE *commands, bool typed) {
    char *line = NULL, *last = NULL;
    size_t room = 0;
    while (!terminal->quits) {
        if (typed) fputs("(warpgrind) ", stdout);
        fflush(stdout);
        if (getline(&line, &room, commands) < 0) {
            if (!terminal_was_interrupted(commands)) break;
            puts("");
            continue;
        }
        trim(line);
        if (*line == '#' || (*line == '\0' && last == NULL)) continue;
        if (*line != '\0') {
            free(last);
            last = strdup(line);
        }
        if (!typed) printf("(warpgrind) %s\n", last);
        char *own = NULL;
        if (last != NULL) own = strdup(last);
        session_rest();
        if (own != NULL) do_line(terminal, own);
        free(own);
    }
    free(line);
    free(last);
    return !terminal->quits;
}
