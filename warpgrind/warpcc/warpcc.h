/* warpcc.h - the parts of warpcc: one compilation from its command line to an executable.
 *
 * request (what the user asked) -> toolchain (which clang or nvcc, where our headers and library are) -> jobs
 * (the device and the host compilation of each .cu, side by side) -> embed (the PTX goes into the host
 * object) -> link. Everything lives in one arena that main owns; files in between lie in a temporary folder
 * that main removes.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"

#include <sys/types.h>

/* ---- arguments: a growing argv in an arena ---- */

typedef struct Arguments {
    Arena *arena;
    const char **items; /**< NULL-terminated */
    size_t count, capacity;
    bool failed; /**< an addition found no memory */
} Arguments;

void arguments_init(Arguments *arguments, Arena *arena);
void arguments_add(Arguments *arguments, const char *item);
/** Up to the NULL that ends the list. */
void arguments_add_list(Arguments *arguments, const char *const *items);
void arguments_add_all(Arguments *arguments, const Arguments *other);

/* ---- request: the command line ---- */

typedef struct Request {
    const char *output;    /**< -o; NULL: a.out, or FILE.o with -c */
    const char *keep_ptx;  /**< --keep-ptx FILE */
    const char *host_from; /**< --host-from OBJECT */
    const char *standard;  /**< -std=...; NULL: the default */
    char level;            /**< of device optimisation: '0' shows mistakes best */
    bool compile_only, use_nvcc, verbose, precompile, help, version;
    bool whole_device;     /**< -rdc: the device code of several files is linked to one */
    bool link_device;      /**< -dlink: that, and nothing else */
    bool all_cuda;         /**< -x cu or cuda: CUDA is in files of any ending */
    bool openmp;           /**< of the host's side */
    const char *toolkit;   /**< --cuda: "11", "12" or "13"; NULL: the names of all */
    unsigned architecture; /**< 75 for sm_75; 0: the default */
    const struct Mpi *mpi; /**< --mpi; NULL: the one that mpirun belongs to */
    bool colour;
    Arguments sources;      /**< .cu files */
    Arguments host_sources; /**< files of C and C++ */
    Arguments compile;      /**< -I, -D, -U, -W, -include ...: for both compilations */
    Arguments depends;      /**< -MD, -MF ...: for the host's compilation */
    Arguments link;         /**< objects, -l, -L, -Wl ... in their order */
    Arguments nvcc;         /**< what only nvcc knows */
} Request;

/** False with an error in `diagnostics` when the command line makes no sense. */
bool request_parse(Request *request, Arena *arena, int argc, char **argv, Diagnostics *diagnostics);
void request_help(Text *out);

/* ---- toolchain ---- */

typedef struct Toolchain {
    const char *clang; /**< full path */
    const char
        *undefined_arguments;  /**< of clang's front end: a call may be given what has no value; or NULL */
    const char *nvcc;          /**< full path; NULL when not installed */
    const char *linker;        /**< the driver that links: the quickest there is */
    const char *linker_choice; /**< -fuse-ld=... for a quick linker; NULL for the default one */
    const char *include_dir;   /**< our headers */
    const char *library_dir;   /**< libcudart.so */
    const struct Mpi *mpi;     /**< NULL when there is none */
} Toolchain;

/** Finds what the request needs; false with an error that says what to install. */
bool toolchain_find(Toolchain *tools, Arena *arena, const Request *request, Diagnostics *diagnostics);
/** The full path of a program, by PATH unless the name has a slash; NULL when there is none. */
const char *toolchain_program(Arena *arena, const char *name);

/* ---- includes: what a source includes before it says anything else ---- */

enum { INCLUDE_STDIO = 1, INCLUDE_VECTOR = 2, INCLUDE_IOSTREAM = 4, INCLUDE_MMA = 8 };

/** A set of INCLUDE_...; also through the program's own headers. `options`: those of the compilation, of
 * which some may change what a header says: then none. */
unsigned includes_leading(Arena *arena, const char *source, const Arguments *options);
/** Whether the command line defines a name that only the C and C++ libraries know, such as _GLIBCXX_DEBUG. */
bool includes_reserved(const Arguments *options);
/** The program's file that `#include "name"` or `<name>` in the file `from` means, NULL for a header of the
 * system. The bracket or quote stands before the name. */
const char *includes_find(Arena *arena, const Arguments *options, const char *from, const char *name,
                          size_t length);

/* ---- libraries: CUB, Thrust and libcu++ ---- */

typedef enum Libraries {
    LIBRARIES_NONE,
    LIBRARIES_SOME, /**< it includes one of them */
    LIBRARIES_CUB   /**< all of CUB, as it comes */
} Libraries;

