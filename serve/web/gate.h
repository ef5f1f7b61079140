/* gate.h - whom `warpschool serve` lets in: decided from a request's headers alone, by functions that know
 * nothing of sockets.
 *
 * Four questions, in this order (of a class, whose a cookie is is asked at the desk): is it addressed to us
 * by our own name (a page whose name was turned to this machine's address is not); does it know the secret,
 * by the cookie or, once, by the address that was printed; does such an address exist; and, where something
 * is to be changed, does one of our own pages ask.
 */
#pragma once

#include "serve/wire.h"

/** What a request says of itself; NULL where it says nothing. */
typedef struct GateRequest {
    const char *method, *path;
    const char *key; /**< of the address's query */
    const char *host, *origin, *cookie, *length;
    const char *coding;             /**< Transfer-Encoding */
    const char *site, *mode, *goal; /**< Sec-Fetch-Site, -Mode and -Dest, which no page can forge */
    const char *version;            /**< If-Match */
    const char *user;               /**< in the header of a proxy that is believed */
    bool repeated;                  /**< one of these stands there twice */
} GateRequest;

typedef enum GateVerdict {
#define GATE(name, status) GATE_##name,
#include "serve/web/gate.def"
#undef GATE
    GATE_COUNT
} GateVerdict;

extern const unsigned gate_status[GATE_COUNT];

/** The verdict, and what is asked for where it is GATE_LET_IN. */
GateVerdict gate_judge(const WireHello *hello, const GateRequest *request, ServeTarget *target);
/** Whether the answer is to stand in a frame, as far as the browser says so. */
bool gate_is_framed(const GateRequest *request);
/** The version that If-Match names, without its quotes: empty where there is none of ours. */
void gate_version(const char *header, char version[WIRE_VERSION + 1]);
/** Two cookies: of who was let in, and, for minutes, of who is on the way to a learning platform and back. */
typedef enum GateCookie { COOKIE_SESSION, COOKIE_LOGIN } GateCookie;

/** The value of the Set-Cookie header that lets a browser in from now on. */
void gate_cookie(const WireHello *hello, GateCookie which, const char *secret, Text *out);
/** The secret in a Cookie header that has the form of one; empty where there is none. */
void gate_take_cookie(const WireHello *hello, GateCookie which, const char *header,
                      char secret[WIRE_SECRET + 1]);
