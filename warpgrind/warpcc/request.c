/* request.c - warpcc's command line, which looks like a compiler's: one row of the table is one option.
 *
 * Options that a compiler knows and warpcc need not understand are handed on, to the compilations (-I, -D,
 * -W...) or to the link (-L, -l, -Wl,...), in their order.
 */
#include "warpcc/warpcc.h"
#include "base/options.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

typedef enum Effect {
    EFFECT_OUTPUT,
    EFFECT_COMPILE_ONLY,
    EFFECT_LEVEL,
    EFFECT_STANDARD,
    EFFECT_KEEP_PTX,
    EFFECT_NVCC,
    EFFECT_COLOUR,
    EFFECT_VERBOSE,
    EFFECT_PRECOMPILE,
    EFFECT_HELP,
    EFFECT_COMPILE, /* hand on to the compilations */
    EFFECT_LINK,    /* hand on to the link */
    EFFECT_BOTH,    /* a list for the host's compiler, or for its linker */
    EFFECT_LINKER,  /* words for the linker */
    EFFECT_RDC,     /* device code of several files */
    EFFECT_NO_FMA,
    EFFECT_STREAM,    /* which default stream */
    EFFECT_NVCC_ONLY, /* matters to nvcc; for clang nothing to do */
    EFFECT_LIBRARY,   /* NVIDIA's, for nvcc alone */
    EFFECT_REFUSE,    /* the help says what to do instead */
    EFFECT_IGNORE     /* the default already */
} Effect;

typedef enum ValueForm {
    VALUE_NONE,
    VALUE_NEXT,   /* the next argument */
    VALUE_JOINED, /* the rest of this argument, perhaps empty */
    VALUE_EITHER  /* the rest, or the next argument when that is empty */
} ValueForm;

typedef struct OptionRow {
    const char *name;
    ValueForm form;
    Effect effect;
    const char *help; /* NULL: not listed; of an option that is refused: what to do instead */
} OptionRow;

#define USE_HEADERS "leave it out, and put device functions that several files need in a header"
#define NO_LIBRARY                                                                                           \
    "the software GPU has the runtime API alone: write the kernel, or use --nvcc and a real GPU"

