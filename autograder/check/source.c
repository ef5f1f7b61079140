/* source.c - a small scanner over C++ text; see source.h. */
#include "autograder/check/source.h"

#include <ctype.h>
#include <string.h>

const char *source_line(const char *text, int line, size_t *length) {
    if (line < 1) return NULL;
    for (int at = 1; at < line; at++) {
        text = strchr(text, '\n');
        if (text == NULL) return NULL;
        text++;
    }
    if (*text == '\0') return NULL;
    *length = strcspn(text, "\r\n");
    return text;
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static const char *skip_quoted(const char *at) {
    char quote = *at++;
    while (*at != '\0' && *at != quote && *at != '\n')
        at += at[0] == '\\' && at[1] != '\0' ? 2 : 1;
    if (*at == quote) return at + 1;
    return at;
}

/* The next place that is neither in a comment nor in a string. */
static const char *skip_quiet(const char *at) {
    for (;;) {
        if (at[0] == '/' && at[1] == '/') {
            at += strcspn(at, "\n");
        } else if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            if (end != NULL)
                at = end + 2;
            else
                at = at + strlen(at);
        } else if (*at == '"' || *at == '\'') {
            at = skip_quoted(at);
        } else {
            return at;
        }
    }
}

static const char *skip_blank(const char *at) {
    for (;;) {
        at = skip_quiet(at);
        if (!isspace((unsigned char)*at)) return at;
        at++;
    }
}

/* The next use of the word at or behind `at`, which is not inside a word; NULL when there is none. */
static const char *find_word(const char *at, const char *name) {
    size_t length = strlen(name);
    while (*(at = skip_quiet(at)) != '\0') {
        if (!is_word(*at)) {
            at++;
            continue;
        }
        size_t word = 1;
        while (is_word(at[word]))
            word++;
        if (word == length && memcmp(at, name, length) == 0) return at;
        at += word;
    }
    return NULL;
}

static int line_of(const char *text, const char *place) {
    int line = 1;
    for (; text < place; text++)
        line += *text == '\n';
    return line;
}

/* Behind the closing parenthesis that belongs to the opening one at `at`; NULL when there is none. */
static const char *skip_parentheses(const char *at) {
    int depth = 0;
    while (*(at = skip_quiet(at)) != '\0') {
        if (*at == '(') depth++;
        if (*at == ')' && --depth == 0) return at + 1;
        at++;
    }
    return NULL;
}

int source_find_definition(const char *text, const char *name) {
    for (const char *at = text; (at = find_word(at, name)) != NULL; at += strlen(name)) {
        const char *open = skip_blank(at + strlen(name));
        const char *behind = NULL;
        if (*open == '(') behind = skip_parentheses(open);
        if (behind != NULL && *skip_blank(behind) == '{') return line_of(text, at);
    }
    return 0;
}

int source_find_word(const char *text, const char *name) {
    const char *at = find_word(text, name);
    if (at != NULL) return line_of(text, at);
    return 0;
}

/* Behind `[...]`, as often as it stands there. */
static const char *skip_brackets(const char *at) {
    while (*(at = skip_blank(at)) == '[') {
        int depth = 0;
        do {
            depth += (*at == '[') - (*at == ']');
            at++;
        } while (depth > 0 && *(at = skip_quiet(at)) != '\0');
    }
    return at;
}

/* The variable that a declaration with the word at `at` declares: the last word before its `;`, `[` or `=`.
 */
static const char *declared_name(const char *at, char *name, size_t room) {
    name[0] = '\0';
    while (*(at = skip_blank(at)) != '\0' && strchr(";[=,({", *at) == NULL) {
        size_t length = 0;
        while (is_word(at[length]))
            length++;
        if (length > 0 && length < room) {
            memcpy(name, at, length);
            name[length] = '\0';
        }
        at += length > 0 ? length : 1;
    }
    return at;
}

