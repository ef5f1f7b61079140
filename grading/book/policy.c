/* policy.c - course.yaml into a Policy, and its arithmetic; see policy.h. */
#include "grading/book/policy.h"

#include "grading/book/extensions.h"
#include "grading/book/lesson_groups.h"
#include "grading/book/timing.h"
#include "grading/book/volunteers.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    DECIMALS = 3,
    WHOLE = 100 * 1000, /* 100 %, in thousandths of a percent */
    MOST_WEIGHT = 100000,
    LARGEST_POLICY = 1 << 18,
    SECONDS_A_DAY = 86400
};

/* ---- arithmetic ---- */

/* Points without rounding: at most nine digits and three decimals, as a whole number of thousandths. */
bool policy_decimal(const char *text, long *thousandths) {
    enum { MOST_DIGITS = 9 };
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > MOST_DIGITS) return false;
    long value = 0;
    for (size_t i = 0; i < digits; i++)
        value = value * 10 + (text[i] - '0');
    text += digits;
    size_t decimals = 0;
    if (*text == '.') {
        decimals = strspn(++text, "0123456789");
        if (decimals == 0 || decimals > DECIMALS) return false;
    }
    for (size_t i = 0; i < DECIMALS; i++)
        value = value * 10 + (i < decimals ? text[i] - '0' : 0);
    *thousandths = value;
    return text[decimals] == '\0';
}

int64_t policy_late_seconds(int64_t due, int64_t handed_in) {
    if (due != 0 && handed_in > due) return handed_in - due;
    return 0;
}

long policy_penalty(const PolicyLate *late, int64_t late_seconds) {
    if (late_seconds <= (int64_t)late->grace_minutes * 60) return 0;
    int64_t days = (late_seconds + SECONDS_A_DAY - 1) / SECONDS_A_DAY;
    if (late->none_after_days >= 0 && days > late->none_after_days) return WHOLE;
    if (late->percent_per_day == 0) return 0;
    if (days > WHOLE / late->percent_per_day) return WHOLE;
    return (long)days * late->percent_per_day;
}

/* The largest product is 10^5 points * 10^8 thousandths * 10^5: it fits. */
int64_t policy_points(int score, int max_score, int64_t weight, long penalty) {
    if (max_score <= 0) return 0;
    int64_t whole = (int64_t)score * weight * (WHOLE - penalty);
    int64_t divisor = (int64_t)max_score * WHOLE;
    return (2 * (whole % divisor) >= divisor) + whole / divisor;
}

/* ---- values that only rules have ---- */

/* What a row's function needs beyond the reader: the Policy comes first, so that the rows' offsets are into
 * it. */
typedef struct PolicyReading {
    Policy policy;
    const Course *course;
} PolicyReading;

/* A decimal of the field's range, which is in thousandths as well. */
void policy_read_decimal(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    const char *text = fields_text(reader, node);
    long value;
    if (text != NULL && policy_decimal(text, &value) && value >= field->low && value <= field->high) {
        *(long *)fields_member(reader, field) = value;
        return;
    }
    advise(fields_complain(reader, node, "`%s` must be a decimal number in its range", field->key),
           arena_format(reader->arena, "give a number from %ld to %ld, with at most three decimals",
                        field->low / POLICY_POINT, field->high / POLICY_POINT));
}

static int days_of(int year, int month) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leaps = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    if (month == 2 && leaps) return 29;
    return days[month - 1];
}

/* A zone is written out because the same rules must mean the same moment on every machine. */
bool policy_moment(const char *text, int64_t *moment) {
    struct tm at = {0};
    int hours = 0, minutes = 0, used = 0;
    char sign = '+', between;
    if (sscanf(text, "%4d-%2d-%2d%c%2d:%2d%n", &at.tm_year, &at.tm_mon, &at.tm_mday, &between, &at.tm_hour,
               &at.tm_min, &used) != 6 ||
        (between != ' ' && between != 'T'))
        return false;
    text += used;
    while (*text == ' ')
        text++;
    used = 0;
    bool utc = strcmp(text, "Z") == 0;
    if (!utc && (sscanf(text, "%c%2d:%2d%n", &sign, &hours, &minutes, &used) != 3 || text[used] != '\0'))
        return false;
    if (at.tm_year < 1970 || at.tm_mon < 1 || at.tm_mon > 12 || at.tm_mday < 1 ||
        at.tm_mday > days_of(at.tm_year, at.tm_mon) || at.tm_hour < 0 || at.tm_hour > 23 || at.tm_min < 0 ||
        at.tm_min > 59 || (sign != '+' && sign != '-') || hours < 0 || hours > 14 || minutes < 0 ||
        minutes > 59)
        return false;
    at.tm_year -= 1900;
    at.tm_mon -= 1;
    int64_t ahead = (int64_t)(hours * 60 + minutes) * 60;
    *moment = (int64_t)timegm(&at) - (sign == '+' ? ahead : -ahead);
    return true;
}

