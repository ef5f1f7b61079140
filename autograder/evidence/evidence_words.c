/* evidence_words.c - from which places the words that a host sends may come: inputs, and what came back; see
 * evidence_parts.h.
 *
 * A record is walked word by word, and cut into constants (the same word in both runs) and stretches, which
 * follow each other in an input or in something that came back. What the host could have said by choosing
 * among stretches is added up in evidence_choices.c.
 */
#include "autograder/evidence/evidence_parts.h"
#include "base/minmax.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = sizeof(uint32_t) };

/* ---- words ---- */

static const Run *run_at(const Known *known, size_t index) {
    return GROWABLE_AT(&known->runs, const Run, index);
}

/* Past the end there are zeros: the last word may be a part of one, as where bytes are sent. */
static uint32_t word_at(const unsigned char *bytes, size_t length, size_t word) {
    uint32_t value = 0;
    const size_t at = word * WORD;
    memcpy(&value, bytes + at, MIN(length - at, WORD));
    return value;
}

WordPair evidence_pair_at(const Run *run, size_t word) {
    return (WordPair){word_at(run->a, run->bytes, word), word_at(run->b, run->bytes, word)};
}

static bool is_same(WordPair pair, WordPair other) {
    return pair.a == other.a && pair.b == other.b;
}

/* ---- where a pair of words stands ---- */

static size_t slot_of(const PairTable *table, uint64_t key) {
    uint64_t mixed = key * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(mixed >> 20) & (table->capacity - 1);
}

/* The first place of a pair stays. The two words of a key differ, so that no key is 0. */
static void put_pair(PairTable *table, WordPair pair, WordPlace place) {
    const uint64_t key = (uint64_t)pair.a << 32 | pair.b;
    size_t slot = slot_of(table, key);
    while (table->slots[slot].key != 0 && table->slots[slot].key != key)
        slot = (slot + 1) & (table->capacity - 1);
    if (table->slots[slot].key == 0) table->slots[slot] = (PairSlot){key, place};
}

static void put_run(Known *known, size_t index) {
    const Run *run = run_at(known, index);
    for (size_t word = 0; word < run->words; word++) {
        const WordPair pair = evidence_pair_at(run, word);
        if (pair.a != pair.b) put_pair(&known->table, pair, (WordPlace){(uint32_t)index, (uint32_t)word});
    }
}

/* An open hash at least twice as large as there are words. It is made when a pair is first not found at its
 * own place, which for most lessons never happens; runs that came since are added. */
static bool fill_table(Known *known) {
    PairTable *table = &known->table;
    if (table->capacity < 2 * known->words) {
        free(table->slots);
        *table = (PairTable){.capacity = 64};
        while (table->capacity < 4 * known->words)
            table->capacity *= 2;
        table->slots = calloc(table->capacity, sizeof *table->slots);
        if (table->slots == NULL) return false;
    }
    for (; table->runs < known->runs.count; table->runs++)
        put_run(known, table->runs);
    return true;
}

static bool look_up(Known *known, WordPair pair, WordPlace *place) {
    known->failed = known->failed || !fill_table(known);
    if (known->failed) return false;
    const uint64_t key = (uint64_t)pair.a << 32 | pair.b;
    size_t slot = slot_of(&known->table, key);
    while (known->table.slots[slot].key != 0 && known->table.slots[slot].key != key)
        slot = (slot + 1) & (known->table.capacity - 1);
    *place = known->table.slots[slot].place;
    return known->table.slots[slot].key == key;
}

/* Data mostly keep their places: the same one of the inputs, and of what came back last, is looked at first.
 */
static bool find_place(Known *known, size_t word, WordPair pair, WordPlace *place) {
    enum { NEAR = 16 };
    for (size_t i = 0; i < known->runs.count && i < 2 * NEAR; i++) {
        size_t index;
        if (i < NEAR)
            index = i;
        else
            index = known->runs.count - 1 - (i - NEAR);
        const Run *run = run_at(known, index);
        if (word >= run->words || !is_same(evidence_pair_at(run, word), pair)) continue;
        *place = (WordPlace){(uint32_t)index, (uint32_t)word};
        return true;
    }
    return look_up(known, pair, place);
}

static void add_run(Known *known, const void *a, const void *b, size_t bytes, bool came_back) {
    Run *run = growable_add(&known->runs);
    known->failed = known->failed || run == NULL;
    if (run == NULL) return;
    *run = (Run){.a = a, .b = b, .bytes = bytes, .words = (bytes + WORD - 1) / WORD, .came_back = came_back};
    known->words += run->words;
}

void evidence_add_back(Known *known, const Record *a, const Record *b) {
    add_run(known, a->contents, b->contents, (size_t)a->head.contents, true);
}

void evidence_add_inputs(Known *known, const Check *check, unsigned case_index) {
    const CaseInput *b = check->cases[1][case_index].files->first;
    for (const CaseInput *a = check->cases[0][case_index].files->first; a != NULL && b != NULL;
         a = a->next, b = b->next)
        if (a->array.count == b->array.count)
            add_run(known, a->array.data, b->array.data, a->array.count * npy_type_bytes(a->array.type),
                    false);
}

