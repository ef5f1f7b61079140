/* evidence.c - two runs' records side by side, word by word; see evidence.h.
 *
 * Nearly all words that differ are inputs in their own order, so the next pair of words is looked for behind
 * the last one first; only what is not there is looked up among all pairs.
 */
#include "autograder/evidence.h"

#include "base/sent.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = sizeof(uint32_t) };

/* ---- reading a device's file ---- */

typedef struct Record {
    SentRecord head;
    const char *kernel, *file, *mark; /* without their ends */
    const unsigned char *numbers, *contents;
} Record;

typedef struct Reader {
    const Text *text;
    size_t at;
    bool cut;
} Reader;

static const char *take(Reader *reader, uint64_t bytes) {
    size_t left = reader->text->length - reader->at;
    const char *start = reader->text->bytes + reader->at;
    if (bytes > left || sent_padded(bytes) > left) return NULL;
    reader->at += (size_t)sent_padded(bytes);
    return start;
}

/* The device is ours, and yet its file is not believed: a broken one ends as if it were cut. */
static bool next_record(Reader *reader, Record *record) {
    if (reader->text == NULL || reader->at == reader->text->length) return false;
    const char *head = take(reader, sizeof record->head);
    reader->cut = true;
    if (head == NULL) return false;
    memcpy(&record->head, head, sizeof record->head);
    if (record->head.magic != SENT_MAGIC || record->head.kind >= SENT_CUT) return false;
    record->kernel = take(reader, record->head.kernel_bytes);
    record->file = record->kernel ? take(reader, record->head.file_bytes) : NULL;
    record->mark = record->file ? take(reader, record->head.mark_bytes) : NULL;
    const char *numbers = record->mark ? take(reader, record->head.numbers * sizeof(uint64_t)) : NULL;
    const char *contents = numbers ? take(reader, record->head.contents) : NULL;
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

/* Marks come from the program: a record whose mark is no case of this run counts for all of its cases. */
static bool is_of_case(const Pair *pair, const Record *record, unsigned case_index) {
    if (pair->first_case == pair->last_case) return true;
    char mark[16];
    for (unsigned i = pair->first_case; i <= pair->last_case; i++) {
        int length = snprintf(mark, sizeof mark, "%02u", i);
        if (record->head.mark_bytes == (uint32_t)length && memcmp(record->mark, mark, (size_t)length) == 0)
            return i == case_index;
    }
    return true;
}

static bool next_of_case(Reader *reader, const Pair *pair, unsigned case_index, Record *record) {
    while (next_record(reader, record))
        if (is_of_case(pair, record, case_index)) return true;
    return false;
}

/* ---- words that may differ ---- */

typedef struct Run {
    const unsigned char *a, *b;
    size_t bytes, words; /* the last word may be a part of one, as where bytes are sent */
    struct Run *next;
} Run;

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

static const char *const call_names[] = {
    [SENT_COPY] = "a copy to the device", [SENT_BACK] = "a copy from the device",
    [SENT_MOVE] = "a copy on the device", [SENT_SET] = "a memset",
    [SENT_LAUNCH] = "a launch",           [SENT_SHARED] = "memory that host and device share",
    [SENT_ALLOCATE] = "an allocation",    [SENT_FREE] = "freeing device memory",
    [SENT_MODULE] = "the device code",    [SENT_OBJECT] = "a texture's description",
};

static EvidenceFault fault_at(const Check *check, EvidenceFinding found, const Record *record) {
    return (EvidenceFault){.found = found,
                           .call = call_names[record->head.kind],
                           .file = arena_copy(check->arena, record->file, record->head.file_bytes),
                           .line = (int)record->head.line};
}

static bool same_bytes(const void *a, uint64_t a_bytes, const void *b, uint64_t b_bytes) {
    return a_bytes == b_bytes && memcmp(a, b, (size_t)a_bytes) == 0;
}

static EvidenceFinding compare_records(Known *known, Arena *arena, const Record *a, const Record *b) {
    if (a->head.kind != b->head.kind) return EVIDENCE_CALLS;
    bool same_shape = a->head.contents == b->head.contents &&
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

EvidenceFault evidence_compare(const Check *check, const Schedule *schedules, unsigned case_index) {
    const Pair *pairs[2] = {pair_of_case(&schedules[0], case_index), pair_of_case(&schedules[1], case_index)};
    EvidenceFault fault = {.found = EVIDENCE_FINE};
    if (pairs[0] == NULL || pairs[1] == NULL) return fault;
    if (pairs[0]->first_case != pairs[1]->first_case) return (EvidenceFault){.found = EVIDENCE_APART};
    Reader readers[2] = {{.text = &pairs[0]->sent}, {.text = &pairs[1]->sent}};
    Known known = {0};
    add_inputs(&known, check, case_index);
    while (fault.found == EVIDENCE_FINE) {
        Record a, b;
        bool more_a = next_of_case(&readers[0], pairs[0], case_index, &a);
        bool more_b = next_of_case(&readers[1], pairs[1], case_index, &b);
        if (!more_a && !more_b) break;
        EvidenceFinding found =
            more_a && more_b ? compare_records(&known, check->arena, &a, &b) : EVIDENCE_CALLS;
        if (found != EVIDENCE_FINE) fault = fault_at(check, found, more_a ? &a : &b);
    }
    bool cut = readers[0].cut || readers[1].cut || known.failed;
    free(known.table);
    if (cut) return (EvidenceFault){.found = EVIDENCE_CUT};
    return fault;
}

/* ---- sums that the host finishes ---- */

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
    Reader reader = {.text = &pair->sent};
    while (next_of_case(&reader, pair, case_index, &record))
        if (record.head.kind == SENT_BACK && is_sum(&record, answer, &total, &magnitudes)) return true;
    return false;
}

/* ---- totals ---- */

typedef struct Live {
    uint64_t id, bytes;
} Live;

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
    if (heap->count == heap->capacity) {
        size_t more = heap->capacity ? 2 * heap->capacity : 64;
        Live *bigger = realloc(heap->items, more * sizeof *bigger);
        heap->failed = heap->failed || bigger == NULL;
        if (bigger == NULL) return;
        heap->items = bigger;
        heap->capacity = more;
    }
    heap->items[heap->count++] = (Live){id, bytes};
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

static void add_to_totals(EvidenceTotals *totals, const Record *record, const Heap *heap) {
    int64_t contents = (int64_t)record->head.contents;
    totals->launches += record->head.kind == SENT_LAUNCH;
    totals->allocations += is_of_device(record);
    if (record->head.kind == SENT_LAUNCH &&
        __builtin_add_overflow(totals->threads, threads_of(record), &totals->threads))
        totals->threads = INT64_MAX;
    totals->copies_to_host += record->head.kind == SENT_BACK;
    if (record->head.kind == SENT_BACK) totals->bytes_to_host += contents;
    if (record->head.kind == SENT_COPY || record->head.kind == SENT_SHARED)
        totals->bytes_to_device += contents;
    if ((int64_t)heap->bytes > totals->peak_bytes) totals->peak_bytes = (int64_t)heap->bytes;
}

EvidenceTotals evidence_totals(const Schedule *schedule, unsigned case_index) {
    EvidenceTotals totals = {0};
    const Pair *pair = pair_of_case(schedule, case_index);
    if (pair == NULL) return totals;
    Reader reader = {.text = &pair->sent};
    Heap heap = {0};
    Record record;
    while (next_record(&reader, &record)) {
        if (is_of_device(&record)) heap_add(&heap, number_of(&record, 0), number_of(&record, 2));
        if (record.head.kind == SENT_FREE) heap_remove(&heap, number_of(&record, 0));
        if (is_of_case(pair, &record, case_index)) add_to_totals(&totals, &record, &heap);
    }
    totals.known = !reader.cut && !heap.failed;
    free(heap.items);
    return totals;
}
