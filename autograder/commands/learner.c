/* learner.c - the commands of a learner: exercise, picture, list, hint, reset; and cases, for running a
 * program by hand.
 *
 * Each ends by saying what to do next, in commands that can be typed as they stand.
 */
#include "autograder/card/card.h"
#include "autograder/check/cases.h"
#include "autograder/check/seeds.h"
#include "autograder/commands/check_command.h"
#include "autograder/commands/learner_parts.h"
#include "autograder/course/groups.h"
#include "autograder/course/work.h"
#include "autograder/screen/coach.h"
#include "autograder/screen/show.h"
#include "autograder/texts.h"
#include "base/minmax.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the learner's own work ---- */

/* Blanks before what stands beside a step. */
enum { BESIDE = 4 };

int learner_open_desk(Session *session, Desk *desk, const char *operand) {
    if (!commands_load_course(session, &desk->course)) return EXIT_INTERNAL;
    if (!progress_read(&desk->progress, session->arena, &desk->course)) return EXIT_INTERNAL;
    desk->lesson = progress_next(&desk->progress, &desk->course);
    desk->named = *operand != '\0';
    if (!desk->named) return EXIT_FINE;
    desk->lesson = lessons_find(&desk->course, operand, &session->diagnostics);
    if (desk->lesson != NULL) return EXIT_FINE;
    return EXIT_USAGE;
}

enum { DESK_OPTIONS = 4 }; /* of one command, besides those of all, at most */
static const Option no_options[] = {{.kind = OPTION_END}};

/* The same from a command's words. */
static int open_desk(Session *session, Desk *desk, int argc, char **argv, const Option *own) {
    Option options[DESK_OPTIONS + 3] = {
        {OPTION_STRING, 0, "color", "WHEN", "auto, always or never", &session->colour},
        {OPTION_STRING, 0, "sandbox", "WHICH", "full, or none: check your own file without one",
         &session->sandbox}};
    size_t count = 2;
    while (own->kind != OPTION_END && count < DESK_OPTIONS + 2)
        options[count++] = *own++;
    options[count] = no_options[0];
    int first = commands_parse(session, options, argc, argv, 0, 1);
    if (first < 0 || !check_command_knows_sandbox(session)) return EXIT_USAGE;
    return learner_open_desk(session, desk, first < argc ? argv[first] : "");
}

const char *learner_number(const Session *session, const Lesson *lesson) {
    const char *number = arena_format(session->arena, "%.2s", lesson->name);
    if (number != NULL) return number;
    return lesson->name;
}

/* The page as `make notes` builds it, or as a package has it. Where there is neither and nothing to build
 * pages from, as in a folder of `warpschool start`, the lesson's text is the page's source. */
static void say_page(Session *session, const Desk *desk) {
    Arena *arena = session->arena;
    const char *pages = lessons_pages(&desk->course, arena), *name = desk->lesson->name;
    const char *page = NULL;
    if (pages != NULL) page = arena_format(arena, "%s/lessons/%s.html", pages, name);
    if (page != NULL && access(page, R_OK) == 0) {
        commands_say(TOLD_LEARNER(PAGE, arena, .path = work_shown_path(arena, page)));
        return;
    }
    const char *source = arena_format(arena, "%s/lesson.md", desk->lesson->folder);
    const char *maker = arena_format(arena, "%s/docs/build", desk->course.root);
    page = arena_format(arena, "%s/site/lessons/%s.html", desk->course.build, name);
    if (source == NULL || maker == NULL || page == NULL) return;
    if (access(maker, R_OK) == 0)
        commands_say_beside(TOLD_LEARNER(PAGE, arena, .path = work_shown_path(arena, page)), 2,
                            plain_learner(LEARNER_NOT_BUILT));
    else
        commands_say(TOLD_LEARNER(LESSON_TEXT, arena, .path = work_shown_path(arena, source)));
}

/* The last core lesson was passed: what else there is. */
static void offer_groups(Session *session, const Desk *desk) {
    Groups groups;
    if (!groups_read(&groups, session->arena, &desk->course)) return;
    commands_say(plain_learner(LEARNER_CHOOSE));
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
    const LearnerFacts facts = {.watched = session->watched,
                                .count = desk->course.count,
                                .lesson = next != NULL ? next->name : NULL,
                                .title = next != NULL ? next->manifest.title : NULL};
    if (next == NULL)
        commands_say(told_learner(session->arena, LEARNER_LAST, &facts));
    else
        commands_say_beside(told_learner(session->arena, LEARNER_NEXT, &facts), BESIDE,
                            told_learner(session->arena, LEARNER_NEXT_LESSON, &facts));
}

/* The last lines after a check that failed say what to do next, in the words of `make watch` or of the shell.
 * */