void policy_read_moment(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    const char *text = fields_text(reader, node);
    if (text != NULL && policy_moment(text, fields_member(reader, field))) return;
    advise(fields_complain(reader, node, "`%s` must be a date, a time and its zone", field->key),
           "write it like this: 2026-11-20 23:59 +01:00 (or Z for UTC)");
}

static void read_attempts(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    const char *text = fields_text(reader, node);
    bool best = text != NULL && strcmp(text, "best") == 0;
    if (!best && (text == NULL || strcmp(text, "last") != 0)) {
        advise(fields_complain(reader, node, "`%s` must be last or best", field->key),
               "last: the newest file counts; best: the one with the most points");
    }
    *(PolicyAttempts *)fields_member(reader, field) = best ? POLICY_BEST : POLICY_LAST;
}

/* `release: by-hand`: then nothing goes out that nobody has looked at. */
static void read_release(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    const char *text = fields_text(reader, node);
    const bool by_hand = text != NULL && strcmp(text, "by-hand") == 0;
    if (!by_hand && (text == NULL || strcmp(text, "at-once") != 0))
        advise(fields_complain(reader, node, "`%s` must be at-once or by-hand", field->key),
               "by-hand: grades go out after `warpschool gradebook --release LESSON`");
    *(bool *)fields_member(reader, field) = by_hand;
}

/* ---- lessons ---- */

#define IN_LESSON(member) offsetof(PolicyLesson, member)
static const Field lesson_fields[] = {
    {"weight", policy_read_decimal, false, IN_LESSON(weight), 0, (long)MOST_WEIGHT *POLICY_POINT, NULL},
    {"due", policy_read_moment, false, IN_LESSON(due), 0, 0, NULL},
    {"column", lesson_groups_read_column, false, IN_LESSON(column), 0, 0, NULL},
    {"group", fields_read_text, false, IN_LESSON(group_name), 0, 0, NULL},
    {.key = NULL},
};

const Lesson *policy_find_lesson(FieldReader *reader, const Course *course, const yaml_node_t *key) {
    const char *name = fields_text(reader, key);
    Diagnostics found;
    diag_init(&found, reader->arena);
    const Lesson *lesson = lessons_find(course, text_or(name, ""), &found);
    if (lesson != NULL) return lesson;
    Diagnostic *added = fields_complain(reader, key, "%s", found.first != NULL ? found.first->message : "?");
    if (added != NULL && found.first != NULL) added->remedy = found.first->remedy;
    return NULL;
}

const PolicyLesson *policy_lesson(const Policy *policy, const char *name) {
    for (size_t i = 0; i < policy->lesson_count; i++)
        if (strcmp(policy->lessons[i].name, name) == 0) return &policy->lessons[i];
    return NULL;
}

/* `07: {weight: 10, due: ...}`; a lesson without rules of its own is `07: {}`, or has nothing after the
 * colon. */
static void read_lesson(FieldReader *reader, const yaml_node_t *key, const yaml_node_t *value) {
    PolicyReading *reading = reader->target;
    const Lesson *found = policy_find_lesson(reader, reading->course, key);
    if (found == NULL) return;
    if (policy_lesson(&reading->policy, found->name) != NULL) {
        advise(fields_complain(reader, key, "the lesson %s stands here twice", found->name),
               "keep one of the two");
        return;
    }
    PolicyLesson *lesson = &reading->policy.lessons[reading->policy.lesson_count++];
    *lesson = (PolicyLesson){.name = found->name, .title = found->manifest.title, .weight = -1};
    if (value->type == YAML_SCALAR_NODE && value->data.scalar.length == 0) return;
    FieldReader inner = *reader;
    inner.target = lesson;
    lesson->line = (int)value->start_mark.line + 1;
    fields_read_mapping(&inner, lesson_fields, value, "a lesson's rules");
    lesson->group = lesson_groups_of_lesson(reader, &reading->policy, value);
}

