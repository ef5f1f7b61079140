/* evidence.c - see evidence.h. Blocks are read as glibc lays them out: the size, with flags in its low bits,
 * before the bytes; the main heap is one row of blocks. */
#include "cudart/evidence.h"
#include "cudart/client.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { HEADER = 16, FLAGS = 7, MAPPED = 2, MOST_BLOCKS = 1 << 24 };

void evidence_begin(Evidence *evidence) {
    evidence->abort_message = (uint64_t)(uintptr_t)dlsym(RTLD_DEFAULT, "__abort_msg");
    evidence->exception = (uint64_t)(uintptr_t)dlsym(RTLD_DEFAULT, "__cxa_current_exception_type");
}

/* ---- the heap ---- */

typedef struct Heap {
    uint64_t begin, end;
} Heap;

static uint64_t word_at(uint64_t address) {
    uint64_t word;
    memcpy(&word, (const void *)(uintptr_t)address, sizeof word); /* NOLINT */
    return word;
}

static uint64_t read_hex(const char *text) {
    uint64_t number = 0;
    for (;; text++) {
        if (*text >= '0' && *text <= '9')
            number = 16 * number + (uint64_t)(*text - '0');
        else if (*text >= 'a' && *text <= 'f')
            number = 16 * number + (uint64_t)(*text - 'a' + 10);
        else
            return number;
    }
}

/** From the line of /proc/self/maps that ends with [heap]. */
static Heap find_heap(void) {
    Heap heap = {0, 0};
    char line[256], byte;
    size_t length = 0;
    int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    while (file >= 0 && read(file, &byte, 1) == 1) {
        if (byte != '\n') {
            if (length + 1 < sizeof line) line[length++] = byte;
            continue;
        }
        line[length] = 0;
        length = 0;
        const char *dash = strchr(line, '-');
        if (strstr(line, "[heap]") == NULL || dash == NULL) continue;
        heap = (Heap){read_hex(line), read_hex(dash + 1)};
        break;
    }
    if (file >= 0) close(file);
    return heap;
}

/** Bytes from the address to the end of its block; 0: unknown. */
static uint64_t room_in_heap(Heap heap, uint64_t address) {
    uint64_t at = heap.begin;
    for (unsigned i = 0; i < MOST_BLOCKS && at + HEADER < heap.end; i++) {
        uint64_t bytes = word_at(at + 8) & ~(uint64_t)FLAGS;
        if (bytes < 2 * HEADER || bytes % HEADER != 0 || bytes > heap.end - at) return 0;
        uint64_t end = at + bytes + 8; /* the first word of the next header belongs to this block */
        if (address >= at + HEADER && address < end) return end - address;
        at += bytes;
    }
    return 0;
}

/** A large block has pages of its own, and begins at the first of them. */
static uint64_t room_in_pages(uint64_t address) {
    if (address % WIRE_PAGE != HEADER || !client_is_mapped(address - HEADER, HEADER)) return 0;
    uint64_t size = word_at(address - 8);
    bool plausible = (size & FLAGS) == MAPPED && (size & ~(uint64_t)FLAGS) % WIRE_PAGE == 0;
    if (plausible) return (size & ~(uint64_t)FLAGS) - HEADER;
    return 0;
}

/** Of an address in a block with pages of its own that an earlier copy wrote to from its begin. */
static uint64_t room_after_copies(const Evidence *evidence, uint64_t address) {
    unsigned kept = EVIDENCE_COPIES;
    if (evidence->count < EVIDENCE_COPIES) kept = evidence->count;
    for (unsigned i = 1; i <= kept; i++) {
        const EvidenceCopy *copy = &evidence->copies[(evidence->count - i) % EVIDENCE_COPIES];
        if (address - copy->address < copy->room) return copy->room - (address - copy->address);
    }
    return 0;
}

/** The room is looked up before the copy may spoil what tells it. */
void evidence_note(Evidence *evidence, unsigned call, uint64_t address, uint64_t bytes) {
    EvidenceCopy *last = &evidence->copies[(evidence->count - 1) % EVIDENCE_COPIES];
    if (evidence->count > 0 && last->call == call && last->address + last->bytes == address) {
        last->bytes += bytes; /* the next piece of a long copy */
        return;
    }
    uint64_t room = room_in_pages(address);
    if (room == 0) room = room_after_copies(evidence, address);
    evidence->copies[evidence->count++ % EVIDENCE_COPIES] =
        (EvidenceCopy){.address = address, .bytes = bytes, .room = room, .call = call};
}

static bool in_heap(Heap heap, uint64_t address) {
    return address >= heap.begin && address < heap.end;
}

/* ---- the copy to blame ---- */

typedef struct Suspect {
    EvidenceCopy copy;
    uint64_t room; /**< 0: unknown */
} Suspect;

/** The newest copy that went past its block; else, when `any`, the newest of which nothing is known. */
static Suspect suspect_of_heap(const Evidence *evidence, bool any) {
    Heap heap = find_heap();
    Suspect suspect = {{0}, 0};
    unsigned kept = EVIDENCE_COPIES;
    if (evidence->count < EVIDENCE_COPIES) kept = evidence->count;
    for (unsigned i = 1; i <= kept; i++) {
        EvidenceCopy copy = evidence->copies[(evidence->count - i) % EVIDENCE_COPIES];
        bool inside = in_heap(heap, copy.address);
        uint64_t room;
        if (inside)
            room = room_in_heap(heap, copy.address);
        else
            room = copy.room;
        if (room != 0 && copy.bytes > room) return (Suspect){copy, room};
        if (any && inside && room == 0 && suspect.copy.bytes == 0) suspect.copy = copy;
    }
    return suspect;
}

