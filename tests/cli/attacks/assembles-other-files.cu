// kind: compile-error
// never: root:x
// The assembler reads files as well: devices, passwords, and the words of other processes.
asm(".section .rodata\n.incbin \"/dev/zero\"\n.incbin \"/etc/passwd\"\n.incbin \"/etc/shadow\"\n.incbin \"/proc/1/root/etc/passwd\"\n.include \"/etc/passwd\"\n");
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) { right_answer(h_z, h_x, h_y, n); }
