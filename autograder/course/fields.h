/* fields.h - YAML files of a fixed form, read by tables: a row is a key, how its value is read, and where it
 * goes.
 *
 * The file becomes libyaml's document tree; then each row of a table finds its key in the mapping and calls
 * its function. Problems do not stop the reading, so that an author sees all of them at once: an unknown,
 * repeated, missing or ill-typed key is an error with file, line and remedy. All memory is in the reader's
 * arena.
 */
#pragma once

#include "base/diag.h"

#include <yaml.h>

/** A list of texts, as manifests have them. */
typedef struct TextList {
    const char **items;
    size_t count;
} TextList;

/** A file being read. */
typedef struct FieldReader {
    yaml_document_t *document;
    void *target; /**< the struct that the offsets of the rows are into */
    Arena *arena;
    const char *path;
    Diagnostics *diagnostics;
} FieldReader;

struct Field;
/** Reads one value to its place in the target, or complains. */
typedef void FieldRead(FieldReader *reader, const struct Field *field, const yaml_node_t *node);

/** A row; a table ends with key == NULL. */
typedef struct Field {
    const char *key;
    FieldRead *read;
    bool required;
    size_t offset;             /**< into the target; unused for groups */
    long low, high;            /**< of numbers */
    const struct Field *group; /**< the rows of a mapping inside */
} Field;

/** A text that is not empty, to a `const char *`. */
FieldRead fields_read_text;
/** true or false, to a `bool`. */
FieldRead fields_read_flag;
/** A whole number from low to high, to a `long`. */
FieldRead fields_read_number;
/** A list of texts, to a `TextList`; one that is required has an entry. */
FieldRead fields_read_texts;
/** A mapping with the rows of `group`. */
FieldRead fields_read_group;

/** Reads the file into reader->target; `what` is how people call it ("manifest"). False when there were
 * errors. */
bool fields_read_file(FieldReader *reader, const Field *fields, const char *what, size_t limit);
/** The same from memory; reader->path is what messages say. */
bool fields_read_bytes(FieldReader *reader, const Field *fields, const char *what, const char *bytes,
                       size_t length);

/** The rows of a mapping; `name` begins the complaint about anything else. */
void fields_read_mapping(FieldReader *reader, const Field *fields, const yaml_node_t *node, const char *name);
/** Complains about keys of a mapping that are no rows of the table, and about keys that stand twice. */
void fields_check_keys(const FieldReader *reader, const Field *fields, const yaml_node_t *node);
/** An error at the node's line; for the remedy, NULL without memory. */
Diagnostic *fields_complain(const FieldReader *reader, const yaml_node_t *node, const char *problem, ...)
    __attribute__((format(printf, 3, 4)));
/** Where a row's value goes. */
void *fields_member(const FieldReader *reader, const Field *field);
/** A scalar's text; NULL for anything else, and for no node. */
const char *fields_text(const FieldReader *reader, const yaml_node_t *node);
/** The value of a mapping's key; NULL. */
const yaml_node_t *fields_get(const FieldReader *reader, const yaml_node_t *node, const char *key);
/** The entries of a sequence. */
size_t fields_count(const yaml_node_t *node);
const yaml_node_t *fields_item(const FieldReader *reader, const yaml_node_t *node, size_t i);
