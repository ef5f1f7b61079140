// Both sides find these; each is said once.
__global__ void kernel(int *p) {
    p[0] = undeclared_thing; // error: use of undeclared identifier 'undeclared_thing'
}
void host(void) {
    also_undeclared(); // error: use of undeclared identifier 'also_undeclared'
}
