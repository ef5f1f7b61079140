/* libraries.c - what a source takes from CUB, Thrust and libcu++, which Debian packages.
 *
 * They need two things that other sources had better not have: leave to declare variadic device functions (by
 * which libcu++ overloads, and which no kernel can call), and copies of some headers, corrected
 * (libcudacxx.sh), or telling of calls (cub.sh). CUB takes clang seconds to read, so it has precompiled
 * headers of its own.
 */
#include "warpcc/warpcc.h"

#include <string.h>
#include <unistd.h>

static const char *blanks_skip(const char *at) {
    return at + strspn(at, " \t");
}

/* What follows `#word` in this line, or NULL. */
static const char *directive_read(const char *line, const char *word) {
    line = blanks_skip(line);
    if (*line != '#') return NULL;
    line = blanks_skip(line + 1);
    if (text_starts_with(line, word)) return blanks_skip(line + strlen(word));
    return NULL;
}

static bool is_setting(const char *name) {
    return text_starts_with(name, "CUB_") || text_starts_with(name, "THRUST_");
}

/* A setting changes what the headers say, so that precompiled ones do not fit. */
static bool has_settings(const Arguments *options) {
    for (size_t i = 0; i < options->count; i++) {
        const char *name = options->items[i];
        if (is_setting(text_starts_with(name, "-D") ? name + strlen("-D") : name)) return true;
    }
    return false;
}

/* A look at the includes of the source, without a preprocessor: enough to choose headers by, as a wrong
 * guess costs time and nothing else. A setting before cub.cuh would change what it means, so then it is not
 * precompiled. */
Libraries libraries_find(const char *source, const Arguments *options) {
    static const char *const folders[] = {"cub/", "thrust/", "cuda/", "nv/"};
    Libraries found = LIBRARIES_NONE;
    bool settings = has_settings(options), whole_cub = false;
    for (const char *line = source; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *name = directive_read(line, "define");
        settings |= name && is_setting(name);
        name = directive_read(line, "include");
        if (!name || (*name != '<' && *name != '"')) continue;
        whole_cub |= text_starts_with(name, "<cub/cub.cuh>");
        for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
            if (text_starts_with(name + 1, folders[i])) found = LIBRARIES_SOME;
    }
    if (whole_cub && !settings) return LIBRARIES_CUB;
    return found;
}

/* A word and the bracket of its arguments. */
static bool template_find(const char *source, const char *name) {
    size_t length = strlen(name);
    for (const char *at = source; (at = strstr(at, name)); at += length)
        if (at[length + strspn(at + length, " \t")] == '<' &&
            (at == source || !strchr("_abcdefghijklmnopqrstuvwxyz", at[-1])))
            return true;
    return false;
}

bool references_find(const char *source) {
    return template_find(source, "texture") || template_find(source, "surface");
}

bool references_missed(const char *said) {
    return strstr(said, "no template named 'texture'") || strstr(said, "no template named 'surface'");
}

bool libraries_missed(const char *said) {
    return strstr(said, "does not support variadic functions") && strstr(said, "/cuda/std/");
}

bool libraries_have_cub(void) {
    return access("/usr/include/cub/cub.cuh", R_OK) == 0;
}

/* The copies are those of the system that built this. Copies of one version fit none of another's headers,
 * which clang takes as far as it can without. */
static bool copies_fit(Arena *arena, const char *folder, const char *original) {
    Text made_from = text_new(), here = text_new();
    bool fit = text_read_file(&made_from, arena_format(arena, "%s/made-from", folder), SIZE_MAX) &&
               text_read_file(&here, original, SIZE_MAX) && made_from.length == here.length &&
               memcmp(made_from.bytes, here.bytes, here.length) == 0;
    text_free(&made_from);
    text_free(&here);
    return fit;
}

/* Beside our headers, each with the header that tells its version. */
static const struct {
    const char *folder, *original;
} copied[] = {{"libcudacxx", "/usr/include/cuda/std/detail/libcxx/include/__config"},
              {"libcub", "/usr/include/cub/version.cuh"}};

void libraries_add(const Toolchain *tools, Arguments *command) {
    arguments_add_list(command, (const char *const[]){"-Xclang", "-fcuda-allow-variadic-functions", NULL});
    for (size_t i = 0; i < sizeof copied / sizeof copied[0]; i++) {
        const char *copies = arena_format(command->arena, "%s/%s", tools->include_dir, copied[i].folder);
        const char *overlay = arena_format(command->arena, "%s/overlay.yaml", copies);
        if (overlay && access(overlay, R_OK) == 0 && copies_fit(command->arena, copies, copied[i].original))
            arguments_add_list(command, (const char *const[]){"-ivfsoverlay", overlay, NULL});
    }
}
