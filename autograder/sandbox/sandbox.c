/* sandbox.c - the one place that knows bubblewrap; see sandbox.h and docs on the facts behind each option.
 *
 * The limits are set inside by prlimit, behind bubblewrap's own work: the number of processes is then counted
 * in the sandbox's user namespace alone, and bubblewrap itself needs no address space of the program's share.
 */
#include "autograder/sandbox/sandbox.h"

#include "base/diag.h"
#include "base/minmax.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORDS = 256, WORD_BYTES = 8192, SIGNAL_BASE = 128, USUAL_FILES = 64 };

/* A command line that is put together; too many words are our own mistake. */
typedef struct Words {
    const char *words[MOST_WORDS];
    size_t count;
    char bytes[WORD_BYTES]; /* of the words made here */
    size_t used;
} Words;

static void add_all(Words *words, const char *const *all) {
    for (; *all != NULL; all++) {
        if (words->count + 1 >= MOST_WORDS) BUG("a sandbox of more than %d words", (int)MOST_WORDS);
        words->words[words->count++] = *all;
    }
}
#define add(words, ...) add_all((words), (const char *const[]){__VA_ARGS__, NULL})

__attribute__((format(printf, 2, 3))) static void add_format(Words *words, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t room = sizeof words->bytes - words->used;
    int length = vsnprintf(words->bytes + words->used, room, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= room) BUG("the words of a sandbox need more room");
    add(words, words->bytes + words->used);
    words->used += (size_t)length + 1;
}

/* Where /lib and the others are links into /usr they stay links, elsewhere they are folders to bind. */
static void add_system_folder(Words *words, const char *path) {
    struct stat facts;
    char target[256];
    if (lstat(path, &facts) != 0) return;
    if (S_ISDIR(facts.st_mode)) {
        add(words, "--ro-bind", path, path);
        return;
    }
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length <= 0) return;
    target[length] = '\0';
    add(words, "--symlink");
    add_format(words, "%s", target);
    add(words, path);
}

/* bubblewrap's options: new namespaces of every kind, no capabilities, no further user namespaces, an empty
 * environment, and the filter of system calls on descriptor 4. */
static void add_isolation(Words *words) {
    add(words, "bwrap", "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent",
        "--new-session", "--clearenv", "--cap-drop", "ALL", "--hostname", "gpu", "--seccomp", "4");
}

/* bubblewrap's /tmp bounds the bytes in it, and not the number of files. */
static bool has_own_scratch(const SandboxPlan *plan) {
    for (const SandboxBind *bind = plan->binds; bind->from != NULL; bind++)
        if (strcmp(bind->to, "/tmp") == 0) return true;
    return false;
}

static void add_files(Words *words, const SandboxPlan *plan) {
    static const char *const system_folders[] = {"/usr",    "/lib", "/lib64", "/lib32",
                                                 "/libx32", "/bin", "/sbin"};
    for (size_t i = 0; i < sizeof system_folders / sizeof *system_folders; i++)
        add_system_folder(words, system_folders[i]);
    add(words, "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache");
    add(words, "--ro-bind-try", "/etc/alternatives", "/etc/alternatives");
    add(words, "--dev-bind", "/dev/null", "/dev/null");
    if (plan->with_proc) add(words, "--proc", "/proc");
    if (!has_own_scratch(plan)) add(words, "--size", "67108864", "--tmpfs", "/tmp");
    if (text_starts_with(plan->hidden, "/usr/")) add(words, "--tmpfs", plan->hidden);
    for (const SandboxBind *bind = plan->binds; bind->from != NULL; bind++)
        add(words, bind->writable ? "--bind" : "--ro-bind", bind->from, bind->to);
    for (const char *const *node = plan->devices; node != NULL && *node != NULL; node++)
        add(words, "--dev-bind", *node, *node);
    /* The new root is a memory file system without a limit: nothing more is to be made in it. */
    add(words, "--remount-ro", "/");
}

/* A sanitizer's leak check needs ptrace, which the filter refuses. */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZER_ENVIRONMENT "ASAN_OPTIONS", "detect_leaks=0",
#else
#define SANITIZER_ENVIRONMENT
#endif

