/* gather.c - see gather.h.
 *
 * A room is where a student's files are: the folder or archive, or the one folder in it that holds
 * everything, and its work/. An archive in a room is a room again. Programs elsewhere are refused, so that
 * nobody wonders why a file did not count.
 */
#include "grading/intake/gather.h"

#include "base/growable.h"
#include "base/hash.h"
#include "grading/intake/names.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_REFUSED = 10, MOST_OTHERS = 3 }; /* of one submission: more lines help nobody */

/* A file that may count. */
typedef struct Candidate {
    Handed handed;
    int64_t file_time; /* decides between files of one submission */
    const char *stem;  /* of a program that is named as no lesson; NULL */
    int copy;
    size_t order;
} Candidate;

/* All files that were found so far, and those of the submission at hand. */
typedef struct Gathering {
    Intake *intake;
    Arena *arena;
    const Course *course;
    const IntakeOptions *options;
    Candidate *candidates;
    size_t count, room;
    bool failed;
    /* of the submission at hand */
    const Submission *submission;
    size_t taken, refused;
    const Node *others[MOST_OTHERS]; /* files with other names, to name some where nothing else is found */
    size_t other_count;
} Gathering;

static Candidate *add(Gathering *gathering) {
    Candidate *all =
        growable_grow(gathering->candidates, &gathering->room, gathering->count + 1, sizeof *all);
    gathering->failed = gathering->failed || all == NULL;
    if (all == NULL) return NULL;
    gathering->candidates = all;
    Candidate *added = &all[gathering->count];
    *added = (Candidate){.handed = {.person = gathering->submission->person}, .order = gathering->count};
    gathering->count++;
    return added;
}

/* The line that says why; NULL past the last one, and without memory. */
static Candidate *add_refused(Gathering *gathering, const Node *node, const char *lesson, const char *reason,
                              const char *remedy) {
    if (gathering->refused++ >= MOST_REFUSED) return NULL;
    Candidate *added = add(gathering);
    if (added == NULL) return NULL;
    added->handed.lesson = lesson;
    added->handed.path = node->shown;
    added->handed.refused = reason;
    added->handed.remedy = remedy;
    return added;
}

/* "a; b"; either may be NULL. */
static const char *join(Arena *arena, const char *a, const char *b) {
    if (a == NULL || b == NULL) return a != NULL ? a : b;
    return arena_format(arena, "%s; %s", a, b);
}

/* A file that belongs to a lesson, with the time that counts: the download's where there is one, since that
 * is when the system got it. */
static void add_file(Gathering *gathering, const Node *node, const NameReading *reading) {
    Candidate *added = add(gathering);
    if (added == NULL) return;
    const Submission *submission = gathering->submission;
    Handed *handed = &added->handed;
    handed->lesson = reading->lesson;
    handed->path = node->shown;
    handed->bytes = node->bytes;
    handed->length = node->length;
    if (submission->time != 0) {
        handed->time = submission->time;
        handed->time_from = "download";
    } else {
        handed->time = node->time;
        handed->time_from = node->time_from;
    }
    if (submission->time != 0)
        handed->note = NULL;
    else
        handed->note = node->note;
    if (submission->late)
        handed->note = join(gathering->arena, handed->note, "the download marks it as late");
    added->file_time = node->time;
    added->copy = reading->copy;
    added->stem = reading->stem;
    handed->unnamed = reading->stem != NULL;
    gathering->taken++;
}

static NameReading read_name(const Gathering *gathering, const char *name) {
    return names_read(gathering->arena, gathering->course, gathering->options->others, name);
}

static void refuse_name(Gathering *gathering, const Node *node, const NameReading *reading) {
    Candidate *added = add_refused(gathering, node, NULL, reading->refused, reading->remedy);
    if (added != NULL) added->handed.unnamed = reading->stem != NULL;
}

static void consider(Gathering *gathering, const Node *node, const char *name) {
    NameReading reading = read_name(gathering, name);
    if (node->refused != NULL)
        add_refused(gathering, node, reading.lesson, node->refused, node->remedy);
    else if (reading.lesson != NULL && node->bytes != NULL)
        add_file(gathering, node, &reading);
    else if (reading.refused != NULL)
        refuse_name(gathering, node, &reading);
    else if (gathering->other_count++ < MOST_OTHERS)
        gathering->others[gathering->other_count - 1] = node;
}

