/* symbols.c - walks an object's sections and symbol table; see symbols.h. */
#include "autograder/compile/symbols.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>

/* An object file in memory; `take` checks each offset in it. */
typedef struct Object {
    const unsigned char *bytes;
    size_t length;
    Elf64_Ehdr header;
    uint64_t names; /* index of the section with the sections' names */
} Object;

/* Copies `size` bytes at `offset`; false when they are not all there. */
static bool take(const Object *object, uint64_t offset, void *into, size_t size) {
    if (offset > object->length || size > object->length - offset) return false;
    memcpy(into, object->bytes + offset, size);
    return true;
}

static bool take_section(const Object *object, uint64_t index, Elf64_Shdr *section) {
    if (index >= object->length / sizeof *section) return false;
    return take(object, object->header.e_shoff + index * sizeof *section, section, sizeof *section);
}

/* A NUL-terminated string inside the string table, or NULL. */
static const char *name_at(const Object *object, const Elf64_Shdr *strings, uint64_t index) {
    if (strings->sh_offset > object->length || strings->sh_size > object->length - strings->sh_offset)
        return NULL;
    if (index >= strings->sh_size) return NULL;
    const char *name = (const char *)object->bytes + strings->sh_offset + index;
    if (memchr(name, '\0', strings->sh_size - index) != NULL) return name;
    return NULL;
}

/* Only symbols that other files can see count. Every offset is the object's word, and checked against its
 * length by take. */
static bool visit_table(const Object *object, const Elf64_Shdr *table, SymbolVisitor *visit, void *context) {
    Elf64_Shdr strings;
    if (table->sh_entsize != sizeof(Elf64_Sym) || !take_section(object, table->sh_link, &strings))
        return false;
    for (uint64_t i = 1; i < table->sh_size / sizeof(Elf64_Sym); i++) {
        Elf64_Sym symbol;
        if (!take(object, table->sh_offset + i * sizeof symbol, &symbol, sizeof symbol)) return false;
        unsigned binding = ELF64_ST_BIND(symbol.st_info);
        if (binding != STB_GLOBAL && binding != STB_WEAK && binding != STB_GNU_UNIQUE) continue;
        const char *name = name_at(object, &strings, symbol.st_name);
        if (name == NULL) return false;
        SymbolView view = {name, symbol.st_shndx != SHN_UNDEF, ELF64_ST_TYPE(symbol.st_info) == STT_FUNC,
                           binding == STB_WEAK};
        visit(context, &view);
    }
    return true;
}

/* Past 65,279 sections their number stands in the first one, and so does the index of the names' section. */
static bool open_object(Object *object, const void *bytes, size_t length, uint64_t *sections) {
    *object = (Object){.bytes = bytes, .length = length};
    const Elf64_Ehdr *header = &object->header;
    if (!take(object, 0, &object->header, sizeof object->header)) return false;
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    if (header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shoff > length) return false;
    Elf64_Shdr first = {0};
    if (header->e_shoff != 0 && !take(object, header->e_shoff, &first, sizeof first)) return false;
    if (header->e_shnum != 0)
        *sections = header->e_shnum;
    else
        *sections = first.sh_size;
    if (header->e_shstrndx != SHN_XINDEX)
        object->names = header->e_shstrndx;
    else
        object->names = first.sh_link;
    return *sections <= length / sizeof(Elf64_Shdr);
}

bool symbols_visit(const void *bytes, size_t length, SymbolVisitor *visit, void *context) {
    Object object;
    uint64_t sections;
    if (!open_object(&object, bytes, length, &sections)) return false;
    for (uint64_t i = 0; i < sections; i++) {
        Elf64_Shdr section;
        if (!take_section(&object, i, &section)) return false;
        if (section.sh_type == SHT_SYMTAB && !visit_table(&object, &section, visit, context)) return false;
    }
    return true;
}

/* The first section of that name; section 0 is the null section of ELF. */
bool symbols_find_section(const void *bytes, size_t length, const char *name, SectionView *found) {
    Object object;
    uint64_t sections;
    Elf64_Shdr names, section;
    if (!open_object(&object, bytes, length, &sections) || !take_section(&object, object.names, &names))
        return false;
    for (uint64_t i = 1; i < sections && take_section(&object, i, &section); i++) {
        const char *own = name_at(&object, &names, section.sh_name);
        if (own == NULL || strcmp(own, name) != 0) continue;
        *found = (SectionView){section.sh_addr, section.sh_size};
        return true;
    }
    return false;
}
