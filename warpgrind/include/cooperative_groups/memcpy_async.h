/* cooperative_groups/memcpy_async.h - a group copies together, and waits for it later.
 *
 * From global to shared memory by cp.async, in the largest pieces that both addresses allow; all else by
 * loads and stores. Each call is one stage. Source: CUDA C++ Programming Guide, Cooperative Groups,
 * memcpy_async.
 */
#ifndef _COOPERATIVE_GROUPS_MEMCPY_ASYNC
#define _COOPERATIVE_GROUPS_MEMCPY_ASYNC

#include "../cooperative_groups.h"
#include "../cuda_pipeline_primitives.h"

#if defined(__cplusplus) && defined(__CUDA__)

namespace cooperative_groups {

namespace warpgrind {

/* Pieces of the type, from `done` bytes on, dealt out to the members; how far they reach. */
template <typename Piece, typename Group>
WARPGRIND_CG size_t copy_pieces(const Group &group, char *to, const char *from, size_t done, size_t bytes) {
    const size_t count = (bytes - done) / sizeof(Piece), step = (size_t)group.size();
    const bool async = sizeof(Piece) >= 4 && __isShared(to) && __isGlobal(from);
    for (size_t i = (size_t)group.thread_rank(); i < count; i += step) {
        char *target = to + done + i * sizeof(Piece);
        const char *source = from + done + i * sizeof(Piece);
        if (async)
            __pipeline_memcpy_async(target, source, sizeof(Piece) >= 4 ? sizeof(Piece) : 4);
        else
            *reinterpret_cast<Piece *>(target) = *reinterpret_cast<const Piece *>(source);
    }
    return done + count * sizeof(Piece);
}

} // namespace warpgrind

template <typename Group, typename T, typename U>
WARPGRIND_CG void memcpy_async(const Group &group, T *to, const U *from, size_t bytes) {
    char *target = reinterpret_cast<char *>(to);
    const char *source = reinterpret_cast<const char *>(from);
    const size_t alignment = reinterpret_cast<size_t>(target) | reinterpret_cast<size_t>(source);
    size_t done = 0;
    if (alignment % 16 == 0) done = warpgrind::copy_pieces<uint4>(group, target, source, done, bytes);
    if (alignment % 4 == 0) done = warpgrind::copy_pieces<unsigned int>(group, target, source, done, bytes);
    warpgrind::copy_pieces<unsigned char>(group, target, source, done, bytes);
    __pipeline_commit();
}
/* Counts of elements: the smaller of what there is and what there is room for. */
template <typename Group, typename T>
WARPGRIND_CG void memcpy_async(const Group &group, T *to, size_t room, const T *from, size_t count) {
    memcpy_async(group, to, from, (count < room ? count : room) * sizeof(T));
}

template <typename Group> WARPGRIND_CG void wait(const Group &group) {
    __pipeline_wait_prior(0);
    group.sync();
}
template <unsigned int Stages, typename Group> WARPGRIND_CG void wait_prior(const Group &group) {
    asm volatile("cp.async.wait_group %0;" ::"n"(Stages) : "memory");
    group.sync();
}

} // namespace cooperative_groups

#endif
#endif
