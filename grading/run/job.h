/* job.h - one submission to be judged, as files that travel: a job goes in, a result comes out.
 *
 * A job is two files in a folder: NAME.job, JSON with all that the judge needs to know, and NAME.cu, the
 * source. The worker leaves NAME.result, a warpschool/result/v1 object, which appears whole or not at all.
 * Nothing else passes between the two, so a worker may run anywhere that sees the folder, more than once, or
 * beside another that does the same job.
 *
 * The job holds the grading's secret seed: its folder is for the grader's own user alone, and no sandbox sees
 * it.
 */
#pragma once

#include "autograder/course/lessons.h"
#include "autograder/judges.h"
#include "base/hash.h"

#include <json-c/json.h>

#define JOB_SCHEMA "warpschool/job/v1"

/** What a worker needs to judge one file, wherever it runs. */
typedef struct Job {
    const char *lesson; /**< "07-block-sum-dynamic" */
    const char *shown;  /**< the file's name as people know it: what findings show */
    const char *source; /**< the source's file name, in the folder of the job's file */
    long seed;
    bool weak; /**< may be judged without a sandbox where the system allows none */
    bool card; /**< is timed on a GPU as well, which decides nothing */
} Job;

/** Writes FOLDER/NAME.job and FOLDER/NAME.cu; `job->source` need not be set. */
bool job_write(const Job *job, const char *folder, const char *name, const char *bytes, size_t length,
               Diagnostics *diagnostics);
/** Reads a job's file. */
bool job_read(Job *job, const char *path, Arena *arena, Diagnostics *diagnostics);
/** Judges the job of a file, and returns the result, which the caller puts; NULL when there is no such job.
 */
struct json_object *job_judge(const char *path, const Course *course, Judges judges, Arena *arena,
                              Diagnostics *diagnostics);
/** Reads a result that a worker left; NULL when there is none, or none of this lesson and seed. */
struct json_object *job_read_result(const char *path, const char *lesson, long seed);
