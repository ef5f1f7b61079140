/* symbols.c - see symbols.h: the device's side, which remembers answers, and the reader process, which finds
 * them.
 *
 * One question is one message, and so is its answer. The reader is made before lock-down, is locked down
 * itself, and has little memory and time. When it dies or keeps silent, the program has no lines from then
 * on; nothing else changes.
 */
#include "device/image/symbols.h"

#include "base/headers.h"
#include "device/image/debuginfo.h"
#include "device/process/lockdown.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MAX_SITES = 65536,
    LONGEST_NAME = 4096, /* of a file or a kernel, and a structure's bytes */
    ANSWER_MILLISECONDS = 2000,
    READER_SECONDS = 2,
    READER_MIB = 512
};

/** A place in the program that calls are made from, resolved when a finding first names it. */
typedef struct Site {
    SymbolsCall call;
    bool resolved, known;
    CheckPlace place;
} Site;

/** What can be asked of the program's debug information. */
typedef enum QuestionKind { ASK_PLACE, ASK_RESULT_IS_USED, ASK_RESULT_IS_SEEN, ASK_ELEMENT } QuestionKind;

/** A question to the reader's process, of a fixed size. */
typedef struct Question {
    QuestionKind kind;
    SymbolsCall call;
    unsigned parameter;
    char kernel[LONGEST_NAME];
} Question;

/** The reader's answer. It comes from a process that has read a hostile file, and is checked like the
 * program's own messages. */
typedef struct Answer {
    bool yes;                 /**< the line is known; the result is used */
    uint64_t address;         /**< of the call whose line it is */
    int line, column, caller; /**< caller: as in CheckPlace */
    bool library, destructor;
    unsigned element_bytes, layout_bytes;
    bool unpadded, layout, layout_members; /**< there is a layout; its members are known */
    union {
        char file[LONGEST_NAME];
        uint8_t members[LONGEST_NAME]; /**< layout_bytes */
    };
} Answer;

/* What has been asked for once. */
typedef struct KnownElement {
    const char *kernel;
    unsigned parameter;
    bool known;
    CheckElement element;
    struct KnownElement *next;
} KnownElement;

struct Symbols {
    Arena *arena;
    int reader; /**< a socket; -1: there is none, or none any more */
    pid_t reader_process, owner;
    Site *sites; /* by number, from 1 */
    uint32_t site_count;
    KnownElement *elements;
    uint32_t *slots; /* hash table of site numbers, 2 * MAX_SITES */
};

/* ---- the reader ---- */

/** The first line further up that is in no library; as it was where there is none. */
static void find_user(DebugInfo *info, const SymbolsCall *call, CheckPlace *place, uint64_t *address) {
    for (unsigned i = 0; i < SYMBOLS_CALLERS && call->callers[i] != 0; i++) {
        CheckPlace above;
        if (!debuginfo_place(info, call->callers[i], &above) || headers_of_library(above.file)) continue;
        *place = above;
        *address = call->callers[i];
        return;
    }
}

/** A destructor is called at the end of a line that the class's author did not write. */
static void find_destructor(DebugInfo *info, const SymbolsCall *call, const CheckPlace *place,
                            Answer *answer) {
    CheckPlace above;
    answer->destructor = !answer->library && debuginfo_in_destructor(info, call->address);
    if (answer->destructor && debuginfo_place(info, call->callers[0], &above) &&
        text_same(above.file, place->file))
        answer->caller = above.line;
}

static void answer_place(DebugInfo *info, const Question *question, Answer *answer) {
    const SymbolsCall *call = &question->call;
    CheckPlace place;
    answer->address = call->address;
    answer->yes = debuginfo_place(info, call->address, &place);
    if (!answer->yes) {
        answer->address = call->callers[0];
        answer->yes = debuginfo_place(info, call->callers[0], &place);
    }
    if (!answer->yes) return;
    answer->library = headers_of_library(place.file);
    if (answer->library) find_user(info, call, &place, &answer->address);
    find_destructor(info, call, &place, answer);
    answer->line = place.line;
    answer->column = place.column;
    answer->yes = strlen(place.file) < sizeof answer->file;
    if (answer->yes) strcpy(answer->file, place.file);
}