/* Naming lessons leaves out all others, so an empty mapping would be a course without lessons and is an
 * error. */
static void read_lessons(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    Policy *policy = &((PolicyReading *)reader->target)->policy;
    if (node->type != YAML_MAPPING_NODE || node->data.mapping.pairs.top == node->data.mapping.pairs.start) {
        advise(fields_complain(reader, node, "`%s` must be lessons and their rules", field->key),
               "one line for each, such as `07: {weight: 10}`");
        return;
    }
    yaml_node_pair_t *first = node->data.mapping.pairs.start, *end = node->data.mapping.pairs.top;
    policy->lessons = ARENA_ARRAY(reader->arena, (size_t)(end - first), PolicyLesson);
    policy->lesson_count = 0;
    policy->listed = true;
    for (yaml_node_pair_t *pair = first; policy->lessons != NULL && pair < end; pair++)
        read_lesson(reader, yaml_document_get_node(reader->document, pair->key),
                    yaml_document_get_node(reader->document, pair->value));
}

/* ---- the rubric ---- */

static bool is_item(const Policy *policy, const char *name) {
    for (size_t i = 0; i < policy->rubric_count; i++)
        if (strcmp(policy->rubric[i], name) == 0) return true;
    return false;
}

/* `rubric: [style, report]`: the items that points may be given for. */
static void read_rubric(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    Policy *policy = &((PolicyReading *)reader->target)->policy;
    const bool is_list = node->type == YAML_SEQUENCE_NODE;
    const yaml_node_item_t *first = NULL;
    if (is_list) first = node->data.sequence.items.start;
    const yaml_node_item_t *end = NULL;
    if (is_list) end = node->data.sequence.items.top;
    if (first == end) {
        advise(fields_complain(reader, node, "`%s` must be a list of names", field->key),
               "such as [style, report]");
        return;
    }
    policy->rubric = ARENA_ARRAY(reader->arena, (size_t)(end - first), const char *);
    for (; policy->rubric != NULL && first < end; first++) {
        yaml_node_t *item = yaml_document_get_node(reader->document, *first);
        const char *name = fields_text(reader, item);
        if (name == NULL || *name == '\0')
            advise(fields_complain(reader, item, "an item of `%s` is a name", field->key),
                   "such as [style, report]");
        else if (is_item(policy, name))
            advise(fields_complain(reader, item, "the item %s stands here twice", name),
                   "keep one of the two");
        else
            policy->rubric[policy->rubric_count++] = name;
    }
}

static void read_groups(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    PolicyReading *reading = reader->target;
    (void)field;
    lesson_groups_read(reader, &reading->policy, node);
}

static void read_leaderboard(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    PolicyReading *reading = reader->target;
    (void)field;
    volunteers_read(reader, &reading->policy, node);
}

static void read_extensions(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    PolicyReading *reading = reader->target;
    (void)field;
    extensions_read(reader, &reading->policy, reading->course, node);
}

static void read_card(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    PolicyReading *reading = reader->target;
    (void)field;
    timing_read(reader, &reading->policy, reading->course, node);
}

/* ---- the file ---- */

