/* manifest.c - lesson.yaml through libyaml's document tree into a Manifest; see manifest.h.
 *
 * The keys are rows of the tables below; one function per kind of value reads a row. Problems do not stop the
 * reading, so that an author sees all of them at once.
 */
#include "autograder/manifest.h"

#include "autograder/budget.h"
#include "autograder/expression.h"
#include "autograder/origin.h"
#include "base/finding.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

typedef enum FieldKind {
    FIELD_TEXT,
    FIELD_FLAG,
    FIELD_NUMBER,
    FIELD_TEXTS,
    FIELD_OBJECTIVES,
    FIELD_BUDGET,
    FIELD_HINTS_ABOUT,
    FIELD_EXPRESSION,
    FIELD_GROUP,
    FIELD_FINDING
} FieldKind;

typedef struct Field {
    const char *key;
    FieldKind kind;
    bool required;
    size_t offset;  /* into Manifest; 0 for groups */
    long low, high; /* of numbers */
    const struct Field *group;
} Field;

#define AT(member) offsetof(Manifest, member)
static const Field minutes_fields[] = {
    {"read", FIELD_NUMBER, true, AT(minutes_read), 1, 240, NULL},
    {"do", FIELD_NUMBER, true, AT(minutes_do), 1, 600, NULL},
    {.key = NULL},
};
static const Field points_fields[] = {
    {"clean", FIELD_NUMBER, true, AT(points_clean), 0, 1000, NULL},
    {.key = NULL},
};
static const Field limits_fields[] = {
    {"seconds", FIELD_NUMBER, false, AT(limit_seconds), 1, 600, NULL},
    {"memory_mib", FIELD_NUMBER, false, AT(limit_memory_mib), 16, 65536, NULL},
    {"output_kib", FIELD_NUMBER, false, AT(limit_output_kib), 1, 65536, NULL},
    {"million_steps", FIELD_NUMBER, false, AT(limit_million_steps), 1, 100000, NULL},
    {.key = NULL},
};
static const Field manifest_fields[] = {
    {"title", FIELD_TEXT, true, AT(title), 0, 0, NULL},
    {"core", FIELD_FLAG, false, AT(core), 0, 0, NULL},
    {"needs", FIELD_TEXTS, false, AT(needs), 0, 0, NULL},
    {"minutes", FIELD_GROUP, true, 0, 0, 0, minutes_fields},
    {"summary", FIELD_TEXT, true, AT(summary), 0, 0, NULL},
    {"objectives", FIELD_OBJECTIVES, true, AT(objectives), 0, 0, NULL},
    {"starter_fails", FIELD_FINDING, true, AT(starter_fails), 0, 0, NULL},
    {"points", FIELD_GROUP, true, 0, 0, 0, points_fields},
    {"limits", FIELD_GROUP, false, 0, 0, 0, limits_fields},
    {"budget", FIELD_BUDGET, false, AT(budget), 0, 0, NULL},
    {"devices", FIELD_EXPRESSION, false, AT(devices), 0, 0, NULL},
    {"ranks", FIELD_EXPRESSION, false, AT(ranks), 0, 0, NULL},
    {"must_launch", FIELD_FLAG, false, AT(must_launch), 0, 0, NULL},
    {"host_finishes", FIELD_FLAG, false, AT(host_finishes), 0, 0, NULL},
    {"reads_nothing", FIELD_FLAG, false, AT(reads_nothing), 0, 0, NULL},
    {"must_use", FIELD_TEXTS, false, AT(must_use), 0, 0, NULL},
    {"same_templates", FIELD_TEXTS, false, AT(same_templates), 0, 0, NULL},
    {"reserved", FIELD_TEXTS, false, AT(reserved), 0, 0, NULL},
    {"hints", FIELD_TEXTS, true, AT(hints), 0, 0, NULL},
    {"hints_about", FIELD_HINTS_ABOUT, false, AT(hints_about), 0, 0, NULL},
    {.key = NULL},
};

