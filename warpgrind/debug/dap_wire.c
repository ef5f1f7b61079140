/* dap_wire.c - messages: a header with Content-Length, an empty line, and an object of JSON. What is none of
 * that is told to the editor and passed over. */
#include "debug/dap_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { LONGEST_HEADER = 8192, LONGEST_MESSAGE = 16 << 20 };

/* ---- to the editor ---- */

void wire_send(Dap *dap, json_object *message) {
    json_put_number(message, "seq", ++dap->said);
    const char *text =
        json_object_to_json_string_ext(message, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
    char header[64];
    const int length = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", strlen(text));
    if (!text_write(STDOUT_FILENO, header, (size_t)length) || !text_write(STDOUT_FILENO, text, strlen(text)))
        dap->leaves = true;
    json_object_put(message);
}

json_object *wire_event(const char *name, json_object **body) {
    json_object *event = json_object_new_object();
    *body = json_object_new_object();
    json_put_text(event, "type", "event");
    json_put_text(event, "event", name);
    json_object_object_add(event, "body", *body);
    return event;
}

void wire_answer(Dap *dap, DapMessage *message) {
    json_object *answer = json_object_new_object();
    bool fine = message->error.length == 0;
    json_put_text(answer, "type", "response");
    json_put_number(answer, "request_seq", json_number(message->request, "seq", 0));
    json_put_text(answer, "command", json_text(message->request, "command", ""));
    json_put_flag(answer, "success", fine);
    if (!fine) {
        json_object *error = json_object_new_object();
        json_put_number(error, "id", 1);
        json_put_visible(error, "format", message->error.bytes);
        json_put_flag(error, "showUser", true);
        json_put_visible(answer, "message", message->error.bytes);
        json_object_object_add(message->body, "error", error);
    }
    json_object_object_add(answer, "body", json_object_get(message->body));
    wire_send(dap, answer);
}

void wire_say(Dap *dap, const char *words) {
    json_object *body, *event = wire_event("output", &body);
    Text line = text_new();
    text_format(&line, "%s\n", words);
    json_put_text(body, "category", "console");
    json_put_visible(body, "output", line.bytes);
    text_free(&line);
    wire_send(dap, event);
}

/* ---- from the editor ---- */

bool wire_read(Dap *dap) {
    char bytes[4096];
    ssize_t count;
    do
        count = read(STDIN_FILENO, bytes, sizeof bytes);
    while (count < 0 && errno == EINTR);
    if (count <= 0) return false;
    text_append(&dap->input, bytes, (size_t)count);
    return !dap->input.failed;
}

static void drop(Text *input, size_t count) {
    memmove(input->bytes, input->bytes + count, input->length - count + 1);
    input->length -= count;
}

/** Where the header's empty line ends; 0: not yet. Bare line feeds do, too. */
static size_t header_end(const Text *input) {
    const char *crlf = strstr(input->bytes, "\r\n\r\n"), *lf = strstr(input->bytes, "\n\n");
    if (crlf != NULL && (lf == NULL || crlf < lf)) return (size_t)(crlf - input->bytes) + 4;
    if (lf != NULL) return (size_t)(lf - input->bytes) + 2;
    return 0;
}

/** The header's Content-Length; -1: it has none. */
static long long content_length(const Text *input, size_t end) {
    static const char field[] = "Content-Length:";
    for (const char *line = input->bytes; line != NULL && line < input->bytes + end;) {
        if (strncasecmp(line, field, sizeof field - 1) == 0) {
            char *rest;
            const long long length = strtoll(line + sizeof field - 1, &rest, 10);
            bool whole = rest != line + sizeof field - 1 && (*rest == '\r' || *rest == '\n');
            if (whole && length >= 0) return length;
            return -1;
        }
        line = strchr(line, '\n');
        if (line != NULL) line++;
    }
    return -1;
}

/** An answer to what was no request: nobody knows its number. */
static void refuse(Dap *dap, const char *why) {
    DapMessage message = {.body = json_object_new_object()};
    text_init(&message.error);
    text_add(&message.error, why);
    wire_answer(dap, &message);
    json_object_put(message.body);
    text_free(&message.error);
}

/** The message of a whole content; NULL: it is no request. Answers and events of the editor are nothing to
 * us. */
static json_object *parse(Dap *dap, const char *bytes, size_t length) {
    Arena *arena = arena_create();
    if (arena == NULL) return NULL;
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    json_object *message = json_parse_text(bytes, length, "message", &diagnostics);
    const char *type = json_text(message, "type", NULL);
    bool request = type != NULL && strcmp(type, "request") == 0;
    if (type == NULL)
        refuse(dap, "that is no message of the Debug Adapter Protocol: an object of JSON with a type is");
    arena_destroy(arena);
    if (request) return message;
    json_object_put(message);
    return NULL;
}

/** NUL bytes end no header: they are passed over like all that is none. */
static bool skip_garbage(Dap *dap, size_t end) {
    Text *input = &dap->input;
    if (dap->skipping > 0) {
        size_t count;
        if (dap->skipping < input->length)
            count = (size_t)dap->skipping;
        else
            count = input->length;
        drop(input, count);
        dap->skipping -= count;
        return input->length > 0;
    }
    if (end > 0) return true;
    const size_t text = strlen(input->bytes);
    if (text == input->length && text <= LONGEST_HEADER) return false;
    drop(input, text < input->length ? text + 1 : text);
    refuse(dap, "that is no header of a message: Content-Length and an empty line are");
    return true;
}

json_object *wire_take(Dap *dap) {
    while (dap->input.length > 0) {
        size_t end;
        if (dap->skipping > 0)
            end = 0;
        else
            end = header_end(&dap->input);
        if (!skip_garbage(dap, end)) return NULL;
        if (end == 0) continue;
        const long long length = content_length(&dap->input, end);
        if (length < 0 || length > LONGEST_MESSAGE) {
            drop(&dap->input, end);
            if (length > 0)
                dap->skipping = (uint64_t)length;
            else
                dap->skipping = 0;
            refuse(dap, length < 0 ? "the header has no Content-Length" : "a message has at most 16 MiB");
            continue;
        }
        if (dap->input.length - end < (size_t)length) return NULL;
        json_object *request = parse(dap, dap->input.bytes + end, (size_t)length);
        drop(&dap->input, end + (size_t)length);
        if (request != NULL) return request;
    }
    return NULL;
}
