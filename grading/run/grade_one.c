/* grade_one.c - the worker: `warpschool grade-one` judges one job and leaves one result file.
 *
 * It is what `grade` starts for each of its jobs, what a task of a Slurm array runs, and what a container of
 * a Kubernetes job does: they name the job by its file, or by its number among the lines of a list.
 */
#include "base/json.h"

#include "grading/commands.h"
#include "grading/run/edge.h"
#include "grading/run/job.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST_LIST = 16 << 20 };

/* The words of `warpschool grade-one`. */
typedef struct OneOrder {
    const char *job, *out, *list;
    long index, count;
} OneOrder;

/* The result is renamed into place, so that who collects it finds all of it or nothing. */
static bool leave_result(Session *session, const char *path, struct json_object *result) {
    const char *text =
        json_object_to_json_string_ext(result, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
    edge_pass(EDGE_JUDGED);
    bool left = text != NULL && text_write_file(path, text, strlen(text));
    if (!left)
        diag_add(&session->diagnostics, DIAG_ERROR, path, 0, 0, "cannot write the result: %s",
                 strerror(errno));
    else
        edge_pass(EDGE_LEFT);
    return left;
}

static bool decided(struct json_object *result) {
    return strcmp(json_text(result, "verdict", "error"), "error") != 0;
}

static int judge_job(Session *session, const Course *course, const char *job, const char *out) {
    struct json_object *result =
        job_judge(job, course, session->judges, session->arena, &session->diagnostics);
    if (result == NULL) return EXIT_INTERNAL;
    bool fine = leave_result(session, out, result) && decided(result);
    json_object_put(result);
    if (fine) return EXIT_FINE;
    return EXIT_INTERNAL;
}

/* ---- a list ---- */

static int judge_line(Session *session, const Course *course, const char *list, const char *name) {
    const char *slash = strrchr(list, '/');
    int folder = 0;
    if (slash != NULL) folder = (int)(slash - list + 1);
    const char *job = arena_format(session->arena, "%.*s%s.job", folder, list, name);
    const char *out = arena_format(session->arena, "%.*s%s.result", folder, list, name);
    if (job == NULL || out == NULL) return EXIT_INTERNAL;
    if (access(out, F_OK) == 0) return EXIT_FINE;
    return judge_job(session, course, job, out);
}

/* Some lines of the list, from the one of that number on; all are tried, also after one that failed. */
static int judge_list(Session *session, const Course *course, const OneOrder *order) {
    Text list = text_new();
    int status = EXIT_FINE;
    long line = 0;
    if (!text_read_file(&list, order->list, LARGEST_LIST)) {
        diag_add(&session->diagnostics, DIAG_ERROR, order->list, 0, 0, "cannot read the list of jobs: %s",
                 strerror(errno));
        status = EXIT_USAGE;
    }
    char *rest = NULL;
    for (char *at = strtok_r(list.bytes, "\n", &rest); at != NULL && status != EXIT_USAGE;
         at = strtok_r(NULL, "\n", &rest), line++)
        if (line >= order->index && line < order->index + order->count &&
            judge_line(session, course, order->list, at) != EXIT_FINE)
            status = EXIT_INTERNAL;
    if (status == EXIT_FINE && order->index >= line) {
        diag_add(&session->diagnostics, DIAG_ERROR, order->list, 0, 0, "the list has no job number %ld",
                 order->index);
        status = EXIT_USAGE;
    }
    text_free(&list);
    return status;
}

/* ---- the command ---- */

static bool order_is_whole(Session *session, const OneOrder *order) {
    bool files = order->job != NULL && order->out != NULL;
    bool listed = order->list != NULL && order->index >= 0 && order->count > 0;
    if (files != listed) return true;
    return advise(diag_add(&session->diagnostics, DIAG_ERROR, NULL, 0, 0, "no job is named"),
                  "give --job FILE and --out FILE, or --list FILE and --index N");
}

/* `warpschool grade-one`, for workers on other machines: one job by its file, or some of a list. */
int grade_one_run(Session *session, int argc, char **argv) {
    OneOrder order = {.index = -1, .count = 1};
    const Option options[] = {
        {OPTION_STRING, 0, "job", "FILE", "the job's file", &order.job},
        {OPTION_STRING, 0, "out", "FILE", "where the result comes to lie, whole or not at all", &order.out},
        {OPTION_STRING, 0, "list", "FILE", "instead: a list of jobs in the list's own folder", &order.list},
        {OPTION_NUMBER, 0, "index", "N", "the job's number in the list, from 0", &order.index},
        {OPTION_NUMBER, 0, "count", "N", "so many jobs, from that number on (1)", &order.count},
        {.kind = OPTION_END}};
    if (commands_parse(session, options, argc, argv, 0, 0) < 0) return EXIT_USAGE;
    if (!order_is_whole(session, &order)) return EXIT_USAGE;
    Course course;
    if (!commands_load_course(session, &course)) return EXIT_INTERNAL;
    if (order.list != NULL) return judge_list(session, &course, &order);
    return judge_job(session, &course, order.job, order.out);
}
