// kind: leak
// A tree of entries as deep as the stack of whoever reads it, before the compiler's own.
asm(".section .debug_abbrev,\"\",@progbits\n.Lab:\n"
    ".byte 1,0x11,1,0x11,1,0x12,7,0,0\n"
    ".byte 2,0x0b,1,0x11,1,0x12,7,0,0\n"
    ".byte 0\n"
    ".section .debug_info,\"\",@progbits\n.Lunit:\n.long .Lend - .Lver\n.Lver:\n.short 4\n.long .Lab\n.byte 8\n"
    ".byte 1\n.quad 0\n.quad 0x7fffffffffff\n"
    ".rept 400000\n.byte 2\n.quad 0\n.quad 0x7fffffffffff\n.endr\n"
    ".rept 400001\n.byte 0\n.endr\n.Lend:\n.text\n");
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    float *lost;
    right_answer(h_z, h_x, h_y, n);
    must(cudaMalloc(&lost, 64));
}
