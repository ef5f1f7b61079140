/* dap_run.c - requests that let the program run, and what a stop tells the editor. */
#include "debug/dap_parts.h"

#include "base/finding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- stops ---- */

/** How the session's reasons are called in the protocol, and what they say to people; NULL: the session has
 * words. */
static const struct {
    const char *reason, *told, *words;
} reasons[] = {{"breakpoint", "breakpoint", NULL},
               {"changed", "data breakpoint", NULL},
               {"finding", "exception", NULL},
               {"launch", "exception", "a kernel is launched"},
               {"error", "exception", NULL},
               {"step", "step", NULL},
               {"finished", "step", NULL},
               {"barrier", "step", "the block has met at a barrier"},
               {"thread-ended", "step", "the thread's block has ended"},
               {"interrupted", "pause", NULL},
               {"arrived", "step", NULL},
               {"beginning", "entry", "nothing earlier stops: this is the beginning of the run"},
               {"ended", "exit", NULL}};
enum { REASON_COUNT = sizeof reasons / sizeof *reasons };

static size_t reason_of(json_object *stop) {
    const char *name = json_text(stop, "reason", "");
    size_t i = 0;
    while (i + 1 < REASON_COUNT && strcmp(reasons[i].reason, name) != 0)
        i++;
    return i;
}

/** The answers of `back` and its like say less of the thread than those of the device. */
static void keep_stop(Dap *dap, json_object *stop) {
    json_object_put(dap->stop);
    json_object_put(dap->place);
    dap->stop = json_object_get(stop);
    dap->place = NULL;
    if (!session_runs(dap->session)) return;
    dap->place = session_ask(dap->session, session_question("where", NULL));
}

/** All that have stopped it: what is watched, and a breakpoint where the change is seen. */
static void put_hit(const Dap *dap, json_object *stop, json_object *body) {
    json_object *list = json_object_new_array(), *numbers = json_array(stop, "numbers");
    for (size_t i = 0; i < json_length(numbers); i++) {
        DapPoint *point = points_find(dap, json_object_get_int64(json_object_array_get_idx(numbers, i)));
        if (point == NULL) continue;
        point->hit = true;
        json_object_array_add(list, json_object_new_int64(point->id));
        if (i == 0 && strcmp(point->group, "function") == 0)
            json_put_text(body, "reason", "function breakpoint");
    }
    if (json_object_array_length(list) > 0)
        json_object_object_add(body, "hitBreakpointIds", list);
    else
        json_object_put(list);
}

/** Said at the first stop in such a source: an editor shows the file as it is now. */
static void say_changed(Dap *dap, json_object *stop) {
    Text words = text_new();
    if (!dap->changed_told) session_say_changed(stop, &words);
    if (words.length > 0) wire_say(dap, words.bytes);
    dap->changed_told |= words.length > 0;
    text_free(&words);
}

static void tell_stopped(Dap *dap, json_object *stop) {
    json_object *body, *event = wire_event("stopped", &body);
    const size_t row = reason_of(stop);
    const char *words = json_text(stop, "message", reasons[row].words);
    json_put_text(body, "reason", reasons[row].told);
    if (words != NULL) json_put_visible(body, "description", words);
    json_object *finding = json_member(stop, "finding");
    if (words != NULL) json_put_visible(body, "text", json_text(finding, "kind", words));
    json_put_number(body, "threadId", look_stopped_thread(dap));
    json_put_flag(body, "allThreadsStopped", true);
    put_hit(dap, stop, body);
    wire_send(dap, event);
}

static void say_end(Dap *dap, json_object *stop) {
    Text words = text_new();
    session_say_end(stop, &words);
    wire_say(dap, words.bytes);
    text_free(&words);
    points_say_unreached(dap);
    if (dap->pausing)
        wire_say(dap, "It was to pause, and no kernel ran: a program in its own code is ended for that.");
}

static void tell_end(Dap *dap, json_object *stop) {
    enum { SIGNAL_BASE = 128 };
    json_object *body, *event = wire_event("exited", &body);
    const long signal = json_number(stop, "signal", 0);
    json_put_number(body, "exitCode",
                    signal > 0 ? SIGNAL_BASE + signal : json_number(stop, "exit_status", 0));
    wire_send(dap, event);
    wire_send(dap, wire_event("terminated", &body));
    dap->ended = true;
}

/** It did not run: why, and that it is still where it was. */
static void tell_refused(Dap *dap, json_object *answer) {
    wire_say(dap, json_text(answer, "error", "it did not work"));
    if (session_runs(dap->session) && dap->stop != NULL)
        tell_stopped(dap, dap->stop);
    else
        tell_end(dap, dap->stop);
}

static void tell(Dap *dap, json_object *stop) {
    if (!json_flag(stop, "ok", false) && json_text(stop, "reason", NULL) == NULL) {
        tell_refused(dap, stop);
        return;
    }
    keep_stop(dap, stop);
    bool over = strcmp(json_text(stop, "reason", ""), "ended") == 0;
    if (!over) points_refresh(dap);
    if (over) say_end(dap, stop);
    if (!over) say_changed(dap, stop);
    if (over && !dap->stop_at_end)
        tell_end(dap, stop);
    else
        tell_stopped(dap, stop);
}

/* ---- runs ---- */

