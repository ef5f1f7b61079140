/* meter.h - how far a grading is: one line that is drawn again and again, where somebody looks at a terminal.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/** How far a grading is, on a terminal. */
typedef struct Meter {
    bool shown; /**< stderr is a terminal */
    size_t all, done;
    double began, drawn; /**< seconds of child_now */
} Meter;

void meter_begin(Meter *meter, size_t all);
/** Draws it, not more often than the eye needs. */
void meter_show(Meter *meter, size_t done);
/** Takes the line away. */
void meter_end(Meter *meter);
/** "[#####.....]  150 of 300, 4.2 per second, 0:36 left", after `seconds` of work. */
void meter_line(Text *out, size_t done, size_t all, double seconds);
/** "1:05:07", "0:36" */
void meter_time(Text *out, double seconds);
