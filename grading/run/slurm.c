/* slurm.c - the tasks of a run by an array of jobs of Slurm; see run.h.
 *
 * Slurm only starts workers. What they have done is known by the result files alone: Slurm's own word about a
 * job may be lost or wrong after its controller has crashed. So there are rounds: all tasks that wait become
 * one array, results are taken as they appear, and when Slurm has no job of ours any more, what has no result
 * goes into the next round.
 *
 * The jobs carry a name made of the spool's, so that a run that goes on after kill -9 finds the old array and
 * cancels it.
 */
#include "autograder/sandbox/child.h"
#include "grading/run/run.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

enum { MOST_TASKS = 1000, JOB_NAME = 32, START_TIME = 64, LOOKS_PER_QUESTION = 4, EMPTY_ANSWERS = 2 };

/* The cluster as this run sees it. */
typedef struct Cluster {
    Run *run;
    char name[JOB_NAME];    /* of the jobs */
    int asked;              /* readable: somebody wants the run to stop */
    bool silent;            /* the controller did not answer, and that was said */
    bool told;              /* why the jobs do not start */
    char start[START_TIME]; /* of the controller, before it took the jobs */
    size_t done, rounds;
} Cluster;

/* Runs a command of Slurm's; its exit status, and what it printed, or -1. */
static int ask(const char *const *argv, Text *said) {
    enum { PATIENCE_SECONDS = 60 };
    return child_ask(argv, (const char *const *)environ, (double)PATIENCE_SECONDS, said);
}

/* The first line of what Slurm said. */
static void say_line(const char *words, const char *said) {
    Text line = text_new();
    text_add(&line, words);
    text_add_visible(&line, said, strcspn(said, "\n"));
    fprintf(stderr, "%s\n", line.bytes);
    text_free(&line);
}

/* A controller that is away comes back; until then results are collected all the same. */
static void note_silence(Cluster *cluster, const Text *said) {
    if (!cluster->silent) say_line("Slurm does not answer, and is waited for: ", said->bytes);
    cluster->silent = true;
}

/* Pauses for a look's time; true when the run is to stop. */
static bool pause_asked(const Cluster *cluster) {
    enum { LOOK_MILLISECONDS = 500 };
    struct pollfd polled = {.fd = cluster->asked, .events = POLLIN};
    return poll(&polled, 1, LOOK_MILLISECONDS) > 0;
}

static void cancel(const Cluster *cluster) {
    Text said = text_new();
    ask((const char *const[]){"scancel", "--name", cluster->name, NULL}, &said);
    text_free(&said);
}

/* ---- a round ---- */

/* Several tasks to a job: starting a job costs Slurm about as much as judging a submission. Not when they are
 * tried again: a worker that dies takes the rest of its job along. */
static size_t tasks_per_job(const Cluster *cluster, size_t count) {
    enum { FEW = 64, SEVERAL = 8 };
    size_t each = SEVERAL;
    if (count <= FEW || cluster->rounds > 0) each = 1;
    if (count > each * MOST_TASKS) return (count + MOST_TASKS - 1) / MOST_TASKS;
    return each;
}

/* The worker takes the shell's place, so that what Slurm kills is the worker. */
static bool write_script(const Run *run, size_t each) {
    Text script = text_new();
    text_format(&script,
                "#!/bin/sh\n"
                "exec '%s' --root '%s' grade-one --list '%s/list' --index $((SLURM_ARRAY_TASK_ID * %zu)) "
                "--count %zu\n",
                run->program, run->root, run->room.spool.folder, each, each);
    SpoolPath path = spool_path(&run->room.spool, "slurm.sh", "");
    bool quotable = strchr(run->program, '\'') == NULL && strchr(run->root, '\'') == NULL &&
                    strchr(run->room.spool.folder, '\'') == NULL;
    bool written = quotable && text_write_file(path.bytes, script.bytes, script.length);
    text_free(&script);
    if (!written)
        diag_add(run->room.diagnostics, DIAG_ERROR, path.bytes, 0, 0, "cannot write the script for Slurm: %s",
                 quotable ? strerror(errno) : "its path has a quote in it");
    return written;
}

/* Hands the array over, as soon as there is a controller to take it. Jobs may be queued again: a controller
 * that gives the number of a job which it has forgotten finds that the node refuses the new one, and a job
 * that could not be queued again would seem to run until its time is up. */
static RunEnd submit(Cluster *cluster, size_t jobs) {
    const Spool *spool = &cluster->run->room.spool;
    char array[64], limit[32] = "";
    if (cluster->run->workers > 0) snprintf(limit, sizeof limit, "%%%ld", cluster->run->workers);
    snprintf(array, sizeof array, "--array=0-%zu%s", jobs - 1, limit);
    SpoolPath script = spool_path(spool, "slurm.sh", ""), log = spool_path(spool, "slurm.log", "");
    enum { MOST_WORDS = 20 };
    const char *argv[MOST_WORDS] = {
        "sbatch",  "--parsable",         array,       "--job-name", cluster->name, "--ntasks=1", "--output",
        log.bytes, "--open-mode=append", "--requeue", "--chdir",    spool->folder};
    size_t count = 0;
    while (argv[count] != NULL)
        count++;
    /* Jobs that are stuck end by this, unless the environment has the cluster's own limit. */
    if (getenv("SBATCH_TIMELIMIT") == NULL) argv[count++] = "--time=30";
    /* Of the grader's environment a job gets nothing, but where the compiler for its card is. */
    argv[count++] = cluster->run->room.card ? "--export=PATH,CUDA_HOME" : "--export=NONE";
    if (cluster->run->room.card) argv[count++] = "--gres=gpu:1";
    argv[count] = script.bytes;
    Text said = text_new();
    RunEnd end = RUN_DONE;
    while (end == RUN_DONE && ask(argv, &said) != 0) {
        const bool away = strstr(said.bytes, "ontroller") != NULL || strstr(said.bytes, "ocket") != NULL ||
                          strstr(said.bytes, "onnect") != NULL;
        if (away) note_silence(cluster, &said);
        if (!away)
            end = RUN_FAILED;
        else if (pause_asked(cluster))
            end = RUN_STOPPED;
    }
    if (end == RUN_FAILED)
        diag_add(cluster->run->room.diagnostics, DIAG_ERROR, NULL, 0, 0, "Slurm does not take the jobs: %.*s",
                 (int)strcspn(said.bytes, "\n"), said.bytes);
    text_free(&said);
    return end;
}

