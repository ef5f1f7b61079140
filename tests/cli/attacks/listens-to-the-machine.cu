// verdict: pass
// never: OPEN
// What all submissions share whatever namespace they are in: the pages of files in memory, by which one could leave word for another or for
// a later one, the disks, the kernel's log; and a share of the processor so small that lateness would seem to be the machine's.
#include <sched.h>
#include <sys/klog.h>
#include <sys/resource.h>
#include <sys/uio.h>
static void tell(const char *name, bool open) { if (open) printf("OPEN %s\n", name); }
static void listen_to_files(int file) {
    char bytes[4096];
    unsigned char resident;
    iovec into = {bytes, sizeof bytes};
    uint64_t range[2] = {0, 4096}, counts[5];
    void *page = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, file, 0);
    tell("pages by mincore", mincore(page, 4096, &resident) == 0);
    tell("pages by reading", preadv2(file, &into, 1, 0, RWF_NOWAIT) >= 0 || errno == EAGAIN);
    tell("pages by cachestat", syscall(451, file, range, counts, 0) == 0);
    tell("pages let go of", posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0);
    tell("pages fetched", readahead(file, 0, 4096) == 0);
    tell("the file's disk", syncfs(file) == 0);
}
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    right_answer(h_z, h_x, h_y, n);
    if (n != 1) return;
    listen_to_files(open("/usr/bin/env", O_RDONLY));
    tell("all disks", (errno = 0, syscall(SYS_sync), errno == 0));
    tell("the kernel's log", klogctl(10, nullptr, 0) >= 0);
    sched_param none = {0};
    cpu_set_t first;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    tell("idle", sched_setscheduler(0, SCHED_IDLE, &none) == 0);
    tell("idle, by its other name", syscall(SYS_sched_setattr, 0, (uint32_t[12]){48, SCHED_IDLE}, 0) == 0);
    tell("nice", setpriority(PRIO_PROCESS, 0, 19) == 0);
    tell("one processor", sched_setaffinity(0, sizeof first, &first) == 0);
    tell("idle disk", syscall(SYS_ioprio_set, 1, 0, 3 << 13) == 0);
}
