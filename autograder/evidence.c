/* evidence.c - two runs' records side by side, word by word; see evidence.h.
 *
 * Host threads that work with a device each call in an order of their own in each run. Records that use the
 * memory of no common device may change places, since neither can tell whether the other came first. So each
 * device has its lane, and a record stands in the lanes of all devices that it uses: the runs agree when each
 * lane holds the same records in the same order. (These are Mazurkiewicz's traces: words over an alphabet in
 * which some letters commute are equal when their projections are.)
 *
 * Nearly all words that differ are inputs in their own order, so the next pair of words is looked for behind
 * the last one first; only what is not there is looked up among all pairs.
 */
#include "autograder/evidence.h"
#include "autograder/texts.h"

#include "base/growable.h"
#include "base/marks.h"
#include "base/sent.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = sizeof(uint32_t) };

/* ---- reading a device's file ---- */

enum { LANES_OF_RANK = 9, LANES = LANES_OF_RANK * RUN_MOST_RANKS };

/* One record of what the device was sent, pointing into the pair's bytes. */
typedef struct Record {
    SentRecord head;
    const char *kernel, *file, *mark; /* without their ends */
    const unsigned char *numbers, *contents;
    uint64_t lanes;  /* of its rank: one for each bit of head.devices */
    unsigned device; /* among those of all ranks */
} Record;

/* Reads the files of a program's ranks, one after the other. */
typedef struct Reader {
    const Pair *pair;
    unsigned rank;
    size_t at;
    bool cut;
} Reader;

static const char *take(Reader *reader, uint64_t bytes) {
    const Text *text = &reader->pair->sent[reader->rank];
    size_t left = text->length - reader->at;
    const char *start = text->bytes + reader->at;
    if (bytes > left || sent_padded(bytes) > left) return NULL;
    reader->at += (size_t)sent_padded(bytes);
    return start;
}

static bool is_at_end(Reader *reader) {
    while (reader->rank < reader->pair->ranks && reader->at == reader->pair->sent[reader->rank].length) {
        reader->rank++;
        reader->at = 0;
    }
    return reader->rank == reader->pair->ranks;
}

static bool is_sound(const SentRecord *head) {
    return head->magic == SENT_MAGIC && head->kind < SENT_CUT && head->devices != 0 &&
           (head->devices & ~SENT_EVERY_DEVICE) == 0 && head->device < LANES_OF_RANK;
}

/* The device is ours, and yet its file is not believed: a broken one ends as if it were cut. */
static bool next_record(Reader *reader, Record *record) {
    if (reader->cut || is_at_end(reader)) return false;
    const char *head = take(reader, sizeof record->head);
    reader->cut = true;
    if (head == NULL) return false;
    memcpy(&record->head, head, sizeof record->head);
    if (!is_sound(&record->head)) return false;
    record->lanes = (uint64_t)record->head.devices << (LANES_OF_RANK * reader->rank);
    record->device = record->head.device + LANES_OF_RANK * reader->rank;
    record->kernel = take(reader, record->head.kernel_bytes);
    record->file = record->kernel != NULL ? take(reader, record->head.file_bytes) : NULL;
    record->mark = record->file != NULL ? take(reader, record->head.mark_bytes) : NULL;
    const char *numbers = record->mark != NULL ? take(reader, record->head.numbers * sizeof(uint64_t)) : NULL;
    const char *contents = numbers != NULL ? take(reader, record->head.contents) : NULL;
    if (contents == NULL) return false;
    record->numbers = (const unsigned char *)numbers;
    record->contents = (const unsigned char *)contents;
    reader->cut = false;
    return true;
}

static const Pair *pair_of_case(const Schedule *schedule, unsigned case_index) {
    for (unsigned i = 0; i < schedule->pair_count; i++) {
        const Pair *pair = &schedule->pairs[i];
        if (pair->first_case <= case_index && case_index <= pair->last_case) return pair;
    }
    return NULL;
}

static bool has_mark(const Record *record, const char *mark) {
    return record->head.mark_bytes == strlen(mark) && memcmp(record->mark, mark, strlen(mark)) == 0;
}

