/* locked.c - a bubblewrap of its own kind; see locked.h.
 *
 * The sandbox of students' programs (autograder/sandbox.c) starts inside a stage with the toolkit in it, of
 * which these tools need nothing; a folder anywhere on the disk is bound here instead. LIMIT: when root
 * grades, the tool's user outside is root, since nobody else may be able to reach that folder; it has no
 * capability, and nothing but the folder in sight.
 */
#include "grading/intake/locked.h"

#include "autograder/child.h"
#include "autograder/filter.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 256 };
/* What comes first in the output: without it the sandbox failed, and the tool never began. */
static const char started[] = "\001started\n";

typedef struct Words {
    const char *words[MOST_WORDS];
    size_t count;
    char numbers[128];
} Words;

static void add_all(Words *words, const char *const *more) {
    for (; *more != NULL; more++) {
        if (words->count + 1 >= MOST_WORDS) BUG("a tool with more than %d words", (int)MOST_WORDS);
        words->words[words->count++] = *more;
    }
    words->words[words->count] = NULL;
}

/* On Debian /lib and the others are links into /usr; elsewhere they may be folders. */
static void add_system(Words *words) {
    static const char *const links[][2] = {{"usr/lib", "/lib"}, {"usr/lib64", "/lib64"}, {"usr/bin", "/bin"}};
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        struct stat facts;
        if (lstat(links[i][1], &facts) != 0) continue;
        const char *const as_link[] = {"--symlink", links[i][0], links[i][1], NULL};
        const char *const as_folder[] = {"--ro-bind", links[i][1], links[i][1], NULL};
        add_all(words, S_ISLNK(facts.st_mode) ? as_link : as_folder);
    }
}

static void add_sandbox(Words *words, const LockedTool *tool) {
    static const char *const isolation[] = {"bwrap",
                                            "--unshare-all",
                                            "--unshare-user",
                                            "--uid",
                                            "65534",
                                            "--gid",
                                            "65534",
                                            "--disable-userns",
                                            "--die-with-parent",
                                            "--new-session",
                                            "--clearenv",
                                            "--cap-drop",
                                            "ALL",
                                            "--seccomp",
                                            "3",
                                            "--ro-bind",
                                            "/usr",
                                            "/usr",
                                            "--dev-bind",
                                            "/dev/null",
                                            "/dev/null",
                                            "--size",
                                            "16777216",
                                            "--tmpfs",
                                            "/tmp",
                                            "--setenv",
                                            "PATH",
                                            "/usr/bin",
                                            "--setenv",
                                            "HOME",
                                            "/tmp",
                                            "--setenv",
                                            "LC_ALL",
                                            "C.UTF-8",
                                            NULL};
    add_all(words, isolation);
    add_system(words);
    for (const char *const *pair = tool->environment; pair != NULL && *pair != NULL; pair += 2)
        add_all(words, (const char *const[]){"--setenv", pair[0], pair[1], NULL});
    add_all(words, (const char *const[]){"--ro-bind", tool->folder, LOCKED_FOLDER, "--remount-ro", "/",
                                         "--chdir", LOCKED_FOLDER, "--", NULL});
}

static void add_tool(Words *words, const LockedTool *tool) {
    snprintf(words->numbers, sizeof words->numbers, "--cpu=%d", tool->seconds);
    char *memory = words->numbers + strlen(words->numbers) + 1;
    snprintf(memory, 32, "--as=%ld", tool->memory_mib * 1048576);
    add_all(words, (const char *const[]){"/usr/bin/prlimit", words->numbers, memory, "--nofile=256",
                                         "--core=0", "--", "/bin/sh", "-c",
                                         "printf '\\001started\\n'; exec \"$@\"", "sh", NULL});
    add_all(words, tool->argv);
}

static int make_filter(void) {
    int fd = memfd_create("filter", MFD_CLOEXEC);
    if (fd >= 0 && filter_write_to(fd, FILTER_FOR_COMPILER) && lseek(fd, 0, SEEK_SET) == 0) return fd;
    if (fd >= 0) close(fd);
    return -1;
}

static LockedEnd read_end(const Child *child, bool in_time, Text *out, Text *why) {
    size_t mark = strlen(started);
    const Text *said = &child->streams[0];
    text_add_visible(why, child->streams[1].bytes, child->streams[1].length);
    if (said->length < mark || memcmp(said->bytes, started, mark) != 0) return LOCKED_FORBIDDEN;
    if (!in_time || child->dropped > 0) return LOCKED_OVER;
    text_append(out, said->bytes + mark, said->length - mark);
    return WIFEXITED(child->status) && WEXITSTATUS(child->status) == 0 ? LOCKED_FINE : LOCKED_FAILED;
}

LockedEnd locked_run(const LockedTool *tool, Text *out, Text *why) {
    Words words = {.count = 0};
    Child child, *const children[] = {&child};
    static const char *const environment[] = {"PATH=/usr/bin", "LC_ALL=C.UTF-8", NULL};
    if (!tool->open) add_sandbox(&words, tool);
    add_tool(&words, tool);
    int filter = make_filter();
    if (filter < 0 || !child_start(&child, &(ChildSetup){.argv = words.words,
                                                         .environment = tool->open ? environment : NULL,
                                                         .folder = tool->open ? tool->folder : NULL,
                                                         .extra_fds = {filter, -1},
                                                         .user = (uid_t)-1,
                                                         .capture_limit = tool->most_output,
                                                         .flood_limit = 1})) {
        text_add(why, strerror(errno));
        if (filter >= 0) close(filter);
        return LOCKED_FORBIDDEN;
    }
    close(filter);
    child_watch(children, 1, child_now() + tool->seconds);
    bool in_time = child.ended;
    child_kill(&child);
    LockedEnd end = read_end(&child, in_time, out, why);
    child_free(&child);
    return end;
}
