/* modules.h - the program's device code: read and loaded when a kernel or variable of it is first used. */
#pragma once

#include "device/state/objects.h"

/** Loads the module when that was not tried yet; says what is wrong with it once. */
CudaCode modules_load(Device *device, DeviceModule *module);
CudaCode modules_load_kernel(Device *device, DeviceKernel *kernel);
/** The device's copy of a variable; NULL when its module cannot be loaded or lacks it. */
const GpuAllocation *modules_load_variable(Device *device, DeviceVariable *variable);
