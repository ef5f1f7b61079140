/* test_evidence.c - what the host may send: two runs' records side by side, which host threads may have
 * mixed.
 *
 * Each run is a list of short records; a device's letter, a value and a kind are enough to tell them apart.
 */
#include "autograder/evidence/evidence_parts.h"
#include "base/sent.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { INPUTS = 4 };

static const JudgeCaseSpec specs[] = {{.name = "only", .points = 1, .n = INPUTS}};
static const Judge judge = {.lesson = "99-test", .cases = specs, .case_count = 1};

typedef struct Desk {
    Arena *arena;
    Check check;
    Schedule schedules[CHECK_SCHEDULES];
} Desk;

static int desk_open(void **state) {
    Arena *arena = arena_create();
    Desk *desk = ARENA_NEW(arena, Desk);
    *desk = (Desk){.arena = arena, .check = {.arena = arena, .judge = &judge}};
    for (unsigned i = 0; i < CHECK_SCHEDULES; i++) {
        JudgeCase *judged = ARENA_NEW(arena, JudgeCase);
        *judged = (JudgeCase){.spec = &specs[0], .arena = arena, .files = ARENA_NEW(arena, JudgeFiles)};
        int32_t *x = judge_input_ints(judged, "x", INPUTS);
        for (int k = 0; k < INPUTS; k++)
            x[k] = 1000 * ((int)i + 1) + k;
        desk->check.cases[i] = judged;
        Pair *pair = &desk->schedules[i].pairs[0];
        pair->ranks = 1;
        desk->schedules[i].pair_count = 1;
        for (unsigned rank = 0; rank < CHECK_MOST_RANKS; rank++)
            text_init(&pair->sent[rank]);
    }
    *state = desk;
    return 0;
}

static int desk_close(void **state) {
    Desk *desk = *state;
    run_free(desk->schedules, CHECK_SCHEDULES);
    arena_destroy(desk->arena);
    return 0;
}

/* The last record is of that host thread. */
static void by_thread(Desk *desk, unsigned run, uint32_t thread) {
    Text *text = &desk->schedules[run].pairs[0].sent[0];
    const size_t record = sizeof(SentRecord) + 8;
    memcpy(text->bytes + text->length - record + offsetof(SentRecord, thread), &thread, sizeof thread);
}

/* What run `run` sends: words to the memory of the devices in that mask. */
static void sends_words(Desk *desk, unsigned run, unsigned rank, SentKind kind, unsigned devices,
                        const uint32_t *words, size_t count) {
    Text *text = &desk->schedules[run].pairs[0].sent[rank];
    SentRecord record = {.magic = SENT_MAGIC,
                         .kind = (uint32_t)kind,
                         .devices = (uint16_t)devices,
                         .device = (uint16_t)__builtin_ctz(devices),
                         .contents = count * sizeof *words};
    const char padding[sizeof *words] = {0};
    text_append(text, (const char *)&record, sizeof record);
    text_append(text, (const char *)words, count * sizeof *words);
    if (count % 2 != 0) text_append(text, padding, sizeof padding);
}

static void sends_as(Desk *desk, unsigned run, unsigned rank, SentKind kind, unsigned devices,
                     uint32_t word) {
    sends_words(desk, run, rank, kind, devices, &word, 1);
}

static void sends(Desk *desk, unsigned run, SentKind kind, unsigned devices, uint32_t word) {
    sends_as(desk, run, 0, kind, devices, word);
}

static EvidenceFinding compared(Desk *desk) {
    return evidence_compare(&desk->check, desk->schedules, 0).found;
}

enum { A = 1, B = 2 }; /* two devices */

static void inputs_in_the_same_order(void **state) {
    Desk *desk = *state;
    for (unsigned run = 0; run < 2; run++) {
        sends(desk, run, SENT_COPY, A, 1000 * (run + 1));
        sends(desk, run, SENT_COPY, B, 1000 * (run + 1) + 1);
        sends(desk, run, SENT_LAUNCH, A, 7);
    }
    assert_int_equal(compared(desk), EVIDENCE_FINE);
}

