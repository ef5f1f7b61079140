/* desk.c - orders in, replies out; see desk.h. */
#include "serve/desk/desk.h"

#include "autograder/sandbox/child.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static DeskFunction *const functions[ROUTE_COUNT] = {
#define ROUTE(name, function, method, path, right, most, what) [ROUTE_##name] = desk_##function,
#define CLASS_ROUTE(name, function, method, path, right, most, what)
#include "serve/routes.def"
#undef ROUTE
};

/* ---- replies ---- */

static void send_reply(Desk *desk, const WireReply *reply, const char *body) {
    text_append(&desk->out, (const char *)reply, sizeof *reply);
    text_append(&desk->out, body, reply->length);
}

static void copy_text(char *to, size_t room, const char *from) {
    if (from == NULL) return;
    size_t length = strnlen(from, room - 1);
    memcpy(to, from, length);
}

void desk_reply(Desk *desk, uint32_t serial, const DeskAnswer *answer, const char *body, size_t length) {
    WireReply reply = {.serial = serial,
                       .part = WIRE_WHOLE,
                       .status = answer->status,
                       .type = answer->type,
                       .length = (uint32_t)length};
    copy_text(reply.version, sizeof reply.version, answer->version);
    copy_text(reply.policy, sizeof reply.policy, answer->policy);
    copy_text(reply.cookie, sizeof reply.cookie, answer->cookie);
    send_reply(desk, &reply, body);
}

void desk_say(Desk *desk, uint32_t serial, unsigned status, const char *words) {
    if (words == NULL) words = "";
    desk_reply(desk, serial, &(DeskAnswer){.status = status, .type = TYPE_TEXT}, words, strlen(words));
}

/* The other process knows where. A page that was sent for a form would send it again when it is reloaded. */
void desk_turn_back(Desk *desk, uint32_t serial) {
    desk_reply(desk, serial, &(DeskAnswer){.status = 303, .type = TYPE_TEXT}, "", 0);
}

/* An event has one line of data: JSON has no line ends of its own. */
void desk_event(Desk *desk, uint32_t serial, const char *event, const char *data) {
    Text text = text_new();
    text_format(&text, "event: %s\ndata: %s\n\n", event, data);
    const WireReply reply = {.serial = serial,
                             .part = WIRE_EVENT,
                             .status = 200,
                             .type = TYPE_EVENTS,
                             .length = (uint32_t)text.length};
    send_reply(desk, &reply, text.bytes);
    text_free(&text);
}

void desk_tell(Desk *desk, const Lesson *lesson, const char *event, const char *data) {
    for (int i = 0; i < DESK_MOST_LISTENERS; i++)
        if (desk->listeners[i].serial != 0 && desk->listeners[i].lesson == lesson &&
            desk->listeners[i].seat == desk->seat)
            desk_event(desk, desk->listeners[i].serial, event, data);
}

DeskNote *desk_note(const Desk *desk, const Lesson *lesson) {
    return &desk->seat->notes[lesson - desk->course.lessons];
}

/* Each text that a seat keeps as long as the desk is open. */
static void each_text(const Desk *desk, const Seat *seat, void (*act)(Text *text)) {
    for (size_t i = 0; i < desk->course.count; i++) {
        DeskNote *note = &seat->notes[i];
        Text *const texts[] = {&note->verdict, &note->marks, &note->hint, &note->notice, &note->unsaved};
        for (size_t j = 0; j < sizeof texts / sizeof *texts; j++)
            act(texts[j]);
    }
}

/* After a restart, what the last check of each lesson said is there again. */
bool desk_sit(Desk *desk, Seat *seat) {
    desk->seat = seat;
    desk->course.root = seat->root;
    if (seat->notes != NULL) return true;
    seat->notes = calloc(desk->course.count + 1, sizeof *seat->notes);
    if (seat->notes == NULL) return false;
    each_text(desk, seat, text_init);
    for (size_t i = 0; desk->office != NULL && i < desk->course.count; i++) {
        struct json_object *event = desk->office->last_result(desk, &desk->course.lessons[i]);
        if (event != NULL) json_object_put(verdict_take(desk, &desk->course.lessons[i], event));
        json_object_put(event);
    }
    return true;
}

void desk_free_seat(const Desk *desk, Seat *seat) {
    if (seat->notes != NULL) each_text(desk, seat, text_free);
    free(seat->notes);
    seat->notes = NULL;
}

bool desk_progress(const Desk *desk, Progress *progress) {
    return progress_read(progress, desk->arena, &desk->course);
}

