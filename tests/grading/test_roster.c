/* test_roster.c - the roster: its forms, its mistakes, and whose a submission is. */
#include "class.h"

#include "grading/intake/csv.h"
#include "grading/intake/layout.h"

/* One student, whose folder is called ann; what is expected of the person's line. */
static void expect_ann(const char *folder, const char *roster, const char *expected) {
    ClassFolder class;
    class_open(&class);
    class_put(&class, arena_format(class.arena, "class/%s/01.cu", folder), "x", 1);
    class_put(&class, "roster.csv", roster, 0);
    class_read(&class, "class", "roster.csv");
    class_expect_word(&class, expected);
    class_close(&class);
}

/* Each way in which a folder finds its line, in the order in which they are tried. */
static void ways_to_match(void **state) {
    (void)state;
    expect_ann("x", "id,name,folder\n7,Ann Lee,x\n8,x,\n", "7: 01-vector-add");
    expect_ann("0007", "id,name\n0007,Ann Lee\n", "0007: 01-vector-add");
    expect_ann("Ann@Example.edu", "id,e-mail\n7,ann@example.edu\n", "7: 01-vector-add");
    expect_ann("annlee", "Student ID;Login;Full name\r\n7;annlee;Ann Lee\r\n", "7: 01-vector-add");
    expect_ann("lab-1-annlee", "identifier,github_username\n7,annlee\n8,lee\n", "7: 01-vector-add");
    expect_ann("Ann Lee", "id\tname\n7\tAnn Lee\n", "7: 01-vector-add");
    expect_ann("ann-lee", "id,name\n7,\"Lee, Ann\"\n", "7: 01-vector-add");
    expect_ann("ann lee", "id,First name,Last name\n7,Ann,Lee\n", "7 <Ann Lee>");
    expect_ann("Ann Lee_41_assignsubmission_file_",
               "ID number,Identifier,Full name\n7,Participant 41,Someone Else\n", "7: 01-vector-add");
    expect_ann("Ann Lee_41_assignsubmission_file_", "id,name\n7,Ann Lee\n", "7: 01-vector-add");
    expect_ann("annlee", "\xEF\xBB\xBFSIS Login ID,Name\n\"annlee\",\"Ann \"\"A\"\" Lee\"\n",
               "annlee <Ann \"A\" Lee>");
    expect_ann("annlee", "\xEF\xBB\xBF\xEF\xBB\xBFid,name\nannlee,Ann Lee\n", "annlee <Ann Lee>");
}

static void canvas_gradebook(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "class/leeann_301_9001_01-vector-add.cu", "one", 1);
    class_put(&class, "class/vandermeerbo_999_9002_01-vector-add.cu", "two", 1);
    class_put(&class, "roster.csv",
              "Student,ID,SIS User ID,SIS Login ID,Section\n"
              "    Points Possible,,,,\n"
              "\"Lee, Ann\",301,s1,al1,A\n"
              "\"van der Meer, Bo\",302,s2,bm2,B\n",
              0);
    class_expect(&class, "class", "roster.csv",
                 "s1 <Lee, Ann> \n"
                 "s2 <van der Meer, Bo> \n"
                 "s1: 01-vector-add leeann_301_9001_01-vector-add.cu 1 file [one]\n"
                 "s2: 01-vector-add vandermeerbo_999_9002_01-vector-add.cu 1 file [two]\n");
    assert_string_equal(class.intake.people[1].login, "bm2");
    assert_string_equal(class.intake.people[1].section, "B");
    class_close(&class);
}

static void named_columns(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "class/ann/01.cu", "x", 1);
    class_put(&class, "roster.csv", "Matrikel,Kennung\n77,ann\n", 0);
    class_read_columns(&class, "class", "roster.csv", "id=Matrikel,login=Kennung");
    class_expect_word(&class, "77: 01-vector-add ann/01.cu");
    class_read_columns(&class, "class", "roster.csv", "id=Nummer");
    assert_false(class.fine);
    class_expect_word(&class, "roster.csv:1: error: has no column Nummer\n");
    class_close(&class);
}

/* Both ways: a folder that no line knows, lines without a folder; the rest goes on. */
static void what_does_not_match(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "class/ann/01.cu", "x", 1);
    class_put(&class, "class/stranger/01.cu", "x", 1);
    class_put(&class, "roster.csv", "id\nann\nben\ncy\n", 0);
    class_read(&class, "class", "roster.csv");
    assert_true(class.fine);
    class_expect_word(&class, "stranger: warning: matches no line of ");
    class_expect_word(&class, "it is graded as stranger\n    write stranger into the column `folder` of the "
                              "student's line");
    class_expect_word(&class, "roster.csv: warning: 2 of 3 have handed in nothing: ben, cy\n");
    assert_int_equal(class.intake.people_count, 4);
    assert_null(class.intake.people[1].folder);
    class_close(&class);
}

