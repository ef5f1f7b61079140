/* forms.c - the names that learning systems give; see forms.h. */
#include "grading/intake/forms.h"
#include "base/minmax.h"

#include "grading/intake/names.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/* ---- Canvas ---- */

/* What stands behind a number and an underscore; NULL where there is none, or one of fewer digits. */
static const char *past_number(const char *at, size_t least) {
    size_t digits = strspn(at, "0123456789");
    if (digits >= least && at[digits] == '_') return at + digits + 1;
    return NULL;
}

/* What the student called the file: behind the user's number and the file's, or behind the user's where
 * Canvas has written down what was typed in. NULL when that is not what stands here. */
static const char *past_ids(const char *at, size_t least) {
    const char *rest = past_number(at, least), *file = rest != NULL ? past_number(rest, least) : NULL;
    if (rest != NULL && (strcmp(rest, "text.html") == 0 || strcmp(rest, "link.html") == 0)) return rest;
    if (file != NULL && *file != '\0') return file;
    return NULL;
}

/* Where the user's number stands: Canvas leaves no such numbers in a name. A name may hold underscores; an
 * anonymous download has none, and numbers of some length must do. */
static const char *find_ids(const char *name, const char **file) {
    enum { OF_ANONYMOUS = 3 };
    for (const char *at = name;; at++) {
        *file = past_ids(at, at == name ? OF_ANONYMOUS : 1);
        if (*file != NULL) return at;
        at = strchr(at, '_');
        if (at == NULL) return NULL;
    }
}

/* lastfirst_LATE_12345_67890_name.cu; in some editions "late", and without the name when it is hidden. */
static bool read_canvas(SubmissionList *list, Arena *arena, Node *node) {
    static const char mark[] = "late_";
    const char *name = node->name, *file, *at = node->kind != NODE_FOLDER ? find_ids(name, &file) : NULL;
    if (at == NULL) return false;
    size_t before = (size_t)(at - name), length = strlen(mark);
    bool late = before >= length && strncasecmp(at - length, mark, length) == 0 &&
                (before == length || at[-(ptrdiff_t)length - 1] == '_');
    if (late) before -= length;
    Clues clues = {.id = arena_copy(arena, at, strspn(at, "0123456789"))};
    if (before > 1) clues.run = arena_copy(arena, name, before - 1);
    if (clues.run != NULL)
        clues.folder = clues.run;
    else
        clues.folder = clues.id;
    Submission *added = layout_add(list, arena, node, &clues);
    if (added == NULL) return true;
    added->file = file;
    added->late = late;
    return true;
}

/* ---- Moodle ---- */

/* What Moodle calls the places where something is handed in; what was typed into a text field is no file to
 * grade, and refused as its student's. A name that somebody chose may hold such a mark and another one's
 * number before it: so a folder's mark is the one at its end, and a file with two of them is nobody's. */
static const char *find_moodle_mark(const Node *node, size_t *length) {
    static const char stem[] = "_assignsubmission_";
    static const char *const kinds[] = {"file", "onlinetext"};
    const char *mark = strstr(node->name, stem);
    for (const char *next = mark; next != NULL; next = strstr(next + 1, stem)) {
        if (next != mark && node->kind != NODE_FOLDER) return NULL;
        mark = next;
    }
    for (size_t i = 0; mark != NULL && i < sizeof kinds / sizeof *kinds; i++) {
        *length = strlen(stem) + strlen(kinds[i]);
        if (text_starts_with(mark + strlen(stem), kinds[i])) return mark;
    }
    return NULL;
}

/* What was typed in is passed over where the same participant's files stand right before it, in the order of
 * names: a greeting beside them is usual, and nothing to look at. */
static bool is_beside_files(const Node *node, const char *mark) {
    static const char files[] = "_assignsubmission_file";
    const size_t who = (size_t)(mark - node->name);
    for (const Node *before = node->parent != NULL ? node->parent->first : NULL;
         before != NULL && before != node; before = before->next)
        if (strncmp(before->name, node->name, who) == 0 && text_starts_with(before->name + who, files))
            return true;
    return false;
}

