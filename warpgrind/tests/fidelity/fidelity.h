// fidelity.h - what the programs of this folder share. Each prints lines "SECTION<tab>NAME<tab>VALUES" that
// depend on nothing but the device, so that a card's lines and warpgrind's can be compared as text.
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

static inline void need(cudaError_t status, const char *what) {
    if (status == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    exit(3);
}
#define NEED(call) need(call, #call)
