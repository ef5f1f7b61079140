/* evidence_choices.c - what a host could say by choosing among words that it may send; docs/evidence.md has
 * the argument.
 *
 * A pair of words, `a` in the first run and `b` in the second, stands somewhere among the inputs or in what
 * came back. A kernel can see to it that every pair does: of hash bits {h, 1-h} there are all four. So that a
 * pair is known says little; what counts is that neither run had a choice. A pair is its own witness when `a`
 * stands with `b` alone and `b` with `a` alone, and neither is a word that anybody has at hand (a small
 * number): then both programs have taken it from the same place. One witness vouches for the stretch that it
 * stands in. Each stretch without a witness, and each word that is the same in both runs although it is one
 * of such a pair, is a choice, and costs as many bits as it takes to say where it was made and what was
 * chosen.
 *
 * Sources count from when they were there. So the sources are gone through in the order in which they came,
 * and whatever was sent is settled just before those that came later.
 */
#include "autograder/evidence/evidence_parts.h"

#include <stdlib.h>

enum {
    WITNESSES = 8,         /* pairs of a stretch that are looked at: data that are all alike have none */
    FREE_CHOICES = 1,      /* by one choice only one of the two runs can say anything */
    FREE_BITS = 24,        /* of both runs together, so that each can say half */
    FILTER_BITS = 1 << 16, /* which words are asked for at all: most words of a run are not */
};

typedef struct Stretch {
    const Record *record;
    WordPair pairs[WITNESSES];
    unsigned count;
    size_t sources; /* that were there */
    bool is_double;
    WordPair high; /* of a double */
} Stretch;

typedef struct Constant {
    const Record *record; /* the first that has it */
    uint32_t word;
    uint64_t count;
    size_t sources; /* that were there the last time */
} Constant;

/* ---- while records are walked ---- */

/* Numbers that everybody has at hand: counts, flags, and small ones below zero. Such a word is no witness,
 * wherever it stands. */
static bool is_small(uint32_t word) {
    const uint32_t least = 1u << 16;
    return word < least || word > -least;
}

static bool may_be_witness(WordPair pair) {
    return !is_small(pair.a) && !is_small(pair.b);
}

void choices_begin_stretch(Choices *choices, const Record *record, size_t sources) {
    if (choices->stretches.size == 0) choices->stretches = GROWABLE(Stretch);
    Stretch *stretch = growable_add(&choices->stretches);
    choices->failed = choices->failed || stretch == NULL;
    if (stretch != NULL) *stretch = (Stretch){.record = record, .sources = sources};
}

static Stretch *last_stretch(Choices *choices) {
    size_t count = choices->stretches.count;
    if (count > 0 && !choices->failed) return GROWABLE_AT(&choices->stretches, Stretch, count - 1);
    return NULL;
}

/* The first pairs are kept, and small ones give way to others. */
void choices_add_pair(Choices *choices, WordPair pair) {
    Stretch *stretch = last_stretch(choices);
    if (stretch == NULL) return;
    if (stretch->count < WITNESSES)
        stretch->pairs[stretch->count++] = pair;
    else if (may_be_witness(pair) && !may_be_witness(stretch->pairs[WITNESSES - 1]))
        stretch->pairs[WITNESSES - 1] = pair;
}

void choices_add_high(Choices *choices, WordPair high) {
    Stretch *stretch = last_stretch(choices);
    if (stretch == NULL) return;
    stretch->is_double = true;
    stretch->high = high;
}

/* The same word again is counted where it stood first. */
void choices_add_constant(Choices *choices, const Record *record, size_t sources, uint32_t word) {
    if (is_small(word)) return;
    if (choices->constants.size == 0) choices->constants = GROWABLE(Constant);
    uint32_t index = map_find(&choices->constant_of, word);
    if (index == MAP_NONE) {
        index = (uint32_t)choices->constants.count;
        Constant *added = growable_add(&choices->constants);
        choices->failed = choices->failed || added == NULL;
        if (added == NULL) return;
        *added = (Constant){.record = record, .word = word};
        choices->failed = choices->failed || !map_put(&choices->constant_of, word, index);
    }
    Constant *constant = GROWABLE_AT(&choices->constants, Constant, index);
    constant->count++;
    constant->sources = sources;
}

void choices_add_loose(Choices *choices, const Record *record) {
    if (choices->loose++ == 0) choices->first_loose = record;
}