static void add_environment(Words *words, const SandboxPlan *plan) {
    static const char *const usual[] = {
        "PATH", "/usr/bin", "HOME", "/tmp", "LC_ALL", "C.UTF-8", SANITIZER_ENVIRONMENT NULL};
    for (const char *const *pair = usual; *pair != NULL; pair += 2)
        add(words, "--setenv", pair[0], pair[1]);
    for (const char *const *pair = plan->environment; pair != NULL && *pair != NULL; pair += 2)
        add(words, "--setenv", pair[0], pair[1]);
    add(words, "--chdir", plan->folder);
}

/* What this process may not have itself it cannot let another have (ulimit -v of a cluster). */
static long at_most(__rlimit_resource_t what, long wanted) {
    struct rlimit own;
    if (getrlimit(what, &own) == 0 && own.rlim_max < (rlim_t)wanted) return (long)own.rlim_max;
    return wanted;
}

/* Limits of each process by prlimit; a group's limits (cgroup.h) hold for all of them together. The hard
 * limit of CPU seconds is one more, so that SIGXCPU comes before SIGKILL. */
static void add_limits(Words *words, const SandboxLimits *limits) {
    const long seconds = at_most(RLIMIT_CPU, limits->cpu_seconds + 1);
    add(words, "/usr/bin/prlimit");
    add_format(words, "--cpu=%ld:%ld", MIN(limits->cpu_seconds, seconds), seconds);
    if (limits->memory_mib > 0)
        add_format(words, "--as=%ld", at_most(RLIMIT_AS, limits->memory_mib * 1048576));
    if (limits->processes > 0) add_format(words, "--nproc=%ld", limits->processes);
    add_format(words, "--fsize=%ld", at_most(RLIMIT_FSIZE, limits->file_mib * 1048576));
    add_format(words, "--nofile=%ld",
               at_most(RLIMIT_NOFILE, limits->files > 0 ? limits->files : USUAL_FILES));
    add(words, "--core=0", "--memlock=65536", "--msgqueue=0", "--sigpending=64", "--rtprio=0", "--");
}

/* ---- without a sandbox ---- */

/* The bind below which a path lies: the longest, as the build folder may lie below /tmp. */
static const SandboxBind *bind_above(const SandboxPlan *plan, const char *path) {
    const SandboxBind *longest = NULL;
    for (const SandboxBind *bind = plan->binds; bind->from != NULL; bind++) {
        size_t length = strlen(bind->to);
        if (strncmp(path, bind->to, length) != 0) continue;
        if (path[length] != '/' && path[length] != '\0') continue;
        if (longest == NULL || length > strlen(longest->to)) longest = bind;
    }
    return longest;
}

/* "/object/program" is FOLDER/./object/program when nothing is bound. */
static void add_outside(Words *words, const Stage *stage, const SandboxPlan *plan, const char *word) {
    const SandboxBind *bind = bind_above(plan, word);
    if (bind == NULL || bind->outside)
        add(words, word);
    else
        add_format(words, "%s/%s%s", stage->folder, bind->from, word + strlen(bind->to));
}

/* The number of processes is left alone: it would count all of the user's. */
static bool start_outside(Child *child, const Stage *stage, const SandboxPlan *plan) {
    Words words = {.count = 0}, variables = {.count = 0}, folder = {.count = 0};
    SandboxLimits limits = plan->limits;
    limits.processes = 0;
    add_limits(&words, &limits);
    for (const char *const *word = plan->argv; *word != NULL; word++)
        add_outside(&words, stage, plan, *word);
    words.words[words.count] = NULL;
    add(&variables, "PATH=/usr/bin", "HOME=/tmp", "LC_ALL=C.UTF-8");
    for (const char *const *pair = plan->environment; pair != NULL && *pair != NULL; pair += 2)
        add_format(&variables, "%s=%s", pair[0], pair[1]);
    variables.words[variables.count] = NULL;
    add_outside(&folder, stage, plan, plan->folder);
    return child_start(child, &(ChildSetup){.argv = words.words,
                                            .environment = variables.words,
                                            .folder = folder.words[0],
                                            .extra_fds = {plan->extra_fd, -1},
                                            .more_fds = plan->more_fds,
                                            .more_count = plan->more_count,
                                            .user = (uid_t)-1,
                                            .fixed_addresses = plan->fixed_addresses,
                                            .capture_limit = plan->capture_limit,
                                            .flood_limit = plan->flood_limit});
}

