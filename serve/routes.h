/* routes.h - the addresses of `warpschool serve` (routes.def): which one a request means.
 *
 * The process that speaks HTTP and the desk share this file and wire.h, and nothing else. Nothing here
 * allocates: a path that does not fit a target is an address that there is not.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
    SERVE_LARGEST_SOURCE = 1 << 20,            /**< as much as a check takes */
    SERVE_LARGEST_ANSWERS = 16 << 10,          /**< of a page */
    SERVE_LARGEST_FORM = 3 * (1 << 20) + 1024, /**< a source, each byte of which may be written as %XX */
    SERVE_LARGEST_MESSAGE = 16 << 10,
    SERVE_LARGEST_LAUNCH = 64 << 10, /**< a form with a platform's token in it */
    SERVE_LARGEST_BODY = SERVE_LARGEST_FORM,
    SERVE_LONGEST_LESSON = 64,
    SERVE_LONGEST_PATH = 256,
    SERVE_LONGEST_ALLOWED = 64 /**< the methods of a path, as a list */
};

/** What a request must bring. */
typedef enum ServeRight {
    RIGHT_READ,
    RIGHT_CHANGE,
    RIGHT_ENTER,
    RIGHT_LOOK,
    RIGHT_TEACH,
    RIGHT_OPEN,
    RIGHT_LAUNCH
} ServeRight;

typedef enum ServeRouteName {
#define ROUTE(name, function, method, path, right, most, what) ROUTE_##name,
#include "serve/routes.def"
#undef ROUTE
    ROUTE_COUNT
} ServeRouteName;

/** A row of routes.def. */
typedef struct ServeRoute {
    const char *name, *method, *path;
    ServeRight right;
    size_t most_body;
    const char *what;
    bool of_class; /**< there for a class alone */
} ServeRoute;

extern const ServeRoute serve_routes[ROUTE_COUNT];

/** What a request is about. The texts are empty where the path has no such part. */
typedef struct ServeTarget {
    ServeRouteName route;
    char lesson[SERVE_LONGEST_LESSON];
    char file[SERVE_LONGEST_PATH]; /**< or the digits of {number} */
} ServeTarget;

typedef enum ServeFound {
    SERVE_FOUND,
    SERVE_NO_METHOD, /**< the address is there, for other methods */
    SERVE_NOWHERE
} ServeFound;

/** The row for a method (HEAD is GET) and a path, which is taken as it came: nothing in it is decoded. */
ServeFound serve_route(ServeTarget *target, const char *method, const char *path);
/** The methods that a path is there for, as a refusal of another one lists them (RFC 9110, 15.5.6). */
void serve_allowed(const char *path, char text[SERVE_LONGEST_ALLOWED]);
/** Whether what the row changes must be asked for by a page of our own. */
bool serve_changes(const ServeRoute *route);
/** Whether pages of other sites may send a browser there, with a form. */
bool serve_is_outside(const ServeRoute *route);
/** Whether a name is one that {lesson} stands for. */
bool serve_is_lesson(const char *name);
/** The same of {file}: no way out of a folder, no hidden file. */
bool serve_is_file(const char *path);
/** The same of {number}. */
bool serve_is_number(const char *digits);
