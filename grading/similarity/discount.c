/* discount.c - what everybody was given is no sign of anything: the starter's lines are emptied before
 * programs are compared. */
#include "base/minmax.h"
#include "grading/similarity/alike.h"

#include <stdlib.h>
#include <string.h>

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* A line without its white space, and where the next one begins. */
typedef struct Line {
    const char *bytes;
    size_t length, next;
} Line;

static Line read_line(const char *text, size_t length, size_t at, char *room) {
    Line line = {.bytes = room};
    for (; at < length && text[at] != '\n'; at++)
        if (!is_blank(text[at])) room[line.length++] = text[at];
    if (at < length)
        line.next = at + 1;
    else
        line.next = length;
    return line;
}

static int compare_lines(const void *left, const void *right) {
    const Line *a = left, *b = right;
    size_t length = MIN(a->length, b->length);
    int order = memcmp(a->bytes, b->bytes, length);
    if (order != 0) return order;
    return (a->length > b->length) - (a->length < b->length);
}

/* The starter's lines, sorted; *count is 0 without memory, and then nothing is discounted. */
static Line *sort_starter(Arena *arena, const char *starter, size_t length, size_t *count) {
    size_t most = 1;
    for (size_t i = 0; i < length; i++)
        most += starter[i] == '\n';
    Line *lines = ARENA_ARRAY(arena, most, Line);
    char *room = arena_alloc(arena, length + 1);
    *count = 0;
    for (size_t at = 0; lines != NULL && room != NULL && at < length; at = lines[*count - 1].next) {
        lines[*count] = read_line(starter, length, at, room);
        room += lines[*count].length;
        (*count)++;
    }
    if (*count > 1) qsort(lines, *count, sizeof *lines, compare_lines);
    return lines;
}

/* The text with the starter's lines made empty, so that line numbers stay. Lines are compared without blanks,
 * as editors indent them anew. */
char *alike_discount(Arena *arena, const char *text, size_t length, const char *starter,
                     size_t starter_length) {
    size_t count, used = 0;
    const Line *lines = sort_starter(arena, starter, starter_length, &count);
    char *own = arena_alloc(arena, length + 2), *room = arena_alloc(arena, length + 1);
    if (own == NULL || room == NULL) return NULL;
    for (size_t at = 0; at < length;) {
        Line line = read_line(text, length, at, room);
        bool given = count > 0 && bsearch(&line, lines, count, sizeof *lines, compare_lines) != NULL;
        for (; !given && at < length && text[at] != '\n'; at++)
            own[used++] = text[at] == '\0' ? ' ' : text[at];
        own[used++] = '\n';
        at = line.next;
    }
    own[used] = '\0';
    return own;
}
