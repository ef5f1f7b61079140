/* fidelity.c - see fidelity.h. Nothing is done in launches that neither make such values nor can find any in
 * memory, and in the others an instruction is looked at once for each allocation that it touches. */
#include "check/fidelity/fidelity.h"
#include "base/map.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FUNCTIONS = 256, LOOKED_AT = 256 };

/** An approximate function of a kernel that ran. */
typedef struct Approximate {
    const char *name;
    int ulp;
} Approximate;

/** An instruction and an allocation that have been looked at together. */
typedef struct LookedAt {
    uint32_t pc, allocation;
} LookedAt;

/** What the ends are made of, over all launches. */
typedef struct Ends {
    uint8_t present, branches, addresses, answers;
} Ends;

struct Fidelity {
    Ends ends;
    GpuTrail *trail; /**< of the launch that runs, when its values are followed; NULL: they are not */
    Map held;        /**< by allocation id: what its values may be made of, as bits of GpuOrigin */
    uint8_t all_held;
    LookedAt looked_at[LOOKED_AT];
    Approximate functions[MOST_FUNCTIONS];
    unsigned function_count;
};

bool fidelity_create(Check *check) {
    check->fidelity = calloc(1, sizeof *check->fidelity);
    return check->fidelity != NULL;
}

void fidelity_destroy(Fidelity *fidelity) {
    if (!fidelity) return;
    map_free(&fidelity->held);
    free(fidelity);
}

/* ---- what memory holds ---- */

static uint8_t held_by(const Fidelity *fidelity, uint32_t allocation) {
    const uint32_t held = map_find(&fidelity->held, allocation);
    if (held == MAP_NONE) return 0;
    return (uint8_t)held;
}

static bool host_sees(const GpuAllocation *allocation) {
    return allocation->kind == GPU_ALLOC_MANAGED || allocation->kind == GPU_ALLOC_MAPPED;
}

static void hold_id(Check *check, uint32_t allocation, uint8_t origins) {
    Fidelity *fidelity = check->fidelity;
    const uint8_t held = held_by(fidelity, allocation);
    if ((origins & ~held) == 0) return;
    if (!map_put(&fidelity->held, allocation, held | origins)) check_incomplete(check);
    fidelity->all_held |= origins;
}

static void hold(Check *check, const GpuAllocation *allocation, uint8_t origins) {
    const uint8_t kept = origins & (uint8_t)~GPU_ORIGIN_DATA;
    if (!kept) return;
    hold_id(check, allocation->id, kept);
    if (host_sees(allocation)) check->fidelity->ends.answers |= kept;
}

/* ---- launches ---- */

/** "sinf" for __nv_sinf, "__expf" for __nv_fast_expf. */
static void name_in_source(char *plain, size_t room, const char *name) {
    if (strncmp(name, "__nv_fast_", 10) == 0)
        snprintf(plain, room, "__%s", name + 10);
    else
        snprintf(plain, room, "%s", strncmp(name, "__nv_", 5) == 0 ? name + 5 : name);
}

static void add_function(void *self, const char *name, int ulp) {
    Check *check = self;
    Fidelity *fidelity = check->fidelity;
    char plain[64];
    name_in_source(plain, sizeof plain, name);
    for (unsigned i = 0; i < fidelity->function_count; i++)
        if (strcmp(fidelity->functions[i].name, plain) == 0) return;
    if (fidelity->function_count < MOST_FUNCTIONS)
        fidelity->functions[fidelity->function_count++] = (Approximate){check_intern(check, plain), ulp};
}

static void on_launch_begin(void *self, const GpuLaunch *launch) {
    Check *check = self;
    Fidelity *fidelity = check->fidelity;
    fidelity->trail = gpu_kernel_trail(launch->spec.kernel);
    if (!fidelity->trail) check_incomplete(check);
    if (fidelity->trail && !gpu_trail_present(fidelity->trail) && !fidelity->all_held) fidelity->trail = NULL;
    if (!fidelity->trail) return;
    fidelity->ends.present |= gpu_trail_present(fidelity->trail);
    gpu_trail_functions(fidelity->trail, add_function, check);
    memset(fidelity->looked_at, 0, sizeof fidelity->looked_at);
}

