/* run.c - watches all pairs of device and program in one loop, and ends what takes too long; see run.h.
 *
 * A schedule is in one of three states: its program runs; the program is gone and the device writes its
 * report; done. run_start.c starts the pairs, run_end.c finds out how each case ended.
 */
#include "autograder/run/run_parts.h"

#include "autograder/check/events.h"
#include "base/halt.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    REAP_SECONDS = 5, /* for the last processes to die */
    PROCESSORS = 2,   /* so many of them may a program and its device use all the time */
    REPORTS_MIB = 1024
};

bool run_fault(const Check *check, const char *what) {
    diag_add(check->diagnostics, DIAG_ERROR, NULL, 0, 0, "cannot %s: %s", what, strerror(errno));
    return false;
}

double run_own_now(const Running *running) {
    return child_clock_now(&running->clock);
}

Pair *run_current_pair(const Running *running) {
    return &running->schedule->pairs[running->schedule->pair_count];
}

/* ---- the loop ---- */

static ChildTimes times_of_devices(const Running *running) {
    ChildTimes all = {0};
    for (unsigned i = 0; i < running->ranks; i++)
        child_add_times(&all, child_times(&running->devices[i]));
    return all;
}

static void note_waiting(Running *running) {
    ChildTimes all = child_times(&running->program);
    child_add_times(&all, times_of_devices(running));
    child_clock_look(&running->clock, all);
}

/* What was found and done so far is worth more than the launch that a device is in. */
static void halt_devices(Running *running) {
    for (unsigned i = 0; !running->halted && i < running->ranks; i++)
        child_signal(&running->devices[i], HALT_SIGNAL);
    running->halted = true;
}

static void stop_program(Running *running, RunEnd why) {
    child_kill(&running->program);
    halt_devices(running);
    const double seconds = (double)running->check->lesson->manifest.limit_seconds;
    run_note_program_end(running, (CaseEnd){.end = why, .idle = 2 * running->clock.all.ran < seconds});
}

static void kill_devices(Running *running) {
    for (unsigned i = 0; i < running->ranks; i++)
        child_kill(&running->devices[i]);
}

static bool devices_ended(const Running *running) {
    bool ended = true;
    for (unsigned i = 0; i < running->ranks; i++)
        ended = ended && running->devices[i].ended;
    return ended;
}

/* The device is still in a kernel when the program is gone: so that is what the case's time went into. */
#define WRITING_SECONDS 0.5 /* of them, what the report itself needs: the launch ends before */

static void hurry_devices(Running *running) {
    if (devices_ended(running) || run_own_now(running) < running->report_deadline - WRITING_SECONDS) return;
    Pair *pair = run_current_pair(running);
    if (!running->halted) running->schedule->ends[pair->last_case] = (CaseEnd){.end = RUN_TIMEOUT};
    halt_devices(running);
    if (run_own_now(running) < running->report_deadline) return;
    kill_devices(running);
    pair->stopped = true;
}

/* What the device has in memory right now, as the system counts it; 0 when that is not known. */
static long resident_mib(const Child *device) {
    char path[64];
    long pages = 0;
    snprintf(path, sizeof path, "/proc/%ld/statm", (long)device->pid);
    FILE *file = NULL;
    if (!device->ended) file = fopen(path, "re");
    if (file == NULL) return 0;
    if (fscanf(file, "%*s %ld", &pages) != 1) pages = 0;
    fclose(file);
    return (long)((double)pages * (double)sysconf(_SC_PAGESIZE) / 1048576.0);
}

/* Its addresses are limited too, but most of them are reserved and never used. */
static void bound_device(Running *running) {
    long most = 0;
    for (unsigned i = 0; i < running->ranks; i++) {
        long mib = resident_mib(&running->devices[i]);
        if (mib > most) most = mib;
    }
    if (most <= running->check->lesson->manifest.limit_memory_mib) return;
    if (running->state == STATE_RUNNING)
        stop_program(running, RUN_MEMORY);
    else
        running->schedule->ends[run_current_pair(running)->last_case].end = RUN_MEMORY;
    kill_devices(running);
    run_current_pair(running)->stopped = true;
}

/* That it is late proves nothing, and nothing is known of it. */
static void leave_starved(Running *running) {
    child_kill(&running->program);
    kill_devices(running);
    running->schedule->starved = running->clock.all;
    running->state = STATE_DONE;
}

/* Many threads together may have a processor's time for longer than the clock shows, which stands while the
 * first of them waits for the others. */
static bool has_had_its_share(const Running *running) {
    const long seconds = running->check->lesson->manifest.limit_seconds;
    return running->clock.all.ran >= (double)(PROCESSORS * seconds * running->ranks);
}

bool run_time_is_up(const Running *running) {
    return run_own_now(running) >= running->deadline || has_had_its_share(running);
}

/* Looks for a moment longer. A program that waits for another one of its own without end, and asks nothing of
 * the device, is late on an idle machine as well. */
static bool waits_for_itself(const Running *running) {
    static const struct timespec A_WHILE = {.tv_nsec = 500000000};
    static const double NOTHING = 0.005;
    const ChildTimes program = child_times(&running->program), devices = times_of_devices(running);
    nanosleep(&A_WHILE, NULL);
    return times_of_devices(running).ran - devices.ran < NOTHING &&
           child_gave_way(program, child_times(&running->program));
}

