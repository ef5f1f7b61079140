#include "mistake.h"

struct Owner {
    int *p;
    explicit Owner(int n) { CHECK(cudaMalloc(&p, n * sizeof(int))); }
    ~Owner() { cudaFree(p); } // expect: api-misuse // says: this memory was already freed, // says: an argument that is passed by value
};

struct Only {
    int *p;
    explicit Only(int n) { CHECK(cudaMalloc(&p, n * sizeof(int))); }
    Only(const Only &) = delete;
    Only(Only &&other) : p(other.p) { other.p = nullptr; }
    ~Only() { cudaFree(p); } // near: api-misuse use-after-free
};

__global__ void set(int *p, int n) {
    const int i = threadIdx.x;
    if (i < n) p[i] = i; // expect: use-after-free // says: by the destructor of an object that ended at line 39, // says: forbid copies
}

/* The memory is gone when this returns. */
static int first_of(Owner owner) {
    int first = -1;
    CHECK(cudaMemcpy(&first, owner.p, sizeof first, cudaMemcpyDeviceToHost));
    return first;
}

static int first_of(const Only &only) {
    int first = -1;
    CHECK(cudaMemcpy(&first, only.p, sizeof first, cudaMemcpyDeviceToHost));
    return first;
}

int main(void) {
    {
        Owner owner(32);
        set<<<1, 32>>>(owner.p, 32);
        printf("%d\n", first_of(owner));
        set<<<1, 32>>>(owner.p, 32);
        cudaDeviceSynchronize();
        int last;
        cudaMemcpy(&last, owner.p + 31, sizeof last, cudaMemcpyDeviceToHost); // expect: use-after-free // says: by the destructor of an object that ended at line 39
    }
    std::vector<Only> all;
    for (int i = 0; i < 3; i++) all.push_back(Only(32));
    for (const Only &only : all) set<<<1, 32>>>(only.p, 32);
    finish();
    return first_of(all[1]);
}