/* "Full Name_12345_assignsubmission_file_", a folder or the beginning of a file's name. */
static bool read_moodle(SubmissionList *list, Arena *arena, Node *node) {
    size_t mark = 0;
    const char *found = find_moodle_mark(node, &mark);
    if (found == NULL) return false;
    const char *digits = found;
    while (digits > node->name && isdigit((unsigned char)digits[-1]))
        digits--;
    if (digits == found || digits - node->name < 2 || digits[-1] != '_') return false;
    Clues clues = {.name = arena_copy(arena, node->name, (size_t)(digits - 1 - node->name)),
                   .id = arena_copy(arena, digits, (size_t)(found - digits)),
                   .folder = node->name};
    const char *file = found + mark;
    if (*file == '_') file++;
    const bool typed = strstr(found, "onlinetext") != NULL;
    if (typed && is_beside_files(node, found)) return true;
    Submission *added = layout_add(list, arena, node, &clues);
    if (added != NULL && (node->kind == NODE_FILE || typed)) added->file = file;
    return true;
}

/* ---- times that a name has ---- */

/* Whether a clock shows this at some moment of summer time, or of the other. */
static bool moment_if(struct tm at, int summer, time_t *moment) {
    struct tm shown = at;
    shown.tm_isdst = summer;
    *moment = mktime(&shown);
    return shown.tm_hour == at.tm_hour && shown.tm_min == at.tm_min && shown.tm_mday == at.tm_mday &&
           shown.tm_mon == at.tm_mon;
}

/* The moment that a clock of this machine's zone shows so: such names have no zone. 0 for no date. The hour
 * that comes twice when summer time ends is the first of the two, so that nobody is late by a clock; one that
 * is left out in spring is what the clock would have gone on to. */
static int64_t local_moment(struct tm at) {
    time_t moment, summer;
    const bool is_summer = moment_if(at, 1, &summer), is_winter = moment_if(at, 0, &moment);
    if (is_summer && (!is_winter || summer < moment)) moment = summer;
    if (is_summer || is_winter) return moment > 0 ? (int64_t)moment : 0;
    struct tm same = at;
    same.tm_isdst = -1;
    moment = mktime(&same);
    const bool is_date =
        same.tm_mday == at.tm_mday && same.tm_mon == at.tm_mon && at.tm_hour < 24 && at.tm_min < 60;
    if (is_date && moment > 0) return (int64_t)moment;
    return 0;
}

/* ---- Blackboard ---- */

/* Where the date begins that stands behind "_attempt_", and what is behind the date; NULL without one. */
static const char *find_attempt(const char *name, const char **rest) {
    static const char mark[] = "_attempt_", shape[] = "dddd-dd-dd-dd-dd-dd";
    for (const char *at = strstr(name, mark); at != NULL; at = strstr(at + 1, mark)) {
        const char *date = at + strlen(mark);
        size_t i = 0;
        while (shape[i] != '\0' && (shape[i] == 'd' ? isdigit((unsigned char)date[i]) != 0 : date[i] == '-'))
            i++;
        *rest = date + i;
        if (shape[i] == '\0' && at > name) return date;
    }
    return NULL;
}

static int64_t attempt_time(const char *date) {
    struct tm at = {.tm_isdst = -1};
    if (strptime(date, "%Y-%m-%d-%H-%M-%S", &at) != NULL) return local_moment(at);
    return 0;
}

/* Blackboard writes a text about each attempt, ..._2026-10-05-14-03-22.txt; it is nothing that was handed in
 * where a file of the same attempt follows it in the order of names. */
static bool is_about_attempt(const Node *node, const char *rest) {
    return strcmp(rest, ".txt") == 0 && node->next != NULL &&
           strncmp(node->next->name, node->name, (size_t)(rest - node->name)) == 0;
}

/* "Lab 3_annlee_attempt_2026-10-05-14-03-22_07.cu". What stands before the mark ends in the login; where it
 * begins, the roster knows, since a login may have an underscore too. */
