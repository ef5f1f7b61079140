// verdict: pass
// never: OPEN
// Ways by which two submissions that run at the same time might meet, or a later one might find what an earlier one left.
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
static void tell(const char *name, bool open) { if (open) printf("OPEN %s\n", name); }
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    right_answer(h_z, h_x, h_y, n);
    if (n != 1) return;
    const int families[] = {AF_UNIX, AF_INET, AF_INET6, 16 /* netlink */, 17 /* packet */, 38 /* alg */, 40 /* vsock */, 44 /* xdp */};
    for (int family : families) tell("socket", socket(family, SOCK_STREAM, 0) >= 0 || socket(family, SOCK_DGRAM, 0) >= 0 || socket(family, SOCK_RAW, 0) >= 0);
    tell("shm", shmget(0x1234, 4096, IPC_CREAT | 0666) >= 0);
    tell("msg", msgget(0x1234, IPC_CREAT | 0666) >= 0);
    tell("sem", semget(0x1234, 1, IPC_CREAT | 0666) >= 0);
    tell("keyring", syscall(SYS_keyctl, 0, -5, 1) >= 0 || syscall(SYS_request_key, "user", "a", 0, -5) >= 0);
    const char *const places[] = {"/dev/shm/x", "/dev/mqueue/x", "/run/x", "/var/tmp/x", "/usr/x", "/cases/x", "/object/x", "/home/x", "/sys/x", "/proc/x", "/dev/x"};
    for (const char *place : places) tell(place, open(place, O_CREAT | O_RDWR, 0600) >= 0);
    tell("fanotify", syscall(SYS_fanotify_init, 0, 0) >= 0);
    tell("notes on a file for all", syscall(SYS_setxattr, "/usr/bin/env", "user.x", "1", 1, 0) == 0);
    tell("time of a file for all", utimensat(AT_FDCWD, "/usr/bin/env", nullptr, 0) == 0);
}
