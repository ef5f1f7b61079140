/* symbolcopies.c - see symbolcopies.h. */
#include "device/watch/symbolcopies.h"

#include "device/state/complain.h"
#include "device/state/state.h"

#include <string.h>

enum { MAX_PIECES = 16 };

/** Bytes of a variable that a copy has brought. */
typedef struct Piece {
    uint64_t begin, end;
} Piece;

/** A variable that was copied to, or whose address went out. */
typedef struct CopiedSymbol {
    uint32_t allocation; /* id */
    Piece pieces[MAX_PIECES];
    unsigned count;
    uint64_t site; /* of the last copy */
    const char *mark;
    bool offset; /* one of the copies did not go to the beginning */
    bool over;   /* told, or nothing can be told */
    struct CopiedSymbol *next;
} CopiedSymbol;

/* ---- which bytes ---- */

static CopiedSymbol *find(const Device *device, uint32_t allocation) {
    CopiedSymbol *any = device->symbol_copies.first;
    while (any != NULL && any->allocation != allocation)
        any = any->next;
    return any;
}

static CopiedSymbol *need(Device *device, uint32_t allocation) {
    CopiedSymbol *copies = find(device, allocation);
    if (copies != NULL) return copies;
    copies = DEVICE_NEW(device, CopiedSymbol);
    if (copies == NULL) return NULL;
    *copies = (CopiedSymbol){.allocation = allocation, .next = device->symbol_copies.first};
    return device->symbol_copies.first = copies;
}

/** Joins the piece with all those it meets. */
static void add_piece(CopiedSymbol *copies, Piece piece) {
    unsigned kept = 0;
    for (unsigned i = 0; i < copies->count; i++) {
        Piece known = copies->pieces[i];
        if (known.end < piece.begin || piece.end < known.begin) {
            copies->pieces[kept++] = known;
            continue;
        }
        if (known.begin < piece.begin) piece.begin = known.begin;
        if (known.end > piece.end) piece.end = known.end;
    }
    copies->count = kept;
    if (kept == MAX_PIECES)
        copies->over = true;
    else
        copies->pieces[copies->count++] = piece;
}

static uint64_t copied_bytes(const CopiedSymbol *copies) {
    uint64_t bytes = 0;
    for (unsigned i = 0; i < copies->count; i++)
        bytes += copies->pieces[i].end - copies->pieces[i].begin;
    return bytes;
}

static bool is_copied(const CopiedSymbol *copies, uint64_t offset) {
    for (unsigned i = 0; i < copies->count; i++)
        if (offset >= copies->pieces[i].begin && offset < copies->pieces[i].end) return true;
    return false;
}

/* ---- what kernels read ---- */

/** The last copy, when the program had marked another call than that of the launch. */
static bool is_of_earlier_call(const CopiedSymbol *copies, const DeviceOperation *launch) {
    return copies->mark != NULL && launch->mark != NULL && strcmp(copies->mark, launch->mark) != 0;
}

/** One note for each variable: the finding stands at the copy, and names the element that the kernel read. */
static void tell(Device *device, CopiedSymbol *copies, const GpuAccess *access,
                 const GpuAllocation *allocation, uint64_t offset, bool split) {
    const PtxVariable *variable = allocation->variable;
    unsigned element;
    if (variable->element_bytes != 0)
        element = variable->element_bytes;
    else
        element = access->bytes;
    CheckFinding finding = {.kind = FINDING_API_MISUSE,
                            .severity = FINDING_NOTE,
                            .party = {.what = "copy"},
                            .other = {.what = "read", .place = check_place_of_pc(device->check, access->pc)},
                            .sort = "symbol-part",
                            .mark = copies->mark,
                            .count = 1};
    symbols_place(device->symbols, copies->site, &finding.party.place);
    complain_finding(
        device, &finding,
        SAID_MEMORY(SYMBOL_PART, .bytes = copied_bytes(copies), .whole = allocation->bytes, .split = split,
                    .elements = copied_bytes(copies) * element == allocation->bytes && element > 1,
                    .one_value = element == allocation->bytes,
                    .a_pointer = copied_bytes(copies) == sizeof(void *) && element < sizeof(void *),
                    .before = is_of_earlier_call(copies, device->queue.running), .offset = copies->offset,
                    .variable = variable->plain_name, .index = (int64_t)(offset / element),
                    .kernel = gpu_kernel_function(device->queue.running->launch.spec.kernel)->plain_name));
    copies->over = true;
}

static void look(Device *device, const GpuAccess *access, CopiedSymbol *copies,
                 const GpuAllocation *allocation) {
    for (uint32_t lanes = access->lanes; lanes != 0 && !copies->over; lanes &= lanes - 1) {
        uint64_t offset = access->address[__builtin_ctz(lanes)] - allocation->address;
        if (offset >= allocation->bytes) continue;
        const bool first = is_copied(copies, offset), last = is_copied(copies, offset + access->bytes - 1);
        if (!first || !last) tell(device, copies, access, allocation, offset, first != last);
    }
}

/** Looks at what kernels read of variables that were copied to in part. A variable that a kernel writes has
 * values that came from no copy, so nothing more can be said of it. */
static void on_access(void *self, const GpuAccess *access) {
    Device *device = self;
    bool memory = access->space == PTX_SPACE_GLOBAL || access->space == PTX_SPACE_CONST;
    if (!memory || access->lanes == 0 || device->queue.running == NULL) return;
    const GpuAllocation *allocation = access->allocation;
    if (allocation == NULL)
        allocation = gpu_memory_find(device->gpu, access->address[__builtin_ctz(access->lanes)]);
    if (allocation == NULL || allocation->variable == NULL) return;
    CopiedSymbol *copies = find(device, allocation->id);
    if (copies == NULL || copies->over) return;
    if (access->kind == GPU_READ)
        look(device, access, copies, allocation);
    else
        copies->over = true;
}

/* ---- ranges of blocks ---- */

static void on_range_put(void *self, GpuRange *range) {
    const Device *device = self;
    for (const CopiedSymbol *copies = device->symbol_copies.first; copies != NULL; copies = copies->next)
        gpu_range_put(range, &copies->over, sizeof copies->over);
}

static void on_range_take(void *self, GpuRange *range) {
    Device *device = self;
    for (CopiedSymbol *copies = device->symbol_copies.first; copies != NULL; copies = copies->next) {
        const bool *over = gpu_range_take(range, sizeof *over);
        copies->over |= *over;
    }
}

/* ---- calls ---- */

static void watch(Device *device) {
    if (device->symbol_copies.watched) return;
    GpuObserver observer = {.self = device,
                            .access = on_access,
                            .in_ranges = true,
                            .range_put = on_range_put,
                            .range_take = on_range_take};
    gpu_attach(device->gpu, &observer);
    device->symbol_copies.watched = true;
}

void symbolcopies_copied(Device *device, const GpuAllocation *variable, uint64_t offset, uint64_t bytes) {
    CopiedSymbol *copies = NULL;
    if (variable->variable->initial == NULL) copies = need(device, variable->id);
    if (copies == NULL || copies->over) return;
    copies->site = device->serving.site;
    copies->mark = device->program.mark;
    copies->offset |= offset != 0;
    add_piece(copies, (Piece){offset, offset + bytes});
    if (!copies->over && copied_bytes(copies) < variable->bytes) watch(device);
}

void symbolcopies_escaped(Device *device, const GpuAllocation *variable) {
    CopiedSymbol *copies = need(device, variable->id);
    if (copies != NULL) copies->over = true;
}