static void answer_element(DebugInfo *info, const Question *question, Answer *answer) {
    CheckElement element = {.bytes = 0};
    answer->yes = debuginfo_element(info, question->kernel, question->parameter, &element);
    answer->element_bytes = element.bytes;
    answer->unpadded = element.unpadded;
    answer->layout = element.layout != NULL;
    if (answer->layout)
        answer->layout_bytes = element.layout->bytes;
    else
        answer->layout_bytes = 0;
    bool fits = answer->layout_bytes <= sizeof answer->members;
    answer->layout_members = answer->layout && fits && element.layout->member != NULL;
    if (answer->layout_members) memcpy(answer->members, element.layout->member, answer->layout_bytes);
}

/** Each kind of question has its answer in debuginfo.h or elements.h; this runs in the reader's process. */
static void find_answer(DebugInfo *info, const Question *question, Answer *answer) {
    switch (question->kind) {
    case ASK_PLACE:
        answer_place(info, question, answer);
        break;
    case ASK_RESULT_IS_USED:
        answer->yes = debuginfo_result_is_used(info, question->call.address, question->call.callers[0]);
        break;
    case ASK_RESULT_IS_SEEN:
        answer->yes = debuginfo_result_is_seen(info, question->call.address, question->call.callers[0]);
        break;
    case ASK_ELEMENT:
        answer_element(info, question, answer);
        break;
    }
}

/* A sanitizer's run-time reserves terabytes of addresses. */
static void limit_reader(void) {
    const struct rlimit seconds = {READER_SECONDS, READER_SECONDS};
    setrlimit(RLIMIT_CPU, &seconds);
#ifndef __SANITIZE_ADDRESS__
    const struct rlimit memory = {(rlim_t)READER_MIB << 20, (rlim_t)READER_MIB << 20};
    setrlimit(RLIMIT_AS, &memory);
#endif
}

/** The reader's process: it locks itself down before it looks at the first byte of the program's file, which
 * may be made to break whoever reads it, and answers until the device is gone. */
static _Noreturn void read_for(int device, void *image, size_t bytes, pid_t parent) {
    lockdown_close_others(&device, 1);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || !lockdown_enter(false)) _exit(1);
    DebugInfo *info = debuginfo_open(image, bytes);
    Question question;
    while (info != NULL && recv(device, &question, sizeof question, 0) == (ssize_t)sizeof question) {
        Answer answer = {.yes = false};
        find_answer(info, &question, &answer);
        if (send(device, &answer, sizeof answer, MSG_NOSIGNAL) != (ssize_t)sizeof answer) break;
    }
    _exit(0);
}

/** The debug information is read in a process of its own, which a hostile file can at worst kill: then lines
 * are missing from findings, and no more. */
static void start_reader(Symbols *symbols, void *image, size_t bytes) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return;
    symbols->owner = getpid();
    symbols->reader_process = fork();
    if (symbols->reader_process == 0) {
        limit_reader();
        read_for(ends[1], image, bytes, symbols->owner);
    }
    close(ends[1]);
    symbols->reader = ends[0];
    if (symbols->reader_process > 0) return;
    close(ends[0]);
    symbols->reader = -1;
}

/** The file is opened before the process locks itself down, and mapped privately, as the reader may relocate
 * it in place. O_NONBLOCK: a FIFO of that name must not stop us. */
static void map_program(Symbols *symbols, const char *program) {
    struct stat status;
    int file = open(program, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0) return;
    bool readable = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
    size_t bytes = 0;
    if (readable) bytes = (size_t)status.st_size;
    void *image = MAP_FAILED;
    if (bytes > 0) image = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    close(file);
    if (image == MAP_FAILED) return;
    start_reader(symbols, image, bytes);
    munmap(image, bytes);
}

