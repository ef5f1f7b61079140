/* headers.c - the compiler's list of what it has read; see headers.h. */
#include "autograder/check/headers.h"

#include "base/headers.h"
#include "base/json.h"

#include <string.h>

/* A rule is words between blanks; a backslash before a line's end is one of them. Of a blank in a name, which
 * a library's headers have not, two wrong words would be left. */
void headers_read(Check *check, const char *rule) {
    enum { LARGEST_RULE = 4 << 20 };
    Text text = text_new();
    if (text_read_file(&text, rule, LARGEST_RULE))
        for (char *rest = NULL, *word = strtok_r(text.bytes, " \t\r\n", &rest); word != NULL;
             word = strtok_r(NULL, " \t\r\n", &rest)) {
            if (!headers_of_library(word)) continue;
            CheckHeader *header = ARENA_NEW(check->arena, CheckHeader);
            if (header == NULL) break;
            *header =
                (CheckHeader){.path = arena_copy(check->arena, word, strlen(word)), .next = check->headers};
            check->headers = header;
        }
    text_free(&text);
}

static bool was_read(const Check *check, const char *file) {
    const CheckHeader *header = check->headers;
    while (header != NULL && (header->path == NULL || strcmp(header->path, file) != 0))
        header = header->next;
    return header != NULL;
}

void headers_check_report(const Check *check, struct json_object *report) {
    JSON_EACH(launch, json_array(report, "launches")) {
        const char *file = json_text(launch, "code_file", "");
        if (headers_of_library(file) && !was_read(check, file)) json_object_object_del(launch, "code_file");
    }
}
