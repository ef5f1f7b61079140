/* origin.c - looks for copies in the answer by their fingerprints; see origin.h. */
#include "autograder/evidence/origin.h"
#include "base/minmax.h"

#include "autograder/check/source.h"
#include "autograder/evidence/evidence_parts.h"
#include "base/fingerprint.h"
#include "base/headers.h"
#include "base/json.h"

#include <string.h>

enum { WORD = sizeof(uint32_t) };

/* ---- counters ---- */

/* What the device's clock saw: of the whole case, where that is called twice, both calls together. */
typedef struct Span {
    bool known, whole;
    int64_t steps, overlap, in_default, streams;
} Span;

static Span span_of_call(struct json_object *report, CaseCall of) {
    Span all = {.whole = true};
    JSON_EACH(span, json_array(report, "timeline")) {
        if (!report_is_of_call(span, of)) continue;
        const int64_t streams = json_number(span, "launch_streams", 0);
        all.known = true;
        all.whole = all.whole && json_object_get_boolean(json_object_object_get(span, "whole"));
        all.steps += json_number(span, "steps", 0);
        all.overlap += json_number(span, "overlap", 0);
        all.in_default += json_number(span, "default_launches", 0);
        if (streams > all.streams) all.streams = streams;
    }
    return all;
}

int64_t origin_device_steps(const Schedule *schedule, CaseCall of) {
    struct json_object *report = report_of_case(schedule, of.index);
    const Span span = span_of_call(report, of);
    if (span.known && span.whole) return span.steps;
    return INT64_MAX;
}

/* Of kernels, while a copy from or to the host was running. */
static long overlapped_steps(struct json_object *report, CaseCall of) {
    const Span span = span_of_call(report, of);
    if (span.whole) return (long)span.overlap;
    return 0;
}

OriginStreams origin_streams(const Schedule *schedule, unsigned case_index) {
    const Span span = span_of_call(report_of_case(schedule, case_index), cases_whole(case_index));
    return (OriginStreams){.in_default = (long)span.in_default, .others = (long)span.streams};
}

/* Lines may be forged, by #line and by inline assembly (source_forges_lines); of a file without either, the
 * compiler says where a kernel stands, and what it has not read is no header (autograder/check/headers.h). */
static bool is_by_library(struct json_object *launch) {
    return headers_of_library(json_text(launch, "code_file", ""));
}

static long library_launches(struct json_object *report, CaseCall of) {
    long count = 0;
    JSON_EACH(launch, json_array(report, "launches"))
        count += report_is_of_call(launch, of) && is_by_library(launch);
    return count;
}