/* Two host threads, one for each device. */
static void threads_mix_in_any_order(void **state) {
    Desk *desk = *state;
    sends(desk, 0, SENT_COPY, A, 1000);
    sends(desk, 0, SENT_LAUNCH, A, 7);
    sends(desk, 0, SENT_COPY, B, 1001);
    sends(desk, 0, SENT_LAUNCH, B, 8);
    sends(desk, 1, SENT_COPY, B, 2001);
    sends(desk, 1, SENT_COPY, A, 2000);
    sends(desk, 1, SENT_LAUNCH, B, 8);
    sends(desk, 1, SENT_LAUNCH, A, 7);
    assert_int_equal(compared(desk), EVIDENCE_FINE);
}

/* Which of two calls comes first tells a device something when both use its memory. */
static void order_on_one_device_counts(void **state) {
    Desk *desk = *state;
    sends(desk, 0, SENT_SET, A, 0);
    sends(desk, 0, SENT_SET, A, 1);
    sends(desk, 1, SENT_SET, A, 1);
    sends(desk, 1, SENT_SET, A, 0);
    assert_int_equal(compared(desk), EVIDENCE_CONTENTS);
}

static void order_round_a_peer_copy_counts(void **state) {
    Desk *desk = *state;
    sends(desk, 0, SENT_SET, A, 5);
    sends(desk, 0, SENT_MOVE, A | B, 0);
    sends(desk, 1, SENT_MOVE, A | B, 0);
    sends(desk, 1, SENT_SET, A, 5);
    assert_int_equal(compared(desk), EVIDENCE_CALLS);
}

/* Each lane holds the same records, but no order has both: A before the copy, and B before A. */
static void which_device_gets_it_counts(void **state) {
    Desk *desk = *state;
    sends(desk, 0, SENT_SET, A, 1);
    sends(desk, 0, SENT_SET, B, 2);
    sends(desk, 1, SENT_SET, A, 2);
    sends(desk, 1, SENT_SET, B, 1);
    assert_int_equal(compared(desk), EVIDENCE_CONTENTS);
}

static void which_memory_a_kernel_uses_counts(void **state) {
    Desk *desk = *state;
    sends(desk, 0, SENT_LAUNCH, A, 7);
    sends(desk, 1, SENT_LAUNCH, A | B, 7);
    assert_int_equal(compared(desk), EVIDENCE_SHAPE);
}

static void one_call_more(void **state) {
    Desk *desk = *state;
    sends(desk, 0, SENT_SET, A, 0);
    sends(desk, 1, SENT_SET, A, 0);
    sends(desk, 1, SENT_SET, B, 0);
    assert_int_equal(compared(desk), EVIDENCE_CALLS);
}

static void words_that_came_back(void **state) {
    Desk *desk = *state;
    for (unsigned run = 0; run < 2; run++) {
        sends(desk, run, SENT_BACK, A, 40 + run);
        sends(desk, run, SENT_COPY, B, 40 + run);
    }
    assert_int_equal(compared(desk), EVIDENCE_FINE);
}

/* The host cannot pass on what is not back yet; one run that does it right is no excuse for the other. */
static void words_that_come_back_later(void **state) {
    Desk *desk = *state;
    sends(desk, 0, SENT_BACK, A, 40);
    sends(desk, 0, SENT_COPY, B, 40);
    sends(desk, 1, SENT_COPY, B, 41);
    sends(desk, 1, SENT_BACK, A, 41);
    assert_int_equal(compared(desk), EVIDENCE_CONTENTS);
}

static void the_other_run_may_be_the_one(void **state) {
    Desk *desk = *state;
    sends(desk, 0, SENT_COPY, B, 40);
    sends(desk, 0, SENT_BACK, A, 40);
    sends(desk, 1, SENT_BACK, A, 41);
    sends(desk, 1, SENT_COPY, B, 41);
    assert_int_equal(compared(desk), EVIDENCE_CONTENTS);
}

static void sums_of_inputs(void **state) {
    Desk *desk = *state;
    sends(desk, 0, SENT_COPY, B, 1000 + 1001);
    sends(desk, 1, SENT_COPY, B, 2000 + 2001);
    assert_int_equal(compared(desk), EVIDENCE_CONTENTS);
}

/* ---- words chosen among those that came back ---- */

enum { MANY = 64 };

