// kind: wrong-answer
// says: refused 6 of 6
#include <cstdio>
#include <sys/syscall.h>
#include <unistd.h>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    const long calls[] = {SYS_io_uring_setup, SYS_memfd_create, SYS_userfaultfd,
                          SYS_ptrace,         SYS_bpf,          SYS_unshare};
    int refused = 0;
    for (long call : calls)
        refused += syscall(call, 0, 0, 0, 0, 0) < 0;
    printf("refused %d of 6\n", refused);
}
