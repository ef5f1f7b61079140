/* extensions.c - other dates, and late days; see extensions.h. */
#include "grading/book/extensions.h"

#include "grading/book/store.h"

#include <string.h>
#include <strings.h>

/* ---- course.yaml ---- */

/* An extension being read: the rows' offsets are into it. */
typedef struct ExtensionReading {
    PolicyExtension extension;
    const Course *course;
} ExtensionReading;

static void read_lesson(FieldReader *reader, const Field *field, const yaml_node_t *node) {
    const ExtensionReading *reading = reader->target;
    const Lesson *lesson = policy_find_lesson(reader, reading->course, node);
    *(const char **)fields_member(reader, field) = lesson != NULL ? lesson->name : NULL;
}

#define AT(member) offsetof(ExtensionReading, extension.member)
static const Field extension_fields[] = {
    {"student", fields_read_text, false, AT(student), 0, 0, NULL},
    {"section", fields_read_text, false, AT(section), 0, 0, NULL},
    {"lesson", read_lesson, true, AT(lesson), 0, 0, NULL},
    {"due", policy_read_moment, true, AT(due), 0, 0, NULL},
    {"reason", fields_read_text, true, AT(reason), 0, 0, NULL},
    {.key = NULL},
};

void extensions_read(FieldReader *reader, Policy *policy, const Course *course, const yaml_node_t *node) {
    const size_t count = fields_count(node);
    if (count == 0)
        advise(fields_complain(reader, node, "`extensions` must be a list"),
               "such as - {student: ann, lesson: 07, due: 2026-11-25 23:59 +01:00, reason: ill}");
    policy->extensions = ARENA_ARRAY(reader->arena, count + 1, PolicyExtension);
    for (size_t i = 0; policy->extensions != NULL && i < count; i++) {
        const yaml_node_t *item = fields_item(reader, node, i);
        ExtensionReading reading = {.course = course};
        FieldReader inner = *reader;
        const int errors = reader->diagnostics->errors;
        inner.target = &reading;
        fields_read_mapping(&inner, extension_fields, item, "an extension");
        if (reader->diagnostics->errors != errors) continue;
        reading.extension.line = (int)item->start_mark.line + 1;
        if (reading.extension.student != NULL && reading.extension.section != NULL)
            advise(fields_complain(reader, item, "an extension is for a student or for a section"),
                   "write two, one for each");
        policy->extensions[policy->extension_count++] = reading.extension;
    }
}

static bool is_same(const char *a, const char *b) {
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* How near an extension is to the one it is for. */
static int rank_of(const PolicyExtension *extension) {
    if (extension->student != NULL) return 2;
    return extension->section != NULL;
}

static Diagnostic *complain(const char *path, const PolicyExtension *extension, Diagnostics *diagnostics,
                            const char *message) {
    return diag_add(diagnostics, DIAG_ERROR, path, extension->line, 0, "%s", message);
}

/* An extension of a lesson that is due later, or never, is somebody's slip. */
static bool check_date(const Policy *policy, const PolicyExtension *extension, const char *path,
                       Diagnostics *diagnostics) {
    const PolicyLesson *lesson = policy_lesson(policy, extension->lesson);
    if (lesson == NULL || lesson->due == 0)
        return advise(
            complain(path, extension, diagnostics,
                     arena_format(diagnostics->arena, "the lesson %s has no date that could be extended",
                                  extension->lesson)),
            "give the lesson its `due` under `lessons`");
    if (extension->due > lesson->due) return true;
    return advise(complain(path, extension, diagnostics,
                           arena_format(diagnostics->arena, "this is not later than the lesson %s is due",
                                        extension->lesson)),
                  "an extension gives more time");
}

/* Two for one student are both there, and which one counts would be a matter of their order. */
static bool check_twin(const Policy *policy, size_t at, const char *path, Diagnostics *diagnostics) {
    const PolicyExtension *own = &policy->extensions[at];
    for (size_t i = 0; i < at; i++) {
        const PolicyExtension *other = &policy->extensions[i];
        if (!is_same(own->student, other->student) || !is_same(own->section, other->section) ||
            !is_same(own->lesson, other->lesson))
            continue;
        return advise(complain(path, own, diagnostics,
                               arena_format(diagnostics->arena,
                                            "line %d has an extension of the same lesson for the same people",
                                            other->line)),
                      "keep one of the two");
    }
    return true;
}

bool extensions_check(const Policy *policy, const char *path, Diagnostics *diagnostics) {
    bool fine = true;
    for (size_t i = 0; i < policy->extension_count; i++) {
        fine = check_date(policy, &policy->extensions[i], path, diagnostics) && fine;
        fine = check_twin(policy, i, path, diagnostics) && fine;
    }
    return fine;
}

/* ---- whose they are ---- */

static bool is_named(const char *value, const char *query) {
    return value != NULL && strcasecmp(value, query) == 0;
}

/* Canvas writes "A and B" or "A, B, and C" for somebody who is in several sections, others "A; B". */
static size_t gap_at(const char *text) {
    static const char *const gaps[] = {", and ", ", ", "; ", ",", ";", " and "};
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++)
        if (text_starts_with(text, gaps[i])) return strlen(gaps[i]);
    return 0;
}

