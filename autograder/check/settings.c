/* settings.c - works out a manifest's expressions for a case; see settings.h. */
#include "autograder/check/settings.h"

#include "autograder/course/expression.h"

#include <string.h>

static bool is_name(const char *name, const char *text, size_t length) {
    return strlen(name) == length && strncmp(name, text, length) == 0;
}

/* The names of an expression in lesson.yaml: whole numbers among the case's inputs, n, and threads where the
 * case has them. */
static bool look_up(void *self, const char *name, size_t length, int64_t *value) {
    const JudgeCase *judged = self;
    for (const CaseInput *input = judged->files->first; input != NULL; input = input->next) {
        if (input->array.type != NPY_I32 || input->array.count != 1 || !is_name(input->name, name, length))
            continue;
        *value = *(const int32_t *)input->array.data;
        return true;
    }
    if (is_name("n", name, length)) *value = judged->spec->n;
    if (is_name("threads", name, length)) *value = judged->spec->threads;
    return is_name("n", name, length) || (is_name("threads", name, length) && judged->spec->threads > 0);
}

static Diagnostic *complain(const Check *check, const Expression *expression, size_t offset, const char *what,
                            const char *message) {
    const char *path = arena_format(check->arena, "%s/lesson.yaml", check->lesson->folder);
    return diag_add(check->diagnostics, DIAG_ERROR, path, expression->line, expression->column + (int)offset,
                    "%s `%s`: %s", what, expression->text, message);
}

bool settings_work_out(const Check *check, const Expression *expression, unsigned case_index,
                       const char *what, int64_t *value) {
    ExpressionError error;
    if (expression_evaluate(expression->text, look_up, &check->cases[0][case_index], check->arena, value,
                            &error))
        return true;
    return advise(complain(check, expression, error.offset, what, error.message),
                  "parameters are n, threads, and the whole numbers that judge.c gives the case");
}

/* Without an expression it is `usual`. */
static bool read_setting(const Check *check, const Expression *expression, unsigned case_index,
                         const char *name, int64_t usual, int64_t low, int64_t high, int64_t *value) {
    *value = usual;
    if (expression->text == NULL) return true;
    const char *what = arena_format(check->arena, "`%s` is", name);
    if (what == NULL) what = name;
    if (!settings_work_out(check, expression, case_index, what, value)) return false;
    if (*value >= low && *value <= high) return true;
    const char *message = arena_format(
        check->arena, "that is %lld in the case \"%s\", and may be from %lld to %lld", (long long)*value,
        check->judge->cases[case_index].name, (long long)low, (long long)high);
    complain(check, expression, 0, what, text_or(message, "out of its range"));
    return false;
}

/* How many devices and ranks each case has, worked out from its inputs. */
bool settings_read(Check *check) {
    enum { MOST_DEVICES = 8 };
    const Manifest *manifest = &check->lesson->manifest;
    check->settings = ARENA_ARRAY(check->arena, check->judge->case_count + 1, CaseSettings);
    for (unsigned i = 0; check->settings != NULL && i < check->judge->case_count; i++) {
        CaseSettings *settings = &check->settings[i];
        if (!read_setting(check, &manifest->devices, i, "devices", 1, 1, MOST_DEVICES, &settings->devices))
            return false;
        if (!read_setting(check, &manifest->ranks, i, "ranks", 0, 0, CHECK_MOST_RANKS, &settings->ranks))
            return false;
    }
    return check->settings != NULL;
}

bool settings_agree(const Check *check, unsigned case_index, unsigned other_index) {
    const CaseSettings *one = &check->settings[case_index], *other = &check->settings[other_index];
    return one->devices == other->devices && (one->ranks == 0) == (other->ranks == 0);
}
