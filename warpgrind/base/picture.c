/* picture.c - puts the data into the page; see picture.h. */
#include "base/picture.h"

#include <json-c/json.h>
#include <string.h>

/* The lines of picture.html, made by the build. */
static const char *const page_lines[] = {
#include "picture_page.inc"
};

/* Inside of a script element, "<" could end it; in JSON it has another spelling. */
static void add_data(Text *out, const char *json) {
    for (; *json != '\0'; json++) {
        size_t length = strcspn(json, "<");
        text_append(out, json, length);
        json += length;
        if (*json == '\0') return;
        text_add(out, "\\u003c");
    }
}

static void add_string(Text *out, const char *string) {
    struct json_object *object = json_object_new_string(string);
    add_data(out,
             json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(object);
}

/* The page is part of the program. The lines @DATA@ and @SOURCE@ give way to JSON that is escaped for a
 * script element. */
void picture_page(Text *out, const char *data, const char *name, const char *source) {
    for (size_t i = 0; i < sizeof page_lines / sizeof *page_lines; i++) {
        if (strcmp(page_lines[i], "@DATA@\n") == 0) {
            add_data(out, data);
            text_add(out, "\n");
        } else if (strcmp(page_lines[i], "@SOURCE@\n") == 0) {
            text_add(out, "{\"name\":");
            add_string(out, name);
            text_add(out, ",\"text\":");
            add_string(out, source ? source : "");
            text_add(out, "}\n");
        } else {
            text_add(out, page_lines[i]);
        }
    }
}
