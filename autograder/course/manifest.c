/* manifest.c - lesson.yaml into a Manifest; see manifest.h.
 *
 * The keys are rows of the tables below (fields.h); what only a manifest has is read by the functions here.
 */
#include "autograder/course/manifest.h"

#include "autograder/course/budget_kinds.h"
#include "autograder/course/expression.h"
#include "autograder/course/fields.h"
#include "autograder/course/uses.h"
#include "base/finding.h"

#include <stdlib.h>
#include <string.h>

static FieldRead read_finding, read_objectives, read_uses, read_expression_field, read_hints_about,
    read_budget;

#define AT(fields_member) offsetof(Manifest, fields_member)
static const Field minutes_fields[] = {
    {"read", fields_read_number, true, AT(minutes_read), 1, 240, NULL},
    {"do", fields_read_number, true, AT(minutes_do), 1, 600, NULL},
    {.key = NULL},
};
static const Field points_fields[] = {
    {"clean", fields_read_number, true, AT(points_clean), 0, 1000, NULL},
    {.key = NULL},
};
static const Field limits_fields[] = {
    {"seconds", fields_read_number, false, AT(limit_seconds), 1, 600, NULL},
    {"memory_mib", fields_read_number, false, AT(limit_memory_mib), 16, 65536, NULL},
    {"output_kib", fields_read_number, false, AT(limit_output_kib), 1, 65536, NULL},
    {"million_steps", fields_read_number, false, AT(limit_million_steps), 1, 100000, NULL},
    {.key = NULL},
};
static const Field manifest_fields[] = {
    {"title", fields_read_text, true, AT(title), 0, 0, NULL},
    {"author", fields_read_text, false, AT(author), 0, 0, NULL},
    {"core", fields_read_flag, false, AT(core), 0, 0, NULL},
    {"needs", fields_read_texts, false, AT(needs), 0, 0, NULL},
    {"minutes", fields_read_group, true, 0, 0, 0, minutes_fields},
    {"summary", fields_read_text, true, AT(summary), 0, 0, NULL},
    {"objectives", read_objectives, true, AT(objectives), 0, 0, NULL},
    {"starter_fails", read_finding, true, AT(starter_fails), 0, 0, NULL},
    {"points", fields_read_group, true, 0, 0, 0, points_fields},
    {"limits", fields_read_group, false, 0, 0, 0, limits_fields},
    {"budget", read_budget, false, AT(budget), 0, 0, NULL},
    {"cuda", fields_read_number, false, AT(cuda), 11, 13, NULL},
    {"card", fields_read_text, false, AT(card), 0, 0, NULL},
    {"devices", read_expression_field, false, AT(devices), 0, 0, NULL},
    {"ranks", read_expression_field, false, AT(ranks), 0, 0, NULL},
    {"must_launch", fields_read_flag, false, AT(must_launch), 0, 0, NULL},
    {"clean_cases", fields_read_flag, false, AT(clean_cases), 0, 0, NULL},
    {"host_finishes", fields_read_flag, false, AT(host_finishes), 0, 0, NULL},
    {"reads_nothing", fields_read_flag, false, AT(reads_nothing), 0, 0, NULL},
    {"must_use", read_uses, false, AT(must_use), 0, 0, NULL},
    {"same_templates", fields_read_texts, false, AT(same_templates), 0, 0, NULL},
    {"reserved", fields_read_texts, false, AT(reserved), 0, 0, NULL},
    {"hints", fields_read_texts, true, AT(hints), 0, 0, NULL},
    {"hints_about", read_hints_about, false, AT(hints_about), 0, 0, NULL},
    {.key = NULL},
};

static void read_finding(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    fields_read_text(reader, field, node);
    const char *name = *(const char **)fields_member(reader, field);
    if (name == NULL || finding_by_name(name) != FINDING_KIND_COUNT) return;
    advise(fields_complain(reader, node, "`%s` must be the name of a finding", field->key),
           "the names: warpgrind explain");
}

static void read_uses(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    fields_read_texts(reader, field, node);
    if (node->type != YAML_SEQUENCE_NODE) return;
    for (size_t i = 0; i < fields_count(node); i++) {
        const yaml_node_t *item = fields_item(reader, node, i);
        const char *text = fields_text(reader, item);
        if (text != NULL && uses_find(text) == NULL)
            fields_complain(reader, item, "`%s` does not know `%s`: see autograder/uses.def", field->key,
                            text);
    }
}

