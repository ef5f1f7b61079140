/* cases.c - inputs out, answers in: the files of one case; see cases.h. */
#include "autograder/check/cases.h"

#include "autograder/judges.h"

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

bool cases_prepare(JudgeCase *judged, const Judge *judge, unsigned index, uint64_t seed, Arena *arena) {
    JudgeFiles *files = ARENA_NEW(arena, JudgeFiles);
    if (files == NULL) return false;
    files->answers_fd = -1;
    *judged = (JudgeCase){.spec = &judge->cases[index], .arena = arena, .seed = seed, .files = files};
    return judge->prepare(judged);
}

/* The program runs as another user, so inputs are made readable for everybody, whatever the umask is. */
bool cases_write(const JudgeCase *judged, const char *folder, Diagnostics *diagnostics) {
    if (mkdir(folder, 0755) != 0 && errno != EEXIST) {
        diag_add(diagnostics, DIAG_ERROR, folder, 0, 0, "cannot make the folder: %s", strerror(errno));
        return false;
    }
    for (const CaseInput *input = judged->files->first; input != NULL; input = input->next) {
        const char *path = arena_format(judged->arena, "%s/%s.npy", folder, input->name);
        if (path == NULL || !npy_write(&input->array, path, diagnostics)) return false;
        if (chmod(path, 0644) != 0) return false;
    }
    return true;
}

JudgeDecision cases_decide(JudgeCase *judged, const Judge *judge, int answers_fd) {
    JudgeDecision decision = {.passed = false, .wrong_index = -1};
    judged->files->answers_fd = answers_fd;
    judged->files->answer = NULL;
    judge->decide(judged, &decision);
    judged->files->answers_fd = -1;
    return decision;
}
