/* picture.c - puts the data into the page; see picture.h. */
#include "base/picture.h"

#include "base/options.h"

#include <json-c/json.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
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

static void add_command(Text *out, const PictureCommand *again) {
    if (again == NULL || again->words == NULL) return;
    text_add(out, ",\"again\":{\"words\":");
    add_string(out, again->words);
    text_add(out, ",\"rest\":");
    add_string(out, text_or(again->rest, ""));
    text_format(out, ",\"variables\":%s}", again->variables ? "true" : "false");
}

/* ---- what is chosen ---- */

/* "3", "3,1" or "3,1,0": a block's index. Where it ends; NULL: that is none. */
static const char *read_block(const char *text, uint32_t block[3]) {
    memset(block, 0, 3 * sizeof *block);
    for (unsigned i = 0; i < 3; i++) {
        char *end;
        if (*text < '0' || *text > '9') return NULL;
        unsigned long number = strtoul(text, &end, 10);
        if (number > UINT32_MAX) return NULL;
        block[i] = (uint32_t)number;
        text = end;
        if (*text != ',' || i == 2) return text;
        text++;
    }
    return text;
}

unsigned picture_blocks(const char *text, uint32_t blocks[PICTURE_BLOCKS][3]) {
    for (unsigned count = 0; count < PICTURE_BLOCKS; text++) {
        text = read_block(text, blocks[count++]);
        if (text == NULL) return 0;
        if (*text == '\0') return count;
        if (*text != '+') return 0;
    }
    return 0;
}

bool picture_check_choice(const PictureChoice *choice, const char *prefix, Diagnostics *diagnostics) {
    long warp = choice->warp;
    if (warp == PICTURE_ALL_WARPS) warp = 0;
    const struct {
        const char *name;
        long value, least, most;
    } numbers[] = {
        {"launch", choice->launch, 0, LONG_MAX}, {"warp", warp, 0, 31}, {"from", choice->from, 0, LONG_MAX}};
    char name[48];
    bool fine = true;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        snprintf(name, sizeof name, "%s%s", prefix, numbers[i].name);
        fine &= options_check_range(name, numbers[i].value, numbers[i].least, numbers[i].most, diagnostics);
    }
    uint32_t blocks[PICTURE_BLOCKS][3];
    if (choice->blocks == NULL || picture_blocks(choice->blocks, blocks) > 0) return fine;
    diag_add(diagnostics, DIAG_ERROR, NULL, 0, 0,
             "--%sblock takes a block's index, such as 3 or 3,1, or up to %d of them, such as 3+9; not %s",
             prefix, PICTURE_BLOCKS, choice->blocks);
    return false;
}

/* ---- the page ---- */

/* The page is part of the program. The lines @DATA@ and @SOURCE@ give way to JSON that is escaped for a
 * script element. */
void picture_page(Text *out, const char *data, const char *name, const char *source,
                  const PictureCommand *again) {
    for (size_t i = 0; i < sizeof page_lines / sizeof *page_lines; i++) {
        if (strcmp(page_lines[i], "@DATA@\n") == 0) {
            add_data(out, data);
            text_add(out, "\n");
        } else if (strcmp(page_lines[i], "@SOURCE@\n") == 0) {
            text_add(out, "{\"name\":");
            add_string(out, name);
            text_add(out, ",\"text\":");
            add_string(out, text_or(source, ""));
            add_command(out, again);
            text_add(out, "}\n");
        } else {
            text_add(out, page_lines[i]);
        }
    }
}
