/* test_layouts.c - the forms in which submissions come, and which of the files count. */
#include "class.h"

static void folders_of_students(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "ann/01-vector-add.cu", "a1", 1);
    class_put(&class, "ann/07-block-sum-dynamic.cu", "a7", 2);
    class_put(&class, "ben/work/01-vector-add.cu", "b1", 3);
    class_put(&class, "ben/starter/07-block-sum-dynamic.cu", "no",
              3);                                    /* a whole checkout: only work/ counts */
    class_put(&class, "cy/homework/08.cu", "c8", 4); /* one folder more around it */
    class_expect(&class, "", NULL,
                 "ann <> \n"
                 "ben <> \n"
                 "cy <> \n"
                 "ann: 01-vector-add ann/01-vector-add.cu 1 file [a1]\n"
                 "ann: 07-block-sum-dynamic ann/07-block-sum-dynamic.cu 2 file [a7]\n"
                 "ben: 01-vector-add ben/work/01-vector-add.cu 3 file [b1]\n"
                 "cy: 08-block-sum-static cy/homework/08.cu 4 file [c8]\n");
    assert_string_equal(
        class.intake.handed[0].hash,
        "f55ff16f66f43360266b95db6f8fec01d76031054306ae4a4b380598f6cfd114"); /* sha256sum of a1 */
    class_close(&class);
}

static void names_of_files(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "a/1.CU", "x", 0);
    class_put(&class, "b/Block_Sum_Dynamic.cu", "x", 0);
    class_put(&class, "c/08-block-sum-static (1).cu", "x", 0);
    class_put(&class, "d/07-block-sum-dynamik.cu", "x", 0);
    class_put(&class, "e/01-vector-add.cpp", "x", 0);
    class_put(&class, "f/99.cu", "x", 0);
    class_expect(&class, "", NULL,
                 "a <> \nb <> \nc <> \nd <> \ne <> \nf <> \n"
                 "a: 01-vector-add a/1.CU 0 file [x]\n"
                 "b: 07-block-sum-dynamic b/Block_Sum_Dynamic.cu 0 file [x]\n"
                 "c: 08-block-sum-static c/08-block-sum-static (1).cu 0 file [x]\n"
                 "d: - d/07-block-sum-dynamik.cu REFUSED no lesson has this name\n"
                 "e: - e/01-vector-add.cpp REFUSED its name does not end in .cu\n"
                 "f: - f/99.cu REFUSED no lesson has this name\n");
    assert_string_equal(class.intake.handed[3].remedy,
                        "files are named as the starters are, for example 07-block-sum-dynamic.cu");
    assert_string_equal(class.intake.handed[5].remedy,
                        "files are named as the starters are, or by the lesson's number: 07.cu");
    class_close(&class);
}

/* A download of one assignment, whose programs are called as the teacher has it. */
static void programs_of_one_lesson(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class.others = &class_lessons[1];
    class_put(&class, "ann/kernel.cu", "a", 1);
    class_put(&class, "ann/kernel (1).cu", "again", 1);
    class_put(&class, "ben/kernel.cu", "b", 1);
    class_put(&class, "ben/07.cu", "b7", 0);
    class_put(&class, "cy/kernel.cu", "c", 1);
    class_put(&class, "cy/main.cu", "m", 2);
    class_put(&class, "dan/kernel.cu", "d", 1);
    class_put(&class, "dan/08.cu", "d8", 1);
    class_put(&class, "eve/kernel.txt", "e", 1);
    class_expect(&class, "", NULL,
                 "ann <> \nben <> \ncy <> \ndan <> \neve <> \n"
                 "ann: 07-block-sum-dynamic ann/kernel (1).cu 1 file [again] NOTE another file for the same "
                 "lesson was left out: ann/kernel.cu\n"
                 "ben: 07-block-sum-dynamic ben/07.cu 0 file [b7] NOTE ben/kernel.cu was refused: it is not "
                 "named as a lesson, and another of the student's programs is\n"
                 "cy: 07-block-sum-dynamic cy/main.cu REFUSED is one of several programs, none of them named "
                 "as a lesson NOTE cy/kernel.cu was refused: it is one of several programs, none of them "
                 "named as a lesson\n"
                 "dan: 07-block-sum-dynamic dan/kernel.cu 1 file [d]\n"
                 "dan: 08-block-sum-static dan/08.cu 1 file [d8]\n"
                 "eve: - eve REFUSED has no file named as a lesson, but kernel.txt\n");
    assert_string_equal(class.intake.handed[2].remedy, "name the one that is meant 07-block-sum-dynamic.cu");
    assert_true(class.intake.handed[0].unnamed);
    assert_false(class.intake.handed[1].unnamed);
    class_close(&class);
}

/* In one archive around everything, two programs of one name are two students'. */
static void programs_of_one_lesson_in_an_archive(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    Packing packing;
    packing_open(&packing, true);
    packing_put(&packing, "lab/ann/kernel.cu", "a", 1);
    packing_put(&packing, "lab/ben/kernel.cu", "b", 1);
    packing_finish(&packing, &class, "lab.zip");
    class.others = &class_lessons[1];
    class_read(&class, "lab.zip", NULL);
    class_expect_word(&class, "ann: 07-block-sum-dynamic lab.zip:lab/ann/kernel.cu 1 archive [a]\n"
                              "ben: 07-block-sum-dynamic lab.zip:lab/ben/kernel.cu 1 archive [b]\n");
    class_close(&class);
}

