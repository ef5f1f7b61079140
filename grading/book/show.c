/* show.c - the command `gradebook`: the class, a student, a lesson, the gradings, the overrides. */
#include "autograder/screen/show.h"
#include "grading/book/desk.h"
#include "grading/book/table.h"
#include "grading/book/words.h"
#include "grading/commands.h"

#include <string.h>
#include <unistd.h>

/* The words of `warpschool gradebook`. */
typedef struct ShowWords {
    Desk desk;
    const char *student, *lesson;
    const char *remove, *excuse, *restore, *release, *hold, *reason, *author;
    bool gradings, overrides, history, seed;
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
    if (!desk_read_class(&words->desk, session) ||
        !gradebook_read_overrides(words->desk.book, session->arena, &list, &session->diagnostics))
        return false;
    for (size_t i = 0; i < list.count; i++) {
        const BookOverride *word = &list.items[i];
        table_time(word->at, out);
        text_add(out, "  ");
        table_words(class_shown(&words->desk.class, word->student), out);
        text_format(out, ", %s: ", word->lesson);
        if (word->points >= 0)
            table_points((double)word->points / (double)POLICY_POINT, out);
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

/* ---- who counts ---- */

/* The student of a word: somebody of the class, or by the id somebody who was removed. */
static const char *find_whom(ShowWords *words, Session *session, const char *query) {
    size_t student;
    BookWordList list;
    if (!gradebook_read_words(words->desk.book, session->arena, &list, &session->diagnostics)) return NULL;
    if (words->restore != NULL && words_is_removed(&list, query)) return query;
    if (!desk_find_student(&words->desk, session, query, &student)) return NULL;
    return words->desk.class.students[student].id;
}

/* Taking back what nobody has said would be a word about nothing. */
static bool is_there(const ShowWords *words, Session *session, const BookWord *word) {
    const Class *class = &words->desk.class;
    BookWordList list;
    if (word->kind != WORD_RESTORE) return true;
    if (!gradebook_read_words(words->desk.book, session->arena, &list, &session->diagnostics)) return false;
    if (word->lesson == NULL && words_is_removed(&list, word->student)) return true;
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++)
        if (class->grades[i].state == GRADE_EXCUSED &&
            strcmp(class->students[i / class->lesson_count].id, word->student) == 0 &&
            (word->lesson == NULL || strcmp(class->lessons[i % class->lesson_count].name, word->lesson) == 0))
            return true;
    return advise(diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0,
                           "the student `%s` is neither removed nor excused here", word->student),
                  "see what was said: warpschool gradebook --history");
}

static WordKind kind_of_words(const ShowWords *words) {
    if (words->remove != NULL) return WORD_REMOVE;
    if (words->excuse != NULL) return WORD_EXCUSE;
    return WORD_RESTORE;
}

/* --remove, --excuse and --restore: who counts, and for what. */
static bool change_who_counts(ShowWords *words, Session *session, Text *out) {
    size_t lesson = 0;
    const char *query;
    if (words->remove != NULL)
        query = words->remove;
    else
        query = words->excuse;
    BookWord word = {.kind = kind_of_words(words), .text = words->reason};
    if (query == NULL) query = words->restore;
    if (!desk_check_said(session, words->reason, &words->author,
                         "who counts in a class is changed only with a reason") ||
        !desk_open(&words->desk, session, GRADEBOOK_CHANGE) || !desk_read_named(&words->desk, session))
        return false;
    if (words->lesson != NULL && !desk_find_lesson(&words->desk, session, words->lesson, &lesson))
        return false;
    word.author = words->author;
    if (words->lesson != NULL)
        word.lesson = words->desk.class.lessons[lesson].name;
    else
        word.lesson = NULL;
    word.student = find_whom(words, session, query);
    if (word.student == NULL || !is_there(words, session, &word) ||
        !gradebook_add_word(words->desk.book, &word, &session->diagnostics))
        return false;
    table_words(word.student, out);
    if (word.lesson != NULL) text_add(out, ", ");
    text_format(out, "%s: %s\n", text_or(word.lesson, ""), words_name(word.kind));
    return true;
}