/* ---- asking it ---- */

/** Asks the reader and waits for ANSWER_MILLISECONDS at most. What comes back is checked as if it came from
 * the program, since the reader may be in its hands. */
static bool exchange(const Symbols *symbols, const Question *question, Answer *answer) {
    struct pollfd ready = {.fd = symbols->reader, .events = POLLIN};
    if (send(symbols->reader, question, sizeof *question, MSG_NOSIGNAL) != (ssize_t)sizeof *question)
        return false;
    int count;
    do
        count = poll(&ready, 1, ANSWER_MILLISECONDS);
    while (count < 0 && errno == EINTR);
    if (count != 1 || recv(symbols->reader, answer, sizeof *answer, 0) != (ssize_t)sizeof *answer)
        return false;
    if (question->kind == ASK_ELEMENT)
        return !answer->layout_members || answer->layout_bytes <= sizeof answer->members;
    return memchr(answer->file, 0, sizeof answer->file) != NULL;
}

/** A worker of a divided launch shares the socket with the device, and what it reports is thrown away. */
static bool ask(Symbols *symbols, const Question *question, Answer *answer) {
    if (symbols->reader < 0 || symbols->owner != getpid()) return false;
    if (exchange(symbols, question, answer)) return true;
    close(symbols->reader);
    symbols->reader = -1;
    return false;
}

/* ---- life ---- */

/** Without a program, or when it cannot be read, sites are kept all the same and places are unknown. */
Symbols *symbols_open(const char *program) {
    Arena *arena = arena_create();
    Symbols *symbols = NULL;
    if (arena != NULL) symbols = ARENA_NEW(arena, Symbols);
    if (symbols == NULL) {
        arena_destroy(arena);
        return NULL;
    }
    symbols->arena = arena;
    symbols->reader = -1;
    symbols->sites = calloc(MAX_SITES, sizeof *symbols->sites);
    symbols->slots = calloc(2 * MAX_SITES, sizeof *symbols->slots);
    if (symbols->sites == NULL || symbols->slots == NULL) {
        symbols_close(symbols);
        return NULL;
    }
    if (program != NULL) map_program(symbols, program);
    return symbols;
}

/* The reader ends when its socket is closed, or by its limits. */
void symbols_close(Symbols *symbols) {
    if (symbols == NULL) return;
    if (symbols->reader >= 0) close(symbols->reader);
    if (symbols->reader_process > 0 && symbols->owner == getpid())
        while (waitpid(symbols->reader_process, NULL, 0) < 0 && errno == EINTR) {
        }
    free(symbols->sites);
    free(symbols->slots);
    arena_destroy(symbols->arena);
}

/* ---- sites ---- */

static uint64_t hash_of(const SymbolsCall *call) {
    uint64_t hash = call->address * UINT64_C(0x9E3779B97F4A7C15);
    for (unsigned i = 0; i < SYMBOLS_CALLERS && call->callers[i] != 0; i++)
        hash = (hash ^ call->callers[i]) * UINT64_C(0xC2B2AE3D27D4EB4F);
    return hash;
}

/** An open hash of twice MAX_SITES slots, which therefore never fills; past MAX_SITES calls have no site, and
 * findings at them no line. */
uint64_t symbols_site(Symbols *symbols, const SymbolsCall *whole) {
    if (whole->address == 0) return 0;
    SymbolsCall cut = {whole->address, {whole->callers[0]}};
    const SymbolsCall *call = whole;
    if (symbols->site_count >= MAX_SITES / 2) call = &cut; /* a recursion has as many ways as it likes */
    for (uint32_t slot = (uint32_t)(hash_of(call) >> 40) % (2 * MAX_SITES);;
         slot = (slot + 1) % (2 * MAX_SITES)) {
        uint32_t number = symbols->slots[slot];
        if (number == 0) {
            if (symbols->site_count + 1 >= MAX_SITES) return 0;
            number = ++symbols->site_count;
            symbols->slots[slot] = number;
            symbols->sites[number] = (Site){.call = *call};
            return number;
        }
        if (memcmp(&symbols->sites[number].call, call, sizeof *call) == 0) return number;
    }
}

