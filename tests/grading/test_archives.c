/* test_archives.c - submissions in .zip and .tar.gz: what is taken out of them, and what an archive is
 * refused for. */
#include "class.h"

#include "grading/intake/tree.h"

static void students_archives(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    Packing zip, tar;
    packing_open(&zip, true);
    packing_put(&zip, "homework/work/01-vector-add.cu", "one", 2);
    packing_put(&zip, "homework/starter/07-block-sum-dynamic.cu", "no", 2);
    packing_put(&zip, "__MACOSX/homework/._01-vector-add.cu", "no", 2);
    packing_finish(&zip, &class, "ann.zip");
    packing_open(&tar, false);
    packing_put(&tar, "./08-block-sum-static.cu", "eight", 4);
    packing_finish(&tar, &class, "ben/hand in.tar.gz");
    class_put(&class, "ann/01-vector-add.cu", "older", 0); /* the same student as ann.zip */
    class_expect(&class, "", NULL,
                 "ann <> \n"
                 "ben <> \n"
                 "ann: 01-vector-add ann.zip:homework/work/01-vector-add.cu 2 archive [one] NOTE an older "
                 "file for the same "
                 "lesson was left out: ann/01-vector-add.cu\n"
                 "ben: 08-block-sum-static ben/hand in.tar.gz:08-block-sum-static.cu 4 archive [eight]\n"
                 "ann.zip: warning: is of the same student as ann: ann\n"
                 "    of each lesson the newer file counts; if they are two students, give each a line of "
                 "the roster with its "
                 "`folder`\n");
    class_close(&class);
}

/* The class's own archive, with an archive for a student; which may hold one more; a third one inside that is
 * one too many. */
static void archive_of_a_class(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    Packing fourth, third, second, first;
    packing_open(&fourth, true);
    packing_put(&fourth, "09-constant-and-device.cu", "nine", 1);
    packing_close(&fourth);
    packing_open(&third, true);
    packing_put(&third, "08-block-sum-static.cu", "eight", 1);
    packing_add(&third, "most.zip", AE_IFREG, NULL, fourth.bytes, fourth.length, 1);
    packing_close(&third);
    packing_open(&second, true);
    packing_put(&second, "07-block-sum-dynamic.cu", "seven", 1);
    packing_add(&second, "more.zip", AE_IFREG, NULL, third.bytes, third.length, 1);
    packing_close(&second);
    packing_open(&first, true);
    packing_put(&first, "export/Zo\xC3\xAB/01-vector-add.cu", "one", 1); /* in whatever locale */
    packing_add(&first, "export/ben.zip", AE_IFREG, NULL, second.bytes, second.length, 1);
    packing_finish(&first, &class, "class.zip");
    free(second.bytes);
    free(third.bytes);
    free(fourth.bytes);
    class_expect(
        &class, "class.zip", NULL,
        "Zo\xC3\xAB <> \n"
        "ben <> \n"
        "Zo\xC3\xAB: 01-vector-add class.zip:export/Zo\xC3\xAB/01-vector-add.cu 1 archive [one]\n"
        "ben: 07-block-sum-dynamic class.zip:export/ben.zip:07-block-sum-dynamic.cu 1 archive [seven]\n"
        "ben: 08-block-sum-static class.zip:export/ben.zip:more.zip:08-block-sum-static.cu 1 archive "
        "[eight]\n"
        "ben: - class.zip:export/ben.zip:more.zip:most.zip REFUSED is an archive in an archive in an "
        "archive\n"
        "class.zip:export: note: is read as the whole class's, since it is a folder of several folders or "
        "archives\n"
        "    if it is one student's, put it into a folder named after the student\n");
    class_close(&class);
}

