# CUDA projects of CMake by warpcc, with no CUDA toolkit on the machine:
#
#   cmake --toolchain /usr/local/share/warpgrind/warpcc-toolchain.cmake -B build
#
# enable_language(CUDA), project(... CUDA) and find_package(CUDAToolkit) work; CUDA::cudart is warpgrind's runtime. CMake takes warpcc for a clang.
find_program(WARPCC_EXECUTABLE warpcc HINTS "${CMAKE_CURRENT_LIST_DIR}/../../bin" "${CMAKE_CURRENT_LIST_DIR}/../../build/bin" REQUIRED)
file(REAL_PATH "${WARPCC_EXECUTABLE}" warpcc_path)
get_filename_component(warpcc_home "${warpcc_path}" DIRECTORY)
get_filename_component(warpcc_home "${warpcc_home}" DIRECTORY)
set(CMAKE_CUDA_COMPILER "${WARPCC_EXECUTABLE}")
set(CUDAToolkit_ROOT "${warpcc_home}/toolkit")
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared CACHE STRING "of warpgrind")
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80 CACHE STRING "PTX for this card")
elseif(CMAKE_CUDA_ARCHITECTURES STREQUAL "native")
    # What a project sets before project(): CMake would look for a card, and stop.
    set(CMAKE_CUDA_ARCHITECTURES 80)
endif()
