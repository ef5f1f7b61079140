// Prints the properties of every device, as the classic example does.
#include <iostream>
#include <iomanip>
#include <string>

int main() {
    int count = 0, driver = 0, runtime = 0;
    cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess) {
        std::cerr << cudaGetErrorName(status) << ": " << cudaGetErrorString(status) << std::endl;
        return 1;
    }
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    std::cout << count << " device(s), runtime " << runtime / 1000 << "." << runtime % 100 / 10 << "\n";
    for (int device = 0; device < count; device++) {
        cudaDeviceProp prop;
        cudaSetDevice(device);
        cudaGetDeviceProperties(&prop, device);
        std::string name = prop.name;
        std::cout << name << " " << prop.major << "." << prop.minor << ", " << prop.multiProcessorCount << " SMs, "
                  << std::fixed << std::setprecision(1) << prop.totalGlobalMem / 1048576.0 << " MiB, "
                  << prop.sharedMemPerBlock << " bytes shared, " << prop.totalConstMem << " constant, warp "
                  << prop.warpSize << ", block " << prop.maxThreadsPerBlock << " (" << prop.maxThreadsDim[0] << ","
                  << prop.maxThreadsDim[1] << "," << prop.maxThreadsDim[2] << "), grid " << prop.maxGridSize[0]
                  << ", ECC " << (prop.ECCEnabled ? "on" : "off") << ", managed " << prop.managedMemory << "\n";
        int value = 0;
        cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerMultiProcessor, device);
        if (value != prop.maxThreadsPerMultiProcessor || prop.warpSize != 32) return 1;
        size_t free_bytes = 0, total_bytes = 0;
        cudaMemGetInfo(&free_bytes, &total_bytes);
        if (free_bytes > total_bytes) return 1;
    }
    return 0;
}
