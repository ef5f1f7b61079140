/* test_table.c - the class as a terminal shows it: columns of names, and which requests wait. */
#include "grading/book/table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { WIDTH = 80 };

static ClassLesson lessons[] = {{.name = "01-vector-add", .weight = 10}, {.name = "02-sum", .weight = 5}};

/* Two students and nothing handed in; the first has this name. */
static Class class_of(ClassStudent students[2], Grade grades[4], const char *name) {
    students[0] = (ClassStudent){.id = "ann", .name = name};
    students[1] = (ClassStudent){.id = "bob"};
    for (size_t i = 0; i < 4; i++)
        grades[i] = (Grade){.state = GRADE_NOTHING};
    return (Class){.title = "CUDA",
                   .lessons = lessons,
                   .lesson_count = 2,
                   .students = students,
                   .student_count = 2,
                   .grades = grades};
}

static void expect_table(const Class *class, bool whole, const char *expected) {
    Text out = text_new();
    table_class(class, WIDTH, &out);
    if (whole)
        assert_string_equal(out.bytes, expected);
    else if (strstr(out.bytes, expected) == NULL)
        fail_msg("not in it: %s\n%s", expected, out.bytes);
    text_free(&out);
}

/* The heading needs more room than a name of one letter; without any name there is no column. */
static void test_names_are_narrower_than_their_heading(void **state) {
    (void)state;
    ClassStudent students[2];
    Grade grades[4];
    Class class = class_of(students, grades, "A");
    expect_table(&class, true,
                 "CUDA: 2 students\n\n"
                 "student name       01       02      sum\n"
                 "ann     A           -        -        0\n"
                 "bob                 -        -        0\n"
                 "of                 10        5       15\n\n"
                 "-        nothing was handed in\n");
    class = class_of(students, grades, NULL);
    expect_table(&class, false, "\nstudent       01       02      sum\n");
}

/* The first grade and the last; what is past the table's end is nobody's. */
static void test_requests_that_wait(void **state) {
    (void)state;
    static const GradeRemark waits = {.question = "why?"}, answered = {.question = "why?", .text = "so"};
    ClassStudent students[2];
    Grade grades[5] = {[4] = {.remarks = &waits, .remark_count = 1}};
    Class class = class_of(students, grades, NULL);
    grades[1].remarks = &answered;
    grades[1].remark_count = 1;
    grades[0].remarks = &waits;
    grades[0].remark_count = 1;
    expect_table(&class, false, "\n1 request for another look waits: warpschool request\n");
    grades[3] = grades[0];
    expect_table(&class, false, "\n2 requests for another look wait: warpschool request\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_are_narrower_than_their_heading),
        cmocka_unit_test(test_requests_that_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
