/* web.c - the loop of the process that speaks HTTP; see web.h.
 *
 * libmicrohttpd waits in an epoll descriptor of its own, which is polled together with the desk's socket.
 */
#include "serve/web/web.h"
#include "base/clock.h"

#include <poll.h>
#include <string.h>
#include <time.h>

enum {
    MOST_CONNECTIONS =
        2000, /* more than there can be streams, so that whoever comes anew is heard (desk.h) */
    BEAT_MILLISECONDS = 15000 /* a stream that is silent for so long gets an empty line, by which a browser
                                 that is gone is noticed */
};

/* A path is taken as it was sent: no address of ours has a character that must be escaped. */
static size_t leave_escaped(void *closure, struct MHD_Connection *connection, char *text) {
    (void)closure;
    (void)connection;
    return strlen(text);
}

/* What libmicrohttpd would print of requests is nobody's business: it may hold the key. */
static void say_nothing(void *closure, const char *format, va_list arguments) {
    (void)closure;
    (void)format;
    (void)arguments;
}

bool web_begin(Web *web, int listening) {
    text_init(&web->in);
    text_init(&web->out);
    unsigned flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;
    if (listening < 0) flags |= MHD_USE_NO_LISTEN_SOCKET;
    struct MHD_OptionItem listen_at[] = {{MHD_OPTION_LISTEN_SOCKET, listening, NULL},
                                         {MHD_OPTION_END, 0, NULL}};
    if (listening < 0) listen_at[0] = listen_at[1];
    web->daemon =
        MHD_start_daemon(flags, 0, NULL, NULL, web_handle, web, MHD_OPTION_EXTERNAL_LOGGER, say_nothing, NULL,
                         MHD_OPTION_NOTIFY_COMPLETED, web_forget, web, MHD_OPTION_NOTIFY_CONNECTION, web_peer,
                         web, MHD_OPTION_UNESCAPE_CALLBACK, leave_escaped, NULL, MHD_OPTION_URI_LOG_CALLBACK,
                         web_address, web, MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_CONNECTIONS,
                         MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)WEB_HEAD_MEMORY,
                         MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_ARRAY, listen_at, MHD_OPTION_END);
    return web->daemon != NULL;
}

/* Who has not sent a whole request in time, or does not take the answer, is cut off: libmicrohttpd sees the
 * end. */
static void cut_off_late(const Web *web, int64_t now) {
    for (Peer *peer = web->peers; peer != NULL; peer = peer->next)
        if (peer->deadline != 0 && now >= peer->deadline) web_cut_off(peer);
}

static void beat(Web *web) {
    static const char line[] = ":\n\n";
    for (Request *request = web->requests; request != NULL; request = request->next) {
        if (!request->streaming || request->ended || !request->suspended) continue;
        text_append(&request->answer, line, strlen(line));
        request->suspended = false;
        MHD_resume_connection(request->connection);
    }
}

static void keep_time(Web *web) {
    int64_t now = clock_ms();
    cut_off_late(web, now);
    if (now < web->next_beat) return;
    if (web->next_beat != 0) beat(web);
    web->next_beat = now + BEAT_MILLISECONDS;
}

/* libmicrohttpd may have work that no descriptor tells of, such as connections that were just resumed. */
static int patience(const Web *web, int milliseconds) {
    MHD_UNSIGNED_LONG_LONG timeout;
    if (MHD_get_timeout(web->daemon, &timeout) != MHD_YES) return milliseconds;
    if (timeout < (MHD_UNSIGNED_LONG_LONG)milliseconds) return (int)timeout;
    return milliseconds;
}

bool web_turn(Web *web, int milliseconds) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(web->daemon, MHD_DAEMON_INFO_EPOLL_FD);
    short wanted = POLLIN;
    if (web->out.length > 0) wanted |= POLLOUT;
    struct pollfd polled[] = {{.fd = web->desk, .events = wanted}, {.fd = info->epoll_fd, .events = POLLIN}};
    poll(polled, 2, patience(web, milliseconds));
    if (!web_talk(web)) return false;
    MHD_run(web->daemon);
    keep_time(web);
    return web_talk(web);
}

/* A connection that waits must go on before libmicrohttpd can end it. */
void web_end(Web *web) {
    for (Request *request = web->requests; request != NULL; request = request->next) {
        request->serial = 0; /* the desk hears no more */
        request->ended = true;
        if (request->suspended) MHD_resume_connection(request->connection);
        request->suspended = false;
        if (!request->replied) request->verdict = GATE_NO_DESK;
    }
    MHD_run(web->daemon);
    MHD_stop_daemon(web->daemon);
    text_free(&web->in);
    text_free(&web->out);
}
