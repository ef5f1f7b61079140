/* precompiled.c - precompiled headers: the table, which of them a source gets, and how they are made.
 *
 * They lie in include/precompiled, one for each row of precompiled.def and each side. They are only a
 * speed-up: warpcc does without one that is not there.
 */
#include "warpcc/warpcc.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_HEADERS = 3 };

typedef struct PrecompiledRow {
    const char *name;
    Libraries libraries;
    unsigned includes;
    const char *headers[MOST_HEADERS + 1];
} PrecompiledRow;

static const PrecompiledRow ROWS[] = {
#define PRECOMPILED(name, libraries, includes, ...) {name, libraries, includes, {__VA_ARGS__}},
#include "warpcc/precompiled.def"
};
enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

/* Size and time of the compiler are in the name: a header made by another one is not even tried. */
static const char *header_path(const Build *build, const PrecompiledRow *row, PrecompiledSide side) {
    static const char *const sides[PRECOMPILED_SIDES] = {"device", "optimised", "host"};
    struct stat info;
    if (stat(build->tools->clang, &info) != 0) return NULL;
    return arena_format(build->arena, "%s/precompiled/%s%s-%llx-%llx.pch", build->tools->include_dir,
                        sides[side], row->name, (unsigned long long)info.st_size,
                        (unsigned long long)info.st_mtime);
}

const char *precompiled_find(const Build *build, PrecompiledSide side, Libraries libraries,
                             unsigned includes) {
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (ROWS[i].libraries != libraries || (ROWS[i].includes & ~includes)) continue;
        const char *path = header_path(build, &ROWS[i], side);
        if (path && access(path, R_OK) == 0) return path;
    }
    return NULL;
}

/* ---- making them ---- */

/* One on the way: under another name first, since a reader must never see half of one. */
typedef struct Draft {
    Job job;
    const char *path, *draft;
    bool started;
} Draft;

static void draft_start(const Build *build, Draft *draft, const PrecompiledRow *row, PrecompiledSide side) {
    *draft = (Draft){.path = header_path(build, row, side)};
    draft->draft = arena_format(build->arena, "%s.%ld", text_or(draft->path, ""), (long)getpid());
    Arguments command;
    command_precompile(build, &command, side, row->libraries);
    arguments_add_list(&command, (const char *const[]){"-include", "cuda_runtime.h", NULL});
    for (const char *const *header = row->headers; *header; header++)
        arguments_add_list(&command, (const char *const[]){"-include", *header, NULL});
    /* Without it, every compilation instantiates again what <cmath> has begun: 35 ms each. */
    arguments_add_list(&command, (const char *const[]){"-fpch-instantiate-templates", "-w", "-Xclang",
                                                       "-emit-pch", "-o", NULL});
    arguments_add(&command, draft->path ? draft->draft : NULL);
    arguments_add(&command,
                  arena_format(build->arena, "%s/warpgrind/precompiled.h", build->tools->include_dir));
    draft->started = job_start(&draft->job, &command);
}

/* Works as it is, too, and so does a draft that cannot be read again: it is only slower. */
static void draft_trim(const Draft *draft) {
    enum { LARGEST = 256 << 20 };
    Text header = text_new();
    if (text_read_file(&header, draft->draft, LARGEST) && precompiled_trim(&header))
        text_write_file(draft->draft, header.bytes, header.length);
    text_free(&header);
}

static int draft_end(const Build *build, Draft *draft) {
    if (draft->started) job_wait(&draft->job);
    text_add(build->messages, draft->job.text.bytes);
    bool made = draft->started && draft->job.status == 0;
    job_free(&draft->job);
    if (made) draft_trim(draft);
    if (made && rename(draft->draft, draft->path) == 0) return EXIT_FINE;
    if (draft->started && !made) return EXIT_FOUND;
    diag_add(build->diagnostics, DIAG_ERROR, NULL, 0, 0, "precompiled header: %s", strerror(errno));
    return EXIT_INTERNAL;
}

/* The sides of a row are made side by side. */
static int row_make(const Build *build, const PrecompiledRow *row) {
    Draft drafts[PRECOMPILED_SIDES];
    int status = EXIT_FINE;
    for (int side = 0; side < PRECOMPILED_SIDES; side++)
        draft_start(build, &drafts[side], row, (PrecompiledSide)side);
    for (int side = 0; side < PRECOMPILED_SIDES; side++) {
        int ended = draft_end(build, &drafts[side]);
        if (status == EXIT_FINE) status = ended;
    }
    return status;
}

/* The folder is no part of an installation: what is in it fits one compiler. */
int precompiled_make(const Build *build) {
    const char *folder = arena_format(build->arena, "%s/precompiled", build->tools->include_dir);
    if (folder != NULL && mkdir(folder, 0755) != 0 && errno != EEXIST) {
        diag_add_errno(build->diagnostics, folder, "cannot make the folder of precompiled headers");
        return EXIT_INTERNAL;
    }
    int status = EXIT_FINE;
    for (size_t i = 0; i < ROW_COUNT && status == EXIT_FINE; i++)
        if (ROWS[i].libraries != LIBRARIES_CUB || libraries_have_cub()) status = row_make(build, &ROWS[i]);
    return status;
}