void choices_free(Choices *choices) {
    growable_free(&choices->stretches);
    growable_free(&choices->constants);
    map_free(&choices->constant_of);
}

/* ---- with whom a word stands ---- */

/* The words of the other run at the places where one run has this word. */
typedef struct Partners {
    uint64_t places;
    uint32_t word; /* at the first of them */
    bool several;  /* others stand at others */
} Partners;

/* A word that is asked for: its partners where the first run has it, and where the second does; and the same
 * in what came back alone, since nobody but a kernel can make a word of the other run known. */
typedef struct Asked {
    Partners in_a, in_b, back_a, back_b;
} Asked;

typedef struct Questions {
    Map index_of;
    Growable asked;
    uint64_t filter[FILTER_BITS / 64];
    bool failed;
} Questions;

static unsigned filter_bit(uint32_t word) {
    return word * UINT32_C(0x9e3779b1) >> 16;
}

static void ask(Questions *questions, uint32_t word) {
    if (map_find(&questions->index_of, word) != MAP_NONE) return;
    const uint32_t index = (uint32_t)questions->asked.count;
    questions->failed = questions->failed || growable_add(&questions->asked) == NULL ||
                        !map_put(&questions->index_of, word, index);
    questions->filter[filter_bit(word) / 64] |= UINT64_C(1) << filter_bit(word) % 64;
}

static Asked *find_asked(const Questions *questions, uint32_t word) {
    if ((questions->filter[filter_bit(word) / 64] >> filter_bit(word) % 64 & 1) == 0) return NULL;
    const uint32_t index = map_find(&questions->index_of, word);
    if (index == MAP_NONE) return NULL;
    return GROWABLE_AT(&questions->asked, Asked, index);
}

static void meet(Partners *partners, uint32_t word) {
    if (partners->places++ == 0) partners->word = word;
    partners->several = partners->several || partners->word != word;
}

static void answer_from(Questions *questions, const Run *run) {
    for (size_t word = 0; word < run->words; word++) {
        const WordPair pair = evidence_pair_at(run, word);
        Asked *a = find_asked(questions, pair.a), *b = find_asked(questions, pair.b);
        if (a != NULL) meet(&a->in_a, pair.b);
        if (b != NULL) meet(&b->in_b, pair.a);
        if (a != NULL && run->came_back) meet(&a->back_a, pair.b);
        if (b != NULL && run->came_back) meet(&b->back_b, pair.a);
    }
}

static void ask_pair(Questions *questions, WordPair pair) {
    ask(questions, pair.a);
    ask(questions, pair.b);
}

static void ask_all(Questions *questions, const Choices *choices) {
    for (size_t i = 0; i < choices->stretches.count; i++) {
        const Stretch *stretch = GROWABLE_AT(&choices->stretches, Stretch, i);
        for (unsigned k = 0; k < stretch->count; k++)
            ask_pair(questions, stretch->pairs[k]);
        if (stretch->is_double) ask_pair(questions, stretch->high);
    }
    for (size_t i = 0; i < choices->constants.count; i++)
        ask(questions, GROWABLE_AT(&choices->constants, Constant, i)->word);
}

/* ---- what was a choice ---- */

/* Bits that say which of so many things, rounded up. */
static uint64_t bits_of(uint64_t things) {
    uint64_t bits = 0;
    while (bits < 64 && (UINT64_C(1) << bits) < things)
        bits++;
    return bits;
}

static bool stands_only_with(const Partners *partners, uint32_t word) {
    return partners->places > 0 && !partners->several && partners->word == word;
}

/* How many bits a choice of this pair says: 0 of a witness, where the first run has the one word wherever the
 * second has the other. Anything else may also have been a constant. */
static uint64_t bits_of_pair(const Questions *questions, WordPair pair) {
    const Asked *a = find_asked(questions, pair.a), *b = find_asked(questions, pair.b);
    if (a == NULL || b == NULL) return 2 * bits_of(UINT32_MAX);
    if (may_be_witness(pair) && stands_only_with(&a->in_a, pair.b) && stands_only_with(&b->in_b, pair.a))
        return 0;
    return bits_of(a->in_a.places + 1) + bits_of(b->in_b.places + 1);
}

static bool came_back(const Questions *questions, uint32_t word) {
    const Asked *asked = find_asked(questions, word);
    return asked != NULL && asked->back_a.places + asked->back_b.places > 0;
}

