/* killed_scene.h - a process that works on a gradebook and is killed at any place where that could matter.
 *
 * The functions that wait for the disk, and those that rename and remove files, are the test program's own:
 * they count, and end a child where they are told to. Nothing waits for a real disk.
 */
#pragma once

#include "desk_scene.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cmocka.h>

/* ---- edges: where a process may be killed ---- */

static long edges, killed_at; /* 0: nowhere */

static inline void pass_edge(void) {
    edges++;
    if (edges == killed_at) _exit(9);
}

static inline int waited(void) {
    pass_edge();
    return 0;
}

int fsync(int fd) {
    (void)fd;
    return waited();
}

int fdatasync(int fd) {
    (void)fd;
    return waited();
}

int rename(const char *from, const char *to) {
    pass_edge();
    return (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

int unlink(const char *path) {
    pass_edge();
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

/* ---- kill -9 at an edge ---- */

typedef void Deed(Scene *scene);

static inline void grade_all(Scene *scene) {
    Gradebook *book = scene_book(scene);
    if (book == NULL || !scene_grade(scene, book, scene_files, SCENE_FILES, SCENE_FILES)) _exit(1);
    gradebook_close(book);
}

/* Runs the deed in a child that is killed at its n-th edge; false when it came to its end before. */
static inline bool is_killed(Scene *scene, Deed *deed, long n) {
    pid_t child = fork();
    if (child == 0) {
        edges = 0, killed_at = n;
        deed(scene);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || (WEXITSTATUS(status) != 9 && WEXITSTATUS(status) != 0))
        fail_msg("edge %ld: status %d", n, status);
    return WEXITSTATUS(status) == 9;
}
