/* arrays.c - gives memory the name it has in the source: a kernel's parameter that points there, or a
 * variable.
 *
 * The machine knows allocations; the learner knows "x", the parameter. The parameter whose value is the
 * nearest one below the address inside the same allocation is taken, so that two parameters into one
 * allocation keep their own indices.
 */
#include "base/minmax.h"
#include "check/findings/parts.h"

#include <string.h>

enum { MAX_REGIONS = 128 };

bool check_parameter_value(const GpuLaunch *launch, const PtxVariable *parameter, uint64_t *value) {
    const bool real = parameter->type == PTX_F32 || parameter->type == PTX_F64;
    if (real || parameter->bytes == 0 || parameter->bytes > 8 || !launch->spec.parameters) return false;
    *value = 0;
    memcpy(value, (const uint8_t *)launch->spec.parameters + parameter->offset, parameter->bytes);
    return true;
}

const PtxVariable *check_parameter_count(const GpuLaunch *launch, uint64_t wanted) {
    const PtxFunction *function = gpu_kernel_function(launch->spec.kernel);
    for (unsigned i = 0; i < function->parameter_count; i++) {
        const PtxVariable *parameter = &function->parameters[i];
        uint64_t value;
        if (parameter->bytes == 4 && check_parameter_value(launch, parameter, &value) && value == wanted)
            return parameter;
    }
    return NULL;
}

/* A structure passed by value may hold pointers too: each 8-byte word of a parameter is tried. */
static void try_parameter(const GpuLaunch *launch, const PtxVariable *parameter, uint64_t address,
                          uint64_t span, const PtxVariable **best, uint64_t *best_value) {
    for (size_t at = 0; at + 8 <= parameter->bytes; at += 8) {
        uint64_t value;
        memcpy(&value, (const uint8_t *)launch->spec.parameters + parameter->offset + at, 8);
        if (value > address || address - value > span) continue;
        if (*best && value <= *best_value) continue;
        *best = parameter;
        *best_value = value;
    }
}

const PtxVariable *check_parameter_pointing(const GpuLaunch *launch, uint64_t address, uint64_t span,
                                            uint64_t *value) {
    const PtxVariable *best = NULL;
    if (!launch || !launch->spec.parameters) return NULL;
    const PtxFunction *function = gpu_kernel_function(launch->spec.kernel);
    for (unsigned i = 0; i < function->parameter_count; i++)
        try_parameter(launch, &function->parameters[i], address, span, &best, value);
    return best;
}

unsigned check_parameters_into(const GpuLaunch *launch, const GpuAllocation *allocation) {
    unsigned count = 0;
    const PtxFunction *function = gpu_kernel_function(launch->spec.kernel);
    const uint64_t last = allocation->address + allocation->bytes - 1;
    for (unsigned i = 0; launch->spec.parameters && i < function->parameter_count; i++) {
        const PtxVariable *found = NULL;
        uint64_t value = 0;
        try_parameter(launch, &function->parameters[i], last, allocation->bytes - 1, &found, &value);
        count += found != NULL;
    }
    return count;
}

static unsigned element_size(unsigned declared, unsigned access_bytes) {
    if (declared) return declared;
    if (access_bytes) return access_bytes;
    return 1;
}

/* Rounds down, also below zero: byte -4 of floats is element -1, byte -1 too. */
static int64_t element_index(int64_t bytes, unsigned element) {
    int64_t size = (int64_t)element;
    if (bytes >= 0) return bytes / size;
    return -((-bytes + size - 1) / size);
}

/* The parameter that points into the allocation, nearest below the address, or nearest above when all are
 * above. */
static const PtxVariable *parameter_into(const GpuLaunch *launch, const GpuAllocation *allocation,
                                         uint64_t address, uint64_t *value) {
    uint64_t end = allocation->address + allocation->bytes;
    uint64_t from = MIN(end, address);
    if (from < allocation->address) from = allocation->address;
    const PtxVariable *found = check_parameter_pointing(launch, from, from - allocation->address, value);
    if (found) return found;
    return check_parameter_pointing(launch, end, allocation->bytes, value);
}

