/* mpi.c - where the system's MPI lies, so that a source which includes <mpi.h> needs no flags.
 *
 * A program must be linked to the MPI whose mpirun starts it: under another one each process would be alone,
 * of rank 0. So of two that are installed the one is taken that `mpirun` belongs to. Its headers come last in
 * the search, so that those of an MPI which the user names with -I come first; its library is given to the
 * linker only when functions of MPI were missing without it.
 */
#include "warpcc/warpcc.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__aarch64__)
#define TRIPLET "aarch64-linux-gnu"
#else
#define TRIPLET "x86_64-linux-gnu"
#endif

/* As Debian and Ubuntu have them. */
static const Mpi MPIS[] = {
    {"mpich", "hydra", "/usr/include/" TRIPLET "/mpich", "/usr/lib/" TRIPLET, "-lmpich"},
    {"openmpi", "orterun", "/usr/lib/" TRIPLET "/openmpi/include", "/usr/lib/" TRIPLET "/openmpi/lib",
     "-lmpi"},
};
enum { MPI_COUNT = sizeof MPIS / sizeof *MPIS };

static bool mpi_is_there(const Mpi *mpi, Arena *arena) {
    const char *header = arena_format(arena, "%s/mpi.h", mpi->include);
    return header && access(header, R_OK) == 0;
}

/* mpirun is a link to mpiexec.hydra or to orterun. */
static bool mpi_has_mpirun(const Mpi *mpi, Arena *arena) {
    char full[PATH_MAX];
    const char *mpirun = toolchain_program(arena, "mpirun");
    if (!mpirun || !realpath(mpirun, full)) return false;
    const char *slash = strrchr(full, '/');
    return slash && (strstr(slash, mpi->starter) || strstr(slash, mpi->name));
}

const Mpi *mpi_named(const char *name) {
    for (size_t i = 0; i < MPI_COUNT; i++)
        if (strcmp(MPIS[i].name, name) == 0) return &MPIS[i];
    return NULL;
}

const Mpi *mpi_find(Arena *arena, const Mpi *wanted) {
    if (wanted) return mpi_is_there(wanted, arena) ? wanted : NULL;
    const Mpi *first = NULL;
    for (size_t i = 0; i < MPI_COUNT; i++) {
        if (!mpi_is_there(&MPIS[i], arena)) continue;
        if (mpi_has_mpirun(&MPIS[i], arena)) return &MPIS[i];
        if (!first) first = &MPIS[i];
    }
    return first;
}

/* The functions of C: the classes of C++ that old versions had would want another library. */
void mpi_add_headers(const Mpi *mpi, Arguments *command) {
    if (!mpi) return;
    arguments_add_list(command, (const char *const[]){"-DMPICH_SKIP_MPICXX", "-DOMPI_SKIP_MPICXX",
                                                      "-idirafter", mpi->include, NULL});
}

void mpi_add_library(const Mpi *mpi, Arguments *command) {
    arguments_add(command, arena_format(command->arena, "-L%s", mpi->library_dir));
    arguments_add(command, mpi->library);
}

bool mpi_missed(const char *said) {
    for (const char *at = said; (at = strstr(at, "undefined reference to ")); at++) {
        const char *name = at + strlen("undefined reference to ");
        if (text_starts_with(name + strspn(name, "'`\""), "MPI_")) return true;
    }
    return false;
}
