/* main.c - warpschool-http: started by `warpschool serve` with the socket on which browsers connect and the
 * one to the desk, and ended with it.
 *
 * Its first message holds the secrets, which are on no command line. Then it locks itself in.
 */
#include "serve/web/lockdown.h"
#include "serve/web/web.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

enum { LISTENING = 3, DESK = 4, TURN_MILLISECONDS = 1000 };

/* Whoever starts this by hand has neither socket. */
static bool is_socket(int fd) {
    struct stat facts;
    return fstat(fd, &facts) == 0 && S_ISSOCK(facts.st_mode);
}

static bool hear_hello(Web *web) {
    ssize_t got = recv(DESK, &web->hello, sizeof web->hello, MSG_WAITALL);
    return got == (ssize_t)sizeof web->hello && wire_is_ended(web->hello.key, sizeof web->hello.key) &&
           wire_is_ended(web->hello.cookie, sizeof web->hello.cookie) &&
           wire_is_ended(web->hello.host, sizeof web->hello.host) &&
           wire_is_ended(web->hello.header, sizeof web->hello.header) &&
           wire_is_ended(web->hello.proxy, sizeof web->hello.proxy);
}

static int fail(const char *what) {
    perror(what);
    return 1;
}

int main(void) {
    Web web = {.desk = DESK};
    if (!is_socket(LISTENING) || !is_socket(DESK)) {
        fputs("warpschool-http is a part of: warpschool serve\n", stderr);
        return 2;
    }
    /* A key at the terminal is for the desk, which ends this process by its socket. */
    signal(SIGINT, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    if (!hear_hello(&web)) return 1;
    if (!web_begin(&web, LISTENING)) return fail("libmicrohttpd");
    if (!lockdown_enter()) return fail("lockdown");
    while (web_turn(&web, TURN_MILLISECONDS)) {
    }
    web_end(&web);
    return 0;
}
