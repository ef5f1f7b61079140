/* check_run.c - the column of calls from a submission to its result; see check_run.h. */
#include "autograder/verdict/check_run.h"

#include "autograder/check/events.h"
#include "autograder/check/hidden.h"
#include "autograder/check/settings.h"
#include "autograder/compile/compile.h"
#include "autograder/compile/readable.h"
#include "autograder/evidence/report.h"
#include "autograder/run/run.h"
#include "autograder/sandbox/child.h"
#include "autograder/verdict/budget.h"
#include "autograder/verdict/objectives.h"
#include "autograder/verdict/verdict.h"
#include "autograder/verdict/verdict_picture.h"
#include "autograder/verdict/withheld.h"

#include <stdio.h>

static void say_time(const Check *check, const char *phase, double *since) {
    double now = child_now();
    if (check->show_times) fprintf(stderr, "%-8s %.3f s\n", phase, now - *since);
    *since = now;
}

/* Inputs are made while the compiler works. */
static bool build_program(Check *check) {
    Child compiler;
    if (!readable_check(check)) return false;
    if (!compile_start(check, &compiler)) return false;
    bool prepared = check_prepare_cases(check) && settings_read(check);
    bool compiled = compile_finish(check, &compiler);
    return prepared && compiled;
}

/* Everything after the program is built. The judge gives up its own rights (stage_retire) between the last
 * process and the first byte that it reads of what they left. */
static void run_and_judge(Check *check, double *since) {
    Schedule schedules[CHECK_SCHEDULES] = {0};
    Withheld withheld = {0};
    events_tell_phase(check, "run");
    bool ran = run_schedules(check, schedules, CHECK_SCHEDULES) && withheld_run(check, schedules, &withheld);
    say_time(check, "run", since);
    events_tell_phase(check, "judge");
    ran = ran && stage_retire(&check->stage, check->diagnostics);
    if (ran && report_merge(check, schedules, CHECK_SCHEDULES)) {
        verdict_decide_cases(check, schedules, CHECK_SCHEDULES);
        withheld_judge(check, &schedules[0], &withheld);
        budget_judge(check, schedules, CHECK_SCHEDULES);
        objectives_gather(check, schedules);
        if (check->picture != NULL) verdict_keep_pictures(check, schedules);
    }
    check->result->output = schedules[0].output;
    for (unsigned i = 0; i < CHECK_SCHEDULES; i++)
        if (schedules[i].told_until > check->told_until) check->told_until = schedules[i].told_until;
    run_free(schedules, CHECK_SCHEDULES);
    withheld_free(&withheld);
    say_time(check, "judge", since);
}

/* Until when a result counts its seconds: a hidden case could sleep as long as its size tells it to. */
static double seconds_told(const Check *check) {
    bool hides = !check->revealed && hidden_case(check, check->judge->case_count - 1);
    if (hides && check->told_until > 0) return check->told_until;
    return child_now();
}

/* The column of calls of a check. Hidden cases are taken out last, when everything that may mention them is
 * there. */
void check_run(Check *check) {
    double begin = child_now(), since = begin;
    check->result->lesson = check->lesson->name;
    check->result->device = "warpgrind";
    check->result->sandbox = "none";
    check->result->seed = check->seeds.given;
    child_adopt_orphans();
    bool entered = check_name_parts(check) && check_enter_stage(check);
    if (entered && check->bounded) stage_use_groups(&check->stage);
    if (entered) {
        say_time(check, "stage", &since);
        events_tell_phase(check, "compile");
        bool built = build_program(check);
        say_time(check, "compile", &since);
        if (built) run_and_judge(check, &since);
    }
    stage_leave(&check->stage);
    if (check->stage.level[0] != '\0') check->result->sandbox = check->stage.level;
    verdict_conclude(check);
    objectives_conclude(check);
    verdict_choose_picture(check);
    check->result->seconds = seconds_told(check) - begin;
    hidden_redact(check);
    result_bound(check->result, check->arena);
    if (check->diagnostics->first != NULL) {
        check->result->problem = check->diagnostics->first->message;
        check->result->remedy = check->diagnostics->first->remedy;
    }
}
