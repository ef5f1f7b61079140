/* commands.c - the questions: a line of JSON in, a line of JSON out, one function for each row of
 * commands.def. A command that lets the run go on is answered when it has stopped again. */
#include "base/minmax.h"
#include "device/options.h"
#include "device/debug/parts.h"
#include "device/state/state.h"

#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** One question: its members, and the answer as it grows. */
typedef struct Question {
    json_object *in, *out;
    Text error; /**< why not; empty: it went well */
    bool goes;  /**< the run goes on, and the answer comes when it stops */
} Question;

typedef void CommandFunction(Debug *debug, Question *question);

static const char *const go_names[] = {
#define DEBUG_GO(name, summary) #name,
#include "device/debug/commands.def"
#undef DEBUG_GO
};

/* ---- lines ---- */

/** The device has nobody to talk to any more, so the whole run is over. */
_Noreturn static void leave(void) {
    _exit(EXIT_INTERNAL);
}

static void send_line(Debug *debug, json_object *object) {
    const char *text =
        json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
    if (text == NULL || !text_write(debug->socket, text, strlen(text)) || !text_write(debug->socket, "\n", 1))
        leave();
}

/** Takes a whole line out of what has come; false when there is none yet. */
static bool take_line(Text *input, Text *line) {
    const char *end = memchr(input->bytes, '\n', input->length);
    if (end == NULL) return false;
    const size_t length = (size_t)(end - input->bytes);
    text_clear(line);
    text_append(line, input->bytes, length);
    memmove(input->bytes, end + 1, input->length - length);
    input->length -= length + 1;
    return true;
}

static void receive_line(Debug *debug, Text *line) {
    char bytes[4096];
    while (!take_line(&debug->input, line)) {
        const ssize_t count = read(debug->socket, bytes, sizeof bytes);
        if (count <= 0 || debug->input.length > DEBUG_LONGEST_QUESTION) leave();
        text_append(&debug->input, bytes, (size_t)count);
    }
}

/** The question may have come together with the one before, and then nothing is left to be read. */
bool commands_asked(Debug *debug) {
    struct pollfd asked = {.fd = debug->socket, .events = POLLIN};
    if (debug->input.length == 0 && poll(&asked, 1, 0) <= 0) return false;
    Text line = text_new();
    receive_line(debug, &line);
    text_free(&line);
    return true;
}

/* ---- members ---- */

static const char *text_of(const Question *question, const char *name) {
    const char *text = json_text(question->in, name, NULL);
    if (text != NULL && *text != '\0') return text;
    return NULL;
}

static const char *keep(Debug *debug, const char *text) {
    if (text != NULL) return arena_string(debug->arena, text);
    return NULL;
}

static bool dim_of(const Question *question, const char *name, GpuDim *dim) {
    json_object *list = json_array(question->in, name);
    if (list == NULL || json_object_array_length(list) != 3) return false;
    uint32_t at[3];
    for (size_t i = 0; i < 3; i++)
        at[i] = (uint32_t)json_object_get_int64(json_object_array_get_idx(list, i));
    *dim = (GpuDim){at[0], at[1], at[2]};
    return true;
}

static bool go_of(Question *question, DebugGo *go) {
    const char *name = json_text(question->in, "for", "stop");
    for (unsigned i = 0; i < GO_COUNT; i++) {
        if (strcmp(name, go_names[i]) != 0) continue;
        *go = (DebugGo)i;
        return true;
    }
    text_format(&question->error, "nothing is run for %s", name);
    return false;
}

/* ---- breakpoints ---- */

/** A number may be asked for: in another run of the program it shall be the same one. */
static DebugPoint *new_point(Debug *debug, Question *question) {
    const long wanted = json_number(question->in, "number", 0);
    for (unsigned i = 0; i < DEBUG_POINTS; i++) {
        DebugPoint *point = &debug->points[i];
        if (point->used || (wanted > 0 && wanted != (long)i + 1)) continue;
        *point = (DebugPoint){.used = true};
        json_put_number(question->out, "number", i + 1);
        return point;
    }
    text_format(&question->error, "there are %d breakpoints already", DEBUG_POINTS);
    return NULL;
}

