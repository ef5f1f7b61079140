// kind: wrong-answer
// says: memfd Operation not permitted
// says: shm Operation not permitted
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <sys/shm.h>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    if (memfd_create("m", 0) < 0) printf("memfd %s\n", strerror(errno));
    if (shmget(IPC_PRIVATE, 1 << 30, 0600) < 0) printf("shm %s\n", strerror(errno));
}
