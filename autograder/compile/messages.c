/* messages.c - reads `FILE:LINE:COLUMN: LEVEL: TEXT` lines, and nvcc's `FILE(LINE): LEVEL: TEXT`; see
 * messages.h.
 *
 * Only places in the student's file are shown. An error inside a header counts where the student's file led
 * to it: at the next note that names the file ("in instantiation of ... requested here"), or else at no line.
 * Device and host side are compiled apart, so the same message may come twice.
 */
#include "autograder/compile/messages.h"
#include "base/minmax.h"

#include "autograder/texts.h"

#include <stdlib.h>
#include <ctype.h>
#include <string.h>

enum { MOST_NOTES = 2, MOST_ERRORS = 8, MOST_WARNINGS = 5, LONGEST_MESSAGE = 400 };

/* How grave the compiler calls a message. */
typedef enum Level { LEVEL_OTHER, LEVEL_NOTE, LEVEL_WARNING, LEVEL_ERROR } Level;

/* A line of the compiler's output, taken apart. */
typedef struct Message {
    Level level;
    bool own_file;
    int line, column;
    const char *text; /* up to the end of the line */
    size_t length;
} Message;

/* How the message goes on behind its place. */
static const struct {
    const char *word;
    Level level;
} levels[] = {{"note: ", LEVEL_NOTE},
              {"warning: ", LEVEL_WARNING},
              {"error: ", LEVEL_ERROR},
              {"fatal error: ", LEVEL_ERROR}};

static bool read_level(const char *at, Message *message) {
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        if (!text_starts_with(at, levels[i].word)) continue;
        message->level = levels[i].level;
        message->text = at + strlen(levels[i].word);
        message->length = strcspn(message->text, "\n");
        return true;
    }
    return false;
}

/* ":12:5: error: text", as clang and gcc have it, or "(12): error: text", as nvcc: fills line, column, level
 * and text. */
static bool read_place(const char *at, Message *message) {
    const char mark = *at++;
    char *end;
    message->line = (int)strtol(at, &end, 10);
    if (mark == '(' && end != at) return text_starts_with(end, "): ") && read_level(end + 3, message);
    if (end == at || *end != ':') return false;
    at = end + 1;
    message->column = (int)strtol(at, &end, 10);
    return end != at && text_starts_with(end, ": ") && read_level(end + 2, message);
}

static bool is_own(const char *file, size_t length, const char *name) {
    if (length > 3 && memcmp(file, "/w/", 3) == 0) {
        file += 3;
        length -= 3;
    }
    return strlen(name) == length && memcmp(file, name, length) == 0;
}

static bool read_message(const char *line, const char *name, Message *message) {
    *message = (Message){.level = LEVEL_OTHER};
    size_t length = strcspn(line, "\n");
    for (size_t i = 1; i + 1 < length; i++) {
        if (line[i] == ':' &&
            memmem(line + i, MIN(length - i, 9), ": error: ", 9) == line + i) { /* of no line */
            *message = (Message){LEVEL_ERROR, .text = line + i + 9, .length = length - i - 9};
            return true;
        }
        if ((line[i] != ':' && line[i] != '(') || !read_place(line + i, message)) continue;
        message->own_file = is_own(line, i, name);
        return true;
    }
    return false;
}

static bool is_known(const Check *check, int line, const char *text) {
    for (const Finding *finding = check->result->first; finding != NULL; finding = finding->next)
        if (finding->line == line && strcmp(finding->message, text) == 0) return true;
    return false;
}

/* Clang ends warnings with their flag: "... [-Wunused-variable]". */
static size_t without_flag(const char *text, size_t length) {
    if (length == 0 || text[length - 1] != ']') return length;
    size_t at = length;
    while (at > 0 && text[at - 1] != '[')
        at--;
    if (at > 1 && text_starts_with(text + at, "-W")) return at - 2;
    return length;
}

/* A compiler's message as a finding. It may quote the student's file, and so is made harmless for a terminal.
 * */
static Finding *add(Check *check, FindingKind kind, const Message *message) {
    size_t length = without_flag(message->text, message->length);
    Text text = text_new();
    text_add_visible(&text, message->text, MIN(length, LONGEST_MESSAGE));
    const char *copy = arena_keep(check->arena, &text);
    if (copy == NULL || is_known(check, message->own_file ? message->line : 0, copy)) return NULL;
    Finding *finding = result_add(check->result, check->arena, kind);
    if (finding == NULL) return NULL;
    finding->message = copy;
    finding->file = check->submission->path;
    if (message->own_file) {
        finding->line = message->line;
        finding->column = message->column;
    }
    return finding;
}

/* ---- in a learner's words ---- */

/* A row of messages.def. */
typedef struct Hint {
    const char *part, *below, *said, *explanation;
} Hint;

static const Hint hints[] = {
#define MESSAGE(part, said, explanation) {part, NULL, said, explanation},
#define MESSAGE_OVER(part, below, said, explanation) {part, below, said, explanation},
#include "autograder/compile/messages.def"
#undef MESSAGE_OVER
#undef MESSAGE
};

