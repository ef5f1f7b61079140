/* text.h - a growing text buffer, and the few string operations both programs need.
 *
 * A Text owns its bytes (malloc), is always NUL-terminated and grows on demand. When memory runs out it
 * becomes `failed`: appends do nothing from then on, and the user looks once at the end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Text {
    char *bytes; /**< never NULL after text_new, NUL at bytes[length] */
    size_t length;
    size_t capacity;
    bool failed; /**< an append found no memory */
} Text;

/** An empty one, which owns nothing yet. */
Text text_new(void);
void text_init(Text *text);
void text_free(Text *text);
void text_clear(Text *text);
void text_append(Text *text, const char *bytes, size_t length);
void text_add(Text *text, const char *string);
void text_format(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** "1,048,576" */
void text_number(Text *text, uint64_t number);
/** Appends untrusted bytes so that a terminal shows them harmlessly: control characters and invalid UTF-8 are
 *  escaped as a backslash, x and two hex digits, newline and tab stay. */
void text_add_visible(Text *text, const char *bytes, size_t length);
/** The most bytes up to `length` that end where a character of UTF-8 ends; bytes[length] must be there. */
size_t text_whole_characters(const char *bytes, size_t length);
/** Appends untrusted bytes as valid UTF-8: each byte that belongs to no character becomes U+FFFD. */
void text_add_utf8(Text *text, const char *bytes, size_t length);

/** All that comes until the end. It may grow meanwhile: one byte past the limit is enough to refuse it. False
 * with errno set (EFBIG past the limit). */
bool text_read(Text *text, int fd, size_t limit);
/** The whole file, at most `limit` bytes, regular files only (no FIFO, device or symlink race: opened once,
 *  fstat on the descriptor). Returns false with errno set (EFBIG past the limit, EINVAL not a regular file).
 */
bool text_read_file(Text *text, const char *path, size_t limit);
/** The same, and a symbolic link is refused (ELOOP): for a name that somebody else chose. */
bool text_read_named_file(Text *text, const char *path, size_t limit);
/** Writes all of it, in as many pieces as it takes. False with errno set. */
bool text_write(int fd, const char *bytes, size_t length);
/** Writes the file atomically: temporary file beside it, fsync, rename; to a device it is written as it is.
 * False with errno set. */
bool text_write_file(const char *path, const char *bytes, size_t length);

/** `text`, or `otherwise` for NULL. */
static inline const char *text_or(const char *text, const char *otherwise) {
    if (text != NULL) return text;
    return otherwise;
}
bool text_starts_with(const char *string, const char *prefix);
/** Whether two strings are equal; NULL is as good as "". */
bool text_same(const char *a, const char *b);
bool text_ends_with(const char *string, const char *suffix);