static void command_break(Debug *debug, Question *question) {
    const long line = json_number(question->in, "line", 0);
    const char *function = text_of(question, "kernel");
    if (line <= 0 && function == NULL) {
        text_add(&question->error, "which line, or which kernel?");
        return;
    }
    DebugPoint *point = new_point(debug, question);
    if (point == NULL) return;
    if (line > 0) {
        point->line = (int)line;
        point->function = NULL;
    } else {
        point->line = 0;
        point->function = keep(debug, function);
    }
    point->file = keep(debug, text_of(question, "file"));
    point->condition = keep(debug, text_of(question, "condition"));
    point->has_block = dim_of(question, "block", &point->block);
    point->has_thread = dim_of(question, "thread", &point->thread);
    point->wanted = (uint64_t)json_number(question->in, "hits", 0);
    point->since = (uint64_t)json_number(question->in, "since", 0);
    stops_forget(debug);
    json_put_number(question->out, "line", stops_line(debug, point));
}

/** What another run is told, so that it watches the same. */
static void put_watched(const DebugPoint *point, Question *question) {
    json_put_number(question->out, "block_number", (int64_t)point->of_block);
    json_put_number(question->out, "thread_number", (int64_t)point->of_thread);
    if (!point->armed) return;
    json_put_number(question->out, "address", (int64_t)point->address);
    json_put_number(question->out, "bytes", (int64_t)point->bytes);
    json_put_number(question->out, "launch", point->launch);
    json_put_number(question->out, "kind", point->type.bytes != 0 ? point->type.kind : PTX_SHOWN_OTHER);
}

static void read_watched(const Debug *debug, const Question *question, DebugPoint *point) {
    point->of_block = (uint64_t)json_number(question->in, "block_number", (long)debug->block);
    point->of_thread = (uint64_t)json_number(question->in, "thread_number", (long)debug->thread);
    point->address = (uint64_t)json_number(question->in, "address", 0);
    point->bytes = MIN((uint64_t)json_number(question->in, "bytes", 0), (uint64_t)WATCHED_BYTES);
    point->launch = (uint32_t)json_number(question->in, "launch", 0);
    point->placed = point->bytes > 0;
    watches_type(point, (PtxShownKind)json_number(question->in, "kind", PTX_SHOWN_OTHER),
                 json_text(question->in, "type", ""));
}

static void command_watch(Debug *debug, Question *question) {
    const char *expression = text_of(question, "expression");
    if (expression == NULL) {
        text_add(&question->error, "what is to be watched?");
        return;
    }
    DebugPoint *point = new_point(debug, question);
    if (point == NULL) return;
    point->watched = keep(debug, expression);
    read_watched(debug, question, point);
    if (!point->placed && watches_arm(debug, point)) {
        look_print(debug, expression, 0, 0, question->out, &question->error);
    } else if (!point->placed && debug->launch != NULL &&
               look_print(debug, expression, 0, 0, question->out, &question->error)) {
        text_format(&question->error, "only what is in memory and has at most %d bytes can be watched",
                    WATCHED_BYTES);
    }
    point->used = question->error.length == 0;
    if (point->used) put_watched(point, question);
    debug->highest_watch = MAX(debug->highest_watch, (unsigned)(point - debug->points) + 1);
}

static void command_delete(Debug *debug, Question *question) {
    const long number = json_number(question->in, "number", 0);
    if (number < 1 || number > DEBUG_POINTS || !debug->points[number - 1].used) {
        text_format(&question->error, "there is no breakpoint %ld", number);
        return;
    }
    debug->points[number - 1] = (DebugPoint){0};
    stops_forget(debug);
}

static void command_points(Debug *debug, Question *question) {
    json_object *list = json_object_new_array();
    for (unsigned i = 0; i < DEBUG_POINTS; i++) {
        const DebugPoint *point = &debug->points[i];
        if (!point->used || point->watched != NULL) continue;
        json_object *row = json_object_new_object();
        json_put_number(row, "number", i + 1);
        json_put_number(row, "line", stops_line(debug, point));
        json_object_array_add(list, row);
    }
    json_object_object_add(question->out, "points", list);
}

static void command_catch(Debug *debug, Question *question) {
    debug->findings = json_flag(question->in, "findings", debug->findings);
    debug->launches = json_flag(question->in, "launches", debug->launches);
    debug->errors = json_flag(question->in, "errors", debug->errors);
    debug->kinds = keep(debug, text_of(question, "kinds"));
}

/* ---- running on ---- */

/** Before a launch its shape is not known, so block and thread are counted in one direction. */
static uint64_t linear_of(GpuDim at, const GpuDim *extent) {
    if (extent == NULL) return at.x;
    return at.x + (uint64_t)extent->x * (at.y + (uint64_t)extent->y * at.z);
}

static bool is_inside(GpuDim at, GpuDim extent) {
    return at.x < extent.x && at.y < extent.y && at.z < extent.z;
}

