/* evidence_totals.c - what the records of one run add up to: sums that the host finishes, numbers that it
 * rounds, and the totals of a case; see evidence.h.
 */
#include "autograder/evidence/evidence_parts.h"

#include "base/growable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- sums that the host finishes ---- */

/* What partial sums may be: a kernel may add in another type than the lesson's. */
typedef enum SumType { SUM_FLOATS, SUM_DOUBLES, SUM_INTS, SUM_UNSIGNED, SUM_LONGS, SUM_TYPES } SumType;

static const size_t sum_type_bytes[SUM_TYPES] = {
    [SUM_FLOATS] = sizeof(float),      [SUM_DOUBLES] = sizeof(double), [SUM_INTS] = sizeof(int32_t),
    [SUM_UNSIGNED] = sizeof(uint32_t), [SUM_LONGS] = sizeof(int64_t),
};

/* What has been added up so far, in one type. */
typedef struct Total {
    double sum, magnitudes;
} Total;

/* One element of a copy, read as that type. */
static double value_of(const unsigned char *at, SumType type) {
    float single;
    double twice;
    int32_t whole;
    uint32_t natural;
    int64_t large;
    switch (type) {
    case SUM_FLOATS:
        memcpy(&single, at, sizeof single);
        return (double)single;
    case SUM_DOUBLES:
        memcpy(&twice, at, sizeof twice);
        return twice;
    case SUM_INTS:
        memcpy(&whole, at, sizeof whole);
        return (double)whole;
    case SUM_UNSIGNED:
        memcpy(&natural, at, sizeof natural);
        return (double)natural;
    case SUM_LONGS:
        memcpy(&large, at, sizeof large);
        return (double)large;
    case SUM_TYPES:
        break;
    }
    return NAN;
}

/* The sum of the magnitudes of all inputs that are floats: partial sums have no more. */
static double magnitudes_of_inputs(const Check *check, const Schedule *schedule, unsigned case_index) {
    double magnitudes = 0.0;
    const CaseInput *input = check->cases[schedule->number][case_index].files->first;
    for (; input != NULL; input = input->next)
        for (size_t i = 0; input->array.type == NPY_F32 && i < input->array.count; i++)
            magnitudes += fabs((double)((const float *)input->array.data)[i]);
    return magnitudes;
}

/* The tolerance is that of adding the inputs as floats in any order. Larger numbers that cancel each other
 * would let any answer through, and so would one that is infinite. */
static bool is_total(const Total *total, float answer, double most) {
    const double tolerance = 1e-5;
    return fabs((double)answer - total->sum) <= tolerance * fmin(total->magnitudes, most);
}

/* Whether the answer is the sum of this copy, of as many of its elements as a fixed array has in use, or of
 * all copies so far. */
static bool is_sum(const Record *record, SumType type, float answer, double most, Total *all) {
    Total own = {0};
    const size_t bytes = sum_type_bytes[type];
    for (size_t at = 0; at + bytes <= record->head.contents; at += bytes) {
        const double value = value_of(record->contents + at, type);
        own.sum += value;
        own.magnitudes += fabs(value);
        if (is_total(&own, answer, most)) return true;
    }
    all->sum += own.sum;
    all->magnitudes += own.magnitudes;
    return is_total(&own, answer, most) || is_total(all, answer, most);
}

/* The lesson does not say of which type partial sums are, so the copies are added up in each. */
bool evidence_adds_up(const Check *check, const Schedule *schedule, unsigned case_index, float answer) {
    const Pair *pair = evidence_pair_of_case(schedule, case_index);
    Record record;
    Total totals[SUM_TYPES] = {0};
    if (pair == NULL) return false;
    const double most = magnitudes_of_inputs(check, schedule, case_index);
    Reader reader = {.pair = pair};
    while (evidence_next_of_case(&reader, case_index, &record))
        for (unsigned type = 0; record.head.kind == SENT_BACK && type < SUM_TYPES; type++)
            if (is_sum(&record, (SumType)type, answer, most, &totals[type])) return true;
    return false;
}

/* ---- answers that the host rounds ---- */

static bool rounds_to(const Record *record, const float *answer) {
    const size_t bytes = sizeof(double);
    for (size_t at = 0; at + bytes <= record->head.contents; at += bytes)
        if ((float)value_of(record->contents + at, SUM_DOUBLES) != answer[at / bytes]) return false;
    return true;
}

/* A kernel may work in doubles where the answer is floats: the host then rounds each number, once. */
void evidence_find_rounded(const Schedule *schedule, unsigned case_index, const float *answer, size_t count,
                           EvidenceStretch *found, void *context) {
    const Pair *pair = evidence_pair_of_case(schedule, case_index);
    if (pair == NULL) return;
    Reader reader = {.pair = pair};
    Record record;
    while (evidence_next_of_case(&reader, case_index, &record)) {
        const size_t length = record.head.contents / sizeof(double);
        if (record.head.kind != SENT_BACK || length == 0) continue;
        for (size_t at = 0; at + length <= count; at++)
            if (rounds_to(&record, answer + at)) found(context, at, length);
    }
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
        add_up(&totals->parameter_bytes, contents);
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
static int64_t bytes_of_rank(const DeviceTotals *each, unsigned rank) {
    int64_t bytes = 0;
    for (unsigned i = 0; i < LANES_OF_RANK; i++)
        add_up(&bytes, each->bytes[rank * LANES_OF_RANK + i]);
    return bytes;
}

static void find_busiest(EvidenceTotals *totals, const DeviceTotals *each) {
    for (unsigned rank = 0; rank < CHECK_MOST_RANKS; rank++) {
        totals->rank_bytes[rank] = bytes_of_rank(each, rank);
        if (totals->rank_bytes[rank] > totals->busiest_rank_bytes)
            totals->busiest_rank_bytes = totals->rank_bytes[rank];
    }
    memcpy(totals->device_bytes, each->bytes, sizeof totals->device_bytes);
    for (unsigned i = 0; i < LANES; i++) {
        if (each->threads[i] > totals->busiest_threads) totals->busiest_threads = each->threads[i];
        if (each->bytes[i] > totals->busiest_bytes) totals->busiest_bytes = each->bytes[i];
    }
}

/* Records of earlier cases are read as well, for the memory that they have left. */
EvidenceTotals evidence_totals(const Schedule *schedule, CaseCall of) {
    EvidenceTotals totals = {0};
    const Pair *pair = evidence_pair_of_case(schedule, of.index);
    if (pair == NULL) return totals;
    Reader reader = {.pair = pair};
    Heap heap = {0};
    DeviceTotals each = {0};
    Record record;
    while (evidence_next_record(&reader, &record)) {
        if (is_of_device(&record)) heap_add(&heap, number_of(&record, 0), number_of(&record, 2));
        if (record.head.kind == SENT_FREE) heap_remove(&heap, number_of(&record, 0));
        if (evidence_is_of_call(pair, &record, of)) add_to_totals(&totals, &each, &record, &heap);
    }
    find_busiest(&totals, &each);
    totals.ranks_together = ranks_together(&each);
    totals.known = !reader.cut && !heap.failed;
    free(heap.items);
    return totals;
}
