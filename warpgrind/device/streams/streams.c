/* streams.c - see streams.h. */
#include "device/streams/streams.h"
#include "device/state/devices.h"
#include "device/state/state.h"
#include "device/watch/order.h"

/** The slot is the stream's place in clocks of order.h; streams past ORDER_STREAMS have none, and races
 * between them are not seen. */
DeviceStream *streams_add(Device *device, uint64_t handle, bool blocking) {
    DeviceStream *stream = DEVICE_NEW(device, DeviceStream);
    if (stream == NULL) return NULL;
    *stream = (DeviceStream){.handle = handle,
                             .blocking = blocking,
                             .number = device->objects.stream_count++,
                             .next = device->objects.streams};
    stream->slot = order_give_slot(device, stream);
    if (device->serving.request != NULL) stream->device = devices_current(device);
    device->objects.streams = stream;
    return stream;
}

DeviceStream *streams_add_hidden(Device *device) {
    return streams_add(device, STREAM_HIDDEN, false);
}

void streams_create(Device *device) {
    for (unsigned i = 0; i < devices_count(device); i++) {
        DeviceStream *legacy = streams_add(device, STREAM_LEGACY, false);
        DeviceStream *own = streams_add(device, STREAM_PER_THREAD, true);
        if (legacy == NULL || own == NULL) BUG("the first objects do not fit");
        legacy->device = own->device = i;
    }
    DeviceStream *builder = streams_add(device, STREAM_BUILDER, false);
    if (builder == NULL) BUG("the first objects do not fit");
}
