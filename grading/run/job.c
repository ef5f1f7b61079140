/* job.c - jobs and results as files; see job.h. */
#include "grading/run/job.h"

#include "autograder/sandbox/stage.h"
#include "autograder/verdict/worker.h"
#include "base/json.h"
#include "grading/run/turn.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { LARGEST_SOURCE = 1 << 20, LARGEST_JOB = 1 << 16 };

/* A job that is cut short is written again by whoever goes on, so nothing waits for the disk here. */
static bool write_plain(const char *path, const char *bytes, size_t length, Diagnostics *diagnostics) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool written = fd >= 0 && text_write(fd, bytes, length);
    if (fd >= 0 && close(fd) != 0) written = false;
    if (!written) diag_add_errno(diagnostics, path, "cannot write a job");
    return written;
}

static struct json_object *job_to_json(const Job *job, const char *source) {
    struct json_object *object = json_object_new_object();
    json_put_text(object, "schema", JOB_SCHEMA);
    json_put_text(object, "lesson", job->lesson);
    json_put_text(object, "shown", job->shown);
    json_put_text(object, "source", source);
    json_put_number(object, "seed", job->seed);
    json_put_flag(object, "weak", job->weak);
    json_put_flag(object, "card", job->card);
    return object;
}

/* The source lies beside the job's file, which names it without a folder: the two can be moved together. */
bool job_write(const Job *job, const char *folder, const char *name, const char *bytes, size_t length,
               Diagnostics *diagnostics) {
    Text source = text_new(), file = text_new();
    text_format(&source, "%s/%s.cu", folder, name);
    text_format(&file, "%s/%s.job", folder, name);
    struct json_object *object = job_to_json(job, strrchr(source.bytes, '/') + 1);
    const char *json = json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY);
    bool written = json != NULL && !source.failed && !file.failed &&
                   write_plain(source.bytes, bytes, length, diagnostics) &&
                   write_plain(file.bytes, json, strlen(json), diagnostics);
    json_object_put(object);
    text_free(&source);
    text_free(&file);
    return written;
}

/* A job may come from anywhere, so the source that it names must lie beside it. */
bool job_read(Job *job, const char *path, Arena *arena, Diagnostics *diagnostics) {
    struct json_object *object = json_read_file(path, LARGEST_JOB, diagnostics);
    if (object == NULL) return false;
    *job = (Job){.lesson = arena_string(arena, json_text(object, "lesson", "")),
                 .shown = arena_string(arena, json_text(object, "shown", "")),
                 .source = arena_string(arena, json_text(object, "source", "")),
                 .seed = json_number(object, "seed", -1),
                 .weak = json_flag(object, "weak", false),
                 .card = json_flag(object, "card", false)};
    bool known = strcmp(json_text(object, "schema", ""), JOB_SCHEMA) == 0 && job->seed >= 0 &&
                 job->source != NULL && *job->source != '\0' && strchr(job->source, '/') == NULL;
    json_object_put(object);
    if (!known) {
        advise(diag_add(diagnostics, DIAG_ERROR, path, 0, 0, "this is no job"),
               "a job is a file " JOB_SCHEMA " that `warpschool grade` wrote");
    }
    return known;
}

/* The lesson's and the judge's part of the order; false with an error when the course has no such lesson. */
static bool find_lesson(WorkerOrder *order, Judges judges, const Job *job, const char *path,
                        Diagnostics *diagnostics) {
    for (size_t i = 0; i < order->course->count; i++)
        if (strcmp(order->course->lessons[i].name, job->lesson) == 0)
            order->lesson = &order->course->lessons[i];
    order->judge = judges_find(judges, job->lesson);
    if (order->lesson != NULL && order->judge != NULL) return true;
    return advise(
        diag_add(diagnostics, DIAG_ERROR, path, 0, 0, "this course has no lesson `%s`", job->lesson),
        "the worker needs the same version of the course as the grader");
}

/* Where the system allows no sandbox, a job that may do without is judged again without. */
static struct json_object *judge(WorkerOrder *order, bool weak) {
    struct json_object *result = worker_check(order);
    if (!weak || strcmp(json_text(result, "sandbox", ""), STAGE_FORBIDDEN) != 0) return result;
    json_object_put(result);
    order->unlocked = true;
    return worker_check(order);
}

/* The solution of the course, as a submission; false when this copy of the course has none. */
static bool read_solution(Submission *solution, const WorkerOrder *order, Arena *arena) {
    const char *path =
        arena_format(arena, "%s/solutions/%s/solution.cu", order->course->root, order->lesson->name);
    *solution = (Submission){.path = path, .name = order->submission->name};
    text_init(&solution->source);
    return path != NULL && text_read_named_file(&solution->source, path, LARGEST_SOURCE);
}

