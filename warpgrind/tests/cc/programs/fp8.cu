/* fp8.cu - every conversion of 8-bit floats, for all inputs of 8 and 16 bits and many of 32 and 64, as sums
 * over all the bits that come out: fp8.out is what nvcc's program prints. Kernels give what the host does. */
#include <cstdio>
#include <cstring>
#include <cuda_fp8.h>

static unsigned long long sum = 1469598103934665603ull;
static void add(unsigned long long bits) {
    sum = (sum ^ bits) * 1099511628211ull;
}
static void show(const char *what) {
    std::printf("%s %016llx\n", what, sum);
}

__global__ void convert(unsigned char *out, __nv_saturation_t saturate, __nv_fp8_interpretation_t how) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    __half_raw half;
    half.x = static_cast<unsigned short>(i);
    out[i] = __nv_cvt_halfraw_to_fp8(half, saturate, how);
}

template <typename Fp8, typename Pair, typename Four> static void types(const char *name) {
    for (unsigned i = 0; i < 256; i++) {
        Fp8 x;
        x.__x = static_cast<unsigned char>(i);
        float f = static_cast<float>(x);
        double d = static_cast<double>(x);
        unsigned bits;
        std::memcpy(&bits, &f, sizeof bits);
        add(bits);
        unsigned long long wide;
        std::memcpy(&wide, &d, sizeof wide);
        add(wide);
        add(__half_raw(static_cast<__half>(x)).x);
        add(__nv_bfloat16_raw(static_cast<__nv_bfloat16>(x)).x);
        add(static_cast<bool>(x));
        add(static_cast<unsigned long long>(static_cast<int>(x)));
        add(static_cast<unsigned>(x));
        add(static_cast<unsigned short>(static_cast<short>(x)));
        add(static_cast<unsigned short>(x));
        add(static_cast<unsigned long long>(static_cast<long long>(x)));
        add(static_cast<unsigned long long>(x));
    }
    show(name);
    for (int i = -70000; i < 70000; i += 7)
        add(Fp8(i).__x), add(Fp8(static_cast<long long>(i) * 3).__x), add(Fp8(static_cast<short>(i)).__x),
            add(Fp8(static_cast<unsigned>(i)).__x);
    for (unsigned i = 0; i < 65536; i += 3) {
        float a = static_cast<float>(i) / 64, b = -a / 3;
        add(Pair(make_float2(a, b)).__x);
        add(Four(make_float4(a, b, b * 7, a * 9)).__x);
        add(Pair(__floats2half2_rn(a, b)).__x);
        add(Pair(__floats2bfloat162_rn(a, b)).__x);
        float4 back = static_cast<float4>(Four(make_float4(a, b, b * 7, a * 9)));
        add(static_cast<unsigned long long>(
            static_cast<long long>(back.x * 1024 + back.y * 64 + back.z + back.w)));
    }
    show(name);
}

int main() {
    const __nv_saturation_t modes[] = {__NV_NOSAT, __NV_SATFINITE};
    const __nv_fp8_interpretation_t kinds[] = {__NV_E4M3, __NV_E5M2};
    unsigned char *device, *host = new unsigned char[65536];
    if (cudaMalloc(&device, 65536) != cudaSuccess) return 1;
    int wrong = 0;
    for (auto kind : kinds) {
        for (auto mode : modes) {
            for (unsigned i = 0; i < 65536; i++) {
                __half_raw half;
                half.x = static_cast<unsigned short>(i);
                __nv_bfloat16_raw brain;
                brain.x = half.x;
                host[i] = __nv_cvt_halfraw_to_fp8(half, mode, kind);
                add(host[i]);
                add(__nv_cvt_bfloat16raw_to_fp8(brain, mode, kind));
            }
            show("halves");
            unsigned long long state = 1;
            for (int i = 0; i < 300000; i++) {
                state = state * 6364136223846793005ull + 1442695040888963407ull;
                unsigned narrow = static_cast<unsigned>(state >> 32);
                if (i % 2) narrow = (narrow & 0x87ffffffu) | 0x38000000u;
                if (i % 8 == 5) narrow &= 0xfff00000u;
                unsigned long long wide = state ^ state >> 29;
                if (i % 2) wide = (wide & 0x80ffffffffffffffull) | 0x3f00000000000000ull;
                if (i % 8 == 3) wide &= 0xffff000000000000ull;
                float f;
                double d;
                std::memcpy(&f, &narrow, sizeof f);
                std::memcpy(&d, &wide, sizeof d);
                add(__nv_cvt_float_to_fp8(f, mode, kind));
                add(__nv_cvt_double_to_fp8(d, mode, kind));
            }
            show("floats");
            convert<<<256, 256>>>(device, mode, kind);
            unsigned char *back = new unsigned char[65536];
            if (cudaMemcpy(back, device, 65536, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
            for (unsigned i = 0; i < 65536; i++) /* a card may give another of the numbers that are none */
                wrong += back[i] != host[i] && (i & 0x7fff) <= 0x7c00;
            delete[] back;
        }
        for (unsigned i = 0; i < 256; i++)
            add(__nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(i), kind).x);
        show("back");
    }
    types<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>("e4m3");
    types<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>("e5m2");
    std::printf("%d wrong\n", wrong);
    delete[] host;
    cudaFree(device);
    return wrong;
}
