/* differences.c - the command `diff`: what changed from one grading to another, and why. */
#include "grading/book/desk.h"

#include "grading/book/store.h"
#include "grading/book/table.h"
#include "grading/commands.h"

#include <stdlib.h>
#include <string.h>

/* Two gradings, and how many grades differ between them. */
typedef struct Differences {
    Desk desk;
    BookGrading gradings[2];
    Class classes[2];
    size_t count;
} Differences;

/* ---- which two ---- */

static const BookGrading *find_grading(const BookGradingList *list, Session *session, const char *word) {
    for (size_t i = 0; i < list->count; i++) {
        char *end = NULL;
        if (strtoll(word, &end, 10) == list->items[i].id && *end == '\0') return &list->items[i];
    }
    advise(diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "there is no grading number `%s`", word),
           "their numbers: warpschool gradebook --gradings");
    return NULL;
}

/* The last two, the one named and the last, or the two named. */
static bool choose_gradings(Differences *differences, Session *session, char **names, int named) {
    BookGradingList list;
    if (!gradebook_read_gradings(differences->desk.book, session->arena, &list, &session->diagnostics))
        return false;
    if (list.count < 2) {
        return advise(diag_add(&session->diagnostics, DIAG_ERROR, differences->desk.gradebook, 0, 0,
                               "there is nothing to compare: the class was graded %s",
                               list.count == 1 ? "once" : "never"),
                      "`warpschool grade DIR` and `warpschool regrade` each add a grading");
    }
    const BookGrading *before = &list.items[list.count - 2], *after = &list.items[list.count - 1];
    if (named > 0) before = find_grading(&list, session, names[0]);
    if (named > 1) after = find_grading(&list, session, names[1]);
    if (before == NULL || after == NULL) return false;
    differences->gradings[0] = *before;
    differences->gradings[1] = *after;
    return true;
}

/* ---- why ---- */

/* The first of the key's parts that differs is the reason; the result is the key's. */
static bool read_reason(Differences *differences, Session *session, const Grade *before, const Grade *after,
                        const char **reason) {
    static const char *const reasons[] = {"another file was handed in", "the lesson has changed",
                                          "the toolkit or the compiler has changed", "another seed"};
    Query query =
        query_ask(differences->desk.book, &session->diagnostics,
                  "SELECT a.source <> b.source, a.revision <> b.revision, a.versions <> b.versions,"
                  " a.seed <> b.seed FROM attempt a, attempt b WHERE a.number = %ld AND b.number = %ld",
                  before->attempt, after->attempt);
    *reason = "the rules or the time have changed";
    bool found = query_row(&query);
    for (int i = 0; found && i < 4; i++) {
        if (query_get_number(&query, i) == 0) continue;
        *reason = reasons[i];
        break;
    }
    return query_close(&query);
}

/* A grade as points, or why there are none. */
static void add_state(const Grade *grade, Text *out) {
    static const char *const states[] = {
        [GRADE_NOTHING] = "nothing handed in", [GRADE_REFUSED] = "refused",
        [GRADE_FAULT] = "the grader failed",   [GRADE_WAITING] = "not graded yet",
        [GRADE_EXCUSED] = "excused",           [GRADE_HELD] = "not released yet"};
    if (grade->state != GRADE_DECIDED) {
        text_add(out, states[grade->state]);
        return;
    }
    table_points(grade->points, out);
    text_add(out, " of ");
    table_points(grade->max_points, out);
}

static bool is_same(const Grade *before, const Grade *after) {
    return before->state == after->state && !(before->points < after->points) &&
           !(before->points > after->points) && before->score == after->score;
}

/* A line of the comparison. Where both grades come from a judge, the reason is read from what their attempts
 * differ in. */
static bool add_difference(Differences *differences, Session *session, const ClassStudent *student,
                           const char *lesson, const Grade *before, const Grade *after, Text *out) {
    const char *reason = NULL;
    if (is_same(before, after)) return true;
    differences->count++;
    table_who(student, out);
    text_format(out, ", %s: ", lesson);
    add_state(before, out);
    text_add(out, " -> ");
    add_state(after, out);
    if (before->attempt != 0 && after->attempt != 0) {
        if (!read_reason(differences, session, before, after, &reason)) return false;
        text_format(out, " (%s)", reason);
    }
    text_add(out, "\n");
    return true;
}

/* ---- the table ---- */

/* Students are the same in both; a lesson may be in the later one alone. */
static const Grade *grade_before(const Class *before, size_t student, const char *lesson) {
    static const Grade nothing = {.state = GRADE_NOTHING};
    for (size_t i = 0; i < before->lesson_count; i++)
        if (strcmp(before->lessons[i].name, lesson) == 0) return class_grade(before, student, i);
    return &nothing;
}

/* Both classes come from one gradebook and so have the same students. Lessons are matched by name, as the
 * rules may have changed between the gradings. */
static bool compare(Differences *differences, Session *session, Text *out) {
    const Class *before = &differences->classes[0], *after = &differences->classes[1];
    bool fine = before->student_count == after->student_count;
    for (size_t student = 0; fine && student < after->student_count; student++)
        for (size_t lesson = 0; fine && lesson < after->lesson_count; lesson++) {
            const char *name = after->lessons[lesson].name;
            fine =
                add_difference(differences, session, &after->students[student], name,
                               grade_before(before, student, name), class_grade(after, student, lesson), out);
        }
    text_number(out, differences->count);
    text_format(out, differences->count == 1 ? " grade differs" : " grades differ");
    text_format(out, " between grading %lld and grading %lld\n", (long long)differences->gradings[0].id,
                (long long)differences->gradings[1].id);
    return fine;
}

static bool run(Differences *differences, Session *session, char **names, int named, Text *out) {
    Desk *desk = &differences->desk;
    if (!desk_open(desk, session, GRADEBOOK_READ) || !choose_gradings(differences, session, names, named))
        return false;
    for (int i = 0; i < 2; i++)
        if (!class_read_after(&differences->classes[i], session->arena, desk->book, &desk->policy,
                              differences->gradings[i].id, &session->diagnostics))
            return false;
    return compare(differences, session, out);
}

/* The exit status says whether there are differences, as diff's does. */
int diff_run(Session *session, int argc, char **argv) {
    Differences differences = {0};
    const Option options[] = {DESK_OPTIONS(&differences.desk), {.kind = OPTION_END}};
    int first = commands_parse(session, options, argc, argv, 0, 2);
    if (first < 0) return EXIT_USAGE;
    Text out = text_new();
    bool fine = run(&differences, session, argv + first, argc - first, &out);
    desk_close(&differences.desk);
    if (fine)
        commands_print(&out);
    else
        text_free(&out);
    if (!fine) return diag_status(&session->diagnostics);
    if (differences.count > 0) return EXIT_FOUND;
    return EXIT_FINE;
}
