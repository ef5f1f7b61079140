// What the headers do carries the line of whoever called it, and never one of the headers' own.
// levels: 0 2
// no-other-file
__global__ void lines(int *p, float *f, unsigned int *u) {
    int i = threadIdx.x;                          // ptx: mov.*%tid\.x
    int b = blockIdx.y;                           // ptx: mov.*%ctaid\.y
    int d = blockDim.z;                           // ptx: mov.*%ntid\.z
    int g = gridDim.x;                            // ptx: mov.*%nctaid\.x
    atomicAdd(p, i + b + d + g);                  // ptx: atom\.add\.s32
    atomicAdd(f, 1.0f);                           // ptx: atom\.add\.f32
    atomicAdd_block(f, 1.0f);                     // ptx: atom\.cta\.add\.f32
    atomicMax(u, 3u);                             // ptx: atom\.max\.u32
    atomicCAS(p, 1, 2);                           // ptx: atom\.cas\.b32
    __syncwarp();                                 // ptx: bar\.warp\.sync
    __threadfence();                              // ptx: membar\.gl
    __threadfence_block();                        // ptx: membar\.cta
    p[1] = __shfl_down_sync(0xffffffff, i, 1);    // ptx: shfl\.sync\.down
    f[1] = __shfl_xor_sync(0xffffffff, f[0], 1);  // ptx: shfl\.sync\.bfly
    p[2] = __ballot_sync(0xffffffff, i);          // ptx: vote\.sync\.ballot
    p[3] = __any_sync(0xffffffff, i);             // ptx: vote\.sync\.any
    p[4] = __activemask();                        // ptx: activemask
    p[5] = __syncthreads_count(i > 3);            // ptx: bar\.red\.popc
    p[6] = __reduce_add_sync(0xffffffff, i);      // ptx: redux\.sync\.add
    f[2] = sqrtf(f[0]);                           // ptx: sqrt\.rn\.f32
    f[3] = fabsf(f[1]);                           // ptx: abs\.f32
    f[4] = sinf(f[1]);                            // ptx: call
    f[5] = fmaf(f[1], f[2], f[3]);                // ptx: fma\.rn\.f32
    p[7] = __popc(i);                             // ptx: popc\.b32
    __trap();                                     // ptx: trap
}
