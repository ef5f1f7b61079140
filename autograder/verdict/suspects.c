/* suspects.c - the intersection of what could explain each wrong answer; see suspects.h. */
#include "autograder/verdict/suspects.h"

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
    const JudgeCause *cause = check->suspect != NULL ? find(decision->suspects, check->suspect) : NULL;
    const bool leads = decision->leads && cause != NULL;
    if (cause != NULL) judge_explain(decision, *cause);
    decision->leads = leads;
}
