// kind: limit
// says: too large a file
#include <fcntl.h>
#include <unistd.h>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    static char block[1 << 20];
    int file = open("/answers/fill", O_CREAT | O_WRONLY, 0600);
    while (write(file, block, sizeof block) > 0) {
    }
}