/* Where the best attempt counts, each file is one: the newest comes last, and what is the same is one. */
static void each_file_is_an_attempt(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class.every_file = true;
    class_put(&class, "ann/01-vector-add.cu", "second", 20);
    class_put(&class, "ann/work/01-vector-add.cu", "first", 10);
    class_put(&class, "ann/01-vector-add (1).cu", "second", 15);
    class_put(&class, "ann/01-vector-add (2).cu", "third", 30);
    for (int i = 0; i < 30; i++) {
        char name[64], text[16];
        snprintf(name, sizeof name, "ben/07 (%d).cu", i + 1);
        snprintf(text, sizeof text, "try %d", i + 1);
        class_put(&class, name, text, i);
    }
    class_read(&class, "", NULL);
    assert_int_equal(class.intake.handed_count, 3 + 20);
    class_expect_word(&class, "ann: 01-vector-add ann/work/01-vector-add.cu 10 file [first]\n"
                              "ann: 01-vector-add ann/01-vector-add.cu 20 file [second]\n"
                              "ann: 01-vector-add ann/01-vector-add (2).cu 30 file [third]\n"
                              "ben: 07-block-sum-dynamic ben/07 (11).cu 10 file [try 11]\n");
    class_close(&class);
}

/* Of two files for a lesson the newer one counts, whatever its name; an equal one is not worth a word. */
static void the_newer_counts(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "ann/01-vector-add.cu", "new", 20);
    class_put(&class, "ann/work/01-vector-add.cu", "old", 10);
    class_put(&class, "ben/01-vector-add.cu", "old", 10);
    class_put(&class, "ben/01-vector-add (1).cu", "new", 20);
    class_put(&class, "cy/01-vector-add.cu", "same", 10);
    class_put(&class, "cy/work/01-vector-add.cu", "same", 20);
    class_put(&class, "dan/01-vector-add.cu", "top", 10);
    class_put(&class, "dan/work/01-vector-add.cu", "work", 10);
    class_put(&class, "eve/01-vector-add (9).cu", "ninth", 10);
    class_put(&class, "eve/01-vector-add (10).cu", "tenth", 10);
    class_expect(&class, "", NULL,
                 "ann <> \nben <> \ncy <> \ndan <> \neve <> \n"
                 "ann: 01-vector-add ann/01-vector-add.cu 20 file [new] NOTE an older file for the same "
                 "lesson was left out: "
                 "ann/work/01-vector-add.cu\n"
                 "ben: 01-vector-add ben/01-vector-add (1).cu 20 file [new] NOTE an older file for the same "
                 "lesson was left "
                 "out: ben/01-vector-add.cu\n"
                 "cy: 01-vector-add cy/work/01-vector-add.cu 20 file [same]\n"
                 "dan: 01-vector-add dan/work/01-vector-add.cu 10 file [work] NOTE another file for the same "
                 "lesson was left "
                 "out: dan/01-vector-add.cu\n"
                 "eve: 01-vector-add eve/01-vector-add (10).cu 10 file [tenth] NOTE another file for the "
                 "same lesson was left "
                 "out: eve/01-vector-add (9).cu\n");
    class_close(&class);
}

static void gradescope(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "assignment_9_export/submission_metadata.yml",
              "submission_11:\n"
              "  :submitters:\n"
              "  - :name: Ann Lee\n"
              "    :sid: '1001'\n"
              "    :email: ann@example.edu\n"
              "  - :name: Ben Ray\n"
              "    :sid: '1002'\n"
              "    :email: ben@example.edu\n"
              "  :created_at: 2023-11-14 14:13:25.250000000 -0800\n" /* CLASS_TIME + 5 */
              "submission_12:\n"
              "  :submitters: []\n"
              "  :created_at: 2023-11-14T22:13:30Z\n"
              "submission_14:\n"
              "  :submitters:\n"
              "  - :name: Cy Om\n"
              "    :sid:\n"
              "    :email: cy@example.edu\n"
              "  :created_at: 2023-11-14T22:13:30Z\n"
              "submission_13:\n"
              "  :submitters: []\n",
              0);
    class_put(&class, "assignment_9_export/submission_11/01-vector-add.cu", "one", 700);
    class_put(&class, "assignment_9_export/submission_14/01-vector-add.cu", "four", 700);
    class_put(&class, "assignment_9_export/submission_12/01-vector-add.cu", "two", 700);
    class_read(&class, "", NULL);
    class_expect_word(
        &class,
        "1001 <Ann Lee> ann@example.edu\n"
        "1002 <Ben Ray> ben@example.edu\n"
        "cy@example.edu <Cy Om> cy@example.edu\n"
        "submission_12 <> \n"
        "1001: 01-vector-add assignment_9_export/submission_11/01-vector-add.cu 5 download [one]\n"
        "1002: 01-vector-add assignment_9_export/submission_11/01-vector-add.cu 5 download [one]\n"
        "cy@example.edu: 01-vector-add assignment_9_export/submission_14/01-vector-add.cu 10 download "
        "[four]\n"
        "submission_12: 01-vector-add assignment_9_export/submission_12/01-vector-add.cu 10 download "
        "[two]\n");
    class_expect_word(
        &class, "submission_metadata.yml:19: warning: lists the folder submission_13, which is not there\n");
    class_close(&class);
}

