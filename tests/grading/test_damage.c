/* test_damage.c - what may happen to a gradebook from outside: the process is killed, the power fails, the
 * disk fills, bytes change, memory ends. Each time the class is graded again, and comes to the grades of a
 * run that nothing disturbed.
 */
#include "killed_scene.h"

#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>

/* ---- the files of a book ---- */

typedef struct Bytes {
    char *bytes;
    size_t length;
} Bytes;

/* A book and its log, as they are on the disk at one moment. */
typedef struct Snapshot {
    Bytes book, log;
} Snapshot;

static Bytes read_all(const char *path) {
    Text text;
    text_init(&text);
    if (!text_read_file(&text, path, 1 << 24)) return (Bytes){NULL, 0};
    Bytes bytes = {malloc(text.length + 1), text.length};
    memcpy(bytes.bytes, text.bytes, text.length + 1);
    text_free(&text);
    return bytes;
}

static Snapshot snapshot_take(const Scene *scene) {
    char *log = temporary_path(&scene->temporary, "book.db-wal");
    Snapshot snapshot = {read_all(scene->path), read_all(log)};
    free(log);
    return snapshot;
}

static void snapshot_free(Snapshot *snapshot) {
    free(snapshot->book.bytes);
    free(snapshot->log.bytes);
}

static void empty_folder(const Scene *scene) {
    temporary_remove(&scene->temporary);
    if (mkdir(scene->temporary.folder, 0700) != 0) abort();
}

/* The first bytes of the two files, and nothing else in the folder. */
static void lay(const Scene *scene, const Snapshot *snapshot, size_t book, size_t log) {
    empty_folder(scene);
    temporary_write(&scene->temporary, "book.db", snapshot->book.bytes, book);
    if (snapshot->log.bytes != NULL)
        temporary_write(&scene->temporary, "book.db-wal", snapshot->log.bytes, log);
}

/* Opens what lies there, looks that nothing in it is half, grades again, and compares. */
static void grade_what_is_left(Scene *scene, const char *what, size_t at) {
    Gradebook *book = scene_book(scene);
    if (book == NULL) fail_msg("%s at %zu: %s", what, at, scene_said(scene));
    const char *left = scene_grades(scene, book);
    if (strstr(left, "fault") != NULL || strstr(left, "cannot") != NULL)
        fail_msg("%s at %zu leaves %s", what, at, left);
    if (!scene_grade(scene, book, scene_files, SCENE_FILES, SCENE_FILES))
        fail_msg("%s at %zu: %s", what, at, scene_said(scene));
    const char *grades = scene_grades(scene, book);
    if (strcmp(grades, scene_whole) != 0) fail_msg("%s at %zu: %s", what, at, grades);
    gradebook_close(book);
    arena_destroy(scene->arena);
    scene->arena = arena_create();
    diag_init(&scene->diagnostics, scene->arena);
}

/* Offsets worth a try: each byte at the beginning, then around each page's edge, and one inside. */
static size_t next_offset(size_t at) {
    enum { BEGINNING = 40, PAGE = 4096, INSIDE = 1500 };
    if (at < BEGINNING) return at + 1;
    size_t in_page = at % PAGE;
    if (in_page == 0) return at + 1;
    return in_page < INSIDE ? at - in_page + INSIDE : at - in_page + PAGE;
}

/* The most that a log or a book can look like: closed, or with two results in the log that no one has moved.
 */
static Snapshot interrupted(Scene *scene) {
    Gradebook *book = scene_book(scene);
    assert_true(scene_grade(scene, book, scene_files, SCENE_FILES, 2));
    Snapshot snapshot = snapshot_take(scene);
    assert_true(snapshot.log.length > 0);
    gradebook_close(book);
    return snapshot;
}

static Snapshot closed(Scene *scene) {
    Gradebook *book = scene_book(scene);
    assert_true(scene_grade(scene, book, scene_files, SCENE_FILES, 2));
    gradebook_close(book);
    Snapshot snapshot = snapshot_take(scene);
    assert_int_equal(snapshot.log.length, 0);
    return snapshot;
}

