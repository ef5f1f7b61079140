/* attendant.h - a thread that runs the program's host functions when the program waits for them by means of
 * its own.
 *
 * What a stream has been asked for is done as late as it may, when the program waits for it. A host function
 * (cudaLaunchHostFunc, cudaStreamAddCallback) often wakes the program itself, through a condition variable or
 * a flag, and then there is no call to wait in. When a host function is due and the program has made no call
 * for a while, the attendant asks the device for it. It is started with the first host function, or
 * with the first launch of a graph that has one.
 */
#pragma once

/** A host function has been put into a stream. */
void attendant_expect(void);
