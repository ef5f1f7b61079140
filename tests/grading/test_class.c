/* test_class.c - which file counts, since when it is there, and what lateness, weights and overrides make of
 * its points. */
#include "base/json.h"
#include "desk_scene.h"
#include "grading/book/extensions.h"
#include "grading/book/volunteers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { DUE = 1795215600, DAY = 86400 }; /* 2026-11-20 23:00 UTC */

static const char rules[] = "id: course\n"
                            "lessons: {07: {weight: 20, due: 2026-11-20 23:00 Z}}\n"
                            "late: {percent_per_day: 10}\n";
static const char best_rules[] = "id: course\n"
                                 "lessons: {07: {weight: 20, due: 2026-11-20 23:00 Z}}\n"
                                 "late: {percent_per_day: 10}\n"
                                 "attempts: best\n";

/* Ann's files for lesson 07, one grading after the other; ends with source == NULL. A score of -1 is the
 * grader's fault, -2 leaves the file waiting, -3 a refusal. */
typedef struct Step {
    const char *source;
    int64_t time;
    int score;
} Step;

enum { FAULT = -1, WAITS = -2, REFUSED = -3 };

static void take_step(Scene *scene, Gradebook *book, const Step *step) {
    const SceneFile file = {"ann", "07-block-sum", step->source, step->time, step->score};
    BookStudent ann = {.id = "ann"};
    BookHanded handed = {.student = "ann",
                         .lesson = "07-block-sum",
                         .path = "ann/07.cu",
                         .time = step->time,
                         .hash = scene_hash(step->source),
                         .bytes = step->source,
                         .length = strlen(step->source)};
    if (step->score == REFUSED)
        handed = (BookHanded){
            .student = "ann", .lesson = "07-block-sum", .path = "ann/07.cu", .refused = "a link"};
    BookGrading grading;
    assert_true(scene_begin(scene, book, &grading));
    assert_true(gradebook_hand_in(book, &grading, &ann, 1, &handed, 1, &scene->diagnostics));
    BookKey key = scene_key(&file, grading.seed);
    if (step->score >= 0) assert_true(scene_add(scene, book, &grading, &file));
    if (step->score == FAULT)
        assert_true(gradebook_add_fault(book, &grading, &key, "it died", NULL, &scene->diagnostics));
    assert_true(gradebook_end_grading(book, &grading, &scene->diagnostics));
}

typedef struct Story {
    const char *name, *rules;
    Step steps[5];
    GradeState state;
    double points;
    int attempts;
    int64_t handed_in;
} Story;

static const Story stories[] = {
    {"one file, in time", rules, {{"a", DUE, 10}}, GRADE_DECIDED, 20, 1, DUE},
    {"one file, a second late", rules, {{"a", DUE + 1, 10}}, GRADE_DECIDED, 18, 1, DUE + 1},
    {"its time is unknown", rules, {{"a", 0, 10}}, GRADE_DECIDED, 20, 1, 0},
    {"the last counts", rules, {{"a", DUE - 9, 10}, {"b", DUE, 5}}, GRADE_DECIDED, 10, 2, DUE},
    {"the best counts", best_rules, {{"a", DUE - 9, 10}, {"b", DUE, 5}}, GRADE_DECIDED, 20, 2, DUE - 9},
    {"the best after lateness", best_rules, {{"a", DUE, 9}, {"b", DUE + 1, 9}}, GRADE_DECIDED, 18, 2, DUE},
    {"of equals the later", best_rules, {{"a", DUE - 9, 9}, {"b", DUE, 9}}, GRADE_DECIDED, 18, 2, DUE},
    {"a second download is later", rules, {{"a", DUE, 10}, {"a", DUE + DAY, 10}}, GRADE_DECIDED, 20, 1, DUE},
    {"nor is the best late by it",
     best_rules,
     {{"a", DUE, 10}, {"a", DUE + DAY, 10}},
     GRADE_DECIDED,
     20,
     1,
     DUE},
    {"a time that became known", rules, {{"a", 0, 10}, {"a", DUE - 5, 10}}, GRADE_DECIDED, 20, 1, DUE - 5},
    {"an old file again",
     rules,
     {{"a", DUE - 9, 10}, {"b", DUE, 5}, {"a", DUE + 1, 10}},
     GRADE_DECIDED,
     18,
     2,
     DUE + 1},
    {"the last was refused", rules, {{"a", DUE, 10}, {"-", 0, REFUSED}}, GRADE_REFUSED, 0, 1, 0},
    {"the best was not", best_rules, {{"a", DUE, 10}, {"-", 0, REFUSED}}, GRADE_DECIDED, 20, 1, DUE},
    {"the grader failed", rules, {{"a", DUE, 10}, {"b", DUE, FAULT}}, GRADE_FAULT, 0, 2, DUE},
    {"it may have been the best",
     best_rules,
     {{"a", DUE, 5}, {"b", DUE, FAULT}, {"c", DUE, 7}},
     GRADE_FAULT,
     0,
     3,
     DUE},
    {"it failed once only", rules, {{"a", DUE, FAULT}, {"a", DUE, 10}}, GRADE_DECIDED, 20, 1, DUE},
    {"it failed the second time", rules, {{"a", DUE, 10}, {"a", DUE, FAULT}}, GRADE_FAULT, 0, 1, DUE},
    {"not graded yet", rules, {{"a", DUE, 10}, {"b", DUE, WAITS}}, GRADE_WAITING, 0, 2, DUE},
};

