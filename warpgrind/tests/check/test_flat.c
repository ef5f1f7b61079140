/* test_flat.c - the cells of shared memory: what each processor level says of 32 lanes, against rules written
 * lane by lane. */
#include "fake_gpu.h"

#include "check/races/flat.h"

enum { WORDS = 64, FEW = 4, TOUCHES = 20000, WARPS = 3 };

typedef struct Numbers {
    uint64_t state;
} Numbers;

static uint32_t next(Numbers *numbers, uint32_t below) {
    numbers->state = numbers->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(numbers->state >> 33) % below;
}

/* Who has used a word in this interval: the rules of flat.h, without cells. */
typedef struct Word {
    uint32_t time, thread, use;
    bool several;
} Word;

static bool allows(const Word *word, uint32_t time, uint32_t thread, uint32_t use) {
    if (word->time != time) return true;
    if (word->use == use && use != FLAT_OWN) return true;
    return !word->several && word->thread == thread;
}

static void use_word(Word *word, uint32_t time, uint32_t thread, uint32_t use) {
    if (word->time != time)
        *word = (Word){time, thread, use, false};
    else if (word->use != use)
        word->use = FLAT_OWN;
    else
        word->several |= word->thread != thread;
}

/* Lanes of one instruction happen together: two that write one word race, whoever comes first. */
static bool plain_pass(Word *words, const FlatTouch *touch) {
    uint32_t time = touch->me >> FLAT_TIME_SHIFT, thread = touch->me & FLAT_THREAD;
    for (unsigned lane = 0; lane < 32; lane++)
        if (touch->lanes >> lane & 1 &&
            !allows(&words[touch->offset[lane] / 4], time, thread + lane, touch->use))
            return false;
    for (unsigned lane = 0; lane < 32; lane++) {
        Word *word = &words[touch->offset[lane] / 4];
        if (!(touch->lanes >> lane & 1)) continue;
        if (!allows(word, time, thread + lane, touch->use)) return false;
        use_word(word, time, thread + lane, touch->use);
    }
    return true;
}

typedef FlatShape Place(Numbers *numbers, uint32_t *offset, uint32_t *lanes);

static FlatShape place_lanes(Numbers *numbers, uint32_t *offset, uint32_t *lanes) {
    FlatShape shape = (FlatShape)next(numbers, FLAT_ANYWHERE + 1);
    uint32_t first = next(numbers, WORDS - 32), gaps = shape == FLAT_ANYWHERE ? next(numbers, 2) : 0;
    const uint32_t row = 8u << next(numbers, 2), same_halves = next(numbers, 2);
    for (unsigned lane = 0; lane < 32; lane++) {
        if (lane % row == 0 && !(same_halves && lane == 16)) first = next(numbers, WORDS - 16);
        offset[lane] = 4 * (shape == FLAT_ANYWHERE ? next(numbers, WORDS) : first);
        if (shape == FLAT_ROWS) offset[lane] += 4 * (lane % row);
    }
    first = next(numbers, WORDS - 32);
    for (unsigned lane = 0; lane < 32 && (shape <= FLAT_ADJACENT || gaps); lane++)
        offset[lane] = 4 * (first + (shape != FLAT_UNIFORM ? lane : 0));
    *lanes = UINT32_MAX;
    if (shape == FLAT_ADJACENT) *lanes = UINT32_MAX >> next(numbers, 32);
    if (shape == FLAT_UNIFORM || shape == FLAT_ANYWHERE) *lanes = next(numbers, UINT32_MAX) | 1;
    return shape;
}

/* Two lanes, or one of them, often in one word: who has been there alone may do more. */
static FlatShape place_two(Numbers *numbers, uint32_t *offset, uint32_t *lanes) {
    for (unsigned lane = 0; lane < 32; lane++)
        offset[lane] = 4 * next(numbers, FEW);
    *lanes = 1 + next(numbers, 3);
    return FLAT_ANYWHERE;
}

/* Threads of few words and three warps meet often. After a doubt the interval is over. */
static void run_level(unsigned level, Place *place) {
    static const uint32_t uses[] = {FLAT_READ, FLAT_ATOMIC, FLAT_OWN};
    uint32_t cells[WORDS + 2 * FLAT_MARGIN] = {0}, offset[32], time = 1, doubts = 0;
    Word words[WORDS] = {{0}};
    Numbers numbers = {7};
    FlatPass *pass = flat_pass_for(level);
    for (unsigned i = 0; i < TOUCHES; i++) {
        FlatTouch touch = {.cells = cells + FLAT_MARGIN, .offset = offset};
        touch.shape = place(&numbers, offset, &touch.lanes);
        touch.me = time << FLAT_TIME_SHIFT | 32 * next(&numbers, WARPS);
        touch.use = uses[next(&numbers, 3)];
        bool wanted = plain_pass(words, &touch), got = pass(&touch);
        if (wanted != got) fail_msg("level %u, touch %u: %d instead of %d", level, i, got, wanted);
        time += !got || next(&numbers, 8) == 0;
        doubts += !got;
    }
    assert_in_range(doubts, TOUCHES / 20, TOUCHES * 19 / 20);
}

static void every_level_follows_the_rules(void **state) {
    (void)state;
    for (unsigned level = 0; level <= gpu_processor_level(); level++)
        run_level(level, place_lanes);
}

static void every_level_knows_who_was_alone(void **state) {
    (void)state;
    for (unsigned level = 0; level <= gpu_processor_level(); level++)
        run_level(level, place_two);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_level_follows_the_rules),
                                       cmocka_unit_test(every_level_knows_who_was_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
