/* learner.c - the commands of a learner: exercise, picture, list, hint, reset; and cases, for running a
 * program by hand.
 *
 * Each ends by saying what to do next, in commands that can be typed as they stand.
 */
#include "autograder/advise.h"
#include "autograder/check/cases.h"
#include "autograder/commands/check_command.h"
#include "autograder/course/groups.h"
#include "autograder/course/progress.h"
#include "autograder/course/work.h"
#include "autograder/screen/coach.h"
#include "autograder/screen/show.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the learner's own work ---- */

/* What every command of a learner starts from. */
typedef struct Desk {
    Course course;
    Progress progress;
    const Lesson *lesson; /* NULL: all passed */
    bool named;           /* by the operand */
} Desk;

/* Course, progress, and the lesson meant by the operand (or the next one). EXIT_FINE, or the status to end
 * with. */
static int open_desk(Session *session, Desk *desk, int argc, char **argv) {
    const Option options[] = {{OPTION_STRING, 0, "color", "WHEN", "auto, always or never", &session->colour},
                              {OPTION_STRING, 0, "sandbox", "WHICH",
                               "full, or none: check your own file without one", &session->sandbox},
                              {.kind = OPTION_END}};
    int first = commands_parse(session, options, argc, argv, 0, 1);
    if (first < 0 || !check_command_knows_sandbox(session)) return EXIT_USAGE;
    if (!commands_load_course(session, &desk->course)) return EXIT_INTERNAL;
    if (!progress_read(&desk->progress, session->arena, &desk->course)) return EXIT_INTERNAL;
    desk->lesson = progress_next(&desk->progress, &desk->course);
    desk->named = first < argc && *argv[first] != '\0';
    if (!desk->named) return EXIT_FINE;
    desk->lesson = lessons_find(&desk->course, argv[first], &session->diagnostics);
    return desk->lesson != NULL ? EXIT_FINE : EXIT_USAGE;
}

/* The page as `make notes` builds it. The folder of the lesson has its source alone, which is for authors. */
static void say_page(Session *session, const Desk *desk) {
    const char *page =
        arena_format(session->arena, "%s/site/lessons/%s.html", desk->course.build, desk->lesson->name);
    if (page == NULL) return;
    bool built = access(page, R_OK) == 0;
    printf("The lesson's page: %s%s\n", work_shown_path(session->arena, page), built ? "" : "  (make notes)");
}

/* The last core lesson was passed: what else there is. */
static void offer_groups(Session *session, const Desk *desk) {
    Groups groups;
    if (!groups_read(&groups, session->arena, &desk->course)) return;
    printf("You have finished the core path. The rest is yours to choose from:\n");
    for (size_t i = 0; i < groups.count; i++) {
        const Group *group = &groups.items[i];
        if (groups_count_passed(group, &desk->progress, &desk->course) == group->count) continue;
        printf("  %-22s", group->title);
        for (size_t j = 0; j < group->count; j++)
            if (!progress_of(&desk->progress, &desk->course, group->lessons[j])->passed)
                printf(" %.2s", group->lessons[j]->name);
        printf("\n");
    }
}

/* What to type next, in words for the shell or, inside watch, for its keys. */
static void say_passed(Session *session, const Desk *desk) {
    const Lesson *next = progress_next(&desk->progress, &desk->course);
    if (next != NULL && desk->lesson->manifest.core &&
        progress_next_core(&desk->progress, &desk->course) == NULL)
        offer_groups(session, desk);
    if (next == NULL)
        printf("That was the last lesson: you have passed all %zu.\n", desk->course.count);
    else
        printf("Next: %s    (%s: %s)\n", session->watched ? "press n" : "make exercise", next->name,
               next->manifest.title);
}

/* The last lines after a check that failed say what to do next, in the words of `make watch` or of the shell.
 * */
static void say_not_yet(Session *session, Desk *desk, const char *shown) {
    const char *name = desk->lesson->name;
    long seen = progress_of(&desk->progress, &desk->course, desk->lesson)->hints;
    size_t hints = desk->lesson->manifest.hints.count;
    if (session->watched)
        printf("Next: edit %s and save it\n", shown);
    else
        printf("Next: edit %s, then make exercise LESSON=%.2s\n", shown, name);
    if (seen < (long)hints && session->watched)
        printf("Stuck? press h    (%ld of %zu hints seen)\n", seen, hints);
    else if (seen < (long)hints)
        printf("Stuck? make hint LESSON=%.2s    (%ld of %zu hints seen)\n", name, seen, hints);
    say_page(session, desk);
}

static void say_next(Session *session, Desk *desk, int status, const char *shown) {
    if (status == EXIT_FINE)
        say_passed(session, desk);
    else if (status == EXIT_FOUND)
        say_not_yet(session, desk, shown);
    else
        printf("Next: make doctor looks for what is wrong with the installation\n");
}

