/* dap_variables.c - scopes and variables of a frame: its locals; the 32 lanes of the warp, each with its own;
 * each variable in all lanes; and what CUDA gives every thread. Values are asked for when somebody opens
 * them. */
#include "base/minmax.h"
#include "debug/dap_parts.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- which frame ---- */

DapHandle variables_frame(const Dap *dap, const DapMessage *message) {
    const DapHandle *handle = look_find(dap, json_number(message->arguments, "frameId", 0));
    if (handle != NULL) return (DapHandle){HANDLE_FRAME, handle->block, handle->thread, handle->frame, NULL};
    const DapHandle stopped = {.kind = HANDLE_FRAME,
                               .block = json_number(dap->place, "block_number", 0),
                               .thread = json_number(dap->place, "thread_number", 0)};
    return stopped;
}

static json_object *about(const char *command, const DapMessage *message, const DapHandle *at) {
    json_object *question = session_question(command, NULL);
    json_put_number(question, "frame", at->frame);
    if (json_flag(json_member(message->arguments, "format"), "hex", false))
        json_put_text(question, "format", "x");
    if (at->expression != NULL) json_put_text(question, "expression", at->expression);
    return question;
}

/* ---- rows ---- */

static void put_parts(Dap *dap, json_object *row, const DapHandle *whole, const char *expression,
                      json_object *out) {
    const long parts = json_number(row, "members", 0);
    bool open = parts > 0 && expression != NULL && *expression != '\0';
    DapHandle handle = *whole;
    int64_t reference = 0;
    if (open) {
        handle.kind = HANDLE_PARTS;
        handle.expression = strdup(expression);
        reference = look_handle(dap, handle);
    }
    json_put_number(out, "variablesReference", reference);
    if (open && json_flag(row, "indexed", false)) json_put_number(out, "indexedVariables", parts);
    if (open) json_put_text(out, "evaluateName", expression);
}

json_object *variables_row(Dap *dap, json_object *row, const char *name, const DapHandle *whole,
                           const char *expression) {
    json_object *out = json_object_new_object();
    const char *error = json_text(row, "error", NULL);
    Text value = text_new();
    if (error != NULL)
        text_format(&value, "<%s>", error);
    else
        text_add(&value, json_text(row, "value", ""));
    json_put_visible(out, "name", name);
    json_put_visible(out, "value", value.bytes);
    json_put_visible(out, "type", json_text(row, "type", ""));
    put_parts(dap, row, whole, expression, out);
    text_free(&value);
    return out;
}

static void add_plain(json_object *list, const char *name, const char *value) {
    json_object *row = json_object_new_object();
    json_put_text(row, "name", name);
    json_put_visible(row, "value", value);
    json_put_number(row, "variablesReference", 0);
    json_object_array_add(list, row);
}

static void add_link(Dap *dap, json_object *list, const char *name, const char *value, DapHandle handle) {
    json_object *row = json_object_new_object();
    json_put_text(row, "name", name);
    json_put_visible(row, "value", value);
    json_put_number(row, "variablesReference", look_handle(dap, handle));
    json_object_array_add(list, row);
}

/* ---- what stands in a scope ---- */

typedef void ListFunction(Dap *dap, DapMessage *message, const DapHandle *at, json_object *list);

static void list_locals(Dap *dap, DapMessage *message, const DapHandle *at, json_object *list) {
    json_object *answer = dap_ask(dap, message, about("locals", message, at));
    json_object *rows = json_array(answer, "variables");
    JSON_EACH(row, rows) {
        const char *name = json_text(row, "name", "");
        json_object_array_add(list, variables_row(dap, row, name, at, name));
    }
    json_object_put(answer);
}

static void list_by_lane(Dap *dap, DapMessage *message, const DapHandle *at, json_object *list) {
    json_object *answer = dap_ask(dap, message, about("locals", message, at));
    json_object *rows = json_array(answer, "variables");
    JSON_EACH(row, rows) {
        if (json_text(row, "value", NULL) == NULL) continue;
        DapHandle lanes = *at;
        lanes.kind = HANDLE_IN_LANES;
        lanes.expression = strdup(json_text(row, "name", ""));
        add_link(dap, list, json_text(row, "name", ""), json_text(row, "type", ""), lanes);
    }
    json_object_put(answer);
}

static void name_lane(Text *name, json_object *answer, int64_t lane) {
    const unsigned long active = strtoul(json_text(answer, "active", "0"), NULL, 16);
    text_clear(name);
    text_format(name, "lane %" PRId64 "%s", lane, (active >> lane & 1) != 0 ? " *" : "");
}

