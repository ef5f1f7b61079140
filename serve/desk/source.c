/* source.c - the learner's file as pages read and write it: the same file as the terminal's and the editor's;
 * see desk.h.
 *
 * A version is made of what the file says, and of whose it is. Whoever writes names the version that was
 * read, so that what somebody else has saved meanwhile is not overwritten unseen.
 */
#include "serve/desk/desk.h"

#include "autograder/course/work.h"
#include "serve/texts.h"

#include <errno.h>
#include <string.h>

bool source_read(Desk *desk, const Lesson *lesson, Text *text, char version[WIRE_VERSION + 1]) {
    bool made;
    version[0] = '\0';
    const char *path = work_file(&desk->course, lesson, &made, &desk->session->diagnostics);
    if (path == NULL) return false;
    if (!text_read_named_file(text, path, SERVE_LARGEST_SOURCE)) {
        diag_add(&desk->session->diagnostics, DIAG_ERROR, path, 0, 0, "%s",
                 TOLD_DESK(UNREADABLE, desk->arena, .why = strerror(errno)));
        return false;
    }
    files_version(desk->seat->student, text->bytes, text->length, version);
    return true;
}

const char *desk_problem(const Desk *desk) {
    const Diagnostic *problem = desk->session->diagnostics.first;
    if (problem != NULL) return problem->message;
    return plain_desk(DESK_NO_PROCESS);
}

/* What stopped us, for a page to show. */
static const char *last_problem(const Desk *desk) {
    const Diagnostic *problem = desk->session->diagnostics.first;
    if (problem != NULL) return problem->message;
    return plain_desk(DESK_NO_FILE);
}

/* A browser's form has line ends of two characters, and a script's text has not: the file has one. */
void source_take_text(const char *bytes, size_t length, Text *out) {
    for (size_t i = 0; i < length; i++)
        if (bytes[i] != '\r' || i + 1 == length || bytes[i + 1] != '\n') text_append(out, &bytes[i], 1);
}

SourceWritten source_write(Desk *desk, const Lesson *lesson, const char *bytes, size_t length,
                           const char *version, char now[WIRE_VERSION + 1]) {
    Text there = text_new(), text = text_new();
    source_take_text(bytes, length, &text);
    SourceWritten written = SOURCE_UNWRITTEN;
    const bool is_there = source_read(desk, lesson, &there, now);
    if (is_there && strcmp(now, version) != 0 &&
        (there.length != text.length || memcmp(there.bytes, text.bytes, text.length) != 0)) {
        written = SOURCE_CHANGED;
    } else if (is_there && !text.failed) {
        const char *path = arena_format(desk->arena, "%s/work/%s.cu", desk->course.root, lesson->name);
        const bool same = there.length == text.length && memcmp(there.bytes, text.bytes, text.length) == 0;
        if (path != NULL && (same || text_write_file(path, text.bytes, text.length)))
            written = SOURCE_WRITTEN;
        if (written == SOURCE_UNWRITTEN)
            diag_add(&desk->session->diagnostics, DIAG_ERROR, path, 0, 0, "%s",
                     TOLD_DESK(UNWRITTEN, desk->arena, .why = strerror(errno)));
        files_version(desk->seat->student, text.bytes, text.length, now);
    }
    text_free(&there);
    text_free(&text);
    return written;
}

/* ---- what pages ask for ---- */

void desk_source(Desk *desk, const DeskOrder *order) {
    Text text = text_new();
    char version[WIRE_VERSION + 1];
    if (source_read(desk, order->lesson, &text, version))
        desk_reply(desk, order->head.serial,
                   &(DeskAnswer){.status = 200, .type = TYPE_TEXT, .version = version}, text.bytes,
                   text.length);
    else
        desk_say(desk, order->head.serial, 500, last_problem(desk));
    text_free(&text);
}

bool source_save(Desk *desk, const DeskOrder *order, char now[WIRE_VERSION + 1]) {
    SourceWritten written =
        source_write(desk, order->lesson, order->body, order->length, order->head.version, now);
    if (written == SOURCE_CHANGED)
        desk_reply(desk, order->head.serial, &(DeskAnswer){.status = 409, .type = TYPE_TEXT, .version = now},
                   "", 0);
    else if (written == SOURCE_UNWRITTEN)
        desk_say(desk, order->head.serial, 500, last_problem(desk));
    return written == SOURCE_WRITTEN;
}

void desk_save(Desk *desk, const DeskOrder *order) {
    char now[WIRE_VERSION + 1];
    if (source_save(desk, order, now))
        desk_reply(desk, order->head.serial, &(DeskAnswer){.status = 200, .type = TYPE_TEXT, .version = now},
                   "", 0);
    source_look(desk);
}

void desk_check(Desk *desk, const DeskOrder *order) {
    char now[WIRE_VERSION + 1];
    if (!source_save(desk, order, now)) return;
    source_look(desk);
    if (errand_start(desk, ERRAND_CHECK, order, false) != NULL)
        desk_reply(desk, order->head.serial, &(DeskAnswer){.status = 202, .type = TYPE_TEXT, .version = now},
                   "", 0);
    else
        desk_say(desk, order->head.serial, 503, desk_problem(desk));
}

/* ---- changes by others ---- */

/* Looked at by its text, not its time: what was saved without a change is none. An editor may be about to put
 * a new file in the place of the old one, so none is made here. */
static void look_for(Desk *desk, Listener *listener) {
    Text text = text_new();
    char version[WIRE_VERSION + 1];
    const char *path = arena_format(desk->arena, "%s/work/%s.cu", desk->course.root, listener->lesson->name);
    const bool there = path != NULL && text_read_named_file(&text, path, SERVE_LARGEST_SOURCE);
    files_version(desk->seat->student, text.bytes, text.length, version);
    if (there && strcmp(version, listener->version) != 0) {
        memcpy(listener->version, version, sizeof version);
        const char *data = arena_format(desk->arena, "{\"version\":\"%s\"}", version);
        if (data != NULL) desk_event(desk, listener->serial, "file", data);
    }
    text_free(&text);
}

void source_look(Desk *desk) {
    for (int i = 0; i < DESK_MOST_LISTENERS; i++)
        if (desk->listeners[i].serial != 0 && desk->listeners[i].seat == desk->seat)
            look_for(desk, &desk->listeners[i]);
}
