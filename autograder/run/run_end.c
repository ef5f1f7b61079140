/* run_end.c - how each case ended, and the report of a pair that has ended; see run.h.
 *
 * Which case a program was in shows in the answers' folders that its driver made.
 */
#include "autograder/run/run_parts.h"
#include "base/minmax.h"

#include "autograder/check/headers.h"
#include "autograder/check/hidden.h"
#include "autograder/run/ranks.h"
#include "autograder/sandbox/sandbox.h"
#include "autograder/texts.h"
#include "base/json.h"
#include "base/marks.h"
#include "base/merge.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    REPORT_SECONDS = 5, /* for a device to write its report when the program is gone */
    LATE_SECONDS = 1,   /* the same, when the time of all is up */
    LARGEST_REPORT = 32 << 20,
    LARGEST_SENT = 80 << 20, /* the device keeps 64 MiB, and what tells them apart */
    LARGEST_SHOWN = 4096
};

/* ---- how it ended ---- */

static bool case_was_begun(const Running *running, unsigned index) {
    char path[256];
    snprintf(path, sizeof path, "%s/%02u", running->schedule->answers, index);
    return access(path, F_OK) == 0;
}

unsigned run_last_begun(const Running *running, unsigned first) {
    for (unsigned i = run_end_of_cases(running); i > first; i--)
        if (case_was_begun(running, i - 1)) return i - 1;
    return first;
}

static const char *visible_copy(Arena *arena, const char *bytes, size_t length) {
    Text text = text_new();
    text_add_visible(&text, bytes, length);
    return arena_keep(arena, &text);
}

/* Whether the program can have met the kernel's limit, which is one of each of its processes. */
static bool had_its_seconds(const Running *running) {
    enum { UNSURE = 1 }; /* the kernel counts by its clock's ticks */
    return running->program.ran >= (double)(run_processor_seconds(running->check) - UNSURE);
}

/* Limits of the kernel end a program by a signal of their own, which a program may send itself, too; all
 * other signals are crashes. */
static RunEnd end_by_signal(const Running *running, int number) {
    switch (number) {
    case SIGXCPU:
        if (had_its_seconds(running)) return RUN_CPU_LIMIT;
        return RUN_CRASHED;
    case SIGXFSZ:
        return RUN_FILE_LIMIT;
    case SIGSYS:
        return RUN_FORBIDDEN;
    default:
        return RUN_CRASHED;
    }
}

/* Whether the kernel has killed processes of a group for memory that the group was not to have; counts them.
 */
static bool has_new_kills(const Cgroup *group, long *known) {
    long kills = cgroup_kills(group), before = *known;
    *known = kills;
    return kills > before;
}

/* The type of the exception that nobody caught, which is the last thing that the C++ library's handler
 * prints: "terminate called after throwing an instance of 'std::bad_alloc'". */
static const char *uncaught_of(Arena *arena, const Text *said, size_t length) {
    static const char words[] = "terminate called after throwing an instance of '";
    enum { LONGEST = 100 };
    const char *type = NULL;
    for (const char *at = said->bytes; at != NULL; at = strstr(at + 1, words))
        if (strncmp(at, words, strlen(words)) == 0) type = at + strlen(words);
    if (type == NULL || type >= said->bytes + length) return NULL;
    const size_t count = strcspn(type, "'\n");
    if (type[count] != '\'' || count == 0 || count > LONGEST) return NULL;
    return visible_copy(arena, type, count);
}

/* How the program ended. A kill for want of memory looks like any other SIGKILL, and is told by the group's
 * count; with ranks it is mpiexec that ends, which prints the signal of a rank. */
CaseEnd run_end_of_program(Running *running) {
    const Child *program = &running->program;
    int number = sandbox_signal(program);
    if (number == 0 && running->ranks > 1) number = ranks_signal(&program->streams[0]);
    if (has_new_kills(&running->program_group, &running->program_kills))
        return (CaseEnd){.end = RUN_TOGETHER};
    Arena *arena = running->check->arena;
    const Text *said = &program->streams[1];
    const size_t length = ranks_words_begin(said);
    CaseEnd end = {.end = RUN_EXITED,
                   .detail = sandbox_exit_status(program),
                   .last_line = check_last_line(arena, said->bytes, length)};
    if (number == 0) return end;
    end.end = end_by_signal(running, number);
    end.detail = number;
    if (number == SIGKILL && WIFEXITED(program->status)) end.chosen = WEXITSTATUS(program->status);
    if (number == SIGABRT) end.uncaught = uncaught_of(arena, said, length);
    return end;
}

/* Without the lines of the lesson's own program, which are for those who write lessons: a case says in its
 * own words what became of it. */