/* In order: the first row whose name fits is taken, so longer names stand before their prefixes. */
static const OptionRow ROWS[] = {
    {"--keep-ptx=", VALUE_JOINED, EFFECT_KEEP_PTX, NULL},
    {"--keep-ptx", VALUE_NEXT, EFFECT_KEEP_PTX, "--keep-ptx FILE    also write the device code to FILE"},
    {"--nvcc", VALUE_NONE, EFFECT_NVCC, "--nvcc             compile with nvcc instead of clang"},
    {"--color=", VALUE_JOINED, EFFECT_COLOUR, "--color=WHEN       always, never or auto"},
    {"--verbose", VALUE_NONE, EFFECT_VERBOSE, "--verbose          show the commands (also -v)"},
    {"--precompile", VALUE_NONE, EFFECT_PRECOMPILE,
     "--precompile       make the precompiled headers for this clang"},
    {"--help", VALUE_NONE, EFFECT_HELP, "--help             this text (also -h)"},
    {"-h", VALUE_NONE, EFFECT_HELP, NULL},
    {"-v", VALUE_NONE, EFFECT_VERBOSE, NULL},
    {"-o", VALUE_EITHER, EFFECT_OUTPUT, "-o OUT             where the result goes (a.out)"},
    {"-c", VALUE_NONE, EFFECT_COMPILE_ONLY,
     "-c                 compile one .cu file to an object, do not link"},
    {"-O", VALUE_JOINED, EFFECT_LEVEL,
     "-O0 ... -O3        optimise device code; -O0, the default, shows mistakes best"},
    {"-std=", VALUE_JOINED, EFFECT_STANDARD, "-std=STANDARD      C++ standard (c++17)"},
    {"--std=", VALUE_JOINED, EFFECT_STANDARD, NULL},
    {"-std", VALUE_NEXT, EFFECT_STANDARD, NULL},
    {"--std", VALUE_NEXT, EFFECT_STANDARD, NULL},
    {"-Xcompiler", VALUE_EITHER, EFFECT_BOTH,
     "-Xcompiler -Xlinker  options of the host's compiler and linker"},
    {"--compiler-options", VALUE_EITHER, EFFECT_BOTH, NULL},
    {"-Xlinker", VALUE_EITHER, EFFECT_LINKER, NULL},
    {"--linker-options", VALUE_EITHER, EFFECT_LINKER, NULL},
    {"-fmad=false", VALUE_NONE, EFFECT_NO_FMA, NULL},
    {"--fmad=false", VALUE_NONE, EFFECT_NO_FMA, NULL},
    {"-fmad=true", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"--fmad=true", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"-ftz=", VALUE_JOINED, EFFECT_NVCC_ONLY, NULL},
    {"-isystem", VALUE_EITHER, EFFECT_COMPILE, NULL},
    {"-include", VALUE_NEXT, EFFECT_COMPILE, NULL},
    {"-I", VALUE_EITHER, EFFECT_COMPILE, "-I -D -U -W -f -m  for the compilations"},
    {"-D", VALUE_EITHER, EFFECT_COMPILE, NULL},
    {"-U", VALUE_EITHER, EFFECT_COMPILE, NULL},
    {"-Wl,", VALUE_JOINED, EFFECT_LINK, "-l -L -Wl,         for the link"},
    {"-W", VALUE_JOINED, EFFECT_COMPILE, NULL},
    {"-w", VALUE_NONE, EFFECT_COMPILE, NULL},
    {"-f", VALUE_JOINED, EFFECT_COMPILE, NULL},
    {"-maxrregcount", VALUE_EITHER, EFFECT_NVCC_ONLY, NULL},
    {"-m", VALUE_JOINED, EFFECT_COMPILE, NULL},
    {"-L", VALUE_EITHER, EFFECT_LINK, NULL},
    {"-lcudart", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"-lcudadevrt", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"-lcublas", VALUE_JOINED, EFFECT_LIBRARY, NO_LIBRARY},
    {"-lcufft", VALUE_JOINED, EFFECT_LIBRARY, NO_LIBRARY},
    {"-lcusparse", VALUE_JOINED, EFFECT_LIBRARY, NO_LIBRARY},
    {"-lcusolver", VALUE_JOINED, EFFECT_LIBRARY, NO_LIBRARY},
    {"-lcudnn", VALUE_JOINED, EFFECT_LIBRARY, NO_LIBRARY},
    {"-lnpp", VALUE_JOINED, EFFECT_LIBRARY, NO_LIBRARY},
    {"-lnccl", VALUE_JOINED, EFFECT_LIBRARY, NO_LIBRARY},
    {"-lnvrtc", VALUE_JOINED, EFFECT_LIBRARY, NO_LIBRARY},
    {"-lcurand", VALUE_JOINED, EFFECT_LIBRARY,
     "random numbers are not here; compute them in the kernel, from the thread's index and a seed"},
    {"-lcuda", VALUE_NONE, EFFECT_LIBRARY,
     "the driver API (cuLaunchKernel and the like) is not here; use the runtime API"},
    {"-pthread", VALUE_NONE, EFFECT_LINK, NULL},
    {"-static-libstdc++", VALUE_NONE, EFFECT_LINK, NULL},
    {"-shared", VALUE_NONE, EFFECT_LINK, NULL},
    {"-lineinfo", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"-l", VALUE_EITHER, EFFECT_LINK, NULL},
    {"--generate-line-info", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"-G", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"--device-debug", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"--debug", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"-gencode", VALUE_EITHER, EFFECT_IGNORE, NULL},
    {"--generate-code=", VALUE_JOINED, EFFECT_IGNORE, NULL},
    {"--generate-code", VALUE_NEXT, EFFECT_IGNORE, NULL},
    {"-g", VALUE_JOINED, EFFECT_IGNORE, NULL},
    {"-arch=", VALUE_JOINED, EFFECT_IGNORE, NULL},
    {"-arch", VALUE_NEXT, EFFECT_IGNORE, NULL},
    {"--gpu-architecture=", VALUE_JOINED, EFFECT_IGNORE, NULL},
    {"--gpu-architecture", VALUE_NEXT, EFFECT_IGNORE, NULL},
    {"-code=", VALUE_JOINED, EFFECT_IGNORE, NULL},
    {"-code", VALUE_NEXT, EFFECT_IGNORE, NULL},
    {"-x", VALUE_NEXT, EFFECT_IGNORE, NULL},
    /* What nvcc has to be asked for; clang allows it anyway, and nvcc is always asked. */
    {"--extended-lambda", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"-extended-lambda", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"--expt-extended-lambda", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"-expt-extended-lambda", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"--expt-relaxed-constexpr", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"-expt-relaxed-constexpr", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"-cudart=", VALUE_JOINED, EFFECT_IGNORE, NULL},
    {"--cudart=", VALUE_JOINED, EFFECT_IGNORE, NULL},
    {"-cudart", VALUE_NEXT, EFFECT_IGNORE, NULL},
    {"--cudart", VALUE_NEXT, EFFECT_IGNORE, NULL},
    /* The software GPU computes exactly and has registers enough. */
    {"-use_fast_math", VALUE_NONE, EFFECT_NVCC_ONLY,
     "-use_fast_math -maxrregcount -Xptxas -ccbin  for nvcc; no effect with clang"},
    {"--use_fast_math", VALUE_NONE, EFFECT_NVCC_ONLY, NULL},
    {"--maxrregcount", VALUE_EITHER, EFFECT_NVCC_ONLY, NULL},
    {"-Xptxas", VALUE_EITHER, EFFECT_NVCC_ONLY, NULL},
    {"--ptxas-options", VALUE_EITHER, EFFECT_NVCC_ONLY, NULL},
    {"-Xcudafe", VALUE_EITHER, EFFECT_NVCC_ONLY, NULL},
    {"-Xnvlink", VALUE_EITHER, EFFECT_NVCC_ONLY, NULL},
    {"-ccbin", VALUE_EITHER, EFFECT_NVCC_ONLY, NULL},
    {"--compiler-bindir", VALUE_EITHER, EFFECT_NVCC_ONLY, NULL},
    {"-diag-suppress", VALUE_EITHER, EFFECT_NVCC_ONLY, NULL},
    {"--diag-suppress", VALUE_EITHER, EFFECT_NVCC_ONLY, NULL},
    {"-allow-unsupported-compiler", VALUE_NONE, EFFECT_NVCC_ONLY, NULL},
    {"-restrict", VALUE_NONE, EFFECT_NVCC_ONLY, NULL},
    {"-prec-div", VALUE_JOINED, EFFECT_NVCC_ONLY, NULL},
    {"-prec-sqrt", VALUE_JOINED, EFFECT_NVCC_ONLY, NULL},
    {"-rdc=false", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"--relocatable-device-code=false", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"-rdc", VALUE_JOINED, EFFECT_RDC, NULL},
    {"--relocatable-device-code", VALUE_JOINED, EFFECT_RDC, NULL},
    {"-dc", VALUE_NONE, EFFECT_REFUSE, USE_HEADERS},
    {"-dlink", VALUE_NONE, EFFECT_REFUSE, USE_HEADERS},
    {"--device-c", VALUE_NONE, EFFECT_REFUSE, USE_HEADERS},
    {"-default-stream", VALUE_EITHER, EFFECT_STREAM, NULL},
    {"--default-stream", VALUE_EITHER, EFFECT_STREAM, NULL},
    {"-ptx", VALUE_NONE, EFFECT_REFUSE, "--keep-ptx FILE writes the device code"},
    {"--ptx", VALUE_NONE, EFFECT_REFUSE, "--keep-ptx FILE writes the device code"},
    {"-cubin", VALUE_NONE, EFFECT_REFUSE,
     "there is no machine code here: --keep-ptx FILE writes the device code"},
    {"-run", VALUE_NONE, EFFECT_REFUSE, "start it with `warpgrind ./PROGRAM`"},
    {"-pipe", VALUE_NONE, EFFECT_IGNORE, NULL},
};
enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

