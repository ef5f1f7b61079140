/* budget_kinds.c - the rows of budget.def; see budget_kinds.h. */
#include "autograder/course/budget_kinds.h"

#include <string.h>

static const BudgetKind kinds[] = {
#define COUNTED(name, a, b, c, d, title, spent)                                                              \
    {#name, title, spent, {#a, #b, #c, #d}, BUDGET_COUNTED_ONLY, NULL},
#define KEPT(name, what, title, spent) {#name, title, spent, {NULL}, BUDGET_##what, NULL},
#define CALLED(name, functions, title, spent) {#name, title, spent, {NULL}, BUDGET_COUNTED_ONLY, functions},
#include "autograder/budget.def"
#undef COUNTED
#undef KEPT
#undef CALLED
};

const BudgetKind *budget_kinds_find(const char *name) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
    return NULL;
}

const char *budget_kinds_name(size_t index) {
    if (index < sizeof kinds / sizeof *kinds) return kinds[index].name;
    return NULL;
}
