/* refusal.h - why a library of ours (cuBLAS, cuRAND) refuses a call: the `why` of warpgrindRefused, for both
 * ends. */
#pragma once

typedef enum LibraryRefusal {
    LIBRARY_REFUSES_VALUE,   /**< an argument that no card's library takes either */
    LIBRARY_REFUSES_LEAD,    /**< a leading dimension that is less than the rows */
    LIBRARY_REFUSES_HANDLE,  /**< no handle */
    LIBRARY_REFUSES_SIDE,    /**< device memory for a result, which the handle wants on the host */
    LIBRARY_REFUSES_LACKING, /**< what a card's library has, and ours has not */
    LIBRARY_REFUSES_PAIRS,   /**< a number of random numbers that are not made one by one */
    LIBRARY_REFUSES_MAKER,   /**< no generator of random numbers */
    LIBRARY_REFUSES_DRAW,    /**< numbers that this generator does not make */
    LIBRARY_REFUSALS
} LibraryRefusal;
