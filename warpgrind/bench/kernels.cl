/* kernels.cl - the kernels of kernels.cu, patterns.cu and product.cu for Oclgrind and PoCL, under their names there; OpenCL has no
 * recursion, so `calls` is missing. */
#define EACH(i, n) for (size_t i = get_global_id(0); i < (n); i += get_global_size(0))

kernel void vector_add(global float *z, global const float *x, global const float *y, int n) {
    int i = get_global_id(0);
    if (i < n) {
        z[i] = x[i] + y[i];
    }
}

kernel void tree_sum(global float *sums, global const float *x) {
    local float temp[256];
    int tid = get_local_id(0);
    temp[tid] = x[get_global_id(0)];
    for (int d = get_local_size(0) / 2; d > 0; d /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (tid < d) {
            temp[tid] += temp[tid + d];
        }
    }
    if (tid == 0) {
        sums[get_group_id(0)] = temp[0];
    }
}

kernel void arithmetic(global float *y, global const float *x, int steps) {
    int i = get_global_id(0);
    float value = x[i];
    for (int step = 0; step < steps; step++) {
        value = value * 0.999f + 0.25f;
    }
    y[i] = value;
}

kernel void floats(global float *out, global const float *in, ulong n) {
    EACH(i, n / 4) out[i] = in[i] + 1.0f;
}

kernel void vectors(global float4 *out, global const float4 *in, ulong n) {
    EACH(i, n / 16) out[i] = in[i].wzyx;
}

kernel void doubles(global double *out, global const double *in, ulong n) {
    EACH(i, n / 8) out[i] = in[i] + 1.0;
}

kernel void bytes(global uchar *out, global const uchar *in, ulong n) {
    EACH(i, n) out[i] = in[i] + 1;
}

kernel void strided(global uint *out, global const uint *in, ulong n) {
    size_t rows = n / 4 / 1024;
    EACH(i, n / 4) {
        size_t k = i % rows * 1024 + i / rows;
        out[k] = in[k] + 1;
    }
}

kernel void scattered_floats(global float *out, global const float *in, ulong n) {
    EACH(i, n / 4) {
        size_t k = i * 40503 % (n / 4);
        out[k] = in[k] + 1.0f;
    }
}

kernel void scattered_bytes(global uchar *out, global const uchar *in, ulong n) {
    EACH(i, n) out[i * 40503 % n] = in[i * 10007 % n] + 1;
}

kernel void histogram(global uint *out, global const uint *in, ulong n) {
    EACH(i, n / 4) atomic_inc(out + in[i] % (n / 4));
}

kernel void shared_histogram(global uint *out, global const uint *in, ulong n) {
    local uint counts[256];
    counts[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    EACH(i, n / 4) atomic_inc(&counts[in[i] % 256]);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(out + get_local_id(0), counts[get_local_id(0)]);
}

kernel void transpose(global float *out, global const float *in, ulong n) {
    local float tile[16][17];
    uint x = get_local_id(0) % 16, y = get_local_id(0) / 16;
    const uint side = 2048, tiles = side / 16;
    for (uint t = get_group_id(0); t < tiles * tiles; t += get_num_groups(0)) {
        uint row = t / tiles * 16, column = t % tiles * 16;
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[y][x] = in[(row + y) * side + column + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[(column + y) * side + row + x] = tile[x][y];
    }
}

kernel void sort(global uint *out, global const uint *in, ulong n) {
    local uint s[256];
    uint t = get_local_id(0);
    for (size_t base = get_group_id(0) * 256; base < n / 64; base += get_num_groups(0) * 256) {
        s[t] = in[base + t] * 2654435761u;
        for (uint size = 2; size <= 256; size *= 2)
            for (uint step = size / 2; step > 0; step /= 2) {
                barrier(CLK_LOCAL_MEM_FENCE);
                uint other = t ^ step;
                if (other > t) {
                    uint a = s[t], b = s[other];
                    if ((a > b) == ((t & size) == 0)) {
                        s[t] = b;
                        s[other] = a;
                    }
                }
            }
        barrier(CLK_LOCAL_MEM_FENCE);
        out[base + t] = s[t];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

kernel void local_array(global uint *out, global const uint *in, ulong n) {
    EACH(i, n / 64) {
        uint ring[16], sum = 0;
        for (uint k = 0; k < 16; k++) ring[k] = in[i] + k;
        for (uint k = 0; k < 64; k++) sum += ring[(sum + k) % 16];
        out[i] = sum;
    }
}

kernel void divergent(global uint *out, global const uint *in, ulong n) {
    EACH(i, n / 64) {
        uint value = in[i] % 97 + 2, steps = 0;
        while (value != 1 && steps < 100) {
            value = value % 2 ? 3 * value + 1 : value / 2;
            steps++;
        }
        out[i] = steps;
    }
}

kernel void product(global float *c, global const float *a, global const float *b, int side) {
    local float as[16][16], bs[16][16];
    int x = get_local_id(0), y = get_local_id(1), row = get_group_id(1) * 16 + y, column = get_group_id(0) * 16 + x;
    float sum = 0.0f;
    for (int first = 0; first < side; first += 16) {
        as[y][x] = a[row * side + first + x];
        bs[y][x] = b[(first + y) * side + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++) sum += as[y][k] * bs[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * side + column] = sum;
}
