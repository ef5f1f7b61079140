/* class.c - from the gradebook's rows and the policy to one grade for each student and lesson; see class.h.
 */
#include "grading/book/class.h"

#include "base/json.h"
#include "grading/book/anonymous.h"
#include "grading/book/extensions.h"
#include "grading/book/lesson_groups.h"
#include "grading/book/handins.h"
#include "grading/book/store.h"
#include "grading/book/timing.h"
#include "grading/book/words.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A class being read. */
typedef struct Reading {
    Class *class;
    Arena *arena;
    Gradebook *book;
    const Policy *policy;
    Diagnostics *diagnostics;
    int64_t last_grading; /* 0: all of them */
} Reading;

const Grade *class_grade(const Class *class, size_t student, size_t lesson) {
    return &class->grades[student * class->lesson_count + lesson];
}

bool class_is_decided(const Grade *grade) {
    return grade->overridden || grade->state == GRADE_DECIDED || grade->state == GRADE_REFUSED;
}

bool class_is_open(const Grade *grade) {
    return !class_is_decided(grade) && grade->state != GRADE_NOTHING && grade->state != GRADE_EXCUSED &&
           grade->state != GRADE_HELD;
}

size_t class_count_open(const Class *class) {
    size_t open = 0;
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++)
        open += class_is_open(&class->grades[i]);
    return open;
}

const char *class_key(const ClassStudent *student) {
    if (student->named != NULL) return student->named->id;
    return student->id;
}

const char *class_shown(const Class *class, const char *key) {
    for (size_t i = 0; i < class->student_count; i++)
        if (strcmp(class_key(&class->students[i]), key) == 0) return class->students[i].id;
    return key;
}

const GradeRemark *class_request(const Grade *grade) {
    for (size_t i = 0; i < grade->remark_count; i++)
        if (grade->remarks[i].question != NULL && grade->remarks[i].text == NULL) return &grade->remarks[i];
    return NULL;
}

void class_free(Class *class) {
    for (size_t i = 0; class->grades != NULL && i < class->student_count * class->lesson_count; i++)
        json_object_put(class->grades[i].result);
    *class = (Class){0};
}

/* ---- the edges of the table ---- */

static bool count_removed(Reading *reading) {
    return store_count(reading->book, "SELECT count(*) FROM student WHERE " STORE_IS_REMOVED,
                       &reading->class->removed_count, reading->diagnostics);
}

/* Students are in the order of their ids, by which all tables list them. The count bounds the query, so that
 * rows that come meanwhile do not overflow the array. */
static bool read_students(Reading *reading) {
    size_t room;
    if (!store_count(reading->book, "SELECT count(*) FROM student", &room, reading->diagnostics))
        return false;
    Class *class = reading->class;
    class->students = ARENA_ARRAY(reading->arena, room + 1, ClassStudent);
    if (class->students == NULL) return store_no_memory(reading->diagnostics);
    Query query = query_ask(reading->book, reading->diagnostics,
                            "SELECT id, name, email, login, section, line FROM student"
                            " WHERE " STORE_IN_CLASS " ORDER BY id LIMIT %ld",
                            (int64_t)room);
    while (query_row(&query))
        class->students[class->student_count++] =
            (ClassStudent){.id = query_get_text(&query, 0, reading->arena),
                           .name = query_get_text(&query, 1, reading->arena),
                           .email = query_get_text(&query, 2, reading->arena),
                           .login = query_get_text(&query, 3, reading->arena),
                           .section = query_get_text(&query, 4, reading->arena),
                           .line = query_get_text(&query, 5, reading->arena)};
    return query_close(&query) && count_removed(reading);
}

static bool was_handed_in(const HandInList *rows, const char *lesson) {
    for (size_t i = 0; i < rows->count; i++)
        if (strcmp(rows->items[i].file.lesson, lesson) == 0) return true;
    return false;
}

