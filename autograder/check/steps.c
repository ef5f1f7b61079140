/* steps.c - what judge.h offers for a case that is worked out by hand: formulas with the case's numbers put
 * in.
 *
 * A formula is written once, with letters for its indices: "x[i] + y[i]". It is shown twice: with the
 * indices, and with what the inputs hold there. Of a sum of many terms the first ones and the last are shown.
 */
#include "autograder/check/cases.h"
#include "base/diag.h"
#include "base/marks.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_STEP = 256, WIDEST_EQUATION = 80, FIRST_TERMS = 3 };

void judge_step(Text *steps, const char *format, ...) {
    char line[LONGEST_STEP];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text_format(steps, "    %s\n", line);
}

/* ---- one term ---- */

/* The input of this call whose name is the `length` letters at `name`; NULL. */
static const NpyArray *find_input(const JudgeCase *judged, const char *name, size_t length) {
    const char *folder = "";
    if (judged->files->first_call) folder = CASE_FIRST_CALL "/";
    const size_t skip = strlen(folder);
    for (const CaseInput *input = judged->files->first; input != NULL; input = input->next)
        if (strncmp(input->name, folder, skip) == 0 && strlen(input->name) == skip + length &&
            strncmp(input->name + skip, name, length) == 0)
            return &input->array;
    return NULL;
}

/* An element of an input, as learners write it. */
static void add_value(const NpyArray *array, size_t i, Text *out) {
    if (i >= array->count) BUG("a formula asks for element %zu of %zu", i, array->count);
    if (array->type == NPY_F32)
        text_format(out, "%.9g", (double)((const float *)array->data)[i]);
    else if (array->type == NPY_F64)
        text_format(out, "%.15g", ((const double *)array->data)[i]);
    else if (array->type == NPY_I32)
        text_format(out, "%d", ((const int32_t *)array->data)[i]);
    else
        text_format(out, "%u", ((const uint8_t *)array->data)[i]);
}

/* What a letter stands for in a term. */
static size_t index_of(const JudgeFormula *formula, char letter, size_t term) {
    for (size_t i = 0; i < JUDGE_MOST_PLACES && formula->places[i].letter != '\0'; i++)
        if (formula->places[i].letter == letter)
            return formula->places[i].first + term * formula->places[i].step;
    BUG("no place for the letter %c", letter);
}

/* A formula with numbers for its letters; `values`: and with the inputs' elements for their names. */
static void add_term(const JudgeCase *judged, const JudgeFormula *formula, const char *text, size_t term,
                     bool values, Text *out) {
    enum { BRACKETS = 3 }; /* [i] */
    while (*text != '\0') {
        size_t length = 0;
        while (isalnum((unsigned char)text[length]) || text[length] == '_')
            length++;
        const bool indexed = length > 0 && text[length] == '[';
        size_t index = 0;
        if (indexed) index = index_of(formula, text[length + 1], term);
        const NpyArray *input = NULL;
        if (values && length > 0) input = find_input(judged, text, length);
        if (input != NULL)
            add_value(input, index, out);
        else
            text_append(out, text, length > 0 ? length : 1);
        if (input == NULL && indexed) text_format(out, "[%zu]", index);
        text += length > 0 ? length : 1;
        if (indexed) text += BRACKETS;
    }
}

/* ---- a sum of them ---- */

static void add_terms(const JudgeCase *judged, const JudgeFormula *formula, bool values, Text *out) {
    const size_t count = formula->count, first = count <= FIRST_TERMS + 1 ? count : FIRST_TERMS;
    for (size_t term = 0; term < first; term++) {
        if (term > 0) text_add(out, " + ");
        add_term(judged, formula, formula->term, term, values, out);
    }
    if (first == count) return;
    text_add(out, " + ... + ");
    add_term(judged, formula, formula->term, count - 1, values, out);
}

/* On one line where that is not too long. What says the same as what stands before or after it is left out.
 */
static void add_equation(const char *result, const char *terms, const char *values, const char *number,
                         Text *steps) {
    const bool alike = strcmp(terms, values) == 0 || strcmp(values, number) == 0;
    if (strlen(result) + strlen(terms) + strlen(values) + strlen(number) <= WIDEST_EQUATION) {
        if (alike)
            judge_step(steps, "%s = %s = %s", result, terms, number);
        else
            judge_step(steps, "%s = %s = %s = %s", result, terms, values, number);
        return;
    }
    judge_step(steps, "%s = %s", result, terms);
    if (!alike) judge_step(steps, "  = %s", values);
    judge_step(steps, "  = %s", number);
}

void judge_step_formula(const JudgeCase *judged, const JudgeFormula *formula, double result, Text *steps) {
    Text left = text_new(), terms = text_new(), values = text_new(), number = text_new();
    add_term(judged, formula, formula->result, 0, false, &left);
    add_terms(judged, formula, false, &terms);
    add_terms(judged, formula, true, &values);
    text_format(&number, "%.9g", result);
    add_equation(left.bytes, terms.bytes, values.bytes, number.bytes, steps);
    text_free(&left);
    text_free(&terms);
    text_free(&values);
    text_free(&number);
}

void judge_step_element(const JudgeCase *judged, const char *result, const char *term, size_t index,
                        double value, Text *steps) {
    const JudgeFormula formula = {
        .result = result, .term = term, .count = 1, .places = {{.letter = 'i', .first = index}}};
    judge_step_formula(judged, &formula, value, steps);
}
