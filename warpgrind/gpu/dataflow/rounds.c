/* rounds.c - see rounds.h. A trail's sum is a polynomial of what was decided, so that the sum of a round
 * comes from the sums before and after it. */
#include "gpu/dataflow/rounds.h"

#define BASE UINT64_C(0x9E3779B97F4A7C15)

enum { SURE_TIMES = 2 };

void rounds_step(GpuRounds *rounds, uint64_t what) {
    rounds->sum = rounds->sum * BASE + what;
    rounds->count++;
}

static uint64_t power(uint64_t base, uint64_t exponent) {
    uint64_t product = 1;
    for (; exponent; exponent >>= 1, base *= base)
        if (exponent & 1) product *= base;
    return product;
}

void rounds_mark(GpuRounds *rounds, RoundMark *mark) {
    const uint64_t length = rounds->count - mark->count;
    const uint64_t round = rounds->sum - mark->sum * power(BASE, length);
    if (mark->length == length && mark->round == round) rounds->repeats = true;
    *mark = (RoundMark){.sum = rounds->sum, .count = rounds->count, .round = round, .length = length};
}

void rounds_value(RoundValues *values, uint64_t value) {
    values->since++;
    if (values->until && value == values->kept) {
        if (values->since == values->period)
            values->times = values->times + 1;
        else
            values->times = 1;
        values->period = values->since;
        values->since = 0;
    } else if (values->since >= values->until) {
        *values = (RoundValues){.kept = value, .until = 2 * values->until + 1};
    }
}

bool rounds_recur(const RoundValues *values) {
    return values->times >= SURE_TIMES && values->since <= values->period;
}
