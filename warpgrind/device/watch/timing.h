/* timing.h - times that are not those of the work: of a launch that nobody waited for, and
 * between events that no kernel is between, or that are given in the wrong order.
 */
#pragma once

struct Device;
struct DeviceEvent;
struct DeviceOperation;

void timing_launched(struct Device *device, const struct DeviceOperation *operation);
/** The program reads a clock: says so when nothing has waited for the last launch. */
void timing_clock_read(struct Device *device);
/** cudaEventElapsedTime: says so when the events are in the wrong order, or both on one side of the kernel;
 * and when kernels were launched between the two records, and the second event waited for none of them. */
void timing_measured(struct Device *device, const struct DeviceEvent *start, const struct DeviceEvent *end);
