// A symbol's name in quotes, as until CUDA 4; arrays of characters are symbols like any other.
__constant__ float factor;
__constant__ char text[8];
void host(float *h, void **p, size_t *n) {
    cudaMemcpyToSymbol("factor", h, 4);       // error: CUDA 5 removed the name in quotes. Use the variable itself
    cudaMemcpyFromSymbol(h, "factor", 4);     // error: CUDA 5 removed the name in quotes
    cudaMemcpyToSymbolAsync("factor", h, 4);  // error: CUDA 5 removed the name in quotes
    cudaMemcpyFromSymbolAsync(h, "factor", 4);// error: CUDA 5 removed the name in quotes
    cudaGetSymbolAddress(p, "factor");        // error: CUDA 5 removed the name in quotes
    cudaGetSymbolSize(n, "factor");           // error: CUDA 5 removed the name in quotes
    cudaMemcpyToSymbol(factor, h, 4);
    cudaMemcpyToSymbol(text, h, 4);
    cudaGetSymbolAddress(p, text);
}