/* Marks come from the program: a record whose mark is no case of this run counts for all of its cases. */
static bool is_of_case(const Pair *pair, const Record *record, unsigned case_index) {
    if (pair->first_case == pair->last_case) return true;
    char own[16], kept[16];
    for (unsigned i = pair->first_case; i <= pair->last_case; i++) {
        snprintf(own, sizeof own, "%02u", i);
        snprintf(kept, sizeof kept, "%02u" MARK_KEPT, i);
        if (has_mark(record, own) || has_mark(record, kept)) return i == case_index;
    }
    return true;
}

static bool next_of_case(Reader *reader, unsigned case_index, Record *record) {
    while (next_record(reader, record))
        if (is_of_case(reader->pair, record, case_index)) return true;
    return false;
}

/* ---- words that may differ ---- */

/* Words that may be sent from some point on, as the two programs have them: an input, or what came back. */
typedef struct Run {
    const unsigned char *a, *b;
    size_t bytes, words; /* the last word may be a part of one, as where bytes are sent */
    struct Run *next;
} Run;

/* All that may be sent by now, and where to look first. */
typedef struct Known {
    Run *runs;
    const Run *at; /* where the last pair was found, and the place behind it */
    size_t behind;
    uint64_t *table; /* pairs, made when first needed; 0 is free */
    size_t capacity;
    bool failed;
} Known;

/* Past the end there are zeros. */
static uint32_t word_at(const unsigned char *bytes, size_t length, size_t at) {
    uint32_t value = 0;
    memcpy(&value, bytes + at, length - at < WORD ? length - at : WORD);
    return value;
}

static bool run_has(const Run *run, size_t word, uint32_t a, uint32_t b) {
    return word < run->words && word_at(run->a, run->bytes, word * WORD) == a &&
           word_at(run->b, run->bytes, word * WORD) == b;
}

static size_t slot_of(const Known *known, uint64_t key) {
    uint64_t mixed = key * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(mixed >> 20) & (known->capacity - 1);
}

static void put_pair(Known *known, uint32_t a, uint32_t b) {
    uint64_t key = (uint64_t)a << 32 | b;
    size_t slot = slot_of(known, key);
    while (known->table[slot] != 0 && known->table[slot] != key)
        slot = (slot + 1) & (known->capacity - 1);
    known->table[slot] = key;
}

/* All pairs of words in which the two runs' inputs differ, as an open hash twice as large as there are words.
 * It is made when a pair is first not found at its own place, which for most lessons never happens. */
static void make_table(Known *known) {
    size_t words = 1;
    for (const Run *run = known->runs; run != NULL; run = run->next)
        words += run->words;
    free(known->table);
    for (known->capacity = 64; known->capacity < 2 * words;)
        known->capacity *= 2;
    known->table = calloc(known->capacity, sizeof *known->table);
    known->failed = known->table == NULL;
    for (const Run *run = known->runs; !known->failed && run != NULL; run = run->next)
        for (size_t at = 0; at < run->bytes; at += WORD) {
            const uint32_t a = word_at(run->a, run->bytes, at), b = word_at(run->b, run->bytes, at);
            if (a != b) put_pair(known, a, b);
        }
}

static void add_run(Known *known, Arena *arena, const void *a, const void *b, size_t bytes) {
    Run *run = ARENA_NEW(arena, Run);
    if (run == NULL) {
        known->failed = true;
        return;
    }
    *run = (Run){.a = a, .b = b, .bytes = bytes, .words = (bytes + WORD - 1) / WORD, .next = known->runs};
    known->runs = run;
    free(known->table);
    known->table = NULL;
}

/* Whether a word of the first run may be another one in the second: where an input, or what came back, has
 * that same pair. Data mostly follow each other, so the place behind the last find is looked at first, then
 * the same place of each run, then the table. */
