/* requests.c - a request on its way in: headers to the gate, a body of bounded size, and then the order; see
 * web.h. */
#include "serve/web/web.h"
#include "base/clock.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum {
    MOST_BODIES = 16 << 20,
    MOST_IDLE = 128, /* connections over which nothing is being answered */
    MOST_FRESH = 512 /* of them that came a moment ago: about half of what a small system lets be open */
};

/* ---- connections ---- */

void web_cut_off(Peer *peer) {
    if (peer == NULL) return;
    shutdown(peer->socket, SHUT_RDWR);
    peer->deadline = 0;
}

static bool is_fresh(const Peer *peer, int64_t now) {
    enum { FRESH_MILLISECONDS = 1000 };
    return peer->deadline > now + WEB_REQUEST_MILLISECONDS - FRESH_MILLISECONDS;
}

/* Where very many connect, that one goes which has been silent for longest. Whoever has only just connected
 * has a moment to ask, since a crowd may come in between. */
static void cut_off_oldest(const Web *web, int64_t now) {
    Peer *oldest = NULL;
    unsigned idle = 0;
    for (Peer *peer = web->peers; peer != NULL; peer = peer->next) {
        if (peer->deadline == 0) continue;
        if (oldest == NULL || peer->deadline <= oldest->deadline) oldest = peer;
        idle++;
    }
    if (idle > MOST_FRESH || (idle > MOST_IDLE && !is_fresh(oldest, now))) web_cut_off(oldest);
}

/* Each has a time by which its request must be whole, however slowly it is sent. */
void web_peer(void *closure, struct MHD_Connection *connection, void **context,
              enum MHD_ConnectionNotificationCode code) {
    Web *web = closure;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        const int64_t now = clock_ms();
        Peer *peer = calloc(1, sizeof *peer);
        *context = peer;
        if (peer == NULL) return;
        *peer = (Peer){.next = web->peers,
                       .socket = info != NULL ? info->connect_fd : MHD_INVALID_SOCKET,
                       .deadline = now + WEB_REQUEST_MILLISECONDS};
        if (peer->next != NULL) peer->next->before = peer;
        web->peers = peer;
        cut_off_oldest(web, now);
        return;
    }
    Peer *peer = *context;
    if (peer == NULL) return;
    if (peer->next != NULL) peer->next->before = peer->before;
    *(peer->before != NULL ? &peer->before->next : &web->peers) = peer->next;
    free(peer);
    *context = NULL;
}

/* ---- addresses ---- */

/* libmicrohttpd makes an entry of each part of a query, in the memory that a connection has, and where that
 * is used up none is left for an answer. So an address that may do that is answered before it is taken apart.
 */
void *web_address(void *closure, const char *address, struct MHD_Connection *connection) {
    enum { MOST_ARGUMENTS = 100, LONGEST_ADDRESS = 24 << 10 };
    (void)closure;
    size_t arguments = 0;
    for (const char *at = address; (at = strchr(at, '&')) != NULL; at++)
        arguments++;
    if (arguments < MOST_ARGUMENTS && strlen(address) <= LONGEST_ADDRESS) return NULL;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    if (info != NULL && info->socket_context != NULL) web_refuse_excess(info->socket_context, EXCESS_ADDRESS);
    return NULL;
}

/* ---- headers ---- */

/* A header of interest, and where its value goes. */
typedef struct Wanted {
    const char *name;
    const char **value;
} Wanted;

typedef struct Headers {
    const Wanted *wanted;
    GateRequest *request;
} Headers;

static enum MHD_Result take_header(void *closure, enum MHD_ValueKind kind, const char *name,
                                   const char *value) {
    Headers *headers = closure;
    (void)kind;
    for (const Wanted *wanted = headers->wanted; wanted->value != NULL; wanted++) {
        if (wanted->name == NULL) continue;
        if (strcasecmp(wanted->name, name) != 0) continue;
        if (*wanted->value != NULL) headers->request->repeated = true;
        if (value != NULL)
            *wanted->value = value;
        else
            *wanted->value = "";
    }
    return MHD_YES;
}

