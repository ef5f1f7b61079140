/* test_cgroup.c - where groups are found: hybrid, version 2 and its rules, containers, nothing; on folders
 * that imitate the kernel's. Groups of the kernel itself are tried by tests/cli/trust.sh, where there are
 * any. */
#include "autograder/sandbox/cgroup.h"
#include "autograder/sandbox/trust.h"
#include "base/text.h"

#include "temporary.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static Temporary temporary; /* holds proc/ and the hierarchies */
#define root temporary.folder

__attribute__((format(printf, 2, 3))) static void put(const char *name, const char *format, ...) {
    char path[512], bytes[4096];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(bytes, sizeof bytes, format, arguments);
    va_end(arguments);
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = '\0';
        mkdir(path, 0755);
    }
    assert_true(text_write_file(path, bytes, (size_t)length));
}

static const char *proc(void) {
    static char path[160];
    snprintf(path, sizeof path, "%s/proc", root);
    return path;
}

static void assert_folder(const char *folder, const char *below_root) {
    char wanted[512];
    snprintf(wanted, sizeof wanted, "%s/%s", root, below_root);
    assert_string_equal(folder, wanted);
}

static int set_up(void **state) {
    (void)state;
    temporary_make(&temporary);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    temporary_remove(&temporary);
    return 0;
}

/* Version 2 without controllers beside version 1, as systemd calls hybrid. */
static void test_hybrid(void **state) {
    (void)state;
    put("proc/cgroup", "8:pids:/\n4:memory:/session/one\n3:cpu,cpuacct:/\n0::/\n");
    put("proc/mountinfo",
        "30 25 0:26 / %s/v1/cpu rw,relatime - cgroup cgroup rw,cpu,cpuacct\n"
        "31 25 0:27 / %s/v1/memory rw,relatime shared:9 - cgroup cgroup rw,memory\n"
        "32 25 0:28 / %s/v1/pids rw,relatime - cgroup cgroup rw,pids\n"
        "33 25 0:29 / %s/v2 rw,relatime - cgroup2 cgroup2 rw\n",
        root, root, root, root);
    put("v1/memory/session/one/cgroup.procs", "1\n");
    put("v1/pids/cgroup.procs", "1\n");
    put("v2/cgroup.controllers", "\n");
    put("v2/cgroup.subtree_control", "\n");
    CgroupBase base;
    cgroup_claim(&base, proc());
    assert_int_equal(base.version, 1);
    assert_int_equal(base.count, 2);
    assert_folder(base.folders[0], "v1/memory/session/one");
    assert_folder(base.folders[1], "v1/pids");
}

static void version_2(const char *path, const char *mount_root) {
    put("proc/cgroup", "0::%s\n", path);
    put("proc/mountinfo", "22 1 8:1 / / rw - ext4 /dev/vda rw\n33 25 0:29 %s %s/v2 rw - cgroup2 none rw\n",
        mount_root, root);
}

static void test_switched_on(void **state) {
    (void)state;
    CgroupBase base;
    version_2("/", "/");
    put("v2/cgroup.subtree_control", "cpu memory pids\n");
    cgroup_find(&base, proc());
    assert_int_equal(base.version, 2);
    assert_folder(base.folders[0], "v2");
    put("v2/cgroup.subtree_control", "cpu pids memory.like\n");
    cgroup_find(&base, proc());
    assert_int_equal(base.version, 0);
}

/* A delegated scope in which this process is alone: it moves into a group of its own, and controllers go on.
 */