static void test_log_cut_anywhere(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    Snapshot snapshot = interrupted(&scene);
    for (size_t at = 0; at <= snapshot.log.length; at = next_offset(at)) {
        lay(&scene, &snapshot, snapshot.book.length, at);
        grade_what_is_left(&scene, "the log cut", at);
    }
    snapshot_free(&snapshot);
    scene_close(&scene);
}

static void test_book_cut_anywhere(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    Snapshot snapshot = closed(&scene);
    for (size_t at = 0; at <= snapshot.book.length; at = next_offset(at)) {
        lay(&scene, &snapshot, at, 0);
        grade_what_is_left(&scene, "the book cut", at);
    }
    snapshot_free(&snapshot);
    scene_close(&scene);
}

static void test_book_cut_beside_its_log(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    Snapshot snapshot = interrupted(&scene);
    for (size_t at = 0; at <= snapshot.book.length; at = next_offset(at)) {
        lay(&scene, &snapshot, at, snapshot.log.length);
        grade_what_is_left(&scene, "the book cut beside its log", at);
    }
    snapshot_free(&snapshot);
    scene_close(&scene);
}

/* Past the header, which tells whose file it is. */
static void test_bytes_that_changed(void **state) {
    (void)state;
    enum { HEADER = 100, RUN = 24, TRIES = 150 };
    Scene scene;
    scene_open(&scene);
    Snapshot snapshot = closed(&scene);
    uint64_t random = 12345;
    for (int i = 0; i < TRIES; i++) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        size_t at = HEADER + (size_t)(random >> 33) % (snapshot.book.length - HEADER - RUN);
        char kept[RUN];
        memcpy(kept, snapshot.book.bytes + at, RUN);
        for (size_t j = 0; j < RUN; j++)
            snapshot.book.bytes[at + j] ^= (char)(random >> (j % 8 * 8));
        lay(&scene, &snapshot, snapshot.book.length, 0);
        memcpy(snapshot.book.bytes + at, kept, RUN);
        Gradebook *book = scene_book(&scene);
        if (book == NULL) { /* the course's own name: nobody can know better */
            const char *said = scene_said(&scene);
            if (strstr(said, "of the course") == NULL) fail_msg("changed at %zu: %s", at, said);
            continue;
        }
        if (!scene_grade(&scene, book, scene_files, SCENE_FILES, SCENE_FILES))
            fail_msg("changed at %zu: %s", at, scene_said(&scene));
        const char *grades = scene_grades(&scene, book);
        if (strcmp(grades, scene_whole) != 0) fail_msg("changed at %zu: %s", at, grades);
        gradebook_close(book);
        scene_said(&scene);
    }
    snapshot_free(&snapshot);
    scene_close(&scene);
}

/* What the instructor reads, and what survives: the seed, the override, the results before the cut. */
static void test_a_damaged_book_is_set_aside(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    Gradebook *book = scene_book(&scene);
    BookGrading before, after;
    assert_true(scene_grade(&scene, book, scene_files, SCENE_FILES, SCENE_FILES));
    BookOverride word = {
        .student = "bob", .lesson = "07-block-sum", .points = 5000, .reason = "ill", .author = "eve"};
    assert_true(gradebook_override(book, &word, &scene.diagnostics));
    assert_true(scene_begin(&scene, book, &before));
    gradebook_close(book);
    Bytes whole = read_all(scene.path);
    assert_int_equal(truncate(scene.path, (off_t)whole.length - 4096), 0);
    assert_null(gradebook_open(scene.path, "course", GRADEBOOK_READ, &scene.diagnostics));
    assert_non_null(strstr(scene_said(&scene), "the gradebook is damaged | run `warpschool grade` again"));
    book = scene_book(&scene);
    assert_non_null(book);
    const char *said = scene_said(&scene);
    if (strstr(said, "a new one has what was whole") == NULL ||
        strstr(said, "(results: 2, overrides: 1)") == NULL || strstr(said, ".damaged-1") == NULL)
        fail_msg("said: %s", said);
    assert_true(scene_begin(&scene, book, &after));
    assert_int_equal(after.seed, before.seed);
    BookOverrideList words;
    assert_true(gradebook_read_overrides(book, scene.arena, &words, &scene.diagnostics));
    assert_int_equal(words.count, 1);
    gradebook_close(book);
    char *aside = temporary_path(&scene.temporary, "book.db.damaged-1");
    Bytes kept = read_all(aside);
    assert_int_equal(kept.length, whole.length - 4096);
    assert_memory_equal(kept.bytes, whole.bytes, kept.length);
    free(aside);
    free(kept.bytes);
    free(whole.bytes);
    scene_close(&scene);
}

