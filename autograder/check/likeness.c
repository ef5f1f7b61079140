/* likeness.c - see likeness.h. Each likeness has a function that looks at one answer. */
#include "autograder/check/likeness.h"

#include "autograder/texts.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- comparing ---- */

/* A multiple is rounded where it is made, and an element may be as far off as its tolerance. */
static bool is_near(double got, double want, double allowed) {
    return fabs(got - want) <= allowed + 2.0 * (double)FLT_EPSILON * fabs(want);
}

static double tolerance_at(const LikenessAnswer *answer, size_t i) {
    if (answer->tolerance != NULL) return answer->tolerance[i];
    return 0.0;
}

static bool is_multiple(const LikenessAnswer *answer, double factor) {
    for (size_t i = 0; i < answer->count; i++)
        if (answer->wrong[i] && !is_near(answer->got[i], factor * answer->want[i],
                                         fmax(fabs(factor), 1.0) * tolerance_at(answer, i)))
            return false;
    return true;
}

static size_t first_wrong(const LikenessAnswer *answer) {
    size_t i = 0;
    while (!answer->wrong[i])
        i++;
    return i;
}

/* The wrong element that tells a factor best. */
static size_t largest_wrong(const LikenessAnswer *answer) {
    size_t largest = first_wrong(answer);
    for (size_t i = largest; i < answer->count; i++)
        if (answer->wrong[i] && fabs(answer->want[i]) > fabs(answer->want[largest])) largest = i;
    return largest;
}

static Likeness holds_if(bool holds, double number, const LikenessAnswer *answer) {
    return (Likeness){.state = holds ? LIKENESS_HOLDS : LIKENESS_BROKEN,
                      .number = number,
                      .count = answer->count,
                      .seen = 1};
}

static const Likeness broken = {.state = LIKENESS_BROKEN}, unseen = {.state = LIKENESS_UNSEEN};

/* ---- numbers ---- */

static Likeness find_sign(const LikenessAnswer *answer) {
    return holds_if(is_multiple(answer, -1.0), -1.0, answer);
}

static Likeness find_times_number(const LikenessAnswer *answer, long number) {
    return holds_if(number > 1 && is_multiple(answer, (double)number), (double)number, answer);
}

static Likeness find_times_block(const LikenessAnswer *answer) {
    return find_times_number(answer, answer->spec->threads);
}

static Likeness find_times_all(const LikenessAnswer *answer) {
    return find_times_number(answer, answer->spec->n);
}

/* The whole number that is nearest to the quotient, where all others fit it. */
static Likeness find_times(const LikenessAnswer *answer) {
    enum { MOST = 1 << 20 };
    const size_t at = largest_wrong(answer);
    const double factor = round(answer->got[at] / answer->want[at]);
    return holds_if(fabs(factor) >= 2.0 && fabs(factor) <= (double)MOST && is_multiple(answer, factor),
                    factor, answer);
}

static Likeness find_part_all(const LikenessAnswer *answer) {
    const double all = (double)answer->spec->n;
    return holds_if(all > 1.0 && is_multiple(answer, 1.0 / all), all, answer);
}

static Likeness find_part(const LikenessAnswer *answer) {
    enum { MOST = 1 << 20 };
    const size_t at = largest_wrong(answer);
    const double parts = round(answer->want[at] / answer->got[at]);
    return holds_if(fabs(parts) >= 2.0 && fabs(parts) <= (double)MOST && is_multiple(answer, 1.0 / parts),
                    parts, answer);
}

/* The difference is known as well as a float can tell it from its neighbours. */
static Likeness find_offset(const LikenessAnswer *answer) {
    const size_t at = first_wrong(answer);
    const double offset = answer->got[at] - answer->want[at];
    bool says_more = false; /* of zeros alone it is the answer itself */
    for (size_t i = 0; i < answer->count; i++)
        says_more = says_more || (answer->wrong[i] && answer->want[i] != 0.0);
    bool holds = isfinite(offset) && says_more;
    for (size_t i = 0; holds && i < answer->count; i++)
        holds =
            !answer->wrong[i] || is_near(answer->got[i], answer->want[i] + offset, tolerance_at(answer, i));
    return holds_if(holds, offset, answer);
}

/* ---- places ---- */

static bool is_at(const LikenessAnswer *answer, size_t i, size_t place) {
    return fabs(answer->got[i] - answer->want[place]) <= tolerance_at(answer, place);
}

