/* test_killed.c - kill -9 while an instructor changes a gradebook: words of each kind, points by hand, a
 * request with its run, an answer with its points, a regrade. What was there before stays, whole and in its
 * order; what was being written is there whole, or not at all; and the same command, given again, ends as if
 * nothing had happened.
 */
#include "killed_scene.h"

#include "grading/book/judged.h"
#include "grading/book/words.h"

#include <sqlite3.h>

/* ---- an answer ---- */

static const BookWord an_answer = {
    .kind = WORD_ANSWER, .student = "bob", .lesson = "07-block-sum", .text = "so it was", .author = "eve"};

static void answer(Scene *scene) {
    const BookOverride points = {
        .student = "bob", .lesson = "07-block-sum", .points = 5000, .reason = "so it was", .author = "eve"};
    Gradebook *book = scene_book(scene);
    if (book == NULL || !gradebook_answer(book, &an_answer, &points, &scene->diagnostics)) _exit(1);
    gradebook_close(book);
}

/* How many answers there are, with the points that each of them gave. */
static size_t check_answers(Scene *scene, const char *when, long edge) {
    BookOverrideList points;
    BookWordList words;
    Gradebook *book = scene_book(scene);
    assert_non_null(book);
    assert_true(gradebook_read_overrides(book, scene->arena, &points, &scene->diagnostics));
    assert_true(gradebook_read_words(book, scene->arena, &words, &scene->diagnostics));
    if (words.count != points.count)
        fail_msg("%s %ld: %zu answers, %zu times points", when, edge, words.count, points.count);
    gradebook_close(book);
    return words.count;
}

/* An answer and its points are in the book, or neither is, wherever it was killed; so it is in the file
 * beside it. */
static void test_killed_while_answering(void **state) {
    (void)state;
    enum { FEWEST = 2 };
    Scene scene;
    scene_open(&scene);
    grade_all(&scene);
    size_t before = 0;
    long n = 1;
    for (; is_killed(&scene, answer, n); n++) {
        const size_t now = check_answers(&scene, "killed at edge", n);
        assert_in_range(now, before, before + 1);
        before = now;
    }
    assert_true(n > FEWEST);
    assert_int_equal(check_answers(&scene, "not killed", n), before + 1);
    assert_int_equal(unlink(scene.path), 0);
    assert_int_equal(check_answers(&scene, "from the file beside it", n), before + 1);
    scene_close(&scene);
}

/* ---- points by hand ---- */

static const BookOverride by_hand = {
    .student = "bob", .lesson = "07-block-sum", .points = 4000, .reason = "in the lab", .author = "eve"};

static void override(Scene *scene) {
    Gradebook *book = scene_book(scene);
    if (book == NULL || !gradebook_override(book, &by_hand, &scene->diagnostics)) _exit(1);
    gradebook_close(book);
}

/* All overrides are whole; how many there are. */
static size_t check_overrides(Scene *scene) {
    BookOverrideList list;
    Gradebook *book = scene_book(scene);
    assert_non_null(book);
    assert_true(gradebook_read_overrides(book, scene->arena, &list, &scene->diagnostics));
    for (size_t i = 0; i < list.count; i++) {
        assert_string_equal(list.items[i].reason, by_hand.reason);
        assert_int_equal(list.items[i].points, by_hand.points);
    }
    gradebook_close(book);
    return list.count;
}

static void test_killed_while_overriding(void **state) {
    (void)state;
    enum { FEWEST = 2 };
    Scene scene;
    scene_open(&scene);
    grade_all(&scene);
    size_t before = 0;
    long n = 1;
    for (; is_killed(&scene, override, n); n++) {
        const size_t now = check_overrides(&scene);
        assert_in_range(now, before, before + 1);
        before = now;
    }
    assert_true(n > FEWEST);
    assert_int_equal(check_overrides(&scene), before + 1);
    assert_int_equal(unlink(scene.path), 0);
    assert_int_equal(check_overrides(&scene), before + 1); /* from the file beside it */
    scene_close(&scene);
}

/* ---- a request ---- */

static const SceneFile asked_for = {"bob", "07-block-sum", "bob's other sum", 3000, 9};

