/* services.h - what the tool asks of a platform: its keys, a token of access, the members of a course, and to
 * take scores (Assignment and Grade Services 2.0, Names and Role Provisioning Services 2.0). */
#pragma once

#include "base/arena.h"
#include "serve/lti/jwt.h"

/** A platform as the server's order names it, and our own key. */
typedef struct Platform {
    struct json_object *facts; /**< issuer, client, token, audience, keys, ca: as in lti.yaml */
    EVP_PKEY *key;
    Arena *arena; /**< of the words that are said */
} Platform;

/** The published keys; the caller puts them. NULL, and *why says why. */
struct json_object *services_keys(const Platform *platform, const char **why);
/** Posts each score of the list, and prints a line for each that says what became of it. */
void services_scores(const Platform *platform, struct json_object *scores);
/** All members at that address, page after page, as an array; the caller puts it. NULL, and *why says why. */
struct json_object *services_members(const Platform *platform, const char *url, const char **why);
