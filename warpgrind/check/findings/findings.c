/* findings.c - the findings made so far: identical ones are one with a count, errors stand before notes,
 * memory is bounded.
 *
 * Identical means the same kind, severity, place, other place and array. Besides, an observer may give a key
 * of its own (pc, other pc, ...): that one is looked up before any sentence is built. When the list is full,
 * an error takes the place of the last note.
 */
#include "check/findings/parts.h"
#include "check/texts.h"

#include <string.h>

enum { SEEN_SLOTS = 4096, SEEN_PROBES = 8 };

typedef struct SeenSlot {
    uint64_t key;          /**< 0: free */
    CheckFinding *finding; /**< NULL: dropped because the list was full */
} SeenSlot;

struct Findings {
    CheckFinding *list[CHECK_MAX_FINDINGS];
    unsigned count, errors;
    uint64_t total; /**< different findings, dropped ones included */
    SeenSlot seen[SEEN_SLOTS];
    bool incomplete;
    CheckFinding no_memory; /**< has its place here, since there may be none elsewhere */
};

Findings *findings_create(Arena *arena) {
    return ARENA_NEW(arena, Findings);
}

uint64_t findings_total(const Findings *findings) {
    return findings->total;
}

uint64_t check_key(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t key = a * UINT64_C(0x9E3779B97F4A7C15);
    key = (key ^ (key >> 29) ^ b) * UINT64_C(0xBF58476D1CE4E5B9);
    key = (key ^ (key >> 32) ^ c) * UINT64_C(0x94D049BB133111EB);
    key ^= key >> 31;
    if (key) return key;
    return 1;
}

static SeenSlot *seen_slot(Findings *findings, uint64_t key, bool add) {
    for (unsigned probe = 0; probe < SEEN_PROBES; probe++) {
        SeenSlot *slot = &findings->seen[(key + probe) % SEEN_SLOTS];
        if (slot->key == key) return slot;
        if (slot->key == 0) return add ? slot : NULL;
    }
    if (add) return &findings->seen[key % SEEN_SLOTS];
    return NULL;
}

/* One kernel of a library serves many calls, and each call is a mistake of its own. */
static uint64_t key_of_call(const Check *check, uint64_t key) {
    if (check->called && key) return check_key(key, check->called->site, 0);
    return key;
}

bool check_seen(Check *check, uint64_t key, uint64_t count) {
    check->told++;
    SeenSlot *slot = seen_slot(check->findings, key_of_call(check, key), false);
    if (!slot) return false;
    if (slot->finding) slot->finding->count += count;
    if (slot->finding && check->options.found_again)
        check->options.found_again(check->options.found_self, slot->finding);
    return true;
}

static bool same_place(const CheckPlace *a, const CheckPlace *b) {
    return a->line == b->line && a->column == b->column && text_same(a->file, b->file);
}

static bool same_line(const CheckPlace *a, const CheckPlace *b) {
    return a->line == b->line && text_same(a->file, b->file);
}

static bool is_race(FindingKind kind) {
    return kind == FINDING_SHARED_RACE || kind == FINDING_GLOBAL_RACE;
}

/* One line has many accesses: races are told apart by lines only. Findings without any place are told apart
 * by their words. */
static bool same_finding(const CheckFinding *a, const CheckFinding *b) {
    if (a->kind != b->kind || !text_same(a->array.name, b->array.name) || !text_same(a->kernel, b->kernel))
        return false;
    bool (*same)(const CheckPlace *, const CheckPlace *) = is_race(a->kind) ? same_line : same_place;
    if (!same(&a->party.place, &b->party.place) || !same(&a->other.place, &b->other.place)) return false;
    /* a note about a line that has the error of that kind says nothing new */
    if (a->severity != b->severity) return a->severity == FINDING_ERROR && is_race(a->kind);
    return a->party.place.line > 0 || text_same(a->message, b->message);
}

