/* lesson_groups.c - groups of lessons, from course.yaml to sums; see lesson_groups.h. */
#include "grading/book/lesson_groups.h"
#include "base/minmax.h"

#include "base/nearest.h"

#include <math.h>
#include <string.h>

enum { MOST_WEIGHT = 100000, MOST_DROPPED = 1000 };

/* ---- course.yaml ---- */

#define SYSTEM(id, name) {name, fields_read_text, false, COLUMN_##id * sizeof(const char *), 0, 0, NULL},
static const Field column_fields[] = {
#include "grading/book/systems.def"
    {.key = NULL},
};
#undef SYSTEM

void lesson_groups_read_column(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    PolicyColumns *columns = fields_member(reader, field);
    if (node->type == YAML_MAPPING_NODE) {
        FieldReader inner = *reader;
        inner.target = columns;
        fields_read_mapping(&inner, column_fields, node, "a column");
        return;
    }
    const char *text = fields_text(reader, node);
    if (text == NULL || *text == '\0')
        advise(fields_complain(reader, node, "`%s` must be a name, or names of systems", field->key),
               "such as \"Lab 3 (4711)\", or {canvas: \"Lab 3 (4711)\", moodle: Lab 3}");
    for (size_t i = 0; i < COLUMN_SYSTEMS; i++)
        columns->of[i] = text;
}

#define AT(member) offsetof(PolicyGroup, member)
static const Field group_fields[] = {
    {"weight", policy_read_decimal, false, AT(weight), 0, (long)MOST_WEIGHT *POLICY_POINT, NULL},
    {"drop_lowest", fields_read_number, false, AT(drop_lowest), 0, MOST_DROPPED, NULL},
    {"column", lesson_groups_read_column, false, AT(column), 0, 0, NULL},
    {.key = NULL},
};

static void read_group(FieldReader *reader, Policy *policy, const yaml_node_t *key,
                       const yaml_node_t *value) {
    PolicyGroup *group = &policy->groups[policy->group_count];
    *group =
        (PolicyGroup){.name = fields_text(reader, key), .weight = -1, .line = (int)key->start_mark.line + 1};
    for (size_t i = 0; group->name != NULL && i < policy->group_count; i++)
        if (strcmp(policy->groups[i].name, group->name) == 0)
            advise(fields_complain(reader, key, "the group %s stands here twice", group->name),
                   "keep one of the two");
    if (group->name == NULL) {
        fields_complain(reader, key, "a group needs a name");
        return;
    }
    policy->group_count++;
    if (value->type == YAML_SCALAR_NODE && value->data.scalar.length == 0) return;
    FieldReader inner = *reader;
    inner.target = group;
    fields_read_mapping(&inner, group_fields, value, "a group");
}

void lesson_groups_read(FieldReader *reader, Policy *policy, const yaml_node_t *node) {
    if (node->type != YAML_MAPPING_NODE) {
        advise(fields_complain(reader, node, "`groups` must be groups and their rules"),
               "one line for each, such as `homework: {weight: 60, drop_lowest: 1}`");
        return;
    }
    yaml_node_pair_t *pair = node->data.mapping.pairs.start, *end = node->data.mapping.pairs.top;
    policy->groups = ARENA_ARRAY(reader->arena, (size_t)(end - pair) + 1, PolicyGroup);
    for (; policy->groups != NULL && pair < end; pair++)
        read_group(reader, policy, yaml_document_get_node(reader->document, pair->key),
                   yaml_document_get_node(reader->document, pair->value));
}

const PolicyGroup *lesson_groups_of_lesson(const FieldReader *reader, const Policy *policy,
                                           const yaml_node_t *node) {
    const char *name = policy->lessons[policy->lesson_count - 1].group_name;
    if (name == NULL) return NULL;
    Nearest nearest = nearest_to(name);
    for (size_t i = 0; i < policy->group_count; i++) {
        if (strcmp(policy->groups[i].name, name) == 0) return &policy->groups[i];
        nearest_offer(&nearest, policy->groups[i].name);
    }
    const char *remedy = "list it: groups: {NAME: {drop_lowest: 1}}";
    if (nearest.best != NULL) remedy = arena_format(reader->arena, "Did you mean %s?", nearest.best);
    advise(fields_complain(reader, node, "there is no group `%s`", name), remedy);
    return NULL;
}

