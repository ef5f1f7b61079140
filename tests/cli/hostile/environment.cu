// kind: wrong-answer
// says: looked
// never: SECRET
#include <cstdio>
#include <unistd.h>

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    for (char **entry = environ; *entry != nullptr; entry++)
        puts(*entry);
    puts("looked");
}