/* Entries that are no files, or want to lie elsewhere, are refused one by one. */
static void hostile_entries(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    Packing tar;
    char deep[64] = "", longest[300];
    for (int i = 0; i < 20; i++)
        strcat(deep, "d/");
    strcat(deep, "01.cu");
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    packing_open(&tar, false);
    packing_put(&tar, "07-block-sum-dynamic.cu", "seven", 1);
    packing_put(&tar, "../../ben/01-vector-add.cu", "out", 1);
    packing_put(&tar, "work/../../01-vector-add.cu", "out", 1);
    packing_put(&tar, "/etc/01-vector-add.cu", "out", 1);
    packing_add(&tar, "01-vector-add.cu", AE_IFLNK, "/etc/passwd", NULL, 0, 1);
    packing_add(&tar, "08-block-sum-static.cu", AE_IFREG, "/etc/passwd", NULL, 0, 1);
    packing_add(&tar, "work/08-block-sum-static.cu", AE_IFCHR, NULL, NULL, 0, 1);
    packing_add(&tar, "work/01-vector-add.cu", AE_IFIFO, NULL, NULL, 0, 1);
    packing_put(&tar, deep, "out", 1);
    packing_put(&tar, longest, "out", 1);
    packing_finish(&tar, &class, "ann.tar.gz");
    class_read(&class, "", NULL);
    class_expect_word(&class,
                      "ann: 07-block-sum-dynamic ann.tar.gz:07-block-sum-dynamic.cu 1 archive [seven]\n");
    class_expect_word(
        &class, "ann.tar.gz:../../ben/01-vector-add.cu REFUSED has a name that leads out of the archive\n");
    class_expect_word(
        &class, "ann.tar.gz:work/../../01-vector-add.cu REFUSED has a name that leads out of the archive\n");
    class_expect_word(&class, "ann.tar.gz:/etc/01-vector-add.cu REFUSED has an absolute name\n");
    class_expect_word(&class, "is a symbolic link");
    class_expect_word(&class, "is a link to another entry of its archive");
    class_expect_word(&class, "is a device");
    class_expect_word(&class, "is a named pipe");
    class_expect_word(&class, "REFUSED lies too deep in folders\n");
    class_expect_word(&class, "REFUSED has too long a name\n");
    for (size_t i = 0; i < class.intake.handed_count; i++)
        assert_true(class.intake.handed[i].refused != NULL ||
                    strcmp(class.intake.handed[i].lesson, "07-block-sum-dynamic") == 0);
    class_close(&class);
}

static char *long_name(size_t length, const char *end) {
    char *name = malloc(length + strlen(end) + 1);
    memset(name, 'a', length);
    strcpy(name + length, end);
    return name;
}

/* A name can have a million bytes, and the screen and the tables show its beginning. */
static void longest_names(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    Packing tar;
    char *name = long_name(500000, ".cu");
    packing_open(&tar, false);
    packing_put(&tar, name, "out", 1);
    name[0] = '/';
    packing_put(&tar, name, "out", 1);
    packing_finish(&tar, &class, "ann.tgz");
    free(name);
    class_read(&class, "", NULL);
    assert_int_equal(class.intake.handed_count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_non_null(class.intake.handed[i].refused);
        assert_true(strlen(class.intake.handed[i].path) < 300);
        assert_non_null(strstr(class.intake.handed[i].path, "aaa..."));
    }
    class_close(&class);
}

/* What is not data counts as well: twenty names of nearly a MiB, and the data of entries that nobody wants.
 */
static void bombs_besides_the_data(void **state) {
    (void)state;
    for (int what = 0; what < 2; what++) {
        ClassFolder class;
        class_open(&class);
        Packing bomb;
        size_t length = 64 << 20;
        char *zeros = calloc(1, length), *name = long_name(900000, "");
        packing_open(&bomb, false);
        packing_put(&bomb, "07-block-sum-dynamic.cu", "seven", 1);
        if (what == 0) packing_add(&bomb, "../01-vector-add.cu", AE_IFREG, NULL, zeros, length, 1);
        for (int i = 0; what == 1 && i < 20; i++)
            packing_put(&bomb, name, "", 1);
        packing_finish(&bomb, &class, "ann.tgz");
        class_expect(&class, "", NULL,
                     "ann <> \nann: - ann.tgz REFUSED unpacks to far more than a submission needs\n");
        free(name);
        free(zeros);
        class_close(&class);
    }
}