/* The pointer in a structure that has this value. */
static const PtxPointer *pointer_with(const GpuLaunch *launch, const PtxVariable *parameter, uint64_t value) {
    for (unsigned i = 0; launch && i < parameter->pointer_count; i++) {
        const PtxPointer *pointer = &parameter->pointers[i];
        uint64_t there = 0;
        if (pointer->at + sizeof there > parameter->bytes) continue;
        memcpy(&there, (const uint8_t *)launch->spec.parameters + parameter->offset + pointer->at,
               sizeof there);
        if (there == value) return pointer;
    }
    return NULL;
}

static bool same_layout(const PtxLayout *a, const PtxLayout *b) {
    return a->bytes == b->bytes && !a->member == !b->member &&
           (!a->member || memcmp(a->member, b->member, a->bytes) == 0);
}

/* Programs have few layouts, and many launches with each. */
static const PtxLayout *keep_layout(Check *check, const PtxLayout *layout) {
    if (!layout) return NULL;
    for (const KeptLayout *kept = check->layouts; kept; kept = kept->next)
        if (same_layout(&kept->layout, layout)) return &kept->layout;
    KeptLayout *made = ARENA_NEW(check->arena, KeptLayout);
    uint8_t *member = NULL;
    if (made && layout->member) member = arena_alloc(check->arena, layout->bytes);
    if (!made) return NULL;
    if (member) memcpy(member, layout->member, layout->bytes);
    *made = (KeptLayout){{.bytes = layout->bytes, .member = member}, check->layouts};
    check->layouts = made;
    return &made->layout;
}

/* A kernel that copies bytes about does not change what they are: the structure is remembered. */
static void remember_name(Check *check, const PtxFunction *function, unsigned parameter, uint64_t value,
                          const GpuAllocation *allocation) {
    const PtxVariable *variable = &function->parameters[parameter];
    KnownName *known = &check->names[allocation->id % CHECK_KNOWN_NAMES];
    const PtxLayout *layout = keep_layout(check, variable->layout);
    const char *name = check_intern(check, variable->plain_name);
    bool again = known->allocation == allocation->id;
    const char *earlier = NULL;
    if (again) earlier = known->earlier;
    if (again && known->name && !text_same(known->name, name)) earlier = known->name;
    if (!layout && again) layout = known->layout;
    *known = (KnownName){.allocation = allocation->id,
                         .element_bytes = variable->element_bytes,
                         .value = value,
                         .nature = variable->nature,
                         .name = name,
                         .earlier = earlier,
                         .layout = layout,
                         .kernel = check_intern(check, function->name),
                         .plain_kernel = check_intern(check, function->plain_name),
                         .parameter = parameter};
}

/* The host side knows no names: an allocation keeps those of the last kernel parameter that pointed to it. */
void check_remember_names(Check *check, const GpuLaunch *launch) {
    const PtxFunction *function = gpu_kernel_function(launch->spec.kernel);
    for (unsigned i = 0; i < function->parameter_count; i++) {
        uint64_t value;
        const PtxVariable *parameter = &function->parameters[i];
        if (parameter->bytes != 8 || !check_parameter_value(launch, parameter, &value)) continue;
        const GpuAllocation *allocation = gpu_memory_find(check->gpu, value);
        if (!allocation || allocation->variable) continue;
        remember_name(check, function, i, value, allocation);
    }
}

static const KnownName *known_name(const Check *check, const GpuAllocation *allocation) {
    const KnownName *known = &check->names[allocation->id % CHECK_KNOWN_NAMES];
    if (known->allocation == allocation->id) return known;
    return NULL;
}

/* Where an element begins in the copy, as one does in the source. */
static uint64_t start_of_copy(const KnownName *known, uint64_t to, uint64_t from) {
    uint64_t size;
    if (known->layout)
        size = known->layout->bytes;
    else
        size = known->element_bytes;
    if (known->value >= from) return to + (known->value - from);
    uint64_t within = 0;
    if (size > 0) within = (from - known->value) % size;
    if (within > 0) return to + size - within;
    return to;
}