/* How much of the output from a message on belongs to it: its notes, and the source lines that are printed
 * with them, up to the next error or warning. */
static size_t length_with_notes(const char *text) {
    size_t length = strcspn(text, "\n");
    while (text[length] == '\n') {
        const size_t next = length + 1, end = next + strcspn(text + next, "\n");
        if (memmem(text + next, end - next, ": error: ", 9) != NULL ||
            memmem(text + next, end - next, ": warning: ", 11) != NULL)
            break;
        length = end;
    }
    return length;
}

static bool holds(const char *text, size_t length, const char *part) {
    return part == NULL || memmem(text, length, part, strlen(part)) != NULL;
}

static const Hint *find_hint(const Message *message) {
    const size_t below = length_with_notes(message->text);
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (holds(message->text, message->length, hints[i].part) &&
            holds(message->text, below, hints[i].below))
            return &hints[i];
    return NULL;
}

/* The variable of "reference to __host__ variable 'COUNT' in ...", when it is the same in `text`. */
static bool names_same(const char *message, const Message *other) {
    return strlen(message) == other->length && memcmp(message, other->text, other->length) == 0;
}

/* The same message at another line is the same mistake again. */
static bool repeats_error(const Check *check, const Message *message) {
    for (const Finding *finding = check->result->first; finding != NULL; finding = finding->next)
        if (finding->kind == FINDING_COMPILE_ERROR && names_same(finding->message, message)) return true;
    return false;
}

/* A host variable as the size of an array: what the compiler says of the variable leads away from it. */
static bool explains_size(Check *check, const Message *message) {
    static const char variable[] = "reference to __host__ variable '";
    Finding *last = check->result->last;
    if (memmem(message->text, message->length, "cannot use variable-length", 26) == NULL) return false;
    if (last == NULL || last->line != message->line || !text_starts_with(last->message, variable))
        return false;
    const char *name = last->message + strlen(variable);
    const char *copy = arena_copy(check->arena, name, strcspn(name, "'"));
    if (copy != NULL) last->explanation = TOLD_COMPILE(SIZE_WHY, check->arena, .name = copy);
    return true;
}

/* An error with what it means. NULL when it only repeats or follows from another one. */
static Finding *add_error(Check *check, Message *message, const Hint *hint) {
    if (explains_size(check, message)) return NULL;
    if (hint != NULL && hint->said != NULL) {
        message->text = hint->said;
        message->length = strlen(hint->said);
    }
    if (repeats_error(check, message)) return NULL;
    if (hint != NULL && hint->explanation == NULL && result_has_errors(check->result)) return NULL;
    Finding *added = add(check, FINDING_COMPILE_ERROR, message);
    if (added != NULL && hint != NULL) added->explanation = hint->explanation;
    return added;
}

/* ---- the compiler's output ---- */

static const char *next_line(const char *at) {
    at += strcspn(at, "\n");
    if (*at == '\n') return at + 1;
    return at;
}

/* What explains an error: the functions that do not fit and why, the macro that it is in. Others repeat it.
 */
static bool is_useful(const Message *note) {
    static const char *const parts[] = {"candidate ", "expanded from macro", "declared here",
                                        "passing argument to parameter", "in instantiation of"};
    static const char starters[] = "expanded from macro 'CHECK'"; /* it came with the file */
    bool useful = false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        useful = useful || holds(note->text, note->length, parts[i]);
    return useful && !holds(note->text, note->length, starters);
}

/* An error that is being told, and how much more the compiler's notes may add. */
typedef struct Told {
    Finding *finding;
    int notes;
    int candidates; /* each overload of a function has a note, and they differ in nothing that helps */
} Told;

static void add_note(Check *check, Told *told, const Message *message) {
    const bool candidate = holds(message->text, message->length, "candidate ");
    if (told->notes == 0 || !is_useful(message) || (candidate && told->candidates == 0)) return;
    Finding *finding = told->finding;
    Text text = text_new();
    text_format(&text, "%s%s", finding->explanation, finding->explanation[0] ? "\n" : "");
    say_compile(&text, COMPILE_ADDS, &(CompileFacts){.own = message->own_file, .line = message->line});
    text_add(&text, " ");
    text_add_visible(&text, message->text,
                     message->length < LONGEST_MESSAGE ? message->length : LONGEST_MESSAGE);
    const char *copy = arena_keep(check->arena, &text);
    if (copy != NULL) finding->explanation = copy;
    told->notes--;
    told->candidates -= candidate;
}

