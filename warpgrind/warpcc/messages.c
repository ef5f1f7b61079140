/* messages.c - the device and the host compilation read the same file and say mostly the same; the user hears
 * it once.
 *
 * Output is cut into diagnostics: a line "file:line:column: error|warning: ..." begins one, with the lines
 * "In file included from" before it; carets, notes and expansions belong to it. Counts ("2 errors generated
 * ...") are dropped.
 */
#include "base/headers.h"
#include "warpcc/warpcc.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

typedef struct Piece {
    const char *start;
    size_t length;
} Piece;

static Piece line_at(const char *text) {
    size_t length = strcspn(text, "\n");
    return (Piece){text, length + (text[length] == '\n')};
}

static bool line_contains(Piece line, const char *word) {
    return memmem(line.start, line.length, word, strlen(word)) != NULL;
}

static bool line_is_count(Piece line) {
    return line.length > 0 && line.start[0] >= '0' && line.start[0] <= '9' &&
           line_contains(line, " generated");
}

static bool line_is_include(Piece line) {
    return line_contains(line, "In file included from ") || line_contains(line, "                 from ");
}

static bool line_begins(Piece line) {
    return line_contains(line, "error: ") || line_contains(line, "warning: ");
}

/* The next diagnostic of *text, which moves behind it; length 0 at the end. */
static Piece message_next(const char **text) {
    Piece message = {*text, 0};
    bool begun = false;
    while (**text) {
        Piece line = line_at(*text);
        bool opens = line_begins(line) || line_is_include(line) || line_is_count(line);
        if (begun && opens) break;
        begun = begun || line_begins(line) || line_is_count(line);
        message.length += line.length;
        *text += line.length;
    }
    return message;
}

/* ---- names that newer toolkits removed (cuda_old_names.def) ---- */

static const char OLD_NAME[] = "' is deprecated: CUDA ";

/* What a warning says of an old name, without the arguments of a template: "'texture' is deprecated: ...", in
 * `words`. False when the message is another. The rest of the message follows `words` at `*rest`. */
static bool old_name_read(Piece message, Text *words, Piece *before, Piece *rest) {
    const char *end = message.start + message.length;
    const char *quote = memmem(message.start, message.length, OLD_NAME, strlen(OLD_NAME));
    if (!quote) return false;
    const char *name = quote;
    while (name > message.start && name[-1] != '\'' && name[-1] != '\n')
        name--;
    const char *brackets = memchr(name, '<', (size_t)(quote - name));
    const char *line_end = memchr(quote, '\n', (size_t)(end - quote));
    if (!line_end) line_end = end;
    text_append(words, name, (size_t)((brackets ? brackets : quote) - name));
    text_append(words, quote, (size_t)(line_end - quote));
    *before = (Piece){message.start, (size_t)(name - message.start)};
    *rest = (Piece){line_end, (size_t)(end - line_end)};
    return true;
}

/* Without the notes: where the headers have the name helps nobody. */
static Piece notes_cut(Piece message) {
    const char *note = memmem(message.start, message.length, "note: ", strlen("note: "));
    if (!note) return message;
    while (note > message.start && note[-1] != '\n')
        note--;
    return (Piece){message.start, (size_t)(note - message.start)};
}

/* Takes over a warning about an old name, once for each name in a run; false when the message is about
 * something else. */
static bool old_name_take(Piece message, Text *out) {
    Text words = text_new();
    Piece before, rest;
    bool old = old_name_read(message, &words, &before, &rest);
    if (old && !strstr(out->bytes, words.bytes)) {
        text_append(out, before.start, before.length);
        text_add(out, words.bytes);
        text_append(out, rest.start, rest.length);
    }
    text_free(&words);
    return old;
}

/* Whether the message is an error that our headers make of a name that the toolkit has not. */
static bool message_is_of_toolkit(Piece message) {
    static const char *const signs[] = {"' is unavailable: CUDA ", "' is unavailable: it came with CUDA ",
                                        "CUDA 5 removed the name in quotes"};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (memmem(message.start, message.length, signs[i], strlen(signs[i]))) return true;
    return false;
}

/* The path that the line begins with, behind its colours; "" when it is none. */
static void path_read(Piece line, char *path, size_t room) {
    const char *end = line.start + line.length, *from = line.start;
    while (from < end && *from == '\033') {
        const char *colour_end = memchr(from, 'm', (size_t)(end - from));
        from = end;
        if (colour_end) from = colour_end + 1;
    }
    const char *colon = memchr(from, ':', (size_t)(end - from));
    size_t length = 0;
    if (colon && (size_t)(colon - from) < room) length = (size_t)(colon - from);
    memcpy(path, from, length);
    path[length] = 0;
}

