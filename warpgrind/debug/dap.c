/* dap.c - requests, one row of requests.def each, and the session's life; see dap_parts.h.
 *
 * While a run goes, the editor is heeded: `pause` and the end at once, what looks at the program is told that
 * it runs, and breakpoints wait until it has stopped, for which it is halted.
 */
#include "debug/dap_parts.h"

#include "base/finding.h"
#include "device/reshape.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum DapWhen { ANY, STOPPED, SETUP } DapWhen;

static const struct {
    const char *name;
    DapFunction *function; /**< NULL: it is refused, */
    DapWhen when;
    const char *words; /**< with these words */
} rows[] = {
#define DAP_REQUEST(name, when, summary) {#name, dap_##name, when, NULL},
#define DAP_REFUSED(name, words) {#name, NULL, ANY, words},
#include "debug/requests.def"
#undef DAP_REQUEST
#undef DAP_REFUSED
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

/* ---- asking the session ---- */

json_object *dap_ask(Dap *dap, DapMessage *message, json_object *question) {
    return session_get(dap->session, question, &message->error);
}

/** Where a chunk ends amid a character, its bytes are marked; the program's texts are mostly ASCII. */
void dap_output(void *self, int stream, const char *bytes, size_t count) {
    json_object *body, *event = wire_event("output", &body);
    Text text = text_new();
    text_append(&text, bytes, count);
    json_put_text(body, "category", stream == 1 ? "stdout" : "stderr");
    json_put_text(body, "output", text.bytes);
    text_free(&text);
    wire_send(self, event);
}

/* ---- requests ---- */

static size_t find_row(const char *name) {
    size_t i = 0;
    while (i < ROW_COUNT && strcmp(rows[i].name, name) != 0)
        i++;
    return i;
}

/** Whether the request can be done now. False: the message says why not. */
static bool may(const Dap *dap, DapMessage *message, size_t row, const char *name) {
    if (row == ROW_COUNT)
        text_format(&message->error, "there is no request %.40s", name);
    else if (rows[row].function == NULL)
        text_add(&message->error, rows[row].words);
    else if (rows[row].when == ANY)
        return true;
    else if (dap->session == NULL)
        text_add(&message->error, "nothing has been launched");
    else if (dap->ended)
        text_add(&message->error, "the program has ended");
    else if (dap->running)
        text_add(&message->error, "notStopped");
    return message->error.length == 0;
}

static bool waits(const Dap *dap, size_t row) {
    return dap->running && row < ROW_COUNT && rows[row].when == SETUP;
}

/** Keeps it, and halts the run for it. */
static void keep(Dap *dap, json_object *request) {
    json_object **place = growable_add(&dap->inbox);
    if (place == NULL) {
        json_object_put(request);
        return;
    }
    *place = request;
    if (dap->halts) session_nudge(dap->session);
}

void dap_handle(Dap *dap, json_object *request) {
    const char *name = json_text(request, "command", "");
    const size_t row = find_row(name);
    if (waits(dap, row)) {
        keep(dap, request);
        return;
    }
    json_object *none = json_object_new_object(), *arguments = json_member(request, "arguments");
    DapMessage message = {.request = request,
                          .arguments = arguments != NULL ? arguments : none,
                          .body = json_object_new_object()};
    text_init(&message.error);
    if (may(dap, &message, row, name)) rows[row].function(dap, &message);
    wire_answer(dap, &message);
    bool fine = message.error.length == 0;
    if (fine && message.event != NULL) wire_send(dap, json_object_get(message.event));
    if (fine && message.question != NULL) run_question(dap, json_object_get(message.question));
    json_object_put(message.event);
    json_object_put(message.question);
    json_object_put(message.body);
    json_object_put(none);
    json_object_put(request);
    text_free(&message.error);
}

/* ---- initialize ---- */

static void add_filter(json_object *list, const char *name, const char *label, bool usual) {
    json_object *filter = json_object_new_object();
    json_put_text(filter, "filter", name);
    json_put_text(filter, "label", label);
    json_put_flag(filter, "default", usual);
    json_object_array_add(list, filter);
}

/** A row of the table of findings each; errors stop a run unless somebody takes the mark away. */
static json_object *filters(void) {
    json_object *list = json_object_new_array();
    add_filter(list, "launch", "launch: each launch of a kernel", false);
    add_filter(list, "error", "error: each call of the CUDA API that fails", false);
    for (unsigned i = 0; i < FINDING_KIND_COUNT; i++) {
        const FindingInfo *info = finding_info((FindingKind)i);
        Text label = text_new();
        text_format(&label, "%s: %s", info->name, info->title);
        add_filter(list, info->name, label.bytes, info->severity == FINDING_ERROR);
        text_free(&label);
    }
    return list;
}

void dap_initialize(Dap *dap, DapMessage *message) {
    static const char *const can[] = {"supportsConfigurationDoneRequest",
                                      "supportsFunctionBreakpoints",
                                      "supportsConditionalBreakpoints",
                                      "supportsHitConditionalBreakpoints",
                                      "supportsDataBreakpoints",
                                      "supportsEvaluateForHovers",
                                      "supportsStepBack",
                                      "supportsSteppingGranularity",
                                      "supportsExceptionInfoRequest",
                                      "supportsRestartRequest",
                                      "supportsTerminateRequest",
                                      "supportsValueFormattingOptions",
                                      "supportTerminateDebuggee"};
    if (json_flag(message->arguments, "linesStartAt1", true))
        dap->line_base = 1;
    else
        dap->line_base = 0;
    for (size_t i = 0; i < sizeof can / sizeof *can; i++)
        json_put_flag(message->body, can[i], true);
    json_object_object_add(message->body, "exceptionBreakpointFilters", filters());
}

/* ---- launch ---- */

/** A file of JSON with members that the request lacks: how somebody else has prepared a run. False: the
 * message says what is wrong. */
static bool read_settings(DapMessage *message) {
    enum { LARGEST = 1 << 20 };
    json_object *arguments = message->arguments;
    const char *path = json_text(arguments, "settings", NULL);
    if (path == NULL) return true;
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    json_object *settings = json_read_file(path, LARGEST, &diagnostics);
    bool fine = json_object_is_type(settings, json_type_object);
    if (!fine) text_format(&message->error, "%s is no file of settings: prepare the run first", path);
    struct json_object_iterator at, end;
    if (fine) at = json_object_iter_begin(settings), end = json_object_iter_end(settings);
    for (; fine && !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        const char *name = json_object_iter_peek_name(&at);
        if (json_object_object_get_ex(arguments, name, NULL)) continue;
        json_object_object_add(arguments, name, json_object_get(json_object_iter_peek_value(&at)));
    }
    json_object_put(settings);
    arena_destroy(arena);
    return fine;
}

static void free_argv(char **argv) {
    for (size_t i = 0; argv != NULL && argv[i] != NULL; i++)
        free(argv[i]);
    free(argv);
}

/** The program and its `args`; those that are no texts are written as JSON writes them. */
static char **read_argv(json_object *arguments) {
    json_object *list = json_array(arguments, "args");
    size_t count = json_length(list);
    char **argv = calloc(count + 2, sizeof *argv);
    if (argv == NULL) return NULL;
    argv[0] = strdup(json_text(arguments, "program", ""));
    for (size_t i = 0; i < count; i++)
        argv[i + 1] = strdup(json_object_get_string(json_object_array_get_idx(list, i)));
    return argv;
}

/** `env` adds to the adapter's own environment; null takes a variable away. */
static void set_environment(json_object *arguments) {
    json_object *env = json_member(arguments, "env");
    if (env == NULL) return;
    struct json_object_iterator at = json_object_iter_begin(env), end = json_object_iter_end(env);
    for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
        const char *name = json_object_iter_peek_name(&at);
        json_object *value = json_object_iter_peek_value(&at);
        if (value == NULL)
            unsetenv(name);
        else
            setenv(name, json_object_get_string(value), 1);
    }
}

