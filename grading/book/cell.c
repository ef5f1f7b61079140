/* cell.c - see cell.h. The C library knows these widths for a locale alone, which a grader on a server hardly
 * ever has. */
#include "grading/book/cell.h"

#include <string.h>

/* Characters that take no column or two, in order: combining marks, and what Unicode's EastAsianWidth.txt has
 * as W or F. LIMIT: whole ranges, so a few unassigned ones among them. */
static const struct Range {
    unsigned first, last, columns;
} ranges[] = {
    {0x0300, 0x036F, 0},   {0x0483, 0x0489, 0},   {0x0591, 0x05BD, 0},   {0x064B, 0x065F, 0},
    {0x0900, 0x0902, 0},   {0x0E34, 0x0E3A, 0},   {0x0E47, 0x0E4E, 0},   {0x1100, 0x115F, 2},
    {0x1AB0, 0x1AFF, 0},   {0x1DC0, 0x1DFF, 0},   {0x20D0, 0x20FF, 0},   {0x2E80, 0x303E, 2},
    {0x3041, 0xA4CF, 2},   {0xA960, 0xA97F, 2},   {0xAC00, 0xD7A3, 2},   {0xF900, 0xFAFF, 2},
    {0xFE00, 0xFE0F, 0},   {0xFE20, 0xFE2F, 0},   {0xFE30, 0xFE6F, 2},   {0xFF01, 0xFF60, 2},
    {0xFFE0, 0xFFE6, 2},   {0x1F300, 0x1F64F, 2}, {0x1F680, 0x1F6FF, 2}, {0x1F900, 0x1F9FF, 2},
    {0x20000, 0x3FFFD, 2},
};

/* A character of valid UTF-8, and where the next one begins. */
static unsigned next_character(const char **at) {
    static const unsigned char masks[] = {0x7F, 0x3F, 0x1F, 0x0F, 0x07};
    const unsigned char lead = (unsigned char)*(*at)++;
    const size_t ones = (size_t)(lead >= 0x80) + (lead >= 0xC0) + (lead >= 0xE0) + (lead >= 0xF0);
    unsigned code = lead & masks[ones];
    for (; (**at & 0xC0) == 0x80; (*at)++)
        code = code << 6 | (**at & 0x3F);
    return code;
}

static size_t columns_of(unsigned code) {
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges && code >= ranges[i].first; i++)
        if (code <= ranges[i].last) return ranges[i].columns;
    return 1;
}

size_t cell_width(const char *text) {
    size_t width = 0;
    while (*text != '\0')
        width += columns_of(next_character(&text));
    return width;
}

/* A wide character that would stand half outside is left out, as is all that follows it. */
void cell_add(Text *out, const char *text, size_t width) {
    const char *end = text;
    size_t used = 0;
    for (const char *next = text; *next != '\0'; end = next) {
        const size_t columns = columns_of(next_character(&next));
        if (used + columns > width) break;
        used += columns;
    }
    text_append(out, text, (size_t)(end - text));
    for (; used < width; used++)
        text_add(out, " ");
}