/* --release and --hold: a lesson, or `all`. */
static bool change_release(ShowWords *words, Session *session, Text *out) {
    const char *query;
    if (words->release != NULL)
        query = words->release;
    else
        query = words->hold;
    BookWord word = {.kind = words->release != NULL ? WORD_RELEASE : WORD_HOLD, .text = ""};
    size_t lesson = 0;
    if (words->reason != NULL) word.text = words->reason;
    if (!desk_check_said(session, "a release", &words->author, "") ||
        !desk_open(&words->desk, session, GRADEBOOK_CHANGE) || !desk_read_class(&words->desk, session))
        return false;
    if (strcmp(query, "all") != 0) {
        if (!desk_find_lesson(&words->desk, session, query, &lesson)) return false;
        word.lesson = words->desk.class.lessons[lesson].name;
    }
    word.author = words->author;
    if (!words->desk.policy.released_by_hand)
        return advise(
            diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "in this course grades go out at once"),
            "say `release: by-hand` in course.yaml to hold them until you release them");
    if (!gradebook_add_word(words->desk.book, &word, &session->diagnostics)) return false;
    text_format(out, "%s: %s\n", text_or(word.lesson, "all lessons"), words_name(word.kind));
    return true;
}

/* Who counts is decided about people; what is said of grades is said of numbers while they are anonymous. */
static const char *whom(const Class *class, const BookWord *word) {
    if (word->student == NULL) return "everybody";
    const bool person = word->kind == WORD_REMOVE || word->kind == WORD_EXCUSE || word->kind == WORD_RESTORE;
    if (person) return word->student;
    return class_shown(class, word->student);
}

/* Everything that was said, the oldest first. */
static bool show_history(ShowWords *words, Session *session, Text *out) {
    BookWordList list;
    if (!desk_read_class(&words->desk, session) ||
        !gradebook_read_words(words->desk.book, session->arena, &list, &session->diagnostics))
        return false;
    for (size_t i = 0; i < list.count; i++) {
        const BookWord *word = &list.items[i];
        table_time(word->at, out);
        text_add(out, "  ");
        const bool of_lesson = word->kind == WORD_RELEASE || word->kind == WORD_HOLD;
        if (!of_lesson) table_words(whom(&words->desk.class, word), out);
        if (!of_lesson && word->lesson != NULL) text_add(out, ", ");
        if (of_lesson && word->lesson == NULL) text_add(out, "all lessons");
        if (word->lesson != NULL) text_add(out, word->lesson);
        text_format(out, ": %s", words_name(word->kind));
        const bool of_item = word->kind == WORD_ITEM || word->kind == WORD_UNSAY;
        if (of_item && word->item != NULL) text_add(out, " ");
        if (of_item && word->item != NULL) table_words(word->item, out);
        if (word->kind == WORD_ITEM) text_add(out, ": ");
        if (word->kind == WORD_ITEM) table_points((double)word->points / (double)POLICY_POINT, out);
        text_add(out, ", by ");
        table_words(word->author, out);
        if (*word->text != '\0') text_add(out, ": ");
        table_words(word->text, out);
        text_add(out, "\n");
    }
    if (list.count == 0) text_add(out, "nobody was removed or excused, and no comment was written\n");
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

static bool changes(const ShowWords *words) {
    return words->remove != NULL || words->excuse != NULL || words->restore != NULL;
}

static bool show(ShowWords *words, Session *session, Text *out) {
    if (changes(words)) return change_who_counts(words, session, out);
    if (words->release != NULL || words->hold != NULL) return change_release(words, session, out);
    if (!desk_open(&words->desk, session, GRADEBOOK_READ)) return false;
    if (words->history) return show_history(words, session, out);
    if (words->gradings || words->seed) return show_gradings(words, session, out);
    if (words->overrides) return show_overrides(words, session, out);
    return show_class(words, session, out);
}

static bool fits(const ShowWords *words, Session *session) {
    const int changes = (words->remove != NULL) + (words->excuse != NULL) + (words->restore != NULL) +
                        (words->release != NULL) + (words->hold != NULL);
    const char *wrong = NULL;
    if (words->student != NULL && words->lesson != NULL) wrong = "--student or --lesson, not both";
    if (changes > 1) wrong = "one of --remove, --excuse, --restore, --release and --hold at a time";
    if ((words->release != NULL || words->hold != NULL) && words->lesson != NULL)
        wrong = "--release and --hold take their lesson themselves";
    if (words->remove != NULL && words->lesson != NULL)
        wrong = "--remove is of the whole class; --excuse takes a lesson";
    if (changes == 0 && words->reason != NULL)
        wrong = "--reason belongs to --remove, --excuse, --restore, --release and --hold";
    if (wrong != NULL) diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "%s", wrong);
    return wrong == NULL;
}

