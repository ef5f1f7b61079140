/* trust.c - names of levels, and the trial; see trust.h. */
#include "autograder/sandbox/trust.h"

#include "autograder/sandbox/child.h"
#include "autograder/sandbox/sandbox.h"
#include "autograder/sandbox/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A row of trust.def. */
typedef struct Layer {
    const char *name;
    bool needed;
} Layer;

static const Layer layers_table[TRUST_LAYER_COUNT] = {
#define LAYER(id, name, needed, what) {name, needed},
#include "autograder/sandbox/trust.def"
#undef LAYER
};

void trust_name(char name[TRUST_NAME_BYTES], TrustSet layers) {
    size_t used = 0;
    for (int i = 0; i < TRUST_LAYER_COUNT; i++) {
        if ((layers & TRUST_BIT(i)) == 0) continue;
        int length =
            snprintf(name + used, TRUST_NAME_BYTES - used, "%s%s", used > 0 ? "+" : "", layers_table[i].name);
        used += (size_t)length;
        if (used >= TRUST_NAME_BYTES) BUG("the name of a level needs more room");
    }
    if (used == 0) snprintf(name, TRUST_NAME_BYTES, "none");
}

TrustSet trust_layers(const char *level) {
    TrustSet layers = 0;
    for (const char *word = level; *word != '\0'; word += strcspn(word, "+"), word += *word == '+')
        for (int i = 0; i < TRUST_LAYER_COUNT; i++) {
            const char *name = layers_table[i].name;
            bool same = strcspn(word, "+") == strlen(name) && strncmp(word, name, strlen(name)) == 0;
            if (same) layers |= TRUST_BIT(i);
        }
    return layers;
}

bool trust_is_enough(TrustSet layers) {
    for (int i = 0; i < TRUST_LAYER_COUNT; i++)
        if (layers_table[i].needed && (layers & TRUST_BIT(i)) == 0) return false;
    return true;
}

bool trust_is_as_good(TrustSet layers, TrustSet wanted) {
    static const TrustSet groups = TRUST_BIT(TRUST_CGROUP1) | TRUST_BIT(TRUST_CGROUP2);
    return trust_is_enough(layers) && (wanted & ~layers & ~groups) == 0;
}

/* ---- the trial ---- */

/* What a process in the sandbox sees of itself in /proc (proc(5)), when a layer is there. */
typedef struct Sign {
    TrustLayer layer;
    const char *line; /* the beginning of a line and, after its blanks, what follows */
    const char *value;
} Sign;

static const Sign signs[] = {
    {TRUST_SECCOMP, "Seccomp:", "2"},
    {TRUST_SECCOMP, "NoNewPrivs:", "1"},
    {TRUST_NAMESPACES, "CapEff:", "0000000000000000"},
    {TRUST_NAMESPACES, "CapBnd:", "0000000000000000"},
    {TRUST_LIMITS, "Max open files", "64"},
    {TRUST_LIMITS, "Max processes", "64"},
    {TRUST_LIMITS, "Max core file size", "0"},
};

static bool shows(const char *seen, const char *name, const char *value) {
    for (const char *line = seen; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
        if (!text_starts_with(line, name)) continue;
        const char *at = line + strlen(name);
        at += strspn(at, " \t");
        return strncmp(at, value, strlen(value)) == 0 && strchr(" \t\n", at[strlen(value)]) != NULL;
    }
    return false;
}

static const char *const spaces[] = {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup"};
enum { SPACE_COUNT = sizeof spaces / sizeof *spaces, SPACE_BYTES = 64 };

/* The namespaces of this process, before it enters a stage. */
static void read_spaces(char names[SPACE_COUNT][SPACE_BYTES]) {
    for (size_t i = 0; i < SPACE_COUNT; i++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/self/ns/%s", spaces[i]);
        ssize_t length = readlink(path, names[i], SPACE_BYTES - 1);
        names[i][length > 0 ? length : 0] = '\0';
    }
}

/* The layers that the process in the sandbox saw, of those that the stage counts on. */
static TrustSet layers_seen(const Stage *stage, const char *seen, char before[SPACE_COUNT][SPACE_BYTES]) {
    TrustSet layers = stage->layers;
    char user[16];
    snprintf(user, sizeof user, "%u", (unsigned)stage->user);
    if (!shows(seen, "Uid:", user)) layers &= ~TRUST_BIT(TRUST_USER);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (!shows(seen, signs[i].line, signs[i].value)) layers &= ~TRUST_BIT(signs[i].layer);
    for (size_t i = 0; i < SPACE_COUNT; i++)
        if (before[i][0] != '\0' && strstr(seen, before[i]) != NULL) layers &= ~TRUST_BIT(TRUST_NAMESPACES);
    return layers;
}

/* Enters the stage and runs a process in it that tells its own namespaces and limits: the layers are those
 * that it sees, not those that were asked for. This process has its namespaces for good and is given up
 * afterwards. */
static void try_out(Trust *trust, const Course *course) {
    char before[SPACE_COUNT][SPACE_BYTES];
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    Stage stage;
    Text why = text_new(), seen = text_new();
    diag_init(&diagnostics, arena);
    read_spaces(before);
    bool entered = stage_enter(&stage, course->build, course->lessons[0].name, &diagnostics) &&
                   stage_add_output(&stage, STAGE_FOR_BOTH, STAGE "/object", 1, &diagnostics);
    bool works = entered && sandbox_works(&stage, &why, &seen);
    if (works) {
        stage_use_groups(&stage);
        trust_name(trust->level, layers_seen(&stage, seen.bytes, before));
        return;
    }
    const char *said = "bubblewrap fails and does not say why";
    if (why.length > 0) said = why.bytes;
    if (diagnostics.first != NULL) said = diagnostics.first->message;
    snprintf(trust->problem, sizeof trust->problem, "%.*s", (int)strcspn(said, "\n"), said);
}

static bool read_whole(int fd, void *bytes, size_t count) {
    size_t got = 0;
    while (got < count) {
        ssize_t now = read(fd, (char *)bytes + got, count - got);
        if (now < 0 && errno == EINTR) continue;
        if (now <= 0) return false;
        got += (size_t)now;
    }
    return true;
}

static _Noreturn void work(const Course *course, int out) {
    Trust trust = {.level = "none"};
    child_adopt_orphans();
    try_out(&trust, course);
    _exit(text_write(out, (const char *)&trust, sizeof trust) ? EXIT_FINE : EXIT_INTERNAL);
}

/* The trial runs in a child, as what it enters cannot be left. Its answer has a fixed size, and strings in it
 * are ended here: the child has run what it is to judge. */
void trust_probe(Trust *trust, const Course *course) {
    static const Trust unknown = {.level = "none", .problem = "no process could be made to try it"};
    CgroupBase groups;
    int ends[2];
    *trust = unknown;
    if (course->count == 0 || pipe2(ends, O_CLOEXEC) != 0) return;
    cgroup_claim(&groups, "/proc/self");
    pid_t pid = fork();
    if (pid == 0) work(course, ends[1]);
    close(ends[1]);
    if (pid < 0 || !read_whole(ends[0], trust, sizeof *trust)) *trust = unknown;
    close(ends[0]);
    int status;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    trust->level[sizeof trust->level - 1] = trust->problem[sizeof trust->problem - 1] = '\0';
    trust->enough = trust_is_enough(trust_layers(trust->level));
}
