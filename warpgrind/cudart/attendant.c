/* attendant.c - see attendant.h. */
#include "cudart/attendant.h"

#include "cudart/client.h"

#include <pthread.h>
#include <time.h>

enum {
    LOOK_MS = 20,
    PATIENCE = 5 /* looks without a call of the program: as long as an honest wait may still come */
};

/** The attendant's thread: when the program has made no call for a while although a host function is due,
 * it asks the device to go on, as a card would. */
static void *attend(void *expected) {
    const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
    unsigned quiet = 0, calls = client_calls();
    unsigned *due = expected;
    for (;;) {
        nanosleep(&pause, NULL);
        unsigned now = client_calls();
        if (now == calls)
            quiet = quiet + 1;
        else
            quiet = 0;
        calls = now;
        if (quiet < PATIENCE || __atomic_exchange_n(due, 0, __ATOMIC_RELAXED) == 0) continue;
        WireRequest request = client_request(WIRE_ATTEND, (ClientSite){.site = 0});
        WireReply reply;
        if (client_call(&request, NULL, &reply) != CUDA_SUCCESS) return NULL;
        if (reply.ATTEND.left != 0) __atomic_store_n(due, 1, __ATOMIC_RELAXED);
        calls = client_calls();
    }
}

void attendant_expect(void) {
    static unsigned due, started;
    pthread_t thread;
    __atomic_store_n(&due, 1, __ATOMIC_RELAXED);
    if (__atomic_exchange_n(&started, 1, __ATOMIC_RELAXED) != 0) return;
    /* Without a thread the functions run when the program waits for the stream, as they always did. */
    if (pthread_create(&thread, NULL, attend, &due) == 0) pthread_detach(thread);
}