/* A time that no calendar has says nothing of when the file was handed in. */
static void times_of_no_calendar(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    Packing tar;
    packing_open(&tar, false);
    packing_put(&tar, "01-vector-add.cu", "one", 1L << 60);
    packing_put(&tar, "07-block-sum-dynamic.cu", "seven", -(1L << 60));
    packing_put(&tar, "08-block-sum-static.cu", "eight", 8);
    packing_finish(&tar, &class, "ann.tgz");
    class_read(&class, "", NULL);
    for (size_t i = 0; i < class.intake.handed_count; i++) {
        const Handed *one = &class.intake.handed[i];
        const bool known = strcmp(one->lesson, "08-block-sum-static") == 0;
        assert_int_equal(one->time, known ? CLASS_TIME + 8 : 0);
        assert_true(known == (one->time_from != NULL));
    }
    assert_int_equal(class.intake.handed_count, 3);
    class_close(&class);
}

/* 64 MiB of zeros in 64 KiB; and it does not help to say that nobody need look at them. */
static void bombs(void **state) {
    (void)state;
    const char *const names[] = {"01-vector-add.cu", "data.bin", "more.zip"};
    for (size_t i = 0; i < 3; i++) {
        ClassFolder class;
        class_open(&class);
        Packing bomb;
        size_t length = 64 << 20;
        char *zeros = calloc(1, length);
        packing_open(&bomb, true);
        packing_put(&bomb, "07-block-sum-dynamic.cu", "seven", 1);
        packing_add(&bomb, names[i], AE_IFREG, NULL, zeros, length, 1);
        packing_finish(&bomb, &class, "ann.zip");
        class_put(&class, "ben/01-vector-add.cu", "one", 1);
        class_expect(&class, "", NULL,
                     "ann <> \nben <> \n"
                     "ann: - ann.zip REFUSED unpacks to far more than a submission needs\n"
                     "ben: 01-vector-add ben/01-vector-add.cu 1 file [one]\n");
        free(zeros);
        class_close(&class);
    }
}

static void too_many_entries(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    Packing many;
    packing_open(&many, false);
    for (int i = 0; i <= 20000; i++) {
        char name[32];
        snprintf(name, sizeof name, "%d.txt", i);
        packing_put(&many, name, "", 1);
    }
    packing_finish(&many, &class, "ann.tgz");
    class_expect(&class, "", NULL, "ann <> \nann: - ann.tgz REFUSED has too many files\n");
    class_close(&class);
}

/* What one student hands in uses up nothing of another's: many archives side by side share one budget. */
static void many_archives(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    Packing many;
    packing_open(&many, false);
    for (int i = 0; i < 5000; i++) {
        char name[32];
        snprintf(name, sizeof name, "%d.txt", i);
        packing_put(&many, name, "", 1);
    }
    packing_put(&many, "01-vector-add.cu", "x", 1);
    packing_close(&many);
    for (int i = 0; i < 6; i++)
        class_put_bytes(&class, arena_format(class.arena, "ann/%d.tgz", i), many.bytes, many.length, 1);
    free(many.bytes);
    char *large = calloc(1, 1 << 20);
    for (int i = 0; i < 9; i++)
        class_put_bytes(&class, arena_format(class.arena, "ben/01-vector-add (%d).cu", i + 1), large, 1 << 20,
                        i);
    free(large);
    class_put(&class, "cy/01-vector-add.cu", "one", 1);
    class_read(&class, "", NULL);
    class_expect_word(&class, "ann: - ann REFUSED has too many files\n");
    class_expect_word(&class,
                      "ben/01-vector-add (9).cu was refused: it is one of too many or too large programs");
    class_expect_word(&class, "cy: 01-vector-add cy/01-vector-add.cu 1 file [one]\n");
    class_close(&class);
}

/* One student of a download, with so many programs in a folder, or archive, of its own that no student may
 * have them; the next has two, of both kinds. */
