/* evidence.c - two runs' records side by side, lane by lane; see evidence.h.
 *
 * Host threads that work with a device each call in an order of their own in each run. Records that use the
 * memory of no common device may change places, since neither can tell whether the other came first. So each
 * device has its lane, and a record stands in the lanes of all devices that it uses: the runs agree when each
 * lane holds the same records in the same order. (These are Mazurkiewicz's traces: words over an alphabet in
 * which some letters commute are equal when their projections are.)
 */
#include "autograder/evidence/evidence_parts.h"
#include "autograder/texts.h"

#include <stdlib.h>
#include <string.h>

/* ---- two runs ---- */

static const CallText call_texts[] = {
    [SENT_COPY] = CALL_COPY,         [SENT_BACK] = CALL_BACK,       [SENT_MOVE] = CALL_MOVE,
    [SENT_SET] = CALL_SET,           [SENT_LAUNCH] = CALL_LAUNCH,   [SENT_SHARED] = CALL_SHARED,
    [SENT_ALLOCATE] = CALL_ALLOCATE, [SENT_FREE] = CALL_FREE,       [SENT_MODULE] = CALL_MODULE,
    [SENT_OBJECT] = CALL_OBJECT,     [SENT_SETTING] = CALL_SETTING,
};

static EvidenceFault fault_at(const Check *check, EvidenceFinding found, const Record *record) {
    return (EvidenceFault){.found = found,
                           .call = plain_call(call_texts[record->head.kind]),
                           .file = arena_copy(check->arena, record->file, record->head.file_bytes),
                           .line = (int)record->head.line};
}

static bool same_bytes(const void *a, uint64_t a_bytes, const void *b, uint64_t b_bytes) {
    return a_bytes == b_bytes && memcmp(a, b, (size_t)a_bytes) == 0;
}

/* Two calls at the same position of the two records. What came back from the device is not compared: it joins
 * what may be sent from then on. */
static EvidenceFinding compare_records(Known *known, const Record *a, const Record *b) {
    if (a->head.kind != b->head.kind) return EVIDENCE_CALLS;
    bool same_shape = a->head.contents == b->head.contents && a->lanes == b->lanes &&
                      a->device == b->device &&
                      same_bytes(a->kernel, a->head.kernel_bytes, b->kernel, b->head.kernel_bytes) &&
                      same_bytes(a->numbers, a->head.numbers * sizeof(uint64_t), b->numbers,
                                 b->head.numbers * sizeof(uint64_t));
    if (!same_shape) return EVIDENCE_SHAPE;
    if (a->head.kind == SENT_BACK) {
        evidence_add_back(known, a, b);
        return EVIDENCE_FINE;
    }
    bool fine;
    if (a->head.kind == SENT_MODULE)
        fine = same_bytes(a->contents, a->head.contents, b->contents, b->head.contents);
    else
        fine = evidence_may_differ_so(known, a, b);
    if (fine) return EVIDENCE_FINE;
    return EVIDENCE_CONTENTS;
}

/* ---- lanes ---- */

/* The records of one of the two programs, and their order in each lane. */
typedef struct Side {
    Record *records; /* of the case, as they came */
    size_t count;
    size_t *lanes[LANES]; /* which records stand in it, in order */
    size_t lengths[LANES];
    bool cut, failed;
} Side;

static size_t count_of_case(const Pair *pair, unsigned case_index, bool *cut) {
    Reader reader = {.pair = pair};
    Record record;
    size_t count = 0;
    while (evidence_next_of_case(&reader, case_index, &record))
        count++;
    *cut = reader.cut;
    return count;
}

/* Sorts the records by lane (a device, or memory that several use), and a record of several lanes into each
 * of them. Lists are counted first, so that each is allocated once. */
static void fill_lanes(Side *side, Arena *arena) {
    size_t at[LANES] = {0};
    for (size_t i = 0; i < side->count; i++)
        for (uint64_t left = side->records[i].lanes; left != 0; left &= left - 1)
            side->lengths[__builtin_ctzll(left)]++;
    for (unsigned lane = 0; lane < LANES; lane++) {
        side->lanes[lane] = ARENA_ARRAY(arena, side->lengths[lane] + 1, size_t);
        side->failed = side->failed || side->lanes[lane] == NULL;
    }
    for (size_t i = 0; !side->failed && i < side->count; i++)
        for (uint64_t left = side->records[i].lanes; left != 0; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctzll(left);
            side->lanes[lane][at[lane]++] = i;
        }
}

