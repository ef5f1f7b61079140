/* exhausted.h - device memory that was asked for and is not there: told as what the rest follows from, when
 * the program went on without looking, or ended as one that failed. A program that tries how much there is,
 * and goes on with less, hears nothing.
 */
#pragma once

#include "device/state/state.h"

/** The call that is being served asked for so much and got nothing. The first one counts. */
void exhausted_note(Device *device, uint64_t bytes);
/** At the end, while it is still known which results nobody looked at. */
void exhausted_report(Device *device);