/** What the text of a source includes. `options`: those of the compilation, which may change the libraries.
 */
Libraries libraries_find(const char *source, const Arguments *options);
/** Whether the text of a source names texture or surface references, whose header it then needs. */
bool references_find(const char *source);
/** Whether a compilation failed for want of what libraries_add adds. */
bool libraries_missed(const char *said);
bool references_missed(const char *said);
bool libraries_have_cub(void);
void libraries_add(const Toolchain *tools, Arguments *command);

/* ---- MPI ---- */

typedef struct Mpi {
    const char *name;    /**< for --mpi */
    const char *starter; /**< a word in the name of the program that mpirun is */
    const char *include, *library_dir, *library;
} Mpi;

/** NULL when there is none of that name. */
const Mpi *mpi_named(const char *name);
/** The wanted one, or, for NULL, the one that mpirun belongs to; NULL when it is not installed. */
const Mpi *mpi_find(Arena *arena, const Mpi *wanted);
/** Nothing for NULL. */
void mpi_add_headers(const Mpi *mpi, Arguments *command);
void mpi_add_library(const Mpi *mpi, Arguments *command);
/** Whether a link failed for want of its library. */
bool mpi_missed(const char *said);

/* ---- jobs: child processes ---- */

typedef struct Job {
    pid_t pid;
    int output; /**< read end of its stdout and stderr */
    Text text;  /**< what it said, after job_wait */
    int status; /**< exit status, or 128 + signal */
} Job;

/** Starts argv[0] (a full path); false with errno set. */
bool job_start(Job *job, const Arguments *arguments);
/** Collects its output and its exit status. */
void job_wait(Job *job);
/** Both side by side, to their ends; false with errno set when one cannot be started. Two of the same program
 * are one start of it where `library` (see one_start.h; NULL for none) can be loaded into it. */
bool jobs_run(Job *first, Job *second, const char *library, const Arguments *first_arguments,
              const Arguments *second_arguments);
void job_free(Job *job);

/* ---- messages: what two compilations of one file say, once ---- */

/** When the compiler itself died: what it said before that, then an error in our words, in place of its stack
 * and its request for a bug report. */
void messages_cut_crash(const char *source, Text *said);
/** Appends the diagnostics of `device` and those of `host` that `device` does not have; of a name that newer
 * toolkits removed only the first one. */
void messages_merge(const char *device, const char *host, Text *out);
/** For each header that was not found and belongs to something that is not here: what to do. */
void messages_advise(const char *said, Text *out);
/** The same for what nvcc said. */
void messages_advise_nvcc(const char *said, Text *out);

/** Joins brackets that are set apart (`kernel<< <1, 32>> >(x)`), in place and at the same length; false when
 * there are none. */
bool launches_close_up(char *source);
/** Behind the comment, the literal or the word that starts at `at`; `at` itself where none does. */
const char *source_skip(const char *at);
/** Puts what only nvcc reads into clang's words, line by line; false when there is nothing of the kind. */
bool spelling_mend(Text *source);

/* ---- targets: the cards that device code is for ---- */

typedef struct Target {
    unsigned architecture; /**< 75 of sm_75 */
    const char *ptx;       /**< the version of PTX that clang is asked for */
} Target;

enum { TARGET_USUAL = 80 };

/** The newest that is no newer than `architecture`, or the oldest there is. */
const Target *target_choose(unsigned architecture);
/** NULL behind the oldest. */
const Target *target_older(const Target *target);
/** Whether clang said that it does not know the card. */
bool target_refused(const char *said);

/* ---- device code ---- */

/** Adds an error for each device function and variable that `ptx` uses and nobody defines; false when there
 * is one. `whole`: all files of the program are in it. */
bool undefined_check(const char *ptx, bool whole, Diagnostics *diagnostics);

/** Blanks the declarations of threadIdx and its kin, which are nobody's variables. */
void ptx_blank_builtins(Text *ptx);

/** Whether `source`, or a header of the program that it includes, speaks of types that are aligned to 16
 * bytes. `options`: those of the compilation, for its -I. */
bool wide_copies_expected(Arena *arena, const char *source, const Arguments *options);
/** Whether a source, or a header of the program that it includes, has one of the `names` (up to NULL) in it.
 */
bool source_names(Arena *arena, const char *source, const Arguments *options, const char *const *names);
/** Makes copies of such types in LLVM's text loads and stores of 16 bytes; false without memory. */
bool wide_copies_make(Text *ir);

/* ---- LLVM's text (ir_text.c) ---- */

/** The end of a line, or of the text. */
const char *ir_line_end(const char *line);
/** Since clang 15 a pointer's type does not name what it points to. */
bool ir_is_opaque(const char *ir);
/** Takes `by` for the text when it was made; false, with `by` freed, when not. */
bool ir_replace(Text *text, Text *by, bool made);

