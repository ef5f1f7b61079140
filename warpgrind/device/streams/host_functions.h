/* host_functions.h - host functions in a stream (cudaLaunchHostFunc, cudaStreamAddCallback): calling them,
 * and watching what they do to memory that both sides use.
 *
 * Such a function is work of its stream, done by the program. So what it touches counts as what a kernel
 * touches (device/watch/order.h): work that is in no order with it must leave those bytes alone. The client
 * is told which memory such work uses, protects that while the function runs, and tells of each touch.
 */
#pragma once

#include "device/state/operation.h"

/** The function was asked for. A number that an earlier one was given, which still waits, must be as it was.
 */
void host_functions_note_number(Device *device, DeviceOperation *function);
CudaCode host_functions_run(Device *device, const DeviceOperation *operation);
