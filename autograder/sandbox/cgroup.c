/* cgroup.c - finds the folders of control groups, makes and removes groups in them; see cgroup.h and
 * cgroups(7).
 *
 * /proc/self/cgroup says in which group this process is, /proc/self/mountinfo where the hierarchies lie. In a
 * container a mount may show only a part of its hierarchy: then the mount's root is the beginning of the
 * group's path.
 */
#include "autograder/sandbox/cgroup.h"

#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define OWN_GROUP "warpschool-judge"
#define PREFIX "warpschool-"
enum { LARGEST_TABLE = 1 << 20, LARGEST_VALUE = 1 << 16, MIB = 1 << 20 };

/* ---- small files ---- */

static bool write_value(const char *folder, const char *name, const char *value) {
    char path[CGROUP_PATH_BYTES + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return false;
    bool fine = write(fd, value, strlen(value)) == (ssize_t)strlen(value);
    close(fd);
    return fine;
}

static bool write_number(const char *folder, const char *name, long value) {
    char digits[32];
    snprintf(digits, sizeof digits, "%ld", value);
    return write_value(folder, name, digits);
}

static bool read_value(const char *folder, const char *name, Text *value) {
    char path[CGROUP_PATH_BYTES + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    text_clear(value);
    return text_read_file(value, path, LARGEST_VALUE) && value->length > 0;
}

/* Whether a list of words has this one. */
static bool has_word(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += length) {
        bool begins = at == list || strchr(" ,\n", at[-1]) != NULL;
        if (begins && strchr(" ,\n", at[length]) != NULL) return true;
    }
    return false;
}

static bool file_has_word(const char *folder, const char *name, const char *word) {
    Text value = text_new();
    bool has = read_value(folder, name, &value) && has_word(value.bytes, word);
    text_free(&value);
    return has;
}

/* ---- where this process is ---- */

/* The path in the line "NUMBER:CONTROLLERS:PATH" of /proc/self/cgroup; without a controller, that of
 * version 2. */
static bool find_path(const char *table, const char *controller, char path[CGROUP_PATH_BYTES]) {
    for (const char *line = table; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
        char names[256] = "";
        int begin = 0;
        if (sscanf(line, "%*d:%255[^:\n]:%n", names, &begin) < 1)
            if (sscanf(line, "%*d::%n", &begin) < 0 || begin == 0) continue;
        bool matches;
        if (controller == NULL)
            matches = names[0] == '\0';
        else
            matches = has_word(names, controller);
        if (begin == 0 || !matches) continue;
        snprintf(path, CGROUP_PATH_BYTES, "%.*s", (int)strcspn(line + begin, "\n"), line + begin);
        return true;
    }
    return false;
}

/* One mount of /proc/self/mountinfo, proc(5): ID PARENT MAJOR:MINOR ROOT PLACE OPTIONS ... - TYPE SOURCE
 * OPTIONS. */
typedef struct Mount {
    char root[CGROUP_PATH_BYTES], place[CGROUP_PATH_BYTES], type[32], options[512];
} Mount;

static bool read_mount(const char *line, Mount *mount) {
    const char *rest = strstr(line, " - ");
    const char *end = line + strcspn(line, "\n");
    if (rest == NULL || rest > end) return false;
    return sscanf(line, "%*d %*d %*s %1023s %1023s", mount->root, mount->place) == 2 &&
           sscanf(rest, " - %31s %*s %511s", mount->type, mount->options) == 2;
}

/* The folder of the group at `path` in a mount that begins at `root`. */
static bool join_path(const Mount *mount, const char *path, char folder[CGROUP_PATH_BYTES]) {
    size_t root = 0;
    if (strcmp(mount->root, "/") != 0) root = strlen(mount->root);
    if (strncmp(path, mount->root, root) != 0 || (path[root] != '/' && path[root] != '\0')) return false;
    const char *below = "";
    if (strcmp(path + root, "/") != 0) below = path + root;
    return snprintf(folder, CGROUP_PATH_BYTES, "%s%s", mount->place, below) < CGROUP_PATH_BYTES;
}

/* The folder of this process's group that counts by this controller; of version 2 without one. */
static bool find_folder(const char *proc, const char *controller, char folder[CGROUP_PATH_BYTES]) {
    char file[CGROUP_PATH_BYTES], path[CGROUP_PATH_BYTES] = "";
    Text groups = text_new(), mounts = text_new();
    snprintf(file, sizeof file, "%s/cgroup", proc);
    bool known = text_read_file(&groups, file, LARGEST_TABLE) && groups.length > 0 &&
                 find_path(groups.bytes, controller, path);
    snprintf(file, sizeof file, "%s/mountinfo", proc);
    known = known && text_read_file(&mounts, file, LARGEST_TABLE) && mounts.length > 0;
    bool found = false;
    const char *line = "";
    if (known) line = mounts.bytes;
    for (; *line != '\0' && !found; line += strcspn(line, "\n"), line += *line == '\n') {
        Mount mount;
        if (!read_mount(line, &mount)) continue;
        bool matches = strcmp(mount.type, controller != NULL ? "cgroup" : "cgroup2") == 0 &&
                       (controller == NULL || has_word(mount.options, controller));
        found = matches && join_path(&mount, path, folder) && access(folder, W_OK | X_OK) == 0;
    }
    text_free(&groups);
    text_free(&mounts);
    return found;
}

static bool is_on(const char *folder, const char *file) {
    return file_has_word(folder, file, "memory") && file_has_word(folder, file, "pids");
}

/* A process that has claimed its group is below it. */
static void leave_own_group(char folder[CGROUP_PATH_BYTES]) {
    char *last = strrchr(folder, '/');
    if (last != NULL && strcmp(last + 1, OWN_GROUP) == 0) *last = '\0';
}

static void find_version_1(CgroupBase *base, const char *proc) {
    if (!find_folder(proc, "memory", base->folders[0])) return;
    base->version = 1;
    if (find_folder(proc, "pids", base->folders[1]))
        base->count = 2;
    else
        base->count = 1;
}

/* Version 2 is taken where controllers can be handed down, otherwise the hierarchies of version 1. A process
 * that cgroup_claim has moved into a group of its own for that has its base one folder up. */
void cgroup_find(CgroupBase *base, const char *proc) {
    *base = (CgroupBase){.count = 0};
    char *folder = base->folders[0];
    if (find_folder(proc, NULL, folder)) {
        leave_own_group(folder);
        if (is_on(folder, "cgroup.subtree_control")) {
            base->version = 2;
            base->count = 1;
            return;
        }
    }
    find_version_1(base, proc);
}

/* ---- claiming a group of version 2 ---- */

static bool is_alone(const char *folder) {
    Text members = text_new();
    char *end = NULL;
    bool alone = read_value(folder, "cgroup.procs", &members) &&
                 strtol(members.bytes, &end, 10) == (long)getpid() && strspn(end, "\n") == strlen(end);
    text_free(&members);
    return alone;
}

static bool move_into_own_group(const char *folder) {
    char own[CGROUP_PATH_BYTES + sizeof OWN_GROUP + 1];
    snprintf(own, sizeof own, "%s/" OWN_GROUP, folder);
    return (mkdir(own, 0755) == 0 || errno == EEXIST) && write_value(own, "cgroup.procs", "0");
}

/* The root of all groups, which alone has no type, may have processes and controllers both. */
static bool is_root(const char *folder) {
    char type[CGROUP_PATH_BYTES + 16];
    snprintf(type, sizeof type, "%s/cgroup.type", folder);
    return access(type, F_OK) != 0;
}

void cgroup_claim(CgroupBase *base, const char *proc) {
    char folder[CGROUP_PATH_BYTES];
    cgroup_find(base, proc);
    if (base->version == 2 || !find_folder(proc, NULL, folder) || !is_on(folder, "cgroup.controllers"))
        return;
    if (!is_root(folder) && (!is_alone(folder) || !move_into_own_group(folder))) return;
    write_value(folder, "cgroup.subtree_control", "+memory +pids");
    cgroup_find(base, proc);
}

/* ---- groups ---- */

/* A file of a group that holds a limit, by version and hierarchy. */
typedef struct Limit {
    int version;
    unsigned hierarchy;
    const char *file;
    bool is_memory, is_optional; /* swap need not be there */
} Limit;

static const Limit limits[] = {
    {2, 0, "memory.max", true, false},
    {2, 0, "pids.max", false, false},
    {1, 0, "memory.limit_in_bytes", true, false},
    {1, 0, "memory.memsw.limit_in_bytes", true, true},
    {1, 1, "pids.max", false, false},
};

/* Swap is forbidden, since a limit of memory alone would let a program fill the swap instead; and a group
 * that runs out of memory dies as a whole, not one process at a time. */
static bool set_limits(const Cgroup *group, long memory_mib, long processes) {
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const Limit *limit = &limits[i];
        if (limit->version != group->version || limit->hierarchy >= group->count) continue;
        long value = processes;
        if (limit->is_memory) value = memory_mib * MIB;
        if (!write_number(group->folders[limit->hierarchy], limit->file, value) && !limit->is_optional)
            return false;
    }
    if (group->version != 2) return true;
    write_value(group->folders[0], "memory.swap.max", "0");
    write_value(group->folders[0], "memory.oom.group", "1");
    return true;
}

