/* answers.c - what is sent to a browser, with the headers that keep a page to itself; see web.h. */
#include "base/clock.h"
#include "base/minmax.h"
#include "serve/web/web.h"

#include "base/escape.h"
#include "serve/texts.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { EVENT_BLOCK = 4096 };

/* Scripts come from files of ours alone; where a page of the course has one in itself, the desk names it by
 * what it says. Pages of other sites may frame none of ours but what is said on the way from a learning
 * platform: else nobody in its frame would read why they do not come in. */
static void add_policy(struct MHD_Response *response, const char *scripts, const char *framers) {
    Text policy = text_new();
    text_format(
        &policy,
        "default-src 'none'; script-src 'self'%s%s; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "font-src 'self'; "
        "connect-src 'self'; frame-src 'self'; form-action 'self'; frame-ancestors %s; base-uri 'none'",
        *scripts != '\0' ? " " : "", scripts, framers);
    MHD_add_response_header(response, "Content-Security-Policy", policy.bytes);
    text_free(&policy);
}

static void add_headers(struct MHD_Response *response, const char *type, const char *scripts, bool framed) {
    static const char *const headers[][2] = {{"X-Content-Type-Options", "nosniff"},
                                             {"Referrer-Policy", "same-origin"},
                                             {"Cache-Control", "no-store"},
                                             {"Cross-Origin-Resource-Policy", "same-origin"},
                                             {"Cross-Origin-Opener-Policy", "same-origin"}};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    MHD_add_response_header(response, "Content-Type", type);
    if (!framed) MHD_add_response_header(response, "X-Frame-Options", "SAMEORIGIN");
    add_policy(response, scripts, framed ? "https:" : "'self'");
}

static enum MHD_Result send_response(Request *request, unsigned status, struct MHD_Response *response) {
    if (response == NULL) return MHD_NO;
    if (request->peer != NULL)
        request->peer->deadline = request->streaming ? 0 : clock_ms() + WEB_ANSWER_MILLISECONDS;
    enum MHD_Result result = MHD_queue_response(request->connection, status, response);
    MHD_destroy_response(response);
    return result;
}

/* ---- refusals ---- */

static const WebText words_of[GATE_COUNT] = {
    [GATE_BROKEN] = WEB_BROKEN,       [GATE_FOREIGN_HOST] = WEB_FOREIGN_HOST,
    [GATE_NO_COOKIE] = WEB_NO_COOKIE, [GATE_FOREIGN_ORIGIN] = WEB_FOREIGN_ORIGIN,
    [GATE_NOWHERE] = WEB_NOWHERE,     [GATE_NO_METHOD] = WEB_NO_METHOD,
    [GATE_TOO_LARGE] = WEB_TOO_LARGE, [GATE_BUSY] = WEB_BUSY,
    [GATE_NO_DESK] = WEB_NO_DESK,
};

/* A page that says what is wrong in a sentence, for people; a status, for programs. */
static void add_page(Text *page, const Request *request) {
    const GateVerdict verdict = request->verdict;
    const WireHello *hello = &request->web->hello;
    WebFacts facts = {.port = hello->port, .class = hello->is_class != 0};
    if (verdict == GATE_TOO_LARGE) facts.most = serve_routes[request->target.route].most_body;
    Text words = text_new();
    say_web(&words, verdict == GATE_NO_COOKIE && hello->is_class ? WEB_NO_STUDENT : words_of[verdict],
            &facts);
    text_add(page, "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
                   "content=\"width=device-width\">"
                   "<title>Warpschool</title><body style=\"font: 17px/1.6 system-ui, sans-serif; max-width: "
                   "40rem; margin: 3rem auto; padding: 0 1rem\">"
                   "<h1 style=\"font-size: 1.3rem\">Warpschool</h1><p>");
    escape_add(page, ESCAPE_HTML, words.bytes);
    text_add(page, "</p></body></html>\n");
    text_free(&words);
}

enum MHD_Result web_refuse(Request *request) {
    Text page = text_new(), cookie = text_new();
    const bool enters = request->verdict == GATE_ENTER;
    if (!enters) add_page(&page, request);
    struct MHD_Response *response =
        MHD_create_response_from_buffer(page.length, page.bytes, MHD_RESPMEM_MUST_COPY);
    if (response != NULL) add_headers(response, wire_types[TYPE_HTML], "", false);
    if (response != NULL && request->allowed[0] != '\0')
        MHD_add_response_header(response, "Allow", request->allowed);
    if (response != NULL && enters) {
        gate_cookie(&request->web->hello, COOKIE_SESSION, request->web->hello.cookie, &cookie);
        MHD_add_response_header(response, "Set-Cookie", cookie.bytes);
        MHD_add_response_header(response, "Location", "/");
    }
    text_free(&cookie);
    text_free(&page);
    return send_response(request, gate_status[request->verdict], response);
}

