/* volunteers.c - who stands in the leaderboard; see volunteers.h. */
#include "grading/book/volunteers.h"

#include <string.h>
#include <strings.h>

static void read_one(FieldReader *reader, Policy *policy, const yaml_node_t *key, const yaml_node_t *value) {
    const PolicyVolunteer one = {fields_text(reader, key), fields_text(reader, value),
                                 (int)key->start_mark.line + 1};
    if (one.student == NULL || one.name == NULL || *one.name == '\0') {
        advise(fields_complain(reader, key, "a volunteer needs a name to stand under"),
               "one line for each, such as `ann: Quick Fox`");
        return;
    }
    for (size_t i = 0; i < policy->volunteer_count; i++) {
        if (strcmp(policy->volunteers[i].name, one.name) == 0)
            advise(fields_complain(reader, key, "the name %s is taken in line %d", one.name,
                                   policy->volunteers[i].line),
                   "let them choose another");
        if (strcmp(policy->volunteers[i].student, one.student) == 0)
            advise(fields_complain(reader, key, "the student %s stands here twice", one.student),
                   "keep one of the two");
    }
    policy->volunteers[policy->volunteer_count++] = one;
}

void volunteers_read(FieldReader *reader, Policy *policy, const yaml_node_t *node) {
    if (node->type != YAML_MAPPING_NODE) {
        advise(fields_complain(reader, node, "`leaderboard` must be students and the names they want"),
               "one line for each who asked for it, such as `ann: Quick Fox`");
        return;
    }
    yaml_node_pair_t *pair = node->data.mapping.pairs.start, *end = node->data.mapping.pairs.top;
    policy->volunteers = ARENA_ARRAY(reader->arena, (size_t)(end - pair) + 1, PolicyVolunteer);
    for (; policy->volunteers != NULL && pair < end; pair++)
        read_one(reader, policy, yaml_document_get_node(reader->document, pair->key),
                 yaml_document_get_node(reader->document, pair->value));
}

/* By id, else by login or e-mail, as everywhere. */
static bool is_meant(const PolicyVolunteer *volunteer, const ClassStudent *student) {
    const char *query = volunteer->student;
    return strcmp(student->id, query) == 0 ||
           (student->login != NULL && strcasecmp(student->login, query) == 0) ||
           (student->email != NULL && strcasecmp(student->email, query) == 0);
}

const char *volunteers_name(const Class *class, const ClassStudent *student) {
    for (size_t i = 0; i < class->volunteer_count; i++)
        if (is_meant(&class->volunteers[i], student)) return class->volunteers[i].name;
    return NULL;
}

void volunteers_check(const Class *class, const char *path, Diagnostics *diagnostics) {
    for (size_t i = 0; i < class->volunteer_count; i++) {
        bool known = false;
        for (size_t j = 0; j < class->student_count; j++)
            known = known || is_meant(&class->volunteers[i], &class->students[j]);
        if (known) continue;
        advise(diag_add(diagnostics, DIAG_WARNING, path, class->volunteers[i].line, 0,
                        "there is no student `%s` for the leaderboard", class->volunteers[i].student),
               "give an id, a login or an e-mail");
    }
}
