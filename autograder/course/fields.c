/* fields.c - YAML through libyaml's document tree into structs; see fields.h. */
#include "autograder/course/fields.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

Diagnostic *fields_complain(const FieldReader *reader, const yaml_node_t *node, const char *problem, ...) {
    va_list arguments;
    va_start(arguments, problem);
    const char *text = arena_vformat(reader->arena, problem, arguments);
    va_end(arguments);
    yaml_mark_t mark = node->start_mark;
    return diag_add(reader->diagnostics, DIAG_ERROR, reader->path, (int)mark.line + 1, (int)mark.column + 1,
                    "%s", text_or(text, "out of memory"));
}

void *fields_member(const FieldReader *reader, const Field *field) {
    return (char *)reader->target + field->offset;
}

const char *fields_text(const FieldReader *reader, const yaml_node_t *node) {
    if (node == NULL || node->type != YAML_SCALAR_NODE) return NULL;
    return arena_copy(reader->arena, (const char *)node->data.scalar.value, node->data.scalar.length);
}

size_t fields_count(const yaml_node_t *node) {
    return (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
}

const yaml_node_t *fields_item(const FieldReader *reader, const yaml_node_t *node, size_t i) {
    return yaml_document_get_node(reader->document, node->data.sequence.items.start[i]);
}

static bool is_key(const yaml_node_t *node, const char *key) {
    return node->type == YAML_SCALAR_NODE && strcmp((const char *)node->data.scalar.value, key) == 0;
}

const yaml_node_t *fields_get(const FieldReader *reader, const yaml_node_t *node, const char *key) {
    if (node->type != YAML_MAPPING_NODE) return NULL;
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++)
        if (is_key(yaml_document_get_node(reader->document, pair->key), key))
            return yaml_document_get_node(reader->document, pair->value);
    return NULL;
}

/* ---- one kind of value each ---- */

void fields_read_text(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    const char *text = fields_text(reader, node);
    if (text == NULL || *text == '\0')
        fields_complain(reader, node, "`%s` must be a text", field->key);
    else
        *(const char **)fields_member(reader, field) = text;
}

void fields_read_flag(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    const char *text = fields_text(reader, node);
    bool yes = text != NULL && strcmp(text, "true") == 0;
    if (!yes && (text == NULL || strcmp(text, "false") != 0))
        fields_complain(reader, node, "`%s` must be true or false", field->key);
    *(bool *)fields_member(reader, field) = yes;
}

/* A whole number of the field's range, and nothing after it. */
void fields_read_number(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    const char *text = fields_text(reader, node);
    char *end = NULL;
    errno = 0;
    long value = 0;
    if (text != NULL) value = strtol(text, &end, 10);
    if (text == NULL || end == text || *end != '\0' || errno != 0 || value < field->low ||
        value > field->high) {
        advise(fields_complain(reader, node, "`%s` must be a whole number in its range", field->key),
               arena_format(reader->arena, "give a number from %ld to %ld", field->low, field->high));
        return;
    }
    *(long *)fields_member(reader, field) = value;
}

/* A list of texts; a required one is not empty. Entries that are no texts are reported, and the others kept,
 * so that one run shows all faults. */
void fields_read_texts(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    if (node->type != YAML_SEQUENCE_NODE || (field->required && fields_count(node) == 0)) {
        fields_complain(reader, node, "`%s` must be a list of texts", field->key);
        return;
    }
    TextList *list = fields_member(reader, field);
    size_t count = fields_count(node);
    list->items = ARENA_ARRAY(reader->arena, count + 1, const char *);
    for (size_t i = 0; list->items != NULL && i < count; i++) {
        const yaml_node_t *item = fields_item(reader, node, i);
        const char *text = fields_text(reader, item);
        if (text == NULL)
            fields_complain(reader, item, "each entry of `%s` must be a text", field->key);
        else
            list->items[list->count++] = text;
    }
}

void fields_read_group(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    fields_read_mapping(reader, field->group, node, field->key);
}

/* ---- mappings ---- */

static const char *known_keys(const FieldReader *reader, const Field *fields) {
    Text keys = text_new();
    text_add(&keys, "the keys here are: ");
    for (const Field *field = fields; field->key != NULL; field++) {
        if (field != fields) text_add(&keys, ", ");
        text_add(&keys, field->key);
    }
    return arena_keep(reader->arena, &keys);
}