typedef struct Reader {
    yaml_document_t *document;
    Manifest *manifest;
    Arena *arena;
    const char *path;
    Diagnostics *diagnostics;
} Reader;

__attribute__((format(printf, 3, 4))) static Diagnostic *
complain(const Reader *reader, const yaml_node_t *node, const char *problem, ...) {
    va_list arguments;
    va_start(arguments, problem);
    const char *text = arena_vformat(reader->arena, problem, arguments);
    va_end(arguments);
    yaml_mark_t mark = node->start_mark;
    return diag_add(reader->diagnostics, DIAG_ERROR, reader->path, (int)mark.line + 1, (int)mark.column + 1,
                    "%s", text ? text : "out of memory");
}

static void *member(const Reader *reader, const Field *field) {
    return (char *)reader->manifest + field->offset;
}

static const char *scalar_text(const Reader *reader, const yaml_node_t *node) {
    if (node == NULL || node->type != YAML_SCALAR_NODE) return NULL;
    return arena_copy(reader->arena, (const char *)node->data.scalar.value, node->data.scalar.length);
}

static void read_text(Reader *reader, const Field *field, const yaml_node_t *node) {
    const char *text = scalar_text(reader, node);
    if (text == NULL || *text == '\0')
        complain(reader, node, "`%s` must be a text", field->key);
    else
        *(const char **)member(reader, field) = text;
}

static void read_finding(Reader *reader, const Field *field, const yaml_node_t *node) {
    read_text(reader, field, node);
    const char *name = *(const char **)member(reader, field);
    if (name == NULL || finding_by_name(name) != FINDING_KIND_COUNT) return;
    Diagnostic *added = complain(reader, node, "`%s` must be the name of a finding", field->key);
    if (added != NULL) added->remedy = "the names: warpgrind explain";
}

static void read_flag(Reader *reader, const Field *field, const yaml_node_t *node) {
    const char *text = scalar_text(reader, node);
    bool yes = text != NULL && strcmp(text, "true") == 0;
    if (!yes && (text == NULL || strcmp(text, "false") != 0))
        complain(reader, node, "`%s` must be true or false", field->key);
    *(bool *)member(reader, field) = yes;
}

static void read_number(Reader *reader, const Field *field, const yaml_node_t *node) {
    const char *text = scalar_text(reader, node);
    char *end = NULL;
    errno = 0;
    long value = text ? strtol(text, &end, 10) : 0;
    if (text == NULL || end == text || *end != '\0' || errno != 0 || value < field->low ||
        value > field->high) {
        Diagnostic *added = complain(reader, node, "`%s` must be a whole number in its range", field->key);
        if (added != NULL)
            added->remedy =
                arena_format(reader->arena, "give a number from %ld to %ld", field->low, field->high);
        return;
    }
    *(long *)member(reader, field) = value;
}

