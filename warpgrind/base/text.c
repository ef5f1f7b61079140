/* text.c - the growing buffer, file contents in one piece, and escaping for terminals; see text.h. */
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What `bytes` points to before the first append; never written to, because its capacity is 0. */
static char empty_text[1] = "";

Text text_new(void) {
    return (Text){.bytes = empty_text};
}

void text_init(Text *text) {
    *text = text_new();
}

void text_free(Text *text) {
    if (text->bytes != empty_text) free(text->bytes);
    text_init(text);
}

void text_clear(Text *text) {
    text->length = 0;
    text->failed = false;
    if (text->capacity) text->bytes[0] = '\0';
}

/* Makes room for `more` bytes and the NUL. */
static bool reserve(Text *text, size_t more) {
    if (text->failed) return false;
    size_t needed;
    if (__builtin_add_overflow(text->length, more, &needed) || needed > SIZE_MAX / 2 - 1) {
        text->failed = true;
        return false;
    }
    if (needed < text->capacity) return true;
    size_t capacity = 64;
    if (text->capacity) capacity = text->capacity;
    while (capacity <= needed)
        capacity *= 2;
    char *grown = realloc(text->capacity ? text->bytes : NULL, capacity);
    if (!grown) {
        text->failed = true;
        return false;
    }
    text->bytes = grown;
    text->capacity = capacity;
    return true;
}

void text_append(Text *text, const char *bytes, size_t length) {
    if (!length || !reserve(text, length)) return;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void text_add(Text *text, const char *string) {
    text_append(text, string, strlen(string));
}

/* Formats twice: the first time for the length. */
void text_format(Text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        text->failed = true;
        return;
    }
    if (!reserve(text, (size_t)length)) return;
    va_start(arguments, format);
    vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
}

void text_number(Text *text, uint64_t number) {
    if (number >= 1000) {
        text_number(text, number / 1000);
        text_format(text, ",%03u", (unsigned)(number % 1000));
    } else {
        text_format(text, "%u", (unsigned)number);
    }
}

/* ---- harmless on a terminal ---- */

/* Bytes of the UTF-8 character at `s`; 0 when it is malformed, overlong, a surrogate, or a C1 control
 * character. */
static size_t utf8_length(const unsigned char *s, size_t available) {
    static const struct {
        unsigned char first, last;
        size_t length;
        unsigned char low, high; /* range of the second byte */
    } forms[] = {
        {0xC2, 0xC2, 2, 0xA0, 0xBF}, {0xC3, 0xDF, 2, 0x80, 0xBF}, {0xE0, 0xE0, 3, 0xA0, 0xBF},
        {0xE1, 0xEC, 3, 0x80, 0xBF}, {0xED, 0xED, 3, 0x80, 0x9F}, {0xEE, 0xEF, 3, 0x80, 0xBF},
        {0xF0, 0xF0, 4, 0x90, 0xBF}, {0xF1, 0xF3, 4, 0x80, 0xBF}, {0xF4, 0xF4, 4, 0x80, 0x8F},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (s[0] < forms[i].first || s[0] > forms[i].last) continue;
        if (available < forms[i].length || s[1] < forms[i].low || s[1] > forms[i].high) return 0;
        for (size_t j = 2; j < forms[i].length; j++)
            if ((s[j] & 0xC0) != 0x80) return 0;
        return forms[i].length;
    }
    return 0;
}

/* Characters that reorder or hide the text around them, or that XML 1.0 cannot hold: U+061C, U+180E,
 * U+200B..200F, U+2028..202E, U+2060..206F, U+FEFF, U+FFF9..FFFB, U+FFFE, U+FFFF, and the tags
 * U+E0000..E007F. As UTF-8, first byte to last byte. */
