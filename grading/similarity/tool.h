/* tool.h - sim_c and sim_text, run on a folder of numbered files. */
#ifndef GRADING_SIMILARITY_TOOL_H
#define GRADING_SIMILARITY_TOOL_H

#include "grading/similarity/alike.h"

/** A folder with a file for each program, named by its number, of which the tools see nothing else. */
typedef struct ToolFolder {
    char path[512]; /**< "" when there is none */
    size_t count;
    bool without_sandbox;
} ToolFolder;

bool tool_open(ToolFolder *folder, const Alike *alike, bool without_sandbox, Diagnostics *diagnostics);
void tool_close(const ToolFolder *folder);
/** How much of each program is in each later one: by tokens, or by words. */
bool tool_share(const ToolFolder *folder, bool words, Text *out, Diagnostics *diagnostics);
/** What two programs share. */
bool tool_compare(const ToolFolder *folder, size_t first, size_t second, Text *out, Diagnostics *diagnostics);

#endif
