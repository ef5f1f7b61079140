/* assignments.c - lessons and groups as another system's assignments; see assignments.h. */
#include "grading/out/assignments.h"

#include "grading/book/lesson_groups.h"
#include "grading/book/table.h"
#include "grading/out/out.h"

#include <math.h>

/* The group whose one assignment the lesson is a part of; NULL: it is one by itself. */
static const PolicyGroup *whole_of(const ClassLesson *lesson, ColumnSystem system) {
    if (lesson->group != NULL && lesson->group->column.of[system] != NULL) return lesson->group;
    return NULL;
}

static const char *name_of(const ClassLesson *lesson, ColumnSystem system) {
    const char *column = NULL;
    if (lesson->column != NULL) column = lesson->column->of[system];
    if (column != NULL) return column;
    return lesson->name;
}

/* What one grade stands for in place of many: whatever is not known keeps the whole open. */
static GradeState state_of_group(const Class *class, size_t student, const PolicyGroup *group) {
    static const int urgency[] = {
        [GRADE_EXCUSED] = 1, [GRADE_NOTHING] = 2, [GRADE_REFUSED] = 3, [GRADE_DECIDED] = 4,
        [GRADE_HELD] = 5,    [GRADE_WAITING] = 6, [GRADE_FAULT] = 7};
    GradeState state = GRADE_EXCUSED;
    for (size_t i = 0; i < class->lesson_count; i++) {
        const Grade *grade = class_grade(class, student, i);
        GradeState own = GRADE_DECIDED;
        if (!grade->overridden) own = grade->state;
        if (class->lessons[i].group == group && urgency[own] > urgency[state]) state = own;
    }
    return state;
}

/* "01-vector-add: 4 of 5 points. Handed in 3 hours late." and so on for each lesson. */
static const char *remarks_of_group(const Class *class, Arena *arena, size_t student,
                                    const PolicyGroup *group) {
    Text words = text_new();
    for (size_t i = 0; i < class->lesson_count; i++) {
        const Grade *grade = class_grade(class, student, i);
        if (class->lessons[i].group != group) continue;
        text_format(&words, "%s", class->lessons[i].name);
        if (class_is_decided(grade)) {
            text_add(&words, ": ");
            table_points(grade->points, &words);
            text_add(&words, " of ");
            table_points(grade->max_points, &words);
            text_add(&words, " points");
        }
        text_add(&words, ".\n");
        out_add_remarks(&words, grade);
    }
    return arena_keep(arena, &words);
}

/* Of a student who is excused from a part, or had another one dropped, the assignment's points are those that
 * the share comes to. */
static Grade group_grade(const Class *class, Arena *arena, size_t student, const PolicyGroup *group) {
    const GroupSum sum = lesson_groups_sum(class, student, group);
    const double most = lesson_groups_most(class, group);
    Grade grade = {.state = state_of_group(class, student, group), .max_points = most};
    if (grade.state == GRADE_REFUSED) grade.state = GRADE_DECIDED;
    if (sum.most > 0)
        grade.points = round(sum.points / sum.most * most * (double)POLICY_POINT) / (double)POLICY_POINT;
    grade.parts = remarks_of_group(class, arena, student, group);
    return grade;
}

static Grade lesson_grade(const Grade *grade) {
    Grade own = *grade;
    if (grade->dropped_from != NULL) own.state = GRADE_EXCUSED;
    if (grade->dropped_from != NULL) own.overridden = false;
    return own;
}

/* Each lesson, and each group at the place of its first lesson. */
static size_t fill_lessons(Class *view, size_t *from, const Class *class, ColumnSystem system) {
    size_t count = 0;
    for (size_t i = 0; i < class->lesson_count; i++) {
        const PolicyGroup *group = whole_of(&class->lessons[i], system);
        bool begun = false;
        for (size_t j = 0; j < i; j++)
            begun = begun || (group != NULL && class->lessons[j].group == group);
        if (begun) continue;
        view->lessons[count] = class->lessons[i];
        view->lessons[count].group = NULL;
        if (group != NULL)
            view->lessons[count].name = group->column.of[system];
        else
            view->lessons[count].name = name_of(&class->lessons[i], system);
        if (group != NULL) view->lessons[count].weight = lesson_groups_most(class, group);
        from[count++] = i;
    }
    return count;
}

bool assignments_seen(ExportJob *seen, Class *view, const ExportJob *job, ColumnSystem system) {
    const Class *class = job->class;
    size_t *from = ARENA_ARRAY(job->arena, class->lesson_count + 1, size_t);
    *seen = *job;
    seen->class = view;
    *view = *class;
    view->group_count = 0;
    view->lessons = ARENA_ARRAY(job->arena, class->lesson_count + 1, ClassLesson);
    if (from == NULL || view->lessons == NULL) return false;
    view->lesson_count = fill_lessons(view, from, class, system);
    view->grades = ARENA_ARRAY(job->arena, class->student_count * view->lesson_count + 1, Grade);
    for (size_t i = 0; view->grades != NULL && i < class->student_count; i++)
        for (size_t j = 0; j < view->lesson_count; j++) {
            const PolicyGroup *group = whole_of(&class->lessons[from[j]], system);
            view->grades[i * view->lesson_count + j] = group != NULL
                                                           ? group_grade(class, job->arena, i, group)
                                                           : lesson_grade(class_grade(class, i, from[j]));
        }
    return view->grades != NULL;
}

double assignments_most(const Class *class, size_t lesson) {
    for (size_t i = 0; i < class->student_count; i++)
        if (class_grade(class, i, lesson)->state != GRADE_EXCUSED)
            return class_grade(class, i, lesson)->max_points;
    if (class->student_count > 0) return class->lessons[lesson].weight;
    return 0;
}
