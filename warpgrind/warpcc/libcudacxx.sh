#!/bin/sh
# libcudacxx.sh FOLDER OUT - what clang wants said otherwise in Debian's libcu++ (1.8.1 of Debian 12, 2.3.2 of Debian 13), whose headers lie in FOLDER
# (/usr/include/cuda), and what NVIDIA has mended in it since: corrected copies in OUT, and OUT/overlay.yaml, which puts them in their place for one run of
# clang (-ivfsoverlay). A header in which there is nothing to mend is left where it is. OUT/made-from is the header that differs from version to
# version, as it stood: where the one in FOLDER has become another, or OUT was taken to another system, warpcc leaves the copies out (libraries.c).
#
#   chrono, barrier, pipeline   a % before the name of a register is written %% in inline assembly
#   barrier                     clang takes a variable in shared memory only when its destructor is empty; a block's barrier has one
#                               that invalidates the mbarrier, which nvcc never calls for such a variable
#   pipeline                    in a template clang takes a variable in shared memory only when its type's constructor was defined before, as
#                               a use in an ordinary function defines it: here for up to 8 stages
#   pipeline                    without roles, nobody waits for a stage to be released before it is filled again: as with roles, it has a
#                               barrier for that
#   barrier                     for sm_70 one lane arrives for others, which must have met it before
#   atomic_cuda_generated.h     fetch_min and fetch_max compare signed numbers without their sign
#   atomic                      wait() compares values by memcmp, which is the host's, for all compilers but nvcc
#   complex                     * and / are declared for both sides and defined for the host alone
#   __config                    complex numbers of long double, which devices have not, and literals of complex numbers are for all compilers but nvcc
#   cmath                       clang's builtins for NaN and infinity serve the device as well; __isnan is the C library's
set -eu
from=$1 out=$2
std=std/detail/libcxx/include
atomic=$std/support/atomic/atomic_cuda_generated.h
rm -rf "$out"
mkdir -p "$out"

# mend FILE COMMAND...: the file as the command changes it. The overlay lists what differs.
mend() {
    file=$1
    shift
    [ -e "$from/$file" ] || return 0
    mkdir -p "$out/$(dirname "$file")"
    "$@" <"$from/$file" >"$out/$file"
    if cmp -s "$from/$file" "$out/$file"; then rm "$out/$file"; fi
}

# In 2.3.2 a block's barrier has a header of its own.
mend_barrier() {
    sed -e 's/\([^%]\)%laneid/\1%%laneid/' -e 's/^ *int __leader = __ffs(__active) - 1;$/& __syncwarp(__active);/' -e '/^ *~barrier() {$/,/^    }$/ { /~barrier/b; /^    }$/b; d; }'
}
mend_pipeline() {
    sed -e 's/\([^%]\)%p\([;,]\)/\1%%p\2/' -e 's/if (__partitioned) {/{/' \
        -e 's/^\( *init(&__shared_state->__stages\[__stage\].__\)produced, __group_size);$/&\n\1consumed, __group_size);/'
    cat <<'EOF'
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
}
# Each instruction without a sign has one with a sign beside it, which a variable with a sign takes; 2.3.2 has them itself.
mend_atomic() {
    if grep -q '__cuda_fetch_max_relaxed_s32_' "$from/$atomic"; then
        cat
        return
    fi
    awk '
        /^__device__ _Type __atomic_fetch_(min|max)_cuda\(/ { orders = 1 }
        orders && /^ *uint(32|64)_t __tmp = 0;$/ { sub(/uint32_t/, "__warpgrind_number<_Type, uint32_t, int32_t>"); sub(/uint64_t/, "__warpgrind_number<_Type, uint64_t, int64_t>") }
        /^}/ { orders = 0 }
        NR == 1 {
            print "template <class _Type, class _Plain, class _Signed>"
            print "using __warpgrind_number ="
            print "    typename _CUDA_VSTD::conditional<_CUDA_VSTD::is_signed<_Type>::value && _CUDA_VSTD::is_integral<_Type>::value, _Signed, _Plain>::type;"
        }
        { print }
        /^template<.*__cuda_fetch_(min|max)_/ {
            type = /_64_/ ? "int64_t" : "int32_t"
            sub(/, class _CUDA_B, class _CUDA_C/, ""); sub(/_CUDA_B& /, type "\\& "); sub(/_CUDA_C /, type " ")
            sub(/\.u32 /, ".s32 "); sub(/\.u64 /, ".s64 ")
            print
        }'
}

mend std/chrono sed 's/\([^%]\)%globaltimer/\1%%globaltimer/'
mend std/barrier mend_barrier
mend $std/__cuda/barrier.h mend_barrier
mend pipeline mend_pipeline
mend $atomic mend_atomic
mend $std/atomic sed '/__cxx_nonatomic_compare_equal(/ { n; /\\$/b; s/^#if .*/#if 1/; }'
mend $std/complex sed '/^template<class _Tp>$/ { N; N; s,^\(template<class _Tp>\)\(\ncomplex<_Tp>\noperator[*/](const complex<_Tp>& __z\),\1 _LIBCUDACXX_INLINE_VISIBILITY\2,; }'
mend $std/__config sed 's/^# *define _LIBCUDACXX_HAS_\(COMPLEX_LONG_DOUBLE\|STL_LITERALS\)$/#ifndef __CUDA__\n&\n#endif/'
mend $std/cmath sed '/^#if defined(__CUDA_ARCH__)$/ { N; s,^#if defined(__CUDA_ARCH__)\(\n    return __is\),#if 0\1,; }'
cp "$from/$std/__config" "$out/made-from"
{
    echo "{'version': 0, 'overlay-relative': 'true', 'roots': ["
    (cd "$out" && find . -type f ! -name 'overlay.yaml*' ! -name made-from) | sort | while read -r file; do
        echo "  {'type': 'file', 'name': '$from/${file#./}', 'external-contents': '${file#./}'},"
    done
    echo "]}"
} >"$out/overlay.yaml.draft"
mv "$out/overlay.yaml.draft" "$out/overlay.yaml"
