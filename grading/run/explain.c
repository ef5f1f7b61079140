/* explain.c - what a grade was made from; see explain.h.
 *
 * A result depends on the file, the seed, the lesson and the tools, and on nothing else: where these are the
 * same, the command that is printed comes to the same. Inputs are shown of a visible case alone: those of a
 * hidden one would be told to whoever this is forwarded to.
 */
#include "grading/run/explain.h"

#include "autograder/check/cases.h"
#include "autograder/check/seeds.h"
#include "base/json.h"
#include "grading/book/judged.h"
#include "grading/book/table.h"
#include "grading/run/revision.h"

#include <string.h>

/* A grade being explained. */
typedef struct Explaining {
    Session *session;
    Desk *desk;
    const ExplainOrder *order;
    const Grade *grade;
    const ClassStudent *student;
    const Lesson *lesson;
    BookRun run;
} Explaining;

/* ---- a case ---- */

static void add_value(const NpyArray *array, size_t at, Text *out) {
    switch (array->type) {
    case NPY_F32:
        text_format(out, "%.9g", (double)((const float *)array->data)[at]);
        return;
    case NPY_F64:
        text_format(out, "%.17g", ((const double *)array->data)[at]);
        return;
    case NPY_I32:
        text_format(out, "%d", ((const int32_t *)array->data)[at]);
        return;
    case NPY_I64:
        text_format(out, "%lld", (long long)((const int64_t *)array->data)[at]);
        return;
    case NPY_U8:
        text_format(out, "%u", ((const uint8_t *)array->data)[at]);
        return;
    case NPY_U32:
        text_format(out, "%u", ((const uint32_t *)array->data)[at]);
        return;
    }
}

static const char *type_name(NpyType type) {
    static const char *const names[] = {[NPY_F32] = "float",   [NPY_F64] = "double", [NPY_I32] = "int",
                                        [NPY_I64] = "int64_t", [NPY_U8] = "byte",    [NPY_U32] = "unsigned"};
    return names[type];
}

/* "x: 33 of float: 0.5 -1.25 ..." */
static void add_input(const CaseInput *input, Text *out) {
    enum { SHOWN = 8 };
    const NpyArray *array = &input->array;
    text_format(out, "    %s, ", input->name);
    text_number(out, array->count);
    text_format(out, " of %s:", type_name(array->type));
    for (size_t i = 0; i < array->count && i < SHOWN; i++) {
        text_add(out, " ");
        add_value(array, i, out);
    }
    text_add(out, array->count > SHOWN ? " ...\n" : "\n");
}

static const char *verdict_of(const Explaining *explaining, const char *name) {
    JSON_EACH(entry, json_array(explaining->run.result, "cases"))
        if (strcmp(json_text(entry, "name", ""), name) == 0) return json_text(entry, "verdict", "?");
    return "?";
}

/* The first visible case that failed; of a program that is right in all of them, the first. */
static unsigned choose_case(const Explaining *explaining, const Judge *judge) {
    for (unsigned i = 0; i < judge->case_count; i++)
        if (judge->cases[i].concept == NULL &&
            strcmp(verdict_of(explaining, judge->cases[i].name), "pass") != 0)
            return i;
    return 0;
}

static bool add_case(const Explaining *explaining, Text *out) {
    Arena *arena = explaining->session->arena;
    const Judge *all = judges_find(explaining->session->judges, explaining->lesson->name);
    const Judge *judge = NULL;
    if (all != NULL) judge = judges_without_hidden(all, arena);
    const Seeds seeds = seeds_secret(explaining->run.key.seed);
    JudgeCase judged;
    if (judge == NULL || judge->case_count == 0) return true;
    const unsigned index = choose_case(explaining, judge);
    if (!cases_prepare(&judged, judge, index, seeds_of_case(&seeds, index, 0), arena)) return false;
    text_format(out, "a visible case: %s (%s); its inputs in the first of two runs:\n", judged.spec->name,
                verdict_of(explaining, judged.spec->name));
    for (const CaseInput *input = judged.files->first; input != NULL; input = input->next)
        add_input(input, out);
    return true;
}

/* ---- the command ---- */

/* As a shell reads it. */
static void add_word(const char *word, Text *out) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_@./+,:";
    text_add(out, " ");
    if (*word != '\0' && strspn(word, plain) == strlen(word)) {
        text_add(out, word);
        return;
    }
    text_add(out, "'");
    for (const char *at = word; *at != '\0'; at++)
        if (*at == '\'')
            text_add(out, "'\\''");
        else
            text_append(out, at, 1);
    text_add(out, "'");
}