static void add_own_lines(Text *all, const char *said, size_t length) {
    static const char drivers[] = "driver: ";
    for (size_t at = 0; at < length;) {
        const char *end = memchr(said + at, '\n', length - at);
        size_t line;
        if (end != NULL)
            line = (size_t)(end - said) + 1 - at;
        else
            line = length - at;
        if (line < strlen(drivers) || memcmp(said + at, drivers, strlen(drivers)) != 0)
            text_append(all, said + at, line);
        at += line;
    }
}

/* A program can print its inputs: what it prints in a hidden case is not kept. */
static void keep_output(Running *running) {
    Schedule *schedule = running->schedule;
    bool told =
        running->check->revealed || !hidden_case(running->check, run_current_pair(running)->first_case);
    if (schedule->output != NULL || !told) return;
    Text all = text_new();
    for (int stream = 0; stream < 2; stream++) {
        const Text *text = &running->program.streams[stream];
        size_t length;
        if (running->ranks > 1)
            length = ranks_words_begin(text);
        else
            length = text->length;
        add_own_lines(&all, text->bytes, MIN(length, LARGEST_SHOWN));
    }
    if (all.length > 0) schedule->output = visible_copy(running->check->arena, all.bytes, all.length);
    text_free(&all);
}

/* The program is gone: cases before the last one it began are complete, that one ended as the program did. */
void run_note_program_end(Running *running, CaseEnd end) {
    Schedule *schedule = running->schedule;
    Pair *pair = run_current_pair(running);
    unsigned count = run_end_of_cases(running);
    pair->last_case = run_last_begun(running, pair->first_case);
    if (!hidden_case(running->check, pair->first_case)) schedule->told_until = child_now();
    pair->well = end.end == RUN_EXITED && end.detail == 0 && pair->last_case + 1 == count;
    for (unsigned i = pair->first_case; i < pair->last_case; i++)
        schedule->ends[i] = (CaseEnd){.end = RUN_COMPLETED};
    if (pair->well) end = (CaseEnd){.end = RUN_COMPLETED};
    schedule->ends[pair->last_case] = end;
    keep_output(running);
    running->state = STATE_REPORTING;
    double soon = run_own_now(running) + (double)REPORT_SECONDS,
           latest = running->deadline + (double)LATE_SECONDS;
    running->report_deadline = MIN(soon, latest);
}

/* ---- the report, and on ---- */

static const char *how_device_ended(const Running *running, const Child *device) {
    const Text *said = &device->streams[1];
    Arena *arena = running->check->arena;
    const char *words = NULL;
    if (said->length > 0) words = visible_copy(arena, said->bytes, said->length);
    const bool killed = WIFSIGNALED(device->status);
    return TOLD_DEVICE(ENDED, arena, .signal = killed ? strsignal(WTERMSIG(device->status)) : NULL,
                       .said = words);
}

/* A device that cannot start, or that somebody kills, is not the submission's fault. */
static int fatal_signal(int status) {
    static const int own[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU, SIGSYS};
    for (size_t i = 0; WIFSIGNALED(status) && i < sizeof own / sizeof *own; i++)
        if (WTERMSIG(status) == own[i]) return own[i];
    return 0;
}

/* The driver's last word comes from its own code, when all cases are done, and the program says goodbye after
 * it. Student code may have ended the process before. */
static bool has_finished(const Check *check, struct json_object *report) {
    struct json_object *mark = json_member(report, "last_mark");
    bool last = strcmp(json_text(mark, "text", ""), MARK_END) == 0;
    return last && check_is_drivers(check, (uint64_t)json_number(mark, "address", 0)) &&
           json_number(report, "exit_status", -1) == 0;
}

static bool ended_well(const Child *device) {
    return WIFEXITED(device->status) && WEXITSTATUS(device->status) == 0;
}

/* bubblewrap passes a signal on as an exit status, which a program may also have chosen. By exit it has said
 * goodbye with that status, which a program that a signal ended has not; nor has one that called _exit. */
static void note_chosen_status(const Running *running, CaseEnd *end, struct json_object *report) {
    const Child *program = &running->program;
    const int number = sandbox_signal(program);
    if (number == 0 || end->detail != number || !WIFEXITED(program->status)) return;
    const int status = WEXITSTATUS(program->status);
    if (json_number(report, "exit_status", 0) != status) return;
    end->end = RUN_EXITED;
    end->detail = status;
    end->chosen = 0;
}