static bool read_blackboard(SubmissionList *list, Arena *arena, Node *node) {
    const char *rest = NULL, *date = node->kind != NODE_FOLDER ? find_attempt(node->name, &rest) : NULL;
    if (date == NULL || (*rest != '_' && strcmp(rest, ".txt") != 0)) return false;
    if (is_about_attempt(node, rest)) return true;
    Clues clues = {.tail = arena_copy(arena, node->name, (size_t)(date - strlen("_attempt_") - node->name))};
    Submission *added = layout_add(list, arena, node, &clues);
    if (added == NULL || clues.tail == NULL) return true;
    if (*rest == '_')
        added->file = rest + 1;
    else
        added->file = node->name;
    added->time = attempt_time(date);
    return true;
}

/* ---- Brightspace ---- */

/* A number from so many digits at most; -1 without any. */
static int take_number(const char **at, int most) {
    int value = -1;
    for (int i = 0; i < most && isdigit((unsigned char)**at); i++)
        value = MAX(0, value) * 10 + (*(*at)++ - '0');
    return value;
}

static int take_month(const char **at) {
    static const char names[] = "janfebmaraprmayjunjulaugsepoctnovdec";
    size_t length = strspn(*at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    for (int month = 0; length >= 3 && month < 12; month++) {
        if (strncasecmp(*at, names + 3 * month, 3) != 0) continue;
        *at += length;
        return month;
    }
    return -1;
}

static void skip_blanks(const char **at) {
    while (**at == ' ' || **at == ',')
        (*at)++;
}

/* "926 PM" and "1159 PM": hours and minutes without a mark between them. */
static bool take_clock(const char **at, struct tm *when) {
    enum { HALF_DAY = 12 };
    const char *start = *at;
    const int both = take_number(at, 4);
    if (both < 0 || *at - start < 3) return false;
    skip_blanks(at);
    const bool after = strncasecmp(*at, "PM", 2) == 0;
    if (!after && strncasecmp(*at, "AM", 2) != 0) return false;
    *at += 2;
    const int hour = both / 100;
    when->tm_hour = hour % HALF_DAY + (after ? HALF_DAY : 0);
    when->tm_min = both % 100;
    return hour >= 1 && hour <= HALF_DAY && when->tm_min < 60;
}

/* "Sep 24, 2024 926 PM", "05 March 2026 612 PM": where it ends; NULL when no date stands here. */
static const char *past_date(const char *at, int64_t *time) {
    struct tm when = {.tm_isdst = -1};
    when.tm_mday = take_number(&at, 2);
    skip_blanks(&at);
    when.tm_mon = take_month(&at);
    skip_blanks(&at);
    if (when.tm_mday < 0) when.tm_mday = take_number(&at, 2);
    skip_blanks(&at);
    const int year = take_number(&at, 4);
    when.tm_year = year - 1900;
    skip_blanks(&at);
    if (when.tm_mon < 0 || when.tm_mday < 1 || year < 1970 || !take_clock(&at, &when)) return NULL;
    *time = local_moment(when);
    return at;
}

static const char brightspace_between[] = " - ";

/* Where the name ends that begins here: before the first date, or of a folder in another language before the
 * last part. */
static const char *find_name_end(const Node *node, const char *name, const char **file, int64_t *time) {
    const size_t width = strlen(brightspace_between);
    const char *last = NULL;
    *file = NULL;
    for (const char *at = strstr(name, brightspace_between); at != NULL;
         at = strstr(at + 1, brightspace_between)) {
        const char *end = past_date(at + width, time);
        last = at;
        if (end == NULL) continue;
        if (*end == '\0') return node->kind == NODE_FOLDER ? at : NULL;
        if (node->kind == NODE_FOLDER || !text_starts_with(end, brightspace_between)) continue;
        *file = end + width;
        return at;
    }
    *time = 0;
    const bool dated = last != NULL && strpbrk(last, "0123456789") != NULL;
    if (dated && node->kind == NODE_FOLDER) return last;
    return NULL;
}

/* "27236-46025 - annlee Ann Lee - Sep 24, 2024 926 PM". */
static bool read_brightspace(SubmissionList *list, Arena *arena, Node *node) {
    const size_t user = strspn(node->name, "0123456789");
    size_t folder = 0;
    if (node->name[user] == '-') folder = strspn(node->name + user + 1, "0123456789");
    const char *name = node->name + user + 1 + folder, *file = NULL;
    if (user == 0 || folder == 0 || !text_starts_with(name, brightspace_between)) return false;
    name += strlen(brightspace_between);
    int64_t time = 0;
    const char *end = find_name_end(node, name, &file, &time);
    if (end == NULL || end == name) return false;
    Clues clues = {.id = arena_copy(arena, node->name, user),
                   .name = arena_copy(arena, name, (size_t)(end - name)),
                   .folder = node->name,
                   .name_has_key = true};
    Submission *added = layout_add(list, arena, node, &clues);
    if (added == NULL) return true;
    added->file = file;
    added->time = time;
    return true;
}

/* ---- Sakai ---- */

static const char sakai_files[] = "Submission attachment(s)";

/* timestamp.txt: "20170116164400200", UTC, or in later versions "2017-01-16T16:44:00.200Z". */
static int64_t sakai_time(const Node *folder) {
    const Node *file = tree_child(folder, LAYOUT_TIMESTAMP);
    enum { DIGITS = 14 };
    char text[64];
    if (file == NULL || file->bytes == NULL || file->length >= sizeof text) return 0;
    memcpy(text, file->bytes, file->length);
    text[file->length] = '\0';
    text[strcspn(text, "\r\n")] = '\0';
    if (strspn(text, "0123456789") < DIGITS) return metadata_time(text);
    struct tm at = {.tm_isdst = 0};
    text[DIGITS] = '\0';
    if (strptime(text, "%Y%m%d%H%M%S", &at) != NULL) return (int64_t)timegm(&at);
    return 0;
}

/* "Lee, Ann(annlee)/", where the files lie in a folder of their own beside the teacher's, or
 * "Lee, Ann(annlee)_Submission attachment(s)_07.cu". */
static bool read_sakai(SubmissionList *list, Arena *arena, Node *node) {
    static const char joint[] = ")_Submission attachment(s)_";
    const char *close = strstr(node->name, joint);
    if (node->kind == NODE_FOLDER) close = strrchr(node->name, ')');
    if (close == NULL || (node->kind == NODE_FOLDER && close[1] != '\0')) return false;
    const char *open = close;
    while (open > node->name && *open != '(')
        open--;
    if (open == node->name || open[-1] == ' ' || close - open < 2) return false;
    Clues clues = {.name = arena_copy(arena, node->name, (size_t)(open - node->name)),
                   .login = arena_copy(arena, open + 1, (size_t)(close - open - 1)),
                   .folder = node->name};
    if (clues.name == NULL || strstr(clues.name, ", ") == NULL) return false;
    Node *files = NULL;
    if (node->kind == NODE_FOLDER) files = tree_child(node, sakai_files);
    Submission *added = layout_add(list, arena, files != NULL ? files : node, &clues);
    if (added == NULL) return true;
    if (node->kind != NODE_FOLDER) added->file = close + strlen(joint);
    added->time = sakai_time(node);
    return true;
}

/* ---- which form a download has ---- */

struct Form {
    bool (*read)(SubmissionList *list, Arena *arena, Node *node);
};

/* Of two that read equally many, the first. */
static const Form forms[] = {
    {read_moodle}, {read_blackboard}, {read_sakai}, {read_brightspace}, {read_canvas}};

/* How many entries a form reads. */
static size_t count_read(const Form *form, Node *first, bool only_first) {
    SubmissionList list = {.count = 0};
    Arena *scratch = arena_create();
    size_t count = 0;
    for (Node *node = first; scratch != NULL && node != NULL; node = only_first ? NULL : node->next)
        count += form->read(&list, scratch, node);
    arena_destroy(scratch);
    return count;
}

const Form *forms_find(Node *first, bool only_first) {
    const Form *best = NULL;
    size_t most = 0;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const size_t count = count_read(&forms[i], first, only_first);
        if (count > most) best = &forms[i];
        if (count > most) most = count;
    }
    return best;
}