static void gradescope_damaged(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "submission_metadata.yml", "submission_1:\n  - [\n", 0);
    class_put(&class, "submission_1/01-vector-add.cu", "one", 0);
    class_read(&class, "", NULL);
    assert_false(class.fine);
    class_expect_word(&class, "submission_metadata.yml:3: error: ");
    class_expect_word(&class, "download the submissions once more");
    class_close(&class);
}

static void canvas(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "leeann_301_9001_01-vector-add.cu", "first", 1);
    class_put(&class, "leeann_301_9002_01-vector-add-1.cu", "second", 1); /* handed in again */
    class_put(&class, "leeann_301_9003_07-block-sum-dynamic.cu", "seven", 1);
    class_put(&class, "rayben_LATE_302_9004_01-vector-add.cu", "late", 2);
    class_put(&class, "rayben_302_9005_notes.txt", "text", 2);
    class_expect(&class, "", NULL,
                 "301 <leeann> \n"
                 "302 <rayben> \n"
                 "301: 01-vector-add leeann_301_9002_01-vector-add-1.cu 1 file [second] NOTE another file "
                 "for the same lesson "
                 "was left out: leeann_301_9001_01-vector-add.cu\n"
                 "301: 07-block-sum-dynamic leeann_301_9003_07-block-sum-dynamic.cu 1 file [seven]\n"
                 "302: 01-vector-add rayben_LATE_302_9004_01-vector-add.cu 2 file [late] NOTE the download "
                 "marks it as late\n"
                 "302: - rayben_302_9005_notes.txt REFUSED is not named as a lesson\n");
    class_close(&class);
}

/* Other forms that Canvas has had: a small mark, names with underscores, no names, and what was typed in. */
static void canvas_of_other_editions(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "rayben_late_302_9004_01-vector-add.cu", "late", 2);
    class_put(&class, "o_brien_jrcy_303_9005_01-vector-add-2.cu", "jr", 3);
    class_put(&class, "304111_9006777_01_vector_add.cu", "hidden", 4);
    class_put(&class, "late_305111_9007777_01.cu", "hidden and late", 5);
    class_put(&class, "fayeve_306_text.html", "typed", 6);
    class_put(&class, "latelarry_307_9008_01-vector-add.cu", "in time", 7);
    class_expect(
        &class, "", NULL,
        "302 <rayben> \n"
        "303 <o_brien_jrcy> \n"
        "304111 <> \n"
        "305111 <> \n"
        "306 <fayeve> \n"
        "307 <latelarry> \n"
        "302: 01-vector-add rayben_late_302_9004_01-vector-add.cu 2 file [late] NOTE the download marks it "
        "as late\n"
        "303: 01-vector-add o_brien_jrcy_303_9005_01-vector-add-2.cu 3 file [jr]\n"
        "304111: 01-vector-add 304111_9006777_01_vector_add.cu 4 file [hidden]\n"
        "305111: 01-vector-add late_305111_9007777_01.cu 5 file [hidden and late] NOTE the download marks "
        "it as late\n"
        "306: - fayeve_306_text.html REFUSED is not named as a lesson\n"
        "307: 01-vector-add latelarry_307_9008_01-vector-add.cu 7 file [in time]\n");
    class_close(&class);
}

/* Names and files that carry somebody else's number: evil's are 303 in Canvas, and 43 in Moodle. */
static void borrowed_numbers(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "canvas/rayben_302_9004_07-block-sum-dynamic.cu", "ben's", 1);
    class_put(&class, "canvas/evil_302_303_9005_07.cu", "evil's", 2);
    class_put(&class, "canvas/leeann_301_9006_01_vector_add.cu", "ann's", 3);
    class_put(&class, "canvas/evilfile_304_9007_x_302_9008_07.cu", "its own", 4);
    class_put(&class, "moodle/Ben Ray_42_assignsubmission_file_/01.cu", "ben's", 1);
    class_put(&class, "moodle/Evil_42_assignsubmission_file_x_43_assignsubmission_file_/01.cu", "its own", 2);
    class_put(&class, "moodle/Evil_43_assignsubmission_file_x_42_assignsubmission_file_01.cu", "evil's", 3);
    class_expect(&class, "canvas", NULL,
                 "301 <leeann> \n"
                 "302 <rayben> \n"
                 "304 <evilfile> \n"
                 "301: 01-vector-add leeann_301_9006_01_vector_add.cu 3 file [ann's]\n"
                 "302: 07-block-sum-dynamic rayben_302_9004_07-block-sum-dynamic.cu 1 file [ben's]\n"
                 "304: - evilfile_304_9007_x_302_9008_07.cu REFUSED no lesson has this name\n"
                 "evil_302_303_9005_07.cu: warning: is left out: its name has the number of another student\n"
                 "    find out whose it is, and put it into a folder named after the student\n");
    diag_init(&class.diagnostics, class.arena);
    class_read(&class, "moodle", NULL);
    class_expect_word(&class,
                      "42: 01-vector-add Ben Ray_42_assignsubmission_file_/01.cu 1 file [ben's]\n"
                      "43: 01-vector-add Evil_42_assignsubmission_file_x_43_assignsubmission_file_/01.cu 2 "
                      "file [its own]\n");
    class_expect_word(&class,
                      "Evil_43_assignsubmission_file_x_42_assignsubmission_file_01.cu: warning: is left out");
    class_close(&class);
}

