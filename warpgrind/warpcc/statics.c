/* statics.c - static device variables and kernels that the host uses, by name, when the device code of
 * several files is one.
 *
 * With -cuid, clang makes such a variable _ZL5table__static__HASH and such a kernel _ZL3addv__intern__HASH on
 * both sides, so that files may have one of the same name each. But a kernel that stands before the host's
 * use asks for an external _ZL5table, which no file defines. It means its own file's: the linked PTX says so
 * here.
 */
#include "warpcc/warpcc.h"

#include <string.h>

static const char *const MARKS[] = {"__static__", "__intern__"};
enum { MARK_LENGTH = 10 };

/* The first mark from there. */
static const char *mark_find(const char *from) {
    const char *first = NULL;
    for (size_t i = 0; i < sizeof MARKS / sizeof *MARKS; i++) {
        const char *at = strstr(from, MARKS[i]);
        if (at && (!first || at < first)) first = at;
    }
    return first;
}

static bool in_name(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static const char *token_find(const Text *ptx, const char *from, const char *name, size_t length) {
    const char *end = ptx->bytes + ptx->length;
    for (const char *at = from; (at = memmem(at, (size_t)(end - at), name, length)); at++)
        if ((at == ptx->bytes || !in_name(at[-1])) && (at + length == end || !in_name(at[length]))) return at;
    return NULL;
}

/* The line that declares an external variable of that name. */
static const char *declaration_find(const Text *ptx, const char *name, size_t length) {
    static const char EXTERN[] = ".extern .";
    for (const char *at = ptx->bytes; (at = token_find(ptx, at, name, length)); at += length) {
        const char *line = at;
        while (line > ptx->bytes && line[-1] != '\n')
            line--;
        if (text_starts_with(line, EXTERN)) return line;
    }
    return NULL;
}

/* What asks for `plain` gets `marked`, and nothing is left to declare. */
static bool plain_settle(Text *ptx, const char *declaration, const char *plain, const char *marked) {
    Text out = text_new();
    size_t length = strlen(plain);
    const char *from = ptx->bytes, *after = declaration + strcspn(declaration, "\n");
    for (const char *at = from; (at = token_find(ptx, at, plain, length)); at += length) {
        bool declares = at > declaration && at < after;
        text_append(&out, from, (size_t)((declares ? declaration : at) - from));
        if (!declares) text_add(&out, marked);
        if (declares)
            from = after;
        else
            from = at + length;
    }
    text_add(&out, from);
    bool fine = !out.failed;
    if (!fine) {
        text_free(&out);
        return false;
    }
    text_free(ptx);
    *ptx = out;
    return true;
}

/* Another file's static of that name, which its host code uses as well. */
static bool plain_is_taken_twice(const Text *ptx, const char *plain, const char *marked) {
    size_t length = strlen(plain);
    for (const char *at = ptx->bytes; (at = mark_find(at)); at++) {
        const char *name = at - length;
        bool same = at - ptx->bytes > (long)length && strncmp(name, plain, length) == 0 && !in_name(name[-1]);
        if (same && strncmp(name, marked, strlen(marked)) != 0) return true;
    }
    return false;
}

static bool complain_twice(const char *plain, Diagnostics *diagnostics) {
    return advise(diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0,
                           "two files have a static device variable or kernel of one name that their host "
                           "code uses: %s",
                           plain),
                  "give one of them another name");
}

/* Settles each external declaration that means a static variable. Where two files have one of that name,
 * nobody can say here which of them was meant. */
bool statics_settle(Text *ptx, Diagnostics *diagnostics) {
    const char *mark = ptx->bytes;
    while ((mark = mark_find(mark))) {
        const char *start = mark++;
        while (start > ptx->bytes && in_name(start[-1]))
            start--;
        size_t length = MARK_LENGTH + (size_t)(mark - 1 - start);
        length += strspn(start + length, "0123456789abcdef");
        char *marked = arena_copy(diagnostics->arena, start, length);
        char *plain = arena_copy(diagnostics->arena, start, (size_t)(mark - 1 - start));
        if (!marked || !plain) return false;
        const char *declaration = NULL;
        if (*plain) declaration = declaration_find(ptx, plain, strlen(plain));
        if (!declaration) continue;
        if (plain_is_taken_twice(ptx, plain, marked)) return complain_twice(plain, diagnostics);
        if (!plain_settle(ptx, declaration, plain, marked)) return false;
        mark = ptx->bytes;
    }
    return true;
}
