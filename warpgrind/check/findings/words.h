/* words.h - the types of places that the texts of the checks have besides those of say.h. */
#pragma once

#include "base/say.h"
#include "check/findings/parts.h"

/** "232" or "(1,2,0)", by the number of dimensions that `extent` uses. */
typedef struct SayDim {
    GpuDim at, extent;
} SayDim;
/** "block 3, thread 232" */
typedef struct SayParty {
    const CheckParty *party;
    const GpuLaunch *launch;
} SayParty;
/** "line 12", "line 12 of other.cu" when it is another file than `here` (or NULL); true when the line is
 * known. */
typedef struct SayLine {
    CheckPlace place;
    const CheckPlace *here;
} SayLine;
typedef const CheckArray *SayElement; /**< "x[1000]", "element 1000 of the memory allocated at line 12" */
typedef const CheckArray *SayArray;   /**< "x", "the memory allocated at line 12" */
typedef uint32_t SayMask;             /**< "0x0000ffff" */
/** As it is, with what a terminal would obey made visible; true unless it is NULL or empty. */
typedef const char *SayVisible;
extern const SayType say_mask, say_dim, say_party, say_line, say_element, say_array, say_visible;
