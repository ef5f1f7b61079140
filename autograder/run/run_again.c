/* run_again.c - tries again what the machine may have disturbed: a program that got no processor, a device
 * that left no report.
 *
 * The schedule runs once more, with nothing of this check beside it. What stops a device both times, while
 * one that no program speaks to does its work, is the submission's doing; what does not repeat was the
 * machine's.
 */
#include "autograder/run/run_parts.h"

#include "base/json.h"

#include <sys/socket.h>
#include <unistd.h>

bool run_was_starved(const Check *check, const Schedule *schedule) {
    if (schedule->starved.waited <= 0) return false;
    diag_add(check->diagnostics, DIAG_ERROR, NULL, 0, 0,
             "the machine is too busy: the program waited %.0f seconds for a processor, and ran for %.1f",
             schedule->starved.waited, schedule->starved.ran);
    return true;
}

/* A pair whose device ended, by whatever, and left no report, though nobody had stopped it. */
static const Pair *find_broken(const Schedule *schedule) {
    for (unsigned i = 0; i < schedule->pair_count; i++)
        if (schedule->pairs[i].report == NULL && !schedule->pairs[i].stopped) return &schedule->pairs[i];
    return NULL;
}

/* ---- a device alone ---- */

/* Its socket has nobody at the other end: it has nothing to do but to write a report. */
static bool start_alone(Running *running) {
    int ends[2];
    if (!run_make_room(running->check, running->schedule) || !run_make_groups(running)) return false;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    const bool started = run_start_device(running, 0, ends[0]);
    close(ends[0]);
    close(ends[1]);
    return started;
}

static bool device_works(Check *check, unsigned room) {
    enum { SECONDS = 10, LARGEST = 1 << 20 };
    Schedule schedule = {.room = room};
    Running running = {.check = check, .schedule = &schedule, .alone = true};
    Diagnostics ignored;
    Child *const children[] = {&running.devices[0]};
    struct json_object *report = NULL;
    diag_init(&ignored, check->arena);
    if (start_alone(&running)) {
        child_watch(children, 1, child_now() + (double)SECONDS);
        if (!running.devices[0].ended) child_kill(&running.devices[0]);
        report = json_read_file(running.report_paths[0], LARGEST, &ignored);
        child_free(&running.devices[0]);
    }
    cgroup_remove(&running.program_group);
    cgroup_remove(&running.device_group);
    json_object_put(report);
    return report != NULL;
}

/* ---- again ---- */

/* A device that is killed both times may be so by a system that lacks memory, and that stays the machine's
 * fault. */
static bool run_again(Check *check, Schedule *schedule) {
    const unsigned number = schedule->number;
    run_free(schedule, 1);
    *schedule = (Schedule){.number = number, .room = CHECK_SCHEDULES + number};
    if (!run_all(check, schedule, 1) || run_was_starved(check, schedule)) return false;
    const Pair *broken = find_broken(schedule);
    schedule->breaks_device =
        broken != NULL && !broken->device_killed && device_works(check, 2 * CHECK_SCHEDULES + number);
    return true;
}

bool run_again_alone(Check *check, Schedule *schedules, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        const bool disturbed = schedules[i].starved.waited > 0 || find_broken(&schedules[i]) != NULL;
        if (disturbed && !run_again(check, &schedules[i])) return false;
    }
    return true;
}
