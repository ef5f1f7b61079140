/* client_site.c - where in the program a call comes from, and where a crash or an early touch is. */
#include "cudart/crash.h"
#include "cudart/session.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <string.h>

_Thread_local int client_own_stream;

/* ---- sites ---- */

static bool in_program(uint64_t address) {
    return address >= client_session.image.text_begin && address < client_session.image.text_end;
}

/** Whether there may be a frame at `above`, whose owner called from where `frame` is. A frame pointer is a
 * guess (a register may keep something else): only what lies further up in the stack counts. */
static bool is_frame_above(void *const *frame, void *const *above) {
    return above > frame && (uint64_t)((const char *)above - (const char *)frame) < 65536 &&
           (client_word(above) & 7) == 0 && client_word(above + 2) <= client_session.image.stack_top;
}

/** A call by a library of ours is the program's that called the library: frames are followed until they leave
 * it. Code in other places, such as what a program writes and jumps to, has no place in the program. */
static bool in_own_library(uint64_t address) {
    Dl_info info;
    if (dladdr(client_pointer(address), &info) == 0 || info.dli_fname == NULL) return false;
    static const char *const libraries[] = {"libcurand.so", "libcublas.so"};
    const char *slash = strrchr(info.dli_fname, '/'), *name = slash != NULL ? slash + 1 : info.dli_fname;
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        if (strncmp(name, libraries[i], strlen(libraries[i])) == 0) return true;
    return false;
}

/** Goes up by a frame: where in the program its function was called, relative to the load base; 0, and no
 * frame any more, outside of it. */
static uint64_t caller_above(void *const **frame) {
    void *const *above = NULL;
    if (*frame != NULL) above = (void *const *)(*frame)[0];
    if (above == NULL || !is_frame_above(*frame, above) || !in_program(client_word(above[1]))) {
        *frame = NULL;
        return 0;
    }
    *frame = above;
    return client_word(above[1]) - client_session.image.base;
}

/** Walks up from the entry point's frame until it is in the program itself: that address is the call's
 * place, and the return addresses above it are the places that called the functions around it. */
ClientSite client_site(const void *return_address, void *const *frame) {
    enum { LIBRARY_FRAMES = 8 };
    if (client_session.image.text_end == 0) client_session.image = client_find_image();
    ClientSite found = {.own_stream = client_own_stream != 0};
    client_own_stream = 0;
    uint64_t address = client_word(return_address);
    for (int i = 0; i < LIBRARY_FRAMES && !in_program(address) && in_own_library(address); i++) {
        void *const *above = (void *const *)frame[0];
        if (!is_frame_above(frame, above)) return found;
        frame = above;
        address = client_word(frame[1]);
    }
    if (!in_program(address)) return found;
    found.site = address - client_session.image.base;
    for (int i = 0; i < WIRE_CALLERS && frame != NULL; i++)
        found.callers[i] = caller_above(&frame);
    return found;
}

/* ---- crashes ---- */

enum { MAX_FRAMES = 64 };

/** The crash may be in a library: the line to name is the program's call that led there. */
static uint64_t site_of_crash(uint64_t instruction) {
    if (in_program(instruction)) return instruction + 1 - client_session.image.base;
    void *callers[MAX_FRAMES];
    /* One frame more at a time: what lies beyond the one that is wanted may be spoilt. */
    for (int count = 1; count <= MAX_FRAMES && backtrace(callers, count) == count; count++) {
        uint64_t caller = client_word(callers[count - 1]);
        if (in_program(caller)) return caller - client_session.image.base;
    }
    return 0;
}

/** The calls around the one that crashed: Thrust works on the host as many functions deep as on the device.
 * Where what lies beyond is known to be spoilt, the walk would end the program by another signal. */
static void callers_of_crash(WireRequest *crash) {
    void *frames[MAX_FRAMES];
    bool past = false;
    unsigned found = 0;
    if (crash->CRASH.cause == WIRE_CRASH_STACK) return;
    for (int count = 1; count <= MAX_FRAMES && backtrace(frames, count) == count; count++) {
        uint64_t address = client_word(frames[count - 1]);
        if (!in_program(address) || found == WIRE_CALLERS) continue;
        address -= client_session.image.base;
        if (past) crash->callers[found++] = address;
        past = past || address == crash->site || address + 1 == crash->site;
    }
}

/** A launch was reading this argument, of which there are less than a thousand. A signal's handler formats no
 * text but by itself. */
static void tell_argument(Arguments_CRASH *crash, unsigned argument) {
    char *text = (char *)crash->text;
    crash->cause = WIRE_CRASH_ARGUMENT;
    memset(text, 0, WIRE_CRASH_TEXT);
    for (unsigned unit = 100; unit > 0; unit /= 10)
        if (argument >= unit || unit == 1) *text++ = (char)('0' + argument / unit % 10);
}

void client_reads_argument(unsigned argument) {
    client_session.gathering = argument;
}

void client_tell_crash(uint64_t signal_number, uint64_t address, uint64_t instruction,
                       uint64_t stack_pointer) {
    WireRequest *crash = &client_session.crash;
    /* The second time it is the walk that crashed, over a spoilt stack: then there is no line to tell. */
    if (!client_session.dying) {
        client_session.dying = true;
        *crash = (WireRequest){.magic = WIRE_MAGIC, .function = WIRE_CRASH, .thread = 1};
        crash->CRASH.signal = signal_number;
        crash->CRASH.address = address;
        EvidenceStack stack = {stack_pointer, client_session.image.stack_top};
        evidence_tell(&client_session.evidence, stack, &crash->CRASH);
        if (client_session.gathering > 0) tell_argument(&crash->CRASH, client_session.gathering - 1);
        crash->site = site_of_crash(instruction);
        callers_of_crash(crash);
    }
    client_tell_at_once(crash);
}

/** Not in the middle of another thread's call; a host function runs in the middle of this thread's own. */
static void tell_at_a_good_time(WireRequest *request) {
    bool own = client_in_host_function();
    if (!own && pthread_mutex_trylock(&client_session.mutex) != 0) return;
    client_tell_at_once(request);
    if (!own) pthread_mutex_unlock(&client_session.mutex);
}

bool client_tell_touch(uint64_t address, uint64_t instruction, bool write, bool *again) {
    WatchTouch touch;
    if (!watch_fault(&client_session.watch, address, &touch)) return false;
    *again = touch.again;
    if (!touch.tell && !touch.last) return true;
    WireRequest request = {.magic = WIRE_MAGIC,
                           .function = WIRE_EARLY_TOUCH,
                           .thread = 1,
                           .EARLY_TOUCH = {.address = address,
                                           .instruction = instruction,
                                           .write = write,
                                           .last = touch.last,
                                           .told = touch.tell}};
    request.site = site_of_crash(instruction);
    tell_at_a_good_time(&request);
    return true;
}

void client_touch_again(void) {
    watch_again(&client_session.watch);
}
