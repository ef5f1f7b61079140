/* fuzz_roster.c - rosters of any bytes: read or refused, and asked for each folder that they name. Build and
 * run: make fuzz-roster. */
#include "grading/intake/people.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whatever a line says of itself can be the name of a folder. */
static void ask(const Roster *roster) {
    for (size_t i = 0; i < roster->count && i < 16; i++) {
        const RosterRow *row = &roster->rows[i];
        if (row->fields[ROSTER_ID] == NULL) abort();
        for (int field = 0; field < ROSTER_FIELD_COUNT; field++) {
            const char *value = row->fields[field];
            const Clues clues[] = {{.folder = value},
                                   {.folder = "x", .id = value},
                                   {.folder = "x", .name = value},
                                   {.folder = "x", .run = value}};
            for (size_t way = 0; value != NULL && way < 4; way++) {
                size_t found = 0;
                if (roster_find(roster, &clues[way], &found) != MATCH_NONE && found >= roster->count) abort();
            }
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena *arena = arena_create();
    Diagnostics diagnostics;
    diag_init(&diagnostics, arena);
    Roster roster;
    bool fine = roster_make(&roster, arena, (const char *)data, size, "roster.csv", NULL, &diagnostics);
    if (fine != (diagnostics.errors == 0)) abort();
    if (fine) ask(&roster);
    arena_destroy(arena);
    return 0;
}