/** What the kernel's values decide, as far as is known now. */
static void add_trail(Ends *ends, GpuTrail *trail) {
    const GpuTrailEnds found = gpu_trail_ends(trail);
    ends->branches |= found.branches;
    ends->addresses |= found.addresses;
    ends->answers |= found.printed;
}

static void on_launch_end(void *self, const GpuLaunch *launch, GpuStatus status) {
    Fidelity *fidelity = ((Check *)self)->fidelity;
    (void)launch;
    (void)status;
    if (fidelity->trail) add_trail(&fidelity->ends, fidelity->trail);
    fidelity->trail = NULL;
}

bool fidelity_follows(const Check *check) {
    return check->fidelity->trail != NULL;
}

/** Whether the two have not been looked at together lately; then they are now. */
static bool is_new(Fidelity *fidelity, uint32_t pc, uint32_t allocation) {
    LookedAt *place = &fidelity->looked_at[(pc * 31 + allocation) % LOOKED_AT];
    if (place->pc == pc && place->allocation == allocation) return false;
    *place = (LookedAt){pc, allocation};
    return true;
}

/** What is read goes on into the kernel's values, and what is written into the allocation. After something
 * new all places may have more to put into memory. */
static void look_at(Check *check, const GpuAccess *access, const GpuAllocation *allocation) {
    Fidelity *fidelity = check->fidelity;
    if (!is_new(fidelity, access->pc, allocation->id)) return;
    const GpuPlace place = gpu_place(check->gpu, access->pc);
    if (!place.instruction) return;
    const uint8_t held = held_by(fidelity, allocation->id);
    if (access->kind != GPU_WRITE && held && gpu_trail_met(fidelity->trail, &place, held))
        memset(fidelity->looked_at, 0, sizeof fidelity->looked_at);
    if (access->kind != GPU_READ) hold(check, allocation, gpu_trail_stored(fidelity->trail, &place));
}

void fidelity_on_access(Check *check, const GpuAccess *access) {
    if (access->space != PTX_SPACE_GLOBAL) return;
    if (access->allocation) {
        look_at(check, access, access->allocation);
        return;
    }
    for (uint32_t lanes = access->lanes; lanes; lanes &= lanes - 1) {
        const GpuAllocation *allocation = gpu_memory_find(check->gpu, access->address[__builtin_ctz(lanes)]);
        if (allocation) look_at(check, access, allocation);
    }
}

/* ---- the host ---- */

static void on_host_write(void *self, const GpuAllocation *allocation, uint64_t address, uint64_t bytes,
                          uint64_t site) {
    Fidelity *fidelity = ((Check *)self)->fidelity;
    (void)site;
    const bool whole = allocation && address == allocation->address && bytes >= allocation->bytes;
    if (whole && held_by(fidelity, allocation->id)) map_put(&fidelity->held, allocation->id, 0);
}

static void on_host_read(void *self, const GpuAllocation *allocation, uint64_t address, uint64_t bytes,
                         uint64_t site) {
    Fidelity *fidelity = ((Check *)self)->fidelity;
    (void)address;
    (void)bytes;
    (void)site;
    if (allocation) fidelity->ends.answers |= held_by(fidelity, allocation->id);
}

static void on_device_copy(void *self, uint64_t to, uint64_t from, uint64_t bytes, uint64_t site) {
    Check *check = self;
    (void)bytes;
    (void)site;
    if (!check->fidelity->all_held) return;
    const GpuAllocation *source = gpu_memory_find(check->gpu, from),
                        *target = gpu_memory_find(check->gpu, to);
    if (source && target) hold(check, target, held_by(check->fidelity, source->id));
}

/* ---- ranges: blocks that ran in another process ---- */

