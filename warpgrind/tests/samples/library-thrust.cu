/* What Thrust does with a device_vector: sort, by key as well, reduce, reduce by key, scans, transform_reduce, unique,
 * copy_if, and an iterator that makes its values. */
#include "sample.h"

#include <algorithm>
#include <numeric>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

struct Square {
    __host__ __device__ int operator()(int a) const { return a * a; }
};
struct Odd {
    __host__ __device__ bool operator()(int a) const { return a & 1; }
};
struct Larger {
    __host__ __device__ bool operator()(int a, int b) const { return a > b; }
};

static std::vector<int> everything, want;

template <typename Iterator> static void collect(Iterator first, Iterator last) {
    std::vector<int> values(last - first);
    thrust::copy(first, last, values.begin());
    everything.insert(everything.end(), values.begin(), values.end());
}

static void expect(const std::vector<int> &values) { want.insert(want.end(), values.begin(), values.end()); }

static void sorts(const std::vector<int> &in) {
    thrust::device_vector<int> device(in.begin(), in.end()), places(in.size());
    thrust::sequence(places.begin(), places.end());
    thrust::stable_sort_by_key(device.begin(), device.end(), places.begin(), Larger());
    collect(places.begin(), places.end());
    thrust::sort(device.begin(), device.end());
    collect(device.begin(), device.end());
    std::vector<int> order(in.size()), sorted(in);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return in[a] > in[b]; });
    expect(order);
    std::sort(sorted.begin(), sorted.end());
    expect(sorted);
}

static void sums(const std::vector<int> &in) {
    thrust::device_vector<int> device(in.begin(), in.end()), out(in.size());
    everything.push_back(thrust::reduce(device.begin(), device.end()));
    everything.push_back(thrust::transform_reduce(device.begin(), device.end(), Square(), 0, thrust::plus<int>()));
    everything.push_back(thrust::reduce(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(1000)));
    thrust::inclusive_scan(device.begin(), device.end(), out.begin());
    collect(out.begin(), out.end());
    thrust::exclusive_scan(device.begin(), device.end(), out.begin());
    collect(out.begin(), out.end());
    std::vector<int> sum(in.size());
    std::partial_sum(in.begin(), in.end(), sum.begin());
    want.push_back(sum.back());
    want.push_back(std::inner_product(in.begin(), in.end(), in.begin(), 0));
    want.push_back(999 * 500);
    expect(sum);
    std::rotate(sum.begin(), sum.end() - 1, sum.end());
    sum[0] = 0;
    expect(sum);
}

static void runs(const std::vector<int> &keys, const std::vector<int> &in) {
    thrust::device_vector<int> key(keys.begin(), keys.end()), value(in.begin(), in.end());
    thrust::device_vector<int> key_out(keys.size()), value_out(keys.size());
    auto ends =
        thrust::reduce_by_key(key.begin(), key.end(), value.begin(), key_out.begin(), value_out.begin());
    collect(key_out.begin(), ends.first);
    collect(value_out.begin(), ends.second);
    collect(key.begin(), thrust::unique(key.begin(), key.end()));
    std::vector<int> heads, sums;
    for (size_t i = 0; i < keys.size(); i++) {
        if (i == 0 || keys[i] != keys[i - 1]) {
            heads.push_back(keys[i]);
            sums.push_back(0);
        }
        sums.back() += in[i];
    }
    expect(heads);
    expect(sums);
    expect(heads);
}

static void choice(const std::vector<int> &in) {
    thrust::device_vector<int> device(in.begin(), in.end()), out(in.size()), square(in.size());
    collect(out.begin(), thrust::copy_if(device.begin(), device.end(), out.begin(), Odd()));
    thrust::transform(device.begin(), device.end(), square.begin(), Square());
    thrust::transform(device.begin(), device.end(), square.begin(), out.begin(), thrust::minus<int>());
    collect(out.begin(), out.end());
    for (int value : in)
        if (value & 1) want.push_back(value);
    for (int value : in)
        want.push_back(value - value * value);
}

int main() {
    const int n = 3001;
    std::vector<int> values(n), keys(n);
    for (int i = 0; i < n; i++) {
        values[i] = (i * 7919) % 401 - 200;
        keys[i] = i / 7 % 5 + (i > 2000);
    }
    sorts(values);
    sums(values);
    runs(keys, values);
    choice(values);
    return verdict(everything, want);
}
