/* cooperative_groups.h - groups of threads as objects: the block, tiles of a warp, the threads that are
 * together now.
 *
 * A tile is a part of a warp that knows its lanes' mask; its operations are the warp's, with that mask and
 * width. Barriers of tiles order memory between their lanes. The grid waits for itself in
 * a cooperative launch. LIMIT: clusters and multi-warp tiles are not here. Source: CUDA C++ Programming Guide,
 * Cooperative Groups.
 */
#ifndef WARPGRIND_COOPERATIVE_GROUPS_H
#define WARPGRIND_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(__CUDA__)

#define WARPGRIND_CG __device__ __WARPGRIND_INLINE__

namespace cooperative_groups {

typedef unsigned int thread_rank_t;

namespace warpgrind {

WARPGRIND_CG unsigned int block_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
WARPGRIND_CG unsigned int block_size() {
    return blockDim.x * blockDim.y * blockDim.z;
}
WARPGRIND_CG unsigned int lane() {
    return block_rank() % 32;
}
WARPGRIND_CG unsigned int lanes_below(unsigned int lane) {
    return (1u << lane) - 1;
}
/* The bits of a segment of `size` lanes, of those that exist in the block's last warp. */
WARPGRIND_CG unsigned int tile_mask(unsigned int size) {
    unsigned int first = lane() / size * size;
    unsigned int mask = (size == 32 ? 0xffffffffu : lanes_below(size)) << first;
    unsigned int warp_start = block_rank() / 32 * 32, left = block_size() - warp_start;
    return left >= 32 ? mask : mask & lanes_below(left);
}

} // namespace warpgrind

/* ---- any group, known only at run time ---- */

class thread_group {
  protected:
    enum Kind { BLOCK, LANES, GRID };
    Kind kind;
    unsigned int lanes; /* LANES: who belongs to it */

    WARPGRIND_CG thread_group(Kind k, unsigned int mask) : kind(k), lanes(mask) {}

  public:
    WARPGRIND_CG void sync() const {
        if (kind == BLOCK)
            __syncthreads();
        else
            __syncwarp(lanes);
    }
    WARPGRIND_CG unsigned long long size() const {
        return kind == BLOCK ? warpgrind::block_size() : (unsigned int)__popc(lanes);
    }
    WARPGRIND_CG unsigned long long num_threads() const {
        return size();
    }
    WARPGRIND_CG unsigned long long thread_rank() const {
        return kind == BLOCK ? warpgrind::block_rank()
                             : (unsigned int)__popc(lanes & warpgrind::lanes_below(warpgrind::lane()));
    }
    WARPGRIND_CG bool is_valid() const {
        return true;
    }
    friend WARPGRIND_CG thread_group tiled_partition(const thread_group &parent, unsigned int size);
};

/* ---- the block ---- */

class thread_block : public thread_group {
    WARPGRIND_CG thread_block() : thread_group(BLOCK, 0) {}
    friend WARPGRIND_CG thread_block this_thread_block();

  public:
    static WARPGRIND_CG void sync() {
        __syncthreads();
    }
    static WARPGRIND_CG unsigned int size() {
        return warpgrind::block_size();
    }
    static WARPGRIND_CG unsigned int num_threads() {
        return warpgrind::block_size();
    }
    static WARPGRIND_CG unsigned int thread_rank() {
        return warpgrind::block_rank();
    }
    static WARPGRIND_CG dim3 group_index() {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    static WARPGRIND_CG dim3 thread_index() {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    static WARPGRIND_CG dim3 group_dim() {
        return dim3(blockDim.x, blockDim.y, blockDim.z);
    }
    static WARPGRIND_CG dim3 dim_threads() {
        return group_dim();
    }
};

WARPGRIND_CG thread_block this_thread_block() {
    return thread_block();
}

/* ---- the grid ---- */

namespace warpgrind {

/* What the blocks of a cooperative launch meet in: a size, and a counter of arrivals whose highest bit changes
 * when all have come. The device gives its address in two registers; it is 0 in other launches. */
struct grid_workspace {
    unsigned int bytes, arrived;
};

WARPGRIND_CG grid_workspace *grid_place() {
    unsigned int high, low;
    asm("mov.u32 %0, %%envreg1;" : "=r"(high));
    asm("mov.u32 %0, %%envreg2;" : "=r"(low));
    return reinterpret_cast<grid_workspace *>((unsigned long long)high << 32 | low);
}

/* For one thread of each block. What was written before is visible behind. */
WARPGRIND_CG void grid_meet(grid_workspace *place, unsigned int blocks, bool first) {
    unsigned int before, now, share = first ? 0x80000000u - (blocks - 1) : 1;
    asm volatile("atom.acq_rel.gpu.add.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(&place->arrived), "r"(share)
                 : "memory");
    do {
        asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(now) : "l"(&place->arrived) : "memory");
    } while (((before ^ now) & 0x80000000u) == 0);
}

} // namespace warpgrind

class grid_group {
    WARPGRIND_CG grid_group() {}
    friend WARPGRIND_CG grid_group this_grid();

