/* check.c - what all steps of a check ask, and the findings that they add; see check.h. */
#include "autograder/check/check.h"
#include "base/minmax.h"

#include "autograder/course/budget_kinds.h"
#include "autograder/texts.h"

#include <string.h>
#include <unistd.h>

bool check_is_drivers(const Check *check, uint64_t address) {
    return address > check->driver_begin && address <= check->driver_end;
}

Finding *check_add(Check *check, FindingKind kind, int line, Said said) {
    Finding *finding = result_add(check->result, check->arena, kind);
    if (finding == NULL) return NULL;
    finding->file = check->submission->path;
    finding->line = line;
    finding_say(finding, check->arena, said);
    return finding;
}

bool check_is_own_file(const Check *check, const char *file) {
    const char *name = check->submission->name;
    if (text_starts_with(file, "/w/")) file += strlen("/w/");
    size_t folder = strlen(check->stage.folder);
    static const char source[] = "/source/";
    if (folder > 0 && strncmp(file, check->stage.folder, folder) == 0 &&
        text_starts_with(file + folder, source))
        file += folder + strlen(source);
    return strcmp(file, name) == 0;
}

/* ---- what a check begins with ---- */

static bool prepare_case(Check *check, unsigned schedule, unsigned index) {
    JudgeCase *judged = &check->cases[schedule][index];
    const char *folder = arena_format(check->arena, STAGE "/cases%u/%02u", schedule, index);
    if (folder == NULL || !cases_prepare(judged, check->judge, index,
                                         seeds_of_case(&check->seeds, index, schedule), check->arena)) {
        diag_add(check->diagnostics, DIAG_ERROR, NULL, 0, 0, "cannot make the inputs of the case `%s`",
                 check->judge->cases[index].name);
        return false;
    }
    return cases_write(judged, folder, check->diagnostics);
}

bool check_prepare_cases(Check *check) {
    for (unsigned schedule = 0; schedule < CHECK_SCHEDULES; schedule++) {
        check->cases[schedule] = ARENA_ARRAY(check->arena, check->judge->case_count, JudgeCase);
        if (check->cases[schedule] == NULL) return false;
        for (unsigned i = 0; i < check->judge->case_count; i++)
            if (!prepare_case(check, schedule, i)) return false;
    }
    return true;
}

/* The result lists every case and budget line from the start, so that a check that ends early shows what was
 * not run. */
bool check_name_parts(Check *check) {
    Result *result = check->result;
    result->case_count = check->judge->case_count;
    result->cases = ARENA_ARRAY(check->arena, result->case_count, CaseResult);
    for (unsigned i = 0; result->cases != NULL && i < result->case_count; i++)
        result->cases[i] = (CaseResult){.name = check->judge->cases[i].name,
                                        .verdict = CASE_NOT_RUN,
                                        .max_points = check->judge->cases[i].points,
                                        .message = "not run"};
    const BudgetList *lines = &check->lesson->manifest.budget;
    result->budget = ARENA_ARRAY(check->arena, lines->count + 1, BudgetResult);
    if (result->budget != NULL) result->budget_count = (unsigned)lines->count;
    for (unsigned i = 0; i < result->budget_count; i++)
        result->budget[i] = (BudgetResult){.what = lines->items[i].kind->name,
                                           .title = lines->items[i].kind->title,
                                           .at_most = lines->items[i].at_most.text,
                                           .why = lines->items[i].why,
                                           .case_name = "",
                                           .required = lines->items[i].required,
                                           .max_points = (int)lines->items[i].points};
    const ObjectiveList *objectives = &check->lesson->manifest.objectives;
    result->objectives = ARENA_ARRAY(check->arena, objectives->count + 1, ObjectiveResult);
    if (result->objectives != NULL) result->objective_count = (unsigned)objectives->count;
    for (unsigned i = 0; i < result->objective_count; i++)
        result->objectives[i] =
            (ObjectiveResult){.text = objectives->items[i].text, .check = objectives->items[i].check};
    return result->cases != NULL && result->budget != NULL && result->objectives != NULL;
}

/* Where there was no MPI, the driver of a lesson with ranks was not built. */
static bool has_driver(Check *check) {
    const char *driver = lessons_built(check->course, check->lesson, "driver.o", check->arena);
    if (check->lesson->manifest.ranks.text == NULL || (driver != NULL && access(driver, R_OK) == 0))
        return true;
    return advise(diag_add(check->diagnostics, DIAG_ERROR, NULL, 0, 0, "%s", plain_compile(COMPILE_NO_MPI)),
                  plain_compile(COMPILE_NO_MPI_REMEDY));
}

bool check_enter_stage(Check *check) {
    const char *build = check->course->build, *lesson = check->lesson->name;
    if (!has_driver(check)) return false;
    if (check->unlocked) return stage_enter_open(&check->stage, build, lesson, check->diagnostics);
    return stage_enter(&check->stage, build, lesson, check->diagnostics);
}

/* ---- what a program said ---- */

/* How many bytes of a path that begins here are the folder in which the student's file was compiled, as
 * __FILE__ has it: it means nothing to anybody, and outside of a sandbox it is another one each time. */
static size_t own_folder(const char *at, const char *end) {
    static const char within[] = "/w/", outside[] = "/./source/";
    if ((size_t)(end - at) > strlen(within) && memcmp(at, within, strlen(within)) == 0) return strlen(within);
    size_t length = 0;
    while (at + length < end && *at == '/' && strchr(" \"'", at[length]) == NULL)
        length++;
    const char *found = memmem(at, length, outside, strlen(outside));
    if (found != NULL) return (size_t)(found - at) + strlen(outside);
    return 0;
}

const char *check_last_line(Arena *arena, const char *said, size_t end) {
    enum { LONGEST = 200 };
    while (end > 0 && said[end - 1] == '\n')
        end--;
    size_t begin = end;
    while (begin > 0 && said[begin - 1] != '\n')
        begin--;
    if (begin == end) return NULL;
    Text line = text_new();
    begin += own_folder(said + begin, said + end);
    text_add_visible(&line, said + begin, MIN(end - begin, LONGEST));
    return arena_keep(arena, &line);
}
