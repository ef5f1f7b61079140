/* report.c - from the device's JSON to findings at the student's lines; see report.h. */
#include "autograder/evidence/report.h"

#include "autograder/check/hidden.h"
#include "autograder/check/source.h"
#include "autograder/texts.h"
#include "base/headers.h"
#include "base/json.h"
#include "base/marks.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPORT_SCHEMA "warpgrind/report/v1"

/* The case a mark means ("03", "03 first"), or -1. */
static long case_of_mark(const char *mark, unsigned count) {
    char *end;
    long index = strtol(mark, &end, 10);
    const bool ends = *end == '\0' || strcmp(end, MARK_FIRST_CALL) == 0;
    if (end != mark && ends && index >= 0 && index < (long)count) return index;
    return -1;
}

long report_case_of(struct json_object *entry) {
    return case_of_mark(json_text(entry, "mark", ""), UINT_MAX);
}

bool report_is_of_case(struct json_object *entry, unsigned case_index) {
    return report_case_of(entry) == (long)case_index;
}

bool report_is_of_call(struct json_object *entry, CaseCall of) {
    if (!report_is_of_case(entry, of.index)) return false;
    const bool first = text_ends_with(json_text(entry, "mark", ""), MARK_FIRST_CALL);
    return of.call == JUDGE_ONLY_CALL || first == (of.call == JUDGE_FIRST_CALL);
}

/* The report of the pair that ran this case. */
struct json_object *report_of_case(const Schedule *schedule, unsigned case_index) {
    for (unsigned i = 0; i < schedule->pair_count; i++) {
        const Pair *pair = &schedule->pairs[i];
        if (pair->first_case <= case_index && case_index <= pair->last_case) return pair->report;
    }
    return NULL;
}

/* A call's place has its address, and that decides whose it is: the file's name is what debug information
 * says.
 */
static bool is_drivers_call(const Check *check, struct json_object *entry) {
    return check_is_drivers(check, (uint64_t)json_number(entry, "address", 0));
}

Place report_place_of(const Check *check, struct json_object *entry) {
    if (entry == NULL || is_drivers_call(check, entry)) return (Place){0};
    if (!check_is_own_file(check, json_text(entry, "file", ""))) return (Place){0};
    return (Place){.line = (int)json_number(entry, "line", 0),
                   .column = (int)json_number(entry, "column", 0)};
}

/* ---- findings ---- */

static Place launch_by_id(const Check *check, struct json_object *report, long id) {
    struct json_object *launches = json_array(report, "launches");
    for (size_t i = 0; id > 0 && i < json_length(launches); i++) {
        struct json_object *launch = json_object_array_get_idx(launches, i);
        if (json_number(launch, "id", 0) == id) return report_place_of(check, launch);
    }
    return (Place){0};
}

/* Whether two marks are of one case, or of none and the same. */
static bool are_of_one_case(const char *mark, const char *other) {
    const long index = case_of_mark(mark, UINT_MAX);
    if (index >= 0) return case_of_mark(other, UINT_MAX) == index;
    return strcmp(mark, other) == 0;
}

static Place last_launch_of_mark(const Check *check, struct json_object *report, const char *mark) {
    struct json_object *launches = json_array(report, "launches");
    for (size_t i = json_length(launches); i > 0; i--) {
        struct json_object *launch = json_object_array_get_idx(launches, i - 1);
        if (!are_of_one_case(mark, json_text(launch, "mark", ""))) continue;
        Place place = report_place_of(check, launch);
        if (place.line > 0) return place;
    }
    return (Place){0};
}

static Place place_of_function(const Check *check) {
    Place place = {0};
    if (check->function != NULL)
        place.line = source_find_definition(check->submission->source.bytes, check->function);
    return place;
}

static Place place_of_finding(const Check *check, struct json_object *report, struct json_object *entry) {
    Place place = report_place_of(check, entry);
    if (place.line == 0) place = launch_by_id(check, report, json_number(entry, "launch", 0));
    if (place.line == 0) place = last_launch_of_mark(check, report, json_text(entry, "mark", ""));
    if (place.line == 0) place = place_of_function(check);
    return place;
}

