/* serve.h - the handlers of requests, by file. Each has the shape of ServeHandler. */
#ifndef DEVICE_SERVE_H
#define DEVICE_SERVE_H

#include "device/device.h"

/** `a`: the request's arguments; `r`: the reply's results. Returns the call's error, already explained. */
typedef CudaCode ServeHandler(Device *device, const uint64_t *a, uint64_t *r);

/* serve_program.c: the program itself */
ServeHandler serve_hello, serve_register_module, serve_kernel_parameters, serve_null_argument, serve_refused,
    serve_register_kernel, serve_register_variable, serve_unregister_module, serve_error_looked_at,
    serve_mark, serve_early_touch, serve_clock_read, serve_goodbye, serve_get_last_error,
    serve_peek_last_error;

/* serve_crash.c */
ServeHandler serve_crash;

/* serve_ranks.c */
ServeHandler serve_ranks_apart;

/* serve_device.c */
ServeHandler serve_device_count, serve_set_device, serve_get_device, serve_set_flags, serve_get_flags,
    serve_properties, serve_attribute, serve_reset, serve_set_limit, serve_get_limit, serve_ignored,
    serve_cache_config, serve_zero, serve_can_access_peer, serve_enable_peer, serve_disable_peer,
    serve_pci_bus_id, serve_find_pci, serve_version, serve_p2p_attribute, serve_linear_width,
    serve_memory_info, serve_init_device;

/* serve_memory.c */
ServeHandler serve_malloc, serve_free, serve_malloc_host, serve_host_alloc, serve_free_host,
    serve_host_register, serve_host_unregister, serve_host_pointer, serve_host_flags, serve_malloc_managed,
    serve_malloc_pitch, serve_malloc_3d, serve_malloc_async, serve_free_async, serve_symbol_address,
    serve_symbol_size, serve_pointer_attributes, serve_memory_advice, serve_managed_variable;

/* serve_copy.c */
ServeHandler serve_memcpy, serve_memcpy_async, serve_curand, serve_memcpy_2d, serve_memcpy_2d_async,
    serve_memcpy_peer, serve_memcpy_peer_async, serve_memset, serve_memset_async, serve_memset_2d,
    serve_memset_2d_async, serve_memset_3d, serve_to_symbol, serve_to_symbol_async, serve_from_symbol,
    serve_from_symbol_async;

/* serve_launch.c */
ServeHandler serve_cluster, serve_launch, serve_function_attributes, serve_set_function_attribute,
    serve_function_setting, serve_function_name, serve_occupancy, serve_available_shared;

/* serve_library.c */
ServeHandler serve_load_library, serve_unload_library, serve_library_kernel, serve_library_global,
    serve_parameter_info;

/* serve_stream.c */
ServeHandler serve_synchronize, serve_stream_create, serve_stream_destroy, serve_stream_synchronize,
    serve_stream_query, serve_stream_wait_event, serve_add_callback, serve_host_function, serve_stream_flags,
    serve_stream_priority, serve_stream_id, serve_stream_device, serve_stream_set_attribute,
    serve_stream_attribute, serve_stream_copy_attributes, serve_attach, serve_event_create,
    serve_event_record, serve_event_synchronize, serve_event_query, serve_event_elapsed, serve_event_destroy;

/* serve_array.c */
ServeHandler serve_malloc_array, serve_free_array, serve_array_level, serve_array_info;

/* serve_array_copy.c */
ServeHandler serve_rows_to_array, serve_rows_to_array_async, serve_rows_from_array,
    serve_rows_from_array_async, serve_rows_between_arrays, serve_to_array, serve_to_array_async,
    serve_from_array, serve_from_array_async, serve_between_arrays, serve_copy_3d, serve_copy_3d_async;

/* serve_texture.c */
ServeHandler serve_create_texture, serve_create_surface, serve_destroy_texture, serve_destroy_surface,
    serve_texture_resource, serve_surface_resource, serve_texture_settings, serve_texture_view;

