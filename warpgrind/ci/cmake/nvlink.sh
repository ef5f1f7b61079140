#!/bin/sh
# nvlink and fatbinary, as CMake calls them to link device code in a step of its own: nvlink has warpcc link that of the objects to PTX, and fatbinary hands
# the PTX on to what CMake compiles next, link.stub.
#     nvlink -arch=sm_80 --register-link-binaries=FILE -o=FILE OBJECT...
#     fatbinary ... --embedded-fatbin=FILE -im=profile=sm_80,file=FILE...
made= code= handed=
for word; do
    shift
    case $word in
    -o=*) made=${word#*=} ;;
    --embedded-fatbin=*) handed=${word#*=} ;;
    -im=*file=*) [ -n "$code" ] || code=${word##*file=} ;;
    --register-link-binaries=*) : >"${word#*=}" || exit 1 ;;
    -*) ;;
    *) set -- "$@" "$word" ;;
    esac
done
if [ -n "$handed" ]; then
    exec cp "$code" "$handed"
fi
exec "$(dirname "$0")/../../bin/warpcc" -dlink --keep-ptx="$made" -o "$made.o" "$@"
