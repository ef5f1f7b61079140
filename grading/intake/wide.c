/* wide.c - see wide.h. */
#include "grading/intake/wide.h"

#include <string.h>

static const char little_mark[] = "\xFF\xFE", big_mark[] = "\xFE\xFF";
/* Unicode 3.8 and 3.9: pairs of surrogates stand for what lies past U+FFFF. */
enum { HIGH_FIRST = 0xD800, LOW_FIRST = 0xDC00, LOW_LAST = 0xDFFF, PAST_UNITS = 0x10000, UNKNOWN = 0xFFFD };

bool wide_is(const char *bytes, size_t length) {
    return length >= 2 && (memcmp(bytes, little_mark, 2) == 0 || memcmp(bytes, big_mark, 2) == 0);
}

/* The unit of 16 bits at a place; the last byte alone is half of one. */
static unsigned read_unit(const char *bytes, size_t length, size_t at, bool big) {
    if (at + 1 >= length) return UNKNOWN;
    const unsigned first = (unsigned char)bytes[at], second = (unsigned char)bytes[at + 1];
    if (big) return first << 8 | second;
    return second << 8 | first;
}

static void add_character(Text *text, unsigned code) {
    static const unsigned char leads[] = {0x00, 0xC0, 0xE0, 0xF0};
    const size_t more = (size_t)(code >= 0x80) + (code >= 0x800) + (code >= PAST_UNITS);
    char bytes[4];
    for (size_t i = more; i > 0; i--, code >>= 6)
        bytes[i] = (char)(0x80 | (code & 0x3F));
    bytes[0] = (char)(leads[more] | code);
    text_append(text, bytes, more + 1);
}

/* A high surrogate takes the low one after it along; one without the other is no character. */
void wide_add(Text *text, const char *bytes, size_t length) {
    const bool big = memcmp(bytes, big_mark, 2) == 0;
    for (size_t at = 2; at < length; at += 2) {
        unsigned code = read_unit(bytes, length, at, big);
        const bool half = code >= HIGH_FIRST && code <= LOW_LAST, high = half && code < LOW_FIRST;
        unsigned low = 0;
        if (high) low = read_unit(bytes, length, at + 2, big);
        if (low >= LOW_FIRST && low <= LOW_LAST) {
            code = PAST_UNITS + ((code - HIGH_FIRST) << 10) + (low - LOW_FIRST);
            at += 2;
        } else if (half) {
            code = UNKNOWN;
        }
        add_character(text, code);
    }
}
