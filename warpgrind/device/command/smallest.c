/* smallest.c - see smallest.h. */
#include "device/command/smallest.h"
#include "base/finding.h"
#include "base/merge.h"
#include "base/minmax.h"
#include "device/report/conclude.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** An error takes some 20 runs; where the numbers are large, or many, it is left where it is after so many.
 */
enum { MOST_RUNS = 80, MOST_FINDINGS = 4, SIZES = 6 };

/** What is looked for, and the smallest run that has shown it. */
typedef struct Search {
    SmallestRun *run;
    void *self;
    struct json_object *first, *wanted; /**< the report of the whole run, and its finding */
    DeviceOptions device;
    char **argv;
    size_t argc;
    struct json_object *report; /**< of the smallest run; NULL: none yet */
    int64_t launch; /**< in which it showed there, or the launch that this one comes from; 0: in none */
    unsigned runs;
    bool over;
} Search;

/* ---- one run ---- */

static struct json_object *launch_of(struct json_object *report, int64_t id) {
    JSON_EACH(launch, json_array(report, "launches"))
        if (json_number(launch, "id", 0) == id) return launch;
    return NULL;
}

/** The launch by the host that this one comes from, which is mostly itself. */
static int64_t root_of(struct json_object *report, int64_t id) {
    struct json_object *launch = launch_of(report, id);
    while (launch != NULL && json_number(launch, "parent", 0) != 0) {
        id = json_number(launch, "parent", 0);
        launch = launch_of(report, id);
    }
    return id;
}

static struct json_object *find_wanted(const Search *search, struct json_object *report) {
    JSON_EACH(finding, json_array(report, "findings"))
        if (merge_same_finding(search->wanted, finding)) return finding;
    return NULL;
}

/** Whether the launch has only errors that the whole run had, too: what is wrong because threads are missing
 * is no mistake of the program's. */
static bool has_no_other(const Search *search, struct json_object *report) {
    struct json_object *known = json_array(search->first, "findings"), *now = json_array(report, "findings");
    for (size_t i = 0; i < json_object_array_length(now); i++) {
        struct json_object *finding = json_object_array_get_idx(now, i);
        bool same =
            root_of(report, json_number(finding, "launch", 0)) != (int64_t)search->device.reshape.launch ||
            strcmp(json_text(finding, "severity", ""), "error") != 0;
        for (size_t k = 0; !same && k < json_object_array_length(known); k++)
            same = merge_same_finding(json_object_array_get_idx(known, k), finding);
        if (!same) return false;
    }
    return true;
}

/** A launch that is made smaller must be the one that shows the finding: another one may be as large as ever.
 */
static bool counts(const Search *search, struct json_object *report, int64_t launch) {
    if (launch < 0) return false;
    if (search->device.reshape.launch == 0) return true;
    return launch == (int64_t)search->device.reshape.launch && has_no_other(search, report);
}

/** Runs it as it is set up now. */
static bool shows(Search *search) {
    if (search->over || search->runs >= MOST_RUNS) return false;
    search->runs++;
    struct json_object *report = search->run(search->self, &search->device, search->argv);
    search->over = report == NULL;
    struct json_object *finding = find_wanted(search, report);
    int64_t launch = -1;
    if (finding != NULL) launch = root_of(report, json_number(finding, "launch", 0));
    if (!counts(search, report, launch)) {
        json_object_put(report);
        return false;
    }
    json_object_put(search->report);
    search->report = report;
    search->launch = launch;
    return true;
}

/* ---- sizes ---- */

static uint32_t *size_at(DeviceReshape *reshape, size_t which) {
    if (which < 3) return &reshape->grid[which];
    return &reshape->block[which - 3];
}

/** The sizes of a launch come first, then the arguments. False without memory. */
static bool set_amount(Search *search, size_t which, uint64_t value) {
    if (which < SIZES) {
        *size_at(&search->device.reshape, which) = (uint32_t)value;
        return true;
    }
    char *word, **place = &search->argv[which - SIZES];
    if (asprintf(&word, "%" PRIu64, value) < 0) return false;
    free(*place);
    *place = word;
    return true;
}

static bool shows_with(Search *search, size_t which, uint64_t value) {
    return set_amount(search, which, value) && shows(search);
}

/** Less of one thing: 1, or halves as long as they show it. `exact`: between the last half, which does not,
 * and what does, the search goes on; the size of a block stays such a half, since kernels count on powers of
 * two. */
static void reduce(Search *search, size_t which, uint64_t value, bool exact) {
    uint64_t shown = value, less = 1;
    if (value < 2) return;
    if (shows_with(search, which, less)) return;
    while (shown / 2 > less && shows_with(search, which, shown / 2))
        shown /= 2;
    less = MAX(less, shown / 2);
    while (exact && shown - less > 1 && search->runs < MOST_RUNS) {
        const uint64_t middle = less + (shown - less) / 2;
        if (shows_with(search, which, middle))
            shown = middle;
        else
            less = middle;
    }
    search->over |= !set_amount(search, which, shown);
}

