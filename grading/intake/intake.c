/* intake.c - the column of calls; see intake.h. */
#include "grading/intake/intake.h"

#include "grading/intake/commit.h"
#include "grading/intake/gather.h"
#include "grading/intake/people.h"

/* ---- what is said of many files ---- */

static bool same_warning(const Diagnostic *a, const Diagnostic *b) {
    return a->level == DIAG_WARNING && b->level == DIAG_WARNING && a->line == b->line &&
           text_same(a->message, b->message) && text_same(a->remedy, b->remedy);
}

/* The others of its kind leave the list, and a few are named in its message. */
static void fold(Diagnostics *list, Diagnostic *kept) {
    enum { MOST_NAMED = 3 };
    Text others = text_new();
    size_t count = 0;
    for (Diagnostic *before = kept; before->next != NULL;) {
        Diagnostic *at = before->next;
        if (!same_warning(kept, at)) {
            before = at;
            continue;
        }
        before->next = at->next;
        list->warnings--;
        if (count++ < MOST_NAMED) text_format(&others, count > 1 ? ", %s" : "%s", at->file);
    }
    if (count > MOST_NAMED) text_format(&others, " and %zu others", count - MOST_NAMED);
    const char *message = NULL;
    if (count > 0)
        message =
            arena_format(list->arena, "%s; the same with %zu more: %s", kept->message, count, others.bytes);
    if (message != NULL) kept->message = message;
    text_free(&others);
}

/* A class has hundreds of files, and what is wrong with all of them need be read once. `last` was the last
 * that was said before; NULL: nothing was. */
static void fold_warnings(Diagnostics *list, const Diagnostic *last) {
    for (Diagnostic *at = last != NULL ? last->next : list->first; at != NULL; at = at->next) {
        if (at->level == DIAG_WARNING && at->file != NULL) fold(list, at);
        list->last = at;
    }
}

/* ---- from files to people ---- */

/* The column of calls from a folder or archive to people and what each handed in. */
static bool read_all(Intake *intake, Arena *arena, const Course *course, const IntakeOptions *options,
                     Diagnostics *diagnostics) {
    Tree tree;
    Roster roster = {.path = NULL};
    SubmissionList submissions;
    *intake = (Intake){.people_count = 0};
    if (options->roster != NULL &&
        !roster_read(&roster, arena, options->roster, options->columns, diagnostics))
        return false;
    if (!tree_read(&tree, arena, options->path, diagnostics)) return false;
    commit_read_times(&tree, diagnostics);
    if (!layout_read(&submissions, &tree, course, &roster, options, diagnostics)) return false;
    const int errors = diagnostics->errors;
    if (people_make(intake, arena, &roster, &submissions, options, diagnostics) &&
        gather_files(intake, arena, course, &submissions, options))
        return true;
    if (diagnostics->errors == errors)
        diag_add(diagnostics, DIAG_ERROR, options->path, 0, 0, "there is no memory to read all submissions");
    return false;
}

bool intake_read(Intake *intake, Arena *arena, const Course *course, const IntakeOptions *options,
                 Diagnostics *diagnostics) {
    const Diagnostic *last = diagnostics->last;
    const bool fine = read_all(intake, arena, course, options, diagnostics);
    fold_warnings(diagnostics, last);
    return fine;
}
