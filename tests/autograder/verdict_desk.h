/* verdict_desk.h - a check of three cases, the last of them hidden, with all that its verdict is made of:
 * what became of each case, a line of the budget, two schedules.
 */
#pragma once

#include "autograder/course/budget_kinds.h"
#include "autograder/verdict/verdict_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DESK(test) cmocka_unit_test_setup_teardown(test, desk_open, desk_close)

enum { CASES = 3, SMALL = 0, SHOWN = 1, HIDDEN = 2 };
static const JudgeCaseSpec specs[CASES] = {
    {.name = "two elements", .points = 1, .n = 2},
    {.name = "forty elements", .points = 2, .n = 40},
    {.name = "777 elements", .concept = "a size that is no multiple of the block", .points = 4, .n = 777}};
static const Judge judge = {.lesson = "99-test", .cases = specs, .case_count = CASES};

typedef struct Desk {
    Arena *arena;
    Diagnostics diagnostics;
    Lesson lesson;
    BudgetLine line;
    CaseResult cases[CASES];
    JudgeCase inputs[CHECK_SCHEDULES][CASES];
    CaseSettings settings[CASES];
    BudgetResult budget;
    Result result;
    Submission submission;
    Check check;
    CaseEnd ends[CHECK_SCHEDULES][CASES];
    Schedule schedules[CHECK_SCHEDULES];
} Desk;

static inline int desk_open(void **state) {
    Desk *desk = calloc(1, sizeof *desk);
    desk->arena = arena_create();
    diag_init(&desk->diagnostics, desk->arena);
    for (unsigned i = 0; i < CASES; i++)
        desk->cases[i] =
            (CaseResult){.name = specs[i].name, .max_points = specs[i].points, .points = specs[i].points};
    desk->line = (BudgetLine){.kind = budget_kinds_find("barriers"), .at_most = {.text = "5"}, .points = 8};
    desk->lesson.manifest.points_clean = 16;
    desk->lesson.manifest.budget = (BudgetList){&desk->line, 1};
    desk->result =
        (Result){.cases = desk->cases, .case_count = CASES, .budget = &desk->budget, .budget_count = 1};
    desk->submission = (Submission){.path = "work/99-test.cu", .name = "99-test.cu"};
    text_init(&desk->submission.source);
    desk->check = (Check){.arena = desk->arena,
                          .lesson = &desk->lesson,
                          .judge = &judge,
                          .submission = &desk->submission,
                          .function = "answer",
                          .cases = {desk->inputs[0], desk->inputs[1]},
                          .settings = desk->settings,
                          .result = &desk->result,
                          .diagnostics = &desk->diagnostics};
    for (unsigned i = 0; i < CHECK_SCHEDULES; i++) {
        desk->schedules[i] = (Schedule){.number = i, .answers = "/nowhere", .ends = desk->ends[i]};
        for (unsigned k = 0; k < CASES; k++)
            desk->inputs[i][k] = (JudgeCase){
                .spec = &specs[k], .arena = desk->arena, .files = ARENA_NEW(desk->arena, JudgeFiles)};
    }
    *state = desk;
    return 0;
}

static inline int desk_close(void **state) {
    Desk *desk = *state;
    for (unsigned i = 0; i < CHECK_SCHEDULES; i++)
        run_free(&desk->schedules[i], 1);
    text_free(&desk->submission.source);
    arena_destroy(desk->arena);
    free(desk);
    return 0;
}

/* An error of a case, as a device's report or the judge tells it. */
static inline Finding *add_finding(Desk *desk, FindingKind kind, unsigned index) {
    Finding *finding = result_add(&desk->result, desk->arena, kind);
    assert_non_null(finding);
    finding->severity = FINDING_ERROR;
    finding->case_name = specs[index].name;
    finding->kernel = "k";
    return finding;
}

/* Cases `first` to `last` of a run in one program, with a report of these members. */
static inline void add_pair(Desk *desk, unsigned run, unsigned first, unsigned last, const char *members) {
    Schedule *schedule = &desk->schedules[run];
    Text text;
    text_init(&text);
    text_format(&text, "{%s}", members);
    Pair *pair = &schedule->pairs[schedule->pair_count++];
    *pair = (Pair){.first_case = first,
                   .last_case = last,
                   .well = true,
                   .ranks = 1,
                   .report = json_tokener_parse(text.bytes)};
    assert_non_null(pair->report);
    text_init(&pair->sent[0]);
    text_free(&text);
}
