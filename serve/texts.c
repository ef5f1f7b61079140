/* texts.c - what serve says to people, as tables (texts.txt). */
#include "serve/texts.h"

#include "serve/texts.inc"
