/* debuginfo.c - see debuginfo.h. Lines through elfutils' libdw; code bytes from the mapped file itself.
 */
#include "device/image/debuginfo.h"

#include "base/headers.h"
#include "device/image/elements.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

struct DebugInfo {
    Arena *arena;
    uint8_t *image;
    size_t image_bytes;
    Elf *elf;
    Dwarf *dwarf;
};

DebugInfo *debuginfo_open(void *image, size_t bytes) {
    DebugInfo *info = calloc(1, sizeof *info);
    if (info == NULL) return NULL;
    info->arena = arena_create();
    info->image = image;
    info->image_bytes = bytes;
    elf_version(EV_CURRENT);
    info->elf = elf_memory(image, bytes);
    if (info->elf != NULL) info->dwarf = dwarf_begin_elf(info->elf, DWARF_C_READ, NULL);
    return info;
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
    if (name != NULL)
        name = name + 1;
    else
        name = file;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (text_starts_with(name, names[i])) return true;
    return strstr(file, "/crt/") != NULL;
}

/** Lines that are not the user's: those of CUDA's own headers, and of Thrust and CUB. */
static bool is_of_header(const char *file) {
    return is_cuda_header(file) || headers_of_library(file);
}

/** The line from which an inlined scope was called, unless that is in such a header as well. */
static bool place_by_call(Dwarf_Die *scope, Dwarf_Die *unit, CheckPlace *place) {
    Dwarf_Attribute attribute;
    Dwarf_Word line = 0, file = 0, column = 0;
    Dwarf_Files *files;
    size_t count;
    if (dwarf_formudata(dwarf_attr(scope, DW_AT_call_line, &attribute), &line) != 0) return false;
    if (dwarf_formudata(dwarf_attr(scope, DW_AT_call_file, &attribute), &file) != 0) return false;
    if (dwarf_getsrcfiles(unit, &files, &count) != 0 || file >= count) return false;
    const char *name = dwarf_filesrc(files, (size_t)file, NULL, NULL);
    if (name == NULL || is_of_header(name)) return false;
    (void)dwarf_formudata(dwarf_attr(scope, DW_AT_call_column, &attribute), &column);
    *place = (CheckPlace){.file = name, .line = (int)line, .column = (int)column};
    return true;
}

/** The scopes round an address, from the innermost outwards. Past an inlined function, dwarf_getscopes goes
 * on with what stands round its definition; the calls are the parents in the tree. */
static int scopes_round(Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die **scopes) {
    Dwarf_Die *defined = NULL;
    int count = dwarf_getscopes(unit, address, &defined);
    if (count > 0) count = dwarf_getscopes_die(&defined[0], scopes);
    free(defined);
    return count;
}

/** A function of a header that was inlined: the line of the innermost call that is the user's. */
static bool place_of_inlined(Dwarf_Die *unit, Dwarf_Addr address, CheckPlace *place) {
    Dwarf_Die *scopes = NULL;
    int count = scopes_round(unit, address, &scopes);
    bool found = false;
    for (int i = 0; i < count && !found; i++)
        if (dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine)
            found = place_by_call(&scopes[i], unit, place);
    free(scopes);
    return found;
}

/** A return address stands one instruction past its call, so the line is looked up one byte before it. For
 * calls that a header has inlined, the line of the user's code that they were inlined into is the one to
 * name. Where there is none, a function of Thrust or CUB has called: its line, and those further up are asked
 * next. */
bool debuginfo_place(DebugInfo *info, uint64_t address, CheckPlace *place) {
    Dwarf_Die unit;
    if (address == 0 || info->dwarf == NULL || !find_unit(info->dwarf, address - 1, &unit)) return false;
    Dwarf_Line *line = dwarf_getsrc_die(&unit, address - 1);
    int number = 0, column = 0;
    if (line == NULL || dwarf_lineno(line, &number) != 0 || number == 0) return false;
    dwarf_linecol(line, &column);
    const char *file = dwarf_linesrc(line, NULL, NULL);
    if (file == NULL) return false;
    if (is_cuda_header(file)) return place_of_inlined(&unit, address - 1, place);
    if (headers_of_library(file) && place_of_inlined(&unit, address - 1, place)) return true;
    *place = (CheckPlace){.file = file, .line = number, .column = column};
    return true;
}

