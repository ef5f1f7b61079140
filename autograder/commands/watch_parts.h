/* watch_parts.h - what the files of watch share: what is on the screen, and what goes on behind it.
 *
 * watch.c has the loop and the keys, watch_run.c the processes (the check that runs, the commands that are
 * done in a blink), watch_screen.c draws, watch_list.c is the list of lessons.
 */
#pragma once

#include "autograder/commands/commands.h"
#include "autograder/course/groups.h"
#include "autograder/course/progress.h"
#include "autograder/screen/terminal.h"
#include "autograder/texts.h"

#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/** How a file was when it was last looked at: a save changes one of these, whether the editor writes into the
 * file or gives its name to another one. */
typedef struct WatchMark {
    bool there;
    ino_t inode;
    off_t size;
    struct timespec written;
} WatchMark;

/** The list of lessons, when it is on the screen. */
typedef struct WatchList {
    bool shown;
    bool typing;  /**< a filter is being typed */
    bool pending; /**< those that are passed are left out */
    char filter[32];
    size_t chosen; /**< a lesson's place in the order of the list: group after group */
} WatchList;

/** All of `make watch`: the lesson at hand, the check that runs, and what stands on the screen. */
typedef struct Watch {
    Session *session;
    Course course;
    Groups groups;
    Progress progress;
    Arena *progress_arena;
    Terminal terminal;
    const Lesson *lesson;
    const char *path;            /**< of the learner's file */
    WatchMark checked, seen;     /**< the file that the check is of; as it was a moment ago */
    int64_t changed;             /**< when `seen` last changed, in milliseconds */
    pid_t check;                 /**< the check that runs; 0: none */
    int coming;                  /**< its output, -1: none */
    Text output;                 /**< so far */
    int64_t begun, took;         /**< milliseconds */
    Text verdict;                /**< the last whole one; it stays until the next one is whole */
    bool passed;                 /**< by it */
    Text pane;                   /**< a hint, or what a key did; empty: none */
    char hinted[32];             /**< the kind of finding that the pane's hint is about; empty: none */
    Text said;                   /**< one line above the keys */
    unsigned scroll, scrollable; /**< the first line of the verdict shown; the last that can be first */
    char asking;                 /**< the key that waits for an answer; 0: none */
    WatchList list;
    int signals; /**< a descriptor that they are read from */
    bool dirty, ended;
    int ended_by; /**< a signal; 0: a key */
} Watch;

/** Another lesson: its file is made when it is not there, and checked. */
void watch_choose(Watch *watch, const Lesson *lesson);
/** One line, until the next key or check. */
void watch_say(Watch *watch, WatchText text, const WatchFacts *facts);
/** The same of a text that names no place. */
void watch_say_plain(Watch *watch, WatchText text);

/* ---- watch_run.c ---- */

WatchMark watch_look(const char *path);
bool watch_same(const WatchMark *a, const WatchMark *b);
/** Begins a check of the file as it is; one that runs is given up. */
void watch_begin_check(Watch *watch);
void watch_stop_check(Watch *watch);
/** Takes in what the check has said so far. True when it has ended, and the verdict is the new one. */
bool watch_take_output(Watch *watch);
/** Runs a command of warpschool for the lesson to its end, and leaves what it says in `out`; its exit status.
 */
int watch_command(Watch *watch, CommandRun *run, const char *name, Text *out);
/** Gives the terminal to the learner's editor until that ends. */
void watch_edit(Watch *watch);
void watch_read_progress(Watch *watch);

/* ---- watch_screen.c ---- */

void watch_draw(Watch *watch);

/* ---- watch_list.c ---- */

void watch_list_open(Watch *watch);
void watch_list_key(Watch *watch, int key);
/** Adds `rows` lines at most. */
void watch_list_draw(const Watch *watch, unsigned rows, Text *out);
/** The line of keys below it. */
const char *watch_list_keys(const Watch *watch);
