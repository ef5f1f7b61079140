/* undefined.c - device functions and variables that no file defines, and the first place that asks for each.
 *
 * A compiler leaves them to a linker, and the program would hear of them when it starts. The PTX has them as
 * declarations without a body; a .loc before the first use has the line. Names that are not C++'s belong to
 * the device's own library.
 */
#include "warpcc/warpcc.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Name {
    const char *start;
    size_t length;
} Name;

static const char *line_next(const char *line) {
    const char *end = strchr(line, '\n');
    if (end) return end + 1;
    return NULL;
}

static bool head_is_function(const char *line) {
    return text_starts_with(line, ".visible .func") || text_starts_with(line, ".extern .func") ||
           text_starts_with(line, ".weak .func") || text_starts_with(line, ".func");
}

/* ".weak .func (.param .b32 result) name(": behind the value that the function returns, if any. */
static Name head_name(const char *head) {
    static const char FUNCTION[] = ".func";
    const char *name = strstr(head, FUNCTION) + strlen(FUNCTION);
    name += strspn(name, " \t");
    if (*name == '(') name += strcspn(name, ")\n");
    name += strspn(name, ") \t");
    return (Name){name, strcspn(name, " \t\n(;")};
}

/* Behind the parameters of a function comes its body, or a semicolon. */
static bool head_has_body(const char *line) {
    while ((line = line_next(line)))
        if (*line == '{' || *line == ';' || head_is_function(line)) return *line == '{';
    return false;
}

static bool same(Name a, Name b) {
    return a.length == b.length && memcmp(a.start, b.start, a.length) == 0;
}

static bool function_is_defined(const char *ptx, Name name) {
    for (const char *line = ptx; line; line = line_next(line))
        if (head_is_function(line) && same(head_name(line), name) && head_has_body(line)) return true;
    return false;
}

/* The variable of ".extern .global .align 4 .b8 table[16];"; length 0 for other lines. */
static Name variable_undefined(const char *line) {
    if (!text_starts_with(line, ".extern .global") && !text_starts_with(line, ".extern .const"))
        return (Name){line, 0};
    size_t end = strcspn(line, ";[\n"), start = end;
    while (start > 0 && line[start - 1] != ' ')
        start--;
    return (Name){line + start, end - start};
}

static bool name_is_used_at(const char *found, Name name) {
    const char *after = found + name.length;
    return (found[-1] == '\t' || found[-1] == ' ') && strchr(",;+] \n", *after) != NULL;
}

/* The first use inside a body: those begin with a tab, unlike heads and variables. */
static const char *first_use(const char *ptx, Name name) {
    const char *at = ptx, *end = ptx + strlen(ptx);
    while (at && (at = memmem(at, (size_t)(end - at), name.start, name.length))) {
        const char *line = at;
        while (line > ptx && line[-1] != '\n')
            line--;
        if (*line == '\t' && name_is_used_at(at, name)) return at;
        at++;
    }
    return NULL;
}

/* The directive ".file N" that numbers a source file. */
static const char *file_find(const char *ptx, long number) {
    for (const char *line = ptx; line; line = line_next(line)) {
        const char *word = line + strspn(line, " \t");
        if (text_starts_with(word, ".file") && strtol(word + strlen(".file"), NULL, 10) == number)
            return word;
    }
    return NULL;
}

/* "dir" "name" of a .file directive as one path, the folder left out where it is the current one. */
static const char *file_path(Arena *arena, const char *directive) {
    const char *quote = strchr(directive, '"');
    if (!quote) return NULL;
    const char *directory = quote + 1;
    int length = (int)strcspn(directory, "\"\n");
    const char *name = strchr(directory + length + 1, '"');
    bool two = name && name < directive + strcspn(directive, "\n");
    int name_length = 0;
    if (two) name_length = (int)strcspn(name + 1, "\"\n");
    const char *path = arena_format(arena, "%.*s", length, directory);
    if (two && name[1] == '/') path = arena_format(arena, "%.*s", name_length, name + 1);
    if (two && name[1] != '/')
        path = arena_format(arena, "%.*s/%.*s", length, directory, name_length, name + 1);
    char here[PATH_MAX];
    if (!path || !getcwd(here, sizeof here)) return path;
    size_t above = strlen(here);
    if (strncmp(path, here, above) == 0 && path[above] == '/') return path + above + 1;
    return path;
}

/* The .loc in force at a use; false when there is none in its function. */
static bool place_find(Arena *arena, const char *ptx, const char *use, const char **file, int *line,
                       int *column) {
    for (const char *at = use; at > ptx; at--) {
        if (at[0] == '\n' && at[1] == '{') return false;
        if (*at != '.' || !text_starts_with(at, ".loc")) continue;
        char *rest;
        const char *directive = file_find(ptx, strtol(at + strlen(".loc"), &rest, 10));
        if (directive)
            *file = file_path(arena, directive);
        else
            *file = NULL;
        *line = (int)strtol(rest, &rest, 10);
        *column = (int)strtol(rest, &rest, 10);
        return *file != NULL;
    }
    return false;
}

/* "f" of "_Z1fi"; scoped names are left as they are. */
static Name name_plain(Name name) {
    if (name.length < 4 || memcmp(name.start, "_Z", 2) != 0) return name;
    char *rest;
    unsigned long length = strtoul(name.start + 2, &rest, 10);
    size_t left = name.length - (size_t)(rest - name.start);
    return length > 0 && length <= left ? (Name){rest, length} : name;
}

/* The place is that of the first use; a name that nobody uses is no problem. */
static void undefined_report(const char *ptx, Name name, const char *what, bool whole,
                             Diagnostics *diagnostics) {
    const char *use = first_use(ptx, name), *file = NULL;
    if (!use) return;
    int line = 0, column = 0;
    place_find(diagnostics->arena, ptx, use, &file, &line, &column);
    Name plain = name_plain(name);
    Diagnostic *d = diag_add(diagnostics, DIAG_ERROR, file, line, column,
                             "no file defines the device %s %.*s", what, (int)plain.length, plain.start);
    if (d)
        d->remedy = whole ? "name the file or the object that defines it as well"
                          : "define it in this file or in a header; if another file defines it, compile "
                            "all of them with -rdc=true";
}

/* Of functions only those with C++'s names are asked for: others belong to the device's own library. */
bool undefined_check(const char *ptx, bool whole, Diagnostics *diagnostics) {
    int before = diagnostics->errors;
    for (const char *line = ptx; line; line = line_next(line)) {
        Name variable = variable_undefined(line);
        if (variable.length > 0) undefined_report(ptx, variable, "variable", whole, diagnostics);
        if (!head_is_function(line)) continue;
        Name name = head_name(line);
        if (name.length < 3 || memcmp(name.start, "_Z", 2) != 0 || head_has_body(line)) continue;
        if (!function_is_defined(ptx, name)) undefined_report(ptx, name, "function", whole, diagnostics);
    }
    return diagnostics->errors == before;
}