/* What `request --file` writes, step by step: the file, its run, and then what was asked. */
static void ask(Scene *scene) {
    BookGradingList gradings;
    Gradebook *book = scene_book(scene);
    if (book == NULL || !gradebook_read_gradings(book, scene->arena, &gradings, &scene->diagnostics))
        _exit(1);
    const BookGrading *last = &gradings.items[gradings.count - 1];
    const BookKey key = scene_key(&asked_for, last->seed);
    const BookWord word = {.kind = WORD_REQUEST,
                           .student = asked_for.student,
                           .lesson = asked_for.lesson,
                           .item = key.hash,
                           .text = "please",
                           .author = "eve"};
    struct json_object *result = scene_result(&asked_for);
    if (!gradebook_keep_source(book, key.hash, asked_for.source, strlen(asked_for.source),
                               &scene->diagnostics) ||
        !gradebook_add_attempt(book, last, &key, result, &scene->diagnostics) ||
        !gradebook_add_word(book, &word, &scene->diagnostics))
        _exit(1);
    json_object_put(result);
    gradebook_close(book);
}

/* How many requests there are: each with its file and its run, so that it can be answered; and no run that
 * nobody has handed in changes a grade. */
static size_t check_requests(Scene *scene) {
    BookWordList words;
    Text source;
    int64_t attempt = 0;
    text_init(&source);
    Gradebook *book = scene_book(scene);
    assert_non_null(book);
    assert_true(gradebook_read_words(book, scene->arena, &words, &scene->diagnostics));
    for (size_t i = 0; i < words.count; i++) {
        assert_true(gradebook_read_source(book, words.items[i].item, &source, &scene->diagnostics));
        assert_string_equal(source.bytes, asked_for.source);
        text_clear(&source);
        assert_true(judged_find(book, asked_for.student, asked_for.lesson, words.items[i].item, &attempt,
                                &scene->diagnostics));
        assert_true(attempt > 0);
    }
    assert_string_equal(scene_grades(scene, book), scene_whole);
    gradebook_close(book);
    text_free(&source);
    return words.count;
}

static void test_killed_while_asking(void **state) {
    (void)state;
    enum { FEWEST = 4 }; /* at least one edge for each of the three steps */
    Scene scene;
    scene_open(&scene);
    grade_all(&scene);
    size_t before = 0;
    long n = 1;
    for (; is_killed(&scene, ask, n); n++) {
        const size_t now = check_requests(&scene);
        assert_in_range(now, before, before + 1);
        before = now;
    }
    assert_true(n > FEWEST);
    assert_int_equal(check_requests(&scene), before + 1);
    scene_close(&scene);
}

/* ---- words ---- */

/* One word of each kind, as the commands say them one after the other. */
static const BookWord sayings[] = {
    {.kind = WORD_COMMENT, .student = "bob", .lesson = "07-block-sum", .text = "clear"},
    {.kind = WORD_COMMENT, .lesson = "07-block-sum", .text = "see page 3"},
    {.kind = WORD_ITEM,
     .student = "bob",
     .lesson = "07-block-sum",
     .item = "style",
     .points = -500,
     .text = "names"},
    {.kind = WORD_UNSAY, .student = "bob", .lesson = "07-block-sum", .item = "style", .text = ""},
    {.kind = WORD_EXCUSE, .student = "ann", .lesson = "07-block-sum", .text = "ill"},
    {.kind = WORD_REMOVE, .student = "ann", .text = "left"},
    {.kind = WORD_RESTORE, .student = "ann", .text = "is back"},
    {.kind = WORD_RELEASE, .lesson = "07-block-sum", .text = ""},
    {.kind = WORD_HOLD, .text = ""},
    {.kind = WORD_REQUEST, .student = "bob", .lesson = "07-block-sum", .item = "abc", .text = "please"}};
enum { SAYINGS = sizeof sayings / sizeof *sayings };
static BookWord saying; /* the one that `say` says */

static void say(Scene *scene) {
    Gradebook *book = scene_book(scene);
    if (book == NULL || !gradebook_add_word(book, &saying, &scene->diagnostics)) _exit(1);
    gradebook_close(book);
}

