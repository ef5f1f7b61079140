#!/usr/bin/env python3
"""A class of 37 for lesson 24 with ten planted pairs, by a seed: planted.py FOLDER SEED. Prints the pairs.

Everybody writes from the textbook: each step of the answer has a few usual spellings, and a person takes one of each, in
their own habits (i > 3 or 3 < i, x += y or x = x + y). 29 work alone, and eight copy from ten of them: three rename, three rename and
reorder, and two mix two sources.
"""
import os
import random
import re
import sys

LOAD = ["@t[@k] = @i < n ? d_in[@i] : 0;", "if (@i < n) @t[@k] = d_in[@i];\n    else @t[@k] = 0;",
        "int @v = 0;\n    if (@i < n) @v = d_in[@i];\n    @t[@k] = @v;", "@t[@k] = (@i >= n) ? 0 : d_in[@i];"]
ROUND = ["for (int @d = 1; @d < THREADS; @d *= 2) {\n        const int @b = @k >= @d ? @t[@k - @d] : 0;\n        __syncthreads();\n"
         "        @t[@k] += @b;\n        __syncthreads();\n    }",
         "for (int @d = 1; @d < THREADS; @d <<= 1) {\n        int @b = 0;\n        if (@k >= @d) @b = @t[@k - @d];\n        __syncthreads();\n"
         "        @t[@k] = @t[@k] + @b;\n        __syncthreads();\n    }",
         "int @d = 1;\n    while (@d < THREADS) {\n        int @b = @t[@k];\n        if (@k >= @d) @b += @t[@k - @d];\n        __syncthreads();\n"
         "        @t[@k] = @b;\n        __syncthreads();\n        @d *= 2;\n    }",
         "for (int @r = 0; @r < 8; @r++) {\n        int @d = 1 << @r;\n        int @b = (@k - @d >= 0) ? @t[@k - @d] : 0;\n        __syncthreads();\n"
         "        @t[@k] += @b;\n        __syncthreads();\n    }"]
STORE = ["if (@i < n) d_out[@i] = @t[@k];\n    if (@k == THREADS - 1 && d_sums != NULL) d_sums[blockIdx.x] = @t[@k];",
         "if (d_sums && @k == THREADS - 1) d_sums[blockIdx.x] = @t[THREADS - 1];\n    if (@i >= n) return;\n    d_out[@i] = @t[@k];",
         "if (@i < n) {\n        d_out[@i] = @t[@k];\n    }\n    if (d_sums != nullptr) {\n        if (@k + 1 == THREADS) d_sums[blockIdx.x] = @t[@k];\n    }",
         "if (@k == blockDim.x - 1 && d_sums) d_sums[blockIdx.x] = @t[@k];\n    if (@i < n) d_out[@i] = @t[@k];"]
INDEX = ["const int @k = (int)threadIdx.x;\n    const int @i = (int)blockIdx.x * THREADS + @k;",
         "int @k = threadIdx.x;\n    int @i = blockIdx.x * blockDim.x + threadIdx.x;",
         "int @i = threadIdx.x + blockIdx.x * THREADS;\n    int @k = threadIdx.x;"]
ADD = ["const int @j = (int)blockIdx.x * THREADS + (int)threadIdx.x;\n    if (@j < n && blockIdx.x > 0) d_out[@j] += d_sums[blockIdx.x - 1];",
       "if (blockIdx.x == 0) return;\n    int @j = blockIdx.x * blockDim.x + threadIdx.x;\n    if (@j < n) d_out[@j] += d_sums[blockIdx.x - 1];",
       "int @g = blockIdx.x;\n    int @j = @g * THREADS + threadIdx.x;\n    if (@g > 0) {\n        int @o = d_sums[@g - 1];\n        if (@j < n) d_out[@j] = d_out[@j] + @o;\n    }"]
ROOM = ["if (blocks > 1) CHECK(cudaMalloc(&d_sums, (size_t)blocks * sizeof(int)));",
        "if (blocks > 1) {\n        CHECK(cudaMalloc((void **)&d_sums, sizeof(int) * blocks));\n    }",
        "size_t @y = blocks * sizeof *d_sums;\n    if (blocks != 1) CHECK(cudaMalloc(&d_sums, @y));"]
LEVELS = ["if (blocks == 1) return;\n    inclusive_scan(d_sums, d_sums, blocks);\n    add_sums_kernel<<<blocks, THREADS>>>(d_out, d_sums, n);\n"
          "    CHECK(cudaGetLastError());\n    CHECK(cudaFree(d_sums));",
          "if (blocks > 1) {\n        inclusive_scan(d_sums, d_sums, blocks);\n        add_sums_kernel<<<blocks, THREADS>>>(d_out, d_sums, n);\n"
          "        CHECK(cudaGetLastError());\n        CHECK(cudaFree(d_sums));\n    }",
          "if (d_sums != NULL) {\n        inclusive_scan(d_sums, d_sums, blocks);\n        add_sums_kernel<<<dim3(blocks), dim3(THREADS)>>>(d_out, d_sums, n);\n"
          "        CHECK(cudaGetLastError());\n        CHECK(cudaDeviceSynchronize());\n        CHECK(cudaFree(d_sums));\n        d_sums = NULL;\n    }"]
