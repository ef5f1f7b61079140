/* hub_seat.c - how the launchers of one mpirun find each other; see hub.h.
 *
 * They have an ancestor in common that was told no rank: mpirun, or what it has on this machine. Its number
 * and the time of its start name the hub, whatever scripts stand between.
 */
#include "base/text.h"
#include "cudart/passing.h"
#include "device/command/hub.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

enum { PATIENCE_SECONDS = 60, ATTEMPTS = 50 };

static socklen_t address_of(const char *name, struct sockaddr_un *address) {
    size_t length = strlen(name);
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    memcpy(address->sun_path + 1, name, length);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
}

/** The name is abstract, so it needs no file and goes with the process; binding fails when another launcher
 * was first, and errno says so. */
int hub_listen(const char *name) {
    struct sockaddr_un address;
    socklen_t bytes = address_of(name, &address);
    int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return -1;
    if (bind(listener, (const struct sockaddr *)&address, bytes) == 0 && listen(listener, SOMAXCONN) == 0)
        return listener;
    int error = errno;
    close(listener);
    errno = error;
    return -1;
}

/* ---- who started all of us ---- */

static bool read_proc(long process, const char *what, Text *text) {
    enum { LARGEST = 1 << 20 };
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", process, what);
    text_clear(text);
    return text_read_file(text, path, LARGEST);
}

/* The fields behind the name, which may hold anything: the parent is the second, the start's time the 20th.
 */
static bool read_stat(long process, long *parent, unsigned long long *start) {
    Text text = text_new();
    bool read = read_proc(process, "stat", &text);
    const char *at = NULL;
    if (read) at = strrchr(text.bytes, ')');
    read = at != NULL && sscanf(at + 1,
                                " %*c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d "
                                "%*d %llu",
                                parent, start) == 2;
    text_free(&text);
    return read;
}

/** Whether mpirun or srun gave this process a rank, seen by the variables of cudart/ranks.def in its
 * environment. */
static bool has_rank(long process) {
    static const char *const variables[] = {
#define RANKS(rank, ranks, here) rank "=",
#include "cudart/ranks.def"
#undef RANKS
    };
    Text text = text_new();
    bool found = false;
    if (read_proc(process, "environ", &text))
        for (size_t at = 0; at < text.length && !found; at += strlen(text.bytes + at) + 1)
            for (size_t i = 0; i < sizeof variables / sizeof *variables && !found; i++)
                found = text_starts_with(text.bytes + at, variables[i]);
    text_free(&text);
    return found;
}

/* The process above all ranks. */
static long common_ancestor(void) {
    long process = (long)getppid(), parent = 0;
    unsigned long long start = 0;
    while (process > 1 && has_rank(process) && read_stat(process, &parent, &start))
        process = parent;
    return process;
}

/* What mpirun has on each machine may stand between it and the ranks: its stderr is a pipe to mpirun. */
static long mpirun_of(long process) {
    long parent = 0;
    unsigned long long start = 0;
    Text text = text_new();
    bool between = read_proc(process, "comm", &text) && strstr(text.bytes, "proxy") != NULL &&
                   read_stat(process, &parent, &start) && read_proc(parent, "comm", &text) &&
                   strstr(text.bytes, "mpi") != NULL;
    text_free(&text);
    if (between) return parent;
    return process;
}

/* The very file that mpirun prints to, or, where the system forbids that, the same opened again. */
static int open_stderr_of(long process) {
    int handle = (int)syscall(SYS_pidfd_open, (pid_t)process, 0U), file = -1;
    if (handle >= 0) {
        file = (int)syscall(SYS_pidfd_getfd, handle, STDERR_FILENO, 0U);
        close(handle);
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", process, STDERR_FILENO);
    if (file >= 0) return file;
    return open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
}

static void name_hub(long process, char name[HUB_NAME_BYTES]) {
    long parent = 0;
    unsigned long long start = 0;
    if (!read_stat(process, &parent, &start)) start = 0;
    snprintf(name, HUB_NAME_BYTES, "warpgrind-%ld-%ld-%llu", (long)geteuid(), process, start);
}

/* ---- joining ---- */

static int connect_to(const char *name) {
    struct sockaddr_un address;
    socklen_t bytes = address_of(name, &address);
    int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (connection < 0) return -1;
    struct ucred peer;
    socklen_t size = sizeof peer;
    bool fine = connect(connection, (const struct sockaddr *)&address, bytes) == 0 &&
                getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
    /* Anybody may have taken the name. */
    if (fine && peer.uid == geteuid()) return connection;
    if (fine) errno = EACCES;
    int error = errno;
    close(connection);
    errno = error;
    return -1;
}

/* Whoever is first makes the hub; of two that try at once, one finds the name taken and connects. */
static int find_hub(const LauncherOptions *options, const char *name, long ancestor) {
    for (int i = 0; i < ATTEMPTS; i++) {
        int connection = connect_to(name);
        if (connection >= 0 || errno != ECONNREFUSED) return connection;
        int listener = hub_listen(name);
        if (listener < 0 && errno != EADDRINUSE) return -1;
        if (listener < 0) {
            usleep(10000);
            continue;
        }
        HubPlan plan = {.options = options, .listener = listener, .control = -1, .results = -1};
        plan.elsewhere = open_stderr_of(mpirun_of(ancestor));
        pid_t hub = hub_start(&plan);
        close(listener);
        if (plan.elsewhere >= 0) close(plan.elsewhere);
        if (hub < 0) return -1;
    }
    errno = ETIMEDOUT;
    return -1;
}

static bool receive_reply(int connection, HubReply *reply, int *wire) {
    return passing_receive(connection, reply, sizeof *reply, wire) && reply->magic == HUB_MAGIC;
}

/** A launcher finds the hub through the topmost ancestor that all launchers of a run share, or starts one
 * there, and is given a device. PATIENCE_SECONDS bounds the wait for a hub that hangs. */
bool hub_join(const LauncherOptions *options, HubRank rank, const char *program, HubSeat *seat) {
    *seat = (HubSeat){.wire = -1};
    long ancestor = common_ancestor();
    name_hub(ancestor, seat->name);
    seat->connection = find_hub(options, seat->name, ancestor);
    if (seat->connection < 0) return false;
    const struct timeval patience = {.tv_sec = PATIENCE_SECONDS};
    setsockopt(seat->connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    HubRequest request = {.magic = HUB_MAGIC, .kind = HUB_JOIN, .rank = rank};
    snprintf(request.program, sizeof request.program, "%s", program);
    HubReply reply = {0};
    bool joined = send(seat->connection, &request, sizeof request, MSG_NOSIGNAL) == (ssize_t)sizeof request &&
                  receive_reply(seat->connection, &reply, &seat->wire) && seat->wire >= 0;
    seat->device = reply.device;
    if (!joined) close(seat->connection);
    return joined;
}

int hub_leave(HubSeat *seat, int status, int stopped_by, int otherwise) {
    HubRequest request = {.magic = HUB_MAGIC, .kind = HUB_END, .status = status, .stopped_by = stopped_by};
    HubReply reply = {0};
    int none = -1;
    bool heard = send(seat->connection, &request, sizeof request, MSG_NOSIGNAL) == (ssize_t)sizeof request;
    /* Whoever stops us wants us gone. */
    if (heard && stopped_by == 0) heard = receive_reply(seat->connection, &reply, &none);
    close(seat->connection);
    if (heard && stopped_by == 0) return reply.status;
    return otherwise;
}
