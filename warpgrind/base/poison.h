/* poison.h - the bit patterns of memory nobody has written.
 *
 * The drivers fill what a student's code is to write with the first (a signalling NaN: arithmetic makes it
 * quiet, so no computation ends in it); the software GPU fills fresh memory with the second, byte by byte:
 * not a number as float and double, so that no sum that starts from it is right by luck, and -1 as an index.
 * The judge knows both, and says "never written" rather than "wrong".
 */
#pragma once

#define POISON_HOST_FLOAT 0x7fb5a5a5u
#define POISON_DEVICE_BYTE 0xff
#define POISON_DEVICE_FLOAT 0xffffffffu

/* Memory that host and device share: not a number either, but no value that programs fill memory with,
 * because the device takes a word that has lost it for written. */
#define POISON_SHARED_WORD 0xffb6d4f9u
