/* access.c - gives each access to those that look at it: first, as the keeper, to definedness; then, as an
 * observer, to races and counts, in this order. */
#include "check/counts/counters.h"
#include "check/counts/lines.h"
#include "check/fidelity/fidelity.h"
#include "check/initialisation/initialisation.h"
#include "check/races/races.h"
#include "check/report/access.h"
#include "check/shadow/access_shape.h"

static void on_definedness(void *self, GpuAccess *access) {
    Check *check = self;
    const bool passes = access_shape(access) != ACCESS_ANY && initialisation_passes_plain(check, access);
    if (!passes || CHECK_BOTH) initialisation_on_access(check, access);
    if (passes && access->undefined_lanes) BUG("pc %u reads undefined bytes of a page without", access->pc);
}

static void on_access(void *self, const GpuAccess *access) {
    Check *check = self;
    AccessShape shape = access_shape(access);
    const bool plain = shape != ACCESS_ANY;
    if (access->rows) shape = access_rows_shape(access);
    if (shape == ACCESS_ANY || !races_pass_plain(check, access, shape)) races_on_access(check, access);
    if (check->notes && !access->waits && !(plain && counters_count_plain(check, access)))
        counters_on_access(check, access);
    if (check->lines) lines_on_access(check, access);
    if (fidelity_follows(check)) fidelity_on_access(check, access);
}

GpuKeeper access_keeper(Check *check) {
    return (GpuKeeper){.self = check, .access = check->initialisation ? on_definedness : NULL};
}

GpuObserver access_observer(Check *check) {
    return (GpuObserver){.self = check, .access = on_access, .in_repeats = true, .in_ranges = true};
}