static size_t sequence_length(const yaml_node_t *node) {
    return (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
}

static yaml_node_t *sequence_item(const Reader *reader, const yaml_node_t *node, size_t i) {
    return yaml_document_get_node(reader->document, node->data.sequence.items.start[i]);
}

static void read_texts(Reader *reader, const Field *field, const yaml_node_t *node) {
    if (node->type != YAML_SEQUENCE_NODE || (field->required && sequence_length(node) == 0)) {
        complain(reader, node, "`%s` must be a list of texts", field->key);
        return;
    }
    TextList *list = member(reader, field);
    size_t count = sequence_length(node);
    list->items = ARENA_ARRAY(reader->arena, count + 1, const char *);
    for (size_t i = 0; list->items != NULL && i < count; i++) {
        const yaml_node_t *item = sequence_item(reader, node, i);
        const char *text = scalar_text(reader, item);
        if (text == NULL)
            complain(reader, item, "each entry of `%s` must be a text", field->key);
        else if (field->offset == AT(must_use) && origin_find_use(text) == NULL)
            complain(reader, item, "`%s` does not know `%s`: see autograder/uses.def", field->key, text);
        else
            list->items[list->count++] = text;
    }
}

/* Only the form can be checked here: the parameters are the case's. */
static void read_expression(Reader *reader, const char *key, const yaml_node_t *node,
                            Expression *expression) {
    *expression = (Expression){.text = scalar_text(reader, node)};
    if (node == NULL) return;
    if (expression->text == NULL) {
        complain(reader, node, "`%s` must be a number, or an expression of the case's parameters", key);
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

static const yaml_node_t *mapping_get(const Reader *reader, const yaml_node_t *node, const char *key) {
    if (node->type != YAML_MAPPING_NODE) return NULL;
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top;
         pair++) {
        const yaml_node_t *name = yaml_document_get_node(reader->document, pair->key);
        if (name->type == YAML_SCALAR_NODE && strcmp((const char *)name->data.scalar.value, key) == 0)
            return yaml_document_get_node(reader->document, pair->value);
    }
    return NULL;
}

static bool is_check(const char *check) {
    return text_starts_with(check, "case: ") || finding_by_name(check) != FINDING_KIND_COUNT;
}

static void read_objectives(Reader *reader, const Field *field, const yaml_node_t *node) {
    if (node->type != YAML_SEQUENCE_NODE || sequence_length(node) == 0) {
        complain(reader, node, "`%s` must be a list", field->key);
        return;
    }
    ObjectiveList *list = member(reader, field);
    list->items = ARENA_ARRAY(reader->arena, sequence_length(node), Objective);
    for (size_t i = 0; list->items != NULL && i < sequence_length(node); i++) {
        const yaml_node_t *item = sequence_item(reader, node, i);
        Objective objective = {scalar_text(reader, mapping_get(reader, item, "text")),
                               scalar_text(reader, mapping_get(reader, item, "check"))};
        if (objective.text == NULL || objective.check == NULL || !is_check(objective.check)) {
            Diagnostic *added =
                complain(reader, item, "each entry of `%s` needs a text and a check", field->key);
            if (added != NULL) added->remedy = "check is the name of a finding, or \"case: NAME\"";
            continue;
        }
        list->items[list->count++] = objective;
    }
}

/* `kind: text` lines. */
static void read_hints_about(Reader *reader, const Field *field, const yaml_node_t *node) {
    if (node->type != YAML_MAPPING_NODE) {
        complain(reader, node, "`%s` must be `kind: text` lines", field->key);
        return;
    }
    HintAboutList *list = member(reader, field);
    yaml_node_pair_t *first = node->data.mapping.pairs.start, *end = node->data.mapping.pairs.top;
    list->items = ARENA_ARRAY(reader->arena, (size_t)(end - first) + 1, HintAbout);
    for (yaml_node_pair_t *pair = first; list->items != NULL && pair < end; pair++) {
        const yaml_node_t *key = yaml_document_get_node(reader->document, pair->key);
        const yaml_node_t *value = yaml_document_get_node(reader->document, pair->value);
        HintAbout hint = {scalar_text(reader, key), scalar_text(reader, value)};
        if (hint.kind == NULL || finding_by_name(hint.kind) == FINDING_KIND_COUNT) {
            Diagnostic *added =
                complain(reader, key, "`%s` is not a kind of finding", hint.kind ? hint.kind : "?");
            if (added != NULL) added->remedy = "the names: warpgrind explain";
        } else if (hint.text == NULL || *hint.text == '\0') {
            complain(reader, value, "the hint about `%s` must be a text", hint.kind);
        } else {
            list->items[list->count++] = hint;
        }
    }
}

static void check_keys(const Reader *reader, const Field *fields, const yaml_node_t *node);

/* ---- budget ---- */

static const Field budget_fields[] = {
    {.key = "what"}, {.key = "at_most"},   {.key = "points"}, {.key = "required"},
    {.key = "why"},  {.key = "reference"}, {.key = "case"},   {.key = NULL},
};

static const char *known_budgets(const Reader *reader) {
    Text names;
    text_init(&names);
    text_add(&names, "there are:");
    const char *name;
    for (size_t i = 0; (name = budget_name(i)) != NULL; i++)
        text_format(&names, " %s", name);
    const char *copy = arena_copy(reader->arena, names.bytes, names.length);
    text_free(&names);
    return copy;
}

static void read_case(const Reader *reader, const yaml_node_t *node, Expression *where) {
    if (node == NULL) return;
    *where = (Expression){scalar_text(reader, node), (int)node->start_mark.line + 1,
                          (int)node->start_mark.column + 1};
    if (where->text == NULL) complain(reader, node, "`case` must be the name of a case");
}

static bool read_budget_line(Reader *reader, const yaml_node_t *node, BudgetLine *line) {
    enum { MOST_POINTS = 1000 };
    if (node->type != YAML_MAPPING_NODE) {
        complain(reader, node, "each entry of `budget` must be `key: value` pairs");
        return false;
    }
    check_keys(reader, budget_fields, node);
    const char *what = scalar_text(reader, mapping_get(reader, node, "what"));
    line->kind = what != NULL ? budget_find(what) : NULL;
    if (line->kind == NULL) {
        Diagnostic *added = complain(reader, node, "`budget` does not know `%s`", what ? what : "");
        if (added != NULL) added->remedy = known_budgets(reader);
    }
    read_expression(reader, "at_most", mapping_get(reader, node, "at_most"), &line->at_most);
    read_case(reader, mapping_get(reader, node, "case"), &line->where);
    line->why = scalar_text(reader, mapping_get(reader, node, "why"));
    if (line->at_most.text == NULL || line->why == NULL)
        complain(reader, node, "each entry of `budget` needs `what`, `at_most` and `why`");
    const char *reference = scalar_text(reader, mapping_get(reader, node, "reference"));
    char *end = NULL;
    line->reference = reference != NULL ? strtol(reference, &end, 10) : -1;
    if (reference != NULL && (end == reference || *end != '\0' || line->reference < 0))
        complain(reader, node, "`reference` must be a whole number");
    const char *points = scalar_text(reader, mapping_get(reader, node, "points"));
    const char *required = scalar_text(reader, mapping_get(reader, node, "required"));
    line->required = required != NULL && strcmp(required, "true") == 0;
    line->points = points != NULL ? strtol(points, NULL, 10) : 0;
    bool fine = line->points >= 0 && line->points <= MOST_POINTS &&
                (points == NULL || strspn(points, "0123456789") == strlen(points));
    if (!fine) complain(reader, node, "`points` must be a whole number from 0 to %d", (int)MOST_POINTS);
    if (required != NULL && !line->required && strcmp(required, "false") != 0)
        complain(reader, node, "`required` must be true or false");
    return line->kind != NULL && line->at_most.text != NULL && line->why != NULL;
}

static void read_budget(Reader *reader, const Field *field, const yaml_node_t *node) {
    if (node->type != YAML_SEQUENCE_NODE) {
        complain(reader, node, "`%s` must be a list", field->key);
        return;
    }
    BudgetList *list = member(reader, field);
    list->items = ARENA_ARRAY(reader->arena, sequence_length(node) + 1, BudgetLine);
    for (size_t i = 0; list->items != NULL && i < sequence_length(node); i++)
        list->count += read_budget_line(reader, sequence_item(reader, node, i), &list->items[list->count]);
}

static void read_mapping(Reader *reader, const Field *fields, const yaml_node_t *node, const char *name);

static void read_field(Reader *reader, const Field *field, const yaml_node_t *node) {
    switch (field->kind) {
    case FIELD_TEXT:
        read_text(reader, field, node);
        return;
    case FIELD_FLAG:
        read_flag(reader, field, node);
        return;
    case FIELD_NUMBER:
        read_number(reader, field, node);
        return;
    case FIELD_TEXTS:
        read_texts(reader, field, node);
        return;
    case FIELD_OBJECTIVES:
        read_objectives(reader, field, node);
        return;
    case FIELD_BUDGET:
        read_budget(reader, field, node);
        return;
    case FIELD_HINTS_ABOUT:
        read_hints_about(reader, field, node);
        return;
    case FIELD_EXPRESSION:
        read_expression(reader, field->key, node, member(reader, field));
        return;
    case FIELD_GROUP:
        read_mapping(reader, field->group, node, field->key);
        return;
    case FIELD_FINDING:
        read_finding(reader, field, node);
        return;
    }
    BUG("field of unknown kind %d", (int)field->kind);
}

static const char *known_keys(const Reader *reader, const Field *fields) {
    Text keys;
    text_init(&keys);
    text_add(&keys, "the keys here are: ");
    for (const Field *field = fields; field->key != NULL; field++)
        text_format(&keys, "%s%s", field == fields ? "" : ", ", field->key);
    const char *copy = arena_copy(reader->arena, keys.bytes, keys.length);
    text_free(&keys);
    return copy;
}

static void check_keys(const Reader *reader, const Field *fields, const yaml_node_t *node) {
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top;
         pair++) {
        const yaml_node_t *key = yaml_document_get_node(reader->document, pair->key);
        const char *name = scalar_text(reader, key);
        const Field *field = fields;
        while (name != NULL && field->key != NULL && strcmp(field->key, name) != 0)
            field++;
        if (name != NULL && field->key != NULL) continue;
        Diagnostic *added = complain(reader, key, "unknown key `%s`", name ? name : "?");
        if (added != NULL) added->remedy = known_keys(reader, fields);
    }
}

static void read_mapping(Reader *reader, const Field *fields, const yaml_node_t *node, const char *name) {
    if (node->type != YAML_MAPPING_NODE) {
        complain(reader, node, "%s must be `key: value` lines", name);
        return;
    }
    check_keys(reader, fields, node);
    for (const Field *field = fields; field->key != NULL; field++) {
        const yaml_node_t *value = mapping_get(reader, node, field->key);
        if (value != NULL)
            read_field(reader, field, value);
        else if (field->required)
            complain(reader, node, "the key `%s` is missing", field->key);
    }
}

static void report_syntax(const yaml_parser_t *parser, const char *path, Diagnostics *diagnostics) {
    diag_add(diagnostics, DIAG_ERROR, path, (int)parser->problem_mark.line + 1,
             (int)parser->problem_mark.column + 1, "this is not YAML: %s",
             parser->problem ? parser->problem : "out of memory");
}

static void read_document(Reader *reader, const Text *text) {
    yaml_parser_t parser;
    yaml_document_t document;
    if (!yaml_parser_initialize(&parser)) {
        diag_add(reader->diagnostics, DIAG_ERROR, reader->path, 0, 0, "out of memory");
        return;
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text->bytes, text->length);
    if (yaml_parser_load(&parser, &document)) {
        reader->document = &document;
        const yaml_node_t *top = yaml_document_get_root_node(&document);
        if (top != NULL)
            read_mapping(reader, manifest_fields, top, "a manifest");
        else
            diag_add(reader->diagnostics, DIAG_ERROR, reader->path, 1, 1, "the manifest is empty");
        yaml_document_delete(&document);
        reader->document = NULL;
    } else {
        report_syntax(&parser, reader->path, reader->diagnostics);
    }
    yaml_parser_delete(&parser);
}

bool manifest_read(Manifest *manifest, Arena *arena, const char *path, Diagnostics *diagnostics) {
    enum { LARGEST_MANIFEST = 1 << 18 };
    *manifest = (Manifest){
        .limit_seconds = 10, .limit_memory_mib = 512, .limit_output_kib = 256, .limit_million_steps = 20};
    int errors = diagnostics->errors;
    Text text;
    text_init(&text);
    if (text_read_file(&text, path, LARGEST_MANIFEST)) {
        Reader reader = {.manifest = manifest, .arena = arena, .path = path, .diagnostics = diagnostics};
        read_document(&reader, &text);
    } else {
        diag_add(diagnostics, DIAG_ERROR, path, 0, 0, "cannot read the manifest: %s", strerror(errno));
    }
    text_free(&text);
    return diagnostics->errors == errors;
}
