// kind: wrong-answer
// says: socket Operation not permitted
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/socket.h>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    if (socket(AF_INET, SOCK_STREAM, 0) < 0) printf("socket %s\n", strerror(errno));
}
