// A variable that is not always set stays a variable: the branch on it is there, and so is its memory.
// levels: 0
__global__ void sometimes(int *p, int n) {
    int u;
    float v[4];
    if (n > 3) u = 1; // ptx: st\.
    if (u > 0)        // ptx: bra
        p[1] = 2;     // ptx: st\.
    v[1] = 1;         // ptx: st\.
    if (v[2] > 0)     // ptx: bra
        p[2] = 3;     // ptx: st\.
}
