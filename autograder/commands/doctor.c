/* doctor.c - what this machine has and lacks: one row per thing, with what to do about it. */
#include "autograder/commands/commands.h"
#include "autograder/sandbox/trust.h"
#include "autograder/texts.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Something that must be installed, and what its absence means in packages. */
typedef struct Need {
    const char *what;
    const char *files[4]; /* patterns: any one of them proves it */
    const char *package;  /* Debian's name, as in packages.txt and packages-elsewhere.txt */
    bool for_a_part;      /* all but what it is for works without it */
} Need;

static const Need needs[] = {
    {"a compiler for CUDA C (clang)",
     {"/usr/bin/clang", "/usr/bin/clang-14", "/usr/bin/clang-16", "/usr/bin/clang-19"},
     "clang",
     false},
    {"C++ headers", {"/usr/include/c++/*/cstdio"}, "g++", false},
    {"the sandbox (bubblewrap)", {"/usr/bin/bwrap"}, "bubblewrap", false},
    {"limits (prlimit)", {"/usr/bin/prlimit"}, "util-linux", false},
    {"MPI, for the ranks of lesson 18 (MPICH)", {"/usr/bin/mpiexec.mpich"}, "mpich", true},
    {"MPI's headers, for the same", {"/usr/include/*/mpich/mpi.h"}, "libmpich-dev", true},
};

/* How packages are installed, by the names that /etc/os-release has for a system or for what it is like. */
typedef struct System {
    const char *name;
    const char *command;
    int column; /* of packages-elsewhere.txt; 0: Debian's own names */
} System;

static const System systems[] = {
    {"debian", "apt-get install", 0}, {"ubuntu", "apt-get install", 0},  {"fedora", "dnf install", 1},
    {"rhel", "dnf install", 1},       {"arch", "pacman -S --needed", 2}, {NULL, NULL, 0},
};

/* A switch of the kernel's that forbids what the sandbox is made of. */
typedef struct Lock {
    const char *file, *forbids, *remedy;
} Lock;

static const Lock locks[] = {
    {"/proc/sys/kernel/unprivileged_userns_clone", "0", "sysctl kernel.unprivileged_userns_clone=1"},
    {"/proc/sys/user/max_user_namespaces", "0", "sysctl user.max_user_namespaces=15000"},
    {"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1",
     "sysctl kernel.apparmor_restrict_unprivileged_userns=0"},
};

static const char *const built[] = {"bin/warpcc",      "bin/warpgrind", "lib/libcudart.so",
                                    "lib/libdriver.a", "lib/link.sh",   "include/cuda_runtime.h"};

static bool say_row(bool fine, const char *what, const char *remedy) {
    printf("%-8s %s\n", fine ? "fine" : "MISSING", what);
    if (!fine) printf("         %s\n", remedy);
    return fine;
}

static bool need_is_met(const Need *need) {
    for (size_t i = 0; i < sizeof need->files / sizeof *need->files; i++) {
        glob_t found;
        if (need->files[i] == NULL || glob(need->files[i], GLOB_NOSORT, NULL, &found) != 0) continue;
        globfree(&found);
        return true;
    }
    return false;
}

/* Whether a check can do without it, or has it. */
static bool say_need(const Need *need, const char *remedy) {
    const bool met = need_is_met(need);
    if (met || !need->for_a_part) return say_row(met, need->what, remedy);
    printf("%-8s %s\n         %s\n", "absent", need->what, remedy);
    return true;
}

/* ---- how to install ---- */

/* Whether a line NAME=value of os-release, whose value may be quoted and have several words, has the word. */
static bool line_has(const char *line, const char *name, const char *word) {
    size_t length = strlen(name);
    if (strncmp(line, name, length) != 0 || line[length] != '=') return false;
    const char *at = line + length + 1;
    while (*at != '\0' && *at != '\n') {
        size_t ignored = strspn(at, "\"' "), part = strcspn(at + ignored, "\"' \n");
        if (part > 0 && part == strlen(word) && strncmp(at + ignored, word, part) == 0) return true;
        at += ignored + part;
        if (ignored + part == 0) return false;
    }
    return false;
}

