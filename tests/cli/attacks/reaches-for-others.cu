// verdict: pass
// never: OPEN
// Other processes: those of the sandbox are the program's own and bubblewrap's, which it cannot read; there are no others.
#include <sched.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <csignal>
#include <grp.h>
static void tell(const char *name, bool open) { if (open) printf("OPEN %s\n", name); }
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    right_answer(h_z, h_x, h_y, n);
    if (n != 1) return;
    int visible = 0;
    for (int pid = 1; pid < 40000; pid++) visible += kill(pid, 0) == 0;
    tell("more than three processes", visible > 3);
    char byte;
    iovec here = {&byte, 1}, there = {(void *)&byte, 1};
    tell("ptrace", ptrace(PTRACE_SEIZE, getppid(), 0, 0) == 0);
    tell("process_vm_readv", process_vm_readv(1, &here, 1, &there, 1, 0) > 0);
    tell("process_vm_writev", process_vm_writev(1, &here, 1, &there, 1, 0) > 0);
    tell("pidfd", syscall(SYS_pidfd_open, 1, 0) >= 0);
    tell("memory of another", open("/proc/1/mem", O_RDWR) >= 0);
    timespec now = {1000000, 0};
    rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
    const auto limits = {RLIMIT_AS, RLIMIT_CPU, RLIMIT_NOFILE, RLIMIT_CORE, RLIMIT_NPROC, RLIMIT_FSIZE};
    for (auto limit : limits) tell("a higher limit", setrlimit(limit, &more) == 0);
    sched_param first = {1};
    tell("real time", sched_setscheduler(0, SCHED_FIFO, &first) == 0);
    tell("priority", setpriority(PRIO_PROCESS, 0, -5) == 0);
    tell("another user", setuid(0) == 0 || setgid(0) == 0 || setgroups(0, nullptr) == 0);
    tell("privileges by exec", prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0 || prctl(PR_SET_SECCOMP, 0) == 0);
    tell("another name for the machine", syscall(SYS_sethostname, "x", 1) == 0 || chroot("/tmp") == 0);
    tell("a clock", syscall(SYS_clock_settime, 0, &now) == 0);
    tell("devices", mknod("/tmp/sda", S_IFBLK | 0600, 8 << 8) == 0);
    tell("io_uring", syscall(425, 8, nullptr) >= 0);
}
