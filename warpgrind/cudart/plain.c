/* plain.c - the functions that do no more than send their arguments and hand out the results: those with
 * PLAIN in api.def, made from its rows.
 *
 * Each parameter has the C type of its kind; its word goes into the field of the same name. When the call has
 * succeeded, the result of that name goes where an out_ parameter points. The device has refused a null
 * pointer by then.
 */
#include "cudart/client.h"

#define PARAMETER_none void
#define PARAMETER_address(name) const void *name
#define PARAMETER_pointer(name) const void *name
#define PARAMETER_handle(name) const void *name
#define PARAMETER_stream(name) CudaStream name
#define PARAMETER_event(name) CudaEvent name
#define PARAMETER_kernel(name) const void *name
#define PARAMETER_size(name) size_t name
#define PARAMETER_index(name) size_t name
#define PARAMETER_wide(name) unsigned long long name
#define PARAMETER_number(name) int name
#define PARAMETER_setting(name) int name
#define PARAMETER_flags(name) unsigned name
#define PARAMETER_direction(name) int name
#define PARAMETER_out_pointer(name) void **name
#define PARAMETER_out_int(name) int *name
#define PARAMETER_out_size(name) size_t *name
#define PARAMETER_out_wide(name) unsigned long long *name

#define WORD_none .none = 0
#define WORD_address(name) .name = client_word(name)
#define WORD_pointer(name) .name = client_word(name)
#define WORD_handle(name) .name = client_word(name)
#define WORD_stream(name) .name = client_word(name)
#define WORD_event(name) .name = client_word(name)
#define WORD_kernel(name) .name = client_word(name)
#define WORD_size(name) .name = name
#define WORD_index(name) .name = name
#define WORD_wide(name) .name = name
#define WORD_number(name) .name = (uint64_t)(int64_t)name
#define WORD_setting(name) .name = (uint64_t)(int64_t)name
#define WORD_flags(name) .name = name
#define WORD_direction(name) .name = (uint64_t)(int64_t)name
#define WORD_out_pointer(name) .name = client_word(name)
#define WORD_out_int(name) .name = client_word(name)
#define WORD_out_size(name) .name = client_word(name)
#define WORD_out_wide(name) .name = client_word(name)

#define TAKE_none (void)r
#define TAKE_address(name) (void)r
#define TAKE_pointer(name) (void)r
#define TAKE_handle(name) (void)r
#define TAKE_stream(name) (void)r
#define TAKE_event(name) (void)r
#define TAKE_kernel(name) (void)r
#define TAKE_size(name) (void)r
#define TAKE_index(name) (void)r
#define TAKE_wide(name) (void)r
#define TAKE_number(name) (void)r
#define TAKE_setting(name) (void)r
#define TAKE_flags(name) (void)r
#define TAKE_direction(name) (void)r
#define TAKE_out_pointer(name) *name = client_pointer(r->name)
#define TAKE_out_int(name) *name = (int)r->name
#define TAKE_out_size(name) *name = (size_t)r->name
#define TAKE_out_wide(name) *name = r->name

#define PARAMETERS(...) (FIELDS_WITH(PARAMETER_, FIELDS_COMMA, __VA_ARGS__))
#define WORDS(...)                                                                                           \
    { FIELDS_WITH(WORD_, FIELDS_COMMA, __VA_ARGS__) }
#define TAKE(...) FIELDS_WITH(TAKE_, FIELDS_THEN, __VA_ARGS__);

#define CLIENT_WRITTEN(name, arguments)
#define CLIENT_PLAIN(name, arguments)                                                                        \
    EXPORT CudaError name PARAMETERS arguments;                                                              \
    CudaError name PARAMETERS arguments {                                                                    \
        WireRequest request = client_request(WIRE_##name, CLIENT_SITE());                                    \
        request.name = (Arguments_##name)WORDS arguments;                                                    \
        WireReply reply;                                                                                     \
        CudaError error = client_call(&request, NULL, &reply);                                               \
        if (error != CUDA_SUCCESS) return error;                                                             \
        const Results_##name *r = &reply.name;                                                               \
        TAKE arguments return CUDA_SUCCESS;                                                                  \
    }
#define API_FUNCTION(name, arguments, results, payload, handler, flags, client, ...)                         \
    CLIENT_##client(name, arguments)
#include "cudart/api.def"