static void say_not_yet(Session *session, Desk *desk, const char *shown) {
    const LearnerFacts facts = {
        .watched = session->watched,
        .path = shown,
        .number = learner_number(session, desk->lesson),
        .seen = (SayCount)progress_of(&desk->progress, &desk->course, desk->lesson)->hints,
        .hints = desk->lesson->manifest.hints.count};
    commands_say(told_learner(session->arena, LEARNER_EDIT, &facts));
    if (facts.seen < facts.hints)
        commands_say_beside(told_learner(session->arena, LEARNER_STUCK, &facts), BESIDE,
                            told_learner(session->arena, LEARNER_SEEN, &facts));
    say_page(session, desk);
}

static void say_next(Session *session, Desk *desk, int status, const char *shown) {
    if (status == EXIT_FINE)
        say_passed(session, desk);
    else if (status == EXIT_FOUND)
        say_not_yet(session, desk, shown);
    else
        commands_say(plain_learner(LEARNER_FAULT));
}

/* Who has a card, and what compiles for it, sees what it makes of the file. Without nvcc nobody is asked. */
static const char *usual_device(Session *session) {
    Card card;
    if (card_has_compiler(session->arena) && card_find(&card, session->arena) == CARD_THERE) return "both";
    return "soft";
}

int exercise_run(Session *session, int argc, char **argv) {
    Desk desk;
    CheckOrder order = {.own = true};
    const Option options[] = {{OPTION_STRING, 0, "device", "DEVICE",
                               "soft (the software GPU), cuda or both; both where there is a card",
                               &order.device},
                              {OPTION_FLAG, 0, "events", NULL,
                               "print what happens as lines of JSON, the result last", &order.events},
                              {OPTION_STRING, 0, "copy", "FILE",
                               "check this copy of the file, within the limits of grading", &order.path},
                              {.kind = OPTION_END}};
    int status = open_desk(session, &desk, argc, argv, options);
    if (status != EXIT_FINE) return status;
    if (!check_command_knows_device(session, order.device)) return EXIT_USAGE;
    if (desk.lesson == NULL) {
        commands_say(TOLD_LEARNER(ALL_PASSED, session->arena, .count = desk.course.count));
        return EXIT_FINE;
    }
    bool made;
    const char *path = work_file(&desk.course, desk.lesson, &made, &session->diagnostics);
    if (path == NULL) return EXIT_INTERNAL;
    const char *shown = work_shown_path(session->arena, path);
    if (made && !order.events) {
        commands_say(TOLD_LEARNER(MADE, session->arena, .path = shown));
        printf("\n");
    }
    bool drawable = false;
    const char *kind = NULL;
    order.lesson = desk.lesson;
    order.bounded = order.path != NULL;
    if (order.path == NULL) order.path = shown;
    order.kind = &kind;
    order.drawable = &drawable;
    if (order.device == NULL && !session->watched) order.device = usual_device(session);
    status = check_command_file(session, &desk.course, &order);
    if (status != EXIT_INTERNAL)
        progress_note(&desk.progress, &desk.course, desk.lesson, status == EXIT_FINE, kind,
                      &session->diagnostics);
    if (order.events) return status;
    if (drawable)
        commands_say(TOLD_LEARNER(SEE, session->arena, .watched = session->watched,
                                  .ranks = desk.lesson->manifest.ranks.text != NULL,
                                  .number = learner_number(session, desk.lesson)));
    say_next(session, &desk, status, shown);
    return status;
}

/* A check of which only the picture is kept. */
int picture_run(Session *session, int argc, char **argv) {
    Desk desk;
    PictureChoice choice = PICTURE_ANYTHING;
    const Option options[] = {PICTURE_OPTIONS("", choice), {.kind = OPTION_END}};
    int status = open_desk(session, &desk, argc, argv, options);
    if (status != EXIT_FINE) return status;
    if (!picture_check_choice(&choice, "", &session->diagnostics)) return EXIT_USAGE;
    if (desk.lesson == NULL) desk.lesson = &desk.course.lessons[0];
    bool made;
    const char *path = work_file(&desk.course, desk.lesson, &made, &session->diagnostics);
    const char *picture =
        arena_format(session->arena, "%s/work/%s.html", desk.course.root, desk.lesson->name);
    if (path == NULL || picture == NULL) return EXIT_INTERNAL;
    CheckOrder order = {.lesson = desk.lesson,
                        .path = work_shown_path(session->arena, path),
                        .picture = picture,
                        .choice = choice,
                        .own = true,
                        .only_picture = true};
    return check_command_file(session, &desk.course, &order);
}

/* Two columns wide: printf pads by bytes, of which a tick has three. */
static const char *mark_of(bool passed, bool next, bool unicode) {
    if (passed) return unicode ? "✓ " : "ok";
    if (next) return "> ";
    return "  ";
}