/** Whether a source has __device__ or __constant__ variables, as far as its own text shows. */
bool placeholders_expected(const char *source);
/** In the host's text, lets the runtime know where the program uses one by its name; false without memory. */
bool placeholders_watch(Text *ir);

/* __managed__ variables. A slot holds the address of one at run time; its name is this and the variable's. */
#define MANAGED_SLOT "__warpcc_managed_"
/** Gives the variables of one side what it needs, in LLVM's text; false without memory. */
bool managed_make_device(Text *ir);
bool managed_make_host(Text *ir);
/** Lets the code of a host object find the variables by their slots; false with an error. */
bool managed_redirect(const char *path, Diagnostics *diagnostics);

/** Makes `bytes` the contents of the section that holds the device code in the host object, in place of what
 * was there. False with an error. */
bool embed_device_code(const char *object, const char *bytes, size_t length, Diagnostics *diagnostics);

/** In linked PTX, what asks for a static device variable by its plain name gets that of its file, as the host
 * registers it; false with an error when two files have one of that name. */
bool statics_settle(Text *ptx, Diagnostics *diagnostics);

/** The device code of an object that is to be linked with that of others; NULL when it has none. */
const char *embed_find_code(const char *bytes, size_t length, size_t *code_length);

/* ---- build: the steps ---- */

typedef struct Build {
    Arena *arena;
    const Request *request;
    const Toolchain *tools;
    const char *folder; /**< for files in between */
    const Target *target;
    Diagnostics *diagnostics;
    Text *messages; /**< what the compilers said */
} Build;

/** Runs the whole request with clang; an exit status. */
int build_run(Build *build);
/** The same with nvcc. */
int build_run_nvcc(Build *build);
/** Links the device code of objects and archives, and writes the object that carries it to `output`. Nothing
 * is `made` when there is none that waits for it. */
int device_link(Build *build, const Arguments *objects, const char *output, bool *made);
/** The steps of build_run that linking needs as well: a command with its output in `said`, and what is done
 * to each PTX file before it goes into an object (`whole`: it is all of the program's). */
int build_run_command(const Build *build, const Arguments *command, Text *said);
int build_finish_ptx(const Build *build, const char *ptx, bool whole);
/** Objects, the command line's libraries and ours to a program. */
int program_link(const Build *build, const Arguments *objects);

/* ---- precompiled headers ---- */

/** Device code has one for each value of __OPTIMIZE__; host code is never optimised. */
typedef enum PrecompiledSide {
    PRECOMPILED_DEVICE,
    PRECOMPILED_OPTIMISED,
    PRECOMPILED_HOST,
    PRECOMPILED_SIDES
} PrecompiledSide;

/** The one that fits this clang and holds most of `includes` (a set of INCLUDE_...) and nothing else; NULL
 * when there is none. */
const char *precompiled_find(const Build *build, PrecompiledSide side, Libraries libraries,
                             unsigned includes);
/** Makes them all; an exit status. */
int precompiled_make(const Build *build);
/** Takes out what every source would read in vain; false, and nothing changed, when it is not there. */
bool precompiled_trim(Text *header);

/* ---- command.c: clang's command lines. A command begins with one of these ---- */

/** A side of a .cu file; `header` is the precompiled one or NULL. */
void command_device(const Build *build, Arguments *command, const char *header, Libraries libraries,
                    char level);
void command_host(const Build *build, Arguments *command, const char *header, Libraries libraries);
/** From LLVM's text on to the device code. */
void command_device_text(const Build *build, Arguments *command, const char *text, const char *output);
/** PTX of linked bitcode. */
void command_link_device(const Build *build, Arguments *command);
/** A precompiled header. */
void command_precompile(const Build *build, Arguments *command, PrecompiledSide side, Libraries libraries);

/* ... and goes on with some of these. */

/** The device's output: PTX, or bitcode where the device code of several files is linked. */
void command_add_output(const Build *build, Arguments *command);
/** The toolkit whose names are meant, where one is. */
void command_add_toolkit(const Build *build, Arguments *command);
/** What clang's front end makes, before any pass. */
void command_add_text(Arguments *command);
/** Another text for the source (source_remap of build.c), or NULL. */
void command_remap(Arguments *command, const char *remap);
/** What tells static variables and kernels of several files apart. */
void command_identify(const Build *build, Arguments *command, const char *source, bool host);
/** The rules of make that were asked for, of the host's compilation. */
void command_depends(const Build *build, Arguments *command, const char *source);
void command_end(Arguments *command, const char *output, const char *source);
