/* wire.c - messages out of a stream of bytes; see wire.h. */
#include "serve/wire.h"

#include <string.h>

const char *const wire_types[TYPE_COUNT] = {
#define TYPE(name, ending, words) [TYPE_##name] = words,
#include "serve/types.def"
#undef TYPE
};

WireType wire_type_of(const char *path) {
    static const char *const endings[TYPE_COUNT] = {
#define TYPE(name, ending, words) [TYPE_##name] = ending,
#include "serve/types.def"
#undef TYPE
    };
    for (int i = TYPE_BYTES + 1; i < TYPE_COUNT; i++)
        if (text_ends_with(path, endings[i])) return (WireType)i;
    return TYPE_BYTES;
}

/* The head is copied, as it need not be aligned where it lies. */
WireTaken wire_take(Text *in, size_t *used, void *head, size_t size, size_t length_at, size_t most,
                    const char **body) {
    uint32_t length;
    const char *from = in->bytes + *used;
    size_t there = in->length - *used;
    if (there < size) return WIRE_PARTLY;
    memcpy(&length, from + length_at, sizeof length);
    if (length > most) return WIRE_WRONG;
    if (there < size + length) return WIRE_PARTLY;
    memcpy(head, from, size);
    *body = from + size;
    *used += size + length;
    return WIRE_TAKEN;
}

void wire_forget(Text *in, size_t *used) {
    if (*used == 0) return;
    memmove(in->bytes, in->bytes + *used, in->length - *used + 1);
    in->length -= *used;
    *used = 0;
}

bool wire_is_ended(const char *text, size_t room) {
    return memchr(text, '\0', room) != NULL;
}
