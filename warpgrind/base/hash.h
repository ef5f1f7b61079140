/* hash.h - SHA-256 in hexadecimal: what tells one source, or one version of a lesson, from another. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { HASH_HEX = 65 }; /**< 64 digits and a NUL */

/** The hash of some bytes. */
void hash_bytes(const char *bytes, size_t length, char hex[HASH_HEX]);
/** The hash of a file's bytes; false with errno set when it cannot be read. */
bool hash_file(const char *path, char hex[HASH_HEX]);
