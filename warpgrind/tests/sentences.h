/* sentences.h - looks at every variant of every text of a layer by itself: it can be read, it is a sentence,
 * and it is not too long.
 *
 * A place is written as its name would be, so that only what the text itself says is looked at. That places
 * and texts are there is proven when the tables are made (base/texts.awk), and that code uses them by
 * tests/lint/texts.py.
 */
#pragma once

#include "base/say.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Characters: a message is one line of a terminal or two, an explanation a short paragraph. */
enum { MOST_MESSAGE = 300, MOST_WHY = 800 };

static const SayRow *first_row(const SayStory *story, const char *name, size_t length) {
    for (unsigned i = 0; i < story->text_count; i++)
        if (strlen(story->texts[i].name) == length && memcmp(story->texts[i].name, name, length) == 0)
            return &story->texts[i].rows[0];
    return NULL;
}

/* The longer side of what depends on a fact, the many of a number, the first variant of a further text. */
static void spell(Text *out, const SayStory *story, const char *at, const char *end) {
    for (; at < end; at++) {
        if (*at != '{') {
            text_append(out, at, 1);
            continue;
        }
        const char *inside = ++at, *bar = NULL;
        for (unsigned depth = 1; depth > 0; at += depth > 0) {
            depth += *at == '{';
            depth -= *at == '}';
            if (*at == '|' && depth == 1) bar = at;
        }
        size_t name = strcspn(inside, "?:~}");
        const SayRow *row = first_row(story, inside, name);
        const char *words = inside + name + 1;
        if (*inside == ' ')
            text_add(out, " ");
        else if (row)
            spell(out, story, row->text, row->text + strlen(row->text));
        else if (inside[name] == '}')
            text_append(out, inside, name);
        else {
            if (inside[name] == ':') text_add(out, "1,024 ");
            bool first = !bar || bar - words >= at - bar;
            spell(out, story, first ? words : bar + 1, first && bar ? bar : at);
        }
    }
}

static bool is_message(const SayText *text) {
    return text_ends_with(text->name, "MESSAGE");
}

static bool is_explanation(const SayText *text) {
    return text_ends_with(text->name, "WHY");
}

static const char *fault_of(const SayText *text, const Text *spelt) {
    static const char *const never[] = {"  ", " ,", " . ", " ;", ",,", "( ", " )", " the the ", " a a "};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (strstr(spelt->bytes, never[i])) return never[i];
    if (spelt->length == 0) return "nothing";
    if (is_message(text) && spelt->length > MOST_MESSAGE) return "too long";
    if (is_explanation(text) && spelt->length > MOST_WHY) return "too long";
    char last = spelt->bytes[spelt->length - 1];
    if (is_explanation(text) && !strchr(".?!;)", last)) return "no end";
    return is_message(text) && strchr(".,;", last) ? "a full stop" : NULL;
}

/* All variants of all sections, of which there are at least so many. */
static void assert_sentences(const SayStory *const *story, unsigned fewest) {
    unsigned variants = 0;
    for (; *story; story++)
        for (unsigned t = 0; t < (*story)->text_count; t++)
            for (unsigned r = 0; r < (*story)->texts[t].row_count; r++, variants++) {
                const SayText *text = &(*story)->texts[t];
                Text spelt;
                text_init(&spelt);
                spell(&spelt, *story, text->rows[r].text, text->rows[r].text + strlen(text->rows[r].text));
                const char *fault = fault_of(text, &spelt);
                if (fault) fail_msg("%s %s: \"%s\" in: %s", (*story)->name, text->name, fault, spelt.bytes);
                text_free(&spelt);
            }
    assert_true(variants >= fewest);
}