/* ---- kill -9 at each edge ---- */

static void test_killed_at_each_edge(void **state) {
    (void)state;
    enum { FEWEST = 8 };
    Scene scene;
    scene_open(&scene);
    long n = 1;
    for (; is_killed(&scene, grade_all, n); n++) {
        grade_what_is_left(&scene, "killed", (size_t)n);
        empty_folder(&scene);
    }
    assert_true(n > FEWEST);
    scene_close(&scene);
}

/* What no machine can make again: the seed, and an instructor's word. */
static void check_precious(Scene *scene, long seed, long edge) {
    BookGradingList gradings;
    BookOverrideList words;
    Gradebook *book = scene_book(scene);
    assert_non_null(book);
    assert_true(gradebook_read_gradings(book, scene->arena, &gradings, &scene->diagnostics));
    assert_true(gradebook_read_overrides(book, scene->arena, &words, &scene->diagnostics));
    if (gradings.count != 1 || gradings.items[0].seed != seed || words.count != 1)
        fail_msg("killed at edge %ld of a salvage: %zu gradings, %zu overrides", edge, gradings.count,
                 words.count);
    gradebook_close(book);
}

static void test_killed_while_salvaging(void **state) {
    (void)state;
    enum { FEWEST = 8 };
    Scene scene;
    BookGrading grading;
    scene_open(&scene);
    Gradebook *book = scene_book(&scene);
    BookOverride word = {
        .student = "bob", .lesson = "07-block-sum", .points = 5000, .reason = "ill", .author = "eve"};
    assert_true(scene_grade(&scene, book, scene_files, SCENE_FILES, 2) &&
                scene_begin(&scene, book, &grading));
    assert_true(gradebook_override(book, &word, &scene.diagnostics));
    Snapshot snapshot = snapshot_take(&scene);
    gradebook_close(book);
    long n = 1;
    for (;; n++) {
        lay(&scene, &snapshot, 5000, snapshot.log.length);
        if (!is_killed(&scene, grade_all, n)) break;
        check_precious(&scene, grading.seed, n);
    }
    assert_true(n > FEWEST);
    snapshot_free(&snapshot);
    scene_close(&scene);
}

/* ---- the file beside the book ---- */

/* A class graded with a seed that was drawn, and three words about it; the last is cut off below. */
static long grade_with_words(Scene *scene) {
    static const char *const reasons[] = {"first \"quoted\"\n", "second", "last"};
    BookGrading grading;
    Gradebook *book = scene_book(scene);
    assert_true(scene_grade(scene, book, scene_files, SCENE_FILES, 2) && scene_begin(scene, book, &grading));
    for (int64_t i = 0; i < 3; i++) {
        BookOverride word = {.student = "bob", .lesson = "07-block-sum", .author = "eve"};
        word.points = i == 1 ? -1 : 1000 * i;
        word.reason = reasons[i];
        assert_true(gradebook_override(book, &word, &scene->diagnostics));
    }
    gradebook_close(book);
    return grading.seed;
}

