/* origin.h - whether a right answer came from the GPU, and with what the lesson is about.
 *
 * The device reports what each copy from its memory brought, as a fingerprint, and which kernel had written
 * it. An answer whose words are found in such copies was made by kernels; one that is not was made elsewhere,
 * however many kernels ran beside it.
 */
#pragma once

#include "autograder/course/uses.h"
#include "autograder/evidence/report.h"

/** Whether kernels of CUB or Thrust wrote the answer, or read as much as the case has, in a lesson that is
 * not about them. */
bool origin_is_library(const Check *check, const Schedule *schedule, unsigned case_index);
/** Whether kernels of CUB or Thrust read as many elements as the case has, as far as the source lets lines be
 * believed. */
bool origin_library_reads_all(const Check *check, const Schedule *schedule, unsigned case_index);
/** A counter of check/counts/counters.def over the launches listed for this case. */
long origin_sum_of_counter(const Schedule *schedule, CaseCall of, const char *name);
/** Steps of the device's clock from the case's first work in a stream to its last; INT64_MAX when the report
 * does not know. */
int64_t origin_device_steps(const Schedule *schedule, CaseCall of);

/** The streams that the case's launches were in. */
typedef struct OriginStreams {
    long in_default; /**< launches in the default stream */
    long others;     /**< streams with launches, besides that one */
} OriginStreams;

OriginStreams origin_streams(const Schedule *schedule, unsigned case_index);

/** Calls by which the host waits for a stream. cudaFree happens to wait as well. */
#define ORIGIN_WAITS                                                                                         \
    "cudaDeviceSynchronize cudaStreamSynchronize cudaStreamQuery cudaEventSynchronize cudaEventQuery "       \
    "cudaLaunchHostFunc cudaStreamAddCallback cudaMemcpy"

/** The student's own calls of some functions. */
typedef struct OriginCalls {
    int64_t count; /**< INT64_MAX: more than the report lists */
    int line;      /**< of the first of them in the student's file; 0 */
} OriginCalls;

/** How often others than the driver called one of these functions (with spaces between) in this case. */
OriginCalls origin_calls(const Check *check, const Schedule *schedule, CaseCall of, const char *functions);
/** Whether the kernels of two cases are instances of the same templates. When they are not, `name` is one
 * that has no counterpart. */
bool origin_same_templates(const Schedule *schedule, unsigned case_index, unsigned other_index,
                           const char **name);
/** Whether the report's lists end before this case does: then what they do not show may still have happened.
 */
bool origin_is_cut(const Schedule *schedule, unsigned case_index);
/** What the lists show of a right answer that kernels cannot have made. */
typedef enum OriginLack {
    ORIGIN_MADE,       /**< nothing: they made it */
    ORIGIN_BY_NOBODY,  /**< no kernel wrote any of it */
    ORIGIN_BY_OTHERS,  /**< kernels wrote a part of it */
    ORIGIN_UNTRACED,   /**< who wrote it all is not known */
    ORIGIN_UNREAD,     /**< they wrote it, and read nothing */
    ORIGIN_HARDLY_READ /**< they wrote it, and read less than the case has */
} OriginLack;

/** Whether kernels made the right answer of a case that has a report; `missing`: words that none wrote. */
OriginLack origin_lack(const Check *check, const Schedule *schedule, unsigned case_index, long *missing);
/** Whether some copy of this case has bytes of which the report does not say who wrote them: then what
 * kernels do not seem to have written they may have written. */
bool origin_is_untraced(const Schedule *schedule, unsigned case_index);
/** What of `must_use` no kernel listed for this case used; NULL when nothing is missing. */
const Use *origin_missing_use(const Check *check, const Schedule *schedule, unsigned case_index);
/** Whether kernels of this case wrote device memory, and no copy to the host followed. */
bool origin_never_copied_back(const Schedule *schedule, unsigned case_index);
