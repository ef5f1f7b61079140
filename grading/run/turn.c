/* turn.c - locks on cards; see turn.h. */
#include "grading/run/turn.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

enum { PAUSE_MICROSECONDS = 100000, MOST_NAME = 256 };

/* The host's name is in it: a cluster's nodes see the same folder. */
static int open_lock(const char *folder, unsigned number, Arena *arena) {
    char host[MOST_NAME];
    if (gethostname(host, sizeof host) != 0) return -1;
    host[sizeof host - 1] = '\0';
    const char *path = arena_format(arena, "%s/card-%s-%u.lock", folder, host, number);
    if (path != NULL) return open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    return -1;
}

/* The first card that nobody has, in the order of the machine's; asked for again and again, since one cannot
 * wait for any of several locks. */
static int take_any(const int *locks, unsigned count) {
    for (;; usleep(PAUSE_MICROSECONDS))
        for (unsigned i = 0; i < count; i++) {
            if (flock(locks[i], LOCK_EX | LOCK_NB) == 0) return (int)i;
            if (errno != EWOULDBLOCK && errno != EINTR) return -1;
        }
}

/* All in the same order: two workers that want all cannot wait for each other. */
static bool take_all(const int *locks, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        while (flock(locks[i], LOCK_EX) != 0)
            if (errno != EINTR) return false;
    return true;
}

static void close_all(const int *locks, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        close(locks[i]);
}

static bool show_only(const unsigned *numbers, unsigned count) {
    Text list = text_new();
    for (unsigned i = 0; i < count; i++)
        text_format(&list, i > 0 ? ",%u" : "%u", numbers[i]);
    const bool shown = !list.failed && setenv("CUDA_VISIBLE_DEVICES", list.bytes, 1) == 0;
    text_free(&list);
    return shown;
}

/* Keeps the lock of that place alone. */
static bool keep_one(Turn *turn, int place, const unsigned *numbers) {
    if (place < 0) return false;
    for (unsigned i = 0; i < turn->count; i++)
        if ((int)i != place) close(turn->locks[i]);
    turn->locks[0] = turn->locks[place];
    turn->count = 1;
    return show_only(&numbers[place], 1);
}

bool turn_take(Turn *turn, const char *folder, bool all, Arena *arena) {
    *turn = (Turn){.count = 0};
    const char *before = getenv("CUDA_VISIBLE_DEVICES");
    /* Slurm names the job's own cards in it; a cluster that knows of none has jobs that take turns. */
    if (before != NULL && getenv("SLURM_JOB_ID") != NULL) return true;
    if (before != NULL) turn->before = arena_string(arena, before);
    Card card;
    if (card_find(&card, arena) != CARD_THERE) return false;
    for (unsigned i = 0; i < card.count; i++) {
        turn->locks[i] = open_lock(folder, card.numbers[i], arena);
        if (turn->locks[i] < 0) {
            close_all(turn->locks, i);
            return false;
        }
        turn->count++;
    }
    if (all ? take_all(turn->locks, turn->count) && show_only(card.numbers, turn->count)
            : keep_one(turn, take_any(turn->locks, turn->count), card.numbers))
        return true;
    turn_end(turn);
    return false;
}

/* A worker of several jobs takes its next turn among all that it was given. */
void turn_end(Turn *turn) {
    if (turn->count == 0) return;
    if (turn->before != NULL)
        setenv("CUDA_VISIBLE_DEVICES", turn->before, 1);
    else
        unsetenv("CUDA_VISIBLE_DEVICES");
    close_all(turn->locks, turn->count);
    turn->count = 0;
}