static void put_greedy(Packing *zip, const char *within) {
    enum { LARGE = 1 << 20, MANY = 9 };
    static char large[LARGE];
    memset(large, 'x', sizeof large);
    for (int i = 1; i <= MANY; i++) {
        char name[128];
        snprintf(name, sizeof name, "%sAnn Lee_41_assignsubmission_file_/%02d.cu", within, i);
        packing_add(zip, name, AE_IFREG, NULL, large, sizeof large, 1);
    }
    Packing third, second;
    packing_open(&third, true);
    packing_put(&third, "07-block-sum-dynamic.cu", "seven", 1);
    packing_close(&third);
    packing_open(&second, true);
    packing_add(&second, "inner.zip", AE_IFREG, NULL, third.bytes, third.length, 1);
    packing_close(&second);
    char name[128];
    snprintf(name, sizeof name, "%sBen Ray_42_assignsubmission_file_/hw.zip", within);
    packing_add(zip, name, AE_IFREG, NULL, second.bytes, second.length, 1);
    snprintf(name, sizeof name, "%sCy Om_43_assignsubmission_file_/01.cu", within);
    packing_put(zip, name, "one", 1);
    free(second.bytes);
    free(third.bytes);
}

/* A download beside others is a class's, and not one student's: what somebody has in it is taken from nobody,
 * and an archive around a student's archive does not count. */
static void budgets_of_downloads(void **state) {
    (void)state;
    static const char *const places[] = {"two/a.zip", "two/b.zip", "deep/lab 1/a.zip", "deep/lab 2/b.zip",
                                         "alone/a.zip"};
    ClassFolder class;
    class_open(&class);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        Packing zip;
        packing_open(&zip, true);
        put_greedy(&zip, i % 2 == 0 ? "" : "Lab 2/");
        packing_finish(&zip, &class, places[i]);
    }
    class_put(&class, "roster.csv", "id,name\n1001,Ann Lee\n1002,Ben Ray\n1003,Cy Om\n", 0);
    static const char *const folders[] = {"two", "deep", "alone"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        class_read(&class, folders[i], "roster.csv");
        class_expect_word(&class, "hw.zip:inner.zip:07-block-sum-dynamic.cu 1 archive [seven]");
        class_expect_word(&class, "Cy Om_43_assignsubmission_file_/01.cu 1 archive [one]");
        assert_null(strstr(class.said.bytes, "1003: - "));
        assert_null(strstr(class.said.bytes, "too many or too large"));
    }
    class_close(&class);
}

/* Cut at some byte, or no archive at all: refused whole, since half of it may be the older half. */
static void damaged(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    Packing tar;
    char *noise = malloc(100000);
    for (size_t i = 0; i < 100000; i++)
        noise[i] = (char)(i * i >> 3 ^ i);
    packing_open(&tar, false);
    packing_put(&tar, "01-vector-add.cu", "one", 1);
    packing_add(&tar, "07-block-sum-dynamic.cu", AE_IFREG, NULL, noise, 100000, 1);
    packing_close(&tar);
    class_put_bytes(&class, "ann.tar.gz", tar.bytes, tar.length / 2, 1);
    class_put_bytes(&class, "ben.zip", noise, 1000, 1);
    class_put(&class, "cy/01-vector-add.cu", "one", 1);
    free(noise);
    free(tar.bytes);
    class_read(&class, "", NULL);
    class_expect_word(&class, "ann: - ann.tar.gz REFUSED cannot be unpacked: ");
    class_expect_word(&class, "ben: - ben.zip REFUSED cannot be unpacked: ");
    class_expect_word(&class, "cy: 01-vector-add cy/01-vector-add.cu 1 file [one]\n");
    assert_int_equal(class.intake.handed_count, 3);
    class_close(&class);
}

/* Marks all entries of a .zip as encrypted, in their own headers and in the list at the end. */
static void lock_entries(Packing *zip) {
    static const struct {
        const char *mark;
        size_t flags;
    } headers[] = {{"PK\1\2", 8}, {"PK\3\4", 6}};
    for (size_t at = 0; at + 8 < zip->length; at++)
        for (size_t i = 0; i < 2; i++)
            if (memcmp(zip->bytes + at, headers[i].mark, 4) == 0) zip->bytes[at + headers[i].flags] |= 1;
}

/* A teacher's password is in the way of all; a student's costs that student's file, and the folder beside it
 * is read. */