/* Whether each wrong element holds what belongs `distance` further on, as far as there is such a place. */
static bool is_shifted(const LikenessAnswer *answer, long distance) {
    size_t inside = 0, outside = 0;
    for (size_t i = 0; i < answer->count; i++) {
        if (!answer->wrong[i]) continue;
        const long place = (long)i + distance;
        const bool is_inside = place >= 0 && place < (long)answer->count;
        if (is_inside && !is_at(answer, i, (size_t)place)) return false;
        inside += is_inside;
        outside += !is_inside;
    }
    return inside >= 2 && inside > outside;
}

/* By the nearest places that have the value of one wrong element in the middle. */
static Likeness find_shifted(const LikenessAnswer *answer) {
    enum { FURTHEST = 1024 };
    const long count = (long)answer->count;
    if (count < 3) return unseen;
    size_t at = answer->count / 2;
    while (at < answer->count && !answer->wrong[at])
        at++;
    if (at == answer->count) at = first_wrong(answer);
    for (long far = 1; far <= FURTHEST && far < count; far++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const long place = (long)at + sign * far;
            if (place < 0 || place >= count || !is_at(answer, at, (size_t)place)) continue;
            if (is_shifted(answer, sign * far)) return holds_if(true, (double)(sign * far), answer);
        }
    return broken;
}

static Likeness find_reversed(const LikenessAnswer *answer) {
    if (answer->count < 3) return unseen;
    for (size_t i = 0; i < answer->count; i++)
        if (!is_at(answer, i, answer->count - 1 - i)) return broken;
    return holds_if(true, 0.0, answer);
}

static bool is_transposed(const LikenessAnswer *answer, size_t rows) {
    const size_t cols = answer->count / rows;
    for (size_t i = 0; i < answer->count; i++)
        if (!is_at(answer, i, i % cols * rows + i / cols)) return false;
    return true;
}

/* The shape is not known here: any number of rows that divides the count may be it. */
static Likeness find_transposed(const LikenessAnswer *answer) {
    if (answer->count < 4) return unseen;
    for (size_t rows = 2; rows <= answer->count / 2; rows++)
        if (answer->count % rows == 0 && is_transposed(answer, rows))
            return holds_if(true, (double)rows, answer);
    return broken;
}

/* As where each chunk is read, or stored, at the place of the first. The first that is wrong begins the
 * second round, which proves nothing unless it is complete and has several elements. */
static Likeness find_repeated(const LikenessAnswer *answer) {
    const size_t round = first_wrong(answer);
    if (round == 0) return broken;
    for (size_t i = round; i < answer->count; i++)
        if (!is_at(answer, i, i % round)) return broken;
    if (round == 1 || 2 * round > answer->count) return unseen;
    return holds_if(true, (double)round, answer);
}

static bool is_block_of(const LikenessAnswer *answer, size_t size, size_t block, size_t source) {
    for (size_t i = 0; i < size; i++)
        if (!(fabs(answer->got[block * size + i] - answer->want[source * size + i]) <=
              tolerance_at(answer, source * size + i)))
            return false;
    return true;
}

/* Whether whole blocks of the answer are blocks of the right one, each once, and what is left over is right.
 */
static bool is_of_moved_blocks(Arena *arena, const LikenessAnswer *answer, size_t size) {
    const size_t blocks = answer->count / size;
    bool *taken = ARENA_ARRAY(arena, blocks, bool);
    for (size_t i = blocks * size; i < answer->count; i++)
        if (answer->wrong[i]) return false;
    for (size_t block = 0; taken != NULL && block < blocks; block++) {
        size_t source = 0;
        while (source < blocks && (taken[source] || !is_block_of(answer, size, block, source)))
            source++;
        if (source == blocks) return false;
        taken[source] = true;
    }
    return taken != NULL;
}

static Likeness find_blocks_moved(Arena *arena, const LikenessAnswer *answer) {
    enum { SMALLEST = 32, LARGEST = 1024 };
    if (answer->count < (size_t)2 * SMALLEST) return unseen;
    for (size_t size = LARGEST; size >= SMALLEST; size /= 2)
        if (answer->count >= 2 * size && is_of_moved_blocks(arena, answer, size))
            return holds_if(true, (double)size, answer);
    return broken;
}

/* ---- which are right ---- */