static void on_range_put(void *self, GpuRange *range) {
    const Fidelity *fidelity = ((Check *)self)->fidelity;
    Ends ends = fidelity->ends;
    if (fidelity->trail) add_trail(&ends, fidelity->trail);
    const uint64_t count = fidelity->held.count;
    gpu_range_put(range, &ends, sizeof ends);
    gpu_range_put(range, &count, sizeof count);
    for (size_t i = 0; i < fidelity->held.slot_count; i++) {
        const MapSlot *slot = &fidelity->held.slots[i];
        const uint64_t held[] = {slot->key, slot->above - 1};
        if (slot->above) gpu_range_put(range, held, sizeof held);
    }
}

static void on_range_take(void *self, GpuRange *range) {
    Check *check = self;
    Ends *ends = &check->fidelity->ends;
    const Ends *more = gpu_range_take(range, sizeof *more);
    ends->branches |= more->branches;
    ends->addresses |= more->addresses;
    ends->answers |= more->answers;
    const uint64_t *count = gpu_range_take(range, sizeof *count);
    for (uint64_t i = 0; i < *count; i++) {
        const uint64_t *held = gpu_range_take(range, 2 * sizeof *held);
        hold_id(check, (uint32_t)held[0], (uint8_t)held[1]);
    }
}

GpuObserver fidelity_observer(Check *check) {
    return (GpuObserver){.self = check,
                         .host_write = on_host_write,
                         .host_read = on_host_read,
                         .device_copy = on_device_copy,
                         .launch_begin = on_launch_begin,
                         .launch_end = on_launch_end,
                         .in_repeats = true,
                         .in_ranges = true,
                         .range_put = on_range_put,
                         .range_take = on_range_take};
}

/* ---- the report ---- */

static struct json_object *functions_json(const Fidelity *fidelity) {
    struct json_object *list = json_object_new_array();
    for (unsigned i = 0; i < fidelity->function_count; i++) {
        struct json_object *function = json_object_new_object();
        json_put_text(function, "name", fidelity->functions[i].name);
        if (fidelity->functions[i].ulp >= 0) json_put_number(function, "ulp", fidelity->functions[i].ulp);
        json_object_array_add(list, function);
    }
    return list;
}

static struct json_object *ends_json(const Ends *ends, GpuOrigin origin) {
    struct json_object *object = json_object_new_object();
    json_put_flag(object, "present", (ends->present & origin) != 0);
    json_put_flag(object, "branch", (ends->branches & origin) != 0);
    json_put_flag(object, "address", (ends->addresses & origin) != 0);
    json_put_flag(object, "answer", (ends->answers & origin) != 0);
    return object;
}

struct json_object *fidelity_json(const Check *check) {
    static const struct {
        const char *name;
        GpuOrigin origin;
    } ORIGINS[] = {{"functions", GPU_ORIGIN_FUNCTION},
                   {"order", GPU_ORIGIN_ORDER},
                   {"clock", GPU_ORIGIN_CLOCK},
                   {"place", GPU_ORIGIN_PLACE}};
    static const char *const NOT_MODELLED[] = {"time", "caches", "occupancy"};
    const Fidelity *fidelity = check->fidelity;
    struct json_object *object = json_object_new_object(), *depends = json_object_new_object(),
                       *not_modelled = json_object_new_array();
    for (size_t i = 0; i < sizeof ORIGINS / sizeof *ORIGINS; i++)
        json_object_object_add(depends, ORIGINS[i].name, ends_json(&fidelity->ends, ORIGINS[i].origin));
    for (size_t i = 0; i < sizeof NOT_MODELLED / sizeof *NOT_MODELLED; i++)
        json_object_array_add(not_modelled, json_object_new_string(NOT_MODELLED[i]));
    json_put_flag(object, "exact", fidelity->ends.present == 0);
    json_object_object_add(object, "functions", functions_json(fidelity));
    json_object_object_add(object, "depends", depends);
    json_object_object_add(object, "not_modelled", not_modelled);
    return object;
}
