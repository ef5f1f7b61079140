/* processor.h - what the client must know of the processor: the registers of an interrupted program, and the
 * jumps of own_stream.c. One section for each of x86-64 and arm64; nothing else in the client names a
 * register.
 *
 * On x86-64 the instruction that touched watched memory can be stepped over by itself (the trap flag). On
 * arm64 a program cannot ask for that, so pages that were opened for one touch stay open until the next
 * launch or copy protects them again: the first touch is told, those that follow it at once are not.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#if defined(__x86_64__)

enum { TRAP_FLAG = 1 << 8 }; /* of the flags register: a SIGTRAP behind the next instruction */

static inline uint64_t processor_instruction(const ucontext_t *machine) {
    return (uint64_t)machine->uc_mcontext.gregs[REG_RIP];
}

static inline uint64_t processor_stack(const ucontext_t *machine) {
    return (uint64_t)machine->uc_mcontext.gregs[REG_RSP];
}

static inline bool processor_fault_wrote(const ucontext_t *machine) {
    enum { PAGE_FAULT_WRITE = 2 };
    return (machine->uc_mcontext.gregs[REG_ERR] & PAGE_FAULT_WRITE) != 0;
}

/** Asks for a SIGTRAP behind the next instruction; false: this processor has none to give. */
static inline bool processor_begin_step(ucontext_t *machine) {
    machine->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
    return true;
}

/** In the handler of SIGTRAP: whether it comes from processor_begin_step, which is then over. */
static inline bool processor_end_step(ucontext_t *machine, const siginfo_t *info) {
    bool stepped = info->si_code == TRAP_TRACE && (machine->uc_mcontext.gregs[REG_EFL] & TRAP_FLAG) != 0;
    if (stepped) machine->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
    return stepped;
}

/** Where the breakpoint is that ended the program: the processor stands behind it. */
static inline uint64_t processor_breakpoint(const ucontext_t *machine) {
    return processor_instruction(machine) - 1;
}

/** Sets the thread's client_own_stream to 1 and jumps to the plain form, all arguments and the return address
 * kept. */
#define PROCESSOR_OWN_STREAM(name)                                                                           \
    "    movq client_own_stream@gottpoff(%rip), %r11\n"                                                      \
    "    movl $1, %fs:(%r11)\n"                                                                              \
    "    jmp " name "@PLT\n"
#define PROCESSOR_FUNCTION "@function"

#elif defined(__aarch64__)

static inline uint64_t processor_instruction(const ucontext_t *machine) {
    return machine->uc_mcontext.pc;
}

static inline uint64_t processor_stack(const ucontext_t *machine) {
    return machine->uc_mcontext.sp;
}

/* The kernel's signal frame ends with records, a magic number and a size each; one has the fault's syndrome,
 * in which a bit says whether it was a write (Arm ARM, ESR_EL1, WnR). Where there is none it counts as a
 * read. */
static inline bool processor_fault_wrote(const ucontext_t *machine) {
    enum { SYNDROME_WRITE = 1 << 6 };
    const unsigned char *record = machine->uc_mcontext.__reserved;
    const unsigned char *end = record + sizeof machine->uc_mcontext.__reserved;
    while ((size_t)(end - record) >= sizeof(struct esr_context)) {
        struct esr_context header;
        __builtin_memcpy(&header, record, sizeof header);
        if (header.head.magic == ESR_MAGIC) return (header.esr & SYNDROME_WRITE) != 0;
        if (header.head.size == 0 || header.head.size > (size_t)(end - record)) return false;
        record += header.head.size;
    }
    return false;
}

static inline bool processor_begin_step(ucontext_t *machine) {
    (void)machine;
    return false;
}

static inline bool processor_end_step(ucontext_t *machine, const siginfo_t *info) {
    (void)machine;
    (void)info;
    return false;
}

static inline uint64_t processor_breakpoint(const ucontext_t *machine) {
    return machine->uc_mcontext.pc;
}

#define PROCESSOR_OWN_STREAM(name)                                                                           \
    "    adrp x16, :gottprel:client_own_stream\n"                                                            \
    "    ldr x16, [x16, #:gottprel_lo12:client_own_stream]\n"                                                \
    "    mrs x17, tpidr_el0\n"                                                                               \
    "    add x16, x16, x17\n"                                                                                \
    "    mov w17, #1\n"                                                                                      \
    "    str w17, [x16]\n"                                                                                   \
    "    b " name "\n"
#define PROCESSOR_FUNCTION "%function"

#else
#error "the client knows x86-64 and arm64: add this processor's registers and its jump"
#endif
