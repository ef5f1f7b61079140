/* request.c - warpcc's command line, which looks like a compiler's: one row of the table is one option.
 *
 * Options that a compiler knows and warpcc need not understand are handed on, to the compilations (-I, -D,
 * -W...) or to the link (-L, -l, -Wl,...), in their order.
 */
#include "warpcc/warpcc.h"
#include "base/nearest.h"
#include "base/options.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum Effect {
    EFFECT_OUTPUT,
    EFFECT_COMPILE_ONLY,
    EFFECT_LEVEL,
    EFFECT_STANDARD,
    EFFECT_KEEP_PTX,
    EFFECT_HOST_FROM,
    EFFECT_NVCC,
    EFFECT_COLOUR,
    EFFECT_VERBOSE,
    EFFECT_PRECOMPILE,
    EFFECT_HELP,
    EFFECT_VERSION,
    EFFECT_COMPILE, /* hand on to the compilations */
    EFFECT_DEPENDS, /* to the host's alone, which reads the same files */
    EFFECT_LINK,    /* hand on to the link */
    EFFECT_BOTH,    /* a list for the host's compiler, or for its linker */
    EFFECT_LINKER,  /* words for the linker */
    EFFECT_RDC,     /* device code of several files */
    EFFECT_DEVICE_C,
    EFFECT_DEVICE_LINK,
    EFFECT_ARCHITECTURE,
    EFFECT_MPI,      /* which one */
    EFFECT_TOOLKIT,  /* whose names there are */
    EFFECT_LANGUAGE, /* -x cu: what other files hold */
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

/* In order: the first row whose name fits is taken, so longer names stand before their prefixes. */
static const OptionRow ROWS[] = {
#define OPTION(name, form, effect, help) {name, VALUE_##form, EFFECT_##effect, help},
#include "warpcc/options.def"
#undef OPTION
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

static const char *row_nearest(Arena *arena, const char *argument) {
    size_t length = strcspn(argument, "=");
    const char *name = arena_format(arena, "%.*s", (int)(length + (argument[length] == '=')), argument);
    if (!name) return NULL;
    Nearest nearest = nearest_within(name, length / 3 + 1);
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (ROWS[i].effect != EFFECT_REFUSE) nearest_offer(&nearest, ROWS[i].name);
    return nearest.best;
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

/** The number of "sm_75", "compute_75" or "sm_90a", up to a comma or the end; 0 when it is no card's. */
static unsigned card_number(const char *name) {
    static const char *const kinds[] = {"sm_", "compute_", "lto_"};
    enum { OLDEST = 10, BEYOND = 200 };
    char *end = NULL;
    long number = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (text_starts_with(name, kinds[i])) number = strtol(name + strlen(kinds[i]), &end, 10);
    if (number < OLDEST || number >= BEYOND) return 0;
    if (*end == 'a' || *end == 'f') end++;
    if (*end == '\0' || *end == ',' || *end == ']') return (unsigned)number;
    return 0;
}

static bool no_card(const char *value, Diagnostics *diagnostics) {
    return advise(diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "there is no card named %s", value),
                  "write -arch=sm_NN, such as sm_80");
}

/* "sm_75", "compute_75" or "arch=compute_75,code=[sm_75,compute_75]"; of several the newest counts, since the
 * device is as new as a card can be unless --card says otherwise. Words such as "native" and "all" leave the
 * default. */
static bool architecture_apply(Request *request, const char *value, Diagnostics *diagnostics) {
    if (*value == '=') value++;
    if (text_starts_with(value, "arch=")) value += strlen("arch=");
    static const char *const words[] = {"native", "all", "all-major"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(value, words[i]) == 0) return true;
    const unsigned number = card_number(value);
    if (number == 0) return no_card(value, diagnostics);
    for (const char *at = strchr(value, ','); at; at = strchr(at + 1, ',')) {
        const char *name = at + 1;
        if (text_starts_with(name, "code=")) name += strlen("code=");
        if (*name == '[') name++;
        if (card_number(name) == 0) return no_card(name, diagnostics);
    }
    if (number > request->architecture) request->architecture = number;
    return true;
}

/* Those that nvcc has, too; the headers need C++11. */
static bool standard_apply(Request *request, const char *value, Diagnostics *diagnostics) {
    static const char *const years[] = {"11", "14", "17", "20", "0x", "1y", "1z", "2a"};
    const char *year = NULL;
    if (text_starts_with(value, "c++")) year = value + strlen("c++");
    if (text_starts_with(value, "gnu++")) year = value + strlen("gnu++");
    for (size_t i = 0; year && i < sizeof years / sizeof years[0]; i++)
        if (strcmp(year, years[i]) == 0) {
            request->standard = arena_format(request->compile.arena, "-std=%s", value);
            return true;
        }
    return advise(diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "-std=%s is no standard of CUDA C++", value),
                  "those are c++11, c++14, c++17 (the default) and c++20");
}

