/* kept.h - memory that a lesson's kernels must leave alone, and what they must have made.
 *
 * Values cannot tell whether an element was left alone or written with what it held before. The device can:
 * it lists who wrote what a copy brought. A driver copies the elements that must be untouched under a mark of
 * their own (driver_copy_kept); of those no byte may be a kernel's. All else that it copies to the host must
 * be theirs, whole.
 */
#pragma once

#include "autograder/evidence/report.h"

/** The first byte of the case's kept copies that a kernel wrote. */
typedef struct Trespass {
    size_t copy, offset; /**< which of the kept copies, and where in it */
    Place place;         /**< of the write */
} Trespass;

bool kept_find_trespass(const Check *check, const Schedule *schedule, unsigned case_index,
                        Trespass *trespass);
/** Whether kernels wrote every byte of the case's other copies to the host. */
bool kept_rest_is_made(const Schedule *schedule, unsigned case_index);
