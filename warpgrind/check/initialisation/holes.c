/* holes.c - whether bytes that never got a value are padding of structures or elements that are missing.
 *
 * The type of the elements decides: padding belongs to no member. Where no debug information gives a type, a
 * kernel whose mangled name has built-in types only works on arrays without padding, and of others short
 * holes that repeat may be either. What repeats in every element but is a member is told as a note: the
 * fourth component of a float4 is often not used.
 */
#include "check/initialisation/initialisation.h"
#include "check/races/writers.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_HOLE = 7 }; /* bytes: padding of a structure is shorter than its largest member */

/* ---- elements of a known type ---- */

typedef struct Tally {
    const PtxLayout *layout;
    uint64_t *missing; /* by place in the element */
    uint64_t start, first;
} Tally;

static void tally_hole(Tally *tally, uint64_t from, uint64_t to) {
    for (uint64_t at = from; at < to; at++) {
        uint64_t place = (at - tally->start) % tally->layout->bytes;
        if (!tally->layout->member[place]) continue;
        if (!tally->first) tally->first = at;
        tally->missing[place]++;
    }
}

/* The same members of each element are missing, and not all of them. */
static bool tally_alike(const Tally *tally, uint64_t from, uint64_t end) {
    uint64_t size = tally->layout->bytes, elements = (end - from) / size;
    bool some = false;
    for (uint64_t place = 0; place < size; place++) {
        if (tally->missing[place] && tally->missing[place] < elements) return false;
        if (tally->layout->member[place] && !tally->missing[place]) some = true;
    }
    return some && elements > 1;
}

static void first_run(const Tally *tally, Holes *holes) {
    while (!tally->missing[holes->first])
        holes->first++;
    holes->last = holes->first;
    while (holes->last + 1 < tally->layout->bytes && tally->missing[holes->last + 1])
        holes->last++;
}

/* Looks at each gap between bytes that have a value. Gaps that only cover padding are nothing to tell; gaps
 * at the same members of every structure are one finding about those members. */
static void judge_structures(Check *check, Tally *tally, uint64_t from, uint64_t end, Holes *holes) {
    const Bits *bits = check->initialisation->global;
    uint64_t gap = bits_find(bits, from - GPU_GLOBAL_BASE, end - GPU_GLOBAL_BASE, false);
    while (gap < end - GPU_GLOBAL_BASE) {
        uint64_t behind = bits_find(bits, gap, end - GPU_GLOBAL_BASE, true);
        tally_hole(tally, gap + GPU_GLOBAL_BASE, behind + GPU_GLOBAL_BASE);
        gap = bits_find(bits, behind, end - GPU_GLOBAL_BASE, false);
    }
    if (!tally->first) {
        holes->kind = HOLES_PADDING;
        return;
    }
    holes->address = tally->first;
    if (!tally_alike(tally, from, end)) return;
    holes->kind = HOLES_ALIKE;
    holes->period = tally->layout->bytes;
    first_run(tally, holes);
}

/* ---- elements of an unknown type ---- */

/* Whether byte i and byte i + period always agree in having a value. */
static bool repeats(const Bits *bits, uint64_t from, uint64_t end, uint64_t period) {
    for (uint64_t at = from; at + period < end; at += 64) {
        uint64_t left = end - period - at;
        unsigned step = 64;
        if (left < 64) step = (unsigned)left;
        if (bits_get(bits, at, step) != bits_get(bits, at + period, step)) return false;
    }
    return true;
}

/* A hole is a compiler's when it lies within a word, or ends where a double or a pointer may begin. */
static bool may_be_padding(uint64_t gap, uint64_t behind) {
    if (behind - gap > MAX_HOLE) return false;
    if (behind - gap < 4) return gap / 4 == (behind - 1) / 4;
    return behind % 8 == 0;
}

/* Every other float is a mistake: elements that are aligned to 8 bytes have at least 16. */
static bool repeats_padding(const Bits *bits, uint64_t from, uint64_t end, uint64_t period, bool wide) {
    return (!wide || (period % 8 == 0 && period >= 16)) && repeats(bits, from, end, period);
}

/* One or two holes in each element are recognised; 0: none repeat so. */
static uint64_t padding_period(const Bits *bits, uint64_t from, uint64_t end) {
    uint64_t start[3] = {0}, holes = 0, gap = bits_find(bits, from, end, false);
    bool wide = false;
    while (gap < end) {
        uint64_t behind = bits_find(bits, gap, end, true);
        if (!may_be_padding(gap, behind)) return 0;
        if (behind - gap >= 4) wide = true;
        if (holes < 3) start[holes] = gap;
        holes++;
        gap = bits_find(bits, behind, end, false);
    }
    if (holes > 1 && repeats_padding(bits, from, end, start[1] - start[0], wide)) return start[1] - start[0];
    bool pairs = holes > 2 && repeats_padding(bits, from, end, start[2] - start[0], wide);
    if (pairs) return start[2] - start[0];
    return 0;
}

/* A single hole that is shorter than the value which was stored behind it, where such a value has to begin:
 * the compiler left it there, as between the members of a pair. */
static bool aligns_next(const Check *check, uint64_t from, uint64_t end) {
    const Bits *bits = check->initialisation->global;
    uint64_t gap = bits_find(bits, from, end, false), behind = bits_find(bits, gap, end, true);
    if (behind == end || bits_find(bits, behind, end, false) < end) return false;
    unsigned width = writers_width(check, behind + GPU_GLOBAL_BASE);
    return width > behind - gap && behind % width == 0;
}

static void judge_unknown(const Check *check, uint64_t from, uint64_t end, Holes *holes) {
    const Bits *bits = check->initialisation->global;
    uint64_t low = from - GPU_GLOBAL_BASE, high = end - GPU_GLOBAL_BASE;
    holes->period = padding_period(bits, low, high);
    if (!holes->period && aligns_next(check, low, high)) holes->kind = HOLES_PADDING;
    if (!holes->period) return;
    uint64_t gap = bits_find(bits, low, high, false);
    holes->kind = HOLES_ALIKE;
    holes->first = (unsigned)((gap - low) % holes->period);
    holes->last = holes->first + (unsigned)(bits_find(bits, gap, high, true) - gap) - 1;
}

/* ---- the whole ---- */

/* A copy may take along bytes without a value that nobody meant to set: padding. What the elements are
 * decides: with a layout each gap is compared with it; of unknown bytes, gaps that repeat regularly are
 * taken for padding. */
Holes holes_find(Check *check, const GpuAllocation *allocation, uint64_t address, uint64_t bytes) {
    uint64_t start = 0, from = address - GPU_GLOBAL_BASE;
    CheckElement element = check_element(check, allocation, &start);
    const PtxLayout *layout = element.layout;
    Holes holes = {.kind = HOLES_MISSING, .element = element.bytes};
    holes.address = bits_find(check->initialisation->global, from, from + bytes, false) + GPU_GLOBAL_BASE;
    if (layout && layout->member && layout->bytes) {
        uint64_t before = 0;
        if (start > address) before = (start - address + layout->bytes - 1) / layout->bytes;
        Tally tally = {.layout = layout, .start = start - before * layout->bytes};
        tally.missing = calloc(layout->bytes, sizeof *tally.missing);
        if (!tally.missing) check_incomplete(check);
        if (tally.missing) judge_structures(check, &tally, address, address + bytes, &holes);
        free(tally.missing);
    } else if (!element.unpadded && (layout || element.bytes <= 1)) {
        judge_unknown(check, address, address + bytes, &holes);
    }
    return holes;
}