/* Another class's roster, or one that has other ids than the download: nothing is read, and who was meant is
 * guessed. */
/* What is said once says how often; of strangers the first ten are named, and an anonymous table has nobody
 * named beside it. */
static void warnings_of_many(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    for (int i = 0; i < 13; i++) {
        char name[64];
        snprintf(name, sizeof name, "class/stranger-%02d/01.cu", i);
        class_put(&class, name, "x", 0);
        snprintf(name, sizeof name, "class/s%02d.cu", i);
        if (i < 6) class_put(&class, name, "x", 0);
    }
    class_put(&class, "class/ann/01.cu", "x", 0);
    class_put(&class, "roster.csv", "id\nann\nben\n", 0);
    class_read(&class, "class", "roster.csv");
    class_expect_word(&class, "s00.cu: warning: is left out: no name says whose it is; the same with 5 "
                              "more: ");
    class_expect_word(&class, "s03.cu and 2 others\n");
    assert_null(strstr(class.said.bytes, "s01.cu: warning"));
    class_expect_word(&class, "it is graded as stranger-09\n");
    assert_null(strstr(class.said.bytes, "it is graded as stranger-10"));
    class_expect_word(&class, "roster.csv: warning: 3 more submissions match no line, and are graded under "
                              "their own names\n");
    class_expect_word(&class, "roster.csv: warning: 1 of 2 have handed in nothing: ben\n");
    class.nameless = true;
    class_read(&class, "class", "roster.csv");
    class_expect_word(&class, "roster.csv: warning: 1 of 2 have handed in nothing\n");
    class_close(&class);
}

static void a_roster_of_others(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class.strict = true;
    class_put(&class, "class/lee_ann_x/01.cu", "x", 1);
    class_put(&class, "class/stranger/01.cu", "x", 1);
    class_put(&class, "class/ek_bo_1/01.cu", "x", 1);
    class_put(&class, "class/99/01.cu", "x", 1);
    class_put(&class, "roster.csv", "id,name\n7,Ann Lee\n8,Bo Ek\n99,Cy\n", 0);
    class_read(&class, "class", "roster.csv");
    assert_false(class.fine);
    class_expect_word(&class, "roster.csv: error: matches 1 of 4 submissions, so nothing was judged\n");
    class_expect_word(&class, "lee_ann_x: note: matches nobody; the nearest is line 2, 7, Ann Lee\n");
    class_expect_word(&class, "ek_bo_1: note: matches nobody; the nearest is line 3, 8, Bo Ek\n");
    class_put(&class, "roster.csv", "id,name,folder\n7,Ann Lee,lee_ann_x\n8,Bo Ek,\n99,Cy,\n", 0);
    class_read(&class, "class", "roster.csv");
    assert_true(class.fine);
    class_close(&class);
}

static void twins_in_the_roster(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "class/ann/01.cu", "x", 1);
    class_put(&class, "class/Bo Ek/01.cu", "y", 1);
    class_put(&class, "roster.csv", "id,login,name\n7,ann,Ann\n7,anna,Anna\n8,x,Bo Ek\n9,y,Bo Ek\n,,\n", 0);
    class_read(&class, "class", "roster.csv");
    assert_true(class.fine);
    class_expect_word(&class, "7: 01-vector-add ann/01.cu");
    class_expect_word(&class, "Bo Ek: 01-vector-add Bo Ek/01.cu"); /* either of two: nobody's */
    class_expect_word(&class, "roster.csv:3: warning: is left out: the id 7 is that of line 2 as well\n");
    class_expect_word(&class, "Bo Ek: warning: has a name that lines 4 and 5 of ");
    assert_null(strstr(class.said.bytes, "matches no line of"));
    class_close(&class);
}

/* Two of one name, in two downloads that number everybody anew: the column names a folder of each, and a
 * folder's name may have a semicolon itself. */
