/* own_stream.c - the forms of entry points that programs with a default stream for each thread call
 * (nvcc --default-stream per-thread, CUDA_API_PER_THREAD_DEFAULT_STREAM): one row of api.def each.
 *
 * They differ from the plain form in what stream 0 means, and in nothing else. So each says so in a variable
 * of the thread and jumps there, which keeps all arguments and the place of the call: client_site takes the
 * word.
 */
#include "cudart/processor.h"

#define API_OWN_STREAM(name, suffix)                                                                         \
    __asm__(".pushsection .text\n"                                                                           \
            ".globl " #name #suffix "\n"                                                                     \
            ".type " #name #suffix ", " PROCESSOR_FUNCTION "\n" #name #suffix                                \
            ":\n" PROCESSOR_OWN_STREAM(#name) ".size " #name #suffix ", . - " #name #suffix "\n"             \
                                              ".popsection\n");
#include "cudart/api.def"