/* What no kernel had so far holds what the source of the copy holds, by no name. */
void check_remember_copy(Check *check, uint64_t to, uint64_t from) {
    const GpuAllocation *target = gpu_memory_find(check->gpu, to);
    const GpuAllocation *source = gpu_memory_find(check->gpu, from);
    if (!target || !source || target->variable || source->variable) return;
    const KnownName *known = known_name(check, source);
    if (!known || known_name(check, target)) return;
    KnownName copied = *known;
    copied.allocation = target->id;
    copied.value = start_of_copy(known, to, from);
    copied.name = copied.earlier = copied.plain_kernel = NULL;
    check->names[target->id % CHECK_KNOWN_NAMES] = copied;
}

/* Without debug information, a variable's own type tells; a pointer parameter's is that of the pointer. */
static PtxNature nature_of_type(const PtxVariable *variable) {
    if (variable->space == PTX_SPACE_PARAM) return PTX_NATURE_UNKNOWN;
    PtxType type = variable->type;
    if (type == PTX_F32 || type == PTX_F64) return PTX_NATURE_FLOAT;
    bool integer = type == PTX_S32 || type == PTX_U32 || type == PTX_S64 || type == PTX_U64;
    if (integer) return PTX_NATURE_INTEGER;
    return PTX_NATURE_UNKNOWN;
}

CheckElement check_element_of(const PtxVariable *variable) {
    CheckElement element = {
        .bytes = variable->element_bytes, .layout = variable->layout, .nature = variable->nature};
    if (element.nature || element.layout) return element;
    element.nature = nature_of_type(variable);
    if (element.nature && !element.bytes) element.bytes = ptx_type_bytes(variable->type);
    return element;
}

/* What is known best comes first: the variable's own declaration, then the structure or the scalar that a
 * kernel's parameter pointed to, then the program's debug information. Without any of these only the
 * mangled name says whether the elements are of a built-in type. */
CheckElement check_element(Check *check, const GpuAllocation *allocation, uint64_t *start) {
    CheckElement element = {0};
    const PtxVariable *variable = allocation->variable;
    const KnownName *known = NULL;
    if (!variable) known = known_name(check, allocation);
    *start = allocation->address;
    if (variable) return check_element_of(variable);
    if (!known) return element;
    *start = known->value;
    if (known->layout) return (CheckElement){.bytes = known->layout->bytes, .layout = known->layout};
    if (known->element_bytes) return (CheckElement){.bytes = known->element_bytes, .nature = known->nature};
    const CheckOptions *options = &check->options;
    if (options->host_element &&
        options->host_element(options->host_place_self, known->kernel, known->parameter, &element))
        return element;
    return (CheckElement){.unpadded = ptx_has_built_in_types(known->kernel)};
}

/* Whether a kernel had other memory, which is still there, by the same name. */
static bool is_shared_name(const Check *check, const KnownName *mine) {
    for (size_t i = 0; i < CHECK_KNOWN_NAMES; i++) {
        const KnownName *other = &check->names[i];
        if (!other->name || other == mine) continue;
        if (!text_same(other->name, mine->name) && !text_same(other->earlier, mine->name)) continue;
        const GpuAllocation *allocation = gpu_memory_find(check->gpu, other->value);
        if (allocation && allocation->id == other->allocation) return true;
    }
    return false;
}

/* A name that stands for one array only; the host's own names are not known. */
static void name_from_memory(const Check *check, const GpuAllocation *allocation, CheckArray *array,
                             unsigned *declared, uint64_t *start) {
    const KnownName *known = known_name(check, allocation);
    if (!known) return;
    if (known->name && !known->earlier && !is_shared_name(check, known)) array->name = known->name;
    array->given_to = known->plain_kernel;
    *declared = known->element_bytes;
    *start = known->value;
}