/* What the driver sees has one cause, wherever the finding was placed for it. */
static Finding *find_same(const Result *result, FindingKind kind, int line, int other_line, bool in_driver) {
    for (Finding *finding = result->first; finding != NULL; finding = finding->next) {
        if (finding->kind != kind) continue;
        if (in_driver && finding->in_driver) return finding;
        bool same = finding->line == line && finding->other_line == other_line;
        bool swapped = finding->line == other_line && finding->other_line == line && other_line > 0;
        if (same || swapped) return finding;
    }
    return NULL;
}

static void fill_other(const Check *check, Finding *finding, struct json_object *other) {
    Place place = report_place_of(check, other);
    finding->other_line = place.line;
    finding->other_column = place.column;
    if (place.line > 0) finding->other_what = arena_string(check->arena, json_text(other, "what", ""));
}

static const char *text_copy(const Check *check, struct json_object *entry, const char *key) {
    const char *text = json_text(entry, key, "");
    if (*text) return arena_string(check->arena, text);
    return NULL;
}

/* The message with what begins with `mark`, and the number after it, replaced; NULL: it is not there. */
static const char *with_place_replaced(const Check *check, const char *message, const char *mark,
                                       const char *instead) {
    const char *found = NULL;
    if (message != NULL) found = strstr(message, mark);
    if (found == NULL) return NULL;
    const char *rest = found + strlen(mark);
    return arena_format(check->arena, "%.*s%s%s", (int)(found - message), message, instead,
                        rest + strspn(rest, "0123456789"));
}

/* "the memory allocated at line 109" helps nobody when that is a line of the lesson's program. */
static const char *without_driver_lines(const Check *check, struct json_object *entry, const char *message) {
    const char *file = json_text(json_member(entry, "array"), "file", "");
    if (*file == '\0' || check_is_own_file(check, file)) return message;
    const char *changed =
        with_place_replaced(check, message, "allocated at line ", "allocated by the lesson's program");
    if (changed != NULL) return changed;
    return message;
}

/* "the copy at driver.cu:35" and "allocated at driver.c:137" neither. */
static const char *without_driver_places(const Check *check, const char *message) {
    static const char *const marks[][2] = {{"allocated at driver.cu:", "allocated by the lesson's program"},
                                           {"allocated at driver.c:", "allocated by the lesson's program"},
                                           {"at driver.cu:", "in the lesson's program"},
                                           {"at driver.c:", "in the lesson's program"}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks && message != NULL; i++) {
        if (strcmp(check->submission->name, "driver.cu") == 0) continue;
        const char *changed = with_place_replaced(check, message, marks[i][0], marks[i][1]);
        if (changed != NULL) message = changed;
    }
    return message;
}

/* "launched at sum.cu:39" is in the learner's only file: "launched at line 39". */
static const char *without_own_name(const Check *check, const char *message) {
    const char *name = arena_format(check->arena, " at %s:", check->submission->name);
    const char *found = NULL;
    if (message != NULL && name != NULL) found = strstr(message, name);
    while (found != NULL) {
        message = arena_format(check->arena, "%.*s at line %s", (int)(found - message), message,
                               found + strlen(name));
        found = NULL;
        if (message != NULL) found = strstr(message, name);
    }
    return message;
}

/* "copies the memory allocated by the lesson's program to the host", said of that program itself. */
static const char *say_driver_copies(const Check *check, const char *message) {
    static const char own[] = "copies the memory allocated by the lesson's program";
    if (text_starts_with(message, own))
        return arena_format(check->arena, "the lesson's program copies an array of its own%s",
                            message + strlen(own));
    return arena_format(check->arena, "the lesson's program %s", message);
}

