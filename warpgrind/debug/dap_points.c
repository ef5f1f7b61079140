/* dap_points.c - breakpoints: each request replaces those of one file, or of one kind. */
#include "debug/dap_parts.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- those that there are ---- */

static DapPoint *point_at(const Dap *dap, size_t i) {
    return GROWABLE_AT(&dap->points, DapPoint, i);
}

DapPoint *points_find(const Dap *dap, int64_t number) {
    for (size_t i = 0; number > 0 && i < dap->points.count; i++)
        if (point_at(dap, i)->number == number) return point_at(dap, i);
    return NULL;
}

static void free_point(DapPoint *point) {
    free(point->group);
    free(point->data);
    free(point->words);
}

static void remove_point(Dap *dap, size_t i) {
    DapPoint *point = point_at(dap, i);
    if (point->number > 0) {
        json_object *question = session_question("delete", NULL);
        json_put_number(question, "number", point->number);
        json_object_put(session_ask(dap->session, question));
    }
    free_point(point);
    *point = *point_at(dap, --dap->points.count);
}

void points_free(Dap *dap) {
    for (size_t i = 0; i < dap->points.count; i++)
        free_point(point_at(dap, i));
    growable_free(&dap->points);
}

void points_say_unreached(Dap *dap) {
    for (size_t i = 0; i < dap->points.count; i++) {
        const DapPoint *point = point_at(dap, i);
        if (point->hit || point->words == NULL || point->data != NULL) continue;
        Text words = text_new();
        text_format(&words, "The breakpoint at %s was not reached.", point->words);
        wire_say(dap, words.bytes);
        text_free(&words);
    }
}

static void forget_group(Dap *dap, const char *group) {
    for (size_t i = dap->points.count; i-- > 0;)
        if (strcmp(point_at(dap, i)->group, group) == 0) remove_point(dap, i);
}

/* ---- a new one ---- */

/** "3" and ">= 3" stop at the third hit and later ones, "> 3" from the fourth on. False: it is something
 * else. */
static bool read_hits(const char *text, json_object *question) {
    bool above = false;
    while (isspace((unsigned char)*text))
        text++;
    if (*text == '>') {
        above = text[1] != '=';
        text += above ? 1 : 2;
    }
    char *end;
    const long long hits = strtoll(text, &end, 10);
    while (isspace((unsigned char)*end))
        end++;
    if (end == text || *end != '\0' || hits < 0) return false;
    json_put_number(question, "hits", hits + (above ? 1 : 0));
    return true;
}

/** Condition and hit count of the editor's row. False: the row gets words instead of a breakpoint. */
static bool read_limits(json_object *row, json_object *question, json_object *told) {
    const char *condition = json_text(row, "condition", ""), *hits = json_text(row, "hitCondition", "");
    if (*condition != '\0') json_put_text(question, "condition", condition);
    if (*hits == '\0' || read_hits(hits, question)) return true;
    json_put_text(told, "message", "a hit count is written 3, >= 3 or > 3");
    return false;
}

static DapPoint *add_point(Dap *dap, const char *group, int64_t number) {
    DapPoint *point = growable_add(&dap->points);
    if (point == NULL) return NULL;
    *point = (DapPoint){.id = ++dap->point_id, .number = number, .group = strdup(group)};
    if (point->group == NULL) point->group = strdup("");
    return point;
}

/** "steps.cu:17", or the function's name. */
static char *words_of(const char *group, json_object *row) {
    const char *name = json_text(row, "name", NULL), *slash = strrchr(group, '/');
    char *words;
    if (name != NULL) return strdup(name);
    if (slash != NULL) group = slash + 1;
    if (asprintf(&words, "%s:%ld", group, json_number(row, "line", 0)) < 0) return NULL;
    return words;
}

/** What the session has answered to the editor's row, as the editor is told of it. Takes over the answer. */
static void put_answer(Dap *dap, const char *group, json_object *row, json_object *answer,
                       json_object *told) {
    const char *error = json_text(answer, "error", NULL);
    const long line = json_number(answer, "line", 0);
    if (error != NULL) {
        json_put_visible(told, "message", error);
    } else {
        DapPoint *point = add_point(dap, group, json_number(answer, "number", 0));
        if (point != NULL) point->verified = line > 0;
        if (point != NULL) point->words = words_of(group, row);
        if (point != NULL) json_put_number(told, "id", point->id);
        if (line > 0) json_put_number(told, "line", line - 1 + dap->line_base);
        if (line <= 0) json_put_text(told, "message", "looked for when the program has loaded its kernels");
    }
    json_put_flag(told, "verified", error == NULL && line > 0);
    json_object_put(answer);
}

