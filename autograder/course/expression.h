/* expression.h - what a manifest says a case may cost: whole numbers, a case's named parameters, + - * /,
 * parentheses, and functions: min(a, b), max(a, b), ceil(a, b) (a / b, rounded up), log2(a) (rounded up). /
 * rounds down.
 *
 *     sum     = product { ("+" | "-") product }
 *     product = unary { ("*" | "/") unary }
 *     unary   = [ "-" ] value
 *     value   = number | name | name "(" sum { "," sum } ")" | "(" sum ")"
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The value of a parameter; false when there is none of this name. */
typedef bool ExpressionLookup(void *self, const char *name, size_t length, int64_t *value);

/** What is wrong with an expression, and where in its text. */
typedef struct ExpressionError {
    const char *message; /**< in the arena; NULL when all was fine */
    size_t offset;       /**< of what it is about, in bytes */
} ExpressionError;

/** `lookup` NULL: only the form is checked, every name counts as 1. */
bool expression_evaluate(const char *text, ExpressionLookup *lookup, void *self, Arena *arena, int64_t *value,
                         ExpressionError *error);