/* Whether the optimiser says of a loop of a library that it did not do with it what the library asks for: who
 * uses the library can change nothing. */
static bool message_is_of_library_loop(Piece message) {
    static const char sign[] = "[-Wpass-failed";
    const char *rest = message.start, *end = message.start + message.length;
    if (!memmem(message.start, message.length, sign, strlen(sign))) return false;
    while (rest < end) {
        const Piece line = line_at(rest);
        char path[4096];
        rest += line.length;
        if (!line_begins(line)) continue;
        path_read(line, path, sizeof path);
        return text_starts_with(path, "/usr/include/") || headers_of_library(path);
    }
    return false;
}

static bool message_known(Piece message, const char *all) {
    return memmem(all, strlen(all), message.start, message.length) != NULL;
}

/* Both compilations say most things alike; each message is printed once, the device's first. The count of
 * errors at the end would be wrong and is left out. */
void messages_merge(const char *device, const char *host, Text *out) {
    const char *rest[2] = {device, host};
    for (int side = 0; side < 2; side++) {
        Piece message;
        while ((message = message_next(&rest[side])).length > 0) {
            if (line_is_count(message) || (side == 1 && message_known(message, device))) continue;
            if (message_is_of_library_loop(message)) continue;
            if (old_name_take(notes_cut(message), out)) continue;
            if (message_is_of_toolkit(message)) message = notes_cut(message);
            text_append(out, message.start, message.length);
        }
    }
}

/* ---- a compiler that died ---- */

/* Where the compiler stops to speak of the program and begins to speak of itself; NULL when it does not. */
static char *crash_start(char *text) {
    static const char *const signs[] = {"error in backend: ",
                                        "error: no libcall available for ",
                                        "PLEASE submit a bug report",
                                        "PLEASE ATTACH THE FOLLOWING",
                                        "Stack dump:",
                                        "frontend command failed"};
    char *start = NULL;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        char *found = strstr(text, signs[i]);
        if (found && (!start || found < start)) start = found;
    }
    while (start && start > text && start[-1] != '\n')
        start--;
    return start;
}

/* The piece of `text` between two marks, such as what stands in quotes behind "symbol ". */
static Piece piece_between(const char *text, const char *before, const char *after) {
    const char *start = strstr(text, before);
    if (!start) return (Piece){NULL, 0};
    start += strlen(before);
    const char *end = strstr(start, after);
    return end ? (Piece){start, (size_t)(end - start)} : (Piece){NULL, 0};
}

/* "kernel" of "_Z6kernelPfi"; other names as they stand. */
static Piece plain_name(Piece name) {
    size_t at = 2, length = 0;
    if (name.length < 4 || memcmp(name.start, "_Z", 2) != 0) return name;
    for (; at < name.length && name.start[at] >= '0' && name.start[at] <= '9' && length < 1000; at++)
        length = 10 * length + (size_t)(name.start[at] - '0');
    return length > 0 && at + length <= name.length ? (Piece){name.start + at, length} : name;
}

/* LLVM aborts on some functions that the device has not; what it prints then is for its authors. The symbol
 * in it is what a learner needs. */
static void words_crash(const char *source, const char *crash, Text *out) {
    Piece symbol = piece_between(crash, "Undefined external symbol \"", "\"");
    /* LLVM's name of the operation since clang 15: "flog2". */
    if (!symbol.start) symbol = piece_between(crash, "no libcall available for f", "\n");
    Piece function = plain_name(piece_between(crash, "on function '@", "'"));
    text_format(out, "%s: error: ", source);
    if (symbol.start)
        text_format(out, "'%.*s' has no device code, so no kernel can use it", (int)symbol.length,
                    symbol.start);
    else
        text_add(out, "the compiler itself failed on this file");
    if (function.start && function.length < 200)
        text_format(out, "; the compiler got as far as '%.*s'", (int)function.length, function.start);
    text_add(out, "\n");
    if (symbol.start)
        text_add(out, "warpcc: what to do: call the function by its name in the CUDA documentation, without "
                      "__builtin_\n");
    else
        text_add(out, "warpcc: what to do: split what you changed last into simpler statements, or "
                      "compile with warpcc --nvcc\n");
}

void messages_cut_crash(const char *source, Text *said) {
    char *start = crash_start(said->bytes);
    if (!start) return;
    Text words = text_new();
    text_append(&words, said->bytes, (size_t)(start - said->bytes));
    words_crash(source, start, &words);
    text_clear(said);
    text_append(said, words.bytes, words.length);
    text_free(&words);
}

/* ---- headers of what is not here ---- */

