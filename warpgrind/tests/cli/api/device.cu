/* Devices, their properties and settings. */
#include "api.h"

/* Not in every header. */
extern "C" {
cudaError_t cudaCtxResetPersistingL2Cache();
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *width, const cudaChannelFormatDesc *format, int device);
}

int main() {
    int count = 0, device = 7, value = 0, driver = 0, runtime = 0;
    FINE(cudaGetDeviceCount(&count));
    EXPECT(count == 1);
    FINE(cudaSetDevice(0));
    FINE(cudaGetDevice(&device));
    EXPECT(device == 0);
    FINE(cudaInitDevice(0, 0, 0));
    FINE(cudaSetDeviceFlags(cudaDeviceScheduleYield));
    unsigned flags = 0;
    FINE(cudaGetDeviceFlags(&flags));

    cudaDeviceProp properties;
    memset(&properties, 0x5a, sizeof properties);
    FINE(cudaGetDeviceProperties(&properties, 0));
    EXPECT(strcmp(properties.name, "Warpgrind software GPU (H100)") == 0);
    EXPECT(properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024);
    EXPECT(properties.maxThreadsDim[0] == 1024 && properties.maxThreadsDim[1] == 1024 && properties.maxThreadsDim[2] == 64);
    EXPECT(properties.maxGridSize[0] == 2147483647 && properties.maxGridSize[1] == 65535 && properties.maxGridSize[2] == 65535);
    EXPECT(properties.sharedMemPerBlock == 49152 && properties.sharedMemPerBlockOptin == 232448);
    EXPECT(properties.totalConstMem == 65536 && properties.multiProcessorCount == 132);
    EXPECT(properties.clockRate == 1980000 && properties.memoryClockRate == 2619000 && properties.deviceOverlap == 1);
    EXPECT(properties.kernelExecTimeoutEnabled == 0 && properties.computeMode == cudaComputeModeDefault);
    EXPECT(properties.maxTexture1DLinear > 0 && properties.singleToDoublePrecisionPerfRatio == 2);
    EXPECT(properties.totalGlobalMem >= (size_t)2 << 30 && properties.totalGlobalMem <= (size_t)16 << 30 && properties.unifiedAddressing == 1);
    FINE(cudaChooseDevice(&device, &properties));

    FINE(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0));
    EXPECT(value == 1024);
    FINE(cudaDeviceGetAttribute(&value, cudaDevAttrMaxBlockDimZ, 0));
    EXPECT(value == 64);
    FINE(cudaDriverGetVersion(&driver));
    FINE(cudaRuntimeGetVersion(&runtime));
    EXPECT(driver >= 13000 && runtime == 13000);

    size_t limit = 0;
    FINE(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 4 << 20));
    FINE(cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize));
    EXPECT(limit == 4 << 20);
    FINE(cudaThreadSetLimit(cudaLimitPrintfFifoSize, 2 << 20));
    FINE(cudaThreadGetLimit(&limit, cudaLimitPrintfFifoSize));
    EXPECT(limit == 2 << 20);
    FINE(cudaCtxResetPersistingL2Cache());
    EXPECT(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0) == cudaErrorInvalidDevice); /* no peer of itself */
    (void)cudaGetLastError();
    size_t width = 0;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    FINE(cudaDeviceGetTexture1DLinearMaxWidth(&width, &format, 0));
    EXPECT(width == 1 << 28);
    cudaFuncCache none = cudaFuncCachePreferL1;
    double number = 1.5;
    FINE(cudaThreadSetCacheConfig(cudaFuncCachePreferL1));
    FINE(cudaThreadGetCacheConfig(&none));
    FINE(cudaSetDoubleForDevice(&number));
    FINE(cudaSetDoubleForHost(&number));
    EXPECT(none == cudaFuncCachePreferNone && number == 1.5);
    FINE(cudaThreadExit());
    cudaFuncCache cache;
    FINE(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    FINE(cudaDeviceGetCacheConfig(&cache));
    cudaSharedMemConfig banks;
    FINE(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeFourByte));
    FINE(cudaDeviceGetSharedMemConfig(&banks));
    int least = 1, greatest = 1, peer = 1;
    FINE(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    EXPECT(least == 0 && greatest == -5);
    FINE(cudaDeviceCanAccessPeer(&peer, 0, 0));
    EXPECT(peer == 0);
    char address[32] = "";
    FINE(cudaDeviceGetPCIBusId(address, sizeof address, 0));
    EXPECT(strcmp(address, "0000:00:00.0") == 0);
    int found = 7;
    FINE(cudaDeviceGetByPCIBusId(&found, address));
    EXPECT(found == 0);
    EXPECT(cudaDeviceGetByPCIBusId(&found, "0000:7f:00.0") == cudaErrorInvalidDevice);
    EXPECT(cudaDeviceGetByPCIBusId(&found, "gpu") == cudaErrorInvalidValue);
    (void)cudaGetLastError();
    FINE(cudaProfilerStart());
    FINE(cudaProfilerStop());
    float *kept = nullptr;
    FINE(cudaMalloc(&kept, 64));
    FINE(cudaDeviceReset()); /* frees it */
    return finish();
}
