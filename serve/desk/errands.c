/* errands.c - the learner's commands in children, and what becomes of what they print; see desk.h.
 *
 * It is the command of the terminal that runs, so what it writes and what it says is the same. A check tells
 * what happens in lines of JSON (autograder/check/events.h).
 */
#include "serve/desk/desk.h"

#include "autograder/texts.h"
#include "base/json.h"
#include "serve/texts.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGEST_OUTPUT = 32 << 20 };

/* ---- the child ---- */

/* In the child: signals are let through again, and stdin is nobody's. */
static void become_command(const Desk *desk, int out, pid_t parent) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(EXIT_INTERNAL); /* it died before the line above */
    close(desk->web);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    setenv("COLUMNS", "100", 1);
    unsetenv("LINES");
    desk->session->colour = "never";
    desk->session->watched = true;
}

static int run_command(const Desk *desk, ErrandKind kind, const Lesson *lesson) {
    static struct {
        const char *name;
        CommandRun *run;
        const char *option;
    } const commands[] = {[ERRAND_CHECK] = {"exercise", exercise_run, "--events"},
                          [ERRAND_HINT] = {"hint", hint_run, "--"},
                          [ERRAND_DRAW] = {"picture", picture_run, "--"},
                          [ERRAND_RESET] = {"reset", reset_run, "--"}};
    const char *words[] = {commands[kind].name, commands[kind].option, lesson->name, NULL};
    int status = commands[kind].run(desk->session, 3, (char **)(uintptr_t)words);
    fflush(stdout);
    commands_report(desk->session);
    fflush(stderr);
    return status;
}

static bool fork_command(Desk *desk, Errand *errand) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    pid_t self = getpid();
    fflush(stdout);
    errand->pid = fork();
    if (errand->pid == 0) {
        setpgid(0, 0);
        become_command(desk, ends[1], self);
        _exit(run_command(desk, errand->kind, errand->lesson));
    }
    close(ends[1]);
    errand->coming = ends[0];
    if (errand->pid < 0) close(ends[0]);
    return errand->pid > 0;
}

static int await(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_INTERNAL;
}

/* ---- beginning and ending ---- */

static void clear_errand(Errand *errand) {
    close(errand->coming);
    text_free(&errand->output);
    text_free(&errand->said);
    *errand = (Errand){.coming = -1};
}

void errand_stop(Errand *errand) {
    if (errand->kind == ERRAND_NONE) return;
    kill(-errand->pid, SIGKILL);
    kill(errand->pid, SIGKILL); /* before it had a group of its own */
    await(errand->pid);
    clear_errand(errand);
}

/* A check that still runs is about an older text. Whoever waited for its page gets the page without it. */
static void replace_check(Desk *desk) {
    for (int i = 0; i < DESK_MOST_ERRANDS; i++) {
        Errand *errand = &desk->errands[i];
        if (errand->kind != ERRAND_CHECK) continue;
        desk_tell(desk, errand->lesson, "stopped", "{}");
        if (errand->serial != 0) {
            text_add(&desk_note(desk, errand->lesson)->notice, plain_desk(DESK_REPLACED));
            desk_turn_back(desk, errand->serial);
        }
        errand_stop(errand);
    }
}

Errand *errand_start(Desk *desk, ErrandKind kind, const Lesson *lesson) {
    if (kind == ERRAND_CHECK) replace_check(desk);
    Errand *errand = NULL;
    for (int i = 0; i < DESK_MOST_ERRANDS && errand == NULL; i++)
        if (desk->errands[i].kind == ERRAND_NONE) errand = &desk->errands[i];
    if (errand == NULL) return NULL;
    *errand = (Errand){.kind = kind, .lesson = lesson, .coming = -1};
    text_init(&errand->output);
    text_init(&errand->said);
    if (fork_command(desk, errand)) {
        if (kind == ERRAND_CHECK) desk_tell(desk, lesson, "begin", "{}");
        return errand;
    }
    text_free(&errand->output);
    text_free(&errand->said);
    *errand = (Errand){.coming = -1};
    return NULL;
}

/* ---- what a check tells ---- */

/* To all pages that are open: what the note has now, in one object. */
static void tell_note(Desk *desk, const Lesson *lesson, struct json_object *marks) {
    DeskNote *note = desk_note(desk, lesson);
    const int plain = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;
    text_clear(&note->marks);
    text_add(&note->marks, json_object_to_json_string_ext(marks, plain));
    json_put_text(marks, "html", note->verdict.bytes);
    desk_tell(desk, lesson, "result", json_object_to_json_string_ext(marks, plain));
    json_object_put(marks);
}