/* Whether a list of names, with spaces between, has this one. */
static bool is_among(const char *names, const char *name) {
    size_t length = strlen(name);
    for (const char *at = names; length > 0 && (at = strstr(at, name)) != NULL; at += length)
        if ((at == names || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
    return false;
}

/* The sum of a member of the calls of some functions, which the driver does not call. */
static long sum_over_calls(struct json_object *report, CaseCall of, const char *functions,
                           const char *member) {
    long count = 0;
    JSON_EACH(call, json_array(report, "calls"))
        if (report_is_of_call(call, of) && is_among(functions, json_text(call, "function", "")))
            count += json_number(call, member, 0);
    return count;
}

static long count_calls(struct json_object *report, CaseCall of, const char *functions) {
    return sum_over_calls(report, of, functions, "count");
}

/* Calls by which the host waits for streams. They are for nothing where it is cudaFree that waits for a copy
 * to the host, unless a host function may have told the program what it needs. */
static long count_waits(struct json_object *report, CaseCall of) {
    const bool told = count_calls(report, of, "cudaLaunchHostFunc cudaStreamAddCallback") > 0;
    if (!told && sum_over_calls(report, of, "cudaFree", "held") > 0) return 0;
    return count_calls(report, of, ORIGIN_WAITS);
}

/* Which launches are counted. */
typedef enum Whose { OF_ALL, OF_THE_LIBRARY } Whose;

static long sum_over_launches(struct json_object *report, CaseCall of, Whose whose, const char *name) {
    long sum = 0;
    JSON_EACH(launch, json_array(report, "launches"))
        if (report_is_of_call(launch, of) && (whose == OF_ALL || is_by_library(launch)))
            sum += json_number(json_member(launch, "counters"), name, 0);
    return sum;
}

#define OCCUPANCY                                                                                            \
    "cudaOccupancyMaxActiveBlocksPerMultiprocessor "                                                         \
    "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags cudaOccupancyAvailableDynamicSMemPerBlock"

static long sum_of_counter(struct json_object *report, CaseCall of, const char *name) {
    if (strcmp(name, "overlapped_steps") == 0) return overlapped_steps(report, of);
    if (strcmp(name, "library_launches") == 0) return library_launches(report, of);
    if (strcmp(name, "event_times") == 0) return count_calls(report, of, "cudaEventElapsedTime");
    if (strcmp(name, "graph_launches") == 0) return count_calls(report, of, "cudaGraphLaunch");
    if (strcmp(name, "occupancy_questions") == 0) return count_calls(report, of, OCCUPANCY);
    if (strcmp(name, "waits") == 0) return count_waits(report, of);
    return sum_over_launches(report, of, OF_ALL, name);
}

long origin_sum_of_counter(const Schedule *schedule, CaseCall of, const char *name) {
    struct json_object *report = report_of_case(schedule, of.index);
    if (report != NULL) return sum_of_counter(report, of, name);
    return 0;
}

/* The report's lists are bounded, the first entries stay: what happened behind their end nobody knows. Cases
 * before the one of the last entry are whole. */
static bool is_cut(struct json_object *report, unsigned case_index, const char *list, const char *total) {
    struct json_object *array = json_array(report, list);
    size_t length = json_length(array);
    if (json_number(report, total, 0) <= (long)length) return false;
    long last = 0;
    if (length > 0) last = report_case_of(json_object_array_get_idx(array, length - 1));
    return last <= (long)case_index;
}

bool origin_is_cut(const Schedule *schedule, unsigned case_index) {
    struct json_object *report = report_of_case(schedule, case_index);
    return report != NULL && (is_cut(report, case_index, "launches", "launches_total") ||
                              is_cut(report, case_index, "copies", "copies_total"));
}

/* The first thing of `must_use` of which the case's launches show no trace in either counter. */
const Use *origin_missing_use(const Check *check, const Schedule *schedule, unsigned case_index) {
    const TextList *wanted = &check->lesson->manifest.must_use;
    struct json_object *report = report_of_case(schedule, case_index);
    if (report == NULL) return NULL;
    for (size_t i = 0; i < wanted->count; i++) {
        const Use *use = uses_find(wanted->items[i]);
        if (use != NULL && sum_of_counter(report, cases_whole(case_index), use->counters[0]) == 0 &&
            sum_of_counter(report, cases_whole(case_index), use->counters[1]) == 0)
            return use;
    }
    return NULL;
}

/* ---- calls ---- */

/* Rows beyond the list may be the student's. */
static bool calls_are_cut(struct json_object *report) {
    struct json_object *calls = json_array(report, "calls");
    long listed = 0;
    JSON_EACH(call, calls)
        listed += json_number(call, "count", 0);
    return calls == NULL || json_number(report, "calls_total", 0) > listed;
}

/* The student's own calls of these functions: those whose return address does not lie in the lesson's code. A
 * list that was cut counts as endless, as what is missing cannot be in anybody's favour. */
OriginCalls origin_calls(const Check *check, const Schedule *schedule, CaseCall of, const char *functions) {
    struct json_object *report = report_of_case(schedule, of.index), *calls = json_array(report, "calls");
    OriginCalls found = {0};
    JSON_EACH(call, calls) {
        bool mine = report_is_of_call(call, of) && is_among(functions, json_text(call, "function", ""));
        if (!mine || check_is_drivers(check, (uint64_t)json_number(call, "address", 0))) continue;
        found.count += json_number(call, "count", 0);
        if (found.line == 0 && check_is_own_file(check, json_text(call, "file", "")))
            found.line = (int)json_number(call, "line", 0);
    }
    if (calls_are_cut(report)) found.count = INT64_MAX;
    return found;
}

/* ---- templates ---- */

/* The names of two instances of one template are the same up to the arguments. */
static bool are_instances(const char *name, const char *other) {
    size_t length = strcspn(name, "<");
    return name[length] == '<' && strcspn(other, "<") == length && other[length] == '<' &&
           strncmp(name, other, length) == 0;
}

static bool has_instance(const Schedule *schedule, unsigned case_index, const char *name) {
    JSON_EACH(launch, json_array(report_of_case(schedule, case_index), "launches"))
        if (report_is_of_case(launch, case_index) && are_instances(name, json_text(launch, "kernel", "")))
            return true;
    return false;
}

/* A kernel of the case that is no instance of what the other case launches; NULL. */
static const char *without_counterpart(const Schedule *schedule, unsigned case_index, unsigned other_index) {
    JSON_EACH(launch, json_array(report_of_case(schedule, case_index), "launches")) {
        const char *name = json_text(launch, "kernel", "");
        if (report_is_of_case(launch, case_index) && !has_instance(schedule, other_index, name)) return name;
    }
    return NULL;
}

bool origin_same_templates(const Schedule *schedule, unsigned case_index, unsigned other_index,
                           const char **name) {
    *name = without_counterpart(schedule, case_index, other_index);
    if (*name == NULL) *name = without_counterpart(schedule, other_index, case_index);
    return *name == NULL;
}

/* ---- an answer's words in what was copied ---- */

/* The words of an answer, and which of them are known to come from a kernel. */
typedef struct Words {
    size_t count;
    uint64_t *prefix; /* count + 1 fingerprints */
    bool *by_kernel;  /* one for each word */
    size_t missing;   /* words that are not by a kernel as far as is known */
} Words;

/* Fingerprints of all beginnings of the answer: with two of them the fingerprint of any stretch is known, so
 * that a copy is found in the answer without comparing its words. */
static bool words_begin(Words *words, Arena *arena, const float *answer, size_t bytes) {
    words->count = words->missing = bytes / WORD;
    words->prefix = ARENA_ARRAY(arena, words->count + 1, uint64_t);
    words->by_kernel = ARENA_ARRAY(arena, words->count + 1, bool);
    if (words->prefix == NULL || words->by_kernel == NULL) return false;
    for (size_t i = 0; i < words->count; i++) {
        uint32_t word;
        memcpy(&word, &answer[i], sizeof word);
        words->prefix[i + 1] = fingerprint_add(words->prefix[i], word);
    }
    return true;
}

static void mark_stretch(void *context, size_t first, size_t count) {
    Words *words = context;
    for (size_t i = first; i < first + count && i < words->count; i++) {
        words->missing -= !words->by_kernel[i];
        words->by_kernel[i] = true;
    }
}

static uint64_t power_of_base(size_t exponent) {
    uint64_t power = 1, square = FINGERPRINT_BASE;
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1) power = fingerprint_multiply(power, square);
        square = fingerprint_multiply(square, square);
    }
    return power;
}