typedef struct HeaderRow {
    const char *prefix;
    const char *advice;
} HeaderRow;

#define WITH_NVCC "compile with warpcc --nvcc, which uses NVIDIA's toolkit"
#define NO_LIBRARY(what)                                                                                     \
    "the software GPU has no " what                                                                          \
    ": of NVIDIA's libraries it has cuBLAS and cuRAND. Write the kernel yourself"

static const HeaderRow HEADERS[] = {
    {"thrust/", "`make setup` installs Thrust; on Debian and Ubuntu: apt install libthrust-dev"},
    {"cub/", "`make setup` installs CUB; on Debian and Ubuntu: apt install libcub-dev"},
    {"cuda/", "`make setup` installs libcu++; on Debian and Ubuntu: apt install libcu++-dev"},
    {"nv/target", "`make setup` installs libcu++; on Debian and Ubuntu: apt install libcu++-dev"},
    {"cublas.h",
     "that is cuBLAS's interface before CUDA 4. Include cublas_v2.h, whose functions take a handle, and "
     "link with -lcublas"},
    {"cublasXt", NO_LIBRARY("cuBLASXt, which divides products among devices")},
    {"cufft", NO_LIBRARY("cuFFT (Fourier transforms)")},
    {"cusparse", NO_LIBRARY("cuSPARSE (sparse matrices)")},
    {"cusolver", NO_LIBRARY("cuSOLVER (systems of equations)")},
    {"cudnn", NO_LIBRARY("cuDNN (layers of neural networks)")},
    {"npp", NO_LIBRARY("NPP (images and signals)")},
    {"nccl", "cudaMemcpyPeer copies between the devices of one process"},
    {"cuda_gl_interop", "nothing is drawn here: leave OpenGL out, and look at the numbers"},
    {"omp.h", "it belongs to OpenMP for clang; on Debian and Ubuntu: apt install libomp-dev"},
    {"mpi.h",
     "MPI is not installed: `make setup` installs one; on Debian and Ubuntu: apt install libmpich-dev mpich. "
     "An MPI elsewhere is found by the flags that its `mpicxx -show` prints"},
    {"cutil",
     "NVIDIA's samples had it before CUDA 5. Leave it out: CUDA_SAFE_CALL(x) and CUT_SAFE_CALL(x) become x, "
     "CUT_DEVICE_INIT and CUT_EXIT go, and a timer is two events (cudaEventElapsedTime)"},
    {"helper_", "it is in the folder Common of NVIDIA's samples: say with -I where that is"},
};

/* "host variable 'COUNT' used as a size": the variable of the first such message, when a size is missing too.
 */
static void advise_size(const char *said, Text *out) {
    Piece name = piece_between(said, "reference to __host__ variable '", "'");
    if (!name.start || !strstr(said, "cannot use variable-length arrays")) return;
    text_format(
        out,
        "warpcc: what to do about %.*s: the size of an array must be known when the file is compiled: "
        "constexpr int %.*s = ...;\n",
        (int)name.length, name.start, (int)name.length, name.start);
}

/* Dynamic parallelism: clang has nothing for it. A launch of a kernel template names no kernel. */
static void advise_nested_launch(const char *said, Text *out) {
    const char *line = strstr(said, "reference to __global__ function '");
    if (!line && !strstr(said, "reference to __host__ function '__cudaPushCallConfiguration'")) return;
    text_add(out, "warpcc: what to do about the launch ");
    Piece kernel = line ? piece_between(line, "function '", "'") : (Piece){NULL, 0};
    if (kernel.start) text_format(out, "of %.*s ", (int)kernel.length, kernel.start);
    text_add(
        out,
        "from device code: clang cannot compile launches from kernels (dynamic parallelism). Launch it from "
        "the host, or compile with warpcc --nvcc -rdc=true\n");
}

static const char NO_WAIT_IN_KERNELS[] =
    "CUDA 12 removed it from kernels. __syncthreads() waits for the threads of the block; what has to wait "
    "for the whole grid belongs in a second kernel, which the host launches next\n";

/* A function of the runtime, which the host alone can call; the first that the compiler complains of. */
static void advise_host_call(const char *said, Text *out) {
    const char *line = strstr(said, "no matching function for call to 'cuda");
    const char *why = NULL;
    if (line) why = strstr(line, "call to __host__ function from ");
    if (!why) return;
    Piece name = piece_between(line, "call to '", "'");
    text_format(out, "warpcc: what to do about %.*s in device code: ", (int)name.length, name.start);
    if (name.length == strlen("cudaDeviceSynchronize") &&
        memcmp(name.start, "cudaDeviceSynchronize", name.length) == 0)
        text_add(out, NO_WAIT_IN_KERNELS);
    else
        text_add(out, "it is a host function. Call it before or after the launch, and pass its result to "
                      "the kernel\n");
}

