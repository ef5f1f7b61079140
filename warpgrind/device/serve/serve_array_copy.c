/* serve_array_copy.c - copies to, from and between CUDA arrays.
 *
 * Here array and offsets become an address and a pitch, and are held against the array's size; the copy
 * itself is then an ordinary copy of rows.
 */
#include "device/serve/array.h"
#include "device/serve/serve.h"
#include "device/state/complain.h"

#include <string.h>

/** A box in an array; x and width in bytes. */
typedef struct Box {
    uint64_t x, y, z, width, height, depth;
} Box;

static bool part_fits(uint64_t start, uint64_t length, uint64_t whole) {
    return start <= whole && length <= whole - start;
}

/** Whether the box lies inside of the array. */
static CudaCode check_box(Device *device, const DeviceArray *array, const Box *box) {
    bool rows = part_fits(box->y, box->height, array_rows(array));
    bool slices = part_fits(box->z, box->depth, array_slices(array));
    if (rows && slices && part_fits(box->x, box->width, array_pitch(array))) return CUDA_OK;
    complain_both(device, FINDING_OUT_OF_BOUNDS, array->site, "allocated",
                  SAID_ARRAY(BOX, .function = serve_function(device), .width = box->width,
                             .height = box->height, .x = box->x, .y = box->y, .pitch = array_pitch(array),
                             .rows = array_rows(array)));
    return CUDA_INVALID_VALUE;
}

/** The address of a box's first byte; 0 after saying why it does not fit. */
static uint64_t place(Device *device, uint64_t handle, const Box *box, uint64_t *pitch) {
    const DeviceArray *array = array_need(device, handle);
    if (array == NULL || check_box(device, array, box) != CUDA_OK) return 0;
    *pitch = array_pitch(array);
    return array->address + (box->z * array_rows(array) + box->y) * *pitch + box->x;
}

/* ---- rows ---- */

SERVE(serve_rows_to_array, cudaMemcpy2DToArrayAsync) {
    const Box box = {a->x, a->y, 0, a->width, a->height, 1};
    uint64_t pitch, to = place(device, a->array, &box, &pitch);
    if (to == 0) return CUDA_INVALID_VALUE;
    const ServeRows rows = {to, pitch, a->from, a->pitch, a->width, a->height};
    return serve_copy_rows(device, &rows,
                           (ServeHow){.kind = a->kind, .stream = a->stream, .wait = serve_waits(device)});
}

SERVE(serve_rows_from_array, cudaMemcpy2DFromArrayAsync) {
    const Box box = {a->x, a->y, 0, a->width, a->height, 1};
    uint64_t pitch, from = place(device, a->array, &box, &pitch);
    if (from == 0) return CUDA_INVALID_VALUE;
    const ServeRows rows = {a->to, a->pitch, from, pitch, a->width, a->height};
    return serve_copy_rows(device, &rows,
                           (ServeHow){.kind = a->kind, .stream = a->stream, .wait = serve_waits(device)});
}

SERVE(serve_rows_between_arrays, cudaMemcpy2DArrayToArray) {
    uint64_t to_pitch, from_pitch;
    const Box box_to = {a->to_x, a->to_y, 0, a->width, a->height, 1};
    uint64_t to = place(device, a->to, &box_to, &to_pitch);
    if (to == 0) return CUDA_INVALID_VALUE;
    const Box box_from = {a->from_x, a->from_y, 0, a->width, a->height, 1};
    uint64_t from = place(device, a->from, &box_from, &from_pitch);
    if (from == 0) return CUDA_INVALID_VALUE;
    const ServeRows rows = {to, to_pitch, from, from_pitch, a->width, a->height};
    return serve_copy_rows(device, &rows, (ServeHow){.kind = COPY_DEVICE_TO_DEVICE, .wait = true});
}

/* ---- bytes in a row, on to the next one ---- */

/** As place, for `bytes` bytes that may go on over the rows' ends. */
static uint64_t place_run(Device *device, uint64_t handle, uint64_t x, uint64_t y, uint64_t bytes) {
    const DeviceArray *array = array_need(device, handle);
    if (array == NULL) return 0;
    uint64_t pitch = array_pitch(array), whole = pitch * array_rows(array);
    bool starts = x <= pitch && y < array_rows(array);
    if (starts && part_fits(y * pitch + x, bytes, whole)) return array->address + y * pitch + x;
    complain_both(
        device, FINDING_OUT_OF_BOUNDS, array->site, "allocated",
        SAID_ARRAY(RUN, .function = serve_function(device), .bytes = bytes, .x = x, .y = y, .pitch = whole));
    return 0;
}

