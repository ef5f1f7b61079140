/* links.h - personal links: who somebody is, until when, and a signature (HMAC-SHA256), so that nothing is
 * kept of them but the number of the issue that is valid.
 *
 *     STUDENT.ISSUE.END.SIGNATURE     three numbers, and 32 hexadecimal digits
 */
#pragma once

#include "base/text.h"

enum {
    LINK_SECRET = 32,
    LINK_LONGEST = 128,
    LINK_SIGNATURE = 33 /**< 32 digits and a NUL */
};

typedef struct LinkSecret {
    uint8_t bytes[LINK_SECRET];
} LinkSecret;

typedef struct Link {
    int64_t student, issue;
    int64_t end; /**< Unix seconds */
} Link;

/** Signs any text, for one purpose: signatures for another one are others. */
void link_sign(const char *purpose, const char *said, const LinkSecret *secret, char digits[LINK_SIGNATURE]);
void link_write(const Link *link, const LinkSecret *secret, char token[LINK_LONGEST]);
/** False when it is none of ours, or over. */
bool link_read(Link *link, const char *token, const LinkSecret *secret, int64_t now);
