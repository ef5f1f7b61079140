/* metadata.c - Gradescope's submission_metadata.yml: a mapping from folder names to who handed in, and when;
 * see layout.h.
 *
 *     submission_123:
 *       :submitters:
 *       - :name: Ann Lee
 *         :sid: '1234'
 *         :email: ann@example.edu
 *       :created_at: 2026-10-05 14:03:22.000000000 Z
 *
 * Keys are read with and without the colon in front. Folders that it does not list are taken by their names.
 */
#include "grading/intake/layout.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <yaml.h>

/* ---- times ---- */

/* "Z", "+0200", "-07:00"; nothing is UTC as well. */
static bool read_offset(const char *text, long *seconds) {
    char sign;
    int hours, minutes;
    *seconds = 0;
    while (*text == ' ')
        text++;
    if (*text == '\0' || strcmp(text, "Z") == 0 || strcmp(text, "UTC") == 0) return true;
    if (sscanf(text, "%c%2d:%2d", &sign, &hours, &minutes) != 3 &&
        sscanf(text, "%c%2d%2d", &sign, &hours, &minutes) != 3)
        return false;
    if ((sign != '+' && sign != '-') || hours < 0 || hours > 15 || minutes < 0 || minutes > 59) return false;
    *seconds = (hours * 60L + minutes) * 60L;
    if (sign == '-') *seconds = -*seconds;
    return true;
}

int64_t metadata_time(const char *text) {
    struct tm parts = {.tm_mday = 1};
    long offset;
    const char *rest = strptime(text, "%Y-%m-%d", &parts);
    if (rest == NULL || (*rest != ' ' && *rest != 'T')) return 0;
    rest = strptime(rest + 1, "%H:%M:%S", &parts);
    if (rest == NULL) return 0;
    if (*rest == '.') rest += 1 + strspn(rest + 1, "0123456789");
    if (!read_offset(rest, &offset)) return 0;
    return (int64_t)timegm(&parts) - offset;
}

/* ---- the document ---- */

static const char *scalar(const yaml_node_t *node) {
    if (node != NULL && node->type == YAML_SCALAR_NODE) return (const char *)node->data.scalar.value;
    return NULL;
}

static yaml_node_t *find(yaml_document_t *document, const yaml_node_t *mapping, const char *key) {
    if (mapping == NULL || mapping->type != YAML_MAPPING_NODE) return NULL;
    const yaml_node_pair_t *end = mapping->data.mapping.pairs.top;
    for (const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start; pair < end; pair++) {
        const char *name = scalar(yaml_document_get_node(document, pair->key));
        if (name == NULL) continue;
        if (name[0] == ':') name++;
        if (strcmp(name, key) == 0) return yaml_document_get_node(document, pair->value);
    }
    return NULL;
}

/* A text that is there and not empty, in the arena; NULL. */
static const char *find_text(Arena *arena, yaml_document_t *document, const yaml_node_t *mapping,
                             const char *key) {
    const char *text = scalar(find(document, mapping, key));
    if (text != NULL && text[0] != '\0') return arena_string(arena, text);
    return NULL;
}

/* What a reading of the file needs. */
typedef struct Reading {
    SubmissionList *list;
    Tree *tree;
    Node *class;
    const char *shown;
    yaml_document_t *document;
    Diagnostics *diagnostics;
} Reading;

static Node *find_folder(const Node *class, const char *name) {
    for (Node *child = class->first; child != NULL; child = child->next)
        if (child->kind != NODE_FILE && strcmp(child->name, name) == 0) return child;
    return NULL;
}

static void add_submitter(const Reading *reading, Node *node, const yaml_node_t *submitter, int64_t time) {
    Arena *arena = reading->tree->arena;
    Clues clues = {.folder = node->name,
                   .id = find_text(arena, reading->document, submitter, "sid"),
                   .name = find_text(arena, reading->document, submitter, "name"),
                   .email = find_text(arena, reading->document, submitter, "email")};
    /* The folder's number is another one each time that something is handed in. */
    if (clues.id == NULL) clues.id = clues.email;
    Submission *added = layout_add(reading->list, arena, node, &clues);
    if (added != NULL) added->time = time;
}

