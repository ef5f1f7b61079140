/* start.c - the command `start`: a folder for a learner, for whom the course itself lies where nobody may
 * write, as when it was installed from a package. It has a Makefile with the usual targets, the starters as
 * files of its own, and by links the lessons and the program, which need not be on the PATH. */
#include "autograder/commands/commands.h"

#include "autograder/texts.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST_FILE = 1 << 20 };

/* A folder being filled. */
typedef struct Start {
    Session *session;
    const char *from, *build, *to;
} Start;

static bool refuse(const Start *start, const char *path, StartText problem, StartText remedy) {
    const char *said = told_start(start->session->arena, problem, &(StartFacts){.why = strerror(errno)});
    return advise(diag_add(&start->session->diagnostics, DIAG_ERROR, path, 0, 0, "%s", said),
                  plain_start(remedy));
}

static bool is_empty(const char *path) {
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, NULL);
    for (int i = 0; i < count; i++)
        free(entries[i]);
    if (count >= 0) free(entries);
    return count < 0 || count == 2; /* . and .. */
}

static bool copy_file(const Start *start, const char *from, const char *to) {
    Text text = text_new();
    bool fine = from != NULL && to != NULL && text_read_file(&text, from, LARGEST_FILE) &&
                text_write_file(to, text.bytes, text.length) && chmod(to, 0644) == 0;
    text_free(&text);
    return fine || refuse(start, to, START_NOT_MADE, START_NOT_MADE_REMEDY);
}

/* Makefile and README, and all starters. */
static bool copy_files(const Start *start, const Course *course) {
    static const char *const own[] = {"Makefile", "README.md"};
    Arena *arena = start->session->arena;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (!copy_file(start, arena_format(arena, "%s/warpschool/student/%s", start->from, own[i]),
                       arena_format(arena, "%s/%s", start->to, own[i])))
            return false;
    const char *folder = arena_format(arena, "%s/starter", start->to);
    if (folder == NULL || mkdir(folder, 0755) != 0)
        return refuse(start, folder, START_NOT_MADE, START_NOT_MADE_REMEDY);
    for (size_t i = 0; i < course->count; i++) {
        const char *name = course->lessons[i].name;
        if (!copy_file(start, arena_format(arena, "%s/starter/%s.cu", start->from, name),
                       arena_format(arena, "%s/%s.cu", folder, name)))
            return false;
    }
    return true;
}

/* What is linked stays where it is, so that a newer package brings newer ones. */
static bool link_rest(const Start *start) {
    Arena *arena = start->session->arena;
    const struct {
        const char *from, *name;
    } links[] = {{start->from, "lessons"}, {start->from, "autograder"}, {start->build, "bin/warpschool"}};
    const char *folder = arena_format(arena, "%s/bin", start->to);
    if (folder == NULL || mkdir(folder, 0755) != 0)
        return refuse(start, folder, START_NOT_MADE, START_NOT_MADE_REMEDY);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        const char *from = arena_format(arena, "%s/%s", links[i].from, links[i].name),
                   *to = arena_format(arena, "%s/%s", start->to, links[i].name);
        if (from == NULL || to == NULL || symlink(from, to) != 0)
            return refuse(start, to, START_NOT_MADE, START_NOT_MADE_REMEDY);
    }
    return true;
}

/* `warpschool start FOLDER` */
int start_run(Session *session, int argc, char **argv) {
    const Option options[] = {{.kind = OPTION_END}};
    int first = commands_parse(session, options, argc, argv, 1, 1);
    if (first < 0) return EXIT_USAGE;
    Course course;
    if (!commands_load_course(session, &course)) return EXIT_INTERNAL;
    const Start start = {.session = session, .from = course.root, .build = course.build, .to = argv[first]};
    if (!is_empty(start.to)) {
        refuse(&start, start.to, START_NOT_EMPTY, START_NOT_EMPTY_REMEDY);
        return EXIT_USAGE;
    }
    if (mkdir(start.to, 0755) != 0 && errno != EEXIST) {
        refuse(&start, start.to, START_NOT_MADE, START_NOT_MADE_REMEDY);
        return EXIT_USAGE;
    }
    if (!copy_files(&start, &course) || !link_rest(&start)) return EXIT_INTERNAL;
    commands_say(TOLD_START(READY, session->arena, .folder = start.to));
    return EXIT_FINE;
}
