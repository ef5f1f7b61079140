/* asked.h - functions of CUB that were only asked how many bytes of temporary storage they need.
 *
 * Without storage they do nothing else. A program that calls one twice in a row so, with one variable for the
 * number, and never with storage, has left out the allocation, or passes the pointer from before it: nothing
 * was computed. It is a note, as a program may want the numbers alone.
 */
#pragma once

#include "device/state/objects.h"

/** Such a function, by its whole name as the compiler writes it, was called. */
typedef struct AskedCall {
    const char *function;
    uint64_t storage, bytes_at; /**< the two arguments; bytes_at: the number's address */
    uint64_t site;
} AskedCall;
void asked_note(Device *device, const AskedCall *call);
/** At the end: what was asked twice, and not called since, becomes notes. */
void asked_report(Device *device);