# What only one person in many thinks of.
ODD = ["if (n <= 0 || d_in == NULL) return;", "const int @q = THREADS - 1 - @k;\n    if (@q < 0 || @k > THREADS) return;",
       "assert(blockDim.x == THREADS && gridDim.x * THREADS >= n);", "int @q = @i / THREADS;\n    if (@q != blockIdx.x) return;",
       "unsigned @q = __activemask();\n    if (@q == 0u) return;"]
NAMES = ["t tmp temp s shared buf data cache", "k tid t lane me id x", "i i idx gid pos index", "v value v x item", "d d step stride offset dist",
         "b before left add prev b", "r r round level p", "j i idx j pos", "g g block b me", "o offset base o before", "y bytes size room", "q q other z"]
REMARKS = ["// each block by itself", "// load", "// Hillis and Steele", "// rounds", "// wait for all", "// the last one has the sum", "// recursion",
           "// out of range threads too", "// block 0 is done", "// temporary sums"]
PARTS = [INDEX, LOAD, ROUND, STORE, ADD, ROOM, LEVELS]


def person(dice):
    """The choices of somebody who works alone: spellings, now and then something odd, names, remarks."""
    odd = dice.choice(ODD) if dice.random() < 0.35 else ""
    return {"parts": [habits(dice.choice(part), dice) for part in PARTS], "odd": odd}


# The same, said in another way.
HABITS = [(r"(@\w) < (n|THREADS|@d)\b", r"\2 > \1"), (r"(@\w) >= (n|@d)\b", r"\2 <= \1"), (r"(@\w) (>|==) (0|1)\b", r"!(\1 == 0)"),
          (r"(@t\[@k\]|@\w) \+= ([^;]*);", r"\1 = \1 + \2;"), (r"int (@\w) = (.*?);", r"int \1; \1 = \2;"),
          (r"(blockIdx\.x) - 1", r"-1 + \1"), (r"if \((.*?)\) (@?\w[^;]*;)$", r"if (!(\1)) ; else \2")]


def habits(text, dice):
    for pattern, instead in HABITS:
        if dice.random() < 0.25:
            text = re.sub(pattern, instead, text, count=1)
    return text


def style(dice):
    names = {}
    for line in NAMES:
        letter, *choices = line.split()
        names[letter] = dice.choice([c for c in choices if c not in names.values()] or ["own_" + letter])
    return {"names": names, "remarks": dice.sample(REMARKS, 4), "swap": False}


def write(choices, how, dice):
    index, load, rounds, store, add, room, levels = choices["parts"]
    array = "__shared__ int @t[THREADS];"
    first = [array, index] if not how["swap"] else [index, array]
    body = first + [load, "__syncthreads();", rounds, store]
    if choices["odd"]:
        body.insert(2, choices["odd"])
    for remark in how["remarks"]:
        body.insert(dice.randrange(len(body) + 1), remark)
    scan = "__global__ void scan_blocks_kernel(int *d_out, int *d_sums, const int *d_in, int n) {\n    " + "\n    ".join(body) + "\n}\n"
    adds = "__global__ void add_sums_kernel(int *d_out, const int *d_sums, int n) {\n    " + add + "\n}\n"
    kernels = [scan, adds] if not how["swap"] else [adds, scan]
    host = ("void inclusive_scan(int *d_out, const int *d_in, int n) {\n    if (n == 0) return;\n    const int blocks = (n + THREADS - 1) / THREADS;\n"
            "    int *d_sums = NULL;\n    " + room + "\n    scan_blocks_kernel<<<blocks, THREADS>>>(d_out, d_sums, d_in, n);\n"
            "    CHECK(cudaGetLastError());\n    " + levels + "\n}\n")
    text = "#include <cuda_runtime.h>\n#define THREADS 256\n\n" + "\n".join(kernels + [host])
    return re.sub("@([a-z])", lambda m: how["names"][m.group(1)], text)


def main(folder, seed):
    dice = random.Random(seed)
    count, pairs = 0, []

    def hand_in(choices, how):
        nonlocal count
        count += 1
        name = "s%02d" % count
        os.makedirs(os.path.join(folder, name))
        with open(os.path.join(folder, name, "24-scan.cu"), "w") as file:
            file.write(write(choices, how, dice))
        return name

    alone = [person(dice) for _ in range(24)]
    authors = [hand_in(choices, style(dice)) for choices in alone]
    for source, swap in ((1, False), (3, True), (9, False), (11, True), (17, False), (22, True)):
        pairs.append((authors[source], hand_in(alone[source], dict(style(dice), swap=swap))))
    # The first kernel of one, the rest of another.
    for one, other in ((5, 8), (14, 20)):
        mixed = {"parts": alone[one]["parts"][:4] + alone[other]["parts"][4:], "odd": alone[one]["odd"]}
        name = hand_in(mixed, style(dice))
        pairs += [(authors[one], name), (authors[other], name)]
    while count < 37:
        hand_in(person(dice), style(dice))
    for pair in pairs:
        print(*pair)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
