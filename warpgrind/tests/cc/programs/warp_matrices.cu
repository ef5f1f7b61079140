// nvcuda::wmma and dot products of bytes: products of small matrices, of each kind of element and each shape, against the host.
#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>
#include <type_traits>
#ifdef __clang__
#include <sm_61_intrinsics.h>
#endif
using namespace nvcuda;

template <typename T, typename Kind, int m, int n, int k, typename LA, typename LB, typename D>
__global__ void multiply(const T *a, const T *b, D *c, wmma::layout_t layout) {
    wmma::fragment<wmma::matrix_a, m, n, k, Kind, LA> fa;
    wmma::fragment<wmma::matrix_b, m, n, k, Kind, LB> fb;
    wmma::fragment<wmma::accumulator, m, n, k, D> fc, fd;
    wmma::fill_fragment(fd, (D)0);
    wmma::load_matrix_sync(fc, c, layout == wmma::mem_row_major ? n : m, layout);
    wmma::load_matrix_sync(fa, a, 32);
    wmma::load_matrix_sync(fb, b, 32);
    wmma::mma_sync(fd, fa, fb, fc);
    for (int i = 0; i < fd.num_elements; i++) fd.x[i] = fd.x[i] + (D)1;
    wmma::store_matrix_sync(c, fd, layout == wmma::mem_row_major ? n : m, layout);
}

// Elements a[i][j] with a leading dimension of 32, in rows or columns.
template <typename T, typename Kind, int m, int n, int k, bool rows_a, bool rows_b, typename D> static void check(const char *name) {
    T *a, *b;
    D *c;
    cudaMallocManaged(&a, 32 * 32 * sizeof(T));
    cudaMallocManaged(&b, 32 * 32 * sizeof(T));
    cudaMallocManaged(&c, m * n * sizeof(D));
    for (int i = 0; i < 32 * 32; i++) {
        a[i] = (T)(float)(i * 7 % 11 - 5);
        b[i] = (T)(float)(i * 5 % 13 - 6);
    }
    for (int i = 0; i < m * n; i++) c[i] = (D)(i % 17);
    wmma::layout_t layout = rows_a ? wmma::mem_row_major : wmma::mem_col_major;
    typedef typename std::conditional<rows_a, wmma::row_major, wmma::col_major>::type LA;
    typedef typename std::conditional<rows_b, wmma::row_major, wmma::col_major>::type LB;
    double want[m * n];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            int at = rows_a ? i * n + j : j * m + i;
            want[at] = (double)(at % 17) + 1;
            for (int l = 0; l < k; l++)
                want[at] += (double)(float)a[rows_a ? i * 32 + l : l * 32 + i] * (double)(float)b[rows_b ? l * 32 + j : j * 32 + l];
        }
    multiply<T, Kind, m, n, k, LA, LB, D><<<1, 32>>>(a, b, c, layout);
    if (cudaDeviceSynchronize() != cudaSuccess) exit(1);
    int wrong = 0;
    for (int i = 0; i < m * n; i++) wrong += (double)(float)c[i] != want[i];
    printf("%s %d x %d x %d: %d wrong\n", name, m, n, k, wrong);
    if (wrong) exit(1);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}

__global__ void dots(int *out) {
    out[0] = __dp4a(0x01ff7f80, 0x02030405, 10);
    out[1] = (int)__dp4a(0x01ff7f80u, 0x02030405u, 10u);
    out[2] = __dp2a_lo((int)0xffff0002, 0x02030405, 1);
    out[3] = __dp2a_hi((int)0xffff0002, 0x02030405, 1);
    out[4] = __dp4a(make_char4(1, -2, 3, -4), make_char4(5, 6, 7, 8), 100);
    out[5] = (int)__dp2a_hi(make_ushort2(1, 2), make_uchar4(1, 2, 3, 4), 5u);
    out[6] = __float_as_int(wmma::__float_to_tf32(1.0009766f));
}

int main() {
    check<half, half, 16, 16, 16, true, true, float>("half");
    check<half, half, 16, 16, 16, true, false, float>("half");
    check<half, half, 16, 16, 16, false, false, half>("half");
    check<half, half, 32, 8, 16, true, true, float>("half");
    check<half, half, 8, 32, 16, false, true, float>("half");
    check<__nv_bfloat16, __nv_bfloat16, 16, 16, 16, true, true, float>("bfloat16");
    check<float, wmma::precision::tf32, 16, 16, 8, true, false, float>("tf32");
    check<double, double, 8, 8, 4, true, true, double>("double");
    check<signed char, signed char, 16, 16, 16, true, true, int>("int8");
    int *out;
    cudaMallocManaged(&out, 7 * sizeof(int));
    dots<<<1, 1>>>(out);
    if (cudaDeviceSynchronize() != cudaSuccess) exit(1);
    const int want[7] = {-123, 1925, 7, 5, 82, 16, 0x3f802000};
    for (int i = 0; i < 7; i++)
        if (out[i] != want[i]) {
            printf("dots[%d] = %d\n", i, out[i]);
            exit(1);
        }
    cudaFree(out);
    return 0;
}