/** What launch.json says beside the program. False: the message says what is wrong. */
static bool read_options(Dap *dap, DapMessage *message) {
    json_object *arguments = message->arguments;
    const char *folder = json_text(arguments, "cwd", NULL);
    const long devices = json_number(arguments, "devices", (long)dap->device.devices);
    const long seed = json_number(arguments, "seed", (long)dap->device.seed);
    const char *order = json_text(arguments, "streamOrder", "late");
    const char *reshape = json_text(arguments, "reshape", NULL);
    DeviceReshape smaller = dap->device.reshape;
    if (devices < 1 || devices > 8)
        text_add(&message->error, "devices is from 1 to 8");
    else if (seed < 0)
        text_add(&message->error, "seed is 0 or more");
    else if (strcmp(order, "late") != 0 && strcmp(order, "early") != 0)
        text_add(&message->error, "streamOrder is late or early");
    else if (reshape != NULL && !reshape_read(reshape, &smaller))
        text_add(&message->error, "reshape is LAUNCH:GRID:BLOCK, as in 3:4:64,2");
    else if (folder != NULL && chdir(folder) != 0)
        text_format(&message->error, "the folder %s cannot be entered", folder);
    if (message->error.length > 0) return false;
    set_environment(arguments);
    dap->device.devices = (unsigned)devices;
    dap->device.seed = (uint64_t)seed;
    dap->device.reshape = smaller;
    if (json_text(arguments, "streamOrder", NULL) != NULL) dap->device.early = strcmp(order, "early") == 0;
    const char *card = json_text(arguments, "card", NULL);
    if (card != NULL) dap->device.card = strdup(card);
    dap->stop_on_entry = json_flag(arguments, "stopOnEntry", false);
    dap->stop_at_end = json_flag(arguments, "stopAtEnd", false);
    dap->no_debug = json_flag(arguments, "noDebug", false);
    return true;
}