/* What is there of both after the book was opened to write; `words` of the three. */
static void expect_recovered(Scene *scene, const char *what, long seed, size_t words) {
    BookGradingList gradings;
    BookOverrideList list;
    Gradebook *book = scene_book(scene);
    if (book == NULL) fail_msg("%s: %s", what, scene_said(scene));
    assert_true(gradebook_read_gradings(book, scene->arena, &gradings, &scene->diagnostics));
    assert_true(gradebook_read_overrides(book, scene->arena, &list, &scene->diagnostics));
    if (gradings.count != 1 || gradings.items[0].seed != seed || list.count != words)
        fail_msg("%s: %zu gradings, %zu overrides", what, gradings.count, list.count);
    if (words > 0) assert_string_equal(list.items[0].reason, "first \"quoted\"\n");
    if (words > 1) assert_int_equal(list.items[1].points, -1);
    if (words > 2) assert_int_equal(list.items[2].points, 2000);
    assert_true(scene_grade(scene, book, scene_files, SCENE_FILES, SCENE_FILES));
    assert_true(gradebook_read_gradings(book, scene->arena, &gradings, &scene->diagnostics));
    assert_int_equal(gradings.items[gradings.count - 1].seed, seed);
    gradebook_close(book);
    scene_said(scene);
}

/* The book is gone, or nothing of it can be read: seed and overrides come back. */
static void test_a_lost_book_comes_back(void **state) {
    (void)state;
    static const size_t left[] = {0, 16, 100, 5000}; /* bytes of the book; 0: no file */
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        Scene scene;
        scene_open(&scene);
        long seed = grade_with_words(&scene);
        if (left[i] == 0)
            assert_int_equal(unlink(scene.path), 0);
        else
            assert_int_equal(truncate(scene.path, (off_t)left[i]), 0);
        expect_recovered(&scene, left[i] == 0 ? "missing" : "cut", seed, 3);
        expect_recovered(&scene, "opened again", seed, 3);
        scene_close(&scene);
    }
}

/* Who finds a new book in the place of the old one reads why, and how to begin without what is in it. */
static void test_a_lost_book_is_told(void **state) {
    (void)state;
    Scene scene;
    Text said = text_new();
    scene_open(&scene);
    grade_with_words(&scene);
    assert_int_equal(unlink(scene.path), 0);
    gradebook_close(scene_book(&scene));
    diag_render(&scene.diagnostics, &said, false);
    assert_string_equal(
        said.bytes,
        arena_format(scene.arena,
                     "%s: warning: the gradebook was missing; a new one has the seeds and the overrides of "
                     "the old one (gradings: 1, overrides: 3, other words: 0)\n"
                     "    grade again, with the same seed; to begin a gradebook anew, remove this one and "
                     "%s.recovery\n",
                     scene.path, scene.path));
    text_free(&said);
    scene_close(&scene);
}

/* A line that is not what was written does not count: the last one cut at each byte, then
 * those of the grading changed. */
static void test_lines_prove_themselves(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    long seed = grade_with_words(&scene);
    char *path = temporary_path(&scene.temporary, "book.db.recovery");
    Bytes whole = read_all(path);
    size_t last = whole.length - 1;
    while (whole.bytes[last - 1] != '\n')
        last--;
    for (size_t length = last; length < whole.length - 1; length += 37) {
        empty_folder(&scene);
        temporary_write(&scene.temporary, "book.db.recovery", whole.bytes, length);
        expect_recovered(&scene, "a torn line", seed, 2);
        BookOverride word = {
            .student = "bob", .lesson = "07-block-sum", .points = 2000, .reason = "last", .author = "eve"};
        Gradebook *book = scene_book(&scene);
        assert_true(gradebook_override(book, &word, &scene.diagnostics));
        gradebook_close(book);
        assert_int_equal(unlink(scene.path), 0);
        expect_recovered(&scene, "a line after a torn one", seed, 3);
    }
    empty_folder(&scene);
    for (char *at = whole.bytes; (at = strstr(at, "\"started\":1")) != NULL;)
        at[strlen("\"started\":")] = '2';
    temporary_write(&scene.temporary, "book.db.recovery", whole.bytes, whole.length);
    BookGradingList gradings;
    Gradebook *book = scene_book(&scene);
    assert_true(gradebook_read_gradings(book, scene.arena, &gradings, &scene.diagnostics));
    assert_int_equal(gradings.count, 0);
    gradebook_close(book);
    free(whole.bytes);
    free(path);
    scene_close(&scene);
}

/* The file of another book of the same course lies beside the book. Nothing of it comes in, neither when the
 * book is damaged nor when it is lost after it has written there. */