int exercise_run(Session *session, int argc, char **argv) {
    Desk desk;
    int status = open_desk(session, &desk, argc, argv);
    if (status != EXIT_FINE) return status;
    if (desk.lesson == NULL) {
        printf("You have passed all %zu lessons. To do one again: make exercise LESSON=01\n",
               desk.course.count);
        return EXIT_FINE;
    }
    bool made;
    const char *path = work_file(&desk.course, desk.lesson, &made, &session->diagnostics);
    if (path == NULL) return EXIT_INTERNAL;
    const char *shown = work_shown_path(session->arena, path);
    if (made)
        printf("%s is yours now: it was made from the starter. %s\n\n", shown, "This is how it does so far.");
    bool drawable = false;
    const char *kind = NULL;
    CheckOrder order = {
        .lesson = desk.lesson, .path = shown, .own = true, .kind = &kind, .drawable = &drawable};
    status = check_command_file(session, &desk.course, &order);
    ProgressEntry *entry = progress_of(&desk.progress, &desk.course, desk.lesson);
    ProgressEntry before = *entry;
    entry->passed = entry->passed || status == EXIT_FINE;
    /* The same mistake again is no news; another one has a hint of its own. */
    if (status != EXIT_INTERNAL && entry->failed != kind) {
        entry->failed = kind;
        entry->told = false;
    }
    if (entry->passed != before.passed || entry->failed != before.failed)
        progress_write(&desk.progress, &desk.course, &session->diagnostics);
    if (drawable && session->watched)
        printf("See what the threads did: press t for a picture\n");
    else if (drawable)
        printf("See what the threads did: make picture LESSON=%.2s\n", desk.lesson->name);
    say_next(session, &desk, status, shown);
    return status;
}

/* A check of which only the picture is kept. */
int picture_run(Session *session, int argc, char **argv) {
    Desk desk;
    int status = open_desk(session, &desk, argc, argv);
    if (status != EXIT_FINE) return status;
    if (desk.lesson == NULL) desk.lesson = &desk.course.lessons[0];
    bool made;
    const char *path = work_file(&desk.course, desk.lesson, &made, &session->diagnostics);
    const char *picture =
        arena_format(session->arena, "%s/work/%s.html", desk.course.root, desk.lesson->name);
    if (path == NULL || picture == NULL) return EXIT_INTERNAL;
    CheckOrder order = {.lesson = desk.lesson,
                        .path = work_shown_path(session->arena, path),
                        .picture = picture,
                        .own = true,
                        .only_picture = true};
    return check_command_file(session, &desk.course, &order);
}

/* Two columns wide: printf pads by bytes, of which a tick has three. */
static const char *mark_of(bool passed, bool next, bool unicode) {
    if (passed) return unicode ? "✓ " : "ok";
    return next ? "> " : "  ";
}

/* "(core, needs 04)": whether it is on the core path, and what comes before it. */
static void print_place(const Lesson *lesson) {
    const TextList *needs = &lesson->manifest.needs;
    if (!lesson->manifest.core && needs->count == 0) return;
    printf(" (%s", lesson->manifest.core ? "core" : "");
    if (needs->count > 0) printf("%sneeds", lesson->manifest.core ? ", " : "");
    for (size_t i = 0; i < needs->count; i++)
        printf(" %.2s", needs->items[i]);
    printf(")");
}

/* A group with its lessons, each with a mark for passed, and one for the lesson that comes next. */
static void print_group(const Desk *desk, const Group *group, bool unicode) {
    printf("%s, %zu of %zu passed\n", group->title,
           groups_count_passed(group, &desk->progress, &desk->course), group->count);
    for (size_t i = 0; i < group->count; i++) {
        const Lesson *lesson = group->lessons[i];
        bool done = progress_of(&desk->progress, &desk->course, lesson)->passed;
        printf("%s %-22s %s", mark_of(done, lesson == desk->lesson, unicode), lesson->name,
               lesson->manifest.title);
        print_place(lesson);
        printf("\n");
    }
    printf("\n");
}

/* The list of the course; its last line is the next step. */
int list_run(Session *session, int argc, char **argv) {
    Desk desk;
    Groups groups;
    int status = open_desk(session, &desk, argc, argv);
    if (status != EXIT_FINE) return status;
    if (!groups_read(&groups, session->arena, &desk.course)) return EXIT_INTERNAL;
    ShowStyle style = show_style(STDOUT_FILENO, session->colour);
    size_t passed = 0;
    for (size_t i = 0; i < desk.course.count; i++)
        passed += desk.progress.entries[i].passed;
    for (size_t i = 0; i < groups.count; i++)
        print_group(&desk, &groups.items[i], style.unicode);
    if (desk.lesson != NULL)
        printf("%zu of %zu passed. Next: make exercise\n", passed, desk.course.count);
    else
        printf("You have passed all %zu lessons and finished the course. Well done.\n", desk.course.count);
    return EXIT_FINE;
}