/* One folder of the download and who handed it in; a group's is that of each of its members. */
static void read_submission(const Reading *reading, const yaml_node_pair_t *pair) {
    const yaml_node_t *key = yaml_document_get_node(reading->document, pair->key);
    const yaml_node_t *value = yaml_document_get_node(reading->document, pair->value);
    const char *name = scalar(key);
    Node *node = NULL;
    if (name != NULL) node = find_folder(reading->class, name);
    if (node == NULL) {
        advise(diag_add(reading->diagnostics, DIAG_WARNING, reading->shown, (int)key->start_mark.line + 1, 0,
                        "lists the folder %s, which is not there", text_or(name, "without a name")),
               "download the submissions once more");
        return;
    }
    const char *created = scalar(find(reading->document, value, "created_at"));
    int64_t time = 0;
    if (created != NULL) time = metadata_time(created);
    const yaml_node_t *submitters = find(reading->document, value, "submitters");
    if (submitters == NULL || submitters->type != YAML_SEQUENCE_NODE ||
        submitters->data.sequence.items.start == submitters->data.sequence.items.top) {
        add_submitter(reading, node, NULL, time);
        return;
    }
    for (const yaml_node_item_t *item = submitters->data.sequence.items.start;
         item < submitters->data.sequence.items.top; item++)
        add_submitter(reading, node, yaml_document_get_node(reading->document, *item), time);
}

static void add_unlisted(const Reading *reading) {
    for (Node *child = reading->class->first; child != NULL; child = child->next) {
        bool listed = child->kind == NODE_FILE;
        for (const Submission *one = reading->list->first; one != NULL && !listed; one = one->next)
            listed = one->node == child;
        if (!listed) layout_add(reading->list, reading->tree->arena, child, &(Clues){.folder = child->name});
    }
}

static bool refuse(const Reading *reading, size_t line, const char *reason) {
    return advise(
        diag_add(reading->diagnostics, DIAG_ERROR, reading->shown, (int)line, 0, "%s", reason),
        "download the submissions once more, or remove this file: then folders are taken by their names");
}

static bool read_document(const Reading *reading) {
    const yaml_node_t *root = yaml_document_get_root_node(reading->document);
    if (root == NULL || root->type != YAML_MAPPING_NODE)
        return refuse(reading, 1, "is no list of submissions");
    const yaml_node_pair_t *end = root->data.mapping.pairs.top;
    for (const yaml_node_pair_t *pair = root->data.mapping.pairs.start; pair < end; pair++)
        read_submission(reading, pair);
    add_unlisted(reading);
    return true;
}

/* submission_metadata.yml of a Gradescope download. */
bool metadata_read(SubmissionList *list, Tree *tree, const Node *file, const char *path,
                   Diagnostics *diagnostics) {
    yaml_parser_t parser;
    yaml_document_t document;
    Reading reading = {.list = list,
                       .tree = tree,
                       .class = file->parent,
                       .shown = tree->root->kind == NODE_ARCHIVE
                                    ? file->shown
                                    : arena_format(tree->arena, "%s/%s", path, file->shown),
                       .document = &document,
                       .diagnostics = diagnostics};
    if (file->bytes == NULL) return refuse(&reading, 0, text_or(file->refused, "cannot be read"));
    if (!yaml_parser_initialize(&parser)) return refuse(&reading, 0, "there is no memory to read it");
    yaml_parser_set_input_string(&parser, (const unsigned char *)file->bytes, file->length);
    bool fine = yaml_parser_load(&parser, &document);
    if (!fine) {
        refuse(&reading, parser.problem_mark.line + 1, text_or(parser.problem, "is no YAML"));
    } else {
        fine = read_document(&reading);
        yaml_document_delete(&document);
    }
    yaml_parser_delete(&parser);
    return fine;
}
