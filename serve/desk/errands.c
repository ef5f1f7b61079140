/* errands.c - the learner's commands in children, and what becomes of what they print; see desk.h.
 *
 * It is the command of the terminal that runs, so what it writes and what it says is the same. A check tells
 * what happens in lines of JSON (autograder/check/events.h).
 */
#include "serve/desk/desk.h"

#include "autograder/sandbox/child.h"
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
#include <sys/resource.h>
#include <unistd.h>

enum { LARGEST_OUTPUT = 32 << 20, CHECK_NICENESS = 10 };

/* ---- the child ---- */

/* In the child: signals are let through again, and stdin is nobody's. */
static void become_command(const Desk *desk, int out, pid_t parent) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(EXIT_INTERNAL); /* it died before the line above */
    close(desk->web);
    if (desk->office != NULL) setpriority(PRIO_PROCESS, 0, CHECK_NICENESS); /* pages come first */
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    setenv("COLUMNS", "100", 1);
    unsetenv("LINES");
    desk->session->colour = "never";
    desk->session->watched = true;
}

/* The commands, and whether they run a program: of such a few run at a time, and the others wait. */
static const struct {
    const char *name;
    CommandRun *run;
    const char *option;
    bool heavy;
} commands[] = {[ERRAND_CHECK] = {"exercise", exercise_run, "--events", true},
                [ERRAND_HINT] = {"hint", hint_run, "--", false},
                [ERRAND_DRAW] = {"picture", picture_run, "--", true},
                [ERRAND_RESET] = {"reset", reset_run, "--", false}};

/* `copy`: what is to be checked, where it is not the file itself, which may have changed since. */
static int run_command(const Desk *desk, const Errand *errand, const char *copy) {
    const char *words[] = {commands[errand->kind].name,
                           commands[errand->kind].option,
                           errand->lesson->name,
                           copy != NULL ? "--copy" : NULL,
                           copy,
                           NULL};
    if (desk->office != NULL) desk->session->root = desk->seat->root;
    int status = commands[errand->kind].run(desk->session, copy != NULL ? 5 : 3, (char **)(uintptr_t)words);
    fflush(stdout);
    commands_report(desk->session);
    fflush(stderr);
    return status;
}

static bool fork_command(Desk *desk, Errand *errand, const char *copy) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    pid_t self = getpid();
    fflush(stdout);
    errand->pid = fork();
    if (errand->pid == 0) {
        setpgid(0, 0);
        become_command(desk, ends[1], self);
        _exit(run_command(desk, errand, copy));
    }
    close(ends[1]);
    errand->coming = ends[0];
    if (errand->pid < 0) close(ends[0]);
    return errand->pid > 0;
}

/* ---- beginning and ending ---- */

static void clear_errand(Errand *errand) {
    if (errand->coming >= 0) close(errand->coming);
    text_free(&errand->output);
    text_free(&errand->said);
    *errand = (Errand){.coming = -1};
}

void errand_stop(Errand *errand) {
    if (errand->kind == ERRAND_NONE) return;
    if (errand->pid > 0) {
        kill(-errand->pid, SIGKILL);
        kill(errand->pid, SIGKILL); /* before it had a group of its own */
        child_await(errand->pid);
    }
    clear_errand(errand);
}

/* A check that still runs is about an older text. Whoever waited for its page gets the page without it. One
 * that waits keeps its place for the new one: the turn that is given back, 0 where there is none. */
static uint64_t replace_check(Desk *desk) {
    uint64_t turn = 0;
    for (int i = 0; i < DESK_MOST_ERRANDS; i++) {
        Errand *errand = &desk->errands[i];
        if (errand->kind != ERRAND_CHECK || errand->seat != desk->seat) continue;
        desk_tell(desk, errand->lesson, "stopped", "{}");
        if (errand->serial != 0) {
            text_add(&desk_note(desk, errand->lesson)->notice, plain_desk(DESK_REPLACED));
            desk_turn_back(desk, errand->serial);
        }
        if (desk->office != NULL) desk->office->note_result(desk, errand, NULL, false);
        if (errand->pid == 0) turn = errand->turn;
        errand_stop(errand);
    }
    return turn;
}

