/* jwt.h - JSON Web Tokens as LTI 1.3 has them: three parts of base64url, signed by RS256 and by nothing else.
 *
 * A key is never taken from the token itself: the header's `kid` names one of those that the platform
 * publishes, and headers that would bring or point to a key are not looked at. OpenSSL does the arithmetic.
 */
#pragma once

#include "base/text.h"

#include <json-c/json.h>
#include <openssl/evp.h>

enum { JWT_LONGEST = 60 << 10, JWT_KEY_BITS = 2048, JWT_MOST_KEY_BITS = 8192 };

/** A token, opened and not believed. */
typedef struct Jwt {
    struct json_object *header, *claims; /**< objects; the Jwt's own */
    size_t signed_length;                /**< of the token: header, dot, claims */
    Text signature;
} Jwt;

/** False when it is no token at all; jwt_close in any case. */
bool jwt_open(Jwt *jwt, const char *token, size_t length);
void jwt_close(Jwt *jwt);

/** The key of a published set (RFC 7517) that the token's header names: an object of the set; NULL. */
struct json_object *jwt_find_key(const Jwt *jwt, struct json_object *set);
/** Whether that key, RSA of at least JWT_KEY_BITS, has signed the token. */
bool jwt_is_signed(const Jwt *jwt, const char *token, struct json_object *key);

/* ---- our own key ---- */

/** A new one as PEM; false when OpenSSL has none to give. */
bool jwt_make_key(Text *pem);
/** NULL when it is no RSA key; EVP_PKEY_free afterwards. */
EVP_PKEY *jwt_read_key(const char *pem);
/** The set of the public half, as platforms fetch it; the caller puts it. NULL without memory. */
struct json_object *jwt_publish_key(EVP_PKEY *key);
/** Appends the token of these claims. */
bool jwt_sign(Text *token, struct json_object *claims, EVP_PKEY *key);
