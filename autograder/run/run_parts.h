/* run_parts.h - what the files of run share: a schedule while it runs.
 *
 * run.c has the loop that watches all schedules, run_start.c starts a pair of devices and program, run_end.c
 * finds out how the pair ended, run_again.c tries again what the machine may have disturbed.
 */
#pragma once

#include "autograder/run/run.h"

enum { RUN_ROOMS = 3 * CHECK_SCHEDULES /**< of the first runs, of those again, and of devices alone */ };

/** Where a pair of program and device is: both run, the program is gone and the report is awaited, or nothing
 * is left to do. */
typedef enum RunState { STATE_RUNNING, STATE_REPORTING, STATE_DONE } RunState;

/** A schedule while it runs: its current pair, and the time that is left to all of them together. */
typedef struct Running {
    Check *check;
    Schedule *schedule;
    RunState state;
    unsigned deaths; /**< of programs that did not get to the end of their cases */
    Child devices[CHECK_MOST_RANKS], program;
    Cgroup device_group, program_group;
    long device_kills, program_kills; /**< of theirs, those that earlier pairs had */
    unsigned ranks;                   /**< of the program, each with a device process of its own */
    ChildClock clock;                 /**< the schedule's own */
    double deadline;                  /**< of the schedule's programs together, by its own clock */
    double report_deadline;           /**< by the same */
    bool halted;                      /**< the devices were told to end what they run */
    bool alone;                       /**< one device that no program ever speaks to */
    const char *report_paths[CHECK_MOST_RANKS], *sent_paths[CHECK_MOST_RANKS];
} Running;

/** Adds the diagnostic that something of the system's failed, with its errno; false. */
bool run_fault(const Check *check, const char *what);
/** The schedule's own clock, which stands while its processes wait for a processor. */
double run_own_now(const Running *running);
/** The pair that runs; those before it have ended. */
Pair *run_current_pair(const Running *running);
/** Whether the schedule's programs have had the time of all, by its clock or of the processors. */
bool run_time_is_up(const Running *running);
/** Runs schedules side by side; false with a diagnostic. */
bool run_all(Check *check, Schedule *schedules, unsigned count);

/* ---- run_again.c ---- */

/** Runs alone, once more, what the machine may have disturbed; false with a diagnostic. */
bool run_again_alone(Check *check, Schedule *schedules, unsigned count);
/** Whether it got no processor; adds a diagnostic that says so. */
bool run_was_starved(const Check *check, const Schedule *schedule);

/* ---- run_start.c ---- */

/** Makes the folders that a schedule's programs write to; false with a diagnostic. */
bool run_make_room(Check *check, Schedule *schedule);
/** Makes the schedule's groups of processes; false with a diagnostic. */
bool run_make_groups(Running *running);
/** The case behind the last one of the current pair's program. */
unsigned run_end_of_cases(const Running *running);
/** Starts the devices and the program of the current pair; false with a diagnostic. */
bool run_start_pair(Running *running);
/** What each process of a program may have of the processors before the kernel ends it by SIGXCPU. */
long run_processor_seconds(const Check *check);
/** Starts a device for one rank, which answers at the socket's other end; false with errno set. */
bool run_start_device(Running *running, unsigned rank, int socket);

/* ---- run_end.c ---- */

/** How the program ended, by its status and its group. */
CaseEnd run_end_of_program(Running *running);
/** The last case from `first` on that the current pair's program has begun. */
unsigned run_last_begun(const Running *running, unsigned first);
/** The program is gone: notes how its cases ended, and gives the devices time for their reports. */
void run_note_program_end(Running *running, CaseEnd end);
/** The devices are gone too: takes their reports, and starts the next pair when cases are left; false when
 * that could not be started. */
bool run_go_on(Running *running);
