/* budget_kinds.h - what a manifest's `budget` may bound: the rows of budget.def, and what each is measured
 * by. */
#pragma once

#include <stddef.h>

enum { BUDGET_COUNTERS = 4 };

/** What a row of budget.def is measured by: counters of the report, or one of the totals of what the device
 * was sent. */
typedef enum BudgetKept {
    BUDGET_COUNTED_ONLY,
    BUDGET_LAUNCHES,
    BUDGET_LAUNCHED_THREADS,
    BUDGET_THREADS_SHORT,
    BUDGET_BLOCK_SHARE,
    BUDGET_WAITING_BLOCKS,
    BUDGET_UNOCCUPIED,
    BUDGET_IDLE_COPIES,
    BUDGET_BYTES_TO_HOST,
    BUDGET_BYTES_TO_DEVICE,
    BUDGET_COPIES_TO_HOST,
    BUDGET_ALLOCATIONS,
    BUDGET_PEAK_BYTES,
    BUDGET_BUSIEST_THREADS,
    BUDGET_BUSIEST_BYTES,
    BUDGET_RANKS_TOGETHER,
    BUDGET_BUSIEST_RANK_BYTES,
    BUDGET_UNEVEN_BYTES,
    BUDGET_UNEVEN_RANK_BYTES,
    BUDGET_DEVICE_STEPS
} BudgetKept;

/** A row of budget.def. */
typedef struct BudgetKind {
    const char *name, *title;
    const char *spent;                     /**< "read * {sector|sectors}": what a finding says of it */
    const char *counters[BUDGET_COUNTERS]; /**< two that are added, two that are taken away; "none" */
    BudgetKept kept;
    const char *functions; /**< of CALLED, with spaces between; NULL */
} BudgetKind;

/** The row of this name; NULL. */
const BudgetKind *budget_kinds_find(const char *name);
/** The names, one by one; NULL past the last. */
const char *budget_kinds_name(size_t index);