/* Messages of the device have no subject where a place shows it: the driver's place is not shown. */
static const char *message_of(const Check *check, struct json_object *entry, bool in_driver) {
    const char *message = without_driver_lines(check, entry, text_copy(check, entry, "message"));
    message = without_own_name(check, without_driver_places(check, message));
    const char *copied = NULL;
    if (in_driver)
        copied = with_place_replaced(check, message, "the copy at line ", "the copy in the lesson's program");
    if (copied != NULL) message = copied;
    if (message == NULL || !in_driver || !text_starts_with(message, "copies ")) return message;
    return say_driver_copies(check, message);
}

/* The device advises to allocate more where the bytes are no whole number of elements; the lesson's arrays
 * are not the learner's to allocate. */
static bool blames_lesson_array(const Finding *finding) {
    static const char *const parts[] = {"count bytes: multiply", "Multiply the number of elements",
                                        "llocate "};
    if (finding->kind != FINDING_OUT_OF_BOUNDS ||
        strstr(finding->message, "allocated by the lesson's program") == NULL)
        return false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(finding->explanation, parts[i]) != NULL) return true;
    return false;
}

/* An event of the learner's could not keep the lesson's program from copying. */
static bool blames_lesson_copy(const Finding *finding, struct json_object *entry) {
    return finding->kind == FINDING_MISSING_SYNC && finding->in_driver &&
           strcmp(json_text(json_member(entry, "other"), "what", ""), "write") == 0 &&
           text_starts_with(finding->explanation, "Work in different streams");
}

/* The case in which the device saw it, or -1. The mark is the program's word: a submission that gives another
 * case's mark, or none, must not get the words of a hidden case told as if they were of that one. */
static long case_of_finding(const Check *check, const Pair *pair, struct json_object *entry) {
    if (hidden_case(check, pair->first_case)) return (long)pair->first_case;
    return case_of_mark(json_text(entry, "mark", ""), check->judge->case_count);
}

/* A handle that is left takes hardly any memory, but giving it back may be what the lesson is about. */
static bool is_objective(const Check *check, FindingKind kind) {
    if (check->lesson == NULL) return false; /* as where a report is read by itself */
    const ObjectiveList *objectives = &check->lesson->manifest.objectives;
    for (size_t i = 0; i < objectives->count; i++)
        if (finding_by_name(objectives->items[i].check) == kind) return true;
    return false;
}

/* The kernel that the finding's line belongs to: a place of the host, a call's, is in none. Of a library's,
 * the types that it was made for tell a learner nothing. */
static const char *kernel_around(const Check *check, struct json_object *entry) {
    if (json_number(entry, "address", 0) != 0) return NULL;
    const char *kernel = text_copy(check, entry, "kernel");
    if (kernel == NULL || !headers_of_library(json_text(entry, "file", ""))) return kernel;
    return arena_copy(check->arena, kernel, strcspn(kernel, "<"));
}

/* The code of a library's header does what the call asks of it, and nobody mends it there: what is said of
 * guards, barriers and variables is not for the learner. What was freed, or never filled, is the program's.
 */
static bool is_of_library_code(const Finding *finding, struct json_object *entry) {
    if (!headers_of_library(json_text(entry, "file", ""))) return false;
    const char *space = json_text(json_member(entry, "array"), "space", "");
    const bool own = strcmp(space, "local") == 0 || strcmp(space, "shared") == 0;
    return finding->kind == FINDING_OUT_OF_BOUNDS || finding->kind == FINDING_GLOBAL_RACE ||
           finding->kind == FINDING_SHARED_RACE || (finding->kind == FINDING_UNINITIALIZED_READ && own);
}

/* Where the lesson's program or a library did it, the advice is on what they were given. */
static void advise_on_others_code(const Check *check, Finding *finding, struct json_object *entry) {
    if (blames_lesson_array(finding))
        finding_advise(finding, check->arena, said_origin(SAY_NOTHING, ORIGIN_LESSON_ARRAY_WHY, NULL));
    if (is_of_library_code(finding, entry))
        finding_advise(finding, check->arena, said_origin(SAY_NOTHING, ORIGIN_LIBRARY_CODE_WHY, NULL));
    if (blames_lesson_copy(finding, entry))
        finding_advise(finding, check->arena, said_origin(SAY_NOTHING, ORIGIN_LESSON_COPY_WHY, NULL));
}

