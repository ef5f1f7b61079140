/* finding.h - the kinds of findings, one table for the device, the judge, the help and the pages.
 *
 * A row of findings.def is FINDING(NAME, "kebab-name", severity, "title", "explanation"); the explanation is
 * what `warpgrind explain KIND` prints: what it means, why it happens, a wrong and a right fragment.
 */
#pragma once

typedef enum FindingSeverity { FINDING_NOTE, FINDING_ERROR } FindingSeverity;

typedef enum FindingKind {
#define FINDING(name, text, severity, title, explanation) FINDING_##name,
#include "base/findings.def"
#undef FINDING
    FINDING_KIND_COUNT
} FindingKind;

typedef struct FindingInfo {
    const char *name;
    FindingSeverity severity; /**< the usual one; a single finding may be milder */
    const char *title;
    const char *explanation;
} FindingInfo;

const FindingInfo *finding_info(FindingKind kind);
/** The kind of that name, or FINDING_KIND_COUNT. */
FindingKind finding_by_name(const char *name);
