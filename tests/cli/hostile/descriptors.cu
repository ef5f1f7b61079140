// kind: wrong-answer
// says: looked
// never: open 5
#include <cstdio>
#include <sys/stat.h>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    struct stat facts;
    for (int fd = 0; fd < 256; fd++)
        if (fstat(fd, &facts) == 0) printf("open %d\n", fd);
    puts("looked");
}
