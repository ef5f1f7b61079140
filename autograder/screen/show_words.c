/* show_words.c - words on a terminal: colours, columns, wrapping and cutting. */
#include "autograder/screen/show_parts.h"

#include "base/options.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

enum { WIDEST = 100, NARROWEST = 40 };

enum { TONE_END = TONE_FAINT + 1 };
static const char *const tones[] = {
    [TONE_GOOD] = "\x1b[1;32m", [TONE_BAD] = "\x1b[1;31m", [TONE_NOTE] = "\x1b[1;36m",
    [TONE_STRONG] = "\x1b[1m",  [TONE_FAINT] = "\x1b[2m",  [TONE_END] = "\x1b[0m"};

void show_toned(const ShowStyle *style, ShowTone tone, const char *text, Text *out) {
    if (style->colour) text_add(out, tones[tone]);
    text_add_visible(out, text, strlen(text));
    if (style->colour) text_add(out, tones[TONE_END]);
}

/* Bytes of the tone that the text begins with; 0: it begins with none. */
static size_t tone_length(const char *text) {
    for (size_t i = 0; i < sizeof tones / sizeof *tones; i++)
        if (text_starts_with(text, tones[i])) return strlen(tones[i]);
    return 0;
}

/* The colours that this program itself uses pass; every other escape sequence is made visible, as it may be
 * the student's. */
void show_guarded(const Text *text, Text *out) {
    const char *end = text->bytes + text->length;
    for (const char *at = text->bytes; at < end;) {
        size_t tone = tone_length(at);
        const char *next = NULL;
        if (tone == 0) next = memchr(at + 1, '\x1b', (size_t)(end - at) - 1);
        size_t length;
        if (next != NULL)
            length = (size_t)(next - at);
        else
            length = (size_t)(end - at);
        if (tone > 0)
            text_append(out, at, tone);
        else
            text_add_visible(out, at, length);
        at += tone > 0 ? tone : length;
    }
}

/* A number of the environment, else what the terminal says. */
static long setting(const char *name, long otherwise) {
    enum { LARGEST = 10000 };
    const char *text = getenv(name);
    long value = 0;
    if (text != NULL) value = strtol(text, NULL, 10);
    if (value > 0 && value <= LARGEST) return value;
    return otherwise;
}

ShowStyle show_style(int fd, const char *colour_mode) {
    ShowStyle style = {.colour = options_colour(colour_mode, fd), .width = WIDEST};
    style.unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    struct winsize size = {0};
    ioctl(fd, TIOCGWINSZ, &size);
    long wanted = setting("COLUMNS", size.ws_col);
    if (wanted > 0 && wanted < WIDEST) style.width = wanted < NARROWEST ? NARROWEST : (unsigned)wanted;
    style.rows = (unsigned)setting("LINES", size.ws_row);
    return style;
}

/* Columns of UTF-8 text: bytes that do not continue a character. */
static size_t columns_of(const char *text, size_t length) {
    size_t columns = 0;
    for (size_t i = 0; i < length; i++)
        columns += ((unsigned char)text[i] & 0xC0) != 0x80;
    return columns;
}

void show_words(const char *line, size_t length, size_t used, const char *indentation, const ShowStyle *style,
                Text *out) {
    const size_t indented = columns_of(indentation, strlen(indentation));
    bool glued = true; /* nothing stands before the word, or what does ends with its own blank */
    for (size_t at = 0; at < length;) {
        size_t word = strcspn(line + at, " ");
        if (word > length - at) word = length - at;
        size_t columns = columns_of(line + at, word);
        if (used > indented && used + !glued + columns > style->width) {
            text_format(out, "\n%s", indentation);
            used = indented;
            glued = true;
        }
        if (!glued) text_add(out, " ");
        text_add_visible(out, line + at, word);
        used += columns + !glued;
        glued = false;
        at += word + 1;
    }
    text_add(out, "\n");
}

static bool is_code(const char *line) {
    return text_starts_with(line, "    ");
}

/* How long the line is with those that it flows on into: of a text that was wrapped for a wider place, each
 * line that is too long here and ends within a sentence is followed by its rest. What is short enough is a
 * line of its own. */
static size_t length_with_rest(const char *text, size_t room) {
    size_t length = strcspn(text, "\n"), start = 0;
    while (columns_of(text + start, length - start) > room && text[length] == '\n' &&
           strchr(".:;!?", text[length - 1]) == NULL) {
        const char *next = text + length + 1;
        if (*next == '\0' || *next == '\n' || is_code(next)) break;
        start = length + 1;
        length = start + strcspn(next, "\n");
    }
    return length;
}

/* A line of the text, without the ends of lines that are in it. */
static void add_wrapped(const char *text, size_t length, const char *indentation, const ShowStyle *style,
                        Text *out) {
    Text line = text_new();
    text_append(&line, text, length);
    for (size_t i = 0; i < line.length; i++)
        if (line.bytes[i] == '\n') line.bytes[i] = ' ';
    text_add(out, indentation);
    show_words(line.length > 0 ? line.bytes : "", line.length, columns_of(indentation, strlen(indentation)),
               indentation, style, out);
    text_free(&line);
}

/* Wraps text to the terminal, which is far wider than any indentation (NARROWEST). Lines that are indented by
 * four blanks are code, and stay as they are. */
void show_paragraph(const char *text, const char *indentation, const ShowStyle *style, Text *out) {
    const size_t room = style->width - strlen(indentation);
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        if (length == 0) {
            text_add(out, "\n");
        } else if (is_code(text)) {
            text_add(out, indentation);
            text_add_visible(out, text, length);
            text_add(out, "\n");
        } else {
            length = length_with_rest(text, room);
            add_wrapped(text, length, indentation, style, out);
        }
        text += length;
        if (*text == '\n') text++;
    }
}

void show_cut(const Text *line, size_t used, const ShowStyle *style, Text *out) {
    size_t length = line->length;
    bool cut = used + columns_of(line->bytes, length) > style->width;
    while (cut && length > 0 &&
           (line->bytes[length] != ' ' || used + columns_of(line->bytes, length) + 4 > style->width))
        length--;
    text_add_visible(out, line->bytes, length);
    text_add(out, cut ? " ...\n" : "\n");
}

unsigned show_lines(const Text *text) {
    unsigned lines = 0;
    for (size_t i = 0; i < text->length; i++)
        lines += text->bytes[i] == '\n';
    return lines;
}
