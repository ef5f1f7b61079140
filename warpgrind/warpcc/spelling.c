/* spelling.c - two things that nvcc reads and clang does not, put into clang's words.
 *
 * `__shared__ alignas(16) float x[4]`: clang wants C++'s attributes before all others, but takes C's _Alignas
 * here. `asm("mov.u32 %0, %laneid;" : "=r"(lane))`: a register's name with one percent sign, where GNU's
 * inline assembly wants two. Lines stay; what stands behind such a place in its line moves by one column.
 */
#include "warpcc/warpcc.h"

#include <ctype.h>
#include <string.h>

static bool word_is(const char *word, size_t length, const char *const *list) {
    for (; *list; list++)
        if (strlen(*list) == length && strncmp(word, *list, length) == 0) return true;
    return false;
}

/* Where the operands of an assembly statement begin whose keyword ends at `at`; NULL when there are none, or
 * something else than literals comes first. */
static const char *operands_find(const char *at) {
    static const char *const qualifiers[] = {"volatile", "__volatile__", "__volatile", NULL};
    bool open = false;
    for (;;) {
        at += strspn(at, " \t\r\n\\");
        if (*at == ':') return open ? at : NULL;
        const char *behind = source_skip(at);
        if (*at == '(' && !open)
            open = true, at++;
        else if (open ? *at == '"' || *at == '/' : word_is(at, (size_t)(behind - at), qualifiers))
            at = behind;
        else
            return NULL;
    }
}

/* %0, %[name], %%, %= and %c0 are GNU's; two letters are the start of a register's name. */
static bool names_register(const char *percent) {
    return isalpha((unsigned char)percent[1]) && (isalpha((unsigned char)percent[2]) || percent[2] == '_');
}

static void template_copy(const char *from, const char *end, Text *out) {
    for (; from < end; from++) {
        bool pair = from[0] == '%' && from[1] == '%';
        if (*from == '%' && !pair && names_register(from)) text_add(out, "%");
        text_append(out, from, pair ? 2 : 1);
        from += pair;
    }
}

bool spelling_mend(Text *source) {
    static const char *const assembly[] = {"asm", "__asm__", "__asm", NULL},
                             *const align[] = {"alignas", NULL},
                             *const spaces[] = {"__shared__", "__device__", "__constant__", NULL};
    Text out = text_new();
    bool behind_space = false; /* the last word was one of `spaces` */
    for (const char *at = source->bytes, *behind; *at; at = behind) {
        behind = source_skip(at);
        size_t length = (size_t)(behind - at);
        if (length == 0) behind++;
        const char *operands = NULL;
        if (word_is(at, length, assembly)) operands = operands_find(behind);
        if (operands)
            template_copy(at, behind = operands, &out);
        else if (behind_space && word_is(at, length, align))
            text_add(&out, "_Alignas");
        else
            text_append(&out, at, (size_t)(behind - at));
        if (!isspace((unsigned char)*at)) behind_space = word_is(at, length, spaces);
    }
    bool changed = !out.failed && out.length != source->length;
    if (changed) {
        Text old = *source;
        *source = out;
        out = old;
    }
    text_free(&out);
    return changed;
}
