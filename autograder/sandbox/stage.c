/* stage.c - namespaces and mounts of the judge; see stage.h.
 *
 * As root no user namespace is needed and untrusted processes get users of their own, where there are any:
 * the root of a container may be its only user. As an ordinary user a user namespace comes first, in which
 * that user may mount. The judge and its devices have no network, whatever bubblewrap takes from the programs
 * besides.
 */
#include "autograder/sandbox/stage.h"

#include "autograder/sandbox/filter.h"
#include "autograder/sandbox/spaces.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Users of their own for each check at a time, beyond all that Debian and systemd hand out; else those that
 * even a small map of users has, which checks at the same time share. */
enum { FIRST_OWN_USER = 0x70000000, NOBODY = 65534 };
enum { SPACES = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS };
static const char locked_folder[] = "/tmp";

/* What is bound from the build folder into the stage, file by file: the compiler sees the kit and the program
 * sees `run`, and neither is to find a judge's library, another lesson or a reference. */
typedef enum BindingKind { BIND_FILE, BIND_FOLDER, BIND_FILE_IF_THERE } BindingKind;

typedef struct Binding {
    const char *from; /* below the build folder; %s is the lesson */
    const char *to;
    BindingKind kind;
} Binding;

static const Binding bindings[] = {
    {"bin/warpcc", STAGE "/kit/bin/warpcc", BIND_FILE},
    {"include", STAGE "/kit/include", BIND_FOLDER},
    {"lib/libcudart.so", STAGE "/kit/lib/libcudart.so", BIND_FILE},
    {"lib/libwarpcc_one_start.so", STAGE "/kit/lib/libwarpcc_one_start.so", BIND_FILE},
    {"lib/libdriver.a", STAGE "/kit/lib/libdriver.a", BIND_FILE},
    {"lib/link.sh", STAGE "/kit/lib/link.sh", BIND_FILE},
    {"lessons/%s/driver.o", STAGE_DRIVER_OBJECT, BIND_FILE},
    {"lessons/%s/driver.cu", STAGE_DRIVER_SOURCE, BIND_FILE_IF_THERE},
    {"lib/libcudart.so.13", STAGE "/run/libcudart.so.13", BIND_FILE}, /* the soname of the one above */
    {"bin/warpgrind", STAGE "/device/bin/warpgrind", BIND_FILE},
};
enum { BINDING_COUNT = sizeof bindings / sizeof *bindings, LONGEST_PATH = 4096 };

static const char *const folders[] = {
    STAGE "/kit",    STAGE "/kit/bin",    STAGE "/kit/lib", STAGE "/kit/lesson", STAGE "/run",
    STAGE "/device", STAGE "/device/bin", STAGE "/source",  STAGE "/cases0",     STAGE "/cases1"};

static bool refuse(Diagnostics *diagnostics, const char *what, const char *path, const char *remedy) {
    const char *why = strerror(errno);
    return advise(path != NULL
                      ? diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "cannot %s %s: %s", what, path, why)
                      : diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "cannot %s: %s", what, why),
                  remedy);
}

static bool unshare_as_user(void) {
    const uid_t user = geteuid();
    const gid_t group = getegid();
    return unshare(CLONE_NEWUSER | SPACES) == 0 && spaces_map_user(user, group);
}

static bool is_user(unsigned number) {
    return spaces_map_has("/proc/self/uid_map", number) && spaces_map_has("/proc/self/gid_map", number);
}

/* A user for the program and one for the device, by root alone. */
static void choose_users(Stage *stage) {
    const unsigned own = FIRST_OWN_USER + 2 * (unsigned)getpid();
    const unsigned pairs[][2] = {{own, own + 1}, {NOBODY, NOBODY - 1}, {NOBODY, NOBODY}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (!is_user(pairs[i][0]) || !is_user(pairs[i][1])) continue;
        stage->user = pairs[i][0];
        stage->device_user = pairs[i][1];
        stage->layers |= TRUST_BIT(TRUST_USER);
        return;
    }
}

static bool enter_namespaces(Stage *stage, Diagnostics *diagnostics) {
    bool as_root = geteuid() == 0 && unshare(SPACES) == 0;
    if (as_root) choose_users(stage);
    if (!as_root && !unshare_as_user()) return refuse(diagnostics, "make namespaces", NULL, STAGE_REMEDY);
    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 ||
           refuse(diagnostics, "make mounts private", NULL, STAGE_REMEDY);
}

