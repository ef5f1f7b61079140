/* dap_look.c - threads, which are warps, and their stacks. A thread's functions are asked for when the editor
 * asks; of the threads themselves those are told that it can make something of. */
#include "base/minmax.h"
#include "debug/dap_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 64 };

/* ---- handles ---- */

int64_t look_handle(Dap *dap, DapHandle handle) {
    DapHandle *place = growable_add(&dap->handles);
    if (place == NULL) return 0;
    *place = handle;
    return (int64_t)dap->handles.count;
}

const DapHandle *look_find(const Dap *dap, int64_t id) {
    if (id < 1 || (uint64_t)id > dap->handles.count) return NULL;
    return GROWABLE_AT(&dap->handles, DapHandle, (size_t)id - 1);
}

void look_forget(Dap *dap) {
    for (size_t i = 0; i < dap->handles.count; i++)
        free(GROWABLE_AT(&dap->handles, DapHandle, i)->expression);
    dap->handles.count = 0;
}

/* ---- which thread ---- */

bool look_focus(Dap *dap, int64_t block, int64_t thread) {
    json_object *question = session_question("focus", NULL);
    json_put_number(question, "block_number", block);
    json_put_number(question, "thread_number", thread);
    json_object *answer = session_ask(dap->session, question);
    bool fine = json_flag(answer, "ok", false);
    json_object_put(answer);
    return fine;
}

static bool in_kernel(const Dap *dap) {
    return dap->place != NULL && json_array(dap->place, "grid") != NULL;
}

static long extent_at(const Dap *dap, size_t axis) {
    json_object *list = NULL;
    if (dap->place != NULL) list = json_array(dap->place, "extent");
    if (list != NULL) return (long)json_object_get_int64(json_object_array_get_idx(list, axis));
    return 0;
}

/** In a block. */
long look_warps(const Dap *dap) {
    const long threads = extent_at(dap, 0) * extent_at(dap, 1) * extent_at(dap, 2);
    if (threads > 0) return (threads + WARP_LANES - 1) / WARP_LANES;
    return 1;
}

static int64_t stopped_at(const Dap *dap, const char *which) {
    if (dap->place != NULL) return json_number(dap->place, which, 0);
    return 0;
}

static int64_t thread_id(const Dap *dap, int64_t block, int64_t warp) {
    return FIRST_WARP + block * look_warps(dap) + warp;
}

int64_t look_stopped_thread(const Dap *dap) {
    if (!in_kernel(dap)) return HOST_THREAD;
    return thread_id(dap, stopped_at(dap, "block_number"), stopped_at(dap, "thread_number") / WARP_LANES);
}

/** The lowest lane of the warp that has not ended: who else would it be that is asked about. */
static int64_t lowest_lane(Dap *dap, int64_t block, int64_t warp) {
    int64_t lowest = 0;
    look_focus(dap, block, warp * WARP_LANES);
    json_object *answer = session_ask(dap->session, session_question("lanes", NULL)),
                *list = json_array(answer, "lanes");
    JSON_EACH(row, list) {
        if (json_text(row, "function", NULL) == NULL) continue;
        lowest = json_number(row, "lane", 0);
        break;
    }
    json_object_put(answer);
    return warp * WARP_LANES + lowest;
}

/** The block and thread of a thread of the protocol: of the warp that has stopped, the thread that has.
 * False: it is the program's, or none. */
static bool find_thread(Dap *dap, int64_t id, int64_t *block, int64_t *thread) {
    if (id < FIRST_WARP || !in_kernel(dap)) return false;
    *block = (id - FIRST_WARP) / look_warps(dap);
    const int64_t warp = (id - FIRST_WARP) % look_warps(dap);
    if (id == look_stopped_thread(dap))
        *thread = stopped_at(dap, "thread_number");
    else
        *thread = lowest_lane(dap, *block, warp);
    return true;
}

void look_at_thread(Dap *dap, DapMessage *message) {
    int64_t block, thread;
    const long id = json_number(message->arguments, "threadId", (long)look_stopped_thread(dap));
    if (find_thread(dap, id, &block, &thread)) look_focus(dap, block, thread);
}

/* ---- threads ---- */

static void add_thread(json_object *list, int64_t id, const char *name) {
    json_object *thread = json_object_new_object();
    json_put_number(thread, "id", id);
    json_put_visible(thread, "name", name);
    json_object_array_add(list, thread);
}

static void add_warp(const Dap *dap, json_object *list, json_object *block, json_object *warp) {
    const int64_t number = json_number(warp, "warp", 0);
    const int64_t linear = place_linear(block, json_array(dap->place, "grid"));
    const char *state = json_text(warp, "state", "");
    Text name = text_new();
    text_add(&name, "block ");
    place_add_dim(&name, block);
    text_format(&name, " warp %" PRId64, number);
    if (*state != '\0' && strcmp(state, "ready") != 0) text_format(&name, ", %s", state);
    add_thread(list, thread_id(dap, linear, number), name.bytes);
    text_free(&name);
}

