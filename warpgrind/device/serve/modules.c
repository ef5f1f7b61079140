/* modules.c - see modules.h. */
#include "device/serve/modules.h"
#include "device/image/fatbin.h"
#include "device/record/sent.h"
#include "device/state/complain.h"

/** Files the first error of the diagnostics; `message` says what the software GPU could not do with the code.
 */
static void say_first(Device *device, const Diagnostics *diagnostics, CodeText message, CodeText why) {
    const Diagnostic *first = diagnostics->first;
    while (first != NULL && first->level != DIAG_ERROR)
        first = first->next;
    CodeFacts facts = {0};
    if (first != NULL) facts = (CodeFacts){.error = first->message, .source_line = first->source_line};
    complain(device, FINDING_LIMIT, said_code(message, why, &facts));
}

/** Device code runs on cards that are as new as its target, or newer. */
static CudaCode refuse_target(Device *device, unsigned target) {
    const CardCapability *capability = device->card->capability;
    complain(device, FINDING_LIMIT,
             SAID_CODE(TOO_NEW, .major = target / 10, .minor = target % 10, .card = device->card->name,
                       .card_major = capability->major, .card_minor = capability->minor,
                       .cards = cards_names()));
    return CUDA_NO_KERNEL_IMAGE;
}

/** Finds the PTX for this card in the image. When there is none the finding says what is there instead:
 * machine code, or code for newer cards. */
static CudaCode read_image(Device *device, DeviceModule *module, const void *bytes, FatbinImage *image,
                           Diagnostics *diagnostics) {
    if (!fatbin_find_ptx(image, module->arena, bytes, module->image_bytes, cards_target(device->card),
                         diagnostics)) {
        say_first(device, diagnostics, CODE_UNREADABLE_MESSAGE, CODE_NOT_UNDERSTOOD_WHY);
        return CUDA_INVALID_PTX;
    }
    if (image->text_count > 0) return CUDA_OK;
    if (image->too_new != 0) return refuse_target(device, image->too_new);
    complain(device, FINDING_LIMIT,
             SAID_CODE(NO_PTX, .machine = image->only_machine_code ? image->architectures : NULL));
    return CUDA_NO_KERNEL_IMAGE;
}

/** A debugger and a picture need to know of types, too. */
static PtxModule *link_texts(const Device *device, Arena *arena, const FatbinImage *image,
                             Diagnostics *diagnostics) {
    PtxText *texts = ARENA_ARRAY(arena, image->text_count, PtxText);
    for (size_t i = 0; texts != NULL && i < image->text_count; i++)
        texts[i] = (PtxText){image->texts[i].bytes, image->texts[i].length};
    if (texts == NULL) return NULL;
    if (device->debug != NULL || device->picture != NULL)
        return ptx_link_typed(arena, "device code", texts, image->text_count, diagnostics);
    return ptx_link(arena, "device code", texts, image->text_count, diagnostics);
}

/** Parses and verifies the PTX of a module; each way to fail has its own finding and error. */
static CudaCode load(Device *device, DeviceModule *module, const void *bytes) {
    Diagnostics diagnostics;
    diag_init(&diagnostics, module->arena);
    FatbinImage image;
    CudaCode error = read_image(device, module, bytes, &image, &diagnostics);
    if (error != CUDA_OK) return error;
    PtxModule *ptx = link_texts(device, module->arena, &image, &diagnostics);
    module->ptx = ptx;
    if (ptx != NULL && module->by_hand) ptx->lines_by_program = true;
    if (ptx == NULL) {
        say_first(device, &diagnostics, CODE_NOT_RUN_MESSAGE, CODE_NOT_UNDERSTOOD_WHY);
        return CUDA_UNSUPPORTED_PTX;
    }
    if (module->ptx->target > cards_target(device->card)) return refuse_target(device, module->ptx->target);
    return CUDA_OK;
}

/** LIMIT: a __managed__ variable is one variable a device here, and the host sees the first. */
static CudaCode place(Device *device, DeviceModule *module, unsigned number) {
    Diagnostics diagnostics;
    diag_init(&diagnostics, module->arena);
    module->gpu[number] = gpu_module_load(device->gpu, module->ptx, &diagnostics);
    sent_module_on_device(device, number);
    if (module->gpu[number] != NULL) return CUDA_OK;
    say_first(device, &diagnostics, CODE_NOT_PLACED_MESSAGE, CODE_NOT_PLACED_WHY);
    return CUDA_UNSUPPORTED_PTX;
}

CudaCode modules_load(Device *device, DeviceModule *module) {
    if (!module->tried) module->error = load(device, module, module->image);
    module->tried = true;
    unsigned number = devices_current(device);
    if (module->error == CUDA_OK && module->gpu[number] == NULL)
        module->error = place(device, module, number);
    return module->error;
}

CudaCode modules_load_kernel(Device *device, DeviceKernel *kernel) {
    CudaCode error = modules_load(device, kernel->module);
    if (error != CUDA_OK) return error;
    kernel->gpu = gpu_kernel_find(kernel->module->gpu[devices_current(device)], kernel->name);
    if (kernel->gpu == NULL) return CUDA_INVALID_FUNCTION;
    Diagnostics diagnostics;
    diag_init(&diagnostics, kernel->module->arena);
    if (gpu_kernel_prepare(kernel->gpu, &diagnostics)) return CUDA_OK;
    say_first(device, &diagnostics, CODE_KERNEL_MESSAGE, CODE_KERNEL_WHY);
    return CUDA_UNSUPPORTED_PTX;
}

const GpuAllocation *modules_load_variable(Device *device, DeviceVariable *variable) {
    if (modules_load(device, variable->module) != CUDA_OK) return NULL;
    return gpu_variable_find(variable->module->gpu[devices_current(device)], variable->name);
}
