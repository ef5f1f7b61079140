/* tokens.h - what of a program's text is compared.
 *
 * Structure is what stays when a copy is disguised by hand: a name, a number and a string are one token each,
 * whatever they say; integer types, braces, parentheses, qualifiers, comments and layout are none. Names
 * that nobody can change stay: keywords, and those of CUDA. Wording is the rest: names, numbers and the words
 * of comments.
 */
#pragma once

#include "base/arena.h"

#include <stddef.h>
#include <stdint.h>

typedef struct Token {
    uint64_t word; /**< a hash of what counts of it */
    int line;      /**< from 1 */
    int piece;     /**< from 0: which function, or what else stands at the top of the file */
} Token;

/** Of a text, in its order; `tokens` is NULL without memory. */
typedef struct Tokens {
    Token *tokens;
    size_t count;
} Tokens;

/** More of one program is not read: 64 such files are compared in a second. */
enum { TOKENS_MOST = 20000 };

Tokens tokens_of_structure(Arena *arena, const char *text, size_t length);
Tokens tokens_of_wording(Arena *arena, const char *text, size_t length);
