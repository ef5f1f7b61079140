/* texts.c - the tables that base/texts.awk makes of texts.txt. */
#include "check/texts.h"
#include "check/texts.inc"