static Errand *make_errand(Desk *desk, ErrandKind kind, const Lesson *lesson) {
    for (int i = 0; i < DESK_MOST_ERRANDS; i++) {
        Errand *errand = &desk->errands[i];
        if (errand->kind != ERRAND_NONE) continue;
        *errand = (Errand){.kind = kind, .seat = desk->seat, .lesson = lesson, .coming = -1};
        text_init(&errand->output);
        text_init(&errand->said);
        return errand;
    }
    return NULL;
}

/* Of one seat, one command of a kind at a time: nobody fills the room. */
static bool is_busy(const Desk *desk, ErrandKind kind) {
    for (int i = 0; i < DESK_MOST_ERRANDS; i++)
        if (desk->errands[i].kind == kind && desk->errands[i].seat == desk->seat) return true;
    return false;
}

/* Whether the seat has something else among those that wait: then this gets its turn after that one's. */
static bool has_turn(const Desk *desk, const Seat *seat) {
    for (int i = 0; i < DESK_MOST_ERRANDS; i++) {
        const Errand *errand = &desk->errands[i];
        if (errand->kind != ERRAND_NONE && errand->seat == seat && errand->pid == 0 && errand->turn != 0)
            return true;
    }
    return false;
}

static void await_turn(Desk *desk, Errand *errand, uint64_t turn) {
    if (turn == 0 && !has_turn(desk, errand->seat)) turn = ++desk->turns;
    errand->turn = turn;
}

/* In a class what runs a program waits for its turn. With one learner there is nobody to wait for. */
static bool set_out(Desk *desk, Errand *errand, uint64_t turn) {
    const bool waits = desk->office != NULL && commands[errand->kind].heavy;
    if (waits && errand->kind == ERRAND_CHECK && errand->version == 0 &&
        !desk->office->note_check(desk, errand))
        return false;
    if (errand->kind == ERRAND_CHECK) desk_tell(desk, errand->lesson, "begin", "{}");
    if (!waits) return fork_command(desk, errand, NULL);
    await_turn(desk, errand, turn);
    return true;
}

Errand *errand_start(Desk *desk, ErrandKind kind, const DeskOrder *order, bool as_page) {
    uint64_t turn = 0;
    if (kind == ERRAND_CHECK) turn = replace_check(desk);
    if (desk->office != NULL && is_busy(desk, kind)) {
        diag_add(&desk->session->diagnostics, DIAG_ERROR, NULL, 0, 0, "%s", plain_desk(DESK_IS_BUSY));
        return NULL;
    }
    Errand *errand = make_errand(desk, kind, order->lesson);
    if (errand == NULL) return NULL;
    errand->as_page = as_page;
    if (kind != ERRAND_CHECK || as_page) errand->serial = order->head.serial;
    if (set_out(desk, errand, turn)) return errand;
    clear_errand(errand);
    return NULL;
}

void errand_resume(Desk *desk, const Lesson *lesson, int64_t version) {
    Errand *errand = make_errand(desk, ERRAND_CHECK, lesson);
    if (errand == NULL) return;
    errand->version = version;
    await_turn(desk, errand, 0);
}

/* ---- what a check tells ---- */

/* To all pages that are open: what the note has now, in one object. */
static void tell_note(Desk *desk, const Lesson *lesson, struct json_object *marks) {
    DeskNote *note = desk_note(desk, lesson);
    const int plain = JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE;
    json_put_text(marks, "html", note->verdict.bytes);
    desk_tell(desk, lesson, "result", json_object_to_json_string_ext(marks, plain));
    json_object_put(marks);
}

/* What a page shows from now on, without a script and with one. */
static void take_result(Desk *desk, Errand *errand, struct json_object *event, bool known) {
    if (errand->has_result) return;
    errand->has_result = true;
    struct json_object *marks = verdict_take(desk, errand->lesson, event);
    if (desk->office != NULL) desk->office->note_result(desk, errand, event, known);
    tell_note(desk, errand->lesson, marks);
}

static void take_event(Desk *desk, Errand *errand, struct json_object *event) {
    const char *name = json_text(event, "event", "");
    if (strcmp(name, "result") == 0)
        take_result(desk, errand, event, false);
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
    text_clear(&note->marks);
    text_add(&note->marks, json_object_to_json_string_ext(marks, JSON_C_TO_STRING_PLAIN));
    if (desk->office != NULL) desk->office->note_result(desk, errand, NULL, false);
    tell_note(desk, errand->lesson, marks);
}

