/* test_gradebook.c - the gradebook's promises: idempotent by key, resumed, secret, and one line for each file
 * that is none. */
#include "desk_scene.h"

#include "grading/book/store.h"

#include <fcntl.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <sys/stat.h>

#include <cmocka.h>

static void execute(const char *path, const char *sql) {
    sqlite3 *database;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    char *said = NULL;
    if (sqlite3_exec(database, sql, NULL, NULL, &said) != SQLITE_OK) fail_msg("%s: %s", sql, said);
    sqlite3_close(database);
}

static int64_t ask(const char *path, const char *sql) {
    sqlite3 *database;
    sqlite3_stmt *statement = NULL;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int64_t number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return number;
}

static void grade_and_close(Scene *scene) {
    Gradebook *book = scene_book(scene);
    assert_non_null(book);
    assert_true(scene_grade(scene, book, scene_files, SCENE_FILES, SCENE_FILES));
    gradebook_close(book);
}

static void test_a_grading(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    grade_and_close(&scene);
    Gradebook *book = scene_book(&scene);
    assert_string_equal(scene_grades(&scene, book), scene_whole);
    gradebook_close(book);
    struct stat facts;
    assert_int_equal(stat(scene.path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600); /* seeds are secrets */
    assert_int_equal(ask(scene.path, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    scene_close(&scene);
}

static void test_log_and_disk_are_as_promised(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    Gradebook *book = scene_book(&scene);
    char *log = temporary_path(&scene.temporary, "book.db-wal");
    BookGrading grading;
    assert_true(scene_begin(&scene, book, &grading));
    struct stat facts;
    assert_int_equal(stat(log, &facts), 0);
    assert_true(facts.st_size > 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
    free(log);
    gradebook_close(book);
    scene_close(&scene);
}

static void test_what_is_delivered_twice_is_there_once(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    Gradebook *book = scene_book(&scene);
    BookGrading grading;
    assert_true(scene_begin(&scene, book, &grading));
    assert_true(scene_hand_in(&scene, book, &grading, scene_files, SCENE_FILES));
    BookKey key = scene_key(&scene_files[0], grading.seed);
    struct json_object *result = scene_result(&scene_files[0]);
    SceneFile other = scene_files[0];
    other.score = 3;
    struct json_object *late = scene_result(&other);
    assert_true(gradebook_add_attempt(book, &grading, &key, result, &scene.diagnostics));
    assert_true(gradebook_add_attempt(book, &grading, &key, late, &scene.diagnostics));
    json_object_put(result);
    json_object_put(late);
    gradebook_close(book);
    assert_int_equal(ask(scene.path, "SELECT count(*) FROM attempt"), 1);
    assert_int_equal(ask(scene.path, "SELECT score FROM attempt"), 10);
    scene_close(&scene);
}

static void test_an_unfinished_grading_goes_on(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    Gradebook *book = scene_book(&scene);
    assert_true(scene_grade(&scene, book, scene_files, SCENE_FILES, 1));
    assert_string_equal(scene_grades(&scene, book),
                        "ann 01-vector-add decided 10/10 with result; ann 07-block-sum waiting 0/0; "
                        "bob 01-vector-add waiting 0/10; bob 07-block-sum nothing 0/0; ");
    gradebook_close(book);
    grade_and_close(&scene);
    assert_int_equal(ask(scene.path, "SELECT count(*) FROM grading"), 1);
    assert_int_equal(ask(scene.path, "SELECT count(*) FROM attempt"), 3);
    grade_and_close(&scene); /* the next one has a row of its own, the same seed, and nothing to do */
    assert_int_equal(ask(scene.path, "SELECT count(*) FROM grading"), 2);
    assert_int_equal(ask(scene.path, "SELECT count(DISTINCT seed) FROM grading"), 1);
    assert_int_equal(ask(scene.path, "SELECT count(*) FROM attempt"), 3);
    assert_int_equal(ask(scene.path, "SELECT count(*) FROM handed"), 6);
    scene_close(&scene);
}

static void test_seeds(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    Gradebook *book = scene_book(&scene);
    const long given = 5;
    BookOrder with_seed = {.versions = "v", .sandbox = "s", .seed = &given},
              without = {.versions = "v", .sandbox = "s"},
              drawn = {.versions = "v", .sandbox = "s", .new_seed = true};
    BookGrading first, second, third;
    assert_true(gradebook_begin_grading(book, &with_seed, &first, scene.arena, &scene.diagnostics));
    assert_int_equal(first.seed, 5);
    assert_true(gradebook_begin_grading(book, &without, &second, scene.arena, &scene.diagnostics));
    assert_true(second.resumed);
    assert_int_equal(second.id, first.id);
    assert_true(gradebook_begin_grading(book, &drawn, &third, scene.arena, &scene.diagnostics));
    assert_true(third.seed != 5 && third.id != first.id && !third.resumed);
    gradebook_close(book);
    scene_close(&scene);
}

static void test_faults_are_never_a_zero(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    Gradebook *book = scene_book(&scene);
    BookGrading grading;
    assert_true(scene_begin(&scene, book, &grading));
    assert_true(scene_hand_in(&scene, book, &grading, scene_files, 1));
    BookKey key = scene_key(&scene_files[0], grading.seed);
    assert_true(
        gradebook_add_fault(book, &grading, &key, "the worker died", "look at it", &scene.diagnostics));
    assert_string_equal(scene_grades(&scene, book),
                        "ann 01-vector-add fault 0/0; bob 01-vector-add nothing 0/0; ");
    assert_true(scene_add(&scene, book, &grading, &scene_files[0]));
    assert_string_equal(scene_grades(&scene, book),
                        "ann 01-vector-add decided 10/10 with result; bob 01-vector-add nothing 0/10; ");
    gradebook_close(book);
    scene_close(&scene);
}

static void test_what_is_no_result_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *verdict, *lesson;
        int score, most;
    } wrong[] = {{"error", "01-vector-add", 0, 10},
                 {"pass", "01-vector-add", 11, 10},
                 {"pass", "01-vector-add", -1, 10},
                 {"pass", "07-block-sum", 10, 10},
                 {"pass", "01-vector-add", 0, 1000000}};
    Scene scene;
    scene_open(&scene);
    Gradebook *book = scene_book(&scene);
    BookGrading grading;
    assert_true(scene_begin(&scene, book, &grading));
    assert_true(scene_hand_in(&scene, book, &grading, scene_files, SCENE_FILES));
    BookKey key = scene_key(&scene_files[0], grading.seed);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct json_object *result = scene_result(&scene_files[0]);
        json_object_object_add(result, "verdict", json_object_new_string(wrong[i].verdict));
        json_object_object_add(result, "lesson", json_object_new_string(wrong[i].lesson));
        json_object_object_add(result, "score", json_object_new_int(wrong[i].score));
        json_object_object_add(result, "max_score", json_object_new_int(wrong[i].most));
        assert_false(gradebook_add_attempt(book, &grading, &key, result, &scene.diagnostics));
        json_object_put(result);
        assert_non_null(strstr(scene_said(&scene), "is no result"));
    }
    gradebook_close(book);
    assert_int_equal(ask(scene.path, "SELECT count(*) FROM attempt"), 0);
    scene_close(&scene);
}

static void test_sources_come_back(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    grade_and_close(&scene);
    Gradebook *book = gradebook_open(scene.path, NULL, GRADEBOOK_READ, &scene.diagnostics);
    BookHandedList list;
    assert_true(gradebook_read_handed(book, scene.arena, "ann", NULL, false, &list, &scene.diagnostics));
    assert_int_equal(list.count, 2);
    assert_string_equal(list.items[1].lesson, "07-block-sum");
    assert_int_equal(list.items[1].time, 2000);
    Text source;
    text_init(&source);
    assert_true(gradebook_read_source(book, list.items[1].hash, &source, &scene.diagnostics));
    assert_string_equal(source.bytes, "ann's sum");
    text_free(&source);
    assert_false(gradebook_read_source(book, "0000000000000000", &source, &scene.diagnostics));
    assert_non_null(strstr(scene_said(&scene), "has no source"));
    gradebook_close(book);
    execute(scene.path, "UPDATE source SET bytes = x'00'");
    book = gradebook_open(scene.path, NULL, GRADEBOOK_READ, &scene.diagnostics);
    assert_false(gradebook_read_source(book, list.items[1].hash, &source, &scene.diagnostics));
    assert_non_null(strstr(scene_said(&scene), "is damaged"));
    text_free(&source);
    gradebook_close(book);
    scene_close(&scene);
}

static void test_a_changed_result_does_not_count(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    grade_and_close(&scene);
    execute(scene.path, "UPDATE attempt SET result = replace(result, 'kk', 'zz')");
    execute(scene.path, "UPDATE attempt SET result = replace(result, '\"score\":4', '\"score\":10')");
    Gradebook *book = scene_book(&scene);
    assert_non_null(strstr(scene_grades(&scene, book),
                           "ann 01-vector-add fault 0/10; ann 07-block-sum fault 0/10; "
                           "bob 01-vector-add decided 7/10 with result; "));
    assert_true(scene_grade(&scene, book, scene_files, SCENE_FILES, SCENE_FILES));
    assert_string_equal(scene_grades(&scene, book), scene_whole);
    gradebook_close(book);
    scene_close(&scene);
}

static void test_overrides(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    grade_and_close(&scene);
    Gradebook *book = scene_book(&scene);
    BookOverride word = {
        .student = "ann", .lesson = "07-block-sum", .points = 8250, .reason = "a typo", .author = "eve"};
    assert_true(gradebook_override(book, &word, &scene.diagnostics));
    assert_non_null(strstr(scene_grades(&scene, book), "ann 07-block-sum decided 8.25/10"));
    word.points = -1;
    assert_true(gradebook_override(book, &word, &scene.diagnostics));
    assert_string_equal(scene_grades(&scene, book), scene_whole);
    word.student = "nobody";
    assert_false(gradebook_override(book, &word, &scene.diagnostics));
    assert_non_null(strstr(scene_said(&scene), "there is no student `nobody`"));
    BookOverrideList list;
    assert_true(gradebook_read_overrides(book, scene.arena, &list, &scene.diagnostics));
    assert_int_equal(list.count, 2);
    gradebook_close(book);
    scene_close(&scene);
}

static void test_one_writes_and_others_read(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    Gradebook *writer = scene_book(&scene);
    assert_non_null(writer);
    assert_null(scene_book(&scene));
    assert_non_null(strstr(scene_said(&scene), "another warpschool writes"));
    Gradebook *reader = gradebook_open(scene.path, "course", GRADEBOOK_READ, &scene.diagnostics);
    assert_non_null(reader);
    gradebook_close(reader);
    gradebook_close(writer);
    scene_close(&scene);
}

/* ---- what is no gradebook of this course ---- */

static void refused(Scene *scene, const char *course, GradebookUse use, const char *words) {
    assert_null(gradebook_open(scene->path, course, use, &scene->diagnostics));
    const Diagnostic *first = scene->diagnostics.first;
    assert_non_null(first);
    assert_null(first->next); /* one clear line, with file and remedy */
    assert_string_equal(first->file, scene->path);
    assert_non_null(first->remedy);
    const char *said = scene_said(scene);
    if (strstr(said, words) == NULL) fail_msg("not said: %s, but %s", words, said);
}

static void test_files_that_are_no_gradebook(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    refused(&scene, NULL, GRADEBOOK_READ, "there is no gradebook here");
    temporary_write(&scene.temporary, "book.db", "", 0);
    refused(&scene, NULL, GRADEBOOK_READ, "there is no gradebook here");
    temporary_write(&scene.temporary, "book.db-wal", "", 0);
    refused(&scene, NULL, GRADEBOOK_READ, "there is no gradebook here");
    temporary_write(&scene.temporary, "book.db-wal", "7", 1); /* of something that was there */
    refused(&scene, NULL, GRADEBOOK_READ, "the gradebook is damaged");
    char *log = temporary_path(&scene.temporary, "book.db-wal");
    unlink(log);
    free(log);
    temporary_write(&scene.temporary, "book.db", "student,points\n", 15);
    refused(&scene, NULL, GRADEBOOK_WRITE, "this is not a gradebook");
    unlink(scene.path);
    execute(scene.path, "CREATE TABLE cookies (name)");
    refused(&scene, NULL, GRADEBOOK_WRITE, "a database of another program");
    assert_int_equal(ask(scene.path, "SELECT count(*) FROM cookies"), 0); /* and left alone */
    unlink(scene.path);
    temporary_folder(&scene.temporary, "book.db");
    refused(&scene, NULL, GRADEBOOK_WRITE, "this is not a gradebook");
    rmdir(scene.path);
    assert_int_equal(mkfifo(scene.path, 0600), 0);
    refused(&scene, NULL, GRADEBOOK_WRITE, "this is not a gradebook");
    scene_close(&scene);
}

static void test_a_folder_that_is_not_there(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    free(scene.path);
    scene.path = temporary_path(&scene.temporary, "nowhere/book.db");
    assert_null(scene_book(&scene));
    assert_non_null(strstr(scene_said(&scene), "cannot make the gradebook"));
    scene_close(&scene);
}

static void test_newer_schema_and_other_course(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    grade_and_close(&scene);
    refused(&scene, "another", GRADEBOOK_WRITE, "of the course `course`, not of `another`");
    execute(scene.path, "PRAGMA user_version = 99");
    refused(&scene, "course", GRADEBOOK_WRITE, "a newer warpschool: its schema is 99");
    refused(&scene, "course", GRADEBOOK_READ, "a newer warpschool: its schema is 99");
    execute(scene.path, "PRAGMA user_version = 6");
    Gradebook *book = scene_book(&scene);
    assert_string_equal(scene_grades(&scene, book), scene_whole);
    gradebook_close(book);
    scene_close(&scene);
}

static void test_a_book_without_rules_takes_the_first(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    gradebook_close(gradebook_open(scene.path, NULL, GRADEBOOK_WRITE, &scene.diagnostics));
    gradebook_close(scene_book(&scene));
    refused(&scene, "another", GRADEBOOK_WRITE, "of the course `course`");
    scene_close(&scene);
}

/* A book of the first schema has no overrides; opening it adds them and keeps the rest. */
static void test_an_older_schema_migrates(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    grade_and_close(&scene);
    execute(scene.path, "DROP TABLE override; DROP TABLE word; ALTER TABLE book DROP COLUMN identity;"
                        "ALTER TABLE student DROP COLUMN listed; ALTER TABLE student DROP COLUMN line; DROP "
                        "INDEX handed_by_path; DROP INDEX "
                        "handed_by_student; PRAGMA user_version = 1");
    Gradebook *book = gradebook_open(scene.path, "course", GRADEBOOK_READ, &scene.diagnostics);
    assert_non_null(book);
    assert_string_equal(scene_grades(&scene, book), scene_whole);
    gradebook_close(book);
    assert_int_equal(ask(scene.path, "SELECT user_version FROM pragma_user_version"), 6);
    assert_int_equal(ask(scene.path, "SELECT count(*) FROM override"), 0);
    assert_int_equal(ask(scene.path, "SELECT count(*) FROM word"), 0);
    scene_close(&scene);
}

/* What somebody wrote is a parameter, whatever it looks like. */
static void test_values_of_statements(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    grade_and_close(&scene);
    Gradebook *book = scene_book(&scene);
    const char *none = NULL, *hostile = "'; DROP TABLE student; --%s";
    assert_string_equal(
        store_text(book, scene.arena, &scene.diagnostics, "SELECT %s || %d || %ld", hostile, -1, 5000000000),
        "'; DROP TABLE student; --%s-15000000000");
    assert_int_equal(store_number(book, &scene.diagnostics, "SELECT 7 WHERE %s IS NULL", none), 7);
    assert_int_equal(store_number(book, &scene.diagnostics, "SELECT 7 WHERE %d = 2", 1), 0);
    assert_null(store_text(book, scene.arena, &scene.diagnostics, "SELECT NULL"));
    assert_true(store_change(book, &scene.diagnostics, "UPDATE student SET name = %s", hostile));
    assert_int_equal(
        store_number(book, &scene.diagnostics, "SELECT count(*) FROM student WHERE name = %s", hostile),
        store_number(book, &scene.diagnostics, "SELECT count(*) FROM student"));
    assert_int_equal(scene.diagnostics.errors, 0);
    assert_false(store_change(book, &scene.diagnostics, "UPDATE nothing SET name = %s", hostile));
    assert_int_equal(scene.diagnostics.errors, 1);
    gradebook_close(book);
    scene_close(&scene);
}

/* ---- failures in words ---- */

static void fail_with(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    sqlite3_result_error_code(context, sqlite3_value_int(values[0]));
}

/* SQLite's codes have kinds: some failures of a kind are told by themselves, others like all of it. */
static void test_failures_have_words(void **state) {
    (void)state;
    static const struct {
        int code;
        const char *words;
        bool internal;
    } rows[] = {
        {SQLITE_FULL, "the disk is full", true},
        {SQLITE_IOERR_WRITE, "the disk is full, or a quota, or it fails", true},
        {SQLITE_IOERR_NOMEM, "out of memory", true},
        {SQLITE_IOERR_READ, "the gradebook failed: ", true},
        {SQLITE_BUSY, "another program uses", false},
        {SQLITE_BUSY_SNAPSHOT, "another program uses", false},
        {SQLITE_READONLY_DIRECTORY, "the file or its folder is read-only", false},
        {SQLITE_CANTOPEN_ISDIR, "cannot open the gradebook", false},
        {SQLITE_CORRUPT_INDEX, "the gradebook is damaged", true},
    };
    Scene scene;
    Gradebook book = {.path = ":memory:"};
    scene_open(&scene);
    assert_true(store_connect(&book, ":memory:", &scene.diagnostics));
    assert_int_equal(
        sqlite3_create_function(book.database, "fail_with", 1, SQLITE_UTF8, NULL, fail_with, NULL, NULL),
        SQLITE_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *sql = arena_format(scene.arena, "SELECT fail_with(%d)", rows[i].code);
        assert_false(store_execute(&book, sql, &scene.diagnostics));
        assert_int_equal(scene.diagnostics.internal, rows[i].internal);
        const char *said = scene_said(&scene);
        if (strstr(said, rows[i].words) == NULL) fail_msg("%d: %s", rows[i].code, said);
    }
    store_disconnect(&book);
    scene_close(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_grading),
        cmocka_unit_test(test_log_and_disk_are_as_promised),
        cmocka_unit_test(test_what_is_delivered_twice_is_there_once),
        cmocka_unit_test(test_an_unfinished_grading_goes_on),
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_faults_are_never_a_zero),
        cmocka_unit_test(test_what_is_no_result_is_refused),
        cmocka_unit_test(test_sources_come_back),
        cmocka_unit_test(test_a_changed_result_does_not_count),
        cmocka_unit_test(test_overrides),
        cmocka_unit_test(test_one_writes_and_others_read),
        cmocka_unit_test(test_files_that_are_no_gradebook),
        cmocka_unit_test(test_a_folder_that_is_not_there),
        cmocka_unit_test(test_newer_schema_and_other_course),
        cmocka_unit_test(test_a_book_without_rules_takes_the_first),
        cmocka_unit_test(test_an_older_schema_migrates),
        cmocka_unit_test(test_values_of_statements),
        cmocka_unit_test(test_failures_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