static void make_path(char path[LONGEST_PATH], const char *build, const char *from, const char *lesson) {
    const char *mark = strstr(from, "%s");
    if (mark == NULL)
        snprintf(path, LONGEST_PATH, "%s/%s", build, from);
    else
        snprintf(path, LONGEST_PATH, "%s/%.*s%s%s", build, (int)(mark - from), from, lesson,
                 mark + strlen("%s"));
}

/* Descriptors outlive the new file system over /tmp, which may hide the checkout; they must be of the new
 * namespace to be bound from. */
static bool open_bindings(int *fds, const char *build, const char *lesson, Diagnostics *diagnostics) {
    static const char remedy[] = "build the toolkit first: make";
    for (size_t i = 0; i < BINDING_COUNT; i++) {
        char path[LONGEST_PATH];
        make_path(path, build, bindings[i].from, lesson);
        fds[i] = open(path, O_PATH | O_CLOEXEC);
        if (fds[i] < 0 && !(bindings[i].kind == BIND_FILE_IF_THERE && errno == ENOENT))
            return refuse(diagnostics, "find", path, remedy);
    }
    return true;
}

/* Binds what was opened before the old /tmp was covered: the path by which it was found may lie below that.
 * */
static bool bind_one(const Binding *binding, int fd, Diagnostics *diagnostics) {
    char from[64];
    snprintf(from, sizeof from, "/proc/self/fd/%d", fd);
    if (binding->kind == BIND_FOLDER) {
        if (mkdir(binding->to, 0755) != 0) return refuse(diagnostics, "make", binding->to, NULL);
    } else {
        int target = open(binding->to, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
        if (target < 0) return refuse(diagnostics, "make", binding->to, NULL);
        close(target);
    }
    if (mount(from, binding->to, NULL, MS_BIND | MS_REC, NULL) != 0)
        return refuse(diagnostics, "bind", binding->to, STAGE_REMEDY);
    return true;
}

static bool make_folders(Diagnostics *diagnostics) {
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (mkdir(folders[i], 0755) != 0) return refuse(diagnostics, "make", folders[i], NULL);
    return true;
}

/* The new /tmp lives in memory and ends with the last process in it. Its size bounds the folders without a
 * limit of their own. */
static bool furnish(const int *fds, Diagnostics *diagnostics) {
    if (mount("warpschool", locked_folder, "tmpfs", MS_NOSUID | MS_NODEV,
              "mode=0755,size=512m,nr_inodes=16384") != 0 ||
        chdir(locked_folder) != 0)
        return refuse(diagnostics, "mount a memory file system at", locked_folder, STAGE_REMEDY);
    if (!make_folders(diagnostics)) return false;
    for (int what = 0; what < FILTER_FOR_COUNT; what++) {
        char path[LONGEST_PATH];
        snprintf(path, sizeof path, STAGE_FILTER "%d", what);
        if (!filter_write(path, (FilterFor)what))
            return refuse(diagnostics, "make the system call filter", path, NULL);
    }
    for (size_t i = 0; i < BINDING_COUNT; i++)
        if (fds[i] >= 0 && !bind_one(&bindings[i], fds[i], diagnostics)) return false;
    return true;
}

static void add_layers(Stage *stage, TrustSet layers) {
    stage->layers |= layers;
    trust_name(stage->level, stage->layers);
}

void stage_forbid(Stage *stage) {
    snprintf(stage->level, sizeof stage->level, "%s", STAGE_FORBIDDEN);
}

bool stage_enter(Stage *stage, const char *build, const char *lesson, Diagnostics *diagnostics) {
    int fds[BINDING_COUNT];
    memset(fds, -1, sizeof fds);
    umask(022);
    *stage = (Stage){.user = (uid_t)-1, .device_user = (uid_t)-1};
    snprintf(stage->folder, sizeof stage->folder, "%s", locked_folder);
    stage_forbid(stage);
    bool fine = enter_namespaces(stage, diagnostics);
    if (fine && !open_bindings(fds, build, lesson, diagnostics)) {
        fine = false;
        trust_name(stage->level, 0); /* a fault of the toolkit's, not of the system's */
    }
    fine = fine && furnish(fds, diagnostics);
    /* The sandbox (sandbox.c) has these or does not start. */
    if (fine)
        add_layers(stage, TRUST_BIT(TRUST_NAMESPACES) | TRUST_BIT(TRUST_SECCOMP) | TRUST_BIT(TRUST_LIMITS));
    for (size_t i = 0; i < BINDING_COUNT; i++)
        if (fds[i] >= 0) close(fds[i]);
    return fine;
}

/* ---- groups ---- */

/* Whether groups can be made is found out by making one. */
void stage_use_groups(Stage *stage) {
    CgroupBase *groups = &stage->groups;
    if (!stage->open) cgroup_find(groups, "/proc/self");
    Cgroup trial;
    if (groups->version == 0 || !cgroup_make(&trial, groups, "trial", 64, 64)) {
        groups->version = 0;
        groups->count = 0;
        return;
    }
    cgroup_remove(&trial);
    cgroup_sweep_old(groups);
    add_layers(stage, TRUST_BIT(groups->version == 2 ? TRUST_CGROUP2 : TRUST_CGROUP1));
}

bool stage_make_group(const Stage *stage, Cgroup *group, const char *name, long memory_mib, long processes) {
    *group = (Cgroup){.count = 0};
    return stage->groups.version == 0 || cgroup_make(group, &stage->groups, name, memory_mib, processes);
}

bool stage_retire(const Stage *stage, Diagnostics *diagnostics) {
    const uid_t user = stage->user;
    if (stage->open) return true;
    if (user != (uid_t)-1 &&
        (setgroups(0, NULL) != 0 || setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0))
        return refuse(diagnostics, "become the program's user", NULL, STAGE_REMEDY);
    /* Changing the user has undone it. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return filter_retire() || refuse(diagnostics, "give up system calls", NULL, STAGE_REMEDY);
}

/* ---- a stage that locks nothing in ---- */

static bool link_bindings(const char *build, const char *lesson, Diagnostics *diagnostics) {
    for (size_t i = 0; i < BINDING_COUNT; i++) {
        char path[LONGEST_PATH];
        make_path(path, build, bindings[i].from, lesson);
        if (symlink(path, bindings[i].to) != 0) return refuse(diagnostics, "make", bindings[i].to, NULL);
    }
    return true;
}

/* Without a sandbox an ordinary folder takes the place of the private /tmp; it is removed by stage_leave. */
bool stage_enter_open(Stage *stage, const char *build, const char *lesson, Diagnostics *diagnostics) {
    const char *place = getenv("TMPDIR");
    if (place == NULL || *place != '/') place = locked_folder;
    *stage = (Stage){.user = (uid_t)-1, .device_user = (uid_t)-1, .open = true};
    trust_name(stage->level, 0);
    int length = snprintf(stage->folder, sizeof stage->folder, "%s/warpschool-XXXXXX", place);
    umask(022);
    if (length >= (int)sizeof stage->folder || mkdtemp(stage->folder) == NULL || chdir(stage->folder) != 0) {
        stage->folder[0] = '\0';
        return refuse(diagnostics, "make a folder in", place, NULL);
    }
    return make_folders(diagnostics) && link_bindings(build, lesson, diagnostics);
}

static int remove_entry(const char *path, const struct stat *facts, int type, struct FTW *place) {
    (void)facts;
    (void)type;
    (void)place;
    remove(path);
    return 0;
}

void stage_leave(const Stage *stage) {
    enum { OPEN_FOLDERS = 16 };
    if (stage->open && stage->folder[0] != '\0')
        nftw(stage->folder, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

/* A folder that one of the users may write to, in a file system of its own: so what is written there is
 * bounded in bytes and files. */
bool stage_add_output(Stage *stage, StageFor whose, const char *path, long mib, Diagnostics *diagnostics) {
    char options[128];
    uid_t user;
    if (whose == STAGE_FOR_DEVICE)
        user = stage->device_user;
    else
        user = stage->user;
    int used = snprintf(options, sizeof options, "mode=%s,size=%ldm,nr_inodes=4096",
                        whose == STAGE_FOR_BOTH ? "0755" : "0700", mib);
    if (user != (uid_t)-1)
        snprintf(options + used, sizeof options - (size_t)used, ",uid=%u,gid=%u", (unsigned)user,
                 (unsigned)user);
    if (mkdir(path, 0755) != 0) return refuse(diagnostics, "make", path, NULL);
    if (stage->open) return true;
    if (mount("warpschool", path, "tmpfs", MS_NOSUID | MS_NODEV, options) == 0) return true;
    stage_forbid(stage);
    return refuse(diagnostics, "mount a memory file system at", path, STAGE_REMEDY);
}
