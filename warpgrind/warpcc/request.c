/* request.c - warpcc's command line, which looks like a compiler's: one row of the table is one option.
 *
 * Options that a compiler knows and warpcc need not understand are handed on, to the compilations (-I, -D,
 * -W...) or to the link (-L, -l, -Wl,...), in their order.
 */
#include "warpcc/warpcc.h"
#include "base/options.h"

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
    EFFECT_IGNORE   /* the default already */
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
    const char *help; /* NULL: not listed */
} OptionRow;

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
    {"-isystem", VALUE_EITHER, EFFECT_COMPILE, NULL},
    {"-include", VALUE_NEXT, EFFECT_COMPILE, NULL},
    {"-I", VALUE_EITHER, EFFECT_COMPILE, "-I -D -U -W -f -m  for the compilations"},
    {"-D", VALUE_EITHER, EFFECT_COMPILE, NULL},
    {"-U", VALUE_EITHER, EFFECT_COMPILE, NULL},
    {"-Wl,", VALUE_JOINED, EFFECT_LINK, "-l -L -Wl,         for the link"},
    {"-W", VALUE_JOINED, EFFECT_COMPILE, NULL},
    {"-w", VALUE_NONE, EFFECT_COMPILE, NULL},
    {"-f", VALUE_JOINED, EFFECT_COMPILE, NULL},
    {"-m", VALUE_JOINED, EFFECT_COMPILE, NULL},
    {"-L", VALUE_EITHER, EFFECT_LINK, NULL},
    {"-l", VALUE_EITHER, EFFECT_LINK, NULL},
    {"-pthread", VALUE_NONE, EFFECT_LINK, NULL},
    {"-static-libstdc++", VALUE_NONE, EFFECT_LINK, NULL},
    {"-lineinfo", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"-G", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"-gencode", VALUE_EITHER, EFFECT_IGNORE, NULL},
    {"-g", VALUE_JOINED, EFFECT_IGNORE, NULL},
    {"-arch=", VALUE_JOINED, EFFECT_IGNORE, NULL},
    {"-arch", VALUE_NEXT, EFFECT_IGNORE, NULL},
    /* What nvcc has to be asked for; clang allows it anyway, and nvcc is always asked. */
    {"--extended-lambda", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"-extended-lambda", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"--expt-extended-lambda", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"--expt-relaxed-constexpr", VALUE_NONE, EFFECT_IGNORE, NULL},
    {"-cudart", VALUE_NEXT, EFFECT_IGNORE, NULL},
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
        if (ROWS[i].help) text_format(out, "  %s\n", ROWS[i].help);
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

static bool option_apply(Request *request, const OptionRow *row, const char *argument, const char *value,
                         Diagnostics *diagnostics) {
    switch (row->effect) {
    case EFFECT_OUTPUT:
        request->output = value;
        break;
    case EFFECT_COMPILE_ONLY:
        request->compile_only = true;
        break;
    case EFFECT_LEVEL:
        return level_apply(request, value, diagnostics);
    case EFFECT_STANDARD:
        request->standard = argument;
        break;
    case EFFECT_KEEP_PTX:
        request->keep_ptx = value;
        break;
    case EFFECT_NVCC:
        request->use_nvcc = true;
        break;
    case EFFECT_COLOUR:
        request->colour = options_colour(value, STDERR_FILENO);
        break;
    case EFFECT_VERBOSE:
        request->verbose = true;
        break;
    case EFFECT_PRECOMPILE:
        request->precompile = true;
        break;
    case EFFECT_HELP:
        request->help = true;
        break;
    case EFFECT_COMPILE:
        hand_on(&request->compile, row, argument, value);
        break;
    case EFFECT_LINK:
        hand_on(&request->link, row, argument, value);
        break;
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
        diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0, "%s needs a value behind it", argument);
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
