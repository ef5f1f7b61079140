/* table.c - `warpgrind table api|ptx`: what is supported, as a Markdown page made from the tables that the
 * code is made from. */
#include "device/table.h"
#include "ptx/ptx.h"

typedef struct ApiRow {
    const char *name, *summary, *test; /* NULL: refused */
} ApiRow;

static const ApiRow api_rows[] = {
#define WIRE_MESSAGE(name, arguments, results, summary)
#define WIRE_ONE_WAY(name, arguments, summary)
#define API_FUNCTION(name, arguments, results, summary, test) {#name, summary, test},
#define API_REFUSED(name) {#name, NULL, NULL},
#include "cudart/api.def"
#undef WIRE_MESSAGE
#undef WIRE_ONE_WAY
#undef API_FUNCTION
#undef API_REFUSED
};

typedef struct PtxRow {
    const char *forms, *effect, *section, *test;
    bool supported;
} PtxRow;

static const PtxRow ptx_rows[] = {
#define PTX_OPCODE(name, text, forms, effect, section, operands, types, modifiers, supported, test)          \
    {forms, effect, section, test, supported},
#include "ptx/instructions.def"
#undef PTX_OPCODE
};

enum { API_COUNT = sizeof api_rows / sizeof *api_rows, PTX_COUNT = sizeof ptx_rows / sizeof *ptx_rows };

/** A bar would end the cell. */
static void add_cell(Text *page, const char *text) {
    for (; *text != 0; text++)
        if (*text == '|')
            text_add(page, "\\|");
        else
            text_format(page, "%c", *text);
}

void table_api(Text *page) {
    text_add(
        page,
        "# Runtime functions\n\nWhat the software GPU's CUDA runtime does, made from "
        "`warpgrind/cudart/api.def`."
        " A function that is not supported says so, with its line, and returns `cudaErrorNotSupported`.\n\n"
        "| function | what it does | called by |\n|---|---|---|\n");
    for (int i = 0; i < API_COUNT; i++) {
        if (api_rows[i].summary == NULL) continue;
        text_format(page, "| `%s` | ", api_rows[i].name);
        add_cell(page, api_rows[i].summary);
        text_format(page, " | `tests/cli/api/%s.cu` |\n", api_rows[i].test);
    }
    text_add(page, "\n## Not supported\n\n");
    for (int i = 0; i < API_COUNT; i++)
        if (api_rows[i].summary == NULL) text_format(page, "`%s`\n", api_rows[i].name);
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
        text_format(page, " | %s | %s | `%s` |\n", row->section, row->supported ? "works" : "refused",
                    row->test);
    }
}
