/* jwt.c - base64url, RS256 and sets of keys; see jwt.h. */
#include "serve/lti/jwt.h"

#include "base/hash.h"
#include "base/json.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <stdlib.h>
#include <string.h>

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

enum { DEEPEST = 16, LONGEST_EXPONENT = 8 /* bytes */ };

/* ---- base64url (RFC 7515, section 2) ---- */

/* Without padding. The bits that are left over in the last letter must be 0, so that there is one way to
 * write each text. */
static bool decode(Text *out, const char *from, size_t length) {
    uint32_t bits = 0;
    unsigned held = 0;
    for (size_t i = 0; i < length; i++) {
        const char *letter = NULL;
        if (from[i] != '\0') letter = strchr(letters, from[i]);
        if (letter == NULL) return false;
        bits = bits << 6 | (uint32_t)(letter - letters);
        held += 6;
        if (held < 8) continue;
        held -= 8;
        const char byte = (char)(bits >> held & 0xff);
        text_append(out, &byte, 1);
    }
    return held < 6 && (bits & ((1U << held) - 1)) == 0 && !out->failed;
}

static void encode(Text *out, const unsigned char *bytes, size_t length) {
    uint32_t bits = 0;
    unsigned held = 0;
    for (size_t i = 0; i < length; i++) {
        bits = bits << 8 | bytes[i];
        for (held += 8; held >= 6; held -= 6)
            text_append(out, &letters[bits >> (held - 6) & 63], 1);
    }
    if (held > 0) text_append(out, &letters[bits << (6 - held) & 63], 1);
}

/* ---- a token ---- */

/* An object, whole, and nothing behind it. */
static struct json_object *read_object(const char *from, size_t length) {
    Text text = text_new();
    struct json_object *object = NULL;
    struct json_tokener *reader = json_tokener_new_ex(DEEPEST);
    if (reader != NULL && decode(&text, from, length) && strlen(text.bytes) == text.length) {
        json_tokener_set_flags(reader, JSON_TOKENER_STRICT);
        object = json_tokener_parse_ex(reader, text.bytes, (int)text.length + 1);
        if (json_tokener_get_error(reader) != json_tokener_success ||
            !json_object_is_type(object, json_type_object)) {
            json_object_put(object);
            object = NULL;
        }
    }
    if (reader != NULL) json_tokener_free(reader);
    text_free(&text);
    return object;
}

bool jwt_open(Jwt *jwt, const char *token, size_t length) {
    *jwt = (Jwt){0};
    text_init(&jwt->signature);
    if (length > JWT_LONGEST) return false;
    const char *dot = memchr(token, '.', length);
    const char *second = NULL;
    if (dot != NULL) second = memchr(dot + 1, '.', length - (size_t)(dot + 1 - token));
    if (second == NULL) return false;
    jwt->signed_length = (size_t)(second - token);
    jwt->header = read_object(token, (size_t)(dot - token));
    jwt->claims = read_object(dot + 1, (size_t)(second - dot - 1));
    return jwt->header != NULL && jwt->claims != NULL &&
           decode(&jwt->signature, second + 1, length - jwt->signed_length - 1);
}

void jwt_close(Jwt *jwt) {
    json_object_put(jwt->header);
    json_object_put(jwt->claims);
    text_free(&jwt->signature);
}

struct json_object *jwt_find_key(const Jwt *jwt, struct json_object *set) {
    const char *kid = json_text(jwt->header, "kid", "");
    struct json_object *keys = json_array(set, "keys"), *found = NULL;
    size_t count = 0;
    if (keys != NULL && *kid != '\0') count = json_object_array_length(keys);
    for (size_t i = 0; i < count && found == NULL; i++) {
        struct json_object *key = json_object_array_get_idx(keys, i);
        const bool fits = text_same(json_text(key, "kid", ""), kid) &&
                          text_same(json_text(key, "kty", ""), "RSA") &&
                          text_same(json_text(key, "use", "sig"), "sig") &&
                          text_same(json_text(key, "alg", "RS256"), "RS256");
        if (fits) found = key;
    }
    return found;
}

static BIGNUM *read_number(struct json_object *key, const char *member) {
    const char *digits = json_text(key, member, "");
    Text bytes = text_new();
    BIGNUM *number = NULL;
    if (*digits != '\0' && decode(&bytes, digits, strlen(digits)) && bytes.length <= JWT_MOST_KEY_BITS / 8)
        number = BN_bin2bn((const unsigned char *)bytes.bytes, (int)bytes.length, NULL);
    text_free(&bytes);
    return number;
}

static EVP_PKEY *make_public(BIGNUM *n, BIGNUM *e) {
    EVP_PKEY *made = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    OSSL_PARAM *parameters = NULL;
    if (context != NULL && builder != NULL && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e))
        parameters = OSSL_PARAM_BLD_to_param(builder);
    if (parameters == NULL || EVP_PKEY_fromdata_init(context) != 1 ||
        EVP_PKEY_fromdata(context, &made, EVP_PKEY_PUBLIC_KEY, parameters) != 1)
        made = NULL;
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    EVP_PKEY_CTX_free(context);
    return made;
}

