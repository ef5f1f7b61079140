/* calls.h - how often the program called the functions that are COUNTED in cudart/api.def, and from where:
 * those that a lesson may want fewer of (allocations, calls in which the host waits for the device,
 * launches), and the one that gives a time.
 *
 * One row for each mark, function and place; what finds no room is counted in the total alone.
 */
#pragma once

#include <stdint.h>

struct Device;
struct json_object;

/** The request that is being served. */
void calls_count(struct Device *device);
/** Where copies are counted for which the host waits by that request alone, though that is not what it is
 * for; NULL: there is no room. */
uint64_t *calls_held(struct Device *device);
/** The rows; caller puts it. */
struct json_object *calls_json(const struct Device *device);