static void end_late_program(Running *running) {
    if (child_clock_starved(&running->clock) && !waits_for_itself(running))
        leave_starved(running);
    else
        stop_program(running, has_had_its_share(running) ? RUN_CPU_LIMIT : RUN_TIMEOUT);
}

/* Looks at what has changed; false when a new pair could not be started. */
static bool step(Running *running) {
    note_waiting(running);
    bound_device(running);
    if (running->state == STATE_RUNNING) {
        if (running->program.ended)
            run_note_program_end(running, run_end_of_program(running));
        else if (child_floods(&running->program))
            stop_program(running, RUN_FLOODED);
        else if (run_time_is_up(running))
            end_late_program(running);
    }
    if (running->state == STATE_REPORTING) {
        hurry_devices(running);
        if (devices_ended(running)) return run_go_on(running);
    }
    return true;
}

/* Cases run in their order, so one is over in a schedule when a later one has begun, or nothing runs there
 * any more. */
static unsigned cases_over(const Running *running) {
    const unsigned end = running->check->judge->case_count;
    if (running->state == STATE_DONE) return end;
    unsigned over = run_last_begun(running, run_current_pair(running)->first_case);
    if (running->state == STATE_REPORTING) return over + 1;
    return over;
}

/* A case is told of once it is over in all orders of threads. */
static void tell_cases(const Running *all, unsigned count, unsigned *told) {
    unsigned over = all[0].check->judge->case_count;
    for (unsigned i = 0; i < count; i++)
        if (cases_over(&all[i]) < over) over = cases_over(&all[i]);
    for (; *told < over; (*told)++)
        events_tell_case(all[0].check, *told);
}

/* How often the devices' memory is looked at. */
#define LOOK_SECONDS 0.05

static double next_deadline(const Running *all, unsigned count) {
    double next = child_now() + LOOK_SECONDS;
    for (unsigned i = 0; i < count; i++) {
        double own;
        if (all[i].state == STATE_RUNNING)
            own = all[i].deadline;
        else
            own = all[i].report_deadline;
        own += all[i].clock.all.waited;
        if (all[i].state != STATE_DONE && own < next) next = own;
    }
    return next;
}

/* One loop watches the processes of all schedules; between events it sleeps until the next deadline. */
static bool watch_all(Running *all, unsigned count) {
    unsigned told = 0;
    Child *children[(1 + CHECK_MOST_RANKS) * CHECK_SCHEDULES];
    unsigned watched = 0;
    for (unsigned i = 0; i < count; i++) {
        children[watched++] = &all[i].program;
        for (unsigned rank = 0; rank < CHECK_MOST_RANKS; rank++)
            children[watched++] = &all[i].devices[rank];
    }
    for (;;) {
        bool busy = false;
        child_reap_orphans(children, watched);
        for (unsigned i = 0; i < count; i++) {
            if (all[i].state != STATE_DONE && !step(&all[i])) return false;
            busy = busy || all[i].state != STATE_DONE;
        }
        if (all[0].check->events && all[0].schedule->room == 0) tell_cases(all, count, &told);
        if (!busy) return true;
        child_watch(children, watched, next_deadline(all, count));
    }
}

/* Starts the schedules side by side and leaves when nothing of theirs runs any more: what they wrote is read
 * only after all of their processes are dead. */
bool run_all(Check *check, Schedule *schedules, unsigned count) {
    Running all[CHECK_SCHEDULES] = {0};
    if (count > CHECK_SCHEDULES) BUG("%u schedules", count);
    double deadline = child_now() + (double)check->lesson->manifest.limit_seconds;
    bool fine = true;
    for (unsigned i = 0; fine && i < count; i++) {
        all[i] = (Running){.check = check,
                           .schedule = &schedules[i],
                           .clock.most =
                               (double)CHILD_MOST_WAITING * (double)check->lesson->manifest.limit_seconds,
                           .deadline = deadline};
        fine = run_make_room(check, &schedules[i]) && run_make_groups(&all[i]) && run_start_pair(&all[i]);
    }
    fine = fine && watch_all(all, count);
    for (unsigned i = 0; i < count; i++) {
        child_kill(&all[i].program);
        kill_devices(&all[i]);
        child_free(&all[i].program);
        for (unsigned rank = 0; rank < CHECK_MOST_RANKS; rank++)
            child_free(&all[i].devices[rank]);
    }
    if (!child_reap_rest(child_now() + (double)REAP_SECONDS))
        return run_fault(check, "see the last process end");
    for (unsigned i = 0; i < count; i++) {
        cgroup_remove(&all[i].program_group);
        cgroup_remove(&all[i].device_group);
    }
    return fine;
}

bool run_schedules(Check *check, Schedule *schedules, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        schedules[i].number = schedules[i].room = i;
    return stage_add_output(&check->stage, STAGE_FOR_DEVICE, STAGE "/reports", REPORTS_MIB,
                            check->diagnostics) &&
           run_all(check, schedules, count) && run_again_alone(check, schedules, count);
}

bool run_withheld(Check *check, Schedule *schedule, unsigned number, unsigned index) {
    schedule->room = RUN_ROOMS + number;
    schedule->pairs[0].first_case = index;
    return run_all(check, schedule, 1) && !run_was_starved(check, schedule);
}

void run_free(Schedule *schedules, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < schedules[i].pair_count; j++) {
            if (schedules[i].pairs[j].report != NULL) json_object_put(schedules[i].pairs[j].report);
            for (unsigned k = 0; k < schedules[i].pairs[j].ranks; k++)
                text_free(&schedules[i].pairs[j].sent[k]);
        }
}
