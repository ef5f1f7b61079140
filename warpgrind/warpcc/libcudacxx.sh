#!/bin/sh
# libcudacxx.sh FOLDER OUT - what clang wants said otherwise in Debian's libcu++ (1.8.1), whose headers lie in FOLDER (/usr/include/cuda):
# corrected copies in OUT, and OUT/overlay.yaml, which puts them in their place for one run of clang (-ivfsoverlay).
#
#   std/chrono, std/barrier, pipeline   a % before the name of a register is written %% in inline assembly
#   std/barrier                         clang takes a variable in shared memory only when its destructor is empty; a block's barrier has one
#                                       that invalidates the mbarrier, which nvcc never calls for such a variable
#   pipeline                            in a template clang takes a variable in shared memory only when its type's constructor was defined before, as
#                                       a use in an ordinary function defines it: here for up to 8 stages
set -eu
from=$1 out=$2
mkdir -p "$out/std"
sed 's/%globaltimer/%%globaltimer/' "$from/std/chrono" >"$out/std/chrono"
sed -e 's/%laneid/%%laneid/' -e '/^ *~barrier() {$/,/^    }$/ { /~barrier/b; /^    }$/b; d }' "$from/std/barrier" >"$out/std/barrier"
sed -e 's/%p\([;,]\)/%%p\1/' "$from/pipeline" >"$out/pipeline"
cat >>"$out/pipeline" <<'EOF'
#ifndef __WARPGRIND_PIPELINE_STATES
#define __WARPGRIND_PIPELINE_STATES
inline __device__ void __warpgrind_define_pipeline_states() {
    [[maybe_unused]] cuda::pipeline_shared_state<cuda::thread_scope_block, 1> __state1;
    [[maybe_unused]] cuda::pipeline_shared_state<cuda::thread_scope_block, 2> __state2;
    [[maybe_unused]] cuda::pipeline_shared_state<cuda::thread_scope_block, 3> __state3;
    [[maybe_unused]] cuda::pipeline_shared_state<cuda::thread_scope_block, 4> __state4;
    [[maybe_unused]] cuda::pipeline_shared_state<cuda::thread_scope_block, 5> __state5;
    [[maybe_unused]] cuda::pipeline_shared_state<cuda::thread_scope_block, 6> __state6;
    [[maybe_unused]] cuda::pipeline_shared_state<cuda::thread_scope_block, 7> __state7;
    [[maybe_unused]] cuda::pipeline_shared_state<cuda::thread_scope_block, 8> __state8;
}
#endif
EOF
{
    echo "{'version': 0, 'overlay-relative': 'true', 'roots': ["
    for file in std/chrono std/barrier pipeline; do
        echo "  {'type': 'file', 'name': '$from/$file', 'external-contents': '$file'},"
    done
    echo "]}"
} >"$out/overlay.yaml.draft"
mv "$out/overlay.yaml.draft" "$out/overlay.yaml"