bool forms_fill(const Form *form, const Node *folder) {
    for (Node *child = folder->first; child != NULL; child = child->next) {
        if (child->kind == NODE_FILE && !names_end_with(child->name, ".cu")) continue;
        if (count_read(form, child, true) == 0) return false;
    }
    return true;
}

bool forms_read(const Form *form, SubmissionList *list, Arena *arena, Node *node) {
    return form != NULL && form->read(list, arena, node);
}

/* ---- what the names of one download say together ---- */

/* Whether the file's own name begins with a number, too: then another reading of the whole takes the first
 * two for part of a name, as in "evil_302_303_9001_07.cu" by evil_302. */
static bool has_two_readings(const Submission *one) {
    return one->clues.run != NULL && one->file != NULL && past_number(one->file, 1) != NULL;
}

static int compare_ids(const void *a, const void *b) {
    const Submission *one = *(Submission *const *)a, *other = *(Submission *const *)b;
    return strcmp(text_or(one->clues.id, ""), text_or(other->clues.id, ""));
}

/* Of those with one number: a name that its owner ends in another one's number is found by that one's name,
 * in a file that can be read in one way only. */
static bool is_borrowed(Submission *const *group, size_t count, const Submission *one) {
    for (size_t i = 0; has_two_readings(one) && i < count; i++)
        if (group[i]->clues.run != NULL && !has_two_readings(group[i]) &&
            strcmp(group[i]->clues.run, one->clues.run) != 0)
            return true;
    return false;
}