/* The points of a lesson without a weight are those of its newest result. */
static double newest_points(const HandInList *rows, const char *lesson) {
    const HandIn *newest = NULL;
    for (size_t i = 0; i < rows->count; i++)
        if (rows->items[i].attempt != 0 && strcmp(rows->items[i].file.lesson, lesson) == 0 &&
            (newest == NULL || rows->items[i].attempt > newest->attempt))
            newest = &rows->items[i];
    if (newest != NULL) return newest->max_score;
    return 0;
}

/* Those that the rules list; without a list, those that somebody handed in. */
static bool choose_lessons(Reading *reading, const HandInList *rows) {
    Class *class = reading->class;
    const Policy *policy = reading->policy;
    class->lessons = ARENA_ARRAY(reading->arena, policy->lesson_count + 1, ClassLesson);
    if (class->lessons == NULL) return store_no_memory(reading->diagnostics);
    for (size_t i = 0; i < policy->lesson_count; i++) {
        const PolicyLesson *lesson = &policy->lessons[i];
        if (!policy->listed && !was_handed_in(rows, lesson->name)) continue;
        double weight;
        if (lesson->weight >= 0)
            weight = (double)lesson->weight / (double)POLICY_POINT;
        else
            weight = newest_points(rows, lesson->name);
        class->lessons[class->lesson_count++] = (ClassLesson){.name = lesson->name,
                                                              .title = lesson->title,
                                                              .column = &lesson->column,
                                                              .group = lesson->group,
                                                              .weight = weight,
                                                              .due = lesson->due,
                                                              .held = policy->released_by_hand};
    }
    return true;
}

static int compare_student(const void *id, const void *student) {
    return strcmp(id, ((const ClassStudent *)student)->id);
}

/* The place of a grade; NULL for a lesson that does not count. */
static Grade *find_grade(const Class *class, const char *student, const char *lesson) {
    const ClassStudent *found =
        bsearch(student, class->students, class->student_count, sizeof *class->students, compare_student);
    size_t column = 0;
    while (column < class->lesson_count && strcmp(class->lessons[column].name, lesson) != 0)
        column++;
    if (found == NULL || column == class->lesson_count) return NULL;
    return &class->grades[(size_t)(found - class->students) * class->lesson_count + column];
}

/* ---- one grade ---- */

static double in_points(int64_t thousandths) {
    return (double)thousandths / (double)POLICY_POINT;
}

static GradeState state_of(const HandIn *row) {
    if (row->file.refused != NULL) return GRADE_REFUSED;
    if (row->attempt != 0) return GRADE_DECIDED;
    if (row->fault != NULL) return GRADE_FAULT;
    return GRADE_WAITING;
}

/* What one file would be worth, were it the one that counts. */
static Grade judge_file(const Policy *policy, const PolicyLesson *lesson, const HandIn *row,
                        const HandIn *since) {
    Grade grade = {.state = state_of(row),
                   .score = row->score,
                   .max_score = row->max_score,
                   .handed_in = since->file.time,
                   .time_from = since->file.time_from,
                   .refused = row->file.refused,
                   .remedy = row->fault != NULL ? row->fault_remedy : row->file.remedy,
                   .note = row->file.note,
                   .fault = row->fault,
                   .path = row->file.path,
                   .hash = row->file.hash,
                   .attempt = row->attempt};
    grade.late_seconds = policy_late_seconds(lesson->due, grade.handed_in);
    if (grade.state == GRADE_DECIDED) extensions_price(&grade, policy, lesson);
    return grade;
}

/* Whether the other grade takes the place of the best so far: a file that is not decided may be the best, so
 * it stands for all of them until it is; after that more points, and of equals the later one. */
static bool is_better(const Grade *other, const Grade *best) {
    static const int urgency[] = {[GRADE_FAULT] = 2, [GRADE_WAITING] = 1};
    int first = 0;
    if (other->state >= GRADE_FAULT) first = urgency[other->state];
    int second = 0;
    if (best->state >= GRADE_FAULT) second = urgency[best->state];
    if (first != second) return first > second;
    if (other->state != best->state) return other->state == GRADE_DECIDED;
    return other->points >= best->points;
}

