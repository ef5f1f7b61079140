/* symbols.c - see symbols.h. Lines through elfutils' libdw; code bytes and names from the mapped file itself.
 */
#include "device/symbols.h"

#include "device/elements.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_SITES = 65536 };

typedef struct Site {
    uint64_t address, outer;
    bool resolved, known;
    CheckPlace place;
} Site;

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
    int file;
    uint8_t *image;
    size_t image_bytes;
    Elf *elf;
    Dwarf *dwarf;
    Site *sites; /* by number, from 1 */
    uint32_t site_count;
    KnownElement *elements;
    uint32_t *slots; /* hash table of site numbers, 2 * MAX_SITES */
};

/* ---- life ---- */

static void map_program(Symbols *symbols, const char *program) {
    struct stat status;
    symbols->file = open(program, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (symbols->file < 0 || fstat(symbols->file, &status) != 0 || !S_ISREG(status.st_mode)) return;
    if (status.st_size <= 0) return;
    void *image = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, symbols->file, 0);
    if (image == MAP_FAILED) return;
    symbols->image = image;
    symbols->image_bytes = (size_t)status.st_size;
    elf_version(EV_CURRENT);
    symbols->elf = elf_memory((char *)image, symbols->image_bytes);
    if (symbols->elf != NULL) symbols->dwarf = dwarf_begin_elf(symbols->elf, DWARF_C_READ, NULL);
}

Symbols *symbols_open(const char *program) {
    Arena *arena = arena_create();
    Symbols *symbols = arena != NULL ? ARENA_NEW(arena, Symbols) : NULL;
    if (symbols == NULL) {
        arena_destroy(arena);
        return NULL;
    }
    symbols->arena = arena;
    symbols->file = -1;
    symbols->sites = calloc(MAX_SITES, sizeof *symbols->sites);
    symbols->slots = calloc(2 * MAX_SITES, sizeof *symbols->slots);
    if (symbols->sites == NULL || symbols->slots == NULL) {
        symbols_close(symbols);
        return NULL;
    }
    if (program != NULL) map_program(symbols, program);
    return symbols;
}

void symbols_close(Symbols *symbols) {
    if (symbols == NULL) return;
    if (symbols->dwarf != NULL) dwarf_end(symbols->dwarf);
    if (symbols->elf != NULL) elf_end(symbols->elf);
    if (symbols->image != NULL) munmap(symbols->image, symbols->image_bytes);
    if (symbols->file >= 0) close(symbols->file);
    free(symbols->sites);
    free(symbols->slots);
    arena_destroy(symbols->arena);
}

/* ---- sites ---- */

uint64_t symbols_site(Symbols *symbols, uint64_t address, uint64_t outer) {
    if (address == 0) return 0;
    uint64_t hash = (address * UINT64_C(0x9E3779B97F4A7C15)) ^ (outer * UINT64_C(0xC2B2AE3D27D4EB4F));
    for (uint32_t slot = (uint32_t)(hash >> 40) % (2 * MAX_SITES);; slot = (slot + 1) % (2 * MAX_SITES)) {
        uint32_t number = symbols->slots[slot];
        if (number == 0) {
            if (symbols->site_count + 1 >= MAX_SITES) return 0;
            number = ++symbols->site_count;
            symbols->slots[slot] = number;
            symbols->sites[number] = (Site){.address = address, .outer = outer};
            return number;
        }
        const Site *site = &symbols->sites[number];
        if (site->address == address && site->outer == outer) return number;
    }
}

/* ---- lines ---- */

/** clang writes no .debug_aranges, so every unit is asked. */
static bool find_unit(Dwarf *dwarf, Dwarf_Addr address, Dwarf_Die *unit) {
    Dwarf_Off offset = 0, next;
    size_t header_bytes;
    while (dwarf_nextcu(dwarf, offset, &next, &header_bytes, NULL, NULL, NULL) == 0) {
        if (dwarf_offdie(dwarf, offset + header_bytes, unit) != NULL && dwarf_haspc(unit, address) > 0)
            return true;
        offset = next;
    }
    return false;
}

static bool is_cuda_header(const char *file) {
    static const char *const names[] = {"cuda_runtime",   "cuda_fp16",        "cooperative_groups",
                                        "host_runtime.h", "device_functions", "vector_types",
                                        "cuda.h",         "driver_functions", "crt/"};
    const char *name = strrchr(file, '/');
    name = name != NULL ? name + 1 : file;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (text_starts_with(name, names[i])) return true;
    return strstr(file, "/crt/") != NULL;
}

static bool place_by_call(Dwarf_Die *scope, Dwarf_Die *unit, CheckPlace *place) {
    Dwarf_Attribute attribute;
    Dwarf_Word line = 0, file = 0;
    Dwarf_Files *files;
    size_t count;
    if (dwarf_formudata(dwarf_attr(scope, DW_AT_call_line, &attribute), &line) != 0) return false;
    if (dwarf_formudata(dwarf_attr(scope, DW_AT_call_file, &attribute), &file) != 0) return false;
    if (dwarf_getsrcfiles(unit, &files, &count) != 0 || file >= count) return false;
    const char *name = dwarf_filesrc(files, (size_t)file, NULL, NULL);
    if (name == NULL || is_cuda_header(name)) return false;
    *place = (CheckPlace){.file = name, .line = (int)line};
    return true;
}

/** A wrapper of a header that was inlined: the line of the outermost call that is the user's. */
static bool place_of_inlined(Dwarf_Die *unit, Dwarf_Addr address, CheckPlace *place) {
    Dwarf_Die *scopes = NULL;
    int count = dwarf_getscopes(unit, address, &scopes);
    bool found = false;
    for (int i = 0; i < count && !found; i++)
        if (dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine)
            found = place_by_call(&scopes[i], unit, place);
    free(scopes);
    return found;
}

