/* room.h - a class's folder: who is in it, and its database.
 *
 *     roster.csv, course.yaml   the teacher's
 *     secret                    signs links: who has it can make them
 *     class.db                  students, sessions, versions, hand-ins, messages (room.c has the tables)
 *     students/ID/              a student's work/, as a learner has it alone
 *     submissions/ID/           what was handed in, for `warpschool grade`
 *     feedback/ID/feedback.html what `warpschool export feedback` made of it
 *
 * What has been answered for is on the disk: each commit waits for it (synchronous FULL).
 */
#pragma once

#include "grading/book/policy.h"
#include "grading/book/store.h"
#include "serve/class/links.h"
#include "serve/desk/desk.h"

/** A student's row. */
typedef struct RoomPerson {
    int64_t number;
    const char *id, *name, *email, *login, *section; /**< the names may be NULL */
    int64_t issue;                                   /**< of the link: those of lower numbers are void */
    bool listed, withdrawn, teaches;
} RoomPerson;

typedef struct Classroom {
    Arena *arena; /**< of all that stays */
    const char *folder;
    int lock; /**< -1: this process does not serve */
    Gradebook store;
    LinkSecret secret;
    Policy policy;
    bool ruled; /**< there is a course.yaml */
    RoomPerson *people;
    Seat *seats; /**< of the people, in their order */
    size_t count;
    bool reuse;
    const char *tools;         /**< what judges, beside the lessons */
    const char **revisions;    /**< of the lessons; NULL where it is not known yet */
    size_t data_version;       /**< of the database, as the open pages were looked at last */
    struct Launches *launches; /**< launches.h */
    int64_t clock;             /**< by how much the date was ahead of the time since the start */
} Classroom;

/** Opens the folder; `serves`: as the one server that it may have. False with a diagnostic; room_close in any
 * case. */
bool room_open(Classroom *room, Arena *arena, const char *folder, const Course *course, bool serves,
               Diagnostics *diagnostics);
void room_close(Classroom *room);
/** Keeps other servers away from the folder until room_close. False with a diagnostic where there is one. */
bool room_lock(Classroom *room, Diagnostics *diagnostics);
/** By id; NULL with a diagnostic. */
const RoomPerson *room_find(const Classroom *room, const char *id, Diagnostics *diagnostics);
/** Folder/NAME, in the arena; empty without memory. */
const char *room_below(const Classroom *room, const char *name);
/** Folder/NAME/ID, in the arena. */
const char *room_path(const Classroom *room, Arena *arena, const char *name, const RoomPerson *person);
/** MB that can still be written where the folder is; INT64_MAX where nobody says. */
int64_t room_free_megabytes(const Classroom *room);