/** With `noticed` (the C library found a frame overwritten) the newest copy to the stack. Else one that wrote
 * over the word at the stack pointer, where a return address or a frame was, or past the top of the stack. */
static Suspect suspect_of_stack(const Evidence *evidence, EvidenceStack stack, bool noticed) {
    unsigned kept = EVIDENCE_COPIES;
    if (evidence->count < EVIDENCE_COPIES) kept = evidence->count;
    for (unsigned i = 1; i <= kept; i++) {
        EvidenceCopy copy = evidence->copies[(evidence->count - i) % EVIDENCE_COPIES];
        if (copy.address + (1 << 20) < stack.pointer || copy.address >= stack.top) continue;
        bool over = copy.address < stack.pointer && stack.pointer - copy.address < copy.bytes;
        if (noticed || over || copy.bytes > stack.top - copy.address) return (Suspect){copy, 0};
    }
    return (Suspect){{0}, 0};
}

/* ---- why ---- */

/** What the C library has said, or "". */
static const char *abort_message(const Evidence *evidence) {
    uint64_t message = 0;
    if (evidence->abort_message != 0) message = word_at(evidence->abort_message);
    if (message != 0) return (const char *)(uintptr_t)(message + sizeof(unsigned));
    return ""; /* NOLINT */
}

/** The type of the exception that flies, as its std::type_info; NULL: none does. */
static const void *flying_type(const Evidence *evidence) {
    if (evidence->exception == 0) return NULL;
    void *(*current)(void) = (void *(*)(void))(uintptr_t)evidence->exception;
    return current();
}

/** A type_info's second word points to the type's name in the C++ ABI's words. A long one is left out. */
static const char *flying_name(const Evidence *evidence) {
    const void *type = flying_type(evidence);
    const char *name = "";
    if (type != NULL) memcpy(&name, (const char *)type + sizeof name, sizeof name);
    if (*name == '*') name++; /* of a type that this program alone knows */
    if (strlen(name) > WIRE_CRASH_TEXT) return "";
    return name;
}

/** An assertion in malloc itself is how glibc says that the heap is damaged: "Fatal glibc error: malloc
 * assertion failure in sysmalloc: ...", before 2.36 "malloc.c:2379: sysmalloc: Assertion `...' failed.". */
static bool is_malloc_assertion(const char *message) {
    return strstr(message, "malloc assertion failure") != NULL || strstr(message, "malloc.c:") != NULL;
}

static WireCrashCause cause_of_abort(const Evidence *evidence, const char *message) {
    static const char *const of_heap[] = {"malloc", "free()", "realloc",   "calloc", "corrupted",
                                          "double", "munmap", "sysmalloc", "tcache", "invalid"};
    if (strstr(message, "stack smashing") != NULL) return WIRE_CRASH_STACK;
    if (is_malloc_assertion(message)) return WIRE_CRASH_HEAP;
    if (strstr(message, "Assertion `") != NULL) return WIRE_CRASH_ASSERTION;
    for (unsigned i = 0; i < sizeof of_heap / sizeof *of_heap; i++)
        if (strncmp(message, of_heap[i], strlen(of_heap[i])) == 0) return WIRE_CRASH_HEAP;
    if (flying_type(evidence) != NULL) return WIRE_CRASH_EXCEPTION;
    return WIRE_CRASH_ITSELF;
}

/** Puts together what is known of the damage: the cause from the words of the C library, and from the
 * copies of late the one that went past the end of its block or over the stack. */
void evidence_tell(const Evidence *evidence, EvidenceStack stack, Arguments_CRASH *crash) {
    int signal_number = (int)crash->signal;
    const char *message = "";
    if (signal_number == SIGABRT) message = abort_message(evidence);
    WireCrashCause cause = WIRE_CRASH_ITSELF;
    if (signal_number == SIGABRT) cause = cause_of_abort(evidence, message);
    bool of_heap = cause == WIRE_CRASH_HEAP, of_stack = cause == WIRE_CRASH_STACK;
    bool fault = signal_number == SIGSEGV || signal_number == SIGBUS;
    Suspect suspect = {{0}, 0};
    if (of_heap || fault) suspect = suspect_of_heap(evidence, of_heap);
    if (of_stack || (fault && suspect.copy.bytes == 0)) {
        suspect = suspect_of_stack(evidence, stack, of_stack);
        if (suspect.copy.bytes != 0) cause = WIRE_CRASH_STACK;
    }
    crash->cause = cause;
    crash->copy_address = suspect.copy.address;
    crash->copy_bytes = suspect.copy.bytes;
    crash->copy_room = suspect.room;
    if (cause == WIRE_CRASH_EXCEPTION) message = flying_name(evidence);
    size_t length = strcspn(message, "\n");
    if (length > WIRE_CRASH_TEXT) length = WIRE_CRASH_TEXT;
    if (of_heap || cause == WIRE_CRASH_EXCEPTION) memcpy(crash->text, message, length);
}
