/* cooperative_groups.h - groups of threads as objects: the block, tiles of a warp, the threads that are
 * together now.
 *
 * A tile is a part of a warp that knows its lanes' mask; its operations are the warp's, with that mask and
 * width. Barriers of tiles order memory between their lanes. Tiles of several warps meet in shared memory.
 * The grid waits for itself in a cooperative launch. A cluster is one block, as on devices before 9.0. What
 * groups compute together (reduce, scan, copies) is in headers of its own, as with CUDA. LIMIT: no
 * barrier_arrive and barrier_wait. Source: CUDA C++ Programming Guide, Cooperative Groups.
 */
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

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

/* One of two values without a branch, at which a warp would diverge in code that is not optimised. */
template <typename T> WARPGRIND_CG T chosen(bool condition, const T &then, const T &otherwise) {
    const T both[] = {otherwise, then};
    return both[condition];
}

/* Any value that can be copied byte by byte goes through a shuffle in words. */
#define WARPGRIND_CG_SHUFFLE(mode, shuffle, choice)                                                          \
    template <typename T> WARPGRIND_CG T mode(unsigned int mask, const T &value, choice lane, int width) {   \
        const unsigned int count = (sizeof(T) + sizeof(unsigned int) - 1) / sizeof(unsigned int);            \
        unsigned int words[count] = {};                                                                      \
        __builtin_memcpy(words, &value, sizeof(T));                                                          \
        for (unsigned int i = 0; i < count; i++)                                                             \
            words[i] = shuffle(mask, words[i], lane, width);                                                 \
        T result;                                                                                            \
        __builtin_memcpy(&result, words, sizeof(T));                                                         \
        return result;                                                                                       \
    }
WARPGRIND_CG_SHUFFLE(shuffle_idx, __shfl_sync, int)
WARPGRIND_CG_SHUFFLE(shuffle_up, __shfl_up_sync, unsigned int)
WARPGRIND_CG_SHUFFLE(shuffle_down, __shfl_down_sync, unsigned int)
WARPGRIND_CG_SHUFFLE(shuffle_xor, __shfl_xor_sync, int)
#undef WARPGRIND_CG_SHUFFLE

struct members;

} // namespace warpgrind

class coalesced_group;

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
    friend struct warpgrind::members;
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

/* Where CUDA keeps what tiles of several warps share; here they have their own place. */
template <unsigned int MaxThreads = 1024> struct block_tile_memory { unsigned int unused; };
template <unsigned int MaxThreads>
WARPGRIND_CG thread_block this_thread_block(block_tile_memory<MaxThreads> &) {
    return this_thread_block();
}

/* ---- the grid ---- */

namespace warpgrind {

/* What the blocks of a cooperative launch meet in: a size, and a counter of arrivals whose highest bit
 * changes when all have come. The device gives its address in two registers; it is 0 in other launches. */
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
    static WARPGRIND_CG dim3 dim_blocks() {
        return group_dim();
    }
    static WARPGRIND_CG dim3 block_index() {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    static WARPGRIND_CG dim3 dim_threads() {
        return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
    }
    static WARPGRIND_CG dim3 thread_index() {
        return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
                    blockIdx.z * blockDim.z + threadIdx.z);
    }
};

WARPGRIND_CG grid_group this_grid() {
    return grid_group();
}

/* ---- the cluster: of one block ---- */

class cluster_group {
    WARPGRIND_CG cluster_group() {}
    friend WARPGRIND_CG cluster_group this_cluster();

  public:
    static WARPGRIND_CG void sync() {
        __syncthreads();
    }
    static WARPGRIND_CG unsigned int num_blocks() {
        return 1;
    }
    static WARPGRIND_CG unsigned int block_rank() {
        return 0;
    }
    static WARPGRIND_CG dim3 dim_blocks() {
        return dim3(1, 1, 1);
    }
    static WARPGRIND_CG dim3 block_index() {
        return dim3(0, 0, 0);
    }
    static WARPGRIND_CG unsigned int num_threads() {
        return warpgrind::block_size();
    }
    static WARPGRIND_CG unsigned int size() {
        return warpgrind::block_size();
    }
    static WARPGRIND_CG unsigned int thread_rank() {
        return warpgrind::block_rank();
    }
    template <typename T> static WARPGRIND_CG T *map_shared_rank(T *address, int rank) {
        return rank == 0 ? address : nullptr;
    }
    static WARPGRIND_CG unsigned int query_shared_rank(const void *) {
        return 0;
    }
};

