/* serve_symbol.c - copies to and from device variables: at the variable's address, once the bytes fit. */
#include "device/serve/modules.h"
#include "device/serve/serve.h"
#include "device/state/complain.h"
#include "device/watch/symbolcopies.h"

/** A copy to or from a device variable, whichever function asked for it. */
typedef struct SymbolCall {
    uint64_t symbol, host, bytes, offset, stream;
    int kind;
    bool to_symbol, wait;
} SymbolCall;

static CudaCode check_symbol_length(Device *device, const SymbolCall *call, const GpuAllocation *variable) {
    if (call->offset <= variable->bytes && call->bytes <= variable->bytes - call->offset) return CUDA_OK;
    CopyFacts facts = {.function = serve_function(device),
                       .bytes = call->bytes,
                       .offset = call->offset,
                       .variable = variable->variable != NULL ? variable->variable->plain_name : "",
                       .whole = variable->bytes};
    complain(device, FINDING_OUT_OF_BOUNDS,
             said_copy(COPY_SYMBOL_LENGTH_MESSAGE, COPY_SYMBOL_LENGTH_WHY, &facts));
    return CUDA_INVALID_VALUE;
}

static CudaCode check_symbol_kind(Device *device, const SymbolCall *call) {
    int usual = COPY_DEVICE_TO_HOST;
    if (call->to_symbol) usual = COPY_HOST_TO_DEVICE;
    if (call->kind == usual || call->kind == COPY_DEVICE_TO_DEVICE || call->kind == COPY_DEFAULT)
        return CUDA_OK;
    CopyFacts facts = {.function = serve_function(device)};
    complain(device, FINDING_API_MISUSE,
             said_copy(COPY_SYMBOL_DIRECTION_MESSAGE, COPY_SYMBOL_DIRECTION_WHY, &facts));
    return CUDA_INVALID_DIRECTION;
}

/** A copy to or from a variable is a copy at an address, once the variable is found and the bytes fit. */
static CudaCode symbol_copy(Device *device, const SymbolCall *call) {
    DeviceVariable *variable = serve_variable(device, call->symbol);
    if (variable == NULL) return CUDA_INVALID_SYMBOL;
    const GpuAllocation *allocation = modules_load_variable(device, variable);
    if (allocation == NULL) return CUDA_INVALID_SYMBOL;
    CudaCode error = check_symbol_kind(device, call);
    if (error == CUDA_OK) error = check_symbol_length(device, call, allocation);
    if (error != CUDA_OK || call->bytes == 0) return error;
    uint64_t inside = allocation->address + call->offset;
    ServeRows run = serve_run(inside, call->host, call->bytes);
    if (!call->to_symbol) run = serve_run(call->host, inside, call->bytes);
    const ServeHow how = {.kind = (uint64_t)call->kind, .wait = call->wait, .stream = call->stream};
    error = serve_copy_rows(device, &run, how);
    if (error == CUDA_OK && call->to_symbol)
        symbolcopies_copied(device, allocation, call->offset, call->bytes);
    return error;
}

SERVE(serve_to_symbol, cudaMemcpyToSymbolAsync) {
    const SymbolCall call = {.symbol = a->symbol,
                             .host = a->from,
                             .bytes = a->bytes,
                             .offset = a->offset,
                             .stream = a->stream,
                             .kind = (int)a->kind,
                             .to_symbol = true,
                             .wait = serve_waits(device)};
    return symbol_copy(device, &call);
}

SERVE(serve_from_symbol, cudaMemcpyFromSymbolAsync) {
    const SymbolCall call = {.symbol = a->symbol,
                             .host = a->to,
                             .bytes = a->bytes,
                             .offset = a->offset,
                             .stream = a->stream,
                             .kind = (int)a->kind,
                             .to_symbol = false,
                             .wait = serve_waits(device)};
    return symbol_copy(device, &call);
}