/* A word of which each run has its own. */
static uint32_t own_word(unsigned run, unsigned i) {
    uint32_t mixed = (i + 1) * 0x9e3779b1U + (run == 0 ? 0x5bd1e995U : 0xc2b2ae35U);
    mixed = (mixed ^ mixed >> 15) * 0x2c1b3c6dU;
    return mixed ^ mixed >> 12;
}

/* A bit that depends on the run. */
static uint32_t own_bit(unsigned run, unsigned i) {
    return own_word(run, 1000 + i) >> 13 & 1;
}

static void come_back(Desk *desk, unsigned run, const uint32_t *words, size_t count) {
    sends_words(desk, run, 0, SENT_BACK, A, words, count);
}

static void are_sent(Desk *desk, unsigned run, const uint32_t *words, size_t count) {
    sends_words(desk, run, 0, SENT_COPY, A, words, count);
}

static void parts_of_what_came_back(void **state) {
    Desk *desk = *state;
    for (unsigned run = 0; run < 2; run++) {
        uint32_t words[MANY];
        for (unsigned i = 0; i < MANY; i++)
            words[i] = own_word(run, i);
        come_back(desk, run, words, MANY);
        for (unsigned i = 0; i < MANY; i += 16)
            are_sent(desk, run, &words[i], 16);
    }
    assert_int_equal(compared(desk), EVIDENCE_FINE);
}

/* Any order that is the same in both runs. */
static void packed_in_another_order(void **state) {
    Desk *desk = *state;
    for (unsigned run = 0; run < 2; run++) {
        uint32_t words[MANY], packed[2 * MANY];
        for (unsigned i = 0; i < MANY; i++) {
            words[i] = own_word(run, i);
            packed[2 * (i * 5 % MANY)] = words[i];
            packed[2 * i + 1] = i; /* and constants between */
        }
        come_back(desk, run, words, MANY);
        are_sent(desk, run, packed, 2 * MANY);
    }
    assert_int_equal(compared(desk), EVIDENCE_FINE);
}

/* Small numbers that came back are passed on whole. */
static void counts_as_they_came(void **state) {
    Desk *desk = *state;
    for (unsigned run = 0; run < 2; run++) {
        uint32_t words[MANY];
        for (unsigned i = 0; i < MANY; i++)
            words[i] = own_bit(run, i);
        come_back(desk, run, words, MANY);
        are_sent(desk, run, words, MANY);
    }
    assert_int_equal(compared(desk), EVIDENCE_FINE);
}

static void bits_that_were_picked(void **state) {
    Desk *desk = *state;
    for (unsigned run = 0; run < 2; run++) {
        uint32_t seen[2 * MANY], bits[32];
        for (unsigned i = 0; i < MANY; i++) {
            seen[2 * i] = own_bit(run, i);
            seen[2 * i + 1] = 1 - seen[2 * i];
        }
        for (unsigned i = 0; i < 32; i++)
            bits[i] = own_bit(run, 5000 + i);
        come_back(desk, run, seen, 2 * MANY);
        are_sent(desk, run, bits, 32);
    }
    assert_int_equal(compared(desk), EVIDENCE_CHOSEN);
}

/* The order of what came back stays, and a bit beside each number says what the host wants it to. */
static void bits_beside_numbers_of_their_own(void **state) {
    Desk *desk = *state;
    for (unsigned run = 0; run < 2; run++) {
        uint32_t words[2 * MANY];
        for (unsigned i = 0; i < MANY; i++) {
            words[2 * i] = own_word(run, i);
            words[2 * i + 1] = run; /* so that 0 may stand for itself, or for what came back */
        }
        come_back(desk, run, words, 2 * MANY);
        for (unsigned i = 0; run == 1 && i < MANY; i++)
            words[2 * i + 1] = own_bit(run, i);
        are_sent(desk, run, words, 2 * MANY);
    }
    assert_int_equal(compared(desk), EVIDENCE_CHOSEN);
}

/* The same with the bits before the numbers, and a word between that is always the same. */
static void bits_before_numbers_of_their_own(void **state) {
    Desk *desk = *state;
    for (unsigned run = 0; run < 2; run++) {
        uint32_t words[3 * MANY];
        for (unsigned i = 0; i < MANY; i++) {
            words[3 * i] = run;
            words[3 * i + 1] = 7;
            words[3 * i + 2] = own_word(run, i);
        }
        come_back(desk, run, words, 3 * MANY);
        for (unsigned i = 0; i < MANY; i++) {
            if (run == 1) words[3 * i] = own_bit(run, i);
            are_sent(desk, run, &words[3 * i], 3);
        }
    }
    assert_int_equal(compared(desk), EVIDENCE_CHOSEN);
}

