/* people.c - see people.h.
 *
 * A name alone is a weak sign: students choose theirs in many systems. So two submissions that a download
 * counts as two people's never become one person by a name.
 */
#include "grading/intake/people.h"

#include "base/nearest.h"
#include "grading/intake/names.h"

#include <json-c/json.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What was found about one submission. */
typedef struct Claim {
    Submission *submission;
    RosterMatch match;
    size_t row;
} Claim;

/* People while they are made of roster and submissions. */
typedef struct Making {
    Intake *intake;
    Arena *arena;
    const Roster *roster;
    Claim *claims;
    size_t count;
    size_t strangers; /* whom no line matches, so far */
    Diagnostics *diagnostics;
} Making;

static void warn(Making *making, const char *file, const char *message, const char *remedy) {
    advise(diag_add(making->diagnostics, DIAG_WARNING, file, 0, 0, "%s", text_or(message, "")), remedy);
}

/* ---- the roster's rows ---- */

static const char *visible(Making *making, const char *value) {
    if (value != NULL) return names_visible(making->arena, value);
    return NULL;
}

/* The line with its columns' names, so that a system gets back what it wrote. Bytes that are no UTF-8 are
 * written as names are. */
static const char *line_of(Making *making, const RosterRow *row) {
    const CsvRow *headers = making->roster->headers;
    struct json_object *line = json_object_new_array();
    for (size_t i = 0; line != NULL && i < headers->count && i < row->cells->count; i++) {
        struct json_object *cell = json_object_new_array();
        const char *name = visible(making, headers->cells[i]), *value = visible(making, row->cells->cells[i]);
        json_object_array_add(cell, json_object_new_string(text_or(name, "")));
        json_object_array_add(cell, json_object_new_string(text_or(value, "")));
        json_object_array_add(line, cell);
    }
    const char *text = json_object_to_json_string_ext(line, JSON_C_TO_STRING_PLAIN);
    const char *kept = NULL;
    if (text != NULL) kept = arena_string(making->arena, text);
    json_object_put(line);
    return kept;
}

/* The roster's people come first, so that a row's number is its person's until they are sorted. */
static void add_rows(Making *making) {
    for (size_t i = 0; i < making->roster->count; i++) {
        const char *const *fields = making->roster->rows[i].fields;
        making->intake->people[making->intake->people_count++] =
            (Person){.id = visible(making, fields[ROSTER_ID]),
                     .name = visible(making, fields[ROSTER_NAME]),
                     .email = visible(making, fields[ROSTER_EMAIL]),
                     .login = visible(making, fields[ROSTER_LOGIN]),
                     .section = visible(making, fields[ROSTER_SECTION]),
                     .line = line_of(making, &making->roster->rows[i]),
                     .listed = true};
    }
}

static void make_claims(Making *making, const SubmissionList *submissions) {
    for (Submission *one = submissions->first; one != NULL; one = one->next) {
        Claim *claim = &making->claims[making->count++];
        *claim = (Claim){.submission = one};
        if (making->roster->count > 0) claim->match = roster_find(making->roster, &one->clues, &claim->row);
    }
}

static bool differ(const char *a, const char *b) {
    return a != NULL && b != NULL && strcmp(a, b) != 0;
}

/* One download has one number or login for each. Another may number its students anew. */
static bool are_two_people(const Submission *a, const Submission *b) {
    return a->download == b->download &&
           (differ(a->clues.id, b->clues.id) || differ(a->clues.login, b->clues.login));
}

/* Whether another submission, by another person as the download has it, has as good a claim to the row or a
 * better one. */
static bool is_contested(const Making *making, const Claim *claim) {
    if (claim->match != MATCH_NAME) return false;
    for (size_t i = 0; i < making->count; i++) {
        const Claim *other = &making->claims[i];
        if (other->match == MATCH_NONE || other->row != claim->row) continue;
        if (are_two_people(other->submission, claim->submission)) return true;
    }
    return false;
}

