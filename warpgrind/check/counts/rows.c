/* rows.c - kernels that find the rows of pitched memory by their width.
 *
 * p[y * width + x] in memory of cudaMallocPitch stays inside, so nothing tells when every byte there has a
 * value: the rows only lie elsewhere than the copies with the pitch put them. What gives it away is how far
 * such a kernel comes. It goes into the padding between the first rows, and ends exactly where rows without
 * padding would end (or one element, or one row and one element, before: a stencil leaves out the border).
 */
#include "base/minmax.h"
#include "check/counts/notes.h"

/* The launch's parameters that point to pitched memory are watched. LIMIT: ROWS_WATCHED of them; more are
 * left out. */
void rows_begin(Check *check, const GpuLaunch *launch) {
    RowsSeen *seen = &check->notes->rows;
    seen->count = 0;
    const CheckOptions *options = &check->options;
    const PtxFunction *function = gpu_kernel_function(launch->spec.kernel);
    for (unsigned i = 0; options->rows && i < function->parameter_count; i++) {
        uint64_t value;
        CheckRows rows;
        const PtxVariable *parameter = &function->parameters[i];
        if (parameter->bytes != 8 || !check_parameter_value(launch, parameter, &value)) continue;
        if (!options->rows(options->rows_self, value, &rows) || seen->count == ROWS_WATCHED) continue;
        seen->arrays[seen->count++] = (RowsArray){.rows = rows, .low = UINT64_MAX};
    }
}

/* In a worker: what its blocks touch. */
void rows_begin_range(RowsSeen *seen) {
    for (unsigned i = 0; i < seen->count; i++)
        seen->arrays[i].low = UINT64_MAX, seen->arrays[i].high = 0, seen->arrays[i].padding_pc = 0;
}

/* How far the kernel goes, and the first access that lies in the padding between rows: the two together
 * give away who ignores the pitch. */
static void touch(RowsArray *array, const GpuAccess *access, unsigned lane) {
    const CheckRows *rows = &array->rows;
    uint64_t offset = access->address[lane] - rows->start;
    if (offset >= rows->pitch * rows->count) return;
    if (offset < array->low) array->low = offset;
    if (offset + access->bytes > array->high) array->high = offset + access->bytes;
    array->element = access->bytes;
    if (array->padding_pc || offset % rows->pitch < rows->width) return;
    const GpuBlock *block = gpu_warp_block(access->warp);
    array->padding_pc = access->pc;
    array->address = access->address[lane];
    array->kind = access->kind;
    array->block = gpu_block_linear(block);
    array->thread = 32 * gpu_warp_index(access->warp) + lane;
}

void rows_on_access(RowsSeen *seen, const GpuAccess *access) {
    for (unsigned i = 0; i < seen->count && access->space == PTX_SPACE_GLOBAL; i++)
        for (unsigned lane = 0; lane < GPU_WARP_LANES; lane++)
            if (access->lanes >> lane & 1) touch(&seen->arrays[i], access, lane);
}

void rows_add(RowsSeen *seen, const RowsSeen *more) {
    for (unsigned i = 0; i < seen->count && i < more->count; i++) {
        RowsArray *to = &seen->arrays[i];
        const RowsArray *from = &more->arrays[i];
        uint64_t low = MIN(from->low, to->low);
        uint64_t high = MAX(from->high, to->high);
        if (!to->padding_pc && from->padding_pc) *to = *from;
        to->low = low, to->high = high;
    }
}

static bool ends_as_without_pitch(const RowsArray *array) {
    const CheckRows *rows = &array->rows;
    uint64_t whole = rows->width * rows->count, inner = whole - rows->width, element = array->element;
    return array->low < rows->width && (array->high == whole || array->high + element == whole ||
                                        array->high == inner || array->high + element == inner);
}

/* A note and no error: a kernel may use padding on purpose. */
static void tell_rows(Check *check, const GpuLaunch *launch, const RowsArray *array) {
    uint64_t key = check_key(SEEN_NOTE + FINDING_API_MISUSE, array->padding_pc, 1);
    if (check_seen(check, key, 1)) return;
    CheckFinding finding = {.kind = FINDING_API_MISUSE, .severity = FINDING_NOTE};
    finding.party = check_party_at(check, launch, array->block, array->thread, array->padding_pc,
                                   words_access_noun(array->kind));
    finding.array = check_array_at(check, launch, PTX_SPACE_GLOBAL, array->address, NULL, array->element);
    RowsFacts facts = {.kernel = check_kernel_name(launch),
                       .array = &finding.array,
                       .count = array->rows.count,
                       .width = array->rows.width,
                       .pitch = array->rows.pitch};
    Said said = said_rows(ROWS_MESSAGE, ROWS_WHY, &facts);
    check_tell(check, &finding, key, &said);
}

void rows_end(Check *check, const GpuLaunch *launch) {
    const RowsSeen *seen = &check->notes->rows;
    for (unsigned i = 0; i < seen->count; i++)
        if (seen->arrays[i].padding_pc && ends_as_without_pitch(&seen->arrays[i]))
            tell_rows(check, launch, &seen->arrays[i]);
}