static void passwords(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    Packing own, download;
    packing_open(&own, true);
    packing_put(&own, "01-vector-add.cu", "one", 1);
    packing_close(&own);
    lock_entries(&own);
    packing_open(&download, true);
    packing_put(&download, "ann/01-vector-add.cu", "one", 1);
    packing_add(&download, "ben/all.zip", AE_IFREG, NULL, own.bytes, own.length, 1);
    packing_finish(&download, &class, "class.zip");
    free(own.bytes);
    class_read(&class, "class.zip", NULL);
    class_expect_word(&class, "ann: 01-vector-add class.zip:ann/01-vector-add.cu 1 archive [one]\n");
    class_expect_word(&class,
                      "ben: 01-vector-add class.zip:ben/all.zip:01-vector-add.cu REFUSED is encrypted");
    class_close(&class);
    class_open(&class);
    packing_open(&download, true);
    packing_put(&download, "ann/01-vector-add.cu", "one", 1);
    packing_close(&download);
    lock_entries(&download);
    class_put_bytes(&class, "class.zip", download.bytes, download.length, 1);
    free(download.bytes);
    class_read(&class, "class.zip", NULL);
    class_expect_word(&class, "is encrypted");
    assert_int_equal(class.intake.handed_count, 0);
    class_close(&class);
}

/* One lesson twice under one name: the newer entry, and the later one of two of the same time. */
static void one_name_twice(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    Packing tar;
    packing_open(&tar, false);
    packing_put(&tar, "01-vector-add.cu", "new", 9);
    packing_put(&tar, "01-vector-add.cu", "old", 5);
    packing_put(&tar, "07-block-sum-dynamic.cu", "first", 5);
    packing_put(&tar, "07-block-sum-dynamic.cu", "second", 5);
    packing_finish(&tar, &class, "ann.tgz");
    class_read(&class, "", NULL);
    class_expect_word(&class, "ann.tgz:01-vector-add.cu 9 archive [new] NOTE an older file");
    class_expect_word(&class, "ann.tgz:07-block-sum-dynamic.cu 5 archive [second] NOTE another file");
    class_close(&class);
}

/* How many files of a tree were read. */
static size_t count_read(const Node *folder) {
    size_t count = 0;
    for (const Node *node = folder->first; node != NULL; node = node->next)
        count += (node->bytes != NULL) + count_read(node);
    return count;
}

/* Each byte of an archive changed in turn, and the archive cut at each: read or refused, within its bytes
 * (the sanitizers look on), and an archive that is refused gives nothing. */
static void every_byte(void **state) {
    (void)state;
    for (int zip = 0; zip < 2; zip++) {
        Packing packing;
        packing_open(&packing, zip != 0);
        packing_put(&packing, "ann/01-vector-add.cu", "one one one one", 1);
        packing_put(&packing, "ann/work/07-block-sum-dynamic.cu", "seven", 1);
        packing_close(&packing);
        for (size_t i = 0; i < 2 * packing.length; i++) {
            Arena *arena = arena_create();
            Tree tree;
            bool cut = i >= packing.length;
            size_t at = i % packing.length, length = cut ? at : packing.length;
            char *bytes = malloc(length + (length == 0));
            memcpy(bytes, packing.bytes, length);
            if (!cut) bytes[at] = (char)~bytes[at];
            tree_begin(&tree, arena);
            tree.root = tree_add(&tree, NULL, NODE_ARCHIVE, "x");
            unpack_bytes(&tree, tree.root, bytes, length, 0);
            assert_true(tree.root->refused == NULL || count_read(tree.root) == 0);
            assert_true(count_read(tree.root) <= 2);
            free(bytes);
            arena_destroy(arena);
        }
        free(packing.bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(students_archives),
        cmocka_unit_test(archive_of_a_class),
        cmocka_unit_test(hostile_entries),
        cmocka_unit_test(bombs),
        cmocka_unit_test(too_many_entries),
        cmocka_unit_test(many_archives),
        cmocka_unit_test(budgets_of_downloads),
        cmocka_unit_test(damaged),
        cmocka_unit_test(passwords),
        cmocka_unit_test(one_name_twice),
        cmocka_unit_test(every_byte),
        cmocka_unit_test(longest_names),
        cmocka_unit_test(bombs_besides_the_data),
        cmocka_unit_test(times_of_no_calendar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