static bool make_folder(Cgroup *group, const CgroupBase *base, unsigned which, const char *name) {
    char *folder = group->folders[which];
    int length = snprintf(folder, CGROUP_PATH_BYTES, "%s/" PREFIX "%ld-%s", base->folders[which],
                          (long)getpid(), name);
    if (length >= CGROUP_PATH_BYTES || mkdir(folder, 0755) != 0) return false;
    group->count = which + 1;
    char entry[CGROUP_PATH_BYTES + 16];
    snprintf(entry, sizeof entry, "%s/cgroup.procs", folder);
    group->entries[which] = open(entry, O_WRONLY | O_CLOEXEC);
    return group->entries[which] >= 0;
}

bool cgroup_make(Cgroup *group, const CgroupBase *base, const char *name, long memory_mib, long processes) {
    *group = (Cgroup){.version = base->version, .entries = {-1, -1}};
    bool fine = base->count > 0;
    for (unsigned i = 0; fine && i < base->count; i++)
        fine = make_folder(group, base, i, name);
    if (fine && set_limits(group, memory_mib, processes)) return true;
    cgroup_remove(group);
    return false;
}

/* How many processes the kernel has killed for want of memory: only that tells such a death from any other
 * SIGKILL. */
long cgroup_kills(const Cgroup *group) {
    if (group->count == 0) return 0;
    Text events = text_new();
    const char *file = "memory.oom_control";
    if (group->version == 2) file = "memory.events";
    long kills = 0;
    if (read_value(group->folders[0], file, &events)) {
        const char *at = strstr(events.bytes, "oom_kill ");
        if (at != NULL) kills = strtol(at + strlen("oom_kill "), NULL, 10);
    }
    text_free(&events);
    return kills;
}