bool evidence_is_known(Known *known, WordPair pair) {
    WordPlace place;
    return pair.a != pair.b && look_up(known, pair, &place);
}

/* Of inputs and what came back, inputs are first in the table. */
bool evidence_came_back(Known *known, WordPair pair) {
    WordPlace place;
    return pair.a != pair.b && look_up(known, pair, &place) && run_at(known, place.run)->came_back;
}

/* ---- single words of an answer ---- */

typedef struct EvidenceSources {
    const Run *runs;
    size_t count;
} EvidenceSources;

const EvidenceSources *evidence_keep(const Known *known, Arena *arena) {
    EvidenceSources *sources = ARENA_NEW(arena, EvidenceSources);
    if (sources == NULL) return NULL;
    *sources = (EvidenceSources){.runs = growable_copy(&known->runs, arena), .count = known->runs.count};
    if (sources->runs == NULL && sources->count > 0) return NULL;
    return sources;
}

bool evidence_knows_words(const Check *check, unsigned case_index, unsigned which) {
    const JudgeFiles *a = check->cases[0][case_index].files, *b = check->cases[1][case_index].files;
    return a->sources != NULL && which < a->answer_count && which < b->answer_count &&
           a->answers[which].bytes == b->answers[which].bytes;
}

void evidence_find_single(const Check *check, unsigned case_index, unsigned which, const bool *explained,
                          EvidenceStretch *found, void *context) {
    if (!evidence_knows_words(check, case_index, which)) return;
    const JudgeFiles *a = check->cases[0][case_index].files, *b = check->cases[1][case_index].files;
    const EvidenceSources *sources = a->sources;
    const size_t words = a->answers[which].bytes / WORD;
    const Run answer = {.a = a->answers[which].data, .b = b->answers[which].data, .bytes = words * WORD};
    Known known = {.runs = GROWABLE(Run)};
    for (size_t i = 0; i < sources->count; i++)
        add_run(&known, sources->runs[i].a, sources->runs[i].b, sources->runs[i].bytes,
                sources->runs[i].came_back);
    for (size_t word = 0; word < words; word++)
        if (!explained[word] && evidence_came_back(&known, evidence_pair_at(&answer, word)))
            found(context, word, 1);
    if (known.failed) found(context, 0, words);
    evidence_forget(&known);
}

/* ---- words of one run ---- */

