/* nvtx3.hpp - marks for NVIDIA's profiler in C++: accepted, and nothing happens. Source: NVTX Library, C++ API. */
#ifndef WARPGRIND_NVTX3_HPP
#define WARPGRIND_NVTX3_HPP

#include "nvToolsExt.h"

namespace nvtx3 {
inline namespace v1 {
struct rgb {
    rgb(int, int, int) {}
};
struct argb {
    argb(int, int, int, int) {}
};
struct event_attributes {
    template <typename... About> event_attributes(const About &...) {}
};
template <typename Domain = void> struct scoped_range_in {
    template <typename... About> explicit scoped_range_in(const About &...) {}
    scoped_range_in(const scoped_range_in &) = delete;
    ~scoped_range_in() {}
};
typedef scoped_range_in<> scoped_range;
template <typename Domain = void> struct unique_range_in {
    template <typename... About> explicit unique_range_in(const About &...) {}
    ~unique_range_in() {}
};
typedef unique_range_in<> unique_range;
template <typename... About> inline void mark(const About &...) {}
} // namespace v1
} // namespace nvtx3

#define NVTX3_FUNC_RANGE() ((void)0)
#define NVTX3_FUNC_RANGE_IN(domain) ((void)0)

#endif