/* A learner knows an array by the kernel's parameter, not by the allocation: a parameter that points into
 * the memory gives the name and the index 0. Between launches nothing is bound to parameters, so the name
 * that a kernel used last stands in. */
CheckArray check_array_global(Check *check, const GpuLaunch *launch, const GpuAllocation *allocation,
                              uint64_t address, unsigned access_bytes) {
    CheckArray array = {0};
    if (!allocation) return array;
    bool constant = allocation->kind == GPU_ALLOC_CONST_VARIABLE;
    uint64_t start = allocation->address;
    unsigned declared = 0;
    const PtxVariable *named = allocation->variable;
    if (!named) {
        named = parameter_into(launch, allocation, address, &start);
        if (!named) start = allocation->address;
        if (!named && !launch) name_from_memory(check, allocation, &array, &declared, &start);
    }
    if (named) {
        array.name = named->plain_name;
        declared = named->element_bytes;
        if (allocation->variable && !declared) declared = ptx_type_bytes(named->type);
        const PtxPointer *pointer = pointer_with(launch, named, start);
        if (pointer) {
            array.name = pointer->name;
            declared = pointer->element_bytes;
        }
    }
    if (constant)
        array.space = "constant";
    else
        array.space = "global";
    array.element_bytes = element_size(declared, access_bytes);
    array.guessed = declared == 0;
    array.index = element_index((int64_t)(address - start), array.element_bytes);
    array.length = (allocation->address + allocation->bytes - start) / array.element_bytes;
    array.declared = check_place_of_allocation(check, allocation);
    return array;
}

static uint64_t region_distance(const GpuSharedRegion *region, uint64_t offset) {
    uint64_t end = (uint64_t)region->offset + region->bytes;
    if (offset < region->offset) return region->offset - offset;
    if (offset < end) return 0;
    return offset - end + 1;
}

/* The variable that contains the offset, or the closest one: an index that is too large by one lies between
 * two. */
static CheckArray array_shared(Check *check, const GpuLaunch *launch, uint64_t offset,
                               unsigned access_bytes) {
    CheckArray array = {.space = "shared"};
    GpuSharedRegion regions[MAX_REGIONS];
    unsigned count =
        gpu_kernel_shared_regions(launch->spec.kernel, launch->spec.dynamic_shared, regions, MAX_REGIONS);
    if (count > MAX_REGIONS) count = MAX_REGIONS;
    const GpuSharedRegion *best = NULL;
    for (unsigned i = 0; i < count; i++)
        if (!best || region_distance(&regions[i], offset) < region_distance(best, offset)) best = &regions[i];
    array.element_bytes = element_size(0, access_bytes);
    if (!best) {
        array.index = (int64_t)(offset / array.element_bytes);
        return array;
    }
    array.dynamic = best->dynamic;
    if (best->variable && best->variable->layout) array.of_library = best->variable->layout->of_library;
    if (best->variable) {
        array.name = best->variable->plain_name;
        unsigned declared = best->variable->element_bytes;
        array.element_bytes =
            element_size(declared ? declared : ptx_type_bytes(best->variable->type), access_bytes);
        array.declared = check_place_of_declaration(check, best->variable);
    }
    /* Clang gives extern arrays and structures as bytes: then the size of the access says more. */
    if (array.element_bytes == 1 && access_bytes > 1) array.element_bytes = access_bytes;
    array.index = element_index((int64_t)offset - (int64_t)best->offset, array.element_bytes);
    array.length = best->bytes / array.element_bytes;
    return array;
}

CheckArray check_array_at(Check *check, const GpuLaunch *launch, PtxSpace space, uint64_t address,
                          const GpuAllocation *allocation, unsigned access_bytes) {
    if (space == PTX_SPACE_SHARED) return array_shared(check, launch, address, access_bytes);
    if (space == PTX_SPACE_LOCAL) return (CheckArray){.space = "local", .element_bytes = access_bytes};
    if (!allocation) allocation = gpu_memory_find(check->gpu, address);
    return check_array_global(check, launch, allocation, address, access_bytes);
}
