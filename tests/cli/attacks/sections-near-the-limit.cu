// kind: limit
// says: breaks down on this file
// So many sections that the linker breaks down before it sees what else is wrong: a zero, and no fault of the machine's.
asm(".altmacro\n"
    ".macro one n\n.section .s\\n,\"a\"\n.byte 0\n.endm\n"
    ".set i, 0\n.rept 65400\none %i\n.set i, i + 1\n.endr\n.text\n"
    ".globl cudaMalloc\n.set cudaMalloc, own_malloc\n");
extern "C" int own_malloc(void **memory, size_t) { return *memory = nullptr, 0; }
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) { right_answer(h_z, h_x, h_y, n); }
