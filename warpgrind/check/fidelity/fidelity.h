/* fidelity.h - what of this run a card may have otherwise, and whether that decided a branch, an address or
 * an answer.
 *
 * Whatever is not named is exact: it is what PTX and CUDA's documents say, bit for bit. Named are functions
 * whose last bits are a card's own, floats that atomics added in some order, clocks, and the multiprocessor
 * that a thread is on. Values made of these are followed through the kernels' text (gpu_kernel_trail) and,
 * allocation by allocation, through memory. So the report says what may have decided something; where it says
 * that nothing did, nothing did.
 */
#pragma once

#include "check/findings/parts.h"

bool fidelity_create(Check *check);
void fidelity_destroy(Fidelity *fidelity);
GpuObserver fidelity_observer(Check *check);
/** Gets each access of launches in which something is to be followed. */
bool fidelity_follows(const Check *check);
void fidelity_on_access(Check *check, const GpuAccess *access);
/** The report's member `fidelity` (docs/report-schema.md); the caller puts it. */
struct json_object *fidelity_json(const Check *check);