/* The hint that follows what went wrong comes before the lesson's own, once. */
static int hint_about(Session *session, Desk *desk, ProgressEntry *entry) {
    ShowStyle style = show_style(STDOUT_FILENO, session->colour);
    entry->told = true;
    progress_write(&desk->progress, &desk->course, &session->diagnostics);
    Text out;
    text_init(&out);
    text_format(&out, "%s, about %s, which the last check found\n\n", desk->lesson->name, entry->failed);
    coach_hint(&desk->lesson->manifest, entry->failed, &style, &out);
    if (!session->watched)
        text_format(&out, "\nThe lesson's own hints: make hint LESSON=%.2s\n", desk->lesson->name);
    commands_print(&out);
    return EXIT_FINE;
}

/* Hints come one at a time and start again after the last. After a check that failed, the first one is about
 * what it found. */
int hint_run(Session *session, int argc, char **argv) {
    Desk desk;
    int status = open_desk(session, &desk, argc, argv);
    if (status != EXIT_FINE) return status;
    if (desk.lesson == NULL) {
        printf("You have passed all lessons. For the hints of one: make hint LESSON=01\n");
        return EXIT_FINE;
    }
    ProgressEntry *entry = progress_of(&desk.progress, &desk.course, desk.lesson);
    const TextList *hints = &desk.lesson->manifest.hints;
    if (entry->failed != NULL && !entry->told) return hint_about(session, &desk, entry);
    if (hints->count == 0) {
        printf("%s has no hints.\n", desk.lesson->name);
        return EXIT_FINE;
    }
    size_t number = (size_t)entry->hints % hints->count;
    bool again = number == 0 && entry->hints > 0;
    entry->hints++;
    bool made;
    if (work_file(&desk.course, desk.lesson, &made, &session->diagnostics) == NULL) return EXIT_INTERNAL;
    progress_write(&desk.progress, &desk.course, &session->diagnostics);
    ShowStyle style = show_style(STDOUT_FILENO, session->colour);
    Text out;
    text_init(&out);
    if (again)
        text_format(&out, "You have seen all %zu hints of this lesson; they start again.\n\n", hints->count);
    text_format(&out, "%s, hint %zu of %zu\n\n", desk.lesson->name, number + 1, hints->count);
    show_paragraph(hints->items[number], "  ", &style, &out);
    if (!session->watched)
        text_format(&out, "\nNext: edit work/%s.cu, then make exercise LESSON=%.2s\n", desk.lesson->name,
                    desk.lesson->name);
    commands_print(&out);
    return EXIT_FINE;
}

/* The old file is kept under another name, and the lesson counts as not begun. */
int reset_run(Session *session, int argc, char **argv) {
    Desk desk;
    int status = open_desk(session, &desk, argc, argv);
    if (status != EXIT_FINE) return status;
    if (!desk.named) {
        advise(diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "which lesson?"),
               "make reset LESSON=01");
        return EXIT_USAGE;
    }
    const char *kept;
    if (!work_reset(&desk.course, desk.lesson, &kept, &session->diagnostics)) return EXIT_INTERNAL;
    ProgressEntry *entry = progress_of(&desk.progress, &desk.course, desk.lesson);
    *entry = (ProgressEntry){0};
    progress_write(&desk.progress, &desk.course, &session->diagnostics);
    printf("work/%s.cu is the starter again.\n", desk.lesson->name);
    if (kept != NULL) printf("Your old file is now %s\n", work_shown_path(session->arena, kept));
    if (!session->watched) printf("Next: make exercise LESSON=%.2s\n", desk.lesson->name);
    return EXIT_FINE;
}

/* ---- a lesson's inputs, for running its program by hand ---- */

static bool write_cases(Session *session, const Judge *judge, long seed, const char *folder) {
    for (unsigned i = 0; i < judge->case_count; i++) {
        JudgeCase judged;
        const char *path = arena_format(session->arena, "%s/%02u", folder, i);
        if (path == NULL || !cases_prepare(&judged, judge, i, (uint64_t)seed, 0, session->arena))
            return false;
        if (!cases_write(&judged, path, &session->diagnostics)) return false;
        printf("%s    %s\n", path, judge->cases[i].name);
    }
    return true;
}

/* Writes a lesson's inputs, for programs that ask the judge outside of a check (tests/lessons/card.sh). */
int cases_run(Session *session, int argc, char **argv) {
    long seed = 0;
    const Option options[] = {{OPTION_NUMBER, 0, "seed", "N", "where the inputs start (0)", &seed},
                              {.kind = OPTION_END}};
    int first = commands_parse(session, options, argc, argv, 2, 2);
    if (first < 0) return EXIT_USAGE;
    Course course;
    if (!commands_load_course(session, &course)) return EXIT_INTERNAL;
    const Lesson *lesson = lessons_find(&course, argv[first], &session->diagnostics);
    const Judge *judge = lesson != NULL ? judges_find(session->judges, lesson->name) : NULL;
    if (judge == NULL) return EXIT_USAGE;
    if (mkdir(argv[first + 1], 0755) != 0 && errno != EEXIST) {
        diag_add(&session->diagnostics, DIAG_ERROR, argv[first + 1], 0, 0, "cannot make the folder: %s",
                 strerror(errno));
        return EXIT_USAGE;
    }
    return write_cases(session, judge, seed, argv[first + 1]) ? EXIT_FINE : EXIT_INTERNAL;
}