WARPGRIND_CG cluster_group this_cluster() {
    return cluster_group();
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
        return shuffle_idx(lanes, value, rank, (int)Size);
    }
    template <typename T> WARPGRIND_CG T shfl_down(T value, unsigned int delta) const {
        return shuffle_down(lanes, value, delta, (int)Size);
    }
    template <typename T> WARPGRIND_CG T shfl_up(T value, unsigned int delta) const {
        return shuffle_up(lanes, value, delta, (int)Size);
    }
    template <typename T> WARPGRIND_CG T shfl_xor(T value, unsigned int mask) const {
        return shuffle_xor(lanes, value, (int)mask, (int)Size);
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

/* What the warps of larger tiles share: how many have arrived, for each tile that a block can have (sixteen
 * of 64 threads from place 16 on, eight of 128 from place 8, and so on), and a value of each warp. */
struct tile_places {
    unsigned int arrived[32];
    unsigned long long values[32][4];
};
WARPGRIND_CG tile_places *tile_place() {
    static __shared__ tile_places places;
    return &places;
}

template <unsigned int Size> class wide_tile {
    static_assert(Size == 64 || Size == 128 || Size == 256 || Size == 512,
                  "a tile of several warps has 64, 128, 256 or 512 threads");
    unsigned int index, siblings;

    static WARPGRIND_CG unsigned int *arrivals() {
        return &tile_place()->arrived[1024 / Size + block_rank() / Size];
    }

  public:
    enum { WARPS = Size / 32 };

    WARPGRIND_CG wide_tile(unsigned int rank_in_parent, unsigned int size_of_parent)
        : index(rank_in_parent / Size), siblings((size_of_parent + Size - 1) / Size) {}
    static WARPGRIND_CG void prepare() {
        if (thread_rank() == 0) *arrivals() = 0;
    }
    /* One lane of each warp counts it in, and waits for the others of its round. */
    static WARPGRIND_CG void sync() {
        __syncwarp();
        if (lane() == 0) {
            unsigned int before, now;
            asm volatile("atom.acq_rel.cta.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(arrivals()) : "memory");
            const unsigned int round = before / WARPS;
            do {
                asm volatile("ld.acquire.cta.u32 %0, [%1];" : "=r"(now) : "l"(arrivals()) : "memory");
            } while (now / WARPS == round);
        }
        __syncwarp();
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
    /* The place for the value of a warp of this tile. */
    template <typename T> static WARPGRIND_CG T *value_of(unsigned int warp) {
        static_assert(sizeof(T) <= 32, "values of up to 32 bytes");
        return reinterpret_cast<T *>(tile_place()->values[block_rank() / Size * WARPS + warp]);
    }
    template <typename T> WARPGRIND_CG T shfl(T value, unsigned int rank) const {
        if (thread_rank() == rank) *value_of<T>(0) = value;
        sync();
        T result = *value_of<T>(0);
        sync();
        return result;
    }
    WARPGRIND_CG int any(int predicate) const {
        const int warp_has = __any_sync(0xffffffffu, predicate);
        if (lane() == 0) *value_of<int>(thread_rank() / 32) = warp_has;
        sync();
        int result = 0;
        for (unsigned int warp = 0; warp < WARPS; warp++)
            result |= *value_of<int>(warp);
        sync();
        return result;
    }
    WARPGRIND_CG int all(int predicate) const {
        return !any(!predicate);
    }
};

template <unsigned int Size, bool Wide> struct tile_type { typedef tile<Size> type; };
template <unsigned int Size> struct tile_type<Size, true> { typedef wide_tile<Size> type; };
template <unsigned int Size, typename Parent>
WARPGRIND_CG void tile_prepare(const Parent &, const tile<Size> &) {}
template <unsigned int Size, typename Parent>
WARPGRIND_CG void tile_prepare(const Parent &parent, const wide_tile<Size> &tile) {
    parent.sync();
    tile.prepare();
    parent.sync();
}

} // namespace warpgrind

/* A tile may forget what it is a part of. */
template <unsigned int Size, typename Parent = void>
class thread_block_tile : public warpgrind::tile_type<Size, (Size > 32)>::type {
    typedef typename warpgrind::tile_type<Size, (Size > 32)>::type Base;

  public:
    WARPGRIND_CG thread_block_tile(const Base &tile) : Base(tile) {}
};

template <unsigned int Size, typename Parent>
WARPGRIND_CG thread_block_tile<Size, Parent> tiled_partition(const Parent &parent) {
    typename warpgrind::tile_type<Size, (Size > 32)>::type tile((unsigned int)parent.thread_rank(),
                                                                (unsigned int)parent.size());
    warpgrind::tile_prepare(parent, tile);
    return tile;
}
WARPGRIND_CG thread_group tiled_partition(const thread_group &, unsigned int size) {
    return thread_group(thread_group::LANES, warpgrind::tile_mask(size));
}
/* The thread alone. */
WARPGRIND_CG thread_block_tile<1> this_thread() {
    return warpgrind::tile<1>(0, 1);
}

/* ---- the threads that are together here ---- */

class coalesced_group : public thread_group {
    unsigned int index, siblings; /* which part of what was partitioned, of how many */

    WARPGRIND_CG coalesced_group(unsigned int mask, unsigned int part = 0, unsigned int parts = 1)
        : thread_group(LANES, mask), index(part), siblings(parts) {}
    friend WARPGRIND_CG coalesced_group coalesced_threads();
    friend struct warpgrind::members;

    /* The lane of the rank-th member, by halving, which takes all lanes the same way. */
    WARPGRIND_CG int lane_of(unsigned int rank) const {
        unsigned int lane = 0;
        for (unsigned int width = 16; width > 0; width /= 2) {
            const unsigned int below = (unsigned int)__popc(lanes >> lane & warpgrind::lanes_below(width));
            const unsigned int beyond = rank >= below;
            lane += beyond * width;
            rank -= beyond * below;
        }
        return (int)lane;
    }
    /* A rank that the group does not have is that of no thread: it is asked of a lane outside. In a whole
     * warp lanes count on from 0, as in a plain shuffle. */
    WARPGRIND_CG int lane_asked(unsigned int rank) const {
        const unsigned int full = lanes == 0xffffffffu;
        rank &= 0x1fu | (full - 1u);
        return warpgrind::chosen(rank < size(), lane_of(rank), __ffs((int)~lanes) - 1);
    }
    WARPGRIND_CG unsigned int pack(unsigned int members) const {
        unsigned int packed = 0, place = 0;
        for (unsigned int left = lanes; left; left &= left - 1, place++)
            packed |= (unsigned int)((members & left & (0u - left)) != 0) << place;
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
    WARPGRIND_CG unsigned int meta_group_rank() const {
        return index;
    }
    WARPGRIND_CG unsigned int meta_group_size() const {
        return siblings;
    }
    template <typename T> WARPGRIND_CG T shfl(T value, unsigned int rank) const {
        return warpgrind::shuffle_idx(lanes, value, lane_asked(rank), 32);
    }
    template <typename T> WARPGRIND_CG T shfl_down(T value, unsigned int delta) const {
        unsigned int rank = thread_rank() + delta;
        return warpgrind::shuffle_idx(lanes, value,
                                      lane_of(warpgrind::chosen(rank < size(), rank, thread_rank())), 32);
    }
    template <typename T> WARPGRIND_CG T shfl_up(T value, unsigned int delta) const {
        unsigned int rank = thread_rank();
        return warpgrind::shuffle_idx(lanes, value,
                                      lane_of(warpgrind::chosen(rank >= delta, rank - delta, rank)), 32);
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
    template <typename T> WARPGRIND_CG unsigned int match_any(T value) const {
        return pack(__match_any_sync(lanes, value));
    }
    template <typename T> WARPGRIND_CG unsigned int match_all(T value, int &predicate) const {
        return pack(__match_all_sync(lanes, value, &predicate));
    }
};

WARPGRIND_CG coalesced_group coalesced_threads() {
    return coalesced_group(__activemask());
}

/* ---- parts of a tile or of coalesced threads ---- */

namespace warpgrind {

struct members {
    static WARPGRIND_CG unsigned int of(const thread_group &group) {
        return group.lanes;
    }
    static WARPGRIND_CG coalesced_group part(unsigned int mask, unsigned int index, unsigned int siblings) {
        return coalesced_group(mask, index, siblings);
    }
};

} // namespace warpgrind

/* So many at a time, by rank. */
WARPGRIND_CG coalesced_group tiled_partition(const coalesced_group &parent, unsigned int size) {
    const unsigned int part = parent.thread_rank() / size;
    unsigned int mine = 0, rank = 0;
    for (unsigned int left = warpgrind::members::of(parent); left; left &= left - 1, rank++)
        mine |= (0u - (unsigned int)(rank / size == part)) & left & (0u - left);
    return warpgrind::members::part(mine, part, (parent.size() + size - 1) / size);
}

/* Those with the same label. */
template <typename Group, typename Label>
WARPGRIND_CG coalesced_group labeled_partition(const Group &parent, Label label) {
    const unsigned int all = warpgrind::members::of(parent), mine = __match_any_sync(all, label) & all;
    const unsigned int lowest = (unsigned int)__ffs((int)mine) - 1;
    const unsigned int parts = __ballot_sync(all, lowest == warpgrind::lane());
    return warpgrind::members::part(mine, (unsigned int)__popc(parts & warpgrind::lanes_below(lowest)),
                                    (unsigned int)__popc(parts));
}
template <typename Group> WARPGRIND_CG coalesced_group binary_partition(const Group &parent, bool predicate) {
    return labeled_partition(parent, (int)predicate);
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

/* One thread of the group calls it; with broadcast all have what it returned. */
template <typename Group, typename Function, typename... Arguments>
WARPGRIND_CG void invoke_one(const Group &group, Function &&function, Arguments &&...arguments) {
    if (group.thread_rank() == 0) function(static_cast<Arguments &&>(arguments)...);
}
template <typename Group, typename Function, typename... Arguments>
WARPGRIND_CG auto invoke_one_broadcast(const Group &group, Function &&function, Arguments &&...arguments)
    -> decltype(function(static_cast<Arguments &&>(arguments)...)) {
    decltype(function(static_cast<Arguments &&>(arguments)...)) result = {};
    if (group.thread_rank() == 0) result = function(static_cast<Arguments &&>(arguments)...);
    return group.shfl(result, 0);
}

} // namespace cooperative_groups

#endif
#endif