static Likeness find_first_right(const LikenessAnswer *answer) {
    const size_t right = first_wrong(answer);
    for (size_t i = right; i < answer->count; i++)
        if (!answer->wrong[i]) return broken;
    if (right == 0) return broken;
    return holds_if(true, (double)right, answer);
}

/* Is this one wrong, and no other? */
static Likeness find_alone(const LikenessAnswer *answer, size_t alone) {
    if (answer->count < 3) return unseen;
    for (size_t i = 0; i < answer->count; i++)
        if (answer->wrong[i] != (i == alone)) return broken;
    return holds_if(true, (double)alone, answer);
}

static Likeness find_first_wrong(const LikenessAnswer *answer) {
    return find_alone(answer, 0);
}

static Likeness find_last_wrong(const LikenessAnswer *answer) {
    return find_alone(answer, answer->count - 1);
}

static Likeness find_nth_wrong(const LikenessAnswer *answer) {
    const size_t count = answer->count, first = first_wrong(answer);
    size_t second = first + 1;
    while (second < count && !answer->wrong[second])
        second++;
    if (second >= count) return count < 4 ? unseen : broken;
    const size_t step = second - first;
    for (size_t i = 0; i < count; i++)
        if (answer->wrong[i] != (i % step == first)) return broken;
    if (step >= 2 && count >= 2 * step) return holds_if(true, (double)step, answer);
    return broken;
}

static Likeness find_each_nth(const LikenessAnswer *answer) {
    const size_t count = answer->count;
    size_t first = 0, second;
    while (first < count && answer->wrong[first])
        first++;
    for (second = first + 1; second < count && answer->wrong[second];)
        second++;
    if (second >= count) return count < 4 ? unseen : broken;
    const size_t step = second - first;
    for (size_t i = 0; i < count; i++)
        if (answer->wrong[i] == (i % step == first)) return broken;
    if (step >= 2 && count >= 2 * step) return holds_if(true, (double)step, answer);
    return broken;
}

/* ---- all of them ---- */

typedef Likeness Find(const LikenessAnswer *answer);

/** What is said of a likeness, and by which name. */
typedef struct KindRow {
    Find *find;       /**< NULL: moved blocks, which need memory */
    const char *name; /**< with the number, where the row says so */
    bool numbered, varies;
    LikenessText text;
} KindRow;

static const KindRow kind_rows[LIKENESS_KINDS] = {
    [LIKENESS_SIGN] = {find_sign, "sign", false, false, LIKENESS_SIGN_TEXT},
    [LIKENESS_TIMES_BLOCK] = {find_times_block, "times-block", false, true, LIKENESS_TIMES_BLOCK_TEXT},
    [LIKENESS_TIMES_ALL] = {find_times_all, "times-all", false, true, LIKENESS_TIMES_ALL_TEXT},
    [LIKENESS_TIMES] = {find_times, "times", true, false, LIKENESS_TIMES_TEXT},
    [LIKENESS_PART_ALL] = {find_part_all, "part-all", false, true, LIKENESS_PART_ALL_TEXT},
    [LIKENESS_PART] = {find_part, "part", true, false, LIKENESS_PART_TEXT},
    [LIKENESS_OFFSET] = {find_offset, "offset", false, false, LIKENESS_OFFSET_TEXT},
    [LIKENESS_SHIFTED] = {find_shifted, "shifted", true, false, LIKENESS_SHIFTED_TEXT},
    [LIKENESS_REVERSED] = {find_reversed, "reversed", false, false, LIKENESS_REVERSED_TEXT},
    [LIKENESS_TRANSPOSED] = {find_transposed, "transposed", false, true, LIKENESS_TRANSPOSED_TEXT},
    [LIKENESS_REPEATED] = {find_repeated, "repeated", false, true, LIKENESS_REPEATED_TEXT},
    [LIKENESS_BLOCKS_MOVED] = {NULL, "blocks-moved", false, true, LIKENESS_BLOCKS_MOVED_TEXT},
    [LIKENESS_FIRST_WRONG] = {find_first_wrong, "first-wrong", false, false, LIKENESS_FIRST_WRONG_TEXT},
    [LIKENESS_LAST_WRONG] = {find_last_wrong, "last-wrong", false, true, LIKENESS_LAST_WRONG_TEXT},
    [LIKENESS_NTH_WRONG] = {find_nth_wrong, "nth-wrong", true, false, LIKENESS_NTH_WRONG_TEXT},
    [LIKENESS_FIRST_RIGHT] = {find_first_right, "first-right", true, false, LIKENESS_FIRST_RIGHT_TEXT},
    [LIKENESS_EACH_NTH] = {find_each_nth, "each-nth", true, false, LIKENESS_EACH_NTH_TEXT},
};

