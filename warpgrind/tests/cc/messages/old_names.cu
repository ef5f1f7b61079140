// Names that newer toolkits removed: each is told once, and works. What they do is in tests/cli/api.
texture<float, 1, cudaReadModeElementType> line; // warning: 'texture' is deprecated: CUDA 12 removed this. Use a texture object
texture<uchar4, 2> picture;
surface<void, 2> board; // warning: 'surface' is deprecated: CUDA 12 removed this. Use a surface object

__global__ void votes(int *p) {
    int mine = p[threadIdx.x];
    mine += __shfl(mine, 0);                  // warning: '__shfl' is deprecated: CUDA 13 removed this. Use __shfl_sync(0xffffffff, value, lane)
    mine += __shfl_up(mine, 1);               // warning: '__shfl_up' is deprecated: CUDA 13 removed this. Use __shfl_up_sync
    mine += __shfl_down(mine, 1);             // warning: '__shfl_down' is deprecated: CUDA 13 removed this. Use __shfl_down_sync
    mine += __shfl_xor(mine, 1, 16);          // warning: '__shfl_xor' is deprecated: CUDA 13 removed this. Use __shfl_xor_sync
    mine += (int)__shfl_xor(1.5 * mine, 2);
    mine += __any(mine > 3) + __any(mine);    // warning: '__any' is deprecated: CUDA 13 removed this. Use __any_sync(0xffffffff, predicate)
    mine += __all(mine > 3);                  // warning: '__all' is deprecated: CUDA 13 removed this. Use __all_sync
    mine += (int)__ballot(mine > 3);          // warning: '__ballot' is deprecated: CUDA 13 removed this. Use __ballot_sync
    float4 colour = tex2D(picture, 0.5f, 0.5f).x ? make_float4(1, 0, 0, 0) : make_float4(0, 1, 0, 0);
    p[threadIdx.x] = mine + (int)(tex1Dfetch(line, 3) + colour.x) + surf2Dread<int>(board, 0, 0);
}

int host(void *p, cudaArray_t array, cudaMipmappedArray_t levels, cudaGraph_t graph, cudaGraphExec_t runs) {
    size_t size;
    double number = 0;
    cudaDeviceProp prop;
    cudaPointerAttributes about;
    cudaFuncCache cache;
    cudaGraphNode_t node;
    cudaGraphExecUpdateResult result;
    cudaGetDeviceProperties(&prop, 0);
    cudaPointerGetAttributes(&about, p);
    cudaThreadSynchronize(); // warning: 'cudaThreadSynchronize' is deprecated: CUDA 13 removed this. Use cudaDeviceSynchronize (since CUDA 4.0)
    cudaThreadSynchronize();
    cudaThreadSetLimit(cudaLimitStackSize, 1024);               // warning: 'cudaThreadSetLimit' is deprecated
    cudaThreadGetLimit(&size, cudaLimitStackSize);              // warning: 'cudaThreadGetLimit' is deprecated
    cudaThreadSetCacheConfig(cudaFuncCachePreferL1);            // warning: 'cudaThreadSetCacheConfig' is deprecated
    cudaThreadGetCacheConfig(&cache);                           // warning: 'cudaThreadGetCacheConfig' is deprecated
    cudaSetDoubleForDevice(&number);                            // warning: 'cudaSetDoubleForDevice' is deprecated
    cudaSetDoubleForHost(&number);                              // warning: 'cudaSetDoubleForHost' is deprecated
    cudaMemPrefetchAsync(p, 64, 0);                             // warning: 'cudaMemPrefetchAsync' is deprecated: CUDA 13 removed this
    cudaMemPrefetchAsync(p, 64, cudaCpuDeviceId, NULL);
    cudaMemAdvise(p, 64, cudaMemAdviseSetReadMostly, 0);        // warning: 'cudaMemAdvise' is deprecated: CUDA 13 removed this
    cudaGraphExecUpdate(runs, graph, &node, &result);           // warning: 'cudaGraphExecUpdate' is deprecated: CUDA 12 removed this
    cudaGraphAddDependencies(graph, &node, &node, 1);           // warning: 'cudaGraphAddDependencies' is deprecated
    cudaGraphNodeGetDependencies(node, nullptr, &size);         // warning: 'cudaGraphNodeGetDependencies' is deprecated
    cudaBindTexture(&size, line, p, 64);                        // warning: 'cudaBindTexture' is deprecated: CUDA 12 removed this
    cudaBindTexture2D(&size, picture, p, 4, 4, 512);            // warning: 'cudaBindTexture2D' is deprecated
    cudaBindTextureToArray(picture, array);                     // warning: 'cudaBindTextureToArray' is deprecated
    cudaBindTextureToMipmappedArray(picture, levels);           // warning: 'cudaBindTextureToMipmappedArray' is deprecated
    cudaGetTextureAlignmentOffset(&size, line);                 // warning: 'cudaGetTextureAlignmentOffset' is deprecated
    cudaUnbindTexture(line);                                    // warning: 'cudaUnbindTexture' is deprecated
    cudaUnbindTexture(picture);
    cudaBindSurfaceToArray(board, array);                       // warning: 'cudaBindSurfaceToArray' is deprecated
    int rates = prop.clockRate;                                 // warning: 'clockRate' is deprecated: CUDA 13 removed this. Use cudaDeviceGetAttribute
    rates += prop.memoryClockRate;                              // warning: 'memoryClockRate' is deprecated
    rates += prop.deviceOverlap + prop.clockRate;               // warning: 'deviceOverlap' is deprecated
    rates += prop.kernelExecTimeoutEnabled;                     // warning: 'kernelExecTimeoutEnabled' is deprecated
    rates += prop.computeMode;                                  // warning: 'computeMode' is deprecated
    rates += prop.maxTexture1DLinear;                           // warning: 'maxTexture1DLinear' is deprecated
    rates += prop.singleToDoublePrecisionPerfRatio;             // warning: 'singleToDoublePrecisionPerfRatio' is deprecated
    rates += prop.cooperativeMultiDeviceLaunch;                 // warning: 'cooperativeMultiDeviceLaunch' is deprecated
    rates += about.memoryType;                                  // warning: 'memoryType' is deprecated: CUDA 11 removed this. Use type
    cudaThreadExit();                                           // warning: 'cudaThreadExit' is deprecated
    return rates;
}