static void moodle(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "Ann de Lee_41_assignsubmission_file_/01-vector-add.cu", "one", 1);
    class_put(&class, "Ben Ray_42_assignsubmission_file_01-vector-add.cu", "two", 2);
    class_expect(&class, "", NULL,
                 "41 <Ann de Lee> \n"
                 "42 <Ben Ray> \n"
                 "41: 01-vector-add Ann de Lee_41_assignsubmission_file_/01-vector-add.cu 1 file [one]\n"
                 "42: 01-vector-add Ben Ray_42_assignsubmission_file_01-vector-add.cu 2 file [two]\n");
    class_close(&class);
}

/* A clock that is set back shows an hour twice, and one that is set forward leaves one out: nobody is late by
 * that. */
static void hours_that_come_twice(void **state) {
    (void)state;
    enum { BEFORE = 1698537600 }; /* 2023-10-29 00:00 UTC; summer time ends at 01:00 UTC */
    ClassFolder class;
    class_open(&class);
    setenv("TZ", "Europe/Berlin", 1);
    class_put(&class, "Lab_ann_attempt_2023-10-29-01-59-59_01.cu", "x", 0);
    class_put(&class, "Lab_ben_attempt_2023-10-29-02-30-00_01.cu", "x", 0);
    class_put(&class, "Lab_cy_attempt_2023-10-29-03-00-00_01.cu", "x", 0);
    class_put(&class, "Lab_dee_attempt_2023-03-26-02-30-00_01.cu", "x", 0);
    class_read(&class, "", NULL);
    static const long since[] = {-1, 1800, 7200, 1679794200 - BEFORE}; /* 2023-03-26 01:30 UTC */
    assert_int_equal(class.intake.handed_count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(class.intake.handed[i].time - BEFORE, since[i]);
    setenv("TZ", "UTC", 1);
    class_close(&class);
}

/* Whose an archive is that is not unpacked is known from its name. */
static void archives_of_other_kinds(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "ann.lee.rar", "Rar!", 0);
    class_put(&class, "ben.TAR.xz", "x", 0);
    class_put(&class, "cy/01.cu", "x", 0);
    class_put(&class, "notes.pdf", "x", 0);
    class_put(&class, "roster.csv", "id\nann.lee\nben\ncy\n", 0);
    class_read(&class, "", "roster.csv");
    class_expect_word(&class,
                      "ann.lee: - ann.lee.rar REFUSED is an archive of a kind that is not unpacked\n");
    class_expect_word(&class, "ben: - ben.TAR.xz REFUSED is an archive of a kind that is not unpacked\n");
    assert_int_equal(class.intake.people_count, 3);
    class_close(&class);
}

/* Blackboard: the login stands in each name, and what a student called the file behind it decides nothing. */
static void blackboard(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    setenv("TZ", "UTC", 1);
    class_put(&class, "Lab 3_ann_lee_attempt_2023-11-14-22-13-25_07.cu", "ann's", 700);
    class_put(&class, "Lab 3_ann_lee_attempt_2023-11-14-22-13-25.txt", "Name: Ann Lee", 700);
    class_put(&class, "Lab 3_lee_attempt_2023-11-14-22-13-21_01-vector-add.cu", "lee's", 700);
    class_put(&class, "Lab 3_evil_attempt_2023-11-14-22-13-22_x_lee_attempt_2023-11-14-22-13-59_01.cu",
              "evil's", 700);
    class_put(&class, "Lab 3_fay_attempt_2023-11-14-22-13-23_Lee_41_assignsubmission_file_01.cu", "fay's",
              700);
    class_put(&class, "Lab 3_gus_attempt_2023-11-14-22-13-24.txt", "typed in", 700);
    class_put(&class, "Lab 3_hal_attempt_2023-13-14-22-13-24_01.cu", "no such month", 9);
    class_put(&class, "roster.csv", "Username,Student ID\nlee,1\nann_lee,2\nevil,3\nfay,4\n", 0);
    class_read(&class, "", NULL);
    class_expect_word(
        &class, "Lab 3_ann_lee: 07-block-sum-dynamic Lab 3_ann_lee_attempt_2023-11-14-22-13-25_07.cu 5 "
                "download [ann's]\n"
                "Lab 3_lee: 01-vector-add Lab 3_lee_attempt_2023-11-14-22-13-21_01-vector-add.cu 1 "
                "download [lee's]\n"
                "evil: - Lab 3_evil_attempt_2023-11-14-22-13-22_x_lee_attempt_2023-11-14-22-13-59_01.cu "
                "REFUSED no lesson has this name\n"
                "fay: - Lab 3_fay_attempt_2023-11-14-22-13-23_Lee_41_assignsubmission_file_01.cu "
                "REFUSED no lesson has this name\n"
                "gus: - Lab 3_gus_attempt_2023-11-14-22-13-24.txt REFUSED is not named as a lesson\n"
                "hal: 01-vector-add Lab 3_hal_attempt_2023-13-14-22-13-24_01.cu 9 file "
                "[no such month]\n");
    class_read(&class, "", "roster.csv");
    class_expect_word(&class, "1: 01-vector-add Lab 3_lee_attempt");
    class_expect_word(&class, "2: 07-block-sum-dynamic Lab 3_ann_lee_attempt");
    class_expect_word(&class, "3: - Lab 3_evil_attempt");
    class_close(&class);
}

