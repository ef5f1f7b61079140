#!/bin/sh
# What CMake's modules ask of the nvcc of a CUDA toolkit: where it lies and of which version it is. This one is warpgrind's; it compiles with warpcc.
toolkit=$(cd "$(dirname "$0")/.." && pwd -P)
case " $* " in
*' __cmake_determine_cuda '*) printf '#$ TOP=%s\n' "$toolkit" >&2; exit 1 ;;
*' --version '* | *' -V '*) printf 'nvcc, in place of it warpcc of warpgrind\nCuda compilation tools, release 12.4, V12.4.0\n'; exit 0 ;;
esac
compiler=$toolkit/../bin/warpcc
exec "$compiler" "$@"
