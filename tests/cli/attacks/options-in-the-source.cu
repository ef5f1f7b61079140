// verdict: pass
// never: PLUGIN
// What looks like an option of the compiler's or the linker's in a source: plugins, libraries to link, notes to the linker.
#pragma comment(lib, "/object/evil.so")
#pragma GCC optimize("O3")
#pragma clang diagnostic ignored "-Weverything"
#pragma plugin "/w/evil.so" PLUGIN
#pragma pack(push)
#pragma pack(pop)
asm(".section .deplibs,\"MS\",%llvm_dependent_libraries,1\n.asciz \"/object/evil.so\"\n.text\n");
asm(".section .note.gnu.build-id\n.previous\n");
extern "C" void resolver_target() {}
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) { right_answer(h_z, h_x, h_y, n); }