static bool is_deceptive(const unsigned char *s, size_t length) {
    static const struct {
        const char *first, *last;
    } ranges[] = {
        {"\xD8\x9C", "\xD8\x9C"},
        {"\xE1\xA0\x8E", "\xE1\xA0\x8E"},
        {"\xE2\x80\x8B", "\xE2\x80\x8F"},
        {"\xE2\x80\xA8", "\xE2\x80\xAE"},
        {"\xE2\x81\xA0", "\xE2\x81\xAF"},
        {"\xEF\xBB\xBF", "\xEF\xBB\xBF"},
        {"\xEF\xBF\xB9", "\xEF\xBF\xBB"},
        {"\xEF\xBF\xBE", "\xEF\xBF\xBF"},
        {"\xF3\xA0\x80\x80", "\xF3\xA0\x81\xBF"},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (strlen(ranges[i].first) == length && memcmp(s, ranges[i].first, length) >= 0 &&
            memcmp(s, ranges[i].last, length) <= 0)
            return true;
    return false;
}

static size_t visible_length(const unsigned char *s, size_t available) {
    if (s[0] == '\n' || s[0] == '\t' || (s[0] >= 0x20 && s[0] < 0x7F)) return 1;
    size_t length = s[0] < 0x80 ? 0 : utf8_length(s, available);
    if (length > 0 && is_deceptive(s, length)) return 0;
    return length;
}

/* Bytes that are no printable UTF-8 become \xNN: a name that a program chose must not move a terminal's
 * cursor or colour what follows. */
void text_add_visible(Text *text, const char *bytes, size_t length) {
    const unsigned char *s = (const unsigned char *)bytes;
    for (size_t i = 0; i < length;) {
        size_t visible = visible_length(s + i, length - i);
        if (visible) {
            text_append(text, bytes + i, visible);
            i += visible;
        } else {
            text_format(text, "\\x%02X", s[i]);
            i++;
        }
    }
}

size_t text_whole_characters(const char *bytes, size_t length) {
    while (length > 0 && ((unsigned char)bytes[length] & 0xC0) == 0x80)
        length--;
    return length;
}

/* JSON must be UTF-8; a byte that is not becomes U+FFFD, as Unicode recommends (3.9, substitution of
 * maximal subparts). */
void text_add_utf8(Text *text, const char *bytes, size_t length) {
    static const char replacement[] = "\xEF\xBF\xBD";
    const unsigned char *s = (const unsigned char *)bytes;
    for (size_t i = 0; i < length;) {
        size_t whole;
        if (s[i] < 0x80)
            whole = 1;
        else
            whole = utf8_length(s + i, length - i);
        if (whole > 0)
            text_append(text, bytes + i, whole);
        else
            text_add(text, replacement);
        i += whole > 0 ? whole : 1;
    }
}

/* ---- files ---- */

bool text_read(Text *text, int fd, size_t limit) {
    char buffer[65536];
    for (;;) {
        ssize_t got = read(fd, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return false;
        if (got == 0) break;
        if ((size_t)got > limit - text->length) {
            errno = EFBIG;
            return false;
        }
        text_append(text, buffer, (size_t)got);
        if (text->failed) {
            errno = ENOMEM;
            return false;
        }
    }
    return true;
}

/* Asked of the open file, so that nobody can exchange it in between. A pipe or a device could block for
 * ever or never end. */
static bool check_regular(int fd, size_t limit) {
    struct stat status;
    if (fstat(fd, &status) != 0) return false;
    if (!S_ISREG(status.st_mode)) {
        errno = EINVAL;
        return false;
    }
    if (status.st_size < 0 || (uint64_t)status.st_size > limit) {
        errno = EFBIG;
        return false;
    }
    return true;
}

static bool read_file(Text *text, const char *path, size_t limit, int flags) {
    text_clear(text);
    /* O_NONBLOCK: opening a FIFO must not wait for a writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
    if (fd < 0) return false;
    bool ok = check_regular(fd, limit) && text_read(text, fd, limit);
    int error = errno;
    close(fd);
    errno = error;
    return ok;
}

bool text_read_file(Text *text, const char *path, size_t limit) {
    return read_file(text, path, limit, 0);
}

bool text_read_named_file(Text *text, const char *path, size_t limit) {
    return read_file(text, path, limit, O_NOFOLLOW);
}

bool text_write(int fd, const char *bytes, size_t length) {
    while (length) {
        ssize_t done = write(fd, bytes, length);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        bytes += done;
        length -= (size_t)done;
    }
    return true;
}

/* mkstemp makes files only their owner may read; what we write is meant to be read like any other file. */
static bool apply_umask(int fd) {
    mode_t mask = umask(0);
    umask(mask);
    return fchmod(fd, 0666 & ~mask) == 0;
}

static bool is_device(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISCHR(info.st_mode);
}

/* The links of /dev and /proc are names of what is open already, a pipe or a file. They are written to, as
 * devices are: for root, a file would take the place of /dev/null, or of the link /dev/stdout. */
static bool is_written_in_place(const char *path) {
    struct stat info;
    bool of_system = text_starts_with(path, "/dev/") || text_starts_with(path, "/proc/");
    return is_device(path) || (of_system && lstat(path, &info) == 0 && S_ISLNK(info.st_mode));
}

/* The descriptor of /dev/stdout, /dev/fd/3 and the like, which has a position of its own in its file; else
 * -1. */
static int descriptor_of(const char *path) {
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "/dev/stdout") == 0) return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0) return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *end = NULL;
        const char *digits = path + strlen(folders[i]);
        if (!text_starts_with(path, folders[i]) || !isdigit((unsigned char)*digits)) continue;
        long fd = strtol(digits, &end, 10);
        if (*end == '\0' && fd <= INT_MAX) return (int)fd;
    }
    return -1;
}

static bool write_in_place(const char *path, const char *bytes, size_t length) {
    int fd = descriptor_of(path);
    if (fd >= 0) return fflush(NULL) == 0 && text_write(fd, bytes, length);
    fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) return false;
    bool ok = text_write(fd, bytes, length);
    return close(fd) == 0 && ok;
}

/* Written beside the file and renamed: whoever reads sees the old file or the new one, never a part. The
 * first error is the one that is told. */
bool text_write_file(const char *path, const char *bytes, size_t length) {
    if (is_written_in_place(path)) return write_in_place(path, bytes, length);
    Text temporary = text_new();
    text_format(&temporary, "%s.XXXXXX", path);
    if (temporary.failed) {
        errno = ENOMEM;
        text_free(&temporary);
        return false;
    }
    int fd = mkostemp(temporary.bytes, O_CLOEXEC);
    bool ok = fd >= 0 && apply_umask(fd) && text_write(fd, bytes, length) && fsync(fd) == 0;
    int error = errno;
    if (fd >= 0 && close(fd) != 0 && ok) {
        ok = false;
        error = errno;
    }
    if (ok && rename(temporary.bytes, path) != 0) {
        ok = false;
        error = errno;
    }
    if (!ok && fd >= 0) unlink(temporary.bytes);
    text_free(&temporary);
    errno = error;
    return ok;
}

bool text_starts_with(const char *string, const char *prefix) {
    return strncmp(string, prefix, strlen(prefix)) == 0;
}

bool text_same(const char *a, const char *b) {
    if (!a) a = "";
    if (!b) b = "";
    return strcmp(a, b) == 0;
}

bool text_ends_with(const char *string, const char *suffix) {
    size_t length = strlen(string), tail = strlen(suffix);
    return length >= tail && strcmp(string + length - tail, suffix) == 0;
}
