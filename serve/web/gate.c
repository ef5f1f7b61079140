/* gate.c - host, secret, address and origin of a request; see gate.h. */
#include "serve/web/gate.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const unsigned gate_status[GATE_COUNT] = {
#define GATE(name, status) [GATE_##name] = status,
#include "serve/web/gate.def"
#undef GATE
};

/* The names by which a browser on this machine may know us. */
static const char *const names[] = {"127.0.0.1", "localhost"};

enum { NAME_COUNT = sizeof names / sizeof *names, LONGEST_NAME = 256, LOGIN_SECONDS = 600 };

static bool is_ours(const WireHello *hello, const char *text, const char *before) {
    char name[LONGEST_NAME];
    for (int i = 0; i < NAME_COUNT; i++) {
        snprintf(name, sizeof name, "%s%s:%u", before, names[i], (unsigned)hello->port);
        if (strcmp(text, name) == 0) return true;
    }
    if (hello->host[0] == '\0') return false;
    snprintf(name, sizeof name, "%s%s", *before != '\0' ? "https://" : "", hello->host);
    return strcmp(text, name) == 0;
}

/* In a time that does not depend on where the two differ. */
static bool is_secret(const char *text, size_t length, const char *secret) {
    unsigned difference = 1;
    if (length == WIRE_SECRET) difference = 0;
    for (size_t i = 0; i < WIRE_SECRET; i++)
        difference |= (unsigned char)(i < length ? text[i] : 0) ^ (unsigned char)secret[i];
    return difference == 0;
}

static int name_cookie(const WireHello *hello, GateCookie which, char name[LONGEST_NAME]) {
    const char *words = "warpschool";
    if (which == COOKIE_LOGIN) words = "warpschool_lti";
    return snprintf(name, LONGEST_NAME, "%s_%u=", words, (unsigned)hello->port);
}

/* Browsers keep cookies by host, not by port, so each server's has a name of its own. Of two cookies of that
 * name, either may be somebody else's: the first of the right form is taken. */
void gate_take_cookie(const WireHello *hello, GateCookie which, const char *header,
                      char secret[WIRE_SECRET + 1]) {
    char name[LONGEST_NAME];
    size_t length = (size_t)name_cookie(hello, which, name);
    secret[0] = '\0';
    for (const char *at = header; at != NULL && *at != '\0';) {
        at += strspn(at, " ;");
        size_t whole = strcspn(at, ";");
        if (whole == length + WIRE_SECRET && strncmp(at, name, length) == 0 &&
            strspn(at + length, "0123456789abcdef") >= WIRE_SECRET) {
            memcpy(secret, at + length, WIRE_SECRET);
            secret[WIRE_SECRET] = '\0';
            return;
        }
        at += whole;
    }
}

/* Who is known: of a class it is enough to bring something that the desk can look at. */
static bool has_cookie(const WireHello *hello, const GateRequest *request) {
    char secret[WIRE_SECRET + 1];
    gate_take_cookie(hello, COOKIE_SESSION, request->cookie, secret);
    if (hello->is_class) return secret[0] != '\0' || request->user != NULL;
    return is_secret(secret, strlen(secret), hello->cookie);
}

/* A link of a class is followed from a letter, whose reader is another site: a strict cookie would not come
 * along to where the link leads. What changes something needs our own origin all the same. The cookie of a
 * login is for a form that the platform's page sends, which is another site's for certain. */
void gate_cookie(const WireHello *hello, GateCookie which, const char *secret, Text *out) {
    char name[LONGEST_NAME];
    name_cookie(hello, which, name);
    if (which == COOKIE_LOGIN) {
        text_format(out, "%s%s; Path=/lti; Max-Age=%d; HttpOnly; SameSite=None; Secure", name, secret,
                    LOGIN_SECONDS);
        return;
    }
    text_format(out, "%s%s; Path=/; HttpOnly; SameSite=%s%s", name, secret,
                hello->is_class ? "Lax" : "Strict", hello->host[0] != '\0' ? "; Secure" : "");
}