/* A process that has been waited for still counts until the kernel has switched away from it for the last
 * time, which on a busy machine takes as long as a turn of everybody else. */
static void remove_folder(const char *folder) {
    enum { MOST_TRIALS = 4000 };
    const struct timespec pause = {.tv_nsec = 1000000};
    for (int trial = 0; trial < MOST_TRIALS && rmdir(folder) != 0 && errno == EBUSY; trial++)
        nanosleep(&pause, NULL);
}

void cgroup_remove(Cgroup *group) {
    for (unsigned i = 0; i < group->count; i++) {
        if (group->entries[i] >= 0) close(group->entries[i]);
        remove_folder(group->folders[i]);
    }
    group->count = 0;
}

/* Calls `end` with the path of each group in these folders, and the process that made it. */
static void visit(const CgroupBase *base, pid_t wanted,
                  void (*end)(const char *path, pid_t owner, pid_t wanted)) {
    for (unsigned i = 0; i < base->count; i++) {
        DIR *entries = opendir(base->folders[i]);
        for (const struct dirent *entry; entries != NULL && (entry = readdir(entries)) != NULL;) {
            char path[CGROUP_PATH_BYTES + 256];
            long owner = 0;
            if (sscanf(entry->d_name, PREFIX "%ld-", &owner) != 1 || owner <= 0) continue;
            snprintf(path, sizeof path, "%s/%s", base->folders[i], entry->d_name);
            end(path, (pid_t)owner, wanted);
        }
        if (entries != NULL) closedir(entries);
    }
}

static void remove_owned(const char *path, pid_t owner, pid_t wanted) {
    if (owner == wanted) remove_folder(path);
}

void cgroup_sweep(const CgroupBase *base, pid_t owner) {
    visit(base, owner, remove_owned);
}

/* The age is for owners that this process cannot see, in a container beside this one: their groups are in use
 * within moments, and then cannot be removed. */
static void remove_old(const char *path, pid_t owner, pid_t ignored) {
    enum { OLD_SECONDS = 60 };
    struct stat facts;
    (void)ignored;
    if (kill(owner, 0) == 0 || errno != ESRCH || stat(path, &facts) != 0) return;
    if (time(NULL) - facts.st_mtime > OLD_SECONDS) rmdir(path);
}

void cgroup_sweep_old(const CgroupBase *base) {
    visit(base, 0, remove_old);
}
