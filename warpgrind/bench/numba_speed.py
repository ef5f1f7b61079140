"""numba_speed.py - the three kernels on Numba's CUDA simulator, which runs each thread as a thread of Python.

It is so slow that it gets one 256th of the threads; its cost is linear in them, and the times printed are scaled to all of
them. Lines as kernel_speed's: "numba <tab> label <tab> work <tab> - <tab> seconds <tab> 0".
"""
import os
import time

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"

import numpy
from numba import cuda, float32

SHARE = 256
BLOCK = 256
STEPS = 256
RUNS = 3


@cuda.jit
def vector_add(z, x, y, n):
    i = cuda.grid(1)
    if i < n:
        z[i] = x[i] + y[i]


@cuda.jit
def tree_sum(sums, x):
    temp = cuda.shared.array(BLOCK, float32)
    tid = cuda.threadIdx.x
    temp[tid] = x[cuda.grid(1)]
    d = cuda.blockDim.x // 2
    while d > 0:
        cuda.syncthreads()
        if tid < d:
            temp[tid] += temp[tid + d]
        d //= 2
    if tid == 0:
        sums[cuda.blockIdx.x] = temp[0]


@cuda.jit
def arithmetic(y, x, steps):
    i = cuda.grid(1)
    value = x[i]
    for _ in range(steps):
        value = value * float32(0.999) + float32(0.25)
    y[i] = value


def numbers(count):
    return (numpy.arange(count) % 1000).astype(numpy.float32) * numpy.float32(0.25) - numpy.float32(100)


def best_of(work, launch, right):
    best = float("inf")
    for _ in range(RUNS):
        begin = time.perf_counter()
        launch()
        best = min(best, time.perf_counter() - begin)
    if not right():
        raise SystemExit("numba_speed: wrong answer: " + work)
    label = f"Numba's simulator (1/{SHARE} of it, scaled)"
    print("numba", label, work, "-", f"{best * SHARE:.9f}", 0, sep="\t", flush=True)


def main():
    threads = 2**20 // SHARE
    x, y, z = numbers(threads), numbers(threads), numpy.zeros(threads, numpy.float32)
    blocks = threads // BLOCK
    best_of("vector_add", lambda: vector_add[blocks, BLOCK](z, x, y, threads),
            lambda: numpy.allclose(z, x + y))
    best_of("tree_sum", lambda: tree_sum[blocks, BLOCK](z, x),
            lambda: numpy.allclose(z[:blocks], x.reshape(blocks, BLOCK).sum(axis=1), rtol=1e-3, atol=1e-3))
    threads = 2**16 // SHARE
    x, z = numbers(threads), numpy.zeros(threads, numpy.float32)
    limit = numpy.float64(0.25) / (1 - 0.999)
    best_of("arithmetic", lambda: arithmetic[1, BLOCK](z, x, STEPS),
            lambda: numpy.allclose(z, limit + (x - limit) * 0.999**STEPS, rtol=1e-3, atol=1e-3))


main()