/* Only the form can be checked here: the parameters are the case's. */
static void read_expression(FieldReader *reader, const char *key, const yaml_node_t *node,
                            Expression *expression) {
    *expression = (Expression){.text = fields_text(reader, node)};
    if (node == NULL) return;
    if (expression->text == NULL) {
        fields_complain(reader, node, "`%s` must be a number, or an expression of the case's parameters",
                        key);
        return;
    }
    bool quoted = node->data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE ||
                  node->data.scalar.style == YAML_SINGLE_QUOTED_SCALAR_STYLE;
    expression->line = (int)node->start_mark.line + 1;
    expression->column = (int)node->start_mark.column + 1 + quoted;
    ExpressionError error;
    int64_t value;
    if (expression_evaluate(expression->text, NULL, NULL, reader->arena, &value, &error)) return;
    diag_add(reader->diagnostics, DIAG_ERROR, reader->path, expression->line,
             expression->column + (int)error.offset, "`%s`: %s", key, error.message);
}

static void read_expression_field(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    read_expression(reader, field->key, node, fields_member(reader, field));
}

static bool is_check(const char *check) {
    return text_starts_with(check, "case: ") || text_starts_with(check, OBJECTIVE_BUDGET) ||
           finding_by_name(check) != FINDING_KIND_COUNT;
}

/* An objective is a text and what checks it: a kind of finding, a case, or a line of the budget. */
static void read_objectives(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    if (node->type != YAML_SEQUENCE_NODE || fields_count(node) == 0) {
        fields_complain(reader, node, "`%s` must be a list", field->key);
        return;
    }
    ObjectiveList *list = fields_member(reader, field);
    list->items = ARENA_ARRAY(reader->arena, fields_count(node), Objective);
    for (size_t i = 0; list->items != NULL && i < fields_count(node); i++) {
        const yaml_node_t *item = fields_item(reader, node, i);
        Objective objective = {fields_text(reader, fields_get(reader, item, "text")),
                               fields_text(reader, fields_get(reader, item, "check")),
                               (int)item->start_mark.line + 1, (int)item->start_mark.column + 1};
        if (objective.text == NULL || objective.check == NULL || !is_check(objective.check)) {
            advise(fields_complain(reader, item, "each entry of `%s` needs a text and a check", field->key),
                   "check is the name of a finding, \"case: NAME\" or \"budget: NAME\"");
            continue;
        }
        list->items[list->count++] = objective;
    }
}

/* `kind: text` lines. */
static void read_hints_about(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    if (node->type != YAML_MAPPING_NODE) {
        fields_complain(reader, node, "`%s` must be `kind: text` lines", field->key);
        return;
    }
    HintAboutList *list = fields_member(reader, field);
    yaml_node_pair_t *first = node->data.mapping.pairs.start, *end = node->data.mapping.pairs.top;
    list->items = ARENA_ARRAY(reader->arena, (size_t)(end - first) + 1, HintAbout);
    for (yaml_node_pair_t *pair = first; list->items != NULL && pair < end; pair++) {
        const yaml_node_t *key = yaml_document_get_node(reader->document, pair->key);
        const yaml_node_t *value = yaml_document_get_node(reader->document, pair->value);
        HintAbout hint = {fields_text(reader, key), fields_text(reader, value)};
        if (hint.kind == NULL || finding_by_name(hint.kind) == FINDING_KIND_COUNT) {
            advise(fields_complain(reader, key, "`%s` is not a kind of finding", text_or(hint.kind, "?")),
                   "the names: warpgrind explain");
        } else if (hint.text == NULL || *hint.text == '\0') {
            fields_complain(reader, value, "the hint about `%s` must be a text", hint.kind);
        } else {
            list->items[list->count++] = hint;
        }
    }
}

/* ---- budget ---- */

static const Field budget_fields[] = {
    {.key = "what"}, {.key = "at_most"},   {.key = "points"}, {.key = "required"},
    {.key = "why"},  {.key = "reference"}, {.key = "case"},   {.key = NULL},
};

static const char *known_budgets(const FieldReader *reader) {
    Text names = text_new();
    text_add(&names, "there are:");
    const char *name;
    for (size_t i = 0; (name = budget_kinds_name(i)) != NULL; i++)
        text_format(&names, " %s", name);
    return arena_keep(reader->arena, &names);
}

static void read_case(const FieldReader *reader, const yaml_node_t *node, Expression *where) {
    if (node == NULL) return;
    *where = (Expression){fields_text(reader, node), (int)node->start_mark.line + 1,
                          (int)node->start_mark.column + 1};
    if (where->text == NULL) fields_complain(reader, node, "`case` must be the name of a case");
}

/* One line of `budget`. All keys are read even when one is wrong, so that one run shows all faults of a line.
 * */
