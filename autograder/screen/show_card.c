/* show_card.c - what a real GPU made of the cases, below the software GPU's verdict or by itself; see show.h.
 */
#include "autograder/screen/show_parts.h"

#include "autograder/texts.h"
#include "base/json.h"

#include <stdio.h>
#include <string.h>

bool show_has_verdict(struct json_object *object, const char *verdict) {
    return strcmp(json_text(object, "verdict", ""), verdict) == 0;
}

/* "18.3 us", with three digits or four. */
static const char *duration(char out[32], double microseconds, const ShowStyle *style) {
    const bool longer = microseconds >= 1e4;
    double value = microseconds;
    if (longer) value = 1e-3 * microseconds;
    const char *unit = "us";
    if (style->unicode) unit = "µs";
    if (longer) unit = "ms";
    snprintf(out, 32, value < 100 ? "%.1f %s" : "%.0f %s", value, unit);
    return out;
}

/* The time of a case that is right; nothing where there is none, or where nothing was done that took any. */
static void add_time(struct json_object *entry, const ShowStyle *style, Text *line) {
    const double least_shown = 0.05;
    struct json_object *times = json_member(entry, "microseconds");
    if (times == NULL || json_real(times, "median", 0) < least_shown) return;
    char median[32], least[32], most[32], rate[32];
    const double speed = json_real(entry, "gigabytes_per_second", 0);
    snprintf(rate, sizeof rate, "%.1f GB/s", speed);
    text_add(line, ": ");
    say_card(line, CARD_RIGHT,
             &(CardFacts){.time = duration(median, json_real(times, "median", 0), style),
                          .least = duration(least, json_real(times, "least", 0), style),
                          .most = duration(most, json_real(times, "most", 0), style),
                          .rate = speed >= 0.1 ? rate : NULL});
}

/* What went wrong, or how long it took, of each case. */
static void show_case(struct json_object *entry, const ShowStyle *style, Text *out) {
    Text line = text_new();
    const char *message = json_text(entry, "message", "");
    text_add(&line, json_text(entry, "name", ""));
    if (show_has_verdict(entry, "pass"))
        add_time(entry, style, &line);
    else if (*message != '\0')
        text_format(&line, ": %s", message);
    show_words(line.bytes, line.length, show_mark(entry, style, out), "      ", style, out);
    text_free(&line);
}

/* ---- which of the two to believe ---- */

static bool has_wrong(struct json_object *result) {
    JSON_EACH(entry, json_array(result, "cases"))
        if (!show_has_verdict(entry, "pass") && !show_has_verdict(entry, "not-run")) return true;
    return false;
}

/* The first error among the findings; NULL. */
static struct json_object *first_error(struct json_object *result) {
    JSON_EACH(finding, json_array(result, "findings"))
        if (strcmp(json_text(finding, "severity", ""), "error") == 0) return finding;
    return NULL;
}

/* Where the software GPU and the card do not say the same, which of them is right and why. */
static void show_difference(struct json_object *result, struct json_object *card, const ShowStyle *style,
                            Text *out) {
    const bool wrong_here = has_wrong(card), wrong_there = has_wrong(result);
    struct json_object *error = first_error(result);
    long line = 0;
    if (error != NULL) line = json_number(error, "line", 0);
    Text said = text_new();
    const CardFacts facts = {
        .kind = error != NULL ? json_text(error, "kind", "") : NULL, .placed = line > 0, .line = line};
    if (wrong_here && !wrong_there && error == NULL)
        say_card(&said, CARD_ONLY_HERE, &facts);
    else if (!wrong_here && error != NULL)
        say_card(&said, CARD_LUCK, &facts);
    if (said.length > 0) {
        text_add(out, "\n");
        show_paragraph(said.bytes, "  ", style, out);
    }
    text_free(&said);
}

/* ---- the whole ---- */

static bool is_disturbed(struct json_object *card, const char *how) {
    JSON_EACH(entry, json_array(card, "disturbed"))
        if (strcmp(json_object_get_string(entry), how) == 0) return true;
    return false;
}

static void show_disturbance(struct json_object *card, const ShowStyle *style, Text *out) {
    if (json_length(json_array(card, "disturbed")) == 0) return;
    Text said = text_new();
    say_card(&said, CARD_DISTURBED,
             &(CardFacts){.busy = is_disturbed(card, "busy"),
                          .shared = is_disturbed(card, "shared"),
                          .throttled = is_disturbed(card, "throttled")});
    text_add(out, "\n");
    show_paragraph(said.bytes, "  ", style, out);
    text_free(&said);
}

/* Why nothing ran: what nvcc says of the file. Below a result of the software GPU it is new where that had no
 * compiler to ask. */