static void fill_finding(const Check *check, const Pair *pair, Finding *finding, struct json_object *entry,
                         Place place) {
    const char *message = message_of(check, entry, finding->in_driver);
    const char *explanation = text_copy(check, entry, "explanation");
    long index = case_of_finding(check, pair, entry);
    bool note = strcmp(json_text(entry, "severity", "error"), "note") == 0;
    /* Where the software GPU could not watch, its silence proves nothing. */
    finding->blind = note && finding->kind == FINDING_LIMIT;
    bool left = finding->kind == FINDING_LEAK && is_objective(check, FINDING_LEAK);
    if (note && !finding->blind && !left)
        finding->severity = FINDING_NOTE;
    else
        finding->severity = FINDING_ERROR;
    finding->file = check->submission->path;
    finding->line = place.line;
    finding->column = place.column;
    finding->kernel = kernel_around(check, entry);
    if (message != NULL)
        finding->message = message;
    else
        finding->message = finding_info(finding->kind)->title;
    if (explanation != NULL)
        finding->explanation = explanation;
    else
        finding->explanation = "";
    if (index >= 0)
        finding->case_name = check->judge->cases[index].name;
    else
        finding->case_name = NULL;
    finding->count = json_number(entry, "count", 1);
    finding->sort = text_copy(check, entry, "sort");
    finding->leads = finding_is_sort(finding, "one-thread");
    fill_other(check, finding, json_member(entry, "other"));
    advise_on_others_code(check, finding, entry);
}

/* Whether it was seen in the case in which the program died, or in none. The cases before came to their end.
 */
static bool is_of_death(const Check *check, const Pair *pair, struct json_object *entry) {
    const long index = case_of_mark(json_text(entry, "mark", ""), check->judge->case_count);
    return !pair->well && (index < 0 || index == (long)pair->last_case);
}

/* Findings about calls of the driver itself follow from something the student's code did before, when that
 * has ended the program. The driver of a program that came to its end has seen no failure and freed
 * everything: what is still said of its calls then was done by others in its name. What it read too early in
 * a case before, it read as in any program. */
static bool follows_from_death(const Check *check, const Pair *pair, FindingKind kind,
                               struct json_object *entry) {
    if (pair->well) return false;
    if (kind == FINDING_MISSING_SYNC) return is_of_death(check, pair, entry);
    return kind == FINDING_API_MISUSE || kind == FINDING_UNCHECKED_ERROR || kind == FINDING_LEAK;
}

/* As finding_is_sort, of what the device's report says. */
static bool is_sort(struct json_object *entry, const char *sort) {
    return strcmp(json_text(entry, "sort", ""), sort) == 0;
}

/* What was still allocated or under way because the program died is no mistake of its own. */
static bool is_left_by_dead_program(const Check *check, const Pair *pair, FindingKind kind,
                                    struct json_object *entry) {
    const bool waiting = is_sort(entry, "unfinished");
    return (kind == FINDING_LEAK || waiting) && is_of_death(check, pair, entry);
}

/* A note on how fast a line is, which no objective hangs on. */
static bool is_note_on_speed(const Check *check, struct json_object *entry, FindingKind kind) {
    const bool note = strcmp(json_text(entry, "severity", "error"), "note") == 0;
    const bool speed = kind == FINDING_DIVERGENT_BRANCH || kind == FINDING_UNCOALESCED ||
                       kind == FINDING_BANK_CONFLICT || kind == FINDING_ATOMIC_CONTENTION ||
                       kind == FINDING_LOW_OCCUPANCY;
    return note && speed && !is_objective(check, kind);
}