static bool read_budget_line(FieldReader *reader, const yaml_node_t *node, BudgetLine *line) {
    enum { MOST_POINTS = 1000 };
    if (node->type != YAML_MAPPING_NODE) {
        fields_complain(reader, node, "each entry of `budget` must be `key: value` pairs");
        return false;
    }
    fields_check_keys(reader, budget_fields, node);
    const char *what = fields_text(reader, fields_get(reader, node, "what"));
    line->kind = what != NULL ? budget_kinds_find(what) : NULL;
    if (line->kind == NULL) {
        advise(fields_complain(reader, node, "`budget` does not know `%s`", text_or(what, "")),
               known_budgets(reader));
    }
    read_expression(reader, "at_most", fields_get(reader, node, "at_most"), &line->at_most);
    read_case(reader, fields_get(reader, node, "case"), &line->where);
    line->why = fields_text(reader, fields_get(reader, node, "why"));
    if (line->at_most.text == NULL || line->why == NULL)
        fields_complain(reader, node, "each entry of `budget` needs `what`, `at_most` and `why`");
    const char *reference = fields_text(reader, fields_get(reader, node, "reference"));
    char *end = NULL;
    line->reference = reference != NULL ? strtol(reference, &end, 10) : -1;
    if (reference != NULL && (end == reference || *end != '\0' || line->reference < 0))
        fields_complain(reader, node, "`reference` must be a whole number");
    const char *points = fields_text(reader, fields_get(reader, node, "points"));
    const char *required = fields_text(reader, fields_get(reader, node, "required"));
    line->required = required != NULL && strcmp(required, "true") == 0;
    line->points = points != NULL ? strtol(points, NULL, 10) : 0;
    bool fine = line->points >= 0 && line->points <= MOST_POINTS &&
                (points == NULL || strspn(points, "0123456789") == strlen(points));
    if (!fine)
        fields_complain(reader, node, "`points` must be a whole number from 0 to %d", (int)MOST_POINTS);
    if (required != NULL && !line->required && strcmp(required, "false") != 0)
        fields_complain(reader, node, "`required` must be true or false");
    if (fine && !line->required && line->points == 0)
        advise(fields_complain(reader, node, "this entry of `budget` decides nothing"),
               "what is over a line costs its `points`, or the verdict with `required: true`");
    return line->kind != NULL && line->at_most.text != NULL && line->why != NULL;
}

static void read_budget(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    if (node->type != YAML_SEQUENCE_NODE) {
        fields_complain(reader, node, "`%s` must be a list", field->key);
        return;
    }
    BudgetList *list = fields_member(reader, field);
    list->items = ARENA_ARRAY(reader->arena, fields_count(node) + 1, BudgetLine);
    for (size_t i = 0; list->items != NULL && i < fields_count(node); i++)
        list->count += read_budget_line(reader, fields_item(reader, node, i), &list->items[list->count]);
}

static bool has_line(const BudgetList *budget, const char *name) {
    for (size_t i = 0; i < budget->count; i++)
        if (strcmp(budget->items[i].kind->name, name) == 0) return true;
    return false;
}

/* An objective may name no line that the budget has not. */
static bool check_objectives(const FieldReader *reader, const Manifest *manifest) {
    bool fine = true;
    for (size_t i = 0; i < manifest->objectives.count; i++) {
        const Objective *objective = &manifest->objectives.items[i];
        if (!text_starts_with(objective->check, OBJECTIVE_BUDGET)) continue;
        const char *name = objective->check + strlen(OBJECTIVE_BUDGET);
        if (has_line(&manifest->budget, name)) continue;
        fine = false;
        diag_add(reader->diagnostics, DIAG_ERROR, reader->path, objective->line, objective->column,
                 "`objectives`: `budget` has no line `%s`", name);
    }
    return fine;
}

/* Where a complaint says nothing of its own, the form of a manifest does. */
static void add_remedies(const FieldReader *reader) {
    for (Diagnostic *said = reader->diagnostics->first; said != NULL; said = said->next)
        if (said->file != NULL && strcmp(said->file, reader->path) == 0 && said->line > 0 &&
            said->remedy == NULL)
            said->remedy = "docs/manifest.md shows each key with an example";
}

bool manifest_read(Manifest *manifest, Arena *arena, const char *path, Diagnostics *diagnostics) {
    enum { LARGEST_MANIFEST = 1 << 18 };
    *manifest = (Manifest){
        .limit_seconds = 10, .limit_memory_mib = 512, .limit_output_kib = 256, .limit_million_steps = 20};
    FieldReader reader = {.target = manifest, .arena = arena, .path = path, .diagnostics = diagnostics};
    bool fine = fields_read_file(&reader, manifest_fields, "manifest", LARGEST_MANIFEST);
    fine = check_objectives(&reader, manifest) && fine;
    add_remedies(&reader);
    return fine;
}