static bool is_word(const BookWord *a, const BookWord *b) {
    const char *const texts[][2] = {
        {a->student, b->student}, {a->lesson, b->lesson}, {a->item, b->item}, {a->text, b->text}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if ((texts[i][0] == NULL) != (texts[i][1] == NULL) ||
            (texts[i][0] != NULL && strcmp(texts[i][0], texts[i][1]) != 0))
            return false;
    return a->kind == b->kind && a->points == b->points && strcmp(a->author, b->author) == 0;
}

/* The book must have these words, whole and in this order, and may have the last one or not. */
static size_t check_sayings(Scene *scene, const BookWord *expected, size_t fewest, const char *when,
                            long edge) {
    BookWordList list;
    Gradebook *book = scene_book(scene);
    assert_non_null(book);
    assert_true(gradebook_read_words(book, scene->arena, &list, &scene->diagnostics));
    if (list.count < fewest || list.count > fewest + 1)
        fail_msg("%s %ld: %zu words after %zu", when, edge, list.count, fewest);
    for (size_t i = 0; i < list.count; i++)
        if (!is_word(&list.items[i], &expected[i])) fail_msg("%s %ld: word %zu is another", when, edge, i);
    gradebook_close(book);
    return list.count;
}

/* What was said stays, and a word is there whole or not at all, whatever it is about and wherever the command
 * was killed; a command that was killed too late is repeated, so that a word may stand twice. */
static void test_killed_while_saying(void **state) {
    (void)state;
    enum { FEWEST = 2, MOST = 32 };
    static BookWord expected[SAYINGS * MOST];
    size_t count = 0;
    Scene scene;
    scene_open(&scene);
    grade_all(&scene);
    for (size_t i = 0; i < SAYINGS; i++) {
        saying = sayings[i];
        saying.author = "eve";
        expected[count] = saying;
        long n = 1;
        for (; n < MOST && is_killed(&scene, say, n); n++) {
            count = check_sayings(&scene, expected, count, "killed at edge", n);
            expected[count] = saying;
        }
        assert_in_range(n, FEWEST + 1, MOST - 1);
        count = check_sayings(&scene, expected, count + 1, "not killed", n);
    }
    assert_int_equal(unlink(scene.path), 0);
    assert_int_equal(check_sayings(&scene, expected, count, "from the file beside it", 0), count);
    scene_close(&scene);
}

/* ---- a regrade ---- */

enum { OTHER_SEED = 77 };

static void regrade(Scene *scene) {
    static const long seed = OTHER_SEED;
    const BookOrder order = {.versions = "versions 2", .sandbox = "namespaces", .seed = &seed};
    BookGrading grading;
    Gradebook *book = scene_book(scene);
    bool fine = book != NULL &&
                gradebook_begin_grading(book, &order, &grading, scene->arena, &scene->diagnostics) &&
                scene_hand_in(scene, book, &grading, scene_files, SCENE_FILES);
    for (size_t i = 0; fine && i < SCENE_FILES; i++)
        fine = scene_add(scene, book, &grading, &scene_files[i]);
    if (!fine || !gradebook_end_grading(book, &grading, &scene->diagnostics)) _exit(1);
    gradebook_close(book);
}

static size_t count_results(const Scene *scene, bool of_regrade) {
    sqlite3 *database;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open(scene->path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(database, "SELECT count(*) FROM attempt WHERE (seed = ?) = ?", -1,
                                        &statement, NULL),
                     SQLITE_OK);
    sqlite3_bind_int(statement, 1, OTHER_SEED);
    sqlite3_bind_int(statement, 2, of_regrade);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    const size_t count = (size_t)sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return count;
}

/* Neither the first grading's results nor the instructor's words are touched, and no new result is lost
 * again. */
static void test_killed_while_regrading(void **state) {
    (void)state;
    enum { FEWEST = 5 };
    BookWord expected[SAYINGS + 1] = {{0}};
    size_t results = 0;
    long n = 1;
    Scene scene;
    scene_open(&scene);
    grade_all(&scene);
    for (size_t i = 0; i < SAYINGS; i++) {
        expected[i] = saying = sayings[i];
        expected[i].author = saying.author = "eve";
        say(&scene);
    }
    for (; is_killed(&scene, regrade, n); n++) {
        check_sayings(&scene, expected, SAYINGS, "regrade killed at edge", n);
        assert_int_equal(count_results(&scene, false), SCENE_FILES);
        const size_t now = count_results(&scene, true);
        assert_in_range(now, results, SCENE_FILES);
        results = now;
    }
    assert_true(n > FEWEST);
    assert_int_equal(count_results(&scene, true), SCENE_FILES);
    assert_int_equal(check_sayings(&scene, expected, SAYINGS, "regraded", n), SAYINGS);
    scene_close(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_killed_while_answering), cmocka_unit_test(test_killed_while_overriding),
        cmocka_unit_test(test_killed_while_asking),    cmocka_unit_test(test_killed_while_saying),
        cmocka_unit_test(test_killed_while_regrading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