/* One run sends what the kernel gives it, the other that or what the first was given, which it knows. */
static void numbers_that_the_other_run_has_too(void **state) {
    Desk *desk = *state;
    for (unsigned run = 0; run < 2; run++) {
        uint32_t words[MANY];
        for (unsigned i = 0; i < MANY; i++)
            words[i] = own_word(run, i);
        come_back(desk, run, words, MANY);
        for (unsigned i = 0; i < MANY; i++)
            if (run == 1 && own_bit(run, i) != 0) words[i] = own_word(0, i);
        are_sent(desk, run, words, MANY);
    }
    assert_int_equal(compared(desk), EVIDENCE_CHOSEN);
}

/* The same with two words at a time, which are sent whole. */
static void wholes_that_the_other_run_has_too(void **state) {
    Desk *desk = *state;
    for (unsigned run = 0; run < 2; run++)
        for (unsigned i = 0; i < 2 * MANY; i += 2) {
            uint32_t words[2] = {own_bit(run, i), own_bit(run, i + 1)};
            come_back(desk, run, words, 2);
            words[0] = own_bit(run, 7000 + i);
            words[1] = own_bit(run, 7000 + i + 1);
            if (i >= MANY) are_sent(desk, run, words, 2);
        }
    assert_int_equal(compared(desk), EVIDENCE_CHOSEN);
}

/* A single one among zeros: its position is the message. */
static void ones_at_chosen_places(void **state) {
    Desk *desk = *state;
    for (unsigned run = 0; run < 2; run++) {
        uint32_t seen[4], places[8 * MANY] = {0};
        for (unsigned i = 0; i < 4; i++)
            seen[i] = (run == 0 ? i : i >> 1) & 1;
        come_back(desk, run, seen, 4);
        for (unsigned i = 0; i < 4; i++)
            places[2 * i * MANY + own_word(run, i) % (2 * MANY)] = 1;
        are_sent(desk, run, places, 8 * MANY);
    }
    assert_int_equal(compared(desk), EVIDENCE_CHOSEN);
}

/* The same with a word at a time: what is the same in both runs is half of a pair that came back. */
static void single_numbers_that_the_other_run_has_too(void **state) {
    Desk *desk = *state;
    for (unsigned run = 0; run < 2; run++) {
        uint32_t words[MANY];
        for (unsigned i = 0; i < MANY; i++)
            words[i] = own_word(run, i);
        come_back(desk, run, words, MANY);
        for (unsigned i = 0; i < MANY; i++)
            are_sent(desk, run, run == 1 && own_bit(run, i) != 0 ? &(uint32_t){own_word(0, i)} : &words[i],
                     1);
    }
    assert_int_equal(compared(desk), EVIDENCE_CHOSEN);
}

/* Two wholes that only the second run can tell apart. */
static void wholes_that_look_alike_in_one_run(void **state) {
    Desk *desk = *state;
    for (unsigned run = 0; run < 2; run++) {
        const uint32_t wholes[2][2] = {{own_word(run, 0), own_word(run, 1)},
                                       {own_word(run, 2 * run), own_word(run, 2 * run + 1)}};
        come_back(desk, run, wholes[0], 2);
        come_back(desk, run, wholes[1], 2);
        for (unsigned i = 0; i < MANY; i++)
            are_sent(desk, run, wholes[own_bit(1, i)], 2);
    }
    assert_int_equal(compared(desk), EVIDENCE_CHOSEN);
}

/* Of 59 words that came back, beside four of the input, the first ones are sent; two of them are the first
 * run's in both. That says where in what was sent, and what of all that was there: 24 bits are free. */
static EvidenceFinding two_are_the_first_runs(Desk *desk, size_t sent) {
    enum { BACK = 59 };
    for (unsigned run = 0; run < 2; run++) {
        uint32_t words[BACK];
        for (unsigned i = 0; i < BACK; i++)
            words[i] = own_word(run, i);
        come_back(desk, run, words, BACK);
        words[5] = own_word(0, 5);
        words[9] = own_word(0, 9);
        are_sent(desk, run, words, sent);
    }
    return compared(desk);
}

