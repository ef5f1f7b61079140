// kind: any
// So many sections that their number does not fit into the header, and a runtime function among the symbols.
asm(".altmacro\n"
    ".macro one n\n.section .s\\n,\"a\"\n.byte 0\n.endm\n"
    ".set i, 0\n.rept 66000\none %i\n.set i, i + 1\n.endr\n.text\n");
extern "C" int cudaProfilerStart(void) { return 0; }
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) { right_answer(h_z, h_x, h_y, n); }
