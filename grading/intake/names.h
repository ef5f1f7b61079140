/* names.h - names that others chose: made printable, compared, and read as the lesson that they mean. */
#pragma once

#include "autograder/course/lessons.h"

/** The bytes as one printable line of UTF-8: control characters, what reorders or hides text, invalid bytes
 * and the backslash itself are written as \xNN, so different names stay different. */
const char *names_visible(Arena *arena, const char *bytes);
/** Whether the name ends with the suffix, in any case of its letters. */
bool names_end_with(const char *name, const char *suffix);
/** A name by which people are compared: letters and digits alone, ASCII letters small. */
char *names_folded(Arena *arena, const char *name);
/** The same with its words in order, so that "Lee, Ann" and "Ann Lee" are one. */
char *names_sorted(Arena *arena, const char *name);
/** Whether `run` is a folded name of some order of the words of `name`: "leeann" of "Ann Lee". */
bool names_run_of_words(Arena *arena, const char *run, const char *name);

/** Whether every word of `words` is one of `name`, and there is one. */
bool names_within(Arena *arena, const char *words, const char *name);

/** What a file's name says. */
typedef struct NameReading {
    const char *lesson; /**< NULL: none that is to be taken */
    int copy; /**< the number that a browser or Canvas put behind the name: "07 (2).cu", "07-2.cu"; 0 none */
    const char *stem; /**< of a program that is named as no lesson: "kernel"; else NULL */
    const char *refused,
        *remedy; /**< when there is no lesson and the name looks as if one was meant; else NULL */
} NameReading;

/** Whether it is an archive, by its name, of a kind that is not unpacked. */
bool names_foreign_archive(const char *name);
/** Reads "07-block-sum-dynamic.cu", "07.cu", "block_sum_dynamic.cu", "07-block-sum-dynamic (1).cu". `others`
 * is the lesson of programs that are named as none; NULL: they are refused. */
NameReading names_read(Arena *arena, const Course *course, const Lesson *others, const char *name);