/* " (core, needs 04 05)": whether it is on the core path, and what comes before it. */
static void add_place(const Lesson *lesson, Text *out) {
    const TextList *list = &lesson->manifest.needs;
    if (!lesson->manifest.core && list->count == 0) return;
    Text needs = text_new();
    for (size_t i = 0; i < list->count; i++) {
        if (i > 0) text_add(&needs, " ");
        text_format(&needs, "%.2s", list->items[i]);
    }
    text_add(out, " ");
    say_learner(
        out, LEARNER_PLACE,
        &(LearnerFacts){.core = lesson->manifest.core, .needs = list->count > 0 ? needs.bytes : NULL});
    text_free(&needs);
}

/* A group with its lessons, each with a mark for passed, and one for the lesson that comes next. */
static void print_group(const Desk *desk, const Group *group, bool unicode) {
    Text out = text_new();
    say_learner(&out, LEARNER_GROUP,
                &(LearnerFacts){.title = group->title,
                                .passed = groups_count_passed(group, &desk->progress, &desk->course),
                                .count = group->count});
    text_add(&out, "\n");
    for (size_t i = 0; i < group->count; i++) {
        const Lesson *lesson = group->lessons[i];
        bool done = progress_of(&desk->progress, &desk->course, lesson)->passed;
        text_format(&out, "%s %-22s %s", mark_of(done, lesson == desk->lesson, unicode), lesson->name,
                    lesson->manifest.title);
        add_place(lesson, &out);
        text_add(&out, "\n");
    }
    text_add(&out, "\n");
    commands_write(&out);
}

/* The list of the course; its last line is the next step. */
int list_run(Session *session, int argc, char **argv) {
    Desk desk;
    Groups groups;
    int status = open_desk(session, &desk, argc, argv, no_options);
    if (status != EXIT_FINE) return status;
    if (!groups_read(&groups, session->arena, &desk.course)) return EXIT_INTERNAL;
    ShowStyle style = show_style(STDOUT_FILENO, session->colour);
    size_t passed = 0;
    for (size_t i = 0; i < desk.course.count; i++)
        passed += desk.progress.entries[i].passed;
    for (size_t i = 0; i < groups.count; i++)
        print_group(&desk, &groups.items[i], style.unicode);
    const LearnerFacts facts = {.passed = passed, .count = desk.course.count};
    commands_say(
        told_learner(session->arena, desk.lesson != NULL ? LEARNER_SO_FAR : LEARNER_FINISHED, &facts));
    return EXIT_FINE;
}

/* What comes next, below a hint. */
static void add_next(LearnerText next, const LearnerFacts *facts, Text *out) {
    text_add(out, "\n");
    say_learner(out, next, facts);
    text_add(out, "\n");
}

/* The hint that follows what went wrong comes before the lesson's own, once. */
static int hint_about(Session *session, Desk *desk, ProgressEntry *entry) {
    ShowStyle style = show_style(STDOUT_FILENO, session->colour);
    entry->told = true;
    progress_write(&desk->progress, &desk->course, &session->diagnostics);
    Text out = text_new();
    const LearnerFacts facts = {
        .lesson = desk->lesson->name, .kind = entry->failed, .number = learner_number(session, desk->lesson)};
    say_learner(&out, LEARNER_HINT_ABOUT, &facts);
    text_add(&out, "\n\n");
    coach_hint(&desk->lesson->manifest, entry->failed, &style, &out);
    if (!session->watched) add_next(LEARNER_OWN_HINTS, &facts, &out);
    commands_print(&out);
    return EXIT_FINE;
}

static void add_hint(const Desk *desk, size_t number, const LearnerFacts *facts, const ShowStyle *style,
                     Text *out) {
    LearnerFacts of_this = *facts;
    of_this.seen = number + 1;
    say_learner(out, LEARNER_HINT, &of_this);
    text_add(out, "\n\n");
    show_paragraph(desk->lesson->manifest.hints.items[number], "  ", style, out);
}

/* The hints that were seen, once more, and none that was not. */
static int hints_seen(Session *session, const Desk *desk, const ProgressEntry *entry) {
    const size_t hints = desk->lesson->manifest.hints.count, seen = MIN((size_t)entry->hints, hints);
    ShowStyle style = show_style(STDOUT_FILENO, session->colour);
    const LearnerFacts facts = {
        .lesson = desk->lesson->name, .number = learner_number(session, desk->lesson), .hints = hints};
    if (seen == 0) {
        commands_say(told_learner(session->arena, LEARNER_NONE_SEEN, &facts));
        return EXIT_FINE;
    }
    Text out = text_new();
    for (size_t i = 0; i < seen; i++) {
        if (i > 0) text_add(&out, "\n");
        add_hint(desk, i, &facts, &style, &out);
    }
    add_next(LEARNER_HINT_NEXT, &facts, &out);
    commands_print(&out);
    return EXIT_FINE;
}

