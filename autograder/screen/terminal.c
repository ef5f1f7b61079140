/* terminal.c - modes, keys and drawing; see terminal.h.
 *
 * A frame goes out in one write, over what stood there, so that nothing flickers and a slow line shows no
 * half of it.
 */
#include "autograder/screen/terminal.h"

#include "autograder/texts.h"

#include "base/options.h"

#include <errno.h>
#include <langinfo.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Refuses where there is nothing to draw on, and says why: no terminal, or one that cannot move its cursor.
 * */
bool terminal_open(Terminal *terminal, const char *colour_mode, Diagnostics *diagnostics) {
    const char *kind = getenv("TERM");
    bool screen = kind != NULL && *kind != '\0' && strcmp(kind, "dumb") != 0;
    *terminal = (Terminal){.colour = options_colour(colour_mode, STDOUT_FILENO),
                           .unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0};
    if (screen && isatty(STDOUT_FILENO) && tcgetattr(STDIN_FILENO, &terminal->before) == 0) {
        terminal_enter(terminal);
        return true;
    }
    return advise(diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "%s",
                           TOLD_WATCH(NO_TERMINAL, diagnostics->arena, .dumb = !screen)),
                  plain_watch(WATCH_NO_TERMINAL_REMEDY));
}

void terminal_enter(Terminal *terminal) {
    struct termios keys = terminal->before;
    keys.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
    keys.c_cc[VINTR] = keys.c_cc[VQUIT] = _POSIX_VDISABLE; /* Ctrl-C is a key: make would die of the signal */
    keys.c_cc[VMIN] = 1;
    keys.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &keys);
    static const char begin[] = "\x1b[?1049h\x1b[?7l\x1b[?25l\x1b[H\x1b[J";
    text_write(STDOUT_FILENO, begin, sizeof begin - 1);
    terminal_measure(terminal);
}

void terminal_leave(Terminal *terminal) {
    static const char end[] = "\x1b[0m\x1b[?25h\x1b[?7h\x1b[?1049l";
    text_write(STDOUT_FILENO, end, sizeof end - 1);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &terminal->before);
}

void terminal_measure(Terminal *terminal) {
    struct winsize size = {0};
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0;
    if (known) {
        terminal->rows = size.ws_row;
        terminal->columns = size.ws_col;
    } else {
        terminal->rows = 24;
        terminal->columns = 80;
    }
}

/* ---- keys ---- */

bool terminal_read(Terminal *terminal) {
    size_t room = sizeof terminal->bytes - terminal->count;
    if (room == 0) return true;
    ssize_t got = read(STDIN_FILENO, terminal->bytes + terminal->count, room);
    if (got < 0) return errno == EINTR || errno == EAGAIN;
    terminal->count += (size_t)got;
    return got > 0;
}

/* The rest of a sequence follows its Escape at once, also over ssh; a person is slower. */
static bool more_follows(Terminal *terminal) {
    enum { AT_ONCE_MILLISECONDS = 30 };
    struct pollfd polled = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&polled, 1, AT_ONCE_MILLISECONDS) > 0 && terminal_read(terminal);
}

static int key_of_sequence(const char *sequence, size_t length) {
    static const struct {
        const char *end;
        int key;
    } keys[] = {{"A", KEY_UP},   {"B", KEY_DOWN},  {"5~", KEY_PAGE_UP}, {"6~", KEY_PAGE_DOWN},
                {"H", KEY_HOME}, {"1~", KEY_HOME}, {"F", KEY_END},      {"4~", KEY_END}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strlen(keys[i].end) == length && memcmp(keys[i].end, sequence, length) == 0) return keys[i].key;
    return KEY_OTHER;
}

/* Escape, "[" or "O", parameters, a letter or "~": the number of bytes, or 0 when its end is not there. */
static size_t sequence_length(const Terminal *terminal) {
    for (size_t at = 2; at < terminal->count; at++)
        if (terminal->bytes[at] >= 0x40 && terminal->bytes[at] <= 0x7e) return at + 1;
    return 0;
}

static int take(Terminal *terminal, size_t length, int key) {
    terminal->count -= length;
    memmove(terminal->bytes, terminal->bytes + length, terminal->count);
    return key;
}

static int take_sequence(Terminal *terminal) {
    while (terminal->count < 2 && more_follows(terminal)) {
    }
    if (terminal->count < 2 || (terminal->bytes[1] != '[' && terminal->bytes[1] != 'O'))
        return take(terminal, 1, KEY_ESCAPE);
    while (sequence_length(terminal) == 0 && more_follows(terminal)) {
    }
    size_t length = sequence_length(terminal);
    if (length == 0) return take(terminal, terminal->count, KEY_OTHER);
    return take(terminal, length, key_of_sequence((const char *)terminal->bytes + 2, length - 2));
}

int terminal_key(Terminal *terminal) {
    if (terminal->count == 0) return KEY_NONE;
    unsigned char byte = terminal->bytes[0];
    if (byte == KEY_ESCAPE) return take_sequence(terminal);
    if (byte == '\n' || byte == '\r') return take(terminal, 1, KEY_ENTER);
    if (byte == 0x7f || byte == KEY_BACKSPACE) return take(terminal, 1, KEY_BACKSPACE);
    if (byte == KEY_INTERRUPT) return take(terminal, 1, KEY_INTERRUPT);
    return take(terminal, 1, byte >= ' ' && byte < 0x7f ? byte : KEY_OTHER);
}

/* ---- drawing ---- */

/* Draws over what is there, line by line and in one write, so that nothing flickers. */
void terminal_show(Terminal *terminal, const Text *lines) {
    Text out = text_new();
    text_add(&out, "\x1b[H");
    const char *line = lines->bytes;
    unsigned row = 0;
    for (; row < terminal->rows && *line != '\0'; row++) {
        size_t length = strcspn(line, "\n");
        text_add(&out, row > 0 ? "\r\n\x1b[K" : "\x1b[K");
        text_append(&out, line, length);
        text_add(&out, "\x1b[0m");
        line += length + (line[length] == '\n');
    }
    if (row < terminal->rows) text_add(&out, "\r\n\x1b[J");
    text_write(STDOUT_FILENO, out.bytes, out.length);
    text_free(&out);
}
