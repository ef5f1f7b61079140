/* opencl_speed.c - processor time of kernels.cl on whatever OpenCL platform is there: PoCL's native code, or
 * Oclgrind when this program runs under `oclgrind`.
 *
 * opencl_speed PLATFORM KERNELS.cl NAME...: for each shape of shapes.def that is named a line "opencl <tab>
 * platform <tab> name <tab> - <tab> least seconds of the processor <tab> 0". Exit 1: no such platform, or no
 * such kernel, which is said on stderr.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "bench/plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 5, MOST_SOURCE = 65536 };

static _Noreturn void give_up(const char *what, cl_int code) {
    fprintf(stderr, "opencl_speed: %s (%d)\n", what, code);
    exit(3);
}

/** The first platform whose name has the word in it. */
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

/** Three buffers: what is written, what is read, and its second half, which a parameter of its own names. */
typedef struct Buffers {
    cl_mem out, in, half;
} Buffers;

static Buffers make_buffers(cl_context context, void *words) {
    cl_int code[3];
    cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
    cl_buffer_region region = {SHAPE_BYTES / 2, SHAPE_BYTES / 2};
    Buffers made = {.out = clCreateBuffer(context, flags, SHAPE_BYTES, words, &code[0]),
                    .in = clCreateBuffer(context, flags, SHAPE_BYTES, words, &code[1])};
    made.half = clCreateSubBuffer(made.in, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code[2]);
    for (int i = 0; i < 3; i++)
        if (code[i] != CL_SUCCESS) give_up("no buffer", code[i]);
    return made;
}

/** The letters of a shape's parameters, as shapes.def explains them. */
static void set_argument(cl_kernel kernel, cl_uint at, char letter, const Buffers *buffers) {
    const cl_ulong bytes = SHAPE_BYTES;
    if (letter == 'o')
        clSetKernelArg(kernel, at, sizeof(cl_mem), &buffers->out);
    else if (letter == 'i')
        clSetKernelArg(kernel, at, sizeof(cl_mem), &buffers->in);
    else if (letter == 'j')
        clSetKernelArg(kernel, at, sizeof(cl_mem), &buffers->half);
    else if (letter == 'n')
        clSetKernelArg(kernel, at, sizeof bytes, &bytes);
    else
        clSetKernelArg(kernel, at, sizeof(cl_int), &shape_numbers[letter - '0']);
}

static void run_kernel(cl_command_queue queue, cl_kernel kernel, const Shape *shape) {
    size_t local[2] = {shape->block[0], shape->block[1]};
    size_t global[2] = {(size_t)shape->grid[0] * local[0], (size_t)shape->grid[1] * local[1]};
    cl_int code = clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL);
    if (code != CL_SUCCESS) give_up("the kernel does not start", code);
    clFinish(queue);
}

/** The first run's answer is compared with plain C's: later ones may add to it. */
static double time_shape(cl_command_queue queue, cl_kernel kernel, const Shape *shape, const Buffers *buffers,
                         const void *words) {
    void *got = malloc(SHAPE_BYTES);
    double best = 1e9, spent = 0;
    for (int run = 0; run < RUNS && spent < 10.0; run++) {
        double start = shape_clock();
        run_kernel(queue, kernel, shape);
        double seconds = shape_clock() - start;
        if (seconds < best) best = seconds;
        spent += seconds;
        if (run > 0) continue;
        clEnqueueReadBuffer(queue, buffers->out, CL_TRUE, 0, SHAPE_BYTES, got, 0, NULL, NULL);
        if (!plain_verify(shape, got, words)) give_up("wrong answer", 0);
    }
    free(got);
    return best;
}

/** LIMIT: a source of MOST_SOURCE bytes, several times what kernels.cl has. */
static cl_program build_program(cl_context context, cl_device_id device, const char *path) {
    FILE *file = fopen(path, "r");
    char *source = calloc(1, MOST_SOURCE);
    if (!file || !source || fread(source, 1, MOST_SOURCE - 1, file) == 0)
        give_up("cannot read the kernels", 0);
    fclose(file);
    cl_int code;
    cl_program program = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &code);
    code = clBuildProgram(program, 1, &device, "", NULL, NULL);
    if (code != CL_SUCCESS) give_up("the kernels do not compile", code);
    free(source);
    return program;
}

/** Each kernel gets fresh buffers, since the one before has written to them. */
int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: opencl_speed PLATFORM KERNELS.cl NAME...\n");
        return 2;
    }
    static uint32_t words[SHAPE_BYTES / 4];
    cl_int code;
    cl_device_id device = find_device(argv[1]);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    cl_program program = build_program(context, device, argv[2]);
    shape_fill(words);
    for (int i = 3; i < argc; i++) {
        const Shape *shape = shape_find(argv[i]);
        cl_kernel kernel = clCreateKernel(program, argv[i], &code);
        if (!shape || code != CL_SUCCESS) {
            fprintf(stderr, "opencl_speed: no kernel %s\n", argv[i]);
            return 1;
        }
        Buffers buffers = make_buffers(context, words);
        for (cl_uint at = 0; shape->parameters[at]; at++)
            set_argument(kernel, at, shape->parameters[at], &buffers);
        printf("opencl\t%s\t%s\t-\t%.9f\t0\n", argv[1], argv[i],
               time_shape(queue, kernel, shape, &buffers, words));
        fflush(stdout);
        clReleaseMemObject(buffers.half);
        clReleaseMemObject(buffers.in);
        clReleaseMemObject(buffers.out);
    }
    return 0;
}
