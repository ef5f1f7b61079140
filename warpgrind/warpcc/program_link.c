/* program_link.c - objects and libraries to a program, and words for what the linker does not find. */
#include "warpcc/warpcc.h"

#include <ctype.h>
#include <string.h>

typedef struct LibraryRow {
    const char *prefix; /* of its functions */
    const char *name;
    const char *advice;
} LibraryRow;

#define WRITE_KERNEL                                                                                         \
    "of NVIDIA's libraries the software GPU has cuBLAS and cuRAND alone: write the kernel yourself"

/* The driver API has the shortest prefix, so it is last. */
static const LibraryRow LIBRARIES[] = {
    {"cublas", "cuBLAS",
     "link with -lcublas, after the files that call it. <cublas_api.h> lists what the software GPU's library "
     "has: for the rest write a kernel"},
    {"cufft", "cuFFT", WRITE_KERNEL},
    {"cusparse", "cuSPARSE", WRITE_KERNEL},
    {"cusolver", "cuSOLVER", WRITE_KERNEL},
    {"cudnn", "cuDNN", WRITE_KERNEL},
    {"npp", "NPP", WRITE_KERNEL},
    {"nccl", "NCCL", "cudaMemcpyPeer copies between the devices of one process"},
    {"nvrtc", "NVRTC", "compile the kernel with the program"},
    {"nvjpeg", "nvJPEG", WRITE_KERNEL},
    {"curand", "cuRAND's host library",
     "link with -lcurand, after the files that call it. <curand.h> lists what the software GPU's library "
     "has; "
     "the numbers of curand_kernel.h need no library"},
    {"cuda", "the runtime",
     "the software GPU does not have this function; docs/cards.md and `warpgrind explain limit` say what it "
     "has"},
    {"cu", "the driver API", "use the runtime API, whose functions begin with cuda"},
    {"MPI_", "MPI", "`make setup` installs one; on Debian and Ubuntu: apt install libmpich-dev mpich"},
    {"__kmpc_", "OpenMP", "compile all files with -Xcompiler -fopenmp"},
    {"omp_", "OpenMP", "compile all files with -Xcompiler -fopenmp"},
    {"gl", "OpenGL", "nothing is drawn here: leave OpenGL out, and look at the numbers"},
};

static const LibraryRow *library_of(const char *name) {
    for (size_t i = 0; i < sizeof LIBRARIES / sizeof LIBRARIES[0]; i++) {
        const char *prefix = LIBRARIES[i].prefix;
        size_t length = strlen(prefix);
        bool word = strcmp(prefix, "cu") != 0 && strcmp(prefix, "gl") != 0 && strcmp(prefix, "npp") != 0;
        if (strncmp(name, prefix, length) == 0 && (word || isupper((unsigned char)name[length])))
            return &LIBRARIES[i];
    }
    return NULL;
}

/* For the first function of each library that is not there: whose it is, and what to do. */
static void advise_functions(const char *said, Text *out) {
    static const char BEFORE[] = "undefined reference to ";
    bool told[sizeof LIBRARIES / sizeof LIBRARIES[0]] = {false};
    for (const char *at = strstr(said, BEFORE); at; at = strstr(at, BEFORE)) {
        at += strlen(BEFORE);
        const char *name = at + strspn(at, "'`\"");
        const LibraryRow *row = library_of(name);
        if (!row || told[row - LIBRARIES]) continue;
        told[row - LIBRARIES] = true;
        text_format(out, "warpcc: what to do about %.*s, which is a function of %s: %s\n",
                    (int)strcspn(name, "'`\"(\n"), name, row->name, row->advice);
    }
}

/* gold, ld and lld each have words of their own for a library that is not there. */
static void advise_libraries(const char *said, Text *out) {
    static const char *const befores[] = {"cannot find -l", "unable to find library -l"};
    for (size_t i = 0; i < sizeof befores / sizeof befores[0]; i++) {
        const char *at = strstr(said, befores[i]);
        if (!at) continue;
        const char *name = at + strlen(befores[i]);
        int length = (int)strcspn(name, ": \n");
        bool openmp = length == 3 && strncmp(name, "omp", 3) == 0;
        text_format(out, "warpcc: what to do about -l%.*s: %s\n", length, name,
                    openmp ? "on Debian and Ubuntu: apt install libomp-dev"
                           : "install the library, and say with -L where it is");
    }
}

/* How the program is linked; each attempt that fails may say what it lacked. */
typedef struct Attempt {
    bool quick; /* by the linker that starts soonest */
    bool mpi;   /* with its library */
} Attempt;

static int link_with(const Build *build, const Arguments *objects, Attempt attempt, Text *said) {
    Arguments command;
    const Request *request = build->request;
    arguments_init(&command, build->arena);
    /* clang knows where its OpenMP lies, and gcc brings another one. */
    bool with_clang = request->openmp && build->tools->clang != NULL;
    arguments_add(&command, with_clang ? build->tools->clang : build->tools->linker);
    if (with_clang) arguments_add(&command, "-fopenmp");
    /* CMake reads from the linker's line which folders and libraries other languages' programs need. */
    if (request->verbose) arguments_add(&command, "-v");
    if (attempt.quick) arguments_add(&command, build->tools->linker_choice);
    arguments_add_list(&command, (const char *const[]){"-o", text_or(request->output, "a.out"), NULL});
    arguments_add_all(&command, objects);
    arguments_add_all(&command, &request->link);
    if (attempt.mpi) mpi_add_library(build->tools->mpi, &command);
    arguments_add(&command, arena_format(build->arena, "-L%s", build->tools->library_dir));
    arguments_add(&command, arena_format(build->arena, "-Wl,-rpath,%s", build->tools->library_dir));
    arguments_add_list(&command, (const char *const[]){"-lcudart", "-lstdc++", "-lm", "-lpthread", NULL});
    return build_run_command(build, &command, said);
}

static bool attempt_again(const Build *build, Attempt *attempt, const char *said) {
    /* gold can die of debug sections that are newer than it is. */
    bool died = attempt->quick && strstr(said, "internal error");
    bool missed = !attempt->mpi && build->tools->mpi && mpi_missed(said);
    if (died) attempt->quick = false;
    if (missed) attempt->mpi = true;
    return died || missed;
}

/* A link that fails is tried again when its messages say why: the quick linker died, or functions of MPI
 * are missing. Only the last attempt's messages are printed. */
int program_link(const Build *build, const Arguments *objects) {
    Text said = text_new();
    Attempt attempt = {.quick = build->tools->linker_choice != NULL};
    int status = link_with(build, objects, attempt, &said);
    while (status != EXIT_FINE && attempt_again(build, &attempt, said.bytes)) {
        text_clear(&said);
        status = link_with(build, objects, attempt, &said);
    }
    text_add(build->messages, said.bytes);
    if (status != EXIT_FINE) {
        advise_functions(said.bytes, build->messages);
        advise_libraries(said.bytes, build->messages);
    }
    text_free(&said);
    return status;
}