static void two_choices_among_few_words_are_free(void **state) {
    assert_int_equal(two_are_the_first_runs(*state, 31), EVIDENCE_FINE);
}

static void two_choices_among_more_words_are_not(void **state) {
    assert_int_equal(two_are_the_first_runs(*state, 32), EVIDENCE_CHOSEN);
}

static void floats_as_doubles(void **state) {
    Desk *desk = *state;
    for (unsigned run = 0; run < 2; run++) {
        float values[MANY];
        double wide[MANY];
        uint32_t words[2 * MANY];
        for (unsigned i = 0; i < MANY; i++)
            wide[i] = (double)(values[i] = 0.37F * (float)(own_word(run, i) >> 8));
        memcpy(words, values, sizeof values);
        come_back(desk, run, words, MANY);
        memcpy(words, wide, sizeof wide);
        are_sent(desk, run, words, 2 * MANY);
    }
    assert_int_equal(compared(desk), EVIDENCE_FINE);
}

/* Device code is no data: it is the same in both runs. */
static void code_that_came_back(void **state) {
    Desk *desk = *state;
    for (unsigned run = 0; run < 2; run++) {
        sends(desk, run, SENT_BACK, A, own_word(run, 0));
        sends(desk, run, SENT_MODULE, A, own_word(run, 0));
    }
    assert_int_equal(compared(desk), EVIDENCE_CONTENTS);
}

/* ---- host threads on one device ---- */

static void sets(Desk *desk, unsigned run, uint32_t thread, uint32_t word) {
    sends(desk, run, SENT_SET, A, word);
    by_thread(desk, run, thread);
}

static void threads_take_other_turns(void **state) {
    Desk *desk = *state;
    sets(desk, 0, 1, 5);
    sets(desk, 0, 2, 6);
    sets(desk, 1, 2, 6);
    sets(desk, 1, 1, 5);
    assert_int_equal(compared(desk), EVIDENCE_THREADS);
}

/* Who calls first gets the lower number, so the two may have changed their names. */
static void threads_change_names(void **state) {
    Desk *desk = *state;
    sets(desk, 0, 2, 5);
    sets(desk, 0, 3, 6);
    sets(desk, 1, 2, 6);
    sets(desk, 1, 3, 5);
    assert_int_equal(compared(desk), EVIDENCE_THREADS);
}

static void threads_that_keep_their_turns(void **state) {
    Desk *desk = *state;
    for (unsigned run = 0; run < 2; run++) {
        sets(desk, run, 2, 5);
        sets(desk, run, 3, 6);
    }
    assert_int_equal(compared(desk), EVIDENCE_FINE);
}

/* A thread at work is no excuse: its calls came in the same order. */
static void a_thread_that_computes(void **state) {
    Desk *desk = *state;
    for (unsigned run = 0; run < 2; run++) {
        sets(desk, run, 1, 5);
        sets(desk, run, 2, 60 + run);
        sets(desk, run, 1, 7);
    }
    assert_int_equal(compared(desk), EVIDENCE_CONTENTS);
}

/* ---- ranks ---- */

static void ranks_pass_words_on(void **state) {
    Desk *desk = *state;
    for (unsigned run = 0; run < 2; run++) {
        desk->schedules[run].pairs[0].ranks = 2;
        sends_as(desk, run, 0, SENT_COPY, A, 50 + run); /* rank 1 had it from its device */
        sends_as(desk, run, 1, SENT_BACK, A, 50 + run);
    }
    assert_int_equal(compared(desk), EVIDENCE_FINE);
}

/* What passes through both devices was never made by either. */
static void ranks_do_not_vouch_for_each_other(void **state) {
    Desk *desk = *state;
    for (unsigned run = 0; run < 2; run++) {
        desk->schedules[run].pairs[0].ranks = 2;
        for (unsigned rank = 0; rank < 2; rank++) {
            sends_as(desk, run, rank, SENT_COPY, A, 50 + run);
            sends_as(desk, run, rank, SENT_BACK, A, 50 + run);
        }
    }
    assert_int_equal(compared(desk), EVIDENCE_CONTENTS);
}

