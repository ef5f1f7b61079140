#!/bin/sh
# cub.sh FOLDER OUT - CUB's headers of Debian, which lie in FOLDER (/usr/include/cub), so that the runtime is told of each call: copies in OUT of those
# that have the functions for programs, and OUT/overlay.yaml, which puts them in their place for one run of clang (-ivfsoverlay). No line moves, and
# files keep their names. OUT/made-from is the header that names the version: where the one in FOLDER has become another, warpcc leaves the copies
# out (libraries.c).
#
# Of what BlockReduce and WarpReduce return, all threads but one have nothing (__warpgrind_first_has).
# A function that takes d_temp_storage does nothing without it but say how many bytes it needs (device/watch/asked.h), and nothing at all with too few.
set -eu
from=$1 out=$2
rm -rf "$out"
mkdir -p "$out"
for file in "$from"/device/device_*.cuh; do
    awk '
        /^ *(\*|\/\/)/ { print; next }
        /void *\* *d_temp_storage,/ { parameters = 1 }
        parameters && /\{ *$/ {
            sub(/\{ *$/, "{ __warpgrind_cub_call(d_temp_storage, temp_storage_bytes, __PRETTY_FUNCTION__);")
            parameters = 0
        }
        /; *$/ { parameters = 0 }
        { print }' "$file" >"$out/${file##*/}"
done
for file in "$from"/util_device.cuh "$from"/util_temporary_storage.cuh; do # which of them has it is a matter of the version
    [ -e "$file" ] || continue
    awk '
        /temp_storage_bytes < bytes_needed/ { compared = 1 }
        compared && sub(/return /, "return __warpgrind_cub_short(temp_storage_bytes, bytes_needed), ") { compared = 0 }
        { print }' "$file" >"$out/${file##*/}"
done
first() { # FILE CLASS CONDITION: the results that the class hands on are those of the thread for which that holds
    awk -v from="return $2[(]temp_storage[)][.]template (Reduce|Sum)<" -v to="return __warpgrind_first_has($3, " '
        match($0, from) {
            sub(/return /, to)
            sub(/; *$/, ");")
        }
        { print }' "$1" >"$out/${1##*/}"
}
first "$from/block/block_reduce.cuh" InternalBlockReduce "linear_tid == 0"
first "$from/warp/warp_reduce.cuh" InternalWarpReduce "LaneId() % LOGICAL_WARP_THREADS == 0"
cp "$from/version.cuh" "$out/made-from"
{
    echo "{'version': 0, 'overlay-relative': 'true', 'use-external-names': 'false', 'roots': ["
    for copy in "$out"/*.cuh; do
        for folder in . device block warp; do
            file=$from/$folder/${copy##*/}
            [ ! -e "$file" ] || break
        done
        file=$(echo "$file" | sed 's,/\./,/,')
        echo "  {'type': 'file', 'name': '$file', 'external-contents': '${copy##*/}'},"
    done
    echo "]}"
} >"$out/overlay.yaml.draft"
mv "$out/overlay.yaml.draft" "$out/overlay.yaml"
