/* redundant.c - see redundant.h. */
#include "device/watch/redundant.h"

#include "device/state/complain.h"
#include "device/state/state.h"

#include <string.h>

/* Few and small copies are not worth a word. */
enum { FEWEST_COPIES = 8, FEWEST_BYTES = 1024 };

static struct RedundantSite *find_site(Device *device, uint64_t site) {
    Redundant *all = &device->redundant;
    for (unsigned i = 0; i < all->count; i++)
        if (all->sites[i].site == site) return &all->sites[i];
    if (all->count == REDUNDANT_SITES) return NULL;
    all->sites[all->count] = (struct RedundantSite){.site = site, .mark = device->program.mark};
    return &all->sites[all->count++];
}

void redundant_note(Device *device, uint64_t address, const uint8_t *bytes, uint64_t count, uint64_t site) {
    if (site == 0 || count < FEWEST_BYTES) return;
    struct RedundantSite *known = find_site(device, site);
    const void *now = NULL;
    if (known != NULL) now = gpu_memory_host(device->gpu, address, count);
    if (now == NULL) return;
    known->writes++;
    known->bytes += count;
    if (memcmp(now, bytes, count) == 0) known->same++;
}

/** A note for each call that brought the same bytes nearly every time: all its copies but the first, and at
 * least FEWEST_COPIES. */
void redundant_report(Device *device) {
    for (unsigned i = 0; i < device->redundant.count; i++) {
        const struct RedundantSite *site = &device->redundant.sites[i];
        if (site->same < FEWEST_COPIES || site->same + 1 < site->writes) continue;
        RedundantFacts facts = {.copies = site->writes, .bytes = site->bytes, .same = site->same};
        Complaint complaint = {.kind = FINDING_API_MISUSE,
                               .note = true,
                               .earlier = true,
                               .site = site->site,
                               .mark = site->mark};
        complain_that(device, complaint, said_redundant(REDUNDANT_MESSAGE, REDUNDANT_WHY, &facts));
    }
}