static void which_rank_gets_it_counts(void **state) {
    Desk *desk = *state;
    for (unsigned run = 0; run < 2; run++) {
        desk->schedules[run].pairs[0].ranks = 2;
        sends_as(desk, run, run, SENT_SET, A, 1);
        sends_as(desk, run, 1 - run, SENT_SET, A, 2);
    }
    assert_int_equal(compared(desk), EVIDENCE_CONTENTS);
}

/* ---- broken files ---- */

static void broken_records(void **state) {
    Desk *desk = *state;
    sends(desk, 0, SENT_SET, A, 0);
    sends(desk, 1, SENT_SET, A, 0);
    Text *text = &desk->schedules[1].pairs[0].sent[0];
    ((SentRecord *)(void *)text->bytes)->devices = 0;
    assert_int_equal(compared(desk), EVIDENCE_CUT);
    ((SentRecord *)(void *)text->bytes)->devices = 1 << 9;
    assert_int_equal(compared(desk), EVIDENCE_CUT);
    ((SentRecord *)(void *)text->bytes)->devices = A;
    ((SentRecord *)(void *)text->bytes)->device = 200;
    assert_int_equal(compared(desk), EVIDENCE_CUT);
    ((SentRecord *)(void *)text->bytes)->device = 0;
    assert_int_equal(compared(desk), EVIDENCE_FINE);
    text->length -= 4;
    assert_int_equal(compared(desk), EVIDENCE_CUT);
}

/* A record under a mark, as a program of several cases sends them. */
static void sends_marked(Desk *desk, unsigned run, const char *mark, uint32_t word) {
    Text *text = &desk->schedules[run].pairs[0].sent[0];
    SentRecord record = {.magic = SENT_MAGIC,
                         .kind = SENT_COPY,
                         .devices = A,
                         .mark_bytes = (uint32_t)strlen(mark),
                         .contents = sizeof word};
    char padded_mark[8] = {0}, padded[8] = {0};
    memcpy(padded_mark, mark, strlen(mark));
    memcpy(padded, &word, sizeof word);
    text_append(text, (const char *)&record, sizeof record);
    text_append(text, padded_mark, sizeof padded_mark);
    text_append(text, padded, sizeof padded);
}

/* One run was stopped in its second case, the other in its third: the first is judged by its own
 * records, those of what had to stay as it was included. */
static void runs_stopped_in_different_cases(void **state) {
    Desk *desk = *state;
    for (unsigned run = 0; run < 2; run++) {
        desk->schedules[run].pairs[0].last_case = run + 1;
        sends_marked(desk, run, "00", 1000 * (run + 1));
        sends_marked(desk, run, "00 kept", 7);
        sends_marked(desk, run, "01", 8);
    }
    sends_marked(desk, 1, "01 kept", 9);
    sends_marked(desk, 1, "02", 10);
    assert_int_equal(compared(desk), EVIDENCE_FINE);
}

/* A mark that no case has hides nothing. */
static void marks_of_no_case_count_for_all(void **state) {
    Desk *desk = *state;
    for (unsigned run = 0; run < 2; run++) {
        desk->schedules[run].pairs[0].last_case = 1;
        sends_marked(desk, run, "00", 1000 * (run + 1));
        sends_marked(desk, run, "0 kept", 7 + run);
    }
    assert_int_equal(compared(desk), EVIDENCE_CONTENTS);
}

/* ---- sums that the host finishes ---- */

/* The sum of what came back, in the type that it has. */
static void sums_of_doubles(void **state) {
    Desk *desk = *state;
    const double sums[] = {2.5, 3.0};
    uint32_t words[4];
    memcpy(words, sums, sizeof words);
    sends_words(desk, 0, 0, SENT_BACK, A, words, 4);
    assert_true(evidence_adds_up(&desk->check, &desk->schedules[0], 0, 5.5F));
    assert_false(evidence_adds_up(&desk->check, &desk->schedules[0], 0, 5.0F));
}

/* The rounding of such a sum would be larger than any answer. */
static void huge_sums_that_cancel(void **state) {
    Desk *desk = *state;
    const float huge[] = {1e30F, -1e30F};
    uint32_t words[2];
    memcpy(words, huge, sizeof words);
    sends_words(desk, 0, 0, SENT_BACK, A, words, 2);
    assert_false(evidence_adds_up(&desk->check, &desk->schedules[0], 0, 5.0F));
}

