/* check.c - what all steps of a check ask, and the findings that they add; see check.h. */
#include "autograder/check/check.h"

#include <string.h>

bool check_is_drivers(const Check *check, uint64_t address) {
    return address > check->driver_begin && address <= check->driver_end;
}

Finding *check_add(Check *check, FindingKind kind, int line, Said said) {
    Finding *finding = result_add(check->result, check->arena, kind);
    if (finding == NULL) return NULL;
    finding->file = check->submission->path;
    finding->line = line;
    finding_say(finding, check->arena, said);
    return finding;
}

bool check_is_own_file(const Check *check, const char *file) {
    const char *name = check->submission->name;
    if (text_starts_with(file, "/w/")) file += strlen("/w/");
    size_t folder = strlen(check->stage.folder);
    static const char source[] = "/source/";
    if (folder > 0 && strncmp(file, check->stage.folder, folder) == 0 &&
        text_starts_with(file + folder, source))
        file += folder + strlen(source);
    return strcmp(file, name) == 0;
}