/* What belongs to a grade, and not to the class, has commands of its own. */
static void say_where_else(void) {
    Text out = text_new();
    text_add(&out, "\nOf one grade:\n"
                   "  warpschool override STUDENT LESSON POINTS --reason TEXT\n"
                   "  warpschool comment STUDENT LESSON TEXT [--item NAME --points N]\n"
                   "  warpschool request STUDENT LESSON TEXT [--file FILE], and answer\n"
                   "  warpschool grade --explain STUDENT LESSON\n");
    commands_print(&out);
}

/* `warpschool gradebook` */
int gradebook_run(Session *session, int argc, char **argv) {
    ShowWords words = {0};
    const Option options[] = {
        {.kind = OPTION_HEADING, .help = "What to look at (the class, without any of these):"},
        {OPTION_STRING, 0, "student", "ID", "one student, and why each grade is what it is", &words.student},
        {OPTION_STRING, 0, "lesson", "LESSON", "one lesson", &words.lesson},
        {OPTION_FLAG, 0, "history", NULL,
         "all that was said: removals, excuses, comments, releases, requests", &words.history},
        {OPTION_FLAG, 0, "overrides", NULL, "the grades that were changed by hand", &words.overrides},
        {OPTION_FLAG, 0, "gradings", NULL, "when the class was graded", &words.gradings},
        {OPTION_FLAG, 0, "seed", NULL, "the gradings with their secret seeds", &words.seed},
        {.kind = OPTION_HEADING, .help = "Who counts, one of these with --reason TEXT:"},
        {OPTION_STRING, 0, "excuse", "ID", "all lessons, or --lesson LESSON, do not count for the student",
         &words.excuse},
        {OPTION_STRING, 0, "remove", "ID",
         "take a student out of the class; files and results stay in the book", &words.remove},
        {OPTION_STRING, 0, "restore", "ID", "take a removal or an excuse back", &words.restore},
        {.kind = OPTION_HEADING, .help = "When grades go out, with `release: by-hand` in course.yaml:"},
        {OPTION_STRING, 0, "release", "LESSON", "let the grades of a lesson, or of all, go out",
         &words.release},
        {OPTION_STRING, 0, "hold", "LESSON", "take a release back", &words.hold},
        {.kind = OPTION_HEADING, .help = "With any of them:"},
        {OPTION_STRING, 0, "reason", "TEXT", "why; it is kept", &words.reason},
        {OPTION_STRING, 0, "author", "NAME", "who decided it (you)", &words.author},
        DESK_OPTIONS(&words.desk),
        {.kind = OPTION_END},
    };
    const int parsed = commands_parse(session, options, argc, argv, 0, 0);
    if (session->helped) say_where_else();
    if (parsed < 0) return EXIT_USAGE;
    if (!fits(&words, session)) return EXIT_USAGE;
    Text out = text_new();
    bool fine = show(&words, session, &out);
    desk_close(&words.desk);
    if (fine)
        commands_print(&out);
    else
        text_free(&out);
    if (!fine) return diag_status(&session->diagnostics);
    return words.open ? EXIT_FOUND : EXIT_FINE;
}
