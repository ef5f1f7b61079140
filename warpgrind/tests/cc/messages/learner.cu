// What the compiler can already see.
__global__ void kernel(float *p, int n) {
    int unset;
    if (n > 3) unset = 1;  // warning: variable 'unset' is used uninitialized whenever 'if' condition is false
    if (unset > 1) p[0] = 1;
    if (n = 3) p[1] = 2;   // warning: using the result of an assignment as a condition without parentheses
    n == 4;                // warning: equality comparison result unused
    printf("%s\n", p[0]);  // warning: format specifies type 'char *' but the argument has type
}
