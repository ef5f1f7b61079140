/* Option prices by the formula of Black and Scholes, and by a binomial tree in shared memory: they must nearly agree. */
#include "sample.h"

enum { STEPS = 255 };

__device__ float normal_below(float x) {
    return 0.5f * erfcf(-x * 0.70710678f);
}

__global__ void formula(float *price, const float *stock, const float *strike, float rate, float volatility, float years, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float spread = volatility * sqrtf(years);
    float d1 = (__logf(stock[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years) / spread, d2 = d1 - spread;
    price[i] = stock[i] * normal_below(d1) - strike[i] * __expf(-rate * years) * normal_below(d2);
}

/* One block an option, one thread a leaf; level by level the values fold back to the root. */
__global__ void binomial(float *price, const float *stock, const float *strike, float rate, float volatility, float years) {
    __shared__ float values[STEPS + 1];
    const float dt = years / STEPS, up = expf(volatility * sqrtf(dt)), grow = expf(rate * dt);
    const float chance = (grow - 1 / up) / (up - 1 / up), s = stock[blockIdx.x], k = strike[blockIdx.x];
    const int i = threadIdx.x;
    values[i] = fmaxf(s * powf(up, (float)(2 * i - STEPS)) - k, 0.0f);
    for (int level = STEPS; level > 0; level--) {
        __syncthreads();
        float higher = i < level ? values[i + 1] : 0;
        __syncthreads();
        if (i < level) values[i] = (chance * higher + (1 - chance) * values[i]) / grow;
    }
    if (i == 0) price[blockIdx.x] = values[0];
}

int main() {
    const int n = 20;
    std::vector<float> stock(n), strike(n);
    for (int i = 0; i < n; i++) {
        stock[i] = 20.0f + (float)i;
        strike[i] = 25.0f + 0.5f * (float)i;
    }
    float *d_stock = to_device(stock), *d_strike = to_device(strike), *d_price = nullptr;
    CHECK(cudaMalloc(&d_price, 2 * n * sizeof(float)));
    formula<<<1, 32>>>(d_price, d_stock, d_strike, 0.02f, 0.3f, 1.0f, n);
    CHECK(cudaGetLastError());
    binomial<<<n, STEPS + 1>>>(d_price + n, d_stock, d_strike, 0.02f, 0.3f, 1.0f);
    CHECK(cudaGetLastError());
    std::vector<float> prices = to_host(d_price, 2 * n), want(prices.begin(), prices.begin() + n), got(prices.begin() + n, prices.end());
    for (float *p : {d_stock, d_strike, d_price}) CHECK(cudaFree(p));
    if (!(fabs(want[0] - 0.9966f) < 0.02f)) return printf("wrong: %g\n", want[0]), 1;
    return verdict(got, want, 0.02);
}
