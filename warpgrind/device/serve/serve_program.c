/* serve_program.c - the program introduces itself: its image, device code, kernels and variables; its errors,
 * its end. */
#include "base/minmax.h"
#include "device/record/sent.h"
#include "device/serve/serve.h"
#include "device/state/complain.h"
#include "device/state/names.h"
#include "device/streams/queue.h"
#include "device/watch/hostside.h"
#include "device/watch/timing.h"

#include <string.h>

/** What the program says of its own image is used for explanations only. */
SERVE(serve_hello, HELLO) {
    device->program.greeted = true;
    if (a->version != WIRE_VERSION) return CUDA_UNKNOWN;
    device->program.load_base = a->load_base;
    device->program.image_begin = a->image_begin;
    device->program.image_end = a->image_end;
    device->program.stack_top = a->stack_top;
    if (a->toolkit >= DEVICE_OLDEST_TOOLKIT && a->toolkit <= DEVICE_NEWEST_TOOLKIT)
        device->program.toolkit = (unsigned)a->toolkit;
    r->pool_bytes = device->link.pool_bytes;
    return CUDA_OK;
}

/* ---- registration ---- */

/** The image is kept as it came; it is read when a kernel or variable of it is first used. */
CudaCode serve_keep_module(Device *device, uint64_t handle) {
    if (device->objects.module_count == DEVICE_MAX_MODULES) return CUDA_OUT_OF_MEMORY;
    Arena *arena = arena_create();
    DeviceModule *module = NULL;
    if (arena != NULL) module = ARENA_NEW(arena, DeviceModule);
    size_t bytes = (size_t)device->serving.request->payload_bytes;
    if (bytes > DEVICE_MAX_MODULE_BYTES - device->objects.module_bytes) {
        arena_destroy(arena);
        return CUDA_OUT_OF_MEMORY;
    }
    char *image = NULL;
    if (module != NULL) image = arena_copy(arena, (const char *)device->link.payload, bytes);
    if (image == NULL) {
        arena_destroy(arena);
        return CUDA_OUT_OF_MEMORY;
    }
    *module = (DeviceModule){.handle = handle,
                             .arena = arena,
                             .image = image,
                             .image_bytes = bytes,
                             .next = device->objects.modules};
    device->objects.modules = module;
    device->objects.module_count++;
    sent_module(device, image, bytes);
    device->objects.module_bytes += bytes;
    return CUDA_OK;
}

SERVE(serve_register_module, REGISTER_MODULE) {
    return serve_keep_module(device, a->module);
}

/** NULL past the bound on all names together. */
static const char *payload_text(Device *device) {
    const char *text = (const char *)device->link.payload;
    size_t length = strnlen(text, (size_t)device->serving.request->payload_bytes);
    if (length >= DEVICE_MAX_NAME_BYTES - device->objects.name_bytes) return NULL;
    device->objects.name_bytes += length + 1;
    return arena_copy(device->arena, text, length);
}

CudaCode serve_keep_kernel(Device *device, uint64_t handle, uint64_t host) {
    DeviceModule *module = objects_module(device, handle);
    if (module == NULL) return CUDA_INVALID_VALUE;
    const char *name = payload_text(device);
    DeviceKernel *kernel = DEVICE_NEW(device, DeviceKernel);
    if (kernel == NULL || name == NULL) return CUDA_OUT_OF_MEMORY;
    *kernel = (DeviceKernel){.host = host, .module = module, .name = name, .next = device->objects.kernels};
    device->objects.kernels = kernel;
    if (text_starts_with(name, "_ZN6thrust") || text_starts_with(name, "_ZN3cub"))
        device->program.has_library = true;
    return CUDA_OK;
}

SERVE(serve_register_kernel, REGISTER_KERNEL) {
    return serve_keep_kernel(device, a->module, a->kernel);
}

