/* intake.c - the column of calls; see intake.h. */
#include "grading/intake/intake.h"

#include "grading/intake/commit.h"
#include "grading/intake/gather.h"
#include "grading/intake/people.h"

/* The column of calls from a folder or archive to people and what each handed in. */
bool intake_read(Intake *intake, Arena *arena, const Course *course, const IntakeOptions *options,
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
    if (!layout_read(&submissions, &tree, course, &roster, options->path, diagnostics)) return false;
    const int errors = diagnostics->errors;
    if (people_make(intake, arena, &roster, &submissions, options->strangers, diagnostics) &&
        gather_files(intake, arena, course, &submissions, options->every_file))
        return true;
    if (diagnostics->errors == errors)
        diag_add(diagnostics, DIAG_ERROR, options->path, 0, 0, "there is no memory to read all submissions");
    return false;
}
