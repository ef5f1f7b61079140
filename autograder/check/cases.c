/* cases.c - inputs out, answers in: the files of one case; see cases.h. */
#include "autograder/check/cases.h"

#include "autograder/judges.h"
#include "autograder/texts.h"
#include "base/marks.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

const Judge *judges_find(Judges judges, const char *lesson) {
    for (Judges judge = judges; *judge != NULL; judge++)
        if (strcmp((*judge)->lesson, lesson) == 0) return *judge;
    return NULL;
}

const Judge *judges_without_hidden(const Judge *judge, Arena *arena) {
    Judge *copy = ARENA_NEW(arena, Judge);
    if (copy == NULL) return NULL;
    *copy = *judge;
    copy->case_count = 0;
    while (copy->case_count < judge->case_count && judge->cases[copy->case_count].concept == NULL)
        copy->case_count++;
    return copy;
}

/* Other values than in the second call, and than in any case: seeds are no more alike than their bits. */
static bool prepare_first_call(JudgeCase *judged, const Judge *judge) {
    JudgeCase *first = ARENA_NEW(judged->arena, JudgeCase);
    if (first == NULL) return false;
    *first = *judged;
    first->seed = ~judged->seed;
    judged->before = first;
    judged->files->first_call = true;
    bool prepared = judge->prepare(first);
    judged->files->first_call = false;
    return prepared;
}

bool cases_prepare(JudgeCase *judged, const Judge *judge, unsigned index, uint64_t seed, Arena *arena) {
    JudgeFiles *files = ARENA_NEW(arena, JudgeFiles);
    if (files == NULL) return false;
    *files = (JudgeFiles){.answers_fd = -1};
    *judged = (JudgeCase){.spec = &judge->cases[index], .arena = arena, .seed = seed, .files = files};
    if (judged->spec->again && !prepare_first_call(judged, judge)) return false;
    return judge->prepare(judged);
}

static bool make_folder(const char *folder, Diagnostics *diagnostics) {
    if (folder != NULL && (mkdir(folder, 0755) == 0 || errno == EEXIST)) return true;
    diag_add(diagnostics, DIAG_ERROR, folder, 0, 0, "cannot make the folder: %s", strerror(errno));
    return false;
}

/* The program runs as another user, so inputs are made readable for everybody, whatever the umask is. */
bool cases_write(const JudgeCase *judged, const char *folder, Diagnostics *diagnostics) {
    if (!make_folder(folder, diagnostics)) return false;
    if (judged->before != NULL &&
        !make_folder(arena_format(judged->arena, "%s/" CASE_FIRST_CALL, folder), diagnostics))
        return false;
    for (const CaseInput *input = judged->files->first; input != NULL; input = input->next) {
        const char *path = arena_format(judged->arena, "%s/%s.npy", folder, input->name);
        if (path == NULL || !npy_write(&input->array, path, diagnostics)) return false;
        if (chmod(path, 0644) != 0) return false;
    }
    return true;
}

static JudgeDecision decide_call(JudgeCase *judged, const Judge *judge, bool first_call) {
    JudgeDecision decision = {.passed = false, .wrong_index = -1};
    judged->files->answer = NULL;
    judged->files->first_call = first_call;
    judge->decide(judged, &decision);
    judged->files->first_call = false;
    return decision;
}

/* Says which of two calls it was. Inputs differ, so the answer of the call before is never right by itself.
 */
static void name_call(const JudgeCase *judged, bool second, JudgeDecision *decision) {
    const JudgeFiles *files = judged->files;
    const bool kept = second && files->answer != NULL && files->before != NULL && files->answer_bytes > 0 &&
                      memcmp(files->answer, files->before, files->answer_bytes) == 0;
    if (decision->message == NULL) return;
    decision->message = TOLD_CALLS(WHICH, judged->arena, .second = second, .message = decision->message);
    if (!kept || decision->advice != NULL) return;
    judge_explain(decision, (JudgeCause){"answer-kept", plain_calls(CALLS_KEPT)});
    decision->advice = plain_calls(CALLS_KEPT_WHY);
}

/* The first call's case differs in its values alone, and has its answers in a folder of its own. */
static JudgeDecision decide_both_calls(JudgeCase *judged, const Judge *judge) {
    JudgeCase first = *judged->before;
    JudgeDecision decision = decide_call(&first, judge, true);
    judged->files->before = judged->files->answer;
    const bool second = decision.passed;
    if (second) decision = decide_call(judged, judge, false);
    if (second)
        decision.which_call = JUDGE_SECOND_CALL;
    else
        decision.which_call = JUDGE_FIRST_CALL;
    if (!decision.passed) name_call(judged, second, &decision);
    return decision;
}

void cases_work(const JudgeCase *judged, const Judge *judge, const JudgeDecision *wrong, Text *steps) {
    if (judge->work == NULL) return;
    judged->files->first_call = wrong->which_call == JUDGE_FIRST_CALL;
    judge->work(judged->files->first_call ? judged->before : judged, wrong, steps);
    judged->files->first_call = false;
}

JudgeDecision cases_decide(JudgeCase *judged, const Judge *judge, int answers_fd) {
    judged->files->answers_fd = answers_fd;
    judged->files->answer_count = 0;
    JudgeDecision decision;
    if (judged->before != NULL)
        decision = decide_both_calls(judged, judge);
    else
        decision = decide_call(judged, judge, false);
    judged->files->answers_fd = -1;
    return decision;
}
