/* comment.c - the command `comment`: a teacher's remark on a grade, or points for an item of a rubric. They
 * stand beside what was judged, and no regrade takes them away. */
#include "grading/book/desk.h"

#include "base/nearest.h"
#include "grading/book/table.h"
#include "grading/book/words.h"
#include "grading/commands.h"

#include <string.h>

/* The words of `warpschool comment`. */
typedef struct CommentWords {
    Desk desk;
    const char *student, *lesson, *text; /* student NULL: everybody */
    const char *item, *points, *author;
    bool everybody, undo;
} CommentWords;

/* Everything but names, which the book decides. */
static bool check_words(CommentWords *words, Session *session) {
    const char *usage = "usage: warpschool comment STUDENT LESSON TEXT [--item NAME --points N]";
    if (words->undo && (words->text != NULL || words->points != NULL))
        return desk_refuse(session, "usage: warpschool comment STUDENT LESSON --undo [--item NAME]",
                           "--undo takes neither a text nor points");
    if (words->undo) return desk_check_said(session, "undo", &words->author, "");
    if ((words->item == NULL) != (words->points == NULL))
        return desk_refuse(session, usage, "--item and --points belong together");
    if (words->item != NULL && *words->item == '\0') return desk_refuse(session, usage, "--item is a name");
    if (words->text == NULL || strspn(words->text, " \t\n") == strlen(words->text))
        return desk_refuse(session, usage, "TEXT is missing: students read it");
    return desk_check_said(session, words->text, &words->author, "");
}

/* "-1", "+2", "0.5" */
static bool read_points(const CommentWords *words, Session *session, int64_t *points) {
    enum { MOST_POINTS = 100000 };
    long thousandths;
    *points = 0;
    if (words->points == NULL) return true;
    const bool sign = *words->points == '-' || *words->points == '+';
    if (!policy_decimal(words->points + sign, &thousandths) || thousandths > (long)MOST_POINTS * POLICY_POINT)
        return desk_refuse(session, "give a number such as -0.5 or 2, with at most three decimals",
                           "--points must be a decimal number from -100000 to 100000");
    if (*words->points == '-')
        *points = -thousandths;
    else
        *points = thousandths;
    return true;
}

/* An item of another name would be a slip that nobody sees, where the rules list them. */
static bool check_item(const CommentWords *words, Session *session) {
    const Policy *policy = &words->desk.policy;
    if (words->item == NULL || words->undo || policy->rubric == NULL) return true;
    Nearest nearest = nearest_to(words->item);
    for (size_t i = 0; i < policy->rubric_count; i++) {
        if (strcmp(policy->rubric[i], words->item) == 0) return true;
        nearest_offer(&nearest, policy->rubric[i]);
    }
    const char *remedy = "the course's rules list the items: `rubric` of course.yaml";
    if (nearest.best != NULL) remedy = arena_format(session->arena, "Did you mean %s?", nearest.best);
    return advise(
        diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "the rubric has no item `%s`", words->item),
        remedy);
}

/* Whether what is to be taken back is there: of whom it was written to, one student or everybody. */
static bool is_there(const CommentWords *words, Session *session, const BookWord *undo) {
    BookWordList list;
    WordKind kind = WORD_COMMENT;
    if (undo->item != NULL) kind = WORD_ITEM;
    bool there = false;
    if (undo->kind != WORD_UNSAY) return true;
    if (!gradebook_read_words(words->desk.book, session->arena, &list, &session->diagnostics)) return false;
    for (size_t i = 0; i < list.count; i++) {
        const BookWord *word = &list.items[i];
        if ((word->student == NULL) != (undo->student == NULL) || word->lesson == NULL) continue;
        if (undo->student != NULL && strcmp(word->student, undo->student) != 0) continue;
        if (strcmp(word->lesson, undo->lesson) != 0 || (word->item == NULL) != (undo->item == NULL)) continue;
        if (undo->item != NULL && strcmp(word->item, undo->item) != 0) continue;
        there = word->kind == kind || (there && word->kind != WORD_UNSAY);
    }
    return there ||
           desk_refuse(session, "see them: warpschool gradebook --history", "there is nothing to take back");
}

