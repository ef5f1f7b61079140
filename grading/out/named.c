/* named.c - students in one sentence; see named.h. */
#include "grading/out/named.h"

void named_add(Named *named, const ClassStudent *student) {
    if (named->count < NAMED_MOST) named->first[named->count] = student;
    named->count++;
}

/* Without memory it is still a sentence, of nobody in particular. */
const char *named_words(const Named *named, Arena *arena, const char *one, const char *many) {
    Text words = text_new();
    if (named->count == 1) return arena_format(arena, "student %s %s", named->first[0]->id, one);
    text_number(&words, named->count);
    text_add(&words, " students (");
    for (size_t i = 0; i < named->count && i < NAMED_MOST; i++) {
        if (i > 0) text_add(&words, ", ");
        text_add(&words, named->first[i]->id);
    }
    if (named->count > NAMED_MOST)
        text_format(&words, " and %s more", arena_number(arena, named->count - NAMED_MOST));
    text_format(&words, ") %s", many);
    const char *kept = "students";
    if (!words.failed) kept = arena_string(arena, words.bytes);
    text_free(&words);
    return kept;
}
