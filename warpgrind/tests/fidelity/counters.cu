// counters.cu - patterns of access, one kernel each: the rows of counters.def, with 4 blocks of 128 threads. A card counts them by
// its hardware counters, warpgrind by its report.
#include "fidelity.h"

static const int BLOCKS = 4, THREADS = 128, ELEMENTS = 1 << 16;

// An access that no compiler merges or drops.
template <typename T> static __device__ void keep(T value)
{
    if (sizeof(T) > 64) asm volatile("" ::"l"(&value) : "memory");
}
#define GLOBAL_LOAD(name, T, index) \
    static __global__ void name(char *memory) \
    { \
        int t = threadIdx.x, i = blockIdx.x * blockDim.x + t; \
        (void)t, (void)i; \
        T value = *(volatile T *)(memory + (size_t)(index)); \
        keep(value); \
    }
#define GLOBAL_STORE(name, T, index) \
    static __global__ void name(char *memory) \
    { \
        int t = threadIdx.x, i = blockIdx.x * blockDim.x + t; \
        (void)t, (void)i; \
        *(volatile T *)(memory + (size_t)(index)) = (T)t; \
    }
// Vectors have no volatile form, so their accesses are written down.
#define WIDE(name, space, base, code, ...) \
    static __global__ void name(char *memory) \
    { \
        __shared__ __align__(16) char tile[16384]; \
        int t = threadIdx.x, i = blockIdx.x * blockDim.x + t; \
        (void)t, (void)i; \
        size_t place = (size_t)(base) + (size_t)(__VA_ARGS__); \
        asm volatile(code ::"l"(place) : "memory"); \
        if (memory == nullptr) tile[t] = 1; \
    }
#define LOAD_2(name, index) WIDE(name, global, memory, "{ .reg .b32 a<2>; ld.volatile.global.v2.b32 {a0, a1}, [%0]; }", index)
#define LOAD_4(name, index) WIDE(name, global, memory, "{ .reg .b32 a<4>; ld.volatile.global.v4.b32 {a0, a1, a2, a3}, [%0]; }", index)
#define STORE_4(name, index) WIDE(name, global, memory, "st.volatile.global.v4.b32 [%0], {1, 2, 3, 4};", index)
#define TILE __cvta_generic_to_shared(tile)
#define SHARED_LOAD(name, index) WIDE(name, shared, TILE, "{ .reg .b32 a; ld.volatile.shared.b32 a, [%0]; }", index)
#define SHARED_LOAD_2(name, index) WIDE(name, shared, TILE, "{ .reg .b32 a<2>; ld.volatile.shared.v2.b32 {a0, a1}, [%0]; }", index)
#define SHARED_LOAD_4(name, index) WIDE(name, shared, TILE, "{ .reg .b32 a<4>; ld.volatile.shared.v4.b32 {a0, a1, a2, a3}, [%0]; }", index)
#define SHARED_STORE(name, index) WIDE(name, shared, TILE, "st.volatile.shared.b32 [%0], 1;", index)
#define SHARED_STORE_4(name, index) WIDE(name, shared, TILE, "st.volatile.shared.v4.b32 [%0], {1, 2, 3, 4};", index)
#define SHARED_ADD(name, index) WIDE_OF_T(name, TILE, "{ .reg .b32 a; atom.shared.add.u32 a, [%0], %1; }", index)
#define SHARED_COUNT(name, index) WIDE(name, shared, TILE, "{ .reg .b32 a; atom.shared.add.u32 a, [%0], 1; }", index)
#define SHARED_MAX(name, index) WIDE_OF_T(name, TILE, "{ .reg .b32 a; atom.shared.max.s32 a, [%0], %1; }", index)
#define SHARED_SWAP(name, index) WIDE_OF_T(name, TILE, "{ .reg .b32 a; atom.shared.cas.b32 a, [%0], 0, %1; }", index)
// The same with a value that differs between threads.
#define WIDE_OF_T(name, base, code, ...) \
    static __global__ void name(char *memory) \
    { \
        __shared__ __align__(16) char tile[16384]; \
        int t = threadIdx.x; \
        size_t place = (size_t)(base) + (size_t)(__VA_ARGS__); \
        asm volatile(code ::"l"(place), "r"(t + 1) : "memory"); \
        if (memory == nullptr) tile[t] = 1; \
    }
// A store to the thread's own array. No compiler knows the index, so the array stays in memory.
#define LOCAL(name, store, ...) \
    static __global__ void name(char *memory) \
    { \
        __align__(16) char own[512]; \
        int t = threadIdx.x; \
        size_t place = (size_t)own + (size_t)(__VA_ARGS__); \
        asm volatile("{ .reg .b64 p; cvta.to.local.u64 p, %0; st.local." store "; }" ::"l"(place), "r"(t) : "memory"); \
        if (memory == nullptr) memory[t] = own[t]; \
    }
#define LOCAL_1(name, index) LOCAL(name, "b32 [p], %1", index)
#define LOCAL_2(name, index) LOCAL(name, "v2.b32 [p], {%1, %1}", index)
#define LOCAL_4(name, index) LOCAL(name, "v4.b32 [p], {%1, %1, %1, %1}", index)
#include "counters.def"

#undef GLOBAL_LOAD
#undef GLOBAL_STORE
#undef LOAD_2
#undef LOAD_4
#undef STORE_4
#undef SHARED_LOAD
#undef SHARED_LOAD_2
#undef SHARED_LOAD_4
#undef SHARED_STORE
#undef SHARED_STORE_4
#undef SHARED_ADD
#undef SHARED_COUNT
#undef SHARED_MAX
#undef SHARED_SWAP
#undef LOCAL_1
#undef LOCAL_2
#undef LOCAL_4
#define RUN(name) \
    name<<<BLOCKS, THREADS>>>(d_memory); \
    NEED(cudaDeviceSynchronize());
#define GLOBAL_LOAD(name, T, index) RUN(name)
#define GLOBAL_STORE(name, T, index) RUN(name)
#define LOAD_2(name, index) RUN(name)
#define LOAD_4(name, index) RUN(name)
#define STORE_4(name, index) RUN(name)
#define SHARED_LOAD(name, index) RUN(name)
#define SHARED_LOAD_2(name, index) RUN(name)
#define SHARED_LOAD_4(name, index) RUN(name)
#define SHARED_STORE(name, index) RUN(name)
#define SHARED_STORE_4(name, index) RUN(name)
#define SHARED_ADD(name, index) RUN(name)
#define SHARED_COUNT(name, index) RUN(name)
#define SHARED_MAX(name, index) RUN(name)
#define SHARED_SWAP(name, index) RUN(name)
#define LOCAL_1(name, index) RUN(name)
#define LOCAL_2(name, index) RUN(name)
#define LOCAL_4(name, index) RUN(name)

int main()
{
    char *d_memory;
    NEED(cudaMalloc(&d_memory, ELEMENTS * 16));
    NEED(cudaMemset(d_memory, 0, ELEMENTS * 16));
#include "counters.def"
    NEED(cudaFree(d_memory));
    return 0;
}
