/* baseline.c - what was known before; see ci.h. A line of the file is a finding: its kind, the file and a
 * hash of the source line's text, since lines move when a program grows, the same of the second party where
 * there is one, and the kernel; what follows a # is for people. Of several equal lines each stands for one
 * finding. */
#include "device/ci/ci.h"

#include "base/growable.h"
#include "device/texts.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_SOURCE = 16 << 20, LARGEST_BASELINE = 16 << 20 };

/* FNV-1a over a line without its blanks. */
static uint64_t hash_line(const char *text, size_t length) {
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < length; i++)
        if (!isspace((unsigned char)text[i])) hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
    return hash;
}

/* The text at a finding's line; of a file that is not there, the number of the line. */
static uint64_t hash_place(const char *file, long line) {
    Text source = text_new();
    uint64_t hash = (uint64_t)line;
    if (*file != '\0' && text_read_file(&source, file, LARGEST_SOURCE)) {
        const char *at = source.bytes;
        for (long i = 1; i < line && at != NULL; i++)
            at = (at = strchr(at, '\n')) != NULL ? at + 1 : NULL;
        if (at != NULL) hash = hash_line(at, strcspn(at, "\n"));
    }
    text_free(&source);
    return hash;
}

static void add_place(Text *out, struct json_object *place) {
    const char *file = json_text(place, "file", "");
    text_format(out, "%s %016" PRIx64, *file ? file : "-",
                hash_place(json_text(place, "path", file), json_number(place, "line", 0)));
}

/* Which of two parties came first differs from run to run, so they stand in an order of their own. */
static void add_places(Text *out, struct json_object *finding) {
    struct json_object *other = json_member(finding, "other");
    Text one = text_new(), two = text_new();
    add_place(&one, finding);
    if (other != NULL) add_place(&two, other);
    bool turned = other != NULL && strcmp(one.bytes, two.bytes) > 0;
    text_format(out, " %s", turned ? two.bytes : one.bytes);
    if (other != NULL) text_format(out, " %s", turned ? one.bytes : two.bytes);
    text_free(&one);
    text_free(&two);
}

static void add_key(Text *out, struct json_object *finding) {
    const char *kernel = json_text(finding, "kernel", "");
    Text key = text_new();
    text_add(&key, json_text(finding, "kind", "?"));
    add_places(&key, finding);
    text_format(&key, " %s", *kernel ? kernel : "-");
    text_add_visible(out, key.bytes, key.length);
    text_free(&key);
}

bool ci_write_baseline(const CiRun *run, const char *path) {
    Text out = text_new();
    text_format(&out, "%s\n", plain_ci(CI_BASELINE_HEAD));
    JSON_EACH(finding, json_array(run->report, "findings")) {
        const char *message = json_text(finding, "message", "");
        add_key(&out, finding);
        text_format(&out, "  # line %ld: ", json_number(finding, "line", 0));
        text_add_visible(&out, message, strcspn(message, "\n"));
        text_add(&out, "\n");
    }
    bool written = !out.failed && text_write_file(path, out.bytes, out.length);
    text_free(&out);
    return written;
}

/* The keys of the file; taken away as findings are found to have them. */
static bool read_keys(Growable *keys, Arena *arena, const char *path, Diagnostics *diagnostics) {
    Text file = text_new();
    bool fine = text_read_file(&file, path, LARGEST_BASELINE);
    if (!fine) {
        advise(diag_add_errno(diagnostics, path, plain_ci(CI_NO_BASELINE)), plain_ci(CI_NO_BASELINE_REMEDY));
    }
    int number = 0;
    for (char *rest = file.bytes, *line; fine && (line = strsep(&rest, "\n")) != NULL;) {
        number++;
        char *end = strstr(line, "  #");
        if (end != NULL) *end = '\0';
        if (*line == '\0' || *line == '#') continue;
        const char **key = growable_add(keys);
        if (key != NULL) *key = arena_string(arena, line);
        if (strchr(line, ' ') == NULL)
            fine = diag_add(diagnostics, DIAG_ERROR, path, number, 1, "%s", plain_ci(CI_NO_LINE)) == NULL &&
                   false;
    }
    text_free(&file);
    return fine;
}

static bool take_key(Growable *keys, const char *wanted) {
    for (size_t i = 0; i < keys->count; i++) {
        const char **key = GROWABLE_AT(keys, const char *, i);
        if (*key == NULL || strcmp(*key, wanted) != 0) continue;
        *key = NULL;
        return true;
    }
    return false;
}

bool ci_read_baseline(CiRun *run, Arena *arena, const char *path, Diagnostics *diagnostics) {
    if (path == NULL) return true;
    Growable keys = GROWABLE(const char *);
    bool fine = read_keys(&keys, arena, path, diagnostics);
    struct json_object *findings = json_array(run->report, "findings");
    for (size_t i = 0; fine && i < json_length(findings); i++) {
        struct json_object *finding = json_object_array_get_idx(findings, i);
        Text key = text_new();
        add_key(&key, finding);
        if (take_key(&keys, key.bytes)) json_put_flag(finding, "known", true);
        text_free(&key);
    }
    growable_free(&keys);
    return fine;
}
