/* layout.h - which entries of a class's folder are whose: the forms in which learning systems hand out what
 * they have collected.
 *
 * - NAME/, NAME.zip, NAME.tar.gz: one folder or archive for each student
 * - submission_123/, submission_metadata.yml: Gradescope; who, and when, stands in the metadata
 * - names as Canvas, Moodle, Blackboard, Brightspace and Sakai make them: forms.h
 * - PREFIX-LOGIN/.git: GitHub Classroom; commit.c reads the times
 * - several of them side by side, each a folder or an archive: one for each assignment
 */
#pragma once

#include "autograder/course/lessons.h"
#include "grading/intake/intake.h"
#include "grading/intake/tree.h"

struct Roster;

/** Sakai's file beside a student's, with the time of the submission. */
#define LAYOUT_TIMESTAMP "timestamp.txt"

/** What a download says about a student; each but folder may be NULL. Any bytes. */
typedef struct Clues {
    const char *folder; /**< the name of the folder or archive, without .zip */
    const char *id, *name, *email;
    const char *run;   /**< Canvas: last and first name, small letters without anything between */
    const char *login; /**< Blackboard, Sakai */
    const char *tail;  /**< Blackboard: the assignment's title, an underscore, and the login */
    bool name_has_key; /**< Brightspace: before the name there may be the login or the id, and a blank */
} Clues;

/** Something that a student handed in. A group's folder is one for each of its members. */
typedef struct Submission {
    Clues clues;
    Node *node;           /**< a folder, an archive, or a single file */
    const char *file;     /**< the student's own name for a single file */
    int64_t time;         /**< as the download says; 0 */
    bool late;            /**< the download marks it so */
    const Node *download; /**< the folder or archive that numbers its students */
    size_t person;        /**< for intake.c */
    struct Submission *next;
} Submission;

/** The submissions of a class, in the order in which they were found. */
typedef struct SubmissionList {
    Submission *first, *last;
    size_t count;
} SubmissionList;

/** Whether everything in a folder or archive, or in the one folder within it, carries a student's name as a
 * system makes it. Names are enough, whether anything was read or not. */
bool layout_is_download(Node *box);
/** Reads the top of a tree. What belongs to nobody becomes a warning. Where a folder or archive lies alone, a
 * note says whether it was read as the class's or as one student's. False when there is no submission at all.
 */
bool layout_read(SubmissionList *list, Tree *tree, const Course *course, const struct Roster *roster,
                 const IntakeOptions *options, Diagnostics *diagnostics);

/** Gradescope's submission_metadata.yml: adds the submissions that it lists. False with an error when it
 * cannot be read. */
bool metadata_read(SubmissionList *list, Tree *tree, const Node *file, const char *path,
                   Diagnostics *diagnostics);
/** "2026-10-05 14:03:22.5 -0700", "2026-10-05T14:03:22Z"; 0 when it is no time. */
int64_t metadata_time(const char *text);
/** A warning about a file, with what to do. */
void layout_warn(Diagnostics *diagnostics, const char *file, const char *message, const char *remedy);
/** One more; NULL without memory. */
Submission *layout_add(SubmissionList *list, Arena *arena, Node *node, const Clues *clues);