/* Brightspace: a number for each student of the course, and perhaps the login or the id before the name. */
static void brightspace(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    setenv("TZ", "UTC", 1);
    class_put(&class, "d2l/272-46025 - annlee Ann Lee - Nov 14, 2023 1013 PM/07.cu", "ann's", 700);
    class_put(&class, "d2l/273-46025 - 1002 Ray - 14 November 2023 101 AM/01.cu", "ben's", 700);
    class_put(&class, "d2l/274-46025 - Cy Om - 14 nov. 2023 22.13/01.cu", "cy's", 7);
    class_put(&class, "d2l/275-46025 - Dee Fox - Nov 14, 2023 1013 PM - 01 - Jan 1, 2020 100 AM - x.cu", "d",
              8);
    class_put(&class, "d2l/272-46025 - annlee Ann Lee - Nov 13, 2023 1013 PM/07.cu", "ann's first", 700);
    class_put(&class, "d2l/index.html", "list", 7);
    class_put(&class, "roster.csv",
              "OrgDefinedId,Username,Last Name,First Name,End-of-Line Indicator\n"
              "#1001,#annlee,Lee,Ann,#\n#1002,#benray,Ray,Ben,#\n#1003,#cyom,Om,Cy,#\n#272,#ann,Fox,Dee,#\n",
              0);
    class_read(&class, "d2l", "roster.csv");
    class_expect_word(&class, "1001 <Ann Lee> ");
    class_expect_word(
        &class,
        "1001: 07-block-sum-dynamic 272-46025 - annlee Ann Lee - Nov 14, 2023 1013 PM/07.cu -20 download "
        "[ann's] NOTE an older file for the same lesson was left out: 272-46025 - annlee Ann Lee - Nov 13, "
        "2023 "
        "1013 PM/07.cu\n"
        "1002: 01-vector-add 273-46025 - 1002 Ray - 14 November 2023 101 AM/01.cu -76340 download [ben's]\n"
        "1003: 01-vector-add 274-46025 - Cy Om - 14 nov. 2023 22.13/01.cu 7 file [cy's]\n"
        "272: - 275-46025 - Dee Fox - Nov 14, 2023 1013 PM - 01 - Jan 1, 2020 100 AM - x.cu REFUSED ");
    assert_null(strstr(class.said.bytes, "is of the same student")); /* she handed in twice */
    class_close(&class);
}

/* Sakai: the student's files lie beside the teacher's, and the time in a file. */
static void sakai(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "Lab 3/Lee, Ann(annlee)/Submission attachment(s)/07.cu", "ann's", 700);
    class_put(&class, "Lab 3/Lee, Ann(annlee)/Feedback Attachment(s)/01.cu", "the teacher's", 700);
    class_put(&class, "Lab 3/Lee, Ann(annlee)/timestamp.txt", "20231114221325200", 700);
    class_put(&class, "Lab 3/Ray, Ben(benray)/Submission attachment(s)/07.cu", "ben's", 700);
    class_put(&class, "Lab 3/Ray, Ben(benray)/timestamp.txt", "2023-11-14T22:13:26.100Z\n", 700);
    class_put(&class, "Lab 3/Om, Cy(cyom)_Submission attachment(s)_07.cu", "cy's", 7);
    class_put(&class, "Lab 3/grades.csv", "Display ID,ID\n", 0);
    class_put(&class, "Lab 3/dee (2)/07.cu", "dee's", 8); /* no form: a folder of that name */
    class_put(&class, "roster.csv", "ID,login\n1,annlee\n2,benray\n3,cyom\n", 0);
    class_read(&class, "Lab 3", "roster.csv");
    class_expect_word(
        &class, "1: 07-block-sum-dynamic Lee, Ann(annlee)/Submission attachment(s)/07.cu 5 download [ann's]\n"
                "2: 07-block-sum-dynamic Ray, Ben(benray)/Submission attachment(s)/07.cu 6 download [ben's]\n"
                "3: 07-block-sum-dynamic Om, Cy(cyom)_Submission attachment(s)_07.cu 7 file [cy's]\n"
                "dee (2): 07-block-sum-dynamic dee (2)/07.cu 8 file [dee's]\n");
    class_close(&class);
}

/* Several downloads side by side are several downloads; a student's archive that holds such names, beside
 * another student's, is that student's. */
