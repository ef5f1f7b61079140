/* services.c - requests to a platform in its own name; see services.h. */
#include "serve/lti/services.h"

#include "base/json.h"
#include "serve/lti/fetch.h"
#include "serve/texts.h"

#include <openssl/rand.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define SCOPE_SCORE "https://purl.imsglobal.org/spec/lti-ags/scope/score"
#define SCOPE_MEMBERS "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
#define TYPE_SCORE "application/vnd.ims.lis.v1.score+json"
#define TYPE_MEMBERS "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"

enum {
    TOKEN_SECONDS = 60,
    SERIAL_BYTES = 16,
    MOST_PAGES = 100,
    TIME_LETTERS = 40,
    UNAUTHORIZED = 401,
    TOO_EARLY = 408,
    TOO_MANY = 429
};

static const char *fact(const Platform *platform, const char *name) {
    return json_text(platform->facts, name, "");
}

static const char *authority(const Platform *platform) {
    return json_text(platform->facts, "ca", NULL);
}

/* What went wrong, in words: no answer, or which one. */
static const char *explain(const Platform *platform, const char *url, const Fetched *fetched) {
    const size_t host = strcspn(url, "?");
    const LtiFacts facts = {.name = arena_copy(platform->arena, url, host),
                            .why = arena_string(platform->arena, fetched->why),
                            .status = (SaySetting)fetched->status};
    return told_lti(platform->arena, fetched->status == 0 ? LTI_NO_ANSWER : LTI_BAD_ANSWER, &facts);
}

/* An answer as JSON of a type; NULL, and *why. */
static struct json_object *read_answer(const Platform *platform, const FetchOrder *order, json_type type,
                                       const char **why) {
    Fetched fetched;
    struct json_object *answer = NULL;
    const bool fine = fetch(&fetched, order);
    if (fine) answer = json_tokener_parse(fetched.body.bytes);
    if (!fine)
        *why = explain(platform, order->url, &fetched);
    else if (!json_object_is_type(answer, type))
        *why = told_lti(platform->arena, LTI_NO_SENSE, &(LtiFacts){.name = order->url});
    fetch_free(&fetched);
    if (json_object_is_type(answer, type)) return answer;
    json_object_put(answer);
    return NULL;
}

struct json_object *services_keys(const Platform *platform, const char **why) {
    const FetchOrder order = {
        .url = fact(platform, "keys"), .authority = authority(platform), .accept = "application/json"};
    return read_answer(platform, &order, json_type_object, why);
}

/* ---- a token of access ---- */

/* Who we are, signed by us, for this platform and once (RFC 7523). */
static bool add_assertion(const Platform *platform, Text *out) {
    struct json_object *claims = json_object_new_object();
    unsigned char bytes[SERIAL_BYTES];
    char serial[2 * SERIAL_BYTES + 1];
    const int64_t now = (int64_t)time(NULL);
    bool fine = RAND_bytes(bytes, sizeof bytes) == 1;
    for (int i = 0; fine && i < SERIAL_BYTES; i++)
        snprintf(serial + 2 * i, 3, "%02x", bytes[i]);
    json_put_text(claims, "iss", fact(platform, "client"));
    json_put_text(claims, "sub", fact(platform, "client"));
    json_put_text(claims, "aud", json_text(platform->facts, "audience", fact(platform, "token")));
    json_put_number(claims, "iat", now);
    json_put_number(claims, "exp", now + TOKEN_SECONDS);
    json_put_text(claims, "jti", fine ? serial : "");
    fine = fine && jwt_sign(out, claims, platform->key);
    json_object_put(claims);
    return fine;
}

/* A token for a scope, in the arena; NULL, and *why. The words of the form have no letters to escape but the
 * scope's and the type's, which are written so here. */
static const char *get_access(const Platform *platform, const char *scope, const char **why) {
    Text form = text_new();
    text_add(&form, "grant_type=client_credentials&client_assertion_type="
                    "urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer&scope=");
    for (const char *at = scope; *at != '\0'; at++)
        text_format(&form, *at == ':' ? "%%3A" : *at == '/' ? "%%2F" : "%c", *at);
    text_add(&form, "&client_assertion=");
    const char *token = NULL;
    if (add_assertion(platform, &form)) {
        const FetchOrder order = {.url = fact(platform, "token"),
                                  .authority = authority(platform),
                                  .accept = "application/json",
                                  .type = "application/x-www-form-urlencoded",
                                  .body = form.bytes};
        struct json_object *answer = read_answer(platform, &order, json_type_object, why);
        const char *got = json_text(answer, "access_token", "");
        if (answer != NULL && *got == '\0')
            *why = told_lti(platform->arena, LTI_NO_SENSE, &(LtiFacts){.name = order.url});
        if (*got != '\0' && strpbrk(got, "\r\n") == NULL) token = arena_string(platform->arena, got);
        json_object_put(answer);
    }
    text_free(&form);
    return token;
}

/* ---- scores ---- */