/* ---- those whom no row tells of ---- */

static bool is_taken(const Making *making, const char *id) {
    for (size_t i = 0; i < making->intake->people_count; i++)
        if (strcmp(making->intake->people[i].id, id) == 0) return true;
    return false;
}

static const char *key_of(const Clues *clues) {
    if (clues->id != NULL) return clues->id;
    if (clues->login != NULL) return clues->login;
    return clues->folder;
}

static const char *make_id(Making *making, const Clues *clues) {
    const char *id = visible(making, key_of(clues)), *free_id = id;
    for (int number = 2; id != NULL && free_id != NULL && is_taken(making, free_id); number++)
        free_id = arena_format(making->arena, "%s~%d", id, number);
    return free_id;
}

/* An earlier submission of the same person, who is in no roster: the same number, or the same name of folder
 * where there are no numbers. */
static const Claim *find_earlier(const Making *making, const Claim *claim) {
    const Clues *own = &claim->submission->clues;
    for (const Claim *other = making->claims; other < claim; other++) {
        const Clues *clues = &other->submission->clues;
        if (other->match != MATCH_NONE || (own->id == NULL) != (clues->id == NULL)) continue;
        if (strcmp(key_of(own), key_of(clues)) == 0) return other;
    }
    return NULL;
}

enum { STRANGERS_TOLD = 10 };

/* Why nobody of the roster was found: a name that two have is no sign of either. */
static const char *tell_why(Making *making, const Claim *claim, const char *id) {
    int lines[2];
    const size_t shared = roster_name_shared(making->roster, &claim->submission->clues, lines);
    if (shared < 2)
        return arena_format(making->arena, "matches no line of %s; it is graded as %s", making->roster->path,
                            id);
    return arena_format(making->arena,
                        "has a name that lines %d and %d of %s%s have, and nothing says whose it is; it is "
                        "graded as %s",
                        lines[0], lines[1], making->roster->path, shared > 2 ? ", and more," : "", id);
}

static void tell_unmatched(Making *making, const Claim *claim, const char *id) {
    const char *folder = claim->submission->clues.folder;
    const char *remedy = "give the roster a column with the ids that this download has";
    if (folder != NULL)
        remedy = arena_format(making->diagnostics->arena,
                              "write %s into the column `folder` of the student's line, behind a ; if "
                              "something stands there, and grade again",
                              visible(making, folder));
    warn(making, claim->submission->node->shown, tell_why(making, claim, id), remedy);
}

/* Somebody whom no line of the roster matches is graded all the same, under the name that the folder gives.
 * */
static bool add_stranger(Making *making, Claim *claim) {
    const Clues *clues = &claim->submission->clues;
    const Claim *earlier = find_earlier(making, claim);
    if (earlier != NULL) {
        claim->submission->person = earlier->submission->person;
        return true;
    }
    const char *name;
    if (clues->name != NULL)
        name = clues->name;
    else
        name = clues->run;
    Person person = {
        .id = make_id(making, clues), .name = visible(making, name), .email = visible(making, clues->email)};
    if (person.id == NULL) return false;
    claim->submission->person = making->intake->people_count;
    making->intake->people[making->intake->people_count++] = person;
    if (making->roster->count > 0 && making->strangers++ < STRANGERS_TOLD)
        tell_unmatched(making, claim, person.id);
    return true;
}

static void tell_more_strangers(const Making *making) {
    if (making->strangers <= STRANGERS_TOLD) return;
    const size_t more = making->strangers - STRANGERS_TOLD;
    advise(diag_add(making->diagnostics, DIAG_WARNING, making->roster->path, 0, 0,
                    more == 1 ? "%zu more submission matches no line, and is graded under its own name"
                              : "%zu more submissions match no line, and are graded under their own names",
                    more),
           "`warpschool gradebook` has all of them, by these names");
}