/* ---- numbers that the host rounds ---- */

typedef struct Stretches {
    size_t count, first, length;
} Stretches;

static void note_stretch(void *context, size_t first, size_t count) {
    Stretches *stretches = context;
    stretches->count++;
    stretches->first = first;
    stretches->length = count;
}

static void doubles_that_became_floats(void **state) {
    Desk *desk = *state;
    const double came_back[] = {0.1, 2.5};
    const float answer[] = {7, 0.1F, 2.5F, 7};
    uint32_t words[4];
    Stretches found = {0};
    memcpy(words, came_back, sizeof words);
    sends_words(desk, 0, 0, SENT_COPY, A, words, 4);
    evidence_find_rounded(&desk->schedules[0], 0, answer, 4, note_stretch, &found);
    assert_int_equal(found.count, 0);
    sends_words(desk, 0, 0, SENT_BACK, A, words, 4);
    evidence_find_rounded(&desk->schedules[0], 0, answer, 4, note_stretch, &found);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.first, 1);
    assert_int_equal(found.length, 2);
    evidence_find_rounded(&desk->schedules[0], 0, answer, 2, note_stretch, &found);
    assert_int_equal(found.count, 1);
}

/* ---- single words that came back ---- */

/* Two words at two places of what came back, as both runs have them. A pair stands at one place; what stands
 * among the inputs too may be the host's own copy of it, and a word that is the same in both tells nothing.
 */
static void words_that_stand_in_what_came_back(void **state) {
    Desk *desk = *state;
    const unsigned input_a = 1000, input_b = 2000; /* the first input of either run */
    const uint32_t a[] = {70001, 70002, input_a, 70003}, b[] = {80001, 80002, input_b, 70003};
    const Record back[] = {{.contents = (const unsigned char *)a, .head.contents = sizeof a},
                           {.contents = (const unsigned char *)b, .head.contents = sizeof b}};
    Known known = {.runs = GROWABLE(Run)};
    evidence_add_inputs(&known, &desk->check, 0);
    assert_false(evidence_came_back(&known, (WordPair){70001, 80001}));
    evidence_add_back(&known, &back[0], &back[1]);
    assert_true(evidence_came_back(&known, (WordPair){70001, 80001}));
    assert_true(evidence_came_back(&known, (WordPair){70002, 80002}));
    assert_false(evidence_came_back(&known, (WordPair){70001, 80002}));
    assert_true(evidence_is_known(&known, (WordPair){input_a, input_b}));
    assert_false(evidence_came_back(&known, (WordPair){input_a, input_b}));
    assert_false(evidence_came_back(&known, (WordPair){70003, 70003}));
    evidence_forget(&known);
}

/* ---- totals ---- */

static void the_busiest_device(void **state) {
    Desk *desk = *state;
    sends(desk, 0, SENT_COPY, A, 1);
    sends(desk, 0, SENT_COPY, A, 2);
    sends(desk, 0, SENT_COPY, B, 3);
    EvidenceTotals totals = evidence_totals(&desk->schedules[0], cases_whole(0));
    assert_true(totals.known);
    assert_int_equal(totals.bytes_to_device, 12);
    assert_int_equal(totals.busiest_bytes, 8);
}

/* A record with numbers: which allocation, 0, its size, and whether it is pinned; or the shape of a launch.
 */
static void counts(Desk *desk, unsigned rank, SentKind kind, unsigned devices, const uint64_t *numbers) {
    enum { NUMBERS = 6 };
    Text *text = &desk->schedules[0].pairs[0].sent[rank];
    const SentRecord record = {.magic = SENT_MAGIC,
                               .kind = (uint32_t)kind,
                               .numbers = NUMBERS,
                               .devices = (uint16_t)devices,
                               .device = (uint16_t)__builtin_ctz(devices)};
    text_append(text, (const char *)&record, sizeof record);
    text_append(text, (const char *)numbers, NUMBERS * sizeof *numbers);
}

static EvidenceTotals totals_of(Desk *desk) {
    return evidence_totals(&desk->schedules[0], cases_whole(0));
}

