/* includes.c - what a source includes before it says anything else.
 *
 * Only there does a precompiled header give what the text would: nothing that the program defines came before
 * it. So this reads comments, #include, #pragma once and guards, follows the program's own headers, and stops
 * at whatever else comes, as it does at what it does not understand.
 */
#include "warpcc/warpcc.h"

#include <string.h>
#include <sys/stat.h>

enum {
    LARGEST_SOURCE = 16 << 20,
    MOST_FILES = 64, /* of the program that are looked into */
    DEEPEST = 16
};

typedef struct Leading {
    Arena *arena;
    const Arguments *options;
    const char *files[MOST_FILES]; /* each once */
    size_t count;
    int depth;
    unsigned found;
    bool over; /* something else came */
} Leading;

/* The value of an option -I, which may stand in the next argument; NULL when item `i` is another option. */
static const char *folder_of(const Arguments *options, size_t *i) {
    const char *option = options->items[*i];
    if (!text_starts_with(option, "-I")) return NULL;
    if (option[2]) return option + 2;
    if (*i + 1 < options->count) return options->items[++*i];
    return NULL;
}

static bool is_file(const char *path) {
    struct stat info;
    return path && stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* Where the preprocessor would find the header: beside the file for quotes, then in the folders of -I.
 * System folders are not searched, since nothing in them is the program's. */
const char *includes_find(Arena *arena, const Arguments *options, const char *from, const char *name,
                          size_t length) {
    bool quoted = name[-1] == '"';
    const char *slash = strrchr(from, '/');
    int folder = 0;
    if (slash) folder = (int)(slash - from + 1);
    const char *path = arena_format(arena, "%.*s%.*s", folder, from, (int)length, name);
    if (quoted && is_file(path)) return path;
    for (size_t i = 0; i < options->count; i++) {
        const char *given = folder_of(options, &i);
        if (!given) continue;
        path = arena_format(arena, "%s/%.*s", given, (int)length, name);
        if (is_file(path)) return path;
    }
    return NULL;
}

/* ---- the text ---- */

static const char *line_end(const char *at) {
    at += strcspn(at, "\n");
    while (*at && at[-1] == '\\')
        at += 1 + strcspn(at + 1, "\n");
    return at;
}

/* Past blanks, empty lines and comments. */
static const char *nothing_skip(const char *at) {
    for (;;) {
        at += strspn(at, " \t\r\n\v\f");
        if (text_starts_with(at, "//")) {
            at = line_end(at);
        } else if (text_starts_with(at, "/*")) {
            const char *end = strstr(at + 2, "*/");
            if (!end) return at + strlen(at);
            at = end + 2;
        } else {
            return at;
        }
    }
}

/* What follows `# word` at `at`, or NULL. */
static const char *directive_read(const char *at, const char *word) {
    if (*at != '#') return NULL;
    at += 1 + strspn(at + 1, " \t");
    size_t length = strlen(word);
    if (!text_starts_with(at, word) || !strchr(" \t\"<\r\n", at[length])) return NULL;
    return at + length + strspn(at + length, " \t");
}

static size_t word_length(const char *at) {
    return strcspn(at, " \t\r\n/");
}

/* `#ifndef NAME` and `#define NAME` as a header's first words: past them, or `at`. */
static const char *guard_skip(const char *at) {
    const char *name = directive_read(at, "ifndef");
    if (!name) return at;
    size_t length = word_length(name);
    const char *defined = directive_read(nothing_skip(name + length), "define");
    if (!defined || strncmp(name, defined, length) != 0 || word_length(defined) != length) return at;
    const char *rest = defined + length;
    if (rest[strspn(rest, " \t\r")] == '\n') return rest;
    return at;
}

/* ---- the walk ---- */

/* The headers that there are precompiled forms of. */
static unsigned include_of(const char *name, size_t length) {
    static const struct {
        const char *name;
        unsigned include;
    } known[] = {{"stdio.h", INCLUDE_STDIO},
                 {"cstdio", INCLUDE_STDIO},
                 {"vector", INCLUDE_VECTOR},
                 {"iostream", INCLUDE_IOSTREAM},
                 {"mma.h", INCLUDE_MMA}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strlen(known[i].name) == length && strncmp(name, known[i].name, length) == 0)
            return known[i].include;
    return 0;
}

static void leading_read_file(Leading *leading, const char *path);

/* `at` stands on the bracket or quote. */
static void leading_include(Leading *leading, const char *path, const char *at) {
    size_t length = strcspn(at + 1, "\">\n");
    leading->over = (*at != '"' && *at != '<') || at[1 + length] != (*at == '<' ? '>' : '"');
    if (leading->over) return;
    const char *own = includes_find(leading->arena, leading->options, path, at + 1, length);
    if (own)
        leading_read_file(leading, own);
    else
        leading->found |= include_of(at + 1, length);
}

/* Only what stands before the first code may be precompiled: includes, #pragma once and an include
 * guard. */
static void leading_read(Leading *leading, const char *path, const char *text) {
    const char *first = nothing_skip(text);
    const char *at = nothing_skip(guard_skip(first));
    bool guarded = at != first;
    while (*at && !leading->over) {
        const char *name = directive_read(at, "include");
        const char *pragma = directive_read(at, "pragma");
        if (name)
            leading_include(leading, path, name);
        else if (guarded && directive_read(at, "endif"))
            guarded = false;
        else if (!pragma || !text_starts_with(pragma, "once"))
            leading->over = true;
        at = nothing_skip(line_end(at));
    }
}

static bool leading_knows(const Leading *leading, const char *path) {
    for (size_t i = 0; i < leading->count; i++)
        if (strcmp(leading->files[i], path) == 0) return true;
    return false;
}

/* LIMIT: MOST_FILES and DEEPEST, since headers may include each other for ever; what is beyond ends the
 * search, and the file is compiled without a precompiled header. */
static void leading_read_file(Leading *leading, const char *path) {
    if (leading_knows(leading, path)) return;
    Text text = text_new();
    bool may = leading->count < MOST_FILES && leading->depth < DEEPEST;
    if (may && text_read_file(&text, path, LARGEST_SOURCE)) {
        leading->files[leading->count++] = path;
        leading->depth++;
        leading_read(leading, path, text.bytes);
        leading->depth--;
    } else {
        leading->over = true;
    }
    text_free(&text);
}

bool includes_reserved(const Arguments *options) {
    for (size_t i = 0; i < options->count; i++) {
        const char *option = options->items[i];
        if (!text_starts_with(option, "-D") && !text_starts_with(option, "-U")) continue;
        const char *name;
        if (option[2] || i + 1 == options->count)
            name = option + 2;
        else
            name = options->items[i + 1];
        if (*name == '_') return true;
    }
    return false;
}

/* Folders and warnings; all else may change what a header says. */
static bool options_leave_headers(const Arguments *options) {
    for (size_t i = 0; i < options->count; i++)
        if (!folder_of(options, &i) && !text_starts_with(options->items[i], "-W") &&
            strcmp(options->items[i], "-w") != 0)
            return false;
    return true;
}

unsigned includes_leading(Arena *arena, const char *source, const Arguments *options) {
    Leading leading = {.arena = arena, .options = options};
    if (options_leave_headers(options)) leading_read_file(&leading, source);
    return leading.found;
}