static void show_errors(struct json_object *card, const ShowStyle *style, Text *out) {
    enum { MOST = 5 };
    struct json_object *findings = json_array(card, "findings");
    for (size_t i = 0; i < json_length(findings) && i < MOST; i++) {
        struct json_object *finding = json_object_array_get_idx(findings, i);
        const long line = json_number(finding, "line", 0);
        Text said = text_new();
        say_card(&said, CARD_ERROR,
                 &(CardFacts){.kind = json_text(finding, "kind", ""),
                              .placed = line > 0,
                              .line = line,
                              .said = json_text(finding, "message", "")});
        show_paragraph(said.bytes, "  ", style, out);
        text_free(&said);
    }
}

static void show_card_cases(struct json_object *card, const ShowStyle *style, Text *out) {
    struct json_object *cases = json_array(card, "cases");
    if (show_nothing_ran(cases)) {
        show_errors(card, style, out);
        return;
    }
    JSON_EACH(entry, cases)
        show_case(entry, style, out);
    show_disturbance(card, style, out);
}

void show_card_alone(struct json_object *card, const ShowStyle *style, Text *out) {
    if (show_nothing_ran(json_array(card, "cases"))) return;
    show_card_cases(card, style, out);
    text_add(out, "\n");
    show_paragraph(plain_card(CARD_ANSWERS_ALONE), "  ", style, out);
}

void show_card(struct json_object *result, const ShowStyle *style, Text *out) {
    struct json_object *card = json_member(result, "card");
    if (card == NULL) return;
    const char *problem = json_text(card, "problem", "");
    const CardFacts facts = {.name = json_text(card, "device", ""),
                             .driver = json_text(card, "driver", NULL)};
    Text heading = text_new();
    if (*problem == '\0') {
        say_card(&heading, CARD_HEADING, &facts);
        show_toned(style, TONE_STRONG, heading.bytes, out);
        text_add(out, "\n");
        show_card_cases(card, style, out);
        show_difference(result, card, style, out);
    } else {
        say_card(&heading, CARD_NOT_RUN, &facts);
        show_toned(style, TONE_STRONG, heading.bytes, out);
        text_add(out, "\n");
        show_paragraph(problem, "  ", style, out);
        show_paragraph(json_text(card, "remedy", ""), "  ", style, out);
    }
    text_add(out, "\n");
    text_free(&heading);
}

/* ---- what a time is worth by the rules of a course ---- */

struct json_object *show_timed_case(struct json_object *card) {
    struct json_object *cases = json_array(card, "cases"), *longest = NULL;
    double most = 0;
    JSON_EACH(one, cases) {
        const double time = json_real(one, "solution_microseconds", 0);
        if (!(time > most)) continue;
        most = time;
        longest = one;
    }
    return longest;
}

bool show_has_time(struct json_object *timed) {
    return show_has_verdict(timed, "pass") && json_real(json_member(timed, "microseconds"), "median", 0) > 0;
}

const char *show_untimed(struct json_object *card, Arena *arena) {
    struct json_object *timed = show_timed_case(card);
    const CardFacts facts = {.absent = card == NULL,
                             .busy = is_disturbed(card, "busy"),
                             .shared = is_disturbed(card, "shared"),
                             .throttled = is_disturbed(card, "throttled"),
                             .said = json_text(card, "problem", NULL)};
    const bool is_disturbed_at_all = json_length(json_array(card, "disturbed")) > 0;
    const bool may_count =
        facts.said == NULL && !is_disturbed_at_all && timed != NULL && !show_has_verdict(timed, "not-run");
    if (may_count) return NULL;
    return told_card(arena, CARD_UNTIMED, &facts);
}

const char *show_timed(struct json_object *timed, double percent, Arena *arena) {
    const double solution = json_real(timed, "solution_microseconds", 0);
    const double own = json_real(json_member(timed, "microseconds"), "median", 0);
    char share[32], times[32], time[32], theirs[32];
    snprintf(share, sizeof share, "%g", percent);
    snprintf(times, sizeof times, "%.2f", own / solution);
    snprintf(time, sizeof time, "%.1f", own);
    snprintf(theirs, sizeof theirs, "%.1f", solution);
    return told_card(arena, CARD_TIMED,
                     &(CardFacts){.name = json_text(timed, "name", ""),
                                  .wrong = !show_has_time(timed),
                                  .most = share,
                                  .rate = times,
                                  .time = time,
                                  .least = theirs});
}

const char *show_time_item(void) {
    return plain_card(CARD_TIME_ITEM);
}

const char *show_time_author(void) {
    return plain_card(CARD_TIME_AUTHOR);
}