/* ---- what one order or errand needs ---- */

bool desk_begin(Desk *desk, Diagnostics *outer) {
    desk->arena = arena_create();
    if (desk->arena == NULL) return false;
    *outer = desk->session->diagnostics;
    diag_init(&desk->session->diagnostics, desk->arena);
    return true;
}

void desk_end(Desk *desk, const Diagnostics *outer) {
    desk->session->diagnostics = *outer;
    arena_destroy(desk->arena);
    desk->arena = NULL;
}

/* ---- listeners ---- */

void desk_hang_up(Desk *desk, Listener *listener) {
    const WireReply reply = {
        .serial = listener->serial, .part = WIRE_END, .status = 200, .type = TYPE_EVENTS};
    send_reply(desk, &reply, "");
    *listener = (Listener){0};
}

static int pages_of(const Desk *desk, const Seat *seat) {
    int count = 0;
    for (int i = 0; i < DESK_MOST_LISTENERS; i++)
        count += desk->listeners[i].serial != 0 && desk->listeners[i].seat == seat;
    return count;
}

/* Where all places are taken, whoever has most of them gives one up to somebody who has fewer: by two at
 * least, so that it is not asked back at once. */
static Listener *find_place(Desk *desk) {
    Listener *of_most = NULL;
    int most = pages_of(desk, desk->seat) + 1;
    if (most > DESK_MOST_PAGES) return NULL;
    for (int i = 0; i < DESK_MOST_LISTENERS; i++)
        if (desk->listeners[i].serial == 0) return &desk->listeners[i];
    for (int i = 0; i < DESK_MOST_LISTENERS; i++) {
        const int count = pages_of(desk, desk->listeners[i].seat);
        if (count <= most) continue;
        most = count;
        of_most = &desk->listeners[i];
    }
    if (of_most != NULL) desk_hang_up(desk, of_most);
    return of_most;
}

/* The stream begins with the file's version, so that a page that slept knows what it missed. */
void desk_events(Desk *desk, const DeskOrder *order) {
    Listener *listener = find_place(desk);
    if (listener == NULL) {
        desk_say(desk, order->head.serial, 503, "");
        return;
    }
    *listener = (Listener){.serial = order->head.serial, .seat = desk->seat, .lesson = order->lesson};
    memcpy(listener->cookie, order->head.cookie, sizeof listener->cookie);
    memcpy(listener->user, order->head.user, sizeof listener->user);
    desk_event(desk, listener->serial, "hello", "{}");
    source_look(desk);
}

/* Nobody waits for that serial any more. A check goes on, as its file is saved and its verdict counts. */
static void forget(Desk *desk, uint32_t serial) {
    for (int i = 0; i < DESK_MOST_LISTENERS; i++)
        if (desk->listeners[i].serial == serial) desk->listeners[i] = (Listener){0};
    for (int i = 0; i < DESK_MOST_ERRANDS; i++)
        if (desk->errands[i].serial == serial) desk->errands[i].serial = 0;
}

/* ---- orders ---- */

static const Lesson *lesson_named(const Desk *desk, const char *name) {
    for (size_t i = 0; i < desk->course.count; i++)
        if (strcmp(desk->course.lessons[i].name, name) == 0) return &desk->course.lessons[i];
    return NULL;
}

/* What the other process has looked at is looked at again: it may not be what it was. */
static bool makes_sense(const WireOrder *head) {
    return head->route < ROUTE_COUNT && head->length <= serve_routes[head->route].most_body &&
           wire_is_ended(head->version, sizeof head->version) &&
           wire_is_ended(head->lesson, sizeof head->lesson) && wire_is_ended(head->file, sizeof head->file) &&
           wire_is_ended(head->cookie, sizeof head->cookie) && wire_is_ended(head->user, sizeof head->user);
}

/* Whose order it is, and whether they may give it: 0, or the status of the refusal. */
static unsigned refusal_of(Desk *desk, const DeskOrder *order) {
    const ServeRoute *route = &serve_routes[order->head.route];
    Seat *seat;
    if (desk->office != NULL)
        seat = desk->office->admit(desk, &order->head);
    else
        seat = &desk->only;
    if (route->of_class && desk->office == NULL) return 404;
    if (seat == NULL && route->right != RIGHT_ENTER && !serve_is_outside(route)) return 403;
    if ((route->right == RIGHT_LOOK || route->right == RIGHT_TEACH) && !seat->teaches) return 404;
    const bool of_lesson = strstr(route->path, "{lesson}") != NULL;
    const bool of_file = strstr(route->path, "{file}") != NULL;
    const bool of_number = strstr(route->path, "{number}") != NULL;
    if (of_lesson && order->lesson == NULL) return 404;
    if (of_number && !serve_is_number(order->head.file)) return 404;
    if (of_file && !serve_is_file(order->head.file)) return 404;
    if (seat != NULL && !desk_sit(desk, seat)) return 503;
    return 0;
}

