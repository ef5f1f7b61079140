/* Device code that is loaded by hand, and its kernels and variables by name; one that launches another, by what nvcc makes of that. */
#include "api.h"

#include <cstdlib>
#include <string>

static const char code[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 step = 3;
.visible .entry advance(.param .u64 cells, .param .u32 more) {
    .reg .b32 %r<6>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [cells];
    ld.param.u32 %r1, [more];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd2, %r2, 4;
    add.u64 %rd3, %rd1, %rd2;
    ld.global.u32 %r3, [step];
    add.u32 %r4, %r3, %r1;
    st.global.u32 [%rd3], %r4;
    ret;
}
)";

static const char launches[] = R"(
.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b64 result) __cudaCDP2GetParameterBufferV2(.param .b64 f, .param .align 4 .b8 grid[12], .param .align 4 .b8 block[12], .param .b32 shared);
.extern .func (.param .b32 result) __cudaCDP2LaunchDeviceV2(.param .b64 buffer, .param .b64 stream);
.visible .entry child(.param .u64 cell) {
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [cell];
    st.global.u32 [%rd1], 12;
    ret;
}
.visible .entry parent(.param .u64 cell) {
    .reg .b64 %rd<4>;
    .param .b64 f;
    .param .align 4 .b8 grid[12];
    .param .align 4 .b8 block[12];
    .param .b32 shared;
    .param .b64 buffer;
    .param .b64 stream;
    .param .b32 error;
    mov.u64 %rd1, child;
    st.param.b64 [f], %rd1;
    st.param.b32 [grid], 1;
    st.param.b32 [grid+4], 1;
    st.param.b32 [grid+8], 1;
    st.param.b32 [block], 1;
    st.param.b32 [block+4], 1;
    st.param.b32 [block+8], 1;
    st.param.b32 [shared], 0;
    call (buffer), __cudaCDP2GetParameterBufferV2, (f, grid, block, shared);
    ld.param.b64 %rd2, [buffer];
    ld.param.u64 %rd3, [cell];
    st.b64 [%rd2], %rd3;
    st.param.b64 [buffer], %rd2;
    st.param.b64 [stream], 0;
    call (error), __cudaCDP2LaunchDeviceV2, (buffer, stream);
    ret;
}
)";

static void launch_from_a_kernel() {
    cudaLibrary_t library = nullptr;
    cudaKernel_t kernel = nullptr;
    int got = 0, *cell = nullptr;
    FINE(cudaLibraryLoadData(&library, launches, nullptr, nullptr, 0, nullptr, nullptr, 0));
    FINE(cudaLibraryGetKernel(&kernel, library, "parent"));
    FINE(cudaMalloc(&cell, sizeof got));
    void *arguments[] = {&cell};
    FINE(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(1), arguments, 0, 0));
    FINE(cudaMemcpy(&got, cell, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got == 12);
    FINE(cudaFree(cell));
    FINE(cudaLibraryUnload(library));
}

static void use(cudaLibrary_t library) {
    cudaKernel_t kernel = nullptr;
    FINE(cudaLibraryGetKernel(&kernel, library, "advance"));
    void *step = nullptr;
    size_t bytes = 0, offset = 9;
    FINE(cudaLibraryGetGlobal(&step, &bytes, library, "step"));
    EXPECT(step != nullptr && bytes == 4);
    int five = 5, got[32] = {}, *cells = nullptr, more = 2;
    FINE(cudaMemcpy(step, &five, sizeof five, cudaMemcpyHostToDevice));
    FINE(cudaFuncGetParamInfo((const void *)kernel, 1, &offset, &bytes));
    EXPECT(offset == 8 && bytes == 4);
    EXPECT(cudaFuncGetParamInfo((const void *)kernel, 2, &offset, &bytes) == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    FINE(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536, 0));
    FINE(cudaMalloc(&cells, sizeof got));
    void *arguments[] = {&cells, &more};
    FINE(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(32), arguments, 0, 0));
    FINE(cudaMemcpy(got, cells, sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got[0] == 7 && got[31] == 7);
    FINE(cudaFree(cells));
    FINE(cudaLibraryUnload(library));
}

int main() {
    cudaLibrary_t library = nullptr;
    FINE(cudaLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0));
    use(library);
    char name[] = "/tmp/library-XXXXXX";
    FILE *file = fdopen(mkstemp(name), "w");
    EXPECT(file != nullptr && fputs(code, file) >= 0 && fclose(file) == 0);
    FINE(cudaLibraryLoadFromFile(&library, name, nullptr, nullptr, 0, nullptr, nullptr, 0));
    remove(name);
    use(library);
    launch_from_a_kernel();
    return finish();
}