#define AT(member) offsetof(Policy, member)
static const Field late_fields[] = {
    {"grace_minutes", fields_read_number, false, AT(late.grace_minutes), 0, 100000, NULL},
    {"percent_per_day", policy_read_decimal, false, AT(late.percent_per_day), 0, WHOLE, NULL},
    {"none_after_days", fields_read_number, false, AT(late.none_after_days), 0, 10000, NULL},
    {"tokens", fields_read_number, false, AT(late.tokens), 0, 1000, NULL},
    {.key = NULL},
};
static const Field policy_fields[] = {
    {"id", fields_read_text, true, AT(id), 0, 0, NULL},
    {"title", fields_read_text, false, AT(title), 0, 0, NULL},
    {"groups", read_groups, false, 0, 0, 0, NULL}, /* before the lessons, which name them */
    {"lessons", read_lessons, false, 0, 0, 0, NULL},
    {"late", fields_read_group, false, 0, 0, 0, late_fields},
    {"card", read_card, false, 0, 0, 0, NULL}, /* after the lessons, which it names */
    {"attempts", read_attempts, false, AT(attempts), 0, 0, NULL},
    {"extensions", read_extensions, false, 0, 0, 0, NULL},
    {"rubric", read_rubric, false, 0, 0, 0, NULL},
    {"leaderboard", read_leaderboard, false, 0, 0, 0, NULL},
    {"release", read_release, false, AT(released_by_hand), 0, 0, NULL},
    {"anonymous", fields_read_flag, false, AT(anonymous), 0, 0, NULL},
    {"hidden_feedback", fields_read_flag, false, AT(hidden_feedback), 0, 0, NULL},
    {.key = NULL},
};

static bool take_all_lessons(Policy *policy, Arena *arena, const Course *course) {
    policy->lessons = ARENA_ARRAY(arena, course->count + 1, PolicyLesson);
    if (policy->lessons != NULL)
        policy->lesson_count = course->count;
    else
        policy->lesson_count = 0;
    for (size_t i = 0; i < policy->lesson_count; i++)
        policy->lessons[i] = (PolicyLesson){
            .name = course->lessons[i].name, .title = course->lessons[i].manifest.title, .weight = -1};
    return policy->lessons != NULL;
}

/* Names that appear at once would have been hidden from nobody. */
static bool check_anonymous(const Policy *policy, Diagnostics *diagnostics) {
    if (!policy->anonymous || policy->released_by_hand) return true;
    return advise(
        diag_add(diagnostics, DIAG_ERROR, policy->path, 0, 0,
                 "anonymous grading ends with the release of the grades, and here they go out at once"),
        "add `release: by-hand`");
}

static bool no_memory(Diagnostics *diagnostics) {
    diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "out of memory");
    return false;
}

/* Rules as text, from a file or a gradebook. Without any, all lessons count with their own points. */
bool policy_read_text(Policy *policy, Arena *arena, const Course *course, const char *text, const char *name,
                      Diagnostics *diagnostics) {
    PolicyReading reading = {
        .policy = {.late = {.none_after_days = -1}, .hidden_feedback = true, .text = text}, .course = course};
    if (!take_all_lessons(&reading.policy, arena, course)) return no_memory(diagnostics);
    FieldReader reader = {.target = &reading, .arena = arena, .path = name, .diagnostics = diagnostics};
    bool fine =
        text == NULL || fields_read_bytes(&reader, policy_fields, "course's rules", text, strlen(text));
    *policy = reading.policy;
    policy->path = name;
    fine = fine && lesson_groups_check(policy, name, diagnostics) &&
           extensions_check(policy, name, diagnostics) && check_anonymous(policy, diagnostics);
    if (policy->title == NULL) policy->title = policy->id;
    return fine && (policy->lessons != NULL || no_memory(diagnostics));
}

/* The file is copied whole into the gradebook later, which is why it has to be text. */
bool policy_read(Policy *policy, Arena *arena, const Course *course, const char *path,
                 Diagnostics *diagnostics) {
    if (path == NULL) return policy_read_text(policy, arena, course, NULL, NULL, diagnostics);
    *policy = (Policy){0};
    Text text = text_new();
    bool read = text_read_file(&text, path, LARGEST_POLICY);
    const char *copy = NULL;
    if (read) copy = arena_copy(arena, text.bytes, text.length);
    bool binary = strlen(text.bytes) != text.length;
    text_free(&text);
    if (!read) {
        return advise(diag_add(diagnostics, DIAG_ERROR, path, 0, 0, "cannot read the course's rules: %s",
                               strerror(errno)),
                      "--course FILE names them; docs/gradebook.md has an example");
    }
    if (copy == NULL) return no_memory(diagnostics);
    if (binary) {
        diag_add(diagnostics, DIAG_ERROR, path, 0, 0, "this is not YAML: there is a NUL in it");
        return false;
    }
    return policy_read_text(policy, arena, course, copy, path, diagnostics);
}
