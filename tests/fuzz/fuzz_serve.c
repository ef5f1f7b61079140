/* fuzz_serve.c - connections of any bytes to the process that speaks HTTP, and orders of any bytes to what
 * the desk reads: whatever a browser sends, no order leaves the gate that the desk would not take, and what
 * is let through had the cookie. Build and run: make fuzz-serve. */
#include "serve/web/web.h"

#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TURNS = 6 };

#define COOKIE "fedcba9876543210fedcba9876543210"

/* An order that leaves the gate is one that the desk takes (desk.c): its texts end, its body is in its
 * bounds. */
static void answer(int desk, const WireOrder *order) {
    if (order->gone == 1) return;
    if (order->route >= ROUTE_COUNT || order->length > serve_routes[order->route].most_body) abort();
    if (!wire_is_ended(order->lesson, sizeof order->lesson) ||
        !wire_is_ended(order->file, sizeof order->file))
        abort();
    if (order->file[0] != '\0' && !serve_is_file(order->file)) abort();
    const bool streams = order->route == ROUTE_EVENTS;
    WireReply reply = {.serial = order->serial,
                       .part = streams ? WIRE_EVENT : WIRE_WHOLE,
                       .status = 200,
                       .type = TYPE_TEXT,
                       .length = 2};
    if (write(desk, &reply, sizeof reply) != (ssize_t)sizeof reply || write(desk, "ok", 2) != 2) abort();
}

/* Takes what the web sends; an input without the cookie must not get here. */
static void be_desk(int desk, Text *in, bool knows) {
    char buffer[65536];
    ssize_t got;
    size_t used = 0;
    WireOrder order;
    const char *body;
    while ((got = recv(desk, buffer, sizeof buffer, MSG_DONTWAIT)) > 0)
        text_append(in, buffer, (size_t)got);
    while (wire_take(in, &used, &order, sizeof order, offsetof(WireOrder, length), SERVE_LARGEST_BODY,
                     &body) == WIRE_TAKEN) {
        if (!knows) abort();
        answer(desk, &order);
    }
    wire_forget(in, &used);
}

/* One connection says all the bytes, and the web has some turns to deal with them. */
static void connect_with(Web *web, int desk, const uint8_t *data, size_t size, bool knows) {
    int ends[2];
    Text in;
    text_init(&in);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0) abort();
    const struct sockaddr_in from = {.sin_family = AF_INET};
    if (MHD_add_connection(web->daemon, ends[1], (const struct sockaddr *)&from, sizeof from) == MHD_YES) {
        if (size > 0 && write(ends[0], data, size) < 0) abort();
        for (int turn = 0; turn < TURNS; turn++) {
            if (turn == TURNS - 2) shutdown(ends[0], SHUT_WR);
            if (!web_turn(web, 0)) abort();
            be_desk(desk, &in, knows);
        }
    }
    close(ends[0]);
    text_free(&in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int ends[2];
    Web web = {.hello = {.port = 8470, .key = "0123456789abcdef0123456789abcdef", .cookie = COOKIE}};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) abort();
    web.desk = ends[0];
    if (!web_begin(&web, -1)) abort();
    connect_with(&web, ends[1], data, size, memmem(data, size, COOKIE, strlen(COOKIE)) != NULL);
    web_end(&web);
    close(ends[0]);
    close(ends[1]);
    return 0;
}
