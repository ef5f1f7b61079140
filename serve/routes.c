/* routes.c - matches a path against the rows of routes.def; see routes.h. */
#include "serve/routes.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const ServeRoute serve_routes[ROUTE_COUNT] = {
#define ROUTE(name, function, method, path, right, most, what)                                               \
    [ROUTE_##name] = {#name, method, path, RIGHT_##right, most, what, false},
#define CLASS_ROUTE(name, function, method, path, right, most, what)                                         \
    [ROUTE_##name] = {#name, method, path, RIGHT_##right, most, what, true},
#include "serve/routes.def"
#undef ROUTE
};

bool serve_changes(const ServeRoute *route) {
    return route->right == RIGHT_CHANGE || route->right == RIGHT_TEACH;
}

bool serve_is_outside(const ServeRoute *route) {
    return route->right == RIGHT_OPEN || route->right == RIGHT_LAUNCH;
}

static bool is_name_byte(char byte) {
    return isalnum((unsigned char)byte) || byte == '-';
}

/* Lower case alone, as the lessons' folders are named. */
bool serve_is_lesson(const char *name) {
    size_t length = 0;
    for (; name[length] != '\0'; length++)
        if (!is_name_byte(name[length]) || isupper((unsigned char)name[length])) return false;
    return length > 0 && length < SERVE_LONGEST_LESSON && name[0] != '-';
}

/* Letter by letter: what is not allowed by name is not allowed, so that no decoding can make a way out of it.
 */
bool serve_is_file(const char *path) {
    bool begins = true;
    size_t length = 0;
    for (; path[length] != '\0'; length++) {
        char byte = path[length];
        if (begins && (byte == '.' || byte == '/')) return false;
        if (!is_name_byte(byte) && strchr("._/", byte) == NULL) return false;
        begins = byte == '/';
    }
    return length > 0 && length < SERVE_LONGEST_PATH && !begins;
}

bool serve_is_number(const char *digits) {
    size_t length = strspn(digits, "0123456789");
    return length > 0 && length < 10 && digits[length] == '\0';
}

/* Copies what a {part} of a pattern stands for: up to where the rest of the pattern begins again. */
static bool take_part(char *part, size_t room, const char *from, size_t length) {
    if (length >= room) return false;
    memcpy(part, from, length);
    part[length] = '\0';
    return true;
}

/* Patterns have at most one part, so what stands before and behind it decides. */
static bool matches(ServeTarget *target, const char *pattern, const char *path) {
    const char *open = strchr(pattern, '{');
    if (open == NULL) return strcmp(pattern, path) == 0;
    const char *behind = strchr(open, '}') + 1;
    size_t before = (size_t)(open - pattern), after = strlen(behind), length = strlen(path);
    if (length < before + after || strncmp(pattern, path, before) != 0) return false;
    if (strcmp(path + length - after, behind) != 0) return false;
    const bool is_lesson = text_starts_with(open, "{lesson}");
    char *part = is_lesson ? target->lesson : target->file;
    size_t room;
    if (is_lesson)
        room = sizeof target->lesson;
    else
        room = sizeof target->file;
    if (!take_part(part, room, path + before, length - before - after)) return false;
    if (is_lesson) return serve_is_lesson(part);
    return text_starts_with(open, "{number}") ? serve_is_number(part) : serve_is_file(part);
}

/* The first row that fits. A path that only rows of other methods have is there all the same; but {file}, the
 * last row, would have every path there is. */
ServeFound serve_route(ServeTarget *target, const char *method, const char *path) {
    if (strcmp(method, "HEAD") == 0) method = "GET";
    bool elsewhere = false;
    for (int i = 0; i < ROUTE_COUNT; i++) {
        *target = (ServeTarget){.route = (ServeRouteName)i};
        if (!matches(target, serve_routes[i].path, path)) continue;
        if (strcmp(serve_routes[i].method, method) == 0 && !(elsewhere && i == ROUTE_FILE))
            return SERVE_FOUND;
        elsewhere = true;
    }
    *target = (ServeTarget){.route = ROUTE_COUNT};
    if (elsewhere) return SERVE_NO_METHOD;
    return SERVE_NOWHERE;
}

void serve_allowed(const char *path, char text[SERVE_LONGEST_ALLOWED]) {
    text[0] = '\0';
    for (int i = 0; i < ROUTE_COUNT; i++) {
        const char *method = serve_routes[i].method;
        ServeTarget target;
        if (!matches(&target, serve_routes[i].path, path) || (text[0] != '\0' && i == ROUTE_FILE)) continue;
        const bool again = strcmp(method, "GET") == 0;
        const size_t length = strlen(text);
        snprintf(text + length, SERVE_LONGEST_ALLOWED - length, "%s%s%s", length > 0 ? ", " : "", method,
                 again ? ", HEAD" : "");
    }
}
