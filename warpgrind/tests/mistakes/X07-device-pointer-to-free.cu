#include "mistake.h"

static void give_back(float *pointer) {
    free(pointer); // expect: host-device-pointer
}

int main() {
    float *z = device_floats(32);
    give_back(z);
}
