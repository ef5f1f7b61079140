/* steady.c - does a kernel go the same way and touch the same places whatever its data are?
 *
 * Parameters, the indices of threads and blocks, and constant memory (whose writes end all that is known of
 * earlier launches, repeat.c) are the same in the next launch; what comes from memory, an atomic or a clock
 * is not. The kernel is steady when no address, no branch, no barrier and no set of lanes is made from that
 * (flow.h). Control never depends on data then, so that there is no other way for data to come into a value
 * than through its operands. LIMIT: a kernel is not taken for steady when a pointer to one of its local
 * variables leaves the expression it was made in and data are stored through an address that may be it; nor
 * when it uses surfaces, mbarriers, calls through pointers, malloc or alloca.
 */
#include "gpu/dataflow/dataflow.h"
#include "gpu/dataflow/flow.h"

enum { CHANGES = GPU_ORIGIN_DATA | GPU_ORIGIN_CLOCK | GPU_ORIGIN_PLACE };

bool steady_kernel(const GpuKernel *kernel) {
    Flow flow;
    bool steady = flow_begin(&flow, kernel) && !flow.unknown;
    if (steady) {
        flow_find(&flow);
        steady = !flow.unknown && ((flow.branches | flow.addresses) & CHANGES) == 0;
    }
    flow_end(&flow);
    return steady;
}