/** Makes an object as `described`; its handle, or an error that has been told. */
CudaCode serve_make_object(Device *device, const struct DeviceTexture *described, uint64_t *handle);

/* serve_reference.c */
ServeHandler serve_bind_texture, serve_bind_surface, serve_unbind, serve_reference_offset,
    serve_find_reference;

/* serve_pool.c */
ServeHandler serve_default_pool, serve_set_pool, serve_create_pool, serve_destroy_pool,
    serve_set_pool_attribute, serve_pool_attribute, serve_trim_pool, serve_set_pool_access, serve_pool_access,
    serve_malloc_from_pool;

/* serve_graph.c */
ServeHandler serve_begin_capture, serve_end_capture, serve_is_capturing, serve_capture_info,
    serve_capture_mode, serve_graph_create, serve_graph_destroy, serve_graph_clone, serve_graph_nodes,
    serve_node_dependencies, serve_node_type, serve_find_in_clone, serve_destroy_node, serve_add_dependencies,
    serve_add_kernel_node, serve_add_copy_node, serve_add_set_node, serve_add_host_node, serve_add_empty_node,
    serve_add_record_node, serve_change_kernel_node, serve_change_copy_node, serve_change_set_node,
    serve_change_host_node, serve_graph_instantiate, serve_graph_launch, serve_graph_upload,
    serve_graph_update, serve_executable_destroy, serve_add_allocate_node, serve_add_free_node,
    serve_memory_node;

/* graph_bodies.c: in the stream of the last argument, which captures for it */
ServeHandler serve_create_condition, serve_conditional, serve_child;

/* serve_graph.c, for them */
/** A graph that is no executable, also one that is being captured; or NULL after saying so. */
struct Graph *serve_find_open_graph(Device *device, uint64_t handle);
ServeHandler serve_add_bodies_node, serve_child_graph, serve_capture_into, serve_capture_dependencies;

/* graph_memory.c */
ServeHandler serve_graph_memory_attribute, serve_set_graph_memory_attribute, serve_trim_graph_memory;

/** serve_crash.c: the copy is about to write to the host's memory. */
void serve_note_landing(Device *device, const DeviceCopy *copy, uint64_t site);
/** A capture that the calling thread may not disturb; NULL: there is none. */
struct Graph *serve_find_capture(Device *device);
/** Says that the call is not allowed while the graph is being captured, which is over with it. */
CudaCode serve_refuse_capturing(Device *device, struct Graph *graph);
/** cudaMemset in a stream with elements of a[6] bytes: address, pitch, value, width, height, stream, element.
 */
ServeHandler serve_memset_elements;
/** The record of event a[0] in stream a[1] as an operation of its own, also in a graph. */
ServeHandler serve_record_node;
/** A launch whose parameters are not the whole payload. */
CudaCode serve_launch_with(Device *device, const uint64_t *a, const uint8_t *parameters, size_t bytes);

/* what several of them need */

/** One of two addresses is a CUDA array, which is said and is an invalid value. */
CudaCode serve_refuse_array(Device *device, uint64_t first, uint64_t second);

/** An out-pointer that is null is said and is an invalid value. */
CudaCode serve_check_out(Device *device, uint64_t pointer, const char *what);
/** The stream, or NULL after saying that there is none. */
DeviceStream *serve_stream(Device *device, uint64_t handle);
DeviceEvent *serve_event(Device *device, uint64_t handle);
DeviceKernel *serve_kernel(Device *device, uint64_t host, CudaCode *error);
DeviceVariable *serve_variable(Device *device, uint64_t symbol);
/** The call that is being served returns a status: whether the program takes it. */
void serve_count_status(Device *device);
/** At the end: a note when no call's status was ever looked at. */
void serve_report_status(Device *device);
/** Notes about events that were waited for and never recorded. */
void serve_report_unrecorded(Device *device);
void serve_create_streams(Device *device);

#endif
