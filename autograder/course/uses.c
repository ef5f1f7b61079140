/* uses.c - the rows of uses.def; see uses.h. */
#include "autograder/course/uses.h"

#include <stddef.h>
#include <string.h>

static const Use uses[] = {
#define USE(name, means, counter, other, what, idle, by_each_warp, explanation)                              \
    {name, {#counter, #other}, what, idle, by_each_warp, explanation},
#include "autograder/uses.def"
#undef USE
};

const Use *uses_find(const char *name) {
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (strcmp(uses[i].name, name) == 0) return &uses[i];
    return NULL;
}