/* Wherever in the answer these words stand. */
static void find_piece(Words *words, struct json_object *piece) {
    long bytes = json_number(piece, "bytes", 0);
    uint64_t print = (uint64_t)json_number(piece, "fingerprint", 0);
    if (bytes <= 0 || bytes % WORD != 0 || (size_t)bytes / WORD > words->count) return;
    size_t length = (size_t)bytes / WORD;
    uint64_t power = power_of_base(length);
    size_t marked = 0; /* words before this one are; many places are the same where all words are */
    for (size_t at = 0; at + length <= words->count; at++) {
        if (fingerprint_rest(words->prefix[at + length], words->prefix[at], power) != print) continue;
        const size_t first = MAX(at, marked);
        mark_stretch(words, first, at + length - first);
        marked = at + length;
    }
}

/* Pieces by kernels one by one; of a list that ends before the copy does, only the whole is known. */
static void find_copy(Words *words, struct json_object *copy) {
    long known = 0;
    bool any = false;
    JSON_EACH(writer, json_array(copy, "writers")) {
        known += json_number(writer, "bytes", 0);
        if (*json_text(writer, "kernel", "") == '\0') continue;
        any = true;
        find_piece(words, writer);
    }
    if (any && known < json_number(copy, "bytes", 0)) find_piece(words, copy);
}