/* What disturbed the solution's times makes the comparison as worthless. */
static void add_disturbed(struct json_object *card, struct json_object *other) {
    struct json_object *known = json_array(card, "disturbed"), *more = json_array(other, "disturbed");
    for (size_t i = 0; known != NULL && i < json_length(more); i++) {
        struct json_object *how = json_object_array_get_idx(more, i);
        bool there = false;
        JSON_EACH(entry, known)
            there |= json_object_equal(how, entry) != 0;
        if (!there) json_object_array_add(known, json_object_get(how));
    }
}

/* Puts beside each case how long the course's own solution took, on the same card right after it: the measure
 * that is fair on any card. Both have the same cases in the same order. */
static void add_solution(struct json_object *card, const WorkerOrder *order, Arena *arena) {
    Submission solution;
    WorkerOrder again = *order;
    again.submission = &solution;
    if (read_solution(&solution, order, arena)) {
        struct json_object *other = worker_check(&again);
        struct json_object *cases = json_array(card, "cases"), *theirs = json_array(other, "cases");
        for (size_t i = 0; i < json_length(cases) && i < json_length(theirs); i++) {
            struct json_object *times = json_member(json_object_array_get_idx(theirs, i), "microseconds");
            struct json_object *median = NULL;
            if (json_object_object_get_ex(times, "median", &median))
                json_object_object_add(json_object_array_get_idx(cases, i), "solution_microseconds",
                                       json_object_get(median));
        }
        add_disturbed(card, other);
        json_object_put(other);
    }
    text_free(&solution.source);
}

/* The cases that students may see, on a card that no other worker has; their times go into the result. */
static void add_card(struct json_object *result, const WorkerOrder *order, const char *folder, Arena *arena) {
    if (!result_has_program(result)) return;
    Turn turn;
    WorkerOrder on_card = *order;
    on_card.on_card = true;
    on_card.isolated = false;
    on_card.seed = 0; /* the grading's own would show in the inputs of cases that anybody may see */
    turn_take(&turn, folder, order->lesson->manifest.devices.text != NULL, arena); /* or the check says why */
    struct json_object *card = worker_check(&on_card);
    if (json_text(card, "problem", NULL) == NULL) add_solution(card, &on_card, arena);
    json_object_object_add(result, "card", card);
    turn_end(&turn);
}

/* The result of a job, or NULL where it could not be read. A job is judged with hidden cases and each case by
 * itself. */
struct json_object *job_judge(const char *path, const Course *course, Judges judges, Arena *arena,
                              Diagnostics *diagnostics) {
    Job job;
    if (!job_read(&job, path, arena, diagnostics)) return NULL;
    Submission submission = {.path = job.shown, .name = arena_format(arena, "%s.cu", job.lesson)};
    WorkerOrder order = {.course = course, .submission = &submission, .seed = job.seed, .isolated = true};
    if (submission.name == NULL || !find_lesson(&order, judges, &job, path, diagnostics)) return NULL;
    const char *slash = strrchr(path, '/');
    const char *folder = ".";
    if (slash != NULL) folder = arena_format(arena, "%.*s", (int)(slash - path), path);
    const char *source = NULL;
    if (folder != NULL) source = arena_format(arena, "%s/%s", folder, job.source);
    struct json_object *result = NULL;
    text_init(&submission.source);
    if (source != NULL && text_read_named_file(&submission.source, source, LARGEST_SOURCE))
        result = judge(&order, job.weak);
    else
        diag_add(diagnostics, DIAG_ERROR, source, 0, 0, "cannot read the job's source: %s", strerror(errno));
    if (result != NULL && job.card) add_card(result, &order, folder, arena);
    text_free(&submission.source);
    return result;
}

/* Whether it is what a judge writes: otherwise the worker is at fault, not the submission. */
static bool makes_sense(struct json_object *result, const char *lesson, long seed) {
    const char *verdict = json_text(result, "verdict", "");
    long score = json_number(result, "score", -1);
    bool decided = strcmp(verdict, "pass") == 0 || strcmp(verdict, "fail") == 0;
    return strcmp(json_text(result, "lesson", ""), lesson) == 0 && json_number(result, "seed", -1) == seed &&
           (strcmp(verdict, "error") == 0 ||
            (decided && score >= 0 && score <= json_number(result, "max_score", -1)));
}

struct json_object *job_read_result(const char *path, const char *lesson, long seed) {
    Text text = text_new();
    struct json_object *result = NULL;
    if (text_read_named_file(&text, path, RESULT_LARGEST)) result = json_tokener_parse(text.bytes);
    text_free(&text);
    if (makes_sense(result, lesson, seed)) return result;
    json_object_put(result);
    return NULL;
}
