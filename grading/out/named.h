/* named.h - students of whom an export says the same: one sentence for all of them, however large the class.
 *
 * A thousand lines would hide whatever else is said. So the first few are named, and the rest counted.
 */
#pragma once

#include "grading/book/class.h"

enum { NAMED_MOST = 5 };

typedef struct Named {
    const ClassStudent *first[NAMED_MOST];
    size_t count;
} Named;

void named_add(Named *named, const ClassStudent *student);
/** "student ann `one`", or "7 students (ann, ben, cy, di, ed and 2 more) `many`". */
const char *named_words(const Named *named, Arena *arena, const char *one, const char *many);
