/* judging.c - one file judged at once; see judging.h. */
#include "grading/run/judging.h"

#include "autograder/advise.h"
#include "autograder/sandbox/cgroup.h"
#include "autograder/sandbox/trust.h"
#include "autograder/verdict/worker.h"
#include "base/json.h"

#include <stdio.h>
#include <string.h>

static bool is_enough(Session *session, const Course *course) {
    Trust trust;
    trust_probe(&trust, course);
    if (trust.enough) return true;
    session->diagnostics.internal = true;
    return advise(diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0,
                           "what this system allows is not enough to run what students hand in: `%s` %s",
                           trust.level, trust.problem),
                  "make doctor says how to get namespaces and limits");
}

struct json_object *judging_run(const Judging *judging, Session *session, const Course *course) {
    Submission submission = {.path = judging->shown,
                             .name = arena_format(session->arena, "%s.cu", judging->lesson->name)};
    const WorkerOrder order = {.course = course,
                               .lesson = judging->lesson,
                               .judge = judges_find(session->judges, judging->lesson->name),
                               .submission = &submission,
                               .seed = judging->seed,
                               .isolated = true};
    CgroupBase groups;
    if (order.judge == NULL || submission.name == NULL || !is_enough(session, course)) return NULL;
    text_init(&submission.source);
    text_append(&submission.source, judging->bytes, judging->length);
    fflush(stdout);
    cgroup_claim(&groups, "/proc/self");
    struct json_object *result = worker_check(&order);
    text_free(&submission.source);
    if (strcmp(json_text(result, "verdict", "error"), "error") != 0) return result;
    session->diagnostics.internal = true;
    advise(diag_add(&session->diagnostics, DIAG_ERROR, judging->shown, 0, 0, "the judge could not decide: %s",
                    json_text(result, "problem", "no reason is given")),
           arena_string(session->arena,
                        json_text(result, "remedy", "try it again; make doctor looks for what is missing")));
    json_object_put(result);
    return NULL;
}