  public:
    static WARPGRIND_CG bool is_valid() {
        return warpgrind::grid_place() != nullptr;
    }
    static WARPGRIND_CG void sync() {
        if (!is_valid()) __trap();
        __syncthreads();
        if (warpgrind::block_rank() == 0)
            warpgrind::grid_meet(warpgrind::grid_place(), (unsigned int)num_blocks(), block_rank() == 0);
        __syncthreads();
    }
    static WARPGRIND_CG unsigned long long num_blocks() {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static WARPGRIND_CG unsigned long long block_rank() {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static WARPGRIND_CG unsigned long long num_threads() {
        return num_blocks() * warpgrind::block_size();
    }
    static WARPGRIND_CG unsigned long long size() {
        return num_threads();
    }
    static WARPGRIND_CG unsigned long long thread_rank() {
        return block_rank() * warpgrind::block_size() + warpgrind::block_rank();
    }
    static WARPGRIND_CG dim3 group_dim() {
        return dim3(gridDim.x, gridDim.y, gridDim.z);
    }
    static WARPGRIND_CG dim3 block_index() {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
};

WARPGRIND_CG grid_group this_grid() {
    return grid_group();
}

/* ---- tiles of a warp, their size known when compiling ---- */

namespace warpgrind {

template <unsigned int Size> class tile : public thread_group {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 threads");
    unsigned int index, siblings; /* which tile of its parent, of how many */

  public:
    WARPGRIND_CG tile(unsigned int rank_in_parent, unsigned int size_of_parent)
        : thread_group(LANES, tile_mask(Size)), index(rank_in_parent / Size),
          siblings((size_of_parent + Size - 1) / Size) {}
    WARPGRIND_CG void sync() const {
        __syncwarp(lanes);
    }
    static WARPGRIND_CG unsigned int size() {
        return Size;
    }
    static WARPGRIND_CG unsigned int num_threads() {
        return Size;
    }
    static WARPGRIND_CG unsigned int thread_rank() {
        return block_rank() % Size;
    }
    WARPGRIND_CG unsigned int meta_group_rank() const {
        return index;
    }
    WARPGRIND_CG unsigned int meta_group_size() const {
        return siblings;
    }
    template <typename T> WARPGRIND_CG T shfl(T value, int rank) const {
        return __shfl_sync(lanes, value, rank, Size);
    }
    template <typename T> WARPGRIND_CG T shfl_down(T value, unsigned int delta) const {
        return __shfl_down_sync(lanes, value, delta, Size);
    }
    template <typename T> WARPGRIND_CG T shfl_up(T value, unsigned int delta) const {
        return __shfl_up_sync(lanes, value, delta, Size);
    }
    template <typename T> WARPGRIND_CG T shfl_xor(T value, unsigned int mask) const {
        return __shfl_xor_sync(lanes, value, (int)mask, Size);
    }
    WARPGRIND_CG int any(int predicate) const {
        return __any_sync(lanes, predicate);
    }
    WARPGRIND_CG int all(int predicate) const {
        return __all_sync(lanes, predicate);
    }
    /* Bit r is the thread of rank r in the tile. */
    WARPGRIND_CG unsigned int ballot(int predicate) const {
        return __ballot_sync(lanes, predicate) >> (lane() / Size * Size);
    }
    template <typename T> WARPGRIND_CG unsigned int match_any(T value) const {
        return (__match_any_sync(lanes, value) & lanes) >> (lane() / Size * Size);
    }
    template <typename T> WARPGRIND_CG unsigned int match_all(T value, int &predicate) const {
        return (__match_all_sync(lanes, value, &predicate) & lanes) >> (lane() / Size * Size);
    }
};

} // namespace warpgrind

/* A tile may forget what it is a part of. */
template <unsigned int Size, typename Parent = void> class thread_block_tile : public warpgrind::tile<Size> {
  public:
    WARPGRIND_CG thread_block_tile(const warpgrind::tile<Size> &tile) : warpgrind::tile<Size>(tile) {}
};

template <unsigned int Size, typename Parent>
WARPGRIND_CG thread_block_tile<Size, Parent> tiled_partition(const Parent &parent) {
    return warpgrind::tile<Size>((unsigned int)parent.thread_rank(), (unsigned int)parent.size());
}
WARPGRIND_CG thread_group tiled_partition(const thread_group &, unsigned int size) {
    return thread_group(thread_group::LANES, warpgrind::tile_mask(size));
}

/* ---- the threads that are together here ---- */

class coalesced_group : public thread_group {
    WARPGRIND_CG coalesced_group() : thread_group(LANES, __activemask()) {}
    friend WARPGRIND_CG coalesced_group coalesced_threads();

    /* The lane of the rank-th member. */
    WARPGRIND_CG int lane_of(unsigned int rank) const {
        unsigned int left = lanes;
        while (rank-- > 0)
            left &= left - 1;
        return __ffs((int)left) - 1;
    }
    WARPGRIND_CG unsigned int pack(unsigned int members) const {
        unsigned int packed = 0, place = 0;
        for (unsigned int left = lanes; left; left &= left - 1, place++)
            if (members & left & (0u - left)) packed |= 1u << place;
        return packed;
    }

  public:
    WARPGRIND_CG void sync() const {
        __syncwarp(lanes);
    }
    WARPGRIND_CG unsigned int size() const {
        return (unsigned int)__popc(lanes);
    }
    WARPGRIND_CG unsigned int num_threads() const {
        return size();
    }
    WARPGRIND_CG unsigned int thread_rank() const {
        return (unsigned int)__popc(lanes & warpgrind::lanes_below(warpgrind::lane()));
    }
    template <typename T> WARPGRIND_CG T shfl(T value, unsigned int rank) const {
        return __shfl_sync(lanes, value, lane_of(rank % size()));
    }
    template <typename T> WARPGRIND_CG T shfl_down(T value, unsigned int delta) const {
        unsigned int rank = thread_rank() + delta;
        return __shfl_sync(lanes, value, lane_of(rank < size() ? rank : thread_rank()));
    }
    template <typename T> WARPGRIND_CG T shfl_up(T value, unsigned int delta) const {
        unsigned int rank = thread_rank();
        return __shfl_sync(lanes, value, lane_of(rank >= delta ? rank - delta : rank));
    }
    WARPGRIND_CG int any(int predicate) const {
        return __any_sync(lanes, predicate);
    }
    WARPGRIND_CG int all(int predicate) const {
        return __all_sync(lanes, predicate);
    }
    WARPGRIND_CG unsigned int ballot(int predicate) const {
        return pack(__ballot_sync(lanes, predicate));
    }
};

WARPGRIND_CG coalesced_group coalesced_threads() {
    return coalesced_group();
}

/* ---- functions over groups ---- */

template <typename Group> WARPGRIND_CG void sync(const Group &group) {
    group.sync();
}
template <typename Group> WARPGRIND_CG auto thread_rank(const Group &group) -> decltype(group.thread_rank()) {
    return group.thread_rank();
}
template <typename Group> WARPGRIND_CG auto group_size(const Group &group) -> decltype(group.size()) {
    return group.size();
}

template <typename T> struct plus {
    WARPGRIND_CG T operator()(const T &a, const T &b) const {
        return a + b;
    }
};
template <typename T> struct less {
    WARPGRIND_CG T operator()(const T &a, const T &b) const {
        return b < a ? b : a;
    }
};
template <typename T> struct greater {
    WARPGRIND_CG T operator()(const T &a, const T &b) const {
        return a < b ? b : a;
    }
};

/* The combination of all members' values, for every member of a tile. */
template <typename Group, typename T, typename Operation>
WARPGRIND_CG T reduce(const Group &group, T value, Operation operation) {
    for (unsigned int distance = group.size() / 2; distance > 0; distance /= 2)
        value = operation(value, group.shfl_xor(value, distance));
    return value;
}

} // namespace cooperative_groups

#endif
#endif
