/* order.h - what a grading is asked for, and the column of calls from there to a status: `grade` and
 * `regrade` share it.
 *
 * The book is told what is to be graded, with the seed on disk before any job starts; what has a result under
 * the same key keeps it; the rest is judged. Whoever is killed in between starts the same command again.
 */
#pragma once

#include "grading/book/desk.h"
#include "grading/run/refusals.h"
#include "grading/run/run.h"

/** A grading from its options to its end. */
typedef struct Order {
    Session *session;
    Desk desk;
    const char *spool;      /**< --spool: the folder of jobs; NULL: beside the gradebook */
    const char *csv;        /**< --csv; NULL */
    long workers;           /**< -j; 0: what the machine takes */
    long seed;              /**< --seed; LONG_MIN: not given */
    bool new_seed;          /**< --new-seed */
    bool weak;              /**< --allow-weak-sandbox */
    bool slurm;             /**< --slurm */
    const char *device;     /**< --device: "soft" or "cuda"; NULL: soft */
    bool only_prepare;      /**< --prepare: write the jobs and stop */
    const char *level;      /**< the sandbox's, once probed */
    const char **revisions; /**< of the course's lessons, once asked for */
    BookGrading grading;
    Run run;
    uint64_t
        looked;   /**< what the folder must still look like once it is read (watch.h); 0: that is not asked */
    bool changed; /**< what was read changed meanwhile */
    Refusals refusals; /**< what cannot be graded */
    size_t reused;
} Order;

/** The options that both commands have, for their tables. */
#define ORDER_OPTIONS(order)                                                                                   \
    DESK_OPTIONS(&(order)->desk),                                                                              \
        {OPTION_STRING, 0, "csv", "FILE", "write the grades as CSV", &(order)->csv},                           \
        {OPTION_NUMBER,    'j', "jobs", "N", "workers at a time (as many as there are cores)",                 \
         &(order)->workers},                                                                                   \
        {OPTION_NUMBER, 0, "seed", "N", "where inputs and orders of threads start, to repeat a grading",       \
         &(order)->seed},                                                                                      \
        {OPTION_FLAG, 0, "new-seed", NULL, "draw a new seed: everything is judged again", &(order)->new_seed}, \
        {OPTION_FLAG,   0, "allow-weak-sandbox", NULL, "grade even where the system allows no safe sandbox",   \
         &(order)->weak},                                                                                      \
        {OPTION_STRING,  0, "spool", "DIR", "the folder for jobs, where a cluster's nodes see it too",         \
         &(order)->spool},                                                                                     \
        {OPTION_STRING,                                                                                        \
         0,                                                                                                    \
         "device",                                                                                             \
         "NAME",                                                                                               \
         "soft, or cuda: time what was handed in on this machine's cards, too",                                \
         &(order)->device},                                                                                    \
        {OPTION_FLAG, 0, "slurm", NULL, "let the nodes of a Slurm cluster judge", &(order)->slurm}, {          \
        OPTION_FLAG, 0, "prepare", NULL, "write the jobs and stop; the same command without it collects",      \
            &(order)->only_prepare                                                                             \
    }

/** An order with nothing asked for. */
Order order_new(Session *session);
/** False with an error when the options make no sense together. */
bool order_check(Order *order);
/** After parsing: probes the sandbox and begins the grading. The desk must be open. */
bool order_begin(Order *order);
/** Takes out of the list what the present edition of its lesson has judged before. */
bool order_leave_known(Order *order, BookHandedList *list);
/** A task for each file that is not refused; those that the book has a result for are decided. */
bool order_add_tasks(Order *order, const BookHanded *handed, size_t count);
/** Does what is left, ends the grading and shows the class: an exit status. */
int order_finish(Order *order);
/** Closes what is open. */
void order_close(Order *order);
