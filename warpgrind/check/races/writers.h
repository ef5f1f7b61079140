/* writers.h - who wrote memory last. */
#pragma once

#include "check/findings/parts.h"

/** Who wrote [address, address+bytes) last, in at most `capacity` pieces; the number of pieces. */
unsigned writers_list(Check *check, uint64_t address, uint64_t bytes, LoggedWriter *writers,
                      unsigned capacity);
/** The same, where what the latest launch wrote is apart from what was there before: two halves of one array
 * that change places in each launch have one writer, and each may be an answer. Where that makes more pieces
 * than there is room for, as with every second element, writers alone count. */
unsigned writers_list_apart(Check *check, uint64_t address, uint64_t bytes, LoggedWriter *writers,
                            unsigned capacity);
/** The bytes that a kernel's last store at `address` wrote as one value; 0: not known, or a vector. */
unsigned writers_width(const Check *check, uint64_t address);