static bool release_has(const char *release, const char *name, const char *word) {
    for (const char *line = release; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n')
        if (line_has(line, name, word)) return true;
    return false;
}

/* A system is known by its own name first, and then by those that it says it is like (ID_LIKE of os-release).
 * */
static const System *this_system(void) {
    enum { LARGEST_RELEASE = 1 << 16 };
    Text release = text_new();
    const System *found = NULL;
    if (text_read_file(&release, "/etc/os-release", LARGEST_RELEASE) && release.length > 0)
        for (int likeness = 0; likeness < 2 && found == NULL; likeness++)
            for (const System *system = systems; system->name != NULL && found == NULL; system++)
                if (release_has(release.bytes, likeness ? "ID_LIKE" : "ID", system->name)) found = system;
    text_free(&release);
    return found;
}

/* The name in that column of packages-elsewhere.txt; NULL: there is none. */
static const char *name_elsewhere(Session *session, const Course *course, const char *package, int column) {
    enum { LARGEST_TABLE = 1 << 16 };
    Text table = text_new();
    const char *path = arena_format(session->arena, "%s/autograder/packages-elsewhere.txt", course->root);
    const char *name = NULL;
    if (path != NULL && text_read_file(&table, path, LARGEST_TABLE) && table.length > 0)
        for (char *rest = NULL, *line = strtok_r(table.bytes, "\n", &rest); line != NULL && name == NULL;
             line = strtok_r(NULL, "\n", &rest)) {
            char *words = NULL, *word = strtok_r(line, " ", &words);
            if (word == NULL || strcmp(word, package) != 0) continue;
            for (int i = 0; i < column && word != NULL; i++)
                word = strtok_r(NULL, " ", &words);
            if (word != NULL && strcmp(word, "-") != 0) name = arena_string(session->arena, word);
        }
    text_free(&table);
    return name;
}

/* The command that installs the package here. */
static const char *how_to_install(Session *session, const Course *course, const Need *need) {
    const System *system = this_system();
    const char *package = need->package;
    if (system != NULL && system->column > 0)
        package = name_elsewhere(session, course, need->package, system->column);
    if (system == NULL || package == NULL)
        return TOLD_DOCTOR(INSTALL, session->arena, .file = need->files[0], .package = need->package);
    return arena_format(session->arena, "%s%s %s", geteuid() == 0 ? "" : "sudo ", system->command, package);
}

/* ---- the sandbox ---- */

static bool is_locked(const Lock *lock) {
    Text value = text_new();
    bool locked = text_read_file(&value, lock->file, 16) && value.length > 0 &&
                  strncmp(value.bytes, lock->forbids, strlen(lock->forbids)) == 0 &&
                  strcspn(value.bytes, "\n") == strlen(lock->forbids);
    text_free(&value);
    return locked;
}

static bool in_container(void) {
    return access("/.dockerenv", F_OK) == 0 || access("/run/.containerenv", F_OK) == 0;
}

/* A line of what to do, below the thing that is missing. */
static void say_below(DoctorText text) {
    printf("         %s\n", plain_doctor(text));
}

/* What keeps the sandbox from working, as far as it can be seen: kernel settings that forbid user namespaces,
 * or a container without the rights. */
static void say_how_to_allow(void) {
    bool known = false;
    for (size_t i = 0; i < sizeof locks / sizeof *locks; i++) {
        if (!is_locked(&locks[i])) continue;
        known = true;
        printf("         sudo %s\n", locks[i].remedy);
    }
    if (in_container()) {
        say_below(DOCTOR_CONTAINER);
        say_below(DOCTOR_CONTAINER_TOO);
    } else if (!known) {
        say_below(DOCTOR_ALLOW);
    }
    say_below(DOCTOR_UNTIL);
    say_below(DOCTOR_UNTIL_TOO);
}

/* The level is what `check --grade` and `grade` reach; a learner's own check goes without groups. */
static bool can_lock_in(const Session *session, const Course *course) {
    Trust trust;
    fflush(stdout);
    trust_probe(&trust, course);
    bool works = trust.problem[0] == '\0';
    say_row(works, plain_doctor(DOCTOR_PERMISSIONS), trust.problem);
    if (works)
        printf("%-8s %s\n", trust.enough ? "fine" : "WEAK",
               TOLD_DOCTOR(LEVEL, session->arena, .level = trust.level));
    return works;
}

/* Looks at everything that a check needs, and goes on after the first thing that is missing: the list is
 * meant to be worked through at once. */
int doctor_run(Session *session, int argc, char **argv) {
    const Option options[] = {{.kind = OPTION_END}};
    if (commands_parse(session, options, argc, argv, 0, 0) < 0) return EXIT_USAGE;
    Course course;
    if (!commands_load_course(session, &course)) return EXIT_INTERNAL;
    bool fine = true;
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        fine = say_need(&needs[i], how_to_install(session, &course, &needs[i])) && fine;
    for (size_t i = 0; i < sizeof built / sizeof *built; i++) {
        const char *path = arena_format(session->arena, "%s/%s", course.build, built[i]);
        fine = say_row(path != NULL && access(path, R_OK) == 0, path != NULL ? path : built[i],
                       plain_doctor(DOCTOR_BUILD)) &&
               fine;
    }
    bool locked_in = course.count > 0 && can_lock_in(session, &course);
    if (!locked_in) say_how_to_allow();
    fine = fine && locked_in;
    printf("%-8s %s\n", access("/dev/nvidia0", F_OK) == 0 ? "there" : "none", plain_doctor(DOCTOR_GPU));
    printf("\n%s\n", plain_doctor(fine ? DOCTOR_READY : DOCTOR_MEND));
    if (fine) return EXIT_FINE;
    return EXIT_INTERNAL;
}