static Site *find_site(Symbols *symbols, uint64_t number) {
    if (number > 0 && number <= symbols->site_count) return &symbols->sites[number];
    return NULL;
}

static void resolve(Symbols *symbols, Site *site) {
    Answer answer = {.yes = false};
    site->resolved = true;
    site->place.address = site->call.address;
    Question question = {.kind = ASK_PLACE, .call = site->call};
    if (!ask(symbols, &question, &answer) || !answer.yes) return;
    const char *file = arena_string(symbols->arena, answer.file);
    site->known = file != NULL;
    if (!site->known) return;
    site->place = (CheckPlace){.file = file,
                               .line = answer.line,
                               .column = answer.column,
                               .address = answer.address,
                               .library = answer.library,
                               .destructor = answer.destructor,
                               .caller = answer.caller};
}

bool symbols_place(void *self, uint64_t number, CheckPlace *place) {
    Symbols *symbols = self;
    Site *site = find_site(symbols, number);
    if (site == NULL) return false;
    if (!site->resolved) resolve(symbols, site);
    if (site->known)
        *place = site->place;
    else
        place->address = site->place.address;
    return site->known;
}

static bool ask_of_result(Symbols *symbols, QuestionKind kind, uint64_t number) {
    const Site *site = find_site(symbols, number);
    if (site == NULL) return true;
    Question question = {.kind = kind, .call = site->call};
    Answer answer = {.yes = false};
    return !ask(symbols, &question, &answer) || answer.yes;
}

bool symbols_result_is_used(Symbols *symbols, uint64_t number) {
    return ask_of_result(symbols, ASK_RESULT_IS_USED, number);
}

bool symbols_result_is_seen(Symbols *symbols, uint64_t number) {
    return ask_of_result(symbols, ASK_RESULT_IS_SEEN, number);
}

/* ---- types ---- */

static const PtxLayout *keep_layout(Arena *arena, const Answer *answer) {
    PtxLayout *layout = NULL;
    if (answer->layout) layout = ARENA_NEW(arena, PtxLayout);
    uint8_t *members = NULL;
    if (answer->layout_members) members = arena_alloc(arena, answer->layout_bytes);
    if (layout == NULL) return NULL;
    if (members != NULL) memcpy(members, answer->members, answer->layout_bytes);
    *layout = (PtxLayout){.bytes = answer->layout_bytes, .member = members};
    return layout;
}

static void find_element(Symbols *symbols, KnownElement *known) {
    Question question = {.kind = ASK_ELEMENT, .parameter = known->parameter};
    Answer answer = {.yes = false};
    if (strlen(known->kernel) >= sizeof question.kernel) return;
    strcpy(question.kernel, known->kernel);
    known->known = ask(symbols, &question, &answer) && answer.yes;
    known->element = (CheckElement){.bytes = answer.element_bytes,
                                    .layout = keep_layout(symbols->arena, &answer),
                                    .unpadded = answer.unpadded};
}

/** What a pointer parameter points to, asked of the reader once for each parameter: findings name elements
 * often. */
bool symbols_element(void *self, const char *kernel, unsigned parameter, CheckElement *element) {
    Symbols *symbols = self;
    KnownElement *known = symbols->elements;
    while (known != NULL && (known->parameter != parameter || strcmp(known->kernel, kernel) != 0))
        known = known->next;
    if (known == NULL) {
        known = ARENA_NEW(symbols->arena, KnownElement);
        const char *name = arena_string(symbols->arena, kernel);
        if (known == NULL || name == NULL) return false;
        *known = (KnownElement){.kernel = name, .parameter = parameter, .next = symbols->elements};
        find_element(symbols, known);
        symbols->elements = known;
    }
    if (known->known) *element = known->element;
    return known->known;
}