static void several_downloads(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    Packing zip;
    packing_open(&zip, true);
    packing_put(&zip, "leeann_301_9001_01-vector-add.cu", "one", 1);
    packing_put(&zip, "rayben_302_9002_01-vector-add.cu", "two", 1);
    packing_finish(&zip, &class, "class/submissions.zip");
    packing_open(&zip, true);
    packing_put(&zip, "leeann_301_9003_07-block-sum-dynamic.cu", "seven", 1);
    packing_finish(&zip, &class, "class/submissions (1).zip");
    class_put(&class, "class/lab 3/Lee Ann_41_assignsubmission_file_/08.cu", "eight", 1);
    class_put(&class, "class/lab 4/Lee Ann_52_assignsubmission_file_/09.cu", "nine", 1);
    class_put(&class, "class/roster.csv", "id,name\n1,Ann Lee\n2,Ben Ray\n", 0);
    class_read(&class, "class", "class/roster.csv");
    class_expect_word(&class,
                      "1: 01-vector-add submissions.zip:leeann_301_9001_01-vector-add.cu 1 archive "
                      "[one]\n"
                      "1: 07-block-sum-dynamic submissions (1).zip:leeann_301_9003_07-block-sum-dynamic"
                      ".cu 1 archive [seven]\n"
                      "1: 08-block-sum-static lab 3/Lee Ann_41_assignsubmission_file_/08.cu 1 file "
                      "[eight]\n"
                      "1: - lab 4/Lee Ann_52_assignsubmission_file_/09.cu REFUSED");
    class_expect_word(&class, "2: 01-vector-add submissions.zip:rayben_302_9002_01-vector-add.cu 1 archive "
                              "[two]\n");
    packing_open(&zip, true);
    packing_put(&zip, "rayben_302_9002_01-vector-add.cu", "for ben?", 1);
    packing_finish(&zip, &class, "plain/evil.zip");
    class_put(&class, "plain/ben/01.cu", "two", 1);
    diag_init(&class.diagnostics, class.arena);
    class_read(&class, "plain", NULL);
    class_expect_word(&class, "ben: 01-vector-add ben/01.cu 1 file [two]\n");
    class_expect_word(&class, "evil: - evil.zip");
    class_close(&class);
}

/* Clones of several assignments of GitHub Classroom: the login is the student, with a roster and without.
 * Folders of students who have clones are students' folders. */
static void several_assignments_of_clones(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "class/lab-1-submissions/lab-1-annlee/.git/HEAD", "nonsense", 0);
    class_put(&class, "class/lab-1-submissions/lab-1-annlee/01.cu", "one", 1);
    class_put(&class, "class/lab-1-submissions/lab-1-ben-ray/.git/HEAD", "nonsense", 0);
    class_put(&class, "class/lab-1-submissions/lab-1-ben-ray/01.cu", "two", 2);
    class_put(&class, "class/b-submissions/b-annlee/.git/HEAD", "nonsense", 0);
    class_put(&class, "class/b-submissions/b-annlee/work/07.cu", "seven", 3);
    class_put(&class, "roster.csv", "identifier,github_username,github_id,name\n1,annlee,,\n2,ray,,\n", 0);
    class_read(&class, "class", "roster.csv");
    class_expect_word(&class, "1: 01-vector-add lab-1-submissions/lab-1-annlee/01.cu 1 file [one]");
    class_expect_word(&class, "1: 07-block-sum-dynamic b-submissions/b-annlee/work/07.cu 3 file [seven]");
    assert_null(strstr(class.said.bytes, "is of the same student as"));
    class_expect_word(&class, "ben-ray: 01-vector-add lab-1-submissions/lab-1-ben-ray/01.cu 2 file [two]");
    class_read(&class, "class", NULL);
    class_expect_word(&class, "annlee: 01-vector-add lab-1-submissions/lab-1-annlee/01.cu 1 file [one]");
    class_expect_word(&class,
                      "annlee: 07-block-sum-dynamic b-submissions/b-annlee/work/07.cu 3 file [seven]");
    class_put(&class, "plain/cy/lab-1/.git/HEAD", "nonsense", 0);
    class_put(&class, "plain/cy/lab-1/01.cu", "one", 1);
    class_put(&class, "plain/x-submissions/x-1/.git/HEAD", "nonsense", 0);
    class_put(&class, "plain/x-submissions/x-1/07.cu", "seven", 1);
    class_read(&class, "plain", NULL);
    class_expect_word(&class, "cy: 01-vector-add cy/lab-1/01.cu 1 file [one]");
    class_expect_word(&class, "x-submissions: 07-block-sum-dynamic x-submissions/x-1/07.cu 1 file [seven]");
    class_close(&class);
}

/* Floods of one student's: a few lines stand for all. */
static void floods_of_files(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    for (int i = 0; i < 40; i++) {
        char name[64];
        snprintf(name, sizeof name, "ann/07 (%d).cu", i + 1);
        class_put(&class, name, name, 40 - i);
        snprintf(name, sizeof name, "ben/%d-none.cu", i + 100);
        class_put(&class, name, "x", 1);
    }
    class_read(&class, "", NULL);
    assert_int_equal(class.intake.handed_count, 1 + 10 + 1);
    const char *note = class.intake.handed[0].note;
    assert_non_null(strstr(note, "left out: ann/07 (6).cu; more files for the same lesson were left out"));
    assert_null(strstr(note, "07 (7)"));
    class_expect_word(&class, "ben: - ben REFUSED has 30 more files, each of them refused\n");
    class_close(&class);
}

/* A text that was typed in is its student's, and nothing to grade; beside files it is nothing to speak of. */
static void moodle_texts(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "Ann de Lee_41_assignsubmission_file_/01-vector-add.cu", "one", 1);
    class_put(&class, "Ann de Lee_41_assignsubmission_onlinetext_/onlinetext.html", "hello", 1);
    class_put(&class, "Ben Ray_42_assignsubmission_onlinetext_onlinetext.html", "hello", 2);
    class_expect(
        &class, "", NULL,
        "41 <Ann de Lee> \n"
        "42 <Ben Ray> \n"
        "41: 01-vector-add Ann de Lee_41_assignsubmission_file_/01-vector-add.cu 1 file [one]\n"
        "42: - Ben Ray_42_assignsubmission_onlinetext_onlinetext.html REFUSED is not named as a lesson\n");
    class_close(&class);
}