static void say(const Class *class, const BookWord *word) {
    Text out = text_new();
    table_words(word->student != NULL ? class_shown(class, word->student) : "everybody", &out);
    text_format(&out, ", %s: ", word->lesson);
    if (word->kind == WORD_UNSAY) {
        text_add(&out,
                 word->item != NULL ? "the item's points are taken back\n" : "comments are taken back\n");
    } else if (word->kind == WORD_ITEM) {
        table_words(word->item, &out);
        text_add(&out, word->points > 0 ? ", +" : ", ");
        table_points((double)word->points / (double)POLICY_POINT, &out);
        text_add(&out,
                 word->points == POLICY_POINT || word->points == -POLICY_POINT ? " point\n" : " points\n");
    } else {
        text_add(&out, "commented\n");
    }
    commands_print(&out);
}

static WordKind kind_of_words(const CommentWords *words) {
    if (words->undo) return WORD_UNSAY;
    if (words->item != NULL) return WORD_ITEM;
    return WORD_COMMENT;
}

static bool find_grade(CommentWords *words, Session *session, size_t *student, size_t *lesson) {
    Desk *desk = &words->desk;
    if (words->everybody)
        return desk_read_class(desk, session) && desk_find_lesson(desk, session, words->lesson, lesson);
    return desk_read_grade(desk, session, words->student, words->lesson, student, lesson);
}

/* All that was typed is checked before the book is written to. */
static bool comment(CommentWords *words, Session *session) {
    size_t student = 0, lesson = 0;
    BookWord word = {.kind = kind_of_words(words), .item = words->item};
    if (!check_words(words, session) || !read_points(words, session, &word.points) ||
        !desk_open(&words->desk, session, GRADEBOOK_CHANGE) || !check_item(words, session) ||
        !find_grade(words, session, &student, &lesson))
        return false;
    if (words->everybody)
        word.student = NULL;
    else
        word.student = class_key(&words->desk.class.students[student]);
    word.lesson = words->desk.class.lessons[lesson].name;
    if (words->text != NULL)
        word.text = words->text;
    else
        word.text = "";
    word.author = words->author;
    if (!is_there(words, session, &word) ||
        !gradebook_add_word(words->desk.book, &word, &session->diagnostics))
        return false;
    say(&words->desk.class, &word);
    return true;
}

/* `warpschool comment STUDENT LESSON TEXT`, or `comment --everybody LESSON TEXT`. */
int comment_run(Session *session, int argc, char **argv) {
    CommentWords words = {0};
    const Option options[] = {
        DESK_OPTIONS(&words.desk),
        {OPTION_STRING, 0, "item", "NAME", "an item of a rubric, whose points TEXT explains", &words.item},
        {OPTION_STRING, 0, "points", "N", "the item's points, -1 or 2; they are added to the judge's",
         &words.points},
        {OPTION_FLAG, 0, "everybody", NULL, "to all students: no STUDENT then", &words.everybody},
        {OPTION_STRING, 0, "author", "NAME", "who says it (you)", &words.author},
        {OPTION_FLAG, 0, "undo", NULL, "take the comments on this grade back, or the item's points",
         &words.undo},
        {.kind = OPTION_END},
    };
    int at = commands_parse(session, options, argc, argv, 1, 3);
    if (at < 0) return EXIT_USAGE;
    if (!words.everybody) words.student = argv[at++];
    if (at < argc)
        words.lesson = argv[at++];
    else
        words.lesson = NULL;
    if (at < argc)
        words.text = argv[at++];
    else
        words.text = NULL;
    if (words.lesson == NULL || at < argc) {
        desk_refuse(session, "usage: warpschool comment STUDENT LESSON TEXT; comment --everybody LESSON TEXT",
                    "the words do not fit");
        return EXIT_USAGE;
    }
    bool fine = comment(&words, session);
    desk_close(&words.desk);
    if (fine) return EXIT_FINE;
    return diag_status(&session->diagnostics);
}
