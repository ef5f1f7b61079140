/* link.h - the device's end of the socket: whole, bounded requests in; replies out.
 *
 * The other end is student code. A request that is not well formed ends the connection; so does a payload
 * past its limit. The window is shared memory: whatever is read from it may change at any time, so it only
 * ever holds data.
 */
#pragma once

#include "cudart/protocol.h"
#include <stdbool.h>
#include <stddef.h>

/** The device's end of the socket, and the memory that it shares with the program. */
typedef struct Link {
    int socket;
    bool closed;         /**< the other end went away, or did not keep to the protocol */
    int shared;          /**< memfd: window, then pool; sealed */
    uint64_t pool_bytes; /**< behind the window; at most WIRE_POOL_BYTES */
    uint8_t *window;     /**< WIRE_WINDOW_BYTES */
    uint8_t *payload;    /**< of the current request, payload_bytes long, NUL behind; owned by the link */
    WireRequest crash;   /**< a CRASH that arrived in place of a CONTINUE; magic 0: none */
} Link;

/** Takes over the socket; makes window and pool, which is no larger than the card's memory (0: the usual
 * size): the program may touch all of it. False with errno set. */
bool link_open(Link *link, int socket, uint64_t memory_bytes);
void link_close(Link *link);
/** The next request and its payload; false when the connection has ended (closed is set). */
bool link_receive(Link *link, WireRequest *request);
bool link_reply(Link *link, const WireReply *reply, const void *payload);
/** The reply to HELLO, with the window's descriptor. */
bool link_reply_hello(Link *link, const WireReply *reply);
/** Sends an intermediate reply and waits for its CONTINUE. */
bool link_ask(Link *link, const WireReply *ask);
/** Has the program call a host function: what that touches too early, and what of the runtime it calls, is
 * told until the CONTINUE. */
typedef void (*LinkTold)(void *self, const WireRequest *what);
bool link_call(Link *link, const WireReply *ask, const void *payload, LinkTold told, void *self);
/** Device-side printf output. */
bool link_output(Link *link, const void *bytes, size_t count);
