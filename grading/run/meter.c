/* meter.c - the line of progress; see meter.h. */
#include "grading/run/meter.h"

#include "autograder/sandbox/child.h"

#include <stdio.h>
#include <unistd.h>

void meter_begin(Meter *meter, size_t all) {
    *meter = (Meter){.shown = isatty(STDERR_FILENO) == 1, .all = all, .began = child_now()};
}

void meter_time(Text *out, double seconds) {
    long all = seconds > 0 ? (long)(seconds + 0.5) : 0, hours = all / 3600;
    if (hours > 0)
        text_format(out, "%ld:%02ld:%02ld", hours, all / 60 % 60, all % 60);
    else
        text_format(out, "%ld:%02ld", all / 60, all % 60);
}

/* "[####......]  40 of 100, 2.5 per second, 24 s left" */
void meter_line(Text *out, size_t done, size_t all, double seconds) {
    enum { CELLS = 20 };
    size_t filled = CELLS;
    if (all > 0) filled = done * CELLS / all;
    text_add(out, "[");
    for (size_t i = 0; i < CELLS; i++)
        text_add(out, i < filled ? "#" : ".");
    text_add(out, "]  ");
    text_number(out, done);
    text_add(out, " of ");
    text_number(out, all);
    if (done == 0 || seconds <= 0) return;
    text_format(out, ", %.1f per second, ", (double)done / seconds);
    meter_time(out, (double)(all - done) * seconds / (double)done);
    text_add(out, " left");
}

void meter_show(Meter *meter, size_t done) {
    double now = child_now();
    if (!meter->shown || (now - meter->drawn < 0.1 && done < meter->all)) return;
    Text line = text_new();
    meter_line(&line, done, meter->all, now - meter->began);
    fprintf(stderr, "\r\033[K%s", line.bytes);
    text_free(&line);
    meter->drawn = now;
    meter->done = done;
}

void meter_end(Meter *meter) {
    if (meter->shown) fputs("\r\033[K", stderr);
}
