/* finding.c - looks things up in the table of finding kinds (findings.def). */
#include "base/finding.h"
#include "base/diag.h"

#include <string.h>

static const FindingInfo infos[FINDING_KIND_COUNT] = {
#define FINDING(name, text, severity, title, explanation) {text, severity, title, explanation},
#include "base/findings.def"
#undef FINDING
};

const FindingInfo *finding_info(FindingKind kind) {
    if ((unsigned)kind >= FINDING_KIND_COUNT) BUG("finding kind %d", (int)kind);
    return &infos[kind];
}

FindingKind finding_by_name(const char *name) {
    for (int i = 0; i < FINDING_KIND_COUNT; i++)
        if (strcmp(infos[i].name, name) == 0) return (FindingKind)i;
    return FINDING_KIND_COUNT;
}
