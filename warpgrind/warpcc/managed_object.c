/* managed_object.c - in a host object, accesses of managed variables go by way of their slots (managed.c).
 *
 * Code reads the address of such a variable from the linker's table of addresses (GOT). A slot is such a
 * place as well, only that the runtime fills it, so each of these relocations gets the slot for its symbol
 * and the plain kind that addresses a variable. Source: System V ABI, Object Files, and its supplements for
 * x86-64 and AArch64 (Relocation).
 */
#include "warpcc/warpcc.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

enum { OBJECT_LIMIT = 1 << 30 };

typedef struct Kind {
    unsigned machine, of_table, plain;
} Kind;

static const Kind KINDS[] = {
    {EM_X86_64, R_X86_64_GOTPCREL, R_X86_64_PC32},
    {EM_X86_64, R_X86_64_GOTPCRELX, R_X86_64_PC32},
    {EM_X86_64, R_X86_64_REX_GOTPCRELX, R_X86_64_PC32},
    {EM_AARCH64, R_AARCH64_ADR_GOT_PAGE, R_AARCH64_ADR_PREL_PG_HI21},
    {EM_AARCH64, R_AARCH64_LD64_GOT_LO12_NC, R_AARCH64_LDST64_ABS_LO12_NC},
};

/* Indices of symbols. */
typedef struct Pair {
    uint64_t variable, slot;
} Pair;

typedef struct Object {
    Text text;
    Elf64_Ehdr header;
    Elf64_Shdr symbols, names; /* of symbols */
    Pair *pairs;               /* one for each managed variable */
    size_t pair_count;
    const char *path;
    Diagnostics *diagnostics;
} Object;

static bool range_fits(const Object *object, uint64_t offset, uint64_t length) {
    return offset <= object->text.length && length <= object->text.length - offset;
}

static bool section_read(const Object *object, unsigned index, Elf64_Shdr *section) {
    uint64_t place = object->header.e_shoff + (uint64_t)index * sizeof *section;
    if (index >= object->header.e_shnum || !range_fits(object, place, sizeof *section)) return false;
    memcpy(section, object->text.bytes + place, sizeof *section);
    return section->sh_type == SHT_NOBITS || range_fits(object, section->sh_offset, section->sh_size);
}

/* The symbol table and its names; an object without them is none of ours. */
static bool object_open(Object *object) {
    if (!text_read_file(&object->text, object->path, OBJECT_LIMIT)) return false;
    if (object->text.length < sizeof object->header) return false;
    memcpy(&object->header, object->text.bytes, sizeof object->header);
    Elf64_Shdr section;
    for (unsigned i = 0; section_read(object, i, &section); i++)
        if (section.sh_type == SHT_SYMTAB) {
            object->symbols = section;
            return section_read(object, section.sh_link, &object->names);
        }
    return false;
}

static const char *symbol_name(const Object *object, uint64_t index) {
    Elf64_Sym symbol;
    if (index >= object->symbols.sh_size / sizeof symbol) return "";
    memcpy(&symbol, object->text.bytes + object->symbols.sh_offset + index * sizeof symbol, sizeof symbol);
    /* The text ends with a zero of its own, so that a name without one ends there. */
    if (symbol.st_name < object->names.sh_size)
        return object->text.bytes + object->names.sh_offset + symbol.st_name;
    return "";
}

static uint64_t symbol_count(const Object *object) {
    return object->symbols.sh_size / sizeof(Elf64_Sym);
}

static uint64_t symbol_find(const Object *object, const char *name) {
    for (uint64_t i = 1; i < symbol_count(object); i++)
        if (strcmp(symbol_name(object, i), name) == 0) return i;
    return 0;
}

/* Each managed variable has a slot beside it, whose name is the variable's with a prefix. */
static bool pairs_find(Object *object) {
    size_t slots = 0;
    for (uint64_t i = 1; i < symbol_count(object); i++)
        slots += text_starts_with(symbol_name(object, i), MANAGED_SLOT);
    object->pairs = arena_alloc(object->diagnostics->arena, (slots + 1) * sizeof *object->pairs);
    if (!object->pairs) return false;
    for (uint64_t i = 1; i < symbol_count(object); i++) {
        const char *name = symbol_name(object, i);
        if (text_starts_with(name, MANAGED_SLOT))
            object->pairs[object->pair_count++] = (Pair){symbol_find(object, name + strlen(MANAGED_SLOT)), i};
    }
    return true;
}

/* The slot's symbol of a managed variable; 0 for other symbols. */
static uint64_t slot_find(const Object *object, uint64_t symbol) {
    for (size_t i = 0; i < object->pair_count; i++)
        if (object->pairs[i].variable == symbol && symbol != 0) return object->pairs[i].slot;
    return 0;
}

static const Kind *kind_find(const Object *object, uint64_t type) {
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++)
        if (KINDS[i].machine == object->header.e_machine && KINDS[i].of_table == type) return &KINDS[i];
    return NULL;
}

static bool complain_constant(Object *object, uint64_t symbol) {
    return advise(diag_add(object->diagnostics, DIAG_ERROR, NULL, 0, 0,
                           "the address of the managed variable %s is no constant: a variable cannot begin "
                           "with it",
                           symbol_name(object, symbol)),
                  "assign it in a function");
}

/* `loaded`: the section that the relocation is for is in memory, unlike debug information. */
static bool relocation_redirect(Object *object, char *place, bool loaded) {
    Elf64_Rela relocation;
    memcpy(&relocation, place, sizeof relocation);
    uint64_t symbol = ELF64_R_SYM(relocation.r_info), slot = loaded ? slot_find(object, symbol) : 0;
    if (slot == 0) return true;
    const Kind *kind = kind_find(object, ELF64_R_TYPE(relocation.r_info));
    if (!kind) return complain_constant(object, symbol);
    relocation.r_info = ELF64_R_INFO(slot, (uint64_t)kind->plain);
    memcpy(place, &relocation, sizeof relocation);
    return true;
}

static bool section_redirect(Object *object, const Elf64_Shdr *section) {
    Elf64_Shdr target;
    bool loaded = section_read(object, section->sh_info, &target) && (target.sh_flags & SHF_ALLOC);
    bool fine = true;
    for (uint64_t at = 0; fine && at + sizeof(Elf64_Rela) <= section->sh_size; at += sizeof(Elf64_Rela))
        fine = relocation_redirect(object, object->text.bytes + section->sh_offset + at, loaded);
    return fine;
}

static bool object_write(const Object *object) {
    return text_write_file(object->path, object->text.bytes, object->text.length);
}

static bool object_redirect(Object *object) {
    bool fine = object_open(object) && pairs_find(object);
    if (!fine)
        diag_add(object->diagnostics, DIAG_ERROR, object->path, 0, 0, "not an object that can be read");
    Elf64_Shdr section;
    for (unsigned i = 0; fine && section_read(object, i, &section); i++)
        if (section.sh_type == SHT_RELA) fine = section_redirect(object, &section);
    if (!fine || object_write(object)) return fine;
    diag_add(object->diagnostics, DIAG_ERROR, object->path, 0, 0, "cannot be written: %s", strerror(errno));
    return false;
}

bool managed_redirect(const char *path, Diagnostics *diagnostics) {
    Object object = {.path = path, .diagnostics = diagnostics};
    text_init(&object.text);
    bool fine = object_redirect(&object);
    text_free(&object.text);
    return fine;
}
