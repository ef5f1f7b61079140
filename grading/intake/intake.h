/* intake.h - from a folder or an archive to a list of people and of what each has handed in.
 *
 * Everything here was chosen by somebody else: names may be any bytes, files may be anything. What is not a
 * regular file of an expected name is listed all the same, with the reason why it is refused, and the rest is
 * graded. The arena given owns all of it.
 */
#pragma once

#include "autograder/course/lessons.h"

/** Somebody of the class. */
typedef struct Person {
    const char *id; /**< unique: the roster's id, else the folder's name, cleaned */
    const char *name, *email, *login, *section; /**< NULL when the roster does not say */
    const char *folder;                         /**< as found, any bytes; NULL: handed in nothing */
    bool listed;                                /**< the roster has them */
    const char *line; /**< the roster's line about them, as JSON: [["ID", "4711"], ...]; NULL */
} Person;

/** One file of one person: to be graded when `refused` is NULL. */
typedef struct Handed {
    size_t person;
    const char *lesson;    /**< "07-block-sum-dynamic"; NULL when the name means none */
    const char *path;      /**< as people know it, "ann.zip:work/07-sum.cu": printable, escaped */
    int64_t time;          /**< Unix seconds; 0 unknown */
    const char *time_from; /**< "download", "commit", "archive", "file" */
    const char *bytes;
    size_t length;
    char hash[65];                /**< SHA-256 of the bytes in hexadecimal; "" when refused */
    const char *refused, *remedy; /**< NULL: to be graded */
    bool unnamed;                 /**< a program that is named as no lesson */
    const char *note;             /**< "an older file for the same lesson was left out: ..."; NULL */
} Handed;

/** People sorted by id; files by person, then lesson, the newest of them last. */
typedef struct Intake {
    Person *people;
    size_t people_count;
    Handed *handed;
    size_t handed_count;
} Intake;

/** What a class is read from. */
typedef struct IntakeOptions {
    const char *path;     /**< a folder, a .zip or a .tar.gz */
    const char *roster;   /**< a CSV file; NULL */
    const char *columns;  /**< names of the roster's columns, "id=SIS Login ID,name=Student"; NULL */
    bool strangers;       /**< the class is read even when the roster matches hardly anybody */
    const Lesson *others; /**< the lesson of programs that are named as none; NULL: they are refused */
    bool nameless;        /**< what is said of the class names nobody */
    bool every_file;      /**< all different files of a student for a lesson, not the newest alone */
} IntakeOptions;

/** False with diagnostics when the submissions as a whole, or the roster, cannot be read. */
bool intake_read(Intake *intake, Arena *arena, const Course *course, const IntakeOptions *options,
                 Diagnostics *diagnostics);
