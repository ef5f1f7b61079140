/* test_debuginfo.c - what the code after a call says of the call's result, for programs of either processor.
 */
#include "device/image/debuginfo.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { CODE_ADDRESS = 0x1000 };

/** A program whose only segment is the code after a call, at CODE_ADDRESS. */
typedef struct Image {
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    uint8_t code[32];
} Image;

static Image image_of(Elf64_Half machine, const uint8_t *code, size_t bytes) {
    Image image = {
        .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                   .e_type = ET_EXEC,
                   .e_machine = machine,
                   .e_version = EV_CURRENT,
                   .e_phoff = offsetof(Image, segment),
                   .e_ehsize = sizeof(Elf64_Ehdr),
                   .e_phentsize = sizeof(Elf64_Phdr),
                   .e_phnum = 1},
        .segment = {.p_type = PT_LOAD,
                    .p_flags = PF_R | PF_X,
                    .p_offset = offsetof(Image, code),
                    .p_vaddr = CODE_ADDRESS,
                    .p_filesz = sizeof image.code,
                    .p_memsz = sizeof image.code}};
    memcpy(image.code, code, bytes);
    return image;
}

/** In a process of its own, as the device has it: what is opened is never closed. */
static bool is_used(Elf64_Half machine, const uint8_t *code, size_t bytes) {
    enum { USED = 3, NOT_USED = 4 };
    pid_t child = fork();
    if (child == 0) {
        Image image = image_of(machine, code, bytes);
        DebugInfo *info = debuginfo_open(&image, sizeof image);
        if (info == NULL) _exit(1);
        _exit(debuginfo_result_is_used(info, CODE_ADDRESS, 0) ? USED : NOT_USED);
    }
    int status = 0;
    assert_true(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    assert_in_range(WEXITSTATUS(status), USED, NOT_USED);
    return WEXITSTATUS(status) == USED;
}

static const uint8_t ignored[] = {0x90, 0x90, 0x90};      /* nop */
static const uint8_t tested[] = {0x85, 0xC0, 0x74, 0x02}; /* test eax, eax; je */

/* add rsp, 8, and with four bytes of a number; then the result is tested, or not */
static const uint8_t handed_up[] = {0x48, 0x83, 0xC4, 0x08, 0x85, 0xC0};
static const uint8_t handed_far_up[] = {0x48, 0x81, 0xC4, 0x00, 0x01, 0x00, 0x00, 0x85, 0xC0};
static const uint8_t dropped[] = {0x48, 0x83, 0xC4, 0x08, 0x90, 0x90};

static void the_code_after_a_call_shows_who_takes_its_result(void **state) {
    (void)state;
    assert_false(is_used(EM_X86_64, ignored, sizeof ignored));
    assert_true(is_used(EM_X86_64, tested, sizeof tested));
    assert_true(is_used(EM_X86_64, handed_up, sizeof handed_up));
    assert_true(is_used(EM_X86_64, handed_far_up, sizeof handed_far_up));
    assert_false(is_used(EM_X86_64, dropped, sizeof dropped));
}

/** Nobody reads that processor's instructions here: no error is reported that may have been looked at. */
static void code_of_another_processor_says_nothing(void **state) {
    (void)state;
    assert_true(is_used(EM_AARCH64, ignored, sizeof ignored));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_code_after_a_call_shows_who_takes_its_result),
        cmocka_unit_test(code_of_another_processor_says_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