/* What a page shows from now on, without a script and with one. */
static void take_result(Desk *desk, Errand *errand, struct json_object *event) {
    DeskNote *note = desk_note(desk, errand->lesson);
    struct json_object *result = json_member(event, "result"), *marks = json_object_new_object();
    Text source;
    char version[WIRE_VERSION + 1];
    text_init(&source);
    source_read(desk, errand->lesson, &source, version);
    text_clear(&note->verdict);
    verdict_page(desk, errand->lesson, event, source.bytes, &note->verdict);
    text_free(&source);
    json_put_text(marks, "verdict", json_text(result, "verdict", "error"));
    json_put_flag(marks, "drawable", json_flag(event, "drawable", false));
    json_object_object_add(marks, "marks", verdict_marks(result));
    errand->has_result = true;
    tell_note(desk, errand->lesson, marks);
}

static void take_event(Desk *desk, Errand *errand, struct json_object *event) {
    const char *name = json_text(event, "event", "");
    if (strcmp(name, "result") == 0)
        take_result(desk, errand, event);
    else if (strcmp(name, "phase") == 0 || strcmp(name, "case") == 0)
        desk_tell(
            desk, errand->lesson, name,
            json_object_to_json_string_ext(event, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
}

/* Each line that is whole: JSON is an event, and anything else was meant for a terminal. */
static void take_lines(Desk *desk, Errand *errand) {
    for (;;) {
        char *line = errand->output.bytes + errand->used, *end = strchr(line, '\n');
        if (end == NULL) return;
        *end = '\0';
        errand->used = (size_t)(end + 1 - errand->output.bytes);
        struct json_object *event = *line == '{' ? json_tokener_parse(line) : NULL;
        if (event != NULL)
            take_event(desk, errand, event);
        else
            text_format(&errand->said, "%s\n", line);
        json_object_put(event);
    }
}

/* ---- the end ---- */

/* A check that ended without a result: what it said in its place is what there is to say. */
static void note_failure(Desk *desk, Errand *errand) {
    DeskNote *note = desk_note(desk, errand->lesson);
    text_clear(&note->verdict);
    text_format(&note->verdict, "<div class=\"verdict error\"><h3>%s</h3>\n", plain_desk(DESK_NO_RESULT));
    words_page(errand->said.bytes, &note->verdict);
    text_add(&note->verdict, "</div>\n");
    struct json_object *marks = json_object_new_object();
    json_put_text(marks, "verdict", "error");
    json_object_object_add(marks, "marks", json_object_new_array());
    tell_note(desk, errand->lesson, marks);
}

/* A hint, a reset and a picture answer with their words; for whoever has no script, with the page. */
static void answer_words(Desk *desk, Errand *errand, int status) {
    Text html;
    text_init(&html);
    words_page(errand->output.bytes, &html);
    DeskNote *note = desk_note(desk, errand->lesson);
    Text *place = errand->kind == ERRAND_HINT ? &note->hint : &note->notice;
    if (errand->kind == ERRAND_DRAW && status == EXIT_FINE)
        text_format(&html, "<p><a href=\"%s/picture.html\">%s</a></p>\n", errand->lesson->name,
                    plain_desk(DESK_SEE_PICTURE));
    if (errand->kind == ERRAND_HINT || errand->as_page) {
        text_clear(place);
        text_append(place, html.bytes, html.length);
    }
    if (errand->kind == ERRAND_RESET) text_clear(&note->hint);
    if (errand->serial != 0 && errand->as_page)
        desk_turn_back(desk, errand->serial);
    else if (errand->serial != 0)
        desk_reply(desk, errand->serial,
                   &(DeskAnswer){.status = status <= EXIT_FOUND ? 200 : 500, .type = TYPE_HTML}, html.bytes,
                   html.length);
    text_free(&html);
}

static void finish(Desk *desk, Errand *errand) {
    const int status = await(errand->pid);
    Diagnostics outer;
    if (!desk_begin(desk, &outer)) return;
    if (errand->kind != ERRAND_CHECK) {
        answer_words(desk, errand, status);
    } else {
        take_lines(desk, errand);
        if (!errand->has_result) note_failure(desk, errand);
        if (errand->serial != 0) desk_turn_back(desk, errand->serial);
    }
    if (errand->kind == ERRAND_RESET) source_look(desk);
    desk_end(desk, &outer);
    clear_errand(errand);
}

void errand_read(Desk *desk, Errand *errand) {
    char buffer[65536];
    ssize_t got = read(errand->coming, buffer, sizeof buffer);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got <= 0) {
        finish(desk, errand);
        return;
    }
    if (errand->output.length + (size_t)got > LARGEST_OUTPUT) return;
    text_append(&errand->output, buffer, (size_t)got);
    if (errand->kind != ERRAND_CHECK) return;
    Diagnostics outer;
    if (!desk_begin(desk, &outer)) return;
    take_lines(desk, errand);
    desk_end(desk, &outer);
}
