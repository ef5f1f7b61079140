/* nearest.c - see nearest.h. */
#include "base/nearest.h"

#include <stdint.h>
#include <string.h>

/* The Levenshtein distance (insertions, deletions, replacements), by one row of the usual table. LIMIT:
 * words of 64 letters; a longer one is near to nothing. */
size_t nearest_distance(const char *a, const char *b) {
    enum { LONGEST = 64 };
    size_t row[LONGEST + 1], length = strlen(b);
    if (length > LONGEST) return SIZE_MAX;
    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 1; j <= length; j++) {
            size_t best = diagonal + (a[i] != b[j - 1]);
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[length];
}

Nearest nearest_within(const char *word, size_t least) {
    return (Nearest){.word = word, .least = least};
}

Nearest nearest_to(const char *word) {
    return nearest_within(word, strlen(word) / 3 + 2);
}

bool nearest_offer(Nearest *nearest, const char *candidate) {
    size_t distance = SIZE_MAX;
    if (candidate) distance = nearest_distance(nearest->word, candidate);
    if (distance >= nearest->least) return false;
    nearest->least = distance;
    nearest->best = candidate;
    return true;
}