/* 12.4 is 12: the old names differ by the first number alone. */
static bool toolkit_apply(Request *request, const char *value, Diagnostics *diagnostics) {
    static const char *const toolkits[] = {"11", "12", "13"};
    size_t length = strcspn(value, ".");
    for (size_t i = 0; i < sizeof toolkits / sizeof toolkits[0]; i++)
        if (length == 2 && strncmp(value, toolkits[i], length) == 0) request->toolkit = toolkits[i];
    const char *remedy = NULL;
    if (!request->toolkit) remedy = "write --cuda=11, --cuda=12 or --cuda=13";
    if (request->use_nvcc) remedy = "with --nvcc the toolkit is the one that nvcc belongs to";
    if (!remedy) return true;
    return advise(diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "--cuda=%s does not work", value), remedy);
}

/* An MPI must be both known and installed, and the remedy differs. */
static bool mpi_apply(Request *request, const char *value, Diagnostics *diagnostics) {
    request->mpi = mpi_named(value);
    if (request->mpi && mpi_find(request->link.arena, request->mpi)) return true;
    if (request->mpi)
        return advise(
            diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "--mpi=%s: it is not installed", value),
            arena_format(request->link.arena, "on Debian and Ubuntu: apt install lib%s-dev", value));
    return advise(diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "there is no MPI named %s", value),
                  "write --mpi=mpich or --mpi=openmpi; another one is found by its flags, which mpicxx "
                  "-show prints");
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
        if (word && strcmp(word, "-fopenmp") == 0)
            request->openmp = true;
        else
            arguments_add(for_linker ? &request->link : &request->compile, word);
        value += length + (value[length] == ',');
    }
}

static bool option_refuse(const char *argument, const char *remedy, Diagnostics *diagnostics) {
    return advise(diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "%s is not supported", argument), remedy);
}

static bool stream_apply(const char *value, Diagnostics *diagnostics) {
    if (!strstr(value, "per-thread")) return true;
    return option_refuse("a default stream per thread",
                         "create a stream for each thread, with cudaStreamCreate", diagnostics);
}

/* The switch that the effect turns on. */
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
        {EFFECT_VERSION, offsetof(Request, version)},
        {EFFECT_RDC, offsetof(Request, whole_device)},
        {EFFECT_DEVICE_LINK, offsetof(Request, link_device)},
    };
    size_t i = 0;
    while (flags[i].effect != effect)
        i++;
    return (bool *)((char *)request + flags[i].place);
}

static void products_keep_apart(Request *request, const char *argument) {
    arguments_add(&request->nvcc, argument);
    if (!request->use_nvcc) arguments_add(&request->compile, "-ffp-contract=off");
}

static void compile_hand_on(Request *request, const OptionRow *row, const char *argument, const char *value) {
    if (strcmp(argument, "-fopenmp") == 0)
        request->openmp = true;
    else
        hand_on(&request->compile, row, argument, value);
}

static const char **file_of(Request *request, Effect effect) {
    if (effect == EFFECT_KEEP_PTX) return &request->keep_ptx;
    if (effect == EFFECT_HOST_FROM) return &request->host_from;
    return &request->output;
}

/* Options whose value is looked at: false after telling what is wrong with it. */
static bool value_apply(Request *request, Effect effect, const char *value, Diagnostics *diagnostics) {
    if (effect == EFFECT_ARCHITECTURE) return architecture_apply(request, value, diagnostics);
    if (effect == EFFECT_MPI) return mpi_apply(request, value, diagnostics);
    if (effect == EFFECT_TOOLKIT) return toolkit_apply(request, value, diagnostics);
    if (effect == EFFECT_LEVEL) return level_apply(request, value, diagnostics);
    if (effect == EFFECT_STANDARD) return standard_apply(request, value, diagnostics);
    return stream_apply(value, diagnostics);
}

/* Options that clang, the linker or nvcc gets, as they are or in its own words. */
static void option_pass(Request *request, const OptionRow *row, const char *argument, const char *value) {
    if (row->effect == EFFECT_COMPILE)
        compile_hand_on(request, row, argument, value);
    else if (row->effect == EFFECT_DEPENDS)
        hand_on(&request->depends, row, argument, value);
    else if (row->effect == EFFECT_NO_FMA)
        products_keep_apart(request, argument);
    else if (row->effect == EFFECT_LINK || row->effect == EFFECT_LIBRARY)
        hand_on(&request->link, row, argument, value);
    else if (row->effect == EFFECT_NVCC_ONLY || request->use_nvcc)
        hand_on(&request->nvcc, row, argument, value);
    else
        words_hand_on(request, row, value);
}