/* Words of the answer that need no kernel: zeros, which a memset leaves, and inputs at a place of their own,
 * which a copy brings. (What the host sent is evidence.h's: here it can only have sent what it was given.)
 * An answer that is made of inputs alone is what the lesson is about, to be moved by kernels; a single number
 * is not. */
static size_t count_given(const Check *check, const Schedule *schedule, unsigned case_index, unsigned which,
                          const Words *words) {
    const uint32_t *answers[CHECK_SCHEDULES];
    for (unsigned i = 0; i < CHECK_SCHEDULES; i++) {
        const JudgeFiles *files = check->cases[i][case_index].files;
        if (which >= files->answer_count || files->answers[which].bytes / WORD != words->count) return 0;
        answers[i] = files->answers[which].data;
    }
    Known inputs = {.runs = GROWABLE(Run)};
    evidence_add_inputs(&inputs, check, case_index);
    size_t given = 0, missing = 0;
    for (size_t i = 0; i < words->count; i++) {
        const WordPair pair = {answers[0][i], answers[1][i]};
        const uint32_t own = schedule->number == 0 ? pair.a : pair.b;
        const bool is_given = own == 0 || evidence_is_known(&inputs, pair);
        given += is_given;
        missing += is_given && !words->by_kernel[i];
    }
    const bool failed = inputs.failed;
    evidence_forget(&inputs);
    if (failed || (given == words->count && given > 1)) return 0;
    return missing;
}

static bool kernels_left_something(struct json_object *report, unsigned case_index) {
    JSON_EACH(copy, json_array(report, "copies")) {
        if (!report_is_of_case(copy, case_index)) continue;
        JSON_EACH(writer, json_array(copy, "writers"))
            if (*json_text(writer, "kernel", "") != '\0') return true;
    }
    return false;
}

/* Where the host finishes a sum: kernels leave it something to add. Of one number there is nothing to add: it
 * is the sum, wherever it was copied from (evidence_adds_up asks whether it came back). */
static bool host_had_its_part(const Check *check, const Schedule *schedule, unsigned case_index) {
    const JudgeFiles *files = check->cases[schedule->number][case_index].files;
    Words words = {0};
    if (kernels_left_something(report_of_case(schedule, case_index), case_index)) return true;
    if (check->judge->cases[case_index].n != 1 || files->answer_count == 0) return false;
    const unsigned last = files->answer_count - 1;
    const JudgeAnswer *answer = &files->answers[last];
    return words_begin(&words, check->arena, answer->data, answer->bytes) &&
           count_given(check, schedule, case_index, last, &words) == 1;
}

/* How many words of one answer did not come back from the device, in some copy's stretches that kernels wrote
 * or one by one, and do need a kernel. */
