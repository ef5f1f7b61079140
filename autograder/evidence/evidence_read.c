/* evidence_read.c - reads what the device of each rank was sent, record by record, and tells the cases'
 * records apart; see evidence_parts.h.
 */
#include "autograder/evidence/evidence_parts.h"

#include "base/marks.h"

#include <stdio.h>
#include <string.h>

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
bool evidence_next_record(Reader *reader, Record *record) {
    if (reader->cut || is_at_end(reader)) return false;
    const char *head = take(reader, sizeof record->head);
    reader->cut = true;
    if (head == NULL) return false;
    memcpy(&record->head, head, sizeof record->head);
    if (!is_sound(&record->head)) return false;
    record->lanes = (uint64_t)record->head.devices << (LANES_OF_RANK * reader->rank);
    record->device = record->head.device + LANES_OF_RANK * reader->rank;
    record->kernel = take(reader, record->head.kernel_bytes);
    if (record->kernel != NULL)
        record->file = take(reader, record->head.file_bytes);
    else
        record->file = NULL;
    if (record->file != NULL)
        record->mark = take(reader, record->head.mark_bytes);
    else
        record->mark = NULL;
    const char *numbers = NULL;
    if (record->mark != NULL) numbers = take(reader, record->head.numbers * sizeof(uint64_t));
    const char *contents = NULL;
    if (numbers != NULL) contents = take(reader, record->head.contents);
    if (contents == NULL) return false;
    record->numbers = (const unsigned char *)numbers;
    record->contents = (const unsigned char *)contents;
    reader->cut = false;
    return true;
}

const Pair *evidence_pair_of_case(const Schedule *schedule, unsigned case_index) {
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
bool evidence_is_of_case(const Pair *pair, const Record *record, unsigned case_index) {
    if (pair->first_case == pair->last_case) return true;
    char own[16], kept[16], first[16];
    for (unsigned i = pair->first_case; i <= pair->last_case; i++) {
        snprintf(own, sizeof own, "%02u", i);
        snprintf(kept, sizeof kept, "%02u" MARK_KEPT, i);
        snprintf(first, sizeof first, "%02u" MARK_FIRST_CALL, i);
        if (has_mark(record, own) || has_mark(record, kept) || has_mark(record, first))
            return i == case_index;
    }
    return true;
}

/* A record that is known to be of neither call counts for both. */
bool evidence_is_of_call(const Pair *pair, const Record *record, CaseCall of) {
    char other[16];
    snprintf(other, sizeof other, "%02u%s", of.index, of.call == JUDGE_FIRST_CALL ? "" : MARK_FIRST_CALL);
    return evidence_is_of_case(pair, record, of.index) &&
           (of.call == JUDGE_ONLY_CALL || !has_mark(record, other));
}

bool evidence_next_of_case(Reader *reader, unsigned case_index, Record *record) {
    while (evidence_next_record(reader, record))
        if (evidence_is_of_case(reader->pair, record, case_index)) return true;
    return false;
}
