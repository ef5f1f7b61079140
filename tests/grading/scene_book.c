/* scene_book.c - writes a small gradebook for tests/cli/gradebook.sh: scene_book FILE [text of course.yaml].
 *
 * Two gradings: in the second, ann has handed in another sum, and bob his first file. Carl's file was
 * refused, dora's grader failed, and her name is not meant well.
 */
#include "desk_scene.h"

static const BookStudent students[] = {
    {.id = "ann", .name = "Ann Other", .email = "ann@example.org", .login = "aother"},
    {.id = "bob"},
    {.id = "carl"},
    {.id = "dora", .name = "\x1b[31mDora\x1b[0m\n\xe2\x80\xae=HYPERLINK(1)\xff"}};

/* 2026-11-20 23:00 UTC, when the tests' lesson 07 is due, and later. */
enum { DUE = 1795215600, HOUR = 3600, DAY = 86400 };
static const SceneFile first[] = {{"ann", "07-block-sum-dynamic", "ann's sum", DUE - HOUR, 4},
                                  {"ann", "01-vector-add", "ann's first", DUE - DAY, 10}};
static const SceneFile second[] = {{"ann", "07-block-sum-dynamic", "ann's other sum", DUE + HOUR, 8},
                                   {"bob", "07-block-sum-dynamic", "bob's sum", DUE + 25 * HOUR, 9}};

static bool hand_in(Scene *scene, Gradebook *book, const BookGrading *grading, const SceneFile *files,
                    size_t count, bool others) {
    BookHanded handed[8];
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        handed[total++] =
            (BookHanded){.student = files[i].student,
                         .lesson = files[i].lesson,
                         .hash = scene_hash(files[i].source),
                         .bytes = files[i].source,
                         .length = strlen(files[i].source),
                         .path = arena_format(scene->arena, "%s/%s.cu", files[i].student, files[i].lesson),
                         .time = files[i].time,
                         .time_from = "file"};
    if (others) {
        handed[total++] = (BookHanded){.student = "carl",
                                       .lesson = "01-vector-add",
                                       .path = "carl/01.cu",
                                       .refused = "it is a symbolic link",
                                       .remedy = "ask for the file itself"};
        handed[total++] = (BookHanded){.student = "dora",
                                       .lesson = "01-vector-add",
                                       .hash = scene_hash("dora's"),
                                       .bytes = "dora's",
                                       .length = strlen("dora's"),
                                       .path = "dora/01\x1b[2J.cu",
                                       .time = DUE,
                                       .time_from = "file"};
    }
    return gradebook_hand_in(book, grading, students, 4, handed, total, &scene->diagnostics);
}

static bool grade(Scene *scene, Gradebook *book, const char *rules, const SceneFile *files, size_t count,
                  bool others) {
    static const long seed = 424242;
    BookOrder order = {.versions = "versions 1", .sandbox = "namespaces", .policy = rules, .seed = &seed};
    BookGrading grading;
    BookKey fault = {"dora", "01-vector-add", scene_hash("dora's"), "revision 1", "versions 1", seed};
    bool fine = gradebook_begin_grading(book, &order, &grading, scene->arena, &scene->diagnostics) &&
                hand_in(scene, book, &grading, files, count, others) &&
                (!others || gradebook_add_fault(book, &grading, &fault, "the worker died", "look at its log",
                                                &scene->diagnostics));
    for (size_t i = 0; fine && i < count; i++)
        fine = scene_add(scene, book, &grading, &files[i]);
    return fine && gradebook_end_grading(book, &grading, &scene->diagnostics);
}

int main(int argc, char **argv) {
    Scene scene = {.arena = arena_create()};
    const char *rules = argc > 2 ? argv[2] : NULL;
    if (argc < 2 || scene.arena == NULL) return EXIT_USAGE;
    diag_init(&scene.diagnostics, scene.arena);
    Gradebook *book = gradebook_open(argv[1], "cuda-2026", GRADEBOOK_WRITE, &scene.diagnostics);
    bool fine = book != NULL && grade(&scene, book, rules, first, sizeof first / sizeof *first, true) &&
                grade(&scene, book, rules, second, sizeof second / sizeof *second, false);
    if (!fine) fprintf(stderr, "scene_book: %s\n", scene_said(&scene));
    gradebook_close(book);
    arena_destroy(scene.arena);
    return fine ? EXIT_FINE : EXIT_INTERNAL;
}