/* The first line where a __constant__ variable of the file is assigned to by its name. LIMIT: this reads
 * words and not C, so an assignment in device code is taken for one of the host. */
int source_find_constant_assignment(const char *text, char *name, size_t room) {
    const char *at = text;
    while ((at = find_word(at, "__constant__")) != NULL) {
        at = declared_name(at + strlen("__constant__"), name, room);
        const char *end = at + strcspn(at, ";");
        for (const char *use = end; name[0] && (use = find_word(use, name)) != NULL; use += strlen(name)) {
            const char *behind = skip_brackets(use + strlen(name));
            if (behind[0] == '=' && behind[1] != '=') return line_of(text, use);
        }
    }
    return 0;
}

int source_find_unset_constant(const char *text, char *name, size_t room) {
    const char *at = text;
    while ((at = find_word(at, "__constant__")) != NULL) {
        const char *declaration = at;
        at = skip_brackets(declared_name(at + strlen("__constant__"), name, room));
        if (*at == ';' && name[0] != '\0' && find_word(at, name) != NULL) return line_of(text, declaration);
    }
    return 0;
}

/* ---- whether lines can be believed ---- */

/* Behind blanks, comments, and line ends that a backslash takes away. */
static const char *skip_within_directive(const char *at) {
    for (;;) {
        if (*at == ' ' || *at == '\t' || *at == '\f' || *at == '\v')
            at++;
        else if (at[0] == '\\' && at[1] == '\n')
            at += 2;
        else if (at[0] == '\\' && at[1] == '\r' && at[2] == '\n')
            at += 3;
        else if (at[0] == '/' && at[1] == '*' && strstr(at, "*/") != NULL)
            at = strstr(at, "*/") + 2;
        else
            return at;
    }
}

/* Nothing but blanks, or a comment's end, stands before it on its line. */
static bool begins_line(const char *text, const char *at) {
    while (at > text && at[-1] != '\n' && isspace((unsigned char)at[-1]))
        at--;
    return at == text || at[-1] == '\n' || (at - text >= 2 && at[-1] == '/' && at[-2] == '*');
}

/* `#line 7 "file"`, also with letters of `line` on two lines, or `# 7 "file"`. */
static bool is_line_directive(const char *text, const char *at) {
    static const char word[] = "line";
    size_t sign = 2;
    if (*at == '#') sign = 1;
    if (!begins_line(text, at)) return false;
    at = skip_within_directive(at + sign);
    if (isdigit((unsigned char)*at)) return true;
    for (const char *letter = word; *letter != '\0'; letter++) {
        if (*at != *letter) return false;
        at = skip_within_directive(at + 1);
    }
    return true;
}

/* `##`, which makes one word of two, but in `, ##__VA_ARGS__`, where it only takes the comma away. */
static bool is_pasting(const char *text, const char *at) {
    static const char harmless[] = "__VA_ARGS__";
    if (strncmp(at, "##", 2) != 0 && strncmp(at, "%:%:", 4) != 0) return false;
    const char *before = at;
    while (before > text && (before[-1] == ' ' || before[-1] == '\t'))
        before--;
    if (before == text || before[-1] != ',') return true;
    at = skip_within_directive(at + (*at == '#' ? 2 : 4));
    return strncmp(at, harmless, sizeof harmless - 1) != 0;
}

bool source_forges_lines(const char *text) {
    static const char *const words[] = {"asm", "__asm", "__asm__", "__CONCAT", "__cudaRegisterFatBinary"};
    for (const char *at = text; *at != '\0'; at++) {
        const bool sign = *at == '#' || (at[0] == '%' && at[1] == ':');
        if (sign && (is_line_directive(text, at) || is_pasting(text, at))) return true;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            const size_t length = strlen(words[i]);
            const bool whole = at == text || !is_word(at[-1]);
            if (whole && strncmp(at, words[i], length) == 0 && !is_word(at[length])) return true;
        }
    }
    return false;
}