static bool find_place(Symbols *symbols, uint64_t address, CheckPlace *place) {
    Dwarf_Die unit;
    if (address == 0 || symbols->dwarf == NULL || !find_unit(symbols->dwarf, address - 1, &unit))
        return false;
    Dwarf_Line *line = dwarf_getsrc_die(&unit, address - 1);
    int number = 0, column = 0;
    if (line == NULL || dwarf_lineno(line, &number) != 0 || number == 0) return false;
    dwarf_linecol(line, &column);
    const char *file = dwarf_linesrc(line, NULL, NULL);
    if (file == NULL) return false;
    if (is_cuda_header(file)) return place_of_inlined(&unit, address - 1, place);
    *place = (CheckPlace){.file = file, .line = number, .column = column};
    return true;
}

bool symbols_place(void *self, uint64_t number, CheckPlace *place) {
    Symbols *symbols = self;
    if (number == 0 || number > symbols->site_count) return false;
    Site *site = &symbols->sites[number];
    if (!site->resolved) {
        site->resolved = true;
        site->known = find_place(symbols, site->address, &site->place) ||
                      find_place(symbols, site->outer, &site->place);
        if (site->known) site->place.file = arena_string(symbols->arena, site->place.file);
        if (site->place.file == NULL) site->known = false;
    }
    if (site->known) *place = site->place;
    return site->known;
}

/* ---- types ---- */

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
        known->known = symbols->dwarf != NULL &&
                       elements_find(symbols->dwarf, symbols->arena, kernel, parameter, &known->element);
        symbols->elements = known;
    }
    if (known->known) *element = known->element;
    return known->known;
}

/* ---- code ---- */

static const uint8_t *code_at(const Symbols *symbols, uint64_t address, size_t bytes) {
    size_t count = 0;
    if (symbols->elf == NULL || elf_getphdrnum(symbols->elf, &count) != 0) return NULL;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment;
        if (gelf_getphdr(symbols->elf, (int)i, &segment) == NULL || segment.p_type != PT_LOAD) continue;
        if (address < segment.p_vaddr || address - segment.p_vaddr >= segment.p_filesz) continue;
        uint64_t offset = segment.p_offset + (address - segment.p_vaddr);
        if (offset > symbols->image_bytes || symbols->image_bytes - offset < bytes) return NULL;
        return symbols->image + offset;
    }
    return NULL;
}

/** Instructions that come right after a call whose result is taken: eax goes somewhere or is tested. */
static bool takes_eax(const uint8_t *code) {
    unsigned rex = (code[0] & 0xF0) == 0x40 ? *code++ : 0;
    unsigned reg = (code[1] >> 3) & 7;
    bool extended = (rex & 4) != 0; /* reg is r8..r15 */
    switch (code[0]) {
    case 0x89:
        return reg == 0 && !extended; /* mov eax, anywhere */
    case 0x85:
        return code[1] == 0xC0; /* test eax, eax */
    case 0x83:
        return (code[1] & 0xC7) == 0xC0 && reg >= 1; /* cmp, add, and ... eax, imm8 */
    case 0x3D:
        return true; /* cmp eax, imm32 */
    case 0x98:
        return true; /* cltq */
    case 0x09:
    case 0x39:
    case 0x3B:
    case 0x0B:
        return true; /* or, cmp with eax most likely */
    case 0x8B:
        return (code[1] & 0xC7) == 0xC0; /* mov r, eax */
    case 0xC3:
    case 0xC9:
    case 0x5D:
        return true; /* return, leave, pop rbp: the result goes up; whether it is used there is not known */
    default:
        return false;
    }
}

/** Epilogues (add rsp; pop; ret) hand the result up too. */
static const uint8_t *skip_epilogue(const uint8_t *code) {
    if (code[0] == 0x48 && code[1] == 0x83 && code[2] == 0xC4) return code + 4;
    if (code[0] == 0x48 && code[1] == 0x81 && code[2] == 0xC4) return code + 7;
    return code;
}

bool symbols_result_is_used(Symbols *symbols, uint64_t number) {
    if (number == 0 || number > symbols->site_count) return true;
    const Site *site = &symbols->sites[number];
    uint64_t address = site->address;
    CheckPlace place;
    /* A call inside a header's wrapper returns the result: what matters is what the wrapper's caller does. */
    if (site->outer != 0 && !find_place(symbols, address, &place)) address = site->outer;
    const uint8_t *code = code_at(symbols, address, 16);
    return code == NULL || takes_eax(skip_epilogue(code));
}

/* ---- names ---- */

const char *symbols_name(Symbols *symbols, uint64_t address) {
    Elf_Scn *section = NULL;
    while (symbols->elf != NULL && (section = elf_nextscn(symbols->elf, section)) != NULL) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == NULL || header.sh_type != SHT_SYMTAB) continue;
        Elf_Data *data = elf_getdata(section, NULL);
        if (data == NULL || header.sh_entsize == 0) continue;
        for (size_t i = 0; i < header.sh_size / header.sh_entsize; i++) {
            GElf_Sym symbol;
            if (gelf_getsym(data, (int)i, &symbol) == NULL) continue;
            int type = GELF_ST_TYPE(symbol.st_info);
            if (type != STT_OBJECT && type != STT_FUNC) continue;
            if (address < symbol.st_value || address - symbol.st_value >= symbol.st_size) continue;
            return elf_strptr(symbols->elf, header.sh_link, symbol.st_name);
        }
    }
    return NULL;
}
