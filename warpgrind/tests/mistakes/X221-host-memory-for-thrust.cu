/* Thrust runs on the device with memory of the host. The launch stands a dozen calls deep in its headers: the line to name is the program's. */
#include "mistake.h"

#include <exception>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

int main() {
    std::vector<int> h(100, 1);
    {
        thrust::device_vector<int> d(h);
        printf("%d\n", thrust::reduce(d.begin(), d.end()));
    }
    int sum = 0;
    try {
        sum = thrust::reduce(thrust::device, h.data(), h.data() + 100); // expect: host-device-pointer // first
    } catch (const std::exception &problem) {
        printf("%s\n", problem.what());
    }
    printf("%d\n", sum);
}
