/* explain.h - `grade --explain`: what a grade was made from, and the command that makes it again. */
#pragma once

#include "grading/book/desk.h"

/** Which grade. */
typedef struct ExplainOrder {
    const char *student, *lesson;
    const char *output; /**< where the file that was judged is to go; NULL: nowhere */
} ExplainOrder;

/** Says the seed, the tools, the inputs of a visible case and the command; an exit status. */
int explain_grade(Session *session, Desk *desk, const ExplainOrder *order);