static size_t words_of_others(const Check *check, const Schedule *schedule, unsigned case_index,
                              unsigned which) {
    struct json_object *report = report_of_case(schedule, case_index);
    const JudgeAnswer *answer = &check->cases[schedule->number][case_index].files->answers[which];
    struct json_object *copies = json_array(report, "copies");
    Words words = {0};
    if (!words_begin(&words, check->arena, answer->data, answer->bytes)) return answer->bytes / WORD;
    for (size_t i = 0; i < json_length(copies) && words.missing > 0; i++) {
        struct json_object *copy = json_object_array_get_idx(copies, i);
        if (report_is_of_case(copy, case_index)) find_copy(&words, copy);
    }
    if (words.missing > 0 && kernels_left_something(report, case_index)) {
        evidence_find_single(check, case_index, which, words.by_kernel, mark_stretch, &words);
        evidence_find_rounded(schedule, case_index, answer->data, words.count, mark_stretch, &words);
    }
    if (words.missing == 0) return 0;
    return words.missing - count_given(check, schedule, case_index, which, &words);
}

/* The same of all answers, which have `count` words. Of single words nothing is known where the runs were not
 * compared, since one of them was wrong: then only the largest answer is asked for. */
static size_t words_of_others_in_all(const Check *check, const Schedule *schedule, unsigned case_index,
                                     size_t *count) {
    const JudgeFiles *files = check->cases[schedule->number][case_index].files;
    size_t others = 0;
    *count = 0;
    if (files->answer_count == 0) return *count = 1;
    for (unsigned i = 0; i < files->answer_count; i++) {
        if (files->answers[i].data != files->answer && !evidence_knows_words(check, case_index, i)) continue;
        others += words_of_others(check, schedule, case_index, i);
        *count += files->answers[i].bytes / WORD;
    }
    return others;
}

/* ---- the rules ---- */

/* How many elements of the case's input a load can move, which moves 16 bytes at most: those of the smallest
 * type that the case has so many of. */
static long most_at_once(const Check *check, unsigned case_index) {
    enum { LOAD_BYTES = 16 };
    const size_t elements = (size_t)check->judge->cases[case_index].n;
    size_t least = sizeof(float);
    const CaseInput *input = check->cases[0][case_index].files->first;
    for (; input != NULL; input = input->next)
        if (input->array.count >= elements && npy_type_bytes(input->array.type) < least)
            least = npy_type_bytes(input->array.type);
    return LOAD_BYTES / (long)least;
}

/* How many elements kernels can have read; a request is one of a whole warp. */
static long most_read(const Check *check, const Schedule *schedule, unsigned case_index, Whose whose) {
    enum { WARP = 32 };
    struct json_object *report = report_of_case(schedule, case_index);
    long requests = sum_over_launches(report, cases_whole(case_index), whose, "constant_requests") +
                    sum_over_launches(report, cases_whole(case_index), whose, "texture_requests");
    long reads = sum_over_launches(report, cases_whole(case_index), whose, "global_reads") +
                 sum_over_launches(report, cases_whole(case_index), whose, "atomic_operations");
    return most_at_once(check, case_index) * (reads + WARP * requests);
}

static bool is_copied_to_host(struct json_object *report, unsigned case_index) {
    JSON_EACH(copy, json_array(report, "copies"))
        if (report_is_of_case(copy, case_index) && strcmp(json_text(copy, "to", ""), "host") == 0)
            return true;
    return false;
}

/* Memory that both sides use needs no copy. */
#define SHARED_MEMORY "cudaMallocManaged cudaHostAlloc cudaMallocHost cudaHostRegister"

bool origin_never_copied_back(const Schedule *schedule, unsigned case_index) {
    struct json_object *report = report_of_case(schedule, case_index);
    if (report == NULL || origin_is_cut(schedule, case_index)) return false;
    if (count_calls(report, cases_whole(case_index), SHARED_MEMORY) > 0) return false;
    return sum_of_counter(report, cases_whole(case_index), "global_writes") > 0 &&
           !is_copied_to_host(report, case_index);
}

/* A list that ends before the copy does, or is not there, leaves the rest open; so does a writer that is not
 * known. */