static const OptionRow *row_find(const char *argument) {
    for (size_t i = 0; i < ROW_COUNT; i++) {
        bool open = ROWS[i].form == VALUE_JOINED || ROWS[i].form == VALUE_EITHER;
        if (open ? text_starts_with(argument, ROWS[i].name) : strcmp(argument, ROWS[i].name) == 0)
            return &ROWS[i];
    }
    return NULL;
}

void request_help(Text *out) {
    text_add(out,
             "usage: warpcc [options] -o OUT FILE.cu... [objects and libraries]\n\n"
             "Compiles and links CUDA C/C++ for the software GPU (and, with --nvcc, for a real one).\n\n");
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (ROWS[i].help && ROWS[i].effect != EFFECT_REFUSE && ROWS[i].effect != EFFECT_LIBRARY)
            text_format(out, "  %s\n", ROWS[i].help);
    text_add(out, "\nEnvironment: WARPCC_CLANG names the clang to use (14 or newer), WARPCC_NVCC the nvcc.\n"
                  "Exit status: 0 fine, 1 errors in the program, 2 usage, 3 something is missing.\n");
}

static bool level_apply(Request *request, const char *value, Diagnostics *diagnostics) {
    if (!*value) value = "1";
    if (!strchr("0123", *value) || value[1]) {
        diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "-O%s: the levels are 0 to 3", value);
        return false;
    }
    request->level = *value;
    return true;
}