/* Whether the other end is the proxy: what comes over a socket of a file, which only those reach whom its
 * rights let, or from the address that was named. Anybody else may write any header. */
static bool is_proxy(const WireHello *hello, struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *address = NULL;
    if (info != NULL) address = info->client_addr;
    if (address == NULL || address->sa_family == AF_UNIX) return hello->on_file;
    char text[INET_ADDRSTRLEN] = "";
    if (address->sa_family == AF_INET)
        inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)address)->sin_addr, text, sizeof text);
    return text[0] != '\0' && strcmp(text, hello->proxy) == 0;
}

/* Of a header that stands there twice, two programs may take different ones: such a request is not looked at.
 */
static void read_headers(GateRequest *request, const char *header, struct MHD_Connection *connection) {
    const Wanted wanted[] = {{"Host", &request->host},
                             {"Origin", &request->origin},
                             {"Cookie", &request->cookie},
                             {"Content-Length", &request->length},
                             {"Sec-Fetch-Site", &request->site},
                             {"Sec-Fetch-Mode", &request->mode},
                             {"Sec-Fetch-Dest", &request->goal},
                             {"If-Match", &request->version},
                             {header, &request->user},
                             {"Transfer-Encoding", &request->coding},
                             {NULL, NULL}};
    Headers headers = {wanted, request};
    MHD_get_connection_values(connection, MHD_HEADER_KIND, take_header, &headers);
    request->key = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "key");
}

static enum MHD_Result add_size(void *closure, enum MHD_ValueKind kind, const char *name, const char *value) {
    enum { ENTRY_BYTES = 64 };
    size_t *sum = closure;
    (void)kind;
    *sum += ENTRY_BYTES + strlen(name) + (value != NULL ? strlen(value) : 0);
    return MHD_YES;
}

/* libmicrohttpd keeps headers, an entry for each of them and each cookie, and once more what cookies say, in
 * the memory from which the answer's head is to come. A browser keeps at most some 200 cookies for a server.
 */
static bool leaves_no_room(struct MHD_Connection *connection) {
    enum { ANSWER_BYTES = 16 << 10 };
    size_t sum = 0;
    MHD_get_connection_values(connection, MHD_HEADER_KIND, add_size, &sum);
    MHD_get_connection_values(connection, MHD_COOKIE_KIND, add_size, &sum);
    return sum + ANSWER_BYTES > WEB_HEAD_MEMORY;
}

/* ---- requests ---- */

static Request *make_request(Web *web, struct MHD_Connection *connection) {
    Request *request = calloc(1, sizeof *request);
    if (request == NULL) return NULL;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    *request = (Request){.next = web->requests,
                         .web = web,
                         .connection = connection,
                         .peer = info != NULL ? info->socket_context : NULL};
    if (request->next != NULL) request->next->before = request;
    web->requests = request;
    text_init(&request->body);
    text_init(&request->answer);
    return request;
}

static enum MHD_Result take_argument(void *closure, enum MHD_ValueKind kind, const char *name,
                                     const char *value) {
    Text *form = closure;
    (void)kind;
    const char *parts[] = {form->length > 0 ? "&" : "", name, "=", value};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (const char *at = parts[i]; at != NULL && *at != '\0'; at++)
            text_append(form, *at == ' ' ? "+" : at, 1); /* libmicrohttpd has made blanks of these */
    return MHD_YES;
}

/* Where a platform may send a form or an address, the desk gets a form. */
static void take_query(Request *request) {
    const ServeRoute *route = &serve_routes[request->target.route];
    if (route->right != RIGHT_OPEN || strcmp(route->method, "GET") != 0) return;
    MHD_get_connection_values(request->connection, MHD_GET_ARGUMENT_KIND, take_argument, &request->body);
    request->web->bodies += request->body.length;
    if (request->body.length > route->most_body) request->verdict = GATE_TOO_LARGE;
}

