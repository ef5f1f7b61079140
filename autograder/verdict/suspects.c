/* suspects.c - the intersection of what could explain each wrong answer; see suspects.h. */
#include "autograder/verdict/suspects.h"

#include "autograder/check/likeness.h"

#include <string.h>

static const JudgeCause *find(const JudgeCause *causes, const char *name) {
    for (const JudgeCause *cause = causes; cause->name != NULL; cause++)
        if (strcmp(cause->name, name) == 0) return cause;
    return NULL;
}

/* An answer whose cause is known already says nothing of the others. */
void suspects_add(Suspects *suspects, const JudgeDecision *decision) {
    enum { MOST = 64 };
    if (decision->passed || decision->suspects == NULL || decision->cause != NULL) return;
    if (suspects->left == NULL) suspects->left = decision->suspects;
    for (unsigned i = 0; i < MOST && suspects->left[i].name != NULL; i++)
        if (find(decision->suspects, suspects->left[i].name) == NULL) suspects->out |= (uint64_t)1 << i;
}

const char *suspects_left(const Suspects *suspects) {
    if (suspects->left == NULL) return NULL;
    unsigned i = 0;
    while (suspects->left[i].name != NULL && (suspects->out >> i & 1) != 0)
        i++;
    return suspects->left[i].name;
}

void suspects_tell(const Check *check, JudgeDecision *decision) {
    if (decision->passed || decision->suspects == NULL || decision->cause != NULL) return;
    const JudgeCause *cause = NULL;
    if (check->suspect != NULL) cause = find(decision->suspects, check->suspect);
    const bool leads = decision->leads && cause != NULL;
    if (cause != NULL) judge_explain(decision, *cause);
    decision->leads = leads;
}

void suspects_note(Arena *arena, WrongAnswer **list, const JudgeDecision *decision, long size) {
    WrongAnswer *wrong = ARENA_NEW(arena, WrongAnswer);
    if (decision->passed || wrong == NULL) return;
    *wrong = (WrongAnswer){.next = *list, .answer = decision->answer, .cause = decision->cause, .size = size};
    *list = wrong;
}

/* What the judge compared element by element has several wrong elements, or one; of the rest there is one
 * number. */
static bool is_single(const JudgeDecision *decision) {
    const LikenessAnswer *elements = decision->elements;
    size_t wrong = 0;
    for (size_t i = 0; elements != NULL && i < elements->count; i++)
        wrong += elements->wrong[i];
    return wrong <= 1;
}

static bool is_refuted_by(const WrongAnswer *wrong, long size, const JudgeDecision *decision) {
    if (wrong->size <= size || wrong->answer == NULL || decision->answer == NULL) return false;
    if (strcmp(wrong->answer, decision->answer) != 0) return false;
    return wrong->cause == NULL || strcmp(wrong->cause, decision->cause) != 0;
}

/* A cause that is the message itself stays. */
void suspects_doubt(const WrongAnswer *list, long size, JudgeDecision *decision) {
    if (decision->cause == NULL || decision->because == NULL || !is_single(decision)) return;
    while (list != NULL && !is_refuted_by(list, size, decision))
        list = list->next;
    if (list == NULL) return;
    decision->cause = decision->because = decision->advice = NULL;
    decision->leads = false;
}