static void side_read(Side *side, Arena *arena, const Pair *pair, unsigned case_index) {
    *side = (Side){0};
    size_t count = count_of_case(pair, case_index, &side->cut);
    side->records = ARENA_ARRAY(arena, count + 1, Record);
    side->failed = side->records == NULL;
    Reader reader = {.pair = pair};
    while (!side->failed && side->count < count &&
           evidence_next_of_case(&reader, case_index, &side->records[side->count]))
        side->count++;
    fill_lanes(side, arena);
}

/* The record of the other side that comes next in all lanes of this one; the other's count when there is
 * none.
 */
static size_t counterpart(const Side *other, const size_t *at, uint64_t lanes) {
    size_t found = other->count;
    for (uint64_t left = lanes; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);
        if (at[lane] == other->lengths[lane]) return other->count;
        size_t here = other->lanes[lane][at[lane]];
        if (found != other->count && found != here) return other->count;
        found = here;
    }
    return found;
}

/* The comparison of two sides, in the order of one of them. */
typedef struct Comparison {
    const Check *check;
    unsigned case_index, ranks;
    bool swapped;   /* the second run's order is followed, not the first one's */
    bool reordered; /* the other side's records do not stand in that order */
    Known known;
} Comparison;

/* The records of one rank: how far the comparison is. */
typedef struct Turn {
    size_t next, end;
    size_t last;                     /* the counterpart of the record before */
    const Record *stuck_a, *stuck_b; /* the two that were compared last */
} Turn;

/* A side's records stand rank by rank. */
static void deal_turns(const Side *side, unsigned ranks, Turn *turns) {
    size_t begin = 0;
    for (unsigned rank = 0; rank < ranks; rank++) {
        size_t end = begin;
        while (end < side->count && side->records[end].device / LANES_OF_RANK == rank)
            end++;
        turns[rank] = (Turn){.next = begin, .end = end};
        begin = end;
    }
}

/* Goes on until the rank's last record, or one that is not fine. */
static EvidenceFault compare_turn(Comparison *comparison, const Side *side, const Side *other, size_t *at,
                                  Turn *turn) {
    const Check *check = comparison->check;
    for (; turn->next < turn->end; turn->next++) {
        const Record *record = &side->records[turn->next];
        size_t match = counterpart(other, at, record->lanes);
        if (match == other->count) return fault_at(check, EVIDENCE_CALLS, record);
        const Record *a = record;
        if (comparison->swapped) a = &other->records[match];
        const Record *b = record;
        if (!comparison->swapped) b = &other->records[match];
        EvidenceFinding found = compare_records(&comparison->known, a, b);
        turn->stuck_a = a;
        turn->stuck_b = b;
        if (found != EVIDENCE_FINE) return fault_at(check, found, record);
        for (uint64_t left = record->lanes; left != 0; left &= left - 1)
            at[__builtin_ctzll(left)]++;
        comparison->reordered = comparison->reordered || match < turn->last;
        turn->last = match;
    }
    return (EvidenceFault){.found = EVIDENCE_FINE};
}

/* Where a rank sends words that nobody knows: were they worked out, or picked among those that the rank has?
 */
static void tell_picked(const Comparison *comparison, const Turn *turn, EvidenceFault *fault) {
    if (fault->found == EVIDENCE_CONTENTS && turn->stuck_a->head.kind != SENT_MODULE &&
        evidence_only_picks(&comparison->known, turn->stuck_a, turn->stuck_b))
        fault->found = EVIDENCE_CHOSEN;
}

/* Follows the order of one side, so that what came back is known from there on only. Ranks pass words on to
 * each other, and their files have no order in common: a rank that sends words which nobody knows yet waits
 * until another has got them back. Where all that are left wait, no order of theirs explains the words. */
static EvidenceFault compare_sides(Comparison *comparison, const Side *side, const Side *other) {
    Turn turns[CHECK_MOST_RANKS];
    size_t at[LANES] = {0};
    EvidenceFault waits = {.found = EVIDENCE_FINE};
    const Turn *first = NULL; /* of those that wait */
    deal_turns(side, comparison->ranks, turns);
    for (bool moved = true; moved;) {
        moved = false;
        waits.found = EVIDENCE_FINE;
        for (unsigned rank = 0; rank < comparison->ranks; rank++) {
            size_t before = turns[rank].next;
            EvidenceFault fault = compare_turn(comparison, side, other, at, &turns[rank]);
            moved = moved || turns[rank].next > before;
            if (fault.found != EVIDENCE_FINE && fault.found != EVIDENCE_CONTENTS) return fault;
            if (waits.found != EVIDENCE_FINE || fault.found == EVIDENCE_FINE) continue;
            waits = fault;
            first = &turns[rank];
        }
    }
    if (waits.found == EVIDENCE_FINE && side->count < other->count)
        return fault_at(comparison->check, EVIDENCE_CALLS, &other->records[side->count]);
    if (first != NULL) tell_picked(comparison, first, &waits);
    return waits;
}

