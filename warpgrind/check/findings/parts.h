/* parts.h - what the rooms of check share: the Check itself, findings, places, arrays, words.
 *
 * A finding is made in three steps: check_seen asks whether this mistake at this pc has been told already
 * (then only its count rises), the observer builds the sentences, check_record files them. The slow second
 * step therefore happens once per mistake, however many threads make it. What is here only files them: an
 * observer that finds something of its own goes into races, faults, initialisation or counts.
 */
#pragma once

#include "base/say.h"
#include "check/check.h"
#include "ptx/provenance.h"

/* make CHECK_BOTH=1: whatever a fast way answers is asked the slow way too, and a difference is a BUG. */
#ifndef CHECK_BOTH
#define CHECK_BOTH 0
#endif

enum { CHECK_MAX_FINDINGS = 200, CHECK_MAX_LAUNCHES = 1000, CHECK_MAX_COPIES = 1000, CHECK_MAX_WRITERS = 64 };
/** Of all copies together: what a report has room for. */
enum { CHECK_MAX_ALL_WRITERS = 16384 };

/* ---- findings.c ---- */

typedef struct Findings Findings;

/** The first number of a key says who made it: what an observer adds to it stays below the next one's. */
enum {
    SEEN_FAULT = 0x100,
    SEEN_UNDEFINED = 0x200,
    SEEN_UNDEFINED_COPY, /**< no kernel stored what a copy reads */
    SEEN_UNDEFINED_HOLES,
    SEEN_OTHER_NATURE, /**< floats added to integers */
    SEEN_RACE = 0x300,
    SEEN_OVERTAKEN = SEEN_RACE + 0x80,
    SEEN_UNDER_WAY,
    SEEN_UNWATCHED = SEEN_RACE + 0x90,
    SEEN_SYNC = 0x400,
    SEEN_NOTE = 0x500,
    SEEN_TEXTURE = 0x600,
    SEEN_END = 0x700,
    SEEN_ASSERTION,
    SEEN_CHILD_REFUSED,
    SEEN_PRINTED,
    SEEN_DIVISION,
    SEEN_SHIFT,
    SEEN_DEVICE_HEAP = SEEN_END + 0x40,
    SEEN_OVERLAP = 0x800
};
/** True when the mistake `key` has been recorded: its count has been raised by `count`. */
bool check_seen(Check *check, uint64_t key, uint64_t count);
/** Files the finding under the key (0: none) and adds launch, kernel and mark of the moment where they are
 * missing. */
void check_record(Check *check, const CheckFinding *finding, uint64_t key);
/** The same, with the words of two texts. */
void check_tell(Check *check, CheckFinding *finding, uint64_t key, const Said *said);
/** One text, kept as long as the Check; NULL without memory. */
const char *check_said(Check *check, const SayStory *story, unsigned text, const void *facts);
/** The finding of that kind at that line, which an observer may add the second party to; NULL: none. */
CheckFinding *check_known(Check *check, FindingKind kind, const CheckPlace *place);
/** From now on the key stands for that finding. */
void check_know(Check *check, uint64_t key, CheckFinding *finding);
/** Memory has run out somewhere: the report says that findings may be missing. */
void check_incomplete(Check *check);
/** A key from up to three numbers. */
uint64_t check_key(uint64_t a, uint64_t b, uint64_t c);
Findings *findings_create(Arena *arena);
uint64_t findings_total(const Findings *findings);

/* ---- launches and copies, for the report (log.c) ---- */

typedef struct LoggedLaunch {
    uint32_t id;
    uint32_t parent; /**< the launch whose kernel launched it; 0: the host did */
    const char *mark, *kernel;
    const char *code_file; /**< that the kernel stands in */
    CheckPlace place;
    GpuDim grid, block;
    uint32_t dynamic_shared;
    uint32_t resident, occupancy; /**< as in GpuLaunchSpec */
    GpuStatus status;
    bool ended;
    bool races_watched; /**< from the first to the last access: nothing was left out for want of room */
    uint64_t thread_instructions;
    struct Counters *counters; /**< NULL: not counted */
} LoggedLaunch;

typedef struct LoggedWriter {
    uint64_t offset, bytes;
    uint64_t fingerprint; /**< of these bytes, as for copies */
    const char *kernel;   /**< NULL: the host, or nobody */
    CheckPlace place;
    bool unwritten, unknown; /**< by nobody; by whom is not known */
} LoggedWriter;

