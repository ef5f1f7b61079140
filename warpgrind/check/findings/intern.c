/* intern.c - the names of a program, each kept once for the life of a Check. */
#include "base/growable.h"
#include "check/findings/parts.h"

#include <string.h>

enum { MAX_INTERNED = 4096, LONGEST_INTERNED = 1024, USUAL_NAMES = 64 };

/* Room for the names of a usual program at once: a name that finds no memory is lost, and findings that
 * differ in it are told apart. */
static bool grow_interned(Check *check) {
    size_t wanted = check->interned_count + 1;
    if (wanted < USUAL_NAMES) wanted = USUAL_NAMES;
    const char **interned =
        growable_grow(check->interned, &check->interned_capacity, wanted, sizeof *interned);
    if (interned) check->interned = interned;
    return interned != NULL;
}

const char *check_one_line(Check *check, const char *text) {
    size_t at = 0;
    while (text[at] != '\0' && (unsigned char)text[at] >= ' ')
        at++;
    if (text[at] == '\0') return text;
    char *line = arena_copy(check->arena, text, strlen(text));
    for (; line && line[at] != '\0'; at++)
        if ((unsigned char)line[at] < ' ') line[at] = ' ';
    return text_or(line, "");
}

/* A program may give its files and functions names without end: what is kept of them fits into a report. */
const char *check_intern(Check *check, const char *text) {
    if (!text || !text[0]) return "";
    text = check_one_line(check, text);
    size_t length = strnlen(text, LONGEST_INTERNED);
    for (size_t i = check->interned_count; i-- > 0;) {
        const char *known = check->interned[i];
        if (known == text || (strncmp(known, text, length) == 0 && known[length] == 0)) return known;
    }
    if (check->interned_count == MAX_INTERNED) return "";
    const char *copy = NULL;
    if (grow_interned(check)) copy = arena_copy(check->arena, text, length);
    if (!copy) {
        check_incomplete(check);
        return "";
    }
    check->interned[check->interned_count++] = copy;
    return copy;
}
