# toolkit.bash - a toolkit and a driver without a card: sourced by tests that need one. nvidia-smi and nvcc are scripts that say what NVIDIA's say, and the program that
# this nvcc makes computes on the host. $toolkit is CUDA_HOME, $toolkit/card/bin belongs on the path; who sources this removes $toolkit.

# The judge's own /tmp covers the system's: the toolkit lies elsewhere, as real ones do, and where every user may read.
toolkit=$(mktemp -d /var/tmp/warpschool-card-XXXXXX)
mkdir -p "$toolkit/bin" "$toolkit/card/bin"
chmod -R a+rX "$toolkit"
gcc -O1 -c -o "$toolkit/runtime.o" tests/card/runtime.c
cat >"$toolkit/bin/nvcc" <<'END'
#!/bin/bash
here=$(dirname "$0")/.. compiler=/usr/bin/g++
while [ $# -gt 0 ]; do
    case $1 in
    --version) echo "Cuda compilation tools, release 13.0, V13.0.88"; exit ;;
    --list-gpu-code) echo sm_75; echo sm_90; exit ;;
    -o) program=$2; shift ;;
    -ccbin=*) compiler=${1#-ccbin=} ;;
    bench/card/beside/copy.cu) timed='echo 1000' ;;
    bench/card/*.cu) timed='[ "$1" != CUB ] || { echo "libcub.so: cannot open" >&2; exit 127; }
        case $(cat "$CARD_SPREAD" 2>/dev/null | wc -l) in 0) time=2.9 ;; 1) time=2.5 ;; *) time=2.4 ;; esac # by which start it is
        [ -n "$1" ] || echo "version,n,time (us),bandwidth (GB/s)"; echo "${1:-solution},1000,$time,800"
        if [ "$1" = yours ]; then echo "8: ${YOURS:-1} 2"; else echo "8: 1.0001 2"; fi >>"$CARD_SAMPLES"
        echo "2.5 2.4 2.6" >>"$CARD_SPREAD"' ;;
    */driver.cu) echo "$1(1): error: a driver with kernels" && exit 2 ;; # which this nvcc cannot make
    *.cu) source=$1 ;;
    *.o | *.a) objects+=("$1") ;;
    esac
    shift
done
# What is timed gives the rows that it would give, and nothing else.
if [ -n "${timed:-}" ]; then
    printf '#!/bin/sh\n%s\n' "$timed" >"$program" && chmod +x "$program" && exit
fi
# The course's solution, whose marks show it, has a kernel: in its place stands what the host can compute.
if grep -q '^ *// >>>' "$source"; then source=$here/solution.cu; fi
if grep -q 'a mistake' "$source"; then
    echo "$source(3): error: expected a \";\"" && echo && echo "1 error detected in the compilation of \"$source\"." && exit 2
fi
exec "$compiler" -O2 -x c++ "$source" -x none "${objects[@]}" "$here/runtime.o" -o "$program"
END
chmod +x "$toolkit/bin/nvcc"
echo 'void vector_add(float *z, const float *x, const float *y, int n) { for (int i = 0; i < n; i++) z[i] = x[i] + y[i]; }' >"$toolkit/solution.cu"
# smi LINE: what nvidia-smi says of the card. A tool has no environment of the judge's, so it is written into it.
smi() {
    printf '#!/bin/sh\ncase $1 in --query-gpu=*) echo "%s" ;; esac\n' "$1" >"$toolkit/card/bin/nvidia-smi"
    chmod +x "$toolkit/card/bin/nvidia-smi"
}
idle=0x0000000000000001
# both.cu, a vector addition for either: with one kernel where there is a device.
cat >"$toolkit/both.cu" <<'END'
#ifdef __CUDACC__
__global__ void add(float *z, const float *x, const float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}
void vector_add(float *z, const float *x, const float *y, int n) {
    float *d;
    cudaMalloc(&d, 3 * n * sizeof(float));
    cudaMemcpy(d, x, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d + n, y, n * sizeof(float), cudaMemcpyHostToDevice);
    add<<<(n + 255) / 256, 256>>>(d + 2 * n, d, d + n, n);
    cudaMemcpy(z, d + 2 * n, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d);
}
#else
void vector_add(float *z, const float *x, const float *y, int n) {
    for (int i = 0; i < n; i++) z[i] = x[i] + y[i];
}
#endif
END