/* Whether it is the whole, for there are names with commas, or one of several. */
static bool is_in_section(const char *sections, const char *name) {
    if (sections == NULL) return false;
    const size_t length = strlen(name);
    if (strcmp(sections, name) == 0) return true;
    for (const char *at = sections; *at != '\0';) {
        if (text_starts_with(at, name) && (at[length] == '\0' || gap_at(at + length) > 0)) return true;
        while (*at != '\0' && gap_at(at) == 0)
            at++;
        at += gap_at(at);
    }
    return false;
}

/* By id, else by login or e-mail, as everywhere. */
static bool is_for(const PolicyExtension *extension, const ClassStudent *student) {
    const char *name = extension->student;
    if (name != NULL)
        return strcmp(student->id, name) == 0 || is_named(student->login, name) ||
               is_named(student->email, name);
    return extension->section == NULL || is_in_section(student->section, extension->section);
}

static size_t count_meant(const Class *class, const PolicyExtension *extension) {
    size_t count = 0;
    for (size_t i = 0; i < class->student_count; i++)
        count += is_for(extension, &class->students[i]);
    return count;
}

/* Where a roster has told who is in the class, who is not is a slip; else it is somebody who may hand in
 * later.
 */
static bool count_listed(Gradebook *book, size_t *listed, Diagnostics *diagnostics) {
    return store_count(book, "SELECT count(*) FROM student WHERE listed", listed, diagnostics);
}

/* A student who was removed is in the book still. */
static bool is_in_book(Gradebook *book, const char *id, Diagnostics *diagnostics) {
    return store_number(book, diagnostics, "SELECT 1 FROM student WHERE %s IN (id, login, email)", id) != 0;
}

/* Somebody whom nobody knows would be late without a word. */
static bool check_people(const Class *class, const Policy *policy, Gradebook *book,
                         Diagnostics *diagnostics) {
    const char *remedy =
        "give an id, a login or an e-mail, or a section, as `warpschool gradebook --student ID` shows it";
    if (policy->anonymous)
        remedy = "give an id, a login, an e-mail or a section of the roster: numbers are for grades alone";
    size_t listed = 0;
    bool fine = policy->extension_count == 0 || count_listed(book, &listed, diagnostics);
    for (size_t i = 0; i < policy->extension_count; i++) {
        const PolicyExtension *extension = &policy->extensions[i];
        const char *whom;
        if (extension->student != NULL)
            whom = extension->student;
        else
            whom = extension->section;
        const size_t meant = count_meant(class, extension);
        if (meant > 1 && extension->student != NULL)
            fine = advise(diag_add(diagnostics, DIAG_ERROR, policy->path, extension->line, 0,
                                   "%zu students of the gradebook are called `%s`", meant, whom),
                          "give the student's id");
        if (meant > 0 || whom == NULL) continue;
        if (extension->student != NULL && is_in_book(book, whom, diagnostics)) continue;
        advise(diag_add(diagnostics, listed > 0 ? DIAG_ERROR : DIAG_WARNING, policy->path, extension->line, 0,
                        "there is no %s `%s` in the gradebook",
                        extension->student != NULL ? "student" : "section", whom),
               remedy);
        fine = fine && listed == 0;
    }
    return fine;
}

/* Of two extensions for a student's two sections the later date counts; of any other two the file must say
 * which. */
static bool is_later_section(const PolicyExtension *a, const PolicyExtension *b) {
    return a->section != NULL && b->section != NULL && a->due > b->due;
}

static bool is_conflict(const PolicyExtension *found, const PolicyExtension *other) {
    return found != NULL && rank_of(found) == rank_of(other) && found->section == NULL;
}