SERVE(serve_register_variable, REGISTER_VARIABLE) {
    DeviceModule *module = objects_module(device, a->module);
    if (module == NULL) return CUDA_INVALID_VALUE;
    const char *name = payload_text(device);
    DeviceVariable *variable = DEVICE_NEW(device, DeviceVariable);
    if (variable == NULL || name == NULL) return CUDA_OUT_OF_MEMORY;
    /* The shadow of a managed variable is a pointer, whatever the variable's size. */
    uint64_t bytes = a->managed != 0 ? sizeof(void *) : a->bytes;
    *variable = (DeviceVariable){.host = a->shadow,
                                 .bytes = bytes != 0 ? bytes : 1,
                                 .module = module,
                                 .name = name,
                                 .constant = a->constant != 0,
                                 .managed = a->managed != 0,
                                 .next = device->objects.variables};
    device->objects.variables = variable;
    return CUDA_OK;
}

/** What the host has assigned itself it may read again. */
SERVE(serve_placeholder_use, PLACEHOLDER_USE) {
    DeviceVariable *variable = objects_variable(device, a->shadow);
    if (variable == NULL || variable->managed || (variable->assigned && a->write == 0)) return CUDA_OK;
    variable->assigned |= a->write != 0;
    const PlaceholderFacts facts = {.write = a->write != 0, .name = variable->name};
    const Complaint complaint = {.kind = FINDING_API_MISUSE, .note = facts.write};
    complain_that(device, complaint, said_placeholder(PLACEHOLDER_USE_MESSAGE, PLACEHOLDER_USE_WHY, &facts));
    return CUDA_OK;
}

/** The image stays: this comes at the program's end, when pending kernels may still need it. */
SERVE(serve_unregister_module, UNREGISTER_MODULE) {
    return CUDA_OK;
}

SERVE(serve_refused, REFUSED) {
    uint32_t function;
    if (a->function < WIRE_FUNCTION_COUNT)
        function = (uint32_t)a->function;
    else
        function = (uint32_t)WIRE_REFUSED;
    const char *name = names_function(function);
    complain(device, FINDING_LIMIT,
             SAID_CALL(REFUSED, .function = name, .ipc = text_starts_with(name, "cudaIpc"),
                       .graphics = text_starts_with(name, "cudaGraphics"),
                       .import = text_starts_with(name, "cudaImportExternal"),
                       .graph = text_starts_with(name, "cudaGraph")));
    return CUDA_NOT_SUPPORTED;
}

/** What the client cannot read it does not send. */
SERVE(serve_null_argument, NULL_ARGUMENT) {
    uint32_t function;
    if (a->function < WIRE_FUNCTION_COUNT)
        function = (uint32_t)a->function;
    else
        function = (uint32_t)WIRE_NULL_ARGUMENT;
    complain(device, FINDING_API_MISUSE, SAID_CALL(NULL_ARGUMENT, .function = names_function(function)));
    return CUDA_INVALID_VALUE;
}

/* ---- errors ---- */

static void forget_unchecked(Device *device) {
    uint32_t thread = serve_thread(device);
    unsigned kept = 0;
    for (unsigned i = 0; i < device->errors.unchecked_count; i++)
        if (device->errors.unchecked[i].thread != thread)
            device->errors.unchecked[kept++] = device->errors.unchecked[i];
    device->errors.unchecked_count = kept;
}

/** One call that looks is enough: whoever knows how does it where it matters, perhaps in ways that the code
 * does not show. */
void serve_count_status(Device *device) {
    if (device->errors.looked_at || device->serving.site == 0) return;
    device->errors.looked_at = symbols_result_is_seen(device->symbols, device->serving.site);
    if (device->errors.status_calls++ == 0) device->errors.first_call = device->serving.site;
}

/** Only of a program that launched something and in which nothing failed: others have been told already. */
void serve_report_status(Device *device) {
    enum { FEWEST = 3 };
    bool faultless = check_finding_count(device->check, FINDING_ERROR) == 0;
    if (device->errors.looked_at || device->errors.status_calls < FEWEST || device->program.launches == 0 ||
        !faultless)
        return;
    complain_note_at(device, FINDING_UNCHECKED_ERROR, device->errors.first_call, NULL,
                     SAID_CALL(UNCHECKED, .count = device->errors.status_calls));
}

SERVE(serve_error_looked_at, ERROR_LOOKED_AT) {
    device->errors.looked_at = true;
    forget_unchecked(device);
    return CUDA_OK;
}