/* How fast the code of a library's header runs is not the learner's to change. Debug information says whose
 * it is, and may be forged: what an error or an objective hangs on is kept. */
static bool is_note_on_library(const Check *check, struct json_object *entry, FindingKind kind) {
    return kind != FINDING_LOW_OCCUPANCY && is_note_on_speed(check, entry, kind) &&
           headers_are(json_text(entry, "file", ""));
}

static bool launches_kernel(struct json_object *report, const char *kernel) {
    JSON_EACH(launch, json_array(report, "launches"))
        if (strcmp(json_text(launch, "kernel", ""), kernel) == 0) return true;
    return false;
}

/* With a program for each case, a note on speed may be due to what one case is about: a grid of one thread
 * that the lesson asks for, data that are all alike. Of a kernel's speed the largest case speaks that may be
 * told, as it does in a program of all cases, which weighs most. */
static bool is_of_smaller_case(const Check *check, const Schedule *schedule, const Pair *pair,
                               struct json_object *entry) {
    const char *kernel = json_text(entry, "kernel", "");
    if (pair->first_case != pair->last_case || *kernel == '\0') return false;
    const long own = check->judge->cases[pair->first_case].n;
    for (unsigned i = 0; i < schedule->pair_count; i++) {
        const Pair *other = &schedule->pairs[i];
        const bool larger = check->judge->cases[other->first_case].n > own;
        if (larger && !hidden_case(check, other->first_case) && launches_kernel(other->report, kernel))
            return true;
    }
    return false;
}

/* Where a kernel is when its steps are used up differs from run to run. */
static Finding *find_out_of_steps(const Result *result, const Finding *told) {
    if (!finding_is_sort(told, "steps")) return NULL;
    for (Finding *finding = result->first; finding != NULL; finding = finding->next)
        if (finding_is_sort(finding, "steps") && finding->case_name == told->case_name) return finding;
    return NULL;
}

/* What is told in the same words of the same line, though the other party's line is another one. */
static Finding *find_told(const Result *result, const Finding *told) {
    for (Finding *finding = result->first; finding != NULL; finding = finding->next)
        if (finding->kind == told->kind && finding->line == told->line &&
            finding->severity == told->severity && strcmp(finding->message, told->message) == 0 &&
            strcmp(finding->explanation, told->explanation) == 0)
            return finding;
    return NULL;
}

/* What the entry became: a finding of the result, new or known; NULL when it was left out. */
static Finding *merge_entry(Check *check, const Schedule *schedule, const Pair *pair,
                            struct json_object *entry) {
    FindingKind kind = finding_by_name(json_text(entry, "kind", ""));
    if (kind == FINDING_KIND_COUNT || is_left_by_dead_program(check, pair, kind, entry)) return NULL;
    if (is_note_on_library(check, entry, kind)) return NULL;
    const bool leads = is_sort(entry, "one-thread");
    if (!leads && is_note_on_speed(check, entry, kind) && is_of_smaller_case(check, schedule, pair, entry))
        return NULL;
    bool in_driver = is_drivers_call(check, entry);
    if (in_driver && follows_from_death(check, pair, kind, entry)) return NULL;
    Place place = place_of_finding(check, pair->report, entry);
    int other_line = report_place_of(check, json_member(entry, "other")).line;
    Finding *same = find_same(check->result, kind, place.line, other_line, in_driver);
    Finding told = {.kind = kind, .in_driver = in_driver};
    if (same == NULL) {
        fill_finding(check, pair, &told, entry, place);
        same = find_told(check->result, &told);
        if (same == NULL) same = find_out_of_steps(check->result, &told);
    }
    if (same != NULL) {
        if (!hidden_case(check, pair->first_case)) same->count += json_number(entry, "count", 1);
        return same;
    }
    Finding *finding = result_add(check->result, check->arena, kind);
    if (finding != NULL) *finding = told;
    return finding;
}

/* Causes stand before what follows from them. What a hidden case shows says nothing about the findings of the
 * others, not even which follows from which. */