/* Pinned memory is the host's, and so is giving it back. */
static void the_most_memory_at_once(void **state) {
    Desk *desk = *state;
    counts(desk, 0, SENT_ALLOCATE, A, (uint64_t[6]){1, 0, 100});
    counts(desk, 0, SENT_ALLOCATE, A, (uint64_t[6]){2, 0, 7000, 1});
    counts(desk, 0, SENT_ALLOCATE, A, (uint64_t[6]){3, 0, 50});
    counts(desk, 0, SENT_FREE, A, (uint64_t[6]){1});
    counts(desk, 0, SENT_FREE, A, (uint64_t[6]){2});
    counts(desk, 0, SENT_ALLOCATE, A, (uint64_t[6]){4, 0, 90});
    const EvidenceTotals totals = totals_of(desk);
    assert_int_equal(totals.allocations, 3);
    assert_int_equal(totals.peak_bytes, 150);
}

static void threads_of_launches(void **state) {
    Desk *desk = *state;
    counts(desk, 0, SENT_LAUNCH, A, (uint64_t[6]){2, 1, 1, 32, 1, 1});
    counts(desk, 0, SENT_LAUNCH, B, (uint64_t[6]){3, 2, 1, 32, 2, 1});
    const EvidenceTotals totals = totals_of(desk);
    assert_int_equal(totals.launches, 2);
    assert_int_equal(totals.threads, 64 + 384);
    assert_int_equal(totals.busiest_threads, 384);
    assert_int_equal(totals.allocations, 0);
}

static void ranks_on_one_device(void **state) {
    static const uint64_t one_thread[6] = {1, 1, 1, 1, 1, 1};
    Desk *desk = *state;
    desk->schedules[0].pairs[0].ranks = 3;
    assert_int_equal(totals_of(desk).ranks_together, 0);
    counts(desk, 0, SENT_LAUNCH, A, one_thread);
    counts(desk, 1, SENT_LAUNCH, B, one_thread);
    assert_int_equal(totals_of(desk).ranks_together, 1);
    counts(desk, 2, SENT_LAUNCH, B, one_thread);
    assert_int_equal(totals_of(desk).ranks_together, 2);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, desk_open, desk_close)
    const struct CMUnitTest tests[] = {
        TEST(inputs_in_the_same_order),
        TEST(threads_mix_in_any_order),
        TEST(order_on_one_device_counts),
        TEST(order_round_a_peer_copy_counts),
        TEST(which_device_gets_it_counts),
        TEST(which_memory_a_kernel_uses_counts),
        TEST(one_call_more),
        TEST(words_that_came_back),
        TEST(words_that_come_back_later),
        TEST(the_other_run_may_be_the_one),
        TEST(sums_of_inputs),
        TEST(parts_of_what_came_back),
        TEST(packed_in_another_order),
        TEST(counts_as_they_came),
        TEST(bits_that_were_picked),
        TEST(bits_beside_numbers_of_their_own),
        TEST(bits_before_numbers_of_their_own),
        TEST(numbers_that_the_other_run_has_too),
        TEST(wholes_that_the_other_run_has_too),
        TEST(ones_at_chosen_places),
        TEST(single_numbers_that_the_other_run_has_too),
        TEST(wholes_that_look_alike_in_one_run),
        TEST(two_choices_among_few_words_are_free),
        TEST(two_choices_among_more_words_are_not),
        TEST(floats_as_doubles),
        TEST(code_that_came_back),
        TEST(threads_take_other_turns),
        TEST(threads_change_names),
        TEST(threads_that_keep_their_turns),
        TEST(a_thread_that_computes),
        TEST(ranks_pass_words_on),
        TEST(ranks_do_not_vouch_for_each_other),
        TEST(which_rank_gets_it_counts),
        TEST(broken_records),
        TEST(runs_stopped_in_different_cases),
        TEST(marks_of_no_case_count_for_all),
        TEST(sums_of_doubles),
        TEST(huge_sums_that_cancel),
        TEST(doubles_that_became_floats),
        TEST(words_that_stand_in_what_came_back),
        TEST(the_busiest_device),
        TEST(the_most_memory_at_once),
        TEST(threads_of_launches),
        TEST(ranks_on_one_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
