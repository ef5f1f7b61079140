/* diag.c - the list of diagnostics and how it looks on a terminal; see diag.h. */
#include "base/diag.h"
#include "base/minmax.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_SOURCE_LINE = 160 };

void diag_init(Diagnostics *list, Arena *arena) {
    *list = (Diagnostics){.arena = arena};
}

int diag_status(const Diagnostics *list) {
    if (list->internal || list->errors == 0) return EXIT_INTERNAL;
    return EXIT_USAGE;
}

static void count(Diagnostics *list, DiagLevel level) {
    if (level == DIAG_ERROR) list->errors++;
    if (level == DIAG_WARNING) list->warnings++;
}

/* Diagnostics stay in the order in which they were found. Without memory the count still rises, so nobody
 * takes a failure for success. */
Diagnostic *diag_add(Diagnostics *list, DiagLevel level, const char *file, int line, int column,
                     const char *format, ...) {
    count(list, level);
    va_list arguments;
    va_start(arguments, format);
    char *message = arena_vformat(list->arena, format, arguments);
    va_end(arguments);
    Diagnostic *added = ARENA_NEW(list->arena, Diagnostic);
    if (!message || !added) return NULL;
    *added = (Diagnostic){.level = level,
                          .file = file ? arena_string(list->arena, file) : NULL,
                          .line = line,
                          .column = column,
                          .message = message};
    if (list->last) list->last->next = added;
    if (!list->first) list->first = added;
    list->last = added;
    return added;
}

/* What another name, or other rights, would mend. */
static bool is_of_the_name(int error) {
    static const int errors[] = {EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EISDIR, EEXIST, ELOOP, ENAMETOOLONG};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i] == error) return true;
    return false;
}

Diagnostic *diag_add_errno(Diagnostics *list, const char *file, const char *what) {
    const int error = errno;
    list->internal |= !is_of_the_name(error);
    return diag_add(list, DIAG_ERROR, file, 0, 0, "%s: %s", what, strerror(error));
}

typedef struct Style {
    const char *bold, *level[3], *caret, *reset;
} Style;

static const Style plain_style = {"", {"", "", ""}, "", ""};
static const Style colour_style = {
    "\x1b[1m", {"\x1b[1;36m", "\x1b[1;35m", "\x1b[1;31m"}, "\x1b[1;32m", "\x1b[0m"};
static const char *const level_names[] = {"note", "warning", "error"};

static void add_visible(Text *out, const char *string) {
    text_add_visible(out, string, strlen(string));
}

static void render_place(const Diagnostic *diagnostic, const Style *style, Text *out) {
    if (!diagnostic->file) return;
    text_add(out, style->bold);
    add_visible(out, diagnostic->file);
    if (diagnostic->line > 0) text_format(out, ":%d", diagnostic->line);
    if (diagnostic->line > 0 && diagnostic->column > 0) text_format(out, ":%d", diagnostic->column);
    text_format(out, ":%s ", style->reset);
}

/* The caret's indentation repeats the tabs of the line, so that it stands under the column at any tab width.
 */
static void render_caret(const Diagnostic *diagnostic, const Style *style, Text *out) {
    const char *line = diagnostic->source_line;
    size_t length = strcspn(line, "\r\n"), shown = MIN(length, LONGEST_SOURCE_LINE);
    text_add(out, "    ");
    text_add_visible(out, line, shown);
    text_add(out, shown < length ? "...\n" : "\n");
    if (diagnostic->column < 1 || (size_t)diagnostic->column > shown + 1) return;
    text_add(out, "    ");
    for (int i = 0; i < diagnostic->column - 1; i++) {
        if (((unsigned char)line[i] & 0xC0) == 0x80) continue; /* inside a UTF-8 character */
        text_append(out, line[i] == '\t' ? "\t" : " ", 1);
    }
    text_format(out, "%s^%s\n", style->caret, style->reset);
}

/* As compilers print it: place, level, message, the source line with a caret, and the remedy below. */
static void render(const Diagnostic *diagnostic, const Style *style, Text *out) {
    render_place(diagnostic, style, out);
    text_format(out, "%s%s:%s ", style->level[diagnostic->level], level_names[diagnostic->level],
                style->reset);
    add_visible(out, diagnostic->message);
    text_add(out, "\n");
    if (diagnostic->source_line) render_caret(diagnostic, style, out);
    if (!diagnostic->remedy) return;
    text_add(out, "    ");
    add_visible(out, diagnostic->remedy);
    text_add(out, "\n");
}

void diag_render(const Diagnostics *list, Text *out, bool colour) {
    for (const Diagnostic *diagnostic = list->first; diagnostic; diagnostic = diagnostic->next)
        render(diagnostic, colour ? &colour_style : &plain_style, out);
}

void diag_bug(const char *file, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "BUG: %s:%d: ", file, line);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    abort();
}
