/* options.h - what the command line asks for: of the device process, and of the launcher that starts it. */
#pragma once

#include "base/picture.h"

#include <stdbool.h>
#include <stdint.h>

/** A launch that is to be smaller than the program asks for (reshape.h): no size becomes larger. */
typedef struct DeviceReshape {
    uint32_t launch; /**< its number; 0: none */
    uint32_t grid[3], block[3];
} DeviceReshape;

enum {
    DEBUG_LONGEST_QUESTION = 1 << 16
}; /**< bytes of a debugger's line; who sends more is taken for broken */

/** What the device process is asked for. */
typedef struct DeviceOptions {
    const char *program; /**< its file, or NULL */
    uint64_t seed, steps, memory_bytes;
    unsigned devices;       /**< virtual devices, 1 to DEVICE_MAX_DEVICES; 0: one */
    unsigned threads;       /**< host cores for one launch; 0: one */
    bool threads_given;     /**< they were asked for, and are no matter of the machine's size */
    bool tell_divided;      /**< the report says how many launches were divided */
    uint64_t divide_from;   /**< warp instructions that are worth dividing; 0: the machine's default */
    const char *checks;     /**< "all", "none", or a list */
    const char *card;       /**< one of cards_names; NULL: the default */
    bool lines;             /**< count per source line */
    bool discard_output;    /**< device-side printf is taken but not sent */
    bool judged;            /**< the program may lie about its end: nothing is left out for its sake */
    uint64_t process_bytes; /**< of addresses that this process may reserve besides device memory; 0: any */
    bool recheck;           /**< launches that repeat an earlier one are watched like any other */
    const char *withhold;   /**< "shared", "constant", "texture", "atomic", "exchange", "matrix",
                               "results", "copies", "library", "graph" (watch/withhold.h); NULL */
    bool early;             /**< streams work as soon as they may, instead of as late */
    int trace;              /**< open file for a trace; 0: none */
    bool picture;           /**< the report gets a picture of a launch: */
    PictureChoice pictured; /**< of this one */
    DeviceReshape reshape;
    int debug;             /**< open socket of a debugger (debug/debug.h); 0: none */
    unsigned trace_blocks; /**< of each launch, shown in it */
    int sent;              /**< open file for what the program sends (sent.h); 0: none */
} DeviceOptions;

/** Of all virtual devices together. */
static inline uint64_t options_memory(const DeviceOptions *options) {
    if (options->memory_bytes != 0) return options->memory_bytes;
    return UINT64_C(2) << 30;
}

/** What warpgrind was asked for. */
typedef struct LauncherOptions {
    DeviceOptions device;
    const char *report; /**< file for the JSON, or NULL */
    const char *colour;
    const char *sarif;    /**< file for the findings as SARIF, or NULL */
    const char *suppress; /**< file of findings to leave out, or NULL */
    const char *picture;  /**< file for the picture of a launch, or NULL */
    const char *trace;    /**< file for the trace, or NULL */
    char *const *argv;    /**< the program and its arguments */
    bool full;            /**< print every finding with all its lines, however many */
    bool annotate;        /**< print the sources with counts */
    unsigned explore;     /**< schedules to run the program under; 0: one, device.seed */
    bool smallest;        /**< look for the smallest run that shows each error */
    bool quiet;
    bool require_kernel; /**< that no kernel ran is exit status 1 */
} LauncherOptions;
