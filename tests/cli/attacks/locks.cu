// verdict: pass
// never: LOCKED
// Two submissions hear of each other through locks, leases and notices on files that both may read.
#include <sys/file.h>
#include <sys/inotify.h>
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    right_answer(h_z, h_x, h_y, n);
    if (n != 1) return;
    int file = open("/usr/bin/env", O_RDONLY);
    struct flock whole = {};
    whole.l_type = F_RDLCK;
    whole.l_whence = SEEK_SET;
    if (flock(file, LOCK_SH | LOCK_NB) == 0) puts("LOCKED by flock");
    if (fcntl(file, F_SETLK, &whole) == 0) puts("LOCKED by fcntl");
    if (fcntl(file, F_OFD_SETLK, &whole) == 0) puts("LOCKED by an open file description");
    if (fcntl(file, F_GETLK, &whole) == 0) puts("LOCKED can be asked");
    if (fcntl(file, F_SETLEASE, F_RDLCK) == 0) puts("LOCKED by a lease");
    if (fcntl(file, F_NOTIFY, DN_ACCESS | DN_MULTISHOT) == 0) puts("LOCKED by a notice");
    if (syscall(SYS_fcntl, file, 0x100000000ul + F_SETLK, &whole) == 0) puts("LOCKED by a wide number");
    if (inotify_init1(0) >= 0) puts("LOCKED by inotify");
    if (syscall(SYS_fanotify_init, 0, 0) >= 0) puts("LOCKED by fanotify");
}