/* ---- together ---- */

/* Brightspace makes a folder of each time that somebody hands in, and its number says whose they are. */
static bool are_times_of_one(const Submission *a, const Submission *b) {
    return a->clues.name_has_key && b->clues.name_has_key && strcmp(a->clues.id, b->clues.id) == 0;
}

/* Two folders of one student. Single files side by side are how some systems hand out, and nothing to say. */
static void tell_twins(Making *making) {
    for (size_t i = 0; i < making->count; i++)
        for (size_t j = i + 1; j < making->count; j++) {
            const Submission *a = making->claims[i].submission, *b = making->claims[j].submission;
            if (a->person != b->person || a->node == b->node || a->file != NULL || b->file != NULL) continue;
            if (a->download != b->download || are_times_of_one(a, b)) continue;
            warn(making, b->node->shown,
                 arena_format(making->arena, "is of the same student as %s: %s", a->node->shown,
                              making->intake->people[a->person].id),
                 "of each lesson the newer file counts; if they are two students, give each a line of the "
                 "roster with its `folder`");
        }
}

/* The line of the roster that is called most like the submission, whatever the order of the words. */
static const RosterRow *nearest_row(const Making *making, const Clues *clues) {
    static const RosterField fields[] = {ROSTER_NAME, ROSTER_ID, ROSTER_LOGIN, ROSTER_EMAIL};
    const char *own;
    if (clues->name != NULL)
        own = clues->name;
    else
        own = key_of(clues);
    const char *word = names_sorted(making->arena, own);
    const RosterRow *found = NULL;
    Nearest nearest = nearest_within(word != NULL ? word : own, SIZE_MAX);
    for (size_t row = 0; row < making->roster->count; row++)
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
            const char *value = making->roster->rows[row].fields[fields[i]];
            if (value != NULL && nearest_offer(&nearest, names_sorted(making->arena, value)))
                found = &making->roster->rows[row];
        }
    return found;
}

static void tell_stranger(Making *making, const Claim *claim) {
    const RosterRow *row = nearest_row(making, &claim->submission->clues);
    if (row == NULL) return;
    const char *name = row->fields[ROSTER_NAME];
    diag_add(making->diagnostics, DIAG_NOTE, claim->submission->node->shown, 0, 0,
             "matches nobody; the nearest is line %d, %s%s%s", row->line,
             visible(making, row->fields[ROSTER_ID]), name != NULL ? ", " : "",
             name != NULL ? visible(making, name) : "");
}

/* A roster that matches less than a third is another class's, or names people in another way than the
 * download. Judging would take its time and fill the gradebook with names that nobody knows. */
static bool roster_fits(Making *making, bool strangers) {
    enum { FEW = 3, MOST_TOLD = 10 };
    size_t matched = 0, told = 0;
    for (size_t i = 0; i < making->count; i++)
        matched += making->claims[i].match != MATCH_NONE;
    if (strangers || making->roster->count == 0 || making->count == 0 || FEW * matched >= making->count)
        return true;
    advise(diag_add(making->diagnostics, DIAG_ERROR, making->roster->path, 0, 0,
                    "matches %zu of %zu submissions, so nothing was judged", matched, making->count),
           "name the column that has the download's ids, --columns id=HEADER, or give the roster a column "
           "`folder`; --strangers grades all of them under the names that they have");
    for (size_t i = 0; i < making->count && told < MOST_TOLD; i++) {
        if (making->claims[i].match != MATCH_NONE) continue;
        tell_stranger(making, &making->claims[i]);
        told++;
    }
    return false;
}

