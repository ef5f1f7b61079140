/* link.c - see link.h. */
#include "device/process/link.h"
#include "cudart/passing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

bool link_open(Link *link, int socket, uint64_t memory_bytes) {
    *link = (Link){.socket = socket, .shared = -1, .pool_bytes = WIRE_POOL_BYTES};
    if (memory_bytes != 0 && memory_bytes < WIRE_POOL_BYTES)
        link->pool_bytes = (memory_bytes + WIRE_PAGE - 1) / WIRE_PAGE * WIRE_PAGE;
    link->shared = memfd_create("warpgrind-window", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (link->shared < 0) return false;
    if (ftruncate(link->shared, (off_t)(WIRE_WINDOW_BYTES + link->pool_bytes)) != 0) return false;
    /* Without the seals the program could shrink the file under our feet. */
    if (fcntl(link->shared, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) return false;
    void *window = mmap(NULL, WIRE_WINDOW_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, link->shared, 0);
    if (window == MAP_FAILED) return false;
    link->window = window;
    return true;
}

void link_close(Link *link) {
    if (link->window != NULL) munmap(link->window, WIRE_WINDOW_BYTES);
    if (link->shared >= 0) close(link->shared);
    if (link->socket >= 0) close(link->socket);
    free(link->payload);
    *link = (Link){.socket = -1, .shared = -1, .closed = true};
}

static bool fail(Link *link) {
    link->closed = true;
    return false;
}

static bool receive_all(Link *link, void *bytes, size_t count) {
    uint8_t *at = bytes;
    while (count > 0) {
        ssize_t got = recv(link->socket, at, count, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return fail(link);
        at += got;
        count -= (size_t)got;
    }
    return true;
}

static bool send_all(Link *link, const void *bytes, size_t count) {
    const uint8_t *at = bytes;
    while (count > 0) {
        ssize_t sent = send(link->socket, at, count, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return fail(link);
        at += sent;
        count -= (size_t)sent;
    }
    return true;
}

bool link_receive(Link *link, WireRequest *request) {
    if (link->closed || !receive_all(link, request, sizeof *request)) return false;
    if (request->magic != WIRE_MAGIC || request->function >= WIRE_FUNCTION_COUNT) return fail(link);
    if (request->payload_bytes > WIRE_PAYLOAD_LIMIT) return fail(link);
    free(link->payload);
    link->payload = malloc((size_t)request->payload_bytes + 1);
    if (link->payload == NULL) return fail(link);
    link->payload[request->payload_bytes] = 0;
    return receive_all(link, link->payload, (size_t)request->payload_bytes);
}

bool link_reply(Link *link, const WireReply *reply, const void *payload) {
    if (link->closed || !send_all(link, reply, sizeof *reply)) return false;
    return reply->payload_bytes == 0 || send_all(link, payload, (size_t)reply->payload_bytes);
}

bool link_reply_hello(Link *link, const WireReply *reply) {
    return passing_send(link->socket, reply, sizeof *reply, link->shared) || fail(link);
}

/** The answer to an intermediate reply: a CONTINUE, or what the program tells before it. */
static bool receive_answer(Link *link, WireRequest *answer) {
    if (!receive_all(link, answer, sizeof *answer)) return false;
    if (answer->magic != WIRE_MAGIC || answer->payload_bytes != 0) return fail(link);
    return true;
}

/** Anything but a CONTINUE is the end. */
static bool goes_on(Link *link, const WireRequest *answer) {
    if (answer->function == WIRE_CONTINUE) return true;
    if (answer->function == WIRE_CRASH) link->crash = *answer;
    return fail(link);
}

bool link_ask(Link *link, const WireReply *ask) {
    WireRequest answer;
    return link_reply(link, ask, NULL) && receive_answer(link, &answer) && goes_on(link, &answer);
}

bool link_call(Link *link, const WireReply *ask, const void *payload, LinkTold told, void *self) {
    WireRequest answer;
    if (!link_reply(link, ask, payload)) return false;
    while (receive_answer(link, &answer)) {
        bool more = answer.function == WIRE_EARLY_TOUCH || answer.function == WIRE_CALL_WITHIN;
        if (!more) return goes_on(link, &answer);
        told(self, &answer);
    }
    return false;
}

bool link_output(Link *link, const void *bytes, size_t count) {
    WireReply reply = {.magic = WIRE_MAGIC, .kind = WIRE_OUTPUT, .payload_bytes = count};
    return link_reply(link, &reply, bytes);
}