static void close_session(Dap *dap) {
    session_close(dap->session);
    dap->session = NULL;
    free_argv(dap->argv);
    dap->argv = NULL;
}

/** The program is there and waits; the editor may set breakpoints now. A program that cannot be run is no
 * session. */
void dap_launch(Dap *dap, DapMessage *message) {
    const char *program = json_text(message->arguments, "program", "");
    if (dap->session != NULL)
        text_add(&message->error, "something has been launched already");
    else if (*program == '\0')
        text_add(&message->error, "launch which program? `program` in launch.json names it");
    if (message->error.length > 0 || !read_settings(message) || !read_options(dap, message)) return;
    if (access(program, X_OK) != 0) {
        text_format(&message->error, "%s cannot be run: build it first, with warpcc and without -O", program);
        return;
    }
    dap->argv = read_argv(message->arguments);
    if (dap->argv != NULL) dap->session = session_open(&dap->device, dap->argv, dap_output, dap);
    if (dap->session == NULL) {
        text_add(&message->error, "no memory");
        return;
    }
    session_listen(dap->session, STDIN_FILENO, dap_heed);
    json_object *body, *answer = dap_ask(dap, message, session_question("start", NULL));
    json_object_put(answer);
    if (answer == NULL) {
        close_session(dap);
        return;
    }
    message->event = wire_event("initialized", &body);
}

/** The beginning of a run: the first thread's first line, or what stops it. */
static void begin(Dap *dap, DapMessage *message) {
    if (dap->no_debug) {
        json_object *nothing = session_question("catch", NULL);
        json_put_flag(nothing, "findings", false);
        json_object_put(dap_ask(dap, message, nothing));
    }
    if (dap->stop_on_entry) look_focus(dap, 0, 0);
    message->question = session_question("go", dap->stop_on_entry ? "line" : "stop");
}

void dap_configurationDone(Dap *dap, DapMessage *message) {
    if (dap->configured)
        text_add(&message->error, "the program runs already");
    else
        begin(dap, message);
    dap->configured = true;
}

void dap_restart(Dap *dap, DapMessage *message) {
    json_object *answer = dap_ask(dap, message, session_question("start", NULL));
    json_object_put(answer);
    if (answer != NULL) begin(dap, message);
}

/* ---- the end ---- */

void dap_terminate(Dap *dap, DapMessage *message) {
    json_object *body;
    if (dap->session != NULL) session_abandon(dap->session);
    if (!dap->ended) message->event = wire_event("terminated", &body);
    dap->ended = true;
}

void dap_disconnect(Dap *dap, DapMessage *message) {
    (void)message;
    if (dap->session != NULL) session_abandon(dap->session);
    dap->ended = dap->leaves = true;
}

/** While a run goes. An editor that has gone ends it. */
void dap_heed(void *self) {
    Dap *dap = self;
    if (!wire_read(dap)) {
        dap->ended = dap->leaves = true;
        session_abandon(dap->session);
        return;
    }
    json_object *request;
    while (dap->running && !dap->leaves && (request = wire_take(dap)) != NULL)
        dap_handle(dap, request);
}

static void free_dap(Dap *dap) {
    for (size_t i = 0; i < dap->inbox.count; i++)
        json_object_put(*GROWABLE_AT(&dap->inbox, json_object *, i));
    growable_free(&dap->inbox);
    look_forget(dap);
    growable_free(&dap->handles);
    points_free(dap);
    json_object_put(dap->stop);
    json_object_put(dap->place);
    json_object_put(dap->threads);
    text_free(&dap->input);
    close_session(dap);
}

int dap_serve(const DeviceOptions *device) {
    Dap dap = {.device = *device,
               .line_base = 1,
               .inbox = GROWABLE(json_object *),
               .handles = GROWABLE(DapHandle),
               .points = GROWABLE(DapPoint)};
    text_init(&dap.input);
    signal(SIGPIPE, SIG_IGN);
    do {
        json_object *request;
        while (!dap.leaves && (request = wire_take(&dap)) != NULL)
            dap_handle(&dap, request);
    } while (!dap.leaves && wire_read(&dap));
    free_dap(&dap);
    return EXIT_FINE;
}