/* ---- rooms ---- */

static const Node *find_work(const Node *room) {
    for (const Node *child = room->first; child != NULL; child = child->next)
        if (child->kind == NODE_FOLDER && strcmp(child->name, "work") == 0) return child;
    return NULL;
}

/* Whether the folder holds one folder and no program: then that one is meant. */
static const Node *only_folder(const Node *room) {
    const Node *found = NULL;
    if (find_work(room) != NULL) return NULL;
    for (const Node *child = room->first; child != NULL; child = child->next) {
        if (child->kind == NODE_FILE && !names_end_with(child->name, ".cu")) continue;
        if (child->kind != NODE_FOLDER || found != NULL) return NULL;
        found = child;
    }
    return found;
}

static void refuse_elsewhere(Gathering *gathering, const Node *folder, const Node *room) {
    for (const Node *child = folder->first; child != NULL; child = child->next) {
        if (child->kind == NODE_FOLDER) refuse_elsewhere(gathering, child, room);
        if (child->kind != NODE_FILE) continue;
        NameReading reading = read_name(gathering, child->name);
        if (reading.lesson != NULL)
            add_refused(gathering, child, reading.lesson, "lies in a folder that is not looked into",
                        arena_format(gathering->arena, "move it to %s, or into work/ there", room->shown));
    }
}

static void gather_room(Gathering *gathering, const Node *room);

static void gather_place(Gathering *gathering, const Node *place) {
    for (const Node *child = place->first; child != NULL; child = child->next) {
        if (child->kind == NODE_FILE) consider(gathering, child, child->name);
        if (child->kind == NODE_FOLDER && child->refused != NULL)
            add_refused(gathering, child, NULL, child->refused, child->remedy);
        if (child->kind == NODE_ARCHIVE) gather_room(gathering, child);
    }
}

/* A student's room: the files in it, or in its folder `work`, or in its only folder, and so on down. Where it
 * is not clear which folder is meant, files in folders are refused and named. */
static void gather_room(Gathering *gathering, const Node *room) {
    if (room->refused != NULL) {
        add_refused(gathering, room, NULL, room->refused, room->remedy);
        return;
    }
    const Node *inner = only_folder(room), *work = find_work(room);
    gather_place(gathering, room);
    if (work != NULL) {
        gather_place(gathering, work);
    } else if (inner != NULL) {
        gather_room(gathering, inner);
    } else {
        for (const Node *child = room->first; child != NULL; child = child->next)
            if (child->kind == NODE_FOLDER) refuse_elsewhere(gathering, child, room);
    }
}

static bool holds_files(const Node *folder) {
    for (const Node *child = folder->first; child != NULL; child = child->next)
        if (child->kind == NODE_FILE || holds_files(child)) return true;
    return false;
}

static bool has_foreign_archive(const Gathering *gathering) {
    for (size_t i = 0; i < gathering->other_count && i < MOST_OTHERS; i++)
        if (names_foreign_archive(gathering->others[i]->name)) return true;
    return false;
}

/* "has no file named as a lesson, but a.pdf, b.txt and 2 more" */
static void add_others(const Gathering *gathering, Text *text) {
    text_add(text, "has no file named as a lesson, but ");
    for (size_t i = 0; i < gathering->other_count && i < MOST_OTHERS; i++) {
        text_add(text, i > 0 ? ", " : "");
        text_add(text, names_visible(gathering->arena, gathering->others[i]->name));
    }
    if (gathering->other_count > MOST_OTHERS)
        text_format(text, " and %zu more", gathering->other_count - MOST_OTHERS);
}

/* Nothing was found, and nothing said why. */
static void refuse_empty(Gathering *gathering) {
    const Node *node = gathering->submission->node;
    const char *remedy = "files are named as the starters are, and lie at the top or in work/";
    Text text = text_new();
    bool foreign = has_foreign_archive(gathering);
    if (foreign) remedy = "pack it again as .zip or .tar.gz, or hand in the files themselves";
    if (node->kind == NODE_FILE)
        text_add(&text,
                 foreign ? "is an archive of a kind that is not unpacked" : "is not named as a lesson");
    else if (gathering->other_count > 0)
        add_others(gathering, &text);
    else if (holds_files(node))
        text_add(&text, "has no file where one is looked for");
    else
        text_add(&text, node->first != NULL ? "holds no file, only empty folders or archives" : "is empty");
    if (foreign && node->kind != NODE_FILE) text_add(&text, ": an archive of a kind that is not unpacked");
    add_refused(gathering, node, NULL, arena_string(gathering->arena, text.bytes), remedy);
    text_free(&text);
}