static bool is_traced(struct json_object *copy) {
    long known = 0;
    JSON_EACH(writer, json_array(copy, "writers"))
        if (strcmp(json_text(writer, "what", ""), "unknown") != 0) known += json_number(writer, "bytes", 0);
    return known >= json_number(copy, "bytes", 0);
}

bool origin_is_untraced(const Schedule *schedule, unsigned case_index) {
    JSON_EACH(copy, json_array(report_of_case(schedule, case_index), "copies"))
        if (report_is_of_case(copy, case_index) && !is_traced(copy)) return true;
    return false;
}

/* What no kernel wrote says more than what no kernel read. An input may also come as a parameter. */
OriginLack origin_lack(const Check *check, const Schedule *schedule, unsigned case_index, long *missing) {
    const long elements = check->judge->cases[case_index].n;
    size_t count = 1, others = 1;
    if (check->lesson->manifest.host_finishes)
        others = !host_had_its_part(check, schedule, case_index);
    else
        others = words_of_others_in_all(check, schedule, case_index, &count);
    *missing = (long)others;
    if (others > 0 && origin_is_untraced(schedule, case_index)) return ORIGIN_UNTRACED;
    if (others == count && count > 0) return ORIGIN_BY_NOBODY;
    if (others > 0) return ORIGIN_BY_OTHERS;
    if (check->lesson->manifest.reads_nothing || elements <= 1) return ORIGIN_MADE;
    const long read = most_read(check, schedule, case_index, OF_ALL);
    if (read >= elements) return ORIGIN_MADE;
    if (read + evidence_totals(schedule, cases_whole(case_index)).parameter_bytes / WORD >= elements)
        return ORIGIN_MADE;
    if (read > 0) return ORIGIN_HARDLY_READ;
    return ORIGIN_UNREAD;
}

/* ---- the library's part ---- */

static bool is_kernel_of_library(struct json_object *report, unsigned case_index, const char *kernel) {
    JSON_EACH(launch, json_array(report, "launches")) {
        if (report_is_of_case(launch, case_index) && is_by_library(launch) &&
            strcmp(json_text(launch, "kernel", ""), kernel) == 0)
            return true;
    }
    return false;
}

/* Of all kernels whose words the answer's copy brought, none is the learner's. What one of the learner's
 * kernels added to may have been set to zero by the library before. */
static bool library_wrote(struct json_object *report, unsigned case_index, size_t bytes) {
    struct json_object *copy = report_copy_of_answer(report, case_index, bytes);
    bool any = false;
    JSON_EACH(writer, json_array(copy, "writers")) {
        const char *kernel = json_text(writer, "kernel", "");
        if (*kernel == '\0') continue;
        if (!is_kernel_of_library(report, case_index, kernel)) return false;
        any = true;
    }
    return any;
}

/* A kernel of the learner's may copy what one of the library has made: so it counts as well what those read.
 * One that fills a vector reads nothing. */
bool origin_is_library(const Check *check, const Schedule *schedule, unsigned case_index) {
    static const char own[] = "library";
    const TextList *wanted = &check->lesson->manifest.must_use;
    struct json_object *report = report_of_case(schedule, case_index);
    for (size_t i = 0; i < wanted->count; i++)
        if (strcmp(wanted->items[i], own) == 0) return false;
    if (report == NULL || library_launches(report, cases_whole(case_index)) == 0) return false;
    return most_read(check, schedule, case_index, OF_THE_LIBRARY) >= check->judge->cases[case_index].n ||
           library_wrote(report, case_index, check->cases[schedule->number][case_index].files->answer_bytes);
}

bool origin_library_reads_all(const Check *check, const Schedule *schedule, unsigned case_index) {
    struct json_object *report = report_of_case(schedule, case_index);
    return report != NULL && !source_forges_lines(check->submission->source.bytes) &&
           most_read(check, schedule, case_index, OF_THE_LIBRARY) >= check->judge->cases[case_index].n;
}
