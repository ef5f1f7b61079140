/* driver.cu - calls the learner's smooth_rounds in a stream that neither waits for the default stream nor is
 * waited for by it, some cases in two streams at once.
 *
 * The input comes and the result goes in the same stream, so that only work in that stream is in order with
 * them. Some cases read the input in another stream meanwhile: who writes to it is in that one's way, also when
 * what was there is put back. The result is copied back last, as the judge asks who wrote the last copy.
 */
#include "lessons/common/driver.h"

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

void smooth_rounds(float *d_out, const float *d_in, int n, int rounds, cudaStream_t stream);

typedef struct Call {
    float *h_out, *h_back, *d_out, *d_in;
    size_t n;
    cudaStream_t stream, reader; /* the reader's only where the input is read meanwhile */
} Call;

static void need(cudaError_t status) {
    if (status == cudaSuccess) return;
    fprintf(stderr, "driver: the CUDA runtime reports %s\n", cudaGetErrorString(status));
    exit(71);
}

static void ask_for(DriverCase *driven, Call *call, const char *input, int rounds, bool look_again) {
    const float *h_in = driver_pinned_input(driven, input, &call->n);
    const size_t bytes = call->n * sizeof(float);
    call->h_out = driver_pinned_poisoned(driven, call->n);
    call->h_back = driver_pinned_poisoned(driven, call->n);
    call->d_in = driver_device_poisoned(driven, call->n);
    call->d_out = driver_device_poisoned(driven, call->n);
    call->stream = driver_stream(driven);
    if (bytes > 0) need(cudaMemcpyAsync(call->d_in, h_in, bytes, cudaMemcpyHostToDevice, call->stream));
    if (look_again) need(cudaStreamSynchronize(call->stream));
    smooth_rounds(call->d_out, call->d_in, (int)call->n, rounds, call->stream);
    call->reader = look_again ? driver_stream(driven) : nullptr;
    if (bytes > 0 && look_again)
        need(cudaMemcpyAsync(call->h_back, call->d_in, bytes, cudaMemcpyDeviceToHost, call->reader));
    if (bytes > 0)
        need(cudaMemcpyAsync(call->h_out, call->d_out, bytes, cudaMemcpyDeviceToHost, call->stream));
}

void driver_case(DriverCase *driven) {
    const int rounds = driver_input_int(driven, "rounds");
    const bool two = driver_input_int(driven, "calls") > 1;
    const bool look_again = driver_input_int(driven, "look_again") != 0;
    Call first, second;
    ask_for(driven, &first, "in", rounds, look_again);
    if (two) ask_for(driven, &second, "others", rounds, false);
    if (look_again) need(cudaStreamSynchronize(first.reader));
    need(cudaStreamSynchronize(first.stream));
    if (two) need(cudaStreamSynchronize(second.stream));
    driver_answer_floats(driven, "out", first.h_out, first.n);
    if (look_again) driver_answer_floats(driven, "in", first.h_back, first.n);
    if (two) driver_answer_floats(driven, "second", second.h_out, second.n);
}
