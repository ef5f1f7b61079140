/* similarity.c - the command `similarity`: one page for each lesson, and its closest pairs on the screen. */
#include "grading/commands.h"

#include "grading/book/anonymous.h"
#include "grading/book/desk.h"
#include "grading/similarity/alike.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PAIRS = 20, MOST_PAIRS = 500, PAIRS_ON_SCREEN = 5 };

/* The words of `warpschool similarity`. */
typedef struct SimilarityWords {
    Desk desk;
    const char *lesson, *roster, *columns, *earlier, *out;
    long pairs;
} SimilarityWords;

static bool refuse_folder(Session *session, const char *path) {
    return advise(diag_add(&session->diagnostics, DIAG_ERROR, path, 0, 0, "%s", strerror(errno)),
                  "name a folder for the pages: --out FOLDER");
}

static void add_program(Text *text, const Program *program) {
    for (size_t i = 0; i < program->people_count; i++)
        text_format(text, i > 0 ? ", %s" : "%s", program->people[i]);
}

/* The first PAIRS_ON_SCREEN pairs, the page has the others; and everybody of each group. */
static void add_summary(Text *text, Arena *arena, const Alike *alike, const char *path) {
    text_format(text, "%s: ", alike->lesson);
    text_number(text, alike->handed_in);
    text_add(text, alike->handed_in == 1 ? " program" : " programs");
    text_format(text, ", %s\n", path);
    for (size_t i = 0; i < alike->group_count; i++)
        text_format(text, "  group %zu: %s\n", i + 1, alike_group_people(arena, alike, &alike->groups[i]));
    for (size_t i = 0; i < alike->pair_count && i < PAIRS_ON_SCREEN; i++) {
        const Pair *pair = &alike->pairs[i];
        text_format(text, "  structure %3d %%  wording %3d %%  rare %3u  ", pair->structure, pair->wording,
                    pair->rare);
        add_program(text, &alike->programs[pair->programs[0]]);
        text_add(text, " and ");
        add_program(text, &alike->programs[pair->programs[1]]);
        text_add(text, "\n");
    }
}

/* One page for each lesson. */
static bool write_page(Session *session, const Alike *alike, const char *folder) {
    Text page = text_new(), summary = text_new();
    const char *path = arena_format(session->arena, "%s/%s.html", folder, alike->lesson);
    alike_page(alike, session->arena, &page);
    /* Names beside programs, and a suspicion: for nobody else on the machine. */
    const bool fine = path != NULL && !page.failed && commands_write_private(path, &page);
    if (fine) {
        add_summary(&summary, session->arena, alike, path);
        commands_print(&summary);
    } else {
        refuse_folder(session, path != NULL ? path : folder);
        text_free(&summary);
    }
    text_free(&page);
    return fine;
}

static bool is_in(const Intake *intake, const char *lesson) {
    for (size_t i = 0; i < intake->handed_count; i++)
        if (intake->handed[i].refused == NULL && strcmp(intake->handed[i].lesson, lesson) == 0) return true;
    return false;
}

/* Whether there is a program of the lesson, or (`only` NULL) of any. */
static bool check_programs(Session *session, const Course *course, const Intake *intake, const Lesson *only) {
    for (size_t i = 0; i < course->count; i++)
        if ((only == NULL || only == &course->lessons[i]) && is_in(intake, course->lessons[i].name))
            return true;
    return advise(diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "nobody has handed in %s",
                           only != NULL ? only->name : "a file of a lesson"),
                  "`warpschool grade` on the same folder says what was handed in");
}

