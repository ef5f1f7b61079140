/* check.h - the observers, and the findings they make.
 *
 * A Check attaches its observers to a Gpu and collects findings. Identical findings (kind, place, other
 * place, array) are one finding with a count. Findings about the host side come from the device process
 * through check_add. At the end the findings become a report: JSON for programs (schema warpgrind/report/v1,
 * docs/report-schema.md), text for people.
 */
#pragma once

#include "base/finding.h"
#include "base/json.h"
#include "gpu/gpu.h"

typedef struct Check Check;

/** A place in a source file; line 0: unknown. File and line come from debug information, which a program may
 * have forged; a host call's address in the program says whose code made it. */
typedef struct CheckPlace {
    const char *file;
    int line, column;
    uint64_t address; /**< of a call in the program's file; 0: none */
    bool library;     /**< of a call: Thrust or CUB made it, on behalf of this line */
    bool destructor;  /**< of a call: a destructor made it, */
    int caller;       /**< which ran at the end of this line of the same file; 0: not known */
} CheckPlace;

/** Turns a host call into a place; false when no line is known, and then only the place's address is set.
 * Given by the device process, which has the debug lines. */
typedef bool CheckHostPlace(void *self, uint64_t site, CheckPlace *place);

/** What is known of an array's elements. */
typedef struct CheckElement {
    unsigned bytes;          /**< 0: nothing */
    const PtxLayout *layout; /**< of a structure, else NULL */
    PtxNature nature;
    bool unpadded; /**< of a built-in type, though its size may be unknown */
} CheckElement;

/** What the kernel's parameter with that number points to, as the program's own debug information has it;
 * false when it does not say. `kernel` is a mangled name; the layout lives as long as `self`. */
typedef bool CheckHostElement(void *self, const char *kernel, unsigned parameter, CheckElement *element);

typedef struct CheckFinding CheckFinding;

/** Hears of each new finding when it is made; repetitions only raise its count. */
typedef void CheckFound(void *self, const CheckFinding *finding);

/** Memory with a pitch: `count` rows of `width` bytes, each beginning `pitch` bytes after the one before. */
typedef struct CheckRows {
    uint64_t start, width, pitch, count;
} CheckRows;

/** Whether the address lies in pitched memory, with padding or without. */
typedef bool CheckPitched(void *self, uint64_t address, CheckRows *rows);

typedef struct CheckOptions {
    bool memory, initialisation, races, synchronisation, counters, notes; /**< which observers are attached */
    bool lines;                                                           /**< counts per source line */
    bool stops;     /**< a launch that was stopped from outside says where it was: a judge tells of its time
                       itself */
    bool libraries; /**< what only the libraries' authors could mend is a note, or not told (libraries.c) */
    CheckHostPlace *host_place;
    CheckHostElement *host_element; /**< or NULL */
    void *host_place_self;          /**< of both */
    CheckPitched *rows;             /**< or NULL */
    void *rows_self;
    CheckFound *found;       /**< or NULL */
    CheckFound *found_again; /**< or NULL: hears of a finding each further time */
    void *found_self;
} CheckOptions;

/** Everything on, no host places. */
CheckOptions check_default_options(void);

/** Whether the Gpu must carry definedness: values from nowhere are uninitialised reads, or come from a
 * shuffle that reads from a lane which does not take part. */
static inline bool check_follows_values(const CheckOptions *options) {
    return options->initialisation || options->synchronisation;
}

/** Creates the observers and attaches them; the Gpu must outlive the Check. NULL without memory. */
Check *check_create(Gpu *gpu, const CheckOptions *options);
void check_destroy(Check *check);

/** The case or phase that later findings belong to ("" at first). */
void check_mark(Check *check, const char *mark);

/** One party of a finding. */
typedef struct CheckParty {
    CheckPlace place;
    const char *what; /**< "read", "write", "atomic", "wait", "free", ...; NULL */
    bool has_thread;
    GpuDim thread, block;
} CheckParty;

typedef struct CheckArray {
    const char *name;  /**< NULL: no array known */
    const char *space; /**< "shared", "global", "constant", "local" */
    int64_t index;     /**< in elements, may be negative or past the end */
    uint64_t length;   /**< elements */
    unsigned element_bytes;
    bool dynamic;         /**< shared memory whose size the launch gives */
    bool of_library;      /**< its elements are CUB's: the storage that a function of it works in */
    bool guessed;         /**< the element's size is that of the access: no type is known */
    CheckPlace declared;  /**< or where it was allocated */
    const char *given_to; /**< between launches: the kernel that an argument gave it to last; NULL: none */
} CheckArray;

