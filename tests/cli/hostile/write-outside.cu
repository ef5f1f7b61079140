// kind: wrong-answer
// says: usr Read-only
// says: cases Permission denied
// says: root Read-only
// says: object Read-only
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>

static void attempt(const char *name, const char *path) {
    if (open(path, O_CREAT | O_WRONLY, 0600) < 0) printf("%s %s\n", name, strerror(errno));
}

void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    attempt("usr", "/usr/x");
    attempt("cases", "/cases/00/x.npy");
    attempt("root", "/x");
    attempt("object", "/object/x");
}
