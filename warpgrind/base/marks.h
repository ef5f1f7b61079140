/* marks.h - what a lesson's program and its judge have agreed on: what the program tells the device about
 * itself, for the judge to look for, and where the files of a case lie. */
#pragma once

/** The mark behind the last case: the program's driver came to its end. */
#define MARK_END "end"

/** Behind a case's number: the driver now copies what the student's kernels had to leave alone. */
#define MARK_KEPT " kept"

/** Behind a case's number: the first call of a case that is called twice. The second has the number alone. */
#define MARK_FIRST_CALL " first"

/** Where a case that is called twice has the files of its first call: a folder in its own. */
#define CASE_FIRST_CALL "first"
/** On a card the driver calls the function once more as often, each time with answers in FOLDER/0, FOLDER/1,
 * ... of the case's folder, and leaves a line for each in the file: microseconds from the last input to the
 * first answer, and the bytes of both. */
#define CASE_TIMED_CALLS 5
#define CASE_TIMES "times"
