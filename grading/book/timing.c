/* timing.c - what a time on a card costs; see timing.h. */
#include "grading/book/timing.h"

#include "autograder/screen/show.h"
#include "base/json.h"

#include <math.h>
#include <string.h>

enum { PERCENT = 1000, WHOLE = 100 * PERCENT, MOST_TIMES = 1000 };

/* ---- course.yaml ---- */

/* What the rows of the table read into: the policy comes first. */
typedef struct CardReading {
    Policy policy;
    const Course *course;
} CardReading;

static bool time_lesson(Policy *policy, const char *name) {
    for (size_t i = 0; i < policy->lesson_count; i++)
        if (strcmp(policy->lessons[i].name, name) == 0) return policy->lessons[i].timed = true;
    return false;
}

/* `lessons: [20, 22]`: the rule is about these alone. */
static void read_lessons(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    CardReading *reading = reader->target;
    if (node->type != YAML_SEQUENCE_NODE || fields_count(node) == 0) {
        advise(fields_complain(reader, node, "`%s` must be a list of lessons", field->key),
               "such as [20, 22]; without it the rule is about all lessons");
        return;
    }
    for (size_t i = 0; i < reading->policy.lesson_count; i++)
        reading->policy.lessons[i].timed = false;
    for (size_t i = 0; i < fields_count(node); i++) {
        const yaml_node_t *item = fields_item(reader, node, i);
        const Lesson *lesson = policy_find_lesson(reader, reading->course, item);
        if (lesson != NULL && !time_lesson(&reading->policy, lesson->name))
            advise(fields_complain(reader, item, "the lesson %s is not one of `lessons`", lesson->name),
                   "list it there, or leave it out here");
    }
}

#define AT(member) offsetof(Policy, member)
static const Field card_fields[] = {
    {"percent", policy_read_decimal, true, AT(card.percent), 0, WHOLE, NULL},
    {"full_at", policy_read_decimal, false, AT(card.full_at), 1, (long)MOST_TIMES *POLICY_POINT, NULL},
    {"none_at", policy_read_decimal, false, AT(card.none_at), 1, (long)MOST_TIMES *POLICY_POINT, NULL},
    {"lessons", read_lessons, false, 0, 0, 0, NULL},
    {.key = NULL},
};

void timing_read(FieldReader *reader, Policy *policy, const Course *course, const yaml_node_t *node) {
    CardReading reading = {.policy = *policy, .course = course};
    FieldReader inner = *reader;
    inner.target = &reading;
    reading.policy.card =
        (PolicyCard){.full_at = POLICY_POINT + POLICY_POINT / 2, .none_at = 4 * POLICY_POINT};
    for (size_t i = 0; i < policy->lesson_count; i++)
        policy->lessons[i].timed = true;
    fields_read_mapping(&inner, card_fields, node, "the rule for times on a card");
    policy->card = reading.policy.card;
    if (policy->card.full_at >= policy->card.none_at)
        advise(fields_complain(reader, node, "`none_at` must be more than `full_at`"),
               "such as {percent: 20, full_at: 1.5, none_at: 4}: times of the solution's time");
}

/* ---- what it costs ---- */

static double rate_of(const PolicyCard *rule, double times) {
    const double full = (double)rule->full_at / (double)POLICY_POINT;
    const double none = (double)rule->none_at / (double)POLICY_POINT;
    if (times <= full) return 1;
    if (times < none) return (none - times) / (none - full);
    return 0;
}

/* The remark without its points; what share of the points is lost is left in `lost`. An answer that is wrong
 * on the card, or that came without its time, has no time: all of the share is lost. */
static GradeRemark judge_time(const PolicyCard *rule, struct json_object *card, Arena *arena, double *lost) {
    GradeRemark remark = {
        .item = show_time_item(), .author = show_time_author(), .text = show_untimed(card, arena)};
    *lost = 0;
    if (remark.text != NULL) return remark;
    struct json_object *one = show_timed_case(card);
    const double solution = json_real(one, "solution_microseconds", 0);
    const double own = json_real(json_member(one, "microseconds"), "median", 0);
    double rate = 0;
    if (show_has_time(one)) rate = rate_of(rule, own / solution);
    *lost = (1 - rate) * (double)rule->percent / (double)WHOLE;
    remark.text = show_timed(one, (double)rule->percent / (double)PERCENT, arena);
    return remark;
}

static bool add_remark(Grade *grade, Arena *arena, const GradeRemark *remark) {
    GradeRemark *remarks = ARENA_ARRAY(arena, grade->remark_count + 1, GradeRemark);
    if (remarks == NULL || remark->text == NULL) return false;
    for (size_t i = 0; i < grade->remark_count; i++)
        remarks[i] = grade->remarks[i];
    remarks[grade->remark_count++] = *remark;
    grade->remarks = remarks;
    grade->item_points += remark->points;
    return true;
}

/* A program that did not compile has no points, and nothing to time. */
static bool is_about(const Grade *grade) {
    return grade->state == GRADE_DECIDED && grade->points > 0 && grade->result != NULL;
}

bool timing_apply(Class *class, Arena *arena, const Policy *policy) {
    if (policy->card.percent == 0) return true;
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++) {
        Grade *grade = &class->grades[i];
        const PolicyLesson *lesson = policy_lesson(policy, class->lessons[i % class->lesson_count].name);
        if (lesson == NULL || !lesson->timed || !is_about(grade)) continue;
        double lost;
        GradeRemark remark = judge_time(&policy->card, json_member(grade->result, "card"), arena, &lost);
        remark.points = -round(grade->points * lost * (double)POLICY_POINT) / (double)POLICY_POINT;
        if (!(remark.points < 0)) remark.points = 0; /* and not -0 */
        if (!add_remark(grade, arena, &remark)) return false;
    }
    return true;
}