/* A short key, or an exponent of 1, would let anybody sign. */
static EVP_PKEY *read_public(struct json_object *key) {
    BIGNUM *n = read_number(key, "n"), *e = read_number(key, "e");
    EVP_PKEY *made = NULL;
    if (n != NULL && e != NULL && BN_num_bits(n) >= JWT_KEY_BITS && BN_is_odd(n) && BN_is_odd(e) &&
        !BN_is_one(e) && BN_num_bytes(e) <= LONGEST_EXPONENT)
        made = make_public(n, e);
    BN_free(n);
    BN_free(e);
    return made;
}

bool jwt_is_signed(const Jwt *jwt, const char *token, struct json_object *key) {
    EVP_PKEY *public = read_public(key);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    const bool fine =
        public != NULL && context != NULL &&
        EVP_DigestVerifyInit(context, NULL, EVP_sha256(), NULL, public) == 1 &&
        EVP_DigestVerify(context, (const unsigned char *)jwt->signature.bytes, jwt->signature.length,
                         (const unsigned char *)token, jwt->signed_length) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(public);
    return fine;
}

/* ---- our own key ---- */

bool jwt_make_key(Text *pem) {
    EVP_PKEY *key = EVP_RSA_gen(JWT_KEY_BITS);
    BIO *memory = BIO_new(BIO_s_mem());
    char *bytes = NULL;
    bool fine = key != NULL && memory != NULL &&
                PEM_write_bio_PrivateKey(memory, key, NULL, NULL, 0, NULL, NULL) == 1;
    long length = 0;
    if (fine) length = BIO_get_mem_data(memory, &bytes);
    if (fine) text_append(pem, bytes, (size_t)length);
    BIO_free(memory);
    EVP_PKEY_free(key);
    return fine;
}

EVP_PKEY *jwt_read_key(const char *pem) {
    BIO *memory = BIO_new_mem_buf(pem, -1);
    EVP_PKEY *key = NULL;
    if (memory != NULL) key = PEM_read_bio_PrivateKey(memory, NULL, NULL, NULL);
    BIO_free(memory);
    if (key != NULL && EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA) return key;
    EVP_PKEY_free(key);
    return NULL;
}

static void put_number(struct json_object *object, const char *member, EVP_PKEY *key, const char *name) {
    BIGNUM *number = NULL;
    unsigned char bytes[JWT_MOST_KEY_BITS / 8] = {0};
    Text text = text_new();
    if (EVP_PKEY_get_bn_param(key, name, &number) == 1 && BN_num_bytes(number) <= (int)sizeof bytes)
        encode(&text, bytes, (size_t)BN_bn2bin(number, bytes));
    json_put_text(object, member, text.bytes);
    BN_free(number);
    text_free(&text);
}

/* A key is named by the hash of its public half, so that another key has another name. */
struct json_object *jwt_publish_key(EVP_PKEY *key) {
    struct json_object *set = json_object_new_object(), *keys = json_object_new_array(),
                       *one = json_object_new_object();
    char name[HASH_HEX];
    Text print = text_new();
    put_number(one, "n", key, OSSL_PKEY_PARAM_RSA_N);
    put_number(one, "e", key, OSSL_PKEY_PARAM_RSA_E);
    text_format(&print, "{\"e\":\"%s\",\"kty\":\"RSA\",\"n\":\"%s\"}", json_text(one, "e", ""),
                json_text(one, "n", ""));
    hash_bytes(print.bytes, print.length, name);
    text_free(&print);
    json_put_text(one, "kty", "RSA");
    json_put_text(one, "use", "sig");
    json_put_text(one, "alg", "RS256");
    json_put_text(one, "kid", name);
    json_object_array_add(keys, one);
    json_object_object_add(set, "keys", keys);
    return set;
}

static void encode_object(Text *token, struct json_object *object) {
    const char *words =
        json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
    encode(token, (const unsigned char *)words, strlen(words));
}

/* Of what stands in the text from `begin` on. */
static bool add_signature(Text *text, size_t begin, EVP_PKEY *key) {
    unsigned char signature[JWT_MOST_KEY_BITS / 8];
    size_t length = sizeof signature;
    const unsigned char *words = (const unsigned char *)text->bytes + begin;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    const bool fine = context != NULL && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1 &&
                      EVP_DigestSign(context, signature, &length, words, text->length - begin) == 1;
    EVP_MD_CTX_free(context);
    text_add(text, ".");
    if (fine) encode(text, signature, length);
    return fine && !text->failed;
}

bool jwt_sign(Text *token, struct json_object *claims, EVP_PKEY *key) {
    struct json_object *set = jwt_publish_key(key), *header = json_object_new_object();
    struct json_object *published = json_object_array_get_idx(json_array(set, "keys"), 0);
    const size_t begin = token->length;
    json_put_text(header, "alg", "RS256");
    json_put_text(header, "typ", "JWT");
    json_put_text(header, "kid", json_text(published, "kid", ""));
    encode_object(token, header);
    text_add(token, ".");
    encode_object(token, claims);
    json_object_put(header);
    json_object_put(set);
    return add_signature(token, begin, key);
}