static void test_claim(void **state) {
    (void)state;
    CgroupBase base;
    version_2("/user.slice/run-1.scope", "/");
    put("v2/user.slice/run-1.scope/cgroup.type", "domain\n");
    put("v2/user.slice/run-1.scope/cgroup.controllers", "memory pids\n");
    put("v2/user.slice/run-1.scope/cgroup.subtree_control", "\n");
    put("v2/user.slice/run-1.scope/cgroup.procs", "%ld\n", (long)getpid());
    put("v2/user.slice/run-1.scope/warpschool-judge/cgroup.procs", "\n");
    cgroup_find(&base, proc());
    assert_int_equal(base.version, 0);
    cgroup_claim(&base, proc());
    /* The kernel would read "+memory +pids" as "memory pids"; the file that imitates it has the words
     * themselves. */
    put("v2/user.slice/run-1.scope/cgroup.subtree_control", "memory pids\n");
    put("proc/cgroup", "0::/user.slice/run-1.scope/warpschool-judge\n");
    cgroup_find(&base, proc());
    assert_int_equal(base.version, 2);
    assert_folder(base.folders[0], "v2/user.slice/run-1.scope");
    Text moved;
    text_init(&moved);
    char path[512];
    snprintf(path, sizeof path, "%s/v2/user.slice/run-1.scope/warpschool-judge/cgroup.procs", root);
    assert_true(text_read_file(&moved, path, 64));
    assert_string_equal(moved.bytes, "0");
    text_free(&moved);
}

