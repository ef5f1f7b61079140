/* main.c - warpcc: compiles CUDA C/C++ for the software GPU. The steps are in build.c. */
#include "base/version.h"
#include "warpcc/warpcc.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void folder_remove(const char *folder) {
    DIR *directory = opendir(folder);
    if (!directory) return;
    struct dirent *entry;
    while ((entry = readdir(directory)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlinkat(dirfd(directory), entry->d_name, 0);
    closedir(directory);
    rmdir(folder);
}

static char *folder_make(Arena *arena) {
    const char *place = getenv("TMPDIR");
    char *folder = arena_format(arena, "%s/warpcc-XXXXXX", place && *place ? place : "/tmp");
    if (folder && mkdtemp(folder)) return folder;
    return NULL;
}

/* All intermediate files lie in one folder, which goes whatever happens. */
static int build_in_folder(Build *build) {
    char *folder = folder_make(build->arena);
    if (!folder) {
        diag_add(build->diagnostics, DIAG_ERROR, NULL, 0, 0, "cannot make a temporary folder: %s",
                 strerror(errno));
        return EXIT_INTERNAL;
    }
    build->folder = folder;
    int status;
    if (build->request->use_nvcc)
        status = build_run_nvcc(build);
    else
        status = build_run(build);
    folder_remove(folder);
    return status;
}

/* Help was asked for, so it is the command's output and not a message about it. */
static int help_print(void) {
    Text help = text_new();
    request_help(&help);
    bool printed = fputs(help.bytes, stdout) >= 0 && fflush(stdout) == 0;
    text_free(&help);
    if (printed) return EXIT_FINE;
    return EXIT_INTERNAL;
}

/* The compiler decides what warpcc makes of a program as much as warpcc does: its own version follows ours.
 */
static int version_print(const Toolchain *tools, Diagnostics *diagnostics) {
    puts("warpcc " WARPGRIND_VERSION);
    fflush(stdout);
    execl(tools->clang, tools->clang, "--version", NULL);
    diag_add(diagnostics, DIAG_ERROR, tools->clang, 0, 0, "cannot run it: %s", strerror(errno));
    return EXIT_INTERNAL;
}

/* The whole command: what is asked for, what there is to do it with, and the column of steps in a folder of
 * its own. */
static int warpcc_run(Arena *arena, int argc, char **argv, Diagnostics *diagnostics, Text *messages) {
    Request request;
    Toolchain tools;
    if (!request_parse(&request, arena, argc, argv, diagnostics)) return EXIT_USAGE;
    if (request.help) return help_print();
    if (!toolchain_find(&tools, arena, &request, diagnostics)) return EXIT_INTERNAL;
    if (request.version) return version_print(&tools, diagnostics);
    Build build = {.arena = arena,
                   .request = &request,
                   .tools = &tools,
                   .target = target_choose(request.architecture ? request.architecture : TARGET_USUAL),
                   .diagnostics = diagnostics,
                   .messages = messages};
    if (request.precompile) return precompiled_make(&build);
    return build_in_folder(&build);
}

/* Messages are gathered and printed once, after the folder is gone: compiler's and ours in order. */
int main(int argc, char **argv) {
    Arena *arena = arena_create();
    if (!arena) {
        fputs("warpcc: no memory\n", stderr);
        return EXIT_INTERNAL;
    }
    Diagnostics diagnostics;
    Text messages = text_new();
    diag_init(&diagnostics, arena);
    int status = warpcc_run(arena, argc, argv, &diagnostics, &messages);
    if (diagnostics.errors) text_add(&messages, "warpcc: ");
    diag_render(&diagnostics, &messages, false);
    fputs(messages.bytes, stderr);
    text_free(&messages);
    arena_destroy(arena);
    return status;
}
