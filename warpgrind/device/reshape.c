/* reshape.c - see reshape.h. */
#include "device/reshape.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/** A number from 1 on; moves past it. 0: there is none. */
static uint32_t read_number(const char **at) {
    char *end;
    if (**at < '0' || **at > '9') return 0;
    errno = 0;
    const unsigned long long number = strtoull(*at, &end, 10);
    *at = end;
    if (errno == 0 && number <= UINT32_MAX) return (uint32_t)number;
    return 0;
}

/** size = NUMBER [, NUMBER [, NUMBER]] */
static bool read_size(const char **at, uint32_t size[3]) {
    unsigned count = 0;
    size[1] = size[2] = 1;
    do {
        if ((size[count++] = read_number(at)) == 0) return false;
    } while (count < 3 && **at == ',' && (*at)++ != NULL);
    return true;
}

static bool skip_colon(const char **at) {
    if (**at != ':') return false;
    (*at)++;
    return true;
}

bool reshape_read(const char *words, DeviceReshape *reshape) {
    const char *at = words;
    reshape->launch = read_number(&at);
    return reshape->launch != 0 && skip_colon(&at) && read_size(&at, reshape->grid) && skip_colon(&at) &&
           read_size(&at, reshape->block) && *at == '\0';
}

/** 4 rather than 4,1,1. */
static int spell_size(const uint32_t size[3], char *words, size_t room) {
    if (size[2] != 1)
        return snprintf(words, room, ":%" PRIu32 ",%" PRIu32 ",%" PRIu32, size[0], size[1], size[2]);
    if (size[1] != 1) return snprintf(words, room, ":%" PRIu32 ",%" PRIu32, size[0], size[1]);
    return snprintf(words, room, ":%" PRIu32, size[0]);
}

void reshape_spell(const DeviceReshape *reshape, char words[RESHAPE_BYTES]) {
    int length = snprintf(words, RESHAPE_BYTES, "%" PRIu32, reshape->launch);
    length += spell_size(reshape->grid, words + length, RESHAPE_BYTES - (size_t)length);
    spell_size(reshape->block, words + length, RESHAPE_BYTES - (size_t)length);
}
