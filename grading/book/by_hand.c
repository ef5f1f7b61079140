/* by_hand.c - the command `override`: an instructor's points in the place of those that were worked out. */
#include "grading/book/desk.h"

#include "grading/book/table.h"
#include "grading/commands.h"

/* The words of `warpschool override`. */
typedef struct ByHand {
    Desk desk;
    const char *student, *lesson, *points; /* points NULL: take an earlier override back */
    const char *reason, *author;
    bool undo;
} ByHand;

/* Somebody will ask why, a year from now. */
static bool check_words(ByHand *words, Session *session) {
    if (!desk_check_said(session, words->reason, &words->author,
                         "a grade is changed by hand only with a reason"))
        return false;
    if (words->undo == (words->points == NULL)) return true;
    return desk_refuse(session, "usage: warpschool override STUDENT LESSON POINTS --reason TEXT",
                       words->undo ? "--undo takes no points" : "POINTS is missing");
}

static bool read_points(const ByHand *words, Session *session, int64_t *points) {
    enum { MOST_POINTS = 100000 };
    long thousandths = -1;
    *points = -1;
    if (words->undo) return true;
    if (!policy_decimal(words->points, &thousandths) || thousandths > (long)MOST_POINTS * POLICY_POINT)
        return desk_refuse(session, "give a number such as 7.5, with at most three decimals",
                           "POINTS must be a decimal number from 0 to 100000");
    *points = thousandths;
    return true;
}

static bool counts(const ByHand *words, size_t student, size_t lesson, Session *session) {
    if (class_grade(&words->desk.class, student, lesson)->state != GRADE_EXCUSED) return true;
    return desk_refuse(session, "let it count first: warpschool gradebook --restore STUDENT --lesson LESSON",
                       "the student is excused from this lesson");
}

static bool is_overridden(const ByHand *words, size_t student, size_t lesson, Session *session) {
    if (!words->undo || class_grade(&words->desk.class, student, lesson)->overridden) return true;
    return desk_refuse(session, "see them: warpschool gradebook --overrides",
                       "this grade was not changed by hand");
}

/* What was changed, as whoever changed it would say it. */
static void say(const ByHand *words, size_t student, size_t lesson, int64_t points) {
    const Class *class = &words->desk.class;
    Text out = text_new();
    table_words(class->students[student].id, &out);
    text_format(&out, ", %s: ", class->lessons[lesson].name);
    if (points >= 0) {
        table_points((double)points / (double)POLICY_POINT, &out);
        text_add(&out, " of ");
        table_points(class->lessons[lesson].weight, &out);
        text_add(&out, " points, by hand\n");
    } else {
        text_add(&out, "the points that were worked out count again\n");
    }
    commands_print(&out);
}

/* Points beyond the lesson's are somebody's right, and more often a point that was forgotten. */
static void warn_of_many(const Class *class, size_t lesson, int64_t points, Session *session) {
    double given = (double)points / (double)POLICY_POINT, most = class->lessons[lesson].weight;
    if (given <= most) return;
    Text text = text_new();
    table_points(given, &text);
    text_add(&text, " points are more than the lesson's ");
    table_points(most, &text);
    advise(diag_add(&session->diagnostics, DIAG_WARNING, NULL, 0, 0, "%s", text.bytes),
           "if that was a slip, give the points again, or take them back with --undo");
    text_free(&text);
}

/* Everything that was typed is checked before the gradebook is written to. Points are in thousandths there
 * (POLICY_POINT), so that sums are exact. */
static bool change(ByHand *words, Session *session) {
    int64_t points;
    size_t student = 0, lesson = 0;
    if (!check_words(words, session) || !read_points(words, session, &points) ||
        !desk_open(&words->desk, session, GRADEBOOK_CHANGE) ||
        !desk_read_grade(&words->desk, session, words->student, words->lesson, &student, &lesson) ||
        !counts(words, student, lesson, session) || !is_overridden(words, student, lesson, session))
        return false;
    const Class *class = &words->desk.class;
    const BookOverride word = {.student = class_key(&class->students[student]),
                               .lesson = class->lessons[lesson].name,
                               .points = points,
                               .reason = words->reason,
                               .author = words->author};
    if (!gradebook_override(words->desk.book, &word, &session->diagnostics)) return false;
    say(words, student, lesson, points);
    warn_of_many(class, lesson, points, session);
    return true;
}

/* `warpschool override STUDENT LESSON POINTS`, or --undo without points. */
int override_run(Session *session, int argc, char **argv) {
    ByHand words = {0};
    const Option options[] = {
        DESK_OPTIONS(&words.desk),
        {OPTION_STRING, 0, "reason", "TEXT", "why; it is kept, and feedback shows it", &words.reason},
        {OPTION_STRING, 0, "author", "NAME", "who decided it (you)", &words.author},
        {OPTION_FLAG, 0, "undo", NULL, "let the points count again that were worked out", &words.undo},
        {.kind = OPTION_END},
    };
    int first = commands_parse(session, options, argc, argv, 2, 3);
    if (first < 0) return EXIT_USAGE;
    words.student = argv[first];
    words.lesson = argv[first + 1];
    if (first + 2 < argc)
        words.points = argv[first + 2];
    else
        words.points = NULL;
    bool fine = change(&words, session);
    desk_close(&words.desk);
    if (fine) return EXIT_FINE;
    return diag_status(&session->diagnostics);
}
