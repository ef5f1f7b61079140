/* task.c - from the book to the spool and back; see task.h. */
#include "grading/run/task.h"

#include "autograder/sandbox/trust.h"
#include "base/json.h"
#include "grading/run/edge.h"

#include <string.h>

/* The seed is no part of the name, which others may see; a result of another seed is not taken. */
void task_name(Task *task) {
    const BookKey *key = &task->key;
    const char *const parts[] = {key->student, key->lesson, key->hash, key->revision, key->versions};
    char hex[HASH_HEX];
    Text text = text_new();
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        text_append(&text, parts[i], strlen(parts[i]) + 1);
    hash_bytes(text.bytes, text.length, hex);
    text_free(&text);
    memcpy(task->name, hex, TASK_NAME - 1);
    task->name[TASK_NAME - 1] = '\0';
}

/* A task becomes a job in the spool, from the source that the gradebook keeps: files on the disk may have
 * changed since. */
bool task_order(TaskRoom *room, Task *task) {
    Job job = {.lesson = task->key.lesson,
               .shown = task->shown,
               .seed = task->key.seed,
               .weak = room->weak,
               .card = room->card};
    Text source = text_new();
    bool ordered =
        gradebook_read_source(room->book, task->key.hash, &source, room->diagnostics) &&
        job_write(&job, room->spool.folder, task->name, source.bytes, source.length, room->diagnostics);
    text_free(&source);
    if (!ordered) return false;
    task->state = TASK_RUNNING;
    task->tries++;
    edge_pass(EDGE_ORDERED);
    return true;
}

static bool record(TaskRoom *room, Task *task, struct json_object *result) {
    edge_pass(EDGE_READ);
    if (!gradebook_add_attempt(room->book, room->grading, &task->key, result, room->diagnostics))
        return false;
    edge_pass(EDGE_RECORDED);
    task->state = TASK_DECIDED;
    spool_clear(&room->spool, task->name);
    edge_pass(EDGE_CLEARED);
    return true;
}

/* The last of what the worker said, in one line. */
static void add_log(const TaskRoom *room, const Task *task, Text *why) {
    enum { LARGEST_LOG = 1 << 20, SHOWN = 300 };
    Text log = text_new();
    if (text_read_named_file(&log, spool_path(&room->spool, task->name, ".log").bytes, LARGEST_LOG)) {
        while (log.length > 0 && log.bytes[log.length - 1] == '\n')
            log.length--;
        size_t from = 0;
        if (log.length > SHOWN) from = log.length - SHOWN;
        for (size_t i = from; i < log.length; i++)
            if (log.bytes[i] == '\n') log.bytes[i] = ' ';
        if (log.length > 0) text_add(why, "; it said: ");
        text_add_visible(why, log.bytes + from, log.length - from);
    }
    text_free(&log);
}

/* A fault of the grader's is tried again, unless it was tried often enough, or the disk is full, which
 * another try does not mend. */
static bool fail(TaskRoom *room, Task *task, const char *why, const char *remedy) {
    if (!spool_has_room(&room->spool, room->diagnostics)) return false;
    task->state = TASK_WAITING;
    if (task->tries < TASK_TRIES) {
        spool_clear(&room->spool, task->name);
        return true;
    }
    Text text = text_new();
    text_add(&text, why);
    add_log(room, task, &text);
    bool recorded =
        gradebook_add_fault(room->book, room->grading, &task->key, text.bytes, remedy, room->diagnostics);
    text_free(&text);
    if (!recorded) return false;
    task->state = TASK_FAULT;
    spool_clear(&room->spool, task->name);
    return true;
}

/* A node of a cluster may allow less than the machine that was asked before the grading began, and a result
 * that was made there is worth no more than what it was made with. */
static bool fail_for_level(TaskRoom *room, Task *task, const char *level) {
    Text why = text_new();
    text_add(&why, "it was judged in the sandbox ");
    text_add_visible(&why, level, strlen(level));
    text_format(&why, ", which is less than this grading's %s", room->grading->sandbox);
    bool failed =
        fail(room, task, why.bytes,
             "run make doctor on the machine that judged it; --allow-weak-sandbox takes what it allows");
    text_free(&why);
    return failed;
}

static bool take(TaskRoom *room, Task *task, struct json_object *result) {
    const char *level = json_text(result, "sandbox", "none");
    if (strcmp(json_text(result, "verdict", "error"), "error") == 0)
        return fail(room, task, json_text(result, "problem", "the judge could not decide"),
                    json_text(result, "remedy", NULL));
    if (!room->weak && !trust_is_as_good(trust_layers(level), trust_layers(room->grading->sandbox)))
        return fail_for_level(room, task, level);
    return record(room, task, result);
}

bool task_collect(TaskRoom *room, Task *task, const char *why) {
    struct json_object *result = job_read_result(spool_path(&room->spool, task->name, ".result").bytes,
                                                 task->key.lesson, task->key.seed);
    if (result == NULL)
        return why == NULL || fail(room, task, why,
                                   "grade again; if it happens again, make doctor looks for what is missing");
    bool collected = take(room, task, result);
    json_object_put(result);
    return collected;
}