static const Field *field_named(const Field *fields, const char *name) {
    const Field *field = fields;
    while (field->key != NULL && strcmp(field->key, name) != 0)
        field++;
    if (field->key != NULL) return field;
    return NULL;
}

/* The first value would count and the second be overlooked, so a repeated key is a mistake. */
static bool stands_before(const FieldReader *reader, const yaml_node_t *node, const yaml_node_pair_t *until,
                          const char *name) {
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < until; pair++)
        if (is_key(yaml_document_get_node(reader->document, pair->key), name)) return true;
    return false;
}

/* A key that is misspelt would silently mean its default, so unknown keys and second ones are errors. */
void fields_check_keys(const FieldReader *reader, const Field *fields, const yaml_node_t *node) {
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top;
         pair++) {
        const yaml_node_t *key = yaml_document_get_node(reader->document, pair->key);
        const char *name = fields_text(reader, key);
        if (name == NULL || field_named(fields, name) == NULL) {
            advise(fields_complain(reader, key, "unknown key `%s`", text_or(name, "?")),
                   known_keys(reader, fields));
        } else if (stands_before(reader, node, pair, name)) {
            advise(fields_complain(reader, key, "the key `%s` stands here twice", name),
                   "keep one of the two");
        }
    }
}

/* Reads a mapping by its table of fields, each by the reader of its row. */
void fields_read_mapping(FieldReader *reader, const Field *fields, const yaml_node_t *node,
                         const char *name) {
    if (node->type != YAML_MAPPING_NODE) {
        fields_complain(reader, node, "%s must be `key: value` lines", name);
        return;
    }
    fields_check_keys(reader, fields, node);
    for (const Field *field = fields; field->key != NULL; field++) {
        const yaml_node_t *value = fields_get(reader, node, field->key);
        if (value != NULL)
            field->read(reader, field, value);
        else if (field->required)
            advise(fields_complain(reader, node, "the key `%s` is missing", field->key),
                   arena_format(reader->diagnostics->arena, "add a line `%s: ...`", field->key));
    }
}

/* ---- the file ---- */

static void report_syntax(const FieldReader *reader, const yaml_parser_t *parser) {
    const char *problem = "out of memory";
    if (parser->problem != NULL) problem = parser->problem;
    Diagnostic *added =
        diag_add(reader->diagnostics, DIAG_ERROR, reader->path, (int)parser->problem_mark.line + 1,
                 (int)parser->problem_mark.column + 1, "this is not YAML: %s", problem);
    /* What libyaml says of a tab. */
    if (strcmp(problem, "found character that cannot start any token") == 0)
        advise(added, "indent by blanks, not tabs; a text that begins with @, ` or % needs quotes");
}

static void read_top(FieldReader *reader, const Field *fields, const char *what) {
    const yaml_node_t *top = yaml_document_get_root_node(reader->document);
    const char *name = arena_format(reader->arena, "a %s", what);
    if (top != NULL)
        fields_read_mapping(reader, fields, top, name != NULL ? name : what);
    else
        diag_add(reader->diagnostics, DIAG_ERROR, reader->path, 1, 1,
                 "this file is empty, and should hold the %s", what);
}

/* True when reading has added no error to the diagnostics. */
bool fields_read_bytes(FieldReader *reader, const Field *fields, const char *what, const char *bytes,
                       size_t length) {
    int errors = reader->diagnostics->errors;
    yaml_parser_t parser;
    yaml_document_t document;
    if (!yaml_parser_initialize(&parser)) {
        diag_add(reader->diagnostics, DIAG_ERROR, reader->path, 0, 0, "out of memory");
        return false;
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)bytes, length);
    if (yaml_parser_load(&parser, &document)) {
        reader->document = &document;
        read_top(reader, fields, what);
        yaml_document_delete(&document);
        reader->document = NULL;
    } else {
        report_syntax(reader, &parser);
    }
    yaml_parser_delete(&parser);
    return reader->diagnostics->errors == errors;
}

bool fields_read_file(FieldReader *reader, const Field *fields, const char *what, size_t limit) {
    Text text = text_new();
    bool fine = text_read_file(&text, reader->path, limit);
    if (!fine)
        diag_add(reader->diagnostics, DIAG_ERROR, reader->path, 0, 0, "cannot read the %s: %s", what,
                 strerror(errno));
    fine = fine && fields_read_bytes(reader, fields, what, text.bytes, text.length);
    text_free(&text);
    return fine;
}
