/* tool.c - see tool.h. The tools read hostile text, so they run locked in like git (locked.h); their file
 * names are ours. */
#include "grading/similarity/tool.h"

#include "autograder/advise.h"

#include "grading/intake/locked.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The shortest run that counts: less than half of what the tools take, since a lesson's own part may have
 * three lines. */
#define CODE_RUN "12"
#define WORDS_RUN "5"
enum {
    MEMORY_MIB = 4096,
    MOST_OUTPUT = 256 << 20,
    SECONDS = 60,
    PAIRS_PER_SECOND = 500, /* the tools compare some 5,000 pairs a second */
    MANY = 500              /* from so many programs on, pairs that are less than half alike are left out */
};

static bool refuse(Diagnostics *diagnostics, const char *what, const char *why, const char *remedy) {
    return advise(diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "%s: %s", what, why), remedy);
}

static void name_file(const ToolFolder *folder, size_t number, char *path, size_t room) {
    snprintf(path, room, "%s/%06zu", folder->path, number);
}

/* The programs lie in a folder under numbers, so that no name of theirs reaches the tool. */
bool tool_open(ToolFolder *folder, const Alike *alike, bool without_sandbox, Diagnostics *diagnostics) {
    const char *place = getenv("TMPDIR");
    if (place == NULL || place[0] != '/') place = "/tmp";
    *folder = (ToolFolder){.count = alike->count, .without_sandbox = without_sandbox};
    int length = snprintf(folder->path, sizeof folder->path, "%s/warpschool-alike-XXXXXX", place);
    if (length >= (int)sizeof folder->path || mkdtemp(folder->path) == NULL) {
        folder->path[0] = '\0';
        return refuse(diagnostics, "cannot make a folder for the comparison", strerror(errno),
                      "set TMPDIR to a folder that can be written");
    }
    for (size_t i = 0; i < alike->count; i++) {
        char path[600];
        name_file(folder, i, path, sizeof path);
        if (!text_write_file(path, alike->programs[i].own, strlen(alike->programs[i].own)))
            return refuse(diagnostics, "cannot write the programs to compare", strerror(errno),
                          "set TMPDIR to a folder with room");
    }
    return true;
}

void tool_close(const ToolFolder *folder) {
    if (folder->path[0] == '\0') return;
    for (size_t i = 0; i < folder->count; i++) {
        char path[600];
        name_file(folder, i, path, sizeof path);
        unlink(path);
    }
    rmdir(folder->path);
}

/* The tool reads what students wrote, and so runs locked in. */
static bool run(const ToolFolder *folder, const char *const *argv, int seconds, Text *out,
                Diagnostics *diagnostics) {
    Text why;
    text_init(&why);
    LockedEnd end = locked_run(&(LockedTool){.argv = argv,
                                             .folder = folder->path,
                                             .seconds = seconds,
                                             .memory_mib = MEMORY_MIB,
                                             .most_output = MOST_OUTPUT,
                                             .open = folder->without_sandbox},
                               out, &why);
    why.bytes[strcspn(why.bytes, "\n")] = '\0';
    if (end == LOCKED_FORBIDDEN)
        refuse(diagnostics, "similarity-tester could not be run in a sandbox", why.bytes,
               "make doctor says what is missing; --allow-weak-sandbox runs it without one");
    if (end == LOCKED_FAILED)
        refuse(diagnostics, "similarity-tester failed", why.bytes,
               "see whether it is installed: make doctor");
    if (end == LOCKED_OVER)
        refuse(diagnostics, "similarity-tester", "the programs are too many or too long to compare",
               "compare a part of the class");
    text_free(&why);
    return end == LOCKED_FINE;
}

/* The shell spells out the file names, in order. */
bool tool_share(const ToolFolder *folder, bool words, Text *out, Diagnostics *diagnostics) {
    char line[128];
    size_t seconds = SECONDS + folder->count * folder->count / PAIRS_PER_SECOND;
    const char *tool = words ? "/usr/bin/sim_text -r " WORDS_RUN : "/usr/bin/sim_c -r " CODE_RUN;
    int threshold = folder->count > MANY ? 50 : 20;
    snprintf(line, sizeof line, "exec %s -e -s -p -T -t %d [0-9]*", tool, threshold);
    const char *const argv[] = {"/bin/sh", "-c", line, NULL};
    return run(folder, argv, (int)seconds, out, diagnostics);
}

bool tool_compare(const ToolFolder *folder, size_t first, size_t second, Text *out,
                  Diagnostics *diagnostics) {
    char names[2][16];
    snprintf(names[0], sizeof names[0], "%06zu", first);
    snprintf(names[1], sizeof names[1], "%06zu", second);
    const char *const argv[] = {"/usr/bin/sim_c", "-e",     "-s",     "-n", "-T", "-r",
                                CODE_RUN,         names[0], names[1], NULL};
    return run(folder, argv, SECONDS, out, diagnostics);
}