/* With others in the group it stays as it is. */
static void test_not_alone(void **state) {
    (void)state;
    CgroupBase base;
    version_2("/shared.scope", "/");
    put("v2/shared.scope/cgroup.type", "domain\n");
    put("v2/shared.scope/cgroup.controllers", "memory pids\n");
    put("v2/shared.scope/cgroup.subtree_control", "\n");
    put("v2/shared.scope/cgroup.procs", "%ld\n%ld\n", (long)getpid(), (long)getppid());
    cgroup_claim(&base, proc());
    assert_int_equal(base.version, 0);
    char path[512];
    snprintf(path, sizeof path, "%s/v2/shared.scope/warpschool-judge", root);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* A container's mount begins at its own group. */
static void test_container(void **state) {
    (void)state;
    CgroupBase base;
    version_2("/docker/abc/inner", "/docker/abc");
    put("v2/inner/cgroup.subtree_control", "memory pids\n");
    cgroup_find(&base, proc());
    assert_int_equal(base.version, 2);
    assert_folder(base.folders[0], "v2/inner");
    version_2("/docker/abc", "/docker/abc");
    put("v2/cgroup.subtree_control", "memory pids\n");
    cgroup_find(&base, proc());
    assert_int_equal(base.version, 2);
    assert_folder(base.folders[0], "v2");
    version_2("/docker/abcd", "/docker/abc");
    cgroup_find(&base, proc());
    assert_int_equal(base.version, 0);
}

static void test_nothing_known(void **state) {
    (void)state;
    CgroupBase base;
    cgroup_claim(&base, proc());
    assert_int_equal(base.version, 0);
    put("proc/cgroup", "rubbish\n0:\n::\n4:memory\n");
    put("proc/mountinfo", "1 2 3\n - \n33 25 0:29 / - cgroup2\n");
    cgroup_claim(&base, proc());
    assert_int_equal(base.version, 0);
    Cgroup group;
    assert_false(cgroup_make(&group, &base, "x", 1, 1));
    assert_int_equal(cgroup_kills(&group), 0);
    cgroup_remove(&group);
}

/* ---- the kernel's own, where this machine lends any ---- */

/* A child in the group that does as it is told; its status as of wait. */
static int in_group(const Cgroup *group, void (*work)(void)) {
    int status = -1;
    pid_t pid = fork();
    if (pid == 0) {
        for (unsigned i = 0; i < group->count; i++)
            if (write(group->entries[i], "0", 1) != 1) _exit(9);
        work();
        _exit(7);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static void take_memory(void) {
    enum { TAKEN = 64 << 20 };
    volatile char *bytes = malloc(TAKEN);
    for (size_t i = 0; bytes != NULL && i < TAKEN; i += 4096)
        bytes[i] = 1;
}

/* Six are within the limit, a thousand are not. */
static void fork_often(void) {
    int made = 0;
    for (; made < 1000; made++) {
        pid_t pid = fork();
        if (pid < 0) break;
        if (pid == 0) pause();
    }
    kill(0, made > 6 ? SIGTERM : SIGKILL);
}

static void fork_in_a_group_of_its_own(void) {
    setpgid(0, 0);
    fork_often();
}

static void nothing(void) {}

static void test_limits_of_the_kernel(void **state) {
    (void)state;
    CgroupBase base;
    Cgroup group;
    cgroup_find(&base, "/proc/self");
    if (base.version == 0 || base.count + (unsigned)base.version < 3) skip();
    assert_true(cgroup_make(&group, &base, "test", 24, 6));
    assert_int_equal(WEXITSTATUS(in_group(&group, nothing)), 7);
    assert_int_equal(cgroup_kills(&group), 0);
    assert_int_equal(WTERMSIG(in_group(&group, take_memory)), SIGKILL);
    assert_true(cgroup_kills(&group) > 0);
    assert_int_equal(WTERMSIG(in_group(&group, fork_in_a_group_of_its_own)), SIGKILL);
    char folder[CGROUP_PATH_BYTES];
    snprintf(folder, sizeof folder, "%s", group.folders[0]);
    cgroup_remove(&group);
    assert_int_not_equal(access(folder, F_OK), 0);
    assert_true(cgroup_make(&group, &base, "left", 24, 6));
    snprintf(folder, sizeof folder, "%s", group.folders[0]);
    cgroup_sweep(&base, getpid());
    assert_int_not_equal(access(folder, F_OK), 0);
    cgroup_remove(&group);
}

/* ---- levels ---- */

static void test_names_of_levels(void **state) {
    (void)state;
    char name[TRUST_NAME_BYTES];
    trust_name(name, 0);
    assert_string_equal(name, "none");
    assert_int_equal(trust_layers(name), 0);
    trust_name(name, (1U << TRUST_LAYER_COUNT) - 1);
    assert_string_equal(name, "user+namespaces+seccomp+cgroup2+cgroup1+limits");
    assert_int_equal(trust_layers(name), (1U << TRUST_LAYER_COUNT) - 1);
    assert_int_equal(trust_layers("forbidden"), 0);
    assert_int_equal(trust_layers("limit+limitss+limits"), TRUST_BIT(TRUST_LIMITS));
}

static void test_what_is_enough(void **state) {
    (void)state;
    assert_true(trust_is_enough(trust_layers("namespaces+limits")));
    assert_true(trust_is_enough(trust_layers("user+namespaces+seccomp+cgroup1+limits")));
    assert_false(trust_is_enough(trust_layers("user+seccomp+limits")));
    assert_false(trust_is_enough(trust_layers("user+namespaces+seccomp")));
    assert_false(trust_is_enough(trust_layers("none")));
}

/* Whoever has one kind of groups or none, or a layer more, is as good. */
static void test_what_is_as_good(void **state) {
    (void)state;
    const TrustSet wanted = trust_layers("user+namespaces+seccomp+cgroup2+limits");
    assert_true(trust_is_as_good(wanted, wanted));
    assert_true(trust_is_as_good(trust_layers("user+namespaces+seccomp+cgroup1+limits"), wanted));
    assert_true(trust_is_as_good(trust_layers("user+namespaces+seccomp+limits"), wanted));
    assert_true(trust_is_as_good(wanted, trust_layers("namespaces+limits")));
    assert_false(trust_is_as_good(trust_layers("namespaces+seccomp+limits"), wanted));
    assert_false(trust_is_as_good(trust_layers("user+seccomp+limits"), trust_layers("user+seccomp+limits")));
}

int main(void) {
#define IN_FOLDER(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_hybrid),
        IN_FOLDER(test_switched_on),
        IN_FOLDER(test_claim),
        IN_FOLDER(test_not_alone),
        IN_FOLDER(test_container),
        IN_FOLDER(test_nothing_known),
        cmocka_unit_test(test_limits_of_the_kernel),
        cmocka_unit_test(test_names_of_levels),
        cmocka_unit_test(test_what_is_enough),
        cmocka_unit_test(test_what_is_as_good),
    };
#undef IN_FOLDER
    return cmocka_run_group_tests(tests, NULL, NULL);
}