/* A folder around everything is looked into; a class of one whose only file is an archive is not a class
 * inside that. */
static void wrappers(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    Packing zip;
    packing_open(&zip, true);
    packing_put(&zip, "07.cu", "seven", 1);
    packing_finish(&zip, &class, "moodle/Ann Lee_41_assignsubmission_file_/hw.zip");
    packing_open(&zip, true);
    packing_put(&zip, "07.cu", "seven", 1);
    packing_finish(&zip, &class, "plain/ann/hw.zip");
    class_put(&class, "wrapped/lab3/ann/07.cu", "seven", 1);
    class_put(&class, "wrapped/lab3/ben/07.cu", "seven", 1);
    class_expect(
        &class, "moodle", NULL,
        "41 <Ann Lee> \n"
        "41: 07-block-sum-dynamic Ann Lee_41_assignsubmission_file_/hw.zip:07.cu 1 archive [seven]\n");
    class_expect(
        &class, "plain", NULL,
        "ann <> \nann: 07-block-sum-dynamic ann/hw.zip:07.cu 1 archive [seven]\n"
        "ann: note: is read as one student's, since there are not several folders or archives in it\n"
        "    if it is the class's, give this itself, and not the folder around it\n");
    diag_init(&class.diagnostics, class.arena);
    class_expect(
        &class, "wrapped", NULL,
        "ann <> \nben <> \n"
        "ann: 07-block-sum-dynamic lab3/ann/07.cu 1 file [seven]\n"
        "ben: 07-block-sum-dynamic lab3/ben/07.cu 1 file [seven]\n"
        "lab3: note: is read as the whole class's, since several folders in it have the same lesson\n"
        "    if it is one student's, put it into a folder named after the student\n");
    class_close(&class);
}

/* One archive alone in a folder, with these files in it: whose is it? */
static void expect_whose(ClassFolder *class, const char *const *files, const char *roster,
                         const char *wanted) {
    static int number;
    Packing zip;
    packing_open(&zip, true);
    for (; *files != NULL; files++)
        packing_put(&zip, *files, "x", 1);
    packing_finish(&zip, class, arena_format(class->arena, "alone-%d/ann.zip", ++number));
    class_read(class, arena_format(class->arena, "alone-%d", number), roster);
    class_expect_word(class, wanted);
    diag_init(&class->diagnostics, class->arena);
}

#define FILES(...) ((const char *const[]){__VA_ARGS__, NULL})
static void one_archive_alone(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "boxes.csv", "id\nlab1\n", 0);
    class_put(&class, "ann.csv", "id\nann\n", 0);
    class_put(&class, "others.csv", "id\neve\n", 0);
    expect_whose(&class, FILES("01-vector-add.cu", "a/07.cu", "b/07.cu"), NULL,
                 "one student's, since programs lie in it");
    expect_whose(&class, FILES("work/01.cu", "b/01.cu"), NULL, "one student's, since it is a checkout");
    expect_whose(&class, FILES("lab1/01.cu", "lab2/07.cu"), NULL,
                 "one student's, since no lesson is in several");
    expect_whose(&class, FILES("lab1/01.cu", "lab2/07.cu"), "others.csv",
                 "one student's, since no lesson is in several");
    expect_whose(&class, FILES("lab1/01.cu", "lab2/07.cu"), "boxes.csv",
                 "class's, since the roster has names that are in it");
    expect_whose(&class, FILES("lab1/01.cu", "lab2/01.cu"), "ann.csv",
                 "one student's, since the roster has its name");
    expect_whose(&class, FILES("vector-add/01.cu", "07-block-sum-dynamic/01.cu"), NULL,
                 "one student's, since its folders are named after lessons");
    expect_whose(&class, FILES("01/01.cu", "07/01.cu"), NULL,
                 "class's, since several folders in it have the same lesson");
    expect_whose(&class, FILES("x/deep/01.cu", "y/work/01.cu"), NULL,
                 "class's, since several folders in it have the same lesson");
    expect_whose(&class, FILES("leeann_301_9001_01-vector-add.cu"), NULL,
                 "class's, since it has names in it as learning systems make them");
    expect_whose(&class, FILES("Ann Lee_41_assignsubmission_file_/01.cu"), NULL,
                 "class's, since it has names in it as learning systems make them");
    class_close(&class);
}