/* The last line, for those that have none of their own. */
static void refuse_more(Gathering *gathering) {
    size_t more = gathering->refused - MOST_REFUSED;
    gathering->refused = 0;
    const char *reason = "has 1 more file, which is refused";
    if (more != 1) reason = arena_format(gathering->arena, "has %zu more files, each of them refused", more);
    add_refused(gathering, gathering->submission->node, NULL, reason, "ask for the programs alone");
}

static void gather_submission(Gathering *gathering, const Submission *submission) {
    gathering->submission = submission;
    gathering->taken = gathering->refused = gathering->other_count = 0;
    if (submission->node->kind == NODE_FILE)
        consider(gathering, submission->node,
                 submission->file != NULL ? submission->file : submission->node->name);
    else
        gather_room(gathering, submission->node);
    if (gathering->taken == 0 && gathering->refused == 0) refuse_empty(gathering);
    if (gathering->refused > MOST_REFUSED) refuse_more(gathering);
}

/* ---- one for each lesson ---- */

static int compare_numbers(int64_t a, int64_t b) {
    return (a > b) - (a < b);
}

/* By person and lesson, those without one last; then what counts first: graded before refused, new before
 * old. */
static int compare_candidates(const void *left, const void *right) {
    const Candidate *a = left, *b = right;
    if (a->handed.person != b->handed.person) return a->handed.person < b->handed.person ? -1 : 1;
    if ((a->handed.lesson == NULL) != (b->handed.lesson == NULL)) return a->handed.lesson == NULL ? 1 : -1;
    int order = 0;
    if (a->handed.lesson != NULL) order = strcmp(a->handed.lesson, b->handed.lesson);
    if (order == 0) order = (a->handed.refused != NULL) - (b->handed.refused != NULL);
    if (order == 0) order = compare_numbers(b->handed.time, a->handed.time);
    if (order == 0) order = compare_numbers(b->file_time, a->file_time);
    if (order == 0) order = compare_numbers(b->copy, a->copy);
    /* In an archive the later of two entries is the newer one; work/ comes after what lies beside it. */
    if (order != 0) return order;
    return compare_numbers((int64_t)b->order, (int64_t)a->order);
}

static bool same_bytes(const Handed *a, const Handed *b) {
    return a->length == b->length && (a->length == 0 || memcmp(a->bytes, b->bytes, a->length) == 0);
}

/* What is said of a file that another of the same lesson has put aside; NULL when nothing need be. */
static const char *say_left_out(Arena *arena, const Candidate *kept, const Candidate *left) {
    const Handed *file = &left->handed;
    if (file->refused != NULL) return arena_format(arena, "%s was refused: it %s", file->path, file->refused);
    if (same_bytes(&kept->handed, file)) return NULL;
    bool older = file->time < kept->handed.time || left->file_time < kept->file_time;
    return arena_format(arena, "%s file for the same lesson was left out: %s", older ? "an older" : "another",
                        file->path);
}

static bool same_place(const Handed *a, const Handed *b) {
    return a->person == b->person && a->lesson != NULL && b->lesson != NULL &&
           strcmp(a->lesson, b->lesson) == 0;
}

/* Past the first few, a student's thousands of files for one lesson are not worth their names. */
static void note_left_out(Gathering *gathering, Handed *last, const Candidate *kept, const Candidate *left,
                          size_t *told) {
    enum { MOST_TOLD = 5 };
    if (*told > MOST_TOLD) return;
    const char *said = say_left_out(gathering->arena, kept, left);
    if (said == NULL) return;
    if ((*told)++ == MOST_TOLD) said = "more files for the same lesson were left out";
    last->note = join(gathering->arena, last->note, said);
}

