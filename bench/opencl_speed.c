/* opencl_speed.c - the same three kernels on whatever OpenCL platform is there: PoCL's native code, or
 * Oclgrind when this program runs under `oclgrind`.
 *
 * opencl_speed PLATFORM KERNELS.cl: lines "opencl <tab> platform <tab> work <tab> - <tab> seconds <tab> 0".
 * Exit 1: no such platform.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "bench/work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 5 };

static _Noreturn void give_up(const char *what, cl_int code) {
    fprintf(stderr, "opencl_speed: %s (%d)\n", what, code);
    exit(3);
}

static cl_device_id find_device(const char *wanted) {
    cl_platform_id platforms[8];
    cl_uint count = 0;
    clGetPlatformIDs(8, platforms, &count);
    for (cl_uint i = 0; i < count && i < 8; i++) {
        char name[256] = "";
        cl_device_id device;
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
        if (strstr(name, wanted) &&
            clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS) {
            return device;
        }
    }
    fprintf(stderr, "opencl_speed: no platform called %s\n", wanted);
    exit(1);
}

static cl_mem buffer_of(cl_context context, float *values, size_t bytes) {
    cl_int code;
    cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, values, &code);
    if (code != CL_SUCCESS) {
        give_up("no buffer", code);
    }
    return made;
}

static double time_kernel(cl_command_queue queue, cl_kernel kernel, size_t threads) {
    double best = 1e9;
    size_t local = WORK_BLOCK;
    double begun = work_clock();
    for (int run = 0; run < RUNS && (run == 0 || work_clock() - begun < 10.0); run++) {
        double start = work_clock();
        cl_int code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &threads, &local, 0, NULL, NULL);
        if (code != CL_SUCCESS) {
            give_up("the kernel does not start", code);
        }
        clFinish(queue);
        double seconds = work_clock() - start;
        best = seconds < best ? seconds : best;
    }
    return best;
}

static void set_arguments(cl_kernel kernel, int work, cl_mem z, cl_mem x, cl_mem y) {
    cl_int last = work == WORK_ARITHMETIC ? WORK_STEPS : (cl_int)work_table[work].threads;
    cl_uint at = 0;
    clSetKernelArg(kernel, at++, sizeof z, &z);
    clSetKernelArg(kernel, at++, sizeof x, &x);
    if (work == WORK_VECTOR_ADD) {
        clSetKernelArg(kernel, at++, sizeof y, &y);
    }
    if (work != WORK_TREE_SUM) {
        clSetKernelArg(kernel, at, sizeof last, &last);
    }
}

static char *read_source(const char *path) {
    FILE *file = fopen(path, "r");
    char *text = calloc(1, 65536);
    if (!file || !text || fread(text, 1, 65535, file) == 0) {
        give_up("cannot read the kernels", 0);
    }
    fclose(file);
    return text;
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: opencl_speed PLATFORM KERNELS.cl\n");
        return 2;
    }
    cl_int code;
    cl_device_id device = find_device(argv[1]);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    char *source = read_source(argv[2]);
    cl_program program = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &code);
    code = clBuildProgram(program, 1, &device, "", NULL, NULL);
    if (code != CL_SUCCESS) {
        give_up("the kernels do not compile", code);
    }
    size_t count = work_table[WORK_VECTOR_ADD].threads, bytes = count * sizeof(float);
    float *x = malloc(bytes), *z = calloc(1, bytes);
    work_fill(x, count);
    cl_mem d_x = buffer_of(context, x, bytes), d_y = buffer_of(context, x, bytes),
           d_z = buffer_of(context, z, bytes);
    for (int work = 0; work < WORK_COUNT; work++) {
        cl_kernel kernel = clCreateKernel(program, work_table[work].kernel, &code);
        set_arguments(kernel, work, d_z, d_x, d_y);
        double seconds = time_kernel(queue, kernel, work_table[work].threads);
        clEnqueueReadBuffer(queue, d_z, CL_TRUE, 0, bytes, z, 0, NULL, NULL);
        if (!work_verify(work, work_table[work].threads, z, x, x)) {
            give_up("wrong answer", 0);
        }
        printf("opencl\t%s\t%s\t-\t%.9f\t0\n", argv[1], work_table[work].name, seconds);
        fflush(stdout);
    }
    return 0;
}
