/* hub.c - the hub's own process: a loop that hears of new processes, of their ends and of the devices' ends;
 * see hub.h.
 */
#include "device/command/hub.h"
#include "base/clock.h"
#include "base/merge.h"
#include "cudart/passing.h"
#include "device/command/supervise.h"
#include "device/process/halt.h"
#include "device/process/lockdown.h"
#include "device/report/conclude.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_MEMBERS =
        4000, /* processes of one run, such as a test suite's: a device process each, a report to the end */
    LINGER_MS = 2000, /* for a device to do what its process has left behind */
    GATHER_MS = 1000  /* for launchers that mpirun has not started yet, when all others have ended */
};

/** A process of the run, from its connection to its report. */
typedef struct Member {
    int connection;           /* -1 when the process has gone */
    int wire;                 /* the program's end of the device's socket, to shut it; -1 */
    int report;               /* file */
    pid_t device;             /* 0 when it has ended */
    int64_t halt_at, kill_at; /* 0: not yet */
    bool joined, launcher;
    bool ended;   /* its launcher has said how */
    bool waiting; /* and waits for the status */
    int status, stopped_by, device_status;
    HubRank rank;
    unsigned number;
    char program[HUB_PROGRAM_BYTES];
} Member;

/** The hub's own state; it has one thread, and all of it is here. */
typedef struct Hub {
    const LauncherOptions *options;
    int listener, control, results, elsewhere, signals;
    Member members[MOST_MEMBERS];
    unsigned count, joined;
    int64_t last_end;
    bool finishing; /* gather what there is */
    int stopped_by;
} Hub;

/* ---- the files that each process has of its own ---- */

/* "trace.json" of rank 2 is "trace.rank2.json". */
static char *own_file(const char *path, const Member *member) {
    const char *slash = strrchr(path, '/'), *point = strrchr(path, '.');
    const char *name = path;
    if (slash != NULL) name = slash + 1;
    size_t stem;
    if (point != NULL && point > name)
        stem = (size_t)(point - path);
    else
        stem = strlen(path);
    bool ranked = member->rank.rank >= 0;
    char *own = NULL;
    int number;
    if (ranked)
        number = (int)member->rank.rank;
    else
        number = (int)member->number + 1;
    int made =
        asprintf(&own, "%.*s.%s%d%s", (int)stem, path, ranked ? "rank" : "process", number, path + stem);
    if (made < 0) return NULL;
    return own;
}

/* ---- devices ---- */

_Noreturn static void be_device(const Hub *hub, const Member *member, int socket) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    DeviceOptions options = hub->options->device;
    options.program = member->program;
    if (!options.threads_given) options.threads = 1; /* the processes share the cores already */
    char *trace = NULL;
    if (hub->options->trace != NULL) trace = own_file(hub->options->trace, member);
    if (trace != NULL)
        options.trace = launcher_open_trace(trace);
    else
        options.trace = 0;
    if (options.trace < 0) options.trace = 0;
    _exit(launcher_serve(&options, socket, member->report));
}

/** A device process of the member's own, which writes its report to a file in memory: the hub reads it when
 * the process has ended, however it ended. */
static bool start_device(Hub *hub, Member *member) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    member->report = memfd_create("warpgrind-report", MFD_CLOEXEC);
    if (member->report >= 0)
        member->device = fork();
    else
        member->device = -1;
    if (member->device == 0) be_device(hub, member, ends[0]);
    close(ends[0]);
    member->wire = ends[1];
    if (member->device > 0) return true;
    member->device = 0;
    return false;
}

static bool send_device(const Member *member) {
    HubReply reply = {.magic = HUB_MAGIC, .device = (int32_t)member->device};
    return passing_send(member->connection, &reply, sizeof reply, member->wire);
}

static void halt(Member *member) {
    if (member->device > 0) kill(member->device, HALT_SIGNAL);
    if (member->kill_at == 0) member->kill_at = clock_ms() + SUPERVISE_REPORT_MS;
    member->halt_at = 0;
}

/* The process has gone, or its launcher says so: what it sent is read to its end, and then the socket's. */
static void end_wire(Hub *hub, Member *member) {
    hub->last_end = clock_ms();
    if (member->wire < 0) return;
    shutdown(member->wire, SHUT_RDWR);
    close(member->wire);
    member->wire = -1;
    if (member->kill_at == 0) member->halt_at = clock_ms() + LINGER_MS;
}

