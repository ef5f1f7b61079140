/* say.c - puts facts into the places of a text; see say.h, and texts.awk for how texts are written.
 *
 * A text is read when it is said. That takes microseconds, and each finding is told once.
 */
#include "base/say.h"
#include "base/diag.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* ---- the types that all texts know ---- */

static bool flag_holds(const void *fact) {
    return *(const SayFlag *)fact;
}

static void add_flag(Text *out, const void *fact) {
    text_add(out, flag_holds(fact) ? "yes" : "no");
}

static void add_count(Text *out, const void *fact) {
    text_number(out, *(const SayCount *)fact);
}

static bool count_holds(const void *fact) {
    return *(const SayCount *)fact != 0;
}

static void add_number(Text *out, const void *fact) {
    text_format(out, "%" PRId64, *(const SayNumber *)fact);
}

static void add_setting(Text *out, const void *fact) {
    text_format(out, "%" PRIu64, *(const SaySetting *)fact);
}

static bool setting_holds(const void *fact) {
    return *(const SaySetting *)fact != 0;
}

static void add_amount(Text *out, const void *fact) {
    SayAmount amount = *(const SayAmount *)fact;
    if (amount < 0) text_add(out, "-");
    text_number(out, amount < 0 ? 0 - (uint64_t)amount : (uint64_t)amount);
}

static void add_hex(Text *out, const void *fact) {
    text_format(out, "0x%" PRIx64, *(const SayHex *)fact);
}

static void add_real(Text *out, const void *fact) {
    text_format(out, "%g", *(const SayReal *)fact);
}

static void add_name(Text *out, const void *fact) {
    text_add(out, *(const SayName *)fact);
}

static bool name_holds(const void *fact) {
    return *(const SayName *)fact != NULL;
}

const SayType say_flag = {add_flag, flag_holds}, say_count = {add_count, count_holds},
              say_number = {add_number, NULL}, say_setting = {add_setting, setting_holds},
              say_amount = {add_amount, NULL}, say_hex = {add_hex, NULL}, say_real = {add_real, NULL},
              say_name = {add_name, name_holds};

/* ---- places ---- */

typedef struct Telling {
    Text *out;
    const SayStory *story;
    const char *facts;
} Telling;

static bool is_named(const char *name, const char *at, size_t length) {
    return strlen(name) == length && memcmp(name, at, length) == 0;
}

static const SayPlace *place_named(const SayStory *story, const char *at, size_t length) {
    for (unsigned i = 0; i < story->place_count; i++)
        if (is_named(story->places[i].name, at, length)) return &story->places[i];
    BUG("%s has no place %.*s", story->name, (int)length, at);
}

static unsigned text_named(const SayStory *story, const char *at, size_t length) {
    for (unsigned i = 0; i < story->text_count; i++)
        if (is_named(story->texts[i].name, at, length)) return i;
    BUG("%s has no text %.*s", story->name, (int)length, at);
}

static bool is_true(const Telling *telling, const SayPlace *place) {
    return !place->type->holds || place->type->holds(telling->facts + place->offset);
}

/* "one_block !shared": each place of the condition is as it should be. */
static bool row_holds(const Telling *telling, const char *when) {
    for (size_t length; *when; when += length + strspn(when + length, " ")) {
        bool wanted = *when != '!';
        if (!wanted) when++;
        length = strcspn(when, " ");
        if (is_true(telling, place_named(telling->story, when, length)) != wanted) return false;
    }
    return true;
}

/* ---- sentences ---- */

/* The first of the marks outside of further braces; `end` when there is none. */
static const char *find_mark(const char *at, const char *end, char mark) {
    for (unsigned depth = 0; at < end; at++) {
        if (depth == 0 && *at == mark) return at;
        if (*at == '{') depth++;
        if (*at == '}') depth--;
    }
    return end;
}

static void tell(const Telling *telling, const char *at, const char *end);

/* What stands between braces: `name`, `name?then|else`, `count:one|many`, `count~one|many`, or another TEXT.
 */
static void tell_place(const Telling *telling, const char *at, const char *end) {
    size_t length = strcspn(at, "?:~}");
    const char *words = at + length + 1, *bar = find_mark(words, end, '|');
    if (isupper((unsigned char)*at)) {
        say(telling->out, telling->story, text_named(telling->story, at, length), telling->facts);
        return;
    }
    const SayPlace *place = place_named(telling->story, at, length);
    const void *fact = telling->facts + place->offset;
    bool chosen;
    if (at[length] == '?')
        chosen = is_true(telling, place);
    else
        chosen = place->type == &say_count && *(const SayCount *)fact == 1;
    if (at[length] == '}' || at[length] == ':') {
        if (place->type == &say_name && !is_true(telling, place))
            BUG("%s lacks %s", telling->story->name, place->name);
        place->type->add(telling->out, fact);
    }
    if (at[length] == ':') text_add(telling->out, " ");
    if (at[length] == '}') return;
    if (chosen)
        tell(telling, words, bar);
    else if (bar < end)
        tell(telling, bar + 1, end);
}

/* Words go out as they are, and what stands in braces is looked up. */
static void tell(const Telling *telling, const char *at, const char *end) {
    while (at < end) {
        const char *open = memchr(at, '{', (size_t)(end - at));
        if (!open) open = end;
        text_append(telling->out, at, (size_t)(open - at));
        if (open == end) return;
        const char *close = find_mark(open + 1, end, '}');
        if (open[1] == ' ')
            text_add(telling->out, " ");
        else
            tell_place(telling, open + 1, close);
        at = close + 1;
    }
}

void say(Text *out, const SayStory *story, unsigned text, const void *facts) {
    Telling telling = {.out = out, .story = story, .facts = facts};
    if (text == SAY_NOTHING) return;
    const SayText *said = &story->texts[text];
    for (unsigned i = 0; i < said->row_count; i++) {
        if (!row_holds(&telling, said->rows[i].when)) continue;
        tell(&telling, said->rows[i].text, said->rows[i].text + strlen(said->rows[i].text));
        return;
    }
}

const char *say_told(Arena *arena, const SayStory *story, unsigned text, const void *facts) {
    Text out = text_new();
    say(&out, story, text, facts);
    return arena_keep(arena, &out);
}

const char *say_plain(const SayStory *story, unsigned text) {
    const SayText *said = &story->texts[text];
    if (said->row_count != 1 || *said->rows[0].when || strchr(said->rows[0].text, '{'))
        BUG("%s of %s depends on facts", said->name, story->name);
    return said->rows[0].text;
}

void say_both(Text *message, Text *why, const Said *said) {
    say(message, said->story, said->message, said->facts);
    say(why, said->story, said->why, said->facts);
}
