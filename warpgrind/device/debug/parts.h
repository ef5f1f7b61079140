/* parts.h - what the files of a debugger share: what it waits for (stops.c), and how it answers (commands.c,
 * look.c). */
#pragma once

#include "base/growable.h"
#include "base/json.h"
#include "device/debug/debug.h"
#include "device/debug/value.h"

typedef enum DebugGo {
#define DEBUG_GO(name, summary) GO_##name,
#include "device/debug/commands.def"
#undef DEBUG_GO
    GO_COUNT
} DebugGo;

enum { DEBUG_POINTS = 64, WATCHED_BYTES = 8 };

/** A breakpoint or a watchpoint. */
typedef struct DebugPoint {
    bool used;
    const char *file; /**< the end of its name; NULL: any */
    int line;         /**< 0: the beginning of a function, */
    const char *function;
    const char *condition; /**< NULL: none */
    bool has_block, has_thread;
    GpuDim block, thread;
    uint64_t wanted, hits;        /**< it stops at that hit and later ones, */
    uint64_t since;               /**< of those from this step on */
    const char *watched;          /**< an expression: this is a watchpoint */
    uint64_t of_block, of_thread; /**< who named it */
    bool placed;                  /**< the address is known from another run, */
    uint64_t address, bytes;
    PtxShown type;       /**< of a number; its size is 0 where it is none */
    uint32_t launch;     /**< and is that of this launch, unless it is in global memory */
    bool armed;          /**< it has a value */
    bool everywhere;     /**< it is in global memory */
    const GpuWarp *warp; /**< otherwise: whose local memory, or block's shared memory, it is in */
    unsigned lane;
    uint8_t was[WATCHED_BYTES], before[WATCHED_BYTES]; /**< its value, and the one before the last change */
    uint32_t writers;                                  /**< lanes that wrote to it last, */
    uint64_t written_at;                               /**< in that step's instruction */
} DebugPoint;

/** What is known of a pc. */
typedef struct DebugCode {
    bool known, library;
    const char *file;
    int line;
    uint64_t points; /**< breakpoints that stand there, a bit each */
} DebugCode;

/** Lines of a thread as it steps. */
typedef struct DebugLine {
    const char *file;
    int line; /**< 0: not known yet */
    uint32_t depth;
} DebugLine;

/** What ends a run. */
typedef struct DebugAim {
    DebugGo go;
    uint64_t step;   /**< GO_step: to there, */
    unsigned change; /**< and so many launches, findings and failed calls on */
    bool natural;    /**< a stop is there, whose reason is wanted; */
    bool arriving;   /**< it is due now */
    uint32_t depth;  /**< of the thread, when it went */
    int line;        /**< seek: only at that line; 0: any */
    bool seeking;    /**< nothing stops before that moment, */
    bool matched;    /**< and this is the last one that would have: */
    uint64_t match;
    unsigned match_change;
    uint64_t match_block, match_thread; /**< whom that was about; of GO_step: who is to be looked at */
} DebugAim;

struct Debug {
    struct Device *device;
    int socket;
    Arena *arena;            /**< of points */
    Text input;              /**< of the socket, not yet a line */
    const GpuLaunch *launch; /**< that runs; NULL: none */
    uint64_t step;           /**< instructions begun; the one that is about to be executed has this number */
    unsigned change;         /**< launches, findings and failed calls since then */
    uint64_t first_step;     /**< of the launch */
    GpuStepping now;         /**< the instruction; warp NULL: none is being executed */
    uint64_t block, thread;  /**< that is looked at, linear */
    DebugLine last;          /**< of that thread */
    DebugAim aim;
    DebugPoint points[DEBUG_POINTS];
    Growable codes; /**< DebugCode, by pc */
    bool findings, launches, errors;
    const char *kinds; /**< of findings, with commas between; NULL: all */
    const char *reason;
    Text message;                   /**< of the stop */
    json_object *about;             /**< the finding that it is about; NULL: none */
    unsigned highest_watch;         /**< points above it are no watchpoints */
    uint64_t changed;               /**< watchpoints, a bit each */
    unsigned point;                 /**< the breakpoint that was hit; 0: none; */
    uint64_t hit_block, hit_thread; /**< by whom */
    bool barrier;                   /**< the block has met; the next instruction stops */
    bool ended;
};

/* stops.c */
const DebugCode *stops_code(Debug *debug, uint32_t pc);
/** Breakpoints have changed: what is known of pcs is not any more. */
void stops_forget(Debug *debug);
/** The line that a breakpoint comes to lie on; 0: no code that is known stands there. */
int stops_line(Debug *debug, const DebugPoint *point);
/** Stops: tells why, and answers until told to go. */
void stops_here(Debug *debug, const char *reason);
void stops_attach(Debug *debug);
/** The thread's line, from where the lines that it steps to are counted. */
void stops_begin(Debug *debug);

/* watches.c */
/** Where the watched thing lies now, for the thread that named it; false: nowhere. */
bool watches_arm(Debug *debug, DebugPoint *point);
/** How its bytes are written in words. */
void watches_type(DebugPoint *point, PtxShownKind kind, const char *name);
/** Before each instruction: what had no place may have one now. */
void watches_begin_step(Debug *debug, const GpuStepping *step);
/** Before each instruction: what changed did so in the one before. A bit for each watchpoint. */
uint64_t watches_changed(Debug *debug, const GpuStepping *step);
/** Before an access takes effect: which lanes write to what is watched. */
void watches_note(Debug *debug, const GpuAccess *access);
/** The lanes of that instruction's warp that changed these: one at least. */
uint32_t watches_writers(const Debug *debug, uint64_t changed, const GpuStepping *writer);
/** The message of a stop at a change, which that instruction has made. */
void watches_say(Debug *debug, uint64_t changed, const GpuStepping *writer);
void watches_end_block(Debug *debug, const GpuBlock *block);

/* look.c */
/** The three numbers as a list. */
json_object *look_dim(GpuDim dim);
/** The warp of the thread that is looked at; NULL: it is not there. */
const GpuWarp *look_warp(const Debug *debug, unsigned *lane);
bool look_scene(const Debug *debug, Arena *arena, Scene *scene);
/** The same of another thread. */
bool look_scene_of(const Debug *debug, uint64_t block, uint64_t thread, Arena *arena, Scene *scene);
/** Adds launch, block, thread, file, line and function as far as they are known. */
void look_place(Debug *debug, json_object *out);
void look_frames(Debug *debug, json_object *out);
void look_locals(Debug *debug, unsigned frame, json_object *out);
/** False: `error` says why there is no value. */
bool look_print(Debug *debug, const char *expression, char format, unsigned frame, json_object *out,
                Text *error);
/** Which elements or members of what. */
typedef struct LookPart {
    const char *expression;
    char format;
    unsigned frame;
    uint64_t first, count;
} LookPart;
enum { LOOK_MOST_PARTS = 1024 };
/** As look_print, for the parts of the value. */
bool look_members(Debug *debug, const LookPart *part, json_object *out, Text *error);
void look_lanes(Debug *debug, const char *expression, json_object *out);
void look_blocks(Debug *debug, json_object *out);

/* commands.c */
/** Answers until a command lets the run go on; exits with the other end. */
void commands_answer(Debug *debug, const char *stopped);
/** Whether somebody asks to stop while the run goes. */
bool commands_asked(Debug *debug);