static Class read_class(Scene *scene, Gradebook *book, const char *text, Policy *policy) {
    Class class = {0};
    assert_true(
        policy_read_text(policy, scene->arena, &scene->course, text, "course.yaml", &scene->diagnostics));
    if (!class_read(&class, scene->arena, book, policy, &scene->diagnostics))
        fail_msg("%s", scene_said(scene));
    return class;
}

static void test_which_file_counts(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof stories / sizeof *stories; i++) {
        const Story *story = &stories[i];
        Scene scene;
        Policy policy;
        scene_open(&scene);
        Gradebook *book = scene_book(&scene);
        for (const Step *step = story->steps; step->source != NULL; step++)
            take_step(&scene, book, step);
        Class class = read_class(&scene, book, story->rules, &policy);
        const Grade *grade = class_grade(&class, 0, 0);
        if (grade->state != story->state || fabs(grade->points - story->points) > 1e-9 ||
            grade->attempts != story->attempts || grade->handed_in != story->handed_in ||
            !(grade->max_points > 19.9))
            fail_msg("%s: state %d, %g points of %g, %d attempts, %lld", story->name, (int)grade->state,
                     grade->points, grade->max_points, grade->attempts, (long long)(grade->handed_in - DUE));
        assert_true(class_is_decided(grade) ==
                    (story->state == GRADE_DECIDED || story->state == GRADE_REFUSED));
        class_free(&class);
        gradebook_close(book);
        scene_close(&scene);
    }
}

static void test_lessons_that_the_rules_leave_out(void **state) {
    (void)state;
    Scene scene;
    Policy policy;
    scene_open(&scene);
    Gradebook *book = scene_book(&scene);
    assert_true(scene_grade(&scene, book, scene_files, SCENE_FILES, SCENE_FILES));
    Class class = read_class(&scene, book, "id: course\nlessons: {07: }\n", &policy);
    assert_int_equal(class.lesson_count, 1);
    assert_int_equal(scene.diagnostics.warnings, 1); /* once for the lesson, not for each file */
    assert_non_null(strstr(scene_said(&scene), "files for 01-vector-add were handed in"));
    class_free(&class);
    gradebook_close(book);
    scene_close(&scene);
}

/* `diff` asks how things stood. */
static void test_as_it_stood_after_a_grading(void **state) {
    (void)state;
    Scene scene;
    Policy policy;
    scene_open(&scene);
    Gradebook *book = scene_book(&scene);
    take_step(&scene, book, &(Step){"a", DUE, 4});
    take_step(&scene, book, &(Step){"b", DUE, 8});
    BookOverride word = {
        .student = "ann", .lesson = "07-block-sum", .points = 1000, .reason = "r", .author = "a"};
    assert_true(gradebook_override(book, &word, &scene.diagnostics));
    Class class = read_class(&scene, book, rules, &policy);
    assert_true(class_grade(&class, 0, 0)->overridden && class_grade(&class, 0, 0)->points < 1.1);
    assert_int_equal(class_grade(&class, 0, 0)->score, 8);
    class_free(&class);
    BookGrading later;
    assert_true(scene_begin_in(&scene, book, &later, "none"));
    assert_true(gradebook_end_grading(book, &later, &scene.diagnostics));
    class = read_class(&scene, book, rules, &policy);
    assert_string_equal(class.sandbox, "none");
    class_free(&class);
    for (int grading = 1; grading <= 2; grading++) {
        assert_true(class_read_after(&class, scene.arena, book, &policy, grading, &scene.diagnostics));
        assert_int_equal(class_grade(&class, 0, 0)->score, 4 * grading);
        assert_string_equal(class.sandbox, "namespaces"); /* how it was graded then */
        assert_false(class_grade(&class, 0, 0)->overridden);
        class_free(&class);
    }
    gradebook_close(book);
    scene_close(&scene);
}

