/* A text for printf ends with a zero byte. */
#include "mistake.h"

__device__ char world[5] = {'w', 'o', 'r', 'l', 'd'};
__device__ char ended[6] = {'e', 'n', 'd', 'e', 'd', 0};

__global__ void tell(int n) {
    char word[4];
    for (int i = 0; i < n; i++)
        word[i] = 'a' + i;
    printf("%s\n", word);   // expect: api-misuse // says: a text without an end
    printf("%s\n", world);  // expect: api-misuse // says: store 0 behind the last character
    printf("%.4s\n", word); // near: api-misuse
}

__global__ void end(int n) {
    char word[4];
    __shared__ char shared[2];
    for (int i = 0; i < n - 1; i++)
        word[i] = 'a' + i;
    word[n - 1] = 0;
    shared[0] = 'x';
    shared[1] = 0;
    printf("%s %s %s %s\n", word, shared, ended, "literal"); // near: api-misuse
}

__global__ void begin(int n) {
    char word[4];
    if (n > 4) word[0] = 'a';
    printf("%s\n", word); // expect: uninitialized-read
}

int main() {
    tell<<<1, 1>>>(4);
    end<<<1, 1>>>(4);
    begin<<<1, 1>>>(4);
    finish();
}