/* libmicrohttpd has nothing of the request yet that could be answered, or no memory for it, so the bytes go
 * straight to the socket. */
void web_refuse_excess(Peer *peer, WebExcess excess) {
    static const struct {
        const char *status;
        WebText words;
    } said[] = {[EXCESS_ADDRESS] = {"414 URI Too Long", WEB_TOO_LONG},
                [EXCESS_HEADERS] = {"431 Request Header Fields Too Large", WEB_TOO_MANY}};
    const char *words = plain_web(said[excess].words);
    char answer[512];
    const int length = snprintf(answer, sizeof answer,
                                "HTTP/1.1 %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
                                "%zu\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n%s\n",
                                said[excess].status, strlen(words) + 1, words);
    peer->refused = true;
    if (length > 0 && (size_t)length < sizeof answer)
        send(peer->socket, answer, (size_t)length, MSG_NOSIGNAL | MSG_DONTWAIT);
    web_cut_off(peer);
}

/* ---- answers of the desk ---- */

/* Gives the browser what has come of a stream; when there is nothing, the connection waits for more. */
static ssize_t read_stream(void *closure, uint64_t position, char *buffer, size_t most) {
    Request *request = closure;
    (void)position;
    size_t waiting = request->answer.length - request->sent, size = MIN(waiting, most);
    if (size == 0 && request->ended) return MHD_CONTENT_READER_END_OF_STREAM;
    if (size == 0) {
        request->suspended = true;
        MHD_suspend_connection(request->connection);
        return 0;
    }
    memcpy(buffer, request->answer.bytes + request->sent, size);
    request->sent += size;
    if (request->sent == request->answer.length) wire_forget(&request->answer, &request->sent);
    return (ssize_t)size;
}

/* Where a browser goes after what it sent: to the page from which it came; on its way to and from a learning
 * platform, to where the answer says. */
static void add_place(struct MHD_Response *response, const Request *request) {
    const ServeTarget *target = &request->target;
    char page[SERVE_LONGEST_LESSON + 16] = "/";
    if (serve_is_outside(&serve_routes[target->route])) {
        MHD_add_response_header(response, "Location", request->answer.bytes);
        return;
    }
    if (target->lesson[0] != '\0') snprintf(page, sizeof page, "/lessons/%s.html", target->lesson);
    if (serve_routes[target->route].right == RIGHT_TEACH) snprintf(page, sizeof page, "/class.html");
    MHD_add_response_header(response, "Location", page);
}

enum MHD_Result web_answer(Request *request) {
    const WireReply *reply = &request->reply;
    /* Of a stream that is only asked after (HEAD), nothing may follow: libmicrohttpd would send its end. */
    struct MHD_Response *response;
    if (request->streaming && !request->is_head)
        response =
            MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, EVENT_BLOCK, read_stream, request, NULL);
    else
        response = MHD_create_response_from_buffer(request->streaming ? 0 : request->answer.length,
                                                   request->answer.bytes, MHD_RESPMEM_MUST_COPY);
    if (response == NULL) return MHD_NO;
    add_headers(response, wire_types[reply->type], reply->policy,
                serve_is_outside(&serve_routes[request->target.route]));
    if (reply->version[0] != '\0') {
        char tag[WIRE_VERSION + 3];
        snprintf(tag, sizeof tag, "\"%s\"", reply->version);
        MHD_add_response_header(response, "ETag", tag);
    }
    if (reply->status == MHD_HTTP_SEE_OTHER) add_place(response, request);
    if (reply->cookie[0] != '\0') {
        Text cookie = text_new();
        const bool leaves = serve_routes[request->target.route].right == RIGHT_OPEN;
        gate_cookie(&request->web->hello, leaves ? COOKIE_LOGIN : COOKIE_SESSION, reply->cookie, &cookie);
        MHD_add_response_header(response, "Set-Cookie", cookie.bytes);
        text_free(&cookie);
    }
    return send_response(request, reply->status, response);
}
