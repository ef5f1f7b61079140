/* revision.c - hashes of what judges; see revision.h. */
#include "grading/run/revision.h"

#include "autograder/commands/commands.h"
#include "autograder/sandbox/child.h"
#include "base/hash.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

enum { REVISION_DIGITS = 16, TOOLS_DIGITS = 8 };

/* Adds name and hash of each file that fits the pattern, in the order of their names. */
static bool add_files(Text *text, const char *folder, const char *pattern, Diagnostics *diagnostics) {
    Text path = text_new();
    glob_t found;
    text_format(&path, "%s/%s", folder, pattern);
    bool fine = true;
    int status = glob(path.bytes, GLOB_BRACE, NULL, &found);
    for (size_t i = 0; status == 0 && i < found.gl_pathc && fine; i++) {
        char hex[HASH_HEX];
        fine = hash_file(found.gl_pathv[i], hex);
        if (fine)
            text_format(text, "%s %s\n", found.gl_pathv[i] + strlen(folder), hex);
        else
            diag_add(diagnostics, DIAG_ERROR, found.gl_pathv[i], 0, 0, "cannot read what judges: %s",
                     strerror(errno));
    }
    if (status == 0) globfree(&found);
    text_free(&path);
    return fine;
}

static const char *hash_text(Text *text, int digits, Arena *arena) {
    char hex[HASH_HEX];
    hash_bytes(text->bytes, text->length, hex);
    const char *hash = NULL;
    if (!text->failed) hash = arena_format(arena, "%.*s", digits, hex);
    text_free(text);
    return hash;
}

const char *revision_of_lesson(const Course *course, const Lesson *lesson, Arena *arena,
                               Diagnostics *diagnostics) {
    Text text = text_new();
    const char *common = arena_format(arena, "%s/lessons/common", course->root);
    bool fine = common != NULL &&
                add_files(&text, lesson->folder, "{*.yaml,*.cu,*.c,*.h,*.def}", diagnostics) &&
                add_files(&text, common, "{*.c,*.h,*.def}", diagnostics);
    const char *hash = hash_text(&text, REVISION_DIGITS, arena);
    if (fine) return hash;
    return NULL;
}

/* What the clang says of itself that warpcc uses, with the PATH that it has in the sandbox: the second line,
 * since the first has warpcc's own version, which the hash of its file says better. */
static const char *compiler_version(const Course *course, Arena *arena) {
    enum { PATIENCE_SECONDS = 20 };
    const char *warpcc = arena_format(arena, "%s/bin/warpcc", course->build);
    if (warpcc == NULL) return NULL;
    Text said = text_new();
    const int status =
        child_ask((const char *const[]){warpcc, "--version", NULL},
                  (const char *const[]){"PATH=/usr/bin", NULL}, (double)PATIENCE_SECONDS, &said);
    const char *second = strchr(said.bytes, '\n');
    const char *line = "unknown compiler";
    if (status == 0 && second != NULL) line = arena_copy(arena, second + 1, strcspn(second + 1, "\n"));
    text_free(&said);
    return line;
}

const char *revision_of_tools(const Course *course, Arena *arena, Diagnostics *diagnostics) {
    Text text = text_new();
    bool fine = add_files(&text, course->build,
                          "{bin/warpgrind,bin/warpcc,lib/libcudart.so,lib/libdriver.a,lib/"
                          "libautograder.a,lib/libbase.a,lib/link.sh}",
                          diagnostics);
    const char *hash = hash_text(&text, TOOLS_DIGITS, arena), *compiler = compiler_version(course, arena);
    if (!fine || hash == NULL || compiler == NULL) return NULL;
    return arena_format(arena, "warpschool %s (%s), %s", WARPSCHOOL_VERSION, hash, compiler);
}
