/* test_glance.c - the class at a glance: what its page counts, and what it leaves out. */
#include "desk_scene.h"

#include "base/json.h"
#include "grading/out/glance.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { STUDENTS = 6, LESSONS = 4 };

static const char *const names[STUDENTS] = {"ann", "ben", "cy", "dee", "eva", "fay"};

/* A class and its page, of which only words are left, a blank between cells. */
typedef struct Glance {
    Arena *arena;
    Diagnostics diagnostics;
    ClassStudent students[STUDENTS];
    ClassLesson lessons[LESSONS];
    Grade grades[STUDENTS * LESSONS];
    Class class;
    Text words;
} Glance;

static void glance_open(Glance *glance) {
    *glance = (Glance){.arena = arena_create()};
    diag_init(&glance->diagnostics, glance->arena);
    text_init(&glance->words);
    for (size_t i = 0; i < STUDENTS; i++)
        glance->students[i] = (ClassStudent){.id = names[i]};
    for (size_t i = 0; i < LESSONS; i++)
        glance->lessons[i] = (ClassLesson){.name = arena_format(glance->arena, "lesson %zu", i)};
    glance->class = (Class){.lessons = glance->lessons,
                            .lesson_count = LESSONS,
                            .students = glance->students,
                            .student_count = STUDENTS,
                            .grades = glance->grades};
}

/* A program of so many of ten points, with these members of its result. */
static void hand_in(Glance *glance, size_t student, size_t lesson, int score, const char *members) {
    const char *text =
        arena_format(glance->arena, "{\"verdict\": \"%s\", %s}", score == 10 ? "pass" : "fail", members);
    struct json_object *result = json_parse_text(text, strlen(text), "a result", &glance->diagnostics);
    assert_non_null(result);
    glance->grades[student * LESSONS + lesson] =
        (Grade){.state = GRADE_DECIDED, .score = score, .max_score = 10, .path = "file.cu", .result = result};
}

static const char *look(Glance *glance, Gradebook *book, const Class *class) {
    const ExportJob job = {
        .class = class, .arena = glance->arena, .diagnostics = &glance->diagnostics, .book = book};
    Text page;
    text_init(&page);
    text_clear(&glance->words);
    assert_true(glance_add(&page, &job));
    for (const char *at = page.bytes; *at != '\0'; at++) {
        if (*at == '<') at += strcspn(at, ">");
        const char *letter = *at == '>' || *at == '\n' ? " " : at;
        const bool blank = *letter == ' ' && (glance->words.length == 0 ||
                                              glance->words.bytes[glance->words.length - 1] == ' ');
        if (!blank) text_append(&glance->words, letter, 1);
    }
    text_free(&page);
    return glance->words.bytes;
}

static void glance_close(Glance *glance) {
    for (size_t i = 0; i < STUDENTS * LESSONS; i++)
        json_object_put(glance->grades[i].result);
    text_free(&glance->words);
    arena_destroy(glance->arena);
}

static void expect(const char *words, const char *part, bool there) {
    if ((strstr(words, part) != NULL) != there)
        fail_msg("\"%s\" is %s in: %s", part, there ? "not" : "", words);
}

/* Two programs ran it and neither passed. One program is no sign, and what did not run is none either. */
static void test_cases_that_nobody_passes(void **state) {
    (void)state;
    Glance glance;
    glance_open(&glance);
    hand_in(&glance, 0, 1, 4,
            "\"cases\": [{\"name\": \"hard\", \"verdict\": \"wrong-answer\"}, {\"name\": \"hard\", "
            "\"verdict\": \"crash\"},"
            "{\"name\": \"fair\", \"verdict\": \"wrong-answer\"}, {\"name\": \"late\", \"verdict\": "
            "\"not-run\"}]");
    hand_in(&glance, 1, 1, 5,
            "\"cases\": [{\"name\": \"hard\", \"verdict\": \"wrong-answer\"}, {\"name\": \"fair\", "
            "\"verdict\": \"pass\"},"
            "{\"name\": \"late\", \"verdict\": \"wrong-answer\"}]");
    hand_in(&glance, 1, 2, 5, "\"cases\": [{\"name\": \"fair\", \"verdict\": \"wrong-answer\"}]");
    const char *words = look(&glance, NULL, &glance.class);
    expect(words, "Cases that nobody passes lesson case programs lesson 1 hard 2 ", true);
    expect(words, " fair ", false);
    expect(words, " late ", false);
    glance_close(&glance);
}

