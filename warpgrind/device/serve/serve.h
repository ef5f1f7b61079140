/* serve.h - the handlers of requests: one for each row of api.def, in the files serve_*.c. */
#pragma once

#include "device/state/state.h"
#include "device/texts.h"

/** A handler, SERVE(serve_malloc, cudaMalloc) { ... }: serves requests of the device with the arguments `a`
 * and fills in the results `r`, which are zero before. Both are structs with the fields of the function's row
 * in api.def. It returns the call's error, which it has explained already. */
#define SERVE(handler, function)                                                                             \
    CudaCode handler(Device *device __attribute__((unused)),                                                 \
                     const Arguments_##function *a __attribute__((unused)),                                  \
                     Results_##function *r __attribute__((unused)))

#define WIRE_MESSAGE(name, arguments, results, payload, handler, ...) SERVE(handler, name);
#define WIRE_ONE_WAY(name, arguments, payload, handler, ...) SERVE(handler, name);
#define API_FUNCTION(name, arguments, results, payload, handler, ...) SERVE(handler, name);
#define API_LIKE(name, like, arguments, results, payload, handler, ...) SERVE(handler, like);
#include "cudart/api.def"

/* ---- what the files need of each other, by file ---- */

/* serve_call.c */
/** The name of the function that is being served. */
const char *serve_function(const Device *device);
/** The function is none of those whose names end in Async: it returns when its work is done. */
bool serve_waits(const Device *device);
/** The calling host thread's place in tables with one for each. */
unsigned serve_thread(const Device *device);
/** The bytes go out as the payload of the reply. They must last until it has been sent. */
CudaCode serve_reply_with(Device *device, const void *bytes, size_t count);

/* serve_memory.c */
/** The place where the result of that name goes is null, which is said and is an invalid value. */
CudaCode serve_refuse_null(Device *device, const char *what);
/** Only managed memory can be advised about: says what else the address is. */
CudaCode serve_check_managed(Device *device, uint64_t address);
DeviceVariable *serve_variable(Device *device, uint64_t symbol);
/** An allocation, and a free, in a stream's order. */
CudaCode serve_allocate_in(Device *device, uint64_t stream, uint64_t bytes, uint64_t *address);
CudaCode serve_free_in(Device *device, uint64_t stream, uint64_t address);

/** Says that a length is a negative number, where it is. */
CudaCode serve_no_memory(Device *device, uint64_t bytes);

/* serve_shared.c */
/** The pages become the machine's own again; how many bytes the program has to unmap. */
CudaCode serve_free_shared(Device *device, DeviceShared *shared, uint64_t *mapped);
/** The address is the start of managed memory, or of pinned memory, which the program can free. */
bool serve_is_start_of(const DeviceShared *shared, uint64_t address, bool managed);

/* serve_copy.c */
/** Rows of bytes to copy; a run of bytes is one row. */
typedef struct ServeRows {
    uint64_t to, to_pitch, from, from_pitch, width, height;
} ServeRows;
/** How they are to be copied. */
typedef struct ServeHow {
    uint64_t stream;
    uint64_t kind; /**< as given */
    bool wait;     /**< the call returns when the copy is done */
    bool library;  /**< libcurand.so has made the bytes, so that no advice about copies fits */
} ServeHow;
ServeRows serve_run(uint64_t to, uint64_t from, uint64_t bytes);
/** Says what is wrong with the copy, or queues it, or does it. */
CudaCode serve_copy_rows(Device *device, const ServeRows *rows, ServeHow how);
/** Rows of bytes to set, to a value of `element` bytes. */
typedef struct ServeSet {
    uint64_t address, pitch, width, height, stream, value, element;
    bool wait; /**< the call is none of the Async ones */
} ServeSet;
/** As cudaMemset does, with elements of 1, 2 or 4 bytes. */
CudaCode serve_set_elements(Device *device, const ServeSet *call);

/* serve_launch.c */
/** The kernel that the host's function stands for; NULL with an error that has been told. */
DeviceKernel *serve_kernel(Device *device, uint64_t host, CudaCode *error);
/** A launch, with the kernel's parameters as one block. */
typedef struct ServeLaunch {
    uint64_t kernel, shared, stream;
    const uint64_t *grid, *block; /**< three numbers each */
    bool cooperative;
    const uint8_t *parameters;
    uint64_t parameter_bytes;
} ServeLaunch;
CudaCode serve_launch_with(Device *device, const ServeLaunch *launch);

/* serve_stream.c */
/** The stream, or NULL after saying that there is none. */
DeviceStream *serve_stream(Device *device, uint64_t handle);
/** A host function in the stream, called as its form says (WIRE_CALLBACK). */
CudaCode serve_call_in(Device *device, uint64_t stream, DeviceHostCall call);
/** The record of the event in the stream as an operation of its own, also in a graph. */
CudaCode serve_record_in(Device *device, uint64_t event, uint64_t stream);
/** At the end: notes about events that were waited for and never recorded. */
void serve_report_unrecorded(Device *device);

/* serve_program.c */
/** Keeps the payload as a module with that handle. */
CudaCode serve_keep_module(Device *device, uint64_t handle);
/** The payload is the name of a kernel of that module, for which the host's address stands. */
CudaCode serve_keep_kernel(Device *device, uint64_t module, uint64_t host);
/** The call that is being served returns a status: whether the program takes it. */
void serve_count_status(Device *device);
/** At the end: a note when no call's status was ever looked at. */
void serve_report_status(Device *device);

/* serve_array.c */
/** One of two addresses is a CUDA array, which is said and is an invalid value. */
CudaCode serve_refuse_array(Device *device, uint64_t first, uint64_t second);

/* serve_texture.c */
/** Makes an object as `described`; its handle, or an error that has been told. */
CudaCode serve_make_object(Device *device, const struct DeviceTexture *described, uint64_t *handle);

/* serve_capture.c */
/** A capture that the calling thread may not disturb; NULL: there is none. */
struct Graph *serve_find_capture(Device *device);
/** Says that the call is not allowed while the graph is being captured, which is over with it. */
CudaCode serve_refuse_capturing(Device *device, struct Graph *graph);

/* serve_graph.c */
/** For a finding about a graph that is not there: whether the last capture should have given one. */
CheckCapture serve_missed_capture(const Device *device);
/** A graph that is whole and no executable; or NULL after saying that it is none. */
struct Graph *serve_graph(Device *device, uint64_t handle);
/** The same, also while it is being captured. */
struct Graph *serve_open_graph(Device *device, uint64_t handle);
/** Says that there is no such node. */
CudaCode serve_refuse_node(Device *device);
/** Says what cannot be done with nodes that allocate or free, or with conditional ones. */
CudaCode serve_refuse_graph(Device *device, GraphText message, GraphText why);
/** The graph's nodes whose handles the payload begins with. */
CudaCode serve_read_nodes(Device *device, const struct Graph *graph, uint64_t count, GraphSet *nodes);
/** The handles of these nodes as the reply's payload, and how many there are. */
CudaCode serve_list_nodes(Device *device, const GraphSet *nodes, uint64_t *count);

/* serve_executable.c */
/** The executable graph, or NULL after saying that there is none. */
struct Graph *serve_executable(Device *device, uint64_t handle);