/* One rank's; false when its device left none. */
static bool add_report(Running *running, Pair *pair, unsigned rank, struct json_object *all) {
    Diagnostics ignored;
    diag_init(&ignored, running->check->arena);
    struct json_object *report = json_read_file(running->report_paths[rank], LARGEST_REPORT, &ignored);
    if (report == NULL && has_new_kills(&running->device_group, &running->device_kills)) {
        running->schedule->ends[pair->last_case].end = RUN_MEMORY;
        pair->stopped = true;
        return false;
    }
    /* What a device kept that could not end well may be less than it was sent. */
    if (report != NULL && !ended_well(&running->devices[rank])) {
        json_object_put(report);
        report = NULL;
    }
    if (report == NULL) {
        pair->device_said = how_device_ended(running, &running->devices[rank]);
        pair->device_signal = fatal_signal(running->devices[rank].status);
        pair->device_killed = WIFSIGNALED(running->devices[rank].status) && pair->device_signal == 0;
        return false;
    }
    if (pair->well && !has_finished(running->check, report)) {
        pair->well = false;
        running->schedule->ends[pair->last_case] = (CaseEnd){.end = RUN_EXITED};
    }
    note_chosen_status(running, &running->schedule->ends[pair->last_case], report);
    headers_check_report(running->check, report);
    if (running->ranks > 1) json_object_object_add(report, "rank", json_object_new_int((int)rank));
    json_object_array_add(all, report);
    return true;
}

/* What a device was sent, and the place that it took in the stage is free again. Of a submission with a
 * program for each case the judge can hold no more than so much; the rest counts as cut off. */
static void keep_sent(Running *running, Text *sent, unsigned rank) {
    enum { MOST_KEPT = 256 << 20 };
    static const char cut[] = "cut";
    text_init(sent);
    text_read_file(sent, running->sent_paths[rank], LARGEST_SENT);
    running->schedule->kept_bytes += sent->length;
    if (running->schedule->kept_bytes > MOST_KEPT) {
        text_free(sent);
        text_init(sent);
        text_append(sent, cut, sizeof cut);
    }
    unlink(running->sent_paths[rank]);
    unlink(running->report_paths[rank]);
}

/* The devices of a pair have ended: their reports become one, and what they were sent is kept for comparing
 * the runs. */
static void take_report(Running *running) {
    Schedule *schedule = running->schedule;
    Pair *pair = run_current_pair(running);
    struct json_object *all = json_object_new_array();
    bool whole = all != NULL;
    for (unsigned i = 0; whole && i < running->ranks; i++)
        whole = add_report(running, pair, i, all);
    if (whole)
        pair->report = merge_reports(all);
    else
        pair->report = NULL;
    json_object_put(all);
    pair->ranks = running->ranks;
    for (unsigned i = 0; i < pair->ranks; i++)
        keep_sent(running, &pair->sent[i], i);
    schedule->pair_count++;
}

static bool has_member(struct json_object *list, const char *key, const char *value) {
    JSON_EACH(entry, list)
        if (strcmp(json_text(entry, key, ""), value) == 0) return true;
    return false;
}

/* A loop that stands is a hang; one that gets on, and takes too many steps, only ends its launch so. */
static bool has_hang(const Pair *pair) {
    return has_member(json_array(pair->report, "findings"), "kind", "hang") ||
           has_member(json_array(pair->report, "launches"), "status", "hang");
}

/* A kernel that does not end in one case seldom ends in the next, and each costs the whole budget. */
static void note_hang(Running *running, const Pair *pair) {
    const Judge *judge = running->check->judge;
    if (has_hang(pair)) running->schedule->hung_case = judge->cases[pair->last_case].name;
}

/* Who starts the ranks says how one of them ended, and that may be one of the others, which it has killed. */
static void note_ranks_apart(Running *running, const Pair *pair) {
    if (has_member(json_array(pair->report, "findings"), "kind", "ranks-apart"))
        running->schedule->ends[pair->last_case] = (CaseEnd){.end = RUN_APART};
}

/* A pair has ended, by itself or in the middle of a case: the next pair takes the cases that are left. Time,
 * deaths (RUN_MOST) and pairs are bounded, since a program that dies in each case would be started for each
 * of them. */
bool run_go_on(Running *running) {
    Schedule *schedule = running->schedule;
    Pair *pair = run_current_pair(running);
    unsigned next = pair->last_case + 1;
    bool again =
        schedule->withheld == NULL && next < running->check->judge->case_count && !run_time_is_up(running);
    take_report(running);
    running->deaths += !pair->well;
    note_hang(running, pair);
    note_ranks_apart(running, pair);
    again = again && schedule->hung_case == NULL;
    for (unsigned i = 0; i < running->ranks; i++)
        child_free(&running->devices[i]);
    child_free(&running->program);
    running->state = STATE_DONE;
    schedule->crashed_often = again && !running->check->isolated && running->deaths == RUN_MOST;
    again = again && !schedule->crashed_often;
    if (!again || schedule->pair_count == RUN_MOST_PAIRS) return true;
    *run_current_pair(running) = (Pair){.first_case = next};
    return run_start_pair(running);
}
