/* complain.h - findings about the host side of a program: what the call did wrong, and what to change. */
#pragma once

#include "device/state/state.h"
#include "device/texts.h"

/** A finding that is made of texts: where it is, and how much it weighs. */
typedef struct Complaint {
    FindingKind kind;
    bool note;    /**< only a note, whatever the kind's severity is: what the call does is allowed */
    bool earlier; /**< about the call with this site and mark, not the one that is being served */
    uint64_t site;
    const char *mark;
    uint64_t other_site; /**< of a second party ("allocated here"); 0: none */
    const char *other_what;
    const char *sort; /**< as of CheckFinding, as are the next two */
    CheckCapture capture;
    uint32_t allocation;
} Complaint;
void complain_that(Device *device, Complaint complaint, Said said);
/** Adds a finding, whose places are filled in, with the words of two texts. */
void complain_finding(Device *device, CheckFinding *finding, Said said);

/** A finding of the kind's usual severity at the call that is being served. */
void complain(Device *device, FindingKind kind, Said said);
/** A misuse by which a capture comes to nothing, or that meets what such a capture did not give. */
void complain_captured(Device *device, CheckCapture capture, Said said);
/** The same, but only a note: what the call does is allowed. */
void complain_note(Device *device, FindingKind kind, Said said);
/** The same about an earlier call. */
void complain_at(Device *device, FindingKind kind, uint64_t site, const char *mark, Said said);
void complain_note_at(Device *device, FindingKind kind, uint64_t site, const char *mark, Said said);
/** With the place of a second party ("allocated here"). `site` 0: none. */
void complain_both(Device *device, FindingKind kind, uint64_t other_site, const char *other_what, Said said);
/** "line 12 of x.cu", or "an unknown place"; in the device's arena. */
const char *complain_line(Device *device, uint64_t site);
/** Where the memory was freed, or else allocated: by the host, or in a kernel. */
const char *complain_memory_line(Device *device, const GpuAllocation *allocation);
/** The call that freed it; no line for what a kernel freed. */
CheckPlace complain_freed(Device *device, const GpuAllocation *allocation);
/** The line that called the function round that call; NULL: not known. */
const char *complain_line_above(Device *device, const CheckPlace *place);
/** "the program's stack" and so on, for messages. */
const char *complain_address(Device *device, uint64_t address);