/* The filter is the fifth descriptor inside, as add_isolation says. A bubblewrap that is killed while it
 * starts leaves one behind that waits for it for ever, and is attended for that. */
static bool start_inside(Child *child, const SandboxPlan *plan, uid_t user, int filter, bool nobody) {
    Words words = {.count = 0};
    add_isolation(&words);
    if (nobody) add(&words, "--uid", "65534", "--gid", "65534");
    add_files(&words, plan);
    add_environment(&words, plan);
    add(&words, "--");
    add_limits(&words, &plan->limits);
    add_all(&words, plan->argv);
    words.words[words.count] = NULL;
    const Cgroup none = {.count = 0}, *group = plan->group != NULL ? plan->group : &none;
    return child_start(child, &(ChildSetup){.argv = words.words,
                                            .group_entries = group->entries,
                                            .group_count = group->count,
                                            .extra_fds = {plan->extra_fd, filter},
                                            .more_fds = plan->more_fds,
                                            .more_count = plan->more_count,
                                            .user = user,
                                            .fixed_addresses = plan->fixed_addresses,
                                            .attended = true,
                                            .capture_limit = plan->capture_limit,
                                            .flood_limit = plan->flood_limit});
}

bool sandbox_start(Child *child, const Stage *stage, const SandboxPlan *plan) {
    if (stage->open) return start_outside(child, stage, plan);
    /* Opened anew each time: bubblewrap reads from where the last reader stopped. */
    char path[64];
    snprintf(path, sizeof path, STAGE_FILTER "%d", (int)plan->filter);
    int filter = open(path, O_RDONLY | O_CLOEXEC);
    if (filter < 0) return false;
    bool started = start_inside(child, plan, stage->user, filter, false);
    close(filter);
    return started;
}

bool sandbox_start_alone(Child *child, const SandboxPlan *plan) {
    int filter = memfd_create("filter", MFD_CLOEXEC);
    bool started = filter >= 0 && filter_write_to(filter, plan->filter) && lseek(filter, 0, SEEK_SET) == 0 &&
                   start_inside(child, plan, (uid_t)-1, filter, true);
    if (filter >= 0) close(filter);
    return started;
}

/* Runs a command in the sandbox that either does nothing or shows what locks it in. SECONDS is far more than
 * it needs, and WALL_SECONDS than it takes beside thirty others: a machine under load must not seem to have
 * no sandbox, and refuse a class. */
bool sandbox_works(const Stage *stage, Text *why, Text *seen) {
    enum { SECONDS = 5, WALL_SECONDS = 60, CAPTURE = 16384 };
    static const char *const nothing[] = {"/usr/bin/true", NULL};
    static const char *const look[] = {
        "/bin/sh", "-c", "cat /proc/self/status /proc/self/limits; readlink /proc/self/ns/*", NULL};
    const SandboxBind none[] = {{NULL, NULL, false, false}};
    SandboxPlan plan = {.argv = seen != NULL ? look : nothing,
                        .binds = none,
                        .hidden = "",
                        .folder = "/",
                        .with_proc = true,
                        .filter = FILTER_FOR_COMPILER,
                        .limits = {.cpu_seconds = SECONDS, .processes = 64, .file_mib = 1},
                        .extra_fd = -1,
                        .capture_limit = CAPTURE};
    Child child, *const children[] = {&child};
    if (!sandbox_start(&child, stage, &plan)) {
        text_add(why, strerror(errno));
        return false;
    }
    child_watch(children, 1, child_now() + (double)WALL_SECONDS);
    if (!child.ended) {
        text_format(why, "bubblewrap has not ended after %d seconds", WALL_SECONDS);
        child_kill(&child);
    }
    bool works = child.ended && sandbox_exit_status(&child) == 0;
    text_append(why, child.streams[1].bytes, child.streams[1].length);
    if (seen != NULL) text_append(seen, child.streams[0].bytes, child.streams[0].length);
    child_free(&child);
    return works;
}

int sandbox_signal(const Child *child) {
    if (WIFSIGNALED(child->status)) return WTERMSIG(child->status);
    int status = WEXITSTATUS(child->status);
    if (status > SIGNAL_BASE && status <= SIGNAL_BASE + 64) return status - SIGNAL_BASE;
    return 0;
}

int sandbox_exit_status(const Child *child) {
    if (sandbox_signal(child) != 0) return -1;
    return WEXITSTATUS(child->status);
}