/** The warps of the blocks that are (or are not) the one that has stopped, as long as there is room. Returns
 * how many have none. */
static size_t add_warps(const Dap *dap, json_object *list, json_object *blocks, bool own) {
    size_t left_out = 0;
    const int64_t stopped = stopped_at(dap, "block_number");
    JSON_EACH(row, blocks) {
        json_object *block = json_array(row, "block");
        json_object *warps = json_array(row, "warps");
        bool same = place_linear(block, json_array(dap->place, "grid")) == stopped;
        for (size_t w = 0; same == own && w < json_object_array_length(warps); w++) {
            bool room = json_object_array_length(list) < MOST_THREADS;
            if (room) add_warp(dap, list, block, json_object_array_get_idx(warps, w));
            left_out += !room;
        }
    }
    return left_out;
}

/** A block that does not run has no warps to tell of, but it may be the one that is looked at. */
static void add_absent(const Dap *dap, json_object *list) {
    if (json_object_array_length(list) > 0) return;
    json_object *warp = json_object_new_object();
    json_put_number(warp, "warp", stopped_at(dap, "thread_number") / WARP_LANES);
    json_put_text(warp, "state", "not running");
    add_warp(dap, list, json_array(dap->place, "block"), warp);
    json_object_put(warp);
}

static json_object *list_threads(Dap *dap) {
    json_object *list = json_object_new_array();
    if (!in_kernel(dap) || !session_runs(dap->session)) {
        add_thread(list, HOST_THREAD, "the program");
        return list;
    }
    json_object *answer = session_ask(dap->session, session_question("blocks", NULL)),
                *blocks = json_array(answer, "blocks");
    size_t left_out = add_warps(dap, list, blocks, true);
    add_absent(dap, list);
    left_out += add_warps(dap, list, blocks, false);
    if (left_out > 0 && dap->threads == NULL)
        wire_say(
            dap,
            "More warps run than are listed: cuda block (X,Y,Z) thread (X,Y,Z) in the console looks at any.");
    json_object_put(answer);
    return list;
}

/** While a run goes they are those of the stop before. */
void dap_threads(Dap *dap, DapMessage *message) {
    if (!dap->running && dap->session != NULL && !dap->ended) {
        json_object *list = list_threads(dap);
        json_object_put(dap->threads);
        dap->threads = list;
    }
    json_object *list = json_object_get(dap->threads);
    if (list == NULL) {
        list = json_object_new_array();
        if (dap->session != NULL) add_thread(list, HOST_THREAD, "the program");
    }
    json_object_object_add(message->body, "threads", list);
}

/* ---- stacks ---- */

static void put_source(const Dap *dap, json_object *frame, json_object *row) {
    const char *path = json_text(row, "file", ""), *slash = strrchr(path, '/');
    const long line = json_number(row, "line", 0);
    json_put_number(frame, "line", line > 0 ? line - 1 + dap->line_base : 0);
    json_put_number(frame, "column", line > 0 ? 1 : 0);
    if (*path == '\0') return;
    json_object *source = json_object_new_object();
    json_put_text(source, "name", slash != NULL ? slash + 1 : path);
    json_put_text(source, "path", path);
    json_object_object_add(frame, "source", source);
}

static void add_frame(Dap *dap, json_object *list, DapHandle handle, json_object *row) {
    json_object *frame = json_object_new_object();
    json_put_number(frame, "id", look_handle(dap, handle));
    json_put_visible(frame, "name", json_text(row, "function", "the program"));
    put_source(dap, frame, row);
    json_object_array_add(list, frame);
}

/** From the innermost of those that are asked for. */
static void add_frames(Dap *dap, DapMessage *message, json_object *list, DapHandle handle) {
    const long start = json_number(message->arguments, "startFrame", 0);
    const long levels = json_number(message->arguments, "levels", 0);
    look_focus(dap, handle.block, handle.thread);
    json_object *answer = dap_ask(dap, message, session_question("frames", NULL)),
                *rows = json_array(answer, "frames");
    long count = 0;
    if (rows != NULL) count = (long)json_object_array_length(rows);
    for (long i = MAX(start, 0); i < count && (levels <= 0 || i - start < levels); i++) {
        handle.frame = i;
        add_frame(dap, list, handle, json_object_array_get_idx(rows, (size_t)i));
    }
    json_put_number(message->body, "totalFrames", count);
    json_object_put(answer);
}

void dap_stackTrace(Dap *dap, DapMessage *message) {
    json_object *list = json_object_new_array();
    DapHandle handle = {.kind = HANDLE_FRAME};
    const long id = json_number(message->arguments, "threadId", (long)look_stopped_thread(dap));
    if (find_thread(dap, id, &handle.block, &handle.thread))
        add_frames(dap, message, list, handle);
    else if (id != HOST_THREAD)
        text_add(&message->error, "there is no such thread now");
    else if (dap->place != NULL)
        add_frame(dap, list, (DapHandle){.kind = HANDLE_HOST}, dap->place);
    json_object_object_add(message->body, "stackFrames", list);
}
