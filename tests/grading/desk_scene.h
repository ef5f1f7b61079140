/* desk_scene.h - a small class for the tests of the gradebook: two students, two lessons, one grading.
 *
 * `scene_grade` does what `warpschool grade` does, without a judge: it hands in the files, and adds the
 * result of each that the book does not have yet. So a book that was hurt in any way can be graded again, and
 * compared with one that was not.
 */
#pragma once

#include "base/hash.h"
#include "grading/book/class.h"
#include "tests/autograder/temporary.h"

typedef struct Scene {
    Temporary temporary;
    Arena *arena;
    Diagnostics diagnostics;
    char *path;
    Course course;
} Scene;

static Lesson scene_lessons[] = {{.name = "01-vector-add", .manifest = {.title = "Vectors"}},
                                 {.name = "07-block-sum", .manifest = {.title = "Sums"}}};

static inline void scene_open(Scene *scene) {
    temporary_make(&scene->temporary);
    scene->arena = arena_create();
    diag_init(&scene->diagnostics, scene->arena);
    scene->path = temporary_path(&scene->temporary, "book.db");
    scene->course = (Course){.root = "/", .lessons = scene_lessons, .count = 2};
}

static inline void scene_close(Scene *scene) {
    arena_destroy(scene->arena);
    free(scene->path);
    temporary_remove(&scene->temporary);
}

/* The first diagnostic that is left, as a person reads it; none are left afterwards. */
static inline const char *scene_said(Scene *scene) {
    const Diagnostic *first = scene->diagnostics.first;
    const char *said = first == NULL ? ""
                                     : arena_format(scene->arena, "%s | %s", first->message,
                                                    first->remedy ? first->remedy : "");
    diag_init(&scene->diagnostics, scene->arena);
    return said;
}

static inline Gradebook *scene_book(Scene *scene) {
    return gradebook_open(scene->path, "course", GRADEBOOK_WRITE, &scene->diagnostics);
}

typedef struct SceneFile {
    const char *student, *lesson, *source;
    int64_t time;
    int score; /* of 10 */
} SceneFile;

/* In turn one of more buffers than a test needs at once: the tests that let our allocations fail must not
 * fail here. */
static inline const char *scene_hash(const char *source) {
    static char hashes[64][HASH_HEX];
    static size_t next;
    char *hash = hashes[next++ % 64];
    hash_bytes(source, strlen(source), hash);
    return hash;
}

/* What the judge would give: long enough that a row has pages of its own, so that there is much to cut. */
static inline struct json_object *scene_result(const SceneFile *file) {
    struct json_object *result = json_object_new_object();
    char words[6001];
    memset(words, 'a' + file->score, sizeof words - 1);
    words[sizeof words - 1] = '\0';
    json_object_object_add(result, "schema", json_object_new_string("warpschool/result/v1"));
    json_object_object_add(result, "lesson", json_object_new_string(file->lesson));
    json_object_object_add(result, "verdict", json_object_new_string(file->score == 10 ? "pass" : "fail"));
    json_object_object_add(result, "score", json_object_new_int(file->score));
    json_object_object_add(result, "max_score", json_object_new_int(10));
    json_object_object_add(result, "output", json_object_new_string(words));
    return result;
}

static inline BookKey scene_key(const SceneFile *file, long seed) {
    return (BookKey){file->student, file->lesson, scene_hash(file->source), "revision 1", "versions 1", seed};
}

static inline bool scene_add(Scene *scene, Gradebook *book, const BookGrading *grading,
                             const SceneFile *file) {
    BookKey key = scene_key(file, grading->seed);
    int errors = scene->diagnostics.errors;
    if (gradebook_reuse(book, grading, &key, &scene->diagnostics)) return true;
    if (scene->diagnostics.errors != errors) return false;
    struct json_object *result = scene_result(file);
    bool fine = gradebook_add_attempt(book, grading, &key, result, &scene->diagnostics);
    json_object_put(result);
    return fine;
}

static inline bool scene_hand_in(Scene *scene, Gradebook *book, const BookGrading *grading,
                                 const SceneFile *files, size_t count) {
    BookStudent students[] = {{.id = "ann", .name = "Ann Other", .email = "ann@example.org"}, {.id = "bob"}};
    BookHanded handed[16];
    for (size_t i = 0; i < count; i++)
        handed[i] = (BookHanded){.student = files[i].student,
                                 .lesson = files[i].lesson,
                                 .hash = scene_hash(files[i].source),
                                 .bytes = files[i].source,
                                 .length = strlen(files[i].source),
                                 .path = "folder/file.cu",
                                 .time = files[i].time,
                                 .time_from = files[i].time != 0 ? "file" : NULL};
    return gradebook_hand_in(book, grading, students, 2, handed, count, &scene->diagnostics);
}

static inline bool scene_begin_in(Scene *scene, Gradebook *book, BookGrading *grading, const char *sandbox) {
    BookOrder order = {.versions = "versions 1", .sandbox = sandbox};
    return gradebook_begin_grading(book, &order, grading, scene->arena, &scene->diagnostics);
}

static inline bool scene_begin(Scene *scene, Gradebook *book, BookGrading *grading) {
    return scene_begin_in(scene, book, grading, "namespaces");
}

/* A whole grading, or as much of it as `most` results. */
static inline bool scene_grade(Scene *scene, Gradebook *book, const SceneFile *files, size_t count,
                               size_t most) {
    BookGrading grading;
    bool fine = scene_begin(scene, book, &grading) && scene_hand_in(scene, book, &grading, files, count);
    for (size_t i = 0; fine && i < count && i < most; i++)
        fine = scene_add(scene, book, &grading, &files[i]);
    return fine && (most < count || gradebook_end_grading(book, &grading, &scene->diagnostics));
}

/* "ann 01-vector-add decided 10; ..." */
static inline const char *scene_grades(Scene *scene, Gradebook *book) {
    static const char *const states[] = {"nothing", "decided", "refused", "fault", "waiting"};
    Policy policy;
    Class class = {0};
    Text text;
    text_init(&text);
    bool fine = policy_read_text(&policy, scene->arena, &scene->course, NULL, NULL, &scene->diagnostics) &&
                class_read(&class, scene->arena, book, &policy, &scene->diagnostics);
    for (size_t i = 0; fine && i < class.student_count; i++)
        for (size_t j = 0; j < class.lesson_count; j++) {
            const Grade *grade = class_grade(&class, i, j);
            text_format(&text, "%s %s %s %g/%g%s; ", class.students[i].id, class.lessons[j].name,
                        states[grade->state], grade->points, grade->max_points,
                        grade->result != NULL ? " with result" : "");
        }
    class_free(&class);
    const char *copy = arena_string(scene->arena, fine ? text.bytes : "cannot be read");
    text_free(&text);
    return copy != NULL ? copy : "no memory";
}

static const SceneFile scene_files[] = {{"ann", "01-vector-add", "ann's first", 1000, 10},
                                        {"ann", "07-block-sum", "ann's sum", 2000, 4},
                                        {"bob", "01-vector-add", "bob's first", 1500, 7}};
enum { SCENE_FILES = sizeof scene_files / sizeof *scene_files };
static const char scene_whole[] =
    "ann 01-vector-add decided 10/10 with result; ann 07-block-sum decided 4/10 with result; "
    "bob 01-vector-add decided 7/10 with result; bob 07-block-sum nothing 0/10; ";
