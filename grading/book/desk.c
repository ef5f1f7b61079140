/* desk.c - course, rules, gradebook and class for a command; see desk.h. */
#include "grading/book/desk.h"

#include <pwd.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* course.yaml in the folder of the gradebook, when there is one. */
static const char *rules_beside(const Desk *desk, Arena *arena) {
    const char *slash = strrchr(desk->gradebook, '/');
    int length = 0;
    if (slash != NULL) length = (int)(slash + 1 - desk->gradebook);
    const char *path = arena_format(arena, "%.*scourse.yaml", length, desk->gradebook);
    if (path != NULL && access(path, F_OK) == 0) return path;
    return NULL;
}

/* The book comes before its own rules, and is asked for the course that given rules say. */
static bool open_with_own_rules(Desk *desk, Session *session, GradebookUse use) {
    desk->book = gradebook_open(desk->gradebook, NULL, use, &session->diagnostics);
    if (desk->book == NULL) return false;
    int errors = session->diagnostics.errors;
    const char *text = gradebook_policy(desk->book, session->arena, &session->diagnostics);
    const char *name = arena_format(session->arena, "the rules in %s", desk->gradebook);
    return session->diagnostics.errors == errors &&
           policy_read_text(&desk->policy, session->arena, &desk->course, text, name, &session->diagnostics);
}

bool desk_refuse(Session *session, const char *remedy, const char *message) {
    return advise(diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "%s", message), remedy);
}

/* Without a file of rules those count that the gradebook was last graded by, so that looking at a class needs
 * no more than its gradebook. */
bool desk_open(Desk *desk, Session *session, GradebookUse use) {
    if (desk->gradebook == NULL) desk->gradebook = GRADEBOOK_USUAL;
    if (!commands_load_course(session, &desk->course)) {
        session->diagnostics.internal = true;
        return false;
    }
    if (desk->rules == NULL) desk->rules = rules_beside(desk, session->arena);
    if (desk->rules == NULL) return open_with_own_rules(desk, session, use);
    if (!policy_read(&desk->policy, session->arena, &desk->course, desk->rules, &session->diagnostics))
        return false;
    desk->book = gradebook_open(desk->gradebook, desk->policy.id, use, &session->diagnostics);
    return desk->book != NULL;
}

bool desk_read_class(Desk *desk, Session *session) {
    return class_read(&desk->class, session->arena, desk->book, &desk->policy, &session->diagnostics);
}

bool desk_read_named(Desk *desk, Session *session) {
    Policy named = desk->policy;
    named.anonymous = false;
    desk->named = true;
    return class_read(&desk->class, session->arena, desk->book, &named, &session->diagnostics);
}

void desk_close(Desk *desk) {
    class_free(&desk->class);
    gradebook_close(desk->book);
    desk->book = NULL;
}

bool desk_find_lesson(const Desk *desk, Session *session, const char *query, size_t *lesson) {
    const Lesson *found = lessons_find(&desk->course, query, &session->diagnostics);
    if (found == NULL) return false;
    for (*lesson = 0; *lesson < desk->class.lesson_count; ++*lesson)
        if (strcmp(desk->class.lessons[*lesson].name, found->name) == 0) return true;
    return advise(diag_add(&session->diagnostics, DIAG_ERROR, desk->gradebook, 0, 0,
                           "the lesson %s is not part of this class", found->name),
                  "`warpschool gradebook` shows which are");
}

static bool is_meant(const char *value, const char *query) {
    return value != NULL && strcasecmp(value, query) == 0;
}

/* The student whose login or e-mail it is; *twin is another one of whom that is true, or the same. False:
 * nobody's. */
static bool find_by_address(const Class *class, const char *query, size_t *student, size_t *twin) {
    bool found = false;
    for (size_t i = 0; i < class->student_count; i++) {
        if (!is_meant(class->students[i].login, query) && !is_meant(class->students[i].email, query))
            continue;
        if (!found) *student = i;
        *twin = i;
        found = true;
    }
    return found;
}

static bool say_nobody(const Desk *desk, Session *session, const char *query) {
    if (desk->class.anonymous)
        return advise(diag_add(&session->diagnostics, DIAG_ERROR, desk->gradebook, 0, 0,
                               "there is no number `%s` in the class, whose grading is anonymous", query),
                      "`warpschool gradebook` shows the numbers; names come with the release of the grades");
    return advise(diag_add(&session->diagnostics, DIAG_ERROR, desk->gradebook, 0, 0,
                           "there is no student `%s` in the gradebook", query),
                  "give an id, a login or an e-mail; `warpschool gradebook` shows them");
}

/* An id comes before a login or an e-mail that reads the same; of those, large and small letters are one, and
 * what two students share is nobody's: points for the other one would be the worst of mistakes. */
bool desk_find_student(const Desk *desk, Session *session, const char *query, size_t *student) {
    const Class *class = &desk->class;
    size_t twin;
    for (*student = 0; *student < class->student_count; ++*student)
        if (strcmp(class->students[*student].id, query) == 0) return true;
    if (!find_by_address(class, query, student, &twin)) return say_nobody(desk, session, query);
    if (twin == *student) return true;
    return advise(diag_add(&session->diagnostics, DIAG_ERROR, desk->gradebook, 0, 0,
                           "`%s` is the login or e-mail of %s and of %s", query, class->students[*student].id,
                           class->students[twin].id),
                  "give the student's id");
}

/* Numbers are for what is not released; a number goes on being one. */
static bool may_be_named(const Class *class, size_t lesson, const char *query) {
    for (size_t i = 0; i < class->student_count; i++)
        if (strcmp(class->students[i].id, query) == 0) return false;
    return class->anonymous && !class->lessons[lesson].held;
}

bool desk_read_grade(Desk *desk, Session *session, const char *student_query, const char *lesson_query,
                     size_t *student, size_t *lesson) {
    if (!desk_read_class(desk, session) || !desk_find_lesson(desk, session, lesson_query, lesson))
        return false;
    if (may_be_named(&desk->class, *lesson, student_query)) {
        desk->named = true;
        if (!desk_read_again(desk, session)) return false;
    }
    return desk_find_student(desk, session, student_query, student);
}

bool desk_read_again(Desk *desk, Session *session) {
    class_free(&desk->class);
    if (desk->named) return desk_read_named(desk, session);
    return desk_read_class(desk, session);
}

/* Who is at the keyboard, as the system knows them; what the environment says is easily wrong. */
static const char *name_of_user(Arena *arena) {
    const struct passwd *entry = getpwuid(getuid());
    if (entry != NULL) return arena_string(arena, entry->pw_name);
    return NULL;
}

static bool is_blank(const char *text) {
    return text == NULL || strspn(text, " \t\n") == strlen(text);
}

bool desk_check_said(Session *session, const char *reason, const char **author, const char *message) {
    Diagnostics *diagnostics = &session->diagnostics;
    if (is_blank(reason))
        return advise(diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "%s", message),
                      "say it: --reason \"the second case is ambiguous\"");
    if (*author == NULL) *author = name_of_user(session->arena);
    if (!is_blank(*author)) return true;
    return advise(diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "nobody knows who you are"),
                  "say it: --author NAME");
}