/* A grading that found these of ann's: a source for lesson 07 or NULL, and a file of no lesson or NULL. */
static void take_unplaced(Scene *scene, Gradebook *book, const char *source, const char *unplaced) {
    BookStudent ann = {.id = "ann"};
    BookHanded handed[2];
    size_t count = 0;
    if (source != NULL)
        handed[count++] = (BookHanded){.student = "ann",
                                       .lesson = "07-block-sum",
                                       .path = "ann/07.cu",
                                       .hash = scene_hash(source),
                                       .bytes = source,
                                       .length = strlen(source)};
    if (unplaced != NULL)
        handed[count++] = (BookHanded){.student = "ann",
                                       .path = unplaced,
                                       .refused = "no lesson has this name",
                                       .remedy = "name it 07.cu"};
    BookGrading grading;
    assert_true(scene_begin(scene, book, &grading));
    assert_true(gradebook_hand_in(book, &grading, &ann, 1, handed, count, &scene->diagnostics));
    assert_true(gradebook_end_grading(book, &grading, &scene->diagnostics));
}

static void add_case(struct json_object *card, const char *name, const char *verdict, double time,
                     double solution) {
    struct json_object *one = json_object_new_object(), *times = json_object_new_object();
    json_object_object_add(one, "name", json_object_new_string(name));
    json_object_object_add(one, "verdict", json_object_new_string(verdict));
    json_object_object_add(times, "median", json_object_new_double(time));
    if (time > 0) json_object_object_add(one, "microseconds", times);
    if (!(time > 0)) json_object_put(times);
    if (solution > 0) json_object_object_add(one, "solution_microseconds", json_object_new_double(solution));
    json_object_array_add(json_array(card, "cases"), one);
}

/* A day late, so that 9 of 10 points are left of 20: 18 x 90 %. What a fifth of them, by the time, makes of
 * it. */
typedef struct Timing {
    const char *verdict; /* of the case that counts; NULL: graded without a card */
    double time, solution;
    const char *disturbed, *problem; /* NULL */
    double points;
    const char *said;
} Timing;

static const Timing timings[] = {
    {"pass", 10, 10, NULL, NULL, 18,
     "\"large\" takes 1.00 times as long as the course's solution (10.0 us, 10.0 us)"},
    {"pass", 15, 10, NULL, NULL, 18, "20 % of the points go by the time on the card"},
    {"pass", 27.5, 10, NULL, NULL, 16.2, "2.75 times"},
    {"pass", 40, 10, NULL, NULL, 14.4, "4.00 times"},
    {"pass", 4000, 10, NULL, NULL, 14.4, "400.00 times"},
    {"wrong-answer", 0, 10, NULL, NULL, 14.4, "\"large\" has no right answer there"},
    {"pass", 0, 10, NULL, NULL, 14.4, "has no right answer there"},
    {"not-run", 0, 10, NULL, NULL, 18, "costs nothing"},
    {"pass", 4000, 0, NULL, NULL, 18, "costs nothing: the course's solution has no time"},
    {"pass", 4000, 10, "busy", NULL, 18, "costs nothing: other programs were using the card"},
    {"pass", 4000, 10, "shared", NULL, 18, "costs nothing: the card is cut into parts"},
    {"pass", 4000, 10, "throttled", NULL, 18, "costs nothing: the card was being held back"},
    {"pass", 4000, 10, NULL, "no card there", 18, "costs nothing: no card there"},
    {NULL, 0, 0, NULL, NULL, 18, "costs nothing: this was graded without a card"},
};

