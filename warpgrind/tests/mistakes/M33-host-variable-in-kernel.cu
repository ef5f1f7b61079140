#include "mistake.h"

int factor = 3;

__global__ void scale(int *z) {
    z[threadIdx.x] *= factor; // expect: compile-error
}

int main() {
}
