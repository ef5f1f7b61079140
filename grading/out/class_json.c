/* class_json.c - the class with everything that is known about it, as warpschool/class/v1
 * (docs/class.schema.json). */
#include "base/json.h"
#include "grading/book/lesson_groups.h"
#include "grading/out/out.h"

#include <json-c/json_object_iterator.h>

#define CLASS_SCHEMA "warpschool/class/v1"

static void put_optional(struct json_object *object, const char *key, const char *text) {
    if (text != NULL) json_put_visible(object, key, text);
}

static void put_time(struct json_object *object, const char *key, int64_t time) {
    Text words = text_new();
    out_time(&words, time);
    if (words.length > 0) json_put_visible(object, key, words.bytes);
    text_free(&words);
}

/* A copy in which every text is harmless, also on the terminal that the document may be printed to. */
static struct json_object *clean_copy(struct json_object *value) {
    if (json_object_is_type(value, json_type_string))
        return json_new_visible_bytes(json_object_get_string(value),
                                      (size_t)json_object_get_string_len(value));
    struct json_object *copy = NULL;
    if (json_object_is_type(value, json_type_array)) {
        copy = json_object_new_array();
        for (size_t i = 0; i < json_object_array_length(value); i++)
            json_object_array_add(copy, clean_copy(json_object_array_get_idx(value, i)));
    } else if (json_object_is_type(value, json_type_object)) {
        copy = json_object_new_object();
        struct json_object_iterator at = json_object_iter_begin(value), end = json_object_iter_end(value);
        for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at))
            json_object_object_add(copy, json_object_iter_peek_name(&at),
                                   clean_copy(json_object_iter_peek_value(&at)));
    } else if (value != NULL && json_object_deep_copy(value, &copy, NULL) != 0) {
        return NULL;
    }
    return copy;
}

static void put_points(struct json_object *object, const Grade *grade) {
    if (grade->state == GRADE_DECIDED) json_put_number(object, "score", grade->score);
    json_put_number(object, "max_score", grade->max_score);
    if (class_is_decided(grade)) out_put_number(object, "points", grade->points);
    out_put_number(object, "max_points", grade->max_points);
}

/* What a teacher has said about it. */
static struct json_object *remark_list(const Grade *grade) {
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < grade->remark_count; i++) {
        const GradeRemark *remark = &grade->remarks[i];
        struct json_object *object = json_object_new_object();
        put_optional(object, "item", remark->item);
        if (remark->item != NULL) out_put_number(object, "points", remark->points);
        put_optional(object, "question", remark->question);
        put_optional(object, "text", remark->text);
        json_put_visible(object, "author", remark->author);
        json_object_array_add(list, object);
    }
    return list;
}

/* A grade with everything that had a part in it; members as docs/gradebook.md lists them. */
static struct json_object *grade_object(const ClassLesson *lesson, const Grade *grade) {
    struct json_object *object = json_object_new_object();
    json_put_visible(object, "lesson", lesson->name);
    json_put_visible(object, "verdict", out_verdict(grade));
    put_points(object, grade);
    json_put_number(object, "attempts", grade->attempts);
    put_time(object, "handed_in", grade->handed_in);
    put_optional(object, "time_from", grade->time_from);
    json_put_number(object, "late_seconds", grade->late_seconds);
    out_put_number(object, "late_penalty", grade->late_penalty);
    if (grade->late_tokens > 0) json_put_number(object, "late_tokens", grade->late_tokens);
    put_time(object, "due", grade->due);
    put_optional(object, "extension_reason", grade->extension_reason);
    put_optional(object, "path", grade->path);
    put_optional(object, "refused", grade->refused);
    put_optional(object, "note", grade->note);
    put_optional(object, "fault", grade->fault);
    json_put_flag(object, "overridden", grade->overridden);
    put_optional(object, "override_reason", grade->override_reason);
    put_optional(object, "override_author", grade->override_author);
    put_optional(object, "excuse_reason", grade->excuse_reason);
    put_optional(object, "excuse_author", grade->excuse_author);
    if (grade->dropped_from != NULL) json_put_flag(object, "dropped", true);
    if (grade->remark_count > 0) json_object_object_add(object, "remarks", remark_list(grade));
    if (grade->result != NULL) json_object_object_add(object, "result", clean_copy(grade->result));
    return object;
}

static struct json_object *lesson_object(const ClassLesson *lesson) {
    struct json_object *object = json_object_new_object();
    json_put_visible(object, "name", lesson->name);
    put_optional(object, "title", lesson->title);
    out_put_number(object, "weight", lesson->weight);
    put_time(object, "due", lesson->due);
    if (lesson->group != NULL) json_put_visible(object, "group", lesson->group->name);
    if (lesson->held) json_put_flag(object, "held", true);
    put_time(object, "released_at", lesson->released_at);
    put_optional(object, "released_by", lesson->released_by);
    return object;
}

static struct json_object *unplaced_list(const ClassStudent *student) {
    struct json_object *list = json_object_new_array();
    for (size_t i = 0; i < student->unplaced_count; i++) {
        struct json_object *file = json_object_new_object();
        json_put_visible(file, "path", student->unplaced[i].path);
        json_put_visible(file, "refused", student->unplaced[i].refused);
        put_optional(file, "remedy", student->unplaced[i].remedy);
        json_object_array_add(list, file);
    }
    return list;
}

/* A student with a grade for each lesson, in the course's order. */
static struct json_object *student_object(const Class *class, size_t at) {
    const ClassStudent *student = &class->students[at];
    struct json_object *object = json_object_new_object(), *grades = json_object_new_array();
    json_put_visible(object, "id", student->id);
    put_optional(object, "name", student->name);
    put_optional(object, "email", student->email);
    put_optional(object, "login", student->login);
    put_optional(object, "section", student->section);
    if (student->unplaced_count > 0) json_object_object_add(object, "unplaced", unplaced_list(student));
    for (size_t i = 0; i < class->lesson_count; i++)
        json_object_array_add(grades, grade_object(&class->lessons[i], class_grade(class, at, i)));
    const GroupSum sum = lesson_groups_sum(class, at, NULL);
    out_put_number(object, "points", sum.points);
    out_put_number(object, "max_points", sum.most);
    json_object_object_add(object, "grades", grades);
    return object;
}

/* NOTE: results are whole here, hidden cases and all: this is for the staff. */
bool export_json(const ExportJob *job, Text *out) {
    const Class *class = job->class;
    struct json_object *object = json_object_new_object(), *lessons = json_object_new_array(),
                       *students = json_object_new_array();
    json_put_visible(object, "schema", CLASS_SCHEMA);
    put_optional(object, "course", class->course);
    put_optional(object, "title", class->title);
    put_time(object, "graded_at", class->graded_at);
    put_optional(object, "sandbox", class->sandbox);
    if (class->anonymous) json_put_flag(object, "anonymous", true);
    for (size_t i = 0; i < class->lesson_count; i++)
        json_object_array_add(lessons, lesson_object(&class->lessons[i]));
    for (size_t i = 0; i < class->student_count; i++)
        json_object_array_add(students, student_object(class, i));
    json_object_object_add(object, "lessons", lessons);
    json_object_object_add(object, "students", students);
    out_document(out, object);
    return true;
}
