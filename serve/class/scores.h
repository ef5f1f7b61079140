/* scores.h - scores go back to learning platforms (LTI's Assignment and Grade Services).
 *
 *     gradebook  --scores-->  class.db: what is to be sent  --send-->  the platform
 *
 * What is to be sent is written down first, and stays until the platform has taken it. `warpschool class DIR
 * scores` does both steps; the server sees to it that what could not be sent is sent later, by starting
 * `warpschool class DIR send`. So the server itself opens no gradebook.
 */
#pragma once

#include "autograder/commands/commands.h"
#include "autograder/sandbox/child.h"
#include "serve/class/room.h"

/** What the server knows of sending. */
typedef struct Resender {
    Child child;
    bool runs;
    double next;      /**< when it looks again (child_now) */
    const char *told; /**< the problem that was said last, in the room's arena; NULL */
} Resender;

/** Takes over what is released in the gradebook; says what is left out. The exit status. */
int scores_collect(Session *session, Classroom *room, const char *gradebook);
/** Sends all that waits, and says what became of it. The exit status. */
int scores_send(Session *session, Classroom *room, const Course *course);
/** Writes the members of the courses that people have come from, as a roster. The exit status. */
int scores_members(Session *session, Classroom *room, const Course *course, Text *out);

/** Of the server: sends what waits, once in a while and in a process of its own. */
void scores_resend(Desk *desk, Resender *resender);
void scores_end(Resender *resender);
/** A sentence for the teacher's page: how many scores wait, and why; nothing where none do. */
void scores_add_words(Desk *desk, Text *out);