/* Drops the submissions that an earlier step has taken the node from. */
static void remove_unread(SubmissionList *list) {
    SubmissionList kept = {.count = 0};
    for (Submission *one = list->first, *next; one != NULL; one = next) {
        next = one->next;
        one->next = NULL;
        if (one->node == NULL) continue;
        *(kept.last != NULL ? &kept.last->next : &kept.first) = one;
        kept.last = one;
        kept.count++;
    }
    *list = kept;
}

/* Canvas gives a number to one name, and a name must not put a file into somebody else's hand: of two names
 * with one number the one that can be read in another way is left out. */
static bool drop_borrowed_numbers(SubmissionList *list, Arena *arena, Diagnostics *diagnostics) {
    Submission **sorted = ARENA_ARRAY(arena, list->count + 1, Submission *);
    size_t count = 0;
    for (Submission *one = list->first; sorted != NULL && one != NULL; one = one->next)
        sorted[count++] = one;
    if (count > 1) qsort(sorted, count, sizeof *sorted, compare_ids);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && compare_ids(&sorted[first], &sorted[end]) == 0;)
            end++;
        for (size_t i = first; i < end; i++) {
            if (!is_borrowed(sorted + first, end - first, sorted[i])) continue;
            layout_warn(diagnostics, sorted[i]->node->shown,
                        "is left out: its name has the number of another student",
                        "find out whose it is, and put it into a folder named after the student");
            sorted[i]->node = NULL;
        }
    }
    remove_unread(list);
    return sorted != NULL;
}

static const char *last_word(const char *tail) {
    const char *low = strrchr(tail, '_');
    if (low != NULL && low[1] != '\0') return low + 1;
    return tail;
}

/* Whether somebody else of the download has a login that ends in the same word after an underscore. */
static bool shares_word(const SubmissionList *list, const Submission *one) {
    const char *word = last_word(one->clues.tail);
    for (const Submission *other = list->first; other != NULL; other = other->next)
        if (other->clues.tail != NULL && strcmp(other->clues.tail, one->clues.tail) != 0 &&
            strcmp(last_word(other->clues.tail), word) == 0)
            return true;
    return false;
}

/* Logins of Blackboard. Two that end in the same word are two people's: without a roster they are told apart
 * by all that stands before the mark. */
static void fill_logins(SubmissionList *list) {
    for (Submission *one = list->first; one != NULL; one = one->next) {
        if (one->clues.tail == NULL) continue;
        if (shares_word(list, one))
            one->clues.login = one->clues.tail;
        else
            one->clues.login = last_word(one->clues.tail);
        one->clues.folder = one->clues.login;
    }
}

bool forms_settle(SubmissionList *list, Arena *arena, Diagnostics *diagnostics) {
    fill_logins(list);
    return drop_borrowed_numbers(list, arena, diagnostics);
}
