/* words_page.c - what a command printed for a terminal, as HTML: lines of a paragraph are joined, code keeps
 * its lines; see desk.h. */
#include "serve/desk/desk.h"

#include "base/escape.h"

#include <string.h>

enum { CODE_INDENTATION = 6 /* four blanks, in a paragraph that has two */ };

static size_t indentation_of(const char *line) {
    return strspn(line, " ");
}

/* `x` is code, as in the texts that the course's pages are made of. */
void words_line(const char *line, size_t length, Text *out) {
    bool code = false;
    for (size_t at = 0; at < length;) {
        const char *tick = memchr(line + at, '`', length - at);
        size_t end = length;
        if (tick != NULL) end = (size_t)(tick - line);
        escape_add_bytes(out, ESCAPE_HTML, line + at, end - at);
        if (tick == NULL) break;
        text_add(out, code ? "</code>" : "<code>");
        code = !code;
        at = end + 1;
    }
    if (code) text_add(out, "</code>");
}

/* A block is what stands between two empty lines, or where code begins or ends. */
typedef enum Block { BLOCK_NONE, BLOCK_WORDS, BLOCK_CODE } Block;

static void end_block(Block block, Text *out) {
    if (block == BLOCK_WORDS) text_add(out, "</p>\n");
    if (block == BLOCK_CODE) text_add(out, "</pre>\n");
}

void words_page(const char *words, Text *out) {
    Block block = BLOCK_NONE;
    for (const char *line = words; *line != '\0';) {
        size_t length = strcspn(line, "\n"), blanks = indentation_of(line);
        Block here = BLOCK_WORDS;
        if (blanks >= CODE_INDENTATION) here = BLOCK_CODE;
        if (blanks >= length) here = BLOCK_NONE;
        if (here != block) {
            end_block(block, out);
            if (here != BLOCK_NONE) text_add(out, here == BLOCK_CODE ? "<pre>" : "<p>");
        } else if (here == BLOCK_WORDS) {
            text_add(out, " ");
        }
        if (here == BLOCK_WORDS) words_line(line + blanks, length - blanks, out);
        if (here == BLOCK_CODE) {
            escape_add_bytes(out, ESCAPE_HTML, line + CODE_INDENTATION, length - CODE_INDENTATION);
            text_add(out, "\n");
        }
        block = here;
        line += length + (line[length] == '\n');
    }
    end_block(block, out);
}