static void add_command(const Explaining *explaining, Text *out) {
    const char *file = arena_format(explaining->session->arena, "%s.cu", explaining->lesson->name);
    if (explaining->order->output != NULL) file = explaining->order->output;
    text_add(out, "to repeat it:\n");
    if (explaining->order->output == NULL) {
        text_add(out, "    warpschool grade --explain");
        add_word(explaining->order->student, out);
        add_word(explaining->order->lesson, out);
        if (strcmp(explaining->desk->gradebook, GRADEBOOK_USUAL) != 0) {
            text_add(out, " --gradebook");
            add_word(explaining->desk->gradebook, out);
        }
        text_add(out, " --output");
        add_word(file, out);
        text_add(out, "\n");
    }
    text_format(out, "    warpschool check %.2s", explaining->lesson->name);
    add_word(file, out);
    text_format(out, " --grade --seed %ld\n", explaining->run.key.seed);
}

/* Another lesson or other tools may come to another result. */
static bool add_versions(const Explaining *explaining, Text *out) {
    Diagnostics *diagnostics = &explaining->session->diagnostics;
    Arena *arena = explaining->session->arena;
    const BookKey *key = &explaining->run.key;
    const char *lesson =
        revision_of_lesson(&explaining->desk->course, explaining->lesson, arena, diagnostics);
    const char *tools = revision_of_tools(&explaining->desk->course, arena, diagnostics);
    if (lesson == NULL || tools == NULL) return false;
    const bool same = strcmp(tools, key->versions) == 0, unchanged = strcmp(lesson, key->revision) == 0;
    text_format(out, "tools:  %s%s\n", key->versions, same ? "" : " (today others)");
    text_format(out, "lesson: revision %s%s\n", key->revision, unchanged ? "" : " (it has changed since)");
    if (!same || !unchanged) text_add(out, "        the command below may come to another result\n");
    return true;
}

/* ---- the whole ---- */

static bool write_source(const Explaining *explaining, const char *path) {
    Text source = text_new();
    return gradebook_read_source(explaining->desk->book, explaining->run.key.hash, &source,
                                 &explaining->session->diagnostics) &&
           commands_write_file(explaining->session, path, &source, "cannot write the program");
}

static bool add_explanation(const Explaining *explaining, Text *out) {
    const Grade *grade = explaining->grade;
    table_who(explaining->student, out);
    text_format(out, ", %s: %d of %d as judged on ", explaining->lesson->name, grade->score,
                grade->max_score);
    table_time(explaining->run.decided, out);
    text_add(out, "\nfile:   ");
    table_words(grade->path, out);
    text_format(out, ", SHA-256 %s\nseed:   %ld (a secret: the hidden inputs are made from it)\n",
                explaining->run.key.hash, explaining->run.key.seed);
    if (!add_versions(explaining, out) || !add_case(explaining, out)) return false;
    add_command(explaining, out);
    return true;
}

static bool find_grade(Explaining *explaining) {
    Desk *desk = explaining->desk;
    Session *session = explaining->session;
    size_t student = 0, lesson = 0;
    if (!desk_open(desk, session, GRADEBOOK_READ) ||
        !desk_read_grade(desk, session, explaining->order->student, explaining->order->lesson, &student,
                         &lesson))
        return false;
    explaining->student = &desk->class.students[student];
    explaining->grade = class_grade(&desk->class, student, lesson);
    explaining->lesson = lessons_find(&desk->course, desk->class.lessons[lesson].name, &session->diagnostics);
    if (explaining->lesson == NULL) return false;
    if (explaining->grade->state == GRADE_DECIDED)
        return judged_read(desk->book, session->arena, explaining->grade->attempt, &explaining->run,
                           &session->diagnostics);
    return advise(
        diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "no file was judged for this grade"),
        "`warpschool gradebook --student ID` says what there is");
}

int explain_grade(Session *session, Desk *desk, const ExplainOrder *order) {
    Explaining explaining = {.session = session, .desk = desk, .order = order};
    Text out = text_new();
    const bool fine = find_grade(&explaining) && add_explanation(&explaining, &out) &&
                      (order->output == NULL || write_source(&explaining, order->output));
    json_object_put(explaining.run.result);
    if (fine)
        commands_print(&out);
    else
        text_free(&out);
    if (fine) return EXIT_FINE;
    return diag_status(&session->diagnostics);
}
