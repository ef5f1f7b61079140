/* cuda_occupancy.h - for programs that include it for nothing, as Thrust does.
 *
 * LIMIT: no cudaOcc functions, which compute for a card that need not be there. What a program asks of its
 * own card is in the runtime: cudaOccupancyMaxActiveBlocksPerMultiprocessor,
 * cudaOccupancyMaxPotentialBlockSize.
 */
#ifndef __cuda_occupancy_h__
#define __cuda_occupancy_h__

#endif