/** The program looks at the calling thread's last error: none of its calls is unchecked any longer. */
static CudaCode *look_at_error(Device *device) {
    device->errors.looked_at = true;
    forget_unchecked(device);
    return &device->errors.last[serve_thread(device)];
}

SERVE(serve_peek_last_error, cudaPeekAtLastError) {
    r->error = (uint64_t)*look_at_error(device);
    return CUDA_OK;
}

SERVE(serve_get_last_error, cudaPeekAtLastError) {
    CudaCode *last = look_at_error(device);
    r->error = (uint64_t)*last;
    *last = CUDA_OK;
    return CUDA_OK;
}

/* ---- marks, crashes, the end ---- */

/** Marks are kept until the report is written, and their bytes count against DEVICE_MAX_NAME_BYTES, so that a
 * program cannot fill the device's memory with them. */
SERVE(serve_mark, MARK) {
    size_t sent = (size_t)device->serving.request->payload_bytes;
    const char *text = (const char *)device->link.payload;
    size_t length = strnlen(text, MIN(sent, DEVICE_LONGEST_MARK));
    if (length >= DEVICE_MAX_NAME_BYTES - device->objects.name_bytes) return CUDA_OUT_OF_MEMORY;
    Text visible = text_new();
    text_add_visible(&visible, text, length);
    const char *mark = arena_keep(device->arena, &visible);
    DeviceMark *kept = ARENA_NEW(device->arena, DeviceMark);
    if (mark == NULL || kept == NULL) return CUDA_OUT_OF_MEMORY;
    *kept = (DeviceMark){mark, gpu_memory_newest(device->gpu), device->program.marks};
    device->program.marks = kept;
    device->objects.name_bytes += length + 1;
    device->program.mark = mark;
    device->program.mark_site = device->serving.site;
    check_mark(device->check, mark);
    return CUDA_OK;
}

static bool covers(uint64_t base, uint64_t pitch, const DeviceCopy *copy, uint64_t address) {
    if (address < base) return false;
    uint64_t row = 0;
    if (pitch > 0) row = (address - base) / pitch;
    return row < copy->height && address - base - row * pitch < copy->width;
}

/** The pending copy that writes the byte, or reads what the host writes. */
static const DeviceOperation *find_copy(const Device *device, uint64_t address, bool write) {
    for (const DeviceOperation *any = device->queue.first; any != NULL; any = any->next) {
        if (any->kind != OPERATION_COPY) continue;
        const DeviceCopy *copy = &any->copy;
        if (covers(copy->to, copy->to_pitch, copy, address)) return any;
        if (write && copy->staged == NULL && covers(copy->from, copy->from_pitch, copy, address)) return any;
    }
    return NULL;
}

/** Whether a copy is meant is known at once; what a pending launch uses is seen when it runs. */
SERVE(serve_early_touch, EARLY_TOUCH) {
    bool write = a->write != 0;
    if (a->last != 0 && device->queue.first != NULL) hostside_touched_too_often(device, device->serving.site);
    if (a->told == 0) return CUDA_OK;
    const DeviceOperation *copy = find_copy(device, a->address, write);
    uint64_t reached = objects_pinned_address(device, a->address);
    if (copy == NULL && device->queue.first != NULL &&
        hostside_touch(device, reached != 0 ? reached : a->address, write))
        queue_run_unattended(device);
    if (copy == NULL) return CUDA_OK;
    complain_both(device, FINDING_MISSING_SYNC, copy->site, "copy",
                  SAID_MEMORY(TOUCHED, .writes = write, .place = complain_line(device, copy->site)));
    return CUDA_OK;
}

/** One that comes while no host function runs: link_call takes the others. */
SERVE(serve_call_within, CALL_WITHIN) {
    hostside_called_within(device, (uint32_t)a->called, device->serving.site);
    return CUDA_OK;
}

SERVE(serve_clock_read, CLOCK_READ) {
    timing_clock_read(device);
    return CUDA_OK;
}

/** One that the device did not wait for: link_ask takes those that it does. */
SERVE(serve_continue, CONTINUE) {
    return CUDA_NOT_SUPPORTED;
}

SERVE(serve_goodbye, GOODBYE) {
    device->program.goodbye = true;
    device->program.exit_status = (int64_t)a->status;
    return CUDA_OK;
}