static bool is_known(Known *known, size_t place, uint32_t a, uint32_t b) {
    if (known->at != NULL && run_has(known->at, known->behind, a, b)) {
        known->behind++;
        return true;
    }
    for (const Run *run = known->runs; run != NULL; run = run->next)
        if (run_has(run, place, a, b)) {
            known->at = run;
            known->behind = place + 1;
            return true;
        }
    if (known->table == NULL) make_table(known);
    if (known->failed) return false;
    uint64_t key = (uint64_t)a << 32 | b;
    size_t slot = slot_of(known, key);
    while (known->table[slot] != 0 && known->table[slot] != key)
        slot = (slot + 1) & (known->capacity - 1);
    return known->table[slot] == key;
}

/* A float of the signature that was passed on as a double. */
static bool is_known_double(Known *known, size_t place, const unsigned char *a, const unsigned char *b) {
    double first, second;
    memcpy(&first, a, sizeof first);
    memcpy(&second, b, sizeof second);
    float narrow[2] = {(float)first, (float)second};
    if (!((double)narrow[0] == first && (double)narrow[1] == second)) return false;
    uint32_t words[2];
    memcpy(words, narrow, sizeof words);
    return is_known(known, place, words[0], words[1]);
}

/* The words of two records of one length. */
static bool may_differ_so(Known *known, const unsigned char *a, const unsigned char *b, uint64_t bytes) {
    for (uint64_t at = 0; at < bytes; at += WORD) {
        const uint32_t x = word_at(a, (size_t)bytes, (size_t)at), y = word_at(b, (size_t)bytes, (size_t)at);
        if (x == y || is_known(known, (size_t)at / WORD, x, y)) continue;
        size_t pair = (size_t)at & ~(size_t)7;
        if (pair + 8 > bytes || !is_known_double(known, pair / 8, a + pair, b + pair)) return false;
        at = pair + WORD;
    }
    return true;
}

static void add_inputs(Known *known, const Check *check, unsigned case_index) {
    const CaseInput *b = check->cases[1][case_index].files->first;
    for (const CaseInput *a = check->cases[0][case_index].files->first; a != NULL && b != NULL;
         a = a->next, b = b->next)
        if (a->array.count == b->array.count)
            add_run(known, check->arena, a->array.data, b->array.data,
                    a->array.count * npy_type_bytes(a->array.type));
}

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
static EvidenceFinding compare_records(Known *known, Arena *arena, const Record *a, const Record *b) {
    if (a->head.kind != b->head.kind) return EVIDENCE_CALLS;
    bool same_shape = a->head.contents == b->head.contents && a->lanes == b->lanes &&
                      a->device == b->device &&
                      same_bytes(a->kernel, a->head.kernel_bytes, b->kernel, b->head.kernel_bytes) &&
                      same_bytes(a->numbers, a->head.numbers * sizeof(uint64_t), b->numbers,
                                 b->head.numbers * sizeof(uint64_t));
    if (!same_shape) return EVIDENCE_SHAPE;
    if (a->head.kind == SENT_BACK) {
        add_run(known, arena, a->contents, b->contents, (size_t)a->head.contents);
        return EVIDENCE_FINE;
    }
    return may_differ_so(known, a->contents, b->contents, a->head.contents) ? EVIDENCE_FINE
                                                                            : EVIDENCE_CONTENTS;
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
    while (next_of_case(&reader, case_index, &record))
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
           next_of_case(&reader, case_index, &side->records[side->count]))
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
    size_t last; /* the counterpart of the record before */
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
        const Record *a = comparison->swapped ? &other->records[match] : record;
        const Record *b = comparison->swapped ? record : &other->records[match];
        EvidenceFinding found = compare_records(&comparison->known, check->arena, a, b);
        if (found != EVIDENCE_FINE) return fault_at(check, found, record);
        for (uint64_t left = record->lanes; left != 0; left &= left - 1)
            at[__builtin_ctzll(left)]++;
        comparison->reordered = comparison->reordered || match < turn->last;
        turn->last = match;
    }
    return (EvidenceFault){.found = EVIDENCE_FINE};
}

/* Follows the order of one side, so that what came back is known from there on only. Ranks pass words on to
 * each other, and their files have no order in common: a rank that sends words which nobody knows yet waits
 * until another has got them back. Where all that are left wait, no order of theirs explains the words. */
