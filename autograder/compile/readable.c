/* readable.c - files in which no compiler finds anything: empty ones, and text of two or four bytes a
 * character, which some editors save; see readable.h. What the compiler says of them tells a learner nothing.
 */
#include "autograder/compile/readable.h"
#include "base/minmax.h"

#include "autograder/texts.h"

#include <ctype.h>
#include <string.h>

static bool is_blank(const Text *source) {
    for (size_t i = 0; i < source->length; i++)
        if (!isspace((unsigned char)source->bytes[i])) return false;
    return true;
}

/* A byte order mark, or NUL bytes where letters begin a file: ASCII has one in each wide character. */
static bool is_wide(const Text *source) {
    enum { LOOKED_AT = 64, BYTES_OF_MARK = 2 };
    if (source->length < BYTES_OF_MARK) return false;
    if (memcmp(source->bytes, "\xFF\xFE", BYTES_OF_MARK) == 0) return true;
    if (memcmp(source->bytes, "\xFE\xFF", BYTES_OF_MARK) == 0) return true;
    const size_t length = MIN(source->length, LOOKED_AT);
    size_t empty = 0;
    for (size_t i = 0; i < length; i++)
        empty += source->bytes[i] == '\0';
    return 3 * empty >= length;
}

/* Found before the compiler is asked: nothing that it says of such a file would help. */
bool readable_check(Check *check) {
    const Text *source = &check->submission->source;
    if (is_blank(source))
        check_add(check, FINDING_COMPILE_ERROR, 1,
                  said_compile(COMPILE_EMPTY_MESSAGE, COMPILE_EMPTY_WHY, NULL));
    else if (is_wide(source))
        check_add(check, FINDING_COMPILE_ERROR, 0,
                  said_compile(COMPILE_WIDE_MESSAGE, COMPILE_WIDE_WHY, NULL));
    else
        return true;
    return false;
}