typedef struct LoggedCopy {
    const char *mark;
    const char *to; /**< "host", "device", "shared" (managed or mapped memory after a launch) */
    uint64_t bytes;
    uint64_t fingerprint; /**< of what was copied, to find it in answers and to compare runs with */
    CheckPlace place;
    LoggedWriter *writers;
    unsigned writer_count;
} LoggedCopy;

typedef struct Log {
    LoggedLaunch *launches;
    unsigned launch_count;
    uint64_t launches_total;
    LoggedCopy *copies;
    unsigned copy_count;
    uint64_t copies_total;
    unsigned writers_total;
} Log;

/* ---- the Check ---- */

typedef struct Initialisation Initialisation;
typedef struct Races Races;
typedef struct Notes Notes;
typedef struct Partings Partings;
typedef struct Lines Lines;
typedef struct Fidelity Fidelity;

enum { CHECK_KNOWN_NAMES = 1024 };

/** What a kernel called an allocation: the parameter that pointed to it. */
typedef struct KnownName {
    uint32_t allocation;
    unsigned element_bytes;
    uint64_t value;
    PtxNature nature;
    const char *name;
    const char *earlier;     /**< what kernels called it before, if that is another name; else NULL */
    const PtxLayout *layout; /**< of the last structure that a parameter pointed to it as */
    const char *kernel;      /**< mangled */
    const char *plain_kernel;
    unsigned parameter;
} KnownName;

/** A copy of a module's layout, which outlives the module. */
typedef struct KeptLayout {
    PtxLayout layout;
    struct KeptLayout *next;
} KeptLayout;

/** A kernel of a library that comes without its sources, and where the program called the library last. */
typedef struct LibraryCall {
    const PtxFunction *kernel;
    uint64_t site;
    CheckPlace place;
} LibraryCall;
enum { CHECK_LIBRARY_KERNELS = 64 };

enum { CHECK_KNOWN_SOURCES = 256 };

/** What the address of an access is made from. */
typedef struct KnownSources {
    uint32_t pc; /**< 0: none */
    Provenance sources;
} KnownSources;

struct Check {
    Gpu *gpu;
    CheckOptions options;
    Arena *arena;
    const char *mark;
    const char **interned;
    size_t interned_count, interned_capacity;
    Findings *findings;
    Log log;
    const GpuLaunch *launch;                   /**< the one that runs, NULL between launches */
    KnownName names[CHECK_KNOWN_NAMES];        /**< by allocation id */
    KnownSources sources[CHECK_KNOWN_SOURCES]; /**< by pc */
    KeptLayout *layouts;
    const char *last_file; /**< the source file of the last pc that was looked up */
    LibraryCall library[CHECK_LIBRARY_KERNELS];
    const LibraryCall *called; /**< the launch that runs is such a library's; NULL: the program's */
    Initialisation *initialisation;
    Races *races;
    Notes *notes;
    Partings *partings;
    Lines *lines;
    Fidelity *fidelity;
    uint64_t told;        /**< counts up with whatever is said, again or for the first time */
    uint64_t launch_told; /**< when the launch began */
    uint64_t notes_told;  /**< of what was said since then: notes at its end, which a repetition says again */
    uint64_t range_told;  /**< in a worker: when its range began */
};

/** The string, kept once for the life of the Check; "" for NULL or without memory. */
const char *check_intern(Check *check, const char *text);
/** The text with blanks for control characters: what a program chose, such as a file (#line) or the words of
 * an assertion, must not look like lines of ours. */
const char *check_one_line(Check *check, const char *text);

/* ---- places.c: where, who ---- */

/** Host side; line 0 when nobody knows. */
CheckPlace check_place_of_site(Check *check, uint64_t site);
CheckPlace check_place_of_launch(Check *check, const GpuLaunch *launch);
/** Where the memory comes from: host line, kernel line or the variable's declaration. */
CheckPlace check_place_of_allocation(Check *check, const GpuAllocation *allocation);
CheckPlace check_place_of_declaration(const Check *check, const PtxVariable *variable);
CheckParty check_party(Check *check, const GpuBlock *block, uint32_t linear_thread, uint32_t pc,
                       const char *what);
/** For a block that may have ended: from its linear index and that of the thread. */
CheckParty check_party_at(Check *check, const GpuLaunch *launch, uint64_t block, uint32_t thread, uint32_t pc,
                          const char *what);
