/* links.c - signs and reads links; see links.h. */
#include "serve/class/links.h"

#include <inttypes.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIGNATURE = 16 /* bytes */ };

void link_sign(const char *purpose, const char *said, const LinkSecret *secret, char digits[LINK_SIGNATURE]) {
    uint8_t digest[SIGNATURE];
    struct hmac_sha256_ctx context;
    hmac_sha256_set_key(&context, sizeof secret->bytes, secret->bytes);
    hmac_sha256_update(&context, strlen(purpose), (const uint8_t *)purpose);
    hmac_sha256_update(&context, strlen(said), (const uint8_t *)said);
    hmac_sha256_digest(&context, sizeof digest, digest);
    for (int i = 0; i < SIGNATURE; i++)
        snprintf(digits + 2 * i, 3, "%02x", digest[i]);
}

void link_write(const Link *link, const LinkSecret *secret, char token[LINK_LONGEST]) {
    char said[LINK_LONGEST - 2 * SIGNATURE - 2], digits[2 * SIGNATURE + 1];
    snprintf(said, sizeof said, "%" PRId64 ".%" PRId64 ".%" PRId64, link->student, link->issue, link->end);
    link_sign("warpschool link 1\n", said, secret, digits);
    snprintf(token, LINK_LONGEST, "%s.%s", said, digits);
}

/* Written again from its numbers it must be what was read, letter by letter: so there is one way to write
 * each link, and none of them is read before its signature is known to be ours. */
bool link_read(Link *link, const char *token, const LinkSecret *secret, int64_t now) {
    char own[LINK_LONGEST], *end = NULL;
    int64_t *const numbers[] = {&link->student, &link->issue, &link->end};
    const char *at = token;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        *numbers[i] = strtoll(at, &end, 10);
        if (end == at || *end != '.') return false;
        at = end + 1;
    }
    link_write(link, secret, own);
    return strlen(token) == strlen(own) && memeql_sec(token, own, strlen(own)) != 0 && now <= link->end;
}