/* By the effect that the option's row of options.def names. */
static bool option_apply(Request *request, const OptionRow *row, const char *argument, const char *value,
                         Diagnostics *diagnostics) {
    switch (row->effect) {
    case EFFECT_COMPILE_ONLY:
    case EFFECT_NVCC:
    case EFFECT_VERBOSE:
    case EFFECT_PRECOMPILE:
    case EFFECT_HELP:
    case EFFECT_VERSION:
    case EFFECT_RDC:
    case EFFECT_DEVICE_LINK:
        return *flag_of(request, row->effect) = true;
    case EFFECT_DEVICE_C:
        return request->whole_device = request->compile_only = true;
    case EFFECT_ARCHITECTURE:
    case EFFECT_MPI:
    case EFFECT_TOOLKIT:
    case EFFECT_LEVEL:
    case EFFECT_STANDARD:
    case EFFECT_STREAM:
        return value_apply(request, row->effect, value, diagnostics);
    case EFFECT_LANGUAGE:
        request->all_cuda = strcmp(value, "cu") == 0 || strcmp(value, "cuda") == 0;
        return true;
    case EFFECT_OUTPUT:
    case EFFECT_KEEP_PTX:
    case EFFECT_HOST_FROM:
        *file_of(request, row->effect) = value;
        return true;
    case EFFECT_COLOUR:
        request->colour = options_colour(value, STDERR_FILENO);
        return true;
    case EFFECT_LIBRARY:
        if (!request->use_nvcc) return option_refuse(argument, row->help, diagnostics);
        break;
    case EFFECT_REFUSE:
        return option_refuse(argument, row->help, diagnostics);
    case EFFECT_IGNORE:
        return true;
    case EFFECT_COMPILE:
    case EFFECT_DEPENDS:
    case EFFECT_LINK:
    case EFFECT_BOTH:
    case EFFECT_LINKER:
    case EFFECT_NO_FMA:
    case EFFECT_NVCC_ONLY:
        break;
    }
    option_pass(request, row, argument, value);
    return true;
}

/* One option with its value; returns the index of the last argument used, or -1. */
static int option_read(Request *request, int argc, char **argv, int index, Diagnostics *diagnostics) {
    const char *argument = argv[index];
    const OptionRow *row = row_find(argument);
    if (!row) {
        Arena *arena = request->link.arena;
        const char *nearest = row_nearest(arena, argument), *remedy;
        if (nearest)
            remedy = arena_format(
                arena, "did you mean %s? An option of the host's compiler is written -Xcompiler %s", nearest,
                argument);
        else
            remedy = arena_format(
                arena, "warpcc --help lists the options; one of the host's compiler is written -Xcompiler %s",
                argument);
        advise(diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "unknown option %s", argument), remedy);
        return -1;
    }
    const char *value = argument + strlen(row->name);
    bool next = row->form == VALUE_NEXT || (row->form == VALUE_EITHER && !*value);
    if (next && index + 1 == argc) {
        diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "%s needs a value after it", argument);
        return -1;
    }
    if (next) value = argv[++index];
    if (option_apply(request, row, argument, value, diagnostics)) return index;
    return -1;
}

static bool files_are_there(const Arguments *files, Diagnostics *diagnostics) {
    bool all = true;
    for (size_t i = 0; i < files->count; i++)
        if (access(files->items[i], R_OK) != 0) {
            diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "%s cannot be read: %s", files->items[i],
                     strerror(errno));
            all = false;
        }
    return all;
}

/* What cannot be seen from one option alone; the first problem is told. */
static bool request_check(const Request *request, Diagnostics *diagnostics) {
    if (request->help || request->version || request->precompile) return true;
    const char *problem = NULL;
    size_t sources = request->sources.count + request->host_sources.count;
    if (sources == 0 && (request->compile_only || request->link.count == 0))
        problem = "no .cu file to compile";
    else if (request->compile_only && request->output && sources > 1)
        problem = "-c with -o compiles one file at a time";
    else if (request->keep_ptx && request->sources.count != 1 && !request->link_device)
        problem = "--keep-ptx is for one .cu file, or for -dlink";
    else if (request->host_from && (request->sources.count != 1 || request->use_nvcc))
        problem = "--host-from is for one .cu file, and for clang";
    if (problem) diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "%s", problem);
    return !problem && files_are_there(&request->sources, diagnostics) &&
           files_are_there(&request->host_sources, diagnostics);
}

static bool ends_with_any(const char *file, const char *const *endings) {
    for (; *endings; endings++)
        if (text_ends_with(file, *endings)) return true;
    return false;
}

/* By the ending; with -x cu a file of any ending is a source, unless it is one that is only linked. */
static Arguments *operand_list(Request *request, const char *file) {
    static const char *const sources[] = {".c", ".cc", ".cpp", ".cxx", ".C", NULL};
    static const char *const linked[] = {".o", ".obj", ".a", ".so", ".lo", ".lib", NULL};
    if (text_ends_with(file, ".cu")) return &request->sources;
    if (request->all_cuda)
        return ends_with_any(file, linked) || strstr(file, ".so.") ? &request->link : &request->sources;
    if (ends_with_any(file, sources)) return &request->host_sources;
    return &request->link;
}

bool request_parse(Request *request, Arena *arena, int argc, char **argv, Diagnostics *diagnostics) {
    *request = (Request){.level = '0', .colour = options_colour("auto", STDERR_FILENO)};
    arguments_init(&request->sources, arena);
    arguments_init(&request->host_sources, arena);
    arguments_init(&request->compile, arena);
    arguments_init(&request->depends, arena);
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
        arguments_add(operand_list(request, argv[i]), argv[i]);
    }
    return request_check(request, diagnostics);
}
