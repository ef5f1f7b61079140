/* uses.h - what a lesson may ask kernels to use (`must_use` of its manifest): the rows of uses.def. */
#ifndef AUTOGRADER_COURSE_USES_H
#define AUTOGRADER_COURSE_USES_H

/** A row of uses.def. */
typedef struct Use {
    const char *name;
    const char *counters[2];
    const char *what, *explanation;
} Use;

/** The row of this name; NULL. */
const Use *uses_find(const char *name);

#endif
