/* wire.h - the narrow socket between the process that speaks HTTP and the desk: orders one way, replies the
 * other, each a head of fixed size and a body whose length it says.
 *
 * Neither side believes the other's bytes. The desk looks at each order as if an enemy had written it, since
 * the process that made it has read what enemies wrote.
 */
#pragma once

#include "base/text.h"
#include "serve/routes.h"

#include <stdint.h>

enum {
    WIRE_SECRET = 32,       /**< letters of a secret */
    WIRE_VERSION = 16,      /**< letters of a file's version */
    WIRE_NAME = 128,        /**< of a host, of a header, of somebody whom a proxy knows */
    WIRE_POLICY = 640,      /**< of the scripts that a page may run, beside files of ours */
    WIRE_LARGEST = 64 << 20 /**< of a reply's body: no file of the course is larger */
};

/** The desk's first words, once. */
typedef struct WireHello {
    uint32_t port;
    char key[WIRE_SECRET + 1];    /**< of the address that is printed */
    char cookie[WIRE_SECRET + 1]; /**< what a browser has instead, after the first request */
    /* Of a class. Its secrets stay with the desk: whose a cookie is, the desk knows alone. */
    uint32_t is_class, on_file; /**< on_file: it listens at a file, not at a port */
    char host[WIRE_NAME];   /**< the name of `https://NAME` before a proxy; empty: this machine's own alone */
    char header[WIRE_NAME]; /**< in which a proxy says who asks; empty: it does not */
    char proxy[WIRE_NAME];  /**< the address that is believed; empty: a socket of a file alone */
} WireHello;

/** A request that was let through. */
typedef struct WireOrder {
    uint32_t serial; /**< names it in the replies */
    uint32_t gone;   /**< 1: nobody waits for this serial any more; nothing else counts then */
    uint32_t route;
    uint32_t framed;                /**< 1: the answer is to stand in a frame of a page */
    uint32_t length;                /**< of the body that follows */
    char version[WIRE_VERSION + 1]; /**< If-Match; empty when there was none */
    char lesson[SERVE_LONGEST_LESSON];
    char file[SERVE_LONGEST_PATH];
    char cookie[WIRE_SECRET + 1]; /**< of a class: what the browser sent */
    char user[WIRE_NAME];         /**< whom a proxy names; empty: nobody */
} WireOrder;

typedef enum WirePart {
    WIRE_WHOLE, /**< the answer */
    WIRE_EVENT, /**< a piece of an answer that goes on */
    WIRE_END    /**< of such an answer */
} WirePart;

/** The types of contents. */
typedef enum WireType {
#define TYPE(name, ending, words) TYPE_##name,
#include "serve/types.def"
#undef TYPE
    TYPE_COUNT
} WireType;

typedef struct WireReply {
    uint32_t serial;
    uint32_t part, status, type;
    uint32_t length;
    char version[WIRE_VERSION + 1]; /**< becomes the ETag; empty: there is none */
    char policy[WIRE_POLICY];       /**< 'sha256-...' of scripts in the page itself */
    char cookie[WIRE_SECRET + 1];   /**< of a class: what the browser has from now on; empty: as before */
} WireReply;

extern const char *const wire_types[TYPE_COUNT];
/** The type of a file by its ending; TYPE_BYTES when it has none of those. */
WireType wire_type_of(const char *path);

typedef enum WireTaken { WIRE_TAKEN, WIRE_PARTLY, WIRE_WRONG } WireTaken;

/** Takes a message off the front of what came in: its head of `size` bytes, whose length is at `length_at`,
 * and its body, which is at *body until the next call. WIRE_WRONG: a body of more than `most` is announced.
 */
WireTaken wire_take(Text *in, size_t *used, void *head, size_t size, size_t length_at, size_t most,
                    const char **body);
/** Forgets what wire_take has used. */
void wire_forget(Text *in, size_t *used);
/** Whether a text of a message ends within its room. */
bool wire_is_ended(const char *text, size_t room);