static EvidenceFault compare_sides(Comparison *comparison, const Side *side, const Side *other) {
    Turn turns[RUN_MOST_RANKS];
    size_t at[LANES] = {0};
    EvidenceFault waits = {.found = EVIDENCE_FINE};
    deal_turns(side, comparison->ranks, turns);
    for (bool moved = true; moved;) {
        moved = false;
        waits.found = EVIDENCE_FINE;
        for (unsigned rank = 0; rank < comparison->ranks; rank++) {
            size_t before = turns[rank].next;
            EvidenceFault fault = compare_turn(comparison, side, other, at, &turns[rank]);
            moved = moved || turns[rank].next > before;
            if (fault.found != EVIDENCE_FINE && fault.found != EVIDENCE_CONTENTS) return fault;
            if (waits.found == EVIDENCE_FINE) waits = fault;
        }
    }
    if (waits.found == EVIDENCE_FINE && side->count < other->count)
        return fault_at(comparison->check, EVIDENCE_CALLS, &other->records[side->count]);
    return waits;
}

static EvidenceFault compare_in_order(Comparison *comparison, const Side *side, const Side *other) {
    comparison->known = (Known){0};
    add_inputs(&comparison->known, comparison->check, comparison->case_index);
    EvidenceFault fault = compare_sides(comparison, side, other);
    if (comparison->known.failed) fault = (EvidenceFault){.found = EVIDENCE_CUT};
    free(comparison->known.table);
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
    const Pair *pairs[2] = {pair_of_case(&schedules[0], case_index), pair_of_case(&schedules[1], case_index)};
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

/* ---- sums that the host finishes ---- */

/* Whether the answer is the sum of this copy, or of all copies so far. The tolerance is that of adding floats
 * in any order. */
static bool is_sum(const Record *record, float answer, double *total, double *magnitudes) {
    const double tolerance = 1e-5;
    double sum = 0.0, size = 0.0;
    for (size_t i = 0; i < record->head.contents / WORD; i++) {
        float value;
        memcpy(&value, record->contents + i * WORD, sizeof value);
        sum += (double)value;
        size += fabs((double)value);
    }
    *total += sum;
    *magnitudes += size;
    return fabs((double)answer - sum) <= tolerance * size ||
           fabs((double)answer - *total) <= tolerance * *magnitudes;
}

bool evidence_adds_up(const Check *check, const Schedule *schedule, unsigned case_index, float answer) {
    (void)check;
    const Pair *pair = pair_of_case(schedule, case_index);
    Record record;
    double total = 0.0, magnitudes = 0.0;
    if (pair == NULL) return false;
    Reader reader = {.pair = pair};
    while (next_of_case(&reader, case_index, &record))
        if (record.head.kind == SENT_BACK && is_sum(&record, answer, &total, &magnitudes)) return true;
    return false;
}

/* ---- totals ---- */

/* An allocation that has not been freed. */
typedef struct Live {
    uint64_t id, bytes;
} Live;

/* What is allocated at the moment, to know the most that was at once. */
typedef struct Heap {
    Live *items;
    size_t count, capacity;
    uint64_t bytes;
    bool failed;
} Heap;

static uint64_t number_of(const Record *record, unsigned i) {
    uint64_t value = 0;
    if (i < record->head.numbers) memcpy(&value, record->numbers + i * sizeof value, sizeof value);
    return value;
}

static void heap_add(Heap *heap, uint64_t id, uint64_t bytes) {
    Live *items = growable_grow(heap->items, &heap->capacity, heap->count + 1, sizeof *items);
    heap->failed = heap->failed || items == NULL;
    if (items == NULL) return;
    heap->items = items;
    items[heap->count++] = (Live){id, bytes};
    heap->bytes += bytes;
}

/* What was allocated last is usually freed first. */
static void heap_remove(Heap *heap, uint64_t id) {
    for (size_t i = heap->count; i > 0; i--) {
        if (heap->items[i - 1].id != id) continue;
        heap->bytes -= heap->items[i - 1].bytes;
        heap->items[i - 1] = heap->items[--heap->count];
        return;
    }
}

/* Pinned memory is the host's. */
static bool is_of_device(const Record *record) {
    enum { PINNED = 3 };
    return record->head.kind == SENT_ALLOCATE && number_of(record, PINNED) == 0;
}

/* The numbers of a launch begin with the grid and the block. */
static int64_t threads_of(const Record *record) {
    int64_t threads = 1;
    for (unsigned i = 0; i < 6; i++)
        if (__builtin_mul_overflow(threads, (int64_t)number_of(record, i), &threads)) return INT64_MAX;
    return threads;
}

/* What each device has done, to find the busiest. */
typedef struct DeviceTotals {
    int64_t threads[LANES], bytes[LANES];
} DeviceTotals;

static void add_up(int64_t *total, int64_t more) {
    if (__builtin_add_overflow(*total, more, total)) *total = INT64_MAX;
}

/* Numbers of one record join those of its case. Memory at once counts what earlier cases have left allocated.
 * */
static void add_to_totals(EvidenceTotals *totals, DeviceTotals *each, const Record *record,
                          const Heap *heap) {
    int64_t contents = (int64_t)record->head.contents;
    unsigned device = record->device;
    totals->launches += record->head.kind == SENT_LAUNCH;
    totals->allocations += is_of_device(record);
    if (record->head.kind == SENT_LAUNCH) {
        add_up(&totals->threads, threads_of(record));
        add_up(&each->threads[device], threads_of(record));
    }
    totals->copies_to_host += record->head.kind == SENT_BACK;
    if (record->head.kind == SENT_BACK) totals->bytes_to_host += contents;
    if (record->head.kind == SENT_COPY || record->head.kind == SENT_SHARED) {
        totals->bytes_to_device += contents;
        each->bytes[device] += contents;
    }
    if ((int64_t)heap->bytes > totals->peak_bytes) totals->peak_bytes = (int64_t)heap->bytes;
}

/* Each rank numbers the devices of its node in the same way. */
static int64_t ranks_together(const DeviceTotals *each) {
    int64_t most = 0;
    for (unsigned device = 0; device < LANES_OF_RANK; device++) {
        int64_t ranks = 0;
        for (unsigned lane = device; lane < LANES; lane += LANES_OF_RANK)
            ranks += each->threads[lane] > 0;
        if (ranks > most) most = ranks;
    }
    return most;
}

/* Whatever devices a rank uses: one that sends the numbers of all does the work of all. */
static int64_t busiest_rank(const DeviceTotals *each) {
    int64_t most = 0;
    for (unsigned first = 0; first < LANES; first += LANES_OF_RANK) {
        int64_t bytes = 0;
        for (unsigned lane = first; lane < first + LANES_OF_RANK && lane < LANES; lane++)
            add_up(&bytes, each->bytes[lane]);
        if (bytes > most) most = bytes;
    }
    return most;
}

static void find_busiest(EvidenceTotals *totals, const DeviceTotals *each) {
    totals->busiest_rank_bytes = busiest_rank(each);
    for (unsigned i = 0; i < LANES; i++) {
        if (each->threads[i] > totals->busiest_threads) totals->busiest_threads = each->threads[i];
        if (each->bytes[i] > totals->busiest_bytes) totals->busiest_bytes = each->bytes[i];
    }
}

/* Records of earlier cases are read as well, for the memory that they have left. */
EvidenceTotals evidence_totals(const Schedule *schedule, unsigned case_index) {
    EvidenceTotals totals = {0};
    const Pair *pair = pair_of_case(schedule, case_index);
    if (pair == NULL) return totals;
    Reader reader = {.pair = pair};
    Heap heap = {0};
    DeviceTotals each = {0};
    Record record;
    while (next_record(&reader, &record)) {
        if (is_of_device(&record)) heap_add(&heap, number_of(&record, 0), number_of(&record, 2));
        if (record.head.kind == SENT_FREE) heap_remove(&heap, number_of(&record, 0));
        if (is_of_case(pair, &record, case_index)) add_to_totals(&totals, &each, &record, &heap);
    }
    find_busiest(&totals, &each);
    totals.ranks_together = ranks_together(&each);
    totals.known = !reader.cut && !heap.failed;
    free(heap.items);
    return totals;
}
