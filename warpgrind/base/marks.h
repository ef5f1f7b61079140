/* marks.h - what a lesson's program tells the device about itself, for the judge to look for. */
#ifndef BASE_MARKS_H
#define BASE_MARKS_H

/** The mark behind the last case: the program's driver came to its end. */
#define MARK_END "end"

/** Behind a case's number: the driver now copies what the student's kernels had to leave alone. */
#define MARK_KEPT " kept"

#endif