static void test_the_file_of_another_book_is_known(void **state) {
    (void)state;
    Scene other, scene;
    scene_open(&other);
    grade_with_words(&other);
    char *path = temporary_path(&other.temporary, "book.db.recovery");
    Bytes foreign = read_all(path);
    scene_open(&scene);
    BookGrading grading;
    Gradebook *book = scene_book(&scene);
    assert_true(scene_grade(&scene, book, scene_files, SCENE_FILES, 2) &&
                scene_begin(&scene, book, &grading));
    gradebook_close(book);
    temporary_write(&scene.temporary, "book.db.recovery", foreign.bytes, foreign.length);
    struct stat facts;
    assert_int_equal(stat(scene.path, &facts), 0);
    assert_int_equal(truncate(scene.path, facts.st_size - 8192), 0);
    BookOverrideList list;
    book = scene_book(&scene);
    assert_non_null(book);
    const char *said = scene_said(&scene);
    if (strstr(said, "lines that another gradebook wrote were left out: 5") == NULL) fail_msg("%s", said);
    assert_true(gradebook_read_overrides(book, scene.arena, &list, &scene.diagnostics));
    assert_int_equal(list.count, 0);
    gradebook_close(book);
    free(foreign.bytes);
    free(path);
    scene_close(&scene);
    scene_close(&other);
}

static void test_a_book_writes_all_of_itself_past_another_ones_lines(void **state) {
    (void)state;
    Scene other, scene;
    scene_open(&other);
    grade_with_words(&other);
    char *path = temporary_path(&other.temporary, "book.db.recovery");
    Bytes foreign = read_all(path);
    scene_open(&scene);
    long seed = grade_with_words(&scene);
    temporary_write(&scene.temporary, "book.db.recovery", foreign.bytes, foreign.length);
    BookOverride word = {
        .student = "bob", .lesson = "07-block-sum", .points = 2000, .reason = "last", .author = "eve"};
    Gradebook *book = scene_book(&scene);
    assert_true(gradebook_override(book, &word, &scene.diagnostics));
    gradebook_close(book);
    assert_int_equal(unlink(scene.path), 0);
    expect_recovered(&scene, "beside another one's", seed, 4);
    free(foreign.bytes);
    free(path);
    scene_close(&scene);
    scene_close(&other);
}

/* A book that is whole does not look at the file, and one without it gets it whole with the next row. */
static void test_a_whole_book_needs_no_file(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    long seed = grade_with_words(&scene);
    temporary_write(&scene.temporary, "book.db.recovery", "x", 1);
    expect_recovered(&scene, "whole", seed, 3);
    char *path = temporary_path(&scene.temporary, "book.db.recovery");
    assert_int_equal(unlink(path), 0);
    expect_recovered(&scene, "whole, without the file", seed, 3);
    BookGrading grading;
    Gradebook *book = scene_book(&scene);
    assert_true(scene_begin(&scene, book, &grading));
    gradebook_close(book);
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
    free(path);
    scene_close(&scene);
}