static void advise_launch(Piece kernel, Text *out) {
    text_format(
        out,
        "warpcc: what to do about the call of %.*s: a kernel is launched, by so many blocks of so many "
        "threads: %.*s<<<blocks, threads>>>(...)\n",
        (int)kernel.length, kernel.start, (int)kernel.length, kernel.start);
}

/* A kernel that is called like a function, as clang says it. */
static void advise_call(const char *said, Text *out) {
    if (!strstr(said, "' not configured")) return;
    Piece kernel = piece_between(said, "call to global function '", "'");
    if (kernel.start) advise_launch(kernel, out);
}

void messages_advise_nvcc(const char *said, Text *out) {
    if (strstr(said, "__global__ function call must be configured"))
        advise_launch((Piece){"kernel", strlen("kernel")}, out);
    if (strstr(said, "requires separate compilation mode"))
        text_add(out, "warpcc: what to do about the launch from device code: compile with warpcc --nvcc "
                      "-rdc=true\n");
    if (strstr(said, "calling a __host__ function(\"cudaDeviceSynchronize\")"))
        text_format(out, "warpcc: what to do about cudaDeviceSynchronize in device code: %s",
                    NO_WAIT_IN_KERNELS);
}

/* ---- names of CUDA that the headers do not have ---- */

typedef struct AbsentRow {
    const char *pattern, *what, *advice;
} AbsentRow;

static const AbsentRow ABSENT_ROWS[] = {
#define ABSENT(pattern, what, advice) {pattern, what, advice},
#include "warpcc/absent.def"
};

static const AbsentRow *absent_find(Piece name) {
    char text[100];
    if (name.length >= sizeof text) return NULL;
    memcpy(text, name.start, name.length);
    text[name.length] = '\0';
    for (size_t i = 0; i < sizeof ABSENT_ROWS / sizeof ABSENT_ROWS[0]; i++)
        if (fnmatch(ABSENT_ROWS[i].pattern, text, 0) == 0) return &ABSENT_ROWS[i];
    return NULL;
}

/* For the first name of each group of them that the compiler does not know. */
static void advise_absent(const char *said, Text *out) {
    static const char *const befores[] = {"use of undeclared identifier '", "unknown type name '",
                                          "no type named '", "no matching function for call to '",
                                          "variable has incomplete type 'struct "};
    const char *told = NULL;
    for (const char *line = said; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        Piece name = {NULL, 0}, whole = line_at(line);
        for (size_t i = 0; i < sizeof befores / sizeof befores[0] && !name.start; i++) {
            const char *found = memmem(line, whole.length, befores[i], strlen(befores[i]));
            if (found) name = piece_between(found, befores[i], "'");
        }
        const AbsentRow *row = NULL;
        if (name.start) row = absent_find(name);
        if (!row || row->what == told || strstr(out->bytes, row->what)) continue;
        told = row->what;
        text_format(
            out,
            "warpcc: what to do about %.*s: it belongs to %s, which the software GPU does not have. %c%s\n",
            (int)name.length, name.start, row->what, toupper((unsigned char)*row->advice), row->advice + 1);
    }
}

/* The line below the message quotes the source. A header in quotes is the learner's own. */
static bool is_in_angles(const char *message) {
    Piece next = {NULL, 0};
    const char *below = strchr(message, '\n');
    if (below) next = line_at(below + 1);
    return next.start && memmem(next.start, next.length, "include <", strlen("include <")) != NULL;
}

/* What to do about messages that mean another thing in CUDA than they say; the compiler's own words
 * stay. */
void messages_advise(const char *said, Text *out) {
    advise_size(said, out);
    advise_absent(said, out);
    advise_nested_launch(said, out);
    advise_call(said, out);
    advise_host_call(said, out);
    static const char AFTER[] = "' file not found";
    for (const char *end = strstr(said, AFTER); end; end = strstr(end + 1, AFTER)) {
        const char *name = end;
        while (name > said && name[-1] != '\'' && name[-1] != '\n')
            name--;
        const char *advice = NULL;
        if (is_in_angles(end)) advice = "is it installed? Say with -I in which folder it lies";
        for (size_t i = 0; i < sizeof HEADERS / sizeof HEADERS[0]; i++)
            if (text_starts_with(name, HEADERS[i].prefix)) advice = HEADERS[i].advice;
        if (advice)
            text_format(out, "warpcc: what to do about <%.*s>: %s\n", (int)(end - name), name, advice);
    }
}