/** Breakpoints and their like that have come while the program ran. False: there were none. */
static bool serve_waiting(Dap *dap) {
    const size_t count = dap->inbox.count;
    for (size_t i = 0; i < count && !dap->leaves; i++)
        dap_handle(dap, *GROWABLE_AT(&dap->inbox, json_object *, i));
    dap->inbox.count = 0;
    return count > 0;
}

/** What came with the request before, and has been read already, is heeded before the run begins: later
 * nobody would look for it until there is more to read. */
static void heed_read(Dap *dap) {
    do {
        json_object *request;
        dap->running = true;
        while (!dap->leaves && (request = wire_take(dap)) != NULL)
            dap_handle(dap, request);
        dap->running = false;
    } while (serve_waiting(dap));
}

static bool is_to_stop(json_object *question) {
    return strcmp(json_text(question, "command", ""), "go") == 0 &&
           strcmp(json_text(question, "for", ""), "stop") == 0;
}

/** Only a run to the next stop is halted for requests that wait. */
static json_object *go(Dap *dap, json_object *question) {
    heed_read(dap);
    dap->running = true;
    dap->halts = is_to_stop(question);
    json_object *stop = session_ask(dap->session, question);
    dap->running = dap->halts = false;
    return stop;
}

/** A run that was halted for requests goes on behind them: to a run to the next stop it makes no difference.
 */
void run_question(Dap *dap, json_object *question) {
    look_forget(dap);
    dap->pausing = false;
    session_rest();
    json_object *stop = go(dap, question);
    while (serve_waiting(dap) && !dap->ended && !dap->pausing &&
           strcmp(json_text(stop, "reason", ""), "interrupted") == 0) {
        json_object_put(stop);
        stop = go(dap, session_question("go", "stop"));
    }
    if (!dap->ended) tell(dap, stop);
    json_object_put(stop);
}

void dap_continue(Dap *dap, DapMessage *message) {
    (void)dap;
    json_put_flag(message->body, "allThreadsContinued", true);
    message->question = session_question("go", "stop");
}

void dap_reverseContinue(Dap *dap, DapMessage *message) {
    (void)dap;
    message->question = session_question("back", "stop");
}

/** Steps are of the thread that is asked for. */
static void step(Dap *dap, DapMessage *message, const char *command, const char *aim) {
    const char *grain = json_text(message->arguments, "granularity", "line");
    look_at_thread(dap, message);
    if (strcmp(grain, "instruction") == 0) aim = "instruction";
    message->question = session_question(command, aim);
}

void dap_next(Dap *dap, DapMessage *message) {
    step(dap, message, "go", "next");
}

void dap_stepIn(Dap *dap, DapMessage *message) {
    step(dap, message, "go", "line");
}

void dap_stepBack(Dap *dap, DapMessage *message) {
    step(dap, message, "back", "next");
}

/** Out of the kernel itself there is only its end. */
void dap_stepOut(Dap *dap, DapMessage *message) {
    look_at_thread(dap, message);
    json_object *frames = dap_ask(dap, message, session_question("frames", NULL)),
                *list = json_array(frames, "frames");
    size_t depth = json_length(list);
    json_object_put(frames);
    if (message->error.length > 0) return;
    if (depth < 2)
        text_add(&message->error, "the thread is in no function that returns: the kernel itself ends");
    else
        message->question = session_question("go", "finish");
}

/** A stop has no use for it. */
void dap_pause(Dap *dap, DapMessage *message) {
    (void)message;
    if (!dap->running) return;
    dap->pausing = true;
    session_interrupt();
}

/* ---- what a finding means ---- */

static void add_party(Text *out, json_object *party, const char *who) {
    if (party == NULL || json_array(party, "thread") == NULL) return; /* the frame says it */
    text_format(out, "%s%s", out->length > 0 ? "\n" : "", who);
    text_add(out, " thread ");
    place_add_dim(out, json_array(party, "thread"));
    text_add(out, " of block ");
    place_add_dim(out, json_array(party, "block"));
    text_format(out, ": a %s at %s:%ld", json_text(party, "what", ""), json_text(party, "file", ""),
                json_number(party, "line", 0));
}

void dap_exceptionInfo(Dap *dap, DapMessage *message) {
    json_object *finding = json_member(dap->stop, "finding");
    const size_t row = reason_of(dap->stop);
    if (strcmp(reasons[row].told, "exception") != 0) {
        text_add(&message->error, "the last stop was at no finding");
        return;
    }
    json_object *details = json_object_new_object();
    const char *kind = json_text(finding, "kind", reasons[row].reason);
    const FindingKind number = finding_by_name(kind);
    Text parties = text_new();
    add_party(&parties, json_member(finding, "party"), "this");
    add_party(&parties, json_member(finding, "other"), "the other is");
    json_put_text(message->body, "exceptionId", kind);
    json_put_visible(message->body, "description",
                     json_text(finding, "message", json_text(dap->stop, "message", reasons[row].words)));
    json_put_text(message->body, "breakMode", "always");
    json_put_visible(details, "message", json_text(finding, "explanation", ""));
    if (number != FINDING_KIND_COUNT) json_put_text(details, "typeName", finding_info(number)->title);
    json_put_visible(details, "stackTrace", parties.bytes);
    json_object_object_add(message->body, "details", details);
    text_free(&parties);
}
