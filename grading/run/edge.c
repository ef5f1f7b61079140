/* edge.c - an end at a place of the test's choice; see edge.h. */
#include "grading/run/edge.h"

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const words[] = {
#define EDGE(name, word, after) word,
#include "grading/run/edges.def"
#undef EDGE
};

/* NOTE: the count of passages is the only state of this file: a test asks for the N-th passage. */
static atomic_long passages;

/* Whether nobody has died yet, in this process or another: the first one makes the file. */
static bool is_first(const char *path) {
    int fd = -1;
    if (path != NULL) fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0) close(fd);
    return path == NULL || fd >= 0;
}

void edge_pass(Edge edge) {
    const char *asked = getenv("WARPSCHOOL_KILL_AT");
    size_t length = 0;
    if (asked != NULL) length = strcspn(asked, ":");
    if (asked == NULL || strlen(words[edge]) != length || strncmp(asked, words[edge], length) != 0) return;
    long wanted = 1;
    if (asked[length] == ':') wanted = strtol(asked + length + 1, NULL, 10);
    if (atomic_fetch_add(&passages, 1) + 1 == wanted && is_first(getenv("WARPSCHOOL_KILL_ONCE")))
        kill(getpid(), SIGKILL);
}