static void take(Gathering *gathering, const Candidate *candidate) {
    Handed *taken = &gathering->intake->handed[gathering->intake->handed_count++];
    *taken = candidate->handed;
    if (taken->refused == NULL) hash_bytes(taken->bytes, taken->length, taken->hash);
}

static bool is_among(const Handed *taken, size_t count, const Handed *other) {
    for (size_t i = 0; i < count; i++)
        if (same_bytes(&taken[i], other)) return true;
    return false;
}

/* The newest came first; the last one of a place counts where only one does. */
static void turn_round(Handed *taken, size_t count) {
    for (size_t i = 0; i < count / 2; i++) {
        const Handed other = taken[i];
        taken[i] = taken[count - 1 - i];
        taken[count - 1 - i] = other;
    }
}

static bool is_named(const Candidate *candidate) {
    return candidate->stem == NULL && candidate->handed.refused == NULL;
}

/* Of one student and lesson, `count` from `place` on: programs that are named as no lesson do not count
 * beside one that is, and of several names nobody knows which is meant. */
static void settle_unnamed(Gathering *gathering, Candidate *place, size_t count) {
    const Candidate *named = NULL;
    const char *stem = NULL;
    bool several = false;
    for (size_t i = 0; i < count; i++) {
        if (is_named(&place[i])) named = &place[i];
        if (place[i].stem == NULL) continue;
        several = several || (stem != NULL && strcmp(stem, place[i].stem) != 0);
        stem = place[i].stem;
    }
    if (stem == NULL || (named == NULL && !several)) return;
    for (size_t i = 0; i < count; i++) {
        if (place[i].stem == NULL) continue;
        place[i].handed.refused = "is not named as a lesson, and another of the student's programs is";
        if (named == NULL)
            place[i].handed.refused = "is one of several programs, none of them named as a lesson";
        place[i].handed.remedy =
            arena_format(gathering->arena, "name the one that is meant %s.cu", place[i].handed.lesson);
    }
    qsort(place, count, sizeof *place, compare_candidates);
}

static size_t find_end(const Gathering *gathering, size_t first) {
    size_t end = first + 1;
    while (end < gathering->count &&
           same_place(&gathering->candidates[first].handed, &gathering->candidates[end].handed))
        end++;
    return end;
}

/* The candidates of one student and lesson, from `first` on. The first by compare_candidates counts, or all
 * that are attempts do; the others are noted with it. */
static size_t choose_place(Gathering *gathering, size_t first) {
    enum { MOST_ATTEMPTS = 20 }; /* of thousands the newest */
    const size_t end = find_end(gathering, first);
    const Candidate *kept = &gathering->candidates[first];
    Intake *intake = gathering->intake;
    Handed *taken = &intake->handed[intake->handed_count];
    size_t count = 1, told = 0;
    settle_unnamed(gathering, &gathering->candidates[first], end - first);
    take(gathering, kept);
    for (size_t next = first + 1; next < end; next++) {
        const Candidate *candidate = &gathering->candidates[next];
        const bool fit = gathering->options->every_file && candidate->handed.refused == NULL;
        if (fit && is_among(taken, count, &candidate->handed)) continue;
        if (fit && count < MOST_ATTEMPTS) {
            take(gathering, candidate);
            count++;
        } else {
            note_left_out(gathering, taken, kept, candidate, &told);
        }
    }
    turn_round(taken, count);
    return end;
}

static bool choose(Gathering *gathering) {
    Intake *intake = gathering->intake;
    intake->handed = ARENA_ARRAY(gathering->arena, gathering->count + 1, Handed);
    if (intake->handed == NULL) return false;
    if (gathering->count > 1)
        qsort(gathering->candidates, gathering->count, sizeof *gathering->candidates, compare_candidates);
    for (size_t i = 0; i < gathering->count;)
        i = choose_place(gathering, i);
    return true;
}

bool gather_files(Intake *intake, Arena *arena, const Course *course, const SubmissionList *submissions,
                  const IntakeOptions *options) {
    Gathering gathering = {.intake = intake, .arena = arena, .course = course, .options = options};
    for (const Submission *one = submissions->first; one != NULL; one = one->next)
        gather_submission(&gathering, one);
    bool fine = !gathering.failed && choose(&gathering);
    free(gathering.candidates);
    return fine;
}