/* Only a wrong answer, or one that kernels did not make in one piece, asks for them (origin.c). */
static void keep_sources(const Comparison *comparison, const Known *known) {
    const Check *check = comparison->check;
    const struct EvidenceSources *sources = evidence_keep(known, check->arena);
    for (unsigned run = 0; run < CHECK_SCHEDULES; run++)
        check->cases[run][comparison->case_index].files->sources = sources;
}

/* What was chosen is added up when all records have been walked, since only then is it known how much was
 * sent. */
static EvidenceFault compare_in_order(Comparison *comparison, const Side *side, const Side *other) {
    Known *known = &comparison->known;
    *known = (Known){.runs = GROWABLE(Run)};
    evidence_add_inputs(known, comparison->check, comparison->case_index);
    EvidenceFault fault = compare_sides(comparison, side, other);
    if (fault.found == EVIDENCE_FINE) {
        const Record *chosen = choices_settle(&known->choices, &known->runs);
        if (chosen != NULL) fault = fault_at(comparison->check, EVIDENCE_CHOSEN, chosen);
        keep_sources(comparison, known);
    }
    if (known->failed || known->choices.failed) fault = (EvidenceFault){.found = EVIDENCE_CUT};
    evidence_forget(known);
    return fault;
}

/* ---- host threads on one device ---- */

/* Of the calls that a lane holds: device code and settings are no thread's own. */
static bool has_thread(const Record *record) {
    return record->head.thread != 0 && record->head.devices != SENT_EVERY_DEVICE;
}

/* Two threads besides the main one, which is the first to call. */
static bool has_several(const Side *side, unsigned lane) {
    const uint32_t main_thread = 1;
    uint32_t other = main_thread;
    for (size_t i = 0; i < side->lengths[lane]; i++) {
        const Record *record = &side->records[side->lanes[lane][i]];
        if (!has_thread(record) || record->head.thread == main_thread) continue;
        if (other != main_thread && other != record->head.thread) return true;
        other = record->head.thread;
    }
    return false;
}

/* The threads' calls follow each other differently. */
static bool in_other_turns(const Side *sides, unsigned lane) {
    for (size_t i = 0; i < sides[0].lengths[lane] && i < sides[1].lengths[lane]; i++) {
        const Record *a = &sides[0].records[sides[0].lanes[lane][i]];
        const Record *b = &sides[1].records[sides[1].lanes[lane][i]];
        if (has_thread(a) && has_thread(b) && a->head.thread != b->head.thread) return true;
    }
    return false;
}

static bool threads_mix(const Side *sides) {
    for (unsigned lane = 0; lane < LANES; lane++)
        if (has_several(&sides[0], lane) || has_several(&sides[1], lane) || in_other_turns(sides, lane))
            return true;
    return false;
}

static EvidenceFault compare_both_orders(Comparison *comparison, const Side *sides) {
    EvidenceFault fault = compare_in_order(comparison, &sides[0], &sides[1]);
    if (fault.found != EVIDENCE_FINE || !comparison->reordered) return fault;
    comparison->swapped = true;
    return compare_in_order(comparison, &sides[1], &sides[0]);
}

/* The runs are compared in the order of all calls or, where several devices are used, device by device.
 * Differences in a case in which host threads mixed prove nothing, and are told apart. */
EvidenceFault evidence_compare(const Check *check, const Schedule *schedules, unsigned case_index) {
    const Pair *pairs[2] = {evidence_pair_of_case(&schedules[0], case_index),
                            evidence_pair_of_case(&schedules[1], case_index)};
    if (pairs[0] == NULL || pairs[1] == NULL) return (EvidenceFault){.found = EVIDENCE_FINE};
    if (pairs[0]->first_case != pairs[1]->first_case || pairs[0]->ranks != pairs[1]->ranks)
        return (EvidenceFault){.found = EVIDENCE_APART};
    Side sides[2];
    for (unsigned i = 0; i < 2; i++)
        side_read(&sides[i], check->arena, pairs[i], case_index);
    if (sides[0].cut || sides[1].cut || sides[0].failed || sides[1].failed)
        return (EvidenceFault){.found = EVIDENCE_CUT};
    Comparison comparison = {.check = check, .case_index = case_index, .ranks = pairs[0]->ranks};
    EvidenceFault fault = compare_both_orders(&comparison, sides);
    bool differs = fault.found != EVIDENCE_FINE && fault.found != EVIDENCE_CUT;
    if (differs && threads_mix(sides)) fault.found = EVIDENCE_THREADS;
    return fault;
}
