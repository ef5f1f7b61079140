/* fuzz_serve.c - connections of any bytes to the process that speaks HTTP, for one learner and for a class:
 * whatever a browser sends, no order leaves the gate that the desk would not take, and what is let through
 * had the cookie. What stands behind the first " desk " of an input comes over the narrow socket, as if the
 * desk had said it. Build and run: make fuzz-serve. */
#include "serve/web/web.h"

#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
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
    if (!wire_is_ended(order->cookie, sizeof order->cookie) ||
        !wire_is_ended(order->user, sizeof order->user))
        abort();
    const bool numbered = strstr(serve_routes[order->route].path, "{number}") != NULL;
    if (order->file[0] != '\0' && !serve_is_file(order->file)) abort();
    if (numbered && !serve_is_number(order->file)) abort();
    const bool streams = order->route == ROUTE_EVENTS;
    WireReply reply = {.serial = order->serial,
                       .part = streams ? WIRE_EVENT : WIRE_WHOLE,
                       .status = 200,
                       .type = TYPE_TEXT,
                       .length = 2};
    if (write(desk, &reply, sizeof reply) != (ssize_t)sizeof reply || write(desk, "ok", 2) != 2) abort();
}

/* Whether the row is for whoever comes to a class for the first time. */
static bool is_entrance(uint32_t route) {
    return route < ROUTE_COUNT &&
           (serve_routes[route].right == RIGHT_ENTER || serve_is_outside(&serve_routes[route]));
}

/* Takes what the web sends; an input without the cookie must not get here, but where a class is entered. */
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
        if (!knows && order.gone != 1 && !is_entrance(order.route)) abort();
        answer(desk, &order);
    }
    wire_forget(in, &used);
}

/** Bytes of an input. */
typedef struct Said {
    const uint8_t *bytes;
    size_t size;
} Said;

/* One connection says all its bytes, and the web has some turns to deal with them; in the middle, the desk
 * says what it has, which may end it. */
static void connect_with(Web *web, int desk, Said browser, Said words, bool knows) {
    int ends[2];
    Text in;
    text_init(&in);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) != 0) abort();
    const struct sockaddr_in from = {.sin_family = AF_INET};
    if (MHD_add_connection(web->daemon, ends[1], (const struct sockaddr *)&from, sizeof from) == MHD_YES) {
        if (browser.size > 0 && write(ends[0], browser.bytes, browser.size) < 0) abort();
        for (int turn = 0; turn < TURNS; turn++) {
            if (turn == TURNS - 2) shutdown(ends[0], SHUT_WR);
            if (turn == TURNS / 2 && words.size > 0 && write(desk, words.bytes, words.size) < 0) abort();
            const bool goes_on = web_turn(web, 0);
            if (!goes_on && words.size == 0) abort();
            if (!goes_on) break;
            be_desk(desk, &in, knows);
        }
    }
    close(ends[0]);
    text_free(&in);
}

/* Of a class a cookie is known by its form alone, as whose it is is the desk's to say. */
static void meet(const WireHello *hello, Said browser, Said words) {
    static const char form[] = "warpschool_8470=", user[] = "X-User";
    int ends[2];
    Web web = {.hello = *hello};
    const char *needle = hello->is_class ? form : COOKIE;
    bool knows = memmem(browser.bytes, browser.size, needle, strlen(needle)) != NULL;
    for (size_t i = 0; hello->is_class && i + strlen(user) <= browser.size; i++)
        knows = knows || strncasecmp((const char *)browser.bytes + i, user, strlen(user)) == 0;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) abort();
    web.desk = ends[0];
    if (!web_begin(&web, -1)) abort();
    connect_with(&web, ends[1], browser, words, knows);
    web_end(&web);
    close(ends[0]);
    close(ends[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char parting[] = " desk ";
    const WireHello one = {.port = 8470, .key = "0123456789abcdef0123456789abcdef", .cookie = COOKIE},
                    class = {.port = 8470, .is_class = 1, .header = "X-User", .proxy = "0.0.0.0"};
    const uint8_t *desk = memmem(data, size, parting, strlen(parting));
    Said browser = {data, size}, words = {data, 0};
    if (desk != NULL) {
        browser.size = (size_t)(desk - data);
        words = (Said){desk + strlen(parting), size - browser.size - strlen(parting)};
    }
    meet(&one, browser, words);
    meet(&class, browser, words);
    return 0;
}
