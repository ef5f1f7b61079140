/* explain.c - see explain.h. Its numbers were chosen on forty classes of tests/grading/planted.py, which
 * have textbook answers, copies and mixes; on 160 others, of which 80 were looked at only when all stood, the
 * same share of pairs comes first. */
#include "grading/similarity/explain.h"

#include <math.h>
#include <stdlib.h>

/* How many shared fragments one takes back that is not explained: of a program with one source, and of one
 * with two, which can be chosen to fit. */
static const double strict_alone = 2, strict_together = 3;
/* Functions that were taken into a program of one's own, and likeness all over the place, are weaker signs.
 */
static const double some_functions = 0.5, scattered = 0.1;
/* Who took one part of a program from somebody took the rest from somebody, too: what the second source gets
 * of the first one's evidence, where the two leave hardly anything over. */
static const double inherited = 0.2, hardly_anything = 0.02;
/* What is left of a pair that a third program explains, being as near to both and so many times nearer to
 * one. */
static const double third_hand = 0.3, times_nearer = 1.5;
/* As in fragments.c: others who were not asked. */
static const double unseen_programs = 6, same_to_the_eye = 0.001;

/* One program, and who explains at least one piece of it. */
typedef struct Explained {
    const Shares *shares;
    size_t program;
    size_t *sources, source_count;
} Explained;

/* What a source has of a piece, and what it lacks. */
typedef struct Part {
    double has, lacks;
} Part;

static Part read_part(const Explained *explained, size_t piece, size_t source) {
    const double has = fragments_of_piece_in(explained->shares, explained->program, piece, source);
    return (Part){has, fragments_of_piece(explained->shares, explained->program, piece) - has};
}

static double value(Part part, double strict) {
    return part.has - strict * part.lacks;
}

/* The whole from one source, or else some of its functions, or else this and that. */
static double explain_alone(const Explained *explained, size_t source) {
    Part whole = {0, 0};
    double functions = 0;
    for (size_t piece = 0; piece < PIECES_MOST; piece++) {
        const Part part = read_part(explained, piece, source);
        whole.has += part.has;
        whole.lacks += part.lacks;
        functions += fmax(value(part, strict_together), 0);
    }
    if (!(whole.has > 0)) return 0;
    const double likeness = whole.has * whole.has / (whole.has + whole.lacks);
    return fmax(value(whole, strict_alone), fmax(some_functions * functions, scattered * likeness));
}

/* Which pieces a source explains at least as well as the other one does, as bits. What both have says as much
 * of each: a source that has the rest and also this is likelier than one that has the rest alone. */
static unsigned find_as_good(const Explained *explained, size_t source, size_t other) {
    unsigned as_good = 0;
    for (size_t piece = 0; piece < PIECES_MOST; piece++)
        if (value(read_part(explained, piece, source), strict_together) >
            value(read_part(explained, piece, other), strict_together) - same_to_the_eye)
            as_good |= 1u << piece;
    return as_good;
}

/* How many have these pieces just as well: who could be the source instead. */
static size_t count_equals(const Explained *explained, size_t source, unsigned pieces) {
    size_t equals = 0;
    for (size_t i = 0; i < explained->source_count; i++) {
        bool equal = true;
        for (size_t piece = 0; piece < PIECES_MOST; piece++)
            if (pieces >> piece & 1)
                equal = equal && read_part(explained, piece, explained->sources[i]).has >=
                                     read_part(explained, piece, source).has - same_to_the_eye;
        equals += equal;
    }
    return equals;
}

/* A source's part of a program that two explain together. */
typedef struct Share {
    double value;      /* 0: the two do not explain it */
    double has, lacks; /* of the source's pieces, and of all */
    double owners;     /* who could be the source of these pieces, the program itself among them */
} Share;

/* Each piece comes from the one of two that explains it better, or from either. The source is worth what it
 * has of its pieces, less what both leave over; and less the more others have these pieces as well. */