/* One lesson, or (`only` NULL) all that somebody has handed in. */
static bool compare_lessons(Session *session, const Course *course, const AlikeSources *sources,
                            const Lesson *only, const SimilarityWords *words) {
    if (mkdir(words->out, 0700) != 0 && errno != EEXIST) return refuse_folder(session, words->out);
    for (size_t i = 0; i < course->count; i++) {
        const char *lesson = course->lessons[i].name;
        Alike alike;
        if ((only != NULL && only != &course->lessons[i]) || !is_in(sources->class, lesson)) continue;
        if (!alike_find(&alike, session->arena, course, sources, lesson, (size_t)words->pairs,
                        &session->diagnostics) ||
            !write_page(session, &alike, words->out))
            return false;
    }
    return true;
}

/* While grading is anonymous, people go by the numbers of the gradebook's tables; `class` is what was read.
 */
static bool hide_names(Session *session, SimilarityWords *words, Intake *class) {
    Desk *desk = &words->desk;
    if (desk->gradebook == NULL && access(GRADEBOOK_USUAL, F_OK) != 0) return true;
    bool fine = desk_open(desk, session, GRADEBOOK_READ) && desk_read_class(desk, session);
    for (size_t i = 0; fine && desk->class.anonymous && i < class->people_count; i++) {
        class->people[i].id = anonymous_number(&desk->class, session->arena, class->people[i].id);
        fine = class->people[i].id != NULL;
    }
    for (size_t i = 0; fine && desk->class.anonymous && i < class->handed_count; i++) {
        Handed *handed = &class->handed[i];
        handed->path = arena_format(session->arena, "%s/%s.cu", class->people[handed->person].id,
                                    text_or(handed->lesson, "file"));
    }
    desk_close(desk);
    return fine;
}

/* `warpschool similarity DIR` */
int similarity_run(Session *session, int argc, char **argv) {
    SimilarityWords words = {.out = "similarity", .pairs = PAIRS};
    const Option options[] = {
        DESK_OPTIONS(&words.desk),
        {OPTION_STRING, 0, "lesson", "LESSON", "this lesson only", &words.lesson},
        {OPTION_STRING, 0, "roster", "FILE", "who is in the class, as for grade", &words.roster},
        {OPTION_STRING, 0, "columns", "LIST", "what the roster calls its columns: id=HEADER,...",
         &words.columns},
        {OPTION_STRING, 0, "earlier", "DIR", "what earlier classes handed in: compared with this one's",
         &words.earlier},
        {OPTION_STRING, 0, "out", "FOLDER", "where the pages go (similarity)", &words.out},
        {OPTION_NUMBER, 0, "pairs", "N", "how many pairs to show of each lesson (20)", &words.pairs},
        {.kind = OPTION_END}};
    int first = commands_parse(session, options, argc, argv, 1, 1);
    if (first < 0 || !options_check_range("pairs", words.pairs, 1, MOST_PAIRS, &session->diagnostics))
        return EXIT_USAGE;
    Course course;
    Intake intake, earlier;
    if (!commands_load_course(session, &course)) return EXIT_INTERNAL;
    const Lesson *only =
        words.lesson != NULL ? lessons_find(&course, words.lesson, &session->diagnostics) : NULL;
    if (words.lesson != NULL && only == NULL) return EXIT_USAGE;
    const IntakeOptions where = {.path = argv[first],
                                 .roster = words.roster,
                                 .columns = words.columns,
                                 .others = only,
                                 .strangers = true};
    if (!intake_read(&intake, session->arena, &course, &where, &session->diagnostics)) return EXIT_USAGE;
    if (!check_programs(session, &course, &intake, only)) return EXIT_USAGE;
    if (!hide_names(session, &words, &intake)) return diag_status(&session->diagnostics);
    const IntakeOptions before = {
        .path = words.earlier, .others = only, .strangers = true, .every_file = true};
    if (words.earlier != NULL &&
        !intake_read(&earlier, session->arena, &course, &before, &session->diagnostics))
        return EXIT_USAGE;
    const AlikeSources sources = {&intake, words.earlier != NULL ? &earlier : NULL};
    return compare_lessons(session, &course, &sources, only, &words) ? EXIT_FINE : EXIT_INTERNAL;
}
