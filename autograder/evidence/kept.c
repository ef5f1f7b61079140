/* kept.c - who wrote the copies that a driver made under the mark of kept memory, and the others; see kept.h.
 */
#include "autograder/evidence/kept.h"

#include "base/json.h"
#include "base/marks.h"

#include <stdio.h>
#include <string.h>

static bool is_kept(struct json_object *copy, unsigned case_index) {
    char mark[32];
    snprintf(mark, sizeof mark, "%02u" MARK_KEPT, case_index);
    return strcmp(json_text(copy, "mark", ""), mark) == 0;
}

static struct json_object *first_writer_of_kernels(struct json_object *copy) {
    JSON_EACH(writer, json_array(copy, "writers"))
        if (*json_text(writer, "kernel", "") != '\0') return writer;
    return NULL;
}

/* The first byte of kept memory that a kernel wrote, whatever its value. The driver copies kept memory under
 * a mark of its own, and the copies' writers say who wrote what. */
bool kept_find_trespass(const Check *check, const Schedule *schedule, unsigned case_index,
                        Trespass *trespass) {
    *trespass = (Trespass){0};
    JSON_EACH(copy, json_array(report_of_case(schedule, case_index), "copies")) {
        if (!is_kept(copy, case_index)) continue;
        struct json_object *writer = first_writer_of_kernels(copy);
        if (writer != NULL) {
            trespass->offset = (size_t)json_number(writer, "offset", 0);
            trespass->place = report_place_of(check, writer);
            return true;
        }
        trespass->copy++;
    }
    return false;
}

static bool is_made(struct json_object *copy) {
    long made = 0;
    JSON_EACH(writer, json_array(copy, "writers"))
        if (*json_text(writer, "kernel", "") != '\0') made += json_number(writer, "bytes", 0);
    return made == json_number(copy, "bytes", 0);
}

bool kept_rest_is_made(const Schedule *schedule, unsigned case_index) {
    JSON_EACH(copy, json_array(report_of_case(schedule, case_index), "copies")) {
        if (!report_is_of_case(copy, case_index) || strcmp(json_text(copy, "to", ""), "host") != 0) continue;
        if (!is_made(copy)) return false;
    }
    return true;
}