static Share explain_together(const Explained *explained, size_t source, size_t other) {
    const unsigned as_good = find_as_good(explained, source, other);
    Share share = {.value = 0};
    for (size_t piece = 0; piece < PIECES_MOST; piece++) {
        const bool taken = as_good >> piece & 1;
        const Part part = read_part(explained, piece, taken ? source : other);
        share.has += taken ? part.has : 0;
        share.lacks += part.lacks;
    }
    if (!(share.has > strict_together * share.lacks)) return share;
    const double all = (double)explained->shares->count + unseen_programs;
    share.owners = 1 + (double)count_equals(explained, source, as_good);
    share.value = (share.has - strict_together * share.lacks) * log(all / share.owners) / log(all / 2);
    return share;
}

/* The source beside another one, which may be the stronger: then the program is hardly its author's own, and
 * the rest of it has a source as well. */
static double explain_beside(const Explained *explained, size_t source, size_t other) {
    const Share share = explain_together(explained, source, other);
    if (!(share.value > 0) || share.lacks > hardly_anything * share.has) return share.value;
    const double first = explain_together(explained, other, source).value;
    if (first > share.value) return share.value + inherited * first / share.owners;
    return share.value;
}

static bool explains(const Explained *explained, size_t source) {
    for (size_t piece = 0; piece < PIECES_MOST; piece++)
        if (value(read_part(explained, piece, source), strict_together) > 0) return true;
    return false;
}

/* The best story in which a source is part of a program. */
static double explain(const Explained *explained, size_t source) {
    double best = explain_alone(explained, source);
    if (!explains(explained, source)) return best;
    for (size_t i = 0; i < explained->source_count; i++)
        if (explained->sources[i] != source)
            best = fmax(best, explain_beside(explained, source, explained->sources[i]));
    return best;
}

/* A program and each of the others; who made it from whom is not asked. */
static void explain_program(double *found, Explained *explained) {
    const size_t count = explained->shares->count, program = explained->program;
    explained->source_count = 0;
    for (size_t other = 0; other < count; other++)
        if (other != program && explains(explained, other))
            explained->sources[explained->source_count++] = other;
    for (size_t other = 0; other < count; other++) {
        if (other == program) continue;
        double *pair = &found[other < program ? other * count + program : program * count + other];
        *pair = fmax(*pair, explain(explained, other));
    }
}

static double evidence_of(const double *found, size_t count, size_t a, size_t b) {
    return found[a < b ? a * count + b : b * count + a];
}

/* Whether a third program is as near to both as they are to each other, and much nearer to one: a copy is
 * like whatever its source is like, which says nothing new. */
static bool is_third_hand(const double *found, size_t count, size_t a, size_t b) {
    const double own = evidence_of(found, count, a, b);
    for (size_t third = 0; own > 0 && third < count; third++) {
        if (third == a || third == b) continue;
        const double one = evidence_of(found, count, a, third), other = evidence_of(found, count, b, third);
        if (fmin(one, other) >= own && fmax(one, other) >= times_nearer * own) return true;
    }
    return false;
}

/* Each pair's evidence, less where a third program explains it. NULL without memory. */
static double *discount_third_hand(const double *found, size_t count) {
    double *left = calloc(count * count + 1, sizeof *left);
    for (size_t a = 0; left != NULL && a < count; a++)
        for (size_t b = a + 1; b < count; b++)
            left[a * count + b] = found[a * count + b] * (is_third_hand(found, count, a, b) ? third_hand : 1);
    return left;
}

double *explain_pairs(const Shares *shares) {
    double *found = calloc(shares->count * shares->count + 1, sizeof *found), *left = NULL;
    Explained explained = {.shares = shares, .sources = calloc(shares->count + 1, sizeof(size_t))};
    if (found != NULL && explained.sources != NULL) {
        for (; explained.program < shares->count; explained.program++)
            explain_program(found, &explained);
        left = discount_third_hand(found, shares->count);
    }
    free(explained.sources);
    free(found);
    return left;
}
