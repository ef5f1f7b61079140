/* judge.c - one exit status, and why; see ci.h. Nothing that was not checked is taken for right. */
#include "device/ci/ci.h"

#include "device/texts.h"

#include <string.h>

const char *ci_remedy(const Unchecked *unchecked) {
    return plain_ci(unchecked->driver ? CI_REMEDY_DRIVER : CI_REMEDY_RUNTIME);
}

static void count_findings(CiRun *run) {
    JSON_EACH(finding, json_array(run->report, "findings")) {
        bool note = strcmp(json_text(finding, "severity", "error"), "note") == 0;
        if (json_flag(finding, "known", false))
            run->known++;
        else if (note)
            run->new_notes++;
        else
            run->new_errors++;
    }
}

/* More than the list holds: what is not in it is compared with nothing. */
static long left_out(const CiRun *run) {
    struct json_object *findings = json_array(run->report, "findings");
    long listed = 0;
    if (findings != NULL) listed = (long)json_object_array_length(findings);
    return json_number(run->report, "findings_total", listed) - listed -
           json_number(run->report, "suppressed", 0);
}

static bool add_reason(Text *why, bool holds, CiText reason, const CiFacts *facts) {
    if (!holds) return false;
    say_ci(why, reason, facts);
    text_add(why, "\n");
    return true;
}

static bool add_number(Text *why, bool asked, CiText reason, long number) {
    return add_reason(why, asked && number > 0, reason, &(CiFacts){.number = (uint64_t)number});
}

/* The command's own failure wins, so that a test run's status stays what it was. */
int ci_judge(CiRun *run, const char *fail_on, Text *why) {
    bool errors = strcmp(fail_on, "never") != 0, notes = strcmp(fail_on, "note") == 0, failed = false;
    count_findings(run);
    for (size_t i = 0; i < run->unchecked_count; i++) {
        CiFacts facts = {.program = run->unchecked[i].program, .remedy = ci_remedy(&run->unchecked[i])};
        failed |= add_reason(why, true, CI_UNCHECKED, &facts);
    }
    failed |= add_reason(why, !run->kernel_ran, CI_NO_KERNEL_ASKS, &(CiFacts){.number = 0});
    failed |= add_number(why, errors, CI_NEW_ERRORS, run->new_errors);
    failed |= add_number(why, notes, CI_NEW_NOTES, run->new_notes);
    failed |= add_number(why, errors, CI_NO_ROOM, left_out(run));
    add_reason(why, run->status != 0, CI_STATUS, &(CiFacts){.status = (uint64_t)run->status});
    if (run->status != 0) return run->status;
    if (failed) return EXIT_FOUND;
    return EXIT_FINE;
}
