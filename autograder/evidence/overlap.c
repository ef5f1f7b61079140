/* overlap.c - the cause is named where the run leaves one only; see overlap.h.
 *
 * Launches in the default stream wait for all other streams. Launches in one stream have their copies there
 * as well, or wait for them. A plain cudaMemcpy returns when its copy is done, and copies of ordinary memory
 * run alone. And where none of this is so, a host that waits as often as it launches waits in the loop.
 */
#include "autograder/evidence/overlap.h"

#include "autograder/evidence/evidence.h"
#include "autograder/evidence/origin.h"
#include "autograder/texts.h"

#define SYNCHRONIZE "cudaDeviceSynchronize cudaStreamSynchronize cudaEventSynchronize"

/* An asynchronous copy of ordinary memory, as the device has noted it. */
static const Finding *find_pageable(const Check *check) {
    const Finding *finding = check->result->first;
    while (finding != NULL && !finding_is_sort(finding, "pageable"))
        finding = finding->next;
    return finding;
}

/* The causes exclude each other in this order: each is asked for only where those before are not so. */
OverlapCause overlap_find_cause(const Check *check, const Schedule *schedule, unsigned case_index) {
    const OriginStreams streams = origin_streams(schedule, case_index);
    const OriginCalls copies = origin_calls(check, schedule, cases_whole(case_index), "cudaMemcpy");
    const OriginCalls waits = origin_calls(check, schedule, cases_whole(case_index), SYNCHRONIZE);
    const int64_t launches = evidence_totals(schedule, cases_whole(case_index)).launches;
    if (launches < 2) return (OverlapCause){.name = "one-launch", .why = plain_overlap(OVERLAP_ONE_LAUNCH)};
    if (copies.count >= launches)
        return (OverlapCause){
            .name = "plain-copies", .why = plain_overlap(OVERLAP_PLAIN_COPIES), .line = copies.line};
    if (streams.in_default == launches)
        return (OverlapCause){.name = "in-default", .why = plain_overlap(OVERLAP_IN_DEFAULT)};
    if (streams.in_default == 0 && streams.others == 1)
        return (OverlapCause){.name = "one-stream", .why = plain_overlap(OVERLAP_ONE_STREAM)};
    const Finding *pageable = find_pageable(check);
    if (pageable != NULL)
        return (OverlapCause){
            .name = "pageable", .why = plain_overlap(OVERLAP_PAGEABLE), .line = pageable->line};
    if (streams.in_default == 0 && waits.count >= launches)
        return (OverlapCause){.name = "waits",
                              .why = TOLD_OVERLAP(WAITS, check->arena, .waits = (SayCount)waits.count,
                                                  .launches = (SayCount)launches),
                              .line = waits.line};
    return (OverlapCause){.why = NULL};
}
