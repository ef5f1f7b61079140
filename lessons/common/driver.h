/* driver.h - what every lesson's driver.cu is made of.
 *
 * The program is started as `program OUT_DIR CASE_DIR...`: main (driver.c) visits the cases one by one and
 * calls `driver_case`, which the lesson's driver.cu implements: read the inputs, call the student's function,
 * leave the answers in OUT_DIR/<case folder's name>/. It runs in the sandbox, with student code in the same
 * process: it decides nothing. A failure of the driver itself (an input that is missing) ends the program
 * with status 70 and a line on stderr.
 */
#pragma once

#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct DriverCase DriverCase;

/** Implemented by the lesson's driver.cu. */
void driver_case(DriverCase *driven);

/** Host copies of inputs, owned by the case. */
const float *driver_input_floats(DriverCase *driven, const char *name, size_t *count);
int driver_input_int(DriverCase *driven, const char *name);
float driver_input_float(DriverCase *driven, const char *name);
/** Host memory full of a NaN pattern that no computation makes, owned by the case. */
float *driver_poisoned_floats(DriverCase *driven, size_t count);
/** Without the software GPU a case is called again, for its time: not this one, whose time would be that of
 * something else, such as the meeting of ranks. */
void driver_leave_untimed(DriverCase *driven);
/** Leaves NAME.npy. */
void driver_answer_floats(DriverCase *driven, const char *name, const float *values, size_t count);
void driver_answer_doubles(DriverCase *driven, const char *name, const double *values, size_t count);

/* The device side, through the runtime API (all of these end the program with status 71 when the runtime
 * reports an error that is the driver's own; they never read the student's pending error). Memory is freed
 * when the case ends. */
float *driver_device_input(DriverCase *driven, const char *name, size_t *count); /**< allocated and copied */
int *driver_device_input_ints(DriverCase *driven, const char *name, size_t *count);
double *driver_device_input_doubles(DriverCase *driven, const char *name, size_t *count);
unsigned char *driver_device_input_bytes(DriverCase *driven, const char *name, size_t *count);
float *driver_device_poisoned(DriverCase *driven, size_t count); /**< full of NaN */
int *driver_device_poisoned_ints(DriverCase *driven, size_t count);
/** Pinned host memory: a copy of an input, or full of the NaN pattern. */
float *driver_pinned_input(DriverCase *driven, const char *name, size_t *count);
float *driver_pinned_poisoned(DriverCase *driven, size_t count);
/** A stream that does not wait for the default stream, and is not waited for by it. */
struct CUstream_st *driver_stream(DriverCase *driven);
void driver_answer_device(DriverCase *driven, const char *name, const float *d_values, size_t count);
/** Copies a part of the device's memory to `values`. driver_copy_kept says besides that no kernel may have
 * written it, not even with the values that were there. */
void driver_copy_back(DriverCase *driven, float *values, const float *d_values, size_t count);
void driver_copy_kept(DriverCase *driven, float *values, const float *d_values, size_t count);
/** The same in a stream of driver_stream's, which waits for nothing of the student's: what a function has
 * promised to wait for has to be there. */
void driver_copy_beside(DriverCase *driven, float *pinned, const float *d_values, size_t count,
                        struct CUstream_st *reader);
void driver_answer_device_ints(DriverCase *driven, const char *name, const int *d_values, size_t count);

#ifdef __cplusplus
}
#endif