static void folders_of_twins(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "class/lab 1/Bo Ek_11_assignsubmission_file_/01.cu", "a", 1);
    class_put(&class, "class/lab 1/Bo Ek_12_assignsubmission_file_/01.cu", "b", 1);
    class_put(&class, "class/lab 2/Bo Ek_22_assignsubmission_file_/07.cu", "c", 1);
    class_put(&class, "class/lab 2/Bo; Ek_23_assignsubmission_file_/07.cu", "d", 1);
    class_put(&class, "roster.csv",
              "id,name,folder\n"
              "a,Bo Ek,Bo Ek_11_assignsubmission_file_ ; Bo Ek_22_assignsubmission_file_\n"
              "b,Bo Ek,Bo Ek_12_assignsubmission_file_;\nc,Bo Ek,Bo; Ek_23_assignsubmission_file_\n",
              0);
    class_read(&class, "class", "roster.csv");
    class_expect_word(&class, "a: 01-vector-add lab 1/Bo Ek_11");
    class_expect_word(&class, "a: 07-block-sum-dynamic lab 2/Bo Ek_22");
    class_expect_word(&class, "b: 01-vector-add lab 1/Bo Ek_12");
    class_expect_word(&class, "c: 07-block-sum-dynamic lab 2/Bo; Ek_23");
    assert_null(strstr(class.said.bytes, "warning"));
    class_close(&class);
}

/* In a download that numbers its students, a name that somebody took as his own wins nothing. */
static void a_borrowed_name(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "class/Ann Lee_41_assignsubmission_file_/01.cu", "ann's", 1);
    class_put(&class, "class/Ann Lee_66_assignsubmission_file_/01.cu", "mallory's", 2);
    class_put(&class, "roster.csv", "id,name\n7,Ann Lee\n8,Mallory\n", 0);
    class_read(&class, "class", "roster.csv");
    class_expect_word(&class, "41: 01-vector-add ");
    class_expect_word(&class, "66: 01-vector-add ");
    class_expect_word(&class,
                      "another student has the same name, so it is matched with no line of the roster; the "
                      "same with 1 more: Ann Lee_66_assignsubmission_file_\n");
    class_put(&class, "roster.csv",
              "id,Identifier,name\n7,Participant 41,Ann Lee\n8,Participant 66,Mallory\n", 0);
    class_read(&class, "class", "roster.csv");
    class_expect_word(&class, "7: 01-vector-add ");
    class_expect_word(&class, "8: 01-vector-add ");
    class_close(&class);
}

static void mistakes(void **state) {
    (void)state;
    expect_ann("ann", "", "roster.csv:1: error: is empty\n");
    expect_ann("ann", "name,section\nAnn,A\n",
               "roster.csv:1: error: has no column that says who a line is about: no id, login or email\n"
               "    its first line names these: name, section; say which it is: --columns id=HEADER\n");
    expect_ann("ann", "sep=;\nname;section\nAnn;A\n", "roster.csv:2: error: has no column that says who");
    expect_ann("ann", "id\n", "roster.csv: error: lists nobody\n");
    expect_ann("ann", "id,name\n7,\"Ann\n8,Ben\n", "roster.csv:2: error: a quotation mark is never closed\n");
    expect_ann("ann", "\xFF\xFEi", "roster.csv:1: error: has no column that says who");
    expect_ann("7", "id,name\n7,Zo\xEB\n", "roster.csv:2: warning: is not UTF-8");
    expect_ann("7", "id,name\n7,Zo\xEB\n", "7 <Zo\\xEB> ");
    expect_ann("7", "sep=;\r\nname;id\r\nAnn;7\r\n", "7 <Ann> "); /* as spreadsheets begin a CSV */
    expect_ann("7", "id,name\n7,=1+1\x1B[31m\n", "7 <=1+1\\x1B[31m> ");
}

/* Gradescope's list of the course has its teachers as well. */
static void the_staff(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "class/7/01.cu", "x", 1);
    class_put(&class, "roster.csv",
              "Name,SID,Email,Role\nAnn,7,a@x,Student\nTea,,t@x,Instructor\nTim,9,i@x,TA\nCy,8,c@x,\n", 0);
    class_read(&class, "class", "roster.csv");
    class_expect_word(&class, "7 <Ann> a@x\n8 <Cy> c@x\n7: 01-vector-add ");
    class_expect_word(&class,
                      "roster.csv: note: lines 3, 4 are left out: by their roles they are the staff\n");
    class_expect_word(&class, "roster.csv: warning: 1 of 2 have handed in nothing: 8\n");
    class_close(&class);
}