/** Each of the warp's lanes: an asterisk when it takes part in the instruction; where it is, or its value. */
static void list_lanes(Dap *dap, DapMessage *message, const DapHandle *at, json_object *list) {
    json_object *answer = dap_ask(dap, message, about("lanes", message, at));
    json_object *rows = json_array(answer, "lanes");
    Text name = text_new(), value = text_new();
    JSON_EACH(row, rows) {
        const int64_t lane = json_number(row, "lane", 0);
        DapHandle own = {HANDLE_LOCALS, at->block, at->thread - at->thread % WARP_LANES + lane, 0, NULL};
        name_lane(&name, answer, lane);
        text_clear(&value);
        text_format(&value, "line %ld, %s", json_number(row, "line", 0), json_text(row, "state", ""));
        if (at->expression != NULL)
            json_object_array_add(list, variables_row(dap, row, name.bytes, &own, at->expression));
        else if (json_text(row, "function", NULL) != NULL)
            add_link(dap, list, name.bytes, value.bytes, own);
        else
            add_plain(list, name.bytes, json_text(row, "state", ""));
    }
    text_free(&name);
    text_free(&value);
    json_object_put(answer);
}

static void list_cuda(Dap *dap, DapMessage *message, const DapHandle *at, json_object *list) {
    static const char *const own[][2] = {
        {"threadIdx", "thread"}, {"blockIdx", "block"}, {"blockDim", "extent"}, {"gridDim", "grid"}};
    json_object *answer = dap_ask(dap, message, session_question("where", NULL));
    (void)at;
    Text text = text_new();
    for (size_t i = 0; answer != NULL && i < sizeof own / sizeof *own; i++) {
        text_clear(&text);
        place_add_dim(&text, json_array(answer, own[i][1]));
        add_plain(list, own[i][0], text.bytes);
    }
    add_plain(list, "kernel", json_text(answer, "kernel", ""));
    text_clear(&text);
    text_format(&text, "%ld", json_number(answer, "launch", 0));
    add_plain(list, "launch", text.bytes);
    text_clear(&text);
    text_format(&text, "%ld", json_number(answer, "step", 0));
    add_plain(list, "step", text.bytes);
    text_free(&text);
    json_object_put(answer);
}

static void list_parts(Dap *dap, DapMessage *message, const DapHandle *at, json_object *list) {
    json_object *question = about("members", message, at);
    const long first = json_number(message->arguments, "start", 0),
               count = json_number(message->arguments, "count", 0);
    json_put_number(question, "first", MAX(first, 0));
    if (count > 0) json_put_number(question, "count", count);
    json_object *answer = dap_ask(dap, message, question), *rows = json_array(answer, "members");
    size_t told = json_length(rows);
    for (size_t i = 0; i < told; i++) {
        json_object *row = json_object_array_get_idx(rows, i);
        json_object_array_add(
            list, variables_row(dap, row, json_text(row, "name", ""), at, json_text(row, "expression", "")));
    }
    const long left = json_number(answer, "total", 0) - first - (long)told;
    if (count <= 0 && left > 0) {
        Text more = text_new();
        text_format(&more, "%ld more: ask for them by start and count", left);
        add_plain(list, "...", more.bytes);
        text_free(&more);
    }
    json_object_put(answer);
}

/** By HandleKind; what has no function has nothing in it. */
static ListFunction *const lists[] = {[HANDLE_FRAME] = NULL,           [HANDLE_HOST] = NULL,
                                      [HANDLE_LOCALS] = list_locals,   [HANDLE_LANES] = list_lanes,
                                      [HANDLE_BY_LANE] = list_by_lane, [HANDLE_IN_LANES] = list_lanes,
                                      [HANDLE_CUDA] = list_cuda,       [HANDLE_PARTS] = list_parts};

/** The handle's text moves when the table grows, so it is copied first. */
void dap_variables(Dap *dap, DapMessage *message) {
    json_object *list = json_object_new_array();
    const DapHandle *found = look_find(dap, json_number(message->arguments, "variablesReference", 0));
    if (found == NULL || lists[found->kind] == NULL) {
        text_add(&message->error, "there are no such variables now");
    } else {
        DapHandle at = *found;
        look_focus(dap, at.block, at.thread);
        lists[at.kind](dap, message, &at, list);
    }
    json_object_object_add(message->body, "variables", list);
}

/* ---- scopes ---- */

static void add_scope(Dap *dap, json_object *list, const char *name, DapHandleKind kind,
                      const DapHandle *frame) {
    json_object *scope = json_object_new_object();
    DapHandle handle = *frame;
    handle.kind = kind;
    json_put_text(scope, "name", name);
    if (kind == HANDLE_LOCALS) json_put_text(scope, "presentationHint", "locals");
    json_put_number(scope, "variablesReference", look_handle(dap, handle));
    json_put_flag(scope, "expensive", kind != HANDLE_LOCALS && kind != HANDLE_CUDA);
    json_object_array_add(list, scope);
}