static void lose(Hub *hub, Member *member) {
    if (member->connection >= 0) close(member->connection);
    member->connection = -1;
    end_wire(hub, member);
    /* A launcher says how its program ended, unless it was killed, and then so was the program. */
    if (member->launcher && !member->ended) halt(member);
}

/* ---- what processes say ---- */

static void join(Hub *hub, Member *member, const HubRequest *request) {
    member->joined = true;
    member->launcher = request->kind == HUB_JOIN;
    member->rank = request->rank;
    member->number = hub->joined++;
    memcpy(member->program, request->program, sizeof member->program - 1);
    if (!start_device(hub, member) || !send_device(member)) lose(hub, member);
}

static void hear_end(Hub *hub, Member *member, const HubRequest *request) {
    member->ended = member->waiting = true;
    member->status = request->status;
    member->stopped_by = request->stopped_by;
    end_wire(hub, member);
    if (member->stopped_by != 0) halt(member);
}

/** A message of a member. One that makes no sense, or comes twice, ends the connection: who sends such things
 * is no launcher of ours. */
static void hear(Hub *hub, Member *member) {
    HubRequest request;
    ssize_t got = recv(member->connection, &request, sizeof request, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    bool whole = got == (ssize_t)sizeof request && request.magic == HUB_MAGIC;
    if (whole && !member->joined && (request.kind == HUB_JOIN || request.kind == HUB_PROCESS))
        join(hub, member, &request);
    else if (whole && member->launcher && !member->ended && request.kind == HUB_END)
        hear_end(hub, member, &request);
    else
        lose(hub, member);
}

/** The socket's name is known to everybody on the machine, so only processes of the same user are let in. */
static void welcome(Hub *hub) {
    int connection = accept4(hub->listener, NULL, NULL, SOCK_CLOEXEC);
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (connection < 0) return;
    bool ours = getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
    if (!ours || hub->count == MOST_MEMBERS) {
        close(connection);
        return;
    }
    hub->members[hub->count++] = (Member){.connection = connection, .wire = -1, .report = -1};
}

/* ---- ends ---- */

/** SIGCHLD tells that devices have ended; any other signal tells the run to stop, which every device is then
 * told. Several children may share one SIGCHLD, so all that have ended are collected. */
static void hear_signals(Hub *hub) {
    struct signalfd_siginfo info;
    while (read(hub->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGCHLD) continue;
        if (hub->stopped_by == 0) hub->stopped_by = (int)info.ssi_signo;
        for (unsigned i = 0; i < hub->count; i++)
            halt(&hub->members[i]);
    }
    int status;
    for (pid_t gone; (gone = waitpid(-1, &status, WNOHANG)) > 0;)
        for (unsigned i = 0; i < hub->count; i++)
            if (hub->members[i].device == gone) {
                hub->members[i].device = 0;
                hub->members[i].device_status = status;
            }
}

static bool is_active(const Member *member) {
    return member->joined && !member->ended && member->connection >= 0;
}

static bool any_active(const Hub *hub) {
    for (unsigned i = 0; i < hub->count; i++)
        if (is_active(&hub->members[i])) return true;
    return false;
}

static bool any_device(const Hub *hub) {
    for (unsigned i = 0; i < hub->count; i++)
        if (hub->members[i].device > 0) return true;
    return false;
}

/* All that mpirun starts on this machine have come, or no more will. */
static bool all_came(const Hub *hub) {
    int32_t here = 0;
    for (unsigned i = 0; i < hub->count; i++)
        if (hub->members[i].rank.here > here) here = hub->members[i].rank.here;
    return (hub->joined > 0 && (int32_t)hub->joined >= here) || hub->stopped_by != 0 ||
           clock_ms() >= hub->last_end + GATHER_MS;
}

static int own_status(const Member *member) {
    return conclude_status(member->status, member->stopped_by);
}

static void answer(Member *member, int status) {
    HubReply reply = {.magic = HUB_MAGIC, .status = status};
    if (member->connection >= 0)
        (void)!send(member->connection, &reply, sizeof reply, MSG_NOSIGNAL | MSG_DONTWAIT);
    member->waiting = false;
    if (member->connection >= 0) close(member->connection);
    member->connection = -1;
}

/* A launcher whose program has ended goes at once, so that mpirun sees what it would see without us; the last
 * one waits for the status of all. */
static void let_go(Hub *hub) {
    Member *last = NULL;
    bool others = any_active(hub);
    for (unsigned i = 0; i < hub->count; i++) {
        Member *member = &hub->members[i];
        if (!member->waiting) continue;
        if (last != NULL) answer(last, own_status(last));
        last = member;
    }
    if (others && last != NULL) answer(last, own_status(last));
}

static void enforce(Member *member) {
    int64_t now = clock_ms();
    if (member->device <= 0) return;
    if (member->halt_at != 0 && now >= member->halt_at) halt(member);
    if (member->kill_at != 0 && now >= member->kill_at) kill(member->device, SIGKILL);
}

/* ---- the loop ---- */

static void finish(Hub *hub) {
    hub->finishing = true;
    for (unsigned i = 0; i < hub->count; i++)
        lose(hub, &hub->members[i]);
}

/** Sleeps until a signal, a new process or a message arrives. Time limits (halt_at, kill_at, GATHER_MS) are
 * looked at by the caller after each tick, so TICK_MS is how late they may be. */
static void wait_for_news(Hub *hub) {
    enum { FIXED = 3, TICK_MS = 200 };
    struct pollfd watched[FIXED + MOST_MEMBERS];
    unsigned which[MOST_MEMBERS], count = FIXED, members = hub->count;
    watched[0] = (struct pollfd){.fd = hub->signals, .events = POLLIN};
    watched[1] = (struct pollfd){.fd = hub->finishing ? -1 : hub->listener, .events = POLLIN};
    watched[2] = (struct pollfd){.fd = hub->finishing ? -1 : hub->control, .events = POLLIN};
    for (unsigned i = 0; i < members; i++) {
        if (hub->members[i].connection < 0) continue;
        which[count - FIXED] = i;
        watched[count++] = (struct pollfd){.fd = hub->members[i].connection, .events = POLLIN};
    }
    if (poll(watched, count, TICK_MS) <= 0) return;
    if (watched[0].revents != 0) hear_signals(hub);
    if (watched[1].revents != 0) welcome(hub);
    for (unsigned i = FIXED; i < count; i++)
        if (watched[i].revents != 0) hear(hub, &hub->members[which[i - FIXED]]);
    if (watched[2].revents != 0) finish(hub);
}

static bool is_done(const Hub *hub) {
    if (any_device(hub)) return false;
    if (hub->control >= 0) return hub->finishing;
    return !any_active(hub) && all_came(hub);
}

static void serve(Hub *hub) {
    hub->last_end = clock_ms();
    while (!is_done(hub)) {
        wait_for_news(hub);
        let_go(hub);
        for (unsigned i = 0; i < hub->count; i++)
            enforce(&hub->members[i]);
    }
}

/* ---- the reports ---- */

static int compare_members(const void *left, const void *right) {
    const Member *a = left, *b = right;
    if (a->rank.rank != b->rank.rank) return a->rank.rank < b->rank.rank ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static struct json_object *report_of(const Hub *hub, const Member *member) {
    struct json_object *report = conclude_take_report(member->report, member->device_status);
    if (report == NULL) return NULL;
    if (member->rank.rank >= 0) json_put_number(report, "rank", member->rank.rank);
    char *trace = NULL;
    if (hub->options->trace != NULL) trace = own_file(hub->options->trace, member);
    if (trace != NULL) json_object_object_add(report, "trace_file", json_object_new_string(trace));
    free(trace);
    int stopped_by;
    if (member->ended)
        stopped_by = member->stopped_by;
    else
        stopped_by = hub->stopped_by;
    if (member->launcher && !member->ended && stopped_by == 0) stopped_by = SIGKILL; /* with its program */
    if (member->ended || stopped_by != 0) conclude_add_ending(report, member->status, stopped_by);
    return report;
}

/* NULL when a device has left none: that was said. */
static struct json_object *gather(Hub *hub) {
    struct json_object *list = json_object_new_array();
    bool whole = true;
    qsort(hub->members, hub->count, sizeof *hub->members, compare_members);
    for (unsigned i = 0; i < hub->count; i++) {
        if (!hub->members[i].joined) continue;
        struct json_object *report = report_of(hub, &hub->members[i]);
        if (report != NULL) json_object_array_add(list, report);
        whole = whole && report != NULL;
    }
    if (whole) return list;
    json_object_put(list);
    return NULL;
}

/* The first that did not end well says how the whole did. */
static int whole_status(const Hub *hub) {
    for (unsigned i = 0; i < hub->count; i++) {
        const Member *member = &hub->members[i];
        if (member->ended && own_status(member) != 0) return own_status(member);
        if (member->launcher && !member->ended) return conclude_status(SIGKILL, 0);
    }
    return 0;
}

/* An mpirun that has killed its processes is gone, or does not read any more. */
static bool is_cut_short(const Hub *hub) {
    for (unsigned i = 0; i < hub->count; i++) {
        const Member *member = &hub->members[i];
        if (member->launcher && (!member->ended || member->stopped_by != 0)) return true;
    }
    struct pollfd end = {.fd = STDERR_FILENO};
    return hub->stopped_by != 0 || (poll(&end, 1, 0) > 0 && (end.revents & POLLERR) != 0);
}

/** All members' reports become one, and its exit status is the run's. When mpirun was cut short it no longer
 * reads what its processes print: then the report goes to mpirun's own stderr. */
static int conclude(Hub *hub) {
    if (hub->elsewhere >= 0 && is_cut_short(hub)) dup2(hub->elsewhere, STDERR_FILENO);

    struct json_object *list = gather(hub);
    if (list == NULL) return EXIT_INTERNAL;
    if (json_object_array_length(list) == 0) {
        json_object_put(list);
        return whole_status(hub);
    }
    struct json_object *merged = merge_reports(list);
    int status = conclude_report(hub->options, merged, whole_status(hub), 0);
    json_object_put(merged);
    json_object_put(list);
    return status;
}

static bool write_list(struct json_object *list, int file) {
    const char *text = json_object_to_json_string_ext(list, JSON_C_TO_STRING_PLAIN);
    return text != NULL && text_write(file, text, strlen(text));
}

/* A report's file stays open until all are gathered, so as many files as there may be processes. */
static void allow_many_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

_Noreturn static void be_hub(const HubPlan *plan, const sigset_t *watched) {
    static Hub hub; /* too large for a stack; the process has nothing else */
    const int keep[] = {plan->listener, plan->control, plan->results, plan->elsewhere};
    lockdown_close_others(keep, sizeof keep / sizeof *keep);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0) dup2(nothing, STDIN_FILENO);
    allow_many_files();
    hub.options = plan->options;
    hub.listener = plan->listener;
    hub.control = plan->control;
    hub.results = plan->results;
    hub.elsewhere = plan->elsewhere;
    signal(SIGPIPE, SIG_IGN);
    hub.signals = signalfd(-1, watched, SFD_CLOEXEC | SFD_NONBLOCK);
    if (hub.signals < 0) _exit(EXIT_INTERNAL);
    serve(&hub);
    close(hub.listener);
    if (plan->control >= 0) {
        struct json_object *list = gather(&hub);
        _exit(list != NULL && write_list(list, plan->results) ? EXIT_FINE : EXIT_INTERNAL);
    }
    int status = conclude(&hub);
    for (unsigned i = 0; i < hub.count; i++)
        if (hub.members[i].waiting) answer(&hub.members[i], status);
    _exit(status);
}

/** Signals are blocked at once, since the hub reads them from a descriptor. Inside of mpirun (no control
 * socket) it gets a session of its own, as an mpirun that ends early kills what it has started; otherwise it
 * must not outlive the launcher, and asks again for its parent, which may have died before the prctl. */
pid_t hub_start(const HubPlan *plan) {
    static const int signals[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT};
    sigset_t watched;
    sigemptyset(&watched);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(&watched, signals[i]);
    pid_t self = getpid(), hub = fork();
    if (hub != 0) return hub;
    sigprocmask(SIG_BLOCK, &watched, NULL);
    if (plan->control < 0) {
        setsid();
    } else {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != self) _exit(EXIT_INTERNAL);
    }
    be_hub(plan, &watched);
}