static void hand_on(Arguments *list, const OptionRow *row, const char *argument, const char *value) {
    arguments_add(list, argument);
    if (row->form != VALUE_NONE && value != argument + strlen(row->name)) arguments_add(list, value);
}

/* Of "-Xcompiler=-Wall,-lm" each word goes where it belongs. */
static void words_hand_on(Request *request, const OptionRow *row, const char *value) {
    Arena *arena = request->link.arena;
    if (*value == '=') value++;
    if (row->effect == EFFECT_LINKER) {
        arguments_add(&request->link, arena_format(arena, "-Wl,%s", value));
        return;
    }
    while (*value) {
        bool for_linker = text_starts_with(value, "-l") || text_starts_with(value, "-L") ||
                          text_starts_with(value, "-Wl,") || text_starts_with(value, "-pthread");
        /* The commas behind -Wl are the linker's. */
        int length = (int)(text_starts_with(value, "-Wl,") ? strlen(value) : strcspn(value, ","));
        const char *word = arena_format(arena, "%.*s", length, value);
        arguments_add(for_linker ? &request->link : &request->compile, word);
        if (word && strcmp(word, "-fopenmp") == 0) arguments_add(&request->link, word);
        value += length + (value[length] == ',');
    }
}

static bool option_refuse(const char *argument, const char *remedy, Diagnostics *diagnostics) {
    Diagnostic *d = diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "%s is not supported", argument);
    if (d) d->remedy = remedy;
    return false;
}

static bool *flag_of(Request *request, Effect effect) {
    static const struct {
        Effect effect;
        size_t place;
    } flags[] = {
        {EFFECT_COMPILE_ONLY, offsetof(Request, compile_only)},
        {EFFECT_NVCC, offsetof(Request, use_nvcc)},
        {EFFECT_VERBOSE, offsetof(Request, verbose)},
        {EFFECT_PRECOMPILE, offsetof(Request, precompile)},
        {EFFECT_HELP, offsetof(Request, help)},
        {EFFECT_RDC, offsetof(Request, whole_device)},
    };
    size_t i = 0;
    while (flags[i].effect != effect)
        i++;
    return (bool *)((char *)request + flags[i].place);
}

