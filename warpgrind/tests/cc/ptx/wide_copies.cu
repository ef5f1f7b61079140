// Copies of what is aligned to 16 bytes are single accesses of 16 bytes, as nvcc makes them; members alone are not.
// levels: 0 1 2
struct alignas(16) Own {
    short eight[8];
};

union Either {
    float4 vector;
    float one[4];
};

__constant__ float4 table[2];

__global__ void copies(float4 *to, const float4 *from, double2 *pairs, Own *own, longlong4 *wide, Either *either) {
    __shared__ float4 tile[32];
    tile[threadIdx.x] = from[threadIdx.x]; // ptx: ld.*\.v4\.
    __syncthreads();
    to[threadIdx.x] = tile[threadIdx.x ^ 1]; // ptx: st.*\.v4\.
    to[40] = table[blockIdx.x];              // ptx: st.*\.v4\.
    pairs[0] = pairs[threadIdx.x];           // ptx: st.*\.v[24]\.
    own[0] = own[threadIdx.x];               // ptx: st.*\.v[24]\.
    wide[0] = wide[threadIdx.x];             // ptx: st.*\.v[24]\..*\+16
    either[0] = either[threadIdx.x];         // ptx: st.*\.v[24]\.
}

__global__ void members(float4 *to, const float4 *from) {
    to[threadIdx.x].y = from[threadIdx.x].z; // ptx: ld.*\.f32
}

__global__ void narrow(float2 *to, const float2 *from, float3 *three) {
    to[threadIdx.x] = from[threadIdx.x]; // ptx: st[.a-z]*\.u64
    three[0] = three[threadIdx.x];       // ptx: st[.a-z]*\.[bu]32
}

__global__ void components(float *to, const float4 *from) {
    float4 all = from[threadIdx.x];                    // ptx: ld.*\.v4\.
    to[threadIdx.x] = all.x + all.y + all.z + all.w;
}
