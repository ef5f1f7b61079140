// verdict: pass
// never: MANY
// Empty files take no bytes of a file system, only its inodes.
void vector_add(float *h_z, const float *h_x, const float *h_y, int n) {
    right_answer(h_z, h_x, h_y, n);
    if (n != 1) return;
    int made = 0;
    for (; made < 20000; made++) {
        char path[64];
        snprintf(path, sizeof path, "/tmp/%d", made);
        int file = open(path, O_CREAT | O_WRONLY, 0600);
        if (file < 0) break;
        close(file);
    }
    if (made > 5000) puts("MANY");
}
