/* commit.h - when the files of a git clone were committed.
 *
 * LIMIT: a commit's time is what the student's own machine wrote into it. It says when, and proves nothing;
 * where that matters, give the time of a download that says it.
 */
#pragma once

#include "grading/intake/tree.h"

/** Gives the files of each clone in the tree the time of the last commit that changed them, where that
 * commit's file is the one that is there. One warning for a clone that cannot be read, and one in all where
 * there is no sandbox to read it in. */
void commit_read_times(Tree *tree, Diagnostics *diagnostics);
