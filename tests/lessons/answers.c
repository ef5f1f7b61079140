/* answers.c - a lesson's judge without the sandbox and the software GPU, for programs that ran elsewhere.
 *
 *     answers prepare LESSON FOLDER     writes the inputs of the cases to FOLDER/00, FOLDER/01, ...
 *     answers decide LESSON FOLDER      decides by the answers in FOLDER/00, ...: prints "right", or the
 * first case that is not, and why; a case without a folder was not asked for
 */
#include "autograder/check/cases.h"
#include "autograder/check/seeds.h"
#include "lessons/judges.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SEED = 0, MOST_PATH = 4096 };

static bool prepare(JudgeCase *judged, const char *folder) {
    Diagnostics diagnostics;
    diag_init(&diagnostics, judged->arena);
    bool written = cases_write(judged, folder, &diagnostics);
    if (!written) fprintf(stderr, "answers: cannot write %s\n", folder);
    return written;
}

static bool decide(JudgeCase *judged, const Judge *judge, const char *folder) {
    int answers = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    JudgeDecision decision = cases_decide(judged, judge, answers);
    if (answers >= 0) close(answers);
    if (!decision.passed) printf("%s: %s\n", judged->spec->name, decision.message);
    return decision.passed;
}

static bool visit(const Judge *judge, bool preparing, const char *folder) {
    const Seeds seeds = seeds_plain(SEED);
    for (unsigned i = 0; i < judge->case_count; i++) {
        Arena *arena = arena_create();
        JudgeCase judged;
        char path[MOST_PATH];
        snprintf(path, sizeof path, "%s/%02u", folder, i);
        const bool skipped = !preparing && access(path, F_OK) != 0;
        bool fine = skipped ||
                    (arena != NULL && cases_prepare(&judged, judge, i, seeds_of_case(&seeds, i, 0), arena) &&
                     (preparing ? prepare(&judged, path) : decide(&judged, judge, path)));
        arena_destroy(arena);
        if (!fine) return false;
    }
    if (!preparing) puts("right");
    return true;
}

int main(int argc, char **argv) {
    const Judge *judge = argc == 4 ? judges_find(lessons_judges, argv[2]) : NULL;
    bool preparing = argc == 4 && strcmp(argv[1], "prepare") == 0;
    if (judge == NULL || (!preparing && strcmp(argv[1], "decide") != 0)) {
        fprintf(stderr, "usage: answers prepare|decide LESSON FOLDER\n");
        return 2;
    }
    return visit(judge, preparing, argv[3]) ? 0 : 1;
}
