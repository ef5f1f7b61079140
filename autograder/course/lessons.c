/* lessons.c - finding the course and a lesson in it; see lessons.h. */
#include "autograder/course/lessons.h"

#include "autograder/texts.h"

#include "base/nearest.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "/a/b/c" without its last part; in the arena. */
static const char *parent_of(Arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    if (slash == NULL || slash == path) return "/";
    return arena_copy(arena, path, (size_t)(slash - path));
}

/* The course is found from the program's own file, BUILD/bin/warpschool, so that it works from any folder.
 * --root is for builds that lie elsewhere. */
static bool find_root(Course *course, Arena *arena, const char *root, Diagnostics *diagnostics) {
    char self[PATH_MAX], real[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) {
        diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0,
                 "cannot find this program's own file: is /proc mounted?");
        return false;
    }
    self[length] = '\0';
    course->build = parent_of(arena, parent_of(arena, self));
    course->root = parent_of(arena, course->build);
    if (root == NULL) return true;
    if (realpath(root, real) == NULL) {
        diag_add(diagnostics, DIAG_ERROR, root, 0, 0, "no such folder: %s", strerror(errno));
        return false;
    }
    course->root = arena_string(arena, real);
    return course->root != NULL;
}

static int is_lesson(const struct dirent *entry) {
    const char *name = entry->d_name;
    return isdigit((unsigned char)name[0]) && isdigit((unsigned char)name[1]) && name[2] == '-';
}

static bool read_lesson(Course *course, Arena *arena, const char *name, Diagnostics *diagnostics) {
    const char *folder = arena_format(arena, "%s/lessons/%s", course->root, name);
    const char *path = arena_format(arena, "%s/lesson.yaml", text_or(folder, ""));
    const char *own_name = arena_string(arena, name);
    if (folder == NULL || path == NULL || own_name == NULL) return false;
    if (access(path, F_OK) != 0) return true; /* a folder in the making */
    Lesson *lesson = &course->lessons[course->count++];
    lesson->folder = folder;
    lesson->name = own_name;
    return manifest_read(&lesson->manifest, arena, path, diagnostics);
}

/* The line of a manifest that begins with the key; 0: none. */
static int line_of_key(const char *path, const char *key) {
    enum { LARGEST_MANIFEST = 1 << 18 };
    Text text = text_new();
    int line = 0, number = 1;
    if (text_read_file(&text, path, LARGEST_MANIFEST))
        for (const char *at = text.bytes; line == 0 && at != NULL; number++) {
            if (text_starts_with(at, key)) line = number;
            at = strchr(at, '\n');
            if (at != NULL) at++;
        }
    text_free(&text);
    return line;
}

/* A lesson that needs one which is not there would never be the next. */
static bool check_needs(const Course *course, const Lesson *lesson, Arena *arena, Diagnostics *diagnostics) {
    bool fine = true;
    for (size_t i = 0; i < lesson->manifest.needs.count; i++) {
        const char *needed = lesson->manifest.needs.items[i];
        size_t at = 0;
        while (at < course->count && strcmp(course->lessons[at].name, needed) != 0)
            at++;
        if (at < course->count) continue;
        const char *path = arena_format(arena, "%s/lesson.yaml", lesson->folder);
        advise(diag_add(diagnostics, DIAG_ERROR, path, path != NULL ? line_of_key(path, "needs:") : 0, 0,
                        "`needs`: there is no lesson `%s`", needed),
               "write a folder of lessons/ in full, 01-vector-add, or leave it out");
        fine = false;
    }
    return fine;
}