static Grade choose_best(const Policy *policy, const PolicyLesson *lesson, const HandIn *group,
                         size_t count) {
    Grade best = {.state = GRADE_NOTHING};
    for (size_t i = 0; i < count; i++) {
        if (!handins_is_newest(group, count, i)) continue;
        Grade other = judge_file(policy, lesson, &group[i], handins_since(group, i, false));
        if (best.state == GRADE_NOTHING || is_better(&other, &best)) best = other;
    }
    return best;
}

static Grade choose_grade(const Policy *policy, const PolicyLesson *lesson, const HandIn *group,
                          size_t count) {
    Grade grade;
    if (policy->attempts == POLICY_BEST)
        grade = choose_best(policy, lesson, group, count);
    else
        grade = judge_file(policy, lesson, &group[count - 1], handins_since(group, count - 1, true));
    for (size_t i = 0; i < count; i++)
        grade.attempts += group[i].file.hash != NULL && handins_is_newest(group, count, i);
    return grade;
}

/* ---- all grades ---- */

static void warn_of_unlisted(Reading *reading, const HandIn *group) {
    advise(diag_add(reading->diagnostics, DIAG_WARNING, gradebook_path(reading->book), 0, 0,
                    "files for %s were handed in, and the course's rules do not list it: they do not count",
                    group->file.lesson),
           "add it under `lessons` of course.yaml, if it is part of the course");
}

static bool was_warned_of(const HandInList *rows, size_t first) {
    for (size_t i = 0; i < first; i++)
        if (strcmp(rows->items[i].file.lesson, rows->items[first].file.lesson) == 0) return true;
    return false;
}

/* Each student's files of a lesson become one grade, by the course's policy. Files of a lesson that the
 * policy does not list are warned of once, and do not count. */
static bool fill_grades(Reading *reading, const HandInList *rows) {
    Class *class = reading->class;
    class->grades = ARENA_ARRAY(reading->arena, class->student_count * class->lesson_count + 1, Grade);
    if (class->grades == NULL) return store_no_memory(reading->diagnostics);
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++)
        class->grades[i].max_points = class->lessons[i % class->lesson_count].weight;
    if (!extensions_apply(class, reading->policy, reading->book, reading->diagnostics)) return false;
    for (size_t first = 0, count; first < rows->count; first += count) {
        const HandIn *group = &rows->items[first];
        count = handins_group(rows, first);
        Grade *grade = find_grade(class, group->file.student, group->file.lesson);
        const PolicyLesson *lesson = policy_lesson(reading->policy, group->file.lesson);
        if (grade == NULL || lesson == NULL) {
            if (!was_warned_of(rows, first)) warn_of_unlisted(reading, group);
            continue;
        }
        const Grade before = *grade;
        PolicyLesson own = *lesson;
        own.due = before.due;
        *grade = choose_grade(reading->policy, &own, group, count);
        grade->due = before.due;
        grade->extension_reason = before.extension_reason;
        if (grade->state != GRADE_DECIDED) grade->max_points = before.max_points;
    }
    return true;
}

/* Overrides are in the order in which they were made: the last word about a grade counts, and one without
 * points takes the earlier ones back. */
static bool apply_overrides(Reading *reading) {
    BookOverrideList list;
    if (!gradebook_read_overrides(reading->book, reading->arena, &list, reading->diagnostics)) return false;
    for (size_t i = 0; i < list.count; i++) {
        const BookOverride *word = &list.items[i];
        Grade *grade = find_grade(reading->class, word->student, word->lesson);
        if (grade == NULL || grade->state == GRADE_EXCUSED) continue;
        grade->overridden = word->points >= 0;
        if (grade->overridden) {
            grade->override_reason = word->reason;
            grade->override_author = word->author;
        } else {
            grade->override_reason = NULL;
            grade->override_author = NULL;
        }
        if (grade->overridden) grade->override_points = in_points(word->points);
    }
    return true;
}

/* Late days are spent on what counts, times on a card and points for items come after lateness, and points by
 * hand are final. */
