/* web.h - the process that speaks HTTP: libmicrohttpd in one loop with the socket to the desk.
 *
 * A request goes through the gate before its body is read. What is let through becomes an order to the desk,
 * and the connection waits (suspended) for the reply; a stream of events goes on until one of the two ends
 * it. Everything is in one thread.
 */
#pragma once

#include "serve/web/gate.h"

#include <microhttpd.h>

typedef struct Web Web;

/** A connection from a browser, for as long as it is open; one request after the other is made over it. */
typedef struct Peer {
    struct Peer *next, *before;
    MHD_socket socket;
    int64_t deadline; /**< of what it is about to send or to take; 0: it waits for us */
    bool refused;     /**< past libmicrohttpd: nothing of it is looked at any more */
} Peer;

/** One request, from its headers until its answer is sent. */
typedef struct Request {
    struct Request *next, *before;
    Web *web;
    Peer *peer;
    struct MHD_Connection *connection;
    ServeTarget target;
    GateVerdict verdict;
    uint32_t serial; /**< 0: the desk has not been asked */
    char version[WIRE_VERSION + 1], cookie[WIRE_SECRET + 1], user[WIRE_NAME];
    bool framed, is_head;
    char allowed[SERVE_LONGEST_ALLOWED]; /**< the methods, where the verdict is GATE_NO_METHOD */
    Text body;
    bool suspended, replied, streaming, ended;
    WireReply reply;
    Text answer; /**< the reply's body, or the events that are not sent yet */
    size_t sent; /**< of the events */
} Request;

struct Web {
    WireHello hello;
    int desk; /**< the socket */
    Text in;  /**< of the desk, and not taken yet */
    Text out; /**< for the desk, and not sent yet */
    struct MHD_Daemon *daemon;
    Request *requests;
    Peer *peers;       /**< the newest first */
    uint32_t serial;   /**< of the last order */
    size_t bodies;     /**< bytes of all bodies that are not whole yet */
    int64_t next_beat; /**< when silent streams get a sign of life (web_now) */
};

/** Begins with the listening socket; -1: connections are handed over one by one (tests/fuzz/fuzz_serve.c).
 * False when libmicrohttpd does not. */
bool web_begin(Web *web, int listening);
/** One turn: what the desk and the browsers have sent is dealt with. Waits for at most `milliseconds`; false
 * once the desk is gone. */
bool web_turn(Web *web, int milliseconds);
void web_end(Web *web);

/* ---- requests.c: what libmicrohttpd calls ---- */

enum MHD_Result web_handle(void *closure, struct MHD_Connection *connection, const char *url,
                           const char *method, const char *protocol, const char *data, size_t *size,
                           void **context);
void web_forget(void *closure, struct MHD_Connection *connection, void **context,
                enum MHD_RequestTerminationCode code);
void web_peer(void *closure, struct MHD_Connection *connection, void **context,
              enum MHD_ConnectionNotificationCode code);

/** With an address as it was sent, before it is taken apart. */
void *web_address(void *closure, const char *address, struct MHD_Connection *connection);

/** Ends a connection, which libmicrohttpd sees as if its other end had. */
void web_cut_off(Peer *peer);

/* ---- orders.c: the desk's side of a request ---- */

/** Sends the order; the connection waits. */
void web_order(Request *request);
/** The desk need not answer any more. */
void web_cancel(Request *request);
/** Sends and takes what is there; false once the desk is gone. */
bool web_talk(Web *web);

/* ---- answers.c: what is sent to a browser ---- */

/** Sends what the gate decided. */
enum MHD_Result web_refuse(Request *request);
/** What is refused because libmicrohttpd would have no memory left for an answer. */
typedef enum WebExcess { EXCESS_ADDRESS, EXCESS_HEADERS } WebExcess;

/** Says so past libmicrohttpd, and ends the connection. */
void web_refuse_excess(Peer *peer, WebExcess excess);
/** Sends the desk's reply, or begins its stream. */
enum MHD_Result web_answer(Request *request);

/** The memory that libmicrohttpd has for one request's head, with an entry for each header and cookie, and
 * its answer's head. */
enum { WEB_HEAD_MEMORY = 64 << 10 };

/** How long a connection may take for one request, and for taking an answer. */
enum { WEB_REQUEST_MILLISECONDS = 10000, WEB_ANSWER_MILLISECONDS = 60000 };
