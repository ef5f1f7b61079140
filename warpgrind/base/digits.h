/* digits.h - numbers as text. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { DIGITS_ROOM = 40 };

/** The fewest digits that give a finite number back, read as a double, or `narrow` as a float. */
static inline void digits_write(char text[DIGITS_ROOM], double value, bool narrow) {
    for (int digits = narrow ? 6 : 15; digits <= 17; digits++) {
        snprintf(text, DIGITS_ROOM, "%.*g", digits, value);
        const double back = strtod(text, NULL);
        if (narrow ? (float)back == (float)value : back == value) return;
    }
}