/** How far apart the parties of a race are; when one is found again, the farthest pair is told. */
typedef enum CheckReach { CHECK_WITHIN_WARP, CHECK_BETWEEN_WARPS, CHECK_BETWEEN_BLOCKS } CheckReach;

/** What a finding has to do with a capture of a stream that came to nothing. */
typedef enum CheckCapture {
    CHECK_NO_CAPTURE,
    CHECK_CAPTURE_LOST,  /**< it is why */
    CHECK_CAPTURE_MISSED /**< the graph that it should have given is not there */
} CheckCapture;

enum { CHECK_ALSO = 8 };

struct CheckFinding {
    FindingKind kind;
    FindingSeverity severity;
    const char *kernel; /**< plain name, NULL: host side */
    uint32_t launch;    /**< id, 0: none */
    CheckReach reach;
    CheckParty party, other; /**< other.place.line == 0 and !other.has_thread: there is none */
    CheckArray array;
    const char *message;     /**< one sentence: what happened, with numbers */
    const char *explanation; /**< why it is wrong and what to change, in a learner's words */
    const char *mark;
    const char *who; /**< "on ranks 0 and 2", where several processes ran; NULL */
    uint64_t count;
    int also[CHECK_ALSO]; /**< more lines that the same cause shows at; 0: no more */
    const char *told;     /**< the message without them */
    bool index_at_fault;  /**< a race of threads that share an index, or a variable, which should have their
                             own */
    const char *sort;     /**< a name for those who ask for such findings (report-schema.md); NULL: none */
    bool of_shared;       /**< a value from nowhere was read in shared memory */
    bool in_place;        /**< a write over what another block read, which had told it so without a fence */
    CheckCapture capture;
    uint64_t in_default; /**< the call of a launch in the default stream, which the other stream does not wait
                            for; 0 */
    uint64_t work, other_work; /**< of two operations that nothing orders: which of all; 0 */
    uint32_t allocation;       /**< the memory that lacks a value, or that a short copy went to; 0 */
    bool of_library;           /**< would be an error, were it not all in a library's code */
    const CheckFinding
        *cause; /**< the finding that this one probably follows from, after check_settle; or NULL */
};

/** What the source calls the memory at an address in that space; `allocation` may be NULL. */
CheckArray check_array_at(Check *check, const GpuLaunch *launch, PtxSpace space, uint64_t address,
                          const GpuAllocation *allocation, unsigned access_bytes);
/** Where a kernel's instruction stands; of a library without sources, where the program called it. */
CheckPlace check_place_of_pc(Check *check, uint32_t pc);
/** Whether the instruction is a library's that comes without its sources. */
bool check_in_library(const Check *check, uint32_t pc);
static inline unsigned check_first_lane(uint32_t lanes) {
    if (lanes) return (unsigned)__builtin_ctz(lanes);
    return 0;
}
static inline unsigned check_lane_count(uint32_t lanes) {
    return (unsigned)__builtin_popcount(lanes);
}

/** Adds a copy of the finding or raises the count of an identical one. Strings are copied. */
void check_add(Check *check, const CheckFinding *finding);
/** Adds a copy behind the others, whatever it is: for findings that another Check has put in order. */
CheckFinding *check_append(Check *check, const CheckFinding *finding);
/** Puts causes first, and finds for each finding the one that it follows from: before a report is written. */
void check_settle(Check *check);
unsigned check_finding_count(const Check *check, FindingSeverity severity);
const CheckFinding *check_finding(const Check *check, unsigned index);

/** The program has ended: tells what can only be told then. */
void check_end(Check *check);

/** A launch that another Check has watched, whose findings are passed on: they name threads by as many
 * coordinates as it has dimensions. */
void check_add_launch(Check *check, uint32_t id, uint32_t parent, GpuDim grid, GpuDim block);

/** The report as JSON: caller puts it. `header` may hold members that the device process knows (program,
 * seed, exit status, api): they are taken over at the top. */
struct json_object *check_report_json(const Check *check, struct json_object *header);
/** The report for people: each finding with the source line when the file can be read, and what to do. */
void check_report_text(const Check *check, Text *out, bool colour, bool full);
/** `warpgrind explain KIND`. */
void check_explain(FindingKind kind, Text *out);