/* ---- what the rules must not say ---- */

static bool complain(const Policy *policy, int line, Diagnostics *diagnostics, const char *remedy,
                     const char *message) {
    return advise(diag_add(diagnostics, DIAG_ERROR, policy->path, line, 0, "%s", message), remedy);
}

static bool check_size(const Policy *policy, const PolicyGroup *group, Diagnostics *diagnostics) {
    long lessons = 0;
    for (size_t i = 0; i < policy->lesson_count; i++)
        lessons += policy->lessons[i].group == group;
    if (lessons == 0)
        return complain(policy, group->line, diagnostics, "give it some: 07: {group: NAME}",
                        arena_format(diagnostics->arena, "the group %s has no lessons", group->name));
    if (group->drop_lowest < lessons) return true;
    return complain(policy, group->line, diagnostics, "drop fewer",
                    arena_format(diagnostics->arena, "of the group %s no lesson would be left", group->name));
}

/* An assignment of the rules: a lesson's or a group's. */
typedef struct Assignment {
    const char *name;
    const PolicyColumns *column;
    int line;
} Assignment;

/* Lessons first; NULL after the last group. */
static Assignment assignment_at(const Policy *policy, size_t at) {
    if (at < policy->lesson_count)
        return (Assignment){policy->lessons[at].name, &policy->lessons[at].column, policy->lessons[at].line};
    const PolicyGroup *group = &policy->groups[at - policy->lesson_count];
    return (Assignment){group->name, &group->column, group->line};
}

/* Two in one column would overwrite each other's points there. */
static bool check_columns(const Policy *policy, size_t at, ColumnSystem system, Diagnostics *diagnostics) {
    const Assignment own = assignment_at(policy, at);
    for (size_t i = 0; own.column->of[system] != NULL && i < at; i++) {
        const Assignment other = assignment_at(policy, i);
        const char *name = other.column->of[system];
        if (name == NULL || strcmp(name, own.column->of[system]) != 0) continue;
        return complain(
            policy, own.line, diagnostics,
            "give each a column of its own; several lessons in one column are a group with that column",
            arena_format(diagnostics->arena, "the column %s is that of %s as well", name, other.name));
    }
    return true;
}

static bool check_twofold(const Policy *policy, const PolicyLesson *lesson, ColumnSystem system,
                          Diagnostics *diagnostics) {
    if (lesson->group == NULL || lesson->column.of[system] == NULL ||
        lesson->group->column.of[system] == NULL)
        return true;
    return complain(policy, lesson->line, diagnostics, "keep one of the two",
                    arena_format(diagnostics->arena, "%s has a column, and so has its group", lesson->name));
}

bool lesson_groups_check(const Policy *policy, const char *path, Diagnostics *diagnostics) {
    bool fine = true;
    (void)path;
    for (size_t i = 0; i < policy->group_count; i++)
        fine = check_size(policy, &policy->groups[i], diagnostics) && fine;
    for (ColumnSystem system = 0; fine && system < COLUMN_SYSTEMS; system++) {
        for (size_t i = 0; fine && i < policy->lesson_count + policy->group_count; i++)
            fine = check_columns(policy, i, system, diagnostics);
        for (size_t i = 0; fine && i < policy->lesson_count; i++)
            fine = check_twofold(policy, &policy->lessons[i], system, diagnostics);
    }
    return fine;
}

/* ---- dropping ---- */

static bool counts(const Grade *grade) {
    return grade->state != GRADE_EXCUSED && grade->max_points > 0;
}

/* What may change tomorrow is not the lowest yet. Nothing handed in is no points. */
static bool is_known(const Grade *grade) {
    return class_is_decided(grade) || grade->state == GRADE_NOTHING;
}

static double points_of(const Grade *grade) {
    if (class_is_decided(grade)) return grade->points;
    return 0;
}

/* Whether `a` gives way before `b`. */
static bool is_lower(const Grade *a, const Grade *b) {
    const double one = points_of(a) * b->max_points, other = points_of(b) * a->max_points;
    if (one < other || one > other) return one < other;
    return a->max_points >= b->max_points;
}

