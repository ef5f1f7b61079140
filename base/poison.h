/* poison.h - the bit patterns of memory nobody has written.
 *
 * The drivers fill what a student's code is to write with the first (a signalling NaN: arithmetic makes it
 * quiet, so no computation ends in it); the software GPU fills fresh device memory with the second. The judge
 * knows both, and says "never written" rather than "wrong".
 */
#ifndef BASE_POISON_H
#define BASE_POISON_H

#define POISON_HOST_FLOAT 0x7fb5a5a5u
#define POISON_DEVICE_FLOAT 0xa5a5a5a5u

#endif
