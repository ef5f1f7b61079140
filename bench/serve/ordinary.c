/* ordinary.c - a library to preload: whoever asks for a priority of their own keeps the ordinary one. Of the
 * bench of a class in browsers, which compares checks that give way to pages with ones that do not. */
#include <sys/resource.h>

int setpriority(__priority_which_t which, id_t who, int priority) {
    (void)which;
    (void)who;
    (void)priority;
    return 0;
}
