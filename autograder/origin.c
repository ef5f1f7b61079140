/* origin.c - looks for copies in the answer by their fingerprints; see origin.h. */
#include "autograder/origin.h"

#include "base/fingerprint.h"
#include "base/json.h"

#include <string.h>

enum { WORD = sizeof(uint32_t) };

static const Use uses[] = {
#define USE(name, counter, other, what, explanation) {name, {#counter, #other}, what, explanation},
#include "autograder/uses.def"
#undef USE
};

const Use *origin_find_use(const char *name) {
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (strcmp(uses[i].name, name) == 0) return &uses[i];
    return NULL;
}

static size_t length_of(struct json_object *array) {
    return array ? json_object_array_length(array) : 0;
}

/* ---- counters ---- */

static long sum_of_counter(struct json_object *report, unsigned case_index, const char *name) {
    struct json_object *launches = json_array(report, "launches");
    long sum = 0;
    for (size_t i = 0; i < length_of(launches); i++) {
        struct json_object *launch = json_object_array_get_idx(launches, i);
        if (report_is_of_case(launch, case_index))
            sum += json_number(json_member(launch, "counters"), name, 0);
    }
    return sum;
}

long origin_sum_of_counter(const Schedule *schedule, unsigned case_index, const char *name) {
    struct json_object *report = report_of_case(schedule, case_index);
    return report != NULL ? sum_of_counter(report, case_index, name) : 0;
}

/* The report's lists are bounded, the first entries stay: what happened behind their end nobody knows. Cases
 * before the one of the last entry are whole. */
static bool is_cut(struct json_object *report, unsigned case_index, const char *list, const char *total) {
    struct json_object *array = json_array(report, list);
    size_t length = length_of(array);
    if (json_number(report, total, 0) <= (long)length) return false;
    long last = length > 0 ? report_case_of(json_object_array_get_idx(array, length - 1)) : 0;
    return last <= (long)case_index;
}

bool origin_is_cut(const Schedule *schedule, unsigned case_index) {
    struct json_object *report = report_of_case(schedule, case_index);
    return report != NULL && (is_cut(report, case_index, "launches", "launches_total") ||
                              is_cut(report, case_index, "copies", "copies_total"));
}

const Use *origin_missing_use(const Check *check, const Schedule *schedule, unsigned case_index) {
    const TextList *wanted = &check->lesson->manifest.must_use;
    struct json_object *report = report_of_case(schedule, case_index);
    if (report == NULL) return NULL;
    for (size_t i = 0; i < wanted->count; i++) {
        const Use *use = origin_find_use(wanted->items[i]);
        if (use != NULL && sum_of_counter(report, case_index, use->counters[0]) == 0 &&
            sum_of_counter(report, case_index, use->counters[1]) == 0)
            return use;
    }
    return NULL;
}

/* ---- an answer's words in what was copied ---- */

typedef struct Words {
    size_t count;
    uint64_t *prefix; /* count + 1 fingerprints */
    bool *by_kernel;  /* one for each word */
    size_t missing;   /* words that are not by a kernel as far as is known */
} Words;

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

static void mark_stretch(Words *words, size_t first, size_t count) {
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
    for (size_t at = 0; at + length <= words->count; at++)
        if (fingerprint_rest(words->prefix[at + length], words->prefix[at], power) == print)
            mark_stretch(words, at, length);
}

/* Pieces by kernels one by one; of a list that ends before the copy does, only the whole is known. */
static void find_copy(Words *words, struct json_object *copy) {
    struct json_object *writers = json_array(copy, "writers");
    long known = 0;
    bool any = false;
    for (size_t i = 0; i < length_of(writers); i++) {
        struct json_object *writer = json_object_array_get_idx(writers, i);
        known += json_number(writer, "bytes", 0);
        if (*json_text(writer, "kernel", "") == '\0') continue;
        any = true;
        find_piece(words, writer);
    }
    if (any && known < json_number(copy, "bytes", 0)) find_piece(words, copy);
}

static bool answer_is_in_copies(const Check *check, const Schedule *schedule, unsigned case_index) {
    struct json_object *report = report_of_case(schedule, case_index);
    const JudgeFiles *files = check->cases[schedule->number][case_index].files;
    struct json_object *copies = json_array(report, "copies");
    Words words = {0};
    if (files->answer == NULL || !words_begin(&words, check->arena, files->answer, files->answer_bytes))
        return false;
    for (size_t i = 0; i < length_of(copies) && words.missing > 0; i++) {
        struct json_object *copy = json_object_array_get_idx(copies, i);
        if (report_is_of_case(copy, case_index)) find_copy(&words, copy);
    }
    return words.missing == 0;
}

/* ---- the rules ---- */

static bool kernels_left_something(struct json_object *report, unsigned case_index) {
    struct json_object *copies = json_array(report, "copies");
    for (size_t i = 0; i < length_of(copies); i++) {
        struct json_object *copy = json_object_array_get_idx(copies, i);
        struct json_object *writers = json_array(copy, "writers");
        if (!report_is_of_case(copy, case_index)) continue;
        for (size_t j = 0; j < length_of(writers); j++)
            if (*json_text(json_object_array_get_idx(writers, j), "kernel", "") != '\0') return true;
    }
    return false;
}

/* An element's load moves at most four floats; a request is one of a whole warp. */
static bool kernels_read(struct json_object *report, unsigned case_index, long elements) {
    enum { WIDEST = 4, WARP = 32 };
    long requests = sum_of_counter(report, case_index, "constant_requests") +
                    sum_of_counter(report, case_index, "texture_requests");
    long reads = sum_of_counter(report, case_index, "global_reads") +
                 sum_of_counter(report, case_index, "atomic_operations");
    return WIDEST * (reads + WARP * requests) >= elements;
}

static bool is_copied_to_host(struct json_object *report, unsigned case_index) {
    struct json_object *copies = json_array(report, "copies");
    for (size_t i = 0; i < length_of(copies); i++) {
        struct json_object *copy = json_object_array_get_idx(copies, i);
        if (report_is_of_case(copy, case_index) && strcmp(json_text(copy, "to", ""), "host") == 0)
            return true;
    }
    return false;
}

bool origin_never_copied_back(const Schedule *schedule, unsigned case_index) {
    struct json_object *report = report_of_case(schedule, case_index);
    if (report == NULL || origin_is_cut(schedule, case_index)) return false;
    return sum_of_counter(report, case_index, "global_writes") > 0 && !is_copied_to_host(report, case_index);
}

bool origin_is_device(const Check *check, const Schedule *schedule, unsigned case_index) {
    struct json_object *report = report_of_case(schedule, case_index);
    if (report == NULL) return false;
    if (!kernels_read(report, case_index, check->judge->cases[case_index].n)) return false;
    if (check->lesson->manifest.host_finishes) return kernels_left_something(report, case_index);
    return answer_is_in_copies(check, schedule, case_index);
}