/* The headers are there, and nothing of the body is: one that is refused is not read. */
static enum MHD_Result begin(Web *web, struct MHD_Connection *connection, const char *url, const char *method,
                             void **context) {
    Request *request = make_request(web, connection);
    *context = request;
    if (request == NULL || (request->peer != NULL && request->peer->refused)) return MHD_NO;
    if (request->peer != NULL && leaves_no_room(connection)) {
        web_refuse_excess(request->peer, EXCESS_HEADERS);
        return MHD_NO;
    }
    GateRequest asked = {.method = method, .path = url};
    const char *header = web->hello.header;
    if (*header == '\0' || !is_proxy(&web->hello, connection)) header = NULL;
    read_headers(&asked, header, connection);
    request->verdict = gate_judge(&web->hello, &asked, &request->target);
    gate_version(asked.version, request->version);
    request->framed = gate_is_framed(&asked);
    request->is_head = strcmp(method, "HEAD") == 0;
    if (request->verdict == GATE_NO_METHOD) serve_allowed(url, request->allowed);
    const bool launches =
        request->verdict == GATE_LET_IN && serve_routes[request->target.route].right == RIGHT_LAUNCH;
    gate_take_cookie(&web->hello, launches ? COOKIE_LOGIN : COOKIE_SESSION, asked.cookie, request->cookie);
    if (asked.user != NULL && strlen(asked.user) < sizeof request->user)
        memcpy(request->user, asked.user, strlen(asked.user));
    if (request->verdict == GATE_LET_IN) take_query(request);
    if (request->verdict == GATE_LET_IN) return MHD_YES;
    return web_refuse(request);
}

/* What is held of bodies: parts, and those that wait for the desk. */
static size_t held(const Web *web) {
    return web->bodies + web->out.length;
}

/* Where there is no room for more, that body gives way which began first: whoever means well has sent a text
 * within a moment. */
static bool make_room(Web *web, const Request *for_whom, size_t size) {
    while (held(web) + size > MOST_BODIES) {
        Request *oldest = NULL;
        for (Request *request = web->requests; request != NULL; request = request->next)
            if (request != for_whom && request->body.length > 0) oldest = request;
        if (oldest == NULL) return false;
        oldest->verdict = GATE_BUSY;
        web->bodies -= oldest->body.length;
        text_free(&oldest->body);
        text_init(&oldest->body);
        web_cut_off(oldest->peer);
    }
    return true;
}

/* A body may be longer than its header says, or say nothing: its bytes are counted as they come. */
static void take_body(Request *request, const char *data, size_t size) {
    Web *web = request->web;
    if (request->verdict != GATE_LET_IN) return;
    if (request->body.length + size > serve_routes[request->target.route].most_body)
        request->verdict = GATE_TOO_LARGE;
    else if (!make_room(web, request, size))
        request->verdict = GATE_BUSY;
    if (request->verdict != GATE_LET_IN) return;
    web->bodies += size;
    text_append(&request->body, data, size);
}

/* libmicrohttpd calls this once with the headers, then with pieces of the body, then when it is whole, and
 * again after each resume. */
enum MHD_Result web_handle(void *closure, struct MHD_Connection *connection, const char *url,
                           const char *method, const char *protocol, const char *data, size_t *size,
                           void **context) {
    (void)protocol;
    Request *request = *context;
    if (request == NULL) return begin(closure, connection, url, method, context);
    if (*size > 0) {
        take_body(request, data, *size);
        *size = 0;
        return MHD_YES;
    }
    if (request->verdict != GATE_LET_IN) return web_refuse(request);
    if (request->replied) return web_answer(request);
    if (request->serial == 0) web_order(request);
    return MHD_YES;
}

/* The answer is sent, or nobody waits for it any more. */
void web_forget(void *closure, struct MHD_Connection *connection, void **context,
                enum MHD_RequestTerminationCode code) {
    Web *web = closure;
    Request *request = *context;
    (void)connection;
    (void)code;
    if (request == NULL) return;
    if (request->serial != 0 && (!request->replied || (request->streaming && !request->ended)))
        web_cancel(request);
    if (request->peer != NULL) request->peer->deadline = clock_ms() + WEB_REQUEST_MILLISECONDS;
    if (request->next != NULL) request->next->before = request->before;
    *(request->before != NULL ? &request->before->next : &web->requests) = request->next;
    web->bodies -= request->body.length;
    text_free(&request->body);
    text_free(&request->answer);
    free(request);
    *context = NULL;
}