bool extensions_find(const Policy *policy, const ClassStudent *student, const char *lesson,
                     const PolicyExtension **found, Diagnostics *diagnostics) {
    *found = NULL;
    for (size_t i = 0; i < policy->extension_count; i++) {
        const PolicyExtension *extension = &policy->extensions[i];
        if (strcmp(extension->lesson, lesson) != 0 || !is_for(extension, student)) continue;
        if (is_conflict(*found, extension))
            return advise(diag_add(diagnostics, DIAG_ERROR, policy->path, extension->line, 0,
                                   "for the student %s, line %d has another extension of the same lesson",
                                   student->id, (*found)->line),
                          "keep one of the two");
        if (*found == NULL || rank_of(*found) < rank_of(extension) || is_later_section(extension, *found))
            *found = extension;
    }
    return true;
}

bool extensions_apply(Class *class, const Policy *policy, Gradebook *book, Diagnostics *diagnostics) {
    bool fine = check_people(class, policy, book, diagnostics);
    class->late_tokens = policy->late.tokens;
    for (size_t i = 0; i < class->student_count * class->lesson_count; i++) {
        const ClassLesson *lesson = &class->lessons[i % class->lesson_count];
        const PolicyExtension *extension;
        Grade *grade = &class->grades[i];
        fine = extensions_find(policy, &class->students[i / class->lesson_count], lesson->name, &extension,
                               diagnostics) &&
               fine;
        if (extension != NULL) {
            grade->due = extension->due;
            grade->extension_reason = extension->reason;
        } else {
            grade->due = lesson->due;
            grade->extension_reason = NULL;
        }
    }
    return fine;
}

/* ---- what lateness leaves ---- */

enum { SECONDS_A_DAY = 86400 };

static long penalty_of(const Grade *grade, const Policy *policy, long tokens) {
    return policy_penalty(&policy->late, grade->late_seconds - (int64_t)tokens * SECONDS_A_DAY);
}

void extensions_price(Grade *grade, const Policy *policy, const PolicyLesson *lesson) {
    const long penalty = penalty_of(grade, policy, grade->late_tokens);
    int64_t weight;
    if (lesson->weight >= 0)
        weight = lesson->weight;
    else
        weight = (int64_t)grade->max_score * POLICY_POINT;
    grade->late_penalty = (double)penalty / (100 * 1000);
    grade->points =
        (double)policy_points(grade->score, grade->max_score, weight, penalty) / (double)POLICY_POINT;
    grade->max_points = (double)weight / (double)POLICY_POINT;
}

/* The fewest days that save as much as can be saved. */
static long days_to_spend(const Grade *grade, const Policy *policy, long left) {
    long best = 0;
    for (long days = 1; days <= left; days++)
        if (penalty_of(grade, policy, days) < penalty_of(grade, policy, best)) best = days;
    return best;
}

/* The lesson that is due next for the student and has not been looked at; lesson_count: none. */
static size_t next_due(const Class *class, const Grade *grades, const bool *seen) {
    size_t next = class->lesson_count;
    for (size_t i = 0; i < class->lesson_count; i++)
        if (!seen[i] && (next == class->lesson_count || grades[i].due < grades[next].due)) next = i;
    return next;
}

static void spend_of_student(const Class *class, const Policy *policy, Grade *grades, bool *seen) {
    long left = policy->late.tokens;
    memset(seen, 0, class->lesson_count * sizeof *seen);
    for (size_t i; left > 0 && (i = next_due(class, grades, seen)) < class->lesson_count; seen[i] = true) {
        Grade *grade = &grades[i];
        const PolicyLesson *lesson = policy_lesson(policy, class->lessons[i].name);
        if (lesson == NULL || grade->state != GRADE_DECIDED || grade->overridden || grade->score == 0)
            continue;
        grade->late_tokens = days_to_spend(grade, policy, left);
        left -= grade->late_tokens;
        if (grade->late_tokens > 0) extensions_price(grade, policy, lesson);
    }
}

bool extensions_spend(Class *class, Arena *arena, const Policy *policy) {
    if (policy->late.tokens == 0) return true;
    bool *seen = ARENA_ARRAY(arena, class->lesson_count + 1, bool);
    for (size_t i = 0; seen != NULL && i < class->student_count; i++)
        spend_of_student(class, policy, &class->grades[i * class->lesson_count], seen);
    return seen != NULL;
}