static const char *copy_text(Check *check, const char *text) {
    if (text) return arena_string(check->arena, text);
    return NULL;
}

/* The copy outlives the launch, so all its texts are the Check's own. Names and files are kept once,
 * messages each time. */
static CheckFinding *copy_finding(Check *check, const CheckFinding *from) {
    CheckFinding *to = ARENA_NEW(check->arena, CheckFinding);
    if (!to) return NULL;
    *to = *from;
    if (from->kernel)
        to->kernel = check_intern(check, from->kernel);
    else
        to->kernel = NULL;
    to->mark = check_intern(check, from->mark ? from->mark : check->mark);
    to->party.place.file = check_intern(check, from->party.place.file);
    to->other.place.file = check_intern(check, from->other.place.file);
    to->array.declared.file = check_intern(check, from->array.declared.file);
    if (from->party.what)
        to->party.what = check_intern(check, from->party.what);
    else
        to->party.what = NULL;
    if (from->other.what)
        to->other.what = check_intern(check, from->other.what);
    else
        to->other.what = NULL;
    if (from->array.name)
        to->array.name = check_intern(check, from->array.name);
    else
        to->array.name = NULL;
    if (from->array.space)
        to->array.space = check_intern(check, from->array.space);
    else
        to->array.space = NULL;
    to->array.given_to = from->array.given_to ? check_intern(check, from->array.given_to) : NULL;
    to->who = from->who ? copy_text(check, from->who) : NULL;
    const char *message = text_or(from->message, finding_info(from->kind)->title);
    to->message = copy_text(check, check_one_line(check, message));
    to->explanation = copy_text(check, text_or(from->explanation, ""));
    if (to->count == 0) to->count = 1;
    if (to->message && to->explanation) return to;
    return NULL;
}

static void forget_seen(Findings *findings, const CheckFinding *gone) {
    for (unsigned i = 0; i < SEEN_SLOTS; i++)
        if (findings->seen[i].finding == gone) findings->seen[i].finding = NULL;
}

/* Errors stay in front in the order of their time; false when there is no room. */
static bool insert_finding(Findings *findings, CheckFinding *finding) {
    bool error = finding->severity == FINDING_ERROR;
    if (findings->count == CHECK_MAX_FINDINGS) {
        if (!error || findings->errors == findings->count) return false;
        forget_seen(findings, findings->list[--findings->count]);
    }
    unsigned at = error ? findings->errors++ : findings->count;
    memmove(&findings->list[at + 1], &findings->list[at], (findings->count - at) * sizeof findings->list[0]);
    findings->list[at] = finding;
    findings->count++;
    return true;
}

/* A race is told by the parties that are farthest apart: what keeps two warps apart keeps two lanes apart,
 * too, but not the other way round. */
static void tell_farther(Check *check, CheckFinding *stored, const CheckFinding *finding) {
    if (!is_race(finding->kind) || finding->reach <= stored->reach || finding->severity != stored->severity)
        return;
    CheckFinding *copy = copy_finding(check, finding);
    if (!copy) return;
    copy->count = stored->count;
    copy->mark = stored->mark;
    *stored = *copy;
}

/* This note must not need memory: its place is in the list from the start, and its texts are constants. */
void check_incomplete(Check *check) {
    Findings *findings = check->findings;
    if (findings->incomplete) return;
    findings->incomplete = true;
    findings->no_memory = (CheckFinding){
        .kind = FINDING_LIMIT,
        .severity = FINDING_NOTE,
        .party.place.file = "",
        .other.place.file = "",
        .array.declared.file = "",
        .message = plain_exhausted(EXHAUSTED_MESSAGE),
        .explanation = plain_exhausted(EXHAUSTED_WHY),
        .mark = "",
        .count = 1,
    };
    findings->total++;
    (void)insert_finding(findings, &findings->no_memory);
}

/* ---- races in one warp that go from line to line ---- */

