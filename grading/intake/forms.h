/* forms.h - the names that learning systems give to what they hand out: whose a folder or file is.
 *
 * - lastfirst_123_456_FILE, lastfirst_LATE_123_456_FILE: Canvas; files side by side, the first number is the
 *   user's
 * - Full Name_123_assignsubmission_file_/, also as ..._file_FILE: Moodle; the number is the participant's
 * - ASSIGNMENT_LOGIN_attempt_2026-10-05-14-03-22_FILE: Blackboard
 * - 123-456 - Full Name - Oct 5, 2026 203 PM/, also with " - FILE" behind it: Brightspace; the first number
 *   is the user's in the course, and the name may have the login or the id before it
 * - Last, First(LOGIN)/Submission attachment(s)/, also as ..._Submission attachment(s)_FILE: Sakai
 *
 * A system writes its part first and what a student has chosen behind it, so a student's file may imitate
 * another system's form. Therefore a download has one form, the one that most of it has, and no file of it is
 * read in another.
 */
#pragma once

#include "grading/intake/layout.h"

/** A row of the table of forms. */
typedef struct Form Form;

/** The form that most entries of a folder have, from `first` on or of it alone; NULL when none has one. */
const Form *forms_find(Node *first, bool only_first);
/** Whether every program, folder and archive in it carries a name of the form. */
bool forms_fill(const Form *form, const Node *folder);
/** Adds the submission that an entry is; false when its name is not of the form. */
bool forms_read(const Form *form, SubmissionList *list, Arena *arena, Node *node);
/** What the names of one download say only together: drops the submissions whose name is another student's,
 * with a warning each. False without memory. */
bool forms_settle(SubmissionList *list, Arena *arena, Diagnostics *diagnostics);
