/* kernels.cl - the same work as kernels.cu, for Oclgrind and PoCL. */
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