static bool has_line(const CheckFinding *finding, int line) {
    if (finding->party.place.line == line || finding->other.place.line == line) return true;
    for (unsigned i = 0; i < CHECK_ALSO; i++)
        if (finding->also[i] == line) return true;
    return false;
}

static bool same_warp_race(const CheckFinding *a, const CheckFinding *b) {
    return a->kind == b->kind && is_race(a->kind) && a->severity == b->severity &&
           a->reach == CHECK_WITHIN_WARP && b->reach == CHECK_WITHIN_WARP && a->other.place.line > 0 &&
           text_same(a->array.name, b->array.name) && text_same(a->kernel, b->kernel) &&
           text_same(a->party.place.file, b->party.place.file);
}

/* The lines in order, as a sentence's end: the message is made anew each time, from the one about the first
 * line. */
static void tell_also(Check *check, CheckFinding *stored) {
    Text lines;
    text_init(&lines);
    for (unsigned i = 0; i < CHECK_ALSO && stored->also[i]; i++) {
        bool last = i + 1 == CHECK_ALSO || !stored->also[i + 1];
        if (i > 0) text_add(&lines, last ? " and " : ", ");
        text_format(&lines, "%d", stored->also[i]);
    }
    const AlsoFacts facts = {.told = stored->told, .many = stored->also[1] != 0, .lines = lines.bytes};
    const char *message = check_said(check, &texts_also, ALSO_MESSAGE, &facts);
    if (message) stored->message = message;
    text_free(&lines);
}

static void add_line(CheckFinding *stored, int line) {
    if (has_line(stored, line) || stored->also[CHECK_ALSO - 1]) return;
    unsigned at = CHECK_ALSO - 1;
    for (; at > 0 && (!stored->also[at - 1] || stored->also[at - 1] > line); at--)
        stored->also[at] = stored->also[at - 1];
    stored->also[at] = line;
}

/* The steps of an unrolled tail without __syncwarp() race each with the next: one cause, one finding. */
static CheckFinding *join_steps(Check *check, const CheckFinding *finding) {
    for (unsigned i = 0; i < check->findings->count; i++) {
        CheckFinding *stored = check->findings->list[i];
        if (!same_warp_race(stored, finding)) continue;
        int line = finding->party.place.line, other = finding->other.place.line;
        if (!has_line(stored, line) && !has_line(stored, other)) continue;
        stored->count += finding->count ? finding->count : 1;
        if (has_line(stored, line) && has_line(stored, other)) return stored;
        if (!stored->told) stored->told = stored->message;
        add_line(stored, line);
        add_line(stored, other);
        tell_also(check, stored);
        return stored;
    }
    return NULL;
}

/* The same finding again raises a count; a race of the next line of one unrolled loop joins the first. Only
 * what is new is copied, and told to the device process. */
static CheckFinding *add_finding(Check *check, const CheckFinding *finding) {
    Findings *findings = check->findings;
    for (unsigned i = 0; i < findings->count; i++) {
        if (!same_finding(findings->list[i], finding)) continue;
        findings->list[i]->count += finding->count ? finding->count : 1;
        if (check->options.found_again)
            check->options.found_again(check->options.found_self, findings->list[i]);
        tell_farther(check, findings->list[i], finding);
        return findings->list[i];
    }
    CheckFinding *joined = join_steps(check, finding);
    if (joined) return joined;
    findings->total++;
    if (findings->count == CHECK_MAX_FINDINGS && finding->severity == FINDING_NOTE) return NULL;
    CheckFinding *copy = copy_finding(check, finding);
    if (!copy) check_incomplete(check);
    if (!copy || !insert_finding(findings, copy)) return NULL;
    if (check->options.found) check->options.found(check->options.found_self, copy);
    return copy;
}

/* That something was not watched is said to those, too, who asked for no notes. */
static bool unwanted(const Check *check, const CheckFinding *finding) {
    if (libraries_silence(check, finding)) return true;
    return finding->severity == FINDING_NOTE && !check->options.notes && finding->kind != FINDING_LIMIT;
}

