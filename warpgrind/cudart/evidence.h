/* evidence.h - what the client can say about a host heap or stack that is found damaged: which copies from
 * the device landed there lately, and whether one went past the end of its heap block.
 *
 * The C library notices a damaged heap long after the copy, at the next malloc or free. The block's own
 * header stands before the bytes that the copy wrote, so it is whole still, and says how long the block was.
 * Everything but evidence_begin may run in a signal handler: no memory, no locks.
 */
#pragma once

#include "cudart/protocol.h"

enum { EVIDENCE_COPIES = 64 };

typedef struct EvidenceCopy {
    uint64_t address, bytes;
    uint64_t room; /**< of a block with pages of its own: its bytes from the address on; 0: unknown */
    unsigned call; /**< one call's pieces are one copy */
} EvidenceCopy;

typedef struct Evidence {
    EvidenceCopy copies[EVIDENCE_COPIES]; /**< the newest at (count - 1) % EVIDENCE_COPIES */
    unsigned count;
    uint64_t abort_message; /**< where the C library keeps what it says before abort(); 0: unknown */
    uint64_t exception;     /**< the C++ library's function that knows of an exception; 0: there is none */
} Evidence;

/** The stack of the thread that dies: its pointer there, and its top. */
typedef struct EvidenceStack {
    uint64_t pointer, top;
} EvidenceStack;

void evidence_begin(Evidence *evidence);
/** Bytes from the device are about to be written there, by the program's `call`th call. */
void evidence_note(Evidence *evidence, unsigned call, uint64_t address, uint64_t bytes);
/** Fills in the part of a CRASH by this signal that says why (WireCrashCause), and which copy is to blame. */
void evidence_tell(const Evidence *evidence, EvidenceStack stack, Arguments_CRASH *crash);
