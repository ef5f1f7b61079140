/* work.c - makes the learner's files, and never loses one; see work.h.
 *
 * A new file is written under a temporary name and then linked to its own: link(2) fails when the name
 * exists, so two runs at once cannot overwrite anything.
 */
#include "autograder/course/work.h"

#include "autograder/texts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST_STARTER = 1 << 20 };

static bool complain(Diagnostics *diagnostics, const char *path, CourseText problem, const char *remedy) {
    const char *said = told_course(diagnostics->arena, problem, &(CourseFacts){.why = strerror(errno)});
    return advise(diag_add(diagnostics, DIAG_ERROR, path, 0, 0, "%s", said), remedy);
}

/* Gives the file its name unless that is taken: true in both cases. */
static bool link_new(const char *temporary, const char *path, bool *made, Diagnostics *diagnostics) {
    *made = link(temporary, path) == 0;
    int error = errno;
    unlink(temporary);
    errno = error;
    return *made || error == EEXIST || complain(diagnostics, path, COURSE_NO_FILE, NULL);
}

bool work_read_starter(const Course *course, const Lesson *lesson, Text *text, Diagnostics *diagnostics) {
    const char *starter = arena_format(diagnostics->arena, "%s/starter/%s.cu", course->root, lesson->name);
    if (starter == NULL) return false;
    return text_read_file(text, starter, LARGEST_STARTER) ||
           complain(diagnostics, starter, COURSE_NO_STARTER, plain_course(COURSE_NO_STARTER_REMEDY));
}

/* The copy is made beside its place and linked to it, which fails where a file has come to be meanwhile: a
 * student's work is never overwritten. */
static bool copy_starter(const Course *course, const Lesson *lesson, const char *path, bool *made,
                         Diagnostics *diagnostics) {
    const char *temporary = arena_format(diagnostics->arena, "%s.new-%ld", path, (long)getpid());
    if (temporary == NULL) return false;
    Text text = text_new();
    bool fine = work_read_starter(course, lesson, &text, diagnostics);
    if (fine)
        fine = text_write_file(temporary, text.bytes, text.length) ||
               complain(diagnostics, temporary, COURSE_UNWRITTEN, plain_course(COURSE_UNWRITTEN_REMEDY));
    text_free(&text);
    return fine && link_new(temporary, path, made, diagnostics);
}

/* The student's file of a lesson, made from the starter when it is not there. */
const char *work_file(const Course *course, const Lesson *lesson, bool *made, Diagnostics *diagnostics) {
    *made = false;
    const char *folder = arena_format(diagnostics->arena, "%s/work", course->root);
    const char *path = arena_format(diagnostics->arena, "%s/work/%s.cu", course->root, lesson->name);
    if (folder == NULL || path == NULL) return NULL;
    struct stat facts;
    if (lstat(path, &facts) == 0) return path;
    if (mkdir(folder, 0755) != 0 && errno != EEXIST) {
        complain(diagnostics, folder, COURSE_NO_FOLDER, NULL);
        return NULL;
    }
    if (copy_starter(course, lesson, path, made, diagnostics)) return path;
    return NULL;
}

/* Moves the file to the first free NAME.cu.N; renameat2 refuses to overwrite. */
static const char *set_aside(const char *path, Diagnostics *diagnostics) {
    for (int number = 1; number < 1000; number++) {
        const char *name = arena_format(diagnostics->arena, "%s.%d", path, number);
        if (name == NULL) return NULL;
        if (renameat2(AT_FDCWD, path, AT_FDCWD, name, RENAME_NOREPLACE) == 0) return name;
        if (errno != EEXIST) break;
    }
    complain(diagnostics, path, COURSE_NOT_KEPT, NULL);
    return NULL;
}

bool work_reset(const Course *course, const Lesson *lesson, const char **kept, Diagnostics *diagnostics) {
    *kept = NULL;
    bool made;
    const char *path = work_file(course, lesson, &made, diagnostics);
    if (path == NULL || made) return path != NULL;
    *kept = set_aside(path, diagnostics);
    return *kept != NULL && work_file(course, lesson, &made, diagnostics) != NULL;
}

const char *work_shown_path(Arena *arena, const char *path) {
    char here[PATH_MAX];
    if (getcwd(here, sizeof here) == NULL) return path;
    size_t length = strlen(here);
    bool below = strncmp(path, here, length) == 0 && path[length] == '/';
    if (below) return arena_string(arena, path + length + 1);
    return path;
}