void check_add(Check *check, const CheckFinding *finding) {
    check->told++;
    if (unwanted(check, finding)) return;
    (void)add_finding(check, finding);
}

static CheckFinding *complete_finding(Check *check, const CheckFinding *finding) {
    CheckFinding complete = *finding;
    libraries_soften(check, &complete);
    libraries_advise(check, &complete);
    if (unwanted(check, &complete)) return NULL;
    if (check->launch && complete.launch == 0) {
        complete.launch = check->launch->id;
        if (!complete.kernel) complete.kernel = check_kernel_name(check->launch);
    }
    libraries_name_call(check, &complete);
    return add_finding(check, &complete);
}

/* Of two extern __shared__ arrays the address does not say which one was meant, so both are named. */
static void name_both(Check *check, CheckFinding *finding) {
    if (!check->launch || !finding || !finding->array.dynamic || finding->told) return;
    const char *name = finding->array.name;
    const PtxVariable *other = check_dynamic_other(check->launch, name);
    if (!other) return;
    const OverlapFacts facts = {.told = finding->message, .one = name, .other = other->plain_name};
    const char *message = check_said(check, &texts_overlap, OVERLAP_ALSO, &facts);
    if (message) finding->message = message;
}

/* The key is kept even when the finding was not: whoever makes it again need not build its sentences again.
 */
void check_record(Check *check, const CheckFinding *finding, uint64_t key) {
    check->told++;
    uint64_t before = check->findings->total;
    CheckFinding *stored = complete_finding(check, finding);
    if (check->findings->total > before) name_both(check, stored);
    key = key_of_call(check, key);
    if (key) *seen_slot(check->findings, key, true) = (SeenSlot){key, stored};
}

const char *check_said(Check *check, const SayStory *story, unsigned text, const void *facts) {
    Text said;
    text_init(&said);
    say(&said, story, text, facts);
    const char *kept = NULL;
    if (!said.failed) kept = arena_string(check->arena, said.bytes);
    text_free(&said);
    return kept;
}

void check_tell(Check *check, CheckFinding *finding, uint64_t key, const Said *said) {
    Text message, why;
    text_init(&message);
    text_init(&why);
    say_both(&message, &why, said);
    finding->message = message.bytes;
    finding->explanation = why.bytes;
    check_record(check, finding, key);
    text_free(&message);
    text_free(&why);
}

CheckFinding *check_known(Check *check, FindingKind kind, const CheckPlace *place) {
    Findings *findings = check->findings;
    for (unsigned i = 0; i < findings->count && place->line > 0; i++)
        if (findings->list[i]->kind == kind && same_line(&findings->list[i]->party.place, place))
            return findings->list[i];
    return NULL;
}

void check_know(Check *check, uint64_t key, CheckFinding *finding) {
    key = key_of_call(check, key);
    *seen_slot(check->findings, key, true) = (SeenSlot){key, finding};
}

CheckFinding *check_append(Check *check, const CheckFinding *finding) {
    Findings *findings = check->findings;
    findings->total++;
    CheckFinding *copy = NULL;
    if (findings->count < CHECK_MAX_FINDINGS) copy = copy_finding(check, finding);
    if (!copy) return NULL;
    findings->list[findings->count++] = copy;
    if (copy->severity == FINDING_ERROR) findings->errors++;
    return copy;
}

void check_settle(Check *check) {
    causes_settle(check->findings->list, check->findings->count);
}

unsigned check_finding_count(const Check *check, FindingSeverity severity) {
    const Findings *findings = check->findings;
    if (severity == FINDING_ERROR) return findings->errors;
    return findings->count - findings->errors;
}

const CheckFinding *check_finding(const Check *check, unsigned index) {
    if (index < check->findings->count) return check->findings->list[index];
    return NULL;
}
