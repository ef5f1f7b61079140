/* show.c - the command `gradebook`: the class, a student, a lesson, the gradings, the overrides. */
#include "autograder/screen/show.h"
#include "grading/book/desk.h"
#include "grading/book/table.h"
#include "grading/commands.h"

#include <string.h>
#include <unistd.h>

/* The words of `warpschool gradebook`. */
typedef struct ShowWords {
    Desk desk;
    const char *student, *lesson;
    bool gradings, overrides, seed;
    bool open; /* a person must look at something that was shown */
} ShowWords;

/* The seed is what a student must never learn, so only its own option prints it. */
static bool show_gradings(ShowWords *words, Session *session, Text *out) {
    BookGradingList list;
    if (!gradebook_read_gradings(words->desk.book, session->arena, &list, &session->diagnostics))
        return false;
    for (size_t i = 0; i < list.count; i++) {
        const BookGrading *grading = &list.items[i];
        text_format(out, "%lld  ", (long long)grading->id);
        table_time(grading->started, out);
        text_add(out, grading->ended != 0 ? "  " : "  (not ended)  ");
        table_words(grading->versions, out);
        text_add(out, "  ");
        table_words(grading->sandbox, out);
        if (words->seed) text_format(out, "  seed %ld", grading->seed);
        text_add(out, "\n");
    }
    if (list.count == 0) text_add(out, "nothing was graded yet\n");
    return true;
}

/* The log of what was changed by hand, the oldest first. */
static bool show_overrides(ShowWords *words, Session *session, Text *out) {
    BookOverrideList list;
    if (!gradebook_read_overrides(words->desk.book, session->arena, &list, &session->diagnostics))
        return false;
    for (size_t i = 0; i < list.count; i++) {
        const BookOverride *word = &list.items[i];
        table_time(word->at, out);
        text_add(out, "  ");
        table_words(word->student, out);
        text_format(out, ", %s: ", word->lesson);
        if (word->points >= 0)
            table_points((double)word->points / POLICY_POINT, out);
        else
            text_add(out, "taken back");
        text_add(out, ", by ");
        table_words(word->author, out);
        text_add(out, ": ");
        table_words(word->reason, out);
        text_add(out, "\n");
    }
    if (list.count == 0) text_add(out, "no grade was changed by hand\n");
    return true;
}

/* `student` or `lesson` SIZE_MAX: all of them. */
static bool has_open_grade(const Class *class, size_t student, size_t lesson) {
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++)
        if ((student == SIZE_MAX || i / class->lesson_count == student) &&
            (lesson == SIZE_MAX || i % class->lesson_count == lesson) && table_is_open(&class->grades[i]))
            return true;
    return false;
}

/* One student, one lesson, or all of the class. Grades that wait or failed set the exit status. */
static bool show_class(ShowWords *words, Session *session, Text *out) {
    size_t student = SIZE_MAX, lesson = SIZE_MAX;
    if (!desk_read_class(&words->desk, session)) return false;
    const Class *class = &words->desk.class;
    if (words->student != NULL && !desk_find_student(&words->desk, session, words->student, &student))
        return false;
    if (words->lesson != NULL && !desk_find_lesson(&words->desk, session, words->lesson, &lesson))
        return false;
    if (words->student != NULL)
        table_student(class, student, out);
    else if (words->lesson != NULL)
        table_lesson(class, lesson, out);
    else
        table_class(class, show_style(STDOUT_FILENO, session->colour).width, out);
    words->open = has_open_grade(class, student, lesson);
    return true;
}

static bool show(ShowWords *words, Session *session, Text *out) {
    if (!desk_open(&words->desk, session, GRADEBOOK_READ)) return false;
    if (words->gradings || words->seed) return show_gradings(words, session, out);
    return words->overrides ? show_overrides(words, session, out) : show_class(words, session, out);
}

/* `warpschool gradebook` */
int gradebook_run(Session *session, int argc, char **argv) {
    ShowWords words = {0};
    const Option options[] = {
        DESK_OPTIONS(&words.desk),
        {OPTION_STRING, 0, "student", "ID", "one student, and why each grade is what it is", &words.student},
        {OPTION_STRING, 0, "lesson", "LESSON", "one lesson", &words.lesson},
        {OPTION_FLAG, 0, "gradings", NULL, "when the class was graded", &words.gradings},
        {OPTION_FLAG, 0, "overrides", NULL, "the grades that were changed by hand", &words.overrides},
        {OPTION_FLAG, 0, "seed", NULL, "the gradings with their secret seeds", &words.seed},
        {.kind = OPTION_END},
    };
    if (commands_parse(session, options, argc, argv, 0, 0) < 0) return EXIT_USAGE;
    if (words.student != NULL && words.lesson != NULL) {
        diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "--student or --lesson, not both");
        return EXIT_USAGE;
    }
    Text out;
    text_init(&out);
    bool fine = show(&words, session, &out);
    desk_close(&words.desk);
    if (fine)
        commands_print(&out);
    else
        text_free(&out);
    if (!fine) return diag_status(&session->diagnostics);
    return words.open ? EXIT_FOUND : EXIT_FINE;
}