SERVE(serve_to_array, cudaMemcpyToArrayAsync) {
    uint64_t to = place_run(device, a->array, a->x, a->y, a->bytes);
    if (to == 0) return CUDA_INVALID_VALUE;
    const ServeRows run = serve_run(to, a->from, a->bytes);
    return serve_copy_rows(device, &run,
                           (ServeHow){.kind = a->kind, .stream = a->stream, .wait = serve_waits(device)});
}

SERVE(serve_from_array, cudaMemcpyFromArrayAsync) {
    uint64_t from = place_run(device, a->array, a->x, a->y, a->bytes);
    if (from == 0) return CUDA_INVALID_VALUE;
    const ServeRows run = serve_run(a->to, from, a->bytes);
    return serve_copy_rows(device, &run,
                           (ServeHow){.kind = a->kind, .stream = a->stream, .wait = serve_waits(device)});
}

SERVE(serve_between_arrays, cudaMemcpyArrayToArray) {
    uint64_t to = place_run(device, a->to, a->to_x, a->to_y, a->bytes);
    uint64_t from = 0;
    if (to != 0) from = place_run(device, a->from, a->from_x, a->from_y, a->bytes);
    if (from == 0) return CUDA_INVALID_VALUE;
    const ServeRows run = serve_run(to, from, a->bytes);
    return serve_copy_rows(device, &run, (ServeHow){.kind = COPY_DEVICE_TO_DEVICE, .wait = true});
}

/* ---- boxes: cudaMemcpy3D ---- */

enum { MAX_SLICES = 1 << 20 };

/** One side of a copy of a box: where it begins, and how far rows and slices are apart. */
typedef struct Side {
    uint64_t start, pitch, slice;
} Side;

static uint64_t box_width(const Device *device, const WireCopy3D *copy) {
    const DeviceArray *to = array_find(device, copy->to.array);
    const DeviceArray *from = array_find(device, copy->from.array);
    const DeviceArray *array = from;
    if (to != NULL) array = to;
    uint64_t bytes;
    if (array == NULL) return copy->width;
    if (__builtin_mul_overflow(copy->width, array->element_bytes, &bytes)) return UINT64_MAX;
    return bytes;
}

/** One side of a box: of an array, whose x and width count elements, or of linear memory, where they count
 * bytes. */
static bool find_side(Device *device, const WireSide *side, const WireCopy3D *copy, uint64_t width,
                      Side *found) {
    if (side->array == 0) {
        found->pitch = side->pitch;
        found->slice = side->pitch * side->rows;
        found->start = side->pointer + side->z * found->slice + side->y * side->pitch + side->x;
        return true;
    }
    const DeviceArray *array = array_need(device, side->array);
    if (array == NULL) return false;
    uint64_t x;
    if (__builtin_mul_overflow(side->x, array->element_bytes, &x)) x = UINT64_MAX;
    const Box box = {x, side->y, side->z, width, copy->height, copy->depth};
    found->start = place(device, side->array, &box, &found->pitch);
    found->slice = array_rows(array) * found->pitch;
    return found->start != 0;
}

static bool is_one_run(const Side *side, uint64_t height) {
    return side->slice == side->pitch * height;
}

/** A box is copied slice by slice; slices without a gap between them on either side are one run of rows. */
SERVE(serve_copy_3d, cudaMemcpy3DAsync) {
    WireCopy3D copy;
    memcpy(&copy, device->link.payload, sizeof copy);
    Side to, from;
    uint64_t width = box_width(device, &copy);
    if (width == 0 || copy.height == 0 || copy.depth == 0) return CUDA_OK;
    if (copy.depth > MAX_SLICES || copy.height > MAX_SLICES) return CUDA_INVALID_VALUE;
    if (!find_side(device, &copy.to, &copy, width, &to) ||
        !find_side(device, &copy.from, &copy, width, &from))
        return CUDA_INVALID_VALUE;
    if (is_one_run(&to, copy.height) && is_one_run(&from, copy.height)) {
        copy.height *= copy.depth;
        copy.depth = 1;
    }
    const ServeHow how = {.kind = copy.kind, .stream = copy.stream, .wait = serve_waits(device)};
    for (uint64_t z = 0; z < copy.depth; z++) {
        const ServeRows slice = {.to = to.start + z * to.slice,
                                 .to_pitch = to.pitch,
                                 .from = from.start + z * from.slice,
                                 .from_pitch = from.pitch,
                                 .width = width,
                                 .height = copy.height};
        CudaCode error = serve_copy_rows(device, &slice, how);
        if (error != CUDA_OK) return error;
    }
    return CUDA_OK;
}