static bool settle(Reading *reading) {
    Class *class = reading->class;
    if (!extensions_spend(class, reading->arena, reading->policy) ||
        !timing_apply(class, reading->arena, reading->policy))
        return store_no_memory(reading->diagnostics);
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++) {
        Grade *grade = &class->grades[i];
        if (grade->overridden)
            grade->points = grade->override_points;
        else if (class_is_decided(grade) && grade->item_points + grade->points > 0)
            grade->points += grade->item_points;
        else if (class_is_decided(grade))
            grade->points = 0;
    }
    lesson_groups_drop(class);
    return true;
}

/* ---- results ---- */

/* A result that is not what was written does not count: a person must look. */
static void distrust(Grade *grade) {
    grade->state = GRADE_FAULT;
    grade->fault = "its result in the gradebook is damaged";
    grade->remedy = "grade it again: warpschool regrade";
    if (!grade->overridden) grade->points = 0;
}

/* A result whose sum does not fit is not believed: the grade becomes a fault, which names the way to judge it
 * again. */
static bool read_result(Reading *reading, Grade *grade) {
    Query query = query_ask(reading->book, reading->diagnostics,
                            "SELECT " ATTEMPT_COLUMNS " FROM attempt WHERE number = %ld", grade->attempt);
    if (query_row(&query) && attempt_is_whole(&query)) {
        const char *text = (const char *)sqlite3_column_text(query.statement, 7);
        size_t length = (size_t)sqlite3_column_bytes(query.statement, 7);
        grade->result =
            json_parse_text(text_or(text, ""), length, gradebook_path(reading->book), reading->diagnostics);
    } else if (!query.failed) {
        distrust(grade);
    }
    return query_close(&query);
}

static bool read_results(Reading *reading) {
    const Class *class = reading->class;
    int errors = reading->diagnostics->errors;
    bool fine = true;
    for (size_t i = 0; fine && i < class->student_count * class->lesson_count; i++)
        if (class->grades[i].attempt != 0) fine = read_result(reading, &class->grades[i]);
    return fine && reading->diagnostics->errors == errors;
}

/* ---- files that were refused and belong to no lesson ---- */

/* `solution.cu`, an archive that cannot be unpacked. No grade is theirs, so the student has them
 * (ClassStudent.unplaced), and every lesson in which the student handed in nothing points to them: its file
 * may be one of these. */

/* `fresh` is the grading in which a student's newest source was first seen: a regrading finds none, so it
 * takes no refusal away. */
static const char unplaced_rows[] =
    "WITH first AS (SELECT student, min(grading) AS seen FROM handed"
    " WHERE source IS NOT NULL AND grading <= ?1 GROUP BY student, source),"
    " fresh AS (SELECT student, max(seen) AS last FROM first GROUP BY student),"
    " lost AS (SELECT student, max(grading) AS last FROM handed"
    " WHERE lesson IS NULL AND grading <= ?1 GROUP BY student)"
    " SELECT h.student, h.path, h.refused, h.remedy FROM handed h"
    " JOIN lost ON lost.student = h.student AND lost.last = h.grading"
    " LEFT JOIN fresh ON fresh.student = h.student"
    " WHERE h.lesson IS NULL AND lost.last >= coalesce(fresh.last, 0)"
    " ORDER BY h.student, h.number LIMIT ?2";

/* The rows come by student, so each one's are neighbours in the list. */
static bool read_rows(Query *query, Class *class, Arena *arena, ClassUnplaced *list) {
    while (query_row(query)) {
        const char *id = query_get_text(query, 0, arena);
        ClassStudent *student = NULL;
        if (id != NULL)
            student =
                bsearch(id, class->students, class->student_count, sizeof *class->students, compare_student);
        if (student == NULL) continue;
        if (student->unplaced_count++ == 0) student->unplaced = list;
        *list++ = (ClassUnplaced){query_get_text(query, 1, arena), query_get_text(query, 2, arena),
                                  query_get_text(query, 3, arena)};
    }
    return query_close(query);
}

static void point_from_grades(Class *class) {
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++) {
        const ClassStudent *student = &class->students[i / class->lesson_count];
        if (class->grades[i].state != GRADE_NOTHING) continue;
        class->grades[i].unplaced = student->unplaced;
        class->grades[i].unplaced_count = student->unplaced_count;
    }
}