/* A double vouches for its float only where its own words could not have come from elsewhere. */
static uint64_t bits_of_stretch(const Questions *questions, const Stretch *stretch) {
    uint64_t least = 2 * bits_of(UINT32_MAX);
    for (unsigned i = 0; i < stretch->count; i++) {
        const uint64_t bits = bits_of_pair(questions, stretch->pairs[i]);
        if (bits < least) least = bits;
    }
    const bool other = stretch->is_double &&
                       (came_back(questions, stretch->high.a) || came_back(questions, stretch->high.b));
    return least + other;
}

static bool has_one_other(const Partners *partners, uint32_t word) {
    return partners->places > 0 && !partners->several && partners->word != word && !is_small(partners->word);
}

/* A word that was sent in both runs alike, although one of them could have taken its partner instead. */
static bool is_half_of_witness(const Questions *questions, uint32_t word) {
    const Asked *asked = find_asked(questions, word);
    return asked != NULL && (has_one_other(&asked->back_a, word) || has_one_other(&asked->back_b, word));
}

/* What all choices together say; where each was made is to be added. */
typedef struct Sum {
    uint64_t count, bits;
    const Record *first;
} Sum;

static void add_choices(Sum *sum, uint64_t count, uint64_t bits, const Record *record) {
    if (sum->count == 0) sum->first = record;
    sum->count += count;
    sum->bits += count * bits;
}

static int compare_sources(const void *left, const void *right) {
    const Constant *a = left, *b = right;
    return (a->sources > b->sources) - (a->sources < b->sources);
}

/* How far the settling is: stretches stand in the order of time, constants are sorted by it. */
typedef struct Settling {
    Choices *choices;
    Questions questions;
    size_t stretch, constant;
    Sum sum;
} Settling;

/* All that was sent when so many sources were there. */
static void settle_until(Settling *settling, size_t sources) {
    const Choices *choices = settling->choices;
    for (; settling->stretch < choices->stretches.count; settling->stretch++) {
        const Stretch *stretch = GROWABLE_AT(&choices->stretches, Stretch, settling->stretch);
        if (stretch->sources > sources) break;
        const uint64_t bits = bits_of_stretch(&settling->questions, stretch);
        if (bits > 0) add_choices(&settling->sum, 1, bits, stretch->record);
    }
    for (; settling->constant < choices->constants.count; settling->constant++) {
        const Constant *constant = GROWABLE_AT(&choices->constants, Constant, settling->constant);
        if (constant->sources > sources) break;
        if (is_half_of_witness(&settling->questions, constant->word))
            add_choices(&settling->sum, constant->count, 1, constant->record);
    }
}

/* Which of the sources a loose choice took nobody knows. */
static void settle_all(Settling *settling, const Growable *runs) {
    uint64_t known = 0;
    ask_all(&settling->questions, settling->choices);
    if (settling->choices->constants.count > 0)
        qsort(settling->choices->constants.items, settling->choices->constants.count, sizeof(Constant),
              compare_sources);
    for (size_t i = 0; i < runs->count; i++) {
        const Run *run = GROWABLE_AT(runs, const Run, i);
        settle_until(settling, i);
        answer_from(&settling->questions, run);
        known += run->words;
    }
    settle_until(settling, runs->count);
    if (settling->choices->loose > 0)
        add_choices(&settling->sum, settling->choices->loose, bits_of(known + 1) + 1,
                    settling->choices->first_loose);
}

/* By one choice a run can say something only while the other sends what it must, so one is free. */
const Record *choices_settle(Choices *choices, const Growable *runs) {
    Settling *settling = calloc(1, sizeof *settling);
    choices->failed = choices->failed || settling == NULL;
    const Record *first = NULL;
    if (!choices->failed) {
        settling->choices = choices;
        settling->questions.asked = GROWABLE(Asked);
        settle_all(settling, runs);
        const Sum *sum = &settling->sum;
        const uint64_t bits = sum->bits + sum->count * bits_of(choices->words + 1);
        if (sum->count > FREE_CHOICES && bits > FREE_BITS) first = sum->first;
        choices->failed = settling->questions.failed;
        map_free(&settling->questions.index_of);
        growable_free(&settling->questions.asked);
    }
    free(settling);
    return first;
}
