/* demangle.c - the learner's name in a mangled one, as far as a few lines can tell (Itanium C++ ABI 5.1).
 *
 * Names are read; of types only whether they are built in. `_Z17vector_add_kernelPfPKf` is vector_add_kernel,
 * `_ZN2ns1xE` is ns::x, and the local variable `_ZZ16block_sum_kernelPfE4temp` is temp. Everything else stays
 * as it is.
 */
#include "ptx/internal.h"

#include <string.h>

typedef struct Piece {
    const char *start;
    size_t length;
} Piece;

/* source-name = length identifier; NULL when there is none here, else what is behind it. */
static const char *take_name(const char *at, Piece *piece) {
    size_t length = 0;
    if (*at < '1' || *at > '9') return NULL;
    for (; *at >= '0' && *at <= '9'; at++) {
        length = length * 10 + (size_t)(*at - '0');
        if (length > 10000) return NULL;
    }
    if (strnlen(at, length) < length) return NULL;
    *piece = (Piece){at, length};
    return at + length;
}

/* Namespaces that the compiler makes: unnamed ones, and nvcc's one for each file. */
static bool is_made_up(Piece piece) {
    return (piece.length > 10 && memcmp(piece.start, "_GLOBAL__N", 10) == 0) ||
           (piece.length > 10 && memcmp(piece.start, "_INTERNAL_", 10) == 0);
}

/* local-name = "Z" encoding "E" source-name ["_" number]: the last E with a name that ends the text. */
static bool find_local(const char *at, Piece *piece) {
    bool found = false;
    for (; *at; at++) {
        Piece candidate;
        if (*at != 'E') continue;
        const char *end = take_name(at + 1, &candidate);
        if (!end || (*end && *end != '_')) continue;
        *piece = candidate;
        found = true;
    }
    return found;
}

/* nested-name = "N" { qualifier } source-name { source-name } ... "E" */
static const char *join_nested(Parser *parser, const char *at, const char *whole) {
    Text joined = text_new();
    Piece piece;
    while (*at == 'K' || *at == 'V' || *at == 'r')
        at++;
    for (const char *next; (next = take_name(at, &piece)); at = next) {
        if (is_made_up(piece)) continue;
        if (joined.length) text_add(&joined, "::");
        text_append(&joined, piece.start, piece.length);
    }
    const char *name = whole;
    if (joined.length) name = arena_copy(parser->arena, joined.bytes, joined.length);
    text_free(&joined);
    return name;
}

/* The plain name out of a mangled one, by the Itanium C++ ABI (5.1.2 and 5.1.3): no types are read, since a
 * learner knows a kernel by its name alone. Anything else stays as it is. */
const char *demangle_name(Parser *parser, const char *mangled) {
    Piece piece;
    const char *at = mangled;
    if (strncmp(at, "_Z", 2) != 0) return mangled;
    at += 2;
    if (*at == 'N') return join_nested(parser, at + 1, mangled);
    bool found = false;
    if (*at == 'Z')
        found = find_local(at + 1, &piece);
    else
        found = take_name(*at == 'L' ? at + 1 : at, &piece) != NULL;
    if (found) return arena_copy(parser->arena, piece.start, piece.length);
    return mangled;
}

/* "Li256E": a number among the template's arguments. */
static const char *skip_literal(const char *at) {
    const char *start = at;
    if (*at != 'L' || at[1] < 'a' || at[1] > 'z') return start;
    at += at[2] == 'n' ? 3 : 2;
    while (*at >= '0' && *at <= '9')
        at++;
    if (*at == 'E') return at + 1;
    return start;
}

/* Bytes and void may be anything that is copied about. */
static bool points_to_bytes(const char *at) {
    while (*at == 'P' || *at == 'K' || *at == 'V' || *at == 'r')
        at++;
    return *at == 'c' || *at == 'h' || *at == 'a' || *at == 'v';
}

/* No class, structure or pointer to bytes stands among the types of the mangled name. Letters are skipped
 * as builtin types; a digit begins a class's name. */
bool ptx_has_built_in_types(const char *mangled) {
    Piece piece;
    const char *at = NULL;
    if (strncmp(mangled, "_Z", 2) == 0) at = take_name(mangled + 2, &piece);
    while (at && *at) {
        const char *behind = skip_literal(at);
        bool substitution = (*at == 'S' || *at == 'T') && at[1] >= '0' && at[1] <= '9';
        if (*at >= '0' && *at <= '9') return false;
        if (*at == 'N' || (*at == 'P' && points_to_bytes(at))) return false;
        if (behind > at)
            at = behind;
        else
            at = at + 1 + substitution;
    }
    return at != NULL;
}