/* A hint, a reset and a picture answer with their words; for whoever has no script, with the page. */
static void answer_words(Desk *desk, Errand *errand, int status) {
    Text html = text_new();
    words_page(errand->output.bytes, &html);
    DeskNote *note = desk_note(desk, errand->lesson);
    Text *place;
    if (errand->kind == ERRAND_HINT)
        place = &note->hint;
    else
        place = &note->notice;
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
    const int status = child_await(errand->pid);
    Diagnostics outer;
    if (!desk_begin(desk, &outer)) return;
    desk_sit(desk, errand->seat);
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
    desk_sit(desk, errand->seat);
    take_lines(desk, errand);
    desk_end(desk, &outer);
}

/* ---- turns ---- */

static Errand *next_in_turn(Desk *desk) {
    Errand *next = NULL;
    for (int i = 0; i < DESK_MOST_ERRANDS; i++) {
        Errand *errand = &desk->errands[i];
        if (errand->kind == ERRAND_NONE || errand->pid > 0 || errand->turn == 0) continue;
        if (next == NULL || errand->turn < next->turn) next = errand;
    }
    return next;
}

static long count_running(const Desk *desk) {
    long count = 0;
    for (int i = 0; i < DESK_MOST_ERRANDS; i++)
        count += desk->errands[i].kind != ERRAND_NONE && commands[desk->errands[i].kind].heavy &&
                 desk->errands[i].pid > 0;
    return count;
}

/* Each learns how many come before. */
static void tell_places(Desk *desk) {
    for (int i = 0; i < DESK_MOST_ERRANDS; i++) {
        const Errand *errand = &desk->errands[i];
        if (errand->kind != ERRAND_CHECK || errand->pid > 0) continue;
        unsigned before = 0;
        for (int j = 0; j < DESK_MOST_ERRANDS; j++)
            before += desk->errands[j].kind != ERRAND_NONE && desk->errands[j].pid == 0 &&
                      desk->errands[j].turn != 0 && desk->errands[j].turn < errand->turn;
        const char *data = arena_format(desk->arena, "{\"before\":%u}", before);
        desk->seat = errand->seat;
        if (data != NULL) desk_tell(desk, errand->lesson, "place", data);
    }
}

/* A check of a text that was judged before is answered with that. */
static bool answer_known(Desk *desk, Errand *errand, struct json_object *event) {
    if (event == NULL) return false;
    take_result(desk, errand, event, true);
    if (errand->serial != 0) desk_turn_back(desk, errand->serial);
    json_object_put(event);
    clear_errand(errand);
    return true;
}

/* Its turn has come. What else the same seat waits for gets its turn behind all that wait now: nobody comes
 * twice before somebody else comes once. */
static void begin_turn(Desk *desk, Errand *errand) {
    const char *copy = NULL;
    Seat *seat = errand->seat;
    desk_sit(desk, seat);
    struct json_object *event = NULL;
    if (errand->kind == ERRAND_CHECK) event = desk->office->find_result(desk, errand, &copy);
    if (!answer_known(desk, errand, event) && !fork_command(desk, errand, copy)) {
        if (errand->kind == ERRAND_CHECK) note_failure(desk, errand);
        if (errand->serial != 0) desk_say(desk, errand->serial, 503, plain_desk(DESK_NO_PROCESS));
        clear_errand(errand);
    }
    for (int i = 0; i < DESK_MOST_ERRANDS; i++)
        if (desk->errands[i].kind != ERRAND_NONE && desk->errands[i].seat == seat &&
            desk->errands[i].turn == 0 && desk->errands[i].pid == 0)
            desk->errands[i].turn = ++desk->turns;
}

void errands_go(Desk *desk) {
    Errand *next;
    Diagnostics outer;
    bool moved = false;
    if (desk->office == NULL || next_in_turn(desk) == NULL || !desk_begin(desk, &outer)) return;
    while (count_running(desk) < desk->jobs && (next = next_in_turn(desk)) != NULL) {
        begin_turn(desk, next);
        moved = true;
    }
    if (moved || desk->told_turn != desk->turns) tell_places(desk);
    desk->told_turn = desk->turns;
    desk_end(desk, &outer);
}