static bool is_destructor(Dwarf_Die *scope) {
    Dwarf_Attribute attribute;
    const int tag = dwarf_tag(scope);
    if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine) return false;
    const char *name = dwarf_formstring(dwarf_attr_integrate(scope, DW_AT_name, &attribute));
    return name != NULL && name[0] == '~';
}

bool debuginfo_in_destructor(DebugInfo *info, uint64_t address) {
    Dwarf_Die unit, *scopes = NULL;
    if (address == 0 || info->dwarf == NULL || !find_unit(info->dwarf, address - 1, &unit)) return false;
    const int count = dwarf_getscopes(&unit, address - 1, &scopes);
    bool found = false;
    for (int i = 0; i < count && !found; i++)
        found = is_destructor(&scopes[i]);
    free(scopes);
    return found;
}

/* ---- code ---- */

/* The instructions below are x86-64's. Code of another processor is not read: what happens to a result there
 * is unknown, and nothing is said of it. */
static bool code_is_known(const DebugInfo *info) {
    GElf_Ehdr header;
    return gelf_getehdr(info->elf, &header) != NULL && header.e_machine == EM_X86_64;
}

/** The machine code as it lies in the program's file. Offsets come from a file that may be anything, so each
 * is checked against the file's size. */
static const uint8_t *code_at(const DebugInfo *info, uint64_t address, size_t bytes) {
    size_t count = 0;
    if (info->elf == NULL || !code_is_known(info) || elf_getphdrnum(info->elf, &count) != 0) return NULL;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment;
        if (gelf_getphdr(info->elf, (int)i, &segment) == NULL || segment.p_type != PT_LOAD) continue;
        if (address < segment.p_vaddr || address - segment.p_vaddr >= segment.p_filesz) continue;
        uint64_t offset = segment.p_offset + (address - segment.p_vaddr);
        if (offset > info->image_bytes || info->image_bytes - offset < bytes) return NULL;
        return info->image + offset;
    }
    return NULL;
}

/** Return, leave, pop rbp: the result goes up; whether it is used there is not known. */
static bool is_return(const uint8_t *code) {
    return code[0] == 0xC3 || code[0] == 0xC9 || code[0] == 0x5D;
}

/** The same with a register restored first (pop rbx, pop r12 to r15): a function's end as well. */
static bool is_end(const uint8_t *code) {
    bool pop_high = code[0] == 0x41 && code[1] >= 0x5C && code[1] <= 0x5F;
    return is_return(code) || pop_high || code[0] == 0x5B;
}

/** Instructions that come right after a call whose result is taken: eax goes somewhere or is tested. */
static bool takes_eax(const uint8_t *code) {
    unsigned rex = 0;
    if ((code[0] & 0xF0) == 0x40) rex = *code++;
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
    default:
        return is_return(code);
    }
}

/** Epilogues (add rsp; pop; ret) hand the result up too. */
static const uint8_t *skip_epilogue(const uint8_t *code) {
    if (code[0] == 0x48 && code[1] == 0x83 && code[2] == 0xC4) return code + 4;
    if (code[0] == 0x48 && code[1] == 0x81 && code[2] == 0xC4) return code + 7;
    return code;
}

bool debuginfo_result_is_used(DebugInfo *info, uint64_t address, uint64_t outer) {
    CheckPlace place;
    /* A call inside a header's wrapper returns the result: what matters is what the wrapper's caller does. */
    if (outer != 0 && !debuginfo_place(info, address, &place)) address = outer;
    const uint8_t *code = code_at(info, address, 16);
    return code == NULL || takes_eax(skip_epilogue(code));
}

bool debuginfo_result_is_seen(DebugInfo *info, uint64_t address, uint64_t outer) {
    CheckPlace place;
    bool wrapped = outer != 0 && !debuginfo_place(info, address, &place);
    const uint8_t *code = NULL;
    if (!wrapped) code = code_at(info, address, 16);
    if (code != NULL && !is_end(skip_epilogue(code))) return takes_eax(code);
    const uint8_t *above = NULL;
    if (outer != 0) above = code_at(info, outer, 16);
    return above == NULL || takes_eax(skip_epilogue(above));
}

/* ---- types ---- */

bool debuginfo_element(DebugInfo *info, const char *kernel, unsigned parameter, CheckElement *element) {
    if (info->dwarf == NULL || info->arena == NULL) return false;
    return elements_find(info->dwarf, info->arena, kernel, parameter, element);
}
