/* answers.h - reading what a program left behind, as hostile input.
 *
 * An answer is opened beneath the program's output folder without following any link, must be a regular file
 * of at most the size that the lesson's answer has, and is read through that one descriptor. Reading starts
 * only after the program is dead.
 */
#pragma once

#include "base/npy.h"

/** What became of reading an answer's file; each has a text (`[reading]` of texts.txt). */
typedef enum AnswerStatus {
    ANSWER_READ,
    ANSWER_MISSING,
    ANSWER_NOT_A_FILE, /**< a link, FIFO, folder, device */
    ANSWER_TOO_LARGE,
    ANSWER_MALFORMED,
    ANSWER_NO_MEMORY,
    ANSWER_UNREADABLE /**< the system's refusal */
} AnswerStatus;

/** Reads FOLDER/NAME.npy of at most `limit` bytes into the arena; `folder_fd` may be -1 (missing). */
AnswerStatus answers_read(NpyArray *array, Arena *arena, int folder_fd, const char *name, size_t limit);
/** What to tell the learner; a complete sentence in the arena. */
const char *answers_explain(AnswerStatus status, Arena *arena, const char *name);
