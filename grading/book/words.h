/* words.h - what a teacher says about students and grades beside the points: who is excused or no longer in
 * the class, comments, points for items of a rubric.
 *
 * Every word is kept in the book, with who said it, why and when, and in the file beside it (recovery.h). No
 * grading touches them: a regrade judges the program again, and these stand.
 */
#pragma once

#include "grading/book/class.h"

/** What a word does. */
typedef enum WordKind {
    WORD_REMOVE,  /**< the student is in no table and no export */
    WORD_EXCUSE,  /**< a lesson, or all of them, do not count for the student */
    WORD_RESTORE, /**< takes removals and excuses back: of a lesson its own, without a lesson all */
    WORD_COMMENT, /**< for the student to read */
    WORD_ITEM,    /**< points for an item of a rubric; the last one about an item counts */
    WORD_RELEASE, /**< the grades of a lesson, or of all, may go out */
    WORD_HOLD,    /**< takes a release back */
    WORD_UNSAY,   /**< takes the comments on a lesson back, or with an item that item's points */
    WORD_REQUEST, /**< a student asks for another look; `item` is the hash of the file, NULL: the one that
                     counts */
    WORD_ANSWER,  /**< a teacher's answer to the request before it */
    WORD_KINDS
} WordKind;

/** A teacher's word. The strings are the caller's. */
typedef struct BookWord {
    WordKind kind;
    const char *student; /**< NULL: everybody (comments) */
    const char *lesson;  /**< NULL: all lessons */
    const char *item;    /**< of a rubric, or a file; NULL */
    int64_t points;      /**< WORD_ITEM: thousandths of a point, also below 0 */
    const char *text;    /**< the reason, or the comment */
    const char *author;
    int64_t at; /**< Unix seconds; set by the book */
} BookWord;

/** The words of a book. */
typedef struct BookWordList {
    BookWord *items; /**< the oldest first */
    size_t count;
} BookWordList;

/** Adds a word; a student that it names must be in the book, also when removed. */
bool gradebook_add_word(Gradebook *book, const BookWord *word, Diagnostics *diagnostics);
/** Adds the answer to a request, and the points that it gives; NULL: the grade stays. */
bool gradebook_answer(Gradebook *book, const BookWord *word, const BookOverride *points,
                      Diagnostics *diagnostics);
bool gradebook_read_words(Gradebook *book, Arena *arena, BookWordList *list, Diagnostics *diagnostics);
/** Whether a student was removed, and not restored since. */
bool words_is_removed(const BookWordList *list, const char *student);

/** Puts what counts of the words into the grades of a class; points for items are not added yet. */
bool words_apply(Class *class, Arena *arena, Gradebook *book, Diagnostics *diagnostics);
/** Puts alone into the lessons of a class which of them are released. */
bool words_release(Class *class, Arena *arena, Gradebook *book, Diagnostics *diagnostics);
/** "removed from the class", "excused": what a list of words says. */
const char *words_name(WordKind kind);
