/* provenance.h - which parameters of its function, and which values from memory, an address was computed
 * from.
 *
 * Asked seldom, so the text is gone through for each register anew. Where a register or a place on the stack
 * is written several times, all of them count.
 */
#pragma once

#include "ptx/ptx.h"

enum { PROVENANCE_MOST = 8 };

/** The parameters that the address of a load, store or atomic may have been computed from by adding:
 * pointers, and indices of 64 bits. */
typedef struct Provenance {
    const PtxVariable *from[PROVENANCE_MOST];
    int64_t at[PROVENANCE_MOST]; /**< bytes from the parameter's start: a structure's member */
    unsigned count;
    int32_t read[PROVENANCE_MOST]; /**< registers that got theirs from memory */
    unsigned read_count;
    bool open; /**< something else may be among them: what came from a call, or the address of a variable */
} Provenance;

Provenance ptx_provenance(const PtxFunction *function, const PtxInstruction *access);
/** The same of what the function hands over at this call, as the argument of that number. */
Provenance ptx_provenance_of_argument(const PtxFunction *function, const PtxInstruction *call,
                                      unsigned number);
