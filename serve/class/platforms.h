/* platforms.h - the learning platforms that a class is reached from (LTI 1.3): lti.yaml of its folder, the
 * server's own key beside it, and jobs for warpschool-lti, the process that speaks with them.
 *
 *     lti.yaml   the teacher's (docs/serving.md)
 *     lti.key    signs what this server says to platforms: drawn once
 */
#pragma once

#include "autograder/course/fields.h"
#include "autograder/sandbox/child.h"
#include "serve/class/room.h"

/** By what a platform's user is found in the roster. */
typedef enum PlatformMatch {
    MATCH_SUB,
    MATCH_SOURCEDID,
    MATCH_EMAIL,
    MATCH_LOGIN,
    MATCH_COUNT
} PlatformMatch;

/** An entry of lti.yaml. */
typedef struct RoomPlatform {
    const char *name, *issuer, *client;
    TextList deployments;
    const char *login, *keys, *token; /**< its addresses */
    const char *audience;             /**< of tokens for `token`; NULL: that address */
    const char *authority;            /**< the certificates that are believed, as PEM; NULL: the system's */
    PlatformMatch match;
    struct json_object *known; /**< the keys that it had when it was asked; NULL */
    double asked;              /**< when that was (child_now); 0: never */
} RoomPlatform;

/** All of a class. */
typedef struct Platforms {
    RoomPlatform *items;
    size_t count;                  /**< 0: there is no lti.yaml */
    const char *key;               /**< PEM */
    struct json_object *published; /**< the set of the public half */
    const char *program;           /**< warpschool-lti */
} Platforms;

/** Reads the file, and the key, which is drawn when there is none. False with a diagnostic. */
bool platforms_open(Platforms *platforms, const Classroom *room, const Course *course,
                    Diagnostics *diagnostics);
void platforms_close(Platforms *platforms);
RoomPlatform *platforms_named(const Platforms *platforms, const char *name);

/** A job for that platform (NULL: none), which the caller fills in and puts; it has the key where it is to
 * sign. */
struct json_object *platforms_job(const Platforms *platforms, const char *job, const RoomPlatform *platform,
                                  bool signs);
/** Starts it; child_kill ends it early, child_free in any case. */
bool platforms_start(const Platforms *platforms, Child *child, struct json_object *job);
/** Runs it for at most so many seconds; what it printed, line by line, is in child->streams[0]. */
bool platforms_run(const Platforms *platforms, Child *child, struct json_object *job, double seconds);