/* The lowest grade of a student in a group that counts still, when another known one would be left. */
static Grade *find_lowest(const Class *class, size_t student, const PolicyGroup *group) {
    Grade *lowest = NULL;
    size_t left = 0;
    for (size_t i = 0; i < class->lesson_count; i++) {
        Grade *grade = &class->grades[student * class->lesson_count + i];
        if (class->lessons[i].group != group || !counts(grade) || grade->dropped_from != NULL) continue;
        if (!is_known(grade)) continue;
        left++;
        if (lowest == NULL || is_lower(grade, lowest)) lowest = grade;
    }
    if (left > 1) return lowest;
    return NULL;
}

void lesson_groups_drop(Class *class) {
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++)
        class->grades[i].dropped_from = NULL;
    for (size_t student = 0; student < class->student_count; student++)
        for (size_t i = 0; i < class->group_count; i++) {
            const PolicyGroup *group = &class->groups[i];
            for (long dropped = 0; dropped < group->drop_lowest; dropped++) {
                Grade *lowest = find_lowest(class, student, group);
                if (lowest == NULL) break;
                lowest->dropped_from = group->name;
            }
        }
}

/* ---- sums ---- */

/* points / most x weight in whole thousandths, halves up; the largest product is 10^10 x 10^8. */
static GroupSum scale(GroupSum plain, const PolicyGroup *group) {
    if (group == NULL || group->weight < 0 || !(plain.most > 0)) return plain;
    const int64_t points = llround(plain.points * (double)POLICY_POINT),
                  most = llround(plain.most * (double)POLICY_POINT);
    const int64_t whole = points * group->weight;
    const int64_t scaled = whole / most + (2 * (whole % most) >= most);
    return (GroupSum){(double)scaled / (double)POLICY_POINT, (double)group->weight / (double)POLICY_POINT};
}

/* The lessons of one group, NULL: of none. */
static GroupSum sum_of_lessons(const Class *class, size_t student, const PolicyGroup *group) {
    GroupSum sum = {0, 0};
    for (size_t i = 0; i < class->lesson_count; i++) {
        const Grade *grade = class_grade(class, student, i);
        if (class->lessons[i].group != group || (group != NULL && grade->dropped_from != NULL)) continue;
        sum.points += points_of(grade);
        if (isfinite(grade->max_points)) sum.most += grade->max_points;
    }
    return scale(sum, group);
}

GroupSum lesson_groups_sum(const Class *class, size_t student, const PolicyGroup *group) {
    GroupSum sum = sum_of_lessons(class, student, group);
    for (size_t i = 0; group == NULL && i < class->group_count; i++) {
        const GroupSum part = sum_of_lessons(class, student, &class->groups[i]);
        sum.points += part.points;
        sum.most += part.most;
    }
    return sum;
}

/* With all points, the heaviest lessons are dropped first, as equals are. */
static double most_of(const Class *class, const PolicyGroup *group) {
    double sum = 0, bound = INFINITY;
    for (size_t i = 0; i < class->lesson_count; i++)
        if (class->lessons[i].group == group) sum += class->lessons[i].weight;
    if (group == NULL) return sum;
    if (group->weight >= 0) return sum > 0 ? (double)group->weight / (double)POLICY_POINT : 0;
    long left = group->drop_lowest;
    while (left > 0) {
        double largest = -1;
        long same = 0;
        for (size_t i = 0; i < class->lesson_count; i++) {
            const double weight = class->lessons[i].weight;
            if (class->lessons[i].group != group || !(weight < bound) || weight < largest) continue;
            if (weight > largest)
                same = 1;
            else
                same = same + 1;
            largest = weight;
        }
        if (same == 0) break;
        sum -= largest * (double)MIN(same, left);
        left -= same;
        bound = largest;
    }
    return MAX(sum, 0);
}

double lesson_groups_most(const Class *class, const PolicyGroup *group) {
    double sum = most_of(class, group);
    for (size_t i = 0; group == NULL && i < class->group_count; i++)
        sum += most_of(class, &class->groups[i]);
    return sum;
}