/* Fills in the students' and the grades' lists. Those of the last grading that had any count, until a later
 * one finds a file that is new: the student has handed in again. `last_grading` 0: all gradings. */
static bool unplaced_read(Class *class, Arena *arena, Gradebook *book, int64_t last_grading,
                          Diagnostics *diagnostics) {
    size_t room;
    if (!store_count(book, "SELECT count(*) FROM handed WHERE lesson IS NULL", &room, diagnostics))
        return false;
    if (room == 0) return true;
    ClassUnplaced *list = ARENA_ARRAY(arena, room, ClassUnplaced);
    if (list == NULL) return store_no_memory(diagnostics);
    Query query = query_open(book, unplaced_rows, diagnostics);
    query_number(&query, last_grading != 0 ? last_grading : INT64_MAX);
    query_number(&query, (int64_t)room);
    if (!read_rows(&query, class, arena, list)) return false;
    point_from_grades(class);
    return true;
}

/* ---- the whole ---- */

/* When and how the class was graded is that of the newest grading that is looked at. */
static bool read_grading(Reading *reading) {
    BookGradingList list;
    Class *class = reading->class;
    if (!gradebook_read_gradings(reading->book, reading->arena, &list, reading->diagnostics)) return false;
    if (list.count > 0) class->secret = list.items[0].seed;
    for (size_t i = 0; i < list.count; i++) {
        if (reading->last_grading != 0 && list.items[i].id > reading->last_grading) break;
        if (list.items[i].ended != 0)
            class->graded_at = list.items[i].ended;
        else
            class->graded_at = list.items[i].started;
        class->seed = list.items[i].seed;
        class->sandbox = list.items[i].sandbox;
    }
    return true;
}

static bool read_table(Reading *reading) {
    HandInsWanted wanted = {NULL, NULL, reading->last_grading};
    HandInList rows;
    return read_grading(reading) && read_students(reading) &&
           handins_read(reading->book, reading->arena, &wanted, &rows, reading->diagnostics) &&
           choose_lessons(reading, &rows) && fill_grades(reading, &rows) &&
           unplaced_read(reading->class, reading->arena, reading->book, reading->last_grading,
                         reading->diagnostics);
}

static bool begin(Reading *reading) {
    Class *class = reading->class;
    const Policy *policy = reading->policy;
    *class = (Class){.title = policy->title,
                     .hidden_feedback = policy->hidden_feedback,
                     .volunteers = policy->volunteers,
                     .volunteer_count = policy->volunteer_count,
                     .rules = policy->path,
                     .groups = policy->groups,
                     .group_count = policy->group_count};
    class->course = gradebook_course(reading->book, reading->arena, reading->diagnostics);
    if (class->title == NULL) class->title = class->course;
    return class->course != NULL && store_execute(reading->book, "BEGIN", reading->diagnostics);
}

bool class_read(Class *class, Arena *arena, Gradebook *book, const Policy *policy, Diagnostics *diagnostics) {
    Reading reading = {class, arena, book, policy, diagnostics, 0};
    if (!begin(&reading)) return false;
    bool fine =
        read_table(&reading) && words_apply(class, arena, book, diagnostics) && apply_overrides(&reading);
    fine = fine && read_results(&reading) && settle(&reading);
    if (fine && policy->anonymous && anonymous_has_held(class) && !anonymous_apply(class, arena))
        fine = store_no_memory(diagnostics);
    return store_end(book, fine, diagnostics);
}

bool class_read_after(Class *class, Arena *arena, Gradebook *book, const Policy *policy, int64_t grading,
                      Diagnostics *diagnostics) {
    Reading reading = {class, arena, book, policy, diagnostics, grading};
    if (!begin(&reading)) return false;
    bool fine = read_table(&reading) && words_release(class, arena, book, diagnostics) && settle(&reading);
    if (fine && policy->anonymous && anonymous_is_open(class) && !anonymous_apply(class, arena))
        fine = store_no_memory(diagnostics);
    return store_end(book, fine, diagnostics);
}
