/* crash.c - what the client knows of the program around it: its image, its stack, and how it dies.
 *
 * A device pointer used on the host faults, because no program maps those addresses. The handler here tells
 * the device where that happened, so that the report can explain it, and then lets the program die as it
 * would have.
 */
#include "cudart/client.h"
#include "cudart/crash.h"
#include "cudart/processor.h"

#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>

/** The first object of the list is the program itself. */
static int note_program(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    ClientImage *image = data;
    image->base = info->dlpi_addr;
    image->image_begin = UINT64_MAX;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD) continue;
        uint64_t begin = info->dlpi_addr + segment->p_vaddr, end = begin + segment->p_memsz;
        if (begin < image->image_begin) image->image_begin = begin;
        if (end > image->image_end) image->image_end = end;
        if ((segment->p_flags & PF_X) == 0) continue;
        image->text_begin = begin;
        image->text_end = end;
    }
    return 1;
}

/** The end of the main thread's stack: Linux puts the program's file name there, and a word of zeros behind
 * it. Whoever asks pthreads is told from /proc, which a sandbox may not have. */
static uint64_t stack_top(void) {
    const char *name = client_pointer(getauxval(AT_EXECFN));
    if (name == NULL) return 0;
    const uint64_t page = (uint64_t)getpagesize();
    return (client_word(name) + strlen(name) + page) / page * page;
}

ClientImage client_find_image(void) {
    ClientImage image = {0};
    dl_iterate_phdr(note_program, &image);
    image.stack_top = stack_top();
    return image;
}

static void on_crash(int number, siginfo_t *info, void *context) {
    ucontext_t *machine = context;
    bool again;
    uint64_t instruction = processor_instruction(machine);
    if (number == SIGSEGV && info->si_code == SEGV_ACCERR &&
        client_tell_touch(client_word(info->si_addr), instruction, processor_fault_wrote(machine), &again)) {
        if (again) processor_begin_step(machine);
        return;
    }
    bool fault = info->si_code > 0; /* else somebody sent it: abort(), kill() */
    client_tell_crash((uint64_t)number, fault ? client_word(info->si_addr) : 0, instruction,
                      processor_stack(machine));
    signal(number, SIG_DFL);
    /* Returning repeats the faulting instruction, which now kills the program as usual. */
    if (!fault) raise(number);
}

/** Behind an instruction that touched watched memory. */
static void on_step(int number, siginfo_t *info, void *context) {
    ucontext_t *machine = context;
    if (!processor_end_step(machine, info)) {
        client_tell_crash((uint64_t)number, 0, processor_breakpoint(machine), processor_stack(machine));
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    client_touch_again();
}

static bool install(int number, void (*handler)(int, siginfo_t *, void *)) {
    struct sigaction old, ours = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_NODEFER};
    if (sigaction(number, NULL, &old) != 0 || old.sa_handler != SIG_DFL) return false;
    return sigaction(number, &ours, NULL) == 0;
}

bool client_watch_crashes(void) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS};
    bool watching = false;
    void *first;
    backtrace(&first, 1); /* loads what it needs, which a signal handler must not */
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) {
        bool installed = install(signals[i], on_crash);
        if (signals[i] == SIGSEGV) watching = installed;
    }
    return watching && install(SIGTRAP, on_step);
}
