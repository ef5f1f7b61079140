/* statics.c - static device variables and kernels that the host uses, by name, when the device code of
 * several files is one.
 *
 * With -cuid, clang makes such a variable _ZL5table__static__HASH and such a kernel _ZL3addv__intern__HASH,
 * so that files may have one of the same name each. Clang 14 registers it on the host's side as _ZL5table all
 * the same, and kernels that stand before the host's use ask for an external _ZL5table. Where that is so, the
 * PTX gets the host's name back; a variable of another file that has the name already, and that no host code
 * knows, gives way.
 */
#include "warpcc/warpcc.h"

#include <string.h>

static const char *const MARKS[] = {"__static__", "__intern__"};
enum { MARK_LENGTH = 10 };

/* The first mark from there. */
static char *mark_find(const char *from) {
    char *first = NULL;
    for (size_t i = 0; i < sizeof MARKS / sizeof *MARKS; i++) {
        char *at = strstr(from, MARKS[i]);
        if (at && (!first || at < first)) first = at;
    }
    return first;
}

bool statics_marked(const char *bytes, size_t length) {
    for (size_t i = 0; i < sizeof MARKS / sizeof *MARKS; i++)
        if (memmem(bytes, length, MARKS[i], MARK_LENGTH)) return true;
    return false;
}

static bool in_name(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static char *token_find(Text *ptx, char *from, const char *name, size_t length) {
    char *end = ptx->bytes + ptx->length;
    for (char *at = from; (at = memmem(at, (size_t)(end - at), name, length)); at++)
        if ((at == ptx->bytes || !in_name(at[-1])) && (at + length == end || !in_name(at[length]))) return at;
    return NULL;
}

/* _ZL5table becomes _Zl5table: as long, and nobody's name. */
static void plain_give_way(Text *ptx, const char *name, size_t length) {
    if (length < 3) return;
    for (char *at = ptx->bytes; (at = token_find(ptx, at, name, length)); at += length)
        at[2] = 'l';
}

/* Blanks the declaration of an external variable of that name; false when there is none. */
static bool declaration_drop(Text *ptx, const char *name, size_t length) {
    static const char EXTERN[] = ".extern .";
    for (char *at = ptx->bytes; (at = token_find(ptx, at, name, length)); at += length) {
        char *line = at;
        while (line > ptx->bytes && line[-1] != '\n')
            line--;
        if (strncmp(line, EXTERN, strlen(EXTERN)) != 0) continue;
        memset(line, ' ', strcspn(line, "\n"));
        return true;
    }
    return false;
}

/* A kernel's parameters are named after it, NAME_param_0: what follows the name stays behind it. */
static void marked_rename(Text *ptx, const char *name, size_t length, size_t plain) {
    const char *end = ptx->bytes + ptx->length;
    for (char *at = ptx->bytes; (at = memmem(at, (size_t)(end - at), name, length)); at += plain) {
        size_t rest = 0;
        if (at > ptx->bytes && in_name(at[-1])) continue;
        while (in_name(at[length + rest]))
            rest++;
        memmove(at + plain, at + length, rest);
        memset(at + plain + rest, ' ', length - plain);
    }
}

static bool name_taken_twice(const char *ptx, const char *first, size_t plain, size_t length) {
    for (const char *at = first + length; (at = mark_find(at)); at++) {
        bool same = at - ptx >= (long)plain && memcmp(at - plain, first, plain) == 0 &&
                    !in_name(at[-(long)plain - 1]);
        if (same && strncmp(at - plain, first, length) != 0) return true;
    }
    return false;
}

/* Gives each such variable of the linked PTX the name that the host's side registers. Two files whose host
 * code uses variables of one name cannot both have it. */
bool statics_rename(Text *ptx, Diagnostics *diagnostics) {
    for (char *mark = ptx->bytes; (mark = mark_find(mark)); mark++) {
        char *start = mark, *end = mark + MARK_LENGTH;
        while (start > ptx->bytes && in_name(start[-1]))
            start--;
        end += strspn(end, "0123456789abcdef");
        size_t length = (size_t)(end - start), plain = (size_t)(mark - start);
        char *name = arena_copy(diagnostics->arena, start, length);
        if (!name || plain == 0) continue;
        if (name_taken_twice(ptx->bytes, start, plain, length)) {
            Diagnostic *d = diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0,
                                     "two files have a static device variable or kernel of one name that "
                                     "their host code uses: %.*s",
                                     (int)plain, name);
            if (d) d->remedy = "give one of them another name";
            return false;
        }
        if (!declaration_drop(ptx, name, plain)) plain_give_way(ptx, name, plain);
        marked_rename(ptx, name, length, plain);
    }
    return true;
}