GpuDim check_dim_of(uint64_t linear, GpuDim extent);
uint64_t check_dim_volume(GpuDim dim);
const char *check_kernel_name(const GpuLaunch *launch);

/* ---- arrays.c: what the memory is called in the source ---- */

/** Names global or constant memory: the kernel parameter that points into the allocation, or the variable. */
CheckArray check_array_global(Check *check, const GpuLaunch *launch, const GpuAllocation *allocation,
                              uint64_t address, unsigned access_bytes);
CheckElement check_element_of(const PtxVariable *variable);
/** What the elements of the allocation are, and where the first one lies. */
CheckElement check_element(Check *check, const GpuAllocation *allocation, uint64_t *start);
void check_remember_names(Check *check, const GpuLaunch *launch);
/** The same of what was copied on the device to memory that no kernel had so far. */
void check_remember_copy(Check *check, uint64_t to, uint64_t from);
/** The value of a parameter of up to 8 bytes; false when it is larger, or no whole number and no pointer. */
bool check_parameter_value(const GpuLaunch *launch, const PtxVariable *parameter, uint64_t *value);
/** The first integer parameter (4 bytes) with that value: the learner's n; NULL: none. */
const PtxVariable *check_parameter_count(const GpuLaunch *launch, uint64_t wanted);
/** The pointer-sized parameter whose value is the largest one not above the address, at most `span` below; or
 * NULL. */
const PtxVariable *check_parameter_pointing(const GpuLaunch *launch, uint64_t address, uint64_t span,
                                            uint64_t *value);
/** How many parameters hold a pointer into the memory. */
unsigned check_parameters_into(const GpuLaunch *launch, const GpuAllocation *allocation);

/* ---- libraries.c: whose code is it ---- */

/** A note that speaks of a library's lines alone. */
bool libraries_silence(const Check *check, const CheckFinding *finding);
/** Makes a note of an error of the launch that runs, when only the library's authors could mend it. */
void libraries_soften(Check *check, CheckFinding *finding);
/** Puts what is found in the code of CUB or Thrust at the line that called it. */
void libraries_name_call(Check *check, CheckFinding *finding);
/** Before a launch: whether a library without sources makes it, and where that was called. */
void libraries_launch(Check *check, const GpuLaunch *launch);
/** Where the program called the library whose code the place is in; the place itself when it is another's. */
CheckPlace libraries_place(const Check *check, const PtxFunction *kernel, CheckPlace place);
/** Says of an error in a library without sources what the program can mend. */
void libraries_advise(Check *check, CheckFinding *finding);
/** The launch is of a library's kernel, which was given one address of the allocation and no other. */
bool libraries_in_place(const Check *check, const GpuLaunch *launch, const GpuAllocation *allocation);

/* ---- causes.c: which finding is the mistake ---- */

/** Sets each finding's cause and puts causes first. */
void causes_settle(CheckFinding **list, unsigned count);

/* ---- overlaps.c: extern __shared__ arrays, all in one place ---- */

/** An extern __shared__ array that the kernel uses besides the one of that name; NULL: none. */
const PtxVariable *check_dynamic_other(const GpuLaunch *launch, const char *name);
/** Notes a kernel that uses several, once. */
void overlaps_tell(Check *check, const GpuLaunch *launch);

/* ---- words.c: what sentences are made of ---- */

/** "threads 0-15, 32": the linear threads of lane masks, one per warp */
void words_threads(Text *out, const uint32_t *masks, unsigned warps);
const char *words_access(GpuAccessKind kind);      /**< "reads", "writes", "atomically updates" */
const char *words_frees(void);                     /**< "frees" */
const char *words_access_noun(GpuAccessKind kind); /**< "read", "write", "atomic" */

/* ---- gather.c ---- */

/** The address of that access is made of a number that the thread has read, and of nothing else that differs
 * between threads. */
bool gather_chosen_by_data(const Check *check, uint32_t pc);
/** What the load reads is compared with what is the same in all threads, and the outcome decides whether the
 * other instruction, behind it, is done. */
bool gather_decides(const GpuPlace *load, const GpuPlace *later);
/** The atomic whose result the address of that access is made of, in the same way; NULL: none. */
const PtxInstruction *gather_counter(const Check *check, uint32_t pc);
/** The operand is made of constants and parameters alone, so that it is the same in all threads and rounds.
 */
bool gather_same_for_all(const PtxFunction *function, const PtxOperand *operand);