/* Takes what is there; with a reason, also what will not come any more. */
static bool collect(Cluster *cluster, const char *why) {
    Run *run = cluster->run;
    for (size_t i = 0; i < run->count; i++) {
        Task *task = &run->tasks[i];
        if (task->state != TASK_RUNNING) continue;
        if (!task_collect(&run->room, task, why)) return false;
        cluster->done += task->state == TASK_DECIDED || task->state == TASK_FAULT;
    }
    meter_show(&run->meter, cluster->done);
    return true;
}

/* Why Slurm starts nothing, when all of our jobs wait, and not for their turn. */
static void note_waiting(Cluster *cluster, const Text *jobs) {
    static const char *const usual[] = {"None", "Priority", "Resources", "JobArrayTaskLimit", "BeginTime"};
    const char *reason = strrchr(jobs->bytes, '|');
    if (cluster->told || reason == NULL || strstr(jobs->bytes, "|R|") != NULL) return;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (text_starts_with(reason + 1, usual[i])) return;
    say_line("Slurm starts none of the jobs: ", reason + 1);
    cluster->told = true;
}

/* When the controller was started; false when it does not answer. */
static bool read_start(Cluster *cluster, char start[START_TIME]) {
    Text said = text_new();
    int status = ask((const char *const[]){"scontrol", "show", "config", NULL}, &said);
    const char *line = NULL;
    if (status == 0) line = strstr(said.bytes, "BOOT_TIME");
    if (status != 0) note_silence(cluster, &said);
    cluster->silent = cluster->silent && status != 0;
    if (line == NULL) line = "";
    snprintf(start, START_TIME, "%.*s", (int)strcspn(line, "\n"), line);
    text_free(&said);
    return status == 0;
}

/* Whether Slurm says that no job of ours waits or runs. A controller that was started anew may think that
 * jobs run which it has forgotten to start, or hold them back for ever: then all are cancelled, and what has
 * no result goes into the next round. */
static bool is_over(Cluster *cluster) {
    char start[START_TIME];
    Text said = text_new();
    if (!read_start(cluster, start)) return false;
    int status =
        ask((const char *const[]){"squeue", "--noheader", "--name", cluster->name, "--format=%A|%t|%r", NULL},
            &said);
    bool over = status == 0 && said.length == 0;
    if (strcmp(start, cluster->start) != 0 || strcasestr(said.bytes, "held") != NULL) cancel(cluster);
    if (status == 0) note_waiting(cluster, &said);
    text_free(&said);
    return over;
}

/* A result may become visible after the job has gone, on a file system of the network: so there is a second
 * look. */
static RunEnd await_round(Cluster *cluster) {
    for (int looks = 0, empty = 0; run_count(cluster->run, TASK_RUNNING) > 0; looks++) {
        if (!collect(cluster, NULL)) return RUN_FAILED;
        if (run_count(cluster->run, TASK_RUNNING) == 0) break;
        if (pause_asked(cluster)) return RUN_STOPPED;
        if (looks % LOOKS_PER_QUESTION != LOOKS_PER_QUESTION - 1) continue;
        if (is_over(cluster))
            empty = empty + 1;
        else
            empty = 0;
        if (empty == EMPTY_ANSWERS)
            return collect(cluster, "Slurm's job ended and left no result") ? RUN_DONE : RUN_FAILED;
    }
    return RUN_DONE;
}

static RunEnd do_round(Cluster *cluster) {
    size_t count;
    if (!run_prepare(cluster->run, &count)) return RUN_FAILED;
    size_t each = tasks_per_job(cluster, count);
    cluster->rounds++;
    if (!write_script(cluster->run, each)) return RUN_FAILED;
    while (!read_start(cluster, cluster->start))
        if (pause_asked(cluster)) return RUN_STOPPED;
    RunEnd end = submit(cluster, (count + each - 1) / each);
    if (end == RUN_DONE) return await_round(cluster);
    return end;
}

/* The job's name follows from the folder of jobs, so that what an earlier, killed grader has left in the
 * cluster is found and cancelled. Rounds go on until nothing waits any more. */
RunEnd run_by_slurm(Run *run) {
    sigset_t before;
    char hex[HASH_HEX];
    Cluster cluster = {.run = run, .asked = run_block(&before)};
    hash_bytes(run->room.spool.folder, strlen(run->room.spool.folder), hex);
    snprintf(cluster.name, sizeof cluster.name, "warpschool-%.12s", hex);
    meter_begin(&run->meter, run_count(run, TASK_WAITING));
    cancel(&cluster);
    RunEnd end = RUN_FAILED;
    if (run_collect_left(run)) end = RUN_DONE;
    while (end == RUN_DONE && run_count(run, TASK_WAITING) > 0)
        end = do_round(&cluster);
    cancel(&cluster);
    meter_end(&run->meter);
    run_unblock(cluster.asked, &before);
    return end;
}
