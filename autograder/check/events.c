/* events.c - lines of JSON on the standard output; see events.h. */
#include "autograder/check/events.h"

#include "autograder/check/hidden.h"
#include "base/json.h"

#include <string.h>
#include <unistd.h>

/* In one piece, so that no line can come between. Whoever asked for events and does not read them misses
 * them. */
static void tell(struct json_object *event) {
    Text line = text_new();
    text_add(&line,
             json_object_to_json_string_ext(event, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    text_add(&line, "\n");
    (void)text_write(STDOUT_FILENO, line.bytes, line.length);
    text_free(&line);
    json_object_put(event);
}

static struct json_object *make_event(const char *name) {
    struct json_object *event = json_object_new_object();
    json_put_text(event, "event", name);
    return event;
}

void events_tell_phase(const Check *check, const char *phase) {
    if (!check->events) return;
    struct json_object *event = make_event("phase");
    json_put_text(event, "phase", phase);
    tell(event);
}

void events_tell_case(const Check *check, unsigned index) {
    if (!check->events || hidden_case(check, index)) return;
    struct json_object *event = make_event("case");
    json_put_number(event, "index", index);
    json_put_text(event, "case", check->judge->cases[index].name);
    tell(event);
}