/* A row may be reached and not be what was written: of three results the cut takes one, and the rot two. */
static void test_salvaged_rows_prove_themselves(void **state) {
    (void)state;
    static const char rot[] = "UPDATE attempt SET result = replace(result, 'kk', 'zz') WHERE number = 1;"
                              "UPDATE source SET bytes = x'00' WHERE number = 2";
    Scene scene;
    scene_open(&scene);
    Gradebook *book = scene_book(&scene);
    assert_true(scene_grade(&scene, book, scene_files, SCENE_FILES, SCENE_FILES));
    gradebook_close(book);
    sqlite3 *database;
    assert_int_equal(sqlite3_open(scene.path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, rot, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
    Bytes whole = read_all(scene.path);
    assert_int_equal(truncate(scene.path, (off_t)whole.length - 1), 0);
    free(whole.bytes);
    book = scene_book(&scene);
    const char *said = scene_said(&scene);
    if (strstr(said, "(results: 0, overrides: 0)") == NULL) fail_msg("said: %s", said);
    gradebook_close(book);
    grade_what_is_left(&scene, "rotten rows", 0);
    scene_close(&scene);
}

/* Power may fail right after a function has returned, so each waits for the disk before. */
static void test_what_is_acknowledged_is_on_the_disk(void **state) {
    (void)state;
    Scene scene;
    scene_open(&scene);
    Gradebook *book = scene_book(&scene);
    BookGrading grading;
    long before = edges;
    assert_true(scene_begin(&scene, book, &grading));
    assert_true(edges > before);
    before = edges;
    assert_true(scene_hand_in(&scene, book, &grading, scene_files, SCENE_FILES));
    assert_true(edges > before);
    for (size_t i = 0; i < SCENE_FILES; i++) {
        before = edges;
        assert_true(scene_add(&scene, book, &grading, &scene_files[i]));
        assert_true(edges > before);
    }
    before = edges;
    BookOverride word = {
        .student = "bob", .lesson = "07-block-sum", .points = 1, .reason = "r", .author = "a"};
    assert_true(gradebook_override(book, &word, &scene.diagnostics));
    assert_true(edges > before);
    gradebook_close(book);
    scene_close(&scene);
}

/* ---- a full disk ---- */

static void limit_files(rlim_t bytes) {
    struct rlimit limit = {bytes, RLIM_INFINITY};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) abort();
}

/* The disk has room for so much of the log and no more: the command fails in one line, and what it had
 * acknowledged is there when there is room again. */
static void test_full_disk(void **state) {
    (void)state;
    enum { PAGE = 4096, MOST_PAGES = 200 };
    signal(SIGXFSZ, SIG_IGN);
    size_t failed = 0;
    bool fine = false;
    for (rlim_t pages = 1; !fine && pages < MOST_PAGES; pages++) {
        Scene scene;
        scene_open(&scene);
        limit_files(pages * PAGE);
        Gradebook *book = scene_book(&scene);
        fine = book != NULL && scene_grade(&scene, book, scene_files, SCENE_FILES, SCENE_FILES);
        limit_files(RLIM_INFINITY);
        if (!fine) {
            assert_int_equal(scene.diagnostics.errors, 1);
            const char *said = scene_said(&scene);
            if (strstr(said, "the disk is full") == NULL) fail_msg("%d pages: %s", (int)pages, said);
            failed++;
        }
        gradebook_close(book);
        grade_what_is_left(&scene, "disk full", (size_t)pages);
        scene_close(&scene);
    }
    assert_true(fine && failed > 10);
}

/* The book stays open and goes on when somebody makes room meanwhile. */
static void test_room_is_made_meanwhile(void **state) {
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    Scene scene;
    scene_open(&scene);
    Gradebook *book = scene_book(&scene);
    BookGrading grading;
    assert_true(scene_begin(&scene, book, &grading) &&
                scene_hand_in(&scene, book, &grading, scene_files, SCENE_FILES));
    assert_true(scene_add(&scene, book, &grading, &scene_files[0]));
    limit_files(4096);
    assert_false(scene_add(&scene, book, &grading, &scene_files[1]));
    limit_files(RLIM_INFINITY);
    const char *said = scene_said(&scene);
    if (strstr(said, "the disk is full") == NULL) fail_msg("said: %s", said);
    assert_true(scene_add(&scene, book, &grading, &scene_files[1]));
    assert_true(scene_add(&scene, book, &grading, &scene_files[2]));
    assert_string_equal(scene_grades(&scene, book), scene_whole);
    gradebook_close(book);
    scene_close(&scene);
}

/* ---- no memory ---- */

static sqlite3_mem_methods real_memory;
static long allocations_left; /* 0: no end */

static bool memory_ends(void) {
    return allocations_left > 0 && --allocations_left == 0;
}

static void *ending_malloc(int bytes) {
    return memory_ends() ? NULL : real_memory.xMalloc(bytes);
}

static void *ending_realloc(void *old, int bytes) {
    return memory_ends() ? NULL : real_memory.xRealloc(old, bytes);
}

static int make_memory_end(void **state) {
    (void)state;
    sqlite3_shutdown();
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real_memory);
    sqlite3_mem_methods ending = real_memory;
    ending.xMalloc = ending_malloc;
    ending.xRealloc = ending_realloc;
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &ending) != SQLITE_OK;
}

