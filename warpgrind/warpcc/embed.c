/* embed.c - puts the device code into a compiled host object.
 *
 * Clang embeds device code while it compiles the host side, so the host would have to wait for the device.
 * Instead both compile at the same time, the host with a placeholder, and here the section that holds it
 * (other sections refer to its start only) gets its real contents: they are appended to the file,
 * and the section's header is pointed there. Source: System V ABI, Object Files.
 */
#include "warpcc/warpcc.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* The second is that of a file whose device code is linked with others. */
static const char *const SECTIONS[] = {".nv_fatbin", "__nv_relfatbin"};
enum { OBJECT_LIMIT = 1 << 30, ALIGNMENT = 16 };

static bool range_fits(const Text *object, uint64_t offset, uint64_t length) {
    return offset <= object->length && length <= object->length - offset;
}

static Elf64_Shdr section_header(const Text *object, const Elf64_Ehdr *header, unsigned index) {
    Elf64_Shdr section;
    memcpy(&section, object->bytes + header->e_shoff + index * sizeof section, sizeof section);
    return section;
}

static bool object_is_usable(const Text *object, Elf64_Ehdr *header) {
    if (object->length < sizeof *header) return false;
    memcpy(header, object->bytes, sizeof *header);
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == ELFCLASS64 &&
           header->e_shentsize == sizeof(Elf64_Shdr) && header->e_shstrndx < header->e_shnum &&
           range_fits(object, header->e_shoff, header->e_shnum * sizeof(Elf64_Shdr));
}

/* The file offset of the header of the first section of that name; 0 when there is none. */
static uint64_t section_find_named(const Text *object, const Elf64_Ehdr *header, const char *wanted) {
    Elf64_Shdr names = section_header(object, header, header->e_shstrndx);
    if (!range_fits(object, names.sh_offset, names.sh_size)) return 0;
    for (unsigned i = 0; i < header->e_shnum; i++) {
        Elf64_Shdr section = section_header(object, header, i);
        size_t length = strlen(wanted) + 1;
        bool fits = section.sh_name < names.sh_size && names.sh_size - section.sh_name >= length;
        if (fits && memcmp(object->bytes + names.sh_offset + section.sh_name, wanted, length) == 0)
            return header->e_shoff + i * sizeof(Elf64_Shdr);
    }
    return 0;
}

static uint64_t section_find(const Text *object, const Elf64_Ehdr *header) {
    uint64_t place = 0;
    for (size_t i = 0; i < sizeof SECTIONS / sizeof SECTIONS[0] && !place; i++)
        place = section_find_named(object, header, SECTIONS[i]);
    return place;
}

/* Host code of -rdc=true calls __cudaRegisterLinkedBinary_ID, another one for each file. All of them mean the
 * same function here, so the name is cut short where it stands, in the string table. */
static void registration_rename(Text *object) {
    static const char CALL[] = "__cudaRegisterLinkedBinary_";
    char *name = memmem(object->bytes, object->length, CALL, strlen(CALL));
    if (name) name[strlen(CALL) - 1] = 0;
}

const char *embed_find_code(const char *bytes, size_t length, size_t *code_length) {
    Text object = {.bytes = (char *)(uintptr_t)bytes, .length = length}; /* read only */
    Elf64_Ehdr header;
    uint64_t place = 0;
    if (object_is_usable(&object, &header)) place = section_find_named(&object, &header, SECTIONS[1]);
    if (!place) return NULL;
    Elf64_Shdr section;
    memcpy(&section, bytes + place, sizeof section);
    bool present = section.sh_type != SHT_NOBITS && section.sh_size > 0 &&
                   range_fits(&object, section.sh_offset, section.sh_size);
    if (!present) return NULL;
    *code_length = section.sh_size - 1; /* a zero ends what was embedded */
    return bytes + section.sh_offset;
}

static bool object_write(const char *path, const Text *object) {
    int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (fd < 0) return false;
    bool written = text_write(fd, object->bytes, object->length);
    return close(fd) == 0 && written;
}

static const char *object_embed(Text *object, const char *bytes, size_t length) {
    Elf64_Ehdr header;
    if (!object_is_usable(object, &header)) return "not a 64-bit object";
    uint64_t place = section_find(object, &header);
    if (!place) return NULL; /* no kernels and no device variables: nobody asks for the device code */
    static const char zeros[ALIGNMENT];
    text_append(object, zeros, (ALIGNMENT - object->length % ALIGNMENT) % ALIGNMENT);
    Elf64_Shdr section;
    memcpy(&section, object->bytes + place, sizeof section);
    section.sh_offset = object->length;
    section.sh_size = length + 1;
    memcpy(object->bytes + place, &section, sizeof section);
    text_append(object, bytes, length);
    text_append(object, zeros, 1);
    if (!object->failed) registration_rename(object);
    if (object->failed) return "no memory";
    return NULL;
}

/* The object is read, changed in memory and written again; on any problem the old one stays. */
bool embed_device_code(const char *object_path, const char *bytes, size_t length, Diagnostics *diagnostics) {
    Text object = text_new();
    const char *problem = NULL;
    if (!text_read_file(&object, object_path, OBJECT_LIMIT))
        problem = strerror(errno);
    else
        problem = object_embed(&object, bytes, length);
    if (!problem && !object_write(object_path, &object)) problem = strerror(errno);
    if (problem)
        diag_add(diagnostics, DIAG_ERROR, object_path, 0, 0, "cannot embed the device code: %s", problem);
    text_free(&object);
    return !problem;
}
