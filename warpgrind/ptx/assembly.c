/* assembly.c - whether a program wrote a part of its PTX by itself, as inline assembly.
 *
 * The compiler marks such a part by a comment, and says the line before it. What stands in the part may be
 * anything, comments and lines too: so what counts is the first one of the program's, before which all is the
 * compiler's.
 */
#include "base/headers.h"
#include "ptx/internal.h"

#include <stdlib.h>
#include <string.h>

static bool is_header(const PtxModule *module, long file) {
    return file >= 0 && (uint64_t)file < module->file_count && headers_are(module->files[file]);
}

static bool begins(const char *at, const char *end, const char *word) {
    const size_t length = strlen(word);
    return (size_t)(end - at) >= length && memcmp(at, word, length) == 0;
}

static bool has(const char *at, const char *end, const char *word) {
    return memmem(at, (size_t)(end - at), word, strlen(word)) != NULL;
}

/* A line's number has an end, since behind the text stands a zero or another line. */
bool assembly_by_program(const PtxModule *module, const Unit *unit) {
    static const char where[] = ".loc";
    long file = -1;
    const char *const end = unit->text + unit->length;
    for (const char *at = unit->text; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline != NULL ? newline : end;
        while (at < stop && (*at == ' ' || *at == '\t'))
            at++;
        if (begins(at, stop, where) && newline != NULL)
            file = unit->first_file + strtol(at + strlen(where), NULL, 10);
        const bool opens = begins(at, stop, "//") && has(at, stop, "begin inline asm");
        if (opens && !is_header(module, file)) return true;
        at = stop + 1;
    }
    return false;
}