static int restore_memory(void **state) {
    (void)state;
    sqlite3_shutdown();
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &real_memory) != SQLITE_OK;
}

/* Every command that works on a book, in one go; false when something failed. */
static bool do_everything(Scene *scene) {
    Gradebook *book = scene_book(scene);
    if (book == NULL) return false;
    BookHandedList list;
    Text source;
    text_init(&source);
    BookOverride word = {
        .student = "bob", .lesson = "01-vector-add", .points = -1, .reason = "r", .author = "a"};
    bool fine = scene_grade(scene, book, scene_files, SCENE_FILES, SCENE_FILES) &&
                gradebook_override(book, &word, &scene->diagnostics) &&
                gradebook_read_handed(book, scene->arena, NULL, NULL, true, &list, &scene->diagnostics) &&
                gradebook_read_source(book, list.items[0].hash, &source, &scene->diagnostics) &&
                strcmp(scene_grades(scene, book), scene_whole) == 0;
    text_free(&source);
    gradebook_close(book);
    return fine;
}

/* SQLite can do without some allocations, so a run may succeed; one that fails says so, and leaves a book
 * that goes on. The steps leave out neighbours: opening a connection alone makes hundreds. */
static void test_each_of_sqlites_allocations(void **state) {
    (void)state;
    enum { MOST = 100000, STEP = 41 };
    Scene scene;
    scene_open(&scene);
    size_t failures = 0;
    bool used_all = false;
    for (long n = 1; !used_all && n < MOST; n += STEP) {
        empty_folder(&scene);
        allocations_left = n;
        bool fine = do_everything(&scene);
        used_all = allocations_left > 0;
        allocations_left = 0;
        if (!fine && scene.diagnostics.errors == 0) fail_msg("allocation %ld: not a word", n);
        failures += !fine;
        scene_said(&scene);
        grade_what_is_left(&scene, "without memory", (size_t)n);
    }
    assert_true(used_all && failures > 20);
    scene_close(&scene);
}

/* Some failures are made up for, so the walk ends after as many runs without a failure as no stretch of it
 * has. */
static void test_each_of_our_allocations(void **state) {
    (void)state;
    enum { MOST = 5000, ALL_WELL = 60 };
    Scene scene;
    scene_open(&scene);
    size_t well = 0, failures = 0;
    for (long n = 1; well < ALL_WELL && n < MOST; n++) {
        empty_folder(&scene);
        arena_fail_after(n);
        bool fine = do_everything(&scene);
        arena_fail_after(0);
        well = fine ? well + 1 : 0;
        failures += !fine;
        scene_said(&scene);
        grade_what_is_left(&scene, "without memory", (size_t)n);
    }
    assert_true(well == ALL_WELL && failures > 40);
    scene_close(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_log_cut_anywhere),
        cmocka_unit_test(test_book_cut_anywhere),
        cmocka_unit_test(test_book_cut_beside_its_log),
        cmocka_unit_test(test_bytes_that_changed),
        cmocka_unit_test(test_a_damaged_book_is_set_aside),
        cmocka_unit_test(test_killed_at_each_edge),
        cmocka_unit_test(test_killed_while_salvaging),
        cmocka_unit_test(test_a_lost_book_comes_back),
        cmocka_unit_test(test_a_lost_book_is_told),
        cmocka_unit_test(test_lines_prove_themselves),
        cmocka_unit_test(test_a_whole_book_needs_no_file),
        cmocka_unit_test(test_the_file_of_another_book_is_known),
        cmocka_unit_test(test_a_book_writes_all_of_itself_past_another_ones_lines),
        cmocka_unit_test(test_salvaged_rows_prove_themselves),
        cmocka_unit_test(test_what_is_acknowledged_is_on_the_disk),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_room_is_made_meanwhile),
        cmocka_unit_test_setup_teardown(test_each_of_sqlites_allocations, make_memory_end, restore_memory),
        cmocka_unit_test(test_each_of_our_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
