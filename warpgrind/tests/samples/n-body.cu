/* All-pairs gravity with float4 bodies and tiles of bodies in shared memory; rsqrtf on the device. */
#include "sample.h"

enum { BLOCK = 64 };

__global__ void accelerations(float3 *out, const float4 *bodies, int n) {
    __shared__ float4 tile[BLOCK];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    float4 own = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
    float3 sum = make_float3(0, 0, 0);
    for (int first = 0; first < n; first += BLOCK) {
        int j = first + threadIdx.x;
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0, 0, 0, 0);
        __syncthreads();
        for (int k = 0; k < BLOCK; k++) {
            float dx = tile[k].x - own.x, dy = tile[k].y - own.y, dz = tile[k].z - own.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float pull = tile[k].w * inverse * inverse * inverse;
            sum.x += dx * pull;
            sum.y += dy * pull;
            sum.z += dz * pull;
        }
        __syncthreads();
    }
    if (i < n) out[i] = sum;
}

int main() {
    const int n = 150;
    std::vector<float4> bodies(n);
    for (int i = 0; i < n; i++)
        bodies[i] = make_float4(sample_value(4 * i), sample_value(4 * i + 1), sample_value(4 * i + 2), 1 + sample_value(4 * i + 3));
    std::vector<float> want;
    for (int i = 0; i < n; i++) {
        double x = 0, y = 0, z = 0;
        for (int j = 0; j < n; j++) {
            double dx = bodies[j].x - bodies[i].x, dy = bodies[j].y - bodies[i].y, dz = bodies[j].z - bodies[i].z;
            double pull = bodies[j].w * std::pow(dx * dx + dy * dy + dz * dz + 0.01, -1.5);
            x += dx * pull, y += dy * pull, z += dz * pull;
        }
        want.insert(want.end(), {(float)x, (float)y, (float)z});
    }
    float4 *d_bodies = to_device(bodies);
    float3 *d_out = nullptr;
    CHECK(cudaMalloc(&d_out, n * sizeof(float3)));
    accelerations<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_out, d_bodies, n);
    CHECK(cudaGetLastError());
    std::vector<float3> out = to_host(d_out, n);
    std::vector<float> got;
    for (float3 a : out) got.insert(got.end(), {a.x, a.y, a.z});
    CHECK(cudaFree(d_bodies));
    CHECK(cudaFree(d_out));
    return verdict(got, want, 0.05);
}