/* Programs are counted, not findings; errors stand first. */
static void test_findings_by_count(void **state) {
    (void)state;
    Glance glance;
    glance_open(&glance);
    hand_in(&glance, 0, 0, 3,
            "\"findings\": [{\"kind\": \"leak\", \"severity\": \"error\"}, {\"kind\": \"shared-race\", "
            "\"severity\": \"error\"},"
            "{\"kind\": \"shared-race\", \"severity\": \"error\"}, {\"kind\": \"bank-conflict\", "
            "\"severity\": \"note\"}]");
    hand_in(&glance, 1, 2, 3,
            "\"findings\": [{\"kind\": \"shared-race\", \"severity\": \"error\"}, {\"kind\": "
            "\"bank-conflict\", \"severity\": \"note\"}]");
    hand_in(&glance, 2, 0, 10, "\"findings\": [{\"kind\": \"bank-conflict\", \"severity\": \"note\"}]");
    const char *words = look(&glance, NULL, &glance.class);
    expect(words, "What was found kind programs shared-race 2 leak 1 bank-conflict (a note) 3 ", true);
    expect(words, "lesson 0 2 1 ", true);
    expect(words, "nobody passes", false);
    glance_close(&glance);
}

/* Who handed in something and then nothing for the last two lessons that a third of the class has begun: not
 * who never began, who is excused, or who came back. */
static void test_who_has_stopped(void **state) {
    (void)state;
    Glance glance;
    glance_open(&glance);
    for (size_t lesson = 0; lesson < LESSONS; lesson++) {
        hand_in(&glance, 0, lesson, 10, "\"cases\": []");
        hand_in(&glance, 1, lesson, 10, "\"cases\": []");
    }
    hand_in(&glance, 2, 0, 10, "\"cases\": []"); /* cy stopped, after lesson 1 */
    hand_in(&glance, 2, 1, 4, "\"cases\": []");
    hand_in(&glance, 3, 0, 10, "\"cases\": []"); /* dee is excused from the last */
    glance.grades[3 * LESSONS + 3].state = GRADE_EXCUSED;
    hand_in(&glance, 4, 0, 10, "\"cases\": []"); /* eva came back for it; fay never began */
    hand_in(&glance, 4, 3, 10, "\"cases\": []");
    const char *words = look(&glance, NULL, &glance.class);
    expect(words, "Who has stopped They handed in something, and nothing for the last two lessons", true);
    expect(words, "student last lesson handed in cy lesson 1 ", true);
    for (size_t i = 0; i < STUDENTS; i++)
        if (i != 2) expect(words, names[i], false);
    /* With ann alone in the last lesson the class has not begun it, and the one before it counts. */
    for (size_t student = 1; student < STUDENTS; student++) {
        json_object_put(glance.grades[student * LESSONS + 3].result);
        glance.grades[student * LESSONS + 3] = (Grade){.state = GRADE_NOTHING};
    }
    words = look(&glance, NULL, &glance.class);
    expect(words, "student last lesson handed in dee lesson 0 eva lesson 0 ", true);
    expect(words, "cy", false);
    glance_close(&glance);
}

/* From the first file to the first that passed, and how many it took: of ann three hours and two files, and
 * of bob nothing, who has not passed. */
static void test_time_to_pass(void **state) {
    (void)state;
    static const SceneFile first[] = {{"ann", "01-vector-add", "a try", 1000, 4},
                                      {"bob", "01-vector-add", "bob's", 1000, 3}};
    static const SceneFile second[] = {{"ann", "01-vector-add", "the answer", 1000 + 3 * 3600, 10}};
    Glance glance;
    Scene scene;
    Policy policy;
    Class class;
    glance_open(&glance);
    scene_open(&scene);
    Gradebook *book = scene_book(&scene);
    assert_true(scene_grade(&scene, book, first, 2, 2) && scene_grade(&scene, book, second, 1, 1));
    assert_true(policy_read_text(&policy, scene.arena, &scene.course, NULL, NULL, &scene.diagnostics) &&
                class_read(&class, scene.arena, book, &policy, &scene.diagnostics));
    expect(look(&glance, book, &class), "01-vector-add 2 1 3 hours, 2 files ", true);
    class_free(&class);
    gradebook_close(book);
    scene_close(&scene);
    glance_close(&glance);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases_that_nobody_passes),
        cmocka_unit_test(test_findings_by_count),
        cmocka_unit_test(test_who_has_stopped),
        cmocka_unit_test(test_time_to_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