/** A row of the request to a question of the session, or to words in `told`: NULL. */
typedef json_object *ReadPoint(Dap *dap, json_object *row, json_object *source, json_object *told);

static void set_group(Dap *dap, DapMessage *message, const char *group, ReadPoint *read) {
    json_object *list = json_object_new_array(), *rows = json_array(message->arguments, "breakpoints");
    size_t count = json_length(rows);
    forget_group(dap, group);
    for (size_t i = 0; i < count; i++) {
        json_object *row = json_object_array_get_idx(rows, i), *told = json_object_new_object();
        json_object *question = NULL;
        if (dap->no_debug)
            json_put_text(told, "message", "the program is run without debugging");
        else
            question = read(dap, row, json_member(message->arguments, "source"), told);
        if (question != NULL)
            put_answer(dap, group, row, session_ask(dap->session, question), told);
        else
            json_put_flag(told, "verified", false);
        json_object_array_add(list, told);
    }
    json_object_object_add(message->body, "breakpoints", list);
}

/* ---- lines and functions ---- */

static json_object *read_line(Dap *dap, json_object *row, json_object *source, json_object *told) {
    json_object *question = session_question("break", NULL);
    const long line = json_number(row, "line", 0) + 1 - dap->line_base;
    json_put_text(question, "file", json_text(source, "path", json_text(source, "name", "")));
    json_put_number(question, "line", line);
    if (line < 1)
        json_put_text(told, "message", "lines are counted from the first");
    else if (read_limits(row, question, told))
        return question;
    json_object_put(question);
    return NULL;
}

void dap_setBreakpoints(Dap *dap, DapMessage *message) {
    json_object *source = json_member(message->arguments, "source");
    const char *path = json_text(source, "path", json_text(source, "name", ""));
    if (*path == '\0')
        text_add(&message->error, "breakpoints of which file? source has no path");
    else
        set_group(dap, message, path, read_line);
}

static json_object *read_function(Dap *dap, json_object *row, json_object *source, json_object *told) {
    (void)dap;
    (void)source;
    const char *name = json_text(row, "name", "");
    json_object *question = session_question("break", NULL);
    json_put_text(question, "kernel", name);
    if (*name == '\0')
        json_put_text(told, "message", "which kernel or device function?");
    else if (read_limits(row, question, told))
        return question;
    json_object_put(question);
    return NULL;
}

void dap_setFunctionBreakpoints(Dap *dap, DapMessage *message) {
    set_group(dap, message, "function", read_function);
}

/** Lines are known when the program has loaded its kernels, which it does by itself. */
void points_refresh(Dap *dap) {
    bool open = false;
    for (size_t i = 0; i < dap->points.count; i++)
        open |= !point_at(dap, i)->verified && point_at(dap, i)->data == NULL;
    if (!open) return;
    json_object *answer = session_ask(dap->session, session_question("points", NULL)),
                *list = json_array(answer, "points");
    JSON_EACH(row, list) {
        json_object *body;
        const DapPoint *found = points_find(dap, json_number(row, "number", 0));
        const long line = json_number(row, "line", 0);
        if (found == NULL || found->verified || line <= 0) continue;
        point_at(dap, (size_t)(found - point_at(dap, 0)))->verified = true;
        json_object *event = wire_event("breakpoint", &body), *told = json_object_new_object();
        json_put_text(body, "reason", "changed");
        json_put_number(told, "id", found->id);
        json_put_flag(told, "verified", true);
        json_put_number(told, "line", line - 1 + dap->line_base);
        json_object_object_add(body, "breakpoint", told);
        wire_send(dap, event);
    }
    json_object_put(answer);
}

/* ---- findings ---- */

void dap_setExceptionBreakpoints(Dap *dap, DapMessage *message) {
    json_object *question = session_question("catch", NULL),
                *list = json_array(message->arguments, "filters");
    size_t count = 0;
    if (list != NULL && !dap->no_debug) count = json_object_array_length(list);
    bool launches = false, errors = false;
    Text kinds = text_new();
    for (size_t i = 0; i < count; i++) {
        json_object *filter = json_object_array_get_idx(list, i);
        if (!json_object_is_type(filter, json_type_string)) continue;
        const char *name = json_object_get_string(filter);
        bool launch = strcmp(name, "launch") == 0, error = strcmp(name, "error") == 0;
        launches |= launch;
        errors |= error;
        if (!launch && !error) text_format(&kinds, "%s%s", kinds.length > 0 ? "," : "", name);
    }
    json_put_flag(question, "launches", launches);
    json_put_flag(question, "errors", errors);
    json_put_flag(question, "findings", kinds.length > 0);
    json_put_text(question, "kinds", kinds.bytes);
    text_free(&kinds);
    json_object_put(dap_ask(dap, message, question));
}

