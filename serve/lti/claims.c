/* claims.c - what a launch's token says; see claims.h. */
#include "serve/lti/claims.h"

#include "base/json.h"

#include <string.h>

#define CLAIM "https://purl.imsglobal.org/spec/lti/claim/"
#define ROLE "http://purl.imsglobal.org/vocab/lis/v2/membership#"
#define AGS "https://purl.imsglobal.org/spec/lti-ags/"
#define NRPS "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"

static bool has_text(struct json_object *list, const char *text) {
    size_t count = json_length(list);
    for (size_t i = 0; i < count; i++) {
        struct json_object *item = json_object_array_get_idx(list, i);
        if (json_object_is_type(item, json_type_string) && text_same(json_object_get_string(item), text))
            return true;
    }
    return false;
}

/* A time that is no number is none. */
static bool get_time(struct json_object *claims, const char *name, int64_t *time) {
    struct json_object *value = NULL;
    json_object_object_get_ex(claims, name, &value);
    if (!json_object_is_type(value, json_type_int) && !json_object_is_type(value, json_type_double))
        return false;
    *time = json_object_get_int64(value);
    return true;
}

LtiText claims_check_head(const Jwt *jwt) {
    struct json_object *critical = NULL;
    if (!text_same(json_text(jwt->header, "alg", ""), "RS256")) return LTI_OTHER_ALGORITHM;
    if (json_object_object_get_ex(jwt->header, "crit", &critical)) return LTI_NO_TOKEN;
    return CLAIMS_FINE;
}

/* `aud` is a text or a list; of several, `azp` says whom the token was made for. */
static bool is_for_us(struct json_object *claims, const char *client) {
    struct json_object *audience = json_array(claims, "aud"), *party = NULL;
    const char *one = json_text(claims, "aud", NULL);
    if (json_object_object_get_ex(claims, "azp", &party) && !text_same(json_text(claims, "azp", ""), client))
        return false;
    if (one != NULL) return strcmp(one, client) == 0;
    if (audience != NULL && json_object_array_length(audience) > 1 && party == NULL) return false;
    return has_text(audience, client);
}

static LtiText check_times(struct json_object *claims, int64_t now) {
    int64_t end, made, begin;
    if (!get_time(claims, "exp", &end) || !get_time(claims, "iat", &made)) return LTI_NO_TIMES;
    if (end <= now - CLAIMS_SLACK_SECONDS || made < now - CLAIMS_OLDEST_SECONDS) return LTI_EXPIRED;
    if (made > now + CLAIMS_SLACK_SECONDS) return LTI_NOT_YET;
    if (get_time(claims, "nbf", &begin) && begin > now + CLAIMS_SLACK_SECONDS) return LTI_NOT_YET;
    return CLAIMS_FINE;
}

static LtiText check_message(struct json_object *claims, const LaunchWanted *wanted) {
    const char *user = json_text(claims, "sub", "");
    if (!text_same(json_text(claims, CLAIM "message_type", ""), "LtiResourceLinkRequest") ||
        !text_same(json_text(claims, CLAIM "version", ""), "1.3.0"))
        return LTI_OTHER_MESSAGE;
    const char *deployment = json_text(claims, CLAIM "deployment_id", "");
    if (*deployment == '\0' || !has_text(wanted->deployments, deployment)) return LTI_OTHER_DEPLOYMENT;
    if (!text_same(json_text(claims, CLAIM "target_link_uri", ""), wanted->target)) return LTI_OTHER_TARGET;
    if (*json_text(json_member(claims, CLAIM "resource_link"), "id", "") == '\0') return LTI_OTHER_MESSAGE;
    if (*user == '\0' || strlen(user) > CLAIMS_LONGEST_NAME) return LTI_NOBODY;
    return CLAIMS_FINE;
}

LtiText claims_check(const Jwt *jwt, const LaunchWanted *wanted) {
    struct json_object *claims = jwt->claims;
    if (!text_same(json_text(claims, "iss", ""), wanted->issuer)) return LTI_OTHER_ISSUER;
    if (!is_for_us(claims, wanted->client)) return LTI_OTHER_AUDIENCE;
    const LtiText late = check_times(claims, wanted->now);
    if (late != CLAIMS_FINE) return late;
    const char *nonce = json_text(claims, "nonce", "");
    if (*nonce == '\0' || !text_same(nonce, wanted->nonce)) return LTI_OTHER_NONCE;
    return check_message(claims, wanted);
}

/* ---- what is told of it ---- */

/* In this course, not elsewhere at the institution (institution/person#Instructor), which says nothing of
 * this class. */
static bool teaches(struct json_object *claims) {
    struct json_object *roles = json_array(claims, CLAIM "roles");
    return has_text(roles, ROLE "Instructor") || has_text(roles, "Instructor");
}

/* Scores can be returned where there is a line item, and the platform lets us. */
static const char *item_of(struct json_object *claims) {
    struct json_object *service = json_member(claims, AGS "claim/endpoint");
    const bool may = has_text(json_array(service, "scope"), AGS "scope/score");
    if (may) return json_text(service, "lineitem", "");
    return "";
}

struct json_object *claims_tell(const Jwt *jwt) {
    struct json_object *claims = jwt->claims, *told = json_object_new_object();
    struct json_object *custom = json_member(claims, CLAIM "custom");
    const char *login = json_text(json_member(claims, CLAIM "ext"), "user_username", "");
    json_put_text(told, "user", json_text(claims, "sub", ""));
    json_put_text(told, "email", json_text(claims, "email", ""));
    json_put_text(told, "login", json_text(custom, "login", login));
    json_put_text(told, "sourcedid", json_text(json_member(claims, CLAIM "lis"), "person_sourcedid", ""));
    json_put_flag(told, "teaches", teaches(claims));
    json_put_text(told, "deployment", json_text(claims, CLAIM "deployment_id", ""));
    json_put_text(told, "context", json_text(json_member(claims, CLAIM "context"), "id", ""));
    json_put_text(told, "lesson", json_text(custom, "lesson", ""));
    json_put_text(told, "item", item_of(claims));
    json_put_text(told, "members", json_text(json_member(claims, NRPS), "context_memberships_url", ""));
    return told;
}
