/* trust.h - how well submissions are locked in: the layers of trust.def, their name in results, and a trial.
 *
 * A level is the set of layers that a check could use, written as "user+namespaces+seccomp+limits", or
 * "none". Each check finds out its own level and stores it in its result. Who grades a class asks first
 * (`trust_probe`), shows the level, and refuses one that is not enough.
 */
#pragma once

#include "autograder/course/lessons.h"

/** A layer that locks in, each a bit of a TrustSet. */
typedef enum TrustLayer {
#define LAYER(id, name, needed, what) TRUST_##id,
#include "autograder/sandbox/trust.def"
#undef LAYER
    TRUST_LAYER_COUNT
} TrustLayer;

/** A bit for each TrustLayer. */
typedef unsigned TrustSet;
#define TRUST_BIT(layer) (1U << (layer))

enum { TRUST_NAME_BYTES = 96, TRUST_PROBLEM_BYTES = 256 };

/** What a trial has shown. */
typedef struct Trust {
    char level[TRUST_NAME_BYTES];      /**< as a result of this machine will have it */
    char problem[TRUST_PROBLEM_BYTES]; /**< what the system did not allow, in its own words; empty: nothing */
    bool enough;                       /**< for grading files that nobody trusts */
} Trust;

/** The name of a set of layers; "none" of the empty one. */
void trust_name(char name[TRUST_NAME_BYTES], TrustSet layers);
/** The layers that a name has; unknown words count for nothing. */
TrustSet trust_layers(const char *level);
/** Whether all needed layers are among them. */
bool trust_is_enough(TrustSet layers);
/** Whether a check with these layers locks its submission in as well as one with the wanted ones. Groups do
 * not count: a cluster gives its jobs groups of its own, and the limits of single processes hold without. */
bool trust_is_as_good(TrustSet layers, TrustSet wanted);
/** The level at which this machine grades, by a trial in a process of its own: enters a stage, runs a command
 * in the sandbox, and believes what that command sees. Call it once, from a process without threads, before
 * the first check. */
void trust_probe(Trust *trust, const Course *course);
