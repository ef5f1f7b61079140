/* memsets.h - a byte that cudaMemset put into every byte, and that a kernel takes for a number of several
 * bytes.
 *
 * cudaMemset(d_f, 1, n * sizeof(float)) leaves 0x01010101 in each float, not 1. It shows when a kernel reads
 * an element that still is as the memset left it. Some bytes are set on purpose like that: 0, 0xff (-1, or a
 * NaN), and 0x3f, 0x7f, 0x80 (very large or small numbers).
 */
#pragma once

struct Device;
struct DeviceOperation;

/** The call that is being served sets bytes to this value: says so when it does not fit a byte. */
void memsets_asked(struct Device *device, int value);
/** A memset of single bytes is being done. */
void memsets_done(struct Device *device, const struct DeviceOperation *operation);