/* What is no submission is named, and does not keep the others from being read. */
static void what_is_refused(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "ann/01-vector-add.cu", "one", 1);
    class_put(&class, "ben/report.pdf", "x", 1);
    mkdir(class_path(&class, "cy"), 0755);
    class_put(&class, "hal/hw.7z", "7z", 1);
    class_put(&class, "ivy/07-block-sum-dynamic.rar", "Rar!", 1);
    mkdir(class_path(&class, "jo"), 0755);
    mkdir(class_path(&class, "jo/01-vector-add.cu"), 0755);
    class_put(&class, "kim/07-block-sum-dynamic.cu/main.txt", "x", 1);
    class_put(&class, "kim/01-vector-add.cu/main.txt", "x", 1);
    mkdir(class_path(&class, "dan"), 0755);
    assert_int_equal(symlink("/etc/passwd", class_path(&class, "dan/01-vector-add.cu")), 0);
    assert_int_equal(mkfifo(class_path(&class, "dan/07-block-sum-dynamic.cu"), 0644), 0);
    assert_int_equal(symlink("ann", class_path(&class, "eve")), 0);
    class_put(&class, "fay/a/07.cu", "x", 1);
    class_put(&class, "fay/b/08.cu", "x", 1);
    char *large = calloc(1, (1 << 20) + 1);
    class_put_bytes(&class, "gus/01.cu", large, (1 << 20) + 1, 1);
    class_put_bytes(&class, "gus/07.cu", large, 1 << 20, 1);
    free(large);
    class_put(&class, "08.cu", "x", 1);
    class_read(&class, "", NULL);
    class_expect_word(
        &class, "ann: 01-vector-add ann/01-vector-add.cu 1 file [one]\n"
                "ben: - ben REFUSED has no file named as a lesson, but report.pdf\n"
                "cy: - cy REFUSED is empty\n"
                "dan: 01-vector-add dan/01-vector-add.cu REFUSED is a symbolic link\n"
                "dan: 07-block-sum-dynamic dan/07-block-sum-dynamic.cu REFUSED is a named pipe\n"
                "fay: 07-block-sum-dynamic fay/a/07.cu REFUSED lies in a folder that is not looked into\n"
                "fay: 08-block-sum-static fay/b/08.cu REFUSED lies in a folder that is not looked into\n"
                "gus: 01-vector-add gus/01.cu REFUSED is larger than a submission may be");
    class_expect_word(&class, "gus: 07-block-sum-dynamic gus/07.cu 1 file [");
    class_expect_word(&class, "hal: - hal REFUSED has no file named as a lesson, but hw.7z: an archive of a "
                              "kind that is not unpacked\n");
    class_expect_word(&class, "ivy: - ivy REFUSED has no file named as a lesson, but "
                              "07-block-sum-dynamic.rar: an archive of a kind that is not unpacked\n");
    class_expect_word(&class, "jo: - jo REFUSED holds no file, only empty folders or archives\n");
    class_expect_word(&class, "kim: - kim REFUSED has no file where one is looked for\n");
    class_expect_word(&class, "eve: warning: is left out: it is a symbolic link\n");
    class_expect_word(&class, "08.cu: warning: is left out: no name says whose it is\n");
    class_close(&class);
}

static void names_in_any_bytes(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "\xFF\x1B[31m\nann/01.cu", "one", 1);
    class_put(&class, "\\xFF/01.cu", "two", 1); /* looks like what the other would be shown as */
    class_put(&class, "Zo\xC3\xAB/01.cu", "three", 1);
    class_put(&class, "a\xE2\x80\xAEnna/01.cu", "four", 1); /* turns the writing round */
    class_expect(&class, "", NULL,
                 "Zo\xC3\xAB <> \n"
                 "\\x5CxFF <> \n"
                 "\\xFF\\x1B[31m\\x0Aann <> \n"
                 "a\\xE2\\x80\\xAEnna <> \n"
                 "Zo\xC3\xAB: 01-vector-add Zo\xC3\xAB/01.cu 1 file [three]\n"
                 "\\x5CxFF: 01-vector-add \\x5CxFF/01.cu 1 file [two]\n"
                 "\\xFF\\x1B[31m\\x0Aann: 01-vector-add \\xFF\\x1B[31m\\x0Aann/01.cu 1 file [one]\n"
                 "a\\xE2\\x80\\xAEnna: 01-vector-add a\\xE2\\x80\\xAEnna/01.cu 1 file [four]\n");
    class_close(&class);
}

static void nothing_at_all(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_read(&class, "", NULL);
    assert_false(class.fine);
    class_expect_word(&class, "error: nobody has handed in anything here\n");
    class_read(&class, "absent", NULL);
    assert_false(class.fine);
    class_expect_word(&class, "absent: error: No such file or directory\n");
    class_close(&class);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_of_students),
        cmocka_unit_test(names_of_files),
        cmocka_unit_test(programs_of_one_lesson),
        cmocka_unit_test(programs_of_one_lesson_in_an_archive),
        cmocka_unit_test(each_file_is_an_attempt),
        cmocka_unit_test(the_newer_counts),
        cmocka_unit_test(gradescope),
        cmocka_unit_test(gradescope_damaged),
        cmocka_unit_test(canvas),
        cmocka_unit_test(canvas_of_other_editions),
        cmocka_unit_test(borrowed_numbers),
        cmocka_unit_test(moodle),
        cmocka_unit_test(hours_that_come_twice),
        cmocka_unit_test(archives_of_other_kinds),
        cmocka_unit_test(blackboard),
        cmocka_unit_test(brightspace),
        cmocka_unit_test(sakai),
        cmocka_unit_test(several_downloads),
        cmocka_unit_test(several_assignments_of_clones),
        cmocka_unit_test(moodle_texts),
        cmocka_unit_test(floods_of_files),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(names_in_any_bytes),
        cmocka_unit_test(nothing_at_all),
        cmocka_unit_test(wrappers),
        cmocka_unit_test(one_archive_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
