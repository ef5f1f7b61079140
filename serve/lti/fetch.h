/* fetch.h - requests to a platform, by libcurl: https alone, to where the address says and no further, with
 * limits of time and size. */
#pragma once

#include "base/text.h"

enum { FETCH_LARGEST = 4 << 20, FETCH_SECONDS = 15, FETCH_CONNECT_SECONDS = 5, FETCH_WHY = 256 };

/** What is asked for. */
typedef struct FetchOrder {
    const char *url;
    const char *authority;   /**< certificates that are believed, as PEM; NULL: the system's */
    const char *token;       /**< of access; NULL: none */
    const char *accept;      /**< NULL: anything */
    const char *type, *body; /**< of a POST; NULL: a GET */
} FetchOrder;

/** What came of it. */
typedef struct Fetched {
    long status; /**< 0: no answer */
    Text body;
    Text next;           /**< the address of the next page (RFC 8288), where there is one */
    char why[FETCH_WHY]; /**< there was none */
} Fetched;

/** Whether the platform said yes (200 to 299). fetch_free in any case. */
bool fetch(Fetched *fetched, const FetchOrder *order);
void fetch_free(Fetched *fetched);
