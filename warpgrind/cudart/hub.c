/* hub.c - a process that another one of the program has started asks for a device of its own; see hub.h. */
#include "cudart/hub.h"
#include "cudart/client.h"
#include "cudart/passing.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/** The abstract name in the variable; NULL when this process has a device already, or there is no hub. */
static const char *hub_name(void) {
    const char *value = getenv(HUB_VARIABLE);
    char *end = NULL;
    long owner = 0;
    if (value != NULL) owner = strtol(value, &end, 10);
    if (owner > 0 && owner != (long)getpid() && *end == ' ') return end + 1;
    return NULL;
}

/* The name is in the abstract namespace (unix(7)), which no file's permissions or cleaning up concern: its
 * first byte is zero. */
static int hub_connect(const char *name) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = strlen(name);
    if (length == 0 || length + 1 > sizeof address.sun_path) return -1;
    memcpy(address.sun_path + 1, name, length);
    int hub = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    socklen_t bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
    if (hub >= 0 && connect(hub, (const struct sockaddr *)&address, bytes) != 0) {
        close(hub);
        return -1;
    }
    return hub;
}

/** The socket that comes with the reply; -1 when none does. */
static int hub_receive(int hub) {
    HubReply reply = {0};
    int device = -1;
    if (passing_receive(hub, &reply, sizeof reply, &device) && reply.magic == HUB_MAGIC) return device;
    if (device >= 0) close(device);
    return -1;
}

int client_hub_device(void) {
    const char *name = hub_name();
    int hub = name != NULL ? hub_connect(name) : -1, device = -1;
    if (hub < 0) return -1;
    HubRequest request = {.magic = HUB_MAGIC, .kind = HUB_PROCESS, .rank = hub_rank()};
    ssize_t length = readlink("/proc/self/exe", request.program, sizeof request.program - 1);
    if (length < 0) request.program[0] = '\0';
    if (send(hub, &request, sizeof request, MSG_NOSIGNAL) == (ssize_t)sizeof request)
        device = hub_receive(hub);
    if (device < 0) close(hub); /* otherwise it stays open: its end is the process's end */
    return device;
}
