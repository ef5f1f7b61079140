/* launches.c - launches whose angle brackets are set apart: kernel<< <blocks, threads>> >(...), as nvcc
 * accepts them.
 *
 * Formatters that know only C++ leave them so. Clang wants <<< and >>> in one piece. A bracket moves to its
 * neighbours and the blanks go behind it, so no other word changes its line or column. `<< <` is
 * nothing else in C++; `>> >` may close templates and counts only where it ends a launch.
 */
#include "warpcc/warpcc.h"

#include <string.h>

typedef struct Scan {
    char *at;
    char *open;     /**< behind the <<< of the launch whose end is looked for; NULL outside of one */
    unsigned depth; /**< of brackets since then */
    bool changed;
} Scan;

static char *skip_blanks(char *at) {
    return at + strspn(at, " \t");
}

/* Behind the literal that starts with the quote at `at`; an unclosed one ends with its line. */
static const char *skip_quoted(const char *at) {
    char quote = *at++;
    while (*at && *at != quote && *at != '\n')
        at += at[0] == '\\' && at[1] ? 2 : 1;
    if (*at) return at + 1;
    return at;
}

/* R"x(...)x": behind its end. */
static const char *skip_raw(const char *at) {
    enum { LONGEST = 16 };
    char end[LONGEST + 3] = ")";
    const char *open = strchr(at + 2, '(');
    size_t length = 0;
    if (open) length = (size_t)(open - at - 2);
    if (!open || length > LONGEST) return at + 2;
    memcpy(end + 1, at + 2, length);
    end[1 + length] = '"';
    end[2 + length] = '\0';
    const char *close = strstr(open, end);
    if (close) return close + length + 2;
    return at + strlen(at);
}

static const char *skip_comment(const char *at) {
    if (at[1] == '/') return at + strcspn(at, "\n");
    const char *end = strstr(at + 2, "*/");
    if (end) return end + 2;
    return at + strlen(at);
}

static bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* (1'000 is a word.) */
const char *source_skip(const char *at) {
    const char *end = at;
    if (at[0] == '/' && (at[1] == '/' || at[1] == '*')) return skip_comment(at);
    if (at[0] == 'R' && at[1] == '"') return skip_raw(at);
    if (*at == '"' || *at == '\'') return skip_quoted(at);
    while (is_word(*end) || (end > at && *end == '\'' && is_word(end[1]) && *at <= '9'))
        end++;
    return end;
}

static bool skip_passive(Scan *scan) {
    size_t length = (size_t)(source_skip(scan->at) - scan->at);
    scan->at += length;
    return length > 0;
}

/* Two brackets stand at `at`: the third one, behind blanks, joins them. NULL when there is none. */
static char *join_third(Scan *scan, char bracket) {
    char *third = skip_blanks(scan->at + 2);
    if (*third != bracket) return NULL;
    if (third != scan->at + 2) {
        char blank = scan->at[2];
        scan->at[2] = bracket;
        *third = blank;
        scan->changed = true;
    }
    return third + 1;
}

static bool opens_launch(Scan *scan) {
    if (scan->at[0] != '<' || scan->at[1] != '<') return false;
    char *behind = join_third(scan, '<');
    if (!behind) return false;
    scan->at = scan->open = behind;
    scan->depth = 0;
    return true;
}

static bool closes_launch(Scan *scan) {
    if (!scan->open || scan->depth > 0 || scan->at[0] != '>' || scan->at[1] != '>') return false;
    char *third = skip_blanks(scan->at + 2);
    if (*third != '>' || *skip_blanks(third + 1) != '(') return false;
    scan->at = join_third(scan, '>');
    scan->open = NULL;
    return true;
}

bool launches_close_up(char *source) {
    Scan scan = {.at = source};
    while (*scan.at) {
        if (skip_passive(&scan) || opens_launch(&scan) || closes_launch(&scan)) continue;
        if (strchr("([{", *scan.at)) scan.depth++;
        if (strchr(")]}", *scan.at) && scan.depth > 0) scan.depth--;
        if (*scan.at == ';') scan.open = NULL;
        scan.at++;
    }
    return scan.changed;
}
