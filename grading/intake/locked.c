/* locked.c - a plan of sandbox.h for a tool and a folder; see locked.h. */
#include "grading/intake/locked.h"

#include "autograder/sandbox/sandbox.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>

enum { MOST_WORDS = 64, FILE_MIB = 64, OPEN_FILES = 256 };
/* What comes first in the output: without it the sandbox failed, and the tool never began. */
static const char started[] = "\001started\n";

static LockedEnd read_end(const Child *child, bool in_time, Text *out, Text *why) {
    size_t mark = strlen(started);
    const Text *said = &child->streams[0];
    text_add_visible(why, child->streams[1].bytes, child->streams[1].length);
    if (said->length < mark || memcmp(said->bytes, started, mark) != 0) return LOCKED_FORBIDDEN;
    if (!in_time || child->dropped > 0) return LOCKED_OVER;
    text_append(out, said->bytes + mark, said->length - mark);
    if (WIFEXITED(child->status) && WEXITSTATUS(child->status) == 0) return LOCKED_FINE;
    return LOCKED_FAILED;
}

/* The tool sees its own folder and nothing else of the disk, unless --allow-weak-sandbox says that it may run
 * without a sandbox. */
static bool start(Child *child, const LockedTool *tool, const char *const *argv) {
    const Stage outside = {.open = true, .folder = "", .user = (uid_t)-1};
    const SandboxBind binds[] = {{tool->folder, LOCKED_FOLDER, false, false}, {NULL, NULL, false, false}};
    const SandboxPlan plan = {.argv = argv,
                              .hidden = "",
                              .binds = binds,
                              .environment = tool->environment,
                              .folder = LOCKED_FOLDER,
                              .filter = FILTER_FOR_COMPILER,
                              .limits = {.cpu_seconds = tool->seconds,
                                         .memory_mib = tool->memory_mib,
                                         .file_mib = FILE_MIB,
                                         .files = OPEN_FILES},
                              .extra_fd = -1,
                              .capture_limit = tool->most_output,
                              .flood_limit = 1};
    if (tool->open) return sandbox_start(child, &outside, &plan);
    return sandbox_start_alone(child, &plan);
}

/* A shell says "started" before it becomes the tool: without that the sandbox did not come up, and the tool
 * was never there. */
LockedEnd locked_run(const LockedTool *tool, Text *out, Text *why) {
    const char *argv[MOST_WORDS] = {"/bin/sh", "-c", "printf '\\001started\\n'; exec \"$@\"", "sh"};
    size_t count = 4;
    for (const char *const *word = tool->argv; *word != NULL; word++) {
        if (count + 1 >= MOST_WORDS) BUG("a tool with more than %d words", (int)MOST_WORDS);
        argv[count++] = *word;
    }
    Child child, *const children[] = {&child};
    if (!start(&child, tool, argv)) {
        text_add(why, strerror(errno));
        return LOCKED_FORBIDDEN;
    }
    child_watch(children, 1, child_now() + tool->seconds);
    bool in_time = child.ended;
    child_kill(&child);
    LockedEnd end = read_end(&child, in_time, out, why);
    child_free(&child);
    return end;
}