static void merge_findings(Check *check, const Schedule *schedule, const Pair *pair,
                           struct json_object *findings) {
    enum { MOST = 200 };
    const bool hidden = hidden_case(check, pair->first_case);
    Finding *merged[MOST] = {NULL};
    for (size_t i = 0; i < json_length(findings) && i < MOST; i++) {
        struct json_object *entry = json_object_array_get_idx(findings, i);
        merged[i] = merge_entry(check, schedule, pair, entry);
        long follows = json_number(entry, "follows", -1);
        if (merged[i] == NULL || follows < 0 || follows >= (long)i) continue;
        Finding *cause = merged[follows];
        if (hidden && !(hidden_finding(check, merged[i]) && cause != NULL && hidden_finding(check, cause)))
            continue;
        if (cause != NULL && cause != merged[i] && cause->cause == NULL) merged[i]->cause = cause;
    }
}

/* How a device ended that left no report; NULL. */
static const char *bounded_words(const Check *check, const Pair *pair) {
    const char *said = NULL;
    if (pair->device_said != NULL) said = arena_format(check->arena, "%.300s", pair->device_said);
    if (said != NULL && *said != '\0') return said;
    return NULL;
}

/* It does so each time, and another one works meanwhile. */
static void add_broken_device(Check *check, const Pair *pair) {
    Finding *finding = check_add(check, FINDING_LIMIT, place_of_function(check).line,
                                 SAID_DEVICE(BROKEN, .said = bounded_words(check, pair)));
    if (finding != NULL) finding->case_name = check->judge->cases[pair->last_case].name;
}

/* The program's messages are all that the device works on: when it dies of them, they are to blame. */
static void add_killed_device(Check *check, const Pair *pair) {
    Finding *finding = check_add(check, FINDING_CRASH, place_of_function(check).line,
                                 SAID_DEVICE(DIED, .signal = strsignal(pair->device_signal)));
    if (finding != NULL) finding->case_name = check->judge->cases[pair->last_case].name;
}

/* What the device reported of one program. A pair that was stopped has nothing to say; a device that died of
 * the program's messages is the program's fault, and so is one that each time ends without a report; any
 * other missing report is ours, and no verdict is given. */
static bool merge_pair(Check *check, const Schedule *schedule, const Pair *pair) {
    if (pair->report == NULL && pair->stopped) return true;
    if (pair->report == NULL && pair->device_signal != 0) {
        add_killed_device(check, pair);
        return true;
    }
    if (pair->report == NULL && schedule->breaks_device) {
        add_broken_device(check, pair);
        return true;
    }
    if (pair->report == NULL || strcmp(json_text(pair->report, "schema", ""), REPORT_SCHEMA) != 0) {
        return advise(diag_add(check->diagnostics, DIAG_ERROR, NULL, 0, 0, "%s",
                               TOLD_DEVICE(NO_REPORT, check->arena, .said = bounded_words(check, pair))),
                      plain_device(DEVICE_CHECK_AGAIN));
    }
    struct json_object *findings = json_array(pair->report, "findings");
    merge_findings(check, schedule, pair, findings);
    return true;
}

/* The pairs of a schedule that ran hidden cases, or the others. */
static bool merge_schedule(Check *check, const Schedule *schedule, bool hidden) {
    bool fine = true;
    for (unsigned i = 0; i < schedule->pair_count; i++)
        if (hidden_case(check, schedule->pairs[i].first_case) == hidden)
            fine = merge_pair(check, schedule, &schedule->pairs[i]) && fine;
    return fine;
}

/* What was found in a case that may be told is told of that one: hidden cases come last. */
bool report_merge(Check *check, const Schedule *schedules, unsigned count) {
    bool fine = true;
    for (unsigned i = 0; i < count; i++)
        fine = merge_schedule(check, &schedules[i], false) && fine;
    for (unsigned i = 0; i < count; i++)
        fine = merge_schedule(check, &schedules[i], true) && fine;
    return fine;
}

