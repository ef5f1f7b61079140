/* arena.h - memory that lives and dies together.
 *
 * An arena hands out zeroed memory that is freed all at once. One arena per phase (a parse, a check, a
 * report); whoever creates the arena owns everything in it, nobody frees single pieces.
 *
 * Failure: every allocation may fail and then returns NULL. `arena_fail_after` makes the n-th allocation
 * fail, for tests that walk through every failing allocation in turn.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Arena Arena;
struct Text;

/** A new, empty arena; NULL when there is no memory. */
Arena *arena_create(void);
/** Frees the arena and all that came from it. NULL is fine. */
void arena_destroy(Arena *arena);
/** `bytes` zeroed bytes, aligned to 16; NULL when there is no memory. */
void *arena_alloc(Arena *arena, size_t bytes);
/** `count * size` zeroed bytes; NULL when the product overflows or there is no memory. */
void *arena_array(Arena *arena, size_t count, size_t size);
/** A copy of `length` bytes with a NUL behind. */
char *arena_copy(Arena *arena, const char *bytes, size_t length);
/** A copy of the C string. */
char *arena_string(Arena *arena, const char *text);
/** printf into the arena. */
char *arena_format(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vformat(Arena *arena, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
/** "1,048,576", as text_number writes it. */
char *arena_number(Arena *arena, uint64_t number);
/** The text itself, or when it has more than `limit` bytes its beginning and "...", cut where a character of
 * UTF-8 begins. */
const char *arena_cut(Arena *arena, const char *text, size_t limit);
/** What the text holds, in the arena; NULL without memory, then or before. The text is freed. */
const char *arena_keep(Arena *arena, struct Text *text);
/** Makes the n-th allocation from now on (of any arena) fail once; 0 turns it off. For tests. */
void arena_fail_after(long count);

#define ARENA_NEW(arena, Type) ((Type *)arena_alloc((arena), sizeof(Type)))
#define ARENA_ARRAY(arena, count, Type) ((Type *)arena_array((arena), (count), sizeof(Type)))