/* Pages of other origins may lead to ours by a link, and do nothing else: even what they could not read they
 * must not load. */
static bool comes_from_elsewhere(const GateRequest *request) {
    if (request->site == NULL || strcmp(request->site, "same-origin") == 0 ||
        strcmp(request->site, "none") == 0)
        return false;
    return request->mode == NULL || strcmp(request->mode, "navigate") != 0;
}

/* Of what is to be changed: every browser says who asks. What says nothing may be a form of somebody's in a
 * browser that hides it. */
static bool may_change(const WireHello *hello, const GateRequest *request) {
    return request->origin != NULL && is_ours(hello, request->origin, "http://");
}

/* More digits than any limit has are too many, whatever they say. */
static GateVerdict judge_length(const GateRequest *request, size_t most) {
    if (request->length == NULL) return GATE_LET_IN;
    size_t digits = strspn(request->length, "0123456789");
    if (digits == 0 || request->length[digits] != '\0') return GATE_BROKEN;
    if (digits > 9 || strtoul(request->length, NULL, 10) > most) return GATE_TOO_LARGE;
    return GATE_LET_IN;
}

/* In pieces or of a length, and nothing else: where a body ends, a proxy and we must not see differently. */
static bool has_clear_end(const GateRequest *request) {
    if (request->coding == NULL) return true;
    return request->length == NULL && strcasecmp(request->coding, "chunked") == 0;
}

GateVerdict gate_judge(const WireHello *hello, const GateRequest *request, ServeTarget *target) {
    *target = (ServeTarget){.route = ROUTE_COUNT};
    if (request->repeated || !has_clear_end(request)) return GATE_BROKEN;
    if (request->host == NULL || !is_ours(hello, request->host, "")) return GATE_FOREIGN_HOST;
    const bool enters = !hello->is_class && request->key != NULL && strcmp(request->path, "/") == 0;
    if (enters && is_secret(request->key, strlen(request->key), hello->key)) return GATE_ENTER;
    ServeFound found = serve_route(target, request->method, request->path);
    const ServeRoute *route = NULL;
    if (found == SERVE_FOUND) route = &serve_routes[target->route];
    const bool is_link = hello->is_class && route != NULL && route->right == RIGHT_ENTER;
    const bool outside = hello->is_class && route != NULL && serve_is_outside(route);
    if (!is_link && !outside && !has_cookie(hello, request)) return GATE_NO_COOKIE;
    if (comes_from_elsewhere(request)) return GATE_FOREIGN_ORIGIN;
    if (found == SERVE_NO_METHOD) return GATE_NO_METHOD;
    if (route == NULL || (route->of_class && !hello->is_class)) return GATE_NOWHERE;
    if (outside) return judge_length(request, route->most_body);
    if (serve_changes(route) && !may_change(hello, request)) return GATE_FOREIGN_ORIGIN;
    if (request->origin != NULL && !may_change(hello, request)) return GATE_FOREIGN_ORIGIN;
    return judge_length(request, route->most_body);
}

bool gate_is_framed(const GateRequest *request) {
    static const char *const goals[] = {"iframe", "frame", "embed", "object"};
    for (size_t i = 0; request->goal != NULL && i < sizeof goals / sizeof *goals; i++)
        if (strcmp(request->goal, goals[i]) == 0) return true;
    return false;
}

void gate_version(const char *header, char version[WIRE_VERSION + 1]) {
    memset(version, 0, WIRE_VERSION + 1);
    if (header == NULL || strlen(header) != WIRE_VERSION + 2 || header[0] != '"') return;
    for (int i = 1; i <= WIRE_VERSION; i++)
        if (!isxdigit((unsigned char)header[i])) return;
    memcpy(version, header + 1, WIRE_VERSION);
}
