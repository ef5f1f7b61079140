/* texts.c - the tables that base/texts.awk makes of texts.txt. */
#include "device/texts.h"
#include "device/texts.inc"
