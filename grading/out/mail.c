/* mail.c - feedback as a file for mail merge: a line for each student, whose last cell is the text of a
 * letter. */
#include "base/escape.h"

#include "grading/out/named.h"
#include "grading/out/out.h"

/* One line of the file; the lines of the letter stay lines, in its cell. */
static bool add_letter(const ExportJob *job, size_t student, Text *out) {
    const ClassStudent *whom = &job->class->students[student];
    Class one;
    Text letter = text_new();
    ExportJob own = *job;
    own.class = &one;
    if (!exports_select(&one, job->arena, job->class, student, EXPORTS_ALL)) return false;
    const bool fine = export_text(&own, &letter);
    escape_cell(out, whom->email);
    text_add(out, ",");
    escape_cell(out, whom->name);
    text_add(out, ",");
    escape_cell(out, whom->id);
    text_add(out, ",");
    out_number(out, out_points(&one));
    text_add(out, ",");
    out_number(out, out_max_points(&one));
    text_add(out, ",");
    escape_cell_lines(out, letter.bytes);
    text_add(out, "\n");
    out->failed |= letter.failed;
    text_free(&letter);
    return fine;
}

/* Whom no letter reaches is said, not left out in silence. */
static void say_unreached(const ExportJob *job, const Named *unreached) {
    if (unreached->count == 0) return;
    advise(diag_add(job->diagnostics, DIAG_WARNING, NULL, 0, 0, "%s",
                    named_words(unreached, job->arena, "has no e-mail, and is left out",
                                "have no e-mail, and are left out")),
           "a roster with a column for it has them: warpschool grade --roster FILE");
}

bool export_mail(const ExportJob *job, Text *out) {
    Named unreached = {.count = 0};
    bool fine = true;
    text_add(out, "email,name,student,points,max_points,feedback\n");
    for (size_t i = 0; i < job->class->student_count; i++) {
        const char *email = job->class->students[i].email;
        if (email != NULL && *email != '\0')
            fine = add_letter(job, i, out) && fine;
        else
            named_add(&unreached, &job->class->students[i]);
    }
    say_unreached(job, &unreached);
    return fine;
}
