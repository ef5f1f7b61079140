/* calls.c - see calls.h. A call is mostly made again from where it was made last: the newest rows are looked
 * at first.
 */
#include "device/record/calls.h"
#include "device/state/names.h"

#include "device/state/state.h"

#include <string.h>

/** The row of this call, or a new one; NULL when there is no room for it. */
static struct CallsRow *find_row(Device *device) {
    Calls *calls = &device->calls;
    uint32_t function = device->serving.request->function;
    for (unsigned i = calls->row_count; i > 0; i--) {
        struct CallsRow *row = &calls->rows[i - 1];
        if (row->site == device->serving.site && row->function == function &&
            row->mark == device->program.mark)
            return row;
    }
    if (calls->row_count == CALLS_ROWS) return NULL;
    struct CallsRow *row = &calls->rows[calls->row_count++];
    *row =
        (struct CallsRow){.mark = device->program.mark, .site = device->serving.site, .function = function};
    return row;
}

void calls_count(Device *device) {
    device->calls.total++;
    struct CallsRow *row = find_row(device);
    if (row != NULL) row->count++;
}

uint64_t *calls_held(Device *device) {
    struct CallsRow *row = find_row(device);
    if (row != NULL) return &row->held;
    return NULL;
}

/** A row with its place in the source, which is worked out only now. */
static struct json_object *row_json(const Device *device, const struct CallsRow *row) {
    CheckPlace place = {.file = ""};
    symbols_place(device->symbols, row->site, &place);
    struct json_object *entry = json_object_new_object();
    json_put_text(entry, "mark", row->mark);
    json_put_text(entry, "function", names_function(row->function));
    json_put_number(entry, "count", (int64_t)row->count);
    if (row->held > 0) json_put_number(entry, "held", (int64_t)row->held);
    json_put_text(entry, "file", place.file);
    json_put_number(entry, "line", place.line);
    json_put_number(entry, "address", (int64_t)place.address);
    return entry;
}

struct json_object *calls_json(const Device *device) {
    struct json_object *list = json_object_new_array();
    for (unsigned i = 0; i < device->calls.row_count; i++)
        json_object_array_add(list, row_json(device, &device->calls.rows[i]));
    return list;
}
