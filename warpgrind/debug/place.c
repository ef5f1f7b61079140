/* place.c - see place.h. */
#include "debug/place.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int64_t at_axis(json_object *list, size_t i) {
    if (list != NULL) return json_object_get_int64(json_object_array_get_idx(list, i));
    return 0;
}

void place_add_dim(Text *out, json_object *list) {
    text_format(out, "(%" PRId64 ",%" PRId64 ",%" PRId64 ")", at_axis(list, 0), at_axis(list, 1),
                at_axis(list, 2));
}

/** "(3,0,0)", "3,1" or "3"; what stands behind it, or NULL. */
static char *read_dim(char *at, json_object *question, const char *name) {
    long numbers[3] = {0, 0, 0};
    while (*at == ' ' || *at == '(')
        at++;
    if (!isdigit((unsigned char)*at)) return NULL;
    for (unsigned i = 0; i < 3 && isdigit((unsigned char)*at); i++) {
        numbers[i] = strtol(at, &at, 10);
        while (*at == ' ' || *at == ',')
            at++;
    }
    if (*at == ')') at++;
    json_object *list = json_object_new_array();
    for (unsigned i = 0; i < 3; i++)
        json_object_array_add(list, json_object_new_int64(numbers[i]));
    json_object_object_add(question, name, list);
    return at;
}

bool place_read_limits(char *at, json_object *question) {
    while (at != NULL && *at != '\0') {
        while (*at == ' ')
            at++;
        if (*at == '\0') return true;
        if (text_starts_with(at, "if ")) {
            json_put_text(question, "condition", at + 3);
            return true;
        }
        if (text_starts_with(at, "block")) {
            at = read_dim(at + 5, question, "block");
        } else if (text_starts_with(at, "thread")) {
            at = read_dim(at + 6, question, "thread");
        } else if (text_starts_with(at, "hit ")) {
            const long hits = strtol(at + 4, &at, 10);
            if (hits < 1) return false;
            json_put_number(question, "hits", hits);
        } else {
            return false;
        }
    }
    return at != NULL;
}

int64_t place_linear(json_object *at, json_object *extent) {
    int64_t number = 0;
    for (size_t i = 3; i-- > 0;)
        number = number * at_axis(extent, i) + at_axis(at, i);
    return number;
}