static void deal_with(Desk *desk, DeskOrder *order) {
    Diagnostics outer;
    if (!desk_begin(desk, &outer)) return;
    order->lesson = lesson_named(desk, order->head.lesson);
    const unsigned refusal = refusal_of(desk, order);
    DeskFunction *function = functions[order->head.route];
    if (function == NULL && desk->office != NULL) function = desk->office->functions[order->head.route];
    if (refusal != 0)
        desk_say(desk, order->head.serial, refusal, "");
    else
        function(desk, order);
    desk_end(desk, &outer);
}

static bool is_patient(ssize_t got) {
    return got < 0 && (errno == EAGAIN || errno == EINTR);
}

/* The next order that has come whole, from there on. */
static WireTaken take(Desk *desk, size_t *used, DeskOrder *order) {
    *order = (DeskOrder){0};
    const WireTaken taken = wire_take(&desk->in, used, &order->head, sizeof order->head,
                                      offsetof(WireOrder, length), SERVE_LARGEST_BODY, &order->body);
    order->length = order->head.length;
    return taken;
}

/* ---- who reads goes first ---- */

/* Bits of who has an order that waits: some more seem to, and wait as well. */
typedef struct Waiting {
    bool seen[1024];
} Waiting;

static bool *seen_of(Waiting *waiting, const WireOrder *head) {
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (const char *at = head->cookie; *at != '\0'; at++)
        hash = (hash ^ (uint8_t)*at) * 16777619u;
    for (const char *at = head->user; *at != '\0'; at++)
        hash = (hash ^ (uint8_t)*at) * 16777619u;
    return &waiting->seen[hash % 1024];
}

static bool only_reads(const WireOrder *head) {
    const ServeRoute *route = &serve_routes[head->route];
    return head->gone == 0 && strcmp(route->method, "GET") == 0 &&
           (route->right == RIGHT_READ || route->right == RIGHT_LOOK);
}

/* What writes waits for the disk: of 300 students who press Check in the same second, the last one's order is
 * dealt with seconds later. Whoever only reads does not wait for these, but for the own orders before. */
static void deal_with_readers(Desk *desk) {
    Waiting waiting = {{false}};
    DeskOrder order;
    for (size_t at = 0, used = 0; take(desk, &used, &order) == WIRE_TAKEN && makes_sense(&order.head);) {
        bool *seen = seen_of(&waiting, &order.head);
        if (*seen || !only_reads(&order.head)) {
            *seen = true;
            at = used;
            continue;
        }
        deal_with(desk, &order);
        memmove(desk->in.bytes + at, desk->in.bytes + used, desk->in.length - used + 1);
        desk->in.length -= used - at;
        used = at;
    }
}

bool desk_listen(Desk *desk) {
    const double slice = 0.01; /* of a second: then those who have come meanwhile are asked what they want */
    char buffer[65536];
    ssize_t got = 1;
    while (desk->in.length < 4 * SERVE_LARGEST_BODY &&
           (got = recv(desk->web, buffer, sizeof buffer, MSG_DONTWAIT)) > 0)
        text_append(&desk->in, buffer, (size_t)got);
    if (got <= 0 && !is_patient(got)) return false;
    deal_with_readers(desk);
    const double until = child_now() + slice;
    DeskOrder order;
    size_t used = 0;
    WireTaken taken;
    desk->behind = false;
    while (!desk->behind && (taken = take(desk, &used, &order)) == WIRE_TAKEN) {
        if (order.head.gone == 1)
            forget(desk, order.head.serial);
        else if (makes_sense(&order.head))
            deal_with(desk, &order);
        else
            return false;
        desk->behind = child_now() > until;
    }
    wire_forget(&desk->in, &used);
    return taken != WIRE_WRONG && !desk->in.failed;
}

bool desk_send(Desk *desk) {
    while (desk->out.length > 0) {
        ssize_t sent = send(desk->web, desk->out.bytes, desk->out.length, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent <= 0) return is_patient(sent);
        size_t used = (size_t)sent;
        wire_forget(&desk->out, &used);
    }
    return !desk->out.failed;
}