/* What lines share is nobody's, and it is said; Canvas's own student is nobody. */
static void shared_and_trial(void **state) {
    (void)state;
    ClassFolder class;
    class_open(&class);
    class_put(&class, "class/7/01.cu", "x", 1);
    class_put(&class, "class/A@x/01.cu", "y", 1);
    class_put(&class, "roster.csv",
              "Student,ID,SIS Login ID,email,Section\nAnn,7,ann,a@x,A\nBo,8,bo,A@X,A\nCy,9,ann,,A\n"
              "\"Student, Test\",10,0123abcd,,A\n",
              0);
    class_read(&class, "class", "roster.csv");
    class_expect_word(&class,
                      "roster.csv: warning: students have the e-mail address of others, by which nobody is "
                      "found: line 3 (as line 2)\n");
    class_expect_word(&class, "have the login of others, by which nobody is found: line 4 (as line 2)\n");
    class_expect_word(&class, "A@x: 01-vector-add A@x/01.cu"); /* either of two: nobody's */
    class_expect_word(&class, "roster.csv:5: note: is left out: it is Canvas's own student");
    assert_int_equal(class.intake.people_count, 4);
    class_put(&class, "roster.csv", "id,name\n7,\"Student, Test\"\n", 0); /* somebody is called so */
    class_read(&class, "class", "roster.csv");
    class_expect_word(&class, "7 <Student, Test>");
    class_close(&class);
}

static void cells(void **state) {
    (void)state;
    static const char text[] = "a, \"b \"\"c\"\"\nd\" ,\r\n\r\n  e f ,;\tg\r\"\",x";
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    Csv csv;
    assert_true(csv_read(&csv, arena, text, sizeof text - 1, "x.csv", &diagnostics));
    assert_int_equal(csv.count, 3);
    assert_int_equal(csv.rows[0].count, 3);
    assert_string_equal(csv.rows[0].cells[1], "b \"c\"\nd");
    assert_string_equal(csv.rows[0].cells[2], "");
    assert_int_equal(csv.rows[1].line, 4);
    assert_string_equal(csv.rows[1].cells[0], "e f");
    assert_string_equal(csv.rows[1].cells[1], ";\tg");
    assert_int_equal(csv.rows[2].line, 5);
    assert_string_equal(csv.rows[2].cells[1], "x");
    arena_destroy(arena);
}

/* As Blackboard gives its table, and spreadsheets their "Unicode text"; either way round, halves among it. */
static void wide_cells(void **state) {
    (void)state;
    static const char big[] = "\xFE\xFF\0i\0d\0\t\0n\0\n\0"
                              "7\0\t\x73\x8B\0\x0D\0\n\0"
                              "8\0\t\xD8\x3D\xDE\x00\xD8\x3D\0!";
    char little[sizeof big - 1];
    for (size_t i = 0; i < sizeof little; i += 2) {
        little[i] = big[i + 1];
        little[i + 1] = big[i];
    }
    const char *const both[] = {big, little};
    Arena *arena = arena_create();
    for (size_t i = 0; i < 2; i++) {
        Diagnostics diagnostics;
        diag_init(&diagnostics, arena);
        Csv csv;
        assert_true(csv_read(&csv, arena, both[i], sizeof little, "x.csv", &diagnostics));
        assert_int_equal(csv.count, 3);
        assert_string_equal(csv.rows[0].cells[1], "n");
        assert_string_equal(csv.rows[1].cells[1], "\u738b");
        assert_string_equal(csv.rows[2].cells[1], "\U0001F600\uFFFD!");
    }
    arena_destroy(arena);
}

static void times(void **state) {
    (void)state;
    assert_int_equal(metadata_time("2023-11-14 22:13:20 UTC"), CLASS_TIME);
    assert_int_equal(metadata_time("2023-11-14 22:13:20.999999999 Z"), CLASS_TIME);
    assert_int_equal(metadata_time("2023-11-14T23:43:20+01:30"), CLASS_TIME);
    assert_int_equal(metadata_time("2023-11-14 15:13:20 -0700"), CLASS_TIME);
    assert_int_equal(metadata_time("2023-11-14"), 0);
    assert_int_equal(metadata_time("yesterday"), 0);
    assert_int_equal(metadata_time("2023-11-14 22:13:20 somewhere"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ways_to_match),
        cmocka_unit_test(canvas_gradebook),
        cmocka_unit_test(named_columns),
        cmocka_unit_test(what_does_not_match),
        cmocka_unit_test(warnings_of_many),
        cmocka_unit_test(a_roster_of_others),
        cmocka_unit_test(twins_in_the_roster),
        cmocka_unit_test(folders_of_twins),
        cmocka_unit_test(a_borrowed_name),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(the_staff),
        cmocka_unit_test(shared_and_trial),
        cmocka_unit_test(wide_cells),
        cmocka_unit_test(cells),
        cmocka_unit_test(times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