/* ---- what is watched ---- */

/** "BLOCK,THREAD EXPRESSION": an expression means something in a thread. */
void dap_dataBreakpointInfo(Dap *dap, DapMessage *message) {
    const long reference = json_number(message->arguments, "variablesReference", 0);
    const DapHandle *parent = look_find(dap, reference);
    const DapHandle at = parent != NULL ? *parent : variables_frame(dap, message);
    const char *name = json_text(message->arguments, "name", "");
    Text expression = text_new(), data = text_new();
    bool part = parent != NULL && parent->kind == HANDLE_PARTS;
    if (part && *name == '[')
        text_format(&expression, "(%s)%s", parent->expression, name);
    else if (part && *name == '*')
        text_format(&expression, "*(%s)", parent->expression);
    else if (part)
        text_format(&expression, "(%s).%s", parent->expression, name);
    else
        text_add(&expression, name);
    text_format(&data, "%" PRId64 ",%" PRId64 " %s", at.block, at.thread, expression.bytes);
    json_object *question = session_question("print", NULL), *types = json_object_new_array();
    json_put_text(question, "expression", expression.bytes);
    look_focus(dap, at.block, at.thread);
    json_object *answer = dap_ask(dap, message, question);
    bool whole = answer != NULL && json_number(answer, "members", 0) > 0 &&
                 strchr(json_text(answer, "type", ""), '*') == NULL;
    const char *why = message->error.bytes;
    if (whole) why = "an array or a structure: watch one of its elements";
    if (answer != NULL && !whole) json_put_text(message->body, "dataId", data.bytes);
    if (answer == NULL || whole) json_object_object_add(message->body, "dataId", NULL);
    json_put_visible(message->body, "description", answer != NULL && !whole ? expression.bytes : why);
    json_object_array_add(types, json_object_new_string("write"));
    json_object_object_add(message->body, "accessTypes", types);
    text_clear(&message->error);
    json_object_put(answer);
    text_free(&expression);
    text_free(&data);
}

/** One that is watched already stays as it is: what its expression meant then, it may not mean here. */
static json_object *read_data(Dap *dap, json_object *row, json_object *told) {
    const char *data = json_text(row, "dataId", "");
    char *end;
    const int64_t block = strtoll(data, &end, 10), thread = *end == ',' ? strtoll(end + 1, &end, 10) : 0;
    json_object *question = session_question("watch", NULL);
    json_put_text(question, "expression", *end == ' ' ? end + 1 : "");
    look_focus(dap, block, thread);
    json_object *answer = session_ask(dap->session, question);
    const char *error = json_text(answer, "error", NULL);
    DapPoint *point = NULL;
    if (error != NULL)
        json_put_visible(told, "message", error);
    else
        point = add_point(dap, "data", json_number(answer, "number", 0));
    if (point != NULL) {
        point->verified = true;
        point->data = strdup(data);
        json_put_number(told, "id", point->id);
    }
    json_put_flag(told, "verified", error == NULL);
    return answer;
}

static const DapPoint *watched(const Dap *dap, const char *data) {
    for (size_t i = 0; i < dap->points.count; i++)
        if (point_at(dap, i)->data != NULL && strcmp(point_at(dap, i)->data, data) == 0)
            return point_at(dap, i);
    return NULL;
}

static bool is_asked(json_object *rows, const char *data) {
    JSON_EACH(row, rows)
        if (strcmp(json_text(row, "dataId", ""), data) == 0) return true;
    return false;
}

void dap_setDataBreakpoints(Dap *dap, DapMessage *message) {
    json_object *list = json_object_new_array(), *rows = json_array(message->arguments, "breakpoints");
    for (size_t i = dap->points.count; i-- > 0;)
        if (point_at(dap, i)->data != NULL && !is_asked(rows, point_at(dap, i)->data)) remove_point(dap, i);
    JSON_EACH(row, rows) {
        json_object *told = json_object_new_object();
        const DapPoint *there = watched(dap, json_text(row, "dataId", ""));
        if (there == NULL) {
            json_object_put(read_data(dap, row, told));
        } else {
            json_put_number(told, "id", there->id);
            json_put_flag(told, "verified", true);
        }
        json_object_array_add(list, told);
    }
    json_object_object_add(message->body, "breakpoints", list);
}