static bool option_apply(Request *request, const OptionRow *row, const char *argument, const char *value,
                         Diagnostics *diagnostics) {
    switch (row->effect) {
    case EFFECT_COMPILE_ONLY:
    case EFFECT_NVCC:
    case EFFECT_VERBOSE:
    case EFFECT_PRECOMPILE:
    case EFFECT_HELP:
    case EFFECT_RDC:
        *flag_of(request, row->effect) = true;
        break;
    case EFFECT_OUTPUT:
        request->output = value;
        break;
    case EFFECT_LEVEL:
        return level_apply(request, value, diagnostics);
    case EFFECT_STANDARD:
        request->standard = arena_format(request->compile.arena, "-std=%s", value);
        break;
    case EFFECT_KEEP_PTX:
        request->keep_ptx = value;
        break;
    case EFFECT_COLOUR:
        request->colour = options_colour(value, STDERR_FILENO);
        break;
    case EFFECT_COMPILE:
        hand_on(&request->compile, row, argument, value);
        break;
    case EFFECT_LINK:
        hand_on(&request->link, row, argument, value);
        break;
    case EFFECT_BOTH:
    case EFFECT_LINKER:
        if (request->use_nvcc)
            hand_on(&request->nvcc, row, argument, value);
        else
            words_hand_on(request, row, value);
        break;
    case EFFECT_NO_FMA:
        arguments_add(&request->nvcc, argument);
        if (!request->use_nvcc) arguments_add(&request->compile, "-ffp-contract=off");
        break;
    case EFFECT_STREAM:
        if (strstr(value, "per-thread"))
            return option_refuse("a default stream per thread",
                                 "create a stream for each thread, with cudaStreamCreate", diagnostics);
        break;
    case EFFECT_NVCC_ONLY:
        hand_on(&request->nvcc, row, argument, value);
        break;
    case EFFECT_LIBRARY:
        if (!request->use_nvcc) return option_refuse(argument, row->help, diagnostics);
        hand_on(&request->link, row, argument, value);
        break;
    case EFFECT_REFUSE:
        return option_refuse(argument, row->help, diagnostics);
    case EFFECT_IGNORE:
        break;
    }
    return true;
}

/* One option with its value; returns the index of the last argument used, or -1. */
static int option_read(Request *request, int argc, char **argv, int index, Diagnostics *diagnostics) {
    const char *argument = argv[index];
    const OptionRow *row = row_find(argument);
    if (!row) {
        Diagnostic *d = diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "unknown option %s", argument);
        if (d) d->remedy = "warpcc --help lists the options";
        return -1;
    }
    const char *value = argument + strlen(row->name);
    bool next = row->form == VALUE_NEXT || (row->form == VALUE_EITHER && !*value);
    if (next && index + 1 == argc) {
        diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "%s needs a value after it", argument);
        return -1;
    }
    if (next) value = argv[++index];
    return option_apply(request, row, argument, value, diagnostics) ? index : -1;
}

static bool request_check(const Request *request, Diagnostics *diagnostics) {
    if (request->help || request->precompile) return true;
    const char *problem = NULL;
    if (request->sources.count == 0 && (request->compile_only || request->link.count == 0))
        problem = "no .cu file to compile";
    else if (request->compile_only && request->sources.count > 1)
        problem = "-c compiles one .cu file at a time";
    else if (request->whole_device && (request->compile_only || request->sources.count > 1))
        problem = "device code of several files is not linked together (-rdc): put device functions that "
                  "several files need in a header";
    else if (request->keep_ptx && request->sources.count != 1)
        problem = "--keep-ptx is for one .cu file";
    if (problem) diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "%s", problem);
    return !problem;
}

bool request_parse(Request *request, Arena *arena, int argc, char **argv, Diagnostics *diagnostics) {
    *request = (Request){.level = '0', .colour = options_colour("auto", STDERR_FILENO)};
    arguments_init(&request->sources, arena);
    arguments_init(&request->compile, arena);
    arguments_init(&request->link, arena);
    arguments_init(&request->nvcc, arena);
    /* Known first: some options mean something to one compiler only. */
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--nvcc") == 0) request->use_nvcc = true;
    for (int i = 1; i < argc; i++) {
        bool option = argv[i][0] == '-' && argv[i][1];
        if (option) {
            i = option_read(request, argc, argv, i, diagnostics);
            if (i < 0) return false;
            continue;
        }
        bool source = text_ends_with(argv[i], ".cu");
        arguments_add(source ? &request->sources : &request->link, argv[i]);
    }
    return request_check(request, diagnostics);
}
