/* check.c - makes a Check: its memory, its observers, and their place in the machine. */
#include "check/counts/counters.h"
#include "check/counts/lines.h"
#include "check/faults/faults.h"
#include "check/fidelity/fidelity.h"
#include "check/initialisation/initialisation.h"
#include "check/races/races.h"
#include "check/report/access.h"
#include "check/report/log.h"

#include <stdlib.h>

CheckOptions check_default_options(void) {
    return (CheckOptions){.memory = true,
                          .initialisation = true,
                          .races = true,
                          .synchronisation = true,
                          .counters = true,
                          .notes = true};
}

static bool create_observers(Check *check) {
    const CheckOptions *options = &check->options;
    if (!log_create(check) || !fidelity_create(check)) return false;
    if (check_follows_values(options) && !initialisation_create(check)) return false;
    if (options->lines && !lines_create(check)) return false;
    if (options->synchronisation && !partings_create(check)) return false;
    if (!races_create(check, options->races)) return false;
    return !options->counters || counters_create(check);
}

/* The log stands first and last: the others ask it for the launch that runs, to the end of its end. */
static void attach_observers(Check *check) {
    const CheckOptions *options = &check->options;
    GpuObserver observers[10];
    unsigned count = 0;
    observers[count++] = log_observer(check);
    observers[count++] = fidelity_observer(check);
    observers[count++] = access_observer(check);
    if (options->memory) observers[count++] = memory_observer(check);
    if (check_follows_values(options)) observers[count++] = initialisation_observer(check);
    observers[count++] = races_observer(check);
    if (options->synchronisation) observers[count++] = sync_observer(check);
    if (options->counters) observers[count++] = counters_observer(check);
    if (options->lines) observers[count++] = lines_observer(check);
    observers[count++] = log_last_observer(check);
    const GpuKeeper keeper = access_keeper(check);
    gpu_set_keeper(check->gpu, &keeper);
    for (unsigned i = 0; i < count; i++)
        gpu_attach(check->gpu, &observers[i]);
}

/* The observers' memory comes before any of them is attached, so a Check that lacks memory has not touched
 * the machine. */
Check *check_create(Gpu *gpu, const CheckOptions *options) {
    Arena *arena = arena_create();
    Check *check = NULL;
    if (arena) check = ARENA_NEW(arena, Check);
    if (!check) {
        arena_destroy(arena);
        return NULL;
    }
    *check = (Check){.gpu = gpu, .options = *options, .arena = arena, .mark = ""};
    check->findings = findings_create(arena);
    if (!check->findings || !create_observers(check)) {
        check_destroy(check);
        return NULL;
    }
    attach_observers(check);
    return check;
}

void check_destroy(Check *check) {
    if (!check) return;
    initialisation_destroy(check->initialisation);
    races_destroy(check->races);
    counters_destroy(check->notes);
    lines_destroy(check->lines);
    partings_destroy(check->partings);
    fidelity_destroy(check->fidelity);
    free(check->interned);
    arena_destroy(check->arena);
}

void check_end(Check *check) {
    if (check->options.memory) heap_tell(check);
    if (check->options.counters && check->options.notes) counters_end(check);
}

void check_mark(Check *check, const char *mark) {
    check->mark = check_intern(check, mark);
}