/* All lessons are read at once, and all faults of all manifests are reported. */
bool lessons_load(Course *course, Arena *arena, const char *root, Diagnostics *diagnostics) {
    *course = (Course){0};
    if (!find_root(course, arena, root, diagnostics)) return false;
    const char *folder = arena_format(arena, "%s/lessons", course->root);
    struct dirent **entries = NULL;
    int count = -1;
    if (folder != NULL) count = scandir(folder, &entries, is_lesson, alphasort);
    if (count <= 0) {
        return advise(diag_add(diagnostics, DIAG_ERROR, folder, 0, 0, "no lessons here"),
                      "run the program from its build folder, or say where the course is: --root DIR");
    }
    course->lessons = ARENA_ARRAY(arena, (size_t)count, Lesson);
    bool fine = course->lessons != NULL;
    for (int i = 0; i < count; i++) {
        if (course->lessons != NULL)
            fine = read_lesson(course, arena, entries[i]->d_name, diagnostics) && fine;
        free(entries[i]);
    }
    free(entries);
    for (size_t i = 0; fine && i < course->count; i++)
        fine = check_needs(course, &course->lessons[i], arena, diagnostics);
    return fine;
}

/* ---- what a person means ---- */

static bool is_number(const char *query) {
    return *query != '\0' && strspn(query, "0123456789") == strlen(query);
}

static bool is_meant(const Lesson *lesson, const char *query) {
    if (is_number(query)) return strtol(query, NULL, 10) == strtol(lesson->name, NULL, 10);
    return text_starts_with(lesson->name, query) || text_starts_with(lesson->name + 3, query);
}

/* By the beginning of a name that is as long as the query, with the number and without. */
static const Lesson *nearest_lesson(const Course *course, const char *query, Arena *arena) {
    Nearest nearest = nearest_within(query, strlen(query) / 2);
    const Lesson *best = NULL;
    for (size_t i = 0; i < course->count; i++) {
        const char *name = course->lessons[i].name;
        bool nearer = nearest_offer(&nearest, arena_copy(arena, name, strnlen(name, strlen(query))));
        name += 3;
        nearer = nearest_offer(&nearest, arena_copy(arena, name, strnlen(name, strlen(query)))) || nearer;
        if (nearer) best = &course->lessons[i];
    }
    return best;
}

static void refuse_query(CourseText problem, const CourseFacts *facts, Diagnostics *diagnostics) {
    advise(
        diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "%s", told_course(diagnostics->arena, problem, facts)),
        told_course(diagnostics->arena, COURSE_UNKNOWN_REMEDY, facts));
}

/* A lesson by its number, its name, or a beginning of one that fits no other. */
const Lesson *lessons_find(const Course *course, const char *query, Diagnostics *diagnostics) {
    const Lesson *found = NULL, *second = NULL;
    for (size_t i = 0; i < course->count; i++) {
        const Lesson *lesson = &course->lessons[i];
        if (strcmp(lesson->name, query) == 0 || strcmp(lesson->name + 3, query) == 0) return lesson;
        if (*query == '\0' || !is_meant(lesson, query)) continue;
        if (found == NULL)
            found = lesson;
        else
            second = lesson;
    }
    if (found != NULL && second == NULL) return found;
    const Lesson *near = NULL;
    if (found == NULL) near = nearest_lesson(course, query, diagnostics->arena);
    const CourseFacts facts = {.query = query,
                               .first = found != NULL ? found->name : NULL,
                               .other = second != NULL ? second->name : NULL,
                               .near = near != NULL ? near->name : NULL};
    refuse_query(found != NULL ? COURSE_AMBIGUOUS : COURSE_UNKNOWN, &facts, diagnostics);
    return NULL;
}

const char *lessons_built(const Course *course, const Lesson *lesson, const char *file, Arena *arena) {
    return arena_format(arena, "%s/lessons/%s/%s", course->build, lesson->name, file);
}

const char *lessons_pages(const Course *course, Arena *arena) {
    static const char *const places[] = {"site", "../../../share/doc/warpschool-doc/html"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const char *path = arena_format(arena, "%s/%s", course->build, places[i]);
        char real[PATH_MAX];
        if (path != NULL && realpath(path, real) != NULL && access(real, R_OK | X_OK) == 0)
            return arena_string(arena, real);
    }
    return NULL;
}