static struct json_object *timed_result(const Timing *timing, const SceneFile *file) {
    struct json_object *result = scene_result(file), *card = json_object_new_object();
    json_object_object_add(card, "cases", json_object_new_array());
    json_object_object_add(card, "disturbed", json_object_new_array());
    if (timing->problem != NULL)
        json_object_object_add(card, "problem", json_object_new_string(timing->problem));
    if (timing->disturbed != NULL)
        json_object_array_add(json_array(card, "disturbed"), json_object_new_string(timing->disturbed));
    add_case(card, "small", "pass", 900, 1); /* the solution is quicker here: it does not count */
    add_case(card, "large", timing->verdict != NULL ? timing->verdict : "", timing->time, timing->solution);
    if (timing->solution > 0 || timing->problem != NULL)
        json_object_object_add(result, "card", card);
    else if (timing->verdict != NULL) { /* no case has the solution's time */
        json_object_object_del(json_object_array_get_idx(json_array(card, "cases"), 0),
                               "solution_microseconds");
        json_object_object_add(result, "card", card);
    } else {
        json_object_put(card);
    }
    return result;
}

/* Graded once, with that result, and read by that rule: the grade of lesson 07. */
static void expect_timing(const Timing *timing, const char *rule, double points, const char *said) {
    const SceneFile file = {"ann", "07-block-sum", "a", DUE + 1, 10};
    Scene scene;
    Policy policy;
    BookGrading grading;
    scene_open(&scene);
    Gradebook *book = scene_book(&scene);
    assert_true(scene_begin(&scene, book, &grading));
    assert_true(scene_hand_in(&scene, book, &grading, &file, 1));
    const BookKey key = scene_key(&file, grading.seed);
    struct json_object *result = timed_result(timing, &file);
    assert_true(gradebook_add_attempt(book, &grading, &key, result, &scene.diagnostics));
    assert_true(gradebook_end_grading(book, &grading, &scene.diagnostics));
    json_object_put(result);
    Class class = read_class(&scene, book, arena_format(scene.arena, "%s%s", rules, rule), &policy);
    const Grade *grade = class_grade(&class, 0, 0);
    if (fabs(grade->points - points) > 1e-9)
        fail_msg("%s: %g points, not %g", timing->said, grade->points, points);
    assert_int_equal(grade->remark_count, said != NULL);
    if (said != NULL) {
        assert_string_equal(grade->remarks[0].item, "time on the card");
        if (strstr(grade->remarks[0].text, said) == NULL) fail_msg("%s: %s", said, grade->remarks[0].text);
        assert_true(fabs(grade->remarks[0].points - (points - 18)) < 1e-9);
    }
    class_free(&class);
    gradebook_close(book);
    scene_close(&scene);
}

static void test_times_on_a_card(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof timings / sizeof *timings; i++)
        expect_timing(&timings[i], "card: {percent: 20}\n", timings[i].points, timings[i].said);
    /* The same result by other rules. */
    const Timing slow = {"pass", 40, 10, NULL, NULL, 0, "slow"};
    expect_timing(&slow, "card: {percent: 100, full_at: 2, none_at: 6}\n", 9, "4.00 times");
    expect_timing(&slow, "card: {percent: 20, lessons: [7]}\n", 14.4, "4.00 times");
    expect_timing(&slow, "card: {percent: 0}\n", 18, NULL);
    expect_timing(&slow, "", 18, NULL);
}

/* Which file of no lesson ann is told of after each grading; the first lesson of the rules is one she never
 * handed in. A regrading finds the same sources and nothing else. */
/* Who is in several sections has the extensions of each, and of two the later date. */
static void test_sections(void **state) {
    (void)state;
    Diagnostics diagnostics;
    Arena *arena = arena_create();
    diag_init(&diagnostics, arena);
    PolicyExtension all[] = {{.section = "A", .lesson = "07-block-sum", .due = 1},
                             {.section = "B, 2026", .lesson = "07-block-sum", .due = 2}};
    const Policy policy = {.path = "course.yaml", .extensions = all, .extension_count = 2};
    const struct {
        const char *section;
        int64_t due; /* 0: none */
    } students[] = {{"A", 1},
                    {"B, 2026", 2},
                    {"A and C", 1},
                    {"C, D, and A", 1},
                    {"C; A", 1},
                    {"A and B, 2026", 2},
                    {"B, 2026 and A", 2},
                    {"AB", 0},
                    {"BA", 0},
                    {"A B", 0},
                    {"", 0},
                    {NULL, 0}};
    for (size_t i = 0; i < sizeof students / sizeof *students; i++) {
        const ClassStudent student = {.id = "ann", .section = students[i].section};
        const PolicyExtension *found;
        assert_true(extensions_find(&policy, &student, "07-block-sum", &found, &diagnostics));
        assert_int_equal(found != NULL ? found->due : 0, students[i].due);
    }
    arena_destroy(arena);
}

