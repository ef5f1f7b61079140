/* nvcc only: sort, reduce and scan of Thrust. */
#include "sample.h"

#include <algorithm>
#include <numeric>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

int main() {
    const int n = 3000;
    std::vector<int> values(n);
    for (int i = 0; i < n; i++) values[i] = (i * 7919) % 4001 - 2000;
    std::vector<int> want = values;
    std::sort(want.begin(), want.end());
    int sum = std::accumulate(want.begin(), want.end(), 0);
    std::partial_sum(want.begin(), want.end(), want.begin());
    want.push_back(sum);
    thrust::device_vector<int> device(values.begin(), values.end());
    thrust::sort(device.begin(), device.end());
    int total = thrust::reduce(device.begin(), device.end());
    thrust::inclusive_scan(device.begin(), device.end(), device.begin());
    std::vector<int> got(n);
    thrust::copy(device.begin(), device.end(), got.begin());
    got.push_back(total);
    return verdict(got, want);
}
