/* table.c - `warpgrind table api|ptx`: what is supported, as a Markdown page made from the tables that the
 * code is made from. */
#include "device/report/table.h"
#include "ptx/ptx.h"

/** A row of api.def, as the page of functions needs it. */
typedef struct ApiRow {
    const char *name, *summary, *test; /* NULL: refused */
} ApiRow;

static const ApiRow api_rows[] = {
#define API_FUNCTION(name, arguments, results, payload, handler, flags, client, summary, test)               \
    {#name, summary, test},
#define API_REFUSED(name) {#name, NULL, NULL},
#include "cudart/api.def"
};

/** Forms for programs whose default stream is a thread's own. */
static const char *const own_stream_rows[][2] = {
#define API_OWN_STREAM(name, suffix) {#name, #suffix},
#include "cudart/api.def"
};

/** A row of instructions.def, as the page of instructions needs it. */
typedef struct PtxRow {
    const char *forms, *effect, *section, *test;
    PtxFamily family;
} PtxRow;

static const PtxRow ptx_rows[] = {
#define PTX_OPCODE(name, text, forms, effect, section, operands, types, modifiers, family, reach, traits,    \
                   test)                                                                                     \
    {forms, effect, section, test, PTX_FAMILY_##family},
#include "ptx/instructions.def"
#undef PTX_OPCODE
};

enum {
    API_COUNT = sizeof api_rows / sizeof *api_rows,
    OWN_STREAM_COUNT = sizeof own_stream_rows / sizeof *own_stream_rows,
    PTX_COUNT = sizeof ptx_rows / sizeof *ptx_rows
};

/** A bar would end the cell. */
static void add_cell(Text *page, const char *text) {
    for (; *text != 0; text++)
        if (*text == '|')
            text_add(page, "\\|");
        else
            text_format(page, "%c", *text);
}

static void add_function(Text *page, const ApiRow *row) {
    text_format(page, "| `%s` | ", row->name);
    if (row->summary == NULL) {
        text_add(page, " | refused | `tests/cli/runtime.sh` |\n");
        return;
    }
    add_cell(page, row->summary);
    text_format(page, " | works | `tests/cli/api/%s.cu` |\n", row->test);
}

/** The page of runtime functions, from the rows of api.def. */
void table_api(Text *page) {
    text_add(page,
             "# Runtime functions\n\nWhat the software GPU's CUDA runtime does, made from "
             "`warpgrind/cudart/api.def`: every function that the runtime libraries of CUDA 11 to 13 export."
             " One that is refused says so, with its line, and returns `cudaErrorNotSupported`.\n\n"
             "| function | what it does | state | test |\n|---|---|---|---|\n");
    for (int i = 0; i < API_COUNT; i++)
        add_function(page, &api_rows[i]);
    text_add(page,
             "\n## Forms for per-thread default streams\n\nThey are the functions above, but that stream 0 "
             "is the calling thread's own. `tests/cli/runtime.sh` runs each of them.\n\n");
    for (int i = 0; i < OWN_STREAM_COUNT; i++)
        text_format(page, "`%s%s`\n", own_stream_rows[i][0], own_stream_rows[i][1]);
}

void table_ptx(Text *page) {
    text_add(
        page,
        "# PTX instructions\n\nWhat the software GPU executes, made from `warpgrind/ptx/instructions.def`."
        " Sections are those of the PTX ISA manual.\n\n"
        "| instruction | effect | section | state | run by |\n|---|---|---|---|---|\n");
    for (int i = 0; i < PTX_COUNT; i++) {
        const PtxRow *row = &ptx_rows[i];
        text_add(page, "| `");
        add_cell(page, row->forms);
        text_add(page, "` | ");
        add_cell(page, row->effect);
        text_format(page, " | %s | %s | ", row->section,
                    row->family == PTX_FAMILY_refused ? "refused" : "works");
        /* Two backticks with nothing between would begin a longer quotation. */
        text_format(page, *row->test != '\0' ? "`%s` |\n" : "%s |\n", row->test);
    }
}