/* Hints come one at a time and start again after the last. After a check that failed, the first one is about
 * what it found. */
static int hint_next(Session *session, Desk *desk, ProgressEntry *entry) {
    if (entry->failed != NULL && !entry->told) return hint_about(session, desk, entry);
    const size_t hints = desk->lesson->manifest.hints.count;
    if (hints == 0) {
        commands_say(TOLD_LEARNER(NO_HINTS, session->arena, .lesson = desk->lesson->name));
        return EXIT_FINE;
    }
    const size_t number = (size_t)entry->hints++ % hints;
    bool made;
    if (work_file(&desk->course, desk->lesson, &made, &session->diagnostics) == NULL) return EXIT_INTERNAL;
    progress_write(&desk->progress, &desk->course, &session->diagnostics);
    ShowStyle style = show_style(STDOUT_FILENO, session->colour);
    Text out = text_new();
    const LearnerFacts facts = {
        .lesson = desk->lesson->name, .number = learner_number(session, desk->lesson), .hints = hints};
    if (number == 0 && entry->hints > 1) {
        say_learner(&out, LEARNER_HINTS_AGAIN, &facts);
        text_add(&out, "\n\n");
    }
    add_hint(desk, number, &facts, &style, &out);
    if (!session->watched && number > 0) add_next(LEARNER_HINTS_BEFORE, &facts, &out);
    if (!session->watched) add_next(LEARNER_HINT_NEXT, &facts, &out);
    commands_print(&out);
    return EXIT_FINE;
}

int hint_run(Session *session, int argc, char **argv) {
    Desk desk;
    bool seen = false;
    const Option own[] = {
        {OPTION_FLAG, 0, "seen", NULL, "show the hints that you have seen again, and no new one", &seen},
        {.kind = OPTION_END}};
    int status = open_desk(session, &desk, argc, argv, own);
    if (status != EXIT_FINE) return status;
    if (desk.lesson == NULL) {
        commands_say(plain_learner(LEARNER_NO_LESSON));
        return EXIT_FINE;
    }
    ProgressEntry *entry = progress_of(&desk.progress, &desk.course, desk.lesson);
    if (seen) return hints_seen(session, &desk, entry);
    return hint_next(session, &desk, entry);
}

/* The old file is kept under another name, and the lesson counts as not begun. */
int reset_run(Session *session, int argc, char **argv) {
    Desk desk;
    int status = open_desk(session, &desk, argc, argv, no_options);
    if (status != EXIT_FINE) return status;
    if (!desk.named) {
        advise(diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "%s", plain_learner(LEARNER_WHICH)),
               plain_learner(LEARNER_WHICH_REMEDY));
        return EXIT_USAGE;
    }
    const char *kept;
    if (!work_reset(&desk.course, desk.lesson, &kept, &session->diagnostics)) return EXIT_INTERNAL;
    ProgressEntry *entry = progress_of(&desk.progress, &desk.course, desk.lesson);
    *entry = (ProgressEntry){0};
    progress_write(&desk.progress, &desk.course, &session->diagnostics);
    const LearnerFacts facts = {.lesson = desk.lesson->name,
                                .number = learner_number(session, desk.lesson),
                                .path = kept != NULL ? work_shown_path(session->arena, kept) : NULL};
    commands_say(told_learner(session->arena, LEARNER_RESET, &facts));
    if (kept != NULL) commands_say(told_learner(session->arena, LEARNER_KEPT, &facts));
    if (!session->watched) commands_say(told_learner(session->arena, LEARNER_BEGIN, &facts));
    return EXIT_FINE;
}

/* ---- a lesson's inputs, for running its program by hand ---- */

static bool write_cases(Session *session, const Judge *judge, long seed, const char *folder) {
    const Seeds seeds = seeds_plain(seed);
    for (unsigned i = 0; i < judge->case_count; i++) {
        JudgeCase judged;
        const char *path = arena_format(session->arena, "%s/%02u", folder, i);
        if (path == NULL || !cases_prepare(&judged, judge, i, seeds_of_case(&seeds, i, 0), session->arena))
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
    const Judge *judge = NULL;
    if (lesson != NULL) judge = judges_find(session->judges, lesson->name);
    if (judge == NULL) return EXIT_USAGE;
    if (mkdir(argv[first + 1], 0755) != 0 && errno != EEXIST) {
        diag_add(&session->diagnostics, DIAG_ERROR, argv[first + 1], 0, 0, "cannot make the folder: %s",
                 strerror(errno));
        return EXIT_USAGE;
    }
    if (write_cases(session, judge, seed, argv[first + 1])) return EXIT_FINE;
    return EXIT_INTERNAL;
}