const Likenesses *likeness_find(Arena *arena, const LikenessAnswer *answer) {
    Likenesses *found = ARENA_NEW(arena, Likenesses);
    for (LikenessKind kind = 0; found != NULL && kind < LIKENESS_KINDS; kind++) {
        if (kind_rows[kind].find != NULL)
            found->of[kind] = kind_rows[kind].find(answer);
        else
            found->of[kind] = find_blocks_moved(arena, answer);
    }
    return found;
}

/* An offset is compared as the floats are that it was found in. */
static bool same_number(LikenessKind kind, double a, double b) {
    if (kind == LIKENESS_OFFSET) return fabs(a - b) <= 1e-4 * fmax(fabs(a), fabs(b));
    return kind_rows[kind].varies || (long)a == (long)b;
}

static void add_one(LikenessKind kind, Likeness *all, const Likeness *one, bool may_differ) {
    if (all->state == LIKENESS_BROKEN || one->state == LIKENESS_UNSEEN) return;
    if (one->state == LIKENESS_BROKEN && may_differ) {
        all->unlike++;
    } else if (one->state == LIKENESS_BROKEN) {
        all->state = LIKENESS_BROKEN;
    } else if (all->state == LIKENESS_UNSEEN) {
        const unsigned unlike = all->unlike;
        *all = *one;
        all->unlike = unlike;
    } else {
        if (!same_number(kind, all->number, one->number)) all->state = LIKENESS_BROKEN;
        all->of_several |= one->count != all->count;
        all->seen++;
    }
}

void likeness_add(Likenesses *all, const Likenesses *one, bool may_differ) {
    for (LikenessKind kind = 0; kind < LIKENESS_KINDS; kind++)
        add_one(kind, &all->of[kind], one != NULL ? &one->of[kind] : &broken, may_differ);
}

/* The last kinds. */
static bool says_where(LikenessKind kind) {
    return kind >= LIKENESS_FIRST_WRONG;
}

/* One number may be met by chance, two hardly, and three among some that a race has spoilt neither. That the
 * first 256 are right says something where there are different sizes: else it is only where the first wrong
 * one is. */
static bool is_sure(const Likenesses *all, LikenessKind kind) {
    const Likeness *likeness = &all->of[kind];
    unsigned least = 2;
    if (likeness->unlike > 0) least = 3 + likeness->unlike / 2;
    return likeness->state == LIKENESS_HOLDS && likeness->seen >= least &&
           (likeness->of_several || !says_where(kind));
}

static JudgeCause cause_of(Arena *arena, LikenessKind kind, const Likeness *likeness) {
    const KindRow *row = &kind_rows[kind];
    const double size = fabs(likeness->number);
    const bool negative = likeness->number < 0;
    LikenessFacts facts = {.only = likeness->count == 1,
                           .one = size <= 1.0,
                           .negative = negative,
                           .number = (uint64_t)size,
                           .index = (int64_t)size,
                           .difference = arena_format(arena, "%.6g", size)};
    if (size > 0) facts.columns = likeness->count / (size_t)fmax(size, 1.0);
    const char *name = row->name;
    if (row->numbered) name = arena_format(arena, "%s-%.0f", row->name, likeness->number);
    const char *words = told_likeness(arena, row->text, &facts);
    return name != NULL && words != NULL ? (JudgeCause){name, words} : JUDGE_UNKNOWN;
}

void likeness_tell(Arena *arena, const Likenesses *all, JudgeDecision *decision) {
    if (decision->passed || decision->cause != NULL || decision->likeness == NULL) return;
    for (LikenessKind kind = 0; kind < LIKENESS_KINDS; kind++) {
        const Likeness *own = &decision->likeness->of[kind];
        if (!is_sure(all, kind) || own->state != LIKENESS_HOLDS) continue;
        judge_explain(decision, cause_of(arena, kind, own));
        decision->of_each_thread = kind == LIKENESS_TIMES_BLOCK;
        decision->says_where = says_where(kind);
        return;
    }
}
