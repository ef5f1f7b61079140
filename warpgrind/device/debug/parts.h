/* parts.h - what the files of a debugger share: what it waits for (stops.c), and how it answers (commands.c,
 * look.c). */
#ifndef DEVICE_DEBUG_PARTS_H
#define DEVICE_DEBUG_PARTS_H

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
    uint64_t wanted, hits; /**< it stops at that hit and later ones, */
    uint64_t since;        /**< of those from this step on */
    const char *watched;   /**< an expression: this is a watchpoint */
    bool armed;            /**< it has an address in the launch that runs */
    uint64_t address, bytes;
    const GpuWarp *warp; /**< whose local memory, or block's shared memory, it is in */
    unsigned lane;
    uint8_t was[WATCHED_BYTES];
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
    uint64_t step;                      /**< GO_step */
    uint32_t depth;                     /**< of the thread, when it went */
    int line;                           /**< seek: only at that line; 0: any */
    bool seeking;                       /**< nothing stops before `step`, */
    uint64_t match;                     /**< and this is the last step that would have; 0: none */
    uint64_t match_block, match_thread; /**< whom that was about */
} DebugAim;

struct Debug {
    struct Device *device;
    int socket;
    Arena *arena;            /**< of points */
    Text input;              /**< of the socket, not yet a line */
    const GpuLaunch *launch; /**< that runs; NULL: none */
    uint64_t step;           /**< instructions begun; the one that is about to be executed has this number */
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
    unsigned point;                 /**< that was hit, */
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
/** Where the watched thing lies now; false: nowhere. */
bool stops_arm(Debug *debug, DebugPoint *point);
/** Stops: tells why, and answers until told to go. */
void stops_here(Debug *debug, const char *reason);
void stops_attach(Debug *debug);
/** The thread's line, from where the lines that it steps to are counted. */
void stops_begin(Debug *debug);

/* look.c */
/** The warp of the thread that is looked at; NULL: it is not there. */
const GpuWarp *look_warp(const Debug *debug, unsigned *lane);
bool look_scene(const Debug *debug, Arena *arena, Scene *scene);
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

#endif