/* All contested claims are found before the first is taken back. */
static bool drop_contested(Making *making) {
    bool *contested = ARENA_ARRAY(making->arena, making->count + 1, bool);
    for (size_t i = 0; contested != NULL && i < making->count; i++)
        contested[i] = is_contested(making, &making->claims[i]);
    for (size_t i = 0; contested != NULL && i < making->count; i++) {
        if (!contested[i]) continue;
        making->claims[i].match = MATCH_NONE;
        warn(making, making->claims[i].submission->node->shown,
             "another student has the same name, so it is matched with no line of the roster",
             "give the roster a column with the ids that the download uses");
    }
    return contested != NULL;
}

/* Each submission gets a person: the line of the roster that it matched, or one made for it. A line that two
 * claim goes to neither. */
static bool assign(Making *making) {
    bool fine = drop_contested(making);
    for (size_t i = 0; i < making->count && fine; i++) {
        Claim *claim = &making->claims[i];
        if (claim->match == MATCH_NONE)
            fine = add_stranger(making, claim);
        else
            claim->submission->person = claim->row;
    }
    for (size_t i = 0; i < making->count && fine; i++) {
        Person *person = &making->intake->people[making->claims[i].submission->person];
        if (person->folder == NULL) person->folder = making->claims[i].submission->clues.folder;
    }
    return fine;
}

/* Who is in the roster and handed in nothing, NAMED of them by id: but an anonymous table has their rows,
 * which are empty. */
static void tell_absent(Making *making, bool nameless) {
    enum { NAMED = 10 };
    Text list = text_new();
    size_t absent = 0;
    for (size_t i = 0; i < making->intake->people_count; i++) {
        const Person *person = &making->intake->people[i];
        if (person->folder != NULL) continue;
        if (absent++ < NAMED) text_format(&list, "%s%s", absent > 1 ? ", " : "", person->id);
    }
    if (absent > NAMED) text_format(&list, ", and %zu more", absent - NAMED);
    if (absent > 0)
        warn(making, making->roster->path,
             arena_format(making->arena, "%zu of %zu have handed in nothing%s%s", absent,
                          making->roster->count, nameless ? "" : ": ", nameless ? "" : list.bytes),
             "a folder that matches nobody, if there is one, is named above");
    text_free(&list);
}

/* A person on the way to its place in the sorted list. */
typedef struct Place {
    Person person;
    size_t before;
} Place;

static int compare_places(const void *a, const void *b) {
    return strcmp(((const Place *)a)->person.id, ((const Place *)b)->person.id);
}

/* Sorted by id; the submissions follow. */
static bool sort_people(Making *making) {
    size_t count = making->intake->people_count;
    Place *places = ARENA_ARRAY(making->arena, count + 1, Place);
    size_t *after = ARENA_ARRAY(making->arena, count + 1, size_t);
    if (places == NULL || after == NULL) return false;
    for (size_t i = 0; i < count; i++)
        places[i] = (Place){making->intake->people[i], i};
    qsort(places, count, sizeof *places, compare_places);
    for (size_t i = 0; i < count; i++) {
        making->intake->people[i] = places[i].person;
        after[places[i].before] = i;
    }
    for (size_t i = 0; i < making->count; i++)
        making->claims[i].submission->person = after[making->claims[i].submission->person];
    return true;
}

/* The people of a class are those of the roster and those who handed in something. */
bool people_make(Intake *intake, Arena *arena, const Roster *roster, SubmissionList *submissions,
                 const IntakeOptions *options, Diagnostics *diagnostics) {
    Making making = {.intake = intake, .arena = arena, .roster = roster, .diagnostics = diagnostics};
    making.claims = ARENA_ARRAY(arena, submissions->count + 1, Claim);
    intake->people = ARENA_ARRAY(arena, roster->count + submissions->count + 1, Person);
    if (making.claims == NULL || intake->people == NULL) return false;
    add_rows(&making);
    make_claims(&making, submissions);
    if (!roster_fits(&making, options->strangers) || !assign(&making) || !sort_people(&making)) return false;
    tell_more_strangers(&making);
    tell_twins(&making);
    if (roster->path != NULL) tell_absent(&making, options->nameless);
    return true;
}
