/* learner_parts.h - what every command of a learner starts from: the course, how far they are, and the lesson
 * that is meant. */
#pragma once

#include "autograder/commands/commands.h"
#include "autograder/course/progress.h"

typedef struct Desk {
    Course course;
    Progress progress;
    const Lesson *lesson; /**< NULL: all passed */
    bool named;           /**< by the operand */
} Desk;

/** Course, progress, and the lesson meant by the operand ("": the next one). EXIT_FINE, or the status to end
 * with. */
int learner_open_desk(Session *session, Desk *desk, const char *operand);
/** What names a lesson in a command: "07". */
const char *learner_number(const Session *session, const Lesson *lesson);