/* Of an extension, and of a name on the leaderboard: by id, else by login or e-mail. */
static void test_who_is_meant(void **state) {
    (void)state;
    static const ClassStudent students[] = {
        {.id = "ann"},
        {.id = "1", .login = "ann"},
        {.id = "2", .email = "ann"},
        {.id = "bob", .login = "rob", .email = "bob@example.org", .section = "A"},
        {.id = "nobody"}};
    Diagnostics diagnostics;
    Arena *arena = arena_create();
    diag_init(&diagnostics, arena);
    PolicyExtension extension = {.student = "ann", .lesson = "07-block-sum", .due = 1};
    const Policy policy = {.path = "course.yaml", .extensions = &extension, .extension_count = 1};
    PolicyVolunteer volunteer = {.student = "ann", .name = "Quick Fox"};
    const Class class = {.volunteers = &volunteer, .volunteer_count = 1};
    for (size_t i = 0; i < sizeof students / sizeof *students; i++) {
        const PolicyExtension *found;
        assert_true(extensions_find(&policy, &students[i], "07-block-sum", &found, &diagnostics));
        assert_ptr_equal(found, i < 3 ? &extension : NULL);
        const char *name = volunteers_name(&class, &students[i]);
        assert_ptr_equal(name, i < 3 ? volunteer.name : NULL);
    }
    arena_destroy(arena);
}

static void test_files_of_no_lesson(void **state) {
    (void)state;
    static const char two_lessons[] = "id: course\nlessons: {01: , 07: }\n";
    static const struct {
        const char *source, *unplaced, *told;
    } gradings[] = {{NULL, "ann/sum.cu", "ann/sum.cu"},
                    {"a", "ann/other.cu", "ann/other.cu"},
                    {"a", NULL, "ann/other.cu"},
                    {"b", NULL, NULL},
                    {"b", "ann/third.cu", "ann/third.cu"}};
    Scene scene;
    Policy policy;
    scene_open(&scene);
    Gradebook *book = scene_book(&scene);
    for (size_t i = 0; i < sizeof gradings / sizeof *gradings; i++) {
        take_unplaced(&scene, book, gradings[i].source, gradings[i].unplaced);
        Class class = read_class(&scene, book, two_lessons, &policy);
        const Grade *absent = class_grade(&class, 0, 0), *present = class_grade(&class, 0, 1);
        size_t count = gradings[i].told != NULL;
        assert_int_equal(class.students[0].unplaced_count, count);
        assert_int_equal(absent->unplaced_count, count);
        if (count > 0) assert_string_equal(absent->unplaced[0].path, gradings[i].told);
        if (gradings[i].source != NULL) assert_int_equal(present->unplaced_count, 0);
        class_free(&class);
    }
    gradebook_close(book);
    scene_close(&scene);
}

/* What a regrading gets: the last file with its own time, or all of them. */
static void test_what_is_regraded(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    Gradebook *book = scene_book(&scene);
    take_step(&scene, book, &(Step){"a", DUE, 4});
    take_step(&scene, book, &(Step){"b", DUE + 5, 8});
    take_step(&scene, book, &(Step){"b", DUE + 50, 8});
    BookHandedList list;
    assert_true(
        gradebook_read_handed(book, scene.arena, NULL, "07-block-sum", false, &list, &scene.diagnostics));
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].time, DUE + 5);
    assert_true(gradebook_read_handed(book, scene.arena, "ann", NULL, true, &list, &scene.diagnostics));
    assert_int_equal(list.count, 2);
    assert_int_equal(list.items[0].time, DUE);
    assert_true(gradebook_read_handed(book, scene.arena, "bob", NULL, true, &list, &scene.diagnostics));
    assert_int_equal(list.count, 0);
    gradebook_close(book);
    scene_close(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_file_counts),
        cmocka_unit_test(test_lessons_that_the_rules_leave_out),
        cmocka_unit_test(test_as_it_stood_after_a_grading),
        cmocka_unit_test(test_sections),
        cmocka_unit_test(test_who_is_meant),
        cmocka_unit_test(test_files_of_no_lesson),
        cmocka_unit_test(test_what_is_regraded),
        cmocka_unit_test(test_times_on_a_card),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