void messages_add_errors(Check *check, const char *output) {
    Told told = {0};      /* the last error */
    Finding *open = NULL; /* the last error, as long as it has no line of the student's */
    int count = 0;
    for (const char *at = output; *at != '\0'; at = next_line(at)) {
        Message message;
        if (!read_message(at, check->submission->name, &message)) continue;
        if (message.level == LEVEL_ERROR) {
            if (count >= MOST_ERRORS) break;
            const Hint *hint = find_hint(&message);
            Finding *added = add_error(check, &message, hint);
            count += added != NULL;
            open = NULL;
            if (added != NULL && !message.own_file) open = added;
            told = (Told){added, MOST_NOTES, hint == NULL || hint->below == NULL};
        } else if (told.finding != NULL && message.level == LEVEL_NOTE && open == NULL) {
            add_note(check, &told, &message);
        } else if (open != NULL && message.level == LEVEL_NOTE && message.own_file) {
            open->line = message.line;
            open->column = message.column;
            open = NULL;
        }
    }
    if (count == 0 && !result_has_errors(check->result)) {
        Message whole = {.level = LEVEL_ERROR, .text = output, .length = strcspn(output, "\n")};
        if (whole.length > 0)
            add(check, FINDING_COMPILE_ERROR, &whole);
        else
            check_add(check, FINDING_COMPILE_ERROR, 0,
                      said_compile(COMPILE_SILENT_MESSAGE, COMPILE_SILENT_WHY, NULL));
    }
}

/* Warnings that are mistakes more often than not: an error in the same program probably comes from there. */
static bool is_likely_cause(const char *text) {
    static const char *const parts[] = {"assignment as a condition",
                                        "has empty body",
                                        "comparison result unused",
                                        "expression result unused",
                                        "is uninitialized when used",
                                        "self-comparison",
                                        "is always true",
                                        "is always false",
                                        "is always evaluated"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(text, parts[i]) != NULL) return true;
    return false;
}

/* Where a line of the source begins. */
static const char *start_of_line(const char *source, int line) {
    while (line > 1 && (source = strchr(source, '\n')) != NULL) {
        source++;
        line--;
    }
    return source;
}

/* while (atomicCAS(&lock, 0, 1)); waits on purpose: the condition looks at what other threads change. */
static bool is_wait(const Check *check, const Message *message) {
    static const char part[] = "while loop has empty body", word[] = "while";
    if (memmem(message->text, message->length, part, sizeof part - 1) == NULL) return false;
    const char *start = start_of_line(check->submission->source.bytes, message->line);
    if (start == NULL || strcspn(start, "\n") < (size_t)message->column) return false;
    const char *end = start + message->column, *condition = NULL;
    for (const char *at = start; (at = memmem(at, (size_t)(end - at), word, sizeof word - 1)) != NULL; at++)
        condition = at + sizeof word - 1;
    for (const char *at = condition; at != NULL && at < end; at++)
        if (*at == '[' || *at == '*' ||
            (*at == '(' && (isalnum((unsigned char)at[-1]) || at[-1] == '_') && at != condition))
            return true;
    return false;
}

/* A runtime call whose status is dropped is counted; what is to be said of it depends on the lesson. Both
 * sides are compiled, each in the order of the lines. */
static bool is_dropped_status(Check *check, const Message *message, int *last_line, int *last_column) {
    static const char part[] = "ignoring return value of function declared with 'nodiscard'";
    if (memmem(message->text, message->length, part, sizeof part - 1) == NULL) return false;
    const bool again =
        message->line < *last_line || (message->line == *last_line && message->column <= *last_column);
    if (again) return true;
    *last_line = message->line;
    *last_column = message->column;
    if (check->unlooked++ == 0) check->unlooked_line = message->line;
    return true;
}

/* Of the functions of the toolkit only shuffles say so. */
static bool drops_value(const Message *message) {
    static const char part[] = "ignoring return value of function declared with 'warn_unused_result'";
    return memmem(message->text, message->length, part, sizeof part - 1) != NULL;
}

/* "x == -INFINITY": no sum comes near an infinity by rounding, so that the comparison is exact. The message
 * is at the operator. */
static bool compares_infinity(const Check *check, const Message *message) {
    static const char part[] = "comparing floating point with == or !=";
    static const char *const names[] = {"INFINITY", "HUGE_VAL", "CUDART_INF"};
    if (memmem(message->text, message->length, part, sizeof part - 1) == NULL) return false;
    const char *at = start_of_line(check->submission->source.bytes, message->line);
    if (at == NULL || message->column < 1 || strcspn(at, "\n") < (size_t)message->column) return false;
    at += message->column - 1;
    at += strspn(at, "=! -+");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_starts_with(at, names[i])) return true;
    return false;
}

/* Warnings about the student's own lines, MOST_WARNINGS of them: more would bury what matters. */
void messages_add_warnings(Check *check, const char *output) {
    int count = 0, line = 0, column = 0;
    for (const char *at = output; *at != '\0' && count < MOST_WARNINGS; at = next_line(at)) {
        Message message;
        if (!read_message(at, check->submission->name, &message)) continue;
        if (message.level != LEVEL_WARNING || !message.own_file) continue;
        if (is_dropped_status(check, &message, &line, &column)) continue;
        if (compares_infinity(check, &message)) continue;
        const bool dropped = drops_value(&message);
        if (dropped) {
            message.text = plain_compile(COMPILE_DROPPED);
            message.length = strlen(message.text);
        }
        Finding *finding = add(check, FINDING_COMPILER_WARNING, &message);
        if (finding == NULL) continue;
        finding->leads = dropped || (is_likely_cause(finding->message) && !is_wait(check, &message));
        finding->explanation = plain_compile(dropped ? COMPILE_DROPPED_WHY : COMPILE_WARNING_WHY);
        count++;
    }
}
