/* judge.c - one exit status, and why; see ci.h. Nothing that was not checked is taken for right. */
#include "device/ci/ci.h"

#include <string.h>

const char *ci_remedy(const Unchecked *unchecked) {
    if (unchecked->driver)
        return "it uses the driver API (-lcuda), which warpgrind does not run; test what it does through the "
               "runtime API, linked shared";
    return "it has the CUDA runtime inside; link it shared: nvcc -cudart shared, or in CMake "
           "set(CMAKE_CUDA_RUNTIME_LIBRARY Shared) before the targets";
}

static void count_findings(CiRun *run) {
    struct json_object *findings = json_array(run->report, "findings");
    for (size_t i = 0; findings != NULL && i < json_object_array_length(findings); i++) {
        struct json_object *finding = json_object_array_get_idx(findings, i);
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
    long listed = findings != NULL ? (long)json_object_array_length(findings) : 0;
    return json_number(run->report, "findings_total", listed) - listed -
           json_number(run->report, "suppressed", 0);
}

static bool add_reason(Text *why, bool holds, const char *format, unsigned number) {
    if (!holds) return false;
    text_format(why, "%u ", number);
    text_add(why, format);
    text_add(why, "\n");
    return true;
}

/* The command's own failure wins, so that a test run's status stays what it was. */
int ci_judge(CiRun *run, const char *fail_on, Text *why) {
    bool errors = strcmp(fail_on, "never") != 0, notes = strcmp(fail_on, "note") == 0, failed = false;
    count_findings(run);
    for (size_t i = 0; i < run->unchecked_count; i++) {
        text_format(why, "not checked: %s: %s\n", run->unchecked[i].program, ci_remedy(&run->unchecked[i]));
        failed = true;
    }
    if (!run->kernel_ran) {
        text_add(why, "no kernel ran, so nothing was checked: does the command start a program that is "
                      "linked to the shared CUDA runtime?\n");
        failed = true;
    }
    failed = add_reason(why, errors && run->new_errors > 0, run->new_errors == 1 ? "new error" : "new errors",
                        run->new_errors) ||
             failed;
    failed = add_reason(why, notes && run->new_notes > 0, run->new_notes == 1 ? "new note" : "new notes",
                        run->new_notes) ||
             failed;
    long more = left_out(run);
    failed = add_reason(why, errors && more > 0,
                        "findings for which the report had no room: mend some of the others first",
                        (unsigned)more) ||
             failed;
    if (run->status != 0) text_format(why, "the command itself ended with status %d\n", run->status);
    if (run->status != 0) return run->status;
    return failed ? EXIT_FOUND : EXIT_FINE;
}