static void command_focus(Debug *debug, Question *question) {
    const GpuLaunchSpec *spec = NULL;
    if (debug->launch != NULL) spec = &debug->launch->spec;
    GpuDim block, thread;
    bool has_block = dim_of(question, "block", &block), has_thread = dim_of(question, "thread", &thread);
    if (spec != NULL &&
        ((has_block && !is_inside(block, spec->grid)) || (has_thread && !is_inside(thread, spec->block)))) {
        text_add(&question->error, "the launch has no such thread");
        return;
    }
    if (has_block) debug->block = linear_of(block, spec != NULL ? &spec->grid : NULL);
    if (has_thread) debug->thread = linear_of(thread, spec != NULL ? &spec->block : NULL);
    debug->block = (uint64_t)json_number(question->in, "block_number", (long)debug->block);
    debug->thread = (uint64_t)json_number(question->in, "thread_number", (long)debug->thread);
    stops_begin(debug);
    look_place(debug, question->out);
}

static void command_go(Debug *debug, Question *question) {
    DebugAim aim = {.step = (uint64_t)json_number(question->in, "step", 0),
                    .change = (unsigned)json_number(question->in, "change", 0),
                    .natural = json_flag(question->in, "natural", false),
                    .match_block = (uint64_t)json_number(question->in, "block_number", (long)debug->block),
                    .match_thread =
                        (uint64_t)json_number(question->in, "thread_number", (long)debug->thread)};
    if (!go_of(question, &aim.go)) return;
    debug->aim = aim;
    stops_begin(debug);
    if (aim.go == GO_finish && debug->aim.depth == 0)
        text_add(&question->error, "the thread is in no function that returns: the kernel itself ends");
    else
        question->goes = true;
}

/** A run from the beginning, to look back from its end: the thread is given by numbers that need no launch.
 */
static void command_seek(Debug *debug, Question *question) {
    DebugAim aim = {.seeking = true,
                    .step = (uint64_t)json_number(question->in, "before", 0),
                    .change = (unsigned)json_number(question->in, "change", 0)};
    if (!go_of(question, &aim.go)) return;
    aim.line = (int)json_number(question->in, "line", 0);
    aim.depth = (uint32_t)json_number(question->in, "depth", 0);
    debug->block = (uint64_t)json_number(question->in, "block", (long)debug->block);
    debug->thread = (uint64_t)json_number(question->in, "thread", (long)debug->thread);
    debug->last = (DebugLine){0};
    debug->aim = aim;
    question->goes = true;
}

/* ---- looking ---- */

static void command_where(Debug *debug, Question *question) {
    look_place(debug, question->out);
    json_put_number(question->out, "block_number", (int64_t)debug->block);
    json_put_number(question->out, "thread_number", (int64_t)debug->thread);
}

static void command_frames(Debug *debug, Question *question) {
    look_frames(debug, question->out);
}

static void command_locals(Debug *debug, Question *question) {
    look_locals(debug, (unsigned)json_number(question->in, "frame", 0), question->out);
}

static void command_print(Debug *debug, Question *question) {
    const char *expression = text_of(question, "expression"), *format = json_text(question->in, "format", "");
    if (expression == NULL)
        text_add(&question->error, "which expression?");
    else
        look_print(debug, expression, *format, (unsigned)json_number(question->in, "frame", 0), question->out,
                   &question->error);
}

static void command_members(Debug *debug, Question *question) {
    const LookPart part = {.expression = text_of(question, "expression"),
                           .format = *json_text(question->in, "format", ""),
                           .frame = (unsigned)json_number(question->in, "frame", 0),
                           .first = (uint64_t)json_number(question->in, "first", 0),
                           .count = (uint64_t)json_number(question->in, "count", LOOK_MOST_PARTS)};
    if (part.expression == NULL)
        text_add(&question->error, "of which expression?");
    else
        look_members(debug, &part, question->out, &question->error);
}

static void command_lanes(Debug *debug, Question *question) {
    look_lanes(debug, text_of(question, "expression"), question->out);
}

static void command_blocks(Debug *debug, Question *question) {
    look_blocks(debug, question->out);
}

/* ---- the loop ---- */

static const struct {
    const char *name;
    CommandFunction *function;
} commands[] = {
#define DEBUG_COMMAND(name, members, answer, summary) {#name, command_##name},
#include "device/debug/commands.def"
#undef DEBUG_COMMAND
};

static void dispatch(Debug *debug, Question *question) {
    const char *name = json_text(question->in, "command", "");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(commands[i].name, name) != 0) continue;
        commands[i].function(debug, question);
        return;
    }
    text_format(&question->error, "there is no command %s", name);
}

