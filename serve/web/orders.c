/* orders.c - orders to the desk, and what it says to them; see web.h. */
#include "serve/web/web.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

enum { MOST_WAITING = 1 << 20 /* of a stream whose reader does not read; one event may be more */ };

static void send_order(Web *web, const WireOrder *order, const Text *body) {
    text_append(&web->out, (const char *)order, sizeof *order);
    if (body != NULL) text_append(&web->out, body->bytes, body->length);
}

void web_order(Request *request) {
    Web *web = request->web;
    if (++web->serial == 0) web->serial = 1;
    request->serial = web->serial;
    WireOrder order = {
        .serial = request->serial, .route = request->target.route, .length = (uint32_t)request->body.length};
    memcpy(order.version, request->version, sizeof order.version);
    memcpy(order.lesson, request->target.lesson, sizeof order.lesson);
    memcpy(order.file, request->target.file, sizeof order.file);
    if (web->hello.is_class) memcpy(order.cookie, request->cookie, sizeof order.cookie);
    memcpy(order.user, request->user, sizeof order.user);
    order.framed = request->framed;
    send_order(web, &order, &request->body);
    web->bodies -= request->body.length;
    text_clear(&request->body);
    if (request->peer != NULL) request->peer->deadline = 0;
    request->suspended = true;
    MHD_suspend_connection(request->connection);
}

void web_cancel(Request *request) {
    const WireOrder order = {.serial = request->serial, .gone = 1};
    send_order(request->web, &order, NULL);
}

static Request *request_of(const Web *web, uint32_t serial) {
    Request *request = web->requests;
    while (request != NULL && request->serial != serial)
        request = request->next;
    return request;
}

static void wake(Request *request) {
    if (!request->suspended) return;
    request->suspended = false;
    MHD_resume_connection(request->connection);
}

/* A stream's first event is its answer; what comes after it waits until the browser takes it. */
static void take_reply(Web *web, const WireReply *reply, const char *body) {
    Request *request = request_of(web, reply->serial);
    if (request == NULL || request->ended) return;
    if (reply->status == MHD_HTTP_FORBIDDEN && reply->length == 0) request->verdict = GATE_NO_COOKIE;
    if (!request->replied) request->reply = *reply;
    request->replied = true;
    request->streaming = request->streaming || reply->part != WIRE_WHOLE;
    request->ended = reply->part != WIRE_EVENT;
    /* What nobody reads is cut off, and the desk hears of that as of any other end. */
    if (request->streaming && request->answer.length - request->sent > MOST_WAITING)
        web_cut_off(request->peer);
    text_append(&request->answer, body, reply->length);
    wake(request);
}

static bool take_replies(Web *web) {
    size_t used = 0;
    WireReply reply;
    const char *body;
    WireTaken taken;
    while ((taken = wire_take(&web->in, &used, &reply, sizeof reply, offsetof(WireReply, length),
                              WIRE_LARGEST, &body)) == WIRE_TAKEN) {
        if (reply.type >= TYPE_COUNT || !wire_is_ended(reply.version, sizeof reply.version) ||
            !wire_is_ended(reply.policy, sizeof reply.policy) ||
            !wire_is_ended(reply.cookie, sizeof reply.cookie))
            return false;
        take_reply(web, &reply, body);
    }
    wire_forget(&web->in, &used);
    return taken != WIRE_WRONG;
}

static bool is_patient(ssize_t got) {
    return got < 0 && (errno == EAGAIN || errno == EINTR);
}

/* Neither side waits for the other: what cannot be sent now is sent when there is room. */
bool web_talk(Web *web) {
    char buffer[65536];
    ssize_t got;
    while ((got = recv(web->desk, buffer, sizeof buffer, MSG_DONTWAIT)) > 0)
        text_append(&web->in, buffer, (size_t)got);
    bool fine = is_patient(got) && !web->in.failed && take_replies(web);
    while (fine && web->out.length > 0) {
        ssize_t sent = send(web->desk, web->out.bytes, web->out.length, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent <= 0) {
            fine = is_patient(sent);
            break;
        }
        size_t used = (size_t)sent;
        wire_forget(&web->out, &used);
    }
    return fine && !web->out.failed;
}
