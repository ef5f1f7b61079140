/* texts.c - the tables that warpgrind/base/texts.awk makes of texts.txt. */
#include "autograder/texts.h"
#include "autograder/texts.inc"