/** Lanes stand in the innermost function each, so only that has them. */
void dap_scopes(Dap *dap, DapMessage *message) {
    json_object *list = json_object_new_array();
    const DapHandle *found = look_find(dap, json_number(message->arguments, "frameId", 0));
    if (found == NULL || (found->kind != HANDLE_FRAME && found->kind != HANDLE_HOST))
        text_add(&message->error, "there is no such frame now");
    if (found != NULL && found->kind == HANDLE_FRAME) {
        const DapHandle frame = *found;
        add_scope(dap, list, "Locals", HANDLE_LOCALS, &frame);
        if (frame.frame == 0) add_scope(dap, list, "Lanes of the warp", HANDLE_LANES, &frame);
        if (frame.frame == 0) add_scope(dap, list, "Variables in all lanes", HANDLE_BY_LANE, &frame);
        add_scope(dap, list, "CUDA", HANDLE_CUDA, &frame);
    }
    json_object_object_add(message->body, "scopes", list);
}

/* ---- expressions, and the console's own commands ---- */

static void evaluate_value(Dap *dap, DapMessage *message, const char *expression) {
    const DapHandle frame = variables_frame(dap, message);
    look_focus(dap, frame.block, frame.thread);
    json_object *question = about("print", message, &frame);
    json_put_text(question, "expression", expression);
    json_object *answer = dap_ask(dap, message, question);
    if (answer == NULL) return;
    json_put_visible(message->body, "result", json_text(answer, "value", json_text(answer, "error", "")));
    json_put_visible(message->body, "type", json_text(answer, "type", ""));
    put_parts(dap, answer, &frame, expression, message->body);
    json_object_put(answer);
}

static void say_nothing(DapMessage *message) {
    json_put_text(message->body, "result", "");
    json_put_number(message->body, "variablesReference", 0);
}

/** cuda [block (X,Y,Z)] [thread (X,Y,Z)]: that thread becomes the one that has stopped. */
static void console_cuda(Dap *dap, DapMessage *message, char *rest) {
    json_object *question = session_question("focus", NULL), *body;
    const DapHandle frame = variables_frame(dap, message);
    look_focus(dap, frame.block, frame.thread);
    if (!place_read_limits(rest, question)) {
        text_add(&message->error, "which one? As in: cuda block (1,0,0) thread (3,0,0)");
        json_object_put(question);
        return;
    }
    json_object *answer = dap_ask(dap, message, question);
    if (answer == NULL) return;
    json_object_put(answer);
    json_object_put(dap->place);
    dap->place = session_ask(dap->session, session_question("where", NULL));
    say_nothing(message);
    message->event = wire_event("stopped", &body);
    json_put_text(body, "reason", "goto");
    json_put_text(body, "description", "another thread is looked at");
    json_put_number(body, "threadId", look_stopped_thread(dap));
    json_put_flag(body, "allThreadsStopped", true);
}

static void console_goto(Dap *dap, DapMessage *message, char *rest) {
    (void)dap;
    say_nothing(message);
    message->question = session_question("goto", NULL);
    json_put_number(message->question, "step", strtoll(rest, NULL, 10));
}

static void console_other(Dap *dap, DapMessage *message, char *rest) {
    (void)dap;
    (void)rest;
    say_nothing(message);
    message->question = session_question("other", NULL);
}

static void console_barrier(Dap *dap, DapMessage *message, char *rest) {
    (void)dap;
    (void)rest;
    say_nothing(message);
    message->question = session_question("go", "barrier");
}

/** lanes EXPRESSION: its value in each lane. */
static void console_lanes(Dap *dap, DapMessage *message, char *rest) {
    DapHandle frame = variables_frame(dap, message);
    frame.kind = HANDLE_LANES;
    if (*rest != '\0') {
        frame.kind = HANDLE_IN_LANES;
        frame.expression = strdup(rest);
    }
    json_put_text(message->body, "result", "the warp's lanes");
    json_put_number(message->body, "variablesReference", look_handle(dap, frame));
}

static const struct {
    const char *word;
    void (*function)(Dap *dap, DapMessage *message, char *rest);
} console[] = {{"cuda", console_cuda},
               {"goto", console_goto},
               {"other", console_other},
               {"barrier", console_barrier},
               {"lanes", console_lanes}};

/** Only in the console: elsewhere a name of these may be a variable's, and so it may with more than blanks
 * behind it. */
static bool console_command(Dap *dap, DapMessage *message, char *line) {
    for (size_t i = 0; i < sizeof console / sizeof *console; i++) {
        const size_t length = strlen(console[i].word);
        if (strncmp(line, console[i].word, length) != 0) continue;
        if (line[length] != '\0' && line[length] != ' ') continue;
        char *rest = line + length;
        while (isspace((unsigned char)*rest))
            rest++;
        console[i].function(dap, message, rest);
        return true;
    }
    return false;
}

void dap_evaluate(Dap *dap, DapMessage *message) {
    const char *expression = json_text(message->arguments, "expression", "");
    bool typed = strcmp(json_text(message->arguments, "context", ""), "repl") == 0;
    char *line = strdup(expression);
    if (line == NULL || !typed || !console_command(dap, message, line))
        evaluate_value(dap, message, expression);
    free(line);
}