/* ---- who wrote an answer ---- */

struct json_object *report_copy_of_answer(struct json_object *report, unsigned case_index, size_t bytes) {
    struct json_object *copies = json_array(report, "copies"), *any = NULL;
    for (size_t i = json_length(copies); i > 0; i--) {
        struct json_object *copy = json_object_array_get_idx(copies, i - 1);
        if (!report_is_of_case(copy, case_index) || strcmp(json_text(copy, "to", ""), "host") != 0) continue;
        if (json_number(copy, "bytes", 0) == (long)bytes) return copy;
        if (any == NULL) any = copy;
    }
    return any;
}

/* The one copy to the host that brought too little. With several copies it is not known which was meant for
 * the answer. */
bool report_find_short_copy(const Check *check, const Schedule *schedule, unsigned case_index, size_t bytes,
                            size_t offset, Place *place, long *copied) {
    enum { ELEMENT_BYTES = 4 };
    struct json_object *report = report_of_case(schedule, case_index);
    struct json_object *copies = report != NULL ? json_array(report, "copies") : NULL, *found = NULL;
    JSON_EACH(copy, copies) {
        if (!report_is_of_case(copy, case_index) || strcmp(json_text(copy, "to", ""), "host") != 0) continue;
        if (found != NULL) return false;
        found = copy;
    }
    if (found == NULL) return false;
    *copied = json_number(found, "bytes", 0);
    *place = report_place_of(check, found);
    return *copied < (long)bytes && (long)offset + ELEMENT_BYTES > *copied;
}

static struct json_object *writer_at(struct json_object *copy, size_t offset) {
    JSON_EACH(writer, json_array(copy, "writers")) {
        long begin = json_number(writer, "offset", 0);
        if ((long)offset >= begin && (long)offset - begin < json_number(writer, "bytes", 0)) return writer;
    }
    return NULL;
}

Place report_find_launch(const Check *check, const Schedule *schedule, unsigned case_index) {
    struct json_object *report = report_of_case(schedule, case_index);
    char mark[16];
    snprintf(mark, sizeof mark, "%02u", case_index);
    Place place = report != NULL ? last_launch_of_mark(check, report, mark) : (Place){0};
    if (place.line > 0) return place;
    return place_of_function(check);
}

/* The launch that ran when the time was up. */
Place report_find_stopped(const Check *check, const Schedule *schedule, unsigned case_index) {
    struct json_object *report = report_of_case(schedule, case_index);
    struct json_object *launches = NULL;
    if (report != NULL) launches = json_array(report, "launches");
    JSON_EACH(launch, launches) {
        if (strcmp(json_text(launch, "status", ""), "stopped") != 0) continue;
        if (!report_is_of_case(launch, case_index)) continue;
        Place place = report_place_of(check, launch);
        place.kernel = text_copy(check, launch, "kernel");
        return place;
    }
    return (Place){0};
}

/* Where the element was last written, by the writers of the copy that brought the answer. When that copy is
 * not the answer's size its offsets mean nothing, and the first writer stands for all. */
Place report_find_writer(const Check *check, const Schedule *schedule, unsigned case_index, size_t bytes,
                         size_t offset) {
    struct json_object *report = report_of_case(schedule, case_index);
    struct json_object *copy = NULL;
    if (report != NULL) copy = report_copy_of_answer(report, case_index, bytes);
    bool whole = copy != NULL && json_number(copy, "bytes", 0) == (long)bytes;
    if (!whole) offset = 0;
    struct json_object *writer = NULL;
    if (copy != NULL) writer = writer_at(copy, offset);
    Place place = report_place_of(check, writer);
    if (place.line > 0) {
        place.kernel = text_copy(check, writer, "kernel");
    } else {
        place = report_find_launch(check, schedule, case_index);
        place.by_library = *json_text(writer, "kernel", "") != '\0';
    }
    place.of_another = !whole;
    return place;
}
