/* moment.c - the questions that observers ask about the block or warp of an event. */
#include "gpu/state/machine.h"

bool gpu_stores_as_card(const Gpu *gpu) {
    return machine_stores_as_card(gpu);
}
const GpuLaunch *gpu_block_launch(const GpuBlock *block) {
    return &block->run->launch;
}
GpuDim gpu_block_index(const GpuBlock *block) {
    return block->index;
}
uint64_t gpu_block_linear(const GpuBlock *block) {
    return block->linear;
}
uint32_t gpu_block_slot(const GpuBlock *block) {
    return block->slot;
}
uint32_t gpu_block_threads(const GpuBlock *block) {
    return block->threads;
}
const GpuBlock *gpu_warp_block(const GpuWarp *warp) {
    return warp->block;
}
uint32_t gpu_warp_poisoned(const GpuWarp *warp) {
    return warp->poisoned;
}

uint32_t gpu_warp_index(const GpuWarp *warp) {
    return warp->index;
}
uint32_t gpu_warp_alive(const GpuWarp *warp) {
    return warp->alive;
}
GpuDim gpu_thread_index(const GpuBlock *block, uint32_t linear_thread) {
    GpuDim shape = block->run->launch.spec.block;
    return (GpuDim){linear_thread % shape.x, linear_thread / shape.x % shape.y,
                    linear_thread / shape.x / shape.y};
}