/** A number that is not 0, in digits alone; 0: it is none. */
static uint64_t number_of(const char *word) {
    char *end;
    if (!isdigit((unsigned char)*word)) return 0;
    errno = 0;
    const uint64_t number = strtoull(word, &end, 10);
    if (errno == 0 && *end == '\0') return number;
    return 0;
}

static void reduce_arguments(Search *search) {
    for (size_t i = 1; i < search->argc; i++)
        reduce(search, SIZES + i, number_of(search->argv[i]), true);
}

static void take_size(struct json_object *launch, const char *name, uint32_t size[3]) {
    struct json_object *list = json_array(launch, name);
    for (size_t i = 0; i < 3; i++)
        size[i] = list != NULL ? (uint32_t)json_object_get_int64(json_object_array_get_idx(list, i)) : 1;
}

/** Kinds that threads have by what they do, or two of them by what both do. A value that nobody has written,
 * or a wait for nobody, may well come of threads that are not there. */
static bool may_reduce_launch(struct json_object *finding) {
    static const FindingKind kinds[] = {FINDING_OUT_OF_BOUNDS,      FINDING_MISALIGNED,
                                        FINDING_SHARED_RACE,        FINDING_GLOBAL_RACE,
                                        FINDING_BARRIER_DIVERGENCE, FINDING_USE_AFTER_FREE};
    const FindingKind kind = finding_by_name(json_text(finding, "kind", ""));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i] == kind) return true;
    return false;
}

/** Blocks first: those are what a large launch has most of. */
static void reduce_launch(Search *search) {
    struct json_object *launch = launch_of(search->report, search->launch);
    if (launch == NULL || search->device.reshape.launch != 0 || !may_reduce_launch(search->wanted)) return;
    DeviceReshape *reshape = &search->device.reshape, whole = {.launch = (uint32_t)search->launch};
    take_size(launch, "grid", whole.grid);
    take_size(launch, "block", whole.block);
    *reshape = whole;
    for (size_t i = 0; i < SIZES; i++)
        reduce(search, i, *size_at(&whole, i), i < 3);
    if (memcmp(reshape, &whole, sizeof whole) == 0) *reshape = (DeviceReshape){0};
}

/* ---- the search ---- */

/** The first seed under which it shows. Of several schedules nobody knows which one had it. */
static bool find_seed(Search *search, unsigned schedules) {
    const uint64_t given = search->device.seed, count = MAX(schedules, 1);
    for (uint64_t seed = 0; seed < count; seed++) {
        search->device.seed = seed;
        if (shows(search)) return true;
    }
    search->device.seed = given;
    return given >= count && shows(search);
}

static void keep(const Search *search) {
    struct json_object *found = json_object_new_object();
    json_object_object_add(search->wanted, "smallest", found);
    if (search->report == NULL) return;
    const bool steps = *json_text(search->wanted, "kernel", "") != '\0';
    struct json_object *launch = launch_of(search->report, search->launch);
    json_object_object_add(found, "command", conclude_command(&search->device, search->argv, steps));
    json_put_number(found, "runs", search->runs);
    json_put_number(found, "seed", (int64_t)search->device.seed);
    if (launch == NULL) return;
    json_put_number(found, "launch", search->launch);
    json_object_object_add(found, "grid", json_object_get(json_array(launch, "grid")));
    json_object_object_add(found, "block", json_object_get(json_array(launch, "block")));
}

static char **copy_words(char **argv, size_t count) {
    char **copy = calloc(count + 1, sizeof *copy);
    for (size_t i = 0; copy != NULL && i < count; i++)
        if ((copy[i] = strdup(argv[i])) == NULL) return NULL;
    return copy;
}

/** False: there are to be no more runs. */
static bool search_finding(Search *search, unsigned schedules, char **argv) {
    while (argv[search->argc] != NULL)
        search->argc++;
    search->argv = copy_words(argv, search->argc);
    if (search->argv == NULL) return false;
    if (find_seed(search, schedules)) {
        reduce_arguments(search);
        reduce_launch(search);
    }
    if (search->report != NULL || !search->over) keep(search);
    for (size_t i = 0; i < search->argc; i++)
        free(search->argv[i]);
    free(search->argv);
    json_object_put(search->report);
    return !search->over;
}

/** In runs of the debugger launches are on one core and none is left out; so they are here. */
void smallest_find(struct json_object *report, const LauncherOptions *options, char **argv, SmallestRun *run,
                   void *self) {
    struct json_object *findings = json_array(report, "findings");
    if (findings == NULL) return;
    DeviceOptions device = options->device;
    device.threads = 1;
    device.recheck = true;
    device.lines = device.picture = false;
    device.trace = 0;
    unsigned count = 0;
    for (size_t i = 0; i < json_object_array_length(findings) && count < MOST_FINDINGS; i++) {
        struct json_object *finding = json_object_array_get_idx(findings, i);
        if (strcmp(json_text(finding, "severity", ""), "error") != 0) continue;
        if (json_object_object_get_ex(finding, "follows", NULL)) continue;
        count++;
        Search search = {.run = run, .self = self, .first = report, .wanted = finding, .device = device};
        if (!search_finding(&search, options->explore, argv)) return;
    }
}