static int compare_words(const void *a, const void *b) {
    uint32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* All words that the first run had, or the second, in ascending order; NULL without memory. */
static uint32_t *words_of_run(const Known *known, bool second) {
    uint32_t *words = malloc((known->words + 1) * sizeof *words);
    size_t count = 0;
    if (words == NULL) return NULL;
    for (size_t i = 0; i < known->runs.count; i++) {
        const Run *run = run_at(known, i);
        for (size_t word = 0; word < run->words; word++)
            words[count++] = word_at(second ? run->b : run->a, run->bytes, word);
    }
    qsort(words, count, sizeof *words, compare_words);
    return words;
}

static bool had_all(const Known *known, const Record *record, bool second) {
    uint32_t *words = words_of_run(known, second);
    bool all = words != NULL;
    for (size_t word = 0; all && word * WORD < record->head.contents; word++) {
        const uint32_t sent = word_at(record->contents, (size_t)record->head.contents, word);
        all = bsearch(&sent, words, known->words, sizeof *words, compare_words) != NULL;
    }
    free(words);
    return all;
}

bool evidence_only_picks(const Known *known, const Record *a, const Record *b) {
    return had_all(known, a, false) && had_all(known, b, true);
}

void evidence_forget(Known *known) {
    growable_free(&known->runs);
    free(known->table.slots);
    choices_free(&known->choices);
}

/* ---- a record, word by word ---- */

/* The two records on their way, and the stretch that the last words belong to. */
typedef struct Walk {
    Known *known;
    const Record *record;
    const unsigned char *a, *b;
    size_t bytes;
    bool in_stretch;
    WordPlace next; /* where the stretch goes on */
    size_t end;     /* of the last stretch, in the record */
} Walk;

static WordPair sent_at(const Walk *walk, size_t word) {
    return (WordPair){word_at(walk->a, walk->bytes, word), word_at(walk->b, walk->bytes, word)};
}

/* A constant stands where a stretch would have brought this word in one of the runs, and another one in the
 * other: there the host had a choice. */
static bool is_contradicted(WordPair constant, WordPair source) {
    return source.a != source.b && (source.a == constant.a || source.b == constant.b);
}

/* A stretch that begins could have begun earlier, in place of the constants before it. */
static void look_back(Walk *walk, size_t word, WordPlace place) {
    const Run *run = run_at(walk->known, place.run);
    for (size_t back = 1; back <= place.word && word - back >= walk->end && back <= word; back++) {
        const WordPair source = evidence_pair_at(run, place.word - back);
        const WordPair constant = sent_at(walk, word - back);
        if (is_contradicted(constant, source))
            choices_add_loose(&walk->known->choices, walk->record);
        else if (!is_same(constant, source))
            return;
    }
}

/* Whether the word goes on where the last one was. A constant in between does not end the stretch where both
 * are alike in one of the runs. */
static bool goes_on(Walk *walk, WordPair sent) {
    if (!walk->in_stretch) return false;
    const Run *run = run_at(walk->known, walk->next.run);
    walk->in_stretch = walk->next.word < run->words;
    if (!walk->in_stretch) return false;
    const WordPair source = evidence_pair_at(run, walk->next.word);
    if (is_same(sent, source)) {
        walk->next.word++;
        return true;
    }
    walk->in_stretch = sent.a == sent.b && is_contradicted(sent, source);
    if (!walk->in_stretch) return false;
    choices_add_loose(&walk->known->choices, walk->record);
    walk->next.word++;
    return true;
}

static bool begins_stretch(Walk *walk, size_t word, WordPair sent) {
    WordPlace place;
    if (!find_place(walk->known, word, sent, &place)) return false;
    look_back(walk, word, place);
    choices_begin_stretch(&walk->known->choices, walk->record, walk->known->runs.count);
    walk->in_stretch = true;
    walk->next = (WordPlace){place.run, place.word + 1};
    return true;
}

/* A float of the signature that was passed on as a double: a stretch of its own. */
static bool is_double(Walk *walk, size_t word) {
    const size_t at = word * WORD;
    double values[2];
    if (at + sizeof(double) > walk->bytes) return false;
    memcpy(&values[0], walk->a + at, sizeof(double));
    memcpy(&values[1], walk->b + at, sizeof(double));
    const float narrow[2] = {(float)values[0], (float)values[1]};
    if (!((double)narrow[0] == values[0] && (double)narrow[1] == values[1])) return false;
    WordPair pair;
    WordPlace place;
    memcpy(&pair.a, &narrow[0], WORD);
    memcpy(&pair.b, &narrow[1], WORD);
    if (pair.a == pair.b || !find_place(walk->known, word / 2, pair, &place)) return false;
    choices_begin_stretch(&walk->known->choices, walk->record, walk->known->runs.count);
    choices_add_pair(&walk->known->choices, pair);
    choices_add_high(&walk->known->choices, sent_at(walk, word + 1));
    walk->in_stretch = false;
    return true;
}

/* How many words were explained: one, both of a double, or none, which the host has made. */
static size_t walk_words(Walk *walk, size_t word) {
    const WordPair sent = sent_at(walk, word);
    const size_t lower = word & ~(size_t)1; /* of the double that the word may belong to */
    const bool goes = goes_on(walk, sent);
    if (!goes && sent.a == sent.b) {
        choices_add_constant(&walk->known->choices, walk->record, walk->known->runs.count, sent.a);
        return 1;
    }
    if (!goes && !begins_stretch(walk, word, sent)) {
        if (!is_double(walk, lower)) return 0;
        walk->end = lower + 2;
        return walk->end - word;
    }
    if (sent.a != sent.b) choices_add_pair(&walk->known->choices, sent);
    walk->end = word + 1;
    return 1;
}

/* A whole input, or all that came back once, as most copies send them: one mapping, unless another whole of
 * this length is the same in one of the runs and not in the other. What is the same in both runs could have
 * been such a whole as well. Single words are walked, since more is known of words. */
static bool is_whole_run(Known *known, const Record *a, const Record *b) {
    const size_t bytes = (size_t)a->head.contents;
    if (bytes <= WORD) return false;
    const bool constant = memcmp(a->contents, b->contents, bytes) == 0;
    bool found = false, ambiguous = false;
    for (size_t i = 0; i < known->runs.count; i++) {
        const Run *run = run_at(known, i);
        if (run->bytes != bytes) continue;
        const bool in_a = memcmp(run->a, a->contents, bytes) == 0;
        const bool in_b = memcmp(run->b, b->contents, bytes) == 0;
        found = found || (in_a && in_b);
        ambiguous = ambiguous || in_a != in_b;
    }
    if (ambiguous && (constant || found)) choices_add_loose(&known->choices, a);
    return found && !constant;
}

/* Words that no source explains end the walk: the host has made them. */
bool evidence_may_differ_so(Known *known, const Record *a, const Record *b) {
    Walk walk = {
        .known = known, .record = a, .a = a->contents, .b = b->contents, .bytes = (size_t)a->head.contents};
    const size_t words = (walk.bytes + WORD - 1) / WORD;
    known->choices.words += words;
    if (is_whole_run(known, a, b)) return true;
    for (size_t word = 0, step; word < words; word += step) {
        step = walk_words(&walk, word);
        if (step == 0) return false;
    }
    return true;
}