/* /scores goes before what stands behind a `?` (AGS 2.0, section 3.4). */
static void add_address(Text *out, const char *item) {
    const size_t path = strcspn(item, "?");
    text_append(out, item, path);
    text_add(out, "/scores");
    text_add(out, item + path);
}

static void put_time(struct json_object *score, int64_t at) {
    char words[TIME_LETTERS];
    struct tm parts;
    const time_t seconds = (time_t)at;
    gmtime_r(&seconds, &parts);
    strftime(words, sizeof words, "%Y-%m-%dT%H:%M:%S.000Z", &parts);
    json_put_text(score, "timestamp", words);
}

static struct json_object *make_score(struct json_object *row) {
    struct json_object *score = json_object_new_object();
    json_put_text(score, "userId", json_text(row, "user", ""));
    json_object_object_add(score, "scoreGiven", json_object_new_double(json_real(row, "given", 0)));
    json_object_object_add(score, "scoreMaximum", json_object_new_double(json_real(row, "most", 0)));
    json_put_text(score, "activityProgress", "Completed");
    json_put_text(score, "gradingProgress", "FullyGraded");
    if (*json_text(row, "comment", "") != '\0')
        json_put_text(score, "comment", json_text(row, "comment", ""));
    put_time(score, json_number(row, "at", 0));
    return score;
}

/* Whether asking once more may help: the platform is down, overloaded, or does not know our token. */
static bool may_pass(long status) {
    return status == 0 || status >= 500 || status == UNAUTHORIZED || status == TOO_EARLY ||
           status == TOO_MANY;
}

static void tell(struct json_object *row, const char *problem, bool lasts) {
    struct json_object *line = json_object_new_object();
    json_put_number(line, "number", json_number(row, "number", 0));
    json_put_number(line, "at", json_number(row, "at", 0));
    if (problem != NULL) json_put_text(line, "problem", problem);
    json_put_flag(line, "lasts", lasts);
    puts(json_object_to_json_string_ext(line, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    fflush(stdout); /* what was sent is known, whatever happens to the next */
    json_object_put(line);
}

/* False when the platform does not answer: then no other score need be tried now. */
static bool post_score(const Platform *platform, const char *access, struct json_object *row) {
    struct json_object *score = make_score(row);
    Fetched fetched;
    Text url = text_new();
    add_address(&url, json_text(row, "item", ""));
    const FetchOrder order = {.url = url.bytes,
                              .authority = authority(platform),
                              .token = access,
                              .type = TYPE_SCORE,
                              .body = json_object_to_json_string_ext(
                                  score, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)};
    const bool fine = fetch(&fetched, &order);
    const long status = fetched.status;
    tell(row, fine ? NULL : explain(platform, url.bytes, &fetched), !fine && !may_pass(status));
    fetch_free(&fetched);
    text_free(&url);
    json_object_put(score);
    return status != 0;
}

void services_scores(const Platform *platform, struct json_object *scores) {
    size_t count = json_length(scores);
    const char *why = plain_lti(LTI_NO_KEY), *access = get_access(platform, SCOPE_SCORE, &why);
    size_t i = 0;
    for (bool answers = access != NULL; answers && i < count; i++)
        answers = post_score(platform, access, json_object_array_get_idx(scores, i));
    if (access != NULL) why = plain_lti(LTI_NOT_TRIED);
    for (; i < count; i++)
        tell(json_object_array_get_idx(scores, i), why, false);
}

/* ---- members ---- */

/* A page of members, added to those before; the address of the next one replaces `url`. */
static bool add_page(const Platform *platform, const char *access, Text *url, struct json_object *members,
                     const char **why) {
    const FetchOrder order = {
        .url = url->bytes, .authority = authority(platform), .token = access, .accept = TYPE_MEMBERS};
    Fetched fetched;
    const bool fine = fetch(&fetched, &order);
    struct json_object *answer = NULL;
    if (fine) answer = json_tokener_parse(fetched.body.bytes);
    struct json_object *page = json_array(answer, "members");
    size_t count = json_length(page);
    if (!fine)
        *why = explain(platform, url->bytes, &fetched);
    else if (page == NULL)
        *why = told_lti(platform->arena, LTI_NO_SENSE,
                        &(LtiFacts){.name = arena_string(platform->arena, url->bytes)});
    for (size_t i = 0; i < count; i++)
        json_object_array_add(members, json_object_get(json_object_array_get_idx(page, i)));
    text_clear(url);
    text_add(url, fetched.next.bytes);
    fetch_free(&fetched);
    json_object_put(answer);
    return page != NULL;
}

struct json_object *services_members(const Platform *platform, const char *url, const char **why) {
    *why = plain_lti(LTI_NO_KEY);
    const char *access = get_access(platform, SCOPE_MEMBERS, why);
    if (access == NULL) return NULL;
    struct json_object *members = json_object_new_array();
    bool fine = true;
    Text next = text_new();
    text_add(&next, url);
    for (int i = 0; fine && next.length > 0 && i < MOST_PAGES; i++)
        fine = add_page(platform, access, &next, members, why);
    text_free(&next);
    if (fine) return members;
    json_object_put(members);
    return NULL;
}