/** Asks a run to stop. One that has stopped meanwhile of itself meets it here, and has nothing to say to it.
 */
static bool is_interrupt(json_object *question) {
    return strcmp(json_text(question, "command", ""), "interrupt") == 0;
}

/** One line: its answer is sent, unless the run goes on first. True when it does. */
static bool answer(Debug *debug, const Text *line) {
    Question question = {.in = json_tokener_parse(line->bytes), .out = json_object_new_object()};
    text_init(&question.error);
    bool silent = is_interrupt(question.in);
    if (silent)
        text_clear(&question.error);
    else if (json_object_is_type(question.in, json_type_object))
        dispatch(debug, &question);
    else
        text_add(&question.error, "that is no object of JSON");
    json_put_flag(question.out, "ok", question.error.length == 0);
    if (question.error.length > 0) json_put_text(question.out, "error", question.error.bytes);
    if (!question.goes && !silent) send_line(debug, question.out);
    bool goes = question.goes;
    json_object_put(question.in);
    json_object_put(question.out);
    text_free(&question.error);
    return goes;
}

/** A breakpoint may stand where a change is seen: then it is hit as well. */
static void put_points(const Debug *debug, const char *reason, json_object *stop) {
    const bool changed = strcmp(reason, "changed") == 0;
    if (!changed && strcmp(reason, "breakpoint") != 0) return;
    json_object *list = json_object_new_array();
    for (uint64_t left = changed ? debug->changed : 0; left != 0; left &= left - 1)
        json_object_array_add(list, json_object_new_int(__builtin_ctzll(left) + 1));
    if (debug->point != 0) {
        json_object_array_add(list, json_object_new_int64(debug->point));
        json_put_number(stop, "breakpoint", debug->point);
    }
    json_put_number(stop, "number", json_object_get_int64(json_object_array_get_idx(list, 0)));
    json_object_object_add(stop, "numbers", list);
}

/** What the last go is answered with. */
static void send_stop(Debug *debug, const char *reason) {
    json_object *stop = json_object_new_object();
    json_put_flag(stop, "ok", true);
    json_put_text(stop, "reason", reason);
    look_place(debug, stop);
    if (debug->message.length > 0) json_put_visible(stop, "message", debug->message.bytes);
    if (debug->about != NULL) json_object_object_add(stop, "finding", json_object_get(debug->about));
    if (debug->aim.seeking && debug->aim.matched) {
        json_put_number(stop, "match", (int64_t)debug->aim.match);
        json_put_number(stop, "match_change", debug->aim.match_change);
        json_put_number(stop, "match_block", (int64_t)debug->aim.match_block);
        json_put_number(stop, "match_thread", (int64_t)debug->aim.match_thread);
    }
    put_points(debug, reason, stop);
    if (debug->ended) {
        json_put_number(stop, "exit_status", debug->device->program.exit_status);
        json_put_flag(stop, "crashed", debug->device->program.crashed || !debug->device->program.goodbye);
        json_put_number(stop, "errors", (int64_t)check_finding_count(debug->device->check, FINDING_ERROR));
    }
    json_put_number(stop, "change", debug->change);
    json_put_number(stop, "block_number", (int64_t)debug->block);
    json_put_number(stop, "thread_number", (int64_t)debug->thread);
    send_line(debug, stop);
    json_object_put(stop);
    text_clear(&debug->message);
}

/** `stopped` NULL: nothing has gone yet. When the program has ended nothing can go on, and the device ends.
 */
void commands_answer(Debug *debug, const char *stopped) {
    Text line = text_new();
    if (stopped != NULL) send_stop(debug, stopped);
    debug->aim.seeking = false;
    do
        if (!debug->ended) receive_line(debug, &line);
    while (!debug->ended && !answer(debug, &line));
    text_free(&line);
}

/* ---- life ---- */

Debug *debug_create(struct Device *device, int socket) {
    Debug *debug = calloc(1, sizeof *debug);
    if (debug == NULL) return NULL;
    debug->device = device;
    debug->socket = socket;
    debug->findings = true;
    debug->codes = GROWABLE(DebugCode);
    debug->arena = arena_create();
    text_init(&debug->input);
    text_init(&debug->message);
    stops_attach(debug);
    return debug;
}

void debug_begin(Debug *debug) {
    commands_answer(debug, NULL);
}

void debug_destroy(Debug *debug) {
    if (debug == NULL) return;
    growable_free(&debug->codes);
    arena_destroy(debug->arena);
    text_free(&debug->input);
    text_free(&debug->message);
    free(debug);
}
