// right.cu - every function of our cuBLAS against loops on the host. With nvcc's headers it is the same program.
#include <cublas_v2.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                                          \
    if (int status = (int)(call)) {                                                                          \
        printf("line %d: %s returns %d\n", __LINE__, #call, status);                                         \
        exit(1);                                                                                             \
    }

static int wrong;

static void same(const char *what, double got, double wanted, double error = 1e-5) {
    if (std::fabs(got - wanted) <= error * (1 + std::fabs(wanted))) return;
    wrong++;
    printf("%s: %g, not %g\n", what, got, wanted);
}

template <typename T> struct Array {
    std::vector<T> host;
    T *device;
    explicit Array(int n, int seed = 1) : host(n) {
        for (int i = 0; i < n; i++)
            host[i] = T(float((i * 37 + seed * 11) % 17 - 8) / 4);
        CHECK(cudaMalloc(&device, n * sizeof(T)));
        CHECK(cudaMemcpy(device, host.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~Array() { cudaFree(device); }
    std::vector<T> fetch() const {
        std::vector<T> back(host.size());
        CHECK(cudaMemcpy(back.data(), device, back.size() * sizeof(T), cudaMemcpyDeviceToHost));
        return back;
    }
};

// Where the three matrices of a batch lie, in device memory: the last one first, as their order is the pointers'.
template <typename T> struct Places {
    T **device;
    Places(T *first, long long distance) {
        T *host[] = {first + 2 * distance, first + distance, first};
        CHECK(cudaMalloc(&device, sizeof host));
        CHECK(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
    }
    ~Places() { cudaFree(device); }
};

// One element of op(X) as it lies in memory.
template <typename T> static double at(const T *x, cublasOperation_t op, int row, int column, int lead) {
    return double(float(op == CUBLAS_OP_N ? x[row + column * lead] : x[column + row * lead]));
}

struct Case {
    cublasOperation_t a, b;
    int m, n, k, lda, ldb, ldc, batches;
};

template <typename In, typename Out, typename Call>
static void product(const char *name, Case c, double alpha, double beta, double error, Call call) {
    int size_a = c.lda * (c.a == CUBLAS_OP_N ? c.k : c.m), size_b = c.ldb * (c.b == CUBLAS_OP_N ? c.n : c.k);
    int size_c = c.ldc * c.n;
    Array<In> a(size_a * c.batches, 1), b(size_b * c.batches, 2);
    Array<Out> out(size_c * c.batches, 3);
    CHECK(call(a.device, (long long)size_a, b.device, (long long)size_b, out.device, (long long)size_c));
    std::vector<Out> got = out.fetch();
    for (int batch = 0; batch < c.batches; batch++)
        for (int j = 0; j < c.n; j++)
            for (int i = 0; i < c.m; i++) {
                double sum = 0;
                for (int l = 0; l < c.k; l++)
                    sum += at(&a.host[batch * size_a], c.a, i, l, c.lda) * at(&b.host[batch * size_b], c.b, l, j, c.ldb);
                int place = batch * size_c + i + j * c.ldc;
                same(name, double(float(got[place])), alpha * sum + beta * double(float(out.host[place])), error);
            }
}

static void products(cublasHandle_t handle) {
    const Case cases[] = {{CUBLAS_OP_N, CUBLAS_OP_N, 133, 18, 7, 140, 9, 133, 1},
                          {CUBLAS_OP_T, CUBLAS_OP_N, 5, 17, 9, 9, 9, 6, 1},
                          {CUBLAS_OP_N, CUBLAS_OP_T, 33, 3, 1, 33, 3, 40, 1},
                          {CUBLAS_OP_T, CUBLAS_OP_T, 1, 1, 20, 20, 1, 1, 1}};
    float alpha = 1.5f, beta = -0.5f, zero = 0;
    double wide_alpha = 2, wide_beta = 0.25;
    __half half_alpha = 2.0f, half_beta = 1.0f;
    for (const Case &c : cases) {
        product<float, float>("Sgemm", c, 1.5, -0.5, 1e-5, [&](const float *a, long long, const float *b, long long, float *out, long long) {
            return cublasSgemm(handle, c.a, c.b, c.m, c.n, c.k, &alpha, a, c.lda, b, c.ldb, &beta, out, c.ldc);
        });
        product<double, double>("Dgemm", c, 2, 0.25, 1e-12, [&](const double *a, long long, const double *b, long long, double *out, long long) {
            return cublasDgemm(handle, c.a, c.b, c.m, c.n, c.k, &wide_alpha, a, c.lda, b, c.ldb, &wide_beta, out, c.ldc);
        });
        product<__half, __half>("Hgemm", c, 2, 1, 1e-2, [&](const __half *a, long long, const __half *b, long long, __half *out, long long) {
            return cublasHgemm(handle, c.a, c.b, c.m, c.n, c.k, &half_alpha, a, c.lda, b, c.ldb, &half_beta, out, c.ldc);
        });
        product<__nv_bfloat16, __nv_bfloat16>("GemmEx bfloat16", c, 1.5, 0, 2e-2, [&](const void *a, long long, const void *b, long long, void *out, long long) {
            return cublasGemmEx(handle, c.a, c.b, c.m, c.n, c.k, &alpha, a, CUDA_R_16BF, c.lda, b, CUDA_R_16BF, c.ldb, &zero, out,
                                CUDA_R_16BF, c.ldc, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
        });
        product<__half, float>("GemmEx half to float", c, 1.5, -0.5, 1e-5, [&](const void *a, long long, const void *b, long long, void *out, long long) {
            return cublasGemmEx(handle, c.a, c.b, c.m, c.n, c.k, &alpha, a, CUDA_R_16F, c.lda, b, CUDA_R_16F, c.ldb, &beta, out,
                                CUDA_R_32F, c.ldc, CUDA_R_32F, CUBLAS_GEMM_DEFAULT_TENSOR_OP);
        });
        Case many = c;
        many.batches = 3;
        product<float, float>("SgemmStridedBatched", many, 1.5, -0.5, 1e-5, [&](const float *a, long long sa, const float *b, long long sb, float *out, long long sc) {
            return cublasSgemmStridedBatched(handle, c.a, c.b, c.m, c.n, c.k, &alpha, a, c.lda, sa, b, c.ldb, sb, &beta, out, c.ldc, sc, 3);
        });
        product<__half, __half>("GemmStridedBatchedEx", many, 2, 1, 1e-2, [&](const void *a, long long sa, const void *b, long long sb, void *out, long long sc) {
            return cublasGemmStridedBatchedEx(handle, c.a, c.b, c.m, c.n, c.k, &half_alpha, a, CUDA_R_16F, c.lda, sa, b, CUDA_R_16F, c.ldb, sb,
                                              &half_beta, out, CUDA_R_16F, c.ldc, sc, 3, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
        });
        product<float, float>("SgemmBatched", many, 1.5, -0.5, 1e-5, [&](const float *a, long long sa, const float *b, long long sb, float *out, long long sc) {
            Places<const float> all_a(a, sa), all_b(b, sb);
            Places<float> all_out(out, sc);
            return cublasSgemmBatched(handle, c.a, c.b, c.m, c.n, c.k, &alpha, all_a.device, c.lda, all_b.device, c.ldb, &beta, all_out.device, c.ldc, 3);
        });
        product<double, double>("DgemmBatched", many, 2, 0.25, 1e-12, [&](const double *a, long long sa, const double *b, long long sb, double *out, long long sc) {
            Places<const double> all_a(a, sa), all_b(b, sb);
            Places<double> all_out(out, sc);
            return cublasDgemmBatched(handle, c.a, c.b, c.m, c.n, c.k, &wide_alpha, all_a.device, c.lda, all_b.device, c.ldb, &wide_beta, all_out.device, c.ldc, 3);
        });
        product<__half, __half>("HgemmBatched", many, 2, 1, 1e-2, [&](const __half *a, long long sa, const __half *b, long long sb, __half *out, long long sc) {
            Places<const __half> all_a(a, sa), all_b(b, sb);
            Places<__half> all_out(out, sc);
            return cublasHgemmBatched(handle, c.a, c.b, c.m, c.n, c.k, &half_alpha, all_a.device, c.lda, all_b.device, c.ldb, &half_beta, all_out.device, c.ldc, 3);
        });
        product<__half, float>("GemmBatchedEx", many, 1.5, -0.5, 1e-5, [&](const __half *a, long long sa, const __half *b, long long sb, float *out, long long sc) {
            Places<const __half> all_a(a, sa), all_b(b, sb);
            Places<float> all_out(out, sc);
            return cublasGemmBatchedEx(handle, c.a, c.b, c.m, c.n, c.k, &alpha, (const void *const *)all_a.device, CUDA_R_16F, c.lda,
                                       (const void *const *)all_b.device, CUDA_R_16F, c.ldb, &beta, (void *const *)all_out.device, CUDA_R_32F,
                                       c.ldc, 3, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
        });
    }
}

static void vectors(cublasHandle_t handle) {
    const int n = 300, step = 3;
    Array<float> x(n * step, 4), y(n, 5);
    float alpha = 0.5f, number = 0;
    double sum = 0, squares = 0, magnitudes = 0;
    int largest = 0, smallest = 0, place = 0;
    for (int i = 0; i < n; i++) {
        double value = x.host[i * step], best = std::fabs(x.host[largest * step]), least = std::fabs(x.host[smallest * step]);
        sum += value * y.host[n - 1 - i];
        squares += value * value;
        magnitudes += std::fabs(value);
        if (std::fabs(value) > best) largest = i;
        if (std::fabs(value) < least) smallest = i;
    }
    CHECK(cublasSdot(handle, n, x.device, step, y.device, -1, &number));
    same("Sdot backwards", number, sum);
    CHECK(cublasSnrm2(handle, n, x.device, step, &number));
    same("Snrm2", number, std::sqrt(squares));
    CHECK(cublasSasum(handle, n, x.device, step, &number));
    same("Sasum", number, magnitudes);
    CHECK(cublasIsamax(handle, n, x.device, step, &place));
    same("Isamax", place, largest + 1);
    CHECK(cublasIsamin(handle, n, x.device, step, &place));
    same("Isamin", place, smallest + 1);
    CHECK(cublasSaxpy(handle, n, &alpha, x.device, step, y.device, 1));
    std::vector<float> sums = y.fetch();
    for (int i = 0; i < n; i++)
        same("Saxpy", sums[i], 0.5 * x.host[i * step] + y.host[i]);
    CHECK(cublasSscal(handle, n, &alpha, y.device, 1));
    CHECK(cublasSswap(handle, n, x.device, step, y.device, 1));
    CHECK(cublasScopy(handle, 1, x.device, 1, y.device + 1, 1));
    std::vector<float> scaled = x.fetch(), swapped = y.fetch();
    for (int i = 0; i < n; i++) {
        same("Sscal and Sswap", scaled[i * step], 0.5 * sums[i]);
        same("Sswap and Scopy", swapped[i], i == 1 ? 0.5 * sums[0] : x.host[i * step]);
    }
    CHECK(cublasSdot(handle, 0, x.device, 1, y.device, 1, &number));
    same("Sdot of nothing", number, 0);
}

// Scalars and results on the device, in a stream of the program's own.
static void on_the_device(cublasHandle_t handle) {
    cudaStream_t stream, kept;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cublasSetStream(handle, stream));
    CHECK(cublasGetStream(handle, &kept));
    CHECK(kept != stream);
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    Array<double> x(100, 6), numbers(3, 1);
    CHECK(cublasDnrm2(handle, 100, x.device, 1, numbers.device));
    CHECK(cublasDscal(handle, 100, numbers.device, x.device, 1));
    CHECK(cublasDdot(handle, 100, x.device, 1, x.device, 1, numbers.device + 1));
    CHECK(cudaStreamSynchronize(stream));
    double square = 0;
    for (double value : x.host)
        square += value * value;
    same("Dnrm2, Dscal and Ddot", numbers.fetch()[1], square * square, 1e-12);
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    CHECK(cublasSetStream(handle, NULL));
    CHECK(cudaStreamDestroy(stream));
}

static void matrix_and_vector(cublasHandle_t handle) {
    const int m = 40, n = 6, lda = 41;
    Array<double> a(lda * n, 1), x(n, 2), y(m, 3);
    double alpha = 2, beta = -1;
    CHECK(cublasDgemv(handle, CUBLAS_OP_N, m, n, &alpha, a.device, lda, x.device, -1, &beta, y.device, 1));
    std::vector<double> got = y.fetch();
    for (int i = 0; i < m; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += a.host[i + j * lda] * x.host[n - 1 - j];
        same("Dgemv", got[i], 2 * sum - y.host[i], 1e-12);
    }
    CHECK(cublasDgemv(handle, CUBLAS_OP_T, m, n, &alpha, a.device, lda, y.device, 1, &beta, x.device, 1));
    CHECK(cublasDger(handle, m, n, &alpha, y.device, 1, x.device, 1, a.device, lda));
    std::vector<double> row = x.fetch(), sum = a.fetch();
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            same("Dger", sum[i + j * lda], a.host[i + j * lda] + 2 * got[i] * row[j], 1e-12);
    Array<double> turned(n * m, 9);
    double one = 1, zero = 0;
    CHECK(cublasDgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, m, &one, a.device, lda, &zero, turned.device, n, turned.device, n));
    std::vector<double> columns = turned.fetch();
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            same("Dgeam", columns[j + i * n], sum[i + j * lda], 0);
}

int main() {
    cublasHandle_t handle;
    CHECK(cublasCreate(&handle));
    CHECK(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH));
    cublasMath_t mode;
    CHECK(cublasGetMathMode(handle, &mode));
    CHECK(mode != CUBLAS_TF32_TENSOR_OP_MATH);
    CHECK(strcmp(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE), "CUBLAS_STATUS_INVALID_VALUE"));
    products(handle);
    vectors(handle);
    on_the_device(handle);
    matrix_and_vector(handle);
    float whole[12], back[12] = {0}, *device;
    for (int i = 0; i < 12; i++)
        whole[i] = float(i);
    CHECK(cudaMalloc(&device, sizeof whole));
    CHECK(cublasSetMatrix(3, 3, 4, whole, 4, device, 3));
    CHECK(cublasGetMatrix(3, 3, 4, device, 3, back, 3));
    same("Set and GetMatrix", back[5], 6);
    CHECK(cublasSetVector(3, 4, whole, 2, device, 1));
    CHECK(cublasGetVector(3, 4, device, 1, back, 3));
    same("Set and GetVector", back[6], 4);
    CHECK(cudaFree(device));
    CHECK(cublasDestroy(handle));
    printf("%d wrong\n", wrong);
}
